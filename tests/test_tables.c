/* SPDX-License-Identifier: MIT
 *
 * The constant tables of the manual: version, errors, formats, markers,
 * diagnostics.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "toolwire.h"

Test(tables, version)
{
    cr_assert_str_eq(tw_version(), TW_VERSION);
}

/* Section 3: the codes are pinned. */
Test(tables, errors)
{
    static const struct {
        int32_t code;
        const char *name;
    } rows[] = {
        {0, "TW_OK"},
        {-1, "TW_ERROR_ARGUMENT"},
        {-2, "TW_ERROR_STATE"},
        {-3, "TW_ERROR_MEMORY"},
        {-10, "TW_ERROR_LIMIT"},
        {-11, "TW_ERROR_DEVIATION"},
        {-12, "TW_ERROR_JSON"},
        {-13, "TW_ERROR_SCHEMA"},
        {-20, "TW_ERROR_CONTROL_TEXT"},
        {-21, "TW_ERROR_CANNOT_CARRY"},
        {-22, "TW_ERROR_LOSS"},
    };
    size_t named = 0;
    for (int32_t code = -100; code <= 100; code++) {
        named += tw_error_name(code) != NULL;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_not_null(tw_error_name(rows[i].code));
        cr_assert_str_eq(tw_error_name(rows[i].code), rows[i].name);
    }
    cr_assert_eq(named, sizeof rows / sizeof *rows);
}

/* Codes of losses ascend, are none of a diagnostic, and lead back to their
 * rows; what is no loss has no severity. */
Test(tables, losses)
{
    uint32_t before = 0;
    size_t i = 0;
    for (const tw_loss *loss; (loss = tw_loss_at(i)) != NULL; i++) {
        cr_expect_gt(loss->code, before);
        cr_expect_null(tw_diagnostic_get(loss->code));
        cr_expect_null(tw_diagnostic_find(loss->name));
        cr_expect_eq(tw_loss_get(loss->code), loss);
        cr_expect_eq(tw_loss_find(loss->name), loss);
        cr_expect_eq(loss->kind == TW_REPORT_TEMPLATE_DEFECT,
                     loss->severity == TW_SEVERITY_NONE);
        before = loss->code;
    }
    cr_expect_gt(i, 30);
    cr_expect_null(tw_loss_get(0));
    cr_expect_null(tw_loss_get(before + 1));
    cr_expect_null(tw_loss_find("call"));
    cr_expect_null(tw_loss_find(NULL));
}

/* ---- formats ------------------------------------------------------------ */

/* Section 2: the dialects. */
Test(tables, formats)
{
    static const char *const names[] = {
        "gemma4",        "gemma4/e",        "gemma4/fork",  "harmony",
        "harmony/jinja", "harmony/pyronet", "hermes/qwen3", "hermes/qwen2.5",
        "hermes/nous",   "hermes/rnj-1",    "nemotron",     "mistral/v11"};
    const size_t count = sizeof names / sizeof *names;
    size_t i = 0;
    int prompts = 0;
    for (; tw_format_at(i) != NULL; i++) {
        const tw_format *format = tw_format_at(i);
        cr_assert_eq(tw_format_find(tw_format_name(format)), format);
        cr_assert_gt(strlen(tw_format_about(format)), 0);
        cr_assert_null(strchr(tw_format_about(format), '\n'));
        prompts += tw_format_has_prompts(format);
    }
    cr_assert_eq(i, count);
    cr_assert_eq(prompts, 10);
    cr_assert_eq(tw_format_has_prompts(NULL), 0);
    cr_assert_null(tw_format_at(SIZE_MAX));
    for (size_t n = 0; n < count; n++) {
        cr_assert_not_null(tw_format_find(names[n]), "%s", names[n]);
        cr_assert_str_eq(tw_format_name(tw_format_find(names[n])), names[n]);
    }
    cr_assert_eq(tw_format_find("hermes"), tw_format_find("hermes/qwen3"));
    cr_assert_null(tw_format_find(NULL));
    cr_assert_null(tw_format_find(""));
    cr_assert_null(tw_format_find("Hermes"));
    cr_assert_null(tw_format_find("hermes/"));
    cr_assert_null(tw_format_find("gemma4/e "));
}

