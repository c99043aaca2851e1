/* SPDX-License-Identifier: MIT
 *
 * The format that a chat template writes: by reading back, or none.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "json_file.h"
#include "toolwire.h"

/* A call as JSON between |open| and |close|. */
#define TEMPLATE(open, close, head)                                          \
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"       \
    "{% for c in m.tool_calls or [] %}" open                                 \
    "{\"name\": \"{{ c.function.name }}\", \"arguments\": "                  \
    "{{ c.function.arguments | tojson }}}" close "{% endfor %}<|im_end|>\n"  \
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n" head \
    "{% endif %}"

static tw_detection *detect(const char *text, const tw_allocator *allocator)
{
    const tw_template_source source = {text, strlen(text), NULL, 0, NULL};
    tw_template *template_;
    tw_detection *found = NULL;
    if (tw_template_load(&source, allocator, &template_, NULL) == TW_OK) {
        found = tw_template_detect(template_, allocator);
        tw_template_free(template_);
    }
    return found;
}

/* |alone|: no other format reads it. */
static void expect_one(const char *text, const char *family, int inside,
                       bool alone)
{
    tw_detection *found = detect(text, NULL);
    const tw_format *format = tw_detection_format(found);
    size_t size;
    cr_assert_not_null(found);
    cr_expect_eq(tw_detection_starts_in_reasoning(found), inside);
    const char *json = tw_detection_json(found, &size);
    cr_expect_gt(size, 20);
    if (family == NULL) {
        cr_expect_null(format);
        cr_expect_eq(strncmp(json, "{\"format\":null", 14), 0);
        cr_expect_null(tw_detection_other(found, 0));
    } else {
        cr_assert_not_null(format, "%s", family);
        cr_expect_eq(strncmp(tw_format_name(format), family, strlen(family)),
                     0, "%s", tw_format_name(format));
        cr_expect_eq(tw_detection_other(found, 0) == NULL, alone);
    }
    tw_detection_free(found);
}

static void expect(const char *text, const char *family, int inside)
{
    expect_one(text, family, inside, false);
}

Test(detect_template, names_what_reads_back_or_nothing)
{
    expect(TEMPLATE("<tool_call>\n", "\n</tool_call>", ""), "hermes/", 0);
    expect(TEMPLATE("<tool_call>\n", "\n</tool_call>", "<think>\n"), "hermes/",
           1);
    expect(TEMPLATE("<mine>", "</mine>", ""), NULL, 0);
    expect("{% for m in messages %}{{ m.content }}{% endfor %}", NULL, 0);
    expect("{{ raise_exception('no') }}", NULL, 0);
    /* A call's id says its name. */
    expect("{% for m in messages %}<|im_{{ m.role }}|>{{ m.role }}<|im_middle"
           "|>{{ m.content }}{% if m.tool_calls %}<|tool_calls_section_begin|>"
           "{% for c in m.tool_calls %}<|tool_call_begin|>{{ c.id }}<|tool_"
           "call_argument_begin|>{{ c.function.arguments | tojson }}<|tool_"
           "call_end|>{% endfor %}<|tool_calls_section_end|>{% endif %}"
           "<|im_end|>{% endfor %}{% if add_generation_prompt %}"
           "<|im_assistant|>assistant<|im_middle|>{% endif %}",
           "kimi", 0);
    cr_expect_null(tw_template_detect(NULL, NULL));
    cr_expect_null(tw_detection_format(NULL));
    cr_expect_null(tw_detection_other(NULL, 0));
    cr_expect_eq(tw_detection_starts_in_reasoning(NULL), 0);
    tw_detection_free(NULL);
}

/* A setting opens reasoning, or leaves it out. */
Test(detect_template, says_which_settings_change_where_a_turn_begins)
{
    tw_detection *found = detect(
        TEMPLATE("<tool_call>\n", "\n</tool_call>",
                 "{% if enable_thinking is defined and not enable_thinking %}"
                 "<think>\n\n</think>\n\n{% else %}<think>\n{% endif %}"),
        NULL);
    size_t size;
    cr_expect_eq(tw_detection_starts_in_reasoning(found), 1);
    cr_assert_not_null(tw_detection_otherwise(found, 0));
    cr_expect_str_eq(tw_detection_otherwise(found, 0),
                     "enable_thinking=false");
    cr_expect_null(tw_detection_otherwise(found, 1));
    cr_expect_not_null(strstr(tw_detection_json(found, &size),
                              "\"otherwise\":[\"enable_thinking=false\"]"));
    tw_detection_free(found);
    cr_expect_null(tw_detection_otherwise(NULL, 0));
}

static void copy(char *out, size_t most, const tw_value *text)
{
    cr_assert_not_null(text);
    cr_assert_lt(text->size, most);
    memcpy(out, text->text, text->size);
    out[text->size] = '\0';
}

static void expect_row(const tw_value *row)
{
    char text[1000], format[40], start[20];
    copy(text, sizeof text, tw_value_member(row, "template"));
    copy(format, sizeof format, tw_value_member(row, "format"));
    copy(start, sizeof start, tw_value_member(row, "start"));
    expect_one(text, format, strcmp(start, "reasoning") == 0,
               tw_value_member(row, "alone") != NULL);
}

/* Templates that several formats read alike, or nearly. */
Test(detect_template, a_tie_goes_to_the_one_that_thinks_as_the_template_does)
{
    check_lines("../templates/ties.jsonl", expect_row);
}

/* A template's own words, and what the draft of their description is. */
#define TURNS(calls)                                                      \
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_" \
    "content %}<mind>{{ m.reasoning_content }}</mind>\n{% endif %}{{ m."  \
    "content }}" calls "<|im_end|>\n{% endfor %}{% if add_generation_"    \
    "prompt %}<|im_start|>assistant\n{% endif %}"
