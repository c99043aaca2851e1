/* SPDX-License-Identifier: MIT
 *
 * Gemma's bodies with other markers: the text is put into Gemma's own, read
 * by the naive decoder of Gemma 4, and put back.
 */
#include "naive_frame.h"
#include "naive_gemma4.h"

#include <stdlib.h>
#include <string.h>

/* Stands for `<` where the text itself has one of Gemma's markers. */
#define VEIL "\xEE\x80\x80"
/* The same of an open marker that has no head. */
#define VEILED_OPEN GEMMA4_VEILED_OPEN
/* Stands for a close that is dropped between two words: they are no marker. */
#define GONE "\xEE\x80\x82"

#define HALF_CLOSE "<tool"

/* The fourth is the third within a JSON string, the next two stand for the
 * description's stops. */
static const char *const own_markers[] = {
    "<|tool_call>", "<tool_call|>",     "<|\"|>",     "<|\\\"|>",   "<turn|>",
    "<eos>",        "<|tool_response>", "<|channel>", "<channel|>", NULL};

typedef struct gemma_text {
    naive_bytes text;
    size_t *offsets;      /* of each byte, and one more */
    const char *stops[2]; /* those in the text: Gemma's first and second */
    const char *half;     /* of the close that the output ends in, or NULL */
    bool half_alone;      /* ... and of nothing else */
} gemma_text;

static void put(gemma_text *out, const char *data, size_t size, size_t from)
{
    out->offsets = naive_grow(out->offsets, (out->text.size + size + 1) *
                                                sizeof *out->offsets);
    for (size_t i = 0; i < size; i++)
        out->offsets[out->text.size + i] = from;
    naive_add(&out->text, data, size);
}

/* How much of the call's opener stands for Gemma's. */
static size_t open_size(const char *opener)
{
    const char *word = strstr(opener, "call:");

    return word ? (size_t)(word - opener) : strlen(opener);
}

/* A third kind of stop in one text is not told from the second. */
static const char *own_stop(gemma_text *out, const char *stop)
{
    for (size_t i = 0; i < 2; i++) {
        if (!out->stops[i])
            out->stops[i] = stop;
        if (strcmp(out->stops[i], stop) == 0)
            return own_markers[4 + i];
    }
    return own_markers[5];
}

/* What the description's marker at |at| is in Gemma; |*size| of it. */
static const char *marker_at(const frame_reader *reader, gemma_text *out,
                             size_t at, size_t *size)
{
    const frame_pattern *call = &reader->format->call.items[0];
    const char *opener = frame_opener(call), *closer = frame_closer(call, 0);
    const char *quote = call->parts[call->hole].text.data;
    const char *stop = frame_stop_at(reader, at);
    size_t open = open_size(opener);

    if (reader->size - at >= open &&
        memcmp(reader->text + at, opener, open) == 0) {
        *size = open;
        return own_markers[0];
    }
    if (frame_starts(reader, at, closer)) {
        *size = strlen(closer);
        return own_markers[1];
    }
    if (frame_starts(reader, at, quote)) {
        *size = strlen(quote);
        return own_markers[2];
    }
    *size = stop ? strlen(stop) : 0;
    return stop ? own_stop(out, stop) : NULL;
}

/* One of Gemma's markers, or half of one at the end, which is none of the
 * description's. */
static bool is_own(const frame_reader *reader, size_t at)
{
    bool own = false;

    for (size_t i = 0; own_markers[i]; i++)
        own |= frame_starts(reader, at, own_markers[i]) ||
               (frame_is_cut(reader, at, own_markers[i]) &&
                !frame_cut_marker_at(reader, at));
    return own;
}

/* The output ends within a call's close at |at|. */
static bool is_half_close(const frame_reader *reader, size_t at)
{
    const frame_pattern *call = &reader->format->call.items[0];

    return frame_is_cut(reader, at, frame_closer(call, 0));
}

/* ... and in nothing else. */
static bool is_half_close_alone(const frame_reader *reader, size_t at)
{
    const frame_pattern *call = &reader->format->call.items[0];
    const frame_words *stops = &reader->format->stops;
    bool other = frame_is_cut(reader, at, frame_opener(call)) ||
                 frame_is_cut(reader, at, call->parts[call->hole].text.data);

    for (size_t i = 0; i < stops->count; i++)
        other |= frame_is_cut(reader, at, stops->items[i]);
    return is_half_close(reader, at) && !other;
}

/* White space that JSON does not know. */
static bool is_odd(const frame_reader *reader, size_t at)
{
    bool odd = false;

    for (size_t i = 0; naive_odd_blanks[i]; i++)
        odd |= frame_starts(reader, at, naive_odd_blanks[i]);
    return odd;
}

/* Two colons, odd white space beside a name, or any behind one that begins
 * with a dot or hyphen or ends with a colon. */