static void expect_control(const tw_format *format, const tw_marker *marker,
                           size_t size, int expected)
{
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    char text[64];
    memcpy(text, marker->text, marker->size);
    memcpy(text + marker->size, marker->text, marker->size);
    cr_assert_eq(tw_decoder_feed(decoder, text, size, TW_MARK_CONTROL),
                 expected, "%s: %.*s", tw_format_name(format), (int)size,
                 text);
    tw_decoder_free(decoder);
}

/* What a server must preserve, stop at, trigger on; CONTROL is exactly one
 * whole marker. */
static void check_markers(const tw_format *format)
{
    const tw_marker *marker = NULL;
    const tw_marker *other = NULL;
    size_t count = 0;
    size_t stops = 0;
    size_t opens = 0;
    for (; tw_format_marker(format, count, &marker) == 1; count++) {
        cr_assert_gt(marker->size, 1);
        cr_assert_leq(marker->size, 31); /* R8: what text may hold back */
        cr_assert_eq(strlen(marker->text), marker->size);
        cr_assert_geq(marker->role, TW_MARKER_CALL_OPEN);
        cr_assert_leq(marker->role, TW_MARKER_MEDIA);
        stops += marker->stop;
        opens += marker->role == TW_MARKER_CALL_OPEN && marker->decoded;
        for (size_t i = 0; i < count; i++) {
            tw_format_marker(format, i, &other);
            cr_assert_str_neq(marker->text, other->text);
        }
        expect_control(format, marker, marker->size, TW_OK);
        expect_control(format, marker, marker->size - 1, TW_ERROR_ARGUMENT);
        expect_control(format, marker, marker->size + 1, TW_ERROR_ARGUMENT);
        expect_control(format, marker, marker->size * 2, TW_ERROR_ARGUMENT);
    }
    cr_assert_gt(stops, 0);
    cr_assert(opens > 0 || strncmp(tw_format_name(format), "harmony", 7) == 0);
    marker = NULL;
    cr_assert_eq(tw_format_marker(format, count + 1, &marker), 0);
    cr_assert_null(marker);
    cr_assert_eq(tw_format_marker(format, 0, NULL), 0);
}

/* tw_passage_pass() takes it for granted. */
Test(tables, behind_the_less_of_a_marker)
{
    size_t seen = 0;
    for (size_t i = 0; tw_format_at(i) != NULL; i++) {
        const tw_marker *marker;
        for (size_t k = 0; tw_format_marker(tw_format_at(i), k, &marker) == 1;
             k++) {
            const char *less = memchr(marker->text, '<', marker->size);
            if (less != NULL) {
                const unsigned char c = (unsigned char)less[1];
                cr_assert(c == '|' || c == '/' || isalpha(c), "%s",
                          marker->text);
                seen++;
            }
        }
    }
    cr_assert_gt(seen, 20);
}

Test(tables, markers)
{
    const tw_marker *marker = NULL;
    for (size_t i = 0; tw_format_at(i) != NULL; i++) {
        check_markers(tw_format_at(i));
    }
    cr_assert_eq(tw_format_marker(NULL, 0, &marker), 0);
}

/* What servers preserve, stop at and trigger on: tokens of the models'
 * vocabularies (t), those that their tokenizers match in ordinary text, too
 * (l), those that end a generation (s), and those with a meaning in a
 * completion (d). */
typedef struct marked {
    const char *text;
    uint32_t role;
    const char *flags;
} marked;

