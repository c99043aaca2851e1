/* SPDX-License-Identifier: MIT
 *
 * Schemas, contents, calls and whole requests, by a generator of random
 * numbers of its own.
 */
#include "random_request.h"

#include <stdbool.h>
#include <string.h>

static uint64_t state;

void random_seed(uint64_t seed)
{
    state = seed;
}

uint32_t random_below(uint32_t count)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ (z >> 31)) >> 32) % count;
}

enum { DEPTH = 3 };

#define PICK(list) (list)[random_below(sizeof(list) / sizeof *(list))]

/* ---- values ------------------------------------------------------------- */

/* Words that no template cuts or takes for its own. */
static void jot_words(tw_json_out *out)
{
    static const char *const words[] = {
        "Hi.",
        "caf\xC3\xA9",
        "\"q\" and 'r'",
        "a\\b",
        "{x}",
        "x: y, z?",
        "\xF0\x9F\x98\x80",
        "a\n\nb",
        "1 < 2",
        "a\tb",
        "long text that goes on and on, over many words"};
    const char *text = PICK(words);
    tw_json_put_string(out, text, strlen(text));
}

static void jot_text(tw_json_out *out)
{
    static const char *const texts[] = {
        "",
        "Hi.",
        " a ",
        "\n\nb\n",
        "caf\xC3\xA9",
        "\"q\"",
        "a\\b",
        "{x}",
        "<|im_end|>",
        "a</think>b",
        "<think>\nx\n</think>\n\ny",
        "\r",
        "\t",
        "<|channel>thought\nx<channel|>y",
        "call:f{a:1}",
        "x: y",
        "// z",
        "a\n// b\nc",
        "\xF0\x9F\x98\x80",
        "<tool_response>\nx\n</tool_response>",
        "\n\n    Args:\n",
        "long text that goes on and on, over many words",
    };
    const char *text = PICK(texts);
    tw_json_put_string(out, text, strlen(text));
}

static void jot_scalar(tw_json_out *out)
{
    static const char *const scalars[] = {
        "null",
        "true",
        "false",
        "0",
        "-1.50",
        "1e3",
        "\"s\"",
        "\"a b\"",
        "12345678901234567890",
        "[]",
        "{}",
        "[1,\"b\",null]",
        "{\"k\":\"v\"}",
        "1E400",
        "\"\"",
        "[[1],[{\"a\":[]}]]",
    };
    tw_json_put(out, PICK(scalars));
}

static void jot_schema(tw_json_out *out, int depth);

static void jot_list(tw_json_out *out, int depth, const char *key)
{
    tw_json_put(out, ",\"");
    tw_json_put(out, key);
    tw_json_put(out, "\":[");
    for (uint32_t count = random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        jot_schema(out, depth - 1);
    }
    tw_json_put(out, "]");
}

static void jot_properties(tw_json_out *out, int depth)
{
    static const char *const names[] = {"a", "b_c",  "x-y", "\\u00e9",
                                        "B", "type", "p q"};
    const uint32_t count = random_below(4);
    const uint32_t first = random_below(7);
    tw_json_put(out, ",\"properties\":{");
    for (uint32_t i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? ",\"" : "\"");
        tw_json_put(out, names[(first + i) % 7]);
        tw_json_put(out, "\":");
        jot_schema(out, depth - 1);
    }
    tw_json_put(out, "}");
    if (random_below(2) == 0) {
        tw_json_put(out, ",\"required\":[");
        for (uint32_t i = 0; i < count; i++) {
            if (random_below(2) == 0) {
                tw_json_put(out, "\"");
                tw_json_put(out, names[(first + i) % 7]);
                tw_json_put(out, "\",");
            }
        }
        tw_json_put(out, random_below(3) == 0 ? "1]" : "\"a\"]");
    }
}

