/* SPDX-License-Identifier: MIT
 *
 * A short Gemma call as the template writes it, read in one look.
 */
#include "formats/body/gemma/advance.h"
#include "formats/gemma4/state.h"

bool tw_gemma4_read_whole_call(tw_gemma4 *state, const uint8_t *body,
                               uint32_t index)
{
    tw_window *window = state->window;
    tw_sink *sink = state->sink;
    tw_gemma_call *call = &state->call;
    const uint8_t *closer = tw_gemma_call_start(call, index, false)
                                ? tw_gemma_write_body(call, body)
                                : NULL;
    if (closer == NULL) {
        return false;
    }
    /* Nothing is written into the run before the event is taken. */
    tw_sink_arguments(sink, index, call->run.data, call->run.size,
                      tw_window_offset(window, body) - 1);
    tw_window_skip(window, (size_t)(closer + 1 - window->at));
    tw_sink_call_end(sink, index, TW_CALL_COMPLETE, state->block,
                     window->offset);
    tw_gemma4_close_block(state);
    tw_gemma4_framing(state, TW_GEMMA4_SIZE(TW_GEMMA4_CALL_END));
    return true;
}
