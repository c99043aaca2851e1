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
    for (size_t i = 0; i < file.count; i++) {
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