static void jot_keyword(tw_json_out *out, int depth)
{
    switch (random_below(14)) {
    case 0:
        tw_json_put(out, ",\"description\":");
        jot_text(out);
        break;
    case 1:
        tw_json_put(out, ",\"default\":");
        jot_scalar(out);
        break;
    case 2: tw_json_put(out, ",\"enum\":[\"a\",\"b\"]"); break;
    case 3:
        tw_json_put(out, ",\"enum\":");
        jot_scalar(out);
        break;
    case 4: tw_json_put(out, ",\"nullable\":true"); break;
    case 5:
        tw_json_put(out, ",\"title\":");
        jot_text(out);
        break;
    case 6:
        tw_json_put(out, ",\"examples\":");
        jot_scalar(out);
        break;
    case 7: tw_json_put(out, ",\"examples\":[\"a\",1,null]"); break;
    case 8: jot_list(out, depth, "oneOf"); break;
    case 9: jot_list(out, depth, "anyOf"); break;
    case 10:
        tw_json_put(out, ",\"items\":");
        jot_schema(out, depth - 1);
        break;
    case 11: tw_json_put(out, ",\"additionalProperties\":false"); break;
    case 12: tw_json_put(out, ",\"format\":\"date\",\"$ref\":\"#/x\""); break;
    default: jot_properties(out, depth); break;
    }
}

static void jot_schema(tw_json_out *out, int depth)
{
    static const char *const types[] = {
        "\"string\"",    "\"integer\"", "\"number\"", "\"boolean\"",
        "\"object\"",    "\"array\"",   "\"null\"",   "[\"string\",\"null\"]",
        "[\"integer\"]", "[]",          "\"odd\"",    "7"};
    if (depth < 0 || random_below(30) == 0) {
        jot_scalar(out);
        return;
    }
    tw_json_put(out, "{\"type\":");
    tw_json_put(out, PICK(types));
    for (uint32_t left = random_below(4); left > 0; left--) {
        jot_keyword(out, depth);
    }
    tw_json_put(out, "}");
}

/* ---- requests ----------------------------------------------------------- */

static void jot_tool(tw_json_out *out)
{
    const bool wrapped = random_below(4) > 0;
    tw_json_put(out, wrapped
                         ? "{\"type\":\"function\",\"function\":{\"name\":\""
                         : "{\"name\":\"");
    tw_json_put(out, random_below(2) == 0 ? "f" : "get_weather");
    tw_json_put(out, "\"");
    if (random_below(4) > 0) {
        tw_json_put(out, ",\"description\":");
        jot_text(out);
    }
    if (random_below(6) > 0) {
        tw_json_put(out, ",\"parameters\":");
        if (random_below(5) > 0) {
            tw_json_put(out, "{\"type\":\"object\"");
            jot_properties(out, DEPTH);
            tw_json_put(out, "}");
        } else {
            jot_schema(out, DEPTH);
        }
    }
    if (random_below(5) == 0) {
        tw_json_put(out, random_below(2) == 0
                             ? ",\"return\":{\"type\":\"string\","
                               "\"description\":\"d\"}"
                             : ",\"response\":{\"type\":\"OBJECT\"},"
                               "\"strict\":true");
    }
    tw_json_put(out, wrapped ? "}}" : "}");
}

static void jot_content(tw_json_out *out)
{
    switch (random_below(8)) {
    case 0: tw_json_put(out, "null"); break;
    case 1:
        tw_json_put(out, "[{\"type\":\"text\",\"text\":");
        jot_text(out);
        tw_json_put(out,
                    "},{\"type\":\"image_url\"},\"s\",{\"type\":\"text\"}]");
        break;
    case 2: jot_scalar(out); break;
    case 3: tw_json_put(out, "[{\"type\":\"text\",\"text\":\"a\"}]"); break;
    default: jot_text(out); break;
    }
}

static void jot_arguments(tw_json_out *out)
{
    static const char *const forms[] = {
        "\"{}\"",
        "\"{\\\"b\\\":1,\\\"a\\\":\\\"x\\\"}\"",
        "\"\"",
        "null",
        "{\"z\":[1,{\"y\":null}],\"a\":true}",
        "{}",
        "\"{\\\"a\\\": 1.0}\"",
        "{\"k k\":\"v\"}",
        "\"no JSON\""};
    tw_json_put(out, PICK(forms));
}

