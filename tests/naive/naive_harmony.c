/* SPDX-License-Identifier: MIT
 *
 * Harmony, the second opinion: tokens, gaps, and where headers end.
 *
 * The text is a row of messages, HEADER <|message|> BODY TERMINATOR, and what
 * stands between them is a gap.  Each read_...() begins where a gap, a header
 * or a body begins and answers where the next gap begins.
 */
#include "naive_harmony.h"

#include <stdlib.h>
#include <string.h>

#define GAP_LIMIT ((size_t)64)
#define HEADER_LIMIT ((size_t)1024)
#define NAME_LIMIT ((size_t)256)
#define CALLS_LIMIT ((size_t)1024)

/* --- tokens -------------------------------------------------------------- */

static const struct {
    const char *text;
    harmony_kind kind;
} literals[] = {
    {"<|start|>", HARMONY_START},         {"<|end|>", HARMONY_END},
    {"<|message|>", HARMONY_MESSAGE},     {"<|channel|>", HARMONY_CHANNEL},
    {"<|constrain|>", HARMONY_CONSTRAIN}, {"<|return|>", HARMONY_RETURN},
    {"<|call|>", HARMONY_CALL},
};

static void add_marker(harmony_reader *reader, harmony_kind kind, size_t at,
                       size_t size)
{
    harmony_marker marker = {kind, at, size};

    reader->markers[reader->marker_count++] = marker;
}

static void read_tokens(harmony_reader *reader)
{
    /* The shortest literal has seven bytes. */
    reader->markers = calloc(reader->size / 7 + 1, sizeof *reader->markers);
    if (!reader->markers)
        abort();
    reader->cut = reader->size;
    for (size_t at = 0; at < reader->size; at++) {
        if (reader->text[at] != '<')
            continue;
        for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
            if (harmony_starts(reader->text, at, reader->size,
                               literals[i].text))
                add_marker(reader, literals[i].kind, at,
                           strlen(literals[i].text));
            else if (harmony_begins(reader->text, at, reader->size,
                                    literals[i].text))
                reader->cut = at;
    }
    add_marker(reader, HARMONY_OUTPUT_END, reader->size, 0);
}

