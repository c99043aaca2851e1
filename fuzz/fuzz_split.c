/* SPDX-License-Identifier: MIT
 *
 * Property: any cut of the same bytes gives the same events, with the same
 * offsets and spans; spans are a partition and what leaves is valid; what was
 * delivered of a prefix is never taken back.  Each chunk is a heap block of
 * its exact size, freed as soon as it is drained.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static void fails(const char *what, const event_log *a, const event_log *b)
{
    fprintf(stderr, "%s\n", what);
    event_log_print(a);
    if (b != NULL) {
        event_log_print(b);
    }
    abort();
}

static void check_cut(const fuzz_input *input, tw_decoder *decoder,
                      const event_log *whole, const feeding *how)
{
    event_log cut = {0};
    event_log_run(&cut, decoder, input->text, input->size, how, NULL, 0);
    if (!event_log_same(whole, &cut)) {
        fails("a cut changes the events", whole, &cut);
    }
    event_log_free(&cut);
}

static void check_prefix(const fuzz_input *input, tw_decoder *decoder,
                         const event_log *whole)
{
    event_log prefix = {0};
    char *copy = malloc(input->prefix + 1);
    if (copy == NULL) {
        abort();
    }
    for (size_t i = 0; i < input->prefix; i++) {
        copy[i] = input->text[i];
    }
    tw_decoder_reset(decoder);
    if (tw_decoder_feed(decoder, copy, input->prefix, TW_MARK_UNKNOWN) ==
        TW_OK) {
        event_log_drain(&prefix, decoder);
    }
    if (!event_log_extends(&prefix, whole)) {
        fails("something was taken back", whole, &prefix);
    }
    free(copy);
    event_log_free(&prefix);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    if (!fuzz_read(&input, data, size)) {
        return 0;
    }
    tw_decoder *decoder = fuzz_decoder(&input, input.options);
    if (decoder == NULL) {
        return 0;
    }
    const feeding all = {0, NULL, 0};
    const feeding two = {0, input.cuts, 2};
    const feeding chunks = {input.chunk, NULL, 0};
    event_log whole = {0};
    event_log_run(&whole, decoder, input.text, input.size, &all, NULL, 0);
    const char *wrong = event_log_check(&whole, input.size);
    if (wrong != NULL) {
        fails(wrong, &whole, NULL);
    }
    check_cut(&input, decoder, &whole, &two);
    check_cut(&input, decoder, &whole, &chunks);
    check_prefix(&input, decoder, &whole);
    event_log_free(&whole);
    tw_decoder_free(decoder);
    return 0;
}
