/* SPDX-License-Identifier: MIT
 *
 * Mended arguments: what misses its schema by its type alone is given as the
 * one reading that fits, wherever the output is cut; a call that fits never
 * changes.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "checks/schema.h"
#include "support/decoding.h"

#define S(text) "{\"type\":\"" text "\"}"
#define ONE(schema) "{\"properties\":{\"a\":" schema "}}"

#define TOLD(ways)               \
    "{\"$defs\":{\"p\":" ONE_OF( \
        "a") "},\"properties\":{\"a\":{\"oneOf\":[" ways "]}}}"
#define ONE_OF(word)                                                \
    "{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"" word \
    "\"},\"n\":" S("integer") "},\"additionalProperties\":" S("integer") "}"

/* |becomes| NULL: it stays. */
static const struct {
    const char *schema;
    const char *given;
    const char *becomes;
    const char *paths;
} mend_cases[] = {
    {ONE(S("integer")), "{\"a\": \"5\"}", "{\"a\": 5}", "a"},
    {ONE(S("integer")), "{\"a\":\"5.0\"}", "{\"a\":5.0}", "a"},
    {ONE(S("integer")), "{\"a\":\"5.5\"}", NULL, ""},
    {ONE(S("integer")), "{\"a\":\" 5\"}", NULL, ""},
    {ONE(S("integer")), "{\"a\":\"05\"}", NULL, ""},
    {ONE(S("integer")), "{\"a\":\"five\"}", NULL, ""},
    {ONE(S("integer")), "{\"a\":5}", NULL, ""},
    {ONE(S("number")), "{\"a\":\"-1.50e3\"}", "{\"a\":-1.50e3}", "a"},
    {ONE(S("boolean")), "{\"a\":\"true\"}", "{\"a\":true}", "a"},
    {ONE(S("boolean")), "{\"a\":\"False\"}", "{\"a\":false}", "a"},
    {ONE(S("boolean")), "{\"a\":\"yes\"}", NULL, ""},
    {ONE(S("boolean")), "{\"a\":1}", NULL, ""},
    {ONE("{\"type\":[\"integer\",\"null\"]}"), "{\"a\":\"null\"}",
     "{\"a\":null}", "a"},
    {ONE("{\"type\":[\"integer\",\"null\"]}"), "{\"a\":\"None\"}",
     "{\"a\":null}", "a"},
    {ONE("{\"type\":[\"string\",\"null\"]}"), "{\"a\":\"null\"}", NULL, ""},
    {ONE(S("string")), "{\"a\":\"5\"}", NULL, ""},
    {ONE(S("string")), "{\"a\":12345678901234567890}",
     "{\"a\":\"12345678901234567890\"}", "a"},
    {ONE(S("string")), "{\"a\":true}", NULL, ""},
    {ONE(S("object")), "{\"a\":\" {\\\"b\\\": [1]} \"}",
     "{\"a\":{\"b\": [1]} }", "a"},
    {ONE(S("object")), "{\"a\":\"{'b': 1}\"}", NULL, ""},
    {ONE(S("array")), "{\"a\":\"[1, 2]\"}", "{\"a\":[1, 2]}", "a"},
    {ONE("{\"type\":\"array\",\"items\":" S("string") "}"), "{\"a\":\"b\"}",
     "{\"a\":[\"b\"]}", "a"},
    {ONE("{\"type\":\"array\",\"items\":" S("string") "}"),
     "{\"a\":\"[\\\"b\\\"]\"}", "{\"a\":[\"b\"]}", "a"},
    {ONE("{\"type\":\"array\",\"items\":" S("string") "}"), "{\"a\":\"[1]\"}",
     NULL, ""},
    {ONE("{\"type\":\"array\",\"items\":" S("object") "}"),
     "{\"a\":{\"b\":1}}", "{\"a\":[{\"b\":1}]}", "a"},
    /* never two changes at one value */
    {ONE("{\"type\":\"array\",\"items\":" S("integer") "}"), "{\"a\":\"5\"}",
     NULL, ""},
    {ONE("{\"type\":\"object\",\"properties\":{\"n\":" S("integer") "}}"),
     "{\"a\":\"{\\\"n\\\": \\\"5\\\"}\"}", NULL, ""},
    /* never a guess */
    /* A text may be meant where its type is allowed: a list is as good. */
    {ONE("{\"oneOf\":[" S("string") ",{\"const\":\"1\"}," S("integer") "]}"),
     "{\"a\":\"1\"}", "{\"a\":1}", "a"},
    {ONE("{\"oneOf\":[" S("string") ",{\"const\":\"1\"}," S("integer") "," S(
         "array") "]}"),
     "{\"a\":\"1\"}", NULL, ""},
    {ONE("{\"anyOf\":[" S("integer") ",{\"type\":\"array\","
                                     "\"items\":" S("string") "}]}"),
     "{\"a\":\"5\"}", NULL, ""},
    /* as deep as the schema leaves one way */
    {ONE("{\"type\":\"array\",\"items\":{\"properties\":{\"n\":" S(
         "integer") "}}}"),
     "{\"a\":[{\"n\":\"1\"},{\"n\":2},{\"m\":\"3\",\"n\":\"4\"}]}",
     "{\"a\":[{\"n\":1},{\"n\":2},{\"m\":\"3\",\"n\":4}]}", "a[0].n a[2].n"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
     "p\"}},\"$defs\":{\"p\":{"
     "\"properties\":{\"n\":" S("integer") "}}}}",
     "{\"a\":{\"n\":\"1\"}}", "{\"a\":{\"n\":1}}", "a.n"},
    {ONE("{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"n\":" S(
         "integer") "}}," S("null") "]}"),
     "{\"a\":{\"n\":\"1\"}}", "{\"a\":{\"n\":1}}", "a.n"},
    {ONE("{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"n\":" S(
         "integer") "}},{\"type\":\"object\",\"properties\":{"
                    "\"m\":" S("string") "}}]}"),
     "{\"a\":{\"n\":\"1\"}}", NULL, ""},
    /* a text tells which way is open, from there on */
    {TOLD(ONE_OF("a") "," ONE_OF("b")),
     "{\"a\":{\"k\":\"a\",\"n\":\"1\",\"b\":\"2\"}}",
     "{\"a\":{\"k\":\"a\",\"n\":1,\"b\":2}}", "a.n a.b"},
    {TOLD(ONE_OF("a") "," ONE_OF("b")),
     "{\"a\":{\"n\":\"1\",\"k\":\"b\",\"a\":\"2\"}}",
     "{\"a\":{\"n\":\"1\",\"k\":\"b\",\"a\":2}}", "a.a"},
    {TOLD(ONE_OF("a") "," ONE_OF("b")), "{\"a\":{\"k\":\"c\",\"n\":\"1\"}}",
     NULL, ""},
    {TOLD(ONE_OF("a") "," ONE_OF("b") "," ONE_OF("a")),
     "{\"a\":{\"k\":\"a\",\"n\":\"1\"}}", NULL, ""},
    {TOLD("{\"$ref\":\"#/$defs/"
          "p\"},{\"properties\":{\"k\":{\"enum\":[\"b\",\"c\"]},"
          "\"n\":" S("boolean") "}}"),
     "{\"a\":{\"k\":\"a\",\"n\":\"1\"}}", "{\"a\":{\"k\":\"a\",\"n\":1}}",
     "a.n"},
    {TOLD("{\"properties\":{\"k\":{\"enum\":[\"b\",1]}}}," ONE_OF("a")),
     "{\"a\":{\"k\":\"a\",\"n\":\"1\"}}", NULL, ""},
    {"{\"additionalProperties\":" S("integer") "}", "{\"x\":\"1\"}",
     "{\"x\":1}", "x"},
    /* parts that several schemas, or patterns, speak of */
    {ONE("{\"prefixItems\":[" S("integer") "," S("string") "],\"items\":" S(
         "boolean") "}"),
     "{\"a\":[\"5\",5,\"true\"]}", "{\"a\":[5,\"5\",true]}", "a[0] a[1] a[2]"},
    {ONE("{\"type\":\"array\",\"prefixItems\":[" S("integer") "]}"),
     "{\"a\":[\"5\",\"5\"]}", "{\"a\":[5,\"5\"]}", "a[0]"},
    {ONE("{\"patternProperties\":{\"^n\":" S(
         "integer") "},\"additionalProperties\":" S("boolean") "}"),
     "{\"a\":{\"n1\":\"5\",\"m\":\"true\"}}", "{\"a\":{\"n1\":5,\"m\":true}}",
     "a.n1 a.m"},
    {"{\"properties\":{\"n\":{\"maximum\":3}},\"patternProperties\":{"
     "\"^n\":" S("integer") "}}",
     "{\"n\":\"5\",\"nn\":\"5\"}", "{\"n\":\"5\",\"nn\":5}", "nn"},
    {"{\"allOf\":[{\"properties\":{\"a\":" S(
         "integer") "}},{\"$ref\":\"#/"
                    "$defs/"
                    "p\"}],\"properties\":"
                    "{\"c\":" S("string") "},\"$"
                                          "defs\":"
                                          "{\"p\":"
                                          "{\"prop"
                                          "erties"
                                          "\":{"
                                          "\"b\""
                                          ":" S("i"
                                                "n"
                                                "t"
                                                "e"
                                                "g"
                                                "e"
                                                "r") "}}}}",
     "{\"a\":\"1\",\"b\":\"2\",\"c\":3}", "{\"a\":1,\"b\":2,\"c\":\"3\"}",
     "a b c"},
    {"{\"allOf\":[{\"properties\":{\"a\":" S(
         "integer") "}},{\"properties\":{\"a\":{\"maximum\":3}}}]}",
     "{\"a\":\"5\"}", NULL, ""},
    {ONE("{\"anyOf\":[{\"$ref\":\"#/$defs/p\"}," S(
         "null") "]},\"b\":{\"type\":[\"array\",\"object\"],\"properties\":{"
                 "\"n\":" S("integer") "}}},\"$defs\":{\"p\":{\"properties\":{"
                                       "\"n\":" S("integer") "}}"),
     "{\"a\":{\"n\":\"1\"},\"b\":{\"n\":\"1\"}}",
     "{\"a\":{\"n\":1},\"b\":{\"n\":1}}", "a.n b.n"},
    {ONE("{\"patternProperties\":{\"(\":" S(
         "integer") "},\"additionalProperties\":" S("integer") "}"),
     "{\"a\":{\"n\":\"5\"}}", NULL, ""},
    {ONE("{\"type\":\"integer\",\"nullable\":true}"), "{\"a\":\"null\"}",
     "{\"a\":null}", "a"},
    /* what is asked of a value besides */
    {ONE("{\"type\":\"integer\",\"minimum\":6}"), "{\"a\":\"5\"}", NULL, ""},
    {ONE("{\"enum\":[5,6]}"), "{\"a\":\"5\"}", "{\"a\":5}", "a"},
    /* a text of Python, halves of pairs, no schema */
    {ONE(S("integer")), "{\"a\":\"\\ud83d\"}", NULL, ""},
    {"{}", "{\"a\":\"5\"}", NULL, ""},
    {ONE("{}"), "{\"a\":\"5\"}", NULL, ""},
    {"{\"properties\":{\"a.b\":" S("integer") ",\"\\u00e4\":" S(
         "integer") "}}",
     "{\"a.b\" : \"5\" , \"\\u00e4\":\"6\"}", "{\"a.b\" : 5 , \"\\u00e4\":6}",
     "a.b \xc3\xa4"},
};