const harmony_marker *harmony_marker_from(const harmony_reader *reader,
                                          size_t at)
{
    size_t low = 0, high = reader->marker_count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (reader->markers[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return &reader->markers[low];
}

bool harmony_is_terminator(harmony_kind kind)
{
    return kind == HARMONY_END || kind == HARMONY_RETURN ||
           kind == HARMONY_CALL;
}

size_t harmony_stripped_until(const harmony_reader *reader)
{
    return reader->options->recover_stripped ? reader->markers[0].at : 0;
}

static bool is_blank(const harmony_reader *reader, size_t at, size_t end)
{
    return harmony_skip_blanks(reader->text, at, end) == end;
}

/* --- headers ------------------------------------------------------------- */

/* Text without a header is content. */
static size_t read_headerless(harmony_reader *reader, size_t at)
{
    harmony_body body = {.kind = BODY_TEXT,
                         .head = at,
                         .at = at,
                         .plain_until = at,
                         .next_header = reader->size};

    naive_diagnose(reader->message, "missing_header", at);
    return harmony_read_body(reader, &body);
}

typedef enum cause {
    WHY_BRACE,
    WHY_MARKER,
    WHY_OVERFLOW,
    WHY_OUTPUT_END
} cause;

static harmony_span span_of(const harmony_reader *reader, size_t head,
                            size_t end, bool explicit_start)
{
    const harmony_marker *first = &reader->markers[0];

    return (harmony_span){
        .text = reader->text,
        .at = head,
        .end = end,
        .explicit_start = explicit_start,
        .stripped = reader->options->recover_stripped &&
                    (end < first->at || first->kind == HARMONY_OUTPUT_END),
        .markers = harmony_marker_from(reader, head)};
}

static bool is_word(char c)
{
    return (c & 0x80) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || (c && strchr("_.-:/", c));
}

/* What kind of body has this header?  |body| has its places already. */
static void open_body(harmony_reader *reader, const harmony_header *header,
                      harmony_body *body)
{
    if (!header->has_name) {
        bool reasoning =
            header->channel && strcmp(header->channel, "analysis") == 0;

        body->kind = header->foreign ? BODY_FOREIGN
                     : reasoning     ? BODY_REASONING
                                     : BODY_TEXT;
        return;
    }
    body->name = &header->name;
    bool custom = !header->function && header->name.size == 6 &&
                  memcmp(header->name.data, "python", 6) == 0;

    body->kind = BODY_UNUSABLE;
    body->wrong = body->head;
    body->refused = !custom;
    if (header->name.size > NAME_LIMIT) {
        body->name = NULL;
        body->reason = "limit_name";
    } else if (reader->message->begun >= CALLS_LIMIT) {
        body->reason = "limit_calls";
    } else {
        body->kind = custom ? BODY_CUSTOM : BODY_CALL;
        reader->message->begun++;
    }
}

/* The name of a declared tool stands in [at, to), behind a namespace or not. */
static bool names_tool(const harmony_reader *reader, size_t at, size_t to)
{
    bool found = false;

    for (size_t begin = at, end; begin < to && !found; begin++) {
        if (begin > at && is_word(reader->text[begin - 1]) &&
            !strchr(".:/", reader->text[begin - 1]))
            continue;
        for (end = begin; end < to && is_word(reader->text[end]);)
            end++;
        while (end > begin && strchr(".:/", reader->text[end - 1]))
            end--;
        found = end > begin &&
                harmony_is_listed(
                    reader->options,
                    harmony_slice_of(reader->text + begin, end - begin));
    }
    return found;
}

/* A message that names no tool in its header, and is a call but for that
 * (D21): where it ends; 0: it is none. */
static size_t unknown_end(const harmony_reader *reader, size_t at)
{
    const harmony_marker *next = harmony_marker_from(reader, at);
    const bool ended = next->kind == HARMONY_CALL ||
                       (next->kind == HARMONY_OUTPUT_END &&
                        !reader->options->length);

    return ended && next->at - at <= HEADER_LIMIT &&
                   names_tool(reader, at, next->at)
               ? next->at
               : 0;
}

/* <|message|>: the header is whole. */
static size_t read_message(harmony_reader *reader, const harmony_span *span,
                           size_t at)
{
    harmony_body body = {.head = span->at,
                         .at = at,
                         .plain_until = at,
                         .next_header = reader->size};
    harmony_header header;

    size_t end = 0;

    harmony_parse_header(reader->options, span, NULL, &header);
    if (header.callish)
        end = unknown_end(reader, at);
    naive_release(&header.name);
    if (end) {
        harmony_parse_header(reader->options, span, reader->message, &header);
        naive_release(&header.name);
        harmony_refuse(reader, &body, end, "unknown_head", span->at);
        return end < reader->size
                   ? harmony_skip_terminator(reader,
                                             harmony_marker_from(reader, end))
                   : end;
    }
    harmony_parse_header(reader->options, span, reader->message, &header);
    open_body(reader, &header, &body);
    at = harmony_read_body(reader, &body);
    naive_release(&header.name);
    return at;
}

/* The header ends at |at| without <|message|>.  With a tool, only `{` begins
 * arguments; without, the known channel is header and the rest is body. */
static size_t read_without_message(harmony_reader *reader,
                                   const harmony_span *span, cause why,
                                   size_t at)
{
    harmony_body body = {.head = span->at,
                         .at = at,
                         .plain_until = at,
                         .next_header = why == WHY_MARKER ? at : reader->size};
    harmony_header header;
    const char *channel;

    harmony_parse_header(reader->options, span, NULL, &header);
    if (header.has_name && why != WHY_BRACE) {
        body.kind = BODY_UNUSABLE;
        body.any_header = true;
        body.name = &header.name;
        body.reason = "missing_message";
        body.wrong = at;
    } else if (header.has_name || header.foreign) {
        naive_diagnose(reader->message, "missing_message", at);
        open_body(reader, &header, &body);
    } else {
        body.at = harmony_body_of_header(span, &channel);
        naive_diagnose(reader->message, "missing_message", body.at);
        header.channel = channel;
        open_body(reader, &header, &body);
    }
    at = harmony_read_body(reader, &body);
    naive_release(&header.name);
    return at;
}

/* The output ends in a header.  With a tool it is a call; a known channel
 * with two words behind it has some body; anything else says nothing. */
static size_t read_cut_header(harmony_reader *reader, const harmony_span *span)
{
    bool marked = span->markers->at < reader->size;
    size_t at = span->at, end = span->end, size = end - at;
    harmony_header header;
    const char *channel;

    harmony_parse_header(reader->options, span, NULL, &header);
    harmony_slice name = {header.name.data, header.name.size};
    bool tool = header.has_name && (marked || header.function ||
                                    harmony_is_listed(reader->options, name));

    if (tool) {
        naive_bytes text = {0};
        naive_add_utf8(&text, reader->text + at, size);
        bool whole = name.size > text.size ||
                     memcmp(text.data + text.size - name.size, name.data,
                            name.size) != 0;
        naive_release(&text);
        /* At the very end it may have gone on. */
        harmony_body body = {.head = at, .name = whole ? &header.name : NULL};

        harmony_refuse(reader, &body, end, "truncated_call", end);
    }
    naive_release(&header.name);
    if (tool)
        return end;
    if (!marked)
        return read_headerless(reader, at);
    size_t rest = harmony_body_of_header(span, &channel);

    rest = harmony_skip_blanks(reader->text, rest, end);
    end = harmony_trim_blanks(reader->text, rest, end);
    if (channel && !header.foreign && end > rest &&
        memchr(reader->text + rest, ' ', end - rest) &&
        !harmony_starts(reader->text, rest, end, "to="))
        return read_without_message(reader, span, WHY_OUTPUT_END, span->end);
    naive_drop(reader->message, "truncated_header", at, size);
    return span->end;
}

/* <|start|> again: only at the very front of a header. */
static bool is_repeated_start(const harmony_reader *reader, size_t head,
                              const harmony_marker *marker)
{
    size_t items = 0, at = head;
    const harmony_marker *earlier = harmony_marker_from(reader, head);

    if (marker->kind != HARMONY_START)
        return false;
    for (; earlier < marker; earlier++) {
        if (earlier->kind != HARMONY_START)
            return false;
        items += earlier->at - at + 1;
        at = earlier->at + earlier->size;
    }
    return items + (marker->at - at) <= GAP_LIMIT;
}

/* The header begins at |head|; from |at| on it has not been looked at. */
static size_t read_header(harmony_reader *reader, size_t head, size_t at,
                          bool explicit_start)
{
    for (;;) {
        const harmony_marker *next = harmony_marker_from(reader, at);
        size_t room = head + HEADER_LIMIT; /* one byte here is too many */
        const char *brace = memchr(reader->text + at, '{', next->at - at);
        size_t stop = brace ? (size_t)(brace - reader->text) : next->at;
        harmony_span span;

        if (brace && stop <= room) {
            span = span_of(reader, head, stop, explicit_start);
            return read_without_message(reader, &span, WHY_BRACE, stop);
        }
        if (stop > room) {
            span = span_of(reader, head, room + 1, explicit_start);
            return read_without_message(reader, &span, WHY_OVERFLOW, room + 1);
        }
        span = span_of(reader, head, stop, explicit_start);
        at = next->at + next->size;
        if (next->kind == HARMONY_OUTPUT_END)
            return read_cut_header(reader, &span);
        if (next->kind == HARMONY_MESSAGE)
            return read_message(reader, &span, at);
        if (next->kind == HARMONY_START && next->at > head &&
            is_repeated_start(reader, head, next)) {
            naive_diagnose(reader->message, "repeated_start", next->at);
        } else if (harmony_is_terminator(next->kind) ||
                   (next->kind == HARMONY_START && next->at > head)) {
            return read_without_message(reader, &span, WHY_MARKER, stop);
        } else if (at > room) {
            span = span_of(reader, head, at, explicit_start);
            return read_without_message(reader, &span, WHY_OVERFLOW, at);
        }
    }
}

/* --- gaps ---------------------------------------------------------------- */

static void drop_gap(harmony_reader *reader, size_t at, size_t end)
{
    if (!is_blank(reader, at, end))
        naive_drop(reader->message, "stray_text", at, end - at);
    else if (at < end)
        naive_diagnose(reader->message, "blank_between", at);
}

/* Is the gap a header's rest that only the marker behind it makes one? */
static bool is_header_without_start(const harmony_reader *reader, size_t at,
                                    const harmony_marker *marker)
{
    size_t sure, end = marker->at;

    if (marker->kind == HARMONY_START || is_blank(reader, at, end))
        return false;
    if (marker->kind != HARMONY_CHANNEL)
        return true;
    if (!harmony_rest_of_header(reader->text, at, end, &sure))
        return false;
    at = harmony_skip_blanks(reader->text, at, end);
    end = harmony_trim_blanks(reader->text, at, end);
    /* A channel twice: the first one is filler. */
    return !harmony_channel(harmony_slice_of(reader->text + at, end - at));
}

static size_t read_gap_with_marker(harmony_reader *reader, size_t at,
                                   const harmony_marker *marker)
{
    bool blank = is_blank(reader, at, marker->at), first = reader->first;

    reader->first = false;
    if (harmony_is_terminator(marker->kind)) {
        if (!blank && marker->kind != HARMONY_CALL)
            return read_headerless(reader, at);
        drop_gap(reader, at, marker->at);
        if (first || blank)
            naive_diagnose(reader->message, "stray_terminator", marker->at);
        return harmony_skip_terminator(reader, marker);
    }
    if (is_header_without_start(reader, at, marker)) {
        naive_diagnose(reader->message, "missing_start", at);
        return read_header(reader, at, marker->at, false);
    }
    drop_gap(reader, at, marker->at);
    if (marker->kind != HARMONY_START && !first)
        naive_diagnose(reader->message, "missing_start", marker->at);
    return read_header(reader, marker->at, marker->at,
                       marker->kind == HARMONY_START);
}

/* The output ends in a gap. */
static size_t read_last_gap(harmony_reader *reader, size_t at)
{
    size_t word = harmony_skip_blanks(reader->text, at, reader->size);
    size_t end = harmony_trim_blanks(reader->text, word, reader->size);

    if (word == reader->size)
        drop_gap(reader, at, reader->size);
    else if (!reader->first && harmony_begins_header(reader->text, word, end))
        naive_drop(reader->message, "truncated_header", at, reader->size - at);
    else
        return read_headerless(reader, at);
    return reader->size;
}

/* A gap that ends in a cut marker, and has nothing else, is a cut header. */
static bool is_cut_marker(const harmony_reader *reader, size_t at)
{
    return at <= reader->cut && reader->cut < reader->size &&
           is_blank(reader, at, reader->cut) &&
           (reader->cut - at <= GAP_LIMIT ||
            (reader->first && harmony_stripped_until(reader))) &&
           (reader->size - reader->cut > 1 || !reader->first);
}

/* No marker has been seen, and the text may have lost them. */
static size_t read_stripped_gap(harmony_reader *reader, size_t at, size_t end)
{
    harmony_stripped found = harmony_read_stripped(reader->text, at, end);
    harmony_body body = {.head = at,
                         .at = found.visible,
                         .plain_until = found.visible,
                         .next_header = reader->size};
    bool reasoning = found.channel && strcmp(found.channel, "analysis") == 0;

    if (!found.plain)
        naive_diagnose(reader->message, "stripped_markers", at);
    if (!found.channel)
        return read_header(reader, found.visible, found.sure, false);
    body.kind = reasoning ? BODY_REASONING : BODY_TEXT;
    return harmony_read_body(reader, &body);
}

/* The text in front of the next marker, or of the end, may settle it. */
static harmony_verdict judge_gap(const harmony_reader *reader, size_t at,
                                 size_t end, size_t *sure)
{
    size_t word = harmony_skip_blanks(reader->text, at, end);
    harmony_verdict verdict;

    if (reader->first) {
        verdict = harmony_rest_of_header(reader->text, at, end, sure);
    } else {
        *sure = word + 3;
        verdict = harmony_starts(reader->text, word, end, "to=") ? HARMONY_YES
                                                                 : HARMONY_CUT;
    }
    if (verdict == HARMONY_YES && *sure - at > GAP_LIMIT + 1)
        verdict = HARMONY_NO;
    return verdict == HARMONY_CUT && end - at > GAP_LIMIT ? HARMONY_NO
                                                          : verdict;
}

static size_t read_gap(harmony_reader *reader, size_t at)
{
    const harmony_marker *next = harmony_marker_from(reader, at);
    size_t end = next->at, sure;
    harmony_verdict verdict;

    if (next->kind == HARMONY_OUTPUT_END && is_cut_marker(reader, at)) {
        drop_gap(reader, at, reader->cut);
        naive_drop(reader->message, "truncated_header", reader->cut,
                   reader->size - reader->cut);
        return reader->size;
    }
    if (reader->first && at < harmony_stripped_until(reader)) {
        verdict = harmony_read_stripped(reader->text, at, end).verdict;
        if (verdict == HARMONY_YES)
            return read_stripped_gap(reader, at, end);
    } else {
        verdict = judge_gap(reader, at, end, &sure);
        if (verdict == HARMONY_YES)
            return read_header(reader, at, sure, false);
    }
    if (verdict == HARMONY_NO && at < end)
        return read_headerless(reader, at);
    return next->kind == HARMONY_OUTPUT_END
               ? read_last_gap(reader, at)
               : read_gap_with_marker(reader, at, next);
}

void naive_harmony(const naive_options *options, const char *text, size_t size,
                   naive_message *out)
{
    harmony_reader reader = {.options = options,
                             .message = out,
                             .text = text,
                             .size = size,
                             .first = true};
    harmony_body reasoning = {.kind = BODY_REASONING, .next_header = size};
    size_t at = 0;

    read_tokens(&reader);
    if (options->start_reasoning)
        at = harmony_read_body(&reader, &reasoning);
    while (at < size)
        at = read_gap(&reader, at);
    free(reader.markers);
}
