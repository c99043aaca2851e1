/* SPDX-License-Identifier: MIT
 *
 * OpenAI Responses: response.created, an output item for each part,
 * response.completed.
 *
 * What clients need: a number of their order in all events; items one at a
 * time, their indexes without a gap; an empty content part in front of text;
 * each item whole when it is done, and all of them again in the last event;
 * no type of event that they do not know.  The type that stands first in each
 * object is also the event's name.
 */
#include "writers/stream.h"

/* How a kind of part is written. */
typedef struct kind {
    const char *prefix; /* of the item's id */
    const char *type;   /* of the item */
    /* Around what the item holds: its one content, or a call's input. */
    const char *before;
    const char *behind;
    /* Of the content, NULL: a call has none. */
    const char *content;
    const char *content_place;
    const char *content_added;
    const char *content_done;
    const char *content_behind;
    const char *delta; /* the event of a piece, */
    const char *done;  /* ... and the one that repeats them all */
    const char *text;  /* ... and its member that does */
} kind;

static const kind text_kind = {
    .prefix = "msg",
    .type = "message",
    .before = ",\"role\":\"assistant\",\"content\":[",
    .behind = "]",
    .content = "output_text",
    .content_place = ",\"content_index\":0",
    .content_added = "response.content_part.added",
    .content_done = "response.content_part.done",
    .content_behind = ",\"annotations\":[],\"logprobs\":[]",
    .delta = "response.output_text.delta",
    .done = "response.output_text.done",
    .text = "text",
};
static const kind reasoning_kind = {
    .prefix = "rs",
    .type = "reasoning",
    .before = ",\"summary\":[],\"content\":[",
    .behind = "]",
    .content = "reasoning_text",
    .content_place = ",\"content_index\":0",
    .content_added = "response.content_part.added",
    .content_done = "response.content_part.done",
    .content_behind = "",
    .delta = "response.reasoning_text.delta",
    .done = "response.reasoning_text.done",
    .text = "text",
};
static const kind summary_kind = {
    .prefix = "rs",
    .type = "reasoning",
    .before = ",\"summary\":[",
    .behind = "]",
    .content = "summary_text",
    .content_place = ",\"summary_index\":0",
    .content_added = "response.reasoning_summary_part.added",
    .content_done = "response.reasoning_summary_part.done",
    .content_behind = "",
    .delta = "response.reasoning_summary_text.delta",
    .done = "response.reasoning_summary_text.done",
    .text = "text",
};
static const kind call_kind = {
    .prefix = "fc",
    .type = "function_call",
    .before = ",\"arguments\":\"",
    .behind = "\"",
    .content_place = "",
    .delta = "response.function_call_arguments.delta",
    .done = "response.function_call_arguments.done",
    .text = "arguments",
};
static const kind custom_kind = {
    .prefix = "ctc",
    .type = "custom_tool_call",
    .before = ",\"input\":\"",
    .behind = "\"",
    .content_place = "",
    .delta = "response.custom_tool_call_input.delta",
    .done = "response.custom_tool_call_input.done",
    .text = "input",
};

typedef struct responses {
    tw_stream stream;
    const kind *kind; /* of the open part */
    tw_buffer id;     /* of its item, without quotes */
    tw_buffer output; /* the items that are done */
} responses;

static responses *responses_of(tw_stream *stream)
{
    return (responses *)(void *)stream;
}

static void free_responses(tw_stream *stream)
{
    responses *self = responses_of(stream);
    tw_buffer_free(&self->id, &stream->base.memory);
    tw_buffer_free(&self->output, &stream->base.memory);
}

/* ---- lines -------------------------------------------------------------- */

/* A line up to behind its number. */
static tw_buffer *begin_event(tw_stream *stream, const char *type)
{
    tw_buffer *line = tw_stream_begin_line(stream, type);
    tw_put(&stream->base, line, "{\"type\":\"");
    tw_put(&stream->base, line, type);
    tw_put(&stream->base, line, "\",\"sequence_number\":");
    tw_put_number(&stream->base, line, stream->base.made);
    return line;
}

static void put_output_index(tw_stream *stream)
{
    tw_buffer *line = &stream->base.lines;
    tw_put(&stream->base, line, ",\"output_index\":");
    tw_put_number(&stream->base, line, stream->parts - 1);
}

/* A line up to behind what says which item's content it is of. */
static tw_buffer *begin_item_event(tw_stream *stream, const char *type)
{
    const responses *self = responses_of(stream);
    tw_buffer *line = begin_event(stream, type);
    tw_put(&stream->base, line, ",\"item_id\":\"");
    tw_put_bytes(&stream->base, line, &self->id);
    tw_put(&stream->base, line, "\"");
    put_output_index(stream);
    tw_put(&stream->base, line, self->kind->content_place);
    return line;
}

/* ---- the response ------------------------------------------------------- */

