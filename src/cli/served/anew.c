/* SPDX-License-Identifier: MIT
 *
 * The stream of one API from that of another, or of a younger one from itself:
 * what the server says of the message is said again, by a writer.  Other
 * members of its events have no place there.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/files/print.h"
#include "cli/served/served.h"

enum { CREATED_DIGITS = 18 };

typedef struct served_stream {
    tw_decoder *decoder;
    tw_writer *writer;
    cli_half held;
    tw_tree usage; /* what is known of it */
    tw_json_out usage_text;
    tw_json_out finish;
    bool finished; /* the server said why */
    bool over;     /* nothing more is written */
    /* Reasoning that the server has split out stands between the decoder's
     * segments, whose numbers it shifts. */
    uint32_t shift;
    uint32_t last; /* the decoder's last segment */
    uint32_t sent; /* the last one that was written */
    bool any;      /* ... if there was one */
    bool foreign;  /* ... and it was the server's */
    bool in_call;
} served_stream;

static int open_stream(served *self)
{
    served_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return cli_no_memory();
    }
    const int result = cli_make_stream(&self->other, &self->tools,
                                       &stream->decoder, &stream->writer);
    if (result != CLI_FINE) {
        free(stream);
        return result;
    }
    tw_tree_init(&stream->usage, &self->memory);
    stream->usage.keeps_lone = true;
    stream->usage_text.memory = stream->finish.memory = &self->memory;
    self->stream = stream;
    return CLI_FINE;
}

static void close_stream(served *self)
{
    served_stream *stream = self->stream;
    if (stream == NULL) {
        return;
    }
    tw_decoder_free(stream->decoder);
    tw_writer_free(stream->writer);
    tw_tree_free(&stream->usage);
    tw_buffer_free(&stream->usage_text.out, &self->memory);
    tw_buffer_free(&stream->finish.out, &self->memory);
    free(stream);
}

/* ---- out ---------------------------------------------------------------- */

static void write_lines(served *self)
{
    const char *line;
    size_t size;
    while (tw_writer_take(self->stream->writer, &line, &size) == 1) {
        cli_put(&self->output, line, size);
    }
}

static int give(served *self, const tw_event *event)
{
    if (tw_writer_event(self->stream->writer, event) != TW_OK) {
        return cli_no_memory();
    }
    if (!self->options->join) {
        write_lines(self);
    }
    return CLI_FINE;
}

static int write_event(served *self, const tw_event *event)
{
    served_stream *stream = self->stream;
    tw_event moved = *event;
    if (event->type == TW_EVENT_DIAGNOSTIC) {
        cli_messages_diagnostic(&self->messages, self->input.name, self->line,
                                event->offset, event->code, event->id);
    }
    self->bad |= event->type == TW_EVENT_UNPARSED;
    if (event->type == TW_EVENT_TEXT || event->type == TW_EVENT_REASONING) {
        stream->last = event->index;
        stream->sent = moved.index = event->index + stream->shift;
        stream->any = true;
        stream->foreign = false;
    } else if (event->type == TW_EVENT_CALL_BEGIN ||
               event->type == TW_EVENT_CALL_END) {
        stream->in_call = event->type == TW_EVENT_CALL_BEGIN;
    }
    return give(self, &moved);
}

static int break_off(served *self, const tw_error *error)
{
    served_stream *stream = self->stream;
    stream->over = true;
    self->bad = true;
    const int result = tw_writer_fail(stream->writer, error);
    write_lines(self);
    return result == TW_OK ? CLI_FINE : cli_no_memory();
}

/* |whole|: the message may end. */
static int drain(served *self, bool whole)
{
    served_stream *stream = self->stream;
    const tw_event *event;
    int next;
    int result = CLI_FINE;
    while (result == CLI_FINE &&
           (next = tw_decoder_next(stream->decoder, &event)) > 0) {
        if (whole || event->type != TW_EVENT_END) {
            result = write_event(self, event);
        }
    }
    if (result == CLI_FINE && next < 0) {
        const tw_error *error = tw_decoder_error(stream->decoder);
        cli_messages_error(&self->messages, self->input.name, self->line,
                           error);
        result = break_off(self, error);
        result = result == CLI_FINE ? CLI_BAD : result;
    }
    write_lines(self);
    return result;
}

