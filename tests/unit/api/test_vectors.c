/* SPDX-License-Identifier: MIT
 *
 * conformance/vectors.jsonl, the list that all bindings read alike: what C
 * itself makes of each row (tests/python/vectors.py tells what a row says).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "toolwire.h"

static const tw_value *member(const tw_value *row, const char *key)
{
    const tw_value *value = tw_value_member(row, key);
    return value != NULL && value->kind == TW_VALUE_STRING ? value : NULL;
}

static const char *word(const tw_value *row, const char *key)
{
    const tw_value *value = member(row, key);
    return value != NULL ? value->text : "";
}

/* The text comes out, or the error's name. */
static void expect(const tw_value *row, int result, const char *text,
                   size_t size)
{
    const char *id = word(row, "id");
    const tw_value *expected = member(row, "expect");
    if (expected == NULL) {
        cr_assert(result < 0, "%s: no error", id);
        cr_assert_str_eq(tw_error_name(result), word(row, "error"), "%s", id);
        return;
    }
    cr_assert_eq(result, TW_OK, "%s: %d", id, result);
    cr_assert(size == expected->size &&
                  memcmp(text, expected->text, size) == 0,
              "%s: %.*s", id, (int)size, text);
}

static void convert(const tw_value *row, const char *from, const char *to)
{
    const tw_value *input = member(row, "input");
    tw_converter *converter = tw_converter_new(from, to, NULL);
    const char *text = NULL;
    size_t size = 0;
    cr_assert_not_null(converter, "%s", word(row, "id"));
    const int result =
        strcmp(to, "message") == 0
            ? tw_converter_text(converter, input->text, input->size, &text,
                                &size)
            : tw_converter_record(converter, input->text, input->size, &text,
                                  &size);
    expect(row, result, text, size);
    tw_converter_free(converter);
}

static void encode(const tw_value *row, bool completion)
{
    const tw_value *input = member(row, "input");
    tw_encoder *encoder =
        tw_encoder_new(tw_format_find(word(row, "format")), NULL);
    const char *text = NULL;
    size_t size = 0;
    cr_assert_not_null(encoder, "%s", word(row, "id"));
    const int result =
        completion ? tw_encode_completion(encoder, input->text, input->size,
                                          &text, &size)
                   : tw_encode(encoder, input->text, input->size, &text,
                               &size);
    expect(row, result, text, size);
    tw_encoder_free(encoder);
}

static void write_events(tw_decoder *decoder, tw_writer *writer,
                         naive_bytes *out)
{
    const tw_event *event;
    const char *line;
    size_t size;
    while (tw_decoder_next(decoder, &event) == 1) {
        cr_assert_eq(tw_writer_event(writer, event), TW_OK);
        while (tw_writer_take(writer, &line, &size) == 1) {
            naive_add(out, "\n", out->size > 0);
            naive_add(out, line, size);
        }
    }
}

static tw_shape shape_of(const char *api)
{
    return strcmp(api, "chunks") == 0      ? TW_SHAPE_CHUNKS
           : strcmp(api, "responses") == 0 ? TW_SHAPE_RESPONSES
                                           : TW_SHAPE_ANTHROPIC;
}

static void stream(const tw_value *row)
{
    const tw_value *input = member(row, "input");
    const size_t piece = strtoul(tw_value_member(row, "piece")->text, NULL, 10);
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(word(row, "format")), NULL);
    tw_writer *writer = tw_writer_new(shape_of(word(row, "api")), NULL);
    naive_bytes out = {0};
    cr_assert_not_null(decoder, "%s", word(row, "id"));
    for (size_t at = 0; at < input->size; at += piece) {
        const size_t left = input->size - at;
        tw_decoder_feed(decoder, input->text + at, left < piece ? left : piece,
                        TW_MARK_UNKNOWN);
        write_events(decoder, writer, &out);
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    write_events(decoder, writer, &out);
    expect(row, TW_OK, out.data, out.size);
    naive_release(&out);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
}

Test(vectors, each)
{
    FILE *file = fopen(CONFORMANCE_FOLDER "/vectors.jsonl", "rb");
    cr_assert_not_null(file);
    json_lines read = json_lines_read(file);
    cr_assert(read.count > 400);
    for (size_t i = 0; i < read.count; i++) {
        const tw_value *row = read.lines[i].root;
        const char *what = word(row, "do");
        if (strcmp(what, "decode") == 0) {
            convert(row, word(row, "format"), "message");
        } else if (strcmp(what, "convert") == 0) {
            convert(row, word(row, "from"), word(row, "to"));
        } else if (strcmp(what, "stream") == 0) {
            stream(row);
        } else {
            encode(row, strcmp(what, "completion") == 0);
        }
    }
    json_lines_free(&read);
    fclose(file);
}
