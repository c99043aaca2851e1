/* SPDX-License-Identifier: MIT
 *
 * What the schemas of declared tools say of the types of parameters, hostile
 * ones among them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "events/tools.h"

typedef struct declared {
    tw_memory memory;
    tw_tools tools;
} declared;

static int declare(declared *to, const char *json)
{
    tw_tree tree;
    const tw_value *where;
    to->memory = tw_memory_from(NULL);
    tw_tools_init(&to->tools, &to->memory);
    tw_tree_init(&tree, &to->memory);
    cr_assert_eq(tw_tree_read(&tree, json, strlen(json), false), TW_OK);
    const int result = tw_tools_set(&to->tools, tree.root, &where);
    tw_tree_free(&tree);
    return result;
}

/* The tool f with these parameters. */
static int declare_members(declared *to, const char *properties,
                           const char *more)
{
    const size_t size = strlen(properties) + strlen(more) + 128;
    char *json = malloc(size);
    snprintf(json, size,
             "[{\"type\":\"function\",\"function\":{\"name\":\"f\","
             "\"parameters\":{\"properties\":{%s}%s}}}]",
             properties, more);
    const int result = declare(to, json);
    free(json);
    return result;
}

static unsigned types_of(const declared *from, const char *key)
{
    const tw_tool *tool = tw_tools_find(&from->tools, "f", 1);
    const tw_parameter *parameter =
        tw_tools_parameter(&from->tools, tool, key, strlen(key));
    cr_assert_not_null(parameter, "%s", key);
    return parameter->types;
}

static const struct {
    const char *schema;
    unsigned types;
} schemas[] = {
    {"{\"type\":\"string\"}", TW_TYPE_STRING},
    {"{\"type\":\"integer\"}", TW_TYPE_INTEGER},
    {"{\"type\":[\"number\",\"null\"]}", TW_TYPE_NUMBER | TW_TYPE_NULL},
    {"{\"anyOf\":[{\"type\":\"array\"},{\"type\":\"null\"}]}",
     TW_TYPE_ARRAY | TW_TYPE_NULL},
    {"{\"oneOf\":[{\"type\":\"object\"},{\"enum\":[\"a\"]}]}",
     TW_TYPE_OBJECT | TW_TYPE_STRING},
    {"{\"enum\":[1,\"a\",null,true,[],{}]}",
     TW_TYPE_NUMBER | TW_TYPE_STRING | TW_TYPE_NULL | TW_TYPE_BOOLEAN |
         TW_TYPE_ARRAY | TW_TYPE_OBJECT},
    {"{\"const\":false}", TW_TYPE_BOOLEAN},
    {"{\"type\":\"string\",\"enum\":[1]}", TW_TYPE_STRING},
    {"{\"type\":\"string\",\"nullable\":true}", TW_TYPE_STRING | TW_TYPE_NULL},
    {"{\"$ref\":\"#/$defs/at\"}", TW_TYPE_INTEGER},
    {"{\"$ref\":\"#/$defs/deep/at\"}", TW_TYPE_BOOLEAN},
    {"{\"anyOf\":[{\"$ref\":\"#/$defs/at\"},{\"type\":\"string\"}]}",
     TW_TYPE_INTEGER | TW_TYPE_STRING},
    {"{\"$ref\":\"#/$defs/at\",\"type\":\"number\"}", TW_TYPE_INTEGER},
    {"{\"$ref\":\"#/$defs/some\",\"enum\":[\"a\"]}", TW_TYPE_STRING},
    {"{\"$ref\":\"#/$defs/some\",\"const\":7}", TW_TYPE_INTEGER},
    {"{\"$ref\":\"#/$defs/some\",\"not\":{\"type\":\"null\"}}",
     TW_TYPE_STRING | TW_TYPE_INTEGER},
    {"{\"$ref\":\"#/$defs/some\",\"not\":{\"const\":null}}",
     TW_TYPE_STRING | TW_TYPE_INTEGER},
    {"{\"$ref\":\"#/$defs/some\",\"not\":{\"type\":\"string\","
     "\"minLength\":3}}",
     TW_TYPE_STRING | TW_TYPE_INTEGER | TW_TYPE_NULL},
    {"{\"$ref\":\"#/$defs/some\",\"allOf\":[{\"type\":\"null\"}]}",
     TW_TYPE_NULL},
    {"{\"$ref\":\"#/$defs/none\",\"type\":\"integer\"}", TW_TYPE_INTEGER},
    {"{\"$ref\":\"#/$defs/loop\",\"type\":\"array\"}", TW_TYPE_ARRAY},
    {"{\"$ref\":\"#/$defs/a~1b~0c%20%7E1\"}", TW_TYPE_ARRAY},
    {"{\"$ref\":\"#/$defs/list/anyOf/1\"}", TW_TYPE_NULL},
    {"{\"$ref\":\"#/$defs/scope\"}", TW_TYPE_STRING},
    {"{\"allOf\":[{\"type\":[\"string\",\"null\"]},{\"type\":\"string\"},"
     "{\"minLength\":1}]}",
     TW_TYPE_STRING},
    {"{\"allOf\":[{\"type\":\"number\"},{\"type\":\"integer\"}]}",
     TW_TYPE_INTEGER},
    {"{\"type\":[\"string\",\"null\"],\"anyOf\":[{\"type\":\"null\"}]}",
     TW_TYPE_NULL},
    {"{\"type\":[\"string\",\"null\"],\"enum\":[\"a\",\"b\"]}",
     TW_TYPE_STRING},
    {"{\"type\":\"string\",\"enum\":[\"a\"],\"nullable\":true}",
     TW_TYPE_STRING},
    {"{\"$ref\":\"#/$defs/at\",\"nullable\":true}",
     TW_TYPE_INTEGER | TW_TYPE_NULL},
    {"{\"type\":\"float\"}", TW_TYPE_NUMBER},
    {"{\"type\":\"double\"}", TW_TYPE_NUMBER},
    {"{\"type\":\"int\"}", TW_TYPE_INTEGER},
    {"{\"type\":\"bool\"}", TW_TYPE_BOOLEAN},
    {"{\"type\":\"dict\"}", TW_TYPE_OBJECT},
    {"{\"type\":\"list\"}", TW_TYPE_ARRAY},
    {"{\"type\":\"str\"}", TW_TYPE_STRING},
    {"{\"type\":\"any\"}", TW_TYPE_NUMBER | TW_TYPE_STRING | TW_TYPE_NULL |
                             TW_TYPE_BOOLEAN | TW_TYPE_ARRAY | TW_TYPE_OBJECT},
    /* No schema at all. */
    {"{}", 0},
    {"{\"description\":\"x\"}", 0},
    {"{\"nullable\":true}", 0},
    {"{\"type\":\"text\"}", 0},
    {"{\"type\":7,\"enum\":{},\"anyOf\":3,\"$ref\":[]}", 0},
    {"true", 0},
    {"null", 0},
    {"{\"$ref\":\"#/$defs/none\"}", 0},
    {"{\"$ref\":\"other.json\"}", 0},
    {"{\"$ref\":\"#/$defs/loop\"}", 0},
    {"{\"$ref\":\"#/$defs/at/type\"}", 0},
};

