/* SPDX-License-Identifier: MIT
 *
 * Ids that survive a change of model: with --ids each call of a conversation
 * has an id of its own that the target holds, and each result answers the call
 * that it answered, however ids were used again.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive/naive.h"
#include "toolwire.h"

enum { CALLS_MOST = 64 };

static size_t pick_id(uint64_t *random, size_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(*random >> 33) % below;
}

static void say_id(naive_bytes *to, const char *text)
{
    naive_add(to, text, strlen(text));
}

static const char *const id_words[] = {
    "call_0",        "call_1",        "call_2",    "functions.f:0",
    "functions.f:1", "functions.g:0", "abcdef123", "000000002",
    "toolu_01-x",    "a b",           "call_3",    "\\u00e4",
    "00000002b",     "functions.f:2"};

/* A record whose results say which call they answer: "N", or "-" for none.
 * Returns how many calls it has. */
static size_t make_record(naive_bytes *to, uint64_t *random)
{
    size_t calls = 0;
    say_id(to, "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}");
    for (size_t turn = 1 + pick_id(random, 5); turn > 0; turn--) {
        const char *ids[3];
        const size_t count = 1 + pick_id(random, 3);
        char text[256];
        say_id(to, ",{\"role\":\"assistant\",\"tool_calls\":[");
        for (size_t i = 0; i < count; i++) {
            size_t other = 0;
            do { /* two of one message are another matter */
                ids[i] = id_words[pick_id(random,
                                          sizeof id_words / sizeof *id_words)];
                for (other = 0; other < i && strcmp(ids[other], ids[i]) != 0;
                     other++) {
                }
            } while (other < i);
            snprintf(text, sizeof text,
                     "%s{\"id\":\"%s\",\"type\":\"function\",\"function\":{"
                     "\"name\":\"%c\",\"arguments\":\"{\\\"n\\\": %zu}\"}}",
                     i > 0 ? "," : "", ids[i], "fg"[pick_id(random, 2)],
                     calls + i);
            say_id(to, text);
        }
        say_id(to, "]}");
        for (size_t i = count; i > 0; i--) {
            const size_t at = pick_id(random, 6) == 0 ? count : i - 1;
            if (at < count) {
                snprintf(text, sizeof text,
                         ",{\"role\":\"tool\",\"tool_call_id\":\"%s\","
                         "\"content\":\"%zu\"}",
                         ids[at], calls + at);
            } else {
                snprintf(text, sizeof text,
                         ",{\"role\":\"tool\",\"tool_call_id\":\"call_%zu\","
                         "\"content\":\"-\"}",
                         10 + pick_id(random, 3));
            }
            say_id(to, text);
        }
        calls += count;
    }
    say_id(to, "]}");
    return calls;
}

typedef struct held_id {
    const char *text;
    size_t size;
} held_id;

/* The next string behind |key|; NULL: there is none. */
static const char *string_behind(const char *at, const char *key,
                                 held_id *found)
{
    at = strstr(at, key);
    if (at == NULL) {
        return NULL;
    }
    found->text = at + strlen(key);
    found->size = strcspn(found->text, "\"");
    return found->text + found->size;
}

static bool is_same_id(const held_id *a, const held_id *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static bool is_held(const held_id *id, bool plain)
{
    for (size_t i = 0; i < id->size; i++) {
        const char c = id->text[i];
        if (plain && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '_' || c == '-')) {
            return false;
        }
    }
    return id->size > 0;
}

/* The ids of calls in their order, and each result behind its call. */
static void judge_record(const char *out, size_t calls, bool plain,
                         const char *record)
{
    const char *const call_key =
        plain ? "\"type\":\"tool_use\",\"id\":\"" : "{\"id\":\"";
    const char *const result_key =
        plain ? "\"tool_use_id\":\"" : "\"tool_call_id\":\"";
    held_id ids[CALLS_MOST];
    held_id id = {0};
    size_t count = 0;
    for (const char *at = out; (at = string_behind(at, call_key, &id)) != NULL;
         count++) {
        cr_assert_lt(count, CALLS_MOST);
        cr_assert(is_held(&id, plain), "%s", out);
        for (size_t i = 0; i < count; i++) {
            cr_assert(!is_same_id(&ids[i], &id), "%s became %s", record, out);
        }
        ids[count] = id;
    }
    cr_assert_eq(count, calls, "%s", out);
    for (const char *at = out;
         (at = string_behind(at, result_key, &id)) != NULL;) {
        held_id content = {0};
        string_behind(at, "\"content\":\"", &content);
        size_t i = 0;
        while (i < count && !is_same_id(&ids[i], &id)) {
            i++;
        }
        if (*content.text == '-') {
            cr_assert_eq(i, count, "%s became %s", record, out);
        } else {
            cr_assert_eq(i, (size_t)atoi(content.text), "%s became %s", record,
                         out);
        }
    }
}

