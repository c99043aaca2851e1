/* SPDX-License-Identifier: MIT
 *
 * Each keyword of a schema, and each construct of a pattern: a value that
 * fits, one that does not, and what is not read and said to be so.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/schema.h"

typedef struct verdict {
    const char *schema;
    const char *value;
    const char *faults;
} verdict;

static void check_all(const verdict *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        naive_bytes words = schema_faults(rows[i].schema, rows[i].value);
        cr_expect_str_eq(words.data, rows[i].faults, "%s of %s: %s",
                         rows[i].value, rows[i].schema, words.data);
        naive_release(&words);
    }
}

#define CHECK(rows) check_all(rows, sizeof rows / sizeof *rows)

/* ---- values alone ------------------------------------------------------- */

Test(schema_keywords, values)
{
    static const verdict rows[] = {
        {"{\"const\":null}", "null", "fits"},
        {"{\"const\":null}", "false", "parameter_value"},
        {"{\"const\":[true,{\"a\":1}]}", "[true,{\"a\":1.0}]", "fits"},
        {"{\"const\":{\"a\":1}}", "{\"b\":1}", "parameter_value"},
        {"{\"enum\":[1,2],\"nullable\":true}", "null", "fits"},
        {"{\"enum\":\"red\"}", "\"blue\"", "schema_broken@enum fits"},
        {"{\"exclusiveMinimum\":2}", "2.0", "parameter_range"},
        {"{\"exclusiveMinimum\":2}", "2.01", "fits"},
        {"{\"exclusiveMinimum\":2}", "\"1\"", "fits"},
        {"{\"minimum\":\"2\"}", "1", "schema_broken@minimum fits"},
        {"{\"multipleOf\":\"2\"}", "1", "schema_broken@multipleOf fits"},
        {"{\"multipleOf\":3}", "0", "fits"},
        {"{\"multipleOf\":7}", "1e200000", "schema_limit@multipleOf fits"},
        {"{\"multipleOf\":1234567890123456789}", "1",
         "schema_limit@multipleOf fits"},
        {"{\"minLength\":2}", "\"\\u20ac\"", "parameter_range"},
        {"{\"minLength\":2}", "[1]", "fits"},
        {"{\"maxLength\":\"1\"}", "\"abc\"", "schema_broken@maxLength fits"},
        {"{\"minItems\":1}", "[]", "parameter_range"},
        {"{\"minItems\":1.0}", "[0]", "fits"},
        {"{\"maxItems\":1}", "[0,0]", "parameter_range"},
        {"{\"maxItems\":1}", "{\"a\":1,\"b\":1}", "fits"},
        {"{\"minProperties\":1}", "{}", "parameter_range"},
        {"{\"maxProperties\":1}", "{\"a\":1,\"b\":1}", "parameter_range"},
        {"{\"maxProperties\":2}", "{\"a\":1,\"b\":1}", "fits"},
        {"{\"exclusiveMaximum\":2}", "2.0", "parameter_range"},
        {"{\"exclusiveMaximum\":2}", "1.99", "fits"},
        {"{\"exclusiveMaximum\":2}", "\"3\"", "fits"},
        {"{\"multipleOf\":2}", "\"3\"", "fits"},
        {"{\"items\":{\"type\":\"null\"}}", "{\"a\":1}", "fits"},
        {"{\"patternProperties\":{\"a\":false}}", "[1]", "fits"},
        {"{\"additionalProperties\":false}", "[1]", "fits"},
        {"{\"required\":\"a\"}", "{}", "schema_broken@required fits"},
        {"{\"required\":[1]}", "{}", "schema_broken fits"},
    };
    CHECK(rows);
}

/* ---- other schemas ------------------------------------------------------ */

