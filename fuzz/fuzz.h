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
#include <string.h>

#include "choice.h"
#include "support/events.h"
#include "support/fragments.h"
#include "toolwire.h"

enum { FUZZ_PARAMETERS = 8 };

/* Its bits above those of the options belong to the set, too. */
enum { FUZZ_OPTIONS = 64, FUZZ_SET_NUMBERS = 1024 };

/* The name of set |i|, for fuzz_choice(). */
static inline const char *fuzz_set_name(size_t i)
{
    const fragments *set = fragments_at(i);
    return set != NULL ? set->name : NULL;
}

/* What to read, and how. */
static inline const fragments *fuzz_set(uint8_t options, uint8_t set)
{
    static const fragments *sets[FUZZ_SET_NUMBERS];
    const uint32_t number = set + 256u * (options / FUZZ_OPTIONS);
    if (sets[number] == NULL) {
        sets[number] = fragments_at(fuzz_choice(fuzz_set_name, number));
    }
    return sets[number];
}

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
    input->options = its[6] % FUZZ_OPTIONS;
    input->set = fuzz_set(its[6], its[7]);
    return true;
}

/* What FUZZ_TOOLS declares: the tools that the set's texts call, with types
 * for values that stand on the wire without any; or names. */
static inline const char *fuzz_declared(const fragments *set)
{
    return set->tools != NULL ? set->tools : fuzz_tools;
}

/* With framing, so that spans are a partition; NULL: no memory. */
static inline tw_decoder *fuzz_decoder(const fuzz_input *input,
                                       unsigned options)
{
    tw_decoder *decoder = fragments_decoder(input->set);
    if (decoder == NULL) {
        return NULL;
    }
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, (options & FUZZ_NO_RAW) == 0);
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
        const char *tools = fuzz_declared(input->set);
        tw_decoder_set_tools(decoder, tools, strlen(tools));
    }
    if ((options & FUZZ_LIMIT_INPUT) != 0) {
        tw_decoder_set(decoder, TW_OPTION_LIMIT_INPUT, 40);
    }
    return decoder;
}

#endif
