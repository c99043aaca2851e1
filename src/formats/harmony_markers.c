/* SPDX-License-Identifier: MIT
 *
 * Where Harmony's markers stand, and which of them count.
 */
#include <string.h>

#include "formats/harmony_state.h"

tw_harmony_marker tw_harmony_marker_at(const tw_window *window,
                                       const uint8_t *at, size_t *size)
{
    const tw_harmony_marker marker =
        tw_harmony_scan_marker(at, window->limit, window->eof, size);
    return tw_is_marked(window) && marker != TW_HARMONY_NONE &&
                   marker != TW_HARMONY_MORE &&
                   tw_window_is_marked_text(window, at, *size)
               ? TW_HARMONY_NONE
               : marker;
}

bool tw_harmony_is_cut_marker(const tw_window *window, const uint8_t *at)
{
    static const char *const markers[] = {
        "<|start|>", "<|channel|>", "<|constrain|>", "<|message|>",
        "<|end|>",   "<|call|>",    "<|return|>"};
    const size_t left = (size_t)(window->limit - at);
    if (!window->eof || tw_window_is_marked_text(window, at, left)) {
        return false;
    }
    for (size_t i = 0; i < 7; i++) {
        if (left < strlen(markers[i]) && memcmp(at, markers[i], left) == 0) {
            return true;
        }
    }
    return false;
}

bool tw_harmony_ends_message(tw_harmony_marker marker)
{
    return marker == TW_HARMONY_END || marker == TW_HARMONY_CALL ||
           marker == TW_HARMONY_RETURN;
}

/* The first marker at or behind |at|.  *marker is MORE where that is not
 * decided at the returned place, NONE at the limit. */
const uint8_t *tw_harmony_find_marker(const tw_harmony *state,
                                      const uint8_t *at,
                                      tw_harmony_marker *marker, size_t *size)
{
    const tw_window *window = state->window;
    *marker = TW_HARMONY_NONE;
    while (at < window->limit) {
        at = memchr(at, '<', (size_t)(window->limit - at));
        if (at == NULL) {
            return window->limit;
        }
        if (window->limit - at < 2 || at[1] == '|') {
            *marker = tw_harmony_marker_at(window, at, size);
            if (*marker != TW_HARMONY_NONE) {
                return at;
            }
        }
        at++;
    }
    return window->limit;
}

const uint8_t *tw_harmony_next_marker(tw_harmony *state,
                                      tw_harmony_marker *marker, size_t *size)
{
    const tw_window *window = state->window;
    const uint64_t known =
        state->look > state->plain_until ? state->look : state->plain_until;
    const uint64_t left = known > window->offset ? known - window->offset : 0;
    const uint8_t *from =
        left < tw_window_size(window) ? window->at + left : window->limit;
    if (state->look_marker != TW_HARMONY_NONE && known == state->look &&
        known >= window->offset &&
        left + state->look_size <= tw_window_size(window)) {
        *marker = (tw_harmony_marker)state->look_marker;
        *size = state->look_size;
        return from;
    }
    from = tw_harmony_find_marker(state, from, marker, size);
    const bool found =
        *marker != TW_HARMONY_NONE && *marker != TW_HARMONY_MORE;
    state->look = tw_window_offset(window, from);
    state->look_marker = found ? (uint8_t)*marker : TW_HARMONY_NONE;
    state->look_size = found ? *size : 0;
    return from;
}
