/* SPDX-License-Identifier: MIT
 *
 * The marker table: how it is made, and how it is asked.
 */
#include "formats/markers.h"

#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"

/* ---- making ------------------------------------------------------------- */

/* By first byte, longer ones first. */
static bool is_before(const tw_mark_text *a, const tw_mark_text *b)
{
    const uint8_t first_a = (uint8_t)a->text[0];
    const uint8_t first_b = (uint8_t)b->text[0];
    return first_a != first_b ? first_a < first_b : a->size > b->size;
}

/* There are few of them. */
static void sort(tw_mark_text *all, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const tw_mark_text marker = all[i];
        size_t at = i;
        for (; at > 0 && is_before(&marker, &all[at - 1]); at--) {
            all[at] = all[at - 1];
        }
        all[at] = marker;
    }
}

/* May |c| stand in JSON outside strings, or begin one? */
static bool is_json(uint8_t c)
{
    return c == '"' || c == '\'' || c == '\\' || c == '-' || tw_is_alnum(c) ||
           (c != 0 && strchr("{}[],:+.", c));
}

void tw_markers_make(tw_markers *markers, tw_mark_text *all, size_t count)
{
    memset(markers, 0, sizeof *markers);
    sort(all, count);
    markers->all = all;
    markers->count = (uint8_t)count;
    markers->angles = markers->prose = markers->apart = true;
    for (size_t i = count; i-- > 0;) {
        tw_mark_text *marker = &all[i];
        const uint8_t first = (uint8_t)marker->text[0];
        marker->next = markers->first[first];
        markers->first[first] = (uint8_t)(i + 1);
        if (marker->size > markers->longest) {
            markers->longest = marker->size;
        }
        markers->angles = markers->angles && first == '<';
        markers->prose = markers->prose && marker->size > 1 &&
                         tw_may_begin_marker((const uint8_t *)marker->text);
        markers->apart = markers->apart &&
                         ((marker->roles & ~(unsigned)TW_AT_PLAIN_CALL) == 0 ||
                          !is_json(first));
        if (marker->size > 1) {
            const uint8_t second = (uint8_t)marker->text[1];
            markers->second[second >> 3] |= (uint8_t)(1 << (second & 7));
        } else { /* anything may follow */
            memset(markers->second, 0xFF, sizeof markers->second);
        }
    }
}

/* ---- asking ------------------------------------------------------------- */

size_t tw_mark_text_behind(const char *text, size_t size, size_t token,
                           size_t last, size_t front, const uint8_t *at,
                           size_t left, bool *cut)
{
    const size_t common = left < size ? left : size;
    if (memcmp(at, text, common) == 0) { /* most are as they are written */
        *cut = common < size;
        return *cut ? 0 : size;
    }
    if (front == size || left < front || memcmp(at, text, front) != 0) {
        return 0;
    }
    const uint8_t *limit = at + left;
    const uint8_t *to = at + front;
    for (size_t i = front; i < size; i++) {
        const uint8_t *blanks = to;
        while ((i == token || i == last) && to < limit &&
               to - blanks < TW_MARKER_WS && tw_is_ws(*to)) {
            to++;
        }
        if (to == limit || *to != (uint8_t)text[i]) {
            *cut = to == limit;
            return 0;
        }
        to++;
    }
    return (size_t)(to - at);
}

/* The size of a marker of the table that stands at |at|: blanks may stand
 * behind a token in front. */
static size_t marker_size_at(const tw_mark_text *marker, const uint8_t *at,
                             const uint8_t *limit, bool *cut)
{
    const bool stays = marker->token == 0 || marker->token_at > 0 ||
                       marker->token == marker->size;
    return tw_mark_text_at(marker->text, marker->size,
                           stays ? 0 : marker->token, stays ? 0 : marker->last,
                           at, limit, cut);
}

tw_found tw_markers_scan(const tw_markers *markers, const uint8_t *at,
                         const uint8_t *limit, bool eof)
{
    static const tw_found none = {0};
    static const tw_found more = {.roles = TW_AT_MORE};
    for (size_t i = markers->first[*at]; i > 0;) {
        const tw_mark_text *marker = &markers->all[i - 1];
        bool cut;
        const size_t size = marker_size_at(marker, at, limit, &cut);
        i = marker->next;
        if (size > 0) {
            const tw_found found = {marker->roles, (uint16_t)size,
                                    marker->token, marker->token_at};
            return found;
        }
        if (cut && !eof) {
            return more; /* the longest wins, so it is waited for */
        }
    }
    return none;
}

tw_found tw_marker_at(const tw_markers *markers, const tw_window *window,
                      const uint8_t *at)
{
    static const tw_found none = {0};
    if (at == window->limit ||
        !tw_markers_may_begin(markers, at, window->limit)) {
        return none;
    }
    const tw_found found =
        tw_markers_scan(markers, at, window->limit, window->eof);
    return found.token > 0 && tw_window_is_marked_text(
                                  window, at + found.token_at, found.token)
               ? none
               : found;
}

/* Does the end of input, |left| bytes away, cut |marker| at |at| in two? */
static bool is_cut(const tw_window *window, const uint8_t *at, size_t left,
                   const tw_mark_text *marker)
{
    bool cut;
    const size_t front = left < marker->token_at ? left : marker->token_at;
    const size_t token =
        left - front < marker->token ? left - front : marker->token;
    marker_size_at(marker, at, window->limit, &cut);
    return cut &&
           !(token > 0 && tw_window_is_marked_text(window, at + front, token));
}

/* Does the end of the window cut a marker at |at| with any of |roles|; if
 * |half|, behind a token of it? */
static bool cuts(const tw_markers *markers, const tw_window *window,
                 const uint8_t *at, unsigned roles, bool half)
{
    const size_t left = (size_t)(window->limit - at);
    if (left == 0 || !window->eof) {
        return false;
    }
    for (size_t i = markers->first[*at]; i > 0; i = markers->all[i - 1].next) {
        const tw_mark_text *marker = &markers->all[i - 1];
        const bool whole = marker->token > 0 &&
                           left >= (size_t)marker->token_at + marker->token;
        if ((marker->roles & roles) != 0 && (whole || !half) &&
            is_cut(window, at, left, marker)) {
            return true;
        }
    }
    return false;
}

bool tw_marker_is_cut(const tw_markers *markers, const tw_window *window,
                      const uint8_t *at, unsigned roles)
{
    return cuts(markers, window, at, roles, false);
}

bool tw_marker_is_half(const tw_markers *markers, const tw_window *window,
                       const uint8_t *at)
{
    return cuts(markers, window, at, UINT16_MAX, true);
}

const uint8_t *tw_markers_find(const tw_markers *markers, const uint8_t *at,
                               const uint8_t *to, const uint8_t *limit)
{
    if (markers->angles) {
        for (; at < to; at++) {
            at = memchr(at, '<', (size_t)(to - at));
            if (at == NULL) {
                return to;
            }
            if (limit - at < 2 || tw_markers_may_follow(markers, at[1])) {
                return at;
            }
        }
        return to;
    }
    while (at < to && !tw_markers_may_begin(markers, at, limit)) {
        at++;
    }
    return at;
}