Test(schema_keywords, choices)
{
    static const verdict rows[] = {
        {"{\"allOf\":1}", "1", "schema_broken@allOf fits"},
        {"{\"allOf\":[{\"type\":\"string\"},{\"minLength\":2}]}", "\"a\"",
         "parameter_range"},
        {"{\"anyOf\":[{\"type\":\"null\"},{\"minimum\":5}]}", "null", "fits"},
        {"{\"oneOf\":[{\"type\":\"null\"},{\"minimum\":5}]}", "1",
         "parameter_rule"},
        {"{\"oneOf\":[{\"type\":\"null\"},{\"minimum\":5}]}", "6", "fits"},
        {"{\"not\":{\"type\":\"null\"}}", "null", "parameter_rule"},
        {"{\"not\":{\"type\":\"null\"}}", "1", "fits"},
        {"{\"not\":3}", "1", "schema_broken@not fits"},
        {"{\"if\":{\"type\":\"string\"},\"then\":{\"minLength\":2},"
         "\"else\":{\"minimum\":2}}",
         "\"a\"", "parameter_range"},
        {"{\"if\":{\"type\":\"string\"},\"then\":{\"minLength\":2},"
         "\"else\":{\"minimum\":2}}",
         "\"ab\"", "fits"},
        {"{\"if\":{\"type\":\"string\"},\"then\":{\"minLength\":2},"
         "\"else\":{\"minimum\":2}}",
         "1", "parameter_range"},
        {"{\"if\":{\"type\":\"string\"},\"then\":false}", "1", "fits"},
        {"{\"if\":1,\"else\":false}", "1", "schema_broken@if fits"},
        {"{\"then\":false,\"else\":false}", "1", "fits"},
    };
    CHECK(rows);
}

Test(schema_keywords, elements)
{
    static const verdict rows[] = {
        {"{\"prefixItems\":[{\"type\":\"string\"},{\"minimum\":1}]}",
         "[\"a\",0,0]", "parameter_range"},
        {"{\"prefixItems\":[{\"type\":\"string\"},true]}", "[\"a\"]", "fits"},
        {"{\"prefixItems\":{\"type\":\"string\"}}", "[1]",
         "schema_broken@prefixItems fits"},
        {"{\"prefixItems\":[false]}", "{\"a\":1}", "fits"},
        {"{\"prefixItems\":[true,true],\"items\":{\"type\":\"null\"}}",
         "[1,2,null]", "fits"},
        {"{\"prefixItems\":[true,true],\"items\":{\"type\":\"null\"}}",
         "[1,2,3]", "parameter_type"},
        {"{\"prefixItems\":[true,true],\"items\":false}", "[1]", "fits"},
        {"{\"items\":[{\"type\":\"null\"},{\"type\":\"string\"}]}", "[null,1]",
         "parameter_type"},
        {"{\"prefixItems\":[true],\"items\":[false]}", "[1]", "fits"},
        {"{\"items\":3}", "[1]", "schema_broken@items fits"},
        {"{\"contains\":{\"type\":\"null\"}}", "[1,null]", "fits"},
        {"{\"contains\":{\"type\":\"null\"}}", "[1,2]", "parameter_rule"},
        {"{\"contains\":{\"type\":\"null\"}}", "[]", "parameter_rule"},
        {"{\"contains\":{\"type\":\"null\"}}", "{}", "fits"},
        {"{\"contains\":{\"type\":\"null\"},\"minContains\":2}", "[null,1]",
         "parameter_rule"},
        {"{\"contains\":{\"type\":\"null\"},\"minContains\":2}",
         "[null,1,null]", "fits"},
        {"{\"contains\":{\"type\":\"null\"},\"minContains\":0}", "[]", "fits"},
        {"{\"contains\":{\"type\":\"null\"},\"maxContains\":1}", "[null,null]",
         "parameter_rule"},
        {"{\"contains\":{\"type\":\"null\"},\"maxContains\":1}", "[]",
         "parameter_rule"},
        {"{\"minContains\":2}", "[1]", "fits"},
    };
    CHECK(rows);
}

