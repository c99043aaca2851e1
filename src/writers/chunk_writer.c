/* SPDX-License-Identifier: MIT
 *
 * chat.completion.chunk objects, as the events come.
 *
 * What clients accept: the role once, in the first delta; a call opens with
 * its index, id, type and name and empty arguments, and later deltas have the
 * index and a piece of the arguments only; indexes are dense; the reason why
 * it ended stands once, beside an empty delta.
 */
#include "writers/writer.h"

/* What was sent of one kind of text. */
typedef struct text {
    bool sent;
    uint32_t segment;
} text;

/* A line that more of the same may join. */
typedef enum open_line {
    OPEN_NONE,
    OPEN_CONTENT,
    OPEN_REASONING,
    OPEN_ARGUMENTS
} open_line;

typedef struct chunks {
    tw_writer base;
    open_line open;
    tw_buffer head;  /* of each line, up to the delta's brace, */
    size_t envelope; /* and so much of it stands in front of the choices */
    text content;
    text reasoning;
    tw_buffer opening;   /* of the open call: its head */
    tw_buffer arguments; /* ... and what is to be sent of them */
    bool wrap_begun;
    uint32_t opened; /* calls that the client has seen */
    bool has_complete;
    bool has_incomplete;
} chunks;

static chunks *chunks_of(tw_writer *writer)
{
    return (chunks *)(void *)writer;
}

static void reset_chunks(tw_writer *writer)
{
    chunks *self = chunks_of(writer);
    self->open = OPEN_NONE;
    self->head.size = 0; /* options may change now */
    self->content.sent = self->reasoning.sent = false;
    self->opened = 0;
    self->has_complete = self->has_incomplete = false;
}

static void free_chunks(tw_writer *writer)
{
    chunks *self = chunks_of(writer);
    tw_buffer_free(&self->head, &writer->memory);
    tw_buffer_free(&self->opening, &writer->memory);
    tw_buffer_free(&self->arguments, &writer->memory);
}

/* ---- lines -------------------------------------------------------------- */

static void make_head(chunks *self)
{
    tw_writer *writer = &self->base;
    tw_buffer *head = &self->head;
    tw_put(writer, head, "{\"id\":");
    tw_put_string(writer, head, (const char *)writer->id.data,
                  writer->id.size);
    tw_put(writer, head, ",\"object\":\"chat.completion.chunk\",\"created\":");
    tw_put_number(writer, head, writer->created);
    tw_put(writer, head, ",\"model\":");
    tw_put_string(writer, head, (const char *)writer->model.data,
                  writer->model.size);
    if (writer->system_fingerprint.size > 0) {
        tw_put(writer, head, ",\"system_fingerprint\":");
        tw_put_string(writer, head,
                      (const char *)writer->system_fingerprint.data,
                      writer->system_fingerprint.size);
    }
    self->envelope = head->size;
    tw_put(writer, head, ",\"choices\":[{\"index\":");
    tw_put_number(writer, head, writer->choice);
    tw_put(writer, head, ",\"delta\":{");
}

#define END_DELTA "},\"finish_reason\":null}]}"

static void end_delta(chunks *self)
{
    tw_put(&self->base, &self->base.lines, END_DELTA);
    tw_end_line(&self->base);
}

static void close_line(tw_writer *writer)
{
    chunks *self = chunks_of(writer);
    if (self->open == OPEN_NONE) {
        return;
    }
    if (self->open == OPEN_ARGUMENTS) {
        tw_put(writer, &writer->lines, "\"}}]" END_DELTA);
    } else {
        tw_put(writer, &writer->lines, "\"" END_DELTA);
    }
    self->open = OPEN_NONE;
    tw_end_line(writer);
}

/* The line, open for the delta's members. */
static tw_buffer *begin_delta(chunks *self)
{
    close_line(&self->base);
    tw_put_bytes(&self->base, &self->base.lines, &self->head);
    return &self->base.lines;
}

/* Text was put into the open line. */
static void end_piece(chunks *self)
{
    if (!self->base.join_chunks) {
        close_line(&self->base);
    }
}

static void send_role(chunks *self)
{
    make_head(self);
    tw_put(&self->base, begin_delta(self), "\"role\":\"assistant\"");
    end_delta(self);
}

static void begin_text(chunks *self, open_line kind)
{
    tw_writer *writer = &self->base;
    tw_buffer *line = begin_delta(self);
    if (kind == OPEN_CONTENT) {
        tw_put(writer, line, "\"content\":\"");
    } else {
        tw_put_string(writer, line, (const char *)writer->reasoning_key.data,
                      writer->reasoning_key.size);
        tw_put(writer, line, ":\"");
    }
    self->open = kind;
}

static void send_text(chunks *self, text *its, open_line kind,
                      const tw_event *event)
{
    tw_writer *writer = &self->base;
    if (event->size == 0) {
        return;
    }
    if (self->open != kind) {
        begin_text(self, kind);
    }
    if (its->sent && its->segment != event->index) {
        tw_put(writer, &writer->lines, TW_SEGMENT_JOINT);
    }
    its->sent = true;
    its->segment = event->index;
    tw_put_text(writer, &writer->lines, event->data, event->size);
    end_piece(self);
}

/* ---- calls -------------------------------------------------------------- */

/* A delta's one call, open for what is behind its index. */
static tw_buffer *begin_call_delta(chunks *self, uint32_t index)
{
    tw_buffer *line = begin_delta(self);
    tw_put(&self->base, line, "\"tool_calls\":[{\"index\":");
    tw_put_number(&self->base, line, index);
    tw_put(&self->base, line, ",");
    return line;
}

