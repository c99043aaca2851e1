/* SPDX-License-Identifier: MIT
 *
 * Why a text is no JSON, as far as its writers make the same slips.
 */
#ifndef TOOLWIRE_JSON_FAULT_H
#define TOOLWIRE_JSON_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum tw_json_slip {
    TW_SLIP_OTHER,
    TW_SLIP_UTF8,    /* it is not UTF-8 */
    TW_SLIP_QUOTE,   /* an apostrophe stands for a quote */
    TW_SLIP_WORD,    /* a number or a word of Python's or JavaScript's */
    TW_SLIP_COMMA,   /* a comma stands in front of a closer */
    TW_SLIP_CONTROL, /* a control character stands in a string as it is */
    TW_SLIP_CUT      /* it ends too early */
} tw_json_slip;

/* |offset| is where reading stopped. */
tw_json_slip tw_json_find_slip(const char *json, size_t size, size_t offset);

#endif
