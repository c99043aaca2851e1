/* SPDX-License-Identifier: MIT
 *
 * Requests, made here or real ones (prompts.jsonl.gz below TOOLWIRE_DATA), and
 * the logs that the command reads.
 */
#ifndef TOOLWIRE_TESTS_BENCH_REQUESTS_H
#define TOOLWIRE_TESTS_BENCH_REQUESTS_H

#include "workloads.h"

/* Lines, each with its line feed. */
typedef struct lines {
    text bytes;
    size_t count;
} lines;

/* Requests of several turns with tools, one a line. */
void make_requests(lines *, size_t count);
/* Completions such as those of W4, as {"text":...}. */
void make_log(lines *, int format, size_t size);

/* Real ones, again and again until there are |size| bytes.  false: there is
 * no TOOLWIRE_DATA, or nothing can be read. */
bool real_requests(lines *, size_t size);
bool real_log(lines *, int format, size_t size);

#endif
