/* SPDX-License-Identifier: MIT
 *
 * One maker for each shape, of the values in random_values.h.
 */
#include "random_record.h"

#include <string.h>

#include "random_values.h"

/* ---- OpenAI: contents --------------------------------------------------- */

static void jot_part(tw_json_out *out, bool assistant)
{
    switch (random_below(10)) {
    case 0:
        tw_json_put(out, "{\"type\":\"image_url\",\"image_url\":{\"url\":");
        jot_images_url(out);
        tw_json_put(out, once_in(2) ? ",\"detail\":\"low\"" : "");
        tw_json_put(out, "}");
        jot_odd(out);
        tw_json_put(out, "}");
        break;
    case 1:
        tw_json_put(out, "{\"type\":\"input_audio\",\"input_audio\":{\"data\":"
                         "\"AA==\",\"format\":\"wav\"}}");
        break;
    case 2:
        tw_json_put(out, "{\"type\":\"file\",\"file\":{\"file_id\":\"f1\"}}");
        break;
    case 3: jot_text(out); break;
    case 4:
        tw_json_put(out, assistant ? "{\"type\":\"refusal\",\"refusal\":"
                                   : "{\"type\":\"text\",\"text\":");
        jot_text(out);
        tw_json_put(out, "}");
        break;
    default:
        tw_json_put(out, "{\"type\":\"text\",\"text\":");
        jot_text(out);
        jot_odd(out);
        tw_json_put(out, "}");
        break;
    }
}

static void jot_content(tw_json_out *out, bool assistant)
{
    switch (random_below(8)) {
    case 0: return;
    case 1: tw_json_put(out, ",\"content\":null"); return;
    case 2: tw_json_put(out, ",\"content\":\"\""); return;
    case 3:
    case 4: break;
    default: jot_text_member(out, "content"); return;
    }
    tw_json_put(out, ",\"content\":[");
    for (uint32_t count = random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        jot_part(out, assistant);
    }
    tw_json_put(out, "]");
}

/* ---- OpenAI: calls ------------------------------------------------------ */

static void jot_function(tw_json_out *out)
{
    const char *arguments = random_arguments();
    tw_json_put(out, "\"name\":\"");
    tw_json_put(out, random_name());
    tw_json_put(out, "\"");
    switch (random_below(8)) {
    case 0: break;
    case 1: tw_json_put(out, ",\"arguments\":null"); break;
    case 2: tw_json_put(out, ",\"arguments\":\"\""); break;
    case 3:
        tw_json_put(out, ",\"arguments\":");
        tw_json_put(out, arguments);
        break;
    default:
        tw_json_put(out, ",\"arguments\":");
        tw_json_put_string(out, arguments, strlen(arguments));
        break;
    }
}

