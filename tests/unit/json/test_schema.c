/* SPDX-License-Identifier: MIT
 *
 * Calls against the schemas of their tools: what is told, wherever the output
 * is cut, and what is refused.  Each keyword by itself is in
 * test_schema_keywords.c, what schemas cost in test_schema_costs.c.
 * JSON-Schema-Test-Suite is asked by schema_suite.c.
 */
#define _POSIX_C_SOURCE 200809L

#include <criterion/criterion.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "checks/schema.h"
#include "schema/decimal.h"
#include "schema/schema.h"
#include "support/decoding.h"

/* ---- faults ------------------------------------------------------------- */

static const struct {
    const char *schema;
    const char *value;
    const char *faults;
} cases[] = {
    {"{}", "{\"a\":1}", "fits"},
    {"true", "1", "fits"},
    {"false", "1", "parameter_rule"},
    {"{\"type\":\"integer\"}", "1.0", "fits"},
    {"{\"type\":\"integer\"}", "1e-1", "parameter_type"},
    {"{\"type\":[\"string\",\"null\"]}", "null", "fits"},
    {"{\"type\":\"string\",\"nullable\":true}", "null", "fits"},
    {"{\"type\":\"any\"}", "1", "schema_broken@type fits"},
    {"{\"enum\":[1,{\"a\":[1.0],\"b\":2}]}", "{\"b\":2.0,\"a\":[1]}", "fits"},
    {"{\"enum\":[true]}", "1", "parameter_value"},
    {"{\"minimum\":1,\"exclusiveMaximum\":3}", "3.00", "parameter_range"},
    {"{\"minimum\":-0.1}", "-1e-1", "fits"},
    {"{\"maximum\":100000000000000000001}", "100000000000000000002",
     "parameter_range"},
    {"{\"multipleOf\":0.1}", "0.3", "fits"},
    {"{\"multipleOf\":0.1}", "0.35", "parameter_range"},
    {"{\"multipleOf\":7}", "1e20", "parameter_range"},
    {"{\"multipleOf\":0}", "1", "schema_broken@multipleOf fits"},
    {"{\"maxLength\":2}", "\"\\u00e4\\ud83d\\ude00\"", "fits"},
    {"{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"minimum\":2}},"
     "\"required\":[\"a\",\"c\"],\"additionalProperties\":false}",
     "{\"a\":1,\"b\":1,\"d\":0}",
     "parameter_type@a parameter_range@b missing_parameter:c "
     "unknown_parameter@d"},
    {"{\"additionalProperties\":{\"type\":\"null\"},"
     "\"patternProperties\":{\"^x\":true}}",
     "{\"x1\":1,\"y\":1}", "parameter_type@y"},
    {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":5}]}", "1",
     "parameter_rule"},
    {"{\"anyOf\":[{\"type\":\"string\"}]}", "1", "parameter_type"},
    {"{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":2}]}", "3",
     "parameter_rule"},
    {"{\"items\":{\"$ref\":\"#/$defs/a~1b/0\"},\"$defs\":{\"a/b\":[{\"type\":"
     "\"string\"}]}}",
     "[\"x\",1]", "parameter_type"},
    {"{\"$ref\":\"#t\",\"$defs\":{\"x\":{\"$anchor\":\"t\",\"type\":"
     "\"null\"}}}",
     "1", "parameter_type"},
    {"{\"$ref\":\"https://example.org/s.json\"}", "1",
     "schema_unread@$ref fits"},
    {"{\"$ref\":\"#/nowhere\"}", "1", "schema_unread@$ref fits"},
    {"{\"$ref\":\"#\"}", "1", "schema_limit fits"},
    {"{\"uniqueItems\":true}", "[1,\"1\",[1],[1.0]]", "parameter_rule"},
    {"{\"uniqueItems\":true}", "[1,\"1\",true,null,{\"a\":1},{\"a\":2}]",
     "fits"},
    {"{\"pattern\":\"^\\\\d{3}-[a-f]+$\"}", "\"123-cafe\"", "fits"},
    {"{\"pattern\":\"^\\\\d{3}-[a-f]+$\"}", "\"1234-cafe\"",
     "parameter_pattern"},
    {"{\"pattern\":\"^(?:a|bc)*?(?<x>d)?\\\\b$\"}", "\"abcad\"", "fits"},
    {"{\"pattern\":\"^(a|b|)c{2,}$\"}", "\"ccc\"", "fits"},
    {"{\"pattern\":\"^(ab){0,2}$\"}", "\"ababab\"", "parameter_pattern"},
    {"{\"pattern\":\"[^\\\\s\\\\x41-\\\\u{43}]\"}", "\"A B C\"",
     "parameter_pattern"},
    {"{\"pattern\":\"^\\\\p{L}+$\"}", "\"A\"", "schema_unread@pattern fits"},
    {"{\"pattern\":\"(?=a)\"}", "\"A\"", "schema_unread@pattern fits"},
    {"{\"pattern\":\"(\"}", "\"A\"", "schema_unread@pattern fits"},
    {"{\"unevaluatedProperties\":false}", "{}", "fits"},
};

