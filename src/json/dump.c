/* SPDX-License-Identifier: MIT */
#include "json/dump.h"

#include <string.h>

#include "json/write.h"

const tw_dump_style tw_dump_compact = {",", ":", NULL};
const tw_dump_style tw_dump_spaced = {", ", ": ", NULL};

static bool add(tw_buffer *out, const tw_memory *memory, const char *text)
{
    return tw_buffer_append(out, memory, text, strlen(text));
}

/* A value that has no parts, or the opener of one that has. */
static bool open_value(tw_buffer *out, const tw_memory *memory,
                       const tw_value *value, const tw_dump_style *style)
{
    switch (value->kind) {
    case TW_VALUE_NULL: return add(out, memory, "null");
    case TW_VALUE_FALSE: return add(out, memory, "false");
    case TW_VALUE_TRUE: return add(out, memory, "true");
    case TW_VALUE_NUMBER:
        return style->number != NULL
                   ? style->number(out, memory, value->text, value->size)
                   : tw_buffer_append(out, memory, value->text, value->size);
    case TW_VALUE_STRING:
        return tw_json_write_string(out, memory, value->text, value->size);
    case TW_VALUE_ARRAY: return add(out, memory, "[");
    default: return add(out, memory, "{");
    }
}

static bool is_container(const tw_value *value)
{
    return value->kind == TW_VALUE_ARRAY || value->kind == TW_VALUE_OBJECT;
}

static bool close_value(tw_buffer *out, const tw_memory *memory,
                        const tw_value *value)
{
    return !is_container(value) ||
           add(out, memory, value->kind == TW_VALUE_ARRAY ? "]" : "}");
}

static bool write_key(tw_buffer *out, const tw_memory *memory,
                      const tw_value *value, const tw_dump_style *style)
{
    return value->parent->kind != TW_VALUE_OBJECT ||
           (tw_json_write_string(out, memory, value->key, value->key_size) &&
            add(out, memory, style->colon));
}

/* A tree is walked by its links, so that its depth costs no stack. */
bool tw_value_dump(tw_buffer *out, const tw_memory *memory,
                   const tw_value *value, const tw_dump_style *style)
{
    const tw_value *at = value;
    bool good = open_value(out, memory, at, style);
    while (good) {
        if (is_container(at) && at->first != NULL) {
            at = at->first;
        } else {
            good = close_value(out, memory, at);
            while (good && at != value && at->next == NULL) {
                at = at->parent;
                good = close_value(out, memory, at);
            }
            if (at == value || !good) {
                break;
            }
            at = at->next;
            good = add(out, memory, style->comma);
        }
        good = good && write_key(out, memory, at, style) &&
               open_value(out, memory, at, style);
    }
    return good;
}

/* ---- text in the making ------------------------------------------------- */

void tw_jot_text(tw_jotter *jotter, const char *json, size_t size)
{
    if (!jotter->failed &&
        !tw_buffer_append(&jotter->out, jotter->memory, json, size)) {
        jotter->failed = true;
    }
}

void tw_jot(tw_jotter *jotter, const char *json)
{
    tw_jot_text(jotter, json, strlen(json));
}

void tw_jot_string(tw_jotter *jotter, const char *data, size_t size)
{
    if (!jotter->failed &&
        !tw_json_write_string(&jotter->out, jotter->memory, data, size)) {
        jotter->failed = true;
    }
}

void tw_jot_number(tw_jotter *jotter, uint64_t number)
{
    if (!jotter->failed &&
        !tw_json_write_number(&jotter->out, jotter->memory, number)) {
        jotter->failed = true;
    }
}

void tw_jot_value(tw_jotter *jotter, const tw_value *value)
{
    if (!jotter->failed && !tw_value_dump(&jotter->out, jotter->memory, value,
                                          &tw_dump_compact)) {
        jotter->failed = true;
    }
}

void tw_jot_key(tw_jotter *jotter, const char *key, bool first)
{
    tw_jot(jotter, first ? "" : ",");
    tw_jot_string(jotter, key, strlen(key));
    tw_jot(jotter, ":");
}

void tw_jot_member(tw_jotter *jotter, const tw_value *member, bool first)
{
    tw_jot(jotter, first ? "" : ",");
    tw_jot_string(jotter, member->key, member->key_size);
    tw_jot(jotter, ":");
    tw_jot_value(jotter, member);
}

void tw_jot_packed(tw_jotter *jotter, const tw_value *value,
                   const tw_dump_style *style)
{
    tw_buffer text = {0};
    if (!jotter->failed &&
        !tw_value_dump(&text, jotter->memory, value, style)) {
        jotter->failed = true;
    }
    tw_jot_string(jotter, (const char *)text.data, text.size);
    tw_buffer_free(&text, jotter->memory);
}
