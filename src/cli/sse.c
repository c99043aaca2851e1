/* SPDX-License-Identifier: MIT
 *
 * stream --from-sse: a server's stream, whose content is what the model
 * wrote, with reasoning and calls split out of it.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/records/messages.h"
#include "cli/files/print.h"
#include "cli/records/session.h"
#include "kit/chunks.h"

enum { CHOICES = 1024 };

typedef struct branch {
    uint64_t index; /* its choice's */
    tw_decoder *decoder;
    tw_writer *writer;
    kit_half held;
    bool finished;
} branch;

typedef struct repair {
    const cli_options *options;
    cli_tools tools;
    tw_memory memory;
    kit_chunks chunks;
    branch *branches;
    size_t count;
    cli_input input;
    cli_output output;
    uint64_t line;   /* where the data that are being read begin */
    const char *now; /* they, or NULL */
    size_t now_size;
    bool lines; /* there are some of an event that is not ended */
    bool data;  /* ... and one of them has data */
    bool lost;  /* a line was: from there on nothing is decoded */
    bool bad;   /* something was, and was said */
    cli_messages messages;
} repair;

/* ---- lines out ---------------------------------------------------------- */

static void end_event(repair *self)
{
    cli_put_text(&self->output, self->lines ? "\n" : "");
    self->lines = self->data = false;
}

static void put_line(repair *self, const char *data, size_t size)
{
    cli_put(&self->output, data, size);
    cli_put_text(&self->output, "\n");
    self->lines = true;
}

/* An event has one JSON text here. */
static void begin_data(repair *self)
{
    if (self->data) {
        end_event(self);
    }
    cli_put_text(&self->output, "data: ");
    self->data = true;
}

/* An event's, in as many lines as they have. */
static void put_data(repair *self, const char *data, size_t size)
{
    const char *feed;
    begin_data(self);
    while ((feed = memchr(data, '\n', size)) != NULL) {
        const size_t length = (size_t)(feed - data);
        put_line(self, data, length);
        cli_put_text(&self->output, "data: ");
        data += length + 1;
        size -= length + 1;
    }
    put_line(self, data, size);
}

static void put_chunk(repair *self)
{
    const tw_buffer *line = &self->chunks.line.out;
    put_data(self, (const char *)line->data, line->size);
}

static void put_member(repair *self, const char *before, const char *value)
{
    cli_put_text(&self->output, before);
    cli_put_string(&self->output, value);
}

/* As servers put errors into streams. */
static void put_error(repair *self, const tw_error *error)
{
    cli_output *output = &self->output;
    begin_data(self);
    put_member(self, "{\"error\":{\"code\":", tw_error_name(error->code));
    cli_put_text(output, ",\"line\":");
    cli_put_number(output, self->line);
    cli_put_text(output, ",\"offset\":");
    cli_put_number(output, error->offset);
    if (error->path != NULL) {
        put_member(self, ",\"path\":", error->path);
    }
    put_member(self, ",\"message\":", error->message);
    if (self->now != NULL) {
        cli_put_text(output, ",\"data\":");
        cli_put_json(output, self->now, self->now_size);
    }
    cli_put_text(output, "}}\n");
    self->lines = true;
    self->bad = true;
}

/* ---- a choice ----------------------------------------------------------- */

static branch *find(const repair *self, uint64_t index)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->branches[i].index == index) {
            return &self->branches[i];
        }
    }
    return NULL;
}

static int add(repair *self, uint64_t index)
{
    branch *grown =
        realloc(self->branches, (self->count + 1) * sizeof *self->branches);
    if (grown == NULL) {
        return cli_no_memory();
    }
    branch *fresh = &grown[self->count];
    self->branches = grown;
    memset(fresh, 0, sizeof *fresh);
    fresh->index = index;
    const int result = cli_make_stream(self->options, &self->tools,
                                       &fresh->decoder, &fresh->writer);
    self->count += result == CLI_FINE ? 1 : 0;
    return result;
}

