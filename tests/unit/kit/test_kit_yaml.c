/* SPDX-License-Identifier: MIT
 *
 * YAML as fixtures of parsers have it: what is read, what is refused and
 * where, and what is left where memory fails.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "allocator.h"
#include "kit/ask/yaml.h"

typedef struct reading {
    const char *yaml;
    const char *json;
} reading;

static const reading readings[] = {
    {"", "null"},
    {"a: 1\nb:\n- x\n- y: 2\n  z: 'it''s'\n",
     "{\"a\":1,\"b\":[\"x\",{\"y\":2,\"z\":\"it's\"}]}"},
    {"# c\n---\nfamily: x # y\nu: http://a:b#c\nt: <|a|>\n",
     "{\"family\":\"x\",\"u\":\"http://a:b#c\",\"t\":\"<|a|>\"}"},
    {"a: &q\n  d: []\n  e: {}\nf: *q\ng:\n- &r\n  n: 1\n- *r\n",
     "{\"a\":{\"d\":[],\"e\":{}},\"f\":{\"d\":[],\"e\":{}},\"g\":[{\"n\":1},"
     "{\"n\":1}]}"},
    /* A name that is given twice is the one that was given last. */
    {"a: &q 1\nb: &q 2\nc: *q\n", "{\"a\":1,\"b\":2,\"c\":2}"},
    {"m: |-\n  ab\n    cd\n\n  ef\nn: |\n  x\n\no: |+\n  y\n\np: z\n",
     "{\"m\":\"ab\\n  cd\\n\\nef\",\"n\":\"x\\n\",\"o\":\"y\\n\\n\","
     "\"p\":\"z\"}"},
    {"p: hi\n   there\n\n   you\nq: \"a \\\n  \\ b\\u00e9\\n\\x41\"\n",
     "{\"p\":\"hi there\\nyou\",\"q\":\"a  b\xC3\xA9\\nA\"}"},
    {"q: 'a\n\n\n  b\n  c'\n", "{\"q\":\"a\\n\\nb c\"}"},
    {"x: \"\\0\\a\\v\\e\\N\\_\\L\\P\\U0001F9A6\"\n",
     "{\"x\":\"\\u0000\\u0007\\u000b\\u001b\xC2\x85\xC2\xA0\xE2\x80\xA8"
     "\xE2\x80\xA9\xF0\x9F\xA6\xA6\"}"},
    {"a: [1, -2.5, x y, \"1\", {b: null, \"c\":[]}]\n",
     "{\"a\":[1,-2.5,\"x y\",\"1\",{\"b\":null,\"c\":[]}]}"},
    {"a:\nb: ~\nc: null\nd: True\ne: no\nf: 007\ng: ''\n",
     "{\"a\":null,\"b\":null,\"c\":null,\"d\":true,\"e\":\"no\","
     "\"f\":\"007\",\"g\":\"\"}"},
    {"'null': 1\n? : 2\n", NULL},
    {"- - 1\n  - 2\n- a: b\n  c: d\n-\n  - x\n",
     "[[1,2],{\"a\":\"b\",\"c\":\"d\"},[\"x\"]]"},
    {"a: b\r\nc:\r\n- d\r\n", "{\"a\":\"b\",\"c\":[\"d\"]}"},
    {"{\"a\":[1,\n 2],\"b\":\"x\\u00e9\"}\n",
     "{\"a\":[1,2],\"b\":\"x\xC3\xA9\"}"},
};

/* What is refused, and where. */
static const struct {
    const char *yaml;
    size_t line;
    size_t column;
    const char *why; /* a part of it */
} refusals[] = {
    {"a: !t x\n", 1, 4, "no scalar"},
    {"a: >\n b\n", 1, 4, "no scalar"},
    {"%YAML 1.2\n", 1, 1, "no scalar"},
    {"a: b: c\n", 1, 5, "fits nowhere"},
    {"a: 'x\n", 2, 1, "not closed"},
    {"a: [1, 2", 1, 9, "comma"},
    {"a: {b, c}\n", 1, 6, "colon"},
    {"- a\nb: c\n", 2, 1, "dash"},
    {"a: 1\n   b: 2\n", 2, 5, "fits nowhere"},
    {"a: *no\n", 1, 7, "anchor"},
    {"? a\n: b\n", 1, 1, "no scalar"},
    {"x: &y {a: 1}\n<<: *y\n", 2, 3, "merge"},
    {"a: \"\\q\"\n", 1, 6, "escape"},
    {"a: \"\\ud800\"\n", 1, 11, "no character"},
    {"a: |2\n  x\n", 1, 5, "blocks"},
    {"a: 1\n---\nb: 2\n", 2, 1, "key"},
    {"a: 1\nb\n", 2, 1, "key"},
};