static void put_member(tw_stream *stream, const char *before,
                       const tw_buffer *text)
{
    tw_put(&stream->base, &stream->base.lines, before);
    tw_put_string(&stream->base, &stream->base.lines, (const char *)text->data,
                  text->size);
}

/* The event up to where its response tells why it ended. */
static tw_buffer *begin_response(tw_stream *stream, const char *type,
                                 const char *status)
{
    tw_writer *writer = &stream->base;
    tw_buffer *line = begin_event(stream, type);
    put_member(stream, ",\"response\":{\"id\":", &writer->id);
    tw_put(writer, line, ",\"object\":\"response\",\"created_at\":");
    tw_put_number(writer, line, writer->created);
    tw_put(writer, line, ",\"status\":\"");
    tw_put(writer, line, status);
    tw_put(writer, line, "\"");
    return line;
}

static void end_response(tw_stream *stream, bool ended)
{
    static const tw_needed needed[] = {
        {"input_tokens", "0"},
        {"input_tokens_details", "{\"cached_tokens\":0}"},
        {"output_tokens", "0"},
        {"output_tokens_details", "{\"reasoning_tokens\":0}"},
        {"total_tokens", NULL},
        {NULL, NULL}};
    tw_writer *writer = &stream->base;
    tw_buffer *line = &writer->lines;
    put_member(stream, ",\"instructions\":null,\"metadata\":{},\"model\":",
               &writer->model);
    tw_put(writer, line, ",\"output\":[");
    tw_put_bytes(writer, line, &responses_of(stream)->output);
    tw_put(writer, line,
           "],\"parallel_tool_calls\":true,\"tool_choice\":\"auto\","
           "\"tools\":[],\"usage\":");
    if (ended && writer->usage.root != NULL) {
        tw_stream_put_usage(stream, needed);
    } else {
        tw_put(writer, line, "null");
    }
    tw_put(writer, line, "}");
}

static void begin(tw_stream *stream)
{
    static const char *const types[] = {"response.created",
                                        "response.in_progress"};
    responses_of(stream)->output.size = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        tw_buffer *line = begin_response(stream, types[i], "in_progress");
        tw_put(&stream->base, line,
               ",\"error\":null,\"incomplete_details\":null");
        end_response(stream, false);
        tw_stream_end_event(stream);
    }
}

static void end(tw_stream *stream, tw_reason reason, const char *word,
                size_t size)
{
    tw_writer *writer = &stream->base;
    const bool whole = reason <= TW_REASON_CALLS;
    tw_buffer *line = begin_response(
        stream, whole ? "response.completed" : "response.incomplete",
        whole ? "completed" : "incomplete");
    tw_put(writer, line, ",\"error\":null,\"incomplete_details\":");
    if (whole) {
        tw_put(writer, line, "null");
    } else {
        tw_put(writer, line, "{\"reason\":");
        tw_put_string(writer, line, word, size);
        tw_put(writer, line, "}");
    }
    end_response(stream, true);
    tw_stream_put_report(stream);
    tw_stream_end_event(stream);
}

static void fail(tw_stream *stream, const tw_error *error)
{
    tw_writer *writer = &stream->base;
    tw_buffer *line = begin_response(stream, "response.failed", "failed");
    tw_put(writer, line, ",\"error\":{\"code\":\"server_error\"");
    tw_stream_put_fault(stream, error);
    tw_put(writer, line, "},\"incomplete_details\":null");
    end_response(stream, true);
    tw_stream_end_event(stream);
}

/* ---- items -------------------------------------------------------------- */

/* What is behind the response's `resp_`, so that items of two responses have
 * two ids, and the item's number. */
static void make_id(tw_stream *stream)
{
    static const char usual[] = "resp_";
    const size_t cut = sizeof usual - 1;
    responses *self = responses_of(stream);
    tw_writer *writer = &stream->base;
    const char *id = (const char *)writer->id.data;
    const bool is_usual =
        writer->id.size >= cut && memcmp(id, usual, cut) == 0;
    const size_t from = is_usual ? cut : 0;
    self->id.size = 0;
    tw_put(writer, &self->id, self->kind->prefix);
    tw_put(writer, &self->id, "_");
    tw_put_text(writer, &self->id, id + from, writer->id.size - from);
    tw_put(writer, &self->id, "_");
    tw_put_number(writer, &self->id, stream->parts - 1);
}

static void put_content(tw_stream *stream, tw_buffer *out)
{
    const kind *its = responses_of(stream)->kind;
    tw_put(&stream->base, out, "{\"type\":\"");
    tw_put(&stream->base, out, its->content);
    tw_put(&stream->base, out, "\",\"text\":\"");
    tw_put_bytes(&stream->base, out, &stream->text);
    tw_put(&stream->base, out, "\"");
    tw_put(&stream->base, out, its->content_behind);
    tw_put(&stream->base, out, "}");
}

