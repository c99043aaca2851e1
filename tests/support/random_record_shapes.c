/* SPDX-License-Identifier: MIT
 *
 * Random records of Anthropic's shape and of ShareGPT's.
 */
#include <string.h>

#include "random_record.h"
#include "random_values.h"

/* ---- Anthropic ---------------------------------------------------------- */

static void jot_image(tw_json_out *out)
{
    static const char *const sources[] = {
        "{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"iVBO\"}",
        "{\"type\":\"url\",\"url\":\"https://example.org/a.png\"}",
        "{\"type\":\"file\",\"file_id\":\"f1\"}",
        "{\"type\":\"url\",\"url\":\"https://example.org/b\",\"odd\":1}"};
    tw_json_put(out, "{\"type\":\"image\",\"source\":");
    tw_json_put(out, PICK(sources));
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_block(tw_json_out *out)
{
    switch (random_below(8)) {
    case 0: jot_image(out); break;
    case 1:
        tw_json_put(out,
                    "{\"type\":\"document\",\"source\":{\"type\":\"text\","
                    "\"data\":\"d\"}}");
        break;
    default:
        tw_json_put(out, "{\"type\":\"text\",\"text\":");
        jot_text(out);
        if (once_in(6)) {
            tw_json_put(out, ",\"citations\":[{\"type\":\"char_location\"}]");
        }
        jot_odd(out);
        tw_json_put(out, "}");
        break;
    }
}

static void jot_blocks(tw_json_out *out)
{
    tw_json_put(out, "[");
    for (uint32_t count = random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        jot_block(out);
    }
    tw_json_put(out, "]");
}

static void jot_thinking(tw_json_out *out)
{
    if (once_in(4)) {
        tw_json_put(out, "{\"type\":\"redacted_thinking\",\"data\":\"xx\"}");
        return;
    }
    tw_json_put(out, "{\"type\":\"thinking\",\"thinking\":");
    if (once_in(6)) {
        tw_json_put(out, "\"\"");
    } else {
        jot_text(out);
    }
    tw_json_put(out, once_in(2) ? ",\"signature\":\"c2ln\"" : "");
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_use(tw_json_out *out, size_t number)
{
    tw_json_put(out, "{\"type\":\"tool_use\",");
    jot_id(out, number);
    tw_json_put(out, "\"name\":\"");
    tw_json_put(out, random_name());
    tw_json_put(out, "\",\"input\":");
    tw_json_put(out, random_arguments());
    tw_json_put(out, once_in(6) ? ",\"caller\":{\"type\":\"direct\"}" : "");
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_answer(tw_json_out *out)
{
    begin_ids();
    tw_json_put(out, "{\"role\":\"assistant\",\"content\":");
    if (once_in(4)) {
        jot_text(out);
        tw_json_put(out, "}");
        return;
    }
    size_t number = 0;
    tw_json_put(out, "[");
    for (uint32_t count = random_below(5), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        switch (random_below(7)) {
        case 0:
        case 1: jot_thinking(out); break;
        case 2:
        case 3: jot_use(out, number++); break;
        case 4:
            tw_json_put(out, "{\"type\":\"server_tool_use\",\"id\":\"s\","
                             "\"name\":\"web_search\",\"input\":{}}");
            break;
        default: jot_block(out); break;
        }
    }
    tw_json_put(out, "]");
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_tool_result(tw_json_out *out)
{
    static const char *const errors[] = {"", "", ",\"is_error\":true",
                                         ",\"is_error\":false"};
    tw_json_put(out, "{\"type\":\"tool_result\"");
    if (once_in(8)) {
        tw_json_put(out, ",\"tool_use_id\":\"nobody\"");
    } else if (!once_in(6)) {
        jot_known_id(out, ",\"tool_use_id\":");
    }
    if (once_in(2)) {
        jot_text_member(out, "content");
    } else if (!once_in(4)) {
        jot_key(out, "content");
        jot_blocks(out);
    }
    tw_json_put(out, PICK(errors));
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_question(tw_json_out *out)
{
    tw_json_put(out,
                once_in(8) ? "{\"role\":\"system\"" : "{\"role\":\"user\"");
    if (once_in(3)) {
        jot_text_member(out, "content");
    } else {
        jot_key(out, "content");
        jot_blocks(out);
    }
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_results(tw_json_out *out)
{
    tw_json_put(out, "{\"role\":\"user\",\"content\":[");
    for (uint32_t count = 1 + random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        if (once_in(3)) {
            jot_block(out);
        } else {
            jot_tool_result(out);
        }
    }
    tw_json_put(out, "]");
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_anthropic_message(tw_json_out *out)
{
    switch (random_below(5)) {
    case 0:
    case 1: jot_answer(out); break;
    case 2:
    case 3: jot_results(out); break;
    default: jot_question(out); break;
    }
}

static void jot_anthropic_tools(tw_json_out *out)
{
    static const char *const choices[] = {
        ",\"tool_choice\":{\"type\":\"auto\"}",
        ",\"tool_choice\":{\"type\":\"any\"}",
        ",\"tool_choice\":{\"type\":\"none\"}",
        ",\"tool_choice\":{\"type\":\"tool\",\"name\":\"f\","
        "\"disable_parallel_tool_use\":true}",
        ",\"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":"
        "false,\"odd\":1}",
        ",\"tool_choice\":{\"type\":\"later\"}"};
    tw_json_put(out, ",\"tools\":[");
    for (uint32_t count = random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? ",{" : "{");
        if (once_in(4)) {
            tw_json_put(out,
                        "\"type\":\"web_search_20250305\",\"name\":\"w\"");
        } else {
            tw_json_put(out, once_in(4) ? "\"type\":\"custom\"," : "");
            jot_declared(out, "input_schema");
        }
        tw_json_put(out, "}");
    }
    tw_json_put(out, "]");
    if (once_in(3)) {
        tw_json_put(out, PICK(choices));
    }
}

void random_anthropic_record(tw_json_out *out)
{
    tw_json_put(out, "{\"messages\":");
    jot_messages(out, jot_anthropic_message);
    if (once_in(3)) {
        jot_text_member(out, "system");
    } else if (once_in(3)) {
        jot_key(out, "system");
        jot_blocks(out);
    }
    if (once_in(2)) {
        jot_anthropic_tools(out);
    }
    jot_odd(out);
    tw_json_put(out, "}");
}

/* ---- ShareGPT ----------------------------------------------------------- */

static void jot_turn(tw_json_out *out)
{
    static const char *const speakers[] = {
        "human", "gpt",       "human",       "gpt",  "system",   "observation",
        "user",  "assistant", "observation", "tool", "function", "bard",
        "model", "chatgpt",   "observation", "bing"};
    const bool calls = once_in(4);
    tw_json_put(out, "{\"from\":\"");
    tw_json_put(out, !calls       ? PICK(speakers)
                     : once_in(4) ? "tool_call"
                                  : "function_call");
    tw_json_put(out, "\",\"value\":");
    if (!calls) {
        if (once_in(8)) {
            tw_json_put(out, "\"\"");
        } else {
            jot_text(out);
        }
    } else if (once_in(3)) {
        tw_json_put(out,
                    "\"[{\\\"name\\\": \\\"f\\\", \\\"odd\\\": 1}, {\\\"name"
                    "\\\": \\\"g\\\", \\\"arguments\\\": {\\\"a\\\": 1.0}}]"
                    "\"");
    } else if (once_in(6)) {
        tw_json_put(out, "\"{'name': 'f', 'arguments': {'a': True}}\"");
    } else {
        jot_call_text(out);
    }
    jot_odd(out);
    tw_json_put(out, "}");
}

void random_sharegpt_record(tw_json_out *out)
{
    tw_json_put(out, "{\"conversations\":");
    jot_messages(out, jot_turn);
    if (once_in(2)) {
        jot_text_member(out, "system");
    }
    switch (random_below(4)) {
    case 0:
        jot_key(out, "tools");
        jot_tools(out, false);
        break;
    case 1:
        jot_key(out, "tools");
        jot_tools_text(out);
        break;
    case 2: tw_json_put(out, ",\"tools\":\"\""); break;
    default: break;
    }
    tw_json_put(out, once_in(6) ? ",\"tool_choice\":\"auto\"" : "");
    jot_odd(out);
    tw_json_put(out, "}");
}
