/* SPDX-License-Identifier: MIT
 *
 * E4 and E5: what a dialect writes reads back; where messages differ, their
 * paths are those that were reported as lost, neither more nor fewer.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "messages/conversation.h"
#include "json/dump.h"
#include "real_data.h"
#include "support/paths.h"
#include "support/random_tool.h"

static tw_memory memory;

/* ---- differences -------------------------------------------------------- */

static void differ(const tw_value *left, const tw_value *right,
                   const char *path, paths *out);

static bool is_key(const tw_value *member, const char *key)
{
    return member->key_size == strlen(key) &&
           memcmp(member->key, key, member->key_size) == 0;
}

static bool is_nothing(const tw_value *value)
{
    return value == NULL || value->kind == TW_VALUE_NULL ||
           (value->kind == TW_VALUE_STRING && value->size == 0);
}

static naive_bytes text_of(const tw_value *value)
{
    tw_buffer out = {0};
    naive_bytes text = {0};
    cr_assert(tw_value_dump(&out, &memory, value, &tw_dump_compact));
    naive_add(&text, (const char *)out.data, out.size);
    tw_buffer_free(&out, &memory);
    return text;
}

/* What a request may spell in two ways: no content, and arguments. */
static bool is_same_thing(const tw_value *left, const tw_value *right)
{
    if (is_key(left, "content") && is_nothing(left)) {
        return is_nothing(right);
    }
    if (!is_key(left, "arguments") || left->kind != TW_VALUE_OBJECT ||
        right == NULL || right->kind != TW_VALUE_STRING) {
        return false;
    }
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    bool same = tw_tree_read(&tree, right->text, right->size, false) == TW_OK;
    if (same) { /* order and spelling of all in it */
        naive_bytes one = text_of(left);
        naive_bytes other = text_of(tree.root);
        same = one.size == other.size &&
               memcmp(one.data, other.data, one.size) == 0;
        naive_release(&one);
        naive_release(&other);
    }
    tw_tree_free(&tree);
    return same;
}

/* The member of the same name; reasoning has three. */
static const tw_value *member_like(const tw_value *object,
                                   const tw_value *member)
{
    static const char *const names[] = {"reasoning_content", "reasoning",
                                        "thinking"};
    const tw_value *found =
        tw_value_member_sized(object, member->key, member->key_size);
    for (size_t i = 0; i < 3 && found == NULL; i++) {
        for (size_t j = 0; j < 3 && is_key(member, names[i]); j++) {
            found = found != NULL ? found : tw_value_member(object, names[j]);
        }
    }
    return found;
}

static bool is_tool(const char *path)
{
    return strncmp(path, "tools", 5) == 0;
}

/* As reports spell it: keys that are no plain words are quoted. */
static void inner_path(char *inner, const char *path, const tw_value *at)
{
    tw_json_out quoted = {.memory = &memory};
    bool plain = at->key_size > 0;
    for (size_t i = 0; i < at->key_size; i++) {
        const unsigned char c = (unsigned char)at->key[i];
        plain = plain && (isalnum(c) || c == '_' || c == '-');
    }
    if (plain) {
        snprintf(inner, PATH_SIZE, "%s.%.*s", path, (int)at->key_size,
                 at->key);
        return;
    }
    tw_json_put_string(&quoted, at->key, at->key_size);
    snprintf(inner, PATH_SIZE, "%s[%.*s]", path, (int)quoted.out.size,
             (const char *)quoted.out.data);
    tw_buffer_free(&quoted.out, &memory);
}

static void differ_members(const tw_value *left, const tw_value *right,
                           const char *path, paths *out, bool both)
{
    char inner[PATH_SIZE];
    for (const tw_value *at = left->first; at != NULL; at = at->next) {
        const tw_value *other = member_like(right, at);
        inner_path(inner, path, at);
        /* An id that a request leaves out is made up. */
        const bool made_up =
            !both && (is_key(at, "id") || is_key(at, "tool_call_id"));
        if (is_same_thing(at, other) || (made_up && other == NULL)) {
            continue;
        }
        if (other == NULL) {
            /* What a schema comes back with has no path in the request. */
            add_path(out, !both && is_tool(path) ? path : inner);
        } else if (both) {
            differ(at, other, inner, out);
        }
    }
}