static const marked gemma4_markers[] = {
    {"<|tool_call>", TW_MARKER_CALL_OPEN, "td"},
    {"<tool_call|>", TW_MARKER_CALL_CLOSE, "td"},
    {"<|channel>", TW_MARKER_REASONING_OPEN, "td"},
    {"<channel|>", TW_MARKER_REASONING_CLOSE, "td"},
    {"<|\"|>", TW_MARKER_STRING, "td"},
    {"<turn|>", TW_MARKER_END, "tsd"},
    {"<eos>", TW_MARKER_END, "tsd"},
    {"<|tool_response>", TW_MARKER_RESULT, "tsd"},
    {"<tool_response|>", TW_MARKER_RESULT, "t"},
    {"<|turn>", TW_MARKER_TURN, "t"},
    {"<bos>", TW_MARKER_TURN, "t"},
    {"<|tool>", TW_MARKER_DECLARE, "t"},
    {"<tool|>", TW_MARKER_DECLARE, "t"},
    {"<|think|>", TW_MARKER_HEADER, "t"},
    {"<|image|>", TW_MARKER_MEDIA, "t"},
    {"<|audio|>", TW_MARKER_MEDIA, "t"},
    {"<|video|>", TW_MARKER_MEDIA, "t"},
    {NULL, 0, NULL},
};

static const marked harmony_markers[] = {
    {"<|start|>", TW_MARKER_TURN, "td"},
    {"<|channel|>", TW_MARKER_HEADER, "td"},
    {"<|constrain|>", TW_MARKER_HEADER, "td"},
    {"<|message|>", TW_MARKER_BODY, "td"},
    {"<|end|>", TW_MARKER_END, "td"},
    {"<|call|>", TW_MARKER_CALL_CLOSE, "tsd"},
    {"<|return|>", TW_MARKER_END, "tsd"},
    {NULL, 0, NULL},
};

static const marked hermes_markers[] = {
    {"<tool_call>", TW_MARKER_CALL_OPEN, "tld"},
    {"</tool_call>", TW_MARKER_CALL_CLOSE, "tld"},
    {"<think>", TW_MARKER_REASONING_OPEN, "tld"},
    {"</think>", TW_MARKER_REASONING_CLOSE, "tld"},
    {"<|im_end|>", TW_MARKER_END, "tsd"},
    {"<|endoftext|>", TW_MARKER_END, "tsd"},
    {"<|eot_id|>", TW_MARKER_END, "tsd"},
    {"<|im_start|>", TW_MARKER_TURN, "t"},
    {"<|begin_of_text|>", TW_MARKER_TURN, "t"},
    {"<|start_header_id|>", TW_MARKER_TURN, "t"},
    {"<|end_header_id|>", TW_MARKER_TURN, "t"},
    {"<tool_response>", TW_MARKER_RESULT, "tl"},
    {"</tool_response>", TW_MARKER_RESULT, "tl"},
    {NULL, 0, NULL},
};

static const marked nemotron_markers[] = {
    {"<TOOLCALL>", TW_MARKER_CALL_OPEN, "tld"},
    {"</TOOLCALL>", TW_MARKER_CALL_CLOSE, "tld"},
    {"<think>", TW_MARKER_REASONING_OPEN, "tld"},
    {"</think>", TW_MARKER_REASONING_CLOSE, "tld"},
    {"<SPECIAL_12>", TW_MARKER_END, "tsd"},
    {"<|eot_id|>", TW_MARKER_END, "tsd"},
    {"<SPECIAL_10>", TW_MARKER_TURN, "t"},
    {"<SPECIAL_11>", TW_MARKER_TURN, "t"},
    {"<TOOL_RESPONSE>", TW_MARKER_RESULT, "tl"},
    {"</TOOL_RESPONSE>", TW_MARKER_RESULT, "tl"},
    {NULL, 0, NULL},
};

static const marked mistral_markers[] = {
    {"[TOOL_CALLS]", TW_MARKER_CALL_OPEN, "td"},
    {"[CALL_ID]", TW_MARKER_HEADER, "td"},
    {"[ARGS]", TW_MARKER_BODY, "td"},
    {"[THINK]", TW_MARKER_REASONING_OPEN, "td"},
    {"[/THINK]", TW_MARKER_REASONING_CLOSE, "td"},
    {"</s>", TW_MARKER_END, "tsd"},
    {"<s>", TW_MARKER_TURN, "t"},
    {"[INST]", TW_MARKER_TURN, "t"},
    {"[/INST]", TW_MARKER_TURN, "t"},
    {"[SYSTEM_PROMPT]", TW_MARKER_TURN, "t"},
    {"[/SYSTEM_PROMPT]", TW_MARKER_TURN, "t"},
    {"[AVAILABLE_TOOLS]", TW_MARKER_DECLARE, "t"},
    {"[/AVAILABLE_TOOLS]", TW_MARKER_DECLARE, "t"},
    {"[TOOL_RESULTS]", TW_MARKER_RESULT, "t"},
    {"[TOOL_CONTENT]", TW_MARKER_RESULT, "t"},
    {"[/TOOL_RESULTS]", TW_MARKER_RESULT, "t"},
    {NULL, 0, NULL},
};

