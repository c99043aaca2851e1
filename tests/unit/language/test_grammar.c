/* SPDX-License-Identifier: MIT
 *
 * Grammars by the public interface: what is made, what is refused with which
 * place, and that each allocation may fail.  What they take is
 * tests/grammars/'s.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "loading.h"

#define TOOL(name, schema) "{\"name\":\"" name "\",\"parameters\":" schema "}"
#define OBJECT(properties) \
    "{\"type\":\"object\",\"properties\":{" properties "}}"
#define DUE_A(properties)                                                   \
    "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{" properties \
    "}}"
#define ALL                                                                \
    OBJECT("\"a\":{\"type\":\"string\"},\"b\":{\"enum\":[\"x\",1,null]},"  \
           "\"c\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},"    \
           "\"maxItems\":3},\"d\":{\"$ref\":\"#\"},\"e\":{\"type\":"       \
           "\"string\",\"pattern\":\"^[a-f]+(x|y){2}$\"},\"f\":{\"type\":" \
           "\"integer\",\"minimum\":-5,\"maximum\":120},\"g\":{},\"h\":"   \
           "{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"string\","      \
           "\"maxLength\":5}]}")

static const char special[] =
    "{\"added_tokens\":[{\"id\":7,\"content\":\"<tool_call>\"},"
    "{\"id\":9,\"content\":\"<think>\"},{\"id\":8,\"content\":\"<x>\"}]}";

static int make(const char *format, const char *tools,
                const tw_grammar_options *options, tw_format_error *error)
{
    tw_grammar *grammar;
    const int code =
        tw_grammar_make(tw_format_find(format), tools, strlen(tools), options,
                        NULL, &grammar, error);
    cr_expect_eq(code == TW_OK, grammar != NULL);
    tw_grammar_free(grammar);
    return code;
}

static void says_in(const char *format, const char *tools,
                    const tw_grammar_options *options, const char *wanted)
{
    size_t size;
    tw_grammar *grammar;
    cr_assert_eq(tw_grammar_make(tw_format_find(format), tools, strlen(tools),
                                 options, NULL, &grammar, NULL),
                 TW_OK);
    const char *text = tw_grammar_text(grammar, &size);
    const size_t length = strlen(wanted);
    bool found = false;
    for (size_t i = 0; i + length <= size; i++) {
        found |= memcmp(text + i, wanted, length) == 0;
    }
    cr_expect(found, "%s is not in %.*s", wanted, (int)size, text);
    tw_grammar_free(grammar);
}

static void says(const char *tools, const tw_grammar_options *options,
                 const char *wanted)
{
    says_in("hermes", tools, options, wanted);
}

Test(grammar, has_three_targets)
{
    const char *tools = "[" TOOL("tide", ALL) "]";
    tw_grammar_options options = {.parallel = 1};
    says(tools, NULL, "start: ");
    options.target = TW_GRAMMAR_GBNF;
    says(tools, &options, "root ::= ");
    options.target = TW_GRAMMAR_STRUCTURAL_TAG;
    says(tools, &options, "{\"type\":\"structural_tag\"");
}

/* XGrammar masks a vocabulary of 130,000 for an automaton of rules in some 4
 * seconds, for a string whose characters are calls in 0.1 a token, and for 400
 * of these in 0.7; llama.cpp counts nothing to 2000. */
Test(grammar, is_in_forms_that_engines_mask_fast)
{
    const char *tools =
        "[" TOOL("tide", DUE_A("\"a\":{\"type\":\"string\"}")) "]";
    tw_grammar_options options = {.target = TW_GRAMMAR_GBNF, .parallel = 1};
    says(tools, &options, "::= \"\" | ([^\\x00-\\x1F\"\\\\] again-");
    options.target = TW_GRAMMAR_STRUCTURAL_TAG;
    says(tools, &options,
         "free-0 ::= TagDispatch(loop_after_dispatch=false, "
         "excludes=(\\\"<tool_call>\\\", ");
    tools = "[" TOOL("tide", DUE_A("\"a\":{\"type\":\"string\",\"maxLength\":"
                                   "2000}")) "]";
    options.target = TW_GRAMMAR_GBNF;
    says(tools, &options,
         "::= \"\\\"\" (block-21{0,61} character-7{0,48}) \"\\\"\"\n");
    says(tools, &options, "block-21 ::= character-7{32}\n");
}