static void differ(const tw_value *left, const tw_value *right,
                   const char *path, paths *out)
{
    char inner[PATH_SIZE];
    if (left->kind != right->kind) {
        add_path(out, path);
    } else if (left->kind == TW_VALUE_OBJECT) {
        differ_members(left, right, path, out, true);
        differ_members(right, left, path, out, false);
        if (is_tool(path) && left->last != NULL && right->last != NULL &&
            right->last->index > left->last->index) {
            add_path(out, path); /* it has one twice */
        }
    } else if (left->kind == TW_VALUE_ARRAY) {
        const tw_value *a = left->first;
        const tw_value *b = right->first;
        for (size_t i = 0; a != NULL || b != NULL; i++) {
            snprintf(inner, sizeof inner, "%s[%zu]", path, i);
            if (a == NULL || b == NULL) {
                add_path(out, inner);
            } else {
                differ(a, b, inner, out);
            }
            a = a != NULL ? a->next : NULL;
            b = b != NULL ? b->next : NULL;
        }
    } else if (left->size != right->size ||
               (left->size > 0 &&
                memcmp(left->text, right->text, left->size) != 0)) {
        add_path(out, path);
    }
}

/* Messages that are reported as lost whole leave their places to others. */
static void differ_messages(const tw_value *left, const tw_value *right,
                            const paths *reported, paths *out)
{
    const tw_value *b = right->first;
    char path[PATH_SIZE];
    for (const tw_value *a = left->first; a != NULL; a = a->next) {
        snprintf(path, sizeof path, "messages[%zu]", a->index);
        if (has_path(reported, path) || b == NULL) {
            add_path(out, path);
        } else {
            differ(a, b, path, out);
            b = b->next;
        }
    }
    for (size_t more = left->last->index + 1; b != NULL; b = b->next) {
        snprintf(path, sizeof path, "messages[%zu]", more++);
        add_path(out, path);
    }
}

static void differ_tools(const tw_value *left, const tw_value *right,
                         paths *out)
{
    const bool some = left != NULL && left->first != NULL;
    if (some && right != NULL) {
        differ(left, right, "tools", out);
    } else if (some || right != NULL) {
        add_path(out, "tools");
    }
}

/* ---- one request -------------------------------------------------------- */

typedef struct counts {
    size_t equal;
    size_t reported;
    size_t refused;
    bool across; /* from another format */
} counts;

/* The messages and tools that were lost something. */
static void losses_of(tw_encoder *encoder, paths *out)
{
    const tw_error *report;
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        if (tw_loss_get((uint32_t)report->detail)->kind == TW_REPORT_LOSS &&
            report->path != NULL &&
            (strncmp(report->path, "messages", 8) == 0 ||
             is_tool(report->path))) {
            add_path(out, report->path);
        }
    }
}

/* A message more than the request has: it has no path to be reported by. */
static bool is_behind(const char *path, size_t messages)
{
    size_t index;
    return sscanf(path, "messages[%zu]", &index) == 1 &&
           strchr(path, ']')[1] == 0 && index >= messages;
}

/* Content that a template takes for reasoning: what it becomes has no path. */
static bool is_from_content(const char *path, const paths *reported)
{
    static const char end[] = "reasoning_content";
    char content[PATH_SIZE];
    const size_t size = strlen(path);
    if (size < sizeof end ||
        strcmp(path + size - (sizeof end - 1), end) != 0) {
        return false;
    }
    snprintf(content, sizeof content, "%.*scontent",
             (int)(size - (sizeof end - 1)), path);
    return has_path(reported, content);
}

/* Of a tool's schema, a list or an object is what differs where one of its
 * members is in another place or comes back as another. */
static bool is_near(const char *path, const paths *in)
{
    return has_path_around(in, path) || has_path_in(in, path);
}

