/* SPDX-License-Identifier: MIT
 *
 * Chat templates: the language beside what jinja2 makes of it, where each byte
 * comes from, what is refused, and what happens without memory.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "json_file.h"
#include "template/library/json_text.h"
#include "template/template.h"

#define FOLDER CONFORMANCE_FOLDER "/../templates/"

/* ---- the language ------------------------------------------------------- */

/* The text of a member, a copy; NULL: there is none. */
static const tw_value *member(const tw_tree *row, const char *key)
{
    return tw_value_member(row->root, key);
}

static tw_tree tree_of(const tw_memory *memory, const char *json, size_t size)
{
    tw_tree tree;
    tw_tree_init(&tree, memory);
    tree.keeps_lone = true;
    cr_assert_eq(tw_tree_read(&tree, json, size, false), TW_OK);
    return tree;
}

static bool is_text(const char *data, size_t size, const tw_value *wanted)
{
    return size == wanted->size && memcmp(data, wanted->text, size) == 0;
}

static void expect_case(const tw_memory *memory, const tw_value *variables,
                        const tw_tree *row)
{
    const tw_value *source = member(row, "template");
    const tw_value *text = member(row, "text");
    const tw_value *limit = member(row, "limit"); /* of ours, not jinja2's */
    const tw_value *error = limit != NULL ? limit : member(row, "error");
    tw_program program;
    tw_program_fault fault;
    tw_rendering rendering;
    int code =
        tw_program_make(&program, memory, source->text, source->size, &fault);
    const char *message = fault.message;
    size_t size = strlen(message);
    tw_rendering_init(&rendering, &program, memory);
    if (code == TW_OK) {
        tw_rendering_begin(&rendering);
        rendering.machine.now = 1795608000;
        for (const tw_value *at = variables->first; at != NULL;
             at = at->next) {
            tw_rendering_give(&rendering.machine, at->key,
                              tw_item_of_value(&rendering.machine, at));
        }
        code = tw_rendering_run(&rendering);
        if (code == TW_ERROR_TEMPLATE) {
            message = rendering.machine.message->data;
            size = rendering.machine.message->size;
        }
    }
    if (text != NULL) {
        const tw_buffer *made = &rendering.text.text;
        cr_expect(code == TW_OK &&
                      is_text((const char *)made->data, made->size, text),
                  "%s\n     got %.*s\nexpected %s\n%.*s", source->text,
                  (int)made->size, (const char *)made->data, text->text,
                  code == TW_OK ? 0 : (int)size, message);
    } else {
        cr_expect_eq(code, TW_ERROR_TEMPLATE, "%s is not refused",
                     source->text);
        /* An empty one stands for words that are only Python's. */
        cr_expect(error->size == 0 || is_text(message, size, error),
                  "%s\n     got %.*s\nexpected %s", source->text, (int)size,
                  message, error->text);
    }
    tw_rendering_free(&rendering);
    tw_program_free(&program);
}

Test(template, language_is_jinja2s)
{
    const tw_memory memory = tw_memory_from(NULL);
    json_lines rows = lines_of("../templates/language.jsonl");
    const tw_value *variables = member(&rows.lines[0], "variables");
    cr_assert_gt(rows.count, 900);
    for (size_t i = 1; i < rows.count; i++) {
        expect_case(&memory, variables, &rows.lines[i]);
    }
    json_lines_free(&rows);
}

/* ---- origins ------------------------------------------------------------ */

static const char request[] =
    "{\"messages\":["
    "{\"role\":\"system\",\"content\":\"  be brief \\n and kind\"},"
    "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"when is  "
    "high tide?\"}]},"
    "{\"role\":\"assistant\",\"content\":\"\",\"reasoning_content\":\" look "
    "it "
    "up \",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{"
    "\"name\":\"get_tide\",\"arguments\":{\"harbour\":\"brest \\\"old\\\" town"
    "\",\"list\":[\"it's\",1.50,true,null,{\"deep\":\"within\"}]}}}]},"
    "{\"role\":\"tool\",\"content\":\"one\\nt\\u00e9n\\n\"}],"
    "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"get_tide\","
    "\"description\":\"tells the\\ntide\",\"parameters\":{\"type\":\"object\","
    "\"properties\":{\"harbour\":{\"type\":\"string\",\"description\":"
    "\"a place\"}},\"required\":[\"harbour\"]}}}],"
    "\"add_generation_prompt\":true}";

