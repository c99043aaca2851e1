/* SPDX-License-Identifier: MIT
 *
 * The slips, each a place that is found in the wire and what stands there
 * instead.
 */
#include "kit/typo.h"

#include <string.h>

#include "kit/random.h"

/* Where |from| stands |to| is written.  The evidence for each is a
 * diagnostic of the library (`toolwire explain`). */
typedef struct slip {
    const char *from;
    const char *to;
} slip;

static const slip slips[] = {
    {"}\n</tool_call>", ",}\n</tool_call>"},         /* trailing_comma */
    {"}}\n</tool_call>", "}\n</tool_call>"},         /* missing_closer */
    {"\n</tool_call>", ""},                          /* missing_call_close */
    {"<tool_call>\n", "<tool_call>\n<tool_call>\n"}, /* doubled_open_tag */
    {"\"arguments\": ", "\"parameters\": "},         /* key_parameters */
    {"true", "True"},                                /* python_literals */
    {"null", "None"},
    {"}]</TOOLCALL>", "}}]</TOOLCALL>"},         /* extra_closer */
    {"]</TOOLCALL>", "</TOOLCALL>"},             /* missing_closer */
    {"}<tool_call|>", ",}<tool_call|>"},         /* trailing_comma */
    {"<tool_call|>", ""},                        /* missing_call_close */
    {"<|tool_call>call:", "<|tool_call> call:"}, /* loose_head */
    {"<|call|>", "<|end|>"},                     /* odd_terminator */
    {" <|constrain|>json", " json"},
    {"}</s>", "}}</s>"}, /* extra_closer */
    {"[ARGS]{", "{"},    /* missing_args_marker */
};

static uint8_t *find(const tw_buffer *text, const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = 0; at + size <= text->size; at++) {
        if (memcmp(text->data + at, word, size) == 0) {
            return text->data + at;
        }
    }
    return NULL;
}

bool kit_slip(tw_buffer *wire, const tw_memory *memory, uint64_t *state)
{
    const uint32_t count = sizeof slips / sizeof slips[0];
    const uint32_t first = kit_below(state, count);
    for (uint32_t i = 0; i < count; i++) {
        const slip *made = &slips[(first + i) % count];
        const uint8_t *at = find(wire, made->from);
        if (at == NULL) {
            continue;
        }
        const size_t front = (size_t)(at - wire->data);
        const size_t behind = front + strlen(made->from);
        tw_buffer changed = {0};
        const bool good =
            tw_buffer_append(&changed, memory, wire->data, front) &&
            tw_buffer_append(&changed, memory, made->to, strlen(made->to)) &&
            tw_buffer_append(&changed, memory, wire->data + behind,
                             wire->size - behind);
        tw_buffer_free(wire, memory);
        *wire = changed;
        return good;
    }
    return true;
}
