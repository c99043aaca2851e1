/* SPDX-License-Identifier: MIT
 *
 * Chat to chat: a server's chunks, whose content is what the model wrote, with
 * reasoning and calls split out of it; all else in them stays.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/files/print.h"
#include "cli/records/session.h"
#include "cli/served/served.h"

enum { CHOICES = 1024 };

typedef struct served_branch {
    uint64_t index; /* its choice's */
    tw_decoder *decoder;
    tw_writer *writer;
    cli_half held;
    bool finished;
} branch;

static void put_chunk(served *self)
{
    const tw_buffer *line = &self->chunks.line.out;
    served_put_data(self, (const char *)line->data, line->size);
}

/* ---- a choice ----------------------------------------------------------- */

static branch *find(const served *self, uint64_t index)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->branches[i].index == index) {
            return &self->branches[i];
        }
    }
    return NULL;
}

static int add(served *self, uint64_t index)
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

static int write_lines(served *self, branch *its, const cli_choice *choice)
{
    const char *line;
    size_t size;
    while (tw_writer_take(its->writer, &line, &size) == 1) {
        if (cli_chunks_made(&self->chunks, choice, line, size)) {
            put_chunk(self);
        } else if (cli_chunks_failed(&self->chunks)) {
            return cli_no_memory();
        }
    }
    return CLI_FINE;
}

static int write_event(served *self, branch *its, const cli_choice *choice,
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

static int drain(served *self, branch *its, const cli_choice *choice)
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
        served_put_error(self, error);
        result = result != CLI_FINE ? result : CLI_BAD;
    }
    return result == CLI_FINE ? write_lines(self, its, choice) : result;
}

static int feed(served *self, branch *its, const cli_choice *choice,
                const char *data, size_t size)
{
    if (size == 0) {
        return CLI_FINE;
    }
    /* An error of the feed comes from the drain, behind the events. */
    (void)tw_decoder_feed(its->decoder, data, size, TW_MARK_UNKNOWN);
    return drain(self, its, choice);
}

static int finish(served *self, branch *its, const cli_choice *choice)
{
    size_t size;
    const char *half = cli_half_alone(&its->held, &size);
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
                      served_is_whole(choice->finish, choice->finish_size)
                          ? TW_FINISH_STOP
                          : TW_FINISH_LENGTH);
    return drain(self, its, choice);
}

/* All that is open ends here: by itself, or cut off. */
static int finish_all(served *self, bool cut)
{
    static const char stop[] = "stop";
    int result = CLI_FINE;
    for (size_t i = 0; i < self->count && result == CLI_FINE; i++) {
        branch *its = &self->branches[i];
        const cli_choice choice = {.index = its->index,
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
static int lose_line(served *self, const tw_error *error)
{
    cli_messages_error(&self->messages, self->input.name, self->line, error);
    const int result = self->lost ? CLI_FINE : finish_all(self, true);
    self->lost = true;
    if (result == CLI_FINE) {
        served_put_error(self, error);
    }
    return result;
}

static int lose_choice(served *self, const char *why)
{
    const tw_error error = {TW_ERROR_SCHEMA, 0, 0, why, "choices"};
    return lose_line(self, &error);
}

static int take_content(served *self, branch *its, const cli_choice *choice)
{
    size_t size;
    const char *data =
        cli_chunks_content(&self->chunks, choice, &its->held, &size);
    return cli_chunks_failed(&self->chunks)
               ? cli_no_memory()
               : feed(self, its, choice, data, size);
}

static int take_choice(served *self, cli_choice *choice)
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
    if (cli_chunks_rest(&self->chunks, choice, first)) {
        put_chunk(self);
    }
    result = take_content(self, its, choice);
    if (result == CLI_FINE && choice->finish_size > 0) {
        result = finish(self, its, choice);
    }
    return result;
}

static int take_chunk(served *self)
{
    cli_choice choice;
    int result;
    cli_chunks_first(&self->chunks, &choice);
    do {
        result = take_choice(self, &choice);
    } while (result == CLI_FINE && !self->lost && cli_choice_next(&choice));
    if (result == CLI_FINE && cli_chunks_usage(&self->chunks)) {
        put_chunk(self);
    }
    return result == CLI_FINE && cli_chunks_failed(&self->chunks)
               ? cli_no_memory()
               : result;
}

/* ---- the way ------------------------------------------------------------ */

static int take_heard(served *self, cli_heard heard)
{
    if (heard == CLI_HEARD_CHUNK && !self->lost) {
        return take_chunk(self);
    }
    int result = CLI_FINE;
    if (heard == CLI_HEARD_ERROR) {
        served_say(self, SERVED_FAILURE, self->line);
        self->bad = true;
        result = self->lost ? CLI_FINE : finish_all(self, true);
        self->lost = true;
    }
    served_put_data(self, self->now, self->now_size);
    return result;
}

static int take_done(served *self)
{
    static const char end[] = "[DONE]";
    const int result = self->lost ? CLI_FINE : finish_all(self, false);
    if (result == CLI_FINE) {
        served_put_data(self, end, sizeof end - 1);
    }
    return result;
}

static int end_stream(served *self)
{
    const tw_error cut = {TW_ERROR_SCHEMA, 0, 0, served_cut, NULL};
    bool open = self->count == 0 && !self->done;
    if (self->lost) {
        return CLI_FINE; /* the client knows */
    }
    for (size_t i = 0; i < self->count; i++) {
        open |= !self->branches[i].finished;
    }
    const int result = finish_all(self, true);
    if (open && result == CLI_FINE) {
        self->now = NULL;
        self->line = self->input.line;
        cli_messages_error(&self->messages, self->input.name, self->line,
                           &cut);
        served_put_error(self, &cut);
    }
    return result;
}

static void take_line(served *self, const char *line, size_t size)
{
    if (size == 0) {
        served_end_event(self);
    } else {
        served_put_line(self, line, size);
    }
}

static void free_branches(served *self)
{
    for (size_t i = 0; i < self->count; i++) {
        tw_decoder_free(self->branches[i].decoder);
        tw_writer_free(self->branches[i].writer);
    }
    free(self->branches);
}

const served_way served_chat = {take_heard, take_done, lose_line,
                                end_stream, take_line, free_branches};
