/* SPDX-License-Identifier: MIT
 *
 * E1: where a template is broken the undamaged form is written, and the place
 * is reported as a defect; and nowhere else.  conformance/defects.jsonl has
 * requests, and for each format the paths of all its defects.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "json_file.h"

static void check(const char *format, const naive_bytes *request,
                  const char *wanted)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    const tw_error *report;
    const char *text;
    size_t size;
    char found[1024] = "";
    cr_assert_eq(
        tw_encode(encoder, request->data, request->size, &text, &size), TW_OK,
        "%s: %s", format, request->data);
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        if (report->detail == TW_LOSS_TEMPLATE_DEFECT) {
            const char *path = report->path != NULL ? report->path : "-";
            cr_assert_lt(strlen(found) + strlen(path) + 2, sizeof found);
            strcat(strcat(found, *found != 0 ? " " : ""), path);
        }
    }
    cr_expect_str_eq(found, wanted, "%s: %s: [%s], not [%s]", format,
                     request->data, found, wanted);
    tw_encoder_free(encoder);
}

static void check_line(const tw_value *line)
{
    naive_bytes request = json_text(tw_value_member(line, "request"));
    const tw_value *at = tw_value_member(line, "defects")->first;
    cr_assert_not_null(at);
    for (; at != NULL; at = at->next) {
        check(at->key, &request, at->text);
    }
    naive_release(&request);
}

Test(defects, are_reported_where_they_are)
{
    check_lines("defects.jsonl", check_line);
}
