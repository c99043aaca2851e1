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

#include "ends.h"
#include "json/tree.h"
#include "support/segments.h"

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
    tw_converter *converter = tw_converter_new(fuzz_end(fuzz_from(data)),
                                               fuzz_end(fuzz_to(data)), NULL);
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

static void encode(const uint8_t *data, size_t size)
{
    const tw_format *format = tw_format_find(fuzz_end(fuzz_from(data)));
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text;
    size_t length;
    if (encoder == NULL) {
        return;
    }
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, data[1] % 3);
    if (tw_encode(encoder, (const char *)data + 2, size - 2, &text, &length) ==
        TW_OK) {
        const char *fault =
            segments_fault(encoder, format, text, length, data[1] % 3 == 1);
        if (fault != NULL) {
            wrong(fault);
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
