/* SPDX-License-Identifier: MIT
 *
 * Random values from an input's bytes, and whether a decoded message is the
 * one that was encoded.
 */
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/description.h"
#include "formats/format.h"
#include "support/events.h"

static const tw_memory *memory(void)
{
    static tw_memory heap;
    heap = tw_memory_from(NULL);
    return &heap;
}

uint32_t fuzz_choose(fuzz_choices *choices, uint32_t below)
{
    return choices->at < choices->end ? *choices->at++ % below : 0;
}

/* ---- text --------------------------------------------------------------- */

static const char *const pieces[] = {
    "a",
    "Brest",
    " ",
    "\n",
    "0",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "/",
    "<",
    ">",
    "|",
    "\t",
    "\r\n",
    "\x01",
    "\x7F",
    "\xC3\xA9",
    "\xE2\x80\xA8",
    "\xEF\xBB\xBF",
    "\xF0\x9F\x98\x80",
    "call:f{",
    "null",
    "true",
    "-1e5",
    "\\u0041",
    "\\n",
    "```",
    "=",
    "<|\"|>",
    "<|\"",
    "<|tool_call>",
    "<tool_call|>",
    "<|channel>",
    "<turn|>",
    "<tool_call>",
    "</tool_call>",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<tool_",
    "_call>",
    "<|start|>",
    "<|channel|>",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "<|",
    "|>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "</s>",
    "<TOOLCALL>",
    "</TOOLCALL>",
    "<SPECIAL_12>",
    " to=functions.f",
    "{\"name\": \"f\", \"arguments\": {}}",
};

/* Most texts are plain, so that most messages are carried. */
static void jot_text(tw_json_out *json_out, fuzz_choices *choices)
{
    char text[256];
    size_t size = 0;
    for (uint32_t left = fuzz_choose(choices, 6); left > 0; left--) {
        const uint32_t kinds = sizeof pieces / sizeof pieces[0];
        const char *piece = pieces[fuzz_choose(choices, kinds)];
        memcpy(text + size, piece, strlen(piece));
        size += strlen(piece);
    }
    tw_json_put_string(json_out, text, size);
}

static void jot_name(tw_json_out *json_out, fuzz_choices *choices)
{
    static const char *const names[] = {"f",   "get_weather", "a.b",
                                        "x-1", "f g",         "caf\xC3\xA9",
                                        "",    "functions.f", "python"};
    const uint32_t which = fuzz_choose(choices, 16);
    const char *name = names[which < 9 ? which : which % 2];
    tw_json_put_string(json_out, name, strlen(name));
}

/* ---- values ------------------------------------------------------------- */

static void jot_number(tw_json_out *json_out, fuzz_choices *choices)
{
    static const char *const numbers[] = {
        "0",     "1",  "-7",   "2.50",
        "1e3",   "-0", "1E-2", "12345678901234567890",
        "1e400", "0.1"};
    tw_json_put(json_out, numbers[fuzz_choose(choices, 10)]);
}

static void jot_object(tw_json_out *, fuzz_choices *, int depth);

static void jot_value(tw_json_out *json_out, fuzz_choices *choices, int depth)
{
    static const char *const words[] = {"null", "true", "false"};
    switch (fuzz_choose(choices, depth > 0 ? 8 : 5)) {
    case 0:
    case 1:
    case 2: jot_text(json_out, choices); break;
    case 3: jot_number(json_out, choices); break;
    case 4: tw_json_put(json_out, words[fuzz_choose(choices, 3)]); break;
    case 5:
        tw_json_put(json_out, "[");
        for (uint32_t count = fuzz_choose(choices, 4), i = 0; i < count; i++) {
            tw_json_put(json_out, i > 0 ? "," : "");
            jot_value(json_out, choices, depth - 1);
        }
        tw_json_put(json_out, "]");
        break;
    default: jot_object(json_out, choices, depth - 1); break;
    }
}

static void jot_object(tw_json_out *json_out, fuzz_choices *choices, int depth)
{
    static const char *const keys[] = {"a", "b", "city", "x_y", "k-1", "z"};
    tw_json_put(json_out, "{");
    for (uint32_t count = fuzz_choose(choices, 4), i = 0; i < count; i++) {
        tw_json_put(json_out, i > 0 ? "," : "");
        const uint32_t key = fuzz_choose(choices, 8);
        if (key < 6) {
            tw_json_put_string(json_out, keys[key], strlen(keys[key]));
        } else {
            jot_text(json_out, choices);
        }
        tw_json_put(json_out, ":");
        jot_value(json_out, choices, depth);
    }
    tw_json_put(json_out, "}");
}

/* ---- messages ----------------------------------------------------------- */