static tw_decoder *mending(const char *schema, tw_validate how)
{
    static char tools[4096];
    snprintf(tools, sizeof tools, "[{\"name\":\"f\",\"parameters\":%s}]",
             schema);
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    cr_assert_eq(tw_decoder_set_tools(decoder, tools, strlen(tools)), TW_OK);
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_VALIDATE, how), TW_OK);
    return decoder;
}

static size_t wrap(char *text, size_t room, const char *arguments,
                   const char *end)
{
    return (size_t)snprintf(
        text, room, "<tool_call>\n{\"name\": \"f\", \"arguments\": %s%s",
        arguments, end);
}

static const char whole[] = "}\n</tool_call>";

/* The arguments of the only call, and the paths that were mended; and whether
 * other faults were told. */
static naive_bytes outcome(const event_log *log, naive_bytes *paths,
                           bool *others)
{
    naive_bytes arguments = {0};
    *others = false;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_CALL_ARGUMENTS) {
            naive_add(&arguments, log->bytes + event->data, event->size);
        } else if (event->type == TW_EVENT_DIAGNOSTIC &&
                   event->code == TW_DIAGNOSTIC_PARAMETER_MENDED) {
            naive_add(paths, " ", paths->size > 0);
            naive_add(paths, log->bytes + event->id, event->id_size);
        } else if (event->type == TW_EVENT_DIAGNOSTIC) {
            *others = true;
        }
    }
    naive_add(&arguments, "", 1);
    naive_add(paths, "", 1);
    return arguments;
}

