/* SPDX-License-Identifier: MIT
 *
 * A format from a description that is right: the test fails with the library's
 * words where the description is refused.
 */
#ifndef TESTS_LOADING_H
#define TESTS_LOADING_H

#include <criterion/criterion.h>
#include <string.h>

#include "toolwire.h"

/* To be freed with tw_format_free(). */
static inline tw_format *loaded_from(const char *json)
{
    tw_format *format;
    tw_format_error error;
    const int result =
        tw_format_load(json, strlen(json), NULL, &format, &error);
    cr_assert_eq(result, TW_OK, "%s: %s", json, error.message);
    cr_assert_eq(error.code, TW_OK);
    return format;
}

#endif