static void jot_calls(tw_json_out *json_out, fuzz_choices *choices, bool ids)
{
    tw_json_put(json_out, ",\"tool_calls\":[");
    for (uint32_t count = 1 + fuzz_choose(choices, 3), i = 0; i < count; i++) {
        tw_json_put(json_out, i > 0 ? ",{\"type\":\"function\","
                                    : "{\"type\":\"function\",");
        if (ids) {
            tw_json_put(json_out, "\"id\":\"call_");
            tw_json_put_number(json_out, i);
            tw_json_put(json_out, "\",");
        }
        tw_json_put(json_out, "\"function\":{\"name\":");
        jot_name(json_out, choices);
        tw_json_put(json_out, ",\"arguments\":");
        jot_object(json_out, choices, 3);
        tw_json_put(json_out, "}}");
    }
    tw_json_put(json_out, "]");
}

static void jot_answer(tw_json_out *json_out, fuzz_choices *choices, bool ids)
{
    const uint32_t kind = fuzz_choose(choices, 8);
    tw_json_put(json_out, "{\"role\":\"assistant\",\"content\":");
    if ((kind & 1) != 0) {
        jot_text(json_out, choices);
    } else {
        tw_json_put(json_out, "null");
    }
    if ((kind & 2) != 0) {
        tw_json_put(json_out, ",\"reasoning_content\":");
        jot_text(json_out, choices);
    }
    if ((kind & 4) != 0 || kind == 0) {
        jot_calls(json_out, choices, ids);
    }
    tw_json_put(json_out, "}");
}

void fuzz_jot_message(tw_json_out *json_out, fuzz_choices *choices)
{
    jot_answer(json_out, choices, true);
}

static void jot_tool(tw_json_out *json_out, fuzz_choices *choices)
{
    static const char *const types[] = {"string", "integer", "boolean"};
    tw_json_put(json_out, "{\"type\":\"function\",\"function\":{\"name\":");
    jot_name(json_out, choices);
    tw_json_put(json_out, ",\"description\":");
    jot_text(json_out, choices);
    tw_json_put(json_out,
                ",\"parameters\":{\"type\":\"object\",\"properties\":{");
    for (uint32_t count = fuzz_choose(choices, 3), i = 0; i < count; i++) {
        tw_json_put(json_out, i > 0 ? "," : "");
        jot_text(json_out, choices);
        tw_json_put(json_out, ":{\"type\":\"");
        tw_json_put(json_out, types[fuzz_choose(choices, 3)]);
        tw_json_put(json_out, "\",\"description\":");
        jot_text(json_out, choices);
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "}}}}");
}

void fuzz_jot_request(tw_json_out *json_out, fuzz_choices *choices)
{
    static const char *const roles[] = {"user", "system", "tool"};
    tw_json_put(json_out, "{\"messages\":[{\"role\":\"user\",\"content\":");
    jot_text(json_out, choices);
    tw_json_put(json_out, "}");
    for (uint32_t count = fuzz_choose(choices, 5); count > 0; count--) {
        const uint32_t role = fuzz_choose(choices, 6);
        tw_json_put(json_out, ",");
        if (role >= 3) {
            jot_answer(json_out, choices, true);
            continue;
        }
        tw_json_put(json_out, "{\"role\":\"");
        tw_json_put(json_out, roles[role]);
        tw_json_put(json_out,
                    role == 2 ? "\",\"tool_call_id\":\"call_0\",\"content\":"
                              : "\",\"content\":");
        jot_text(json_out, choices);
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "]");
    if (fuzz_choose(choices, 2) == 1) {
        tw_json_put(json_out, ",\"tools\":[");
        jot_tool(json_out, choices);
        tw_json_put(json_out, "]");
    }
    tw_json_put(json_out, "}");
}

/* ---- comparing ---------------------------------------------------------- */