Test(mend, a_value_becomes_its_one_reading)
{
    for (size_t i = 0; i < sizeof mend_cases / sizeof *mend_cases; i++) {
        const char *given = mend_cases[i].given;
        const char *becomes = mend_cases[i].becomes;
        tw_decoder *decoder = mending(mend_cases[i].schema, TW_VALIDATE_MEND);
        char text[1024];
        const size_t size = wrap(text, sizeof text, given, whole);
        event_log log = {0};
        naive_bytes paths = {0};
        bool others;
        decode(&log, decoder, text, size, 0);
        naive_bytes made = outcome(&log, &paths, &others);
        cr_expect_str_eq(made.data, becomes != NULL ? becomes : given,
                         "%s of %s: %s", given, mend_cases[i].schema,
                         made.data);
        cr_expect_str_eq(paths.data, mend_cases[i].paths);
        for (size_t chunk = 1; chunk < 12; chunk++) {
            event_log cut = {0};
            decode(&cut, decoder, text, size, chunk);
            cr_expect(event_log_same(&log, &cut), "%s by %zu", given, chunk);
            event_log_free(&cut);
        }
        naive_release(&made);
        naive_release(&paths);
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
}

/* What was given out of a call that ends early is what came: a held value is
 * not judged by its half. */
Test(mend, a_call_that_is_cut_off_changes_nothing)
{
    static const char schema[] = ONE(S("integer"));
    static const char given[] = "{\"b\": 1, \"a\": \"5";
    tw_decoder *decoder = mending(schema, TW_VALIDATE_MEND);
    tw_decoder *plain = mending(schema, TW_VALIDATE_REPORT);
    char text[256];
    const size_t size = wrap(text, sizeof text, given, "");
    event_log log = {0};
    event_log before = {0};
    decode(&log, decoder, text, size, 3);
    decode(&before, plain, text, size, 3);
    bool others;
    naive_bytes paths = {0};
    naive_bytes made = outcome(&log, &paths, &others);
    naive_bytes came = outcome(&before, &paths, &others);
    cr_expect_str_eq(made.data, came.data);
    cr_expect_str_eq(made.data, given);
    naive_release(&made);
    naive_release(&came);
    naive_release(&paths);
    event_log_free(&log);
    event_log_free(&before);
    tw_decoder_free(decoder);
    tw_decoder_free(plain);
}

/* What is held of a bad call comes behind what is told of it, and has the same
 * offset wherever the output is cut. */
Test(mend, what_a_bad_call_holds_stands_in_one_place)
{
    static const char *const given[] = {
        "{\"b\": \"x\", \"a\": 5", "{\"b\": \"x\", \"a\": 5'}",
        "{\"b\": \"x\", \"a\": {\"c\": 'd", "{\"a\": [True, None, 5",
        "{\"a\": \"x\\x41yz\", \"b\": 5, \"a\": 6:"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        tw_decoder *decoder = mending(ONE(S("integer")), TW_VALIDATE_MEND);
        char text[256];
        const size_t size = wrap(text, sizeof text, given[i], "");
        event_log log = {0};
        decode(&log, decoder, text, size, 0);
        for (size_t chunk = 1; chunk < 12; chunk++) {
            event_log cut = {0};
            decode(&cut, decoder, text, size, chunk);
            cr_expect(event_log_same(&log, &cut), "%s by %zu", given[i],
                      chunk);
            event_log_free(&cut);
        }
        event_log_free(&log);
        tw_decoder_free(decoder);
    }
}

/* A text that no reading can replace is not held. */
Test(mend, texts_stream)
{
    static const char *const schemas[] = {
        ONE(S("string")),
        ONE("{\"type\":[\"string\",\"null\"]}"),
        ONE("{\"anyOf\":[" S("string") "," S("null") "]}"),
        ONE("{}"),
        "{}",
        ONE("{\"type\":\"array\",\"items\":" S("string") "}")};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        tw_decoder *decoder = mending(schemas[i], TW_VALIDATE_MEND);
        char text[256];
        const size_t size =
            wrap(text, sizeof text,
                 i == 5 ? "{\"a\":[\"abcdef" : "{\"a\":\"abcdef", "");
        size_t seen = 0;
        const tw_event *event;
        cr_assert_eq(tw_decoder_feed(decoder, text, size, TW_MARK_UNKNOWN),
                     TW_OK);
        while (tw_decoder_next(decoder, &event) == 1) {
            seen += event->type == TW_EVENT_CALL_ARGUMENTS ? event->size : 0;
        }
        cr_expect_eq(seen, i == 5 ? 13 : 12, "%s: %zu", schemas[i], seen);
        tw_decoder_free(decoder);
    }
}

