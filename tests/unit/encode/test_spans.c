/* SPDX-License-Identifier: MIT
 *
 * Whose the bytes of a template's prompt are, and which of them are sampled.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "formats/format.h"

static tw_template *load(const char *text, const tw_allocator *allocator)
{
    const tw_template_source source = {text, strlen(text), NULL, 0, NULL};
    tw_template *template_ = NULL;
    tw_format_error error;
    cr_assert_eq(tw_template_load(&source, allocator, &template_, &error),
                 TW_OK, "%s", error.message);
    return template_;
}

/* Spans as lines: the message or `-`, the part, `*` where it is sampled, the
 * text. */
static void spell(tw_encoder *encoder, const char *text, size_t size,
                  char *out, size_t room)
{
    const tw_span *span;
    size_t used = 0;
    uint64_t at = 0;
    for (size_t i = 0; tw_encoder_span(encoder, i, &span) == 1; i++) {
        char owner[24] = "-";
        cr_assert_eq(span->start, at, "a gap or an overlap");
        cr_assert_gt(span->end, at);
        if (span->message >= 0) {
            snprintf(owner, sizeof owner, "%d", (int)span->message);
        }
        used += (size_t)snprintf(
            out + used, room - used, "%s %s%s %.*s\n", owner, span->part,
            span->sampled != 0 ? "*" : "", (int)(span->end - span->start),
            text + span->start);
        at = span->end;
    }
    cr_assert_eq(at, size);
}

static void expect_spans_as(const char *template_text, const char *request,
                            int64_t control_text, const char *wanted)
{
    char found[8192] = "";
    tw_template *template_ = load(template_text, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    const char *text;
    size_t size;
    cr_assert_eq(tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, control_text),
                 TW_OK);
    cr_assert_eq(tw_encode(encoder, request, strlen(request), &text, &size),
                 TW_OK, "%s", tw_encoder_error(encoder)->message);
    spell(encoder, text, size, found, sizeof found);
    cr_expect_str_eq(found, wanted, "%s\nexpected\n%s", found, wanted);
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

static void expect_spans(const char *template_text, const char *request,
                         const char *wanted)
{
    expect_spans_as(template_text, request, TW_CONTROL_TEXT_REJECT, wanted);
}

/* ---- parts -------------------------------------------------------------- */

#define ASSISTANT                                                          \
    "<|start|>{{ m.role }}:"                                               \
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>" \
    "{% endif %}{{ m.content }}"                                           \
    "{% for c in m.tool_calls or [] %}<call>{{ c.function | tojson }}"     \
    "</call>{% endfor %}<|end|>;"
#define AGENT                                                             \
    "{% if tools %}<|start|>tools:{{ tools | tojson }}<|end|>{% endif %}" \
    "{% for m in messages %}" ASSISTANT "{% endfor %}"                    \
    "{% if add_generation_prompt %}<|start|>assistant:{% endif %}"

#define USER(text) "{\"role\":\"user\",\"content\":\"" text "\"}"
#define SAYS(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define CALLS                                                         \
    "{\"role\":\"assistant\",\"content\":\"\",\"reasoning_content\":" \
    "\"hm\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\","     \
    "\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":1}\"}}]}"
#define RESULT "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"7\"}"
#define MESSAGES(list) "{\"messages\":[" list "]}"

Test(spans, data_are_their_origins)
{
    expect_spans(
        AGENT, MESSAGES(USER("q") "," CALLS "," RESULT "," SAYS("s")),
        "0 head <|start|>user:\n0 text q\n0 end <|end|>;\n"
        "1 head <|start|>assistant:\n"
        "1 reasoning* <think>hm</think>\n"
        "1 call* <call>{\"name\": \"\n1 name* f\n"
        "1 call* \", \"arguments\": {\"\n1 arguments* n\n"
        "1 call* \": \n1 arguments* 1\n1 call* }}</call>\n"
        "1 end* <|end|>\n1 end ;\n"
        "2 head <|start|>tool:\n2 result 7\n2 end <|end|>;\n"
        "3 head <|start|>assistant:\n3 text* s\n3 end* <|end|>\n3 end ;\n");
}

