/* SPDX-License-Identifier: MIT
 *
 * A test that runs once for each format, by itself and at the same time as the
 * others:
 *
 *     EachFormat(suite, name, "decode")
 *     {
 *         ... format->text ...
 *     }
 *
 * runs for each format that has a file conformance/decode-FORMAT.jsonl.
 */
#ifndef TESTS_EACH_FORMAT_H
#define TESTS_EACH_FORMAT_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "support/formats.h"

static inline struct criterion_test_params each_format(const char *kind)
{
    enum { MOST_FORMATS = 256 };
    static format_name names[MOST_FORMATS];
    size_t count = 0;
    while (count < MOST_FORMATS &&
           format_with_cases(&names[count], CONFORMANCE_FOLDER, kind, count)) {
        count++;
    }
    return cr_make_param_array(format_name, names, count);
}

#define EachFormat(suite, name, kind)        \
    ParameterizedTestParameters(suite, name) \
    {                                        \
        return each_format(kind);            \
    }                                        \
    ParameterizedTest(const format_name *format, suite, name, .timeout = 1200)

#endif
