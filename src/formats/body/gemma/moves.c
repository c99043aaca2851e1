/* SPDX-License-Identifier: MIT
 *
 * How a Gemma call moves on.
 */
#include "formats/body/gemma/moves.h"

#include <string.h>

tw_step tw_gemma_malformed(tw_gemma_call *call, uint32_t reason,
                           const uint8_t *at)
{
    call->reason = reason;
    call->reason_at = tw_window_offset(call->window, at);
    return TW_STEP_DONE;
}

tw_step tw_gemma_cut_off(tw_gemma_call *call, const uint8_t *at)
{
    call->truncated = true;
    return tw_gemma_malformed(call, TW_DIAGNOSTIC_TRUNCATED_CALL, at);
}

void tw_gemma_report(tw_gemma_call *call, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(call->sink, code, tw_window_offset(call->window, at));
}

tw_step tw_gemma_no_memory(tw_gemma_call *call)
{
    tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                 "no memory");
    return TW_STEP_DONE;
}

void tw_gemma_put(tw_gemma_call *call, const char *text, size_t size,
                  const uint8_t *at)
{
    tw_sink_arguments_copy(call->sink, call->index, text, size,
                           tw_window_offset(call->window, at));
}

void tw_gemma_emit(tw_gemma_call *call, const char *text, const uint8_t *at)
{
    tw_gemma_put(call, text, strlen(text), at);
}

tw_step tw_gemma_go(tw_gemma_call *call, enum tw_gemma_place place)
{
    call->state = (uint8_t)place;
    return TW_STEP_AGAIN;
}

void tw_gemma_skip_to(tw_gemma_call *call, const uint8_t *at)
{
    tw_window_skip(call->window, (size_t)(at - call->window->at));
}

uint64_t tw_gemma_comma_at(tw_gemma_call *call)
{
    const uint64_t comma = tw_gemma_top(call)->comma;
    return comma > 0 ? comma - 1 : call->window->offset;
}

/* The comma of JSON is written before an element, never behind one, so that
 * trailing and doubled commas need no look-ahead. */
void tw_gemma_comma_out(tw_gemma_call *call)
{
    tw_gemma_frame *frame = tw_gemma_top(call);
    if (frame->closer == ']') {
        if (frame->used) {
            tw_sink_arguments_copy(call->sink, call->index, ",", 1,
                                   tw_gemma_comma_at(call));
        }
        frame->used = true;
    }
    frame->comma = 0;
}
