/* SPDX-License-Identifier: MIT
 *
 * A message that was read is written, and read again: it is the same (M3).
 */
#include "naive_frame_back.h"

#include "naive_frame_emit.h"

#include <string.h>

/* --- the message as OpenAI has it -------------------------------------- */

static void add_text(naive_bytes *out, const char *key,
                     const naive_bytes *text)
{
    frame_add_json_string(out, key, strlen(key));
    naive_add_text(out, ":");
    frame_add_json_string(out, text->data ? text->data : "", text->size);
}

static void add_call(naive_bytes *out, const naive_call *call)
{
    const char *kind = call->custom ? "custom" : "function";

    naive_add_text(out, "{");
    add_text(out, "id", &call->id);
    naive_add_text(out, ",\"");
    naive_add_text(out, kind);
    naive_add_text(out, "\":{");
    add_text(out, "name", &call->name);
    naive_add_text(out, ",");
    add_text(out, call->custom ? "input" : "arguments", &call->arguments);
    naive_add_text(out, "}}");
}

static bool message_tree(const naive_message *message, naive_tree *out)
{
    naive_bytes json = {0};
    bool whole;

    naive_add_text(&json, "{");
    add_text(&json, "content", &message->content);
    naive_add_text(&json, ",");
    add_text(&json, "reasoning_content", &message->reasoning);
    naive_add_text(&json, ",\"tool_calls\":[");
    for (size_t i = 0; i < message->call_count; i++) {
        naive_add_text(&json, i > 0 ? "," : "");
        add_call(&json, &message->calls[i]);
    }
    naive_add_text(&json, "]}");
    whole = naive_tree_read(json.data, json.size, out);
    naive_release(&json);
    return whole;
}

/* --- what came back ---------------------------------------------------- */

static bool same(const naive_bytes *a, const naive_bytes *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* The members of all objects by their keys, each of one key in its turn. */
static void sort_members(naive_tree *value)
{
    for (size_t i = 0; i < value->count; i++) {
        naive_tree child = value->children[i];
        size_t at = i;

        sort_members(&child);
        while (value->kind == NAIVE_OBJECT && at > 0 &&
               strcmp(value->children[at - 1].key.data, child.key.data) > 0) {
            value->children[at] = value->children[at - 1];
            at--;
        }
        value->children[at] = child;
    }
}

/* As values: spaces are the format's, and so may be the order of members. */
static bool same_json(const frame_description *format, const naive_bytes *a,
                      const naive_bytes *b)
{
    naive_tree left, right;
    bool equal = false;

    if (!naive_tree_read(a->data, a->size, &left))
        return false;
    if (naive_tree_read(b->data, b->size, &right)) {
        if (format->sorted) {
            sort_members(&left);
            sort_members(&right);
        }
        equal = naive_tree_same(&left, &right);
        naive_tree_release(&right);
    }
    naive_tree_release(&left);
    return equal;
}

/* What the format cannot write does not come back. */
static bool same_reasoning(const frame_description *format,
                           const naive_message *sent,
                           const naive_message *back)
{
    const frame_patterns *patterns = &format->reasoning;

    if (patterns->count == 0 || patterns->items[0].loose)
        return back->reasoning.size == 0;
    return same(&sent->reasoning, &back->reasoning);
}

/* Elements have no null. */
static bool leaves_nulls_out(const frame_description *format)
{
    return format->call.count &&
           frame_body(&format->call.items[0]) == HOLE_ELEMENTS;
}

static const char *compare(const frame_description *format,
                           const naive_message *sent,
                           const naive_message *back)
{
    if (back->unparsed_count)
        return "unparsed when read back";
    if (!same_reasoning(format, sent, back))
        return "other reasoning when read back";
    if (!(format->calls_alone && sent->call_count > 0) &&
        !same(&sent->content, &back->content))
        return "other content when read back";
    if (sent->call_count != back->call_count)
        return "other calls when read back";
    for (size_t i = 0; i < sent->call_count; i++) {
        const naive_call *call = &sent->calls[i], *other = &back->calls[i];

        if (!same(&call->name, &other->name))
            return "another name when read back";
        if (!same(&call->arguments, &other->arguments) &&
            !same_json(format, &call->arguments, &other->arguments) &&
            !(leaves_nulls_out(format) &&
              strstr(call->arguments.data, "null")))
            return "other arguments when read back";
    }
    return NULL;
}

bool frame_starts_inside(const frame_description *format)
{
    const char *turn = format->turn.count ? format->turn.items[0] : "";
    const frame_pattern *reasoning =
        format->reasoning.count ? &format->reasoning.items[0] : NULL;
    const char *opener = reasoning ? frame_opener(reasoning) : NULL;
    size_t size = strlen(turn), length = opener ? strlen(opener) : 0;

    while (size > 0 && frame_is_blank(turn[size - 1]))
        size--;
    return length > 0 && reasoning->hole <= 2 && size >= length &&
           memcmp(turn + size - length, opener, length) == 0;
}

/* Names and keys are strings of C here, where they are written. */
static bool has_nul(const naive_message *message)
{
    for (size_t i = 0; i < message->call_count; i++) {
        const naive_call *call = &message->calls[i];

        if ((call->name.size && memchr(call->name.data, 0, call->name.size)) ||
            (call->arguments.size && strstr(call->arguments.data, "\\u0000")))
            return true;
    }
    return false;
}

/* A bare key holds no quote and no bracket. */
static bool has_odd_key(const naive_tree *value)
{
    bool odd = value->key.size && strpbrk(value->key.data, "\"'`(),:=[]{}\n");

    for (size_t i = 0; i < value->count && !odd; i++)
        odd = has_odd_key(&value->children[i]);
    return odd;
}

/* The format cannot write such a message. */
static bool is_unwritten(const frame_description *format,
                         const naive_message *message)
{
    bool gemma = format->call.count &&
                 frame_body(&format->call.items[0]) == HOLE_GEMMA;
    bool unwritten = false;

    for (size_t i = 0; gemma && i < message->call_count; i++) {
        const naive_bytes *json = &message->calls[i].arguments;
        naive_tree tree;

        if (naive_tree_read(json->data, json->size, &tree)) {
            unwritten |= has_odd_key(&tree);
            naive_tree_release(&tree);
        }
    }
    return unwritten;
}

const char *frame_compare_back(const frame_description *format,
                               const frame_options *options,
                               const naive_message *message)
{
    frame_options again = *options;
    naive_message back = {0};
    naive_bytes text = {0};
    naive_tree tree;
    const char *wrong;

    /* The tree has no place for half a surrogate pair. */
    for (size_t i = 0; i < message->diagnostic_count; i++)
        if (strcmp(message->diagnostics[i].code, "lone_surrogate") == 0)
            return NULL;
    if (has_nul(message) || is_unwritten(format, message))
        return NULL;
    if (!message_tree(message, &tree))
        return "no message";
    naive_add(&text, "", 0);
    naive_frame_emit(format, &tree, &text);
    again.length = false;
    again.start_reasoning =
        frame_starts_inside(format) && message->has_reasoning;
    naive_frame(format, &again, text.data, text.size, &back);
    wrong = compare(format, message, &back);
    naive_message_release(&back);
    naive_tree_release(&tree);
    naive_release(&text);
    return wrong;
}
