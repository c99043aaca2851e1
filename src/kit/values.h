/* SPDX-License-Identifier: MIT
 *
 * Are two values the same, and if not, how do they differ?
 */
#ifndef TOOLWIRE_KIT_VALUES_H
#define TOOLWIRE_KIT_VALUES_H

#include "json/tree.h"

/* Numbers by value, to the digit; objects in any order of their keys. */
bool kit_same_value(const tw_value *a, const tw_value *b);
/* In words, of two that are not the same. */
void kit_value_differs(const tw_value *wanted, const tw_value *given,
                       char *what, size_t room);

/* A text without the blanks around it: formats and parsers differ in what of
 * them is text. */
typedef struct kit_span {
    const char *text;
    size_t size;
} kit_span;

/* Of a string; empty where |value| is none or NULL. */
kit_span kit_span_of(const tw_value *value);
bool kit_span_holds(kit_span whole, kit_span part);
/* In words; NULL: they are the same. */
const char *kit_span_differs(kit_span wanted, kit_span given);

#endif
