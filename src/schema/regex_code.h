/* SPDX-License-Identifier: MIT
 *
 * The program that a pattern is, for the files that make and run it.
 */
#ifndef TOOLWIRE_SCHEMA_REGEX_CODE_H
#define TOOLWIRE_SCHEMA_REGEX_CODE_H

#include "schema/regex.h"

typedef enum tw_regex_kind {
    TW_REGEX_CLASS,   /* one code point of |a| ranges from |b| on */
    TW_REGEX_SPLIT,   /* goes on at |a| and at |b|, relative to itself */
    TW_REGEX_JUMP,    /* ... at |a| */
    TW_REGEX_BEGIN,   /* stands at the text's begin */
    TW_REGEX_END,     /* ... end */
    TW_REGEX_EDGE,    /* ... the edge of a word */
    TW_REGEX_NO_EDGE, /* ... none */
    TW_REGEX_MATCH
} tw_regex_kind;

typedef struct tw_regex_op {
    tw_regex_kind kind;
    int32_t a;
    int32_t b;
    bool negated; /* CLASS: none of these */
} tw_regex_op;

typedef struct tw_range {
    uint32_t least;
    uint32_t most;
} tw_range;

/* What stands for one code point at *at: itself, an escape, `.`, a class in
 * brackets.  False: it is not read, or there is no memory. */
bool tw_regex_read_set(tw_regex *pattern, const char **at, const char *end,
                       tw_regex_op *op);

/* The code point at |at|, which is well-formed, or half of a surrogate pair;
 * *size is its size. */
uint32_t tw_regex_point(const char *at, const char *end, size_t *size);

#endif