static void send_opening(chunks *self)
{
    tw_buffer *line = begin_call_delta(self, self->opened++);
    tw_put_bytes(&self->base, line, &self->opening);
    tw_put(&self->base, line, "\"}}]");
    end_delta(self);
}

static void send_arguments(chunks *self)
{
    tw_writer *writer = &self->base;
    if (self->arguments.size == 0) {
        return;
    }
    if (self->open != OPEN_ARGUMENTS) {
        tw_put(writer, begin_call_delta(self, self->opened - 1),
               writer->call_style == TW_CALL_CUSTOM
                   ? "\"custom\":{\"input\":\""
                   : "\"function\":{\"arguments\":\"");
        self->open = OPEN_ARGUMENTS;
    }
    tw_put_bytes(writer, &writer->lines, &self->arguments);
    self->arguments.size = 0;
    end_piece(self);
}

static void begin_call(chunks *self, const tw_event *event)
{
    self->opening.size = self->arguments.size = 0;
    self->wrap_begun = false;
    tw_put_call_head(&self->base, &self->opening, event);
    if (!self->base.hold_calls) {
        send_opening(self);
    }
}

static void begin_wrap(chunks *self)
{
    if (self->base.call_style == TW_CALL_WRAPPED && !self->wrap_begun) {
        tw_put(&self->base, &self->arguments, TW_WRAP_BEGIN);
        self->wrap_begun = true;
    }
}

static void add_arguments(chunks *self, const tw_event *event)
{
    if (event->size == 0) {
        return;
    }
    begin_wrap(self);
    tw_put_call_text(&self->base, &self->arguments, event->data, event->size);
    if (!self->base.hold_calls) {
        send_arguments(self);
    }
}

/* A call that is not complete stays as it is: what a client has of it is no
 * JSON text, and nothing here may make it one. */
static void end_call(chunks *self, const tw_event *event)
{
    if (event->code != TW_CALL_COMPLETE) {
        self->has_incomplete |= event->code == TW_CALL_INCOMPLETE;
        return;
    }
    self->has_complete = true;
    begin_wrap(self);
    if (self->base.call_style == TW_CALL_WRAPPED) {
        tw_put(&self->base, &self->arguments, TW_WRAP_END);
    }
    if (self->base.hold_calls) {
        send_opening(self);
    }
    send_arguments(self);
}

/* ---- the end ------------------------------------------------------------ */

static bool is_reason(const tw_buffer *reason, const char *word)
{
    const size_t size = strlen(word);
    return reason->size == size && memcmp(reason->data, word, size) == 0;
}

/* The caller's reason, unless the message knows better: of "stop" whether
 * there were calls, of "tool_calls" whether one was cut off. */
static void put_reason(chunks *self, tw_buffer *line, bool cut)
{
    static const char length[] = "length";
    tw_writer *writer = &self->base;
    const tw_buffer *given = &writer->finish_reason;
    const bool known = given->size == 0 || is_reason(given, "stop") ||
                       (cut && is_reason(given, "tool_calls"));
    const char *own = cut                  ? length
                      : self->has_complete ? "tool_calls"
                                           : "stop";
    tw_put_string(writer, line, known ? own : (const char *)given->data,
                  known ? strlen(own) : given->size);
}

static void send_finish(chunks *self, const tw_event *event)
{
    tw_writer *writer = &self->base;
    tw_buffer *line = begin_delta(self);
    tw_put(writer, line, "},\"finish_reason\":");
    put_reason(self, line,
               event->code == TW_FINISH_LENGTH || self->has_incomplete);
    tw_put(writer, line, "}]");
    if (writer->unparsed.size > 0) {
        tw_put(writer, line, ",\"toolwire\":{\"unparsed\":[");
        tw_put_bytes(writer, line, &writer->unparsed);
        tw_put(writer, line, "]}");
    }
    tw_put(writer, line, "}");
    tw_end_line(writer);
}

/* In a chunk of its own, behind the last, as clients know it. */
static void send_usage(chunks *self)
{
    tw_writer *writer = &self->base;
    const tw_buffer envelope = {self->head.data, self->envelope, 0};
    if (writer->usage.root == NULL) {
        return;
    }
    tw_put_bytes(writer, &writer->lines, &envelope);
    tw_put(writer, &writer->lines, ",\"choices\":[],\"usage\":");
    tw_put_value(writer, &writer->lines, writer->usage.root);
    tw_put(writer, &writer->lines, "}");
    tw_end_line(writer);
}

static void take_event(tw_writer *writer, const tw_event *event)
{
    chunks *self = chunks_of(writer);
    if (self->head.size == 0) {
        send_role(self);
    }
    switch (event->type) {
    case TW_EVENT_TEXT:
        send_text(self, &self->content, OPEN_CONTENT, event);
        break;
    case TW_EVENT_REASONING:
        send_text(self, &self->reasoning, OPEN_REASONING, event);
        break;
    case TW_EVENT_CALL_BEGIN: begin_call(self, event); break;
    case TW_EVENT_CALL_ARGUMENTS: add_arguments(self, event); break;
    case TW_EVENT_CALL_END: end_call(self, event); break;
    case TW_EVENT_UNPARSED:
        /* A block that the end cut off before its name was known. */
        self->has_incomplete |= event->code == TW_DIAGNOSTIC_TRUNCATED_CALL;
        break;
    case TW_EVENT_END:
        send_finish(self, event);
        send_usage(self);
        break;
    default: break;
    }
}

const tw_shape_row tw_chunk_shape = {
    sizeof(chunks), true, take_event, close_line, reset_chunks, free_chunks};
