/* SPDX-License-Identifier: MIT
 *
 * One schema after another as Harmony declares it: openai/harmony's
 * TypeScript and the chat template's.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/decoding.h"
#include "toolwire.h"

typedef struct row {
    const char *properties;
    const char *renderer;
    const char *jinja;
} row;

#define TEMPLATE "                "

static const row rows[] = {
    /* `null` is said once, wherever it stands in the type. */
    {"\"a\":{\"type\":\"string\",\"nullable\":true}", "a?: string | null,\n",
     "a?: string | null,\n"},
    {"\"a\":{\"type\":[\"string\",\"null\"],\"nullable\":true}",
     "a?: string | null,\n", "a?: string | null,\n"},
    {"\"a\":{\"type\":\"string\",\"enum\":[\"null\"],\"nullable\":true}",
     "a?: \"null\",\n", "a?: \"null\",\n"},
    {"\"a\":{\"type\":[\"string\",\"null\"]},\"b\":{\"type\":\"string\","
     "\"nullable\":true}",
     "a?: string | null,\nb?: string | null,\n",
     "a?: string | null,\nb?: string | null,\n"},
    {"\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
     "\"nullable\":true}",
     "a?: string[] | null,\n", "a?: string[] | null,\n"},
    {"\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":"
     "\"boolean\"}},\"required\":[\"b\"],\"nullable\":true}",
     "a?: {\n    b: boolean,\n    } | null,\n",
     "a?: {\nb: \n" TEMPLATE "boolean},\n"},
    {"\"a\":{\"type\":\"string\",\"nullable\":false}", "a?: string,\n",
     "a?: string,\n"},
    /* Words for types. */
    {"\"a\":{\"type\":\"array\"}", "a?: Array<any>,\n", "a?: any[],\n"},
    {"\"a\":{\"type\":\"array\",\"items\":{\"type\":\"array\"}}",
     "a?: Array<any>[],\n", "a?: any[][],\n"},
    {"\"a\":{\"type\":\"odd\"}", "a?: any,\n", "a?: any,\n"},
    {"\"a\":{\"type\":\"integer\"}", "a?: number,\n", "a?: number,\n"},
    {"\"a\":{\"type\":[\"string\",\"integer\"]}", "a?: string | number,\n",
     "a?: string | integer,\n"},
    {"\"a\":{\"type\":[]}", "a?: any,\n", "a?: any,\n"},
    {"\"a\":{\"type\":[\"integer\",1,\"boolean\"]}", "a?: number | boolean,\n",
     "a?: integer | 1 | boolean,\n"},
    /* Defaults: of an enum as they are, else as JSON. */
    {"\"a\":{\"type\":\"string\",\"enum\":[\"x\",\"y\"],\"default\":\"x\"}",
     "a?: \"x\" | \"y\", // default: x\n",
     "a?: \"x\" | \"y\", // default: x,\n"},
    {"\"a\":{\"type\":\"string\",\"enum\":[],\"default\":\"x\"}",
     "a?: string, // default: \"x\"\n", "a?: string, // default: \"x\",\n"},
    {"\"a\":{\"type\":\"string\",\"enum\":[1]}", "a?: string,\n",
     "a?: \"1\",\n"},
    {"\"a\":{\"type\":\"number\",\"default\":1.50}",
     "a?: number, // default: 1.50\n", "a?: number, // default: 1.50,\n"},
    /* Objects. */
    {"\"a\":{\"type\":\"object\"}", "a?: {\n    },\n", "a?: object,\n"},
    {"\"a\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":"
     "{\"b\":{\"type\":\"string\"}}}}",
     "a?: {\n    b?: string,\n    }[],\n",
     "a?: {\nb?: \n" TEMPLATE "string}[],\n"},
    /* One of several. */
    {"\"a\":{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}",
     "a?:\n | string\n | number\n,\n", "a?: string | \nnumber,\n"},
    {"\"a\":{\"oneOf\":[]}", "a?:\n,\n", "a?: any,\n"},
    {"\"a\":{\"oneOf\":[{\"type\":\"string\",\"description\":\"s\","
     "\"default\":\"x\"},{\"type\":\"number\",\"description\":\"n\"}],"
     "\"description\":\"s\",\"default\":\"x\"}",
     "// default: \"x\"\na?:\n | string // default: \"x\"\n | number // n\n"
     ",\n",
     "// s\na?: string// s                    // default: \"x\" | \nnumber"
     "// n// default: x,\n"},
    {"\"a\":{\"type\":\"array\",\"items\":{\"oneOf\":[{\"type\":\"string\"},"
     "{\"type\":\"number\"}]}}",
     "a?: \n     | string\n     | number[],\n", "a?: string | \nnumber[],\n"},
    /* Comments. */
    {"\"a\":{\"type\":\"string\",\"title\":\"t\",\"description\":\"u\","
     "\"examples\":[\"p\",1,\"q\"]}",
     "// t\n//\n// u\n// Examples:\n// - \"p\"\n// - \"q\"\na?: string,\n",
     "// u\na?: string,\n"},
    {"\"a\":{\"type\":\"string\",\"examples\":[]}", "a?: string,\n",
     "a?: string,\n"},
};