Test(schema, faults_are_those_of_the_keywords)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        naive_bytes words = schema_faults(cases[i].schema, cases[i].value);
        cr_expect_str_eq(words.data, cases[i].faults, "%s of %s: %s",
                         cases[i].value, cases[i].schema, words.data);
        naive_release(&words);
    }
}

/* ---- numbers ------------------------------------------------------------ */

Test(schema, numbers_by_what_they_are)
{
    static const char *const ascending[] = {"-1e400",
                                            "-12",
                                            "-1.5",
                                            "-1.4999",
                                            "-0.1",
                                            "0",
                                            "1e-400",
                                            "0.999",
                                            "1",
                                            "1.0001",
                                            "9.99e2",
                                            "1e3",
                                            "1000.5",
                                            "123456789012345678901234567890",
                                            "1e99999999999999"};
    enum { COUNT = sizeof ascending / sizeof *ascending };
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) {
            const tw_value a = {.kind = TW_VALUE_NUMBER,
                                .text = ascending[i],
                                .size = strlen(ascending[i])};
            const tw_value b = {.kind = TW_VALUE_NUMBER,
                                .text = ascending[k],
                                .size = strlen(ascending[k])};
            const tw_decimal left = tw_decimal_of(&a);
            const tw_decimal right = tw_decimal_of(&b);
            const int order = tw_decimal_compare(&left, &right);
            cr_expect_eq((order > 0) - (order < 0), (i > k) - (i < k),
                         "%s and %s: %d", a.text, b.text, order);
        }
    }
}

/* ---- patterns ----------------------------------------------------------- */

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return *state >> 33;
}

/* Random ones of those that POSIX has, too, whose reader shares no code with
 * ours. */
static void add_pattern(naive_bytes *to, uint64_t *random, int depth)
{
    static const char *const atoms[] = {"a",    "b",    "c",    ".",
                                        "[ab]", "[^a]", "[a-c]"};
    static const char *const times[] = {"",  "",  "",    "*",
                                        "+", "?", "{2}", "{1,3}"};
    const size_t branches = 1 + next(random) % 8 / 6;
    for (size_t i = 0; i < branches; i++) {
        const size_t parts = 1 + next(random) % 3;
        naive_add(to, "|", i > 0 ? 1 : 0);
        for (size_t k = 0; k < parts; k++) {
            if (depth > 0 && next(random) % 3 == 0) {
                naive_add(to, "(", 1);
                add_pattern(to, random, depth - 1);
                naive_add(to, ")", 1);
            } else {
                const char *atom = atoms[next(random) % 7];
                naive_add(to, atom, strlen(atom));
            }
            const char *often = times[next(random) % 8];
            naive_add(to, often, strlen(often));
        }
    }
}

static bool is_found(const char *pattern, const char *text)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_match_room room = {{0}, {0}, {0}, {0}};
    tw_regex regex;
    uint64_t work = 0;
    bool failed;
    cr_assert(tw_regex_read(&regex, &memory, pattern, strlen(pattern)), "%s",
              pattern);
    const bool found =
        tw_regex_matches(&regex, &room, text, strlen(text), &work, &failed);
    cr_assert_not(failed);
    tw_regex_free(&regex);
    tw_match_room_free(&room, &memory);
    return found;
}

