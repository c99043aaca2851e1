/* SPDX-License-Identifier: MIT
 *
 * Turns appended to what was sent: the same bytes as a whole rendering has,
 * however the model spelled its completion, or the message that the template
 * is not stable with.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "toolwire.h"

#define USER(text) "{\"role\":\"user\",\"content\":\"" text "\"}"
#define SAYS(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define CALLS                                                                 \
    "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"a\"," \
    "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":"       \
    "\"{\\\"a\\\": 1}\"}}]}"
#define RESULT "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}"
#define THINKS                                                   \
    "{\"role\":\"assistant\",\"reasoning_content\":\"because\"," \
    "\"content\":\"b\"}"
#define RECORD(completion, messages, fresh) \
    "{\"completion\":\"" completion         \
    "\",\"messages\":[" USER("q") "," messages "],\"new\":[" fresh "]}"

/* Each turn has a stop and, behind it, a line feed that is the template's. */
#define CHATML                                                               \
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m."              \
    "reasoning_content and loop.last %}<think>{{ m.reasoning_content }}"     \
    "</think>{% endif %}{{ m.content }}{% for c in m.tool_calls or [] %}"    \
    "<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}<|im_end|>" \
    "{{ '\\n' }}{% endfor %}"                                                \
    "{% if add_generation_prompt %}<|im_start|>assistant{{ '\\n' }}"         \
    "{% endif %}"
#define HEAD "<|im_start|>assistant\n"
#define TURN(role, text) "<|im_start|>" role "\n" text "<|im_end|>\n"

static tw_template *load(const char *text, const tw_allocator *allocator)
{
    const tw_template_source source = {text, strlen(text), NULL, 0, NULL};
    tw_template *template_ = NULL;
    tw_template_load(&source, allocator, &template_, NULL);
    return template_;
}

static void expect(tw_encoder *encoder, const char *record, int code,
                   const char *wanted)
{
    const char *text = "";
    size_t size = 0;
    const int result =
        tw_encoder_extend(encoder, record, strlen(record), &text, &size);
    const tw_error *error = tw_encoder_error(encoder);
    cr_expect_eq(result, code, "%s: %d %s", record, result, error->message);
    if (code != TW_OK) {
        text = error->path != NULL ? error->path : "";
        size = strlen(text);
    }
    cr_expect(size == strlen(wanted) && memcmp(text, wanted, size) == 0,
              "%s: %.*s", record, (int)size, text);
}

typedef struct row {
    const char *record;
    int code;
    const char *wanted; /* what is appended, or the path */
} row;

#define ANSWER "\n" TURN("user", "r") HEAD

