/* SPDX-License-Identifier: MIT
 *
 * Real completions and JSON texts, which the project does not hold: they are
 * found by TOOLWIRE_DATA.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "formats/frame/message.h"
#include "messages/pytext.h"
#include "real_data.h"

enum { COMPLETIONS = 1196, PATH_SIZE = 4096, TEXT_SIZE = 1 << 20 };

/* ---- completions -------------------------------------------------------- */

/* "bfcl:live_simple_1-1-0@hermes/rnj-1": the dialect stands behind the @. */
static const tw_format *format_of(const tw_value *line)
{
    const char *at = strrchr(tw_value_member(line, "id")->text, '@');
    cr_assert_not_null(at);
    const tw_format *format = tw_format_find(at + 1);
    cr_assert_not_null(format, "%s", at);
    return format;
}

static void expect_decoded(const tw_value *line, size_t chunk)
{
    const char *id = tw_value_member(line, "id")->text;
    const tw_value *input = tw_value_member(line, "input");
    const feeding how = {chunk, NULL, 0};
    event_log log = {0};
    tw_decoder *decoder = tw_decoder_new(format_of(line), NULL);
    tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
    event_log_run(&log, decoder, input->text, input->size, &how, NULL, 0);
    const char *wrong = event_log_check(&log, input->size);
    if (wrong == NULL) {
        wrong = calls_differ(&log, tw_value_member(line, "tool_calls"));
    }
    for (size_t i = 0; i < log.count && wrong == NULL; i++) {
        if (log.events[i].type == TW_EVENT_DIAGNOSTIC ||
            log.events[i].type == TW_EVENT_UNPARSED) {
            wrong = tw_diagnostic_get(log.events[i].code)->name;
        }
    }
    cr_assert_null(wrong, "%s, chunk %zu: %s", id, chunk, wrong);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

static void expect_completions(size_t chunk)
{
    json_lines lines = read_compressed("completions.jsonl.gz");
    cr_assert_eq(lines.count, COMPLETIONS);
    for (size_t i = 0; i < lines.count; i++) {
        expect_decoded(lines.lines[i].root, chunk);
    }
    json_lines_free(&lines);
}

/* R3: what real templates write for real calls decodes to the calls, and
 * nothing of it is a deviation, however it is cut (R1). */
Test(data, completions_whole)
{
    expect_completions(0);
}

Test(data, completions_in_bytes)
{
    expect_completions(1);
}

Test(data, completions_in_threes)
{
    expect_completions(3);
}

Test(data, completions_in_sevens)
{
    expect_completions(7);
}

/* ---- formats without prompts -------------------------------------------- */

/* {"role":"assistant","content":"Hm.","tool_calls":[...]} */
static naive_bytes message_of(const tw_value *calls)
{
    static tw_memory memory;
    tw_buffer arguments = {0};
    naive_bytes message = {0};
    memory = tw_memory_from(NULL);
    naive_add_text(&message, "{\"role\":\"assistant\",\"content\":\"Hm.\","
                             "\"tool_calls\":[");
    for (const tw_value *at = calls->first; at != NULL; at = at->next) {
        arguments.size = 0;
        cr_assert(tw_python_dump(&arguments, &memory,
                                 tw_value_member(at, "arguments"),
                                 &tw_dump_spaced, false));
        naive_add_text(&message, at == calls->first ? "" : ",");
        naive_add_text(&message,
                       "{\"type\":\"function\",\"function\":{\"name\":\"");
        naive_add_text(&message, tw_value_member(at, "name")->text);
        naive_add_text(&message, "\",\"arguments\":");
        naive_add(&message, (const char *)arguments.data, arguments.size);
        naive_add_text(&message, "}}");
    }
    naive_add_text(&message, "]}");
    tw_buffer_free(&arguments, &memory);
    return message;
}

static void expect_written(const tw_format *format, const tw_value *line)
{
    const char *id = tw_value_member(line, "id")->text;
    const tw_value *calls = tw_value_member(line, "tool_calls");
    naive_bytes message = message_of(calls);
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    const tw_error *report;
    const feeding how = {3, NULL, 0};
    event_log log = {0};
    const char *text;
    size_t size;
    const int result = tw_encode_completion(encoder, message.data,
                                            message.size, &text, &size);
    if (result == TW_ERROR_CANNOT_CARRY &&
        tw_description_has_elements(format->description)) {
        tw_decoder_free(decoder); /* a key that no tag has: `/Applications` */
        tw_encoder_free(encoder);
        naive_release(&message);
        return;
    }
    cr_assert_eq(result, TW_OK, "%s, %s: %s", format->name, id,
                 tw_encoder_error(encoder)->message);
    /* Text beside calls, an order of keys, types that no tool declares. */
    const tw_description *description = format->description;
    const bool may_lose = description->calls_alone || description->sorted ||
                          tw_description_is_typed(description);
    cr_expect(tw_encoder_report(encoder, 0, &report) == 0 || may_lose,
              "%s, %s", format->name, id);
    tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
    tw_decoder_set(decoder, TW_OPTION_START_REASONING,
                   tw_frame_closes_first(description, text, size));
    event_log_run(&log, decoder, text, size, &how, NULL, 0);
    const char *wrong = event_log_check(&log, size);
    wrong = wrong != NULL || may_lose ? wrong : calls_differ(&log, calls);
    for (size_t i = 0; i < log.count && wrong == NULL && !may_lose; i++) {
        if (log.events[i].type == TW_EVENT_DIAGNOSTIC) {
            wrong = tw_diagnostic_get(log.events[i].code)->name;
        }
    }
    cr_expect_null(wrong, "%s, %s: %s", format->name, id, wrong);
    event_log_free(&log);
    tw_decoder_free(decoder);
    tw_encoder_free(encoder);
    naive_release(&message);
}

/* E5 for formats of which no template's texts are at hand: the same real
 * calls, written and read back. */
Test(data, completions_written)
{
    json_lines lines = read_compressed("completions.jsonl.gz");
    const tw_format *format;
    size_t tried = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        for (size_t line = 0;
             format->family->complete != NULL && line < lines.count;
             line += TESTS_SHARE) {
            expect_written(format, lines.lines[line].root);
            tried++;
        }
    }
    cr_expect_geq(tried, COMPLETIONS / TESTS_SHARE);
    json_lines_free(&lines);
}

