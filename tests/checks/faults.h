/* SPDX-License-Identifier: MIT
 *
 * Section 7: every allocation failing in turn gives TW_ERROR_MEMORY or the
 * full result, events are a prefix of the full ones, reset gives the full
 * result, nothing leaks; a second message of the same shape allocates
 * nothing.
 */
#ifndef TESTS_CHECKS_FAULTS_H
#define TESTS_CHECKS_FAULTS_H

#include <criterion/criterion.h>
#include <stdbool.h>

typedef struct rich {
    const char *format;
    bool reasoning; /* the prompt ended inside it */
    const char *prompt;
    const char *text;
} rich;

/* Each allocation fails once, or it and all that follow. */
void check_faults(const rich *texts, size_t count, bool for_ever);
/* Each fails once, with these tools; NULL: with two of its own. */
void check_faults_with(const rich *text, const char *tools);
void check_second_messages(const rich *texts, size_t count);

#endif
