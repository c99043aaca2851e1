/* SPDX-License-Identifier: MIT
 *
 * One OpenAI assistant message, at the end.
 */
#include "core/diagnostics.h"
#include "writers/writer.h"

/* Text of one kind as JSON, its segments joined. */
typedef struct text {
    tw_buffer json;
    uint32_t segment;
} text;

typedef struct message {
    tw_writer base;
    text content;
    text reasoning;
    tw_buffer calls;       /* the elements of that list, */
    size_t complete_calls; /* of which so many bytes are complete calls */
    tw_buffer diagnostics; /* likewise */
    tw_tally tally;        /* of these */
} message;

static message *message_of(tw_writer *writer)
{
    return (message *)(void *)writer;
}

static void reset_message(tw_writer *writer)
{
    message *self = message_of(writer);
    self->content.json.size = self->reasoning.json.size = 0;
    self->calls.size = self->complete_calls = 0;
    self->diagnostics.size = 0;
    tw_tally_reset(&self->tally);
}

static void free_message(tw_writer *writer)
{
    message *self = message_of(writer);
    const tw_memory *memory = &writer->memory;
    tw_buffer_free(&self->content.json, memory);
    tw_buffer_free(&self->reasoning.json, memory);
    tw_buffer_free(&self->calls, memory);
    tw_buffer_free(&self->diagnostics, memory);
}

static void add_text(tw_writer *writer, text *place, const tw_event *event)
{
    if (place->json.size > 0 && place->segment != event->index) {
        tw_put(writer, &place->json, TW_SEGMENT_JOINT);
    }
    place->segment = event->index;
    tw_put_text(writer, &place->json, event->data, event->size);
}

static void begin_call(message *self, const tw_event *event)
{
    tw_writer *writer = &self->base;
    tw_put_comma(writer, &self->calls);
    tw_put(writer, &self->calls, "{");
    tw_put_call_head(writer, &self->calls, event);
    if (writer->call_style == TW_CALL_WRAPPED) {
        tw_put(writer, &self->calls, TW_WRAP_BEGIN);
    }
}

static void end_call(message *self, const tw_event *event)
{
    tw_writer *writer = &self->base;
    if (event->code != TW_CALL_COMPLETE) {
        self->calls.size = self->complete_calls;
        return;
    }
    if (writer->call_style == TW_CALL_WRAPPED) {
        tw_put(writer, &self->calls, TW_WRAP_END);
    }
    tw_put(writer, &self->calls, "\"}}");
    self->complete_calls = self->calls.size;
}

static void add_diagnostic(message *self, const tw_event *event)
{
    tw_writer *writer = &self->base;
    tw_buffer *list = &self->diagnostics;
    if (!tw_tally_keeps(&self->tally, event->code)) {
        return;
    }
    tw_put_comma(writer, list);
    tw_put(writer, list, "{\"code\":");
    tw_put_string(writer, list, event->data, event->size);
    tw_put(writer, list, ",\"offset\":");
    tw_put_number(writer, list, event->offset);
    tw_put(writer, list, ",\"size\":");
    tw_put_number(writer, list, event->span);
    if (event->id_size > 0) {
        tw_put(writer, list, ",\"");
        tw_put(writer, list, tw_diagnostic_subject(event->code));
        tw_put(writer, list, "\":");
        tw_put_string(writer, list, event->id, event->id_size);
    }
    tw_put(writer, list, "}");
}

/* ---- the line ----------------------------------------------------------- */

static void put_texts(message *self, tw_buffer *line)
{
    tw_writer *writer = &self->base;
    if (self->content.json.size > 0) {
        tw_put(writer, line, "\"");
        tw_put_bytes(writer, line, &self->content.json);
        tw_put(writer, line, "\"");
    } else {
        tw_put(writer, line, "null");
    }
    if (self->reasoning.json.size > 0) {
        tw_put(writer, line, ",");
        tw_put_string(writer, line, (const char *)writer->reasoning_key.data,
                      writer->reasoning_key.size);
        tw_put(writer, line, ":\"");
        tw_put_bytes(writer, line, &self->reasoning.json);
        tw_put(writer, line, "\"");
    }
}

/* How many there were beyond those that are listed. */
static void put_more(message *self, tw_buffer *line)
{
    tw_writer *writer = &self->base;
    bool some = false;
    for (uint32_t code = 0; code < TW_DIAGNOSTIC_CODES; code++) {
        const tw_diagnostic *row = tw_diagnostic_get(code);
        if (tw_tally_more(&self->tally, code) > 0) {
            tw_put(writer, line, some ? "," : ",\"more_diagnostics\":{");
            tw_put(writer, line, "\"");
            tw_put(writer, line, row != NULL ? row->name : "unknown");
            tw_put(writer, line, "\":");
            tw_put_number(writer, line, tw_tally_more(&self->tally, code));
            some = true;
        }
    }
    tw_put(writer, line, some ? "}" : "");
}

static void put_report(message *self, tw_buffer *line)
{
    tw_writer *writer = &self->base;
    if (self->diagnostics.size == 0 && writer->unparsed.size == 0) {
        return;
    }
    tw_put(writer, line, ",\"toolwire\":{");
    if (self->diagnostics.size > 0) {
        tw_put(writer, line, "\"diagnostics\":[");
        tw_put_bytes(writer, line, &self->diagnostics);
        tw_put(writer, line, "]");
        put_more(self, line);
        tw_put(writer, line, writer->unparsed.size > 0 ? "," : "");
    }
    if (writer->unparsed.size > 0) {
        tw_put(writer, line, "\"unparsed\":[");
        tw_put_bytes(writer, line, &writer->unparsed);
        tw_put(writer, line, "]");
    }
    tw_put(writer, line, "}");
}

static void write_message(message *self)
{
    tw_writer *writer = &self->base;
    tw_buffer *line = &writer->lines;
    tw_put(writer, line, "{\"role\":\"assistant\",\"content\":");
    put_texts(self, line);
    if (self->calls.size > 0) {
        tw_put(writer, line, ",\"tool_calls\":[");
        tw_put_bytes(writer, line, &self->calls);
        tw_put(writer, line, "]");
    }
    writer->message_end = line->size;
    put_report(self, line);
    tw_put(writer, line, "}");
    tw_end_line(writer);
}

static void take_event(tw_writer *writer, const tw_event *event)
{
    message *self = message_of(writer);
    switch (event->type) {
    case TW_EVENT_TEXT: add_text(writer, &self->content, event); break;
    case TW_EVENT_REASONING: add_text(writer, &self->reasoning, event); break;
    case TW_EVENT_CALL_BEGIN: begin_call(self, event); break;
    case TW_EVENT_CALL_ARGUMENTS:
        tw_put_call_text(writer, &self->calls, event->data, event->size);
        break;
    case TW_EVENT_CALL_END: end_call(self, event); break;
    case TW_EVENT_DIAGNOSTIC: add_diagnostic(self, event); break;
    case TW_EVENT_END: write_message(self); break;
    default: break;
    }
}

static const tw_writing writing = {
    .event = take_event, .reset = reset_message, .free = free_message};

const tw_shape_row tw_message_shape = {
    .size = sizeof(message),
    .takes = TW_TAKES_CUSTOM | TW_TAKES_REASONING_KEY,
    .id = "",
    .does = &writing,
};
