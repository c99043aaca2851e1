/* SPDX-License-Identifier: MIT
 *
 * The name in a call's head.
 */
#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"
#include "events/tools.h"
#include "formats/frame/head/way.h"
#include "formats/name_bytes.h"

static bool is_declared(const tw_walk *way)
{
    return tw_tools_find(way->reader->state->sink->tools,
                         (const char *)way->head.name,
                         way->head.name_size) != NULL;
}

/* Gemma's names have no slash, begin with no dot, hyphen or colon, and end
 * with no colon.  Where `call:` may be missing, it is no part of the name. */
static bool has_odd_edge(const tw_walk *way)
{
    const tw_head *head = &way->head;
    const uint8_t *name = head->name;
    const size_t size = head->name_size;
    const tw_window *window = way->reader->window;
    const bool ended =
        way->at < window->limit ||
        (window->stopped && tw_gemma_has_call_stop(way->reader->state->marks));
    if (!is_gemma(way) || size == 0) {
        return false;
    }
    const bool word =
        way->pattern->loose && size >= TW_GEMMA_CALL_WORD_SIZE &&
        memcmp(name, TW_GEMMA_CALL_WORD, TW_GEMMA_CALL_WORD_SIZE) == 0;
    return name[0] == ':' || memchr(name, '/', size) != NULL ||
           (ended && (word || name[0] == '.' || name[0] == '-' ||
                      name[size - 1] == ':'));
}

/* The byte at |at| is part of a name.  White space of other alphabets is
 * not. */
static tw_match name_goes_on(const tw_walk *way, const uint8_t *at)
{
    const tw_window *window = way->reader->window;
    if (*at < 0x80) {
        return tw_is_name_byte(*at) ? TW_MATCH_WHOLE : TW_MATCH_NONE;
    }
    switch (tw_json_scan(&at, window->limit, window->eof)) {
    case TW_JSON_MORE: return TW_MATCH_MORE;
    case TW_JSON_NONSTANDARD_WS:
    case TW_JSON_BOM: return TW_MATCH_NONE;
    default: return TW_MATCH_WHOLE;
    }
}

tw_head_kind tw_walk_stop_at(tw_walk *way, const uint8_t *at)
{
    const tw_window *window = way->reader->window;
    const tw_markers *marks = way->reader->state->marks;
    const unsigned roles = tw_marker_at(marks, window, at).roles;
    way->stop = (roles & TW_AT_STOP) != 0 ? at : NULL;
    return roles == TW_AT_MORE ? TW_HEAD_MORE
           : way->stop != NULL ? TW_HEAD_CUT
                               : TW_HEAD_NONE;
}

/* The bytes of a name, |most| of them and one.  MORE: it may go on. */
static tw_match read_name_bytes(tw_walk *way, ptrdiff_t most)
{
    const tw_window *window = way->reader->window;
    const uint8_t *from = way->at;
    tw_match goes_on = TW_MATCH_WHOLE;
    while (way->at < window->limit && way->at - from <= most &&
           goes_on == TW_MATCH_WHOLE) {
        goes_on = name_goes_on(way, way->at);
        way->at += goes_on == TW_MATCH_WHOLE;
    }
    way->head.name = from;
    way->head.name_size = (size_t)(way->at - from);
    return goes_on;
}

/* `call NAME` in Gemma's head: the name is a declared one.  MORE: it may be.
 */
