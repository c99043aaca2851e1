/* SPDX-License-Identifier: MIT
 *
 * The moves that all readers of a Gemma call share: JSON goes out, bytes are
 * released, the call cannot go on.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_MOVES_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_MOVES_H

#include "formats/body/gemma/call_state.h"

tw_step tw_gemma_go(tw_gemma_call *call, enum tw_gemma_place place);
/* The call cannot go on, or the input ends inside it: TW_STEP_DONE. */
tw_step tw_gemma_malformed(tw_gemma_call *call, uint32_t reason,
                           const uint8_t *at);
tw_step tw_gemma_cut_off(tw_gemma_call *call, const uint8_t *at);
void tw_gemma_report(tw_gemma_call *call, uint32_t code, const uint8_t *at);
/* There is no memory: TW_STEP_DONE. */
tw_step tw_gemma_no_memory(tw_gemma_call *call);
/* Delivers |size| bytes of JSON text, or a constant one. */
void tw_gemma_put(tw_gemma_call *call, const char *text, size_t size,
                  const uint8_t *at);
void tw_gemma_emit(tw_gemma_call *call, const char *text, const uint8_t *at);
void tw_gemma_skip_to(tw_gemma_call *call, const uint8_t *at);
/* Where the comma stands that is written now. */
uint64_t tw_gemma_comma_at(tw_gemma_call *call);
/* The comma in front of an array's element, if one is due. */
void tw_gemma_comma_out(tw_gemma_call *call);

#endif