static void compare_paths(const char *id, const char *format, size_t messages,
                          const paths *found, const paths *reported)
{
    for (size_t i = 0; i < found->count; i++) {
        cr_expect(
            has_path(reported, found->all[i]) ||
                is_from_content(found->all[i], reported) ||
                (is_tool(found->all[i]) && is_near(found->all[i], reported)) ||
                (reported->count > 0 && is_behind(found->all[i], messages)),
            "%s (%s): %s differs and is not reported", id, format,
            found->all[i]);
    }
    for (size_t i = 0; i < reported->count; i++) {
        cr_expect(has_path(found, reported->all[i]) ||
                      (is_tool(reported->all[i]) &&
                       is_near(reported->all[i], found)),
                  "%s (%s): %s is reported and does not differ", id, format,
                  reported->all[i]);
    }
}

static void check(const char *id, const char *format, const tw_value *request,
                  counts *tally);

/* What a format carried whole goes through every other one, too (A to B to
 * A); what that loses it reports. */
static void check_across(const char *id, const char *format,
                         const tw_value *request)
{
    const tw_format *other;
    counts tally = {.across = true};
    for (size_t i = 0; (other = tw_format_at(i)) != NULL; i++) {
        if (strcmp(tw_format_name(other), format) != 0 &&
            tw_format_reads_transcripts(other)) {
            check(id, tw_format_name(other), request, &tally);
        }
    }
}

/* A transcript does not tell settings. */
static bool has_settings(const tw_value *request)
{
    const tw_value *settings =
        tw_value_member(request, "chat_template_kwargs");
    return settings != NULL && settings->first != NULL;
}

/* E5: what was read of a text without a loss is written as that text. */
static void check_again(const char *id, const char *format,
                        const tw_value *request, const char *json,
                        size_t json_size, const char *text, size_t size)
{
    const tw_value *prompt = tw_value_member(request, "add_generation_prompt");
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    const char *again = "";
    size_t again_size = 0;
    tw_encoder_set(encoder, TW_OPTION_GENERATION_PROMPT,
                   tw_value_is_true(prompt));
    cr_expect_eq(tw_encode(encoder, json, json_size, &again, &again_size),
                 TW_OK, "%s (%s)", id, format);
    cr_expect(again_size == size && memcmp(again, text, size) == 0,
              "%s (%s): %.*s\nbecomes\n%.*s", id, format, (int)size, text,
              (int)again_size, again);
    tw_encoder_free(encoder);
}

static void check(const char *id, const char *format, const tw_value *request,
                  counts *tally)
{
    tw_encoder *encoder = tw_encoder_new(tw_format_find(format), NULL);
    tw_converter *converter = tw_converter_new(format, "openai", NULL);
    naive_bytes json = text_of(request);
    const tw_error *report;
    const char *text;
    const char *back;
    size_t size;
    size_t back_size;
    cr_assert_not_null(encoder);
    cr_assert_not_null(converter);
    if (tw_encode(encoder, json.data, json.size, &text, &size) != TW_OK) {
        tally->refused++;
    } else {
        paths found = {.count = 0};
        paths reported = {.count = 0};
        tw_tree tree;
        losses_of(encoder, &reported);
        tw_tree_init(&tree, &memory);
        cr_assert_eq(
            tw_decode_transcript(converter, text, size, &back, &back_size),
            TW_OK, "%s (%s)", id, format);
        cr_assert_eq(tw_tree_read(&tree, back, back_size, false), TW_OK);
        cr_expect(tw_converter_report(converter, 0, &report) == 0 ||
                      reported.count > 0,
                  "%s (%s): reading loses %s", id, format, text);
        differ_messages(tw_value_member(request, "messages"),
                        tw_value_member(tree.root, "messages"), &reported,
                        &found);
        differ_tools(tw_value_member(request, "tools"),
                     tw_value_member(tree.root, "tools"), &found);
        compare_paths(id, format,
                      tw_value_member(request, "messages")->last->index + 1,
                      &found, &reported);
        if (found.count == 0 && !has_settings(request)) {
            check_again(id, format, request, back, back_size, text, size);
        }
        if (found.count == 0 && !tally->across) {
            check_across(id, format, tree.root);
        }
        tally->equal += found.count == 0;
        tally->reported += found.count > 0;
        free_paths(&found);
        free_paths(&reported);
        tw_tree_free(&tree);
    }
    naive_release(&json);
    tw_encoder_free(encoder);
    tw_converter_free(converter);
}