static int feed(served *self, const char *data, size_t size)
{
    if (size == 0) {
        return CLI_FINE;
    }
    /* An error of the feed comes from the drain, behind the events. */
    (void)tw_decoder_feed(self->stream->decoder, data, size, TW_MARK_UNKNOWN);
    return drain(self, true);
}

/* ---- in ----------------------------------------------------------------- */

/* Texts that are no UTF-8, or come too late, are not taken. */
static int set_text(served_stream *stream, tw_text place, const char *text,
                    size_t size)
{
    const int result = tw_writer_set_text(stream->writer, place, text, size);
    return result == TW_ERROR_MEMORY ? cli_no_memory() : CLI_FINE;
}

/* Members that were said before and are not now stay. */
static int take_usage(served_stream *stream, const tw_value *usage)
{
    tw_json_out *text = &stream->usage_text;
    const tw_value *old =
        stream->usage.root != NULL ? stream->usage.root->first : NULL;
    const tw_value *new = usage->first;
    bool first = true;
    text->out.size = 0;
    tw_json_put(text, "{");
    for (; new != NULL; new = new->next) {
        tw_json_put_member(text, new, first);
        first = false;
    }
    for (; old != NULL; old = old->next) {
        if (tw_value_member_sized(usage, old->key, old->key_size) == NULL) {
            tw_json_put_member(text, old, first);
            first = false;
        }
    }
    tw_json_put(text, "}");
    const char *json = (const char *)text->out.data;
    if (text->failed ||
        tw_tree_read(&stream->usage, json, text->out.size, false) != TW_OK) {
        return cli_no_memory();
    }
    return set_text(stream, TW_TEXT_USAGE, json, text->out.size);
}

static int take_text(served_stream *stream, tw_text place,
                     const tw_value *text)
{
    return text != NULL ? set_text(stream, place, text->text, text->size)
                        : CLI_FINE;
}

static void take_created(served_stream *stream, const tw_value *created)
{
    int64_t time = 0;
    if (!tw_value_is_a(created, TW_VALUE_NUMBER) ||
        created->size > CREATED_DIGITS) {
        return;
    }
    for (size_t i = 0; i < created->size; i++) {
        const char digit = created->text[i];
        if (digit < '0' || digit > '9') {
            return;
        }
        time = time * 10 + (digit - '0');
    }
    (void)tw_writer_set(stream->writer, TW_OPTION_CREATED, time);
}

static int take_envelope(served *self, const served_said *said)
{
    served_stream *stream = self->stream;
    int result = take_text(stream, TW_TEXT_ID, said->id);
    if (result == CLI_FINE) {
        result = take_text(stream, TW_TEXT_MODEL, said->model);
    }
    take_created(stream, said->created);
    return result == CLI_FINE && tw_value_is_a(said->usage, TW_VALUE_OBJECT)
               ? take_usage(stream, said->usage)
               : result;
}

static int take_content(served *self, const tw_value *text)
{
    const cli_choice choice = {.content = text->text,
                               .content_size = text->size,
                               .halves = text->lone > 0};
    size_t size;
    const char *data =
        cli_chunks_content(&self->chunks, &choice, &self->stream->held, &size);
    return cli_chunks_failed(&self->chunks) ? cli_no_memory()
                                            : feed(self, data, size);
}

static int take_reasoning(served *self, const tw_value *text)
{
    served_stream *stream = self->stream;
    tw_event event = {
        .type = TW_EVENT_REASONING, .data = text->text, .size = text->size};
    if (!stream->foreign) {
        stream->sent += stream->any ? 1 : 0;
        stream->shift = stream->sent + 1 - stream->last;
    }
    stream->any = stream->foreign = true;
    event.index = stream->sent;
    const int result = give(self, &event);
    write_lines(self);
    return result;
}

/* ---- the end ------------------------------------------------------------ */

/* What the decoder still holds. */
static int flush(served *self, tw_finish how, bool whole)
{
    size_t size;
    const char *half = cli_half_alone(&self->stream->held, &size);
    int result = feed(self, half, size);
    if (result == CLI_FINE) {
        tw_decoder_finish(self->stream->decoder, how);
        result = drain(self, whole);
    }
    return result;
}