Test(schema_keywords, members)
{
    static const verdict rows[] = {
        {"{\"properties\":[false]}", "{\"a\":1}",
         "schema_broken@properties fits"},
        {"{\"properties\":{\"a\":1}}", "{\"a\":1}", "schema_broken@a fits"},
        {"{\"properties\":{\"a\":false}}", "[1]", "fits"},
        {"{\"patternProperties\":{\"^a\":{\"minimum\":1},\"b$\":{\"maximum\":"
         "1}}}",
         "{\"ab\":2,\"b\":1,\"a\":0}", "parameter_range@ab parameter_range@a"},
        {"{\"patternProperties\":{\"(\":false}}", "{\"a\":1}",
         "schema_unread@( fits"},
        {"{\"patternProperties\":{\"(\":true},\"additionalProperties\":false}",
         "{\"a\":1}", "schema_unread@( fits"},
        {"{\"patternProperties\":[false]}", "{\"a\":1}",
         "schema_broken@patternProperties fits"},
        {"{\"additionalProperties\":false}", "[1]", "fits"},
        {"{\"propertyNames\":{\"maxLength\":1}}", "{\"a\":1,\"b\":2}", "fits"},
        {"{\"propertyNames\":{\"maxLength\":1}}", "{\"a\":1,\"bc\":2}",
         "parameter_range"},
        {"{\"propertyNames\":false}", "{}", "fits"},
        {"{\"propertyNames\":false}", "[1]", "fits"},
        {"{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"]},\"c\":false,"
         "\"b\":{\"maxProperties\":1}}}",
         "{\"a\":1}", "missing_parameter:b"},
        {"{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"]},\"c\":false,"
         "\"b\":{\"maxProperties\":1}}}",
         "{\"a\":1,\"b\":1}", "parameter_range"},
        {"{\"dependentSchemas\":{\"a\":false}}", "{\"b\":1}", "fits"},
        {"{\"dependentSchemas\":{\"a\":false}}", "[\"a\"]", "fits"},
        {"{\"dependentSchemas\":{\"a\":1}}", "{\"a\":1}",
         "schema_broken@a fits"},
        {"{\"dependentRequired\":{\"a\":[\"b\",\"c\"],\"d\":[\"e\"]}}",
         "{\"a\":1,\"c\":1}", "missing_parameter:b"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"b\":1}", "fits"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "[\"a\"]", "fits"},
        {"{\"dependentRequired\":{\"a\":\"b\"}}", "{\"a\":1}",
         "schema_broken@a fits"},
        {"{\"dependentRequired\":[\"a\"]}", "{\"a\":1}",
         "schema_broken@dependentRequired fits"},
    };
    CHECK(rows);
}

/* ---- references --------------------------------------------------------- */

