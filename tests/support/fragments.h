/* SPDX-License-Identifier: MIT
 *
 * What random texts are made of: for each wire its markers, halves of them,
 * and the words and texts of its notation and of its description.
 */
#ifndef TOOLWIRE_TESTS_FRAGMENTS_H
#define TOOLWIRE_TESTS_FRAGMENTS_H

#include "../naive/naive.h"
#include "bodies.h"
#include "formats.h"

typedef struct fragments {
    char name[FORMAT_NAME_SIZE]; /* FORMAT, FORMAT-reasoning, ... */
    const tw_format *format;
    bool stripped;        /* it is read as output that lost its markers */
    bool reasoning;       /* the prompt ended inside reasoning */
    const naive_oracle *naive; /* the second opinion; NULL: there is none */
    const body *notation;
    const char *tools; /* that its texts call, as JSON, or NULL */
    const char *const *tool_names;
    size_t tool_count;
    const char **parts; /* markers, brackets, quotes, ... */
    uint32_t part_count;
    const char **texts; /* longer ones that make sense */
    uint32_t text_count;
    const char **alphabet; /* of them every short string is made */
    uint32_t alphabet_count;
} fragments;

/* The sets of all wires: each as it is, those with reasoning from inside it,
 * those that can be read without markers so; NULL behind the last. */
const fragments *fragments_at(size_t i);
/* Any format's, with `-reasoning` or `-stripped` behind
 * its name or without; `-` may stand for the slash.  NULL if there is no such
 * format. */
const fragments *fragments_of(const char *name);

/* Set |i| of those that a word of a command line means: a set by its name,
 * `FORMAT*` for all sets of a format, `*` for those of all wires. */
const fragments *fragments_like(const char *word, size_t i);

/* Can text make a call?  It can where tokenizers match the markers of calls in
 * ordinary text, and where an option asks for calls without any. */
bool fragments_text_may_call(const fragments *);

/* With options as the set says, framing and raw text; NULL: no memory. */
tw_decoder *fragments_decoder(const fragments *);

#endif
