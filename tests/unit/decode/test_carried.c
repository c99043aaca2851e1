/* SPDX-License-Identifier: MIT
 *
 * E4 for one message: what a completion does not carry is refused or
 * reported by its path.  conformance/carried.jsonl has messages that fuzzing
 * found (fuzz_value, fuzz_cross, fuzz_canonical, fuzz_encode): the path that
 * is refused, or that of the first report, and the text where that matters.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "json_file.h"

static const char *text_of(const tw_value *line, const char *key)
{
    const tw_value *value = tw_value_member(line, key);
    return value != NULL ? value->text : NULL;
}

static void check_path(const char *what, const char *path, const char *wanted)
{
    cr_expect(path != NULL && strcmp(path, wanted) == 0, "%s: %s, not %s",
              what, path != NULL ? path : "no path", wanted);
}

static void check(const tw_value *line)
{
    const char *format = text_of(line, "format");
    const char *lost = text_of(line, "lost");
    const char *refused = text_of(line, "refused");
    const tw_value *wanted = tw_value_member(line, "text");
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    naive_bytes message = json_text(tw_value_member(line, "message"));
    naive_bytes what = {0};
    const char *text;
    size_t size;
    const tw_error *report;
    naive_add_text(&what, format);
    naive_add_text(&what, ", ");
    naive_add(&what, message.data, message.size);
    const int result = tw_encode_completion(encoder, message.data,
                                            message.size, &text, &size);
    cr_expect_eq(result, refused != NULL ? TW_ERROR_CANNOT_CARRY : TW_OK,
                 "%s: %d", what.data, result);
    if (result != TW_OK && refused != NULL) {
        check_path(what.data, tw_encoder_error(encoder)->path, refused);
    }
    if (result == TW_OK) {
        const bool reported = tw_encoder_report(encoder, 0, &report) == 1;
        cr_expect_eq(reported, lost != NULL, "%s: %s", what.data,
                     reported ? report->path : "not reported");
        if (reported && lost != NULL) {
            check_path(what.data, report->path, lost);
        }
        cr_expect(wanted == NULL || (wanted->size == size &&
                                     memcmp(wanted->text, text, size) == 0),
                  "%s: %.*s", what.data, (int)size, text);
    }
    naive_release(&message);
    naive_release(&what);
    tw_encoder_free(encoder);
}

Test(carried, cases)
{
    check_lines("carried.jsonl", check);
}