static const row chatml_rows[] = {
    /* as the template spells it, with its stop and without */
    {RECORD("b<|im_end|>", SAYS("b"), USER("r")), TW_OK, ANSWER},
    {RECORD("b", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER},
    {RECORD("b<|im_end|>\\n", SAYS("b"), USER("r")), TW_OK,
     TURN("user", "r") HEAD},
    /* otherwise */
    {RECORD(" b  <|im_end|>", SAYS("b"), USER("r")), TW_OK, ANSWER},
    {RECORD("\\nb \\n", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER},
    {RECORD("<tool_call>{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}"
            " </tool_call>\\n<|im_end|>",
            CALLS, RESULT),
     TW_OK, "\n" TURN("tool", "r") HEAD},
    {RECORD("<tool_call> {\\\"name\\\": \\\"f\\\"}</tool_call>", CALLS,
            RESULT),
     TW_OK, "<|im_end|>\n" TURN("tool", "r") HEAD},
    /* blanks behind the stop take the place of the same ones alone */
    {RECORD("b<|im_end|> ", SAYS("b"), USER("r")), TW_OK, ANSWER},
    {RECORD(" b<|im_end|> \\n ", SAYS("b"), USER("r")), TW_OK,
     TURN("user", "r") HEAD},
    /* nothing new */
    {RECORD("b", SAYS("b"), ""), TW_OK, "<|im_end|>\n" HEAD},
    /* reasoning is left out once another message follows */
    {RECORD("<think>because</think>b<|im_end|>", THINKS, RESULT "," USER("r")),
     TW_ERROR_UNSTABLE, "new[0]"},
    /* the message is not what was sampled */
    {RECORD("b", SAYS("bcd"), USER("r")), TW_ERROR_SCHEMA, "messages[1]"},
    {"{\"messages\":[" USER("q") "],\"completion\":\"\",\"new\":[]}",
     TW_ERROR_SCHEMA, "messages"},
    {"{\"messages\":[" SAYS("q") "],\"new\":[]}", TW_ERROR_SCHEMA, ""},
    {"{\"messages\":[" SAYS("q") "],\"completion\":\"q\"}", TW_ERROR_SCHEMA,
     ""},
    {"{\"prompt\":\"<|im_start|>user\\n\",\"completion\":\"b\",\"messages\":"
     "[" USER("q") "," SAYS("b") "],\"new\":[]}",
     TW_ERROR_UNSTABLE, "prompt"},
    {"{\"prompt\":\"any<|im_end|>\\n<|im_start|>assistant\\n\",\"completion\":"
     "\"b\",\"messages\":[" USER("q") "," SAYS("b") "],\"new\":[]}",
     TW_OK, "<|im_end|>\n" HEAD},
    /* paths of what is new are its own */
    {RECORD("b", SAYS("b"), USER("r") "," USER("<|im_end|>")),
     TW_ERROR_CONTROL_TEXT, "new[1].content"},
    {"[]", TW_ERROR_SCHEMA, ""},
    {"{", TW_ERROR_JSON, ""},
};

Test(extend, appends_what_a_whole_rendering_has)
{
    tw_template *template_ = load(CHATML, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    for (size_t i = 0; i < sizeof chatml_rows / sizeof *chatml_rows; i++) {
        expect(encoder, chatml_rows[i].record, chatml_rows[i].code,
               chatml_rows[i].wanted);
    }
    /* The segments are those of what is appended. */
    const tw_segment *segment;
    expect(encoder, chatml_rows[1].record, TW_OK, chatml_rows[1].wanted);
    cr_assert_eq(tw_encoder_next(encoder, &segment), 1);
    cr_expect(segment->control == 1 && segment->size == 10);
    cr_assert_eq(tw_encoder_next(encoder, &segment), 1);
    cr_expect(segment->control == 0 && segment->size == 1);
    /* In text that is to be broken there is one more character. */
    cr_assert_eq(
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_BREAK),
        TW_OK);
    expect(encoder, RECORD("b ", SAYS("b"), USER("<|im_end|>")), TW_OK,
           "<|im_end|>\n" TURN("user", "<\xE2\x80\x8B|im_end|>") HEAD);
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

/* The last turn has an empty block of reasoning and loses the block once
 * another follows: it stands where the model has sampled it, and else goes. */
Test(extend, words_of_a_last_turn_alone)
{
#define EMPTY "<think>\n\n</think>\n\n"
    static const char text[] =
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if loop.last and "
        "m.role == 'assistant' %}" EMPTY "{% endif %}{{ m.content }}<|im_end|>"
        "{{ '\\n' }}{% endfor %}{% if add_generation_prompt %}<|im_start|>"
        "assistant{{ '\\n' }}{% endif %}";
    static const row rows[] = {
        {RECORD("b<|im_end|>", SAYS("b"), USER("r")), TW_OK, ANSWER},
        {RECORD("b", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER},
        {RECORD(" b ", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER},
        {RECORD("<think>\\n\\n</think>\\n\\nb<|im_end|>", SAYS("b"),
                USER("r")),
         TW_ERROR_UNSTABLE, "new[0]"},
    };
    tw_template *template_ = load(text, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(encoder, rows[i].record, rows[i].code, rows[i].wanted);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

/* Words that end a turn are many, are plain, or are those of the last turn
 * alone: what the model wrote of them stands once, and nothing is lost. */
#define TURN_OF(head, body, end)                                             \
    "{% for m in messages %}{{ '" head "' | replace('ROLE', m.role) }}" body \
    "{{ " end " }}{% endfor %}{% if add_generation_prompt %}{{ '" head       \
    "' | replace('ROLE', 'assistant') }}{% endif %}"
#define CALL_LIST                                               \
    "{{ m.content }}{% if m.tool_calls %}[CALLS][{% for c in m" \
    ".tool_calls %}{{ c.function | tojson }}{% endfor %}]{% endif %}"

Test(extend, words_behind_a_turn)
{
    static const struct {
        const char *text;
        row row;
    } rows[] = {
        {TURN_OF("<|ROLE|>", "{{ m.content }}", "'<|end|><|sep|>'"),
         {RECORD(" b", SAYS("b"), USER("r")), TW_OK,
          "<|end|><|sep|><|user|>r<|end|><|sep|><|assistant|>"}},
        {TURN_OF("<|ROLE|>", "{{ m.content }}", "'<|end|><|sep|>'"),
         {RECORD(" b<|end|>", SAYS("b"), USER("r")), TW_OK,
          "<|sep|><|user|>r<|end|><|sep|><|assistant|>"}},
        {TURN_OF("<|ROLE|>", "{{ m.content }}", "'<|end|><|sep|>'"),
         {RECORD(" ", SAYS(""), USER("r")), TW_OK,
          "<|end|><|sep|><|user|>r<|end|><|sep|><|assistant|>"}},
        {TURN_OF("<ROLE>", "{{ m.content }}", "'</' + m.role + '>'"),
         {RECORD(" b", SAYS("b"), USER("r")), TW_OK,
          "</assistant><user>r</user><assistant>"}},
        /* odd blanks in front of a stop that is no <marker> */
        {TURN_OF("[|ROLE|]", CALL_LIST, "'[|end|]'"),
         {RECORD("[CALLS][{\\\"name\\\": \\\"f\\\"} ] [|end|]", CALLS, RESULT),
          TW_OK, "[|tool|]r[|end|][|assistant|]"}},
        {TURN_OF("[|ROLE|]", CALL_LIST, "'[|end|]'"),
         {RECORD("[CALLS][{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": "
                 "{\\\"a\\\": 1 }}",
                 CALLS, RESULT),
          TW_OK, "][|end|][|tool|]r[|end|][|assistant|]"}},
        /* a text that ends like the words that follow begin */
        {TURN_OF("ROLE: ", "{{ m.content }}", "'\\n'"),
         {RECORD(" u", SAYS("u"), USER("r")), TW_OK,
          "\nuser: r\nassistant: "}},
        /* nothing was said behind a prompt that ends like that */
        {TURN_OF("<|ROLE|><|end|>", "{{ m.content }}", "'<|end|>\\n'"),
         {RECORD("\\n<|end|>", SAYS(""), USER("r")), TW_OK,
          "\n<|user|><|end|>r<|end|>\n<|assistant|><|end|>"}},
        /* a stop of the last turn alone, among other words */
        {TURN_OF("<|ROLE|>", "{{ m.content }}",
                 "'<|return|><|sep|>' if loop.last and m.role == 'assistant' "
                 "else '<|end|><|sep|>'"),
         {RECORD("b<|return|>", SAYS("b"), USER("r")), TW_ERROR_UNSTABLE,
          "new[0]"}},
        {TURN_OF("<|ROLE|>", "{{ m.content }}",
                 "'<|return|><|sep|>' if loop.last and m.role == 'assistant' "
                 "else '<|end|><|sep|>'"),
         {RECORD("b", SAYS("b"), USER("r")), TW_OK,
          "<|end|><|sep|><|user|>r<|end|><|sep|><|assistant|>"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tw_template *template_ = load(rows[i].text, NULL);
        cr_assert_not_null(template_, "%zu", i);
        tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
        expect(encoder, rows[i].row.record, rows[i].row.code,
               rows[i].row.wanted);
        tw_encoder_free(encoder);
        tw_template_free(template_);
    }
}

Test(extend, built_in_prompts_are_appended_to)
{
    static const struct {
        const char *format;
        row row;
    } rows[] = {
        {"hermes/qwen2.5",
         {RECORD("b ", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER}},
        {"harmony",
         {RECORD("<|channel|>final<|message|>b", SAYS("b"), USER("r")), TW_OK,
          "<|end|><|start|>user<|message|>r<|end|><|start|>assistant"}},
        /* A return is an end in what came before. */
        {"harmony",
         {RECORD("<|channel|>final<|message|>b<|return|>", SAYS("b"),
                 USER("r")),
          TW_ERROR_UNSTABLE, "messages[1]"}},
        {"gemma4/e",
         {RECORD("<|tool_call>call:f{a: 1}<tool_call|><|tool_response>", CALLS,
                 RESULT),
          TW_OK, "response:f{value:<|\"|>r<|\"|>}<tool_response|>"}},
        /* Its prompt has an empty thought, which is gone in the next one. */
        {"gemma4",
         {RECORD("b<turn|>", SAYS("b"), USER("r")), TW_ERROR_UNSTABLE,
          "messages[1]"}},
        {"mistral",
         {RECORD("b", SAYS("b"), USER("r")), TW_ERROR_CANNOT_CARRY, ""}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tw_encoder *encoder =
            tw_encoder_new(tw_format_find(rows[i].format), NULL);
        expect(encoder, rows[i].row.record, rows[i].row.code,
               rows[i].row.wanted);
        tw_encoder_free(encoder);
    }
}

/* ---- turn by turn ------------------------------------------------------- */

#define SIZE 40000

/* A turn of one of four kinds, and what follows it: a result or a question. */
static void describe(size_t i, char *message, char *fresh)
{
    const char *thought = i % 4 > 1 ? ",\"reasoning_content\":\"why\"" : "";
    if (i % 2 == 0) {
        sprintf(message,
                "{\"role\":\"assistant\",\"content\":\"\"%s,"
                "\"tool_calls\":[{\"id\":\"c%zu\",\"type\":\"function\","
                "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}",
                thought, i);
        sprintf(fresh,
                "{\"role\":\"tool\",\"tool_call_id\":\"c%zu\",\"name\":"
                "\"f\",\"content\":\"result %zu\"}",
                i, i);
    } else {
        sprintf(message, "{\"role\":\"assistant\",\"content\":\"say %zu\"%s}",
                i, thought);
        sprintf(fresh, "{\"role\":\"%s\",\"content\":\"more %zu\"}",
                i % 20 == 9 ? "user" : "tool", i);
    }
}

/* What all messages give, and what goes on from the last record, is one. */
static void go_on(const char *text, size_t turns)
{
    static char messages[SIZE], record[2 * SIZE];
    char message[400], fresh[400];
    tw_template *template_ = load(text, NULL);
    tw_encoder *whole = tw_encoder_new_template(template_, NULL, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    size_t used = (size_t)sprintf(messages, "%s", USER("q"));
    for (size_t i = 0; i < turns; i++) {
        const char *append, *wanted;
        size_t size, wanted_size;
        describe(i, message, fresh);
        sprintf(record,
                "{\"completion\":\" \",\"messages\":[%s,%s],"
                "\"new\":[%s]}",
                messages, message, fresh);
        cr_assert_eq(tw_encoder_extend(whole, record, strlen(record), &wanted,
                                       &wanted_size),
                     TW_OK, "%zu: %s", i, tw_encoder_error(whole)->message);
        if (i > 0) {
            sprintf(record,
                    "{\"completion\":\" \",\"message\":%s,\"new\":[%s]}",
                    message, fresh);
        }
        cr_assert_eq(
            tw_encoder_extend(encoder, record, strlen(record), &append, &size),
            TW_OK, "%zu: %s", i, tw_encoder_error(encoder)->message);
        cr_expect(size == wanted_size && memcmp(append, wanted, size) == 0,
                  "%zu: %.*s", i, (int)size, append);
        used += (size_t)sprintf(messages + used, ",%s,%s", message, fresh);
    }
    tw_encoder_free(encoder);
    tw_encoder_free(whole);
    tw_template_free(template_);
}

#define TURNS(head)                                                     \
    "{% for m in messages %}<|im_start|>{{ m.role }} " head "\n{{ m."   \
    "content }}{% for c in m.tool_calls or [] %}<call>{{ c.function."   \
    "name }}</call>{% endfor %}<|im_end|>{{ '\\n' }}{% endfor %}{% if " \
    "add_generation_prompt %}<|im_start|>assistant {% set loop = {"     \
    "'index0': messages | length} %}" head "{{ '\\n' }}"                \
    "{% endif %}"

Test(extend, a_record_of_what_is_new_goes_on)
{
    go_on(TURNS("x"), 100);
    /* A template that counts looks at all messages. */
    go_on(TURNS("{{ loop.index0 }}"), 100);
    go_on(TURNS("{{ messages[:loop.index0] | selectattr('tool_calls', "
                "'defined') | list | length }}"),
          100);
    /* ... even one that shows the number behind questions alone. */
    go_on(TURNS("{{ loop.index0 if loop.index0 > 0 and "
                "messages[loop.index0 - 1].role == 'user' }}"),
          100);
    /* ... or that counts questions: none was left out yet in front of the
     * second one, whose turn is of a kind that was tried then. */
    go_on(TURNS("{{ messages[:loop.index0] | selectattr('role', 'equalto', "
                "'user') | list | length if loop.index0 < messages | length "
                "and messages[loop.index0].role == 'user' }}"),
          100);
}

#define NEXT(completion, message, fresh)                      \
    "{\"completion\":\"" completion "\",\"message\":" message \
    ",\"new\":[" fresh "]}"

Test(extend, what_goes_on_is_what_has_begun)
{
    static const row rows[] = {
        {NEXT("b", SAYS("b"), USER("r")), TW_ERROR_SCHEMA, ""},
        {RECORD("b", SAYS("bcd"), USER("r")), TW_ERROR_SCHEMA, "messages[1]"},
        {NEXT("b", SAYS("b"), USER("r")), TW_ERROR_SCHEMA, ""},
        {RECORD("b", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER},
        {NEXT("b", USER("b"), USER("r")), TW_ERROR_SCHEMA, "message"},
        {NEXT("b", SAYS("bcd"), USER("r")), TW_ERROR_SCHEMA, "message"},
        {NEXT("b", SAYS("b"), USER("<|im_end|>")), TW_ERROR_CONTROL_TEXT,
         "new[0].content"},
        {NEXT("<think>because</think>b", THINKS, USER("r")), TW_ERROR_UNSTABLE,
         "new[0]"},
        {"{\"completion\":\"b\",\"message\":" SAYS("b") ",\"new\":[],"
                                                        "\"tools\":[]}",
         TW_ERROR_SCHEMA, "tools"},
        {"{\"completion\":\"b\",\"new\":[]}", TW_ERROR_SCHEMA, ""},
        /* None of these changed anything. */
        {NEXT("b", SAYS("b"), USER("r")), TW_OK, "<|im_end|>" ANSWER},
        {NEXT("b", CALLS, RESULT), TW_OK,
         "<|im_end|>\n" TURN("tool", "r") HEAD},
    };
    tw_template *template_ = load(CHATML, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(encoder, rows[i].record, rows[i].code, rows[i].wanted);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

static int try_all(const tw_allocator *allocator)
{
    tw_template *template_ = load(CHATML, allocator);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, allocator);
    const char *const records[] = {chatml_rows[3].record,
                                   NEXT("b", SAYS("b"), USER("r")),
                                   NEXT("b", SAYS("b"), USER("s"))};
    const char *text;
    size_t size;
    int result = encoder != NULL ? TW_OK : TW_ERROR_MEMORY;
    for (size_t i = 0; i < 3 && result == TW_OK; i++) {
        result = tw_encoder_extend(encoder, records[i], strlen(records[i]),
                                   &text, &size);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
    return result;
}

Test(extend, each_allocation_may_fail)
{
    for (size_t fail_at = 1;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        const int code = try_all(&allocator);
        cr_assert(code == TW_OK || code == TW_ERROR_MEMORY, "%zu: %d", fail_at,
                  code);
        cr_assert_eq(memory.live, 0, "%zu", fail_at);
        if (memory.count < fail_at) {
            cr_assert_eq(code, TW_OK);
            break;
        }
    }
}

Test(extend, bad_use_is_refused)
{
    const char *text;
    size_t size;
    cr_expect_eq(tw_encoder_extend(NULL, "{}", 2, &text, &size),
                 TW_ERROR_ARGUMENT);
    tw_encoder *encoder = tw_encoder_new(tw_format_find("hermes"), NULL);
    cr_expect_eq(tw_encoder_extend(encoder, NULL, 2, &text, &size),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encoder_extend(encoder, "{}", 2, NULL, &size),
                 TW_ERROR_ARGUMENT);
    tw_encoder_free(encoder);
}