static void check_rows(const char *name, const marked *rows)
{
    const tw_format *format = tw_format_find(name);
    const tw_marker *marker = NULL;
    size_t i = 0;
    for (; rows[i].text != NULL; i++) {
        char flags[5] = "";
        cr_assert_eq(tw_format_marker(format, i, &marker), 1);
        strcat(flags, marker->token == 1 ? "t" : "");
        strcat(flags, marker->literal == 1 ? "l" : "");
        strcat(flags, marker->stop == 1 ? "s" : "");
        strcat(flags, marker->decoded == 1 ? "d" : "");
        cr_expect_str_eq(marker->text, rows[i].text, "%s", name);
        cr_expect_eq(marker->role, rows[i].role, "%s", rows[i].text);
        cr_expect_str_eq(flags, rows[i].flags, "%s", rows[i].text);
    }
    cr_expect_eq(tw_format_marker(format, i, &marker), 0, "%s", name);
}

Test(tables, markers_of_formats)
{
    static const struct {
        const char *format;
        const marked *rows;
    } all[] = {
        {"gemma4", gemma4_markers},       {"gemma4/fork", gemma4_markers},
        {"harmony", harmony_markers},     {"harmony/jinja", harmony_markers},
        {"hermes/qwen3", hermes_markers}, {"hermes/rnj-1", hermes_markers},
        {"nemotron", nemotron_markers},   {"mistral/v11", mistral_markers},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check_rows(all[i].format, all[i].rows);
    }
}

/* ---- diagnostics -------------------------------------------------------- */

static void check_name(const char *name)
{
    cr_assert_gt(strlen(name), 0);
    for (; *name != 0; name++) {
        cr_assert(islower((unsigned char)*name) || *name == '_' ||
                  isdigit((unsigned char)*name));
    }
}

/* R3: every repair has a name; codes and names are unique. */
Test(tables, diagnostics)
{
    size_t i = 0;
    for (; tw_diagnostic_at(i) != NULL; i++) {
        const tw_diagnostic *row = tw_diagnostic_at(i);
        cr_assert_neq(row->code, TW_DIAGNOSTIC_NONE);
        cr_assert_leq(row->warning, 1);
        check_name(row->name);
        cr_assert_eq(row->text[strlen(row->text) - 1], '.');
        cr_assert_eq(tw_diagnostic_get(row->code), row);
        cr_assert_eq(tw_diagnostic_find(row->name), row);
    }
    cr_assert_gt(i, 100);
    size_t coded = 0;
    for (uint32_t code = 0; code < 1000; code++) {
        coded += tw_diagnostic_get(code) != NULL;
    }
    cr_assert_eq(coded, i);
    cr_assert_null(tw_diagnostic_at(SIZE_MAX));
    cr_assert_null(tw_diagnostic_get(TW_DIAGNOSTIC_NONE));
    cr_assert_null(tw_diagnostic_get(UINT32_MAX));
    cr_assert_null(tw_diagnostic_find(""));
    cr_assert_null(tw_diagnostic_find("trailing"));
    cr_assert_null(tw_diagnostic_find(NULL));
}

/* The families' README, 11. */
Test(tables, warnings)
{
    static const char *const names[] = {"lone_surrogate", "undeclared_tool",
                                        "name_whitespace", "repair_given_up"};
    size_t count = 0;
    for (size_t i = 0; tw_diagnostic_at(i) != NULL; i++) {
        count += tw_diagnostic_at(i)->warning;
    }
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(tw_diagnostic_find(names[i])->warning, 1);
    }
    cr_assert_eq(count, 4);
}
