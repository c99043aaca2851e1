/* SPDX-License-Identifier: MIT
 *
 * Declarations of tools that read back as others: each difference is told,
 * also those that no format of today makes.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "formats/encode.h"
#include "messages/transcript_reader.h"

#define FIRST "{\"type\":\"function\",\"function\":{\"name\":\"f\"}}"
#define SECOND "{\"type\":\"function\",\"function\":{\"name\":\"g\"}}"

typedef struct row {
    const char *back;    /* elements of the array that came back */
    const char *message; /* of the first loss; NULL: there is none */
} row;

static const row rows[] = {
    {FIRST "," SECOND, NULL},
    {FIRST, "The tool does not read back."},
    {"", "The tool does not read back."},
    {FIRST "," SECOND "," SECOND, "More tools read back than were declared."},
    {FIRST ",}", "The declarations of tools do not read back."},
    {SECOND "," SECOND, "The declaration reads back with another value."},
};

static void check(const row *its, const tw_value *tools,
                  const tw_memory *memory)
{
    tw_segments out;
    tw_transcript_reader reader;
    tw_segments_init(&out, memory, NULL, 0);
    tw_reader_init(&reader, memory);
    tw_json_put(&reader.tools, its->back);
    tw_encode_report_read_back(&out, tools, tw_segments_place(&out), &reader);
    const size_t count = tw_losses_count(&out.losses);
    cr_expect_eq(count > 0, its->message != NULL, "%s", its->back);
    if (count > 0 && its->message != NULL) {
        const char *message = tw_losses_at(&out.losses, 0)->message;
        cr_expect_str_eq(message, its->message, "%s", its->back);
    }
    tw_reader_free(&reader);
    tw_segments_free(&out);
}

Test(declarations, each_difference_is_told)
{
    static const char tools[] = "[" FIRST "," SECOND "]";
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    cr_assert_eq(tw_tree_read(&tree, tools, sizeof tools - 1, false), TW_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(&rows[i], tree.root, &memory);
    }
    tw_tree_free(&tree);
}
