/* SPDX-License-Identifier: MIT
 *
 * Of which bytes names and bare words are made in Gemma's notation.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_WORD_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_WORD_H

#include <stdbool.h>

#include "core/ascii.h"

/* A byte, or what stands for none. */
static inline bool tw_is_gemma_word(int c)
{
    return c >= 0x80 || tw_is_alnum(c) || c == '_' || c == '.' || c == '-';
}

#endif
