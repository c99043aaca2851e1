/* SPDX-License-Identifier: MIT
 *
 * Parts and pieces, made of events for every API.
 */
#include "writers/stream.h"

static tw_stream *stream_of(tw_writer *writer)
{
    return (tw_stream *)(void *)writer;
}

static void reset_stream(tw_writer *writer)
{
    tw_stream *self = stream_of(writer);
    self->opened = self->line_open = false;
    self->part = TW_STREAM_NONE;
    self->parts = self->calls = 0;
    self->content.sent = self->reasoning.sent = false;
    self->has_complete = self->has_incomplete = false;
}

static void free_stream(tw_writer *writer)
{
    tw_stream *self = stream_of(writer);
    tw_buffer_free(&self->text, &writer->memory);
    tw_buffer_free(&self->head, &writer->memory);
    tw_buffer_free(&self->input, &writer->memory);
    tw_buffer_free(&self->front, &writer->memory);
    tw_buffer_free(&self->back, &writer->memory);
    if (tw_stream_api(self)->free != NULL) {
        tw_stream_api(self)->free(self);
    }
}

/* ---- lines -------------------------------------------------------------- */

tw_buffer *tw_stream_begin_line(tw_stream *self, const char *name)
{
    tw_writer *writer = &self->base;
    if (writer->sse && name != NULL) {
        tw_put(writer, &writer->lines, "event: ");
        tw_put(writer, &writer->lines, name);
        tw_put(writer, &writer->lines, "\n");
    }
    tw_put(writer, &writer->lines, writer->sse ? "data: " : "");
    return &writer->lines;
}

void tw_stream_end_line(tw_stream *self)
{
    tw_put(&self->base, &self->base.lines, self->base.sse ? "\n\n" : "");
    tw_end_line(&self->base);
}

void tw_stream_end_event(tw_stream *self)
{
    tw_put(&self->base, &self->base.lines, "}");
    tw_stream_end_line(self);
}

/* What the lines have from |from| on is the same at each piece of the part. */
static void keep(tw_stream *self, tw_buffer *kept, size_t from)
{
    tw_writer *writer = &self->base;
    if (!tw_stream_api(self)->counts_pieces && !writer->failed) {
        const tw_buffer written = {writer->lines.data + from,
                                   writer->lines.size - from, 0};
        tw_put_bytes(writer, kept, &written);
    }
}

static void put_back(tw_stream *self)
{
    tw_writer *writer = &self->base;
    const size_t from = writer->lines.size;
    tw_put(writer, &writer->lines, "\"");
    tw_put(writer, &writer->lines, tw_stream_api(self)->behind[self->part]);
    tw_put(writer, &writer->lines, writer->sse ? "\n\n" : "");
    keep(self, &self->back, from);
}

static void close_line(tw_writer *writer)
{
    tw_stream *self = stream_of(writer);
    if (!self->line_open) {
        return;
    }
    self->line_open = false;
    if (self->back.size > 0) {
        tw_put_bytes(writer, &writer->lines, &self->back);
    } else {
        put_back(self);
    }
    tw_end_line(writer);
}

/* ---- parts -------------------------------------------------------------- */

static void close_part(tw_stream *self, bool complete)
{
    close_line(&self->base);
    if (self->part != TW_STREAM_NONE && tw_stream_api(self)->close != NULL) {
        tw_stream_api(self)->close(self, complete);
    }
    self->part = TW_STREAM_NONE;
}

static void open_part(tw_stream *self, tw_stream_part part)
{
    close_part(self, true);
    self->part = part;
    self->text.size = self->front.size = self->back.size = 0;
    self->parts++;
    self->calls += part == TW_STREAM_CALL ? 1 : 0;
    tw_stream_api(self)->open(self);
}

static void open_piece(tw_stream *self)
{
    tw_writer *writer = &self->base;
    const size_t from = writer->lines.size;
    if (self->line_open) {
        return;
    }
    self->line_open = true;
    if (self->front.size > 0) {
        tw_put_bytes(writer, &writer->lines, &self->front);
    } else {
        tw_stream_api(self)->piece(self);
        keep(self, &self->front, from);
    }
}

/* What |lines| has from |from| on is text of the part. */
static void end_piece(tw_stream *self, size_t from)
{
    tw_writer *writer = &self->base;
    if (tw_stream_api(self)->repeats && !writer->failed) {
        const tw_buffer piece = {writer->lines.data + from,
                                 writer->lines.size - from, 0};
        tw_put_bytes(writer, &self->text, &piece);
    }
    if (!writer->join_chunks) {
        close_line(writer);
    }
}

