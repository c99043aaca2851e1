/* SPDX-License-Identifier: MIT
 *
 * The constant tables of the manual: version, errors, formats, markers,
 * diagnostics.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/decoding.h"
#include "formats/format.h"
#include "formats/description.h"

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
        {-23, "TW_ERROR_TEMPLATE"},
        {-24, "TW_ERROR_UNSTABLE"},
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
        cr_expect_eq(loss->kind == TW_REPORT_TEMPLATE_DEFECT ||
                         loss->kind == TW_REPORT_CHANGE ||
                         loss->kind == TW_REPORT_WARNING,
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

static bool is_name_byte(char c)
{
    return islower((unsigned char)c) || isdigit((unsigned char)c) ||
           (c != 0 && strchr("-._", c) != NULL);
}

/* FAMILY or FAMILY/DIALECT, of lower-case letters, digits, `-`, `.`, `_`. */
static void check_format_name(const char *name)
{
    const char *slash = strchr(name, '/');
    cr_assert_gt(strlen(name), 0);
    for (const char *at = name; *at != 0; at++) {
        cr_assert(is_name_byte(*at) || at == slash, "%s", name);
    }
    cr_assert(slash != name && name[strlen(name) - 1] != '/', "%s", name);
}

/* Only the name itself is one. */
static void check_no_name(const char *name, const char *back)
{
    char other[80];
    snprintf(other, sizeof other, "%s%s", name, back);
    cr_assert_null(tw_format_find(other), "%s", other);
}

Test(tables, formats)
{
    size_t i = 0;
    int prompts = 0;
    for (; tw_format_at(i) != NULL; i++) {
        const tw_format *format = tw_format_at(i);
        const char *names[] = {tw_format_name(format),
                               format_short_name(format)};
        for (size_t n = 0; n < 2; n++) {
            check_format_name(names[n]);
            cr_assert_eq(tw_format_find(names[n]), format, "%s", names[n]);
            check_no_name(names[n], " ");
            check_no_name(names[n], "/");
        }
        cr_assert_gt(strlen(tw_format_about(format)), 0);
        cr_assert_null(strchr(tw_format_about(format), '\n'));
        prompts += tw_format_has_prompts(format);
        cr_assert_leq(tw_format_reads_transcripts(format),
                      tw_format_has_prompts(format));
    }
    cr_assert_gt(i, 10);
    cr_assert_gt(prompts, 0);
    cr_assert_eq(tw_format_has_prompts(NULL), 0);
    cr_assert_eq(tw_format_reads_transcripts(NULL), 0);
    cr_assert_null(tw_format_at(i + 1));
    cr_assert_null(tw_format_at(SIZE_MAX));
    cr_assert_null(tw_format_find(NULL));
    cr_assert_null(tw_format_find(""));
}

static void expect_control(const tw_format *format, const tw_marker *marker,
                           size_t size, int expected)
{
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    char text[2 * TW_MARKER_LONGEST];
    memcpy(text, marker->text, marker->size);
    memcpy(text + marker->size, marker->text, marker->size);
    cr_assert_eq(tw_decoder_feed(decoder, text, size, TW_MARK_CONTROL),
                 expected, "%s: %.*s", tw_format_name(format), (int)size,
                 text);
    tw_decoder_free(decoder);
}

static int find_role(const tw_format *format, uint32_t role)
{
    const tw_marker *marker;
    int count = 0;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        count += marker->role == role;
    }
    return count;
}

/* Whoever opens reasoning closes it, and not before. */
static void check_pairs(const tw_format *format)
{
    const tw_marker *marker;
    int open = 0;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        open += marker->role == TW_MARKER_REASONING_OPEN;
        open -= marker->role == TW_MARKER_REASONING_CLOSE;
        cr_assert_geq(open, 0, "%s: %s", tw_format_name(format), marker->text);
    }
    /* A marker has one role: that which closes all blocks closes calls. */
    cr_assert_leq(open, open > 0 ? find_role(format, TW_MARKER_CALL_CLOSE) : 0,
                  "%s", tw_format_name(format));
}

/* May a format be without one?  Some end by a token that nobody prints. */
static bool needs_stop(const tw_format *format)
{
    const tw_description *its = format->description;
    return its == NULL || its->stops[0] != NULL;
}

