/* SPDX-License-Identifier: MIT
 *
 * Chat Completions: chat.completion.chunk objects.
 *
 * What clients accept: the role once, in the first delta; a call opens with
 * its index, id, type and name and empty arguments, and later deltas have the
 * index and a piece of the arguments only; indexes are dense; the reason why
 * it ended stands once, beside an empty delta.
 */
#include "writers/stream.h"

typedef struct chunks {
    tw_stream stream;
    tw_buffer head;  /* of each line, up to the delta's brace, */
    size_t envelope; /* and so much of it stands in front of the choices */
} chunks;

static chunks *chunks_of(tw_stream *stream)
{
    return (chunks *)(void *)stream;
}

static void free_chunks(tw_stream *stream)
{
    tw_buffer_free(&chunks_of(stream)->head, &stream->base.memory);
}

/* ---- lines -------------------------------------------------------------- */

static void make_head(chunks *self)
{
    tw_writer *writer = &self->stream.base;
    tw_buffer *head = &self->head;
    head->size = 0; /* options may have changed */
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

/* The line, open for the delta's members. */
static tw_buffer *begin_delta(tw_stream *stream)
{
    tw_buffer *line = tw_stream_begin_line(stream, NULL);
    tw_put_bytes(&stream->base, line, &chunks_of(stream)->head);
    return line;
}

static void begin(tw_stream *stream)
{
    make_head(chunks_of(stream));
    tw_put(&stream->base, begin_delta(stream),
           "\"role\":\"assistant\"" END_DELTA);
    tw_stream_end_line(stream);
}

/* ---- parts -------------------------------------------------------------- */

static void name_call(tw_stream *stream, const tw_event *event)
{
    tw_put_call_head(&stream->base, &stream->head, event);
}

/* A delta's one call, open for what is behind its index. */
static tw_buffer *begin_call_delta(tw_stream *stream)
{
    tw_buffer *line = begin_delta(stream);
    tw_put(&stream->base, line, "\"tool_calls\":[{\"index\":");
    tw_put_number(&stream->base, line, stream->calls - 1);
    tw_put(&stream->base, line, ",");
    return line;
}

/* Nothing stands in front of text. */
static void open(tw_stream *stream)
{
    if (stream->part == TW_STREAM_CALL) {
        tw_buffer *line = begin_call_delta(stream);
        tw_put_bytes(&stream->base, line, &stream->head);
        tw_put(&stream->base, line, "\"}}]" END_DELTA);
        tw_stream_end_line(stream);
    }
}

static void piece(tw_stream *stream)
{
    tw_writer *writer = &stream->base;
    if (stream->part == TW_STREAM_CALL) {
        tw_put(writer, begin_call_delta(stream),
               writer->call_style == TW_CALL_CUSTOM
                   ? "\"custom\":{\"input\":\""
                   : "\"function\":{\"arguments\":\"");
        return;
    }
    tw_buffer *line = begin_delta(stream);
    if (stream->part == TW_STREAM_TEXT) {
        tw_put(writer, line, "\"content\":\"");
        return;
    }
    tw_put_string(writer, line, (const char *)writer->reasoning_key.data,
                  writer->reasoning_key.size);
    tw_put(writer, line, ":\"");
}

/* ---- the end ------------------------------------------------------------ */

/* In a chunk of its own, behind the last, as clients know it. */
static void send_usage(tw_stream *stream)
{
    tw_writer *writer = &stream->base;
    const chunks *self = chunks_of(stream);
    const tw_buffer envelope = {self->head.data, self->envelope, 0};
    static const tw_needed none[] = {{NULL, NULL}};
    if (writer->usage.root == NULL) {
        return;
    }
    tw_buffer *line = tw_stream_begin_line(stream, NULL);
    tw_put_bytes(writer, line, &envelope);
    tw_put(writer, line, ",\"choices\":[],\"usage\":");
    tw_stream_put_usage(stream, none);
    tw_put(writer, line, "}");
    tw_stream_end_line(stream);
}

static void end(tw_stream *stream, tw_reason reason, const char *word,
                size_t size)
{
    tw_writer *writer = &stream->base;
    tw_buffer *line = begin_delta(stream);
    (void)reason;
    tw_put(writer, line, "},\"finish_reason\":");
    tw_put_string(writer, line, word, size);
    tw_put(writer, line, "}]");
    tw_stream_put_report(stream);
    tw_put(writer, line, "}");
    tw_stream_end_line(stream);
    send_usage(stream);
    if (writer->sse == 1) {
        tw_put(writer, tw_stream_begin_line(stream, NULL), "[DONE]");
        tw_stream_end_line(stream);
    }
}

static void put_member(tw_writer *writer, const char *before, const char *text)
{
    tw_put(writer, &writer->lines, before);
    tw_put_string(writer, &writer->lines, text, strlen(text));
}

/* As servers put errors into streams.  One that is not the library's is the
 * server's. */
static void fail(tw_stream *stream, const tw_error *error)
{
    tw_writer *writer = &stream->base;
    const char *code = tw_error_name(error->code);
    const char *found = tw_stream_diagnostic(error);
    tw_buffer *line = tw_stream_begin_line(stream, NULL);
    put_member(writer,
               "{\"error\":{\"code\":", code != NULL ? code : "server_error");
    if (found != NULL) {
        put_member(writer, ",\"diagnostic\":", found);
    }
    if (error->path != NULL) {
        put_member(writer, ",\"path\":", error->path);
    }
    tw_put(writer, line, ",\"offset\":");
    tw_put_number(writer, line, error->offset);
    put_member(writer, ",\"message\":", error->message);
    tw_put(writer, line, "}}");
    tw_stream_end_line(stream);
}

static const tw_api api = {
    .reasons = {"stop", "tool_calls", "length", "content_filter"},
    .also = {"function_call", NULL},
    .begin = begin,
    .name_call = name_call,
    .open = open,
    .piece = piece,
    .behind = {[TW_STREAM_TEXT] = END_DELTA,
               [TW_STREAM_REASONING] = END_DELTA,
               [TW_STREAM_CALL] = "}}]" END_DELTA},
    .end = end,
    .fail = fail,
    .free = free_chunks,
    .counts_prompt = true,
    .counts_cached = true,
};

const tw_shape_row tw_chunk_shape = {
    .size = sizeof(chunks),
    .custom_function = true,
    .takes = TW_TAKES_CHOICE | TW_TAKES_CREATED | TW_TAKES_CUSTOM |
             TW_TAKES_REASONING_KEY | TW_TAKES_FINGERPRINT | TW_TAKES_STREAM,
    .id = "chatcmpl-0",
    .api = &api,
    .does = &tw_stream_writing,
};
