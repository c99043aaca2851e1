/* SPDX-License-Identifier: MIT
 *
 * Text as it stands, on to where something else may.
 */
#include "formats/frame/frame.h"

tw_step tw_frame_text_run(tw_frame *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    const uint8_t *to = from + 1;
    if (tw_frame_is_stray(state)) {
        return tw_frame_begin_stray(state);
    }
    const uint8_t *reach = tw_window_reach(window, to);
    to = tw_markers_find(state->marks, to, reach, window->limit);
    if (state->plain_until > tw_window_offset(window, from)) {
        const uint64_t left = state->plain_until - window->offset;
        to = left < tw_window_size(window) ? window->at + left : window->limit;
        while (to < window->limit && (*to & 0xC0) == 0x80) {
            to++; /* no code point is cut in two */
        }
    }
    state->fresh = state->fresh && state->mode == TW_FRAME_REASONING;
    state->at_start = state->edge = false;
    state->may_be_bare = false;
    return tw_content_run(&state->segment, state->window, state->sink, from,
                          to)
               ? TW_STEP_AGAIN
               : TW_STEP_MORE;
}
