/* SPDX-License-Identifier: MIT
 *
 * What all targets share.  An input is the text of a completion, so that seeds
 * stay readable, and behind it the parameters of the run:
 *
 *     text | prefix (2) cut (2) cut (1) chunk (1) options (1) set (1)
 *
 * A target states one property and calls abort() where it does not hold.
 */
#ifndef TOOLWIRE_FUZZ_H
#define TOOLWIRE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/events.h"
#include "support/fragments.h"
#include "toolwire.h"

enum { FUZZ_PARAMETERS = 8 };

/* By number: what to read, and how. */
static const char *const fuzz_sets[] = {
    "gemma4",           "hermes",           "harmony",  "gemma4-reasoning",
    "hermes-reasoning", "harmony-stripped", "nemotron", "nemotron-reasoning",
    "mistral",          "mistral-reasoning"};

enum { FUZZ_SETS = sizeof fuzz_sets / sizeof fuzz_sets[0] };

enum {
    FUZZ_STRICT = 1,
    FUZZ_NO_CALLS_IN_REASONING = 2,
    FUZZ_SMALL_LIMITS = 4,
    FUZZ_TOOLS = 8,
    FUZZ_LIMIT_INPUT = 16,
    FUZZ_NO_RAW = 32
};

static const char fuzz_tools[] =
    "[\"f\", \"get_weather\", \"a b\", \"functions\", \"x.y\"]";
static const char *const fuzz_tool_names[] = {"f", "get_weather", "a b",
                                              "functions", "x.y"};

typedef struct fuzz_input {
    const char *text;
    size_t size;
    size_t prefix;  /* what was delivered of that much stays true */
    size_t cuts[2]; /* ascending */
    size_t chunk;
    unsigned options;
    const fragments *set;
} fuzz_input;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline bool fuzz_read(fuzz_input *input, const uint8_t *data,
                             size_t size)
{
    if (size < FUZZ_PARAMETERS) {
        return false;
    }
    input->text = (const char *)data;
    input->size = size - FUZZ_PARAMETERS;
    const uint8_t *its = data + input->size;
    const size_t room = input->size + 1;
    input->prefix = (its[0] + its[1] * (size_t)256) % room;
    input->cuts[0] = (its[2] + its[3] * (size_t)256) % room;
    input->cuts[1] = (input->cuts[0] + its[4]) % room;
    if (input->cuts[1] < input->cuts[0]) {
        input->cuts[1] = input->size;
    }
    input->chunk = 1 + its[5] % 16;
    input->options = its[6] & 63;
    input->set = fragments_of(fuzz_sets[(its[7] & 15) % FUZZ_SETS]);
    return true;
}

/* With framing, so that spans are a partition; NULL: no memory. */
static inline tw_decoder *fuzz_decoder(const fuzz_input *input,
                                       unsigned options)
{
    const fragments *set = input->set;
    tw_decoder *decoder = tw_decoder_new(tw_format_find(set->wire), NULL);
    if (decoder == NULL) {
        return NULL;
    }
    tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, (options & FUZZ_NO_RAW) == 0);
    tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, set->stripped);
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, set->reasoning);
    tw_decoder_set(decoder, TW_OPTION_STRICT, (options & FUZZ_STRICT) != 0);
    if ((options & FUZZ_NO_CALLS_IN_REASONING) != 0) {
        tw_decoder_set(decoder, TW_OPTION_CALLS_IN_REASONING, 0);
    }
    if ((options & FUZZ_SMALL_LIMITS) != 0) {
        tw_decoder_set(decoder, TW_OPTION_LIMIT_DEPTH, 3);
        tw_decoder_set(decoder, TW_OPTION_LIMIT_NAME, 4);
        tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, 24);
        tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, 2);
    }
    if ((options & FUZZ_TOOLS) != 0) {
        tw_decoder_set_tools(decoder, fuzz_tools, sizeof fuzz_tools - 1);
    }
    if ((options & FUZZ_LIMIT_INPUT) != 0) {
        tw_decoder_set(decoder, TW_OPTION_LIMIT_INPUT, 40);
    }
    return decoder;
}

#endif
