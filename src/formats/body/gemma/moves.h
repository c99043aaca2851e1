/* SPDX-License-Identifier: MIT
 *
 * The moves that value.c (keys, containers, values) and bare.c (values without
 * delimiters) share.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_MOVES_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_MOVES_H

#include "formats/body/gemma/value.h"

/* What is read next: tw_gemma_call.state. */
enum tw_gemma_place {
    TW_GEMMA_AT_KEY,
    TW_GEMMA_AT_VALUE,
    TW_GEMMA_AT_AFTER, /* behind a value */
    TW_GEMMA_AT_STRING,
    TW_GEMMA_AT_QUOTED,
    TW_GEMMA_AT_BARE,
    TW_GEMMA_AT_NUMBER /* too long to be held */
};

tw_step tw_gemma_go(tw_gemma_call *, enum tw_gemma_place);
/* The call cannot go on, or the input ends inside it: TW_STEP_DONE. */
tw_step tw_gemma_malformed(tw_gemma_call *, uint32_t reason,
                           const uint8_t *at);
tw_step tw_gemma_cut_off(tw_gemma_call *, const uint8_t *at);
void tw_gemma_report(tw_gemma_call *, uint32_t code, const uint8_t *at);
/* Delivers constant JSON text. */
void tw_gemma_emit(tw_gemma_call *, const char *text, const uint8_t *at);
void tw_gemma_skip_to(tw_gemma_call *, const uint8_t *at);
/* Where the comma stands that is written now. */
uint64_t tw_gemma_comma_at(tw_gemma_call *);
/* The comma in front of an array's element, if one is due. */
void tw_gemma_comma_out(tw_gemma_call *);

/* bare.c */
tw_step tw_gemma_begin_bare(tw_gemma_call *);
tw_step tw_gemma_read_bare(tw_gemma_call *);
tw_step tw_gemma_read_number(tw_gemma_call *);

#endif
