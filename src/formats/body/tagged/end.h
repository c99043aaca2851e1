/* SPDX-License-Identifier: MIT
 *
 * Where a value between tags ends (docs/rules.md G1, with the nest of D4), and
 * what else stands between the parameters of a call.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_END_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_END_H

#include "formats/body/tagged/look.h"

typedef struct tw_value_end {
    tw_match found;      /* WHOLE: the value ends there; NONE: |next| is behind
                            what belongs to it; MORE */
    const uint8_t *next; /* where to go on */
    uint32_t code;       /* how it deviates, or 0 */
} tw_value_end;

/* Does the value end at |at|, a byte that may begin a word?  |line|: it is the
 * first of a line, or of the value. */
tw_value_end tw_tagged_end_at(tw_tagged_body *body, const uint8_t *at,
                              bool line);

/* Where the next word stands behind what a {skip} of the call passes over, or
 * the window's begin; *more: not decided before the window's end. */
const uint8_t *tw_tagged_behind_skip(const tw_tagged_body *body, bool *more);

/* A parameter of the declared tool that lacks the marker in front of its key,
 * at |at|; never CUT. */
tw_match tw_tagged_bare_opening(const tw_tagged_body *body, const uint8_t *at,
                                tw_opening *opening);
/* The parameter that the tool declares under |key|, as the key was written. */
const tw_parameter *tw_tagged_declared(const tw_tagged_body *body,
                                       const char *key, size_t size);

#endif
