/* SPDX-License-Identifier: MIT
 *
 * A marker inside a string of a call's JSON: it is quoted, or the string was
 * never closed and the body ends there.
 */
#include "core/skip.h"
#include "formats/harmony/state.h"

/* May this stand behind a string of the JSON? */
static bool follows_string(const tw_json *json, uint8_t c)
{
    return c == '}' || c == ']' ||
           (json->depth > 0 ? c == ',' || c == ':' : c == '<');
}

/* Is the string that is open at |marker| closed behind it?  It was looked at
 * up to |from|.  *end: where the look ended. */
static tw_verdict is_closed(tw_harmony *state, const uint8_t *marker,
                            const uint8_t *from, const uint8_t **end)
{
    const tw_window *window = state->window;
    const tw_json *json = &state->body.json.json;
    tw_harmony_quote *look = &state->quote;
    const uint8_t *at = from;
    for (; at < window->limit; at++) {
        *end = at;
        if (look->closed && !tw_is_ws(*at)) {
            return follows_string(json, *at) ? TW_VERDICT_YES : TW_VERDICT_NO;
        }
        if (at - marker > TW_HOLD_DELIMITER ||
            tw_window_is_control(window, at)) {
            return TW_VERDICT_YES;
        }
        look->closed |= !look->escaped && *at == json->quote;
        look->escaped = !look->escaped && *at == '\\';
    }
    *end = at;
    look->seen = tw_window_offset(window, at);
    if (!window->eof) {
        return TW_VERDICT_WAIT;
    }
    return look->closed && json->depth == 0 ? TW_VERDICT_YES : TW_VERDICT_NO;
}

/* The verdict where the look begins: is the marker at |header|, which stands
 * at |at| or behind it, one of a header?  Else it is quoted. */
static tw_verdict look_behind(tw_harmony *state, const uint8_t *at,
                              const uint8_t *header, const uint8_t **end)
{
    const uint8_t *behind;
    const tw_verdict verdict = tw_harmony_next_header(state, header, &behind);
    if (verdict == TW_VERDICT_WAIT && !state->window->eof) {
        return TW_VERDICT_WAIT;
    }
    if (verdict == TW_VERDICT_NO) {
        *end = header == at ? behind : header;
        return TW_VERDICT_YES;
    }
    state->quote.begin = tw_window_offset(state->window, at) + 1;
    state->quote.closed = state->quote.escaped = false;
    return is_closed(state, at, behind, end);
}

/* Engines stop at the markers that end a call, so that text behind one shows a
 * quote.  A whole header is one if the string is closed behind it.  Who fed
 * the marker as a control token knows that it is none. */
tw_verdict tw_harmony_is_quoted(tw_harmony *state, const uint8_t *at,
                                tw_harmony_marker marker, size_t size,
                                const uint8_t **end)
{
    const tw_window *window = state->window;
    const uint64_t place = tw_window_offset(window, at) + 1;
    if (tw_window_is_control(window, at)) {
        state->real_at = place;
    }
    if (!tw_harmony_body_in_string(&state->body) || state->real_at == place) {
        return TW_VERDICT_NO;
    }
    if (state->quote.begin == place) {
        return is_closed(
            state, at, window->at + (state->quote.seen - window->offset), end);
    }
    const uint8_t *header = at;
    *end = at + size;
    if (tw_harmony_ends_message(marker)) {
        if (*end == window->limit) {
            return window->eof ? TW_VERDICT_NO : TW_VERDICT_WAIT;
        }
        header = *end;
        marker = *header == '<' ? tw_harmony_marker_at(window, header, &size)
                                : TW_HARMONY_NONE;
    }
    if (marker == TW_HARMONY_MORE) {
        return TW_VERDICT_WAIT;
    }
    return marker == TW_HARMONY_START || marker == TW_HARMONY_CHANNEL
               ? look_behind(state, at, header, end)
               : TW_VERDICT_YES;
}