static bool is_no_name(const frame_reader *reader, size_t at)
{
    const bool called = frame_starts(reader, at, "call:");
    size_t end;

    if (called)
        at += strlen("call:");
    else if (frame_starts(reader, at, ":"))
        at++;
    end = at;
    while (end < reader->size && frame_is_name_byte(reader->text[end]) &&
           !is_odd(reader, end))
        end++;
    for (size_t i = at, size; i < end; i += size)
        if (naive_utf8(reader->text + i, end - i, &size) != NAIVE_WELL_FORMED)
            return true;
    return (!called && end > at && reader->text[at] == ':') ||
           is_odd(reader, frame_skip(reader, end)) ||
           (end > at && frame_skip(reader, end) > end &&
            (reader->text[end - 1] == ':' || reader->text[at] == '.' ||
             reader->text[at] == '-'));
}

/* Nothing but white space and half a marker behind the opener at |at|, or no
 * name: it is text. */
static bool is_headless(const frame_reader *reader, size_t at)
{
    const frame_pattern *call = &reader->format->call.items[0];

    at = frame_skip(reader, at + open_size(frame_opener(call)));
    return is_half_close(reader, at) ||
           frame_is_cut(reader, at, call->parts[call->hole].text.data) ||
           is_no_name(reader, at);
}

bool frame_gemma_opens(frame_reader *reader, size_t at)
{
    const frame_pattern *call = &reader->format->call.items[0];
    const size_t from = frame_skip(reader, at + open_size(frame_opener(call)));
    size_t end = from;

    while (end < reader->size && frame_is_name_byte(reader->text[end]))
        end++;
    return !is_headless(reader, at) && frame_call_begins(reader, at) &&
           (frame_starts(reader, from, "call:") ||
            !frame_starts(reader, frame_skip(reader, end),
                          frame_closer(call, 0)));
}

