/* SPDX-License-Identifier: MIT
 *
 * Which names of tools a grammar takes: those that a decoder reads.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "toolwire.h"

#define TOOLS(key)                                          \
    "[{\"name\":\"f\",\"parameters\":{\"properties\":{" key \
    ":{\"type\":\"integer\"}}}}]"

static int make(const char *format, const char *tools)
{
    tw_grammar *grammar;
    const int code =
        tw_grammar_make(tw_format_find(format), tools, strlen(tools), NULL,
                        NULL, &grammar, NULL);
    tw_grammar_free(grammar);
    return code;
}

/* Without quotes a name ends at blanks of any alphabet, and is a word, which
 * in Python no digit begins. */
Test(grammar, names_are_what_a_decoder_reads)
{
    static const struct {
        const char *format;
        const char *name;
        int code;
    } rows[] = {{"glm/4.7",
                 "a\xC2\xA0"
                 "b",
                 TW_ERROR_CANNOT_CARRY},
                {"harmony",
                 "\xE3\x80\x80"
                 "ab",
                 TW_ERROR_CANNOT_CARRY},
                {"qwen3-coder", "ab\xEF\xBB\xBF", TW_ERROR_CANNOT_CARRY},
                {"lfm2",
                 "a\xC2\xA0"
                 "b",
                 TW_ERROR_CANNOT_CARRY},
                {"lfm2", "f\xC2\x85g", TW_ERROR_CANNOT_CARRY},
                {"glm/4.7", "f\xC2\x85g", TW_OK},
                {"hermes",
                 "a\xC2\xA0"
                 "b",
                 TW_OK},
                {"glm/4.7", "\xC3\xA9t\xC3\xA9", TW_OK},
                {"python_tag", "1f", TW_ERROR_CANNOT_CARRY},
                {"lfm2", "-f", TW_ERROR_CANNOT_CARRY},
                {"lfm2", "_1.f", TW_OK},
                {"glm/4.7", "1f", TW_OK},
                {"glm/4.7", "-", TW_ERROR_CANNOT_CARRY},
                {"kimi-k2", "9", TW_ERROR_CANNOT_CARRY},
                {"kimi-k2", "9a", TW_OK},
                {"gemma4", "a/b", TW_ERROR_CANNOT_CARRY},
                {"gemma4", "-f", TW_ERROR_CANNOT_CARRY},
                {"mirothinker", "f.", TW_ERROR_CANNOT_CARRY},
                {"inkling", "f\\ng", TW_ERROR_CANNOT_CARRY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[64];
        snprintf(tools, sizeof tools, "[\"%s\"]", rows[i].name);
        cr_expect_eq(make(rows[i].format, tools), rows[i].code, "%s: %s",
                     rows[i].format, tools);
    }
}

Test(grammar, names_are_no_longer_than_decoders_take)
{
    static const char *const formats[] = {"hermes", "qwen3-coder", "gorilla",
                                          "harmony", "gemma4"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (int size = 256; size <= 257; size++) {
            char tools[512];
            snprintf(tools, sizeof tools, "[\"%0*d\"]", size, 0);
            memset(tools + 2, 'n', (size_t)size);
            cr_expect_eq(make(formats[i], tools),
                         size == 256 ? TW_OK : TW_ERROR_CANNOT_CARRY, "%s: %d",
                         formats[i], size);
        }
    }
}

/* In JSON a name with a blank at its end is read with a complaint. */
Test(grammar, names_have_no_blanks_at_their_ends)
{
    cr_expect_eq(make("hermes", "[\"a b\"]"), TW_OK);
    cr_expect_eq(make("hermes", "[\"ab \"]"), TW_ERROR_CANNOT_CARRY);
    cr_expect_eq(make("cohere/command-a", "[\"\\tab\"]"),
                 TW_ERROR_CANNOT_CARRY);
}

/* What a reader makes another key of, or none. */
Test(grammar, keys_without_quotes_are_what_a_decoder_reads)
{
    static const struct {
        const char *format;
        const char *key;
        int code;
    } rows[] = {{"qwen3-coder", "a b", TW_OK},
                {"qwen3-coder", "at ", TW_ERROR_CANNOT_CARRY},
                {"kimi-k3", " at", TW_ERROR_CANNOT_CARRY},
                {"glm/4.7", "\\tat", TW_ERROR_CANNOT_CARRY},
                {"seed-oss", "'at'", TW_ERROR_CANNOT_CARRY},
                {"seed-oss", "at'", TW_OK},
                {"lfm2", "a\xC2\xA0", TW_ERROR_CANNOT_CARRY},
                {"lfm2", "a\xC2\x85g", TW_ERROR_CANNOT_CARRY},
                {"lfm2", "\xC3\xA9", TW_OK},
                {"minimax/m3", "at ", TW_OK},
                {"hermes", " at ", TW_OK}};
    static const char *const formats[] = {"qwen3-coder", "lfm2", "minimax/m3"};
    char tools[512];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(tools, sizeof tools, TOOLS("\"%s\""), rows[i].key);
        cr_expect_eq(make(rows[i].format, tools), rows[i].code, "%s: %s",
                     rows[i].format, tools);
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (int size = 256; size <= 257; size++) {
            snprintf(tools, sizeof tools, TOOLS("\"a%0*d\""), size - 1, 0);
            cr_expect_eq(make(formats[i], tools),
                         size == 256 ? TW_OK : TW_ERROR_CANNOT_CARRY, "%s: %d",
                         formats[i], size);
        }
    }
}
