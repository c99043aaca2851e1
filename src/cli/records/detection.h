/* SPDX-License-Identifier: MIT
 *
 * Which formats a text may be of: what each made of it, and which is best.
 */
#ifndef TOOLWIRE_CLI_RECORDS_DETECTION_H
#define TOOLWIRE_CLI_RECORDS_DETECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "toolwire.h"

enum { CLI_MARKERS_SEEN = 12 };

/* What a format made of all texts. */
typedef struct cli_candidate {
    const tw_format *format;
    uint64_t message; /* of all that was read */
    size_t calls;
    size_t thoughts; /* texts with reasoning */
    size_t starts;   /* texts that begin inside it */
    size_t unparsed;
    size_t deviations;
    size_t misfits;
    size_t framed;    /* markers of its own that are no text, and no stops */
    size_t left;      /* markers of any format that are text */
    uint64_t content; /* of the last text, as a hash, and its markers */
    size_t content_left;
    const tw_diagnostic *first;
    size_t seen[CLI_MARKERS_SEEN]; /* of its own markers */
} cli_candidate;

typedef struct cli_detection {
    cli_candidate *all;
    size_t count;
    size_t texts;
    bool failed; /* no memory */
} cli_detection;

typedef enum cli_verdict {
    CLI_VERDICT_NONE, /* nothing in it is of a format */
    CLI_VERDICT_NEAR, /* none reads it without a deviation */
    CLI_VERDICT_TIED, /* two do, and read it differently */
    CLI_VERDICT_ONE   /* the first of |all| does, or some alike */
} cli_verdict;

/* All formats, which have read nothing; false: no memory. */
bool cli_detection_begin(cli_detection *found);
/* Has each format read one more text. */
void cli_detection_read(cli_detection *found, const char *text, size_t size);
/* Puts the best in front. */
cli_verdict cli_detection_judge(cli_detection *found);
/* Is there another reading that is as good as the best? */
bool cli_detection_is_tied(const cli_detection *found);
void cli_detection_drop(cli_detection *found);

bool cli_candidate_has_evidence(const cli_candidate *one);
/* Below 0: the first is better. */
int cli_candidate_compare(const cli_candidate *one,
                          const cli_candidate *other);
/* Both are as good, and read the same. */
bool cli_candidate_is_alike(const cli_candidate *one,
                            const cli_candidate *other);
/* The i-th marker that structures a completion, NULL behind the last. */
const tw_marker *cli_detection_marker(const tw_format *format, size_t i);

#endif