Test(grammar, says_where_it_cannot_follow)
{
    tw_format_error error;
    tw_grammar_options options = {.parallel = 1};
    const char *tools =
        "[" TOOL("tide", OBJECT("\"a\":{\"not\":{\"type\":\"string\"}}")) "]";
    cr_expect_eq(make("hermes", tools, &options, &error),
                 TW_ERROR_CANNOT_CARRY);
    cr_expect_str_eq(error.message,
                     "tools[0].parameters.properties.a.not: no grammar says "
                     "this keyword (`wider` leaves it out)");
    make("hermes", "[" TOOL("tide", "\"{}\"") "]", &options, &error);
    cr_expect_str_eq(error.message,
                     "tools[0].parameters: a JSON Schema is an object, and no "
                     "text of one (`wider` leaves it out)");
    options.wider = 1;
    says(tools, &options,
         "// wider: tools[0].parameters.properties.a.not: no grammar says "
         "this keyword\nvalue");
}

/* A property that no value fits is left out, in each notation; where it is
 * required, its tool cannot be called. */
Test(grammar, what_nothing_fits_is_left_out_or_refused)
{
    static const char *const formats[] = {"hermes", "qwen3-coder", "lfm2",
                                          "gemma4", "minimax/m3"};
    static const char *const schemas[] = {
        "false",
        "{\"enum\":[]}",
        "{\"anyOf\":[]}",
        "{\"anyOf\":[false,{\"enum\":[]}]}",
        "{\"type\":\"integer\",\"minimum\":5,\"maximum\":4}",
        "{\"minLength\":3,\"maxLength\":2}",
        "{\"minItems\":3,\"maxItems\":2}",
        "{\"minProperties\":1,\"maxProperties\":0}",
        "{\"type\":\"string\",\"enum\":[1]}",
        "{\"enum\":[1,2],\"minimum\":3}",
        "{\"enum\":[1.5],\"type\":\"integer\"}",
        "{\"const\":\"a\",\"type\":\"integer\"}",
        "{\"const\":\"a\",\"enum\":[\"b\"]}",
        "{\"items\":false,\"minItems\":1}",
        "{\"properties\":{\"b\":false},\"required\":[\"b\"]}",
        "{\"properties\":{\"b\":{\"enum\":[]}},\"required\":[\"b\"]}",
        "{\"type\":\"array\",\"items\":{\"enum\":[]},\"minItems\":1}",
        "{\"$ref\":\"#/$defs/n\"}",
        "{\"properties\":{\"b\":{\"$ref\":\"#/properties/a\"}},\"required\":["
        "\"b\"]}"};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
            char tools[512];
            tw_format_error error;
            snprintf(tools, sizeof tools,
                     "[" TOOL("tide", OBJECT("\"a\":%s,\"c\":{\"type\":"
                                             "\"string\"}},\"$defs\":{\"n\":"
                                             "false")) "]",
                     schemas[i]);
            cr_expect_eq(make(formats[k], tools, NULL, &error), TW_OK,
                         "%s: %s: %s", formats[k], tools, error.message);
            snprintf(tools, sizeof tools,
                     "[\"now\"," TOOL("tide", DUE_A("\"a\":%s},\"$defs\":{"
                                                    "\"n\":false")) "]",
                     schemas[i]);
            cr_expect_eq(make(formats[k], tools, NULL, &error),
                         TW_ERROR_CANNOT_CARRY, "%s: %s", formats[k], tools);
            cr_expect(strstr(error.message, "tools[1]") != NULL &&
                          strstr(error.message, "the tool `tide` requires "
                                                "one") != NULL,
                      "%s: %s", formats[k], error.message);
        }
    }
}

