/* SPDX-License-Identifier: MIT
 *
 * Of which bytes names and bare words are made in Gemma's notation.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_WORD_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_WORD_H

#include <stdbool.h>

/* A byte, or what stands for none. */
static inline bool tw_is_gemma_word(int c)
{
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

#endif
