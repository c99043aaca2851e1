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
    return tw_window_is_marked(window) && marker != TW_HARMONY_NONE &&
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