Test(grammar, what_cannot_be_followed_is_refused_as_an_option_too)
{
    static const char *const schemas[] = {
        OBJECT("\"a\":{\"$ref\":\"#/nowhere\"}"),
        OBJECT("\"a\":{\"oneOf\":[true,true]}"),
        OBJECT("\"a\":{\"unevaluatedProperties\":false}"),
        OBJECT("\"a\":{\"$ref\":\"#/$defs/b\"}},\"$defs\":{\"b\":{\"$ref\":"
               "\"#/$defs/c\",\"maxLength\":2},\"c\":{\"type\":\"string\"}"),
        OBJECT("\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"$ref\":"
               "\"#/properties/a\"}]}")};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        char tools[512];
        tw_format_error error;
        snprintf(tools, sizeof tools, "[" TOOL("tide", "%s") "]", schemas[i]);
        cr_expect_eq(make("hermes", tools, NULL, &error),
                     TW_ERROR_CANNOT_CARRY, "%s", schemas[i]);
        cr_expect_not_null(strstr(error.message, "tools[0]"), "%s",
                           error.message);
    }
}

/* A lexer that does not go back is inside the text behind its layout. */
Test(grammar, between_tags_null_beside_counted_text_is_one_token)
{
    says_in("qwen3-coder",
            "[" TOOL("tide", DUE_A("\"a\":{\"type\":[\"string\",\"null\"],"
                                   "\"maxLength\":3}")) "]",
            NULL, ": \"\\n\" \"None\" \"\\n\" \"</parameter>\"\n");
}

/* What says no type beside what does is any value. */
Test(grammar, between_tags_any_value_may_stand_beside_null)
{
    static const char *const formats[] = {"qwen3-coder", "glm/4.7",
                                          "deepseek/v3.2", "minimax/m3"};
    static const char *const schemas[] = {
        OBJECT("\"a\":{\"anyOf\":[{\"type\":\"null\"},{}]}"),
        OBJECT("\"a\":{\"anyOf\":[true,{\"type\":\"null\"}]}"),
        OBJECT("\"a\":{\"anyOf\":[{\"type\":\"null\"},{\"anyOf\":[{}]}]}"),
        OBJECT("\"a\":{\"anyOf\":[{\"type\":\"array\"},{\"$ref\":"
               "\"#/$defs/p\"}]},\"b\":true},\"$defs\":{\"p\":{}")};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (size_t j = 0; j < sizeof schemas / sizeof *schemas; j++) {
            char tools[512];
            snprintf(tools, sizeof tools, "[" TOOL("tide", "%s") "]",
                     schemas[j]);
            cr_expect_eq(make(formats[i], tools, NULL, NULL), TW_OK, "%s: %s",
                         formats[i], tools);
        }
    }
}

