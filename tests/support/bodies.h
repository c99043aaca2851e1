/* SPDX-License-Identifier: MIT
 *
 * How calls are written, for texts of any format: the words of each notation,
 * and whole texts of it.  A format's own markers stand in them as holes, so
 * that formats that write calls alike share them.
 */
#ifndef TOOLWIRE_TESTS_BODIES_H
#define TOOLWIRE_TESTS_BODIES_H

#include <stdbool.h>

#include "toolwire.h"

/* A hole: the byte BODY_HOLE + a tw_marker_role stands for the format's first
 * marker of that role that decoders read, BODY_STOP for its first end marker
 * at which generation stops.  Of a text whose markers a format lacks it has
 * no use. */
enum { BODY_HOLE = 0x10, BODY_STOP = 0x1F };

/* All lists are NULL-ended. */
typedef struct body {
    const char *const *words;    /* what stands between markers */
    const char *const *texts;    /* what makes sense, or nearly */
    const char *const *alphabet; /* what every short string is made of */
    bool json;                   /* JSON's words are words of it, too */
    bool bare;                   /* it is read without its markers, too */
} body;

/* Words of JSON that any format's text may hold. */
extern const char *const json_words[];

/* The notation of a format's calls, by what markers it has. */
const body *body_of(const tw_format *);

#endif