/* A Python or JSON list that is the whole message has no marker. */
static bool needs_open(const tw_format *format)
{
    const tw_description *its = format->description;
    return its == NULL || tw_pattern_open(&its->call.all[0]) != NULL;
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
        cr_assert_gt(marker->size, 1, "%s: %s", tw_format_name(format),
                     marker->text);
        /* R8: what text may hold back */
        cr_assert_leq(marker->size,
                      format->description != NULL ? TW_MARKER_LONGEST : 31);
        cr_assert_eq(strlen(marker->text), marker->size);
        cr_assert_geq(marker->role, TW_MARKER_CALL_OPEN);
        cr_assert_leq(marker->role, TW_MARKER_TURN);
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
    cr_assert(stops > 0 || !needs_stop(format), "%s", tw_format_name(format));
    /* Where none opens a call, a message that has a header is one. */
    cr_assert(opens > 0 || !needs_open(format) ||
                  (format_reads(format, TW_MARKER_HEADER) &&
                   format_reads(format, TW_MARKER_BODY)),
              "%s", tw_format_name(format));
    marker = NULL;
    cr_assert_eq(tw_format_marker(format, count + 1, &marker), 0);
    cr_assert_null(marker);
    cr_assert_eq(tw_format_marker(format, 0, NULL), 0);
}

/* tw_content_advance() takes it for granted, but where a description's table
 * says otherwise: there it looks for the table's markers. */
static size_t check_less(const tw_format *format)
{
    const tw_marker *marker;
    size_t seen = 0;
    for (size_t k = 0; tw_format_marker(format, k, &marker) == 1; k++) {
        const char *less = memchr(marker->text, '<', marker->size);
        if (less != NULL) {
            const unsigned char c = (unsigned char)less[1];
            /* 0xEF begins a wide bar. */
            cr_assert(c == '|' || c == '/' || c == 0xEF || isalpha(c), "%s",
                      marker->text);
            seen++;
        }
    }
    return seen;
}

Test(tables, behind_the_less_of_a_marker)
{
    const tw_format *format;
    size_t seen = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        if (format->description == NULL ||
            format->description->markers.prose) {
            seen += check_less(format);
        }
    }
    cr_assert_gt(seen, 20);
}

Test(tables, markers)
{
    const tw_marker *marker = NULL;
    for (size_t i = 0; tw_format_at(i) != NULL; i++) {
        check_markers(tw_format_at(i));
        check_pairs(tw_format_at(i));
    }
    cr_assert_eq(tw_format_marker(NULL, 0, &marker), 0);
}

/* ---- what the flags of a marker say ------------------------------------- */

/* The case, what stands as a marker in it fed as |mark|. */
static void decode_as(event_log *log, const conformance_case *one,
                      const tw_marker *marker, tw_mark mark)
{
    tw_decoder *decoder = case_decoder(one, false);
    const char *end = one->text + one->size;
    event_log_clear(log);
    for (const char *at = one->text; at < end;) {
        const bool is_it = (size_t)(end - at) >= marker->size &&
                           memcmp(at, marker->text, marker->size) == 0;
        const size_t size = is_it ? marker->size : 1;
        tw_decoder_feed(decoder, at, size, is_it ? mark : TW_MARK_UNKNOWN);
        event_log_drain(log, decoder);
        at += size;
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    event_log_drain(log, decoder);
    tw_decoder_free(decoder);
}

/* The cases that have the marker, and those in which it means another thing
 * where it is text. */
typedef struct marker_uses {
    size_t cases;
    size_t changed;
} marker_uses;

static marker_uses uses_of(const conformance *file, const tw_marker *marker)
{
    marker_uses uses = {0};
    event_log unknown = {0};
    event_log as_text = {0};
    for (size_t i = 0; i < file->count; i++) {
        const conformance_case *one = &file->cases[i];
        if (strstr(one->text, marker->text) != NULL) {
            decode_as(&unknown, one, marker, TW_MARK_UNKNOWN);
            decode_as(&as_text, one, marker, TW_MARK_TEXT);
            uses.cases++;
            uses.changed += !event_log_same(&unknown, &as_text);
        }
    }
    event_log_free(&unknown);
    event_log_free(&as_text);
    return uses;
}

/* The cases know each marker that decoders read.  Where it was fed as text it
 * means nothing, but to a format whose tokenizer matches it in text. */
EachFormat(tables, marks_of_markers, "decode")
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format->text);
    const tw_format *its = tw_format_find(format->text);
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(its, i, &marker) == 1; i++) {
        const marker_uses uses = uses_of(&file, marker);
        const bool means = marker->decoded && !marker->literal;
        cr_expect(!marker->decoded || uses.cases > 0, "no case has %s",
                  marker->text);
        cr_expect_eq(uses.changed > 0, means, "%s: %zu of %zu cases change",
                     marker->text, uses.changed, uses.cases);
        cr_expect(marker->literal == 0 || marker->token == 1, "%s",
                  marker->text);
        cr_expect(marker->stop == 0 || marker->decoded == 1, "%s",
                  marker->text);
    }
    conformance_free(&file);
}

/* The size of the stop marker at |at|; 0: there is none. */
static size_t stop_at(const tw_format *format, const char *at)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->stop && strncmp(at, marker->text, marker->size) == 0) {
            return marker->size;
        }
    }
    return 0;
}

