/* SPDX-License-Identifier: MIT
 *
 * Property: a message that two formats carry without a report goes through
 * one and then through the other, and is the same behind both.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"

/* |line| written in a format and read back: a copy, freed by the caller;
 * NULL: the format does not carry it whole. */
static char *through(const tw_format *format, const char *line, size_t size,
                     size_t *back_size)
{
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *text;
    const char *back;
    size_t text_size;
    char *copy = NULL;
    if (tw_encode_completion(encoder, line, size, &text, &text_size) ==
            TW_OK &&
        !fuzz_loses(encoder)) {
        tw_tree tree;
        fuzz_parse(&tree, line, size);
        fuzz_start_inside(decoder, format, tree.root, text, text_size);
        tw_tree_free(&tree);
        if (tw_decode_message(decoder, writer, text, text_size, &back,
                              back_size) != TW_OK) {
            abort();
        }
        copy = malloc(*back_size + 1);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, back, *back_size);
    }
    tw_writer_free(writer);
    tw_decoder_free(decoder);
    tw_encoder_free(encoder);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_choices choices = {data, data + size};
    const tw_memory memory = tw_memory_from(NULL);
    const tw_format *one = fuzz_format(&choices);
    const tw_format *other = fuzz_format(&choices);
    tw_json_out json_out = {.memory = &memory};
    size_t first_size;
    size_t second_size;
    fuzz_jot_message(&json_out, &choices);
    char *first = through(one, (const char *)json_out.out.data,
                          json_out.out.size, &first_size);
    char *second =
        first != NULL ? through(other, first, first_size, &second_size) : NULL;
    if (second != NULL) {
        tw_tree before;
        tw_tree after;
        fuzz_parse(&before, (const char *)json_out.out.data,
                   json_out.out.size);
        fuzz_parse(&after, second, second_size);
        if (!fuzz_has_twins(before.root) &&
            !fuzz_same_message(before.root, after.root)) {
            fuzz_wrong("it became another", tw_format_name(other),
                       (const char *)json_out.out.data, json_out.out.size,
                       second, second_size);
        }
        tw_tree_free(&before);
        tw_tree_free(&after);
    }
    free(first);
    free(second);
    tw_buffer_free(&json_out.out, &memory);
    return 0;
}
