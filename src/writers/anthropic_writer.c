/* SPDX-License-Identifier: MIT
 *
 * Anthropic Messages: message_start, a content block for each part,
 * message_delta, message_stop.
 *
 * What clients need: an `event:` line for each event; one message_start, with
 * a content and a usage; blocks one at a time, their indexes without a gap; a
 * tool_use that begins with an empty object; output_tokens in message_delta.
 * The type that stands first in each object is also the event's name.
 */
#include "writers/stream.h"

/* A line up to behind its type. */
static tw_buffer *begin_event(tw_stream *stream, const char *type)
{
    tw_buffer *line = tw_stream_begin_line(stream, type);
    tw_put(&stream->base, line, "{\"type\":\"");
    tw_put(&stream->base, line, type);
    tw_put(&stream->base, line, "\"");
    return line;
}

static tw_buffer *begin_block_event(tw_stream *stream, const char *type)
{
    tw_buffer *line = begin_event(stream, type);
    tw_put(&stream->base, line, ",\"index\":");
    tw_put_number(&stream->base, line, stream->parts - 1);
    return line;
}

static void begin(tw_stream *stream)
{
    tw_writer *writer = &stream->base;
    tw_buffer *line = begin_event(stream, "message_start");
    tw_put(writer, line, ",\"message\":{\"id\":");
    tw_put_string(writer, line, (const char *)writer->id.data,
                  writer->id.size);
    tw_put(writer, line,
           ",\"type\":\"message\",\"role\":\"assistant\",\"model\":");
    tw_put_string(writer, line, (const char *)writer->model.data,
                  writer->model.size);
    tw_put(writer, line,
           ",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
           "\"usage\":{\"input_tokens\":");
    tw_stream_put_count(stream, "input_tokens");
    tw_put(writer, line, ",\"output_tokens\":0}}");
    tw_stream_end_event(stream);
}

/* ---- blocks ------------------------------------------------------------- */

static void name_call(tw_stream *stream, const tw_event *event)
{
    tw_writer *writer = &stream->base;
    tw_buffer *head = &stream->head;
    tw_put(writer, head, "\"id\":");
    tw_put_string(writer, head, event->id, event->id_size);
    tw_put(writer, head, ",\"name\":");
    tw_put_string(writer, head, event->data, event->size);
}

static void open(tw_stream *stream)
{
    static const char *const blocks[TW_STREAM_PARTS] = {
        [TW_STREAM_TEXT] = "\"text\",\"text\":\"\"",
        [TW_STREAM_REASONING] =
            "\"thinking\",\"thinking\":\"\",\"signature\":\"\"",
        [TW_STREAM_CALL] = "\"tool_use\","};
    tw_writer *writer = &stream->base;
    tw_buffer *line = begin_block_event(stream, "content_block_start");
    tw_put(writer, line, ",\"content_block\":{\"type\":");
    tw_put(writer, line, blocks[stream->part]);
    if (stream->part == TW_STREAM_CALL) {
        tw_put_bytes(writer, line, &stream->head);
        tw_put(writer, line, ",\"input\":{}");
    }
    tw_put(writer, line, "}");
    tw_stream_end_event(stream);
}

static void piece(tw_stream *stream)
{
    static const char *const deltas[TW_STREAM_PARTS] = {
        [TW_STREAM_TEXT] = "\"text_delta\",\"text\":\"",
        [TW_STREAM_REASONING] = "\"thinking_delta\",\"thinking\":\"",
        [TW_STREAM_CALL] = "\"input_json_delta\",\"partial_json\":\""};
    tw_buffer *line = begin_block_event(stream, "content_block_delta");
    tw_put(&stream->base, line, ",\"delta\":{\"type\":");
    tw_put(&stream->base, line, deltas[stream->part]);
}

/* A call that was cut off ends like one that was not: what says so is the
 * stop_reason, and that its input is no JSON.  Clients wait for the signature
 * of whole thinking, which no model writes. */
static void close(tw_stream *stream, bool complete)
{
    if (complete && stream->part == TW_STREAM_REASONING) {
        tw_buffer *line = begin_block_event(stream, "content_block_delta");
        tw_put(&stream->base, line,
               ",\"delta\":{\"type\":\"signature_delta\",\"signature\":\"\"}");
        tw_stream_end_event(stream);
    }
    begin_block_event(stream, "content_block_stop");
    tw_stream_end_event(stream);
}

/* ---- the end ------------------------------------------------------------ */

static void end(tw_stream *stream, tw_reason reason, const char *word,
                size_t size)
{
    static const tw_needed needed[] = {{"output_tokens", "0"}, {NULL, NULL}};
    tw_writer *writer = &stream->base;
    static const char stopped[] = "stop_sequence";
    const tw_buffer *sequence = &writer->stop_sequence;
    const bool given = sequence->size > 0 && reason <= TW_REASON_CALLS;
    tw_buffer *line = begin_event(stream, "message_delta");
    tw_put(writer, line, ",\"delta\":{\"stop_reason\":");
    tw_put_string(writer, line, given ? stopped : word,
                  given ? sizeof stopped - 1 : size);
    tw_put(writer, line, ",\"stop_sequence\":");
    if (given) {
        tw_put_string(writer, line, (const char *)sequence->data,
                      sequence->size);
    } else {
        tw_put(writer, line, "null");
    }
    tw_put(writer, line, "},\"usage\":");
    tw_stream_put_usage(stream, needed);
    tw_stream_put_report(stream);
    tw_stream_end_event(stream);
    begin_event(stream, "message_stop");
    tw_stream_end_event(stream);
}

static void fail(tw_stream *stream, const tw_error *error)
{
    tw_writer *writer = &stream->base;
    tw_buffer *line = begin_event(stream, "error");
    tw_put(writer, line, ",\"error\":{\"type\":\"api_error\"");
    tw_stream_put_fault(stream, error);
    tw_put(writer, line, "}");
    tw_stream_end_event(stream);
}

static const tw_api api = {
    .reasons = {"end_turn", "tool_use", "max_tokens", "refusal"},
    .also = {"stop_sequence", "model_context_window_exceeded", NULL},
    .begin = begin,
    .name_call = name_call,
    .open = open,
    .piece = piece,
    .behind = {[TW_STREAM_TEXT] = "}}",
               [TW_STREAM_REASONING] = "}}",
               [TW_STREAM_CALL] = "}}"},
    .close = close,
    .end = end,
    .fail = fail,
};

const tw_shape_row tw_anthropic_stream = {
    .size = sizeof(tw_stream),
    .custom_function = true,
    .takes = TW_TAKES_STREAM | TW_TAKES_STOP_SEQUENCE,
    .id = "msg_0",
    .api = &api,
    .does = &tw_stream_writing,
};
