/* SPDX-License-Identifier: MIT
 *
 * No schema costs more than it may: how many steps a check takes, and how
 * large a pattern is.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/schema.h"
#include "schema/schema.h"

/* ---- steps -------------------------------------------------------------- */

static char *repeated(const char *head, const char *part, size_t times,
                      const char *tail)
{
    const size_t size = strlen(part);
    char *text = malloc(strlen(head) + times * size + strlen(tail) + 1);
    cr_assert_not_null(text);
    char *at = text + strlen(strcpy(text, head));
    for (size_t i = 0; i < times; i++, at += size) {
        memcpy(at, part, size);
    }
    strcpy(at, tail);
    return text;
}

/* Writes a schema that is twice itself, |depth| times, and then |leaf|. */
enum { ROOM = 8192 };

static void write_doubled(char schema[ROOM], int depth, const char *leaf)
{
    size_t size = (size_t)snprintf(schema, ROOM,
                                   "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < depth; i++) {
        size += (size_t)snprintf(
            schema + size, ROOM - size,
            "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":"
            "\"#/$defs/d%d\"}]},",
            i, i + 1, i + 1);
    }
    snprintf(schema + size, ROOM - size, "\"d%d\":%s}}", depth, leaf);
}

/* What is said of such a schema for any value; free with naive_release(). */
static naive_bytes doubled(int depth, const char *leaf)
{
    char schema[ROOM];
    write_doubled(schema, depth, leaf);
    return schema_faults(schema, "1");
}

/* Eight million steps are taken and no more: what has twice as many as a
 * schema that is tried to its end is given up. */
Test(schema, steps_are_counted)
{
    naive_bytes words = doubled(17, "{\"const\":1}");
    cr_expect_str_eq(words.data, "fits", "%s", words.data);
    naive_release(&words);
    words = doubled(18, "{\"const\":1}");
    cr_expect_str_eq(words.data, "schema_limit fits", "%s", words.data);
    naive_release(&words);
}

/* The calls of a message share its steps, and the next message has its own. */
Test(schema, steps_are_those_of_a_message)
{
    static const char call[] =
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
    char schema[ROOM];
    char tools[ROOM + 64];
    write_doubled(schema, 17, "{\"type\":\"object\"}");
    sprintf(tools, "[{\"name\":\"f\",\"parameters\":%s}]", schema);
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    char *calls = repeated("", call, 2, "");
    cr_assert_eq(tw_decoder_set_tools(decoder, tools, strlen(tools)), TW_OK);
    for (int i = 0; i < 4; i++) {
        const char *text = i % 2 == 0 ? call : calls;
        const char *line;
        size_t size;
        tw_decoder_reset(decoder);
        cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_VALIDATE,
                                    TW_VALIDATE_REFUSE),
                     TW_OK);
        cr_expect_eq(tw_decode_message(decoder, writer, text, strlen(text),
                                       &line, &size),
                     i % 2 == 0 ? TW_OK : TW_ERROR_DEVIATION, "%d", i);
    }
    free(calls);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
}

/* A member and a pattern cost a step and what the search takes.  Ten patterns
 * are asked of each member ten times, or twenty. */
Test(schema, steps_of_patterns_are_counted)
{
    char *many = repeated("{", "\"k\":0,", 45000, "\"k\":0}");
    for (size_t times = 10; times <= 20; times += 10) {
        char *rules = repeated(
            "{\"$defs\":{\"p\":{\"patternProperties\":{\"a\":true,\"b\":true,"
            "\"c\":true,\"d\":true,\"e\":true,\"f\":true,\"g\":true,"
            "\"h\":true,\"i\":true,\"j\":true}}},\"allOf\":[",
            "{\"$ref\":\"#/$defs/p\"},", times, "true]}");
        naive_bytes words = schema_faults(rules, many);
        cr_expect_str_eq(words.data,
                         times == 10 ? "fits" : "schema_limit fits");
        naive_release(&words);
        free(rules);
    }
    free(many);
}

/* Objects are told apart before they are compared. */
Test(schema, many_objects_are_unique)
{
    naive_bytes many = {0};
    for (int i = 0; i < 8000; i++) {
        char one[32];
        const int size =
            snprintf(one, sizeof one, "%c{\"a\":%d}", i == 0 ? '[' : ',', i);
        naive_add(&many, one, (size_t)size);
    }
    naive_add(&many, "]", 2);
    naive_bytes words = schema_faults("{\"uniqueItems\":true}", many.data);
    cr_expect_str_eq(words.data, "fits");
    naive_release(&words);
    naive_release(&many);
}