Test(spans, what_is_no_messages_is_the_templates)
{
    expect_spans("<doc>" AGENT,
                 "{\"messages\":[" USER(
                     "q") "],\"tools\":[{\"type\":"
                          "\"function\",\"function\":{\"name\":\"f\"}}],"
                          "\"add_generation_prompt\":true}",
                 "- tools <doc><|start|>tools:[{\"type\": \"function\", "
                 "\"function\": {\"name\": \"f\"}}]<|end|>\n"
                 "0 head <|start|>user:\n0 text q\n0 end <|end|>;\n"
                 "- template <|start|>assistant:\n");
}

/* A message that is written before the loop, and in another one's place. */
Test(spans, messages_stand_where_they_stand)
{
    expect_spans("<|a|>{{ messages[0].content }}<|b|>"
                 "{% for m in messages[1:] %}<|c|>{{ m.content }}"
                 "{{ messages[0].content }}<|d|>\n{% endfor %}",
                 MESSAGES(USER("x") "," USER("y")),
                 "0 head <|a|>\n0 text x\n0 end <|b|>\n"
                 "1 head <|c|>\n1 text y\n0 text x\n0 end <|d|>\n\n");
}

Test(spans, results_within_the_callers_turn)
{
    expect_spans("{% for m in messages if m.role != 'tool' %}<|at>{{ m.role "
                 "}}:{% for c in m.tool_calls or [] %}<|call>"
                 "{{ c.function.name }}{}<call|>{% for r in messages if "
                 "r.tool_call_id == c.id %}<|back>{{ c.function.name }}="
                 "{{ messages[2].content }}<back|>{% endfor %}{% endfor %}"
                 "{{ m.content }}<at|>{% endfor %}"
                 "{% if add_generation_prompt %}<|at>assistant:{% endif %}",
                 MESSAGES(USER("q") "," CALLS "," RESULT),
                 "0 head <|at>user:\n0 text q\n0 end <at|>\n"
                 "1 head <|at>assistant:\n1 call* <|call>\n1 name* f\n"
                 "1 call* {}<call|>\n2 head <|back>f=\n2 result 7\n"
                 "2 end <back|>\n1 end <at|>\n");
}

/* Without a loop through the messages markers tell one from the next. */
Test(spans, messages_by_their_numbers)
{
    expect_spans(
        "<|top|>{% for i in range(messages | length) %}"
        "<|{{ messages[i].role }}|>{{ messages[i].content }}<|end|>\n"
        "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
        "{\"messages\":[" USER("q") "," SAYS("s") "," USER(
            "r") "],\"add_generation_prompt\":true}",
        "0 head <|top|><|user|>\n0 text q\n0 end <|end|>\n\n"
        "1 head <|assistant|>\n1 text* s\n1 end* <|end|>\n1 end \n\n"
        "2 head <|user|>\n2 text r\n2 end <|end|>\n\n"
        "- template <|assistant|>\n");
}

/* ---- what is sampled ---------------------------------------------------- */

#define TURN "{% for m in messages %}<|{{ m.role }}|>"
#define THINKS                                                \
    TURN "{% if m.role == 'assistant' %}<think>"              \
         "{{ m.reasoning_content or '' }}</think>{% endif %}" \
         "{{ m.content }}<|end|>\n{% endfor %}"