/* With what was sent of it; a |fresh| one has no content yet. */
static void put_item(tw_stream *stream, tw_buffer *out, const char *status,
                     bool fresh)
{
    tw_writer *writer = &stream->base;
    const responses *self = responses_of(stream);
    const kind *its = self->kind;
    tw_put(writer, out, "{\"id\":\"");
    tw_put_bytes(writer, out, &self->id);
    tw_put(writer, out, "\",\"type\":\"");
    tw_put(writer, out, its->type);
    tw_put(writer, out, "\",\"status\":\"");
    tw_put(writer, out, status);
    tw_put(writer, out, "\"");
    if (its->content == NULL) {
        tw_put_bytes(writer, out, &stream->head);
    }
    tw_put(writer, out, its->before);
    if (its->content == NULL) {
        tw_put_bytes(writer, out, &stream->text);
    } else if (!fresh) {
        put_content(stream, out);
    }
    tw_put(writer, out, its->behind);
    tw_put(writer, out, "}");
}

static void send_item(tw_stream *stream, const char *type, const char *status,
                      bool fresh)
{
    tw_buffer *line = begin_event(stream, type);
    put_output_index(stream);
    tw_put(&stream->base, line, ",\"item\":");
    put_item(stream, line, status, fresh);
    tw_stream_end_event(stream);
}

static void send_content(tw_stream *stream, const char *type)
{
    tw_buffer *line = begin_item_event(stream, type);
    tw_put(&stream->base, line, ",\"part\":");
    put_content(stream, line);
    tw_stream_end_event(stream);
}

static void name_call(tw_stream *stream, const tw_event *event)
{
    tw_writer *writer = &stream->base;
    tw_put(writer, &stream->head, ",\"call_id\":");
    tw_put_string(writer, &stream->head, event->id, event->id_size);
    tw_put(writer, &stream->head, ",\"name\":");
    tw_put_string(writer, &stream->head, event->data, event->size);
}

static const kind *kind_of(const tw_stream *stream)
{
    const tw_writer *writer = &stream->base;
    switch (stream->part) {
    case TW_STREAM_REASONING:
        return writer->summary ? &summary_kind : &reasoning_kind;
    case TW_STREAM_CALL:
        return writer->call_style == TW_CALL_CUSTOM ? &custom_kind
                                                    : &call_kind;
    default: return &text_kind;
    }
}

static void open(tw_stream *stream)
{
    responses *self = responses_of(stream);
    self->kind = kind_of(stream);
    make_id(stream);
    send_item(stream, "response.output_item.added", "in_progress", true);
    if (self->kind->content != NULL) {
        send_content(stream, self->kind->content_added);
    }
}

static void piece(tw_stream *stream)
{
    tw_buffer *line =
        begin_item_event(stream, responses_of(stream)->kind->delta);
    tw_put(&stream->base, line, ",\"delta\":\"");
}

/* The event that repeats all pieces. */
static void send_whole(tw_stream *stream)
{
    tw_writer *writer = &stream->base;
    const kind *its = responses_of(stream)->kind;
    tw_buffer *line = begin_item_event(stream, its->done);
    if (its->content == NULL) {
        tw_put_bytes(writer, line, &stream->head);
    }
    tw_put(writer, line, ",\"");
    tw_put(writer, line, its->text);
    tw_put(writer, line, "\":\"");
    tw_put_bytes(writer, line, &stream->text);
    tw_put(writer, line, its == &text_kind ? "\",\"logprobs\":[]" : "\"");
    tw_stream_end_event(stream);
}

/* Of a call that was cut off nothing says that its arguments are done. */
static void close(tw_stream *stream, bool complete)
{
    responses *self = responses_of(stream);
    const char *status = complete ? "completed" : "incomplete";
    if (complete || self->kind->content != NULL) {
        send_whole(stream);
    }
    if (self->kind->content != NULL) {
        send_content(stream, self->kind->content_done);
    }
    send_item(stream, "response.output_item.done", status, false);
    const size_t before = self->output.size;
    tw_put_comma(&stream->base, &self->output);
    put_item(stream, &self->output, status, false);
    self->output.size = stream->base.failed ? before : self->output.size;
}

static const tw_api api = {
    .reasons = {"completed", "completed", "max_output_tokens",
                "content_filter"},
    .also = {NULL},
    .begin = begin,
    .name_call = name_call,
    .open = open,
    .piece = piece,
    .behind = {[TW_STREAM_TEXT] = ",\"logprobs\":[]}",
               [TW_STREAM_REASONING] = "}",
               [TW_STREAM_CALL] = "}"},
    .close = close,
    .end = end,
    .fail = fail,
    .free = free_responses,
    .counts_pieces = true,
    .repeats = true,
    .counts_cached = true,
};

const tw_shape_row tw_responses_stream = {
    .size = sizeof(responses),
    .custom_function = true,
    .takes = TW_TAKES_STREAM | TW_TAKES_CREATED | TW_TAKES_CUSTOM |
             TW_TAKES_SUMMARY,
    .id = "resp_0",
    .api = &api,
    .does = &tw_stream_writing,
};
