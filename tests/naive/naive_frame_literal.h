/* SPDX-License-Identifier: MIT
 *
 * Python literals as JSON (P1, P4).
 */
#ifndef TOOLWIRE_TESTS_NAIVE_FRAME_LITERAL_H
#define TOOLWIRE_TESTS_NAIVE_FRAME_LITERAL_H

#include "naive_frame.h"

typedef struct python_reader {
    frame_reader *frame; /* for markers and diagnostics; NULL: none count */
    const char *text;
    size_t at, size;
    naive_bytes *out;

    char stack[FRAME_NEST]; /* closers of the open brackets */
    size_t depth;
    bool unwinding; /* a marker closes all that is open */
    bool printed;   /* `print(` stands in front */

    /* Once a function returned false, which was at |at|: */
    const char *reason; /* NULL: the text ended */
    bool in_step;       /* strings and brackets are still in step */
    char quote;         /* of the string that it was in, or 0 ... */
    bool triple;        /* ... and whether that has three of them */
} python_reader;

/* The byte at |at|; -1: the end. */
int python_byte(const python_reader *, size_t at);
bool python_is_one_of(int byte, const char *bytes);
bool python_is_digit(int byte);
bool python_is_letter(int byte);
bool python_starts(const python_reader *, size_t at, const char *word);
/* Past blanks, and a backslash before a line feed. */
size_t python_skip(const python_reader *, size_t at);
/* A marker of the frame stands here. */
bool python_ends(const python_reader *, size_t at);
bool python_is_alnum(char c);
/* Letters, digits, `_`, bytes above 0x7F and those in |more|. */
size_t python_word(const python_reader *, size_t at, const char *more);
bool python_is_operator_word(const python_reader *, size_t at, size_t size);
bool python_fail(python_reader *, const char *reason, bool in_step);
void python_say(python_reader *, const char *code, size_t at);
/* --- naive_frame_string.c --- */

/* The size of a string's prefix at |at|, if a string |*begins| there. */
size_t python_string_prefix(const python_reader *, size_t at, bool *begins);
/* Strings side by side are one; |key|: it may be a dict's. */
bool python_read_string(python_reader *, bool key);
/* Does the quote before |at| end its string?  |key|: `:` may follow. */
bool python_closes(const python_reader *, size_t at, bool key, bool broken);

/* --- naive_frame_literal.c --- */

/* A value at |at|, blanks before it skipped. */
bool python_read_value(python_reader *);

#endif