/* ---- random schemas and values ------------------------------------------ */

static size_t pick(uint64_t *random, size_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(*random >> 33) % below;
}

static void add(naive_bytes *to, const char *text)
{
    naive_add(to, text, strlen(text));
}

static void add_schema(naive_bytes *to, uint64_t *random, int depth)
{
    static const char *const flat[] = {
        S("integer"),
        S("number"),
        S("string"),
        S("boolean"),
        S("null"),
        S("array"),
        S("object"),
        "{}",
        "true",
        "{\"type\":[\"string\",\"null\"]}",
        "{\"enum\":[\"1\",1,null]}",
        "{\"type\":\"integer\",\"maximum\":3}",
        "{\"type\":\"string\",\"pattern\":\"^[a-z]\"}"};
    switch (depth > 0 ? pick(random, 11) : 10) {
    case 9:
        add(to, pick(random, 2) == 0 ? "{\"anyOf\":[" : "{\"oneOf\":[");
        add(to, "{\"properties\":{\"a\":{\"const\":\"x\"},\"b\":");
        add_schema(to, random, depth - 1);
        add(to, "}},{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":["
                "\"\",\"1\"]},\"b\":");
        add_schema(to, random, depth - 1);
        add(to, "}}]}");
        break;
    case 7:
        add(to, "{\"prefixItems\":[");
        add_schema(to, random, depth - 1);
        add(to, "],\"items\":");
        add_schema(to, random, depth - 1);
        add(to, "}");
        break;
    case 8:
        add(to, "{\"patternProperties\":{\"^a\":");
        add_schema(to, random, depth - 1);
        add(to, pick(random, 2) == 0 ? "},\"allOf\":["
                                     : ",\"b\":true},\"allOf\":[");
        add_schema(to, random, depth - 1);
        add(to, ",");
        add_schema(to, random, depth - 1);
        add(to, "]}");
        break;
    case 0:
    case 1:
        add(to, "{\"type\":\"object\",\"properties\":{\"a\":");
        add_schema(to, random, depth - 1);
        add(to, ",\"b\":");
        add_schema(to, random, depth - 1);
        add(to, pick(random, 2) == 0 ? "}}" : "},\"required\":[\"b\"]}");
        break;
    case 2:
    case 3:
        add(to, "{\"type\":\"array\",\"items\":");
        add_schema(to, random, depth - 1);
        add(to, "}");
        break;
    case 4:
    case 5:
        add(to, pick(random, 2) == 0 ? "{\"anyOf\":[" : "{\"oneOf\":[");
        add_schema(to, random, depth - 1);
        add(to, ",");
        add_schema(to, random, depth - 1);
        add(to, "]}");
        break;
    case 6:
        add(to, "{\"allOf\":[");
        add_schema(to, random, depth - 1);
        add(to, "],\"additionalProperties\":");
        add_schema(to, random, depth - 1);
        add(to, "}");
        break;
    default: add(to, flat[pick(random, sizeof flat / sizeof *flat)]); break;
    }
}

static void add_value(naive_bytes *to, uint64_t *random, int depth)
{
    static const char *const flat[] = {"1",
                                       "\"1\"",
                                       "\"x\"",
                                       "true",
                                       "\"True\"",
                                       "null",
                                       "\"null\"",
                                       "4",
                                       "[]",
                                       "{}",
                                       "\"[1]\"",
                                       "\"{\\\"a\\\":1}\"",
                                       "\"[\\\"x\\\"]\"",
                                       "1.5",
                                       "\"\""};
    switch (depth > 0 ? pick(random, 5) : 4) {
    case 0:
    case 1:
        add(to, "{\"a\":");
        add_value(to, random, depth - 1);
        add(to, ",\"b\": ");
        add_value(to, random, depth - 1);
        add(to, "}");
        break;
    case 2:
        add(to, "[");
        add_value(to, random, depth - 1);
        add(to, " , ");
        add_value(to, random, depth - 1);
        add(to, "]");
        break;
    default: add(to, flat[pick(random, sizeof flat / sizeof *flat)]); break;
    }
}

static size_t count_words(const char *faults)
{
    size_t count = 1;
    for (; *faults != '\0'; faults++) {
        count += *faults == ' ';
    }
    return count;
}

static naive_bytes mended(const char *schema, const char *value, size_t chunk,
                          naive_bytes *paths)
{
    tw_decoder *decoder = mending(schema, TW_VALIDATE_MEND);
    char text[4096];
    const size_t size = wrap(text, sizeof text, value, whole);
    event_log log = {0};
    bool others;
    decode(&log, decoder, text, size, chunk);
    naive_bytes made = outcome(&log, paths, &others);
    event_log_free(&log);
    tw_decoder_free(decoder);
    return made;
}

Test(mend, a_call_that_fits_never_changes)
{
    uint64_t random = 7;
    size_t changed = 0;
    size_t fit = 0;
    for (size_t i = 0; i < 20000; i++) {
        naive_bytes schema = {0};
        naive_bytes value = {0};
        naive_bytes paths = {0};
        naive_bytes again = {0};
        add(&schema, "{\"properties\":{\"a\":");
        add_schema(&schema, &random, 3);
        add(&schema, "}}");
        add(&value, "{\"a\": ");
        add_value(&value, &random, 3);
        add(&value, "}");
        naive_add(&schema, "", 1);
        naive_add(&value, "", 1);
        naive_bytes faults = schema_faults(schema.data, value.data);
        naive_bytes made = mended(schema.data, value.data, i % 5, &paths);
        const bool same = strcmp(made.data, value.data) == 0;
        const bool fits = strcmp(faults.data, "fits") == 0;
        cr_assert(same || !fits, "%s of %s became %s", value.data, schema.data,
                  made.data);
        cr_assert(same == (paths.size == 1), "%s", made.data);
        fit += fits;
        changed += !same;
        if (!same) {
            naive_bytes left = schema_faults(schema.data, made.data);
            cr_assert_leq(count_words(left.data), count_words(faults.data),
                          "%s of %s became %s: %s", value.data, schema.data,
                          made.data, left.data);
            naive_bytes twice = mended(schema.data, made.data, 0, &again);
            cr_assert_str_eq(twice.data, made.data,
                             "%s of %s became %s, then %s", value.data,
                             schema.data, made.data, twice.data);
            naive_release(&twice);
            naive_release(&left);
        }
        naive_release(&faults);
        naive_release(&made);
        naive_release(&schema);
        naive_release(&value);
        naive_release(&paths);
        naive_release(&again);
    }
    cr_expect_gt(fit, 2000);
    cr_expect_gt(changed, 1000);
}