static int write_lines(repair *self, branch *its, const kit_choice *choice)
{
    const char *line;
    size_t size;
    while (tw_writer_take(its->writer, &line, &size) == 1) {
        if (kit_chunks_made(&self->chunks, choice, line, size)) {
            put_chunk(self);
        } else if (kit_chunks_failed(&self->chunks)) {
            return cli_no_memory();
        }
    }
    return CLI_FINE;
}

static int write_event(repair *self, branch *its, const kit_choice *choice,
                       const tw_event *event)
{
    if (event->type == TW_EVENT_DIAGNOSTIC) {
        cli_messages_diagnostic(&self->messages, self->input.name, self->line,
                                event->offset, event->code, event->id);
    }
    self->bad |= event->type == TW_EVENT_UNPARSED;
    if (tw_writer_event(its->writer, event) != TW_OK) {
        return cli_no_memory();
    }
    return self->options->join ? CLI_FINE : write_lines(self, its, choice);
}

static int drain(repair *self, branch *its, const kit_choice *choice)
{
    const tw_event *event;
    int next;
    int result = CLI_FINE;
    while (result == CLI_FINE &&
           (next = tw_decoder_next(its->decoder, &event)) != 0) {
        if (next > 0) {
            result = write_event(self, its, choice, event);
            continue;
        }
        const tw_error *error = tw_decoder_error(its->decoder);
        result = write_lines(self, its, choice);
        cli_messages_error(&self->messages, self->input.name, self->line,
                           error);
        put_error(self, error);
        result = result != CLI_FINE ? result : CLI_BAD;
    }
    return result == CLI_FINE ? write_lines(self, its, choice) : result;
}

static int feed(repair *self, branch *its, const kit_choice *choice,
                const char *data, size_t size)
{
    if (size == 0) {
        return CLI_FINE;
    }
    /* An error of the feed comes from the drain, behind the events. */
    (void)tw_decoder_feed(its->decoder, data, size, TW_MARK_UNKNOWN);
    return drain(self, its, choice);
}

/* The server says that the model stopped by itself.  Any other reason may
 * have cut a call in two. */
static bool is_whole(const kit_choice *choice)
{
    static const char *const reasons[] = {"stop", "tool_calls",
                                          "function_call"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (choice->finish_size == strlen(reasons[i]) &&
            memcmp(choice->finish, reasons[i], choice->finish_size) == 0) {
            return true;
        }
    }
    return false;
}

static int finish(repair *self, branch *its, const kit_choice *choice)
{
    size_t size;
    const char *half = kit_half_alone(&its->held, &size);
    const int result = feed(self, its, choice, half, size);
    its->finished = true;
    if (result != CLI_FINE) {
        return result;
    }
    if (tw_writer_set_text(its->writer, TW_TEXT_FINISH_REASON, choice->finish,
                           choice->finish_size) != TW_OK) {
        return cli_no_memory();
    }
    tw_decoder_finish(its->decoder,
                      is_whole(choice) ? TW_FINISH_STOP : TW_FINISH_LENGTH);
    return drain(self, its, choice);
}

/* All that is open ends here: by itself, or cut off. */
static int finish_all(repair *self, bool cut)
{
    static const char stop[] = "stop";
    int result = CLI_FINE;
    for (size_t i = 0; i < self->count && result == CLI_FINE; i++) {
        branch *its = &self->branches[i];
        const kit_choice choice = {.index = its->index,
                                   .finish = stop,
                                   .finish_size = cut ? 0 : sizeof stop - 1};
        if (!its->finished) {
            result = finish(self, its, &choice);
        }
    }
    return result;
}

/* What the line held is not known, or has no place: a call that is pieced
 * together around it could be another one. */
static int lose_line(repair *self, const tw_error *error)
{
    cli_messages_error(&self->messages, self->input.name, self->line, error);
    const int result = self->lost ? CLI_FINE : finish_all(self, true);
    self->lost = true;
    if (result == CLI_FINE) {
        put_error(self, error);
    }
    return result;
}

static int lose_choice(repair *self, const char *why)
{
    const tw_error error = {TW_ERROR_SCHEMA, 0, 0, why, "choices"};
    return lose_line(self, &error);
}