static void send_text(tw_stream *self, tw_stream_part part, tw_sent *its,
                      const tw_event *event)
{
    tw_writer *writer = &self->base;
    if (event->size == 0) {
        return;
    }
    if (self->part != part) {
        open_part(self, part);
    }
    open_piece(self);
    const size_t from = writer->lines.size;
    if (its->sent && its->segment != event->index) {
        tw_put(writer, &writer->lines, TW_SEGMENT_JOINT);
    }
    its->sent = true;
    its->segment = event->index;
    tw_put_text(writer, &writer->lines, event->data, event->size);
    end_piece(self, from);
}

/* ---- calls -------------------------------------------------------------- */

static void send_input(tw_stream *self)
{
    tw_writer *writer = &self->base;
    if (self->input.size == 0) {
        return;
    }
    open_piece(self);
    const size_t from = writer->lines.size;
    tw_put_bytes(writer, &writer->lines, &self->input);
    self->input.size = 0;
    end_piece(self, from);
}

static void begin_call(tw_stream *self, const tw_event *event)
{
    self->head.size = self->input.size = 0;
    self->wrap_begun = false;
    tw_stream_api(self)->name_call(self, event);
    if (!self->base.hold_calls) {
        open_part(self, TW_STREAM_CALL);
    }
}

static void begin_wrap(tw_stream *self)
{
    if (self->base.call_style == TW_CALL_WRAPPED && !self->wrap_begun) {
        tw_put(&self->base, &self->input, TW_WRAP_BEGIN);
        self->wrap_begun = true;
    }
}

static void add_input(tw_stream *self, const tw_event *event)
{
    if (event->size == 0) {
        return;
    }
    begin_wrap(self);
    tw_put_call_text(&self->base, &self->input, event->data, event->size);
    if (!self->base.hold_calls) {
        send_input(self);
    }
}

/* A call that is not complete stays as it is: what a client has of it is no
 * JSON text, and nothing here may make it one. */
static void end_call(tw_stream *self, const tw_event *event)
{
    if (event->code != TW_CALL_COMPLETE) {
        self->has_incomplete |= event->code == TW_CALL_INCOMPLETE;
        if (!self->base.hold_calls) {
            close_part(self, false);
        }
        return;
    }
    self->has_complete = true;
    begin_wrap(self);
    if (self->base.call_style == TW_CALL_WRAPPED) {
        tw_put(&self->base, &self->input, TW_WRAP_END);
    }
    if (self->base.hold_calls) {
        open_part(self, TW_STREAM_CALL);
    }
    send_input(self);
    close_part(self, true);
}

/* ---- the end ------------------------------------------------------------ */

/* The words of all APIs. */
static const struct {
    const char *word;
    tw_reason reason;
} words[] = {
    {"stop", TW_REASON_STOP},
    {"end_turn", TW_REASON_STOP},
    {"completed", TW_REASON_STOP},
    {"stop_sequence", TW_REASON_STOP},
    {"tool_calls", TW_REASON_CALLS},
    {"tool_use", TW_REASON_CALLS},
    {"function_call", TW_REASON_CALLS},
    {"length", TW_REASON_LENGTH},
    {"max_tokens", TW_REASON_LENGTH},
    {"max_output_tokens", TW_REASON_LENGTH},
    {"model_context_window_exceeded", TW_REASON_LENGTH},
    {"content_filter", TW_REASON_FILTER},
    {"refusal", TW_REASON_FILTER},
};

tw_finish tw_finish_of(const char *word, size_t size)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) == size &&
            memcmp(words[i].word, word, size) == 0) {
            return words[i].reason <= TW_REASON_CALLS ? TW_FINISH_STOP
                                                      : TW_FINISH_LENGTH;
        }
    }
    return TW_FINISH_UNKNOWN;
}

static bool is_given(const tw_stream *self, const char *word)
{
    const tw_buffer *given = &self->base.finish_reason;
    return given->size == strlen(word) &&
           memcmp(given->data, word, given->size) == 0;
}