/* What no other keyword has looked at; the order of keywords means nothing. */
Test(schema_keywords, unevaluated)
{
    static const verdict rows[] = {
        {"{\"unevaluatedProperties\":false,\"properties\":{\"a\":true}}",
         "{\"a\":1,\"b\":2,\"c\":3}",
         "unknown_parameter@b unknown_parameter@c"},
        {"{\"unevaluatedProperties\":{\"type\":\"null\"},\"allOf\":["
         "{\"properties\":{\"a\":{\"type\":\"string\"}}}]}",
         "{\"a\":1,\"b\":null,\"c\":3}", "parameter_type@c parameter_type@a"},
        {"{\"anyOf\":[{\"required\":[\"a\"],\"properties\":{\"a\":true}},"
         "{\"required\":[\"b\"],\"properties\":{\"b\":true}},"
         "{\"required\":[\"c\"],\"properties\":{\"d\":true}}],"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":2,\"d\":3}", "unknown_parameter@d"},
        {"{\"oneOf\":[{\"properties\":{\"k\":{\"const\":1},\"a\":true},"
         "\"required\":[\"k\"]},{\"properties\":{\"k\":{\"const\":2}},"
         "\"required\":[\"k\"]}],\"unevaluatedProperties\":false}",
         "{\"k\":2,\"a\":1}", "unknown_parameter@a"},
        {"{\"if\":{\"properties\":{\"a\":{\"const\":1}},\"required\":[\"a\"]},"
         "\"then\":{\"properties\":{\"b\":true}},"
         "\"else\":{\"properties\":{\"c\":true}},"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":2,\"c\":3}", "unknown_parameter@c"},
        {"{\"if\":{\"properties\":{\"a\":{\"const\":1}},\"required\":[\"a\"]},"
         "\"then\":{\"properties\":{\"b\":true}},"
         "\"else\":{\"properties\":{\"c\":true}},"
         "\"unevaluatedProperties\":false}",
         "{\"b\":2,\"c\":3}", "unknown_parameter@b"},
        {"{\"not\":{\"not\":{\"properties\":{\"a\":true}}},"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1}", "unknown_parameter@a"},
        {"{\"dependentSchemas\":{\"a\":{\"properties\":{\"a\":true,\"b\":true}"
         "},\"z\":{\"properties\":{\"c\":true}}},"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":2,\"c\":3}", "unknown_parameter@c"},
        {"{\"$ref\":\"#/$defs/n\",\"patternProperties\":{\"^x\":true},"
         "\"unevaluatedProperties\":false,\"$defs\":{\"n\":{\"properties\":"
         "{\"n\":true}}}}",
         "{\"n\":1,\"x1\":2,\"y\":3}", "unknown_parameter@y"},
        {"{\"$ref\":\"other\",\"unevaluatedProperties\":false}", "{\"y\":3}",
         "schema_unread@$ref fits"},
        {"{\"patternProperties\":{\"(?=x)\":true},"
         "\"unevaluatedProperties\":false}",
         "{\"y\":3}", "schema_unread@(?=x) fits"},
        {"{\"allOf\":[{\"additionalProperties\":{\"type\":\"null\"}}],"
         "\"unevaluatedProperties\":false}",
         "{\"y\":3}", "parameter_type@y"},
        {"{\"allOf\":[{\"unevaluatedProperties\":true},{\"unevaluatedItems\":"
         "true}],\"unevaluatedProperties\":false}",
         "{\"y\":3}", "fits"},
        {"{\"unevaluatedProperties\":false,\"unevaluatedItems\":false}", "1",
         "fits"},
        {"{\"unevaluatedProperties\":7,\"unevaluatedItems\":7}", "[{}]",
         "schema_broken@unevaluatedProperties schema_broken@unevaluatedItems "
         "fits"},
        {"{\"anyOf\":[{\"properties\":{\"a\":true}},7],\"if\":7,"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1}", "schema_broken schema_broken@if fits"},
        {"{\"anyOf\":{},\"allOf\":[true,false],"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1}",
         "schema_broken@anyOf parameter_rule unknown_parameter@a"},
        {"{\"prefixItems\":[true],\"contains\":{\"type\":\"string\"},"
         "\"unevaluatedItems\":false}",
         "[1,\"a\",2]", "parameter_rule"},
        {"{\"allOf\":[{\"items\":[true,true]}],"
         "\"unevaluatedItems\":{\"type\":\"null\"}}",
         "[1,2,null,3]", "parameter_type"},
        {"{\"anyOf\":[{\"items\":{\"type\":\"string\"}},{\"prefixItems\":["
         "true]}],\"unevaluatedItems\":false}",
         "[1,2]", "parameter_rule"},
        {"{\"allOf\":[{\"unevaluatedItems\":true}],\"unevaluatedItems\":false"
         "}",
         "[1]", "fits"},
        {"{\"unevaluatedItems\":false,\"unevaluatedItems\":false}", "[]",
         "fits"},
        {"{\"properties\":{\"t\":{\"$ref\":\"#\"},\"v\":true},"
         "\"unevaluatedProperties\":false}",
         "{\"v\":1,\"t\":{\"v\":2,\"t\":{\"w\":3}}}", "unknown_parameter@w"},
        {"{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"$ref\":"
         "\"#/$defs/a\"}},\"unevaluatedProperties\":false}",
         "{}", "schema_limit fits"},
    };
    CHECK(rows);
}

