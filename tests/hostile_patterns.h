/* SPDX-License-Identifier: MIT
 *
 * The patterns of hostile.txt.  What cannot be read there ends the program.
 */
#ifndef TOOLWIRE_TESTS_HOSTILE_PATTERNS_H
#define TOOLWIRE_TESTS_HOSTILE_PATTERNS_H

#include <stdbool.h>
#include <stdio.h>

enum { HOSTILE_LINE_SIZE = 4096, HOSTILE_PART_SIZE = 70000 };

typedef struct hostile_part {
    char bytes[HOSTILE_PART_SIZE];
    size_t size;
} hostile_part;

typedef struct hostile_pattern {
    char line[HOSTILE_LINE_SIZE];
    const char *name;
    const char *format;
    hostile_part prefix, unit, suffix;
} hostile_pattern;

/* The file; another one where the environment variable HOSTILE_FILE says. */
FILE *hostile_open(void);
/* The next pattern; false: there is none. */
bool hostile_read(FILE *, hostile_pattern *);
/* |size| bytes of its unit between prefix and suffix, |all| with them; the
 * caller's, to be given to free(). */
char *hostile_text(const hostile_pattern *, size_t size, size_t *all);

#endif
