/* SPDX-License-Identifier: MIT
 *
 * Warnings of what is most often a wrong setting: the prompt ended inside
 * reasoning, the model writes another format, the prompt ends in a user's
 * turn.  Nothing else changes: the text stays as it is, and strict mode does
 * not refuse it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "core/skip.h"
#include "formats/format.h"
#include "json_lines.h"
#include "support/cases.h"
#include "support/decoding.h"
#include "decode/watch.h"

typedef struct warned {
    const char *format;
    const char *text;
    const char *words;
    const char *foreign; /* the format that is named, or NULL */
} warned;

static const event_record *named(const event_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        if (log->events[i].code == TW_DIAGNOSTIC_FOREIGN_MARKER &&
            log->events[i].type == TW_EVENT_DIAGNOSTIC) {
            return &log->events[i];
        }
    }
    return NULL;
}

static void check(const warned *row, const char *prompt, bool strict)
{
    static const size_t chunks[] = {1, 2, 3, 5, 7, 11};
    const size_t size = strlen(row->text);
    tw_decoder *decoder = decoder_of(row->format);
    event_log whole = {0};
    event_log other = {0};
    tw_decoder_set(decoder, TW_OPTION_STRICT, strict);
    const feeding all = {0, NULL, 0};
    event_log_run(&whole, decoder, row->text, size, &all, prompt,
                  prompt != NULL ? strlen(prompt) : 0);
    cr_expect(log_is(&whole, row->words), "%s: %s", row->format, row->text);
    const char *wrong = event_log_check(&whole, size);
    cr_expect_null(wrong, "%s: %s: %s", row->format, row->text, wrong);
    const event_record *event = named(&whole);
    cr_expect_eq(event != NULL, row->foreign != NULL);
    if (event != NULL && row->foreign != NULL) {
        cr_expect_eq(event->id_size, strlen(row->foreign));
        cr_expect_eq(
            memcmp(whole.bytes + event->id, row->foreign, event->id_size), 0);
        cr_expect_eq(event->flags, TW_EVENT_WARNING);
    }
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        const feeding how = {chunks[i], NULL, 0};
        event_log_run(&other, decoder, row->text, size, &how, prompt,
                      prompt != NULL ? strlen(prompt) : 0);
        cr_expect(event_log_same(&whole, &other), "%s: %s in %zu", row->format,
                  row->text, chunks[i]);
    }
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
}

static void check_all(const warned *rows, size_t count, const char *prompt)
{
    for (size_t i = 0; i < count; i++) {
        check(&rows[i], prompt, false);
    }
}

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- reasoning that nothing opened -------------------------------------- */

static const warned orphans[] = {
    {"hermes", "I think so.\n</think>\n\nAnswer",
     "text[I think so.\n</think>\n\nAnswer] diag[orphan_reasoning_close@12]",
     NULL},
    /* Reasoning that was empty. */
    {"hermes", "</think>Hi", "text[Hi]", NULL},
    /* Once. */
    {"hermes", "a</think>b</think>c",
     "text[a</think>b</think>c] diag[orphan_reasoning_close@1]", NULL},
    /* A second one. */
    {"hermes", "<think>\na\n</think>\n\nb </think> c",
     "reasoning[a] text[b </think> c] diag[orphan_reasoning_close@22]", NULL},
    {"hermes", "<think></think>b </think> c",
     "text[b </think> c] diag[orphan_reasoning_close@17]", NULL},
    /* Opened in words. */
    {"hermes", "Close <think> with </think>.",
     "text[Close <think> with </think>.]", NULL},
    {"hermes", "a</thin", "text[a</thin]", NULL},
    {"hermes",
     "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"</think>\"}}\n"
     "</tool_call>",
     "call[f call_0] args[{\"a\": \"</think>\"}] complete", NULL},
    {"nemotron", "Hm.\n</think>\n\nHi",
     "text[Hm.\n</think>\n\nHi] diag[orphan_reasoning_close@4]", NULL},
    {"mistral", "Hm.[/THINK]Hi",
     "text[Hm.[/THINK]Hi] diag[orphan_reasoning_close@3]", NULL},
    {"mistral", "[THINK]a[/THINK]b[/THINK]", "reasoning[a] text[b[/THINK]] "
     "diag[orphan_reasoning_close@17]",
     NULL},
    /* Gemma skips the marker, as ever. */
    {"gemma4", "Hm. <channel|> Hi",
     "text[Hm. ] diag[stray_marker@4] text[ Hi] "
     "diag[orphan_reasoning_close@4]",
     NULL},
    {"gemma4", "<|channel>thought\na<channel|><channel|>Hi",
     "reasoning[a] diag[stray_marker@29] text[Hi]", NULL},
};

