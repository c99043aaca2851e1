/* SPDX-License-Identifier: MIT
 *
 * The moves that all readers of a Gemma call share: JSON goes out, bytes are
 * released, the call cannot go on.
 */
#include <string.h>

#include "formats/gemma4/look.h"
#include "formats/gemma4/value.h"

tw_step tw_gemma4_malformed(tw_gemma4_call *call, uint32_t reason,
                            const uint8_t *at)
{
    call->reason = reason;
    call->reason_at = tw_window_offset(call->window, at);
    return TW_STEP_DONE;
}

tw_step tw_gemma4_cut_off(tw_gemma4_call *call, const uint8_t *at)
{
    call->truncated = true;
    return tw_gemma4_malformed(call, TW_DIAGNOSTIC_TRUNCATED_CALL, at);
}

void tw_gemma4_report(tw_gemma4_call *call, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(call->sink, code, tw_window_offset(call->window, at));
}

void tw_gemma4_emit(tw_gemma4_call *call, const char *text, const uint8_t *at)
{
    tw_sink_arguments_copy(call->sink, call->index, text, strlen(text),
                           tw_window_offset(call->window, at));
}

tw_step tw_gemma4_go(tw_gemma4_call *call, enum tw_gemma4_place place)
{
    call->state = (uint8_t)place;
    return TW_STEP_AGAIN;
}

void tw_gemma4_skip_to(tw_gemma4_call *call, const uint8_t *at)
{
    tw_window_skip(call->window, (size_t)(at - call->window->at));
}

uint64_t tw_gemma4_comma_at(tw_gemma4_call *call)
{
    const uint64_t comma = tw_gemma4_top(call)->comma;
    return comma > 0 ? comma - 1 : call->window->offset;
}

/* The comma of JSON is written before an element, never behind one, so that
 * trailing and doubled commas need no look-ahead. */
void tw_gemma4_comma_out(tw_gemma4_call *call)
{
    tw_gemma4_frame *frame = tw_gemma4_top(call);
    if (frame->closer == ']') {
        if (frame->used) {
            tw_sink_arguments_copy(call->sink, call->index, ",", 1,
                                   tw_gemma4_comma_at(call));
        }
        frame->used = true;
    }
    frame->comma = 0;
}