#define EACH(words) "{% for c in m.tool_calls or [] %}" words "{% endfor %}"
#define ARGUMENTS "{{ c.function.arguments | tojson }}"

static const struct {
    const char *text;
    const char *wanted; /* NULL: no draft */
} drafts[] = {
    {TURNS(EACH("<do>{{ c.function.name }}<with>" ARGUMENTS "</do>")),
     "\"call\":\"<do>{name}<with>{arguments}</do>\""},
    {TURNS(EACH(
         "<mine>{\"tool\": \"{{ c.function.name }}\", \"with\": " ARGUMENTS
         "}</mine>")),
     "\"call\":\"<mine>{object}</mine>\",\"name_key\":\"tool\","
     "\"arguments_key\":\"with\""},
    {TURNS("{% if m.tool_calls %}<all>\n" EACH(
         "<one name=\"{{ c.function.name }}\">" ARGUMENTS
         "</one>\n") "</all>{% endif %}"),
     "\"call\":\"<one name=\\\"{name}\\\">{arguments}</one>\\n\","
     "\"calls\":\"<all>\\n{calls}</all>\""},
    {TURNS("{% if m.tool_calls %}<all>[" EACH(
         "{\"fn\": \"{{ c.function.name }}\", \"args\": " ARGUMENTS
         "}{{ ', ' if not loop.last }}") "]</all>{% endif %}"),
     "\"call\":\"<all>{list}</all>\""},
    {TURNS("{% if m.tool_calls %}<work>\n" EACH(
         "<do={{ c.function.name }}>\n{% for k, v in c.function.arguments."
         "items() %}<arg={{ k }}>{{ v if v is string else v | tojson }}"
         "</arg>\n{% endfor %}</do>\n") "</work>{% endif %}"),
     "\"argument\":\"<arg={key}>{value}</arg>\\n\""},
    /* Nothing tells the calls' words from text. */
    {TURNS(EACH(ARGUMENTS)), NULL},
    {TURNS(""), NULL},
};

#define HERMES                                                            \
    EACH("<tool_call>\n{\"name\": \"{{ c.function.name }}\", \"arguments" \
         "\": " ARGUMENTS "}\n</tool_call>")