Test(schema, patterns_find_what_posix_finds)
{
    uint64_t random = 1;
    size_t found = 0;
    for (int i = 0; i < 5000; i++) {
        naive_bytes pattern = {0};
        char text[8];
        regex_t other;
        const size_t ends = next(&random) % 4;
        naive_add(&pattern, "^(", ends & 1 ? 2 : 0);
        add_pattern(&pattern, &random, 3);
        naive_add(&pattern, ends & 1 ? ")$" : "$", ends & 1 ? 2 : 0);
        naive_add(&pattern, "", 1);
        const size_t size = next(&random) % sizeof text;
        for (size_t k = 0; k < size; k++) {
            text[k] = "abcd"[next(&random) % 4];
        }
        text[size] = '\0';
        cr_assert_eq(regcomp(&other, pattern.data, REG_EXTENDED | REG_NOSUB),
                     0, "%s", pattern.data);
        const bool wanted = regexec(&other, text, 0, NULL, 0) == 0;
        cr_expect_eq(is_found(pattern.data, text), wanted, "%s in %s",
                     pattern.data, text);
        found += wanted;
        regfree(&other);
        naive_release(&pattern);
    }
    cr_expect_gt(found, 1000);
    cr_expect_lt(found, 4500);
}

/* ---- calls -------------------------------------------------------------- */

static const char tools[] =
    "[{\"type\":\"function\",\"function\":{\"name\":\"tide\",\"parameters\":{"
    "\"type\":\"object\",\"properties\":{\"port\":{\"type\":\"string\"},"
    "\"n\":{\"$ref\":\"#/$defs/n\"},\"x\":{\"pattern\":\"(?=a)\"}},"
    "\"required\":[\"port\"],\"$defs\":{\"n\":{\"minimum\":1}}}}},"
    "{\"type\":\"function\",\"function\":{\"name\":\"bare\"}},"
    "{\"type\":\"function\",\"function\":{\"name\":\"word\",\"parameters\":"
    "{\"properties\":{\"a\":{\"pattern\":\"^(b|c)+$\"}}}}},"
    "{\"type\":\"function\",\"function\":{\"name\":\"left\",\"parameters\":"
    "{\"anyOf\":[{\"properties\":{\"a\":{\"unevaluatedItems\":false}}}],"
    "\"unevaluatedProperties\":false}}}]";

#define CALL(name, arguments)                                         \
    "<tool_call>\n{\"name\": \"" name "\", \"arguments\": " arguments \
    "}\n</tool_call>\n"

static tw_decoder *validating(tw_validate how, const tw_allocator *allocator)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), allocator);
    if (decoder != NULL &&
        tw_decoder_set_tools(decoder, tools, strlen(tools)) != TW_OK) {
        tw_decoder_free(decoder);
        return NULL;
    }
    if (decoder != NULL) {
        cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_VALIDATE, how), TW_OK);
    }
    return decoder;
}

static const char good[] = "Hi " CALL("tide", "{\"port\": \"B\", \"n\": 1}")
    CALL("bare", "{\"any\": 1}");
static const char bad[] = "Hi " CALL("tide", "{\"n\": 0, \"w\": [1]}")
    CALL("tide", "{\"port\": 1, \"x\": \"a\"}")
        CALL("tide", "{\"port\": \"}\", \"x\": \"a\"}") CALL("none", "{}");

/* `n:parameter_range missing_parameter:port ...` in front of each end. */
static naive_bytes told(const event_log *log)
{
    naive_bytes words = {0};
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_DIAGNOSTIC) {
            naive_add(&words, log->bytes + event->data, event->size);
            naive_add(&words, ":", 1);
            naive_add(&words, log->bytes + event->id, event->id_size);
            naive_add(&words, " ", 1);
        } else if (event->type == TW_EVENT_CALL_END) {
            naive_add(&words, "end ", 4);
        }
    }
    naive_add(&words, "", 1);
    return words;
}

Test(schema, calls_are_told_of_and_not_changed)
{
    tw_decoder *decoder = validating(TW_VALIDATE_REPORT, NULL);
    event_log log = {0};
    decode(&log, decoder, bad, strlen(bad), 0);
    naive_bytes words = told(&log);
    cr_expect_str_eq(
        words.data,
        "parameter_range:n missing_parameter:port unknown_parameter:w end "
        "parameter_type:port schema_unread:tools[0].function.parameters."
        "properties.x.pattern end end undeclared_tool: end ",
        "%s", words.data);
    naive_release(&words);
    event_log plain = {0};
    tw_decoder *other = validating(TW_VALIDATE_NO, NULL);
    decode(&plain, other, bad, strlen(bad), 0);
    size_t at = 0;
    for (size_t i = 0; i < log.count; i++) {
        const event_record *event = &log.events[i];
        if (event->type == TW_EVENT_DIAGNOSTIC && event->id_size > 0) {
            cr_expect_lt(event->index, 3);
            continue;
        }
        cr_assert_lt(at, plain.count);
        cr_expect_eq(event->type, plain.events[at].type);
        cr_expect_eq(event->size, plain.events[at].size);
        cr_expect_eq(event->span, plain.events[at].span);
        at++;
    }
    cr_expect_eq(at, plain.count);
    event_log_free(&log);
    event_log_free(&plain);
    tw_decoder_free(decoder);
    tw_decoder_free(other);
}

