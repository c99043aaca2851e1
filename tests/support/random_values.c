/* SPDX-License-Identifier: MIT
 *
 * Words, names, ids, arguments and schemas, with the odd values that logs
 * hold.
 */
#include "random_values.h"

#include <string.h>

bool once_in(uint32_t count)
{
    return random_below(count) == 0;
}

/* ---- values ------------------------------------------------------------- */

/* No two texts of a record are the same, so that none stands for another. */
static size_t texts;

/* What stands between the quotes of a string. */
static void jot_words(tw_json_out *out)
{
    static const char *const words[] = {
        "Hi",  "caf\\u00e9",     "a\\nb", "\\\"q\\\" \\\\ ", "\\ud83d\\ude00",
        "<b>", "{\\\"k\\\": 1}", "x  y"};
    tw_json_put(out, PICK(words));
    tw_json_put(out, once_in(16) ? "\\ud800" : "");
    tw_json_put(out, " ");
    tw_json_put_number(out, texts++);
}

void jot_text(tw_json_out *out)
{
    tw_json_put(out, "\"");
    jot_words(out);
    tw_json_put(out, "\"");
}

/* `,"KEY":` */
void jot_key(tw_json_out *out, const char *key)
{
    tw_json_put(out, ",\"");
    tw_json_put(out, key);
    tw_json_put(out, "\":");
}

void jot_text_member(tw_json_out *out, const char *key)
{
    jot_key(out, key);
    jot_text(out);
}

/* A member that no shape has, at times. */
void jot_odd(tw_json_out *out)
{
    static const char *const odd[] = {"7",
                                      "1.50",
                                      "true",
                                      "false",
                                      "{\"a\":[1,null]}",
                                      "null",
                                      "\"\"",
                                      "[]",
                                      "{}",
                                      "[\"x\"]",
                                      "\"s\"",
                                      "1E400",
                                      "{\"from\":\"\"}"};
    static const char *const keys[] = {"odd", "odd_2", "cache_control",
                                       "metadata"};
    if (once_in(8)) {
        jot_key(out, PICK(keys));
        tw_json_put(out, PICK(odd));
    }
}

const char *random_arguments(void)
{
    static const char *const arguments[] = {
        "{\"a\": 1}",
        "{}",
        "{\"b\":1.50,\"a\":\"x\"}",
        "{\"a\":[1,{\"k\":null}],\"d\":{}}",
        "{\"z\":12345678901234567890,\"caf\\u00e9\":\"\\\"\\\\\"}",
        "{\"half\":\"\\ud800\"}"};
    return PICK(arguments);
}

const char *random_name(void)
{
    static const char *const names[] = {"f", "g", "get_tide", "h-1"};
    return PICK(names);
}

static void jot_schema(tw_json_out *out)
{
    static const char *const schemas[] = {
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
        "\"required\":[\"a\"]}",
        "{\"type\":\"object\",\"properties\":{}}",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[1,2.0]}},"
        "\"additionalProperties\":false}"};
    tw_json_put(out, PICK(schemas));
}

void jot_images_url(tw_json_out *out)
{
    static const char *const urls[] = {
        "\"https://example.org/a.png\"", "\"data:image/png;base64,iVBORw0=\"",
        "\"data:text/plain,hi\"", "\"data:;base64,\""};
    tw_json_put(out, PICK(urls));
}

void jot_declared(tw_json_out *out, const char *schema)
{
    tw_json_put(out, "\"name\":\"");
    tw_json_put(out, random_name());
    tw_json_put(out, "\"");
    if (once_in(2)) {
        jot_text_member(out, "description");
    }
    if (!once_in(6)) {
        jot_key(out, schema);
        jot_schema(out);
    }
    if (once_in(4)) {
        tw_json_put(out, ",\"strict\":true");
    }
    jot_odd(out);
}

void jot_tools(tw_json_out *out, bool flat)
{
    tw_json_put(out, "[");
    for (uint32_t count = 1 + random_below(3), i = 0; i < count; i++) {
        const bool wrapped = !flat && !once_in(4);
        tw_json_put(out, i > 0 ? ",{" : "{");
        tw_json_put(out,
                    wrapped ? "\"type\":\"function\",\"function\":{" : "");
        jot_declared(out, "parameters");
        if (wrapped) {
            tw_json_put(out, "}");
            jot_odd(out);
        }
        tw_json_put(out, "}");
    }
    tw_json_put(out, "]");
}

void jot_tools_text(tw_json_out *out)
{
    tw_json_out text = {.memory = out->memory};
    jot_tools(&text, false);
    tw_json_put_string(out, (const char *)text.out.data, text.out.size);
    tw_buffer_free(&text.out, text.memory);
}

void jot_call_text(tw_json_out *out)
{
    tw_json_out text = {.memory = out->memory};
    tw_json_put(&text, "{\"name\": \"");
    tw_json_put(&text, random_name());
    tw_json_put(&text,
                once_in(4) ? "\", \"parameters\": " : "\", \"arguments\": ");
    tw_json_put(&text, random_arguments());
    jot_odd(&text);
    tw_json_put(&text, "}");
    tw_json_put_string(out, (const char *)text.out.data, text.out.size);
    tw_buffer_free(&text.out, text.memory);
}

void jot_messages(tw_json_out *out, void (*message)(tw_json_out *))
{
    tw_json_put(out, "[");
    for (uint32_t count = 1 + random_below(6), i = 0; i < count; i++) {
        tw_json_put(out, i > 0 ? "," : "");
        message(out);
    }
    tw_json_put(out, "]");
}

/* ---- ids ---------------------------------------------------------------- */

/* The ids that the calls of a record have, so that results have some. */
static char ids[64][16];
static size_t id_count;
static size_t turn_ids; /* where those of the message begin */
static size_t call_count;

/* Two calls of one message with one id could not be told apart. */
static bool is_used(const char *id)
{
    for (size_t i = turn_ids; i < id_count; i++) {
        if (strcmp(ids[i], id) == 0) {
            return true;
        }
    }
    return false;
}

void jot_id(tw_json_out *out, size_t number)
{
    const size_t call = call_count++;
    char *id = ids[id_count];
    switch (random_below(8)) {
    case 0: return;
    case 1:
        tw_json_put(out, once_in(4) ? "\"id\":7," : "\"id\":null,");
        return;
    case 2:
    case 3:
        memcpy(id, "call_", 5);
        id[5] = (char)('0' + (once_in(2) ? number : call) % 10);
        id[6] = 0;
        if (is_used(id)) {
            return;
        }
        break;
    default:
        memcpy(id, "toolu_", 6);
        id[6] = (char)('a' + call % 26);
        id[7] = 0;
        break;
    }
    id_count++;
    tw_json_put(out, "\"id\":\"");
    tw_json_put(out, id);
    tw_json_put(out, "\",");
}

void forget_ids(void)
{
    id_count = turn_ids = call_count = 0;
}

void begin_ids(void)
{
    turn_ids = id_count;
}

void jot_known_id(tw_json_out *out, const char *front)
{
    if (id_count > 0) {
        tw_json_put(out, front);
        tw_json_put(out, "\"");
        tw_json_put(out, ids[random_below((uint32_t)id_count)]);
        tw_json_put(out, "\"");
    }
}