Test(spans, what_the_prompt_prefilled_is_not_sampled)
{
    /* Nothing of a block, its opener, or all of it. */
    expect_spans(THINKS "{% if add_generation_prompt %}<|assistant|>"
                        "{% endif %}",
                 MESSAGES(USER("q") "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 end <|end|>\n\n"
                 "1 head <|assistant|>\n1 text* <think></think>s\n"
                 "1 end* <|end|>\n1 end \n\n");
    expect_spans(THINKS "{% if add_generation_prompt %}<|assistant|><think>"
                        "{% endif %}",
                 MESSAGES(USER("q") "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 end <|end|>\n\n"
                 "1 head <|assistant|><think>\n1 text* </think>s\n"
                 "1 end* <|end|>\n1 end \n\n");
    expect_spans(THINKS "{% if add_generation_prompt %}<|assistant|><think>"
                        "</think>{% endif %}",
                 MESSAGES(USER("q") "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 end <|end|>\n\n"
                 "1 head <|assistant|><think></think>\n1 text* s\n"
                 "1 end* <|end|>\n1 end \n\n");
    /* The prompt has more than the turn; no word is cut in two. */
    expect_spans(TURN "{{ m.content }}<|end|>{% endfor %}"
                      "{% if add_generation_prompt %}<|assistant|><think>"
                      "{% endif %}",
                 MESSAGES(USER("q") "," SAYS("<th s")),
                 "0 head <|user|>\n0 text q\n0 end <|end|>\n"
                 "1 head <|assistant|>\n1 text* <th s\n1 end* <|end|>\n");
}

Test(spans, a_prompt_may_stand_within_the_loop)
{
    expect_spans(TURN "{{ m.content }}<|end|>{% if loop.last and "
                      "add_generation_prompt %}<|assistant|>{% endif %}"
                      "{% endfor %}{% if not add_generation_prompt %}"
                      "<|over|>{% endif %}",
                 MESSAGES(USER("q") "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 end <|end|>\n"
                 "1 head <|assistant|>\n1 text* s\n1 end* <|end|>\n"
                 "- template <|over|>\n");
}

/* What closes a call is no stop: that may be no marker by its looks. */
Test(spans, a_stop_without_looks)
{
    expect_spans(TURN "{{ m.content }}{% for c in m.tool_calls or [] %}<call>"
                      "{{ c.function.name }}</call>{% endfor %}[~e[\n"
                      "{% endfor %}{% if add_generation_prompt %}"
                      "<|assistant|>{% endif %}",
                 MESSAGES(USER("q") "," CALLS "," RESULT "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 end [~e[\n\n"
                 "1 head <|assistant|>\n1 call* <call>\n1 name* f\n"
                 "1 call* </call>\n1 end* [~e[\n1 end \n\n"
                 "2 head <|tool|>\n2 result 7\n2 end [~e[\n\n"
                 "3 head <|assistant|>\n3 text* s\n3 end* [~e[\n"
                 "3 end \n\n");
}

/* Nothing is known of a prompt that the template refuses to write. */
Test(spans, a_refused_prompt)
{
    expect_spans("{% if add_generation_prompt %}{{ raise_exception('no') }}"
                 "{% endif %}" TURN "{{ m.content }}</s>{% endfor %}",
                 MESSAGES(USER("q") "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 end </s>\n"
                 "1 head <|assistant|>\n1 text* s\n1 end* </s>\n");
}

Test(spans, generation_blocks_say_it)
{
    expect_spans(TURN "{{ m.content }}{% generation %}.{% endgeneration %}"
                      "<|end|>{% endfor %}",
                 MESSAGES(USER("q") "," SAYS("s")),
                 "0 head <|user|>\n0 text q\n0 text* .\n0 end <|end|>\n"
                 "1 text <|assistant|>s\n1 text* .\n1 end <|end|>\n");
}

/* Places are those of the text with its breaks. */
Test(spans, breaks_are_counted)
{
    expect_spans_as(TURN "{{ m.content }}<|end|>{% endfor %}",
                    MESSAGES(USER("a<|end|>b") "," USER("c")),
                    TW_CONTROL_TEXT_BREAK,
                    "0 head <|user|>\n"
                    "0 text a<\xE2\x80\x8B|end|>b\n0 end <|end|>\n"
                    "1 head <|user|>\n1 text c\n1 end <|end|>\n");
}

/* ---- bounds ------------------------------------------------------------- */

Test(spans, are_of_templates)
{
    const tw_span *span;
    const tw_format *promptless = NULL;
    for (size_t i = 0; promptless == NULL; i++) {
        const tw_format *format = tw_format_at(i);
        promptless = format->prompt == NULL ? format : NULL;
    }
    tw_encoder *encoder = tw_encoder_new(promptless, NULL);
    static const char request[] = MESSAGES(SAYS("s"));
    cr_assert_eq(tw_encoder_request(encoder, request, strlen(request)), TW_OK);
    cr_expect_eq(tw_encoder_span(encoder, 0, &span), TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_encoder_span(NULL, 0, &span), TW_ERROR_ARGUMENT);
    tw_encoder_free(encoder);
    tw_template *template_ = load(AGENT, NULL);
    encoder = tw_encoder_new_template(template_, NULL, NULL);
    cr_expect_eq(tw_encoder_span(encoder, 0, &span), 0);
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

static int span_code(const tw_allocator *allocator)
{
    static const char request[] =
        MESSAGES(USER("q") "," CALLS "," RESULT "," SAYS("s"));
    const tw_template_source source = {AGENT, strlen(AGENT), NULL, 0, NULL};
    tw_template *template_ = NULL;
    const tw_span *span;
    int code = tw_template_load(&source, allocator, &template_, NULL);
    tw_encoder *encoder =
        code == TW_OK ? tw_encoder_new_template(template_, NULL, allocator)
                      : NULL;
    if (code == TW_OK && encoder == NULL) {
        code = TW_ERROR_MEMORY;
    }
    if (code == TW_OK) {
        code = tw_encoder_request(encoder, request, strlen(request));
    }
    if (code == TW_OK) {
        code = tw_encoder_span(encoder, 0, &span);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
    return code;
}

/* How many bytes are said to be sampled, with an option. */
static size_t sampled_with(const char *request, int option)
{
    tw_template *template_ = load(AGENT, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    const tw_span *span;
    size_t sampled = 0;
    cr_assert_eq(tw_encoder_request(encoder, request, strlen(request)), TW_OK);
    if (option != 0) {
        cr_assert_eq(tw_encoder_span(encoder, 0, &span), 1);
        cr_assert_eq(tw_encoder_set(encoder, (tw_option)option, 1), TW_OK);
    }
    for (size_t i = 0; tw_encoder_span(encoder, i, &span) == 1; i++) {
        sampled += span->sampled != 0 ? (size_t)(span->end - span->start) : 0;
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
    return sampled;
}

Test(spans, trainers_take_a_part)
{
    static const char request[] = MESSAGES(USER("q") "," SAYS(
        "one") ",{\"role\":\"user\",\"content\":\"r\"},"
               "{\"role\":\"assistant\",\"content\":\"two\","
               "\"reasoning_content\":\"hm\",\"weight\":0}");
    const size_t end = strlen("<|end|>");
    const size_t thought = strlen("<think>hm</think>");
    cr_expect_eq(sampled_with(request, 0), 6 + thought + 2 * end);
    cr_expect_eq(sampled_with(request, TW_OPTION_SAMPLED_LAST),
                 3 + thought + end);
    cr_expect_eq(sampled_with(request, TW_OPTION_SAMPLED_NO_REASONING),
                 6 + 2 * end);
    cr_expect_eq(sampled_with(request, TW_OPTION_SAMPLED_BY_WEIGHT), 3 + end);
}

/* Each turn has a prompt of its own, which is not rendered each time. */
Test(spans, many_questions_are_not_too_many)
{
    enum { TURNS = 3000 };
    static char request[TURNS * 120];
    size_t used = (size_t)snprintf(request, sizeof request, "{\"messages\":[");
    for (size_t i = 0; i < TURNS; i++) {
        used +=
            (size_t)snprintf(request + used, sizeof request - used,
                             "%s" USER("q") "," SAYS("s"), i > 0 ? "," : "");
    }
    snprintf(request + used, sizeof request - used, "]}");
    cr_expect_eq(sampled_with(request, 0), TURNS * strlen("s<|end|>"));
}

Test(spans, each_allocation_may_fail)
{
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        const int code = span_code(&allocator);
        cr_assert(code == 1 || code == TW_ERROR_MEMORY, "%zu: %d", fail_at,
                  code);
        cr_assert_eq(memory.live, 0, "%zu", fail_at);
        if (memory.count < fail_at) {
            cr_assert_eq(code, 1);
            break;
        }
        failed += code == TW_ERROR_MEMORY;
    }
    cr_assert_gt(failed, 40);
}
