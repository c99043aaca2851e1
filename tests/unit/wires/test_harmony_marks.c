/* SPDX-License-Identifier: MIT
 *
 * Harmony: marks (checks/marks.h).
 */
#include <stdio.h>
#include <string.h>

#include "checks/marks.h"

#define HEADER                                                    \
    "<|channel|>commentary to=functions.lookup <|constrain|>json" \
    "<|message|>"

static const marked_text rows[] = {
    /* The case h-m11: with the quoted marker as TEXT, the call is right. */
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see <|call|> token\"}] complete",
     {U(HEADER "{\"q\":\"see "), T("<|call|>"), U(" token\"}<|call|>")}},
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see <|call|> token\"}] complete",
     {C("<|channel|>"), T("commentary to=functions.lookup "),
      C("<|constrain|>"), T("json"), C("<|message|>"),
      T("{\"q\":\"see <|call|> token\"}"), C("<|call|>")}},
    /* Text that goes on shows a quote, but not where the caller knows better:
     * also of a marker that was quoted before. */
    {"harmony",
     "call[lookup call_0] args[{\"q\":\"see ] "
     "diag[marker_in_body@80] args[<|call|> token\"}] complete",
     {U(HEADER "{\"q\":\"see <|call|>"), U(" token\"}"), C("<|call|>")}},
    {"harmony",
     "call[lookup call_0] diag[syntax_error@80] malformed "
     "unparsed[syntax_error@0+96 lookup] diag[stray_terminator@96]",
     {U(HEADER "{\"q\":\"see "), C("<|call|>"), U(" token\"}<|call|>")}},
    {"harmony",
     "call[lookup call_0] diag[missing_end@80] diag[syntax_error@80] "
     "malformed unparsed[syntax_error@0+80 lookup] text[x]",
     {U(HEADER "{\"q\":\"see "), C("<|start|>"), U("assistant"),
      C("<|channel|>"), U("final"), C("<|message|>"), U("x"),
      C("<|return|>")}},
    {"harmony",
     "call[lookup call_0] diag[marker_in_body@76] diag[syntax_error@129] "
     "malformed unparsed[syntax_error@0+147 lookup]",
     {U(HEADER "{\"q\":\"<|end|><|start|>assistant<|channel|>"),
      U("final<|message|>x"), C("<|call|>"), U("\", \"b\": 1}")}},
    {"harmony",
     "text[<|start|>assistant<|channel|>analysis<|message|>a<|end|>]",
     {C("<|channel|>"), T("final"), C("<|message|>"),
      T("<|start|>assistant<|channel|>analysis<|message|>a<|end|>"),
      C("<|return|>")}},
    {"harmony",
     "reasoning[a<|end|>] text[b]",
     {U("<|channel|>analysis<|message|>a"), T("<|end|>"),
      U("<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>")}},
    {"harmony",
     "call[lookup call_0] args[{\"q\": 1] diag[trailing_comma@77] args[}] "
     "complete",
     {U(HEADER), T("{\"q\": 1,}"), C("<|call|>")}},
    /* A free text tool. */
    {"harmony",
     "call[python call_0] args[print('<|call|>')] complete",
     {U("<|channel|>analysis to=python code<|message|>"),
      T("print('<|call|>')"), C("<|call|>")}},
    /* Words of a header. */
    {"harmony",
     "call[lookup call_0] args[{}] complete",
     {C("<|channel|>"), T("commentary to=functions.lookup <|channel|>final"),
      C("<|message|>"), T("{}"), C("<|call|>")}},
    /* A <|start|> is only repeated where little stands in front of it: text
     * that looks like a marker is as long as it is. */
    {"harmony",
     "diag[missing_message@73] unparsed[missing_message@0+73 lookup] text[x]",
     {U("to=lookup "),
      T("<|channel|><|channel|><|channel|><|channel|><|channel|>aaaaaaaa"),
      U("<|start|>assistant<|channel|>final<|message|>x<|return|>")}},
    {"harmony",
     "diag[repeated_start@21] diag[bare_recipient@0] call[lookup call_0] "
     "args[{}] complete",
     {U("to=lookup "), T("<|channel|>"),
      U("<|start|>assistant<|channel|>final<|message|>{}<|call|>")}},
    /* The output ends in text that looks like half a marker. */
    {"harmony",
     "text[a <|en]",
     {C("<|channel|>"), T("final"), C("<|message|>"), T("a <|en")}},
    /* Half a marker of each kind. */
    {"harmony",
     "text[a <|end|> b]",
     {U("<|channel|>final<|message|>a <|en"), T("d|> b"), C("<|end|>")}},
};

Test(marks, harmony)
{
    check_marks(rows, sizeof rows / sizeof *rows, false);
}

/* Who says of a byte in front of or in a call's head what it is knows that
 * the marker was not there. */
static const marked_text bare[] = {
    {"harmony",
     "diag[missing_message@14] call[f call_0] args[{}] complete",
     {U("to=functions.f{}")}},
    {"harmony",
     "diag[missing_header@0] text[to=functions.f{}]",
     {T("to=functions.f{}")}},
    {"harmony",
     "diag[missing_header@0] text[to=functions.f{}]",
     {U("to=functions.f"), T("{"), U("}")}},
    {"harmony", "diag[missing_header@0] text[to=f.g]", {T("to=f.g")}},
    {"harmony",
     "text[a] diag[missing_header@35] text[ to=functions.f{}]",
     {C("<|channel|>"), T("final"), C("<|message|>"), T("a"), C("<|end|>"),
      T(" to=functions.f{}")}},
    /* A header's marker is one. */
    {"harmony",
     "diag[missing_message@37] call[f call_0] args[{}] complete",
     {C("<|channel|>"), T("commentary to=functions.f {}")}},
    {"harmony",
     "call[f call_0] args[{}] complete",
     {T(" to=functions.f"), C("<|channel|>"), T("commentary json"),
      C("<|message|>"), T("{}"), C("<|call|>")}},
};

Test(marks, harmony_bare_calls)
{
    check_marks(bare, sizeof bare / sizeof *bare, false);
}

/* An option that asks for them has them. */
Test(marks, harmony_stripped)
{
    static const marked pieces[] = {T("assistant to=functions.f{}")};
    tw_decoder *decoder = decoder_of("harmony");
    event_log log = {0};
    tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, 1);
    decode_marked(&log, decoder, pieces, 1, 0);
    cr_expect(log_is(&log, "diag[stripped_markers@0] diag[missing_message@24] "
                           "call[f call_0] args[{}] complete"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* Small letters go on with the channel's name; more blanks than a header may
 * have are text. */
Test(marks, harmony_is_not_stripped)
{
    char far[512];
    snprintf(far, sizeof far, "assistant%400sx", "");
    const char *const texts[] = {"finalabc", "finalzbc", far};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char words[600];
        snprintf(words, sizeof words, "diag[missing_header@0] text[%s]",
                 texts[i]);
        tw_decoder *decoder = decoder_of("harmony");
        event_log log = {0};
        tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, 1);
        decode(&log, decoder, texts[i], strlen(texts[i]), 0);
        cr_expect(log_is(&log, words), "%s", texts[i]);
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
}
