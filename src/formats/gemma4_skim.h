/* SPDX-License-Identifier: MIT
 *
 * The fast ways over a Gemma call's content: strings between delimiters and
 * rows of numbers.  What they cannot decide at once they leave to
 * gemma4_string.c and gemma4_value.c, whose twins they are.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_SKIM_H
#define TOOLWIRE_FORMATS_GEMMA4_SKIM_H

#include "formats/gemma4.h"

/* See tw_family.pass. */
const uint8_t *tw_gemma4_call_pass(tw_gemma4_call *, tw_passed *);

#endif
