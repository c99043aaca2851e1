/* SPDX-License-Identifier: MIT
 *
 * How an output ends: a stop marker that the engine stripped completes what
 * it would have completed, and a token limit completes nothing.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "real_data.h"
#include "support/cases.h"
#include "support/decoding.h"
#include "support/stopped.h"

/* ---- the cases ---------------------------------------------------------- */

static void show(const char *id, const char *text, size_t size,
                 const char *wrong)
{
    naive_bytes words = {0};
    for (size_t i = 0; i < size; i++) {
        char byte[8];
        const unsigned char c = (unsigned char)text[i];
        snprintf(byte, sizeof byte, c < 32 || c > 126 ? "\\x%02x" : "%c", c);
        naive_add_text(&words, byte);
    }
    cr_expect(false, "%s: %s: %s", id, wrong, words.data);
    naive_release(&words);
}

/* Every beginning of every case: what a stop marker would complete there is
 * complete without. */
static void expect_stops(const char *format)
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    for (size_t i = 0; i < file.count; i++) {
        const conformance_case *one = &file.cases[i];
        tw_decoder *decoder = case_decoder(&file, one, false);
        for (size_t size = 0; size <= one->size; size++) {
            const char *wrong =
                stop_differs(decoder, tw_format_find(format), one->text, size);
            if (wrong != NULL) {
                show(one->id, one->text, size, wrong);
            }
        }
        tw_decoder_free(decoder);
    }
    conformance_free(&file);
}

#define EACH_FORMAT(format)      \
    Test(finish, format##_stops) \
    {                            \
        expect_stops(#format);   \
    }
EACH_FORMAT(gemma4)
EACH_FORMAT(harmony)
EACH_FORMAT(hermes)
EACH_FORMAT(mistral)
EACH_FORMAT(nemotron)

/* ---- real completions --------------------------------------------------- */

/* "bfcl:live_simple_1-1-0@hermes/rnj-1": the dialect stands behind the @. */
static const tw_format *format_of(const tw_value *line)
{
    const char *at = strrchr(tw_value_member(line, "id")->text, '@');
    return at != NULL ? tw_format_find(at + 1) : NULL;
}

/* What a template wrote for a real call, less the stop marker at its end. */
Test(finish, real_completions)
{
    json_lines lines = read_compressed("completions.jsonl.gz");
    size_t stripped = 0;
    for (size_t i = 0; i < lines.count; i++) {
        const tw_value *line = lines.lines[i].root;
        const tw_value *input = tw_value_member(line, "input");
        const tw_format *format = format_of(line);
        tw_decoder *decoder = tw_decoder_new(format, NULL);
        const size_t size =
            without_stop_marker(format, input->text, input->size);
        const char *wrong = stop_differs(decoder, format, input->text, size);
        stripped += size < input->size;
        if (wrong != NULL) {
            show(tw_value_member(line, "id")->text, input->text, size, wrong);
        }
        tw_decoder_free(decoder);
    }
    cr_expect_gt(stripped, 800, "%zu", stripped);
    json_lines_free(&lines);
}

/* ---- by hand ------------------------------------------------------------ */

typedef struct ending {
    const char *format;
    const char *text;
    const char *stop; /* what it says where the model stopped by itself ... */
    const char *length; /* ... and where a token limit stopped it */
} ending;

/* A call `f` that goes on to the end of output, of |size| bytes. */
#define CUT(size)                                                        \
    "call[f call_0] diag[truncated_call@" #size "] incomplete unparsed[" \
    "truncated_call@0+" #size " f]"
#define PYTHON "<|channel|>analysis to=python code<|message|>"
#define NO_PYTHON(size)                                                       \
    "call[python call_0] diag[truncated_call@" #size "] incomplete unparsed[" \
    "truncated_call@0+" #size " python]"
#define HEADER                                               \
    "<|channel|>commentary to=functions.f <|constrain|>json" \
    "<|message|>"
#define HERMES "<tool_call>{\"name\": \"f\", \"arguments\": "

static const ending endings[] = {
    /* The marker that stops Gemma in a call is the one of a result. */
    {"gemma4", "<|tool_call>call:f{a:1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@22] args[}] complete "
     "diag[missing_call_close@22]",
     CUT(22)},
    {"gemma4", "<|tool_call>call:f{a:[1,",
     "call[f call_0] args[{\"a\":[1] diag[missing_closer@24] "
     "diag[trailing_comma@23] args[]}] complete diag[missing_call_close@24]",
     CUT(24)},
    {"gemma4", "<|tool_call>call:f{a:", CUT(21), CUT(21)},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x", CUT(27), CUT(27)},
    {"gemma4", "<|channel>thought\nhm",
     "reasoning[hm] diag[unclosed_reasoning@20]", "reasoning[hm]"},
    /* Half of that marker, and of no other. */
    {"gemma4", "<|tool_call>call:f{a:1<|tool_r",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@22] args[}] complete "
     "diag[missing_call_close@22] text[<|tool_r]",
     CUT(30)},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x<|\"|><|tool_r",
     "call[f call_0] args[{\"a\":\"x\"] diag[missing_closer@32] args[}] "
     "complete diag[missing_call_close@32] text[<|tool_r]",
     "call[f call_0] diag[interior_delimiter@27] diag[truncated_call@40] "
     "incomplete unparsed[truncated_call@0+40 f]"},
    {"gemma4", "<|tool_call>call:f{a:1<|tool_", CUT(29), CUT(29)},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>x<|tool_r", CUT(35), CUT(35)},
    /* Free text for a tool. */
    {"harmony", PYTHON "print(1)",
     "call[python call_0] args[print(1)] complete", NO_PYTHON(53)},
    {"harmony", PYTHON, "call[python call_0] complete", NO_PYTHON(45)},
    {"harmony", PYTHON "print(1)<|ca", NO_PYTHON(57), NO_PYTHON(57)},
    /* Arguments that only lack closers, and none. */
    {"harmony", HEADER "{\"a\":1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@71] args[}] complete",
     CUT(71)},
    {"harmony", HEADER,
     "call[f call_0] diag[empty_arguments@65] args[{}] complete", CUT(65)},
    {"harmony", HEADER "{\"a\":1,", CUT(72), CUT(72)},
    {"harmony", HEADER "{\"a\":\"1", CUT(72), CUT(72)},
    {"harmony", HEADER "{\"a\":1<|ca",
     "call[f call_0] args[{\"a\":1] diag[partial_terminator@71] "
     "diag[missing_closer@71] args[}] complete",
     "call[f call_0] diag[partial_terminator@71] diag[truncated_call@71] "
     "incomplete unparsed[truncated_call@0+71 f]"},
    {"harmony", HEADER "{\"a\":\"1<|ca", CUT(76), CUT(76)},
    /* It may have been half of <|channel|>. */
    {"harmony", HEADER "{\"a\":1<|c",
     "call[f call_0] diag[partial_terminator@71] diag[truncated_call@71] "
     "incomplete unparsed[truncated_call@0+71 f]",
     "call[f call_0] diag[partial_terminator@71] diag[truncated_call@71] "
     "incomplete unparsed[truncated_call@0+71 f]"},
    /* A header says nothing yet. */
    {"harmony", "<|channel|>comm", "drop[truncated_header@0+15]",
     "drop[truncated_header@0+15]"},
    /* Hermes: <|im_end|> completes what lacks its last brace, no more. */
    {"hermes", HERMES "{\"a\": 1", CUT(45), CUT(45)},
    {"hermes", HERMES "{\"a\": 1}",
     "call[f call_0] args[{\"a\": 1] diag[missing_closer@46] args[}] complete "
     "diag[missing_call_close@46]",
     "call[f call_0] args[{\"a\": 1] diag[missing_closer@46] args[}] complete "
     "diag[missing_call_close@46]"},
    {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\":1",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@25] args[}] complete",
     CUT(25)},
    {"mistral", "[TOOL_CALLS]f[ARGS]",
     "call[f call_0] diag[empty_arguments@19] args[{}] complete", CUT(19)},
    {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\":1</",
     "call[f call_0] args[{\"a\":1] diag[missing_closer@25] args[}] complete "
     "text[</]",
     "call[f call_0] diag[syntax_error@25] malformed "
     "unparsed[syntax_error@0+27 f]"},
    {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\":\"</", CUT(27), CUT(27)},
    /* A stop marker cuts a head as the end of output does. */
    {"mistral", "[TOOL_CALLS]f</s>",
     "diag[truncated_call@13] unparsed[truncated_call@0+13]",
     "diag[truncated_call@13] unparsed[truncated_call@0+13]"},
    {"mistral", "[TOOL_CALLS]f[CALL_ID]a</s>b",
     "diag[truncated_call@23] unparsed[truncated_call@0+23] "
     "drop[output_after_end@27+1]",
     "diag[truncated_call@23] unparsed[truncated_call@0+23] "
     "drop[output_after_end@27+1]"},
    {"mistral", "[TOOL_CALLS] is it.</s>", "text[[TOOL_CALLS] is it.]",
     "text[[TOOL_CALLS] is it.]"},
};