/* What stands beside choices counts as well. */
Test(grammar, keywords_beside_choices_are_said_or_refused)
{
    static const struct {
        const char *schema;
        int code;
    } rows[] = {
        {"{\"type\":\"integer\",\"anyOf\":[{\"minimum\":5}]}",
         TW_ERROR_CANNOT_CARRY},
        {"{\"type\":\"null\",\"anyOf\":[{}]}", TW_ERROR_CANNOT_CARRY},
        {"{\"minimum\":3,\"anyOf\":[{\"type\":\"integer\"}]}",
         TW_ERROR_CANNOT_CARRY},
        {"{\"type\":[\"integer\",\"null\"],\"anyOf\":[{\"type\":"
         "\"integer\",\"minimum\":5},{\"type\":\"null\"}]}",
         TW_OK},
        {"{\"type\":\"number\",\"oneOf\":[{\"type\":\"integer\"}]}", TW_OK},
        {"{\"type\":\"string\",\"allOf\":[{\"enum\":[\"a\",null],"
         "\"maxLength\":2}]}",
         TW_ERROR_CANNOT_CARRY},
        {"{\"type\":\"string\",\"oneOf\":[{\"anyOf\":[{\"enum\":[\"a\"]}]}]}",
         TW_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[512];
        snprintf(tools, sizeof tools, "[" TOOL("tide", OBJECT("\"a\":%s")) "]",
                 rows[i].schema);
        cr_expect_eq(make("hermes", tools, NULL, NULL), rows[i].code, "%s",
                     tools);
    }
}

/* A wider grammar leaves out choices, and none of their types: without the
 * null of this one it takes less. */
Test(grammar, what_is_left_out_keeps_its_types)
{
    const char *tools = "[" TOOL(
        "tide", DUE_A("\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":"
                      "\"null\"}],\"maxLength\":3}")) "]";
    const tw_grammar_options options = {.target = TW_GRAMMAR_GBNF, .wider = 1};
    says(tools, &options, " | \"null\"\n");
}

/* What a pattern says of lengths is enough, or it is one character's count. */
Test(grammar, patterns_have_lengths_and_names_have_patterns)
{
    static const struct {
        const char *schema;
        int code;
    } rows[] = {
        {"{\"pattern\":\"^[a-z]+$\",\"minLength\":2,\"maxLength\":3}", TW_OK},
        {"{\"pattern\":\"^(a|bc)d{2}$\",\"minLength\":3,\"maxLength\":4}",
         TW_OK},
        {"{\"pattern\":\"^(a|bc)d{2}$\",\"maxLength\":3}",
         TW_ERROR_CANNOT_CARRY},
        {"{\"pattern\":\"^a+b$\",\"maxLength\":9}", TW_ERROR_CANNOT_CARRY},
        {"{\"pattern\":\"a\",\"maxLength\":9}", TW_ERROR_CANNOT_CARRY},
        {"{\"pattern\":\"a\",\"minLength\":1}", TW_OK},
        {"{\"pattern\":\"^(a*)*$\"}", TW_ERROR_CANNOT_CARRY},
        {"{\"type\":\"object\",\"propertyNames\":{\"type\":\"string\"},"
         "\"additionalProperties\":{}}",
         TW_OK},
        {"{\"propertyNames\":{\"pattern\":\"^[a-z]$\"}}", TW_OK},
        {"{\"propertyNames\":{\"enum\":[\"a\",\"b\"]}}", TW_OK},
        {"{\"propertyNames\":{\"enum\":[1]}}", TW_ERROR_CANNOT_CARRY},
        {"{\"required\":[\"ab\"],\"propertyNames\":{\"maxLength\":1}}",
         TW_ERROR_CANNOT_CARRY},
        {"{\"properties\":{\"a\":{}},\"propertyNames\":{\"maxLength\":1}}",
         TW_ERROR_CANNOT_CARRY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[256];
        snprintf(tools, sizeof tools, "[" TOOL("tide", OBJECT("\"a\":%s")) "]",
                 rows[i].schema);
        cr_expect_eq(make("hermes", tools, NULL, NULL), rows[i].code, "%s",
                     tools);
    }
}

/* A keyword whose schemas are none, a class of no character, a character that
 * a tag ends with, counts of elements: nothing is in the grammar then. */
Test(grammar, what_nothing_fits_is_no_empty_text)
{
    static const struct {
        const char *format;
        const char *schema;
        int code;
    } rows[] = {
        {"hermes", "{\"anyOf\":[]}", TW_ERROR_CANNOT_CARRY},
        {"hermes", "{\"oneOf\":[]}", TW_ERROR_CANNOT_CARRY},
        {"hermes", "{\"allOf\":[]}", TW_OK},
        {"hermes", "{\"pattern\":\"^[]$\"}", TW_ERROR_CANNOT_CARRY},
        {"hermes", "{\"pattern\":\"^[^]$\"}", TW_OK},
        {"hermes", "{\"pattern\":\"^<$\"}", TW_OK},
        {"qwen3-coder", "{\"pattern\":\"^<$\"}", TW_ERROR_CANNOT_CARRY},
        {"minimax/m3", "{\"type\":\"object\"}", TW_OK},
        {"minimax/m3",
         "{\"patternProperties\":{\"^x\":{}},\"additionalProperties\":false}",
         TW_OK},
        {"gemma4", "{\"enum\":[\"a<|\\\"|>\"]}", TW_ERROR_CANNOT_CARRY},
        {"minimax/m3", "{\"properties\":{\"a\":{}},\"minProperties\":1}",
         TW_ERROR_CANNOT_CARRY},
        {"minimax/m3",
         "{\"properties\":{\"a\":{}},\"required\":[\"a\"],"
         "\"minProperties\":1}",
         TW_OK}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[256];
        snprintf(tools, sizeof tools, "[" TOOL("tide", DUE_A("\"a\":%s")) "]",
                 rows[i].schema);
        cr_expect_eq(make(rows[i].format, tools, NULL, NULL), rows[i].code,
                     "%s: %s", rows[i].format, tools);
    }
}

/* Names that match a pattern are said where there are no others. */
Test(grammar, names_of_one_pattern)
{
    static const struct {
        const char *schema;
        const char *said; /* NULL: it cannot be said */
    } rows[] = {
        {"{\"patternProperties\":{\"^x-.$\":{\"type\":\"null\"}},"
         "\"additionalProperties\":false}",
         "\nname-"},
        {"{\"patternProperties\":{\"^x\":{}},\"properties\":{\"a\":{}}}",
         NULL},
        {"{\"patternProperties\":{\"^x\":{}},\"required\":[\"xa\"]}", NULL},
        {"{\"patternProperties\":{\"^x\":{},\"y\":{}}}", NULL},
        {"{\"patternProperties\":{\"^(?=x)\":{}}}", NULL}};
    const tw_grammar_options options = {.target = TW_GRAMMAR_GBNF};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[256];
        snprintf(tools, sizeof tools, "[" TOOL("tide", OBJECT("\"a\":%s")) "]",
                 rows[i].schema);
        if (rows[i].said != NULL) {
            says(tools, &options, rows[i].said);
        } else {
            cr_expect_eq(make("hermes", tools, NULL, NULL),
                         TW_ERROR_CANNOT_CARRY, "%s", tools);
        }
    }
}

/* Earlier drafts say so that a bound does not count. */
Test(grammar, bounds_are_exclusive_in_earlier_drafts_and_have_64_bits)
{
    tw_format_error error;
    const char *tools = "[" TOOL(
        "tide", DUE_A("\"a\":{\"type\":\"integer\",\"minimum\":5,"
                      "\"exclusiveMinimum\":true,\"maximum\":5}")) "]";
    cr_expect_eq(make("hermes", tools, NULL, &error), TW_ERROR_CANNOT_CARRY);
    tools = "[" TOOL("tide", DUE_A("\"a\":{\"type\":\"integer\",\"maximum\":"
                                   "18446744073709551615}")) "]";
    says(tools, NULL, "\"1844674407370955161\" /[0-4]/");
}

/* llguidance follows no more than some 2000 choices at once. */
Test(grammar, many_listed_values_are_one_token)
{
    char tools[4096] = "["
                       "{\"name\":\"f\",\"parameters\":{\"properties\":"
                       "{\"a\":{\"enum\":[0";
    for (int i = 1; i < 300; i++) {
        const size_t size = strlen(tools);
        snprintf(tools + size, sizeof tools - size, ",%d", i);
    }
    strcat(tools, "]}}}}]");
    says(tools, NULL, "LISTED_");
}

/* A hexadecimal escape would not be read between tags. */
Test(grammar, listed_values_stand_as_the_encoder_writes_them)
{
    static const struct {
        const char *format;
        const char *value;
        const char *wanted;
    } rows[] = {
        {"hermes", "\"<tool_call>\"", "\"\\\"\\\\u003ctool_call>\\\"\""},
        {"lfm2", "\"it's\"", "\"'it\\\\'s'\""},
        {"gorilla", "\"it's\"", "\"\\\"it's\\\"\""},
        {"seed-oss", "[\"\\u0001\"]", "\"[\\\"\\\\u0001\\\"]\""},
        {"minicpm5", "\"<b>\"", "\"<![CDATA[\" \"<b>\" \"]]>\""},
        {"minicpm5", "\"a\\nb\"", "\"<![CDATA[\" \"a\\nb\" \"]]>\""},
        {"minicpm5", "\"\"", "\"\\\">\" \"</param>\""}};
    const tw_grammar_options options = {.target = TW_GRAMMAR_GBNF};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[256];
        snprintf(tools, sizeof tools,
                 "[" TOOL("tide", DUE_A("\"a\":{\"enum\":[%s]}")) "]",
                 rows[i].value);
        says_in(rows[i].format, tools, &options, rows[i].wanted);
    }
}