Test(tools, types)
{
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        char members[512];
        declared found;
        snprintf(members, sizeof members, "\"a\":%s,\"b\":{\"type\":\"null\"}",
                 schemas[i].schema);
        cr_assert_eq(
            declare_members(&found, members,
                            ",\"$defs\":{\"at\":{\"type\":\"integer\"},"
                            "\"deep\":{\"at\":{\"type\":\"boolean\"}},"
                            "\"some\":{\"type\":[\"string\",\"integer\","
                            "\"null\"]},"
                            "\"a/b~c /\":{\"type\":\"array\"},"
                            "\"list\":{\"anyOf\":[{},{\"type\":\"null\"}]},"
                            "\"scope\":{\"$id\":\"x\",\"$ref\":\"#/$defs/at\","
                            "\"$defs\":{\"at\":{\"type\":\"string\"}}},"
                            "\"loop\":{\"anyOf\":[{\"$ref\":\"#/$defs/loop\"},"
                            "{\"$ref\":\"#/$defs/back\"}]},"
                            "\"back\":{\"$ref\":\"#/$defs/loop\"}}"),
            TW_OK);
        cr_expect_eq(types_of(&found, "a"), schemas[i].types, "%s",
                     schemas[i].schema);
        cr_expect_eq(types_of(&found, "b"), TW_TYPE_NULL);
        tw_tools_free(&found.tools);
    }
}