Test(kit_yaml, is_read)
{
    const tw_memory memory = tw_memory_from(NULL);
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const reading *one = &readings[i];
        tw_json_out out = {.memory = &memory};
        kit_yaml_error error = {"", 0, 0};
        const bool good =
            kit_yaml_read(&out, one->yaml, strlen(one->yaml), &error);
        cr_expect_eq(good, one->json != NULL, "%s: %zu:%zu: %s", one->yaml,
                     error.line, error.column, error.why);
        if (good && one->json != NULL) {
            cr_expect(out.out.size == strlen(one->json) &&
                          memcmp(out.out.data, one->json, out.out.size) == 0,
                      "%s: %.*s", one->yaml, (int)out.out.size,
                      (const char *)out.out.data);
        }
        tw_buffer_free(&out.out, &memory);
    }
}

Test(kit_yaml, is_refused_with_the_place)
{
    const tw_memory memory = tw_memory_from(NULL);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const char *yaml = refusals[i].yaml;
        tw_json_out out = {.memory = &memory};
        kit_yaml_error error = {"", 0, 0};
        cr_expect_not(kit_yaml_read(&out, yaml, strlen(yaml), &error), "%s",
                      yaml);
        cr_expect(strstr(error.why, refusals[i].why) != NULL, "%s: %s", yaml,
                  error.why);
        cr_expect(error.line == refusals[i].line &&
                      error.column == refusals[i].column,
                  "%s: %zu:%zu", yaml, error.line, error.column);
        tw_buffer_free(&out.out, &memory);
    }
}

/* Every beginning of every text ends, within its bytes. */
Test(kit_yaml, beginnings_end)
{
    const tw_memory memory = tw_memory_from(NULL);
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const size_t size = strlen(readings[i].yaml);
        for (size_t cut = 0; cut <= size; cut++) {
            char *text = malloc(cut + 1); /* its end is that of the block */
            tw_json_out out = {.memory = &memory};
            kit_yaml_error error;
            cr_assert_not_null(text);
            memcpy(text, readings[i].yaml, cut);
            (void)kit_yaml_read(&out, text, cut, &error);
            tw_buffer_free(&out.out, &memory);
            free(text);
        }
    }
}

/* Aliases of aliases, and nodes in nodes, are bounded. */
Test(kit_yaml, bombs_are_refused)
{
    const tw_memory memory = tw_memory_from(NULL);
    char text[4096] = "a0: &a0 [xxxxxxxxxx, xxxxxxxxxx]\n";
    size_t size = strlen(text);
    for (int i = 1; i < 12; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++) {
            size += (size_t)snprintf(text + size, sizeof text - size, "*a%d%s",
                                     i - 1, j < 9 ? ", " : "]\n");
        }
    }
    tw_json_out out = {.memory = &memory};
    kit_yaml_error error = {"", 0, 0};
    cr_assert_not(kit_yaml_read(&out, text, size, &error));
    cr_assert(strstr(error.why, "64 MiB") != NULL, "%s", error.why);
    tw_buffer_free(&out.out, &memory);
    memset(text, '[', sizeof text);
    out = (tw_json_out){.memory = &memory};
    cr_assert_not(kit_yaml_read(&out, text, sizeof text, &error));
    cr_assert(strstr(error.why, "100 deep") != NULL, "%s", error.why);
    tw_buffer_free(&out.out, &memory);
}

Test(kit_yaml, memory_that_fails)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const char *yaml = readings[i].yaml;
        bool good = readings[i].json == NULL;
        for (size_t at = 1; !good; at++) {
            test_memory failing = {.fail_at = at};
            const tw_allocator allocator = test_allocator(&failing);
            const tw_memory memory = tw_memory_from(&allocator);
            tw_json_out out = {.memory = &memory};
            kit_yaml_error error;
            good = kit_yaml_read(&out, yaml, strlen(yaml), &error);
            cr_assert(good || out.failed, "%s", yaml);
            tw_buffer_free(&out.out, &memory);
            cr_assert_eq(failing.live, 0);
        }
    }
}