static void check(tw_encoder *encoder, const char *properties,
                  const char *wanted)
{
    static const char front[] = "type f = (_: {\n";
    static const char back[] = "}) => any;\n";
    char request[2048];
    const char *text;
    size_t size;
    snprintf(request, sizeof request,
             "{\"messages\":[],\"tools\":[{\"name\":\"f\",\"description\":"
             "\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{%s}}}]"
             "}",
             properties);
    cr_assert_eq(tw_encode(encoder, request, strlen(request), &text, &size),
                 TW_OK, "%s", properties);
    char *copy = strndup(text, size);
    cr_assert_not_null(copy);
    const char *from = strstr(copy, front);
    cr_assert_not_null(from, "%s", copy);
    from += sizeof front - 1;
    const char *to = strstr(from, back);
    cr_assert_not_null(to, "%s", copy);
    const size_t found = (size_t)(to - from);
    cr_expect(found == strlen(wanted) && memcmp(from, wanted, found) == 0,
              "%s:\n%.*s", properties, (int)found, from);
    free(copy);
}

Test(declarations, types)
{
    tw_encoder *renderer = tw_encoder_new(tw_format_find("harmony"), NULL);
    tw_encoder *jinja = tw_encoder_new(tw_format_find("harmony/jinja"), NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(renderer, rows[i].properties, rows[i].renderer);
        check(jinja, rows[i].properties, rows[i].jinja);
    }
    tw_encoder_free(renderer);
    tw_encoder_free(jinja);
}

/* ---- required names ----------------------------------------------------- */

/* Each property of Harmony's declarations says whether it is required, in
 * whatever order the names stand. */
static void check_required(tw_encoder *encoder, unsigned subset, unsigned turn)
{
    static const char names[] = "cafbde";
    enum { NAMES = sizeof names - 1 };
    char request[1024];
    const char *text;
    size_t size;
    int end = snprintf(
        request, sizeof request,
        "{\"messages\":[],\"tools\":[{\"name\":\"f\",\"description\":\"d\","
        "\"parameters\":{\"type\":\"object\",\"required\":[\"zz\"");
    for (unsigned i = 0; i < NAMES; i++) {
        const unsigned at = (i + turn) % NAMES;
        if ((subset >> at & 1) != 0) {
            end += snprintf(request + end, sizeof request - (size_t)end,
                            ",\"%c\"", names[at]);
        }
    }
    end += snprintf(request + end, sizeof request - (size_t)end,
                    "],\"properties\":{");
    for (unsigned i = 0; i < NAMES; i++) {
        end += snprintf(request + end, sizeof request - (size_t)end,
                        "%s\"%c\":{\"type\":\"string\"}", i > 0 ? "," : "",
                        names[i]);
    }
    end += snprintf(request + end, sizeof request - (size_t)end, "}}}]}");
    cr_assert_eq(tw_encode(encoder, request, (size_t)end, &text, &size),
                 TW_OK);
    naive_bytes prompt = {0};
    naive_add(&prompt, text, size);
    for (unsigned i = 0; i < NAMES; i++) {
        char line[32];
        snprintf(line, sizeof line, "\n%c%s: string", names[i],
                 (subset >> i & 1) != 0 ? "" : "?");
        cr_expect_not_null(strstr(prompt.data, line), "%s: no %s", request,
                           line + 1);
    }
    naive_release(&prompt);
}

Test(declarations, required_in_any_order)
{
    static const char *const dialects[] = {"harmony", "harmony/jinja"};
    for (size_t i = 0; i < 2; i++) {
        tw_encoder *encoder =
            tw_encoder_new(tw_format_find(dialects[i]), NULL);
        for (unsigned subset = 0; subset < 64; subset++) {
            for (unsigned turn = 0; turn < 6; turn++) {
                check_required(encoder, subset, turn);
            }
        }
        tw_encoder_free(encoder);
    }
}