static void check(const ending *row)
{
    static const feeding ways[] = {{0, NULL, 0}, {1, NULL, 0}, {3, NULL, 0}};
    const size_t size = strlen(row->text);
    tw_decoder *decoder = decoder_of(row->format);
    event_log log = {0};
    for (size_t i = 0; i < 2 * sizeof ways / sizeof *ways; i++) {
        const bool stop = i % 2 == 0;
        event_log_run_to(&log, decoder, row->text, size, &ways[i / 2],
                         stop ? TW_FINISH_STOP : TW_FINISH_LENGTH);
        cr_expect(log_is(&log, stop ? row->stop : row->length), "%s: %s",
                  stop ? "stop" : "length", row->text);
        const char *wrong = event_log_check(&log, size);
        cr_expect_null(wrong, "%s: %s", row->text, wrong);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

Test(finish, by_hand)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        check(&endings[i]);
    }
}

/* Half a stop marker that the caller marked as text is none. */
Test(finish, half_a_marker_as_text)
{
    static const marked pieces[] = {
        {TW_MARK_UNKNOWN, "[TOOL_CALLS]f[ARGS]{\"a\":1"},
        {TW_MARK_TEXT, "</"}};
    tw_decoder *decoder = decoder_of("mistral");
    event_log log = {0};
    decode_marked(&log, decoder, pieces, 2, 0);
    cr_expect(log_is(&log, "call[f call_0] diag[syntax_error@25] malformed "
                           "unparsed[syntax_error@0+27 f]"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}
