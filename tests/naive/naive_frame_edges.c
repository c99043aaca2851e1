/* SPDX-License-Identifier: MIT
 *
 * The edges of text: what white space there is framing (D6, F8).
 */
#include "naive_frame_text.h"

#include <string.h>

/* --- layout that is framing -------------------------------------------- */

/* Takes |layout| off the front of text[*begin, end), as far as it is there. */
void frame_strip_front(const frame_reader *reader, const char *layout,
                       size_t *begin, size_t end)
{
    for (; *layout && *begin < end; layout++) {
        size_t at = *begin;

        if (*layout == '\n' && reader->text[at] == '\r' && at + 1 < end)
            at++;
        if (reader->text[at] != *layout)
            return;
        *begin = at + 1;
    }
}

void frame_strip_back(const frame_reader *reader, const char *layout,
                      size_t begin, size_t *end)
{
    for (size_t n = strlen(layout); n > 0 && *end > begin; n--) {
        if (reader->text[*end - 1] != layout[n - 1])
            return;
        --*end;
        if (layout[n - 1] == '\n' && *end > begin &&
            reader->text[*end - 1] == '\r')
            --*end;
    }
}

void frame_trim(const frame_reader *reader, size_t *begin, size_t *end)
{
    size_t solid = *begin, last = *end;

    while (solid < *end && frame_is_blank(reader->text[solid]))
        solid++;
    while (last > solid && frame_is_blank(reader->text[last - 1]))
        last--;
    if (solid - *begin <= FRAME_LOOK)
        *begin = solid;
    if (*end - last <= FRAME_LOOK)
        *end = last;
}

/* --- text -------------------------------------------------------------- */

/* The policy and edges of visible text that no wrapper holds. */
static const frame_pattern *plain_text(const frame_description *format)
{
    for (size_t i = 0; i < format->text.count; i++)
        if (!frame_opener(&format->text.items[i]) &&
            !frame_closer(&format->text.items[i], 0))
            return &format->text.items[i];
    return NULL;
}

/* The white space that the template writes before the stop. */
static size_t end_layout(const frame_reader *reader, bool at_call,
                         naive_bytes *out)
{
    const frame_words *end = &reader->format->end;
    const char *word = at_call && end->count > 1 ? end->items[1]
                       : end->count              ? end->items[0]
                                                 : "";

    naive_add(out, word, strspn(word, " \t\r\n"));
    return out->size;
}

/* Of two policies without markers the one that takes nothing off is that of
 * what is read. */
static frame_hole text_policy(const frame_description *format)
{
    frame_hole policy = HOLE_TEXT;

    for (size_t i = 0; i < format->text.count; i++) {
        const frame_pattern *text = &format->text.items[i];
        const frame_hole hole = text->parts[text->hole].hole;

        if (hole != HOLE_TEXT)
            policy = hole;
        else if (text->count == 1)
            return HOLE_TEXT;
    }
    return policy;
}

static void strip_wrapper(const frame_reader *reader, size_t *begin,
                          size_t *end)
{
    const frame_pattern *wrapper = reader->wrapper;

    frame_strip_front(reader, frame_layout(wrapper, wrapper->hole - 1), begin,
                      *end);
    if (frame_closer(wrapper, 0))
        frame_strip_back(reader, frame_layout(wrapper, wrapper->hole + 1),
                         *begin, end);
}

/* White space that the template writes there, once under any policy (F8). */
static void strip_edges(const frame_reader *reader, size_t *begin, size_t *end,
                        bool at_call, bool at_stop)
{
    const frame_description *format = reader->format;
    const frame_pattern *plain = plain_text(format);
    naive_bytes layout = {0};
    const frame_pattern *first = format->calls.count  ? &format->calls.items[0]
                                 : format->call.count ? &format->call.items[0]
                                                      : NULL;
    const char *front = first ? frame_layout(first, 0) : "";
    bool line = text_policy(format) == HOLE_TEXT_LINE;

    if (plain && plain->hole > 0 && reader->fresh && *begin == 0)
        frame_strip_front(reader, frame_layout(plain, 0), begin, *end);
    if (at_call)
        frame_strip_back(reader,
                         format->gap[strspn(format->gap, " \t\r\n")] ? ""
                         : *format->gap ? format->gap
                         : *front       ? front
                         : line         ? "\n"
                                        : "",
                         *begin, end);
    if (reader->touches)
        frame_strip_front(reader, line ? "\n" : "", begin, *end);
    naive_add(&layout, "", 0);
    if (at_stop && end_layout(reader, false, &layout))
        frame_strip_back(reader, layout.data, *begin, end);
    naive_release(&layout);
}