/* Arguments are an object of what is declared, in each way to write calls. */
Test(grammar, arguments_are_an_object_of_what_is_declared)
{
    static const char *const formats[] = {"hermes", "qwen3-coder", "lfm2",
                                          "gemma4", "minimax/m3"};
    static const char *const refused[] = {
        "{\"type\":\"number\"}", "{\"type\":[\"object\",\"null\"]}",
        "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":"
        "[\"b\"]}",
        "{\"type\":\"object\",\"properties\":{\"a\":false},\"required\":"
        "[\"a\"]}",
        "{\"const\":5}"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (size_t j = 0; j < sizeof refused / sizeof *refused; j++) {
            char tools[256];
            snprintf(tools, sizeof tools, "[" TOOL("tide", "%s") "]",
                     refused[j]);
            cr_expect_eq(make(formats[i], tools, NULL, NULL),
                         TW_ERROR_CANNOT_CARRY, "%s: %s", formats[i], tools);
        }
        cr_expect_eq(make(formats[i], "[" TOOL("tide", "{}") "]", NULL, NULL),
                     TW_OK, "%s", formats[i]);
        cr_expect_eq(
            make(formats[i], "[" TOOL("tide", "true") "]", NULL, NULL), TW_OK,
            "%s", formats[i]);
    }
    /* One of several objects is said where arguments are one value. */
    const char *choices = "[" TOOL(
        "tide",
        "{\"anyOf\":[" OBJECT("\"a\":{}") "," OBJECT("\"b\":{}") "]}") "]";
    cr_expect_eq(make("hermes", choices, NULL, NULL), TW_OK);
    cr_expect_eq(make("qwen3-coder", choices, NULL, NULL),
                 TW_ERROR_CANNOT_CARRY);
    /* Undeclared members deeper down have what is said of others. */
    const char *closed = "[" TOOL(
        "tide", DUE_A("\"a\":{\"type\":\"object\",\"required\":[\"x\"],"
                      "\"additionalProperties\":false}")) "]";
    cr_expect_eq(make("hermes", closed, NULL, NULL), TW_ERROR_CANNOT_CARRY);
}