static void jot_calls(tw_json_out *out)
{
    static const char *const names[] = {
        "f", "get_weather", "python", "browser.search", "a b", ""};
    tw_json_put(out, ",\"tool_calls\":[");
    for (uint32_t count = random_below(3), i = 0; i <= count; i++) {
        tw_json_put(out, i > 0 ? ",{" : "{");
        if (random_below(3) > 0) {
            tw_json_put(out, random_below(2) == 0 ? "\"id\":\"call_"
                                                  : "\"id\":\"x");
            tw_json_put_number(out, i);
            tw_json_put(out, "\",");
        }
        tw_json_put(out, random_below(8) == 0
                             ? "\"type\":\"custom\",\"custom\":{\"name\":"
                               "\"python\",\"input\":\"1\",\"x\":0}"
                             : "\"type\":\"function\"");
        if (random_below(12) > 0) {
            tw_json_put(out, ",\"function\":{\"name\":\"");
            tw_json_put(out, PICK(names));
            tw_json_put(out, "\"");
            if (random_below(8) > 0) {
                tw_json_put(out, ",\"arguments\":");
                jot_arguments(out);
            }
            tw_json_put(out, "}");
        }
        tw_json_put(out, "}");
    }
    tw_json_put(out, "]");
}

static void jot_message(tw_json_out *out)
{
    static const char *const roles[] = {"user",      "assistant", "assistant",
                                        "assistant", "tool",      "tool",
                                        "system",    "developer", "function"};
    static const char *const reasoning[] = {"reasoning", "reasoning_content",
                                            "thinking"};
    const char *role = PICK(roles);
    tw_json_put(out, "{\"role\":\"");
    tw_json_put(out, role);
    tw_json_put(out, "\"");
    if (random_below(10) > 0) {
        tw_json_put(out, ",\"content\":");
        jot_content(out);
    }
    if (random_below(8) == 0) {
        tw_json_put(out, ",\"name\":\"f\"");
    }
    if (role[0] == 'a' && random_below(2) == 0) {
        jot_calls(out);
    }
    if (role[0] == 'a' && random_below(16) == 0) {
        tw_json_put(
            out, ",\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}");
    }
    if (role[0] == 'a' && random_below(3) == 0) {
        tw_json_put(out, ",\"");
        tw_json_put(out, PICK(reasoning));
        tw_json_put(out, "\":");
        jot_text(out);
    }
    if (role[0] == 'a' && random_below(12) == 0) {
        tw_json_put(out, ",\"tool_responses\":[{\"name\":\"f\",\"response\":");
        jot_scalar(out);
        tw_json_put(out, "}]");
    }
    if (role[0] == 't' && random_below(3) > 0) {
        tw_json_put(out, ",\"tool_call_id\":\"");
        tw_json_put(out, random_below(2) == 0 ? "call_0\"" : "x1\"");
    }
    tw_json_put(out, "}");
}

void random_request(tw_json_out *out)
{
    static const char *const settings[] = {
        "\"enable_thinking\":false",
        "\"enable_thinking\":true",
        "\"preserve_thinking\":true",
        "\"reasoning_effort\":\"high\"",
        "\"model_identity\":\"I\"",
        "\"builtin_tools\":[\"browser\",\"python\"]",
        "\"date\":\"2026-01-02\"",
        "\"preserve_thinking\":false"};
    tw_json_put(out, "{\"messages\":[");
    for (uint32_t count = random_below(6), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        jot_message(out);
    }
    tw_json_put(out, "]");
    if (random_below(3) > 0) {
        tw_json_put(out, ",\"tools\":[");
        for (uint32_t count = random_below(3), i = 0; i <= count; i++) {
            tw_json_put(out, i > 0 ? "," : "");
            jot_tool(out);
        }
        tw_json_put(out, "]");
    }
    if (random_below(3) == 0) {
        tw_json_put(out, ",\"add_generation_prompt\":true");
    }
    if (random_below(2) == 0) {
        tw_json_put(out, ",\"chat_template_kwargs\":{");
        tw_json_put(out, PICK(settings));
        tw_json_put(out, "}");
    }
    tw_json_put(out, "}");
}