/* What stands on the two sides of a dropped close is no character. */
static void add_piece(const frame_reader *reader, size_t from, size_t end,
                      naive_bytes *out)
{
    const size_t begin = reader->begin > from ? reader->begin : from;

    naive_add(out, reader->text + from, begin - from);
    naive_add_utf8(out, reader->text + begin, end - begin);
}

/* The text up to |end| without the closes in its segment that nothing
 * opened. */
static size_t cut_out(frame_reader *reader, size_t end, naive_bytes *out)
{
    size_t pair[2], from = 0;

    naive_add(out, "", 0);
    for (size_t at = 0; at < reader->cuts.size; at += sizeof pair) {
        memcpy(pair, reader->cuts.data + at, sizeof pair);
        if (pair[0] < reader->begin || pair[1] > end)
            continue;
        add_piece(reader, from, pair[0], out);
        from = pair[1];
    }
    if (from > 0)
        add_piece(reader, from, end, out);
    else
        naive_add(out, reader->text, end);
    naive_release(&reader->cuts);
    return out->size;
}

/* The stop at |at|, or one that was stripped, closes text in a pattern. */
static bool stop_closes(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    const char *stop = frame_stop_at(reader, at);
    bool found = false;

    for (size_t i = 0; i < format->text.count; i++)
        for (size_t k = 0; k < format->stops.count; k++)
            found |= !format->text.items[i].loose &&
                     frame_closer(&format->text.items[i], 0) &&
                     strcmp(frame_closer(&format->text.items[i], 0),
                            format->stops.items[k]) == 0;
    return found && (stop || at == reader->size);
}

void frame_end_segment(frame_reader *reader, size_t end, bool at_call,
                       bool at_stop)
{
    size_t begin = reader->begin, solid;
    const bool touches = at_call;
    const size_t whole = end, size = reader->size;
    const char *text = reader->text;
    naive_bytes without = {0};
    naive_diagnose_utf8(reader->message, text, begin, end);
    if (reader->cuts.size) { /* the call touches the close, not the text */
        size_t pair[2];

        memcpy(pair, reader->cuts.data + reader->cuts.size - sizeof pair,
               sizeof pair);
        at_call = at_call && pair[1] < end;
    }
    end = cut_out(reader, end, &without);
    reader->text = without.data;
    reader->size = end;

    if (reader->lead)
        frame_strip_front(reader, reader->lead, &begin, end);
    if (reader->wrapper)
        strip_wrapper(reader, &begin, &end);
    else
        strip_edges(reader, &begin, &end, at_call, at_stop);
    if (text_policy(reader->format) == HOLE_TEXT_TRIM)
        frame_trim(reader, &begin, &end);
    solid = frame_skip(reader, begin);
    if (solid < end || end - begin > FRAME_LOOK)
        reader->fresh = false;
    naive_text_segment(reader->message, reader->text + begin, end - begin);
    reader->text = text;
    reader->size = size;
    naive_release(&without);
    if (reader->wrapper && frame_closer(reader->wrapper, 0) && solid < end &&
        !frame_starts(reader, whole, frame_closer(reader->wrapper, 0)) &&
        !(at_stop && stop_closes(reader, whole)))
        frame_diagnose(reader, "missing_text_close", whole);
    reader->wrapper = NULL;
    reader->headless = false;
    reader->lead = NULL;
    reader->touches = touches;
    reader->begin = whole;
    reader->started = true;
}

void frame_end_message(frame_reader *reader, const char *word, size_t at)
{
    size_t rest = at + strlen(word);

    rest = frame_skip(reader, rest);
    frame_drop(reader, "output_after_end", rest, reader->size);
    reader->at = reader->size;
    reader->over = true;
}
