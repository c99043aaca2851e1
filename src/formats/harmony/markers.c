/* SPDX-License-Identifier: MIT
 *
 * Where Harmony's markers stand, and which of them count.
 */
#include <string.h>

#include "formats/harmony/state.h"
#include "formats/harmony/tokens.h"

#define MARKER(text, role, stop)                  \
    {                                             \
        TW_MARKER_TEXT(text), role, 1, 0, stop, 1 \
    }

const tw_marker tw_harmony_markers[] = {
    MARKER(TW_HARMONY_START_TEXT, TW_MARKER_TURN, 0),
    MARKER(TW_HARMONY_CHANNEL_TEXT, TW_MARKER_HEADER, 0),
    MARKER(TW_HARMONY_CONSTRAIN_TEXT, TW_MARKER_HEADER, 0),
    MARKER(TW_HARMONY_MESSAGE_TEXT, TW_MARKER_BODY, 0),
    MARKER(TW_HARMONY_END_TEXT, TW_MARKER_END, 0),
    MARKER(TW_HARMONY_CALL_TEXT, TW_MARKER_CALL_CLOSE, 1),
    MARKER(TW_HARMONY_RETURN_TEXT, TW_MARKER_END, 1),
};
const size_t tw_harmony_marker_count =
    sizeof tw_harmony_markers / sizeof tw_harmony_markers[0];

tw_harmony_marker tw_harmony_marker_at(const tw_window *window,
                                       const uint8_t *at, size_t *size)
{
    const tw_harmony_marker marker =
        tw_harmony_scan_marker(at, window->limit, window->eof, size);
    return tw_window_is_marked(window) && marker != TW_HARMONY_NONE &&
                   marker != TW_HARMONY_MORE &&
                   tw_window_is_marked_text(window, at, *size)
               ? TW_HARMONY_NONE
               : marker;
}

bool tw_harmony_is_cut_marker(const tw_window *window, const uint8_t *at)
{
    const size_t left = (size_t)(window->limit - at);
    if (!window->eof || tw_window_is_marked_text(window, at, left)) {
        return false;
    }
    for (size_t i = 0; i < tw_harmony_marker_count; i++) {
        const tw_marker *marker = &tw_harmony_markers[i];
        if (left < marker->size && memcmp(marker->text, at, left) == 0) {
            return true;
        }
    }
    return false;
}

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
    const size_t rest = (size_t)(window->limit - from);
    const uint8_t *lead = rest > 0 ? memchr(from, '<', rest) : NULL;
    *marker = TW_HARMONY_NONE;
    from = lead != NULL ? tw_harmony_find_marker(state, lead, marker, size)
                        : window->limit;
    state->look = tw_window_offset(window, from);
    state->look_marker = TW_HARMONY_NONE;
    if (*marker != TW_HARMONY_NONE && *marker != TW_HARMONY_MORE) {
        state->look_marker = (uint8_t)*marker;
        state->look_size = *size;
    }
    return from;
}

bool tw_harmony_ends_message(tw_harmony_marker marker)
{
    return marker == TW_HARMONY_END || marker == TW_HARMONY_CALL ||
           marker == TW_HARMONY_RETURN;
}
