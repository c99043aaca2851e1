/* SPDX-License-Identifier: MIT
 *
 * E1: prompts are the template's, byte for byte: the cases, and real requests
 * where TOOLWIRE_DATA says.  Encoders survive every failed allocation.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "each_format.h"
#include "json_file.h"
#include "real_data.h"

enum { EXPECTATIONS = 3262, PATH_SIZE = 4096 };

/* NULL, or how the prompt differs. */
static const char *differs(tw_encoder *encoder, const naive_bytes *request,
                           const tw_value *wanted)
{
    static char wrong[256];
    const char *text;
    size_t size;
    if (tw_encode(encoder, request->data, request->size, &text, &size) !=
        TW_OK) {
        const tw_error *error = tw_encoder_error(encoder);
        snprintf(
            wrong, sizeof wrong, "%s at %s: %s", tw_error_name(error->code),
            error->path != NULL ? error->path : "no path", error->message);
        return wrong;
    }
    size_t same = 0;
    while (same < size && same < wanted->size &&
           text[same] == wanted->text[same]) {
        same++;
    }
    if (same == size && same == wanted->size) {
        return NULL;
    }
    snprintf(wrong, sizeof wrong, "from byte %zu: ...%.60s", same,
             text + (same > 20 ? same - 20 : 0));
    return wrong;
}

/* ---- cases -------------------------------------------------------------- */

static void check_cases(const char *format, void (*check)(const tw_value *))
{
    char path[PATH_SIZE];
    format_path(path, sizeof path, CONFORMANCE_FOLDER, "encode", format);
    check_lines(path + sizeof CONFORMANCE_FOLDER, check);
}

static tw_encoder *encoder_of(const char *format)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    cr_assert_not_null(encoder, "%s", format);
    return encoder;
}

static void check_case(const tw_value *line)
{
    const char *id = tw_value_member(line, "id")->text;
    const tw_value *options = tw_value_member(line, "options");
    const tw_value *wanted = tw_value_member(line, "expect_text");
    const char *kind = tw_value_member(line, "class")->text;
    naive_bytes request = json_text(tw_value_member(line, "request"));
    tw_encoder *encoder = encoder_of(tw_value_member(line, "format")->text);
    const tw_value *python = tw_value_member(options, "python_numbers");
    tw_encoder_set(encoder, TW_OPTION_PYTHON_NUMBERS,
                   python != NULL && python->kind == TW_VALUE_TRUE);
    if (strcmp(kind, "unsafe") == 0) {
        const char *text;
        size_t size;
        const int result =
            tw_encode(encoder, request.data, request.size, &text, &size);
        cr_expect(result == TW_ERROR_CONTROL_TEXT ||
                      result == TW_ERROR_CANNOT_CARRY,
                  "%s: it was not refused (%d)", id, result);
        cr_expect_not_null(tw_encoder_error(encoder)->path, "%s", id);
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_ALLOW);
    }
    const char *wrong = differs(encoder, &request, wanted);
    cr_expect_null(wrong, "%s: %s", id, wrong);
    tw_encoder_free(encoder);
    naive_release(&request);
}

EachFormat(encode, cases, "encode")
{
    check_cases(format->text, check_case);
}

/* ---- real requests ------------------------------------------------------ */

/* Where a real text holds a marker, the refusal names it. */
static void check_prompt(const char *id, const naive_bytes *request,
                         const tw_value *wanted)
{
    tw_encoder *encoder = encoder_of(wanted->key);
    const char *wrong = differs(encoder, request, wanted);
    const tw_error *error = tw_encoder_error(encoder);
    if (error->code == TW_ERROR_CONTROL_TEXT) {
        cr_expect(error->path != NULL &&
                      strncmp(error->path, "messages[", 9) == 0,
                  "%s (%s): refused at %s", id, wanted->key, error->path);
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_ALLOW);
        wrong = differs(encoder, request, wanted);
    }
    cr_expect_null(wrong, "%s (%s): %s", id, wanted->key, wrong);
    tw_encoder_free(encoder);
}

Test(encode, real_prompts)
{
    enum { STEP = TESTS_SHARE > 4 ? 4 : 1 }; /* under sanitizers some */
    json_lines lines = read_compressed("prompts.jsonl.gz");
    size_t count = 0;
    for (size_t i = 0; i < lines.count; i += STEP) {
        const tw_value *line = lines.lines[i].root;
        const tw_value *expect = tw_value_member(line, "expect");
        naive_bytes request = json_text(tw_value_member(line, "request"));
        for (const tw_value *at = expect->first; at != NULL; at = at->next) {
            check_prompt(tw_value_member(line, "id")->text, &request, at);
            count++;
        }
        naive_release(&request);
    }
    cr_expect(STEP > 1 ? count > EXPECTATIONS / (2 * STEP)
                       : count == EXPECTATIONS,
              "%zu", count);
    json_lines_free(&lines);
}

/* ---- failed allocations ------------------------------------------------- */

/* Every allocation of a request fails in turn: MEMORY is said, unless what is
 * written could be read back without, and the next request gives the full
 * prompt. */
static void fail_allocations(const tw_format *format,
                             const naive_bytes *request, const tw_value *line)
{
    const tw_value *wanted = tw_value_member(line, "expect_text");
    const bool unsafe =
        strcmp(tw_value_member(line, "class")->text, "unsafe") == 0;
    static size_t turn;
    for (size_t fail_at = 1 + turn++ % TESTS_SHARE;; fail_at += TESTS_SHARE) {
        test_memory state = {0};
        const tw_allocator allocator = test_allocator(&state);
        tw_encoder *encoder = tw_encoder_new(format, &allocator);
        const char *text;
        size_t size;
        cr_assert_not_null(encoder);
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT,
                       unsafe ? TW_CONTROL_TEXT_ALLOW
                              : TW_CONTROL_TEXT_REJECT);
        state.fail_at = state.count + fail_at;
        const int result =
            tw_encode(encoder, request->data, request->size, &text, &size);
        const bool failed = state.count >= state.fail_at;
        const bool whole = result == TW_OK && size == wanted->size &&
                           memcmp(text, wanted->text, size) == 0;
        cr_expect(whole || (failed && result == TW_ERROR_MEMORY),
                  "allocation %zu: %d", fail_at, result);
        cr_expect(!failed || tw_encoder_error(encoder)->offset == 0);
        state.fail_at = 0;
        const char *wrong = differs(encoder, request, wanted);
        cr_expect_null(wrong, "behind allocation %zu: %s", fail_at, wrong);
        tw_encoder_free(encoder);
        cr_expect_eq(state.live, 0);
        if (!failed) {
            break;
        }
    }
}

static void check_faults(const tw_value *line)
{
    const tw_value *dialect = tw_value_member(line, "format");
    naive_bytes request = json_text(tw_value_member(line, "request"));
    if (tw_value_member(line, "options") == NULL) {
        fail_allocations(tw_format_find(dialect->text), &request, line);
    }
    naive_release(&request);
}

EachFormat(encode, faults, "encode")
{
    check_cases(format->text, check_faults);
}