/* Python's brackets between tags are read beside no other value. */
Test(grammar, what_a_reader_takes_for_text_is_in_no_grammar)
{
    static const struct {
        const char *schema;
        int code;
    } rows[] = {
        {"{\"type\":[\"object\",\"null\"]}", TW_ERROR_CANNOT_CARRY},
        {"{\"anyOf\":[{\"type\":\"array\"},{\"type\":\"string\","
         "\"maxLength\":1}]}",
         TW_ERROR_CANNOT_CARRY},
        {"{\"anyOf\":[{\"type\":\"array\"},{\"type\":\"string\"}]}", TW_OK},
        {"{\"type\":\"array\"}", TW_OK}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tools[256];
        snprintf(tools, sizeof tools, "[" TOOL("tide", OBJECT("\"a\":%s")) "]",
                 rows[i].schema);
        cr_expect_eq(make("minicpm5", tools, NULL, NULL), rows[i].code, "%s",
                     tools);
    }
}

/* Behind text that ends its message no call stands that is due. */
Test(grammar, text_that_ends_the_message_is_not_due)
{
    static const char *const choices[] = {"auto", "required", "f"};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        tw_grammar *grammar;
        const tw_grammar_options options = {.target = TW_GRAMMAR_GBNF,
                                            .choice = choices[i]};
        cr_assert_eq(tw_grammar_make(tw_format_find("harmony"), "[\"f\"]", 5,
                                     &options, NULL, &grammar, NULL),
                     TW_OK);
        const char *text = tw_grammar_text(grammar, &size);
        char *copy = strndup(text, size);
        cr_expect_eq(strstr(copy, "\"<|return|>\"") != NULL, i == 0, "%s",
                     choices[i]);
        free(copy);
        tw_grammar_free(grammar);
    }
}

