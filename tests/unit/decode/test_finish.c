/* SPDX-License-Identifier: MIT
 *
 * How an output ends: a stop marker that the engine stripped completes what
 * it would have completed, and a token limit completes nothing.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "each_format.h"
#include "real_data.h"
#include "support/cases.h"
#include "support/stopped.h"

/* ---- the cases ---------------------------------------------------------- */

static void show(const char *id, const char *text, size_t size,
                 const char *wrong)
{
    naive_bytes words = {0};
    for (size_t i = 0; i < size; i++) {
        char byte[8];
        const unsigned char c = (unsigned char)text[i];
        snprintf(byte, sizeof byte, c < 32 || c > 126 ? "\\x%02x" : "%c", c);
        naive_add_text(&words, byte);
    }
    cr_expect(false, "%s: %s: %s", id, wrong, words.data);
    naive_release(&words);
}

/* Every beginning of every case: what a stop marker would complete there is
 * complete without. */
static void expect_stops(const char *format)
{
    unsigned long unjudged = 0;
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    for (size_t i = 0; i < file.count; i++) {
        const conformance_case *one = &file.cases[i];
        tw_decoder *decoder = case_decoder(one, false);
        for (size_t size = 0; size <= one->size; size++) {
            const char *wrong =
                stop_differs(decoder, one->format, one->text, size, &unjudged);
            if (wrong != NULL) {
                show(one->id, one->text, size, wrong);
            }
        }
        tw_decoder_free(decoder);
    }
    conformance_free(&file);
}

EachFormat(finish, stops, "decode")
{
    expect_stops(format->text);
}

/* ---- real completions --------------------------------------------------- */

/* "bfcl:live_simple_1-1-0@hermes/rnj-1": the dialect stands behind the @. */
static const tw_format *format_of(const tw_value *line)
{
    const char *at = strrchr(tw_value_member(line, "id")->text, '@');
    return at != NULL ? tw_format_find(at + 1) : NULL;
}

/* What a template wrote for a real call, less the stop marker at its end. */
Test(finish, real_completions)
{
    json_lines lines = read_compressed("completions.jsonl.gz");
    unsigned long unjudged = 0;
    size_t stripped = 0;
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *line = lines.lines[i].root;
        const tw_value *input = tw_value_member(line, "input");
        const tw_format *format = format_of(line);
        tw_decoder *decoder = tw_decoder_new(format, NULL);
        const size_t size =
            without_stop_marker(format, input->text, input->size);
        const char *wrong =
            stop_differs(decoder, format, input->text, size, &unjudged);
        stripped += size < input->size;
        if (wrong != NULL) {
            show(tw_value_member(line, "id")->text, input->text, size, wrong);
        }
        tw_decoder_free(decoder);
    }
    cr_expect_gt(stripped, 800, "%zu", stripped);
    json_lines_free(&lines);
}