/* Does the end behind calls hold one?  Some templates leave it to the next
 * turn. */
static bool ends_calls(const tw_format *format)
{
    const tw_description *its = format->description;
    const char *at = its != NULL ? its->end_of_call : NULL;
    while (at != NULL && *at != 0 && stop_at(format, at) == 0) {
        at++;
    }
    return at == NULL || *at != 0;
}

/* Of a stop marker in a completion nothing stands behind; if |calls|, there is
 * one where the format writes one. */
static void check_stop(const tw_format *format, const char *message,
                       bool calls)
{
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    naive_bytes copy = {0};
    const char *text;
    size_t size;
    size_t stop = 0;
    cr_assert_eq(
        tw_encode_completion(encoder, message, strlen(message), &text, &size),
        TW_OK);
    naive_add(&copy, text, size);
    const char *at = copy.data;
    while (*at != 0 && (stop = stop_at(format, at)) == 0) {
        at++;
    }
    at += stop;
    cr_expect(strspn(at, "\n") == strlen(at) &&
                  (stop > 0 || !calls || !ends_calls(format)),
              "%s: %s", tw_format_name(format), copy.data);
    naive_release(&copy);
    tw_encoder_free(encoder);
}

Test(tables, stops_of_formats)
{
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        check_stop(format, "{\"role\":\"assistant\",\"content\":\"Hi\"}",
                   false);
        check_stop(format,
                   "{\"role\":\"assistant\",\"content\":null,"
                   "\"reasoning_content\":\"hm\",\"tool_calls\":[{"
                   "\"function\":{\"name\":\"f\",\"arguments\":{}}}]}",
                   true);
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
    static const char *const names[] = {
        "lone_surrogate", "undeclared_tool", "name_whitespace",
        "repair_given_up", "foreign_marker", "no_generation_prompt",
        "orphan_reasoning_close", "call_like_text", "duplicate_id",
        "tool_choice_unmet",
        /* of schemas */
        "missing_parameter", "unknown_parameter", "parameter_type",
        "parameter_value", "parameter_range", "parameter_pattern",
        "parameter_rule", "schema_unread", "schema_broken", "schema_limit",
        "unchecked_call", "parameter_mended"};
    const size_t all = sizeof names / sizeof *names;
    size_t count = 0;
    for (size_t i = 0; tw_diagnostic_at(i) != NULL; i++) {
        count += tw_diagnostic_at(i)->warning;
    }
    for (size_t i = 0; i < all; i++) {
        cr_assert_eq(tw_diagnostic_find(names[i])->warning, 1);
    }
    cr_assert_eq(count, all);
}

/* ---- names of models ----------------------------------------------------- */

static void expect_model(const char *model, const char *name)
{
    const tw_format *format = tw_format_find(model);
    cr_assert_not_null(format, "%s", model);
    cr_assert_str_eq(tw_format_name(format), name, "%s", model);
}

Test(tables, models)
{
    const tw_format *format;
    const char *model;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        cr_assert_not_null(tw_format_model(format, 0), "%s",
                           tw_format_name(format));
        for (size_t k = 0; (model = tw_format_model(format, k)) != NULL; k++) {
            expect_model(model, tw_format_name(format));
        }
    }
    expect_model("GLM-5", "glm/4.7");
    expect_model("glm-4.5-air-fp8", "glm/4.5");
    expect_model("openai/gpt-oss-20b", "harmony");
    expect_model("Qwen/Qwen3-8B", "hermes/qwen3");
    expect_model("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3-coder");
    expect_model("Qwen3.6-27B", "qwen3.6");
    expect_model("deepseek-ai/DeepSeek-V3.1-Terminus", "deepseek/v3.1");
    expect_model("google/gemma-4-E4B-it", "gemma4/e");
    expect_model("NousResearch/Hermes-3-Llama-3.1-8B", "hermes/nous");
    expect_model("meta-llama/Llama-3.1-8B-Instruct", "llama3");
    cr_assert_null(tw_format_find("Qwen"));
    cr_assert_null(tw_format_find("a model of nobody"));
    cr_assert_null(tw_format_find("-/."));
    cr_assert_null(tw_format_model(NULL, 0));
    cr_assert_null(tw_format_alias(NULL));
    cr_assert_str_eq(tw_format_alias(tw_format_find("hermes")), "hermes");
    cr_assert_null(tw_format_alias(tw_format_find("harmony")));
}

Test(tables, near)
{
    cr_assert_str_eq(tw_format_near("hermse", 0), "hermes");
    cr_assert_null(tw_format_near("hermse", 1));
    cr_assert_str_eq(tw_format_near("GLM-6", 0), "glm/4.5");
    cr_assert_null(tw_format_near("a model of nobody", 0));
    cr_assert_null(tw_format_near(NULL, 0));
    cr_assert_null(tw_format_near("", 0));
}
