/* SPDX-License-Identifier: MIT
 *
 * Shared by value.c (keys, containers, values) and bare.c
 * (values without delimiters).
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_VALUE_H
#define TOOLWIRE_FORMATS_GEMMA4_VALUE_H

#include "formats/gemma4/gemma4.h"

/* What is read next: tw_gemma4_call.state. */
enum tw_gemma4_place {
    TW_GEMMA4_AT_KEY,
    TW_GEMMA4_AT_VALUE,
    TW_GEMMA4_AT_AFTER, /* behind a value */
    TW_GEMMA4_AT_STRING,
    TW_GEMMA4_AT_QUOTED,
    TW_GEMMA4_AT_BARE,
    TW_GEMMA4_AT_NUMBER /* too long to be held */
};

/* call.c */
tw_step tw_gemma4_go(tw_gemma4_call *, enum tw_gemma4_place);
/* The call cannot go on, or the input ends inside it: TW_STEP_DONE. */
tw_step tw_gemma4_malformed(tw_gemma4_call *, uint32_t reason,
                            const uint8_t *at);
tw_step tw_gemma4_cut_off(tw_gemma4_call *, const uint8_t *at);
void tw_gemma4_report(tw_gemma4_call *, uint32_t code, const uint8_t *at);
/* Delivers constant JSON text. */
void tw_gemma4_emit(tw_gemma4_call *, const char *text, const uint8_t *at);
void tw_gemma4_skip_to(tw_gemma4_call *, const uint8_t *at);
/* Where the comma stands that is written now. */
uint64_t tw_gemma4_comma_at(tw_gemma4_call *);
/* The comma in front of an array's element, if one is due. */
void tw_gemma4_comma_out(tw_gemma4_call *);

/* bare.c */
tw_step tw_gemma4_begin_bare(tw_gemma4_call *);
tw_step tw_gemma4_read_bare(tw_gemma4_call *);
tw_step tw_gemma4_read_number(tw_gemma4_call *);

#endif