Test(tools, names_are_found_by_size_too)
{
    declared found;
    cr_assert_eq(declare_members(&found,
                                 "\"\":{\"type\":\"null\"},"
                                 "\"b\":{\"type\":\"string\"},"
                                 "\"a\":{\"type\":\"array\"},"
                                 "\"ab\":{\"type\":\"object\"},"
                                 "\"a\":{\"type\":\"number\"}",
                                 ""),
                 TW_OK);
    cr_expect_eq(types_of(&found, ""), TW_TYPE_NULL);
    cr_expect_eq(types_of(&found, "a"), TW_TYPE_NUMBER);
    cr_expect_eq(types_of(&found, "ab"), TW_TYPE_OBJECT);
    cr_expect_eq(types_of(&found, "b"), TW_TYPE_STRING);
    const tw_tool *tool = tw_tools_find(&found.tools, "f", 1);
    cr_expect_null(tw_tools_parameter(&found.tools, tool, "c", 1));
    cr_expect_null(tw_tools_parameter(&found.tools, NULL, "a", 1));
    cr_expect_null(tw_tools_find(&found.tools, "ff", 2));
    tw_tools_free(&found.tools);
}

Test(tools, every_form_of_a_tool)
{
    static const char json[] =
        "[\"a\",{\"name\":\"b\",\"parameters\":{\"properties\":{\"k\":{"
        "\"type\":\"integer\"}}}},{\"custom\":{\"name\":\"c\"}},"
        "{\"name\":\"d\",\"input_schema\":{\"properties\":{\"k\":{"
        "\"type\":\"boolean\"}}}},{\"name\":\"e\",\"parameters\":[]},"
        "{\"name\":\"f\",\"inputSchema\":{\"properties\":{\"k\":{"
        "\"type\":\"boolean\"}}}}]";
    declared found;
    cr_assert_eq(declare(&found, json), TW_OK);
    cr_assert_eq(tw_tools_count(&found.tools), 6);
    for (size_t i = 0; i < 6; i++) {
        const tw_name name = tw_tools_name(&found.tools, i);
        const tw_tool *tool =
            tw_tools_find(&found.tools, name.data, name.size);
        const tw_parameter *k = tw_tools_parameter(&found.tools, tool, "k", 1);
        cr_expect_eq(name.data[0], "abcdef"[i]);
        cr_expect_eq(k != NULL ? k->types : 0, i == 1 ? TW_TYPE_INTEGER
                                               : i == 3 || i == 5
                                                   ? TW_TYPE_BOOLEAN
                                                   : 0);
    }
    tw_tools_free(&found.tools);
}

/* Each schema leads to all others, in both directions, wide and deep: the time
 * stays that of the text. */
Test(tools, hostile_schemas, .timeout = 1200)
{
    enum { COUNT = 20000 };
    char *text = malloc(COUNT * 128 + 64);
    char *defs = malloc(COUNT * 128 + 64);
    size_t size = 0;
    size_t more = (size_t)sprintf(defs, ",\"$defs\":{");
    for (size_t i = 0; i < COUNT; i++) {
        size += (size_t)sprintf(text + size,
                                "%s\"p%zu\":{\"$ref\":\"#/$defs/d%zu\"}",
                                i > 0 ? "," : "", i, i);
        more += (size_t)sprintf(
            defs + more,
            "%s\"d%zu\":{\"anyOf\":[{\"$ref\":\"#/$defs/d%zu\"},"
            "{\"$ref\":\"#/$defs/d%zu\"}]}",
            i > 0 ? "," : "", i, (i + 1) % COUNT, (i * 7 + 3) % COUNT);
    }
    sprintf(defs + more, "}");
    declared found;
    cr_assert_eq(declare_members(&found, text, defs), TW_OK);
    cr_expect_eq(types_of(&found, "p7"), 0);
    tw_tools_free(&found.tools);
    free(text);
    free(defs);
}

Test(tools, no_memory_at_each_place)
{
    static const char json[] =
        "[{\"name\":\"f\",\"parameters\":{\"properties\":{\"a\":{\"type\":"
        "\"string\"},\"b\":{}}}},\"g\"]";
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    cr_assert_eq(tw_tree_read(&tree, json, strlen(json), false), TW_OK);
    int result = TW_ERROR_MEMORY;
    for (size_t fail_at = 1; result == TW_ERROR_MEMORY; fail_at++) {
        test_memory state = {.fail_at = fail_at};
        const tw_memory limited = test_allocator(&state);
        const tw_value *where;
        tw_tools tools;
        tw_tools_init(&tools, &limited);
        result = tw_tools_set(&tools, tree.root, &where);
        cr_expect_eq(tw_tools_count(&tools), result == TW_OK ? 2 : 0);
        tw_tools_free(&tools);
        cr_expect_eq(state.live, 0);
    }
    cr_expect_eq(result, TW_OK);
    tw_tree_free(&tree);
}
