/* SPDX-License-Identifier: MIT
 *
 * stream --from-sse: server-sent events in, of which the data go one of two
 * ways, as --api and the first of them say.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/files/print.h"
#include "cli/served/repair.h"
#include "cli/served/served.h"

/* ---- the way ------------------------------------------------------------ */

/* What was held back goes out, if the way has a use for it. */
static void put_held(served *self, bool wanted)
{
    const tw_buffer *held = &self->held.out;
    if (wanted && held->size > 0) {
        cli_put(&self->output, (const char *)held->data, held->size);
        self->lines = true;
    }
    self->held.out.size = 0;
}

/* Chat stays chat; all else is written anew. */
static void decide(served *self)
{
    const tw_shape from = served_api_of(self->chunks.read.root);
    const tw_shape to =
        self->options->api_name != NULL ? self->options->api : from;
    self->decided = from != 0;
    if (from != 0 && (from != TW_SHAPE_CHUNKS || to != TW_SHAPE_CHUNKS)) {
        self->way = &served_anew;
        self->other.api = to;
    }
    put_held(self, self->way == &served_chat);
}

/* ---- data --------------------------------------------------------------- */

static int take_heard(served *self, cli_heard heard, const tw_error *error)
{
    cli_chunks *chunks = &self->chunks;
    self->now = chunks->data;
    self->now_size = chunks->size;
    if (cli_chunks_failed(chunks)) {
        return cli_no_memory();
    }
    if (heard == CLI_HEARD_PART) {
        return CLI_FINE;
    }
    if (!self->decided && heard != CLI_HEARD_BAD) {
        decide(self);
    }
    put_held(self, self->way == &served_chat);
    return heard == CLI_HEARD_BAD ? self->way->lose(self, error)
                                  : self->way->heard(self, heard);
}

/* With what there is of the data, which are not read on. */
static int lose_long(served *self, const char *why)
{
    const tw_error error = {TW_ERROR_LIMIT, 0, self->options->max_record, why,
                            NULL};
    self->chunks.part = false;
    return self->way->lose(self, &error);
}

/* JSON that is whole counts at once, what is not waits for the next line of
 * the event's data. */
static int take_data(served *self, const char *line, size_t size)
{
    static const char end[] = "[DONE]";
    tw_error error;
    if (!self->chunks.part && size == sizeof end - 1 &&
        memcmp(line, end, size) == 0) {
        put_held(self, self->way == &served_chat);
        self->done = true;
        return self->way->done(self);
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
    return take_heard(self, cli_chunks_read(&self->chunks, line, size, &error),
                      &error);
}

/* No more data come for the event. */
static int end_data(served *self)
{
    tw_error error;
    return self->chunks.part
               ? take_heard(self, cli_chunks_end(&self->chunks, &error),
                            &error)
               : CLI_FINE;
}

/* ---- lines -------------------------------------------------------------- */

/* Does the line begin with this field, or is it all of it? */
static bool is_field(const char *name, const char *line, size_t size)
{
    const size_t length = strlen(name);
    return size >= length && memcmp(line, name, length) == 0 &&
           (size == length || line[length] == ':');
}

static bool is_known(const char *line, size_t size)
{
    return line[0] == ':' || is_field("data", line, size) ||
           is_field("event", line, size) || is_field("id", line, size) ||
           is_field("retry", line, size);
}

static void say_unknown(served *self, const char *line)
{
    const unsigned long long number = self->input.line;
    if (number == 1 && line[0] == '{') {
        cli_say(
            "%s:1: JSON, and no server-sent events: a whole answer is read "
            "by `toolwire convert -f chat-completion -t chat-completion "
            "--wire %s`; of chunks a line each `sed 's/.*/data: &\\n/'` makes "
            "events",
            self->input.name, self->options->format_name);
    } else {
        served_say(self, SERVED_NO_FIELD, number);
    }
    self->bad = true;
}

/* In front of data that decide, an event's name waits for them. */
static void take_other(served *self, const char *line, size_t size)
{
    if (size > 0 && !is_known(line, size)) {
        say_unknown(self, line);
    }
    if (!self->decided && size > 0 && line[0] != ':') {
        tw_json_put_text(&self->held, line, size);
        tw_json_put(&self->held, "\n");
        return;
    }
    put_held(self, self->way == &served_chat);
    self->way->line(self, line, size);
}

static int take_line(served *self, const char *line, size_t size)
{
    if (size == 0) {
        const int result = end_data(self);
        take_other(self, line, size);
        return result;
    }
    const size_t past = size > 5 && line[5] == ' ' ? 6 : size > 4 ? 5 : 4;
    if (!is_field("data", line, size) ||
        (past == size && !self->chunks.part)) {
        take_other(self, line, size);
        return CLI_FINE;
    }
    return take_data(self, line + past, size - past);
}

static int end_stream(served *self)
{
    int result = end_data(self);
    put_held(self, self->way == &served_chat);
    if (result == CLI_FINE) {
        result = self->way->end(self);
    }
    served_end_event(self);
    return result;
}

static int pump(served *self)
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
        if (result == CLI_FINE && self->held.failed) {
            result = cli_no_memory();
        }
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
    served_end_event(self);
    return result;
}

/* ---- the command -------------------------------------------------------- */

static int run(served *self)
{
    const cli_options *options = self->options;
    int result = cli_input_open(&self->input, cli_operand(options),
                                CLI_INPUT_LINES, options->max_record);
    if (result == CLI_FINE) {
        cli_messages_init(&self->messages, options);
        result = pump(self);
        cli_messages_end(&self->messages);
        served_say_counts(self);
        cli_input_close(&self->input);
    }
    return result;
}

/* What is wrong with the options is said before anything is read. */
static int try_options(served *self)
{
    tw_decoder *decoder;
    tw_writer *writer;
    const int result =
        cli_make_stream(self->options, &self->tools, &decoder, &writer);
    if (result == CLI_FINE) {
        tw_decoder_free(decoder);
        tw_writer_free(writer);
    }
    return result;
}

static void begin(served *self)
{
    const cli_options *options = self->options;
    self->other = *options;
    self->other.sse = true;
    self->other.from_sse = false;
    self->decided =
        options->api_name != NULL && options->api != TW_SHAPE_CHUNKS;
    self->way = self->decided ? &served_anew : &served_chat;
    self->held.memory = self->told.memory = &self->memory;
    cli_chunks_init(&self->chunks, &self->memory);
}

int cli_repair(const cli_options *options)
{
    served self = {.options = options, .memory = tw_memory_from(NULL)};
    int result = cli_tools_open(options, &self.tools);
    if (result != CLI_FINE) {
        return result;
    }
    result = try_options(&self);
    if (result == CLI_FINE) {
        result = cli_output_open(&self.output, options->output);
    }
    if (result == CLI_FINE) {
        begin(&self);
        result = run(&self);
        const int closed = cli_output_close(&self.output, result == CLI_FINE);
        result = closed > result ? closed : result;
        self.way->free(&self);
        cli_chunks_free(&self.chunks);
        tw_buffer_free(&self.held.out, &self.memory);
        tw_buffer_free(&self.told.out, &self.memory);
    }
    cli_tools_close(&self.tools);
    return result == CLI_FINE && self.bad ? CLI_BAD : result;
}