Test(warnings, orphan_reasoning_close)
{
    check_all(orphans, COUNT(orphans), NULL);
}

/* Who said that reasoning was open has none but the second. */
Test(warnings, second_close_behind_reasoning)
{
    static const warned row = {
        "hermes", "I think so.\n</think>\n\nAnswer </think>",
        "reasoning[I think so.] text[Answer </think>] "
        "diag[orphan_reasoning_close@29]", NULL};
    check(&row, "<|im_start|>assistant\n<think>\n", false);
}

/* What the caller marked as text is no marker that closes anything, but where
 * tokenizers match it in text, too. */
Test(warnings, marked_text_closes_nothing)
{
    static const marked quoted[] = {{TW_MARK_TEXT, "a[/THINK]b"}};
    static const marked token[] = {{TW_MARK_UNKNOWN, "a[/THINK]b"},
                                   {TW_MARK_TEXT, "c"}};
    static const marked literal[] = {{TW_MARK_TEXT, "a</think>b"}};
    event_log log = {0};
    tw_decoder *decoder = decoder_of("mistral");
    decode_marked(&log, decoder, quoted, 1, 1);
    cr_expect(log_is(&log, "text[a[/THINK]b]"));
    decode_marked(&log, decoder, token, 2, 1);
    cr_expect(
        log_is(&log, "text[a[/THINK]bc] diag[orphan_reasoning_close@1]"));
    tw_decoder_free(decoder);
    decoder = decoder_of("hermes");
    decode_marked(&log, decoder, literal, 1, 1);
    cr_expect(log_is(&log, "text[a</think>b] diag[orphan_reasoning_close@1]"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* ---- another format ----------------------------------------------------- */

#define HERMES \
    "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>"
#define HARMONY                                              \
    "<|channel|>commentary to=functions.f <|constrain|>json" \
    "<|message|>{}<|call|>"
#define TWENTY_BLANKS "                    "

static const warned foreign[] = {
    {"gemma4", HERMES, "text[" HERMES "] diag[foreign_marker@0]", "hermes"},
    {"gemma4", "<tool_call>[{", "text[<tool_call>[{] diag[foreign_marker@0]",
     "hermes"},
    {"gemma4", "<tool_call><function=f>",
     "text[<tool_call><function=f>] diag[foreign_marker@0]", "qwen3-coder"},
    {"gemma4", HARMONY, "text[" HARMONY "] diag[foreign_marker@0]", "harmony"},
    {"gemma4", "Hm.[TOOL_CALLS]f[ARGS]{}",
     "text[Hm.[TOOL_CALLS]f[ARGS]{}] diag[foreign_marker@3]", "mistral"},
    {"hermes", "Hi <|tool_call>call:f{}<tool_call|>",
     "text[Hi <|tool_call>call:f{}<tool_call|>] diag[foreign_marker@3]",
     "gemma4"},
    {"hermes", "[TOOL_CALLS]f[CALL_ID]abc[ARGS]{}",
     "text[[TOOL_CALLS]f[CALL_ID]abc[ARGS]{}] diag[foreign_marker@0]",
     "mistral"},
    {"hermes", "<|channel|>final<|message|>Hi",
     "text[<|channel|>final<|message|>Hi] diag[foreign_marker@0]", "harmony"},
    /* Tags of several formats, in the section of one. */
    {"hermes", "<minimax:tool_call>\n<invoke name=\"f\">\n</invoke>",
     "text[<minimax:tool_call>\n<invoke name=\"f\">\n</invoke>] "
     "diag[foreign_marker@0]",
     "minimax/m2"},
    {"gemma4", "<seed:tool_call>\n<function=f>\n</function>",
     "text[<seed:tool_call>\n<function=f>\n</function>] "
     "diag[foreign_marker@0]",
     "seed-oss"},
    {"hermes", "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">",
     "text[<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">] "
     "diag[foreign_marker@0]",
     "deepseek/v4"},
    {"hermes", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">",
     "text[<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">] "
     "diag[foreign_marker@0]",
     "deepseek/v3.2"},
    /* One object, where its format has a list. */
    {"mistral/v11", "[TOOL_CALLS]{\"name\":\"f\"",
     "text[[TOOL_CALLS]{\"name\":\"f\"] diag[foreign_marker@0]", "mistral/v3"},
    {"mistral/v13", "[TOOL_CALLS] {\"name\":\"f\"",
     "text[[TOOL_CALLS] {\"name\":\"f\"] diag[foreign_marker@0]",
     "mistral/v3"},
    {"gemma4", "<|START_ACTION|>\n{\"tool_name\":",
     "text[<|START_ACTION|>\n{\"tool_name\":] diag[foreign_marker@0]",
     "cohere/command-a"},
    {"hermes", "<TOOLCALL>[{}]</TOOLCALL>",
     "text[<TOOLCALL>[{}]</TOOLCALL>] diag[foreign_marker@0]", "nemotron"},
    /* Not its invoke tag alone, which other formats have. */
    {"gemma4", "Hm ]<]minimax[>[<invoke name=\"f\">",
     "text[Hm ]<]minimax[>[<invoke name=\"f\">] diag[foreign_marker@3]",
     "minimax/m3"},
    {"nemotron", HERMES, "text[" HERMES "] diag[foreign_marker@0]", "hermes"},
    {"mistral", HERMES, "text[" HERMES "] diag[foreign_marker@0]", "hermes"},
    {"harmony", "<|channel|>final<|message|>" HERMES "<|return|>",
     "text[" HERMES "] diag[foreign_marker@27]", "hermes"},
    /* The first one, once; not half of one, nor what overlaps. */
    {"hermes", "[TOOL_CALLS]f{<|tool_call>call:f{}[TOOL_CALLS]g{",
     "text[[TOOL_CALLS]f{<|tool_call>call:f{}[TOOL_CALLS]g{] "
     "diag[foreign_marker@0]",
     "mistral"},
    {"hermes", "<<|tool_call><|tool_call>call:f",
     "text[<<|tool_call><|tool_call>call:f] diag[foreign_marker@13]",
     "gemma4"},
    {"hermes", "<|tool_call>call", "text[<|tool_call>call]", NULL},
    /* Mentioned, not called. */
    {"gemma4", "The <tool_call> tag, <tool_call>...</tool_call>, opens it.",
     "text[The <tool_call> tag, <tool_call>...</tool_call>, opens it.]", NULL},
    {"gemma4", "`<tool_call></tool_call>`", "text[`<tool_call></tool_call>`]",
     NULL},
    {"hermes", "<|channel|> and <|tool_call> and [TOOL_CALLS] are tokens",
     "text[<|channel|> and <|tool_call> and [TOOL_CALLS] are tokens]", NULL},
    {"mistral/v13", "Behind [TOOL_CALLS] stands a {name}.",
     "text[Behind [TOOL_CALLS] stands a {name}.]", NULL},
    {"gemma4", "<tool_call>" TWENTY_BLANKS TWENTY_BLANKS TWENTY_BLANKS "{",
     "text[<tool_call>" TWENTY_BLANKS TWENTY_BLANKS TWENTY_BLANKS "{]", NULL},
    /* Not in text. */
    {"hermes", "<think>\n<|tool_call>call:f{}\n</think>\nHi",
     "reasoning[<|tool_call>call:f{}] text[Hi]", NULL},
    {"gemma4", "<|tool_call>call:f{a:<|\"|>" HERMES "<|\"|>}<tool_call|>",
     "call[f call_0] args[{\"a\":\"<tool_call>\\n{\\\"name\\\": \\\"a\\\", "
     "\\\"arguments\\\": {}}\\n</tool_call>\"}] complete",
     NULL},
    /* Text ends in front of a call. */
    {"hermes", "<|tool_call>" HERMES "call:f",
     "text[<|tool_call>] call[a call_0] args[{}] complete text[call:f]", NULL},
    /* Both. */
    {"hermes", "a</think><|tool_call>call:f{}",
     "text[a</think><|tool_call>call:f{}] diag[orphan_reasoning_close@1] "
     "diag[foreign_marker@9]",
     "gemma4"},
};

Test(warnings, foreign_marker)
{
    check_all(foreign, COUNT(foreign), NULL);
}

/* Two bytes must do to see that a head may begin: prose is passed by them.
 * Heads are found by their first bytes, in which nothing may be left open. */
static void check_head(const char *name, const char *head)
{
    cr_expect(tw_may_begin_marker((const uint8_t *)head), "%s: %s", name,
              head);
    cr_expect_geq(strcspn(head, " *"), TW_HEAD_LEAD, "%s: %s", name, head);
}

Test(warnings, heads_begin_like_markers)
{
    const tw_format *program = tw_format_next(NULL);
    for (; program->description == NULL; program = tw_format_next(program)) {
        for (size_t j = 0; program->call_heads[j] != NULL; j++) {
            check_head(program->name, program->call_heads[j]);
        }
    }
    cr_assert_gt(tw_framed_head_count, 0);
    for (size_t i = 0; i < tw_framed_head_count; i++) {
        const tw_call_head *head = &tw_framed_heads[i];
        check_head(head->format->name, head->text);
        cr_expect(i == 0 || strcmp(head[-1].text, head->text) < 0, "%s",
                  head->text);
    }
}

/* What was held of the text in front may end inside a code point. */
Test(warnings, no_text_in_front_hides_a_head)
{
    static const char head[] = "<function=f>";
    tw_decoder *decoder = decoder_of("mistral/v7");
    const feeding all = {0, NULL, 0};
    event_log log = {0};
    for (size_t count = 0; count <= 40; count++) {
        char text[128] = "<tool_call></args";
        for (size_t i = 0; i < count; i++) {
            strcat(text, "\u00e9");
        }
        strcat(text, head);
        event_log_run(&log, decoder, text, strlen(text), &all, NULL, 0);
        cr_expect_not_null(named(&log), "%s", text);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* ---- prompts without a generation prompt -------------------------------- */

typedef struct tail {
    const char *prompt;
    warned row;
} tail;

#define ASSISTANT "<|im_start|>assistant\n"
#define USER "<|im_start|>user\nhi<|im_end|>\n"
#define NONE "diag[no_generation_prompt@0] "

static const tail tails[] = {
    {USER, {"hermes", "Hi", NONE "text[Hi]", NULL}},
    {ASSISTANT "ho<|im_end|>\n" USER, {"hermes", "Hi", NONE "text[Hi]", NULL}},
    {"<|im_start|>user\nhi", {"hermes", "Hi", NONE "text[Hi]", NULL}},
    {ASSISTANT "ho<|im_end|>\n", {"hermes", "Hi", NONE "text[Hi]", NULL}},
    {ASSISTANT "ho<|im_end|>\n<|im_start|>user\nhi",
     {"hermes", "Hi", NONE "text[Hi]", NULL}},
    {USER,
     {"hermes", "<think>\nhm\n</think>\n\n" HERMES,
      NONE "reasoning[hm] call[a call_0] args[{}] complete", NULL}},
    {USER ASSISTANT, {"hermes", "Hi", "text[Hi]", NULL}},
    {USER ASSISTANT "Say ", {"hermes", "Hi", "text[Hi]", NULL}},
    {"", {"hermes", "Hi", "text[Hi]", NULL}},
    {"<think>\n", {"hermes", "hm</think>Hi", "reasoning[hm] text[Hi]", NULL}},
    /* A turn's marker inside a call or reasoning begins none. */
    {ASSISTANT "<think>\n<|im_start|>",
     {"hermes", "hm</think>Hi", "reasoning[hm] text[Hi]", NULL}},
    {ASSISTANT
     "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"<|im_end|>",
     {"hermes", "\"}}\n</tool_call>",
      "call[f call_0] args[{\"a\": \"<|im_end|>\"}] complete", NULL}},
    {"<|turn>user\nhi<turn|>\n", {"gemma4", "Hi", NONE "text[Hi]", NULL}},
    {"<|turn>model\nho<turn|>\n<|turn>user\nhi<turn|>\n",
     {"gemma4", "<|tool_call>call:f{}<tool_call|>",
      NONE "call[f call_0] args[{}] complete", NULL}},
    {"<|turn>user\nhi<turn|>\n<|turn>model\n",
     {"gemma4", "Hi", "text[Hi]", NULL}},
    {"<|turn>model\n<|tool_call>call:f{}<tool_call|><|tool_response>"
     "response:f{}<tool_response|>",
     {"gemma4", "Hi", "text[Hi]", NULL}},
    {"<|start|>user<|message|>hi<|end|>",
     {"harmony", "<|channel|>final<|message|>Hi<|return|>", NONE "text[Hi]",
      NULL}},
    {"<|start|>user<|message|>hi",
     {"harmony", "<|channel|>final<|message|>Hi<|return|>", NONE "text[Hi]",
      NULL}},
    {"<|start|>assistant<|channel|>final<|message|>ho<|return|>",
     {"harmony", "<|channel|>final<|message|>Hi", NONE "text[Hi]", NULL}},
    {"<|start|>user<|message|>hi<|end|><|start|>assistant",
     {"harmony", "<|channel|>final<|message|>Hi", "text[Hi]", NULL}},
    /* The model's next message. */
    {"<|start|>assistant<|channel|>analysis<|message|>hm<|end|>",
     {"harmony", "<|start|>assistant<|channel|>final<|message|>Hi", "text[Hi]",
      NULL}},
    {"<SPECIAL_11>User\nhi\n", {"nemotron", "Hi", NONE "text[Hi]", NULL}},
    {"<SPECIAL_11>User\nhi\n<SPECIAL_11>Assistant\n",
     {"nemotron", "Hi", "text[Hi]", NULL}},
    {"<s>[INST]hi[/INST]ho</s>[INST]hi",
     {"mistral", "Hi", NONE "text[Hi]", NULL}},
    {"<s>[INST]hi[/INST]", {"mistral", "Hi", "text[Hi]", NULL}},
};

Test(warnings, no_generation_prompt)
{
    for (size_t i = 0; i < COUNT(tails); i++) {
        check(&tails[i].row, tails[i].prompt, false);
    }
}

/* A reset forgets it; the next prompt may be another. */
Test(warnings, the_next_message_has_none)
{
    tw_decoder *decoder = decoder_of("hermes");
    event_log log = {0};
    const feeding all = {0, NULL, 0};
    event_log_run(&log, decoder, "a</think><|tool_call>call:f", 27, &all, USER,
                  sizeof USER - 1);
    cr_expect(log_is(&log, NONE "text[a</think><|tool_call>call:f] "
                                "diag[orphan_reasoning_close@1] "
                                "diag[foreign_marker@9]"));
    event_log_run(&log, decoder, "Hi", 2, &all, ASSISTANT,
                  sizeof ASSISTANT - 1);
    cr_expect(log_is(&log, "text[Hi]"));
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* ---- what they change --------------------------------------------------- */

Test(warnings, strict_lets_them_pass)
{
    static const warned rows[] = {
        {"hermes", "a</think>b<|tool_call>call:f",
         NONE "text[a</think>b<|tool_call>call:f] "
              "diag[orphan_reasoning_close@1] diag[foreign_marker@10]",
         "gemma4"}};
    check(&rows[0], USER, true);
}

Test(warnings, a_message_names_the_format)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    static const char text[] = "<|tool_call>call:f";
    const char *line;
    size_t size;
    cr_assert_eq(tw_decode_message(decoder, writer, text, sizeof text - 1,
                                   &line, &size),
                 TW_OK);
    expect_line("{'role':'assistant','content':'<|tool_call>call:f',"
                "'toolwire':{'diagnostics':[{'code':'foreign_marker',"
                "'offset':0,'size':0,'format':'gemma4'}]}}",
                line, size);
    tw_decoder_free(decoder);
    tw_writer_free(writer);
}

Test(warnings, a_converter_names_the_format)
{
    static const char text[] = "a</think><|tool_call>call:f";
    tw_converter *converter = tw_converter_new("hermes", "report", NULL);
    const char *out;
    size_t size;
    uint32_t code;
    uint64_t offset;
    cr_assert_eq(
        tw_converter_text(converter, text, sizeof text - 1, &out, &size),
        TW_OK);
    expect_line("{'diagnostics':[{'code':'orphan_reasoning_close','offset':1,"
                "'size':0},{'code':'foreign_marker','offset':9,'size':0,"
                "'format':'gemma4'}],'unparsed':0}",
                out, size);
    cr_expect_null(tw_converter_diagnostic_format(converter, 0));
    cr_expect_str_eq(tw_converter_diagnostic_format(converter, 1), "gemma4");
    cr_expect_null(tw_converter_diagnostic_format(converter, 2));
    cr_expect_null(tw_converter_diagnostic_format(NULL, 0));
    cr_assert_eq(tw_converter_diagnostic(converter, 1, &code, &offset), 1);
    cr_expect_eq(code, TW_DIAGNOSTIC_FOREIGN_MARKER);
    tw_converter_free(converter);
}
