/* SPDX-License-Identifier: MIT
 *
 * What a model is told of its calls that cannot be run.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "toolwire.h"

static const char tools[] =
    "[{\"name\":\"tide\",\"parameters\":{\"type\":\"object\",\"required\":["
    "\"port\"],\"additionalProperties\":false,\"properties\":{\"port\":{"
    "\"type\":\"string\",\"maxLength\":5},\"day\":{\"type\":[\"integer\","
    "\"null\"]},\"unit\":{\"enum\":[\"m\",\"ft\"]}}}},{\"name\":\"bare\"}]";

#define CALL(name, arguments)                                              \
    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"function\":{" \
    "\"name\":\"" name "\",\"arguments\":" arguments "}}]}"
#define AGAIN " Call the tool again with arguments that fit.\n"
#define TIDE "Your call of `tide` was not run. "

static const struct {
    const char *message;
    const char *words;
} told[] = {
    {CALL("tide", "\"{\\\"port\\\": \\\"Brest\\\"}\""), ""},
    {CALL("bare", "\"{\\\"x\\\": 1}\""), ""},
    {CALL("tide", "{\"port\":5}"),
     TIDE "`port` has to be of type string, but was 5." AGAIN},
    {CALL("tide", "\"{}\""), TIDE "`port` is required and was missing." AGAIN},
    {CALL("tide", "{\"port\":\"Hamburg\",\"day\":\"x\",\"unit\":\"km\"}"),
     TIDE "`port` has to have at most 5 characters, but was \"Hamburg\". "
          "`day` has to be of type integer or null, but was \"x\". `unit` has "
          "to be one of [\"m\", \"ft\"], but was \"km\"." AGAIN},
    {CALL("tide", "{\"port\":\"B\",\"at\":1}"),
     TIDE "`at` is not a parameter of the tool; it may have `port`, `day`, "
          "`unit`." AGAIN},
    {CALL("tide", "\"{\\\"port\\\": \""),
     TIDE "Its arguments have to be one JSON object, but were {\"port\":  "
          "Call the tool again with arguments that are JSON.\n"},
    {CALL("tade", "{}"),
     "Your call of `tade` was not run. There is no tool of this name. The "
     "tools are `tide`, `bare`.\n"},
    {"{\"choices\":[{\"message\":" CALL("tide", "{\"port\":5}") "}]}",
     TIDE "`port` has to be of type string, but was 5." AGAIN},
    {"{\"content\":null,\"toolwire\":{\"unparsed\":[{\"text\":\"<call>{\\n"
     "1}\",\"reason\":\"truncated_call\",\"name\":\"tide\"}]}}",
     TIDE "It ended before it was complete. You wrote: { 1} Write the whole "
          "call again, as your other calls are written.\n"},
};

static char *words_of(const char *message, const char *with,
                      tw_words_form form)
{
    size_t size = 0;
    size_t again = 0;
    cr_assert_eq(tw_words_for_model(message, strlen(message), with,
                                    with != NULL ? strlen(with) : 0, form,
                                    NULL, NULL, 0, &size),
                 TW_OK, "%s", message);
    char *text = malloc(size + 1);
    text[size] = '\0';
    cr_assert_eq(tw_words_for_model(message, strlen(message), with,
                                    with != NULL ? strlen(with) : 0, form,
                                    NULL, text, size, &again),
                 TW_OK);
    cr_assert_eq(size, again);
    return text;
}

Test(words, say_what_was_wrong_and_where)
{
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        char *words = words_of(told[i].message, tools, TW_WORDS_TEXT);
        cr_expect_str_eq(words, told[i].words, "%s", words);
        free(words);
    }
}

Test(words, are_messages)
{
    char *words = words_of(told[2].message, tools, TW_WORDS_MESSAGES);
    cr_expect_str_eq(words,
                     "[{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":"
                     "\"Your call of `tide` was not run. `port` has to be of "
                     "type string, but was 5. Call the tool again with "
                     "arguments that fit.\"}]");
    free(words);
    words = words_of(told[2].message, NULL, TW_WORDS_MESSAGES);
    cr_expect_str_eq(words, "[]");
    free(words);
}

Test(words, refuse_what_is_none)
{
    size_t size;
    static const struct {
        const char *message;
        const char *tools;
        int result;
    } bad[] = {{"{", tools, TW_ERROR_JSON},
               {"[]", tools, TW_ERROR_SCHEMA},
               {"{}", "[", TW_ERROR_JSON},
               {"{}", "{}", TW_ERROR_SCHEMA}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_eq(tw_words_for_model(bad[i].message, strlen(bad[i].message),
                                        bad[i].tools, strlen(bad[i].tools),
                                        TW_WORDS_TEXT, NULL, NULL, 0, &size),
                     bad[i].result, "%zu", i);
    }
    cr_expect_eq(tw_words_for_model(NULL, 0, NULL, 0, TW_WORDS_TEXT, NULL,
                                    NULL, 0, &size),
                 TW_ERROR_ARGUMENT);
}

Test(words, no_memory_is_said)
{
    const char *message = told[4].message;
    int result = TW_ERROR_MEMORY;
    for (size_t i = 0; result == TW_ERROR_MEMORY && i < 1000; i++) {
        test_memory state = {.fail_at = i + 1};
        const tw_allocator allocator = test_allocator(&state);
        size_t size;
        result =
            tw_words_for_model(message, strlen(message), tools, strlen(tools),
                               TW_WORDS_TEXT, &allocator, NULL, 0, &size);
        cr_assert_eq(state.live, 0);
    }
    cr_expect_eq(result, TW_OK);
}