Test(schema_keywords, references)
{
    static const verdict rows[] = {
        {"{\"$ref\":\"#/%24defs/a%2Fb\",\"$defs\":{\"a\":{\"b\":true}}}", "1",
         "schema_unread@$ref fits"},
        {"{\"$ref\":\"#/%24defs/%C3%a4%25\",\"$defs\":{\"\\u00e4%\":false}}",
         "1", "parameter_rule"},
        {"{\"$ref\":\"#/$defs/100%\",\"$defs\":{\"100%\":false}}", "1",
         "parameter_rule"},
        {"{\"$ref\":\"#/$defs/%zz\",\"$defs\":{\"%zz\":false}}", "1",
         "parameter_rule"},
        {"{\"$ref\":\"#/$defs/~01\",\"$defs\":{\"~1\":false}}", "1",
         "parameter_rule"},
        {"{\"$ref\":\"#/$defs/\",\"$defs\":{\"\":false}}", "1",
         "parameter_rule"},
        {"{\"$ref\":\"#/allOf/1\",\"allOf\":[true,{\"$comment\":\"\"}]}", "1",
         "fits"},
        {"{\"$ref\":\"#/$defs/1\",\"$defs\":[true,false]}", "1",
         "parameter_rule"},
        {"{\"$ref\":\"#/$defs/2\",\"$defs\":[true,false]}", "1",
         "schema_unread@$ref fits"},
        {"{\"$ref\":\"#/$defs/1x\",\"$defs\":[true,false]}", "1",
         "schema_unread@$ref fits"},
        {"{\"$ref\":\"#/$defs/:\",\"$defs\":[true,true,true,true,true,true,"
         "true,true,true,true,false]}",
         "1", "schema_unread@$ref fits"},
        {"{\"$ref\":\"#/$defs/\",\"$defs\":[false]}", "1",
         "schema_unread@$ref fits"},
        {"{\"$ref\":\"#/$defs/99999999999999999999999\",\"$defs\":[false]}",
         "1", "schema_unread@$ref fits"},
        {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":1}}", "1",
         "schema_broken@a fits"},
        {"{\"$ref\":1}", "1", "schema_broken@$ref fits"},
        {"{\"$ref\":\"\"}", "1", "schema_unread@$ref fits"},
        {"{\"$ref\":\"#late\",\"$defs\":{\"x\":{\"items\":{\"$anchor\":"
         "\"early\"}},\"y\":{\"$anchor\":\"late\",\"type\":\"null\"}}}",
         "1", "parameter_type"},
        {"{\"$ref\":\"#none\",\"$defs\":{\"x\":{\"$anchor\":\"some\"}}}", "1",
         "schema_unread@$ref fits"},
        {"{\"$id\":\"x\",\"$dynamicRef\":\"#a\",\"$defs\":{\"y\":{"
         "\"$dynamicAnchor\":\"a\",\"type\":\"null\"}}}",
         "1", "parameter_type"},
        {"{\"$ref\":\"#a\",\"$defs\":{\"y\":{\"$dynamicAnchor\":\"a\","
         "\"type\":\"null\"}}}",
         "1", "parameter_type"},
        {"{\"$dynamicRef\":\"#/$defs/y\",\"$defs\":{\"y\":false}}", "1",
         "parameter_rule"},
        {"{\"$dynamicRef\":\"#a\",\"$defs\":{\"y\":{\"$id\":\"y\","
         "\"$dynamicAnchor\":\"a\",\"type\":\"null\"}}}",
         "1", "schema_unread@$dynamicRef fits"},
        {"{\"$dynamicRef\":\"x#a\"}", "1", "schema_unread@$dynamicRef fits"},
    };
    CHECK(rows);
}

/* ---- what is no schema -------------------------------------------------- */

/* A keyword whose value is of the wrong kind is told of, and skipped; the
 * others are checked. */
Test(schema_keywords, broken)
{
    static const verdict rows[] = {
        {"{\"type\":[\"string\",\"nul\"],\"const\":2}", "1",
         "schema_broken parameter_value"},
        {"{\"type\":{}}", "1", "schema_broken@type fits"},
        {"{\"uniqueItems\":1}", "[1,1]", "schema_broken@uniqueItems fits"},
        {"{\"exclusiveMinimum\":true,\"minimum\":1}", "0",
         "schema_broken@exclusiveMinimum parameter_range"},
        {"{\"pattern\":1}", "\"a\"", "schema_broken@pattern fits"},
        {"{\"properties\":{\"a\":{\"required\":true}}}", "{\"a\":1}",
         "schema_broken@required fits"},
        {"{\"properties\":{\"b\":3}}", "{\"a\":1}", "fits"},
        {"{\"properties\":{\"a\":3,\"b\":false}}", "{\"a\":1,\"b\":1}",
         "schema_broken@a parameter_rule@b"},
        {"{\"patternProperties\":{\"a\":1,\"b\":1}}", "{\"a\":1}",
         "schema_broken@a fits"},
        {"{\"additionalProperties\":\"false\"}", "{\"a\":1}",
         "schema_broken@additionalProperties fits"},
        {"{\"propertyNames\":[]}", "{\"a\":1}",
         "schema_broken@propertyNames fits"},
        {"{\"contains\":1}", "[]", "schema_broken@contains fits"},
        {"{\"contains\":true,\"minContains\":\"2\",\"maxContains\":[]}", "[1]",
         "schema_broken@minContains schema_broken@maxContains fits"},
        {"{\"items\":[true,1]}", "[1]", "schema_broken fits"},
        {"{\"anyOf\":[false,1]}", "1", "schema_broken fits"},
        {"{\"oneOf\":[true,1]}", "1", "schema_broken fits"},
        {"{\"if\":true,\"then\":1,\"else\":2}", "1",
         "schema_broken@then schema_broken@else fits"},
        {"{\"dependentSchemas\":1}", "{}",
         "schema_broken@dependentSchemas fits"},
        {"{\"dependentRequired\":{\"a\":[\"b\",1]}}", "{\"a\":1}",
         "schema_broken fits"},
        {"{\"not\":{\"type\":\"nul\"}}", "1",
         "schema_broken@type parameter_rule"},
        {"{\"$dynamicRef\":1}", "1", "schema_broken@$dynamicRef fits"},
        {"5", "1", "schema_broken fits"},
    };
    CHECK(rows);
}