/* What is no schema is said to be none, with its place: nobody is to think
 * that the call was checked. */
Test(schema, a_broken_schema_is_told_of)
{
#define OWN "tools[0].function.parameters"
    static const struct {
        const char *parameters;
        const char *words;
    } rows[] = {
        {"\"x\"", "schema_broken:" OWN " end "},
        {"5", "schema_broken:" OWN " end "},
        {"[]", "schema_broken:" OWN " end "},
        {"null", "end "},
        {"{\"type\":\"object\",\"properties\":[]}",
         "schema_broken:" OWN ".properties end "},
        {"{\"properties\":{\"sum\":\"integer\"}}",
         "schema_broken:" OWN ".properties.sum end "},
        {"{\"type\":\"objct\",\"required\":[\"sum\"]}",
         "schema_broken:" OWN ".type end "},
        {"{\"$ref\":\"#/none\"}", "schema_unread:" OWN "[\"$ref\"] end "},
    };
    static const char text[] = CALL("pay", "{\"sum\": \"x\"}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char list[256];
        event_log log = {0};
        tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
        snprintf(list, sizeof list,
                 "[{\"type\":\"function\",\"function\":{\"name\":\"pay\","
                 "\"parameters\":%s}}]",
                 rows[i].parameters);
        cr_assert_eq(
            tw_decoder_set(decoder, TW_OPTION_VALIDATE, TW_VALIDATE_REFUSE),
            TW_OK);
        cr_assert_eq(tw_decoder_set_tools(decoder, list, strlen(list)), TW_OK);
        decode(&log, decoder, text, strlen(text), 0);
        naive_bytes words = told(&log);
        cr_expect_eq(log.error, TW_OK);
        cr_expect_str_eq(words.data, rows[i].words, "%s: %s",
                         rows[i].parameters, words.data);
        naive_release(&words);
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
#undef OWN
}

/* What could not be checked to its end is not let pass. */
Test(schema, an_unchecked_call_is_refused)
{
    static const char list[] =
        "[{\"name\":\"pay\",\"parameters\":{\"$ref\":\"#\"}}]";
    static const char text[] = CALL("pay", "{\"sum\": \"x\"}");
    for (int how = TW_VALIDATE_REPORT; how <= TW_VALIDATE_REFUSE; how++) {
        event_log log = {0};
        tw_decoder *decoder = validating((tw_validate)how, NULL);
        cr_assert_eq(tw_decoder_set_tools(decoder, list, sizeof list - 1),
                     TW_OK);
        decode(&log, decoder, text, sizeof text - 1, 0);
        if (how == TW_VALIDATE_REPORT) {
            naive_bytes words = told(&log);
            cr_expect_eq(log.error, TW_OK);
            cr_expect_str_eq(words.data,
                             "schema_limit:tools[0].parameters end ");
            naive_release(&words);
        } else {
            const tw_error *error = tw_decoder_error(decoder);
            cr_expect_eq(log.error, TW_ERROR_DEVIATION);
            cr_expect_eq(error->detail, TW_DIAGNOSTIC_SCHEMA_LIMIT);
            cr_expect_str_eq(error->path, "tools[0].parameters");
        }
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
}

/* The same events however the output is cut. */
Test(schema, cuts_change_nothing)
{
    const char *const texts[] = {good, bad};
    for (int how = TW_VALIDATE_REPORT; how <= TW_VALIDATE_REFUSE; how++) {
        tw_decoder *decoder = validating((tw_validate)how, NULL);
        for (size_t t = 0; t < 2; t++) {
            const size_t size = strlen(texts[t]);
            event_log whole = {0};
            event_log cut = {0};
            decode(&whole, decoder, texts[t], size, 0);
            for (size_t chunk = 1; chunk < size; chunk++) {
                decode(&cut, decoder, texts[t], size, chunk);
                cr_expect(event_log_same(&whole, &cut), "%d, %zu, %zu", how, t,
                          chunk);
            }
            for (size_t at = 1; at < size; at++) {
                const feeding halves = {0, &at, 1};
                event_log_run(&cut, decoder, texts[t], size, &halves, NULL, 0);
                cr_expect(event_log_same(&whole, &cut), "%d, %zu at %zu", how,
                          t, at);
            }
            event_log_free(&whole);
            event_log_free(&cut);
        }
        tw_decoder_free(decoder);
    }
}

Test(schema, a_refused_call_lacks_its_brace)
{
    tw_decoder *decoder = validating(TW_VALIDATE_REFUSE, NULL);
    event_log log = {0};
    decode(&log, decoder, good, strlen(good), 1);
    cr_expect_eq(log.error, TW_OK);
    decode(&log, decoder, bad, strlen(bad), 1);
    const tw_error *error = tw_decoder_error(decoder);
    cr_expect_eq(log.error, TW_ERROR_DEVIATION);
    cr_expect_eq(error->detail, TW_DIAGNOSTIC_PARAMETER_RANGE);
    cr_expect_str_eq(error->path, "n");
    cr_expect_eq(error->offset, 3);
    const event_record *last = &log.events[log.count - 1];
    cr_expect_eq(last->type, TW_EVENT_CALL_ARGUMENTS);
    cr_expect_eq(last->size, strlen("{\"n\": 0, \"w\": [1]"));
    /* A message behind it is not the worse for it. */
    decode(&log, decoder, good, strlen(good), 0);
    cr_expect_eq(log.error, TW_OK);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* A call of a tool that is not on the list is refused where it begins. */
Test(schema, tools_that_are_not_there_are_refused)
{
    static const char text[] = "Hi " CALL("none", "{}");
    tw_decoder *decoder = validating(TW_VALIDATE_REFUSE, NULL);
    event_log log = {0};
    decode(&log, decoder, text, sizeof text - 1, 0);
    cr_expect_eq(log.error, TW_ERROR_DEVIATION);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

/* Of |text|, the words of which begin so, each failed allocation. */
static void survive(const char *text, const char *begin)
{
    size_t fail_at = 0;
    bool failed = true;
    while (failed) {
        test_memory state = {.fail_at = ++fail_at};
        const tw_allocator allocator = test_allocator(&state);
        tw_decoder *decoder = validating(TW_VALIDATE_REPORT, &allocator);
        if (decoder == NULL) {
            cr_assert_eq(state.live, 0);
            continue;
        }
        event_log log = {0};
        decode(&log, decoder, text, strlen(text), 0);
        failed = state.count >= fail_at;
        cr_expect_eq(log.error, failed ? TW_ERROR_MEMORY : TW_OK, "%zu: %d",
                     fail_at, log.error);
        state.fail_at = 0;
        decode(&log, decoder, text, strlen(text), 0);
        cr_expect_eq(log.error, TW_OK, "%zu: %d", fail_at, log.error);
        naive_bytes words = told(&log);
        cr_expect_eq(strncmp(words.data, begin, strlen(begin)), 0, "%s",
                     words.data);
        naive_release(&words);
        event_log_free(&log);
        tw_decoder_free(decoder);
        cr_expect_eq(state.live, 0, "%zu", fail_at);
    }
    cr_expect_gt(fail_at, 20);
}

Test(schema, faults)
{
    survive(bad, "parameter_range:n missing");
    survive(CALL("word", "{\"a\": \"bca\"}"), "parameter_pattern:a end ");
    survive(CALL("left", "{\"a\": [1], \"b\": 2}"),
            "parameter_rule:a[0] unknown_parameter:b ");
}

/* A brace that ends an inner object, with a deviation behind it, is not the
 * last of the call: what is refused is the same for each cut. */
Test(schema, a_brace_inside_is_not_the_last)
{
    static const char text[] =
        "Hi " CALL("tide", "{\"n\": 0, \"w\": {\"a\": 1},}");
    tw_decoder *decoder = validating(TW_VALIDATE_REFUSE, NULL);
    event_log whole = {0};
    event_log bytes = {0};
    decode(&whole, decoder, text, sizeof text - 1, 0);
    decode(&bytes, decoder, text, sizeof text - 1, 1);
    cr_expect_eq(whole.error, TW_ERROR_DEVIATION);
    cr_expect(event_log_same(&whole, &bytes));
    event_log_free(&whole);
    event_log_free(&bytes);
    tw_decoder_free(decoder);
}
