/* SPDX-License-Identifier: MIT
 *
 * Section 3, marks: TEXT holds no marker, but the JSON or DSL inside a call
 * is read as usual; CONTROL is exactly one marker; where a marker is ordinary
 * text to the model's tokenizer, TEXT counts as UNKNOWN for it.
 */
#ifndef TESTS_CHECKS_MARKS_H
#define TESTS_CHECKS_MARKS_H

#include <criterion/criterion.h>

#include "support/decoding.h"

enum { PIECES = 12 };

#define T(text)            \
    {                      \
        TW_MARK_TEXT, text \
    }
#define U(text)               \
    {                         \
        TW_MARK_UNKNOWN, text \
    }
#define C(text)               \
    {                         \
        TW_MARK_CONTROL, text \
    }

typedef struct marked_text {
    const char *format;
    const char *words;
    marked pieces[PIECES]; /* up to the first without a text */
} marked_text;

void check_marks(const marked_text *rows, size_t count, bool reasoning);

#endif