Test(map_ids, each_call_has_its_own_and_each_result_its_call)
{
    const char *asked = getenv("TOOLWIRE_RECORDS");
    const size_t records = asked != NULL ? (size_t)atoi(asked) : 4000;
    uint64_t random = 3;
    for (int way = 0; way < 4; way++) {
        const bool plain = way % 2 == 1;
        tw_converter *converter =
            tw_converter_new("openai", plain ? "anthropic" : "openai", NULL);
        tw_converter *again =
            tw_converter_new("openai", plain ? "anthropic" : "openai", NULL);
        const int policy = way < 2 ? TW_IDS_MAP : TW_IDS_MAKE;
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_IDS, policy),
                     TW_OK);
        cr_assert_eq(tw_converter_set(again, TW_OPTION_IDS, policy), TW_OK);
        for (size_t i = 0; i < records / 4; i++) {
            naive_bytes record = {0};
            const size_t calls = make_record(&record, &random);
            const char *out;
            const char *same;
            size_t size;
            naive_add(&record, "", 1);
            cr_assert_eq(tw_converter_record(converter, record.data,
                                             record.size - 1, &out, &size),
                         TW_OK, "%s: %s", record.data,
                         tw_converter_error(converter)->message);
            naive_bytes text = {0};
            naive_add(&text, out, size);
            naive_add(&text, "", 1);
            judge_record(text.data, calls, plain, record.data);
            cr_assert_eq(tw_converter_record(again, record.data,
                                             record.size - 1, &same, &size),
                         TW_OK);
            cr_assert_eq(memcmp(same, text.data, size), 0);
            naive_release(&text);
            naive_release(&record);
        }
        tw_converter_free(converter);
        tw_converter_free(again);
    }
}

/* What the last message of a format's record is written with. */
Test(map_ids, are_what_the_target_holds)
{
    static const struct {
        const char *to;
        const char *has;
    } targets[] = {{"mistral/v7", "\\\"0000002bP\\\""},
                   {"mistral/v11", "[CALL_ID]0000002bP["},
                   {"kimi-k2", "functions.f:0"}};
    static const char record[] =
        "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":"
        "\"toolu_1\",\"type\":\"function\",\"function\":{\"name\":\"f\","
        "\"arguments\":\"{}\"}}]}]}";
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        tw_converter *converter =
            tw_converter_new("openai", targets[i].to, NULL);
        const char *out;
        size_t size;
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1),
                     TW_OK);
        cr_assert_eq(tw_converter_set(converter, TW_OPTION_IDS, TW_IDS_MAP),
                     TW_OK);
        cr_assert_eq(tw_converter_record(converter, record, sizeof record - 1,
                                         &out, &size),
                     TW_OK, "%s: %s", targets[i].to,
                     tw_converter_error(converter)->message);
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)size, out);
        cr_expect_not_null(strstr(text, targets[i].has), "%s", text);
        tw_converter_free(converter);
    }
}

/* Of several calls without ids each has its own result, also where a format
 * tells them by name or number. */
Test(map_ids, results_without_ids_go_to_their_calls)
{
    static const struct {
        const char *to;
        int policy;
        const char *first;
        const char *second;
    } targets[] = {
        {"kimi-k2", TW_IDS_KEEP, "Return of functions.f:0\\nzero",
         "Return of functions.g:1\\none"},
        {"gemma4", TW_IDS_KEEP, "response:f{value:<|\\\"|>zero",
         "response:g{value:<|\\\"|>one"},
        {"harmony", TW_IDS_KEEP,
         "functions.f to=assistant<|channel|>commentary<|message|>zero",
         "functions.g to=assistant<|channel|>commentary<|message|>one"},
        {"mistral/v7", TW_IDS_MAP, "[TOOL_RESULTS]0000002bP[TOOL_CONTENT]zero",
         "[TOOL_RESULTS]0000005Co[TOOL_CONTENT]one"}};
    static const char record[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},"
        "{\"role\":\"assistant\",\"tool_calls\":[{\"type\":\"function\","
        "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"type\":"
        "\"function\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]},"
        "{\"role\":\"tool\",\"content\":\"zero\"},"
        "{\"role\":\"tool\",\"content\":\"one\"}]}";
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        tw_converter *converter =
            tw_converter_new("openai", targets[i].to, NULL);
        const char *out;
        size_t size;
        cr_assert_eq(
            tw_converter_set(converter, TW_OPTION_IDS, targets[i].policy),
            TW_OK);
        cr_assert_eq(tw_converter_record(converter, record, sizeof record - 1,
                                         &out, &size),
                     TW_OK, "%s: %s", targets[i].to,
                     tw_converter_error(converter)->message);
        char text[4096];
        snprintf(text, sizeof text, "%.*s", (int)size, out);
        cr_expect_not_null(strstr(text, targets[i].first), "%s", text);
        cr_expect_not_null(strstr(text, targets[i].second), "%s", text);
        tw_converter_free(converter);
    }
}