/* With what there is of the data, which are not read on. */
static int lose_long(repair *self, const char *why)
{
    const tw_error error = {TW_ERROR_LIMIT, 0, self->options->max_record, why,
                            NULL};
    self->chunks.part = false;
    return lose_line(self, &error);
}

static int take_content(repair *self, branch *its, const kit_choice *choice)
{
    size_t size;
    const char *data =
        kit_chunks_content(&self->chunks, choice, &its->held, &size);
    return kit_chunks_failed(&self->chunks)
               ? cli_no_memory()
               : feed(self, its, choice, data, size);
}

static int take_choice(repair *self, kit_choice *choice)
{
    branch *its = find(self, choice->index);
    const bool first = its == NULL;
    if (first && self->count == CHOICES) {
        return lose_choice(self, "there are too many");
    }
    int result = first ? add(self, choice->index) : CLI_FINE;
    if (result != CLI_FINE) {
        return result;
    }
    its = find(self, choice->index);
    if (its->finished && choice->content_size > 0) {
        return lose_choice(self, "text stands behind a finish_reason");
    }
    choice->finish_size = its->finished ? 0 : choice->finish_size;
    if (kit_chunks_rest(&self->chunks, choice, first)) {
        put_chunk(self);
    }
    result = take_content(self, its, choice);
    if (result == CLI_FINE && choice->finish_size > 0) {
        result = finish(self, its, choice);
    }
    return result;
}

static int take_chunk(repair *self)
{
    kit_choice choice;
    int result;
    kit_chunks_first(&self->chunks, &choice);
    do {
        result = take_choice(self, &choice);
    } while (result == CLI_FINE && !self->lost && kit_choice_next(&choice));
    if (result == CLI_FINE && kit_chunks_usage(&self->chunks)) {
        put_chunk(self);
    }
    return result == CLI_FINE && kit_chunks_failed(&self->chunks)
               ? cli_no_memory()
               : result;
}

/* ---- lines in ----------------------------------------------------------- */

static int take_heard(repair *self, kit_heard heard, const tw_error *error)
{
    kit_chunks *chunks = &self->chunks;
    self->now = chunks->data;
    self->now_size = chunks->size;
    if (kit_chunks_failed(chunks)) {
        return cli_no_memory();
    }
    if (heard == KIT_HEARD_PART) {
        return CLI_FINE;
    }
    if (heard == KIT_HEARD_BAD) {
        return lose_line(self, error);
    }
    if (heard == KIT_HEARD_CHUNK && !self->lost) {
        return take_chunk(self);
    }
    if (heard == KIT_HEARD_ERROR) {
        cli_say("%s:%llu: the server reports an error", self->input.name,
                (unsigned long long)self->line);
        self->bad = true;
    }
    put_data(self, chunks->data, chunks->size);
    return CLI_FINE;
}

/* JSON that is whole counts at once, what is not waits for the next line of
 * the event's data. */
static int take_data(repair *self, const char *line, size_t size)
{
    static const char end[] = "[DONE]";
    tw_error error;
    if (!self->chunks.part && size == sizeof end - 1 &&
        memcmp(line, end, size) == 0) {
        const int result = self->lost ? CLI_FINE : finish_all(self, false);
        if (result == CLI_FINE) {
            put_data(self, line, size);
        }
        return result;
    }
    if (self->chunks.part &&
        self->chunks.size + size > self->options->max_record) {
        const int result =
            lose_long(self, "the data are longer than --max-record");
        if (result != CLI_FINE) {
            return result;
        }
        self->line = self->input.line;
    }
    return take_heard(self, kit_chunks_read(&self->chunks, line, size, &error),
                      &error);
}

/* No more data come for the event. */
static int end_data(repair *self)
{
    tw_error error;
    return self->chunks.part
               ? take_heard(self, kit_chunks_end(&self->chunks, &error),
                            &error)
               : CLI_FINE;
}

/* Does the line begin with this field, or is it all of it? */
static bool is_field(const char *name, const char *line, size_t size)
{
    const size_t length = strlen(name);
    return size >= length && memcmp(line, name, length) == 0 &&
           (size == length || line[length] == ':');
}

