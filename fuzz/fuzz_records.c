/* SPDX-License-Identifier: MIT
 *
 * Property: whatever a record holds, a converter gives valid JSON or an
 * error, and takes the next record; what is written of a shape can be read;
 * and a prompt's segments add up to its text, in which no marker but control
 * segments stands unless it was allowed.
 *
 * The first bytes choose from what to what, and the policy (ends.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ends.h"
#include "json/tree.h"
#include "message.h"
#include "support/facts.h"
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

/* What is written of a shape is one that can be read. */
static void read_back(tw_endpoint shape, const char *text, size_t size)
{
    const char *out;
    size_t out_size;
    tw_converter *converter = tw_converter_new(shape, shape, NULL);
    if (tw_record_shape_find(shape) == NULL || converter == NULL) {
        tw_converter_free(converter);
        return;
    }
    if (tw_converter_record(converter, text, size, &out, &out_size) != TW_OK) {
        fprintf(stderr, "%s: %.*s\n%s\n", shape, (int)size, text,
                tw_converter_error(converter)->message);
        wrong("what is written cannot be read");
    }
    check_json(out, out_size);
    tw_converter_free(converter);
}

/* What a record says as OpenAI has it; nothing: it is refused, or a loss is
 * reported. */
static void openai_of(facts *says, tw_tree *tree, tw_endpoint from,
                      const char *text, size_t size)
{
    const char *out;
    const tw_error *report;
    tw_converter *converter = tw_converter_new(from, "openai", NULL);
    if (tw_converter_record(converter, text, size, &out, &size) == TW_OK &&
        tw_converter_report(converter, 0, &report) == 0) {
        fuzz_parse(tree, out, size);
        facts_of(says, "openai", tree->root);
    }
    tw_converter_free(converter);
}

/* What one shape holds and another one was written of without a report is the
 * same conversation. */
static void check_losses(const uint8_t *data, size_t size, const char *out,
                         size_t out_size)
{
    const tw_endpoint from = fuzz_end(fuzz_from(data));
    const tw_endpoint to = fuzz_end(fuzz_to(data));
    if (tw_record_shape_find(from) == NULL ||
        tw_record_shape_find(to) == NULL) {
        return;
    }
    facts left = {0};
    facts right = {0};
    paths lost = {0};
    tw_tree trees[2] = {{0}, {0}};
    openai_of(&left, &trees[0], from, (const char *)data + FUZZ_ENDS,
              size - FUZZ_ENDS);
    openai_of(&right, &trees[1], to, out, out_size);
    if (left.count > 0 && right.count > 0) {
        differing_facts(&left, &right, &lost);
    }
    if (lost.count > 0) {
        fprintf(stderr, "%s to %s:\n", from, to);
        fuzz_wrong("a loss is not reported", lost.all[0],
                   (const char *)data + FUZZ_ENDS, size - FUZZ_ENDS, out,
                   out_size);
    }
    free_facts(&left);
    free_facts(&right);
    free_paths(&lost);
    for (size_t i = 0; i < 2; i++) {
        if (trees[i].root != NULL) {
            tw_tree_free(&trees[i]);
        }
    }
}

static void convert(const uint8_t *data, size_t size)
{
    const tw_endpoint to = fuzz_end(fuzz_to(data));
    tw_converter *converter =
        tw_converter_new(fuzz_end(fuzz_from(data)), to, NULL);
    const tw_error *report;
    const char *out;
    size_t out_size;
    if (converter == NULL) {
        return;
    }
    tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION,
                     data[FUZZ_ENDS - 1] >> 7);
    for (int i = 0; i < 2; i++) {
        if (tw_converter_record(converter, (const char *)data + FUZZ_ENDS,
                                size - FUZZ_ENDS, &out, &out_size) == TW_OK) {
            check_json(out, out_size);
            read_back(to, out, out_size);
            if (tw_converter_report(converter, 0, &report) == 0) {
                check_losses(data, size, out, out_size);
            }
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
    const unsigned policy = data[FUZZ_ENDS - 1] % 3;
    const char *text;
    size_t length;
    if (encoder == NULL) {
        return;
    }
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, policy);
    if (tw_encode(encoder, (const char *)data + FUZZ_ENDS, size - FUZZ_ENDS,
                  &text, &length) == TW_OK) {
        const char *fault = segments_fault(encoder, format, text, length,
                                           policy == TW_CONTROL_TEXT_ALLOW);
        if (fault != NULL) {
            wrong(fault);
        }
    }
    tw_encoder_free(encoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= FUZZ_ENDS) {
        convert(data, size);
        encode(data, size);
    }
    return 0;
}
