/* SPDX-License-Identifier: MIT
 *
 * R3, strict mode: loose heads are text.
 */
#ifndef TESTS_CHECKS_STRICT_H
#define TESTS_CHECKS_STRICT_H

#include <criterion/criterion.h>

void expect_strict_text(const char *format, const char *text);

#endif