/* A pattern is read once, however often it is asked for. */
Test(schema, patterns_are_kept)
{
    char *many = repeated("[", "\"a\",", 10000, "\"a\"]");
    naive_bytes words =
        schema_faults("{\"items\":{\"pattern\":\"^a$\"}}", many);
    cr_expect_str_eq(words.data, "fits");
    naive_release(&words);
    free(many);
}

/* What looks at each member takes a step for each, as often as it looks. */
Test(schema, steps_of_unevaluated_members_are_counted)
{
    char *rules = repeated("{\"allOf\":[", "{\"unevaluatedProperties\":true},",
                           3000, "true]}");
    char *many = repeated("{", "\"k\":0,", 3000, "\"k\":0}");
    naive_bytes words = schema_faults(rules, many);
    cr_expect_str_eq(words.data, "schema_limit fits");
    naive_release(&words);
    free(rules);
    free(many);
}

/* Twice as many ways at each of forty steps, a hundred thousand values that
 * are compared with each other, ways of a pattern that double: each ends. */
Test(schema, no_schema_takes_for_ever, .timeout = 1200)
{
    naive_bytes words = doubled(40, "true");
    cr_expect_str_eq(words.data, "schema_limit fits", "%s", words.data);
    naive_release(&words);

    char *many = repeated("[", "12345678,", 100000, "12345678]");
    words = schema_faults("{\"uniqueItems\":true}", many);
    cr_expect_str_eq(words.data, "parameter_rule");
    naive_release(&words);
    free(many);

    many = repeated("\"", "a", 100000, "\"");
    words = schema_faults("{\"pattern\":\"^(a*)*(a|a)*(a*){50}b$\"}", many);
    cr_expect(strcmp(words.data, "parameter_pattern") == 0 ||
                  strcmp(words.data, "schema_limit fits") == 0,
              "%s", words.data);
    naive_release(&words);
    free(many);

    many = repeated("", "{\"unevaluatedProperties\":false,\"anyOf\":[false,",
                    60, "{\"additionalProperties\":true}");
    char *nested = repeated(many, "]}", 60, "");
    words = schema_faults(nested, "{\"a\":1}");
    cr_expect_str_eq(words.data, "schema_limit fits", "%s", words.data);
    naive_release(&words);
    free(nested);
    free(many);

    many = repeated("", "[", 1000, "");
    char *deep = repeated(many, "]", 1000, "");
    words = schema_faults("{\"items\":{\"$ref\":\"#\"}}", deep);
    cr_expect_str_eq(words.data, "fits", "%s", words.data);
    naive_release(&words);
    free(many);
    free(deep);
}

Test(schema, no_more_faults_than_said)
{
    char *many = repeated("[", "1,", 100, "1]");
    naive_bytes words =
        schema_faults("{\"items\":{\"type\":\"string\"}}", many);
    size_t count = 0;
    for (const char *at = words.data; (at = strstr(at, "type")) != NULL;
         at++) {
        count++;
    }
    cr_expect_eq(count, TW_SCHEMA_FAULTS);
    naive_release(&words);
    free(many);
}

/* ---- the size of patterns ----------------------------------------------- */

Test(schema, patterns_have_255_groups_in_each_other)
{
    for (size_t groups = 255; groups <= 256; groups++) {
        char *front = repeated("{\"pattern\":\"", "(", groups, "a");
        char *text = repeated(front, ")", groups, "\"}");
        naive_bytes words = schema_faults(text, "\"b\"");
        cr_expect_str_eq(words.data, groups == 255
                                         ? "parameter_pattern"
                                         : "schema_unread@pattern fits");
        naive_release(&words);
        free(text);
        free(front);
    }
}

/* An operation for each letter and one for the end. */
Test(schema, patterns_have_4096_operations)
{
    for (size_t letters = 4095; letters <= 4096; letters++) {
        char *text = repeated("{\"pattern\":\"", "a", letters, "\"}");
        naive_bytes words = schema_faults(text, "\"b\"");
        cr_expect_str_eq(words.data, letters == 4095
                                         ? "parameter_pattern"
                                         : "schema_unread@pattern fits");
        naive_release(&words);
        free(text);
    }
}