/* ---- JSONTestSuite ------------------------------------------------------ */

static size_t read_text(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    const size_t size = fread(text, 1, TEXT_SIZE, file);
    cr_assert_lt(size, TEXT_SIZE);
    fclose(file);
    return size;
}

/* Each piece in a block of its exact size, so that no read goes beyond. */
static int read_in_pieces(tw_tree *tree, const char *text, size_t size,
                          size_t piece)
{
    int result = TW_OK;
    tw_tree_begin(tree, false);
    for (size_t at = 0; at < size && result == TW_OK; at += piece) {
        const size_t length = size - at < piece ? size - at : piece;
        char *copy = malloc(length);
        cr_assert_not_null(copy);
        memcpy(copy, text + at, length);
        result = tw_tree_feed(tree, copy, length);
        free(copy);
    }
    return result == TW_OK ? tw_tree_end(tree) : result;
}

static void expect_read(const char *name, const char *text, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    const int expected = name[0] == 'y' ? TW_OK : TW_ERROR_JSON;
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    const int whole = tw_tree_read(&tree, text, size, false);
    const uint64_t offset = tree.offset;
    cr_assert(name[0] == 'i' || whole == expected, "%s: %d", name, whole);
    cr_assert(tree.error != TW_OK || offset == size);
    for (size_t piece = 1; piece <= 3; piece++) {
        cr_assert_eq(read_in_pieces(&tree, text, size, piece), whole,
                     "%s in pieces of %zu", name, piece);
        cr_assert_eq(tree.offset, offset, "%s: the offset in pieces of %zu",
                     name, piece);
    }
    tw_tree_free(&tree);
}

/* R3, R14: the reader is RFC 8259's where repairs are off. */
Test(data, json_test_suite)
{
    char path[PATH_SIZE];
    char *text = malloc(TEXT_SIZE);
    size_t count = 0;
    snprintf(path, sizeof path, "%s/JSONTestSuite/test_parsing",
             data_folder());
    DIR *folder = opendir(path);
    cr_assert_not_null(folder, "%s", path);
    const size_t length = strlen(path);
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (strstr(entry->d_name, ".json") != NULL) {
            snprintf(path + length, sizeof path - length, "/%s",
                     entry->d_name);
            const size_t size = read_text(path, text);
            expect_read(entry->d_name, text, size);
            count++;
        }
    }
    closedir(folder);
    cr_assert_eq(count, 318);
    free(text);
}
