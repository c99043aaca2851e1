/* SPDX-License-Identifier: MIT
 *
 * Described formats: each allocation fails in turn while the cases of
 * conformance/formats are decoded, so that bodies of all kinds run out of
 * memory in all their places.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "checks/faults.h"
#include "support/cases.h"

static void check_file(const char *path)
{
    conformance file = conformance_read_file(path, tw_format_find);
    for (size_t i = 0; i < file.count; i += TESTS_SHARE) {
        const conformance_case *one = &file.cases[i];
        if (one->format == NULL || one->message != NULL ||
            strlen(one->text) != one->size) {
            continue;
        }
        const rich row = {
            .format = one->format_name,
            .reasoning = one->options.start_reasoning,
            .text = one->text,
        };
        check_faults_with(&row, one->tools);
    }
    conformance_free(&file);
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
    DIR *folder = opendir(CONFORMANCE_FOLDER "/formats");
    cr_assert_not_null(folder);
    size_t files = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%s/formats/%s", CONFORMANCE_FOLDER,
                 entry->d_name);
        if (strstr(entry->d_name, ".jsonl") != NULL) {
            check_file(path);
            files++;
        }
    }
    closedir(folder);
    cr_assert_gt(files, 60);
}