/* ---- patterns ----------------------------------------------------------- */

#define SAYS_UNREAD "schema_unread@pattern fits"

Test(schema_keywords, patterns)
{
    /* The pattern as it is in JSON, a text, whether it fits. */
    static const struct {
        const char *pattern;
        const char *text;
        const char *faults;
    } rows[] = {
        {"^\\\\w+$", "Az_09", "fits"},
        {"^\\\\w+$", "a-b", "parameter_pattern"},
        {"^\\\\W$", "-", "fits"},
        {"^\\\\D\\\\S$", "ab", "fits"},
        {"^\\\\D$", "7", "parameter_pattern"},
        {"^\\\\S$", "\\u3000", "parameter_pattern"},
        {"^.$", "\\u20ac", "fits"},
        {"^.$", "\\ud83d\\ude00", "fits"},
        {"^.$", "\\u2028", "parameter_pattern"},
        {"^[\\u20ac-\\u20af]$", "\\u20ad", "fits"},
        {"^[\\ud83d\\ude00-\\ud83d\\ude0f]$", "\\ud83d\\ude0e", "fits"},
        {"^[\\ud83d\\ude00-\\ud83d\\ude0f]$", "\\ud83d\\ude10",
         "parameter_pattern"},
        {"^\\\\u0041\\\\x4a$", "AJ", "fits"},
        {"^\\\\ud83d\\\\ude00$", "\\ud83d\\ude00", "fits"},
        {"^\\\\u{1F600}$", "\\ud83d\\ude00", "fits"},
        {"^\\\\t\\\\n\\\\v\\\\f\\\\r\\\\0$", "\\t\\n\\u000b\\f\\r\\u0000",
         "fits"},
        {"^[\\\\b]\\\\cJ$", "\\b\\n", "fits"},
        {"^\\\\.\\\\/\\\\-\\\\u00e4\\\\\\u00e4$", "./-\\u00e4\\u00e4", "fits"},
        {"^[]$", "a", "parameter_pattern"},
        {"^[^]$", "\\n", "fits"},
        {"^[-a]+[a-]+$", "-a-a", "fits"},
        {"^[\\\\d-x]+$", "1-x", "fits"},
        {"a\\\\Bb", "ab", "fits"},
        {"a\\\\B-", "a-", "parameter_pattern"},
        {"^ab{0}c$", "ac", "fits"},
        {"^ab{0}c$", "abc", "parameter_pattern"},
        {"^a{,2}$", "a{,2}", "fits"},
        {"^a{x{2$", "a{x{2", "fits"},
        {"^{}$", "{}", "fits"},
        {"a{1001}", "a", SAYS_UNREAD},
        {"a{99999999999999999999}", "a", SAYS_UNREAD},
        {"a{3,2}", "a", SAYS_UNREAD},
        {"(?:a{100}){100}", "a", SAYS_UNREAD},
        {"*a", "a", SAYS_UNREAD},
        {"a|+", "a", SAYS_UNREAD},
        {"(?)", "a", SAYS_UNREAD},
        {"a**", "a", SAYS_UNREAD},
        {"{2}a", "a", SAYS_UNREAD},
        {"a{2}{3}", "aa", SAYS_UNREAD},
        {"(?P<x>a)", "a", SAYS_UNREAD},
        {"(?<x", "a", SAYS_UNREAD},
        {"(?<!a)b", "b", SAYS_UNREAD},
        {"a)", "a", SAYS_UNREAD},
        {"a\\\\", "a", SAYS_UNREAD},
        {"[a\\\\", "a", SAYS_UNREAD},
        {"[a", "a", SAYS_UNREAD},
        {"[a-\\\\d]", "a", SAYS_UNREAD},
        {"[a-\\\\q]", "a", SAYS_UNREAD},
        {"[b-a]", "a", SAYS_UNREAD},
        {"(a)\\\\1", "aa", SAYS_UNREAD},
        {"\\\\01", "a", SAYS_UNREAD},
        {"\\\\x4", "a", SAYS_UNREAD},
        {"\\\\u00g0", "a", SAYS_UNREAD},
        {"\\\\u{}", "a", SAYS_UNREAD},
        {"\\\\u{110000}", "a", SAYS_UNREAD},
        {"\\\\u{41", "a", SAYS_UNREAD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char schema[256];
        char value[256];
        const verdict row = {schema, value, rows[i].faults};
        snprintf(schema, sizeof schema, "{\"pattern\":\"%s\"}",
                 rows[i].pattern);
        snprintf(value, sizeof value, "\"%s\"", rows[i].text);
        check_all(&row, 1);
    }
}

/* ---- what is too much --------------------------------------------------- */

/* |open| once for each of |count|, then |close| as often. */
static char *nested(const char *head, const char *open, const char *close,
                    size_t count, const char *tail)
{
    char *text = malloc(strlen(head) + strlen(tail) +
                        count * (strlen(open) + strlen(close)) + 1);
    cr_assert_not_null(text);
    char *at = text + strlen(strcpy(text, head));
    for (size_t i = 0; i < 2 * count; i++) {
        at += strlen(strcpy(at, i < count ? open : close));
    }
    strcpy(at, tail);
    return text;
}

Test(schema_keywords, groups_of_groups)
{
    char *some = nested("{\"pattern\":\"^", "(", ")", 200, "$\"}");
    char *many = nested("{\"pattern\":\"^", "(", ")", 300, "$\"}");
    const verdict rows[] = {{some, "\"\"", "fits"},
                            {some, "\"a\"", "parameter_pattern"},
                            {many, "\"\"", SAYS_UNREAD}};
    CHECK(rows);
    free(some);
    free(many);
}

/* Two objects of so many members are not compared to their end, and neither
 * is said to be the other. */
Test(schema_keywords, objects_too_long_to_compare, .timeout = 1200)
{
    enum { MEMBERS = 10000, ROOM = 16 };
    char *one = malloc(MEMBERS * ROOM);
    char *both = malloc(2 * MEMBERS * ROOM);
    cr_assert(one != NULL && both != NULL);
    size_t size = 0;
    for (size_t i = 0; i < MEMBERS; i++) {
        size += (size_t)snprintf(one + size, ROOM, "%c\"%zu\":0",
                                 i == 0 ? '{' : ',', i);
    }
    snprintf(both, 2 * MEMBERS * ROOM, "[%s},%s}]", one, one);
    const verdict row = {"{\"uniqueItems\":true}", both, "schema_limit fits"};
    check_all(&row, 1);
    free(one);
    free(both);
}

/* What is not read is told of, and leaves room for faults. */
Test(schema_keywords, much_that_is_not_read)
{
    char *many = nested("{\"allOf\":[", "{\"$ref\":\"other\"},", "", 100,
                        "{\"type\":\"null\"}]}");
    naive_bytes words = schema_faults(many, "1");
    cr_expect_not_null(strstr(words.data, " parameter_type"), "%s",
                       words.data);
    cr_expect_null(strstr(words.data, "fits"), "%s", words.data);
    naive_release(&words);
    free(many);
}

/* Members by patterns are as many steps as they multiply to, and those of
 * finding what a pattern was read to. */
Test(schema_keywords, many_patterns, .timeout = 1200)
{
    enum { COUNT = 3000, ROOM = COUNT * 32 };
    char *schema = malloc(ROOM);
    char *value = malloc(ROOM);
    cr_assert(schema != NULL && value != NULL);
    int size = snprintf(schema, ROOM, "{\"patternProperties\":{\"z\":true");
    int value_size = snprintf(value, ROOM, "{\"a\":1");
    for (int i = 0; i < COUNT; i++) {
        size +=
            snprintf(schema + size, ROOM - (size_t)size, ",\"^b%d$\":true", i);
        value_size += snprintf(value + value_size, ROOM - (size_t)value_size,
                               ",\"c%d\":1", i);
    }
    snprintf(schema + size, ROOM - (size_t)size, "}}");
    snprintf(value + value_size, ROOM - (size_t)value_size, "}");
    naive_bytes words = schema_faults(schema, value);
    cr_expect_str_eq(words.data, "schema_limit fits", "%s", words.data);
    naive_release(&words);
    free(schema);
    free(value);
}