/* ---- requests ----------------------------------------------------------- */

static void set_up(void)
{
    memory = tw_memory_from(NULL);
}

TestSuite(round_trip, .init = set_up);

Test(round_trip, cases)
{
    counts tally = {.across = false};
    format_name name;
    for (size_t i = 0;
         format_with_cases(&name, CONFORMANCE_FOLDER, "encode", i); i++) {
        char path[PATH_SIZE];
        format_path(path, sizeof path, CONFORMANCE_FOLDER, "encode",
                    name.text);
        FILE *file = fopen(path, "rb");
        cr_assert_not_null(file);
        json_lines lines = json_lines_read(file);
        fclose(file);
        for (size_t line = 0; line < lines.count; line++) {
            const tw_value *root = lines.lines[line].root;
            const char *format = tw_value_member(root, "format")->text;
            if (tw_format_reads_transcripts(tw_format_find(format))) {
                check(tw_value_member(root, "id")->text, format,
                      tw_value_member(root, "request"), &tally);
            }
        }
        json_lines_free(&lines);
    }
    cr_expect_gt(tally.equal, 10);
}

Test(round_trip, real_prompts)
{
    counts tally = {.across = false};
    json_lines lines = read_compressed("prompts.jsonl.gz");
    for (size_t i = 0; i < lines.count; i += TESTS_SHARE) {
        const tw_value *line = lines.lines[i].root;
        const tw_format *format;
        for (size_t f = 0; (format = tw_format_at(f)) != NULL; f++) {
            if (tw_format_reads_transcripts(format)) {
                check(tw_value_member(line, "id")->text,
                      tw_format_name(format), tw_value_member(line, "request"),
                      &tally);
            }
        }
    }
    cr_expect_gt(tally.equal, 300 / TESTS_SHARE);
    cr_expect_gt(tally.reported, 800 / TESTS_SHARE);
    json_lines_free(&lines);
}

enum { EACH_FORMAT = TESTS_SHARE > 4 ? 4 : 1 };

/* In all formats; under sanitizers in some, which are others each time. */
static void check_everywhere(const char *id, const char *json, size_t size,
                             counts *tally)
{
    static size_t turn;
    const tw_format *format;
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    cr_assert_eq(tw_tree_read(&tree, json, size, false), TW_OK);
    for (size_t f = turn++ % EACH_FORMAT; (format = tw_format_at(f)) != NULL;
         f += EACH_FORMAT) {
        if (tw_format_reads_transcripts(format)) {
            check(id, tw_format_name(format), tree.root, tally);
        }
    }
    tw_tree_free(&tree);
}

/* Requests as the library itself writes them, but for texts and schemas: all
 * dialects take them. */
Test(round_trip, random_requests)
{
    enum { REQUESTS = 400 / TESTS_SHARE };
    counts tally = {.across = false};
    random_seed(7);
    for (size_t i = 0; i < REQUESTS; i++) {
        tw_json_out request = {.memory = &memory};
        char id[32];
        snprintf(id, sizeof id, "random %zu", i);
        random_plain_request(&request);
        check_everywhere(id, (const char *)request.out.data, request.out.size,
                         &tally);
        tw_buffer_free(&request.out, &memory);
    }
    cr_expect_eq(tally.refused, 0);
    cr_expect_gt(tally.equal, REQUESTS / EACH_FORMAT);
}

#define SAID(role, content) \
    "{\"role\":\"" role "\",\"content\":\"" content "\"}"
#define THOUGHT(reasoning)                 \
    "{\"role\":\"assistant\",\"content\":" \
    "null,\"reasoning_content\":\"" reasoning "\"}"
#define CALLED                                                          \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":" \
    "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"f\","    \
    "\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":"     \
    "\"call_0\",\"content\":\"r\"}"

#define FUNCTION(id, name)                                         \
    "{\"id\":\"call_" id "\",\"type\":\"function\",\"function\":{" \
    "\"name\":\"" name "\",\"arguments\":\"{}\"}}"
#define RESULT(id) \
    "{\"role\":\"tool\",\"tool_call_id\":\"call_" id "\",\"content\":\"r\"}"