static void translate(frame_reader *reader, gemma_text *out)
{
    bool in_call = false, quoted = false, opened = false;
    bool in_key = false; /* in quotes, which Gemma's marker would end */
    char last = 0;

    for (size_t at = 0; at < reader->size;) {
        size_t size;
        const char *word = marker_at(reader, out, at, &size);
        const char c = reader->text[at];

        in_key = c == '"'
                     ? !in_key && in_call && !quoted && frame_among("{,", last)
                     : in_key;
        last = frame_is_blank(c) ? last : c;
        if (word == own_markers[2] && in_key) {
            put(out, VEIL, strlen(VEIL), at++);
            continue;
        }
        opened |= word == own_markers[0];
        if (word == own_markers[1] && !opened) {
            if (at > 0 && !frame_is_blank(reader->text[at - 1]) &&
                at + size < reader->size &&
                !frame_is_blank(reader->text[at + size]))
                put(out, GONE, strlen(GONE), at);
            at += size;
        } else if (word == own_markers[0] && (quoted || !in_call) &&
                   is_headless(reader, at) &&
                   !frame_unknown_block(reader, at)) {
            put(out, VEILED_OPEN, strlen(VEILED_OPEN), at++);
        } else if (word == own_markers[0] && is_headless(reader, at) &&
                   frame_unknown_block(reader, at)) {
            put(out, word, strlen(word), at);
            at += size;
            put(out, "/", 1, at); /* nor is it a head there */
        } else if (word) {
            quoted = word == own_markers[2] ? in_call && !quoted : quoted;
            in_call = word == own_markers[0] ||
                      (in_call && (quoted || word != own_markers[1]));
            put(out, word, strlen(word), at);
            at += size;
        } else if (in_call && (is_half_close(reader, at) ||
                               frame_cut_marker_at(reader, at))) {
            put(out, HALF_CLOSE, strlen(HALF_CLOSE), at);
            out->half = reader->text + at;
            out->half_alone = is_half_close_alone(reader, at);
            at = reader->size;
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

/* Gemma's marker at |data|, how long it is: |*word| is what stood there, and
 * |*size| of it.  0: none. */
static size_t own_at(const frame_pattern *call, const gemma_text *text,
                     const char *data, const char **word, size_t *size)
{
    const char *opener = frame_opener(call);
    const char *quote = call->parts[call->hole].text.data;
    const char *const words[] = {opener,         frame_closer(call, 0),
                                 quote,          quote,
                                 text->stops[0], text->stops[1]};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] &&
            strncmp(data, own_markers[i], strlen(own_markers[i])) == 0) {
            *word = words[i];
            *size = i == 0 ? open_size(opener) : strlen(words[i]);
            return strlen(own_markers[i]);
        }
    return 0;
}

/* Markers that are data become what they were, and so does `<`. */
static void unveil(const frame_pattern *call, const gemma_text *text,
                   naive_bytes *bytes)
{
    naive_bytes out = {0};

    naive_add(&out, "", 0);
    for (size_t i = 0; i < bytes->size;) {
        const char *data = bytes->data + i, *word = data;
        size_t size = 1, own = own_at(call, text, data, &word, &size);

        if (own == 0 && (strncmp(data, VEIL, strlen(VEIL)) == 0 ||
                         strncmp(data, VEILED_OPEN, strlen(VEIL)) == 0)) {
            own = strlen(VEIL);
            word = "<";
        }
        if (strncmp(data, GONE, strlen(GONE)) == 0) {
            own = strlen(GONE);
            size = 0;
        }
        naive_add(&out, word, size);
        i += own > 0 ? own : 1;
    }
    naive_release(bytes);
    *bytes = out;
}

static bool begins_segment(const naive_bytes *segments, size_t at)
{
    size_t begin;
    bool found = false;

    for (size_t i = 0; i < segments->size && !found; i += sizeof begin) {
        memcpy(&begin, segments->data + i, sizeof begin);
        found = begin == at;
    }
    return found;
}

static void drop_blanks(naive_bytes *out)
{
    while (out->size > 0 && frame_is_blank(out->data[out->size - 1]))
        out->data[--out->size] = 0;
}

/* Closes that nothing opened, where they are tokens (D16); behind an open
 * marker in the segment that is text, so are they. */
static void drop_closes(naive_bytes *content, const naive_bytes *segments)
{
    naive_bytes out = {0};
    const char *open = own_markers[0], *close = own_markers[1];
    bool headless = false, dropped = false;

    naive_add(&out, "", 0);
    for (size_t i = 0; i < content->size;) {
        const char *at = content->data + i;
        const bool begins = begins_segment(segments, i);

        if (begins && dropped)
            drop_blanks(&out); /* the segment in front ended at a close */
        dropped = dropped && !begins;
        headless = headless && !begins;
        headless |= strncmp(at, open, strlen(open)) == 0 ||
                    strncmp(at, VEILED_OPEN, strlen(VEILED_OPEN)) == 0;
        if (!headless && strncmp(at, close, strlen(close)) == 0) {
            i += strlen(close);
            dropped = true;
            continue;
        }
        naive_add(&out, at, 1);
        i++;
    }
    if (out.size < content->size)
        drop_blanks(&out); /* the text ends there */
    naive_release(content);
    *content = out;
}

/* Half a close that was none. */
static void put_half_back(naive_bytes *content, const gemma_text *text)
{
    const size_t half = strlen(HALF_CLOSE);

    if (!text->half || content->size < half ||
        memcmp(content->data + content->size - half, HALF_CLOSE, half) != 0)
        return;
    content->size -= half;
    naive_add_text(content, text->half);
}

static void put_back(const frame_pattern *call, naive_message *message,
                     const gemma_text *text)
{
    put_half_back(&message->content, text);
    drop_closes(&message->content, &message->segments);
    unveil(call, text, &message->content);
    unveil(call, text, &message->reasoning);
    for (size_t i = 0; i < message->call_count; i++) {
        unveil(call, text, &message->calls[i].name);
        unveil(call, text, &message->calls[i].arguments);
    }
    for (size_t i = 0; i < message->unparsed_count; i++) {
        naive_unparsed *span = &message->unparsed[i];
        size_t end = text->offsets[span->offset + span->size];

        unveil(call, text, &span->name);
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

/* The declared tools' names; the caller frees the list. */
static const char **tool_names(const frame_reader *reader, size_t *count)
{
    const naive_tree *tools = reader->options->tools;
    const char **names = NULL;

    *count = 0;
    for (size_t i = 0; tools && i < tools->count; i++) {
        const char *name = frame_tool_name(&tools->children[i]);

        names = naive_grow(names, (*count + 1) * sizeof *names);
        if (name)
            names[(*count)++] = name;
    }
    return names;
}

bool frame_object_begins(frame_reader *reader, size_t at)
{
    frame_head head;
    bool begins;

    frame_read_head(reader, at, false, &head);
    begins = head.answer != FRAME_NO && frame_body(head.call) == HOLE_OBJECT;
    frame_head_release(&head);
    return begins;
}

size_t frame_read_block(frame_reader *reader, size_t at)
{
    reader->begin = reader->at = at;
    frame_try_block(reader, at, false);
    return reader->at;
}

void frame_read_gemma(frame_reader *reader, frame_head *head, size_t start)
{
    /* Without a marker behind it a cut call is none, however the output
     * ended, and without one in front there is none (F4). */
    naive_options options = {.start_reasoning =
                                 reader->options->start_reasoning,
                             .length = true,
                             .framed = true};
    gemma_text text = {0};
    const char **names = tool_names(reader, &options.tool_count);

    options.tools = names;
    options.has_tools = frame_has_tools(reader);
    (void)head;
    (void)start;
    if (reader->format->loose_channels) { /* Gemma 4 itself */
        options.length = reader->options->length;
        options.framed = false;
        naive_gemma4(&options, reader->text, reader->size, reader,
                     reader->message);
        free(names);
        return;
    }
    translate(reader, &text);
    options.half_close = text.half_alone && !reader->options->length;
    naive_gemma4(&options, text.text.data, text.text.size, NULL,
                 reader->message);
    put_back(&reader->format->call.items[0], reader->message, &text);
    naive_release(&text.text);
    free(text.offsets);
    free(names);
}
