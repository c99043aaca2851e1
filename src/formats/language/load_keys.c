/* SPDX-License-Identifier: MIT
 *
 * The keys of a description and the words that some of them take: one table
 * for those who read descriptions and those who write them.
 */
#include <stddef.h>

#include "formats/language/load_state.h"

static const char *const json_words[] = {
    "spaced", "compact", "indented", "lines", "splice", "python", NULL};

static const char *const values_words[] = {"json",  "str",   "repr",
                                           "repr2", "mixed", NULL};

static const char *const entities_words[] = {"", "attributes", "all", NULL};

static const char *const quirk_words[] = {
    "echo",       "blank_names", "calls_in_reasoning", "header_name", "cdata",
    "empty_line", "channels",    "loose_channels",     NULL};

#define AT(member) offsetof(tw_description, member)

/* What a key has for text and for calls stands side by side. */
_Static_assert(AT(end_of_call) == AT(end) + sizeof(char *) &&
                   AT(no_reasoning_of_call) ==
                       AT(no_reasoning) + sizeof(char *),
               "two texts are neighbours");

const tw_key tw_keys[TW_KEY_COUNT] = {
    {"format", TW_KEY_VERSION, 0, NULL},
    {"name", TW_KEY_TEXT, AT(name), NULL},
    {"alias", TW_KEY_TEXT, AT(alias), NULL},
    {"about", TW_KEY_TEXT, AT(about), NULL},
    {"models", TW_KEY_TEXTS, AT(models), NULL},
    {"example", TW_KEY_TEXT, AT(example), NULL},
    {"call", TW_KEY_PATTERNS, AT(call), NULL},
    {"calls", TW_KEY_PATTERNS, AT(calls), NULL},
    {"argument", TW_KEY_PATTERNS, AT(argument), NULL},
    {"between", TW_KEY_TEXT, AT(between), NULL},
    {"gap", TW_KEY_TEXT, AT(gap), NULL},
    {"reasoning", TW_KEY_PATTERNS, AT(reasoning), NULL},
    {"no_reasoning", TW_KEY_TWO, AT(no_reasoning), NULL},
    {"text", TW_KEY_PATTERNS, AT(text), NULL},
    {"no_text", TW_KEY_TEXT, AT(no_text), NULL},
    {"loose", TW_KEY_LOOSE, 0, NULL},
    {"turn", TW_KEY_TEXTS, AT(turns), NULL},
    {"stops", TW_KEY_TEXTS, AT(stops), NULL},
    {"end", TW_KEY_TWO, AT(end), NULL},
    {"tokens", TW_KEY_TEXTS, AT(tokens), NULL},
    {"id", TW_KEY_ID_KIND, AT(id), NULL},
    {"name_key", TW_KEY_TEXTS, AT(name_keys), NULL},
    {"arguments_key", TW_KEY_TEXTS, AT(argument_keys), NULL},
    {"id_key", TW_KEY_TEXTS, AT(id_keys), NULL},
    {"raw_name", TW_KEY_TEXT, AT(raw_name), NULL},
    {"suffix", TW_KEY_TEXT, AT(suffix), NULL},
    {"json", TW_KEY_WORD, AT(json), json_words},
    {"sorted", TW_KEY_FLAG, AT(sorted), NULL},
    {"calls_alone", TW_KEY_FLAG, AT(calls_alone), NULL},
    {"values", TW_KEY_WORD, AT(values), values_words},
    {"entities", TW_KEY_WORD, AT(entities), entities_words},
    {"quirks", TW_KEY_WORDS, AT(quirks), quirk_words},
};
