/* SPDX-License-Identifier: MIT
 *
 * What random soups and fuzzing once found, cut everywhere and as the naive
 * decoder says.
 */
#ifndef TESTS_CHECKS_FOUND_H
#define TESTS_CHECKS_FOUND_H

#include <criterion/criterion.h>

#define TWENTY "aaaaaaaaaaaaaaaaaaaa"
#define B60 TWENTY_BLANKS TWENTY_BLANKS TWENTY_BLANKS
#define TWENTY_BLANKS "                    "
#define BLANKS B60 B60 B60 B60 B60 /* more than are held beside a call */
#define LONG_NAME                                                         \
    TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY \
        TWENTY TWENTY TWENTY

typedef struct found {
    const char *set; /* of fragments */
    const char *text;
} found;

void check_found(const found *rows, size_t count);

#endif
