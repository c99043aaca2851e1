/* SPDX-License-Identifier: MIT
 *
 * Gemma 4: its scanners by themselves.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "formats/body/gemma/call_state.h"
#include "formats/body/gemma/scalar.h"
#include "formats/format.h"
#include "formats/gemma4/tokens.h"

static const uint8_t *bytes(const char *text)
{
    return (const uint8_t *)text;
}

Test(scanners, gemma4_nothing)
{
    const uint8_t *at = (const uint8_t *)"";
    cr_expect_eq(tw_gemma_scan_scalar(at, at), TW_GEMMA_NO_SCALAR);
}

/* The room spells once more what it reads of prompts. */
Test(scanners, gemma4_tokens_are_those_of_the_description)
{
    static const char *const tokens[] = {
        TW_GEMMA4_CALL,        TW_GEMMA4_CALL_END,   TW_GEMMA4_CHANNEL,
        TW_GEMMA4_CHANNEL_END, TW_GEMMA4_TURN,       TW_GEMMA4_TURN_END,
        TW_GEMMA4_RESULT,      TW_GEMMA4_RESULT_END, TW_GEMMA4_TOOL,
        TW_GEMMA4_TOOL_END,    TW_GEMMA4_THINK,      TW_GEMMA4_BOS,
        TW_GEMMA4_IMAGE,       TW_GEMMA4_AUDIO,      TW_GEMMA4_VIDEO,
        TW_GEMMA4_QUOTE};
    const tw_format *format = tw_format_find("gemma4");
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        size_t k = 0;
        while (k < *format->marker_count &&
               strcmp(format->markers[k].text, tokens[i]) != 0) {
            k++;
        }
        cr_assert_lt(k, *format->marker_count, "%s", tokens[i]);
        cr_expect_eq(format->markers[k].token, 1, "%s", tokens[i]);
    }
}

Test(scanners, gemma4_scalars)
{
    static const struct {
        const char *text;
        tw_gemma_scalar scalar;
    } rows[] = {
        {"0", TW_GEMMA_NUMBER},         {"-1.5e+3", TW_GEMMA_NUMBER},
        {"007", TW_GEMMA_NO_SCALAR},    {"true", TW_GEMMA_TRUE},
        {"false", TW_GEMMA_FALSE},      {"null", TW_GEMMA_NULL},
        {"True", TW_GEMMA_PYTHON_TRUE}, {"False", TW_GEMMA_PYTHON_FALSE},
        {"None", TW_GEMMA_PYTHON_NULL}, {"nil", TW_GEMMA_PYTHON_NULL},
        {"NULL", TW_GEMMA_PYTHON_NULL}, {"Truer", TW_GEMMA_NO_SCALAR},
        {"Tru", TW_GEMMA_NO_SCALAR},    {"x", TW_GEMMA_NO_SCALAR},
        {"1.", TW_GEMMA_NO_SCALAR},     {"-", TW_GEMMA_NO_SCALAR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint8_t *at = bytes(rows[i].text);
        cr_expect_eq(tw_gemma_scan_scalar(at, at + strlen(rows[i].text)),
                     rows[i].scalar, "%s", rows[i].text);
    }
}

Test(advance, gemma_kinds_of_bytes)
{
    for (int c = 0; c < 256; c++) {
        const unsigned kinds = tw_gemma_kinds[c];
        const bool closer = c == '}' || c == ']' || c == ')';
        const bool starts = c >= 0x80 || tw_is_letter(c) || c == '_';
        const bool word = starts || tw_is_digit(c) || c == '.' || c == '-';
        const bool key = c == 0 || strchr(",{}[]()\"'`=:\n", c) == NULL;
        cr_assert_eq((kinds & TW_GEMMA_CLOSER_OR_WS) != 0,
                     closer || tw_is_ws(c));
        cr_assert_eq(tw_is_gemma_word(c), word);
        cr_assert_eq(tw_gemma_starts_word(c), starts);
        cr_assert_eq(tw_gemma_ends_key((uint8_t)c), !key);
    }
    cr_assert(!tw_is_gemma_word(TW_LOOK_END));
    cr_assert(!tw_gemma_starts_word(TW_LOOK_MORE));
}
