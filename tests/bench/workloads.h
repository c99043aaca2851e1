/* SPDX-License-Identifier: MIT
 *
 * What is decoded, made here and the same in every run:
 *
 *     W1   prose with a call every 20 KB, ASCII
 *     W1u  the same with 30 % other scripts
 *     W2   one call with one string of code
 *     W2d  the same, where many lines look like the end of the string
 *     W3   one call, 60 levels deep, with rows of numbers
 *     W4   completions of 300 bytes, a reset between them
 *     W5   the patterns of hostile.txt, each for itself
 */
#ifndef TOOLWIRE_TESTS_BENCH_WORKLOADS_H
#define TOOLWIRE_TESTS_BENCH_WORKLOADS_H

#include "text.h"
#include "toolwire.h"

enum { MEGABYTE = 1000000, DEPTH = 60, COMPLETION_SIZE = 300 };

enum { W1, W1U, W2, W2D, W3, W4, W5, WORKLOADS };
enum { GEMMA4, HARMONY, HERMES, FORMATS };

extern const char *const workload_names[WORKLOADS];
extern const char *const format_names[FORMATS];

/* -1: there is none of that name. */
int find_name(const char *name, const char *const *names, int count);

/* One message of a workload. */
typedef struct message {
    size_t end;      /* where it ends in the bytes */
    bool reasoning;  /* the prompt ended inside reasoning */
    bool stripped;   /* Harmony that lost its markers */
    const char *tag; /* of W5, the pattern's name; the workload's */
} message;

typedef struct workload {
    int kind, format;
    text bytes;
    message *messages;
    size_t count;
    bool known;     /* |calls|, |arguments| and |produced| say what is right */
    size_t calls;   /* complete ones */
    text arguments; /* W2, W2d, W3: the JSON that the call's must be */
    size_t begin;   /* ... and where they begin on the wire */
} workload;

/* Of about |size| bytes, for W5 for each pattern, each in its format. */
void make_workload(workload *, int kind, int format, size_t size);
/* Of W5, the pattern of that name alone. */
void make_pattern(workload *, const char *name, int format, size_t size);
void workload_free(workload *);

/* The prose, string or rows of W1, W1u, W2, W2d, W3 as something that comes
 * again and again: |head| |unit| |unit| ...; what stands behind the same
 * number of bytes of a unit costs the same if nothing grows. */
void make_period(text *head, text *unit, int kind, int format);

/* A decoder, and one made ready for a message. */
tw_decoder *format_decoder(int format, const tw_allocator *);
void start_message(tw_decoder *, const message *);

#endif