/* ---- plain requests ----------------------------------------------------- */

static void jot_plain_schema(tw_json_out *out, int depth);

static void jot_plain_members(tw_json_out *out, int depth)
{
    static const char *const names[] = {"a", "b_c", "\\u00e9", "B", "type"};
    const uint32_t count = 1 + random_below(4);
    const uint32_t first = random_below(5);
    const uint32_t required = random_below(1u << count);
    const char *gap = "";
    tw_json_put(out, ",\"properties\":{");
    for (uint32_t i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? ",\"" : "\"");
        tw_json_put(out, names[(first + i) % 5]);
        tw_json_put(out, "\":");
        jot_plain_schema(out, depth - 1);
    }
    tw_json_put(out, required != 0 ? "},\"required\":[" : "}");
    for (uint32_t i = 0; i < count; i++) {
        if ((required >> i & 1) != 0) {
            tw_json_put(out, gap);
            tw_json_put(out, "\"");
            tw_json_put(out, names[(first + i) % 5]);
            tw_json_put(out, "\"");
            gap = ",";
        }
    }
    tw_json_put(out, required != 0 ? "]" : "");
}

static void jot_plain_text(tw_json_out *out, const char *key)
{
    tw_json_put(out, ",\"");
    tw_json_put(out, key);
    tw_json_put(out, "\":");
    jot_words(out);
}

static void jot_plain_string(tw_json_out *out)
{
    static const char *const defaults[] = {"\"x\"", "\"\"", "\"a b\""};
    static const char *const enums[] = {"[\"x\",\"y z\",\"\\u00e9\"]",
                                        "[\"x\"]", "[\"a\\\"b\",\"c\"]"};
    if (random_below(3) == 0) {
        tw_json_put(out, ",\"enum\":");
        tw_json_put(out, PICK(enums));
    }
    if (random_below(4) == 0) {
        tw_json_put(out, ",\"default\":");
        tw_json_put(out, PICK(defaults));
    }
    if (random_below(5) == 0) {
        tw_json_put(out, ",\"examples\":[\"p\",\"q r\"]");
    }
}

/* A schema that says one thing of each kind. */
static void jot_plain_schema(tw_json_out *out, int depth)
{
    static const char *const numbers[] = {"integer", "number"};
    static const char *const defaults[] = {"0", "7", "-1.5"};
    tw_json_put(out, "{\"type\":\"");
    const uint32_t kind = random_below(depth > 0 ? 6 : 4);
    if (kind < 2) {
        tw_json_put(out, "string\"");
        jot_plain_string(out);
    } else if (kind == 2) {
        tw_json_put(out, PICK(numbers));
        tw_json_put(out, random_below(3) > 0 ? "\"" : "\",\"default\":");
        if (out->out.data[out->out.size - 1] == ':') {
            tw_json_put(out, PICK(defaults));
        }
    } else if (kind == 3) {
        tw_json_put(out, random_below(3) > 0 ? "boolean\""
                                             : "boolean\",\"default\":false");
    } else if (kind == 4) {
        tw_json_put(out, "array\",\"items\":");
        jot_plain_schema(out, depth - 1);
    } else {
        tw_json_put(out, "object\"");
        jot_plain_members(out, depth);
    }
    if (random_below(2) == 0) {
        jot_plain_text(out, "description");
    }
    if (random_below(6) == 0) {
        jot_plain_text(out, "title");
    }
    if (kind >= 2 && kind <= 3 && random_below(4) == 0) {
        tw_json_put(out, ",\"nullable\":true");
    }
    tw_json_put(out, "}");
}

