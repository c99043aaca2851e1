/* SPDX-License-Identifier: MIT
 *
 * Property: whatever a record holds, a converter gives valid JSON or an
 * error, and takes the next record; and a prompt's segments add up to its
 * text, in which no marker but control segments stands unless it was allowed.
 *
 * The first two bytes choose from what to what, and the policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/tree.h"

static const char *const ends[] = {
    "openai",      "sharegpt",     "anthropic",      "gemma4",
    "gemma4/fork", "harmony",      "harmony/jinja",  "hermes/qwen3",
    "hermes/nous", "hermes/rnj-1", "hermes/qwen2.5", "harmony/pyronet"};
enum { ENDS = sizeof ends / sizeof *ends };

static void wrong(const char *what)
{
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

static void check_json(const char *text, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    if (tw_tree_read(&tree, text, size, false) != TW_OK) {
        wrong("what is given is not JSON");
    }
    tw_tree_free(&tree);
}

static void convert(const uint8_t *data, size_t size)
{
    tw_converter *converter =
        tw_converter_new(ends[data[0] % ENDS], ends[data[1] % ENDS], NULL);
    const char *out;
    size_t out_size;
    if (converter == NULL) {
        return;
    }
    tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, data[1] >> 7);
    for (int i = 0; i < 2; i++) {
        if (tw_converter_record(converter, (const char *)data + 2, size - 2,
                                &out, &out_size) == TW_OK) {
            check_json(out, out_size);
        } else if (tw_converter_error(converter)->code == TW_ERROR_MEMORY) {
            wrong("there was memory");
        }
    }
    tw_converter_free(converter);
}

static bool holds_marker(const tw_format *format, const tw_segment *segment)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        for (size_t at = 0; at + marker->size <= segment->size; at++) {
            if (memcmp(segment->data + at, marker->text, marker->size) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void encode(const uint8_t *data, size_t size)
{
    const tw_format *format = tw_format_find(ends[data[0] % ENDS]);
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const tw_segment *segment;
    const char *text;
    size_t length;
    if (encoder == NULL) {
        return;
    }
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, data[1] % 3);
    if (tw_encode(encoder, (const char *)data + 2, size - 2, &text, &length) ==
        TW_OK) {
        size_t at = 0;
        while (tw_encoder_next(encoder, &segment) == 1) {
            if (segment->size > length - at ||
                memcmp(text + at, segment->data, segment->size) != 0) {
                wrong("the segments are not the text");
            }
            if (segment->control == 0 && data[1] % 3 != 1 &&
                holds_marker(format, segment)) {
                wrong("a marker stands in text");
            }
            at += segment->size;
        }
        if (at != length) {
            wrong("the segments end before the text");
        }
    }
    tw_encoder_free(encoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 2) {
        convert(data, size);
        encode(data, size);
    }
    return 0;
}
