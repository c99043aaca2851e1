/* SPDX-License-Identifier: MIT
 *
 * Property: what a decoder makes of any text, and an encoder carries without
 * a report, is a fixed point: it is read back as the same line, and written
 * as the same text again (DESIGN E5).
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"

/* The message of a text, copied.  The decoder is freed. */
static char *line_of(tw_decoder *decoder, const char *text, size_t size,
                     size_t *line_size)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *line;
    if (tw_decode_message(decoder, writer, text, size, &line, line_size) !=
        TW_OK) {
        abort();
    }
    char *copy = malloc(*line_size + 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, line, *line_size);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
    return copy;
}

/* What is carried whole; NULL: nothing. */
static char *text_of(const tw_format *format, const char *line, size_t size,
                     size_t *text_size)
{
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text;
    char *copy = NULL;
    if (tw_encode_completion(encoder, line, size, &text, text_size) == TW_OK &&
        !fuzz_loses(encoder)) {
        copy = malloc(*text_size + 1);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, text, *text_size);
    }
    tw_encoder_free(encoder);
    return copy;
}

/* Blocks that are no call are in the line, but no encoder writes them. */
static bool holds_unparsed(const char *line, size_t size)
{
    tw_tree tree;
    fuzz_parse(&tree, line, size);
    const bool holds = tw_value_member(tree.root, "toolwire") != NULL;
    tw_tree_free(&tree);
    return holds;
}

static void check_again(const tw_format *format, const char *line, size_t size,
                        const char *text, size_t text_size)
{
    const char *name = tw_format_name(format);
    size_t back_size;
    size_t again_size;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_tree tree;
    fuzz_parse(&tree, line, size);
    fuzz_start_inside(decoder, format, tree.root, text, text_size);
    tw_tree_free(&tree);
    char *back = line_of(decoder, text, text_size, &back_size);
    if (back_size != size || memcmp(back, line, size) != 0) {
        fuzz_wrong("another line", name, line, size, back, back_size);
    }
    char *again = text_of(format, back, back_size, &again_size);
    if (again == NULL || again_size != text_size ||
        memcmp(again, text, text_size) != 0) {
        fuzz_wrong("another text", name, text, text_size,
                   again != NULL ? again : "none",
                   again != NULL ? again_size : 4);
    }
    free(again);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    if (!fuzz_read(&input, data, size)) {
        return 0;
    }
    const tw_format *format = input.set->format;
    size_t line_size;
    size_t text_size;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, input.set->reasoning);
    char *line = line_of(decoder, input.text, input.size, &line_size);
    char *text = holds_unparsed(line, line_size)
                     ? NULL
                     : text_of(format, line, line_size, &text_size);
    if (text != NULL) {
        check_again(format, line, line_size, text, text_size);
    }
    free(text);
    free(line);
    return 0;
}