static bool same_bytes(const char *a, size_t a_size, const char *b,
                       size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

static bool same_value(const tw_value *a, const tw_value *b)
{
    if (a->kind != b->kind ||
        !same_bytes(a->key, a->key_size, b->key, b->key_size)) {
        return false;
    }
    if (a->kind == TW_VALUE_STRING || a->kind == TW_VALUE_NUMBER) {
        return same_bytes(a->text, a->size, b->text, b->size);
    }
    const tw_value *x = a->first;
    const tw_value *y = b->first;
    while (x != NULL && y != NULL && same_value(x, y)) {
        x = x->next;
        y = y->next;
    }
    return x == NULL && y == NULL;
}

static bool same_arguments(const tw_value *a, const tw_value *b)
{
    if (a->kind == b->kind) {
        return same_value(a, b);
    }
    if (a->kind == TW_VALUE_STRING) {
        return same_arguments(b, a);
    }
    tw_tree tree;
    fuzz_parse(&tree, b->text, b->size);
    tree.root->key = a->key;
    tree.root->key_size = a->key_size;
    const bool same = same_value(a, tree.root);
    tw_tree_free(&tree);
    return same;
}

static bool same_text(const tw_value *a, const tw_value *b, const char *key)
{
    const tw_value *x = tw_value_member(a, key);
    const tw_value *y = tw_value_member(b, key);
    const bool left = x != NULL && x->kind == TW_VALUE_STRING;
    const bool right = y != NULL && y->kind == TW_VALUE_STRING;
    return same_bytes(left ? x->text : "", left ? x->size : 0,
                      right ? y->text : "", right ? y->size : 0);
}

bool fuzz_same_message(const tw_value *a, const tw_value *b)
{
    const tw_value *calls = tw_value_member(a, "tool_calls");
    const tw_value *others = tw_value_member(b, "tool_calls");
    const tw_value *x = calls != NULL ? calls->first : NULL;
    const tw_value *y = others != NULL ? others->first : NULL;
    bool same =
        same_text(a, b, "content") && same_text(a, b, "reasoning_content");
    for (; same && x != NULL && y != NULL; x = x->next, y = y->next) {
        const tw_value *f = tw_value_member(x, "function");
        const tw_value *g = tw_value_member(y, "function");
        same = f != NULL && g != NULL && same_text(f, g, "name") &&
               same_arguments(tw_value_member(f, "arguments"),
                              tw_value_member(g, "arguments"));
    }
    return same && x == NULL && y == NULL;
}

bool fuzz_loses(tw_encoder *encoder)
{
    const tw_error *report;
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        if (report->detail != TW_LOSS_TEMPLATE_DEFECT) {
            return true;
        }
    }
    return false;
}

/* ---- reading back ------------------------------------------------------- */

/* Is what stands behind the format's prompt reasoning? */
static bool prompts_for_reasoning(const tw_format *format)
{
    const feeding all = {0, NULL, 0};
    const char *turn = format->description->turns[0];
    event_log log = {0};
    bool inside = false;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    if (turn != NULL) {
        event_log_run(&log, decoder, "x", 1, &all, turn, strlen(turn));
    }
    for (size_t i = 0; i < log.count; i++) {
        inside |= log.events[i].type == TW_EVENT_REASONING;
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
    return inside;
}

static bool has_reasoning(const tw_value *message)
{
    const tw_value *text = tw_value_member(message, "reasoning_content");
    return text != NULL && text->kind == TW_VALUE_STRING && text->size > 0;
}

void fuzz_start_inside(tw_decoder *decoder, const tw_format *format,
                       const tw_value *message, const char *text, size_t size)
{
    const tw_description *description = format->description;
    const bool inside = description != NULL &&
                        (has_reasoning(message) ||
                         tw_frame_closes_first(description, text, size)) &&
                        prompts_for_reasoning(format);
    tw_decoder_set(decoder, TW_OPTION_START_REASONING, inside);
}

/* ---- formats ------------------------------------------------------------ */

const tw_format *fuzz_format(fuzz_choices *choices)
{
    uint32_t count = 0;
    while (tw_format_at(count) != NULL) {
        count++;
    }
    return tw_format_at(fuzz_choose(choices, count));
}

bool fuzz_has_twins(const tw_value *value)
{
    const bool object = value->kind == TW_VALUE_OBJECT;
    bool twins = false;
    for (const tw_value *at =
             object || value->kind == TW_VALUE_ARRAY ? value->first : NULL;
         at != NULL && !twins; at = at->next) {
        for (const tw_value *other = object ? at->next : NULL;
             other != NULL && !twins; other = other->next) {
            twins = at->key_size == other->key_size &&
                    memcmp(at->key, other->key, at->key_size) == 0;
        }
        twins = twins || fuzz_has_twins(at);
    }
    return twins;
}

const tw_format *fuzz_prompt_format(fuzz_choices *choices)
{
    const tw_format *format = fuzz_format(choices);
    return tw_format_has_prompts(format) == 1 ? format : tw_format_at(0);
}

void fuzz_parse(tw_tree *tree, const char *json, size_t size)
{
    tw_tree_init(tree, memory());
    if (tw_tree_read(tree, json, size, false) != TW_OK) {
        fuzz_wrong("this is no JSON", "", json, size, "", 0);
    }
}

void fuzz_wrong(const char *what, const char *format, const char *a,
                size_t a_size, const char *b, size_t b_size)
{
    fprintf(stderr, "%s (%s):\n%.*s\n%.*s\n", what, format, (int)a_size, a,
            (int)b_size, b);
    abort();
}