static void jot_plain_tool(tw_json_out *out, const char *name)
{
    tw_json_put(out, "{\"type\":\"function\",\"function\":{\"name\":\"");
    tw_json_put(out, name);
    tw_json_put(out, "\"");
    jot_plain_text(out, "description");
    tw_json_put(out, ",\"parameters\":{\"type\":\"object\"");
    jot_plain_members(out, DEPTH);
    tw_json_put(out, "}}}");
}

static void jot_plain_call(tw_json_out *out, uint32_t id)
{
    static const char *const arguments[] = {
        "{}", "{\\\"b\\\":1,\\\"a\\\":\\\"x\\\"}",
        "{\\\"a\\\":[1,{\\\"k\\\":null}]}"};
    tw_json_put(out, "{\"id\":\"call_");
    tw_json_put_number(out, id);
    tw_json_put(out, "\",\"type\":\"function\",\"function\":{\"name\":\"");
    tw_json_put(out, random_below(2) == 0 ? "f" : "get_weather");
    tw_json_put(out, "\",\"arguments\":\"");
    tw_json_put(out, PICK(arguments));
    tw_json_put(out, "\"}}");
}

static void jot_said(tw_json_out *out, const char *role)
{
    tw_json_put(out, ",{\"role\":\"");
    tw_json_put(out, role);
    tw_json_put(out, "\",\"content\":");
    jot_words(out);
    tw_json_put(out, "}");
}

/* A turn of the assistant, and the results of its calls. */
static void jot_plain_turn(tw_json_out *out, uint32_t *ids)
{
    const uint32_t calls = random_below(3);
    tw_json_put(out, ",{\"role\":\"assistant\",\"content\":");
    if (calls > 0 || random_below(6) == 0) {
        /* Content beside calls has other places. */
        tw_json_put(out, "null");
    } else {
        jot_words(out);
    }
    if (random_below(3) == 0) {
        tw_json_put(out, ",\"reasoning_content\":");
        jot_words(out);
    }
    for (uint32_t i = 0; i < calls; i++) {
        tw_json_put(out, i > 0 ? "," : ",\"tool_calls\":[");
        jot_plain_call(out, *ids + i);
    }
    tw_json_put(out, calls > 0 ? "]}" : "}");
    for (uint32_t i = 0; i < calls; i++) {
        tw_json_put(out, ",{\"role\":\"tool\",\"tool_call_id\":\"call_");
        tw_json_put_number(out, *ids + i);
        tw_json_put(out, "\",\"content\":");
        jot_words(out);
        tw_json_put(out, "}");
    }
    *ids += calls;
}

void random_plain_request(tw_json_out *out)
{
    uint32_t ids = 0;
    uint32_t answered = 0; /* what |ids| was before the last turn */
    const bool system = random_below(4) > 0;
    tw_json_put(out, "{\"messages\":[");
    tw_json_put(out, system ? "{\"role\":\"system\",\"content\":"
                            : "{\"role\":\"user\",\"content\":");
    jot_words(out);
    tw_json_put(out, "}");
    for (uint32_t left = random_below(4); left > 0; left--) {
        if (random_below(8) == 0) {
            jot_said(out, "system");
        }
        /* A template makes one message of two that stand side by side. */
        if (ids == answered || random_below(4) > 0) {
            jot_said(out, "user");
        }
        answered = ids;
        jot_plain_turn(out, &ids);
    }
    tw_json_put(out, "]");
    if (random_below(3) > 0) {
        tw_json_put(out, ",\"tools\":[");
        jot_plain_tool(out, "f");
        if (random_below(3) == 0) {
            tw_json_put(out, ",");
            jot_plain_tool(out, "g");
        }
        tw_json_put(out, "]");
    }
    if (random_below(3) == 0) {
        tw_json_put(out, ",\"add_generation_prompt\":true");
    }
    tw_json_put(out, "}");
}