/* Orders of messages that no model's training had. */
Test(round_trip, odd_orders)
{
    static const char *const orders[] = {
        SAID("user", "a") "," THOUGHT("t") "," SAID("system", "b") "," CALLED,
        SAID("user", "a") "," THOUGHT("t") "," SAID("user", "b") "," CALLED,
        SAID("assistant", "a"),
        SAID("assistant", "a") "," SAID("user", "b"),
        SAID("system", "a") "," SAID("system", "b") "," SAID("user", "c"),
        SAID("system", "a"),
        CALLED,
        SAID("user", "a") ",{\"role\":\"assistant\",\"content\":null,"
                          "\"tool_calls\":[" FUNCTION("0", "f") "," FUNCTION(
                              "1", "g") "]}," RESULT("1") "," RESULT("0"),
    };
    counts tally = {.across = false};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char json[2048];
        const int size =
            snprintf(json, sizeof json, "{\"messages\":[%s]}", orders[i]);
        check_everywhere(orders[i], json, (size_t)size, &tally);
    }
    cr_expect_eq(tally.refused, 0);
}

#define DESCRIBED(text, rest)                                              \
    "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":" \
    "\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":{"    \
    "\"type\":\"string\",\"description\":\"" text "\"" rest                \
    "}},\"required\":"                                                     \
    "[\"a\"]}}}"

/* Descriptions with lines such as a declaration has beside them. */
Test(round_trip, descriptions_like_declarations)
{
    static const char *const tools[] = {
        DESCRIBED("Examples:", ""),
        DESCRIBED("b\\nc: string,", ""),
        DESCRIBED("b\\nExamples:", ""),
        DESCRIBED("b\\nExamples:\\n- \\\"x\\\"", ""),
        DESCRIBED("b\\nExamples:\\n- \\\"x\\\"\\nc", ""),
        DESCRIBED("b\\nExamples:\\n- \\\"x\\\"\\nc", ",\"examples\":[\"p\"]"),
        DESCRIBED("b\\nExamples:\\nc\\nExamples:", ""),
        DESCRIBED("b\\n// Examples:", ""),
        DESCRIBED("Examples:\\nb", ""),
        DESCRIBED("", ""),
        DESCRIBED("b\\n// Examples:\\n// c", ""),
        DESCRIBED("b\\n// Examples:\\n// - \\\"x\\\"\\n// c", ""),
        DESCRIBED("b", ",\"default\":\"x\",\"examples\":[\"p\",\"q\"]"),
        DESCRIBED("b", ",\"examples\":[]"),
        DESCRIBED("b", ",\"nullable\":true"),
        DESCRIBED("b", ",\"enum\":[\"x\",\"y\"],\"nullable\":true"),
        DESCRIBED("b", "},\"c\":{\"type\":\"array\",\"items\":{\"type\":["
                       "\"string\",\"null\"]},\"nullable\":true"),
        DESCRIBED("b", "},\"c\":{\"type\":\"object\",\"properties\":{\"d\":{"
                       "\"type\":\"string\"}},\"nullable\":true"),
    };
    counts tally = {.across = false};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char json[1024];
        const int size = snprintf(
            json, sizeof json,
            "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"tools\":"
            "[%s]}",
            tools[i]);
        check_everywhere(tools[i], json, (size_t)size, &tally);
    }
    cr_expect_eq(tally.refused, 0);
    cr_expect_gt(tally.equal, 10);
}

/* Texts made of what declarations are made of. */
Test(round_trip, random_declarations)
{
    enum { REQUESTS = 480 / TESTS_SHARE };
    counts tally = {.across = false};
    random_seed(11);
    for (size_t i = 0; i < REQUESTS; i++) {
        tw_json_out request = {.memory = &memory};
        random_tool_request(&request);
        tw_json_put_text(&request, "", 1);
        check_everywhere((const char *)request.out.data,
                         (const char *)request.out.data, request.out.size - 1,
                         &tally);
        tw_buffer_free(&request.out, &memory);
    }
    cr_expect_gt(tally.equal, REQUESTS / EACH_FORMAT);
    cr_expect_gt(tally.reported, REQUESTS / EACH_FORMAT);
}