/* What the caller's reason is; in |*stays| whether its word does. */
static tw_reason given_reason(const tw_stream *self, bool *stays)
{
    const char *const *also = tw_stream_api(self)->also;
    while (*also != NULL && !is_given(self, *also)) {
        also++;
    }
    *stays = *also != NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_given(self, words[i].word)) {
            return words[i].reason;
        }
    }
    *stays = self->base.finish_reason.size > 0;
    return *stays ? TW_REASON_FOREIGN : TW_REASON_STOP;
}

/* The caller's reason, unless the message knows better: of "stop" whether
 * there were calls, of "tool_calls" whether one was cut off. */
static void end_message(tw_stream *self, bool cut)
{
    const tw_buffer *given = &self->base.finish_reason;
    bool stays;
    tw_reason reason = given_reason(self, &stays);
    if (cut && reason <= TW_REASON_CALLS) {
        reason = TW_REASON_LENGTH;
        stays = false;
    } else if (reason == TW_REASON_STOP && !stays && self->has_complete) {
        reason = TW_REASON_CALLS;
    }
    close_part(self, reason <= TW_REASON_CALLS);
    const char *own = stays ? "" : tw_stream_api(self)->reasons[reason];
    tw_stream_api(self)->end(self, reason,
                             stays ? (const char *)given->data : own,
                             stays ? given->size : strlen(own));
}

static void begin_message(tw_stream *self)
{
    if (!self->opened) {
        self->opened = true;
        tw_stream_api(self)->begin(self);
    }
}

/* Of a part that there was no memory for nothing is said any more. */
static void fail_stream(tw_writer *writer, const tw_error *error, bool cut)
{
    tw_stream *self = stream_of(writer);
    if (cut) {
        self->opened = writer->made > 0;
        self->line_open = false;
        self->part = TW_STREAM_NONE;
    }
    begin_message(self);
    close_part(self, false);
    tw_stream_api(self)->fail(self, error);
}

static void take_event(tw_writer *writer, const tw_event *event)
{
    tw_stream *self = stream_of(writer);
    begin_message(self);
    switch (event->type) {
    case TW_EVENT_TEXT:
        send_text(self, TW_STREAM_TEXT, &self->content, event);
        break;
    case TW_EVENT_REASONING:
        send_text(self, TW_STREAM_REASONING, &self->reasoning, event);
        break;
    case TW_EVENT_CALL_BEGIN: begin_call(self, event); break;
    case TW_EVENT_CALL_ARGUMENTS: add_input(self, event); break;
    case TW_EVENT_CALL_END: end_call(self, event); break;
    case TW_EVENT_UNPARSED:
        /* A block that the end cut off before its name was known. */
        self->has_incomplete |= event->code == TW_DIAGNOSTIC_TRUNCATED_CALL;
        break;
    case TW_EVENT_END:
        end_message(self,
                    event->code == TW_FINISH_LENGTH || self->has_incomplete);
        break;
    default: break;
    }
}

/* ---- words of more than one API ----------------------------------------- */

void tw_stream_put_report(tw_stream *self)
{
    tw_writer *writer = &self->base;
    if (writer->unparsed.size > 0) {
        tw_put(writer, &writer->lines, ",\"toolwire\":{\"unparsed\":[");
        tw_put_bytes(writer, &writer->lines, &writer->unparsed);
        tw_put(writer, &writer->lines, "]}");
    }
}

const char *tw_stream_diagnostic(const tw_error *error)
{
    const tw_diagnostic *row =
        error->code == TW_ERROR_DEVIATION && error->detail > 0
            ? tw_diagnostic_get((uint32_t)error->detail)
            : NULL;
    return row != NULL ? row->name : NULL;
}

void tw_stream_put_fault(tw_stream *self, const tw_error *error)
{
    tw_writer *writer = &self->base;
    const char *const parts[] = {tw_stream_diagnostic(error), error->path,
                                 error->message};
    tw_put(writer, &writer->lines, ",\"message\":\"");
    for (size_t i = 0; i < 3; i++) {
        if (parts[i] != NULL && *parts[i] != '\0') {
            tw_put_text(writer, &writer->lines, parts[i], strlen(parts[i]));
            tw_put(writer, &writer->lines, i < 2 ? ": " : "");
        }
    }
    tw_put(writer, &writer->lines, "\"");
}

const tw_writing tw_stream_writing = {.event = take_event,
                                      .close = close_line,
                                      .reset = reset_stream,
                                      .free = free_stream,
                                      .fail = fail_stream};