#define TOOLS_LAST "<|im_start|>system\n{{ tools | tojson }}<|im_end|>"

/* All turns begin alike then: that is the head. */
Test(detect_template, a_template_may_have_no_generation_prompt)
{
    expect("{% set add_generation_prompt = false %}" TEMPLATE(
               "<tool_call>\n", "\n</tool_call>", ""),
           "hermes/", 0);
    /* Each turn begins with a marker of its own. */
    expect("{% set add_generation_prompt = false %}{% for m in messages %}"
           "<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' and not "
           "m.tool_calls %}<think>\n\n</think>\n\n{% endif %}{{ m.content "
           "}}" HERMES "<|im_end|>\n{% endfor %}",
           "hermes/", 0);
}

/* A stop that the format does not know may stand there: one, since a server
 * takes one away, and what stands in front of that would be text. */
Test(detect_template, what_else_ends_a_turn_is_not_left_out)
{
    expect(TURNS(HERMES), "hermes/", 0);
    expect(TURNS(HERMES "{{ '<|mine|>' if m.role == 'assistant' }}"), NULL, 0);
    expect(
        "{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}" HERMES
        "<|end|>\n{% endfor %}" TOOLS_LAST
        "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}",
        "hermes/", 0);
}

Test(detect_template, a_draft_reads_what_the_template_writes)
{
    for (size_t i = 0; i < sizeof drafts / sizeof *drafts; i++) {
        tw_detection *found = detect(drafts[i].text, NULL);
        tw_format *format = NULL;
        size_t size, all;
        char draft[1000] = "";
        const char *made = tw_detection_draft(found, &size);
        cr_assert_lt(size, sizeof draft);
        memcpy(draft, made != NULL ? made : "", size);
        cr_expect_null(tw_detection_format(found), "%zu", i);
        if (drafts[i].wanted == NULL) {
            cr_expect_null(made, "%zu: %s", i, draft);
        } else {
            cr_assert_not_null(made, "%zu", i);
            cr_expect_not_null(strstr(draft, drafts[i].wanted), "%zu: %s", i,
                               draft);
            cr_expect_not_null(strstr(draft, "\"end\":[\"<|im_end|>\"]"));
            cr_expect_not_null(
                strstr(draft, "\"reasoning\":\"<mind>{text}</mind>\\n\""));
            cr_expect_not_null(tw_detection_json(found, &all));
            cr_expect_gt(all, size + sizeof "\"draft\":" - 1);
            cr_expect_eq(tw_format_load(draft, size, NULL, &format, NULL),
                         TW_OK);
            tw_format_free(format);
        }
        tw_detection_free(found);
    }
    size_t size;
    cr_expect_null(tw_detection_draft(NULL, &size));
}

/* Reading with all formats takes many: some of them are tried. */
Test(detect_template, allocations_may_fail)
{
    size_t failed = 0;
    for (size_t fail_at = 1; fail_at < 40000; fail_at += 1 + fail_at / 7) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        tw_detection *found = detect(
            TEMPLATE("<tool_call>\n", "\n</tool_call>", ""), &allocator);
        failed += found == NULL;
        cr_expect(found != NULL || memory.count >= fail_at, "%zu", fail_at);
        tw_detection_free(found);
        cr_assert_eq(memory.live, 0, "%zu", fail_at);
    }
    cr_assert_gt(failed, 10);
}

/* Those with which a draft is made come last. */
Test(detect_template, a_draft_is_whole_or_none)
{
    test_memory whole = {0};
    const tw_allocator counting = test_allocator(&whole);
    tw_detection_free(detect(drafts[0].text, &counting));
    cr_assert_gt(whole.count, 400);
    for (size_t fail_at = whole.count - 300; fail_at <= whole.count;
         fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        tw_detection *found = detect(drafts[0].text, &allocator);
        cr_expect_null(found, "%zu", fail_at);
        tw_detection_free(found);
        cr_assert_eq(memory.live, 0, "%zu", fail_at);
    }
}
