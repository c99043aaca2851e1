/* SPDX-License-Identifier: MIT
 *
 * Gemma's bodies with other markers: the text is put into Gemma's own, read
 * by the naive decoder of Gemma 4, and put back.
 */
#include "naive_frame.h"

#include <stdlib.h>
#include <string.h>

/* Stands for `<` where the text itself has one of Gemma's markers. */
#define VEIL "\xEE\x80\x80"

static const char *const own_markers[] = {
    "<|tool_call>",     "<tool_call|>", "<|\"|>",     "<turn|>", "<eos>",
    "<|tool_response>", "<|channel>",   "<channel|>", NULL};

typedef struct gemma_text {
    naive_bytes text;
    size_t *offsets; /* of each byte, and one more */
} gemma_text;

static void put(gemma_text *out, const char *data, size_t size, size_t from)
{
    out->offsets = naive_grow(out->offsets, (out->text.size + size + 1) *
                                                sizeof *out->offsets);
    for (size_t i = 0; i < size; i++)
        out->offsets[out->text.size + i] = from;
    naive_add(&out->text, data, size);
}

/* What the description's marker at |at| is in Gemma; |*size| of it. */
static const char *marker_at(const frame_reader *reader, size_t at,
                             size_t *size)
{
    const frame_pattern *call = &reader->format->call.items[0];
    const char *opener = frame_opener(call), *closer = frame_closer(call, 0);
    const char *word = strstr(opener, "call:");
    const char *quote = call->parts[call->hole].text.data;
    const char *stop = frame_stop_at(reader, at);
    size_t open = word ? (size_t)(word - opener) : strlen(opener);

    if (reader->size - at >= open &&
        memcmp(reader->text + at, opener, open) == 0) {
        *size = open;
        return "<|tool_call>";
    }
    if (frame_starts(reader, at, closer)) {
        *size = strlen(closer);
        return "<tool_call|>";
    }
    if (frame_starts(reader, at, quote)) {
        *size = strlen(quote);
        return "<|\"|>";
    }
    *size = stop ? strlen(stop) : 0;
    return stop ? "<turn|>" : NULL;
}

static bool is_own(const frame_reader *reader, size_t at)
{
    for (size_t i = 0; own_markers[i]; i++)
        if (frame_starts(reader, at, own_markers[i]))
            return true;
    return false;
}

static void translate(const frame_reader *reader, gemma_text *out)
{
    for (size_t at = 0; at < reader->size;) {
        size_t size;
        const char *word = marker_at(reader, at, &size);

        if (word) {
            put(out, word, strlen(word), at);
            at += size;
        } else if (is_own(reader, at)) {
            put(out, VEIL, strlen(VEIL), at++);
        } else {
            put(out, reader->text + at, 1, at);
            at++;
        }
    }
    put(out, "", 0, reader->size);
    out->offsets[out->text.size] = reader->size;
}

static void unveil(naive_bytes *bytes)
{
    naive_bytes out = {0};

    naive_add(&out, "", 0);
    for (size_t i = 0; i < bytes->size; i++) {
        bool veiled = strncmp(bytes->data + i, VEIL, strlen(VEIL)) == 0;

        naive_add(&out, veiled ? "<" : bytes->data + i, 1);
        i += veiled ? strlen(VEIL) - 1 : 0;
    }
    naive_release(bytes);
    *bytes = out;
}

static void put_back(naive_message *message, const gemma_text *text)
{
    unveil(&message->content);
    unveil(&message->reasoning);
    for (size_t i = 0; i < message->call_count; i++) {
        unveil(&message->calls[i].name);
        unveil(&message->calls[i].arguments);
    }
    for (size_t i = 0; i < message->unparsed_count; i++) {
        naive_unparsed *span = &message->unparsed[i];
        size_t end = text->offsets[span->offset + span->size];

        unveil(&span->name);
        span->offset = text->offsets[span->offset];
        span->size = end - span->offset;
    }
    for (size_t i = 0; i < message->diagnostic_count; i++) {
        naive_diagnostic *diagnostic = &message->diagnostics[i];
        size_t end = text->offsets[diagnostic->offset + diagnostic->size];

        diagnostic->offset = text->offsets[diagnostic->offset];
        diagnostic->size = diagnostic->size ? end - diagnostic->offset : 0;
    }
}

void frame_read_gemma(frame_reader *reader, frame_head *head, size_t start)
{
    /* Without a marker behind it a cut call is none, however the output
     * ended. */
    const naive_options options = {
        .start_reasoning = reader->options->start_reasoning, .length = true};
    gemma_text text = {0};

    (void)head;
    (void)start;
    translate(reader, &text);
    naive_gemma4(&options, text.text.data, text.text.size, reader->message);
    put_back(reader->message, &text);
    naive_release(&text.text);
    free(text.offsets);
}