static naive_bytes file_text(const char *name)
{
    char path[4096];
    char part[4096];
    naive_bytes text = {0};
    size_t size;
    snprintf(path, sizeof path, FOLDER "%s", name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    while ((size = fread(part, 1, sizeof part, file)) > 0) {
        naive_add(&text, part, size);
    }
    fclose(file);
    return text;
}

static void render(tw_rendering *rendering, const tw_value *variables)
{
    tw_rendering_begin(rendering);
    for (const tw_value *at = variables->first; at != NULL; at = at->next) {
        tw_rendering_give(&rendering->machine, at->key,
                          tw_item_of_value(&rendering->machine, at));
    }
    cr_assert_eq(tw_rendering_run(rendering), TW_OK, "%s",
                 rendering->machine.message != NULL
                     ? rendering->machine.message->data
                     : "");
}

/* Where a byte of the text comes from: the byte of *of; false: of none. */
static bool origin_of(const tw_rendering *rendering, size_t at,
                      const tw_value **of, uint64_t *place)
{
    const tw_run *runs = (const tw_run *)(void *)rendering->text.runs.data;
    const size_t count = rendering->text.runs.size / sizeof *runs;
    for (size_t i = 0; i < count; i++) {
        if (runs[i].begin <= at && at < runs[i].end) {
            *of = runs[i].of;
            *place = runs[i].from + (at - runs[i].begin);
            return true;
        }
    }
    return false;
}

/* A letter of a text that only says something, and decides nothing. */
static bool may_change(const tw_value *of, uint64_t place)
{
    return (place & TW_RUN_KEY) == 0 && of->kind == TW_VALUE_STRING &&
           place < of->size && of->text[place] >= 'a' &&
           of->text[place] <= 'z' && !tw_value_has_key(of, "role") &&
           !tw_value_has_key(of, "type") && !tw_value_has_key(of, "name") &&
           !(of->parent != NULL && tw_value_has_key(of->parent, "required"));
}

/* Another letter there changes just the bytes that come from there. */
static size_t expect_origin(tw_rendering *rendering, const tw_value *variables,
                            const tw_value *of, uint64_t place)
{
    char *byte = (char *)(uintptr_t)of->text + place;
    const char kept = *byte;
    const size_t size = rendering->text.text.size;
    char *before = malloc(size);
    bool *due = calloc(size, sizeof *due);
    size_t changed = 0;
    memcpy(before, rendering->text.text.data, size);
    for (size_t i = 0; i < size; i++) {
        const tw_value *other;
        uint64_t there;
        due[i] = origin_of(rendering, i, &other, &there) && other == of &&
                 there == place;
    }
    *byte = kept == 'q' ? 'j' : 'q';
    render(rendering, variables);
    cr_assert_eq(rendering->text.text.size, size);
    for (size_t i = 0; i < size; i++) {
        const bool differs =
            rendering->text.text.data[i] != (uint8_t)before[i];
        cr_assert_eq(differs, due[i], "byte %zu of %.*s", i, (int)size,
                     before);
        changed += differs;
    }
    *byte = kept;
    render(rendering, variables);
    free(before);
    free(due);
    return changed;
}

Test(template, bytes_come_from_where_they_are_said_to)
{
    const tw_memory memory = tw_memory_from(NULL);
    naive_bytes source = file_text("agent.jinja");
    tw_program program;
    tw_program_fault fault;
    tw_rendering rendering;
    size_t tried = 0;
    tw_tree tree = tree_of(&memory, request, sizeof request - 1);
    cr_assert_eq(
        tw_program_make(&program, &memory, source.data, source.size, &fault),
        TW_OK, "%u: %s", fault.line, fault.message);
    tw_rendering_init(&rendering, &program, &memory);
    tw_rendering_begin(&rendering);
    render(&rendering, tree.root);
    for (size_t at = 0; at < rendering.text.text.size; at++) {
        const tw_value *of;
        uint64_t place;
        if (origin_of(&rendering, at, &of, &place) && may_change(of, place)) {
            cr_assert_gt(expect_origin(&rendering, tree.root, of, place), 0);
            tried++;
        }
    }
    cr_assert_gt(tried, 100);
    tw_rendering_free(&rendering);
    tw_program_free(&program);
    tw_tree_free(&tree);
    naive_release(&source);
}

/* ---- the encoder -------------------------------------------------------- */

static tw_template *load(const char *text, const char *config,
                         const tw_allocator *allocator)
{
    const tw_template_source source = {
        text, strlen(text), config, config != NULL ? strlen(config) : 0, NULL};
    tw_template *template_ = NULL;
    tw_format_error error;
    cr_assert_eq(tw_template_load(&source, allocator, &template_, &error),
                 TW_OK, "%s", error.message);
    return template_;
}

static void expect_text(const char *template_text, const char *config,
                        const char *wanted_request, int code,
                        const char *wanted)
{
    tw_template *template_ = load(template_text, config, NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    const char *text = "";
    size_t size = 0;
    cr_expect_eq(tw_encode(encoder, wanted_request, strlen(wanted_request),
                           &text, &size),
                 code, "%s: %s", wanted_request,
                 tw_encoder_error(encoder)->message);
    if (code != TW_OK) {
        text = tw_encoder_error(encoder)->message;
        size = strlen(text);
    }
    cr_expect(size == strlen(wanted) && memcmp(text, wanted, size) == 0,
              "%s: %.*s", wanted_request, (int)size, text);
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

/* What an error says of it; NULL: it is a template. */
static void expect_load(const char *text, const char *name, const char *told)
{
    const tw_template_source source = {
        .text = text, .size = strlen(text), .name = name};
    tw_template *template_ = NULL;
    tw_format_error error = {.code = TW_OK};
    const int code = tw_template_load(&source, NULL, &template_, &error);
    cr_expect_eq(code == TW_OK, told == NULL, "%s", text);
    cr_expect(told == NULL || strcmp(error.message, told) == 0, "%s", text);
    tw_template_free(template_);
}

/* Whoever gives a path in its place would send the path as each prompt. */
Test(template, a_path_is_none)
{
    static const char path[] =
        "this is a path or a name, and the template's text is wanted";
    expect_load("chat_template.jinja", NULL, path);
    expect_load("Qwen/Qwen3-8B", NULL, path);
    expect_load("\xFF", NULL, "the template is not UTF-8");
}

/* A text is a configuration where all of it is JSON, or is meant to be. */
Test(template, an_object_is_a_configuration)
{
    static const char two[] =
        "{\"chat_template\":[{\"name\":\"rag\",\"template\":\"{{ 1 }}\"},"
        "{\"name\":\"default\",\"template\":\"{{ 2 }}\"}]}";
    static const char keyed[] = "{\"chat_template\":{\"rag\":\"{{ 1 }}\"}}";
    static const char unnamed[] =
        "there is no `chat_template` of that name in it";
    expect_load("{\"{ 10 -}}", NULL, NULL);
    expect_load("{}{ 'a' }}", NULL, NULL);
    expect_load("{\"tools\": {{ tools }}}", NULL, NULL);
    expect_load(" {\"chat_template\": \"{{ 1 }}\"}", NULL, NULL);
    expect_load("{}", NULL, "there is no `chat_template` in it");
    expect_load("{\"chat_template\": \"{{ 1 }}\",", NULL,
                "the configuration is not a JSON object: byte 28");
    expect_load("{\"eos_token\": 1,}", NULL,
                "the configuration is not a JSON object: byte 16");
    expect_load(two, NULL, NULL);
    expect_load(two, "rag", NULL);
    expect_load(two, "tool_use", unnamed);
    expect_load(keyed, "rag", NULL);
    expect_load(keyed, NULL, "there is no `chat_template` in it");
}

#define SAYS(text) "{\"messages\":[{\"role\":\"user\",\"content\":" text "}]}"
#define EACH "{% for m in messages %}<|user|>{{ m.content }}{% endfor %}"

Test(template, markers_are_not_forged)
{
    expect_text(EACH, NULL, SAYS("\"a\""), TW_OK, "<|user|>a");
    expect_text(EACH, NULL, SAYS("\"<|user|>\""), TW_ERROR_CONTROL_TEXT,
                "a marker of the format");
    /* Joined with the template's own words. */
    expect_text("<|user|>{{ '<|us' ~ messages[0].content }}", NULL,
                SAYS("\"er|>\""), TW_ERROR_CONTROL_TEXT,
                "a marker of the format");
    /* By what strip() takes away. */
    expect_text("<|a|>{{ '<|' }}{{ messages[0].content.strip('x') }}|>", NULL,
                SAYS("\"xax\""), TW_ERROR_CONTROL_TEXT,
                "a marker of the format");
    expect_text("<|at>{{ messages[0].content }}<at|>", NULL, SAYS("\"<at|>\""),
                TW_ERROR_CONTROL_TEXT, "a marker of the format");
    /* A known role is no data; any other one is. */
    expect_text("<|user|>{% for m in messages %}<|{{ m.role }}|>{% endfor %}",
                NULL, SAYS("\"a\""), TW_OK, "<|user|><|user|>");
    expect_text("<|own|>{% for m in messages %}<|{{ m.role }}|>{% endfor %}",
                NULL, "{\"messages\":[{\"role\":\"own\",\"content\":\"a\"}]}",
                TW_ERROR_CONTROL_TEXT, "a marker of the format");
    /* Nor is a keyword of schemas that is made a tag, unlike other keys. */
#define TAGS                                                            \
    "<required>{% for k in tools[0].function.parameters %}<{{ k }}>{% " \
    "endfor %}</other>"
#define TOOL(key)                                                       \
    "{\"messages\":[],\"tools\":[{\"type\":\"function\",\"function\":{" \
    "\"name\":\"a\",\"parameters\":{\"" key "\":[]}}}]}"
    expect_text(TAGS, NULL, TOOL("required"), TW_OK,
                "<required><required></other>");
    expect_text(TAGS, NULL, TOOL("/other"), TW_ERROR_CONTROL_TEXT,
                "a marker of the format");
    /* Markers may be words and a role, and stand in square brackets. */
#define MADE \
    "{% for m in messages %}[|{{ m.role }}|]{{ m.content }}{% endfor %}"
    expect_text(MADE, NULL, SAYS("\"[|a|]\""), TW_OK, "[|user|][|a|]");
    expect_text(MADE, NULL, SAYS("\"[|assistant|]\""), TW_ERROR_CONTROL_TEXT,
                "a marker of the format");
    expect_text(MADE, NULL, SAYS("\"[|system|]\""), TW_ERROR_CONTROL_TEXT,
                "a marker of the format");
    /* In JSON there is an escape for it. */
    expect_text("<|a|>{{ messages[0] | tojson }}", NULL, SAYS("\"<|a|>\""),
                TW_OK,
                "<|a|>{\"role\": \"user\", \"content\": \"\\u003c|a|>\"}");
    /* A configuration says which tokens there are, if it lists them. */
    expect_text(EACH, "{\"eos_token\":\"<eos>\"}", SAYS("\"<|user|>\""),
                TW_ERROR_CONTROL_TEXT, "a marker of the format");
    static const char tokens[] =
        "{\"eos_token\":\"<eos>\",\"additional_special_tokens\":[\"#A#\",{"
        "\"content\":\"#B#\"}],\"added_tokens_decoder\":{\"7\":{\"content\":"
        "\"#C#\",\"special\":true},\"8\":{\"content\":\"#D#\"}}}";
    expect_text(EACH, tokens, SAYS("\"<|user|>\""), TW_OK, "<|user|><|user|>");
    static const char *const each[] = {SAYS("\"<eos>\""), SAYS("\"#A#\""),
                                       SAYS("\"#B#\""), SAYS("\"#C#\"")};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        expect_text(EACH, tokens, each[i], TW_ERROR_CONTROL_TEXT,
                    "a marker of the format");
    }
}

Test(template, what_it_takes_is_found)
{
    static const char call[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"\"},{\"role\":"
        "\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"a\","
        "\"type\":"
        "\"function\",\"function\":{\"name\":\"f\",\"arguments\":"
        "\"{\\\"a\\\":1}\"}}]}]}";
#define LAST "{% set c = messages[1].tool_calls[0].function %}"
    expect_text(LAST "{{ c.arguments | tojson }}", NULL, call, TW_OK,
                "{\"a\": 1}");
    expect_text(LAST "{{ c.arguments }}", NULL, call, TW_OK, "{\"a\":1}");
    expect_text(LAST "{{ '' + c.arguments }}", NULL, call, TW_OK, "{\"a\":1}");
    expect_text("{{ messages[0].content }}", NULL,
                SAYS("[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
                     "\"text\":\"b\"}]"),
                TW_OK, "a\nb");
    expect_text("{% for p in messages[0].content %}{{ p.text }};{% endfor %}",
                NULL,
                SAYS("[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
                     "\"text\":\"b\"}]"),
                TW_OK, "a;b;");
    expect_text("{{ raise_exception('no ' ~ messages[0].role) }}", NULL,
                SAYS("\"\""), TW_ERROR_TEMPLATE, "no user");
    expect_text("{{ bos_token }}|{{ eos_token }}",
                "{\"bos_token\":\"<s>\",\"eos_token\":{\"content\":\"</s>\"}}",
                SAYS("\"\""), TW_OK, "<s>|</s>");
}

Test(template, losses_have_paths)
{
    tw_template *template_ =
        load("{% for m in messages %}{{ m.content | trim }}{% endfor %}", NULL,
             NULL);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    static const char asked[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\" a \"},{\"role\":"
        "\"assistant\",\"content\":\"b\",\"reasoning_content\":\"c\"}],"
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],"
        "\"chat_template_kwargs\":{\"no\":1}}";
    static const struct {
        uint32_t code;
        const char *path;
    } wanted[] = {{TW_LOSS_OUTER_WHITESPACE, "messages[0].content"},
                  {TW_LOSS_REASONING_DROPPED, "messages[1].reasoning_content"},
                  {TW_LOSS_TOOL_DROPPED, "tools[0]"},
                  {TW_LOSS_MEMBER_DROPPED, "chat_template_kwargs.no"}};
    const tw_error *report;
    cr_assert_eq(tw_encoder_request(encoder, asked, strlen(asked)), TW_OK);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cr_assert_eq(tw_encoder_report(encoder, i, &report), 1);
        cr_expect_eq((uint32_t)report->detail, wanted[i].code);
        cr_expect_str_eq(report->path, wanted[i].path);
    }
    cr_expect_eq(tw_encoder_report(encoder, 4, &report), 0);
    tw_encoder_free(encoder);
    tw_template_free(template_);
}

/* ---- bounds ------------------------------------------------------------- */

static int load_and_encode(const char *source, size_t size,
                           const tw_allocator *allocator)
{
    const tw_template_source text = {source, size, NULL, 0, NULL};
    tw_template *template_;
    tw_encoder *encoder = NULL;
    int code = tw_template_load(&text, allocator, &template_, NULL);
    if (code == TW_OK) {
        encoder = tw_encoder_new_template(template_, NULL, allocator);
        code = encoder == NULL
                   ? TW_ERROR_MEMORY
                   : tw_encoder_request(encoder, request, sizeof request - 1);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
    return code;
}

Test(template, each_allocation_may_fail)
{
    naive_bytes source = file_text("agent.jinja");
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        const int code = load_and_encode(source.data, source.size, &allocator);
        cr_assert(code == TW_OK || code == TW_ERROR_MEMORY, "%zu: %d", fail_at,
                  code);
        cr_assert_eq(memory.live, 0, "%zu", fail_at);
        if (memory.count < fail_at) {
            cr_assert_eq(code, TW_OK);
            break;
        }
        failed += code == TW_ERROR_MEMORY;
    }
    cr_assert_gt(failed, 40);
    naive_release(&source);
}

/* |s| and an equal |t|, and what is often made of them. */
#define LONG(text, use)                                                  \
    "{% set s = " text " %}{% set t = " text " %}"                       \
    "{% for i in range(99999) %}{% for j in range(99) %}{% set x = " use \
    " %}{% endfor %}{% endfor %}"
/* ns.a and ns.b, of which the next |a| and |b| are made, so often. */
#define NESTED(next_a, next_b, count)                                   \
    "{% set ns = namespace(a=1, b=1) %}{% for i in range(" count ") %}" \
    "{% set a, b = ns.a, ns.b %}{% set ns.a = " next_a                  \
    " %}{% set ns.b = " next_b " %}{% endfor %}"

Test(template, hostile_templates_end)
{
    static const struct {
        const char *text;
        int code;
    } rows[] = {
        {"{% for i in range(99999) %}{% for j in range(99999) %}"
         "{% endfor %}{% endfor %}",
         TW_ERROR_LIMIT},
        {"{% set ns = namespace(s='aaaaaaaaaaaaaaaa') %}"
         "{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
         TW_ERROR_LIMIT},
        {"{{ 'a' * 999999999999 }}", TW_ERROR_LIMIT},
        {"{{ [0] * 999999999999 }}", TW_ERROR_LIMIT},
        {"{{ 'a'.ljust(999999999999) }}", TW_ERROR_LIMIT},
        {"{{ '%999999999d' % 1 }}", TW_ERROR_LIMIT},
        {"{{ 'a' | indent(999999999) }}", TW_ERROR_LIMIT},
        {"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", TW_ERROR_TEMPLATE},
        {"{{ 9223372036854775807 + 1 }}", TW_ERROR_TEMPLATE},
        {"{{ 2 ** 64 }}", TW_ERROR_TEMPLATE},
        {"{{ range(99999999) }}", TW_ERROR_TEMPLATE},
        {"{{ messages.__class__.__mro__ }}", TW_ERROR_TEMPLATE},
        /* What takes long for its text is paid for. */
        {LONG("'a' * 1000000", "{}[s]"), TW_ERROR_LIMIT},
        {LONG("'a' * 1000000", "s == t"), TW_ERROR_LIMIT},
        {LONG("'a' * 1000000", "s is sameas(t)"), TW_ERROR_LIMIT},
        {LONG("'a' * 1000000", "s.startswith(t)"), TW_ERROR_LIMIT},
        {LONG("'a' * 1000000", "s.islower()"), TW_ERROR_LIMIT},
        {LONG("'a' * 1000000", "s is lower"), TW_ERROR_LIMIT},
        {LONG("'a' * 1000000", "s.isprintable()"), TW_ERROR_LIMIT},
        {LONG("' ' * 1000000", "s | int"), TW_ERROR_LIMIT},
        {LONG("'\\xe9' * 500000", "s.startswith('a', 400000)"),
         TW_ERROR_LIMIT},
        {LONG("'\\xe9' * 500000", "s | truncate(400000)"), TW_ERROR_LIMIT},
        {LONG("'\\xe9 ' * 50000", "s | wordwrap(99999999)"), TW_ERROR_LIMIT},
        {LONG("'a' * 100000", "s.strip(t ~ 'b')"), TW_ERROR_LIMIT},
        {LONG("'7' * 1000000", "s | from_json"), TW_ERROR_LIMIT},
        {LONG("1", "1.0 ** 100000"), TW_ERROR_LIMIT},
        {"{{ ('<' * 1000000) | striptags | length }}", TW_OK},
        {"{{ ('<!--' * 1000000) | striptags | length }}", TW_OK},
        {"{{ 1e999 % 3 }}{{ 5 | round(-9223372036854775807) }}", TW_OK},
        {"{{ 9223372036854775807 | round(-1) }}", TW_ERROR_TEMPLATE},
        {"{{ (0 - 1e300) | filesizeformat }}", TW_ERROR_TEMPLATE},
        {"{{ range(0, 9223372036854775807, 9223372036854775806)[::2] }}",
         TW_ERROR_TEMPLATE},
        /* Origins take memory, too. */
        {"{% set s = (messages[0].role ~ ' ') * 1000 %}"
         "{% for i in range(99999) %}{{ s }}{% endfor %}",
         TW_ERROR_LIMIT},
        /* Values in values: deep, or few that are gone through without end. */
        {NESTED("[a]", "[b]", "20000") "{{ ns.a == ns.b }}",
         TW_ERROR_TEMPLATE},
        {NESTED("{1: a}", "{1: b}", "20000") "{{ ns.a != ns.b }}",
         TW_ERROR_TEMPLATE},
        {NESTED("(a,)", "(b,)", "20000") "{{ ns.a < ns.b }}",
         TW_ERROR_TEMPLATE},
        {NESTED("(a,)", "(b,)", "20000") "{{ {ns.a: 1} }}", TW_ERROR_TEMPLATE},
        {NESTED("(a,)", "(b,)", "20000") "{{ {}[ns.a] }}", TW_ERROR_TEMPLATE},
        {NESTED("(a,)", "(b,)", "20000") "{{ ns.a in [ns.b] }}",
         TW_ERROR_TEMPLATE},
        {NESTED("(a,)", "(b,)", "20000") "{{ [ns.a] | unique | list }}",
         TW_ERROR_TEMPLATE},
        {NESTED("(a,)", "(b,)", "20000") "{{ dict([[ns.a, 1]]) }}",
         TW_ERROR_TEMPLATE},
        {NESTED("[a, a]", "[b, b]", "60") "{{ ns.a == ns.b }}",
         TW_ERROR_LIMIT},
        {NESTED("(a, a)", "(b, b)", "60") "{{ {}[ns.a] }}", TW_ERROR_LIMIT},
        {NESTED("(a, a)", "(b, b)", "60") "{{ [ns.a].count(ns.b) }}",
         TW_ERROR_LIMIT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += TESTS_SHARE) {
        cr_expect_eq(load_and_encode(rows[i].text, strlen(rows[i].text), NULL),
                     rows[i].code, "%s", rows[i].text);
    }
}

/* |count| times |open|, then as often |close|. */
static naive_bytes nested(const char *open, const char *close, size_t count)
{
    naive_bytes text = {0};
    for (size_t i = 0; i < count; i++) {
        naive_add(&text, open, strlen(open));
    }
    for (size_t i = 0; i < count; i++) {
        naive_add(&text, close, strlen(close));
    }
    return text;
}

Test(template, depth_is_bounded)
{
    static const char *const pairs[][2] = {
        {"{% if 1 %}", "{% endif %}"},
        {"{{ (", ")"},
        {"{{ [", "]"},
        {"{{ {1:", "}"},
        {"{{ not ", " }}"},
        {"{{ - ", " }}"},
        {"{% for x in [1] %}", "{% endfor %}"},
        {"{% macro m() %}", "{% endmacro %}"},
        {"{{ 1 if ", " }}"},
        {"{% set (", ")"},
        {"{{ a[", "]"},
        {"{{ a(", ")"},
        {"{{ 1 + ", " }}"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        naive_bytes text = nested(pairs[i][0], pairs[i][1], 100000);
        cr_expect_eq(load_and_encode(text.data, text.size, NULL),
                     TW_ERROR_TEMPLATE, "%s", pairs[i][0]);
        naive_release(&text);
    }
    /* A filter that calls a filter, of a list that is as deep: what is too
     * deep fails in a generator that nobody asks. */
    static const char head[] =
        NESTED("[a]", "[b]", "20000") "{{ ns.a | map('map'";
    static const char last[] = ") | list }}";
    naive_bytes text = {0};
    naive_add(&text, head, sizeof head - 1);
    for (size_t i = 0; i < 15000; i++) {
        naive_add(&text, ", 'map'", 7);
    }
    naive_add(&text, last, sizeof last - 1);
    cr_expect_eq(load_and_encode(text.data, text.size, NULL), TW_OK);
    naive_release(&text);
}

/* Calls are those of assistants: elsewhere `tool_calls` is what it says.  A
 * call was looked for there that nobody has made. */
Test(template, calls_of_others_are_no_calls)
{
    static const char words[] = "{% for m in messages %}{{ m.tool_calls }}"
                                "{% endfor %}";
    static const char *const roles[] = {"user", "tool", "anyone"};
    const tw_template_source source = {.text = words,
                                       .size = sizeof words - 1};
    tw_template *template_;
    cr_assert_eq(tw_template_load(&source, NULL, &template_, NULL), TW_OK);
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        char json[256];
        const char *text;
        size_t size;
        snprintf(json, sizeof json,
                 "{\"messages\":[{\"role\":\"%s\",\"content\":\"x\","
                 "\"tool_calls\":[{\"function\":{\"name\":\"a\","
                 "\"arguments\":{\"t\":1}}}]}]}",
                 roles[i]);
        cr_expect_eq(tw_encode(encoder, json, strlen(json), &text, &size),
                     TW_OK, "%s", roles[i]);
        cr_expect(size > 0 && memchr(text, '1', size) != NULL, "%s", roles[i]);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
}
