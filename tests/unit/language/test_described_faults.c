/* SPDX-License-Identifier: MIT
 *
 * Described formats: each allocation fails in turn while the cases of
 * conformance/formats are decoded, so that bodies of all kinds run out of
 * memory in all their places.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "checks/faults.h"
#include "support/cases.h"

static void check_case(const conformance_case *one)
{
    static size_t count;
    const rich row = {
        .format = one->format_name,
        .reasoning = one->options.start_reasoning,
        .text = one->text,
    };
    if (one->message == NULL && strlen(one->text) == one->size &&
        count++ % TESTS_SHARE == 0) {
        check_faults_with(&row, one->tools);
    }
}

/* What first needs memory is a number, or an id that is made of a name. */
Test(faults, first_of_a_call)
{
    static const char digits[] =
        "[f(a=12345678901234567890123456789012345678901234567890123456789012"
        "345678901234567890)]";
    static const rich rows[] = {
        {"llama4", false, NULL, "[f(1)]"},
        {"llama4", false, NULL, digits},
        {"kimi-k2", false, NULL,
         "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0"
         "<|tool_call_argument_begin|>{}<|tool_call_end|>"
         "<|tool_calls_section_end|>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_faults_with(&rows[i], NULL);
    }
}

Test(faults, described)
{
    cr_assert_gt(conformance_each_described(CONFORMANCE_FOLDER, check_case),
                 60);
}
