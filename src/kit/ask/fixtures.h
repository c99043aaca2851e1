/* SPDX-License-Identifier: MIT
 *
 * Cases that others wrote: lines of this kit's or of the conformance cases, or
 * one document of NVIDIA Dynamo's, in YAML or in JSON.
 */
#ifndef TOOLWIRE_KIT_FIXTURES_H
#define TOOLWIRE_KIT_FIXTURES_H

#include "kit/case.h"

enum { KIT_FIXTURE_WHY = 240 };

typedef enum kit_fixture {
    KIT_FIXTURE_END,
    KIT_FIXTURE_READ,
    KIT_FIXTURE_PASSED, /* the case has no answer that can be judged here */
    KIT_FIXTURE_BAD     /* |why| says it, with the place */
} kit_fixture;

typedef struct kit_fixtures {
    const tw_memory *memory;
    const char *text; /* of the file, the owner's */
    size_t size;
    size_t at;            /* LINES: where the next one begins */
    size_t line;          /* ... the number of the last one */
    bool lines;           /* it is no document */
    tw_tree tree;         /* of the line or of the document */
    const tw_value *next; /* of a document: its next case */
    char why[KIT_FIXTURE_WHY];
} kit_fixtures;

/* False: |why| says it. */
bool kit_fixtures_open(kit_fixtures *its, const tw_memory *memory,
                       const char *text, size_t size);
/* The next case; |format| NULL: the one that the file or the case names. */
kit_fixture kit_fixtures_next(kit_fixtures *its, kit_case *one,
                              const tw_format *format);
void kit_fixtures_free(kit_fixtures *its);

/* Writes a case as one of a document of Dynamo's, if it can be: it has one
 * right answer, and its wire is UTF-8. */
bool kit_jot_fixture(tw_json_out *out, tw_tree *scratch, const kit_case *one);

#endif