/* Words that open reasoning are none where a name goes on with them. */
Test(grammar, words_that_open_reasoning_have_their_layout)
{
    size_t size;
    tw_grammar *grammar;
    const tw_grammar_options options = {.target = TW_GRAMMAR_GBNF,
                                        .start = TW_GRAMMAR_TEXT};
    cr_assert_eq(tw_grammar_make(tw_format_find("apriel/1.6"), "[\"f\"]", 5,
                                 &options, NULL, &grammar, NULL),
                 TW_OK);
    const char *text = tw_grammar_text(grammar, &size);
    const char *end = memchr(text, '\n', size);
    char *first = strndup(text, (size_t)(end - text));
    cr_expect_not_null(strstr(first, " \"\\n\""), "%s", first);
    free(first);
    tw_grammar_free(grammar);
}

Test(grammar, refuses_bad_arguments)
{
    tw_format_error error;
    tw_grammar *grammar;
    tw_grammar_options options = {.parallel = 1, .choice = "nobody"};
    const tw_format *format = tw_format_find("hermes");
    cr_expect_eq(make("hermes", "[\"tide\"]", &options, &error),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(make("hermes", "[\"tide\"", NULL, &error), TW_ERROR_JSON);
    cr_expect_eq(error.offset, 7);
    cr_expect_eq(make("hermes", "[1]", NULL, &error), TW_ERROR_SCHEMA);
    cr_expect_eq(make("hermes", "[]", NULL, NULL), TW_OK);
    options.choice = NULL;
    options.target = (tw_grammar_target)3;
    cr_expect_eq(make("hermes", "[]", &options, NULL), TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_grammar_make(NULL, "[]", 2, NULL, NULL, &grammar, NULL),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_grammar_make(format, NULL, 2, NULL, NULL, &grammar, NULL),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_grammar_make(format, "[]", 2, NULL, NULL, NULL, NULL),
                 TW_ERROR_ARGUMENT);
    tw_grammar_free(NULL);
}

Test(grammar, memory_may_fail)
{
    static const char *const formats[] = {"hermes", "qwen3-coder", "lfm2",
                                          "gemma4", "harmony",     "llama3"};
    const char *tools = "[" TOOL("tide", ALL) "," TOOL("log", "{}") "]";
    tw_grammar_options options = {.parallel = 1};
    for (size_t i = 0; i < sizeof formats / sizeof *formats * 3; i++) {
        const tw_format *format = tw_format_find(formats[i / 3]);
        options.target = (tw_grammar_target)(i % 3);
        int code = TW_ERROR_MEMORY;
        for (size_t at = 1; code == TW_ERROR_MEMORY; at++) {
            test_memory memory = {.fail_at = at};
            const tw_allocator allocator = {test_resize, &memory};
            tw_format_error error;
            tw_grammar *grammar;
            options.special_tokens = i % 3 == 0 ? special : NULL;
            options.special_size = strlen(special);
            code = tw_grammar_make(format, tools, strlen(tools), &options,
                                   &allocator, &grammar, &error);
            tw_grammar_free(grammar);
            cr_assert_eq(memory.live, 0);
            cr_assert(code == TW_ERROR_MEMORY || memory.count < at);
        }
        cr_expect_eq(code, TW_OK, "%s", formats[i / 3]);
    }
}

Test(grammar, is_made_of_loaded_descriptions)
{
    tw_format *format = loaded_from(
        "{\"format\":1,\"call\":\"<do>{name}<with>{arguments}</do>\"}");
    tw_grammar *grammar;
    cr_assert_eq(
        tw_grammar_make(format, "[\"tide\"]", 8, NULL, NULL, &grammar, NULL),
        TW_OK);
    tw_grammar_free(grammar);
    tw_format_free(format);
}

/* ---- special tokens ----------------------------------------------------- */

Test(grammar, names_special_tokens_by_number)
{
    static const char config[] =
        "{\"added_tokens_decoder\":{\"7\":{\"content\":\"<tool_call>\"}}}";
    const char *tools =
        "[" TOOL("tide", OBJECT("\"a\":{\"enum\":[\"<x>\"]}")) "]";
    tw_grammar_options options = {.parallel = 1,
                                  .special_tokens = special,
                                  .special_size = strlen(special)};
    says(tools, &options, ": FREE_0 <[7]>\n");
    says(tools, &options, "\"\\\"<x>\\\"\""); /* a value is bytes */
    options.target = TW_GRAMMAR_GBNF;
    says(tools, &options, " ::= free-0 <[7]>\n");
    says(tools, &options, " ::= <[9]>\n");
    options.special_tokens = config;
    options.special_size = strlen(config);
    says(tools, &options, " ::= free-0 <[7]>\n");
    says(tools, &options, " ::= \"<think>\"\n");
    options.special_tokens = "{\"<tool\":3,\"<tool_call>\":4}";
    options.special_size = strlen(options.special_tokens);
    says(tools, &options, " ::= free-0 <[4]>\n");
}

Test(grammar, refuses_what_are_no_special_tokens)
{
    static const struct {
        const char *json;
        int code;
    } rows[] = {{"[]", TW_ERROR_SCHEMA},
                {"{\"a\":1.5}", TW_ERROR_SCHEMA},
                {"{\"a\":-1}", TW_ERROR_SCHEMA},
                {"{\"\":1}", TW_ERROR_SCHEMA},
                {"{\"a\":12345678901}", TW_ERROR_SCHEMA},
                {"{\"added_tokens\":1}", TW_ERROR_SCHEMA},
                {"{\"added_tokens\":[{\"id\":1}]}", TW_ERROR_SCHEMA},
                {"{\"added_tokens_decoder\":{\"x\":{\"content\":\"a\"}}}",
                 TW_ERROR_SCHEMA},
                {"{\"a\":", TW_ERROR_JSON},
                {"", TW_ERROR_JSON}};
    tw_format_error error;
    tw_grammar_options options = {.parallel = 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        options.special_tokens = rows[i].json;
        options.special_size = strlen(rows[i].json);
        cr_expect_eq(make("hermes", "[\"tide\"]", &options, &error),
                     rows[i].code, "%s", rows[i].json);
        cr_expect_not_null(strstr(error.message, "special tokens: "));
    }
    options.special_tokens = special;
    options.special_size = strlen(special);
    options.target = TW_GRAMMAR_STRUCTURAL_TAG;
    cr_expect_eq(make("hermes", "[\"tide\"]", &options, &error),
                 TW_ERROR_ARGUMENT);
}