static int lose(served *self, const tw_error *error)
{
    int result = self->stream == NULL ? open_stream(self) : CLI_FINE;
    if (result != CLI_FINE || self->stream->over) {
        return result;
    }
    cli_messages_error(&self->messages, self->input.name, self->line, error);
    result = flush(self, TW_FINISH_LENGTH, false);
    return result == CLI_FINE ? break_off(self, error) : result;
}

static int lose_event(served *self, const char *why, const char *path)
{
    const tw_error error = {TW_ERROR_SCHEMA, 0, 0, why, path};
    return lose(self, &error);
}

static int finish(served *self)
{
    served_stream *stream = self->stream;
    const char *why = (const char *)stream->finish.out.data;
    const size_t size = stream->finish.out.size;
    if (stream->over) {
        return CLI_FINE;
    }
    const bool whole = !stream->finished || served_is_whole(why, size);
    int result = set_text(stream, TW_TEXT_FINISH_REASON, why, size);
    if (result == CLI_FINE) {
        result = flush(self, whole ? TW_FINISH_STOP : TW_FINISH_LENGTH, true);
    }
    stream->over = true;
    return result;
}

static int report_failure(served *self, const tw_value *message)
{
    static const char unknown[] = "the server reports an error";
    tw_error error = {TW_ERROR_SCHEMA, 0, 0, unknown, NULL};
    cli_say("%s:%llu: %s", self->input.name, (unsigned long long)self->line,
            unknown);
    if (message != NULL) {
        error.message = message->text;
    }
    const int result = flush(self, TW_FINISH_LENGTH, false);
    return result == CLI_FINE ? break_off(self, &error) : result;
}

/* ---- the way ------------------------------------------------------------ */

static int take_said(served *self, const served_said *said)
{
    served_stream *stream = self->stream;
    int result = CLI_FINE;
    if (said->failed) {
        return report_failure(self, said->error);
    }
    if (said->wrong != NULL) {
        return lose_event(self, said->why, said->wrong);
    }
    if (said->reasoning != NULL && said->reasoning->size > 0) {
        if (stream->in_call || stream->finished) {
            return lose_event(self,
                              "reasoning stands in a call, or behind "
                              "the end",
                              NULL);
        }
        result = take_reasoning(self, said->reasoning);
    }
    if (result == CLI_FINE && said->text != NULL && said->text->size > 0) {
        if (stream->finished) {
            return lose_event(self, "text stands behind a finish_reason",
                              NULL);
        }
        result = take_content(self, said->text);
    }
    if (result == CLI_FINE && said->finish != NULL && said->finish->size > 0 &&
        !stream->finished) {
        stream->finished = true;
        tw_json_put_text(&stream->finish, said->finish->text,
                         said->finish->size);
        result = stream->finish.failed ? cli_no_memory() : CLI_FINE;
    }
    return result == CLI_FINE && said->ends ? finish(self) : result;
}

static int take_heard(served *self, cli_heard heard)
{
    served_said said;
    int result = self->stream == NULL ? open_stream(self) : CLI_FINE;
    (void)heard;
    if (result != CLI_FINE || self->stream->over) {
        return result;
    }
    served_read(self->chunks.read.root, &said);
    if (!said.failed) {
        served_lose_members(self, self->chunks.read.root);
    }
    result = take_envelope(self, &said);
    if (said.lives) {
        cli_put_text(&self->output, ": ping\n\n");
    }
    return result == CLI_FINE ? take_said(self, &said) : result;
}

static int take_done(served *self)
{
    return self->stream != NULL ? finish(self) : CLI_FINE;
}

static int end_stream(served *self)
{
    const served_stream *stream = self->stream;
    if (stream != NULL ? stream->finished : self->done) {
        return take_done(self);
    }
    self->now = NULL;
    self->line = self->input.line;
    return lose_event(self, served_cut, NULL);
}

/* Comments keep a connection alive. */
static void take_line(served *self, const char *line, size_t size)
{
    if (size > 0 && line[0] == ':') {
        cli_put(&self->output, line, size);
        cli_put_text(&self->output, "\n\n");
    }
}

const served_way served_anew = {take_heard, take_done, lose,
                                end_stream, take_line, close_stream};