static tw_match read_parted_name(tw_walk *way)
{
    const tw_window *window = way->reader->window;
    const tw_walk before = *way;
    const bool word =
        is_gemma(way) && way->pattern->loose &&
        tw_tools_count(way->reader->state->sink->tools) > 0 &&
        way->head.name_size == TW_GEMMA_CALL_WORD_SIZE - 1 &&
        memcmp(way->head.name, TW_GEMMA_CALL_WORD, way->head.name_size) == 0;
    while (word && way->at < window->limit &&
           (tw_is_ws(*way->at) || *way->at == '=')) {
        way->at++;
    }
    if (way->at == before.at) {
        return TW_MATCH_NONE;
    }
    const tw_match goes_on = read_name_bytes(way, TW_HOLD_HEAD);
    const uint8_t *behind = tw_behind_ws(way->at, window->limit);
    const bool ends = behind == window->limit;
    const bool more = goes_on == TW_MATCH_MORE || (ends && !window->eof);
    if (more ||
        (!ends && (*behind == '{' || *behind == '(') && is_declared(way))) {
        set_loose(way);
        return more ? TW_MATCH_MORE : TW_MATCH_WHOLE;
    }
    *way = before;
    return TW_MATCH_NONE;
}

tw_head_kind tw_walk_name(tw_walk *way)
{
    const tw_window *window = way->reader->window;
    const uint8_t *from = way->at;
    const bool tagged = is_tagged(way, tw_pattern_hole(way->pattern)->kind);
    const ptrdiff_t most =
        tagged && way->pattern->loose ? TW_HEAD_PROSE : TW_HOLD_HEAD;
    way->at = tw_behind_ws(way->at, window->limit);
    if (is_gemma(way) && way->at > from) {
        set_loose(way);
        if (way->pattern->words) {
            return TW_HEAD_NONE;
        }
    }
    if (read_name_bytes(way, most) == TW_MATCH_MORE ||
        read_parted_name(way) == TW_MATCH_MORE) {
        return TW_HEAD_MORE;
    }
    const bool whole = way->at < window->limit || window->eof;
    if (way->at - way->head.name > most || has_odd_edge(way) ||
        (whole && !tw_utf8_is_valid((const char *)way->head.name,
                                    way->head.name_size))) {
        return TW_HEAD_NONE;
    }
    way->no_word = tagged && way->head.name_size > 0 &&
                   !has_letter(way->head.name, way->head.name_size);
    if (way->at == window->limit) {
        const bool other = !tagged && is_beside_tags(way);
        return window->eof && other ? TW_HEAD_NONE : cut(way);
    }
    if (way->head.name_size == 0) {
        return tagged ? TW_HEAD_WHOLE /* its body tells */
                      : tw_walk_stop_at(way, way->at);
    }
    if (is_beside_tags(way) &&
        !has_letter(way->head.name, way->head.name_size)) {
        return TW_HEAD_NONE;
    }
    return tw_head_split_name(way->reader, way->pattern, &way->part,
                              &way->head)
               ? TW_HEAD_WHOLE
               : TW_HEAD_NONE;
}

/* A name in a tag that is like any other is a declared one; it reaches to its
 * `>`, which may be missing at a line's end. */
tw_head_kind tw_walk_tag_name(tw_walk *way)
{
    const tw_window *window = way->reader->window;
    const uint8_t *from = tw_behind_ws(way->at, window->limit);
    const uint8_t *at = from;
    while (at < window->limit && at - from <= TW_HOLD_HEAD && *at != '<' &&
           *at != '>' && *at != '\r' && *at != '\n') {
        at++;
    }
    way->head.name = from;
    way->head.name_size = (size_t)(at - from);
    while (way->head.name_size > 0 &&
           tw_is_ws(from[way->head.name_size - 1])) {
        way->head.name_size--;
    }
    way->at = at;
    const bool whole = at < window->limit || window->eof;
    if (whole &&
        !tw_utf8_is_valid((const char *)way->head.name, way->head.name_size)) {
        return TW_HEAD_NONE;
    }
    if (at == window->limit) {
        return cut(way);
    }
    if (tw_name_unquote(&way->head.name, &way->head.name_size)) {
        way->head.code = TW_DIAGNOSTIC_ATTRIBUTE_QUOTES;
    }
    return !way->pattern->plain || is_declared(way) ? TW_HEAD_WHOLE
                                                    : TW_HEAD_NONE;
}
