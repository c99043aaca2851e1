/* SPDX-License-Identifier: MIT
 *
 * What random texts of each format are made of.
 */
#ifndef TOOLWIRE_TESTS_FRAGMENTS_H
#define TOOLWIRE_TESTS_FRAGMENTS_H

#include "../naive/naive.h"

typedef struct fragments {
    const char *format; /* the set's name */
    const char *wire;   /* the format's name */
    bool stripped;
    bool reasoning;
    void (*naive)(const naive_options *, const char *, size_t,
                  naive_message *);
    const char *const *parts; /* markers, brackets, quotes, ... */
    uint32_t part_count;
    const char *const *texts; /* longer ones that make sense */
    uint32_t text_count;
} fragments;

/* NULL if there is no such set. */
const fragments *fragments_of(const char *format);

#endif
