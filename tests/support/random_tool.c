/* SPDX-License-Identifier: MIT
 *
 * Schemas, descriptions and names, each with such texts where one may stand.
 */
#include "random_tool.h"

#include <stdbool.h>
#include <string.h>

enum { DEPTH = 2, PARTS = 4 };

#define PICK(list) (list)[random_below(sizeof(list) / sizeof *(list))]

static bool one_of(uint32_t count)
{
    return random_below(count) == 0;
}

/* Some plain words, some pieces of what declarations are made of. */
static void jot_text(tw_json_out *out)
{
    static const char *const pieces[] = {
        "a",
        "b c",
        "Examples:",
        "default:",
        "default: ",
        "// ",
        "//",
        "\n",
        "\n",
        "\n// ",
        ": ",
        ",",
        ",\n",
        "}",
        "{",
        "{\n",
        " | ",
        " | \n",
        "|",
        "?",
        "a: string,",
        "b?: number,",
        "a: string",
        "enum",
        "- ",
        "- \"x\"",
        "[]",
        "[],",
        "\"",
        " ",
        "  ",
        "\r",
        "\t",
        "Array<any>",
        "any",
        "null",
        " | null",
        "string",
        "                ",
        "                    // default: 1",
        ", // default: 2",
        "type g = (_: {\n",
        "type g = () => any;\n\n",
        ") => any;\n\n",
        "}) => any;\n\n",
        " => any;\n\n",
        "} // namespace functions",
        "\n{\n",
        "\\",
        "'",
        "<",
        "Args:\n    a: b",
        "\n\n",
        "\xC3\xA9",
        "# Tools\n\n## functions\n\nnamespace functions {\n\n"};
    char text[512];
    size_t size = 0;
    for (uint32_t left = random_below(PARTS + 1); left > 0; left--) {
        const char *piece = PICK(pieces);
        memcpy(text + size, piece, strlen(piece));
        size += strlen(piece);
    }
    tw_json_put_string(out, text, size);
}

static void jot_texts(tw_json_out *out, const char *key)
{
    tw_json_put(out, ",\"");
    tw_json_put(out, key);
    tw_json_put(out, "\":[");
    for (uint32_t count = 1 + random_below(3), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        if (one_of(4)) {
            jot_text(out);
        } else {
            tw_json_put(out, i > 0 ? "\"y z\"" : "\"x\"");
        }
    }
    tw_json_put(out, "]");
}

static void jot_schema(tw_json_out *out, int depth);

static void jot_members(tw_json_out *out, int depth)
{
    static const char *const odd[] = {"a: string,", "a b", "\\\"a", "//",
                                      "x?",         "",    "type",  "a.b"};
    static const char *const names[] = {"a", "b", "c"};
    const char *used[3];
    const uint32_t count = random_below(4);
    const uint32_t required = random_below(8);
    const char *gap = "";
    tw_json_put(out, ",\"properties\":{");
    for (uint32_t i = 0; i < count; i++) {
        used[i] = i == 1 && one_of(8) ? PICK(odd) : names[i];
        tw_json_put(out, i > 0 ? ",\"" : "\"");
        tw_json_put(out, used[i]);
        tw_json_put(out, "\":");
        jot_schema(out, depth - 1);
    }
    tw_json_put(out, "}");
    if (required == 0) {
        return;
    }
    tw_json_put(out, ",\"required\":[");
    for (uint32_t i = 0; i < count; i++) {
        if ((required >> i & 1) != 0) {
            tw_json_put(out, gap);
            tw_json_put(out, "\"");
            tw_json_put(out, used[i]);
            tw_json_put(out, "\"");
            gap = ",";
        }
    }
    tw_json_put(out, "]");
}

static void jot_variants(tw_json_out *out, int depth)
{
    tw_json_put(out, ",\"oneOf\":[");
    for (uint32_t count = random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        jot_schema(out, depth - 1);
    }
    tw_json_put(out, "]");
}

static void jot_default(tw_json_out *out)
{
    static const char *const values[] = {
        "1", "\"x\"", "null", "[\"a\",{\"b\":1}]", "-1.50", "{}", "true"};
    tw_json_put(out, ",\"default\":");
    if (one_of(2)) {
        jot_text(out);
    } else {
        tw_json_put(out, PICK(values));
    }
}

static void jot_type(tw_json_out *out, int depth)
{
    static const char *const words[] = {"\"number\"",
                                        "\"integer\"",
                                        "\"boolean\"",
                                        "[\"string\",\"null\"]",
                                        "[\"string\"]",
                                        "[\"any\",\"null\"]",
                                        "[\"integer\",\"string\"]",
                                        "\"odd\"",
                                        "\"null\""};
    switch (random_below(depth > 0 ? 8 : 4)) {
    case 0:
    case 1: tw_json_put(out, "{\"type\":\"string\""); break;
    case 2:
        tw_json_put(out, "{\"type\":\"string\"");
        jot_texts(out, "enum");
        break;
    case 3:
        tw_json_put(out, "{\"type\":");
        tw_json_put(out, PICK(words));
        break;
    case 4:
    case 5:
        tw_json_put(out, "{\"type\":\"object\"");
        jot_members(out, depth);
        break;
    case 6:
        tw_json_put(out, "{\"type\":\"array\",\"items\":");
        jot_schema(out, depth - 1);
        break;
    default:
        tw_json_put(out, "{\"type\":\"string\"");
        jot_variants(out, depth);
        break;
    }
}

static void jot_schema(tw_json_out *out, int depth)
{
    jot_type(out, depth);
    if (!one_of(3)) {
        tw_json_put(out, ",\"description\":");
        jot_text(out);
    }
    if (one_of(6)) {
        tw_json_put(out, ",\"title\":");
        jot_text(out);
    }
    if (one_of(5)) {
        jot_default(out);
    }
    if (one_of(6)) {
        jot_texts(out, "examples");
    }
    if (one_of(6)) {
        tw_json_put(out,
                    one_of(4) ? ",\"nullable\":false" : ",\"nullable\":true");
    }
    tw_json_put(out, "}");
}

static void jot_tool(tw_json_out *out, const char *name)
{
    tw_json_put(out, "{\"type\":\"function\",\"function\":{\"name\":\"");
    tw_json_put(out, name);
    tw_json_put(out, "\"");
    if (!one_of(8)) {
        tw_json_put(out, ",\"description\":");
        jot_text(out);
    }
    if (!one_of(8)) {
        tw_json_put(out, ",\"parameters\":{\"type\":\"object\"");
        jot_members(out, DEPTH);
        tw_json_put(out, "}");
    }
    tw_json_put(out, "}}");
}

void random_tool_request(tw_json_out *out)
{
    tw_json_put(out, "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],"
                     "\"tools\":[");
    jot_tool(out, "f");
    if (one_of(3)) {
        tw_json_put(out, ",");
        jot_tool(out, "g");
    }
    tw_json_put(out, "]}");
}