static bool is_known(const char *line, size_t size)
{
    return line[0] == ':' || is_field("event", line, size) ||
           is_field("id", line, size) || is_field("retry", line, size);
}

static int take_line(repair *self, const char *line, size_t size)
{
    if (size == 0) {
        const int result = end_data(self);
        end_event(self);
        return result;
    }
    if (!is_field("data", line, size)) {
        if (!is_known(line, size)) {
            cli_say("%s:%llu: no field of server-sent events",
                    self->input.name, (unsigned long long)self->input.line);
            self->bad = true;
        }
        put_line(self, line, size);
        return CLI_FINE;
    }
    const size_t past = size > 5 && line[5] == ' ' ? 6 : size > 4 ? 5 : 4;
    if (past == size && !self->chunks.part) {
        put_line(self, line, size);
        return CLI_FINE;
    }
    return take_data(self, line + past, size - past);
}

static int end_stream(repair *self)
{
    const tw_error cut = {TW_ERROR_SCHEMA, 0, 0,
                          "the stream ends without a finish_reason", NULL};
    bool open = false;
    int result = end_data(self);
    for (size_t i = 0; i < self->count; i++) {
        open |= !self->branches[i].finished;
    }
    if (result == CLI_FINE) {
        result = finish_all(self, true);
    }
    if (open) {
        cli_messages_error(&self->messages, self->input.name, self->input.line,
                           &cut);
        self->bad = true;
    }
    end_event(self);
    return result;
}

static int pump(repair *self)
{
    const char *data;
    size_t size;
    cli_read got;
    int result = CLI_FINE;
    while ((got = cli_input_record(&self->input, &self->output, &data,
                                   &size)) > 0) {
        if (!self->chunks.part) {
            self->line = self->input.line;
            self->now = NULL;
        }
        result = got == CLI_READ_RECORD
                     ? take_line(self, data, size)
                     : lose_long(self, "the line is longer than --max-record");
        if (result != CLI_FINE || self->output.failed) {
            break;
        }
    }
    if (got < 0 || self->output.failed) {
        return self->output.failed ? CLI_IO : cli_input_code(got);
    }
    if (result == CLI_FINE) {
        return end_stream(self);
    }
    end_event(self);
    return result;
}

static int run(repair *self)
{
    const cli_options *options = self->options;
    int result = cli_input_open(&self->input, cli_operand(options),
                                CLI_INPUT_LINES, options->max_record);
    if (result == CLI_FINE) {
        cli_messages_init(&self->messages, options);
        result = pump(self);
        cli_messages_end(&self->messages);
        cli_input_close(&self->input);
    }
    return result;
}

/* What is wrong with the options is said before anything is read. */
static int try_options(repair *self)
{
    branch tried;
    const int result = cli_make_stream(self->options, &self->tools,
                                       &tried.decoder, &tried.writer);
    if (result == CLI_FINE) {
        tw_decoder_free(tried.decoder);
        tw_writer_free(tried.writer);
    }
    return result;
}

int cli_repair(const cli_options *options)
{
    repair self = {.options = options, .memory = tw_memory_from(NULL)};
    int result = cli_tools_open(options, &self.tools);
    if (result != CLI_FINE) {
        return result;
    }
    result = try_options(&self);
    if (result == CLI_FINE) {
        result = cli_output_open(&self.output, options->output);
    }
    if (result == CLI_FINE) {
        kit_chunks_init(&self.chunks, &self.memory);
        result = run(&self);
        const int closed = cli_output_close(&self.output, result == CLI_FINE);
        result = closed > result ? closed : result;
        kit_chunks_free(&self.chunks);
    }
    for (size_t i = 0; i < self.count; i++) {
        tw_decoder_free(self.branches[i].decoder);
        tw_writer_free(self.branches[i].writer);
    }
    free(self.branches);
    cli_tools_close(&self.tools);
    return result == CLI_FINE && self.bad ? CLI_BAD : result;
}