static void jot_call(tw_json_out *out, size_t number)
{
    const uint32_t form = random_below(12);
    tw_json_put(out, "{");
    jot_id(out, number);
    if (form == 0) {
        tw_json_put(
            out, "\"type\":\"custom\",\"custom\":{\"name\":\"py\",\"input\":");
        jot_text(out);
        tw_json_put(out, "}");
    } else if (form == 1) {
        jot_function(out);
    } else {
        tw_json_put(out, once_in(4) ? "" : "\"type\":\"function\",");
        tw_json_put(out, "\"function\":{");
        jot_function(out);
        jot_odd(out);
        tw_json_put(out, "}");
    }
    if (once_in(10)) {
        jot_key(out, "index");
        tw_json_put_number(out, once_in(3) ? number + 1 : number);
    }
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_calls(tw_json_out *out)
{
    begin_ids();
    if (once_in(8)) {
        tw_json_put(out, ",\"function_call\":{");
        jot_function(out);
        jot_odd(out);
        tw_json_put(out, "}");
        return;
    }
    tw_json_put(out, ",\"tool_calls\":[");
    for (uint32_t count = random_below(4), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        jot_call(out, i);
    }
    tw_json_put(out, "]");
}

/* ---- OpenAI: messages --------------------------------------------------- */

static void jot_padding(tw_json_out *out)
{
    static const char *const padding[] = {
        ",\"name\":null", ",\"tool_calls\":null", ",\"function_call\":null",
        ",\"tool_call_id\":null"};
    if (once_in(6)) {
        tw_json_put(out, PICK(padding));
    }
}

static void jot_assistant(tw_json_out *out)
{
    static const char *const reasoning[] = {"reasoning_content", "reasoning",
                                            "thinking"};
    const bool calls = once_in(2);
    tw_json_put(out, "{\"role\":\"assistant\"");
    jot_content(out, true);
    if (once_in(3)) {
        const uint32_t name = random_below(3);
        jot_text_member(out, reasoning[name]);
        if (once_in(4)) {
            jot_text_member(out, reasoning[(name + 1) % 3]);
        }
    }
    if (calls) {
        jot_calls(out);
    }
    if (once_in(6)) {
        jot_text_member(out, "refusal");
    } else {
        tw_json_put(out,
                    once_in(6) ? ",\"refusal\":null,\"annotations\":[]" : "");
    }
    if (once_in(6)) {
        tw_json_put(out, ",\"weight\":0");
    }
    if (once_in(8)) {
        tw_json_put(out, ",\"audio\":{\"id\":\"a1\"}");
    }
    if (once_in(8)) {
        tw_json_put(out, ",\"annotations\":[{\"type\":\"url_citation\"}]");
    }
    if (once_in(8)) {
        jot_text_member(out, "name");
    }
    if (!calls) {
        jot_padding(out);
    }
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_result(tw_json_out *out)
{
    tw_json_put(out,
                once_in(6) ? "{\"role\":\"function\"" : "{\"role\":\"tool\"");
    switch (random_below(6)) {
    case 0: break;
    case 1: tw_json_put(out, ",\"tool_call_id\":null"); break;
    case 2: tw_json_put(out, ",\"tool_call_id\":\"nobody\""); break;
    default: jot_known_id(out, ",\"tool_call_id\":"); break;
    }
    if (once_in(3)) {
        tw_json_put(out, ",\"name\":\"");
        tw_json_put(out, random_name());
        tw_json_put(out, "\"");
    }
    jot_content(out, false);
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_message(tw_json_out *out)
{
    static const char *const roles[] = {"user", "user", "system", "developer"};
    const uint32_t kind = random_below(8);
    if (kind < 3) {
        jot_assistant(out);
        return;
    }
    if (kind < 5) {
        jot_result(out);
        return;
    }
    tw_json_put(out, "{\"role\":\"");
    tw_json_put(out, PICK(roles));
    tw_json_put(out, "\"");
    jot_content(out, false);
    if (once_in(6)) {
        jot_text_member(out, "name");
    }
    jot_padding(out);
    jot_odd(out);
    tw_json_put(out, "}");
}

/* ---- OpenAI: tools and records ------------------------------------------ */

static void jot_openai_tools(tw_json_out *out)
{
    static const char *const choices[] = {
        ",\"tool_choice\":\"auto\"",
        ",\"tool_choice\":\"none\"",
        ",\"tool_choice\":\"required\"",
        (",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":"
         "\"f\"}}"),
        ",\"function_call\":\"auto\"",
        ",\"function_call\":{\"name\":\"f\"}",
        ",\"tool_choice\":{\"type\":\"allowed_tools\",\"allowed_tools\":{}}"};
    switch (random_below(6)) {
    case 0: break;
    case 1:
        jot_key(out, "functions");
        jot_tools(out, true);
        break;
    case 2:
        jot_key(out, "tools");
        jot_tools_text(out);
        break;
    default:
        jot_key(out, "tools");
        jot_tools(out, false);
        break;
    }
    if (once_in(3)) {
        tw_json_put(out, PICK(choices));
    }
    if (once_in(4)) {
        tw_json_put(out, once_in(2) ? ",\"parallel_tool_calls\":false"
                                    : ",\"parallel_tool_calls\":true");
    }
}

static void openai_record(tw_json_out *out)
{
    tw_json_put(out, once_in(10) ? "{\"conversations\":" : "{\"messages\":");
    jot_messages(out, jot_message);
    jot_openai_tools(out);
    jot_odd(out);
    tw_json_put(out, "}");
}

/* ---- OpenAI with LLaMA-Factory's parts ---------------------------------- */

static void jot_value_part(tw_json_out *out, const char *type)
{
    tw_json_put(out, "{\"type\":\"");
    tw_json_put(out, type);
    tw_json_put(out, "\",\"value\":");
    if (strcmp(type, "tool_call") == 0) {
        jot_call_text(out);
    } else {
        jot_text(out);
    }
    jot_odd(out);
    tw_json_put(out, "}");
}

static void jot_parted_message(tw_json_out *out)
{
    static const char *const roles[] = {"user", "assistant", "assistant",
                                        "tool", "system"};
    const char *role = PICK(roles);
    const bool assistant = role[0] == 'a';
    tw_json_put(out, "{\"role\":\"");
    tw_json_put(out, role);
    tw_json_put(out, "\",\"content\":[");
    if (assistant && once_in(2)) {
        jot_value_part(out, "reasoning");
        tw_json_put(out, ",");
    }
    jot_value_part(out, assistant && once_in(2)    ? "tool_call"
                        : !assistant && once_in(6) ? "image_url"
                                                   : "text");
    if (once_in(2)) {
        tw_json_put(out, ",");
        jot_value_part(out, assistant && once_in(2) ? "tool_call" : "text");
    }
    tw_json_put(out, "]");
    tw_json_put(out, once_in(4) ? ",\"loss_weight\":0.5" : "");
    jot_odd(out);
    tw_json_put(out, "}");
}

static void parted_record(tw_json_out *out)
{
    tw_json_put(out, "{\"messages\":");
    jot_messages(out, jot_parted_message);
    jot_openai_tools(out);
    jot_odd(out);
    tw_json_put(out, "}");
}

/* ---- records ------------------------------------------------------------ */

void random_record(tw_json_out *out, const char *shape)
{
    static const struct {
        const char *shape;
        void (*put)(tw_json_out *);
    } shapes[] = {{"openai", openai_record},
                  {"parted", parted_record},
                  {"anthropic", random_anthropic_record},
                  {"sharegpt", random_sharegpt_record}};
    forget_ids();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(shape, shapes[i].shape) == 0) {
            shapes[i].put(out);
        }
    }
}
