/* SPDX-License-Identifier: MIT
 *
 * A tree as JSON text without recursion, and JSON text part by part.
 */
#include "json/dump.h"

#include <string.h>

#include "json/write.h"

const tw_dump_style tw_dump_compact = {",", ":", NULL};
const tw_dump_style tw_dump_spaced = {", ", ": ", NULL};

typedef struct dumper {
    tw_buffer *out;
    const tw_memory *memory;
    const tw_dump_style *style;
    size_t comma_size;
    size_t colon_size;
} dumper;

/* By the kind of value. */
static const char words[][TW_DUMP_WORD] = {"null", "false", "true", "",
                                           "",     "[",     "{"};
static const uint8_t word_sizes[] = {4, 5, 4, 0, 0, 1, 1};

/* All of |word| is copied, whatever its size: that takes one step. */
static inline bool put(const dumper *its, const char word[TW_DUMP_WORD],
                       size_t size)
{
    tw_buffer *out = its->out;
    if (out->capacity - out->size < TW_DUMP_WORD &&
        !tw_buffer_reserve(out, its->memory, TW_DUMP_WORD)) {
        return false;
    }
    memcpy(out->data + out->size, word, TW_DUMP_WORD);
    out->size += size;
    return true;
}

/* A value that has no parts, or the opener of one that has. */
static inline bool open_value(const dumper *its, const tw_value *value)
{
    tw_buffer *out = its->out;
    switch (value->kind) {
    case TW_VALUE_NUMBER:
        return its->style->number != NULL
                   ? its->style->number(out, its->memory, value->text,
                                        value->size)
                   : tw_buffer_append(out, its->memory, value->text,
                                      value->size);
    case TW_VALUE_STRING:
        if (value->lone > 0) {
            return tw_json_write_halves(out, its->memory, value->text,
                                        value->size);
        }
        return tw_json_write_padded(out, its->memory, value->text,
                                    value->size);
    default: return put(its, words[value->kind], word_sizes[value->kind]);
    }
}

static bool is_container(const tw_value *value)
{
    return value->kind == TW_VALUE_ARRAY || value->kind == TW_VALUE_OBJECT;
}

static inline bool close_value(const dumper *its, const tw_value *value)
{
    static const char closers[2][TW_DUMP_WORD] = {"]", "}"};
    return !is_container(value) ||
           put(its, closers[value->kind == TW_VALUE_OBJECT], 1);
}

static inline bool put_key(tw_buffer *out, const tw_memory *memory,
                           const tw_value *member)
{
    return member->lone_key ? tw_json_write_halves(out, memory, member->key,
                                                   member->key_size)
                            : tw_json_write_padded(out, memory, member->key,
                                                   member->key_size);
}

static inline bool write_key(const dumper *its, const tw_value *value)
{
    return value->parent->kind != TW_VALUE_OBJECT ||
           (put_key(its->out, its->memory, value) &&
            put(its, its->style->colon, its->colon_size));
}

/* A tree is walked by its links, so that its depth costs no stack. */
bool tw_value_dump(tw_buffer *out, const tw_memory *memory,
                   const tw_value *value, const tw_dump_style *style)
{
    const dumper its = {out, memory, style, strlen(style->comma),
                        strlen(style->colon)};
    const tw_value *at = value;
    bool good = open_value(&its, at);
    while (good) {
        if (is_container(at) && at->first != NULL) {
            at = at->first;
        } else {
            good = close_value(&its, at);
            while (good && at != value && at->next == NULL) {
                at = at->parent;
                good = close_value(&its, at);
            }
            if (at == value || !good) {
                break;
            }
            at = at->next;
            good = put(&its, style->comma, its.comma_size);
        }
        good = good && write_key(&its, at) && open_value(&its, at);
    }
    return good;
}

/* ---- text in the making ------------------------------------------------- */

void tw_json_put_text(tw_json_out *json_out, const char *json, size_t size)
{
    if (!json_out->failed &&
        !tw_buffer_append(&json_out->out, json_out->memory, json, size)) {
        json_out->failed = true;
    }
}

void tw_json_put_string(tw_json_out *json_out, const char *data, size_t size)
{
    if (!json_out->failed &&
        !tw_json_write_string(&json_out->out, json_out->memory, data, size)) {
        json_out->failed = true;
    }
}

void tw_json_put_halves(tw_json_out *json_out, const char *data, size_t size)
{
    if (!json_out->failed &&
        !tw_json_write_halves(&json_out->out, json_out->memory, data, size)) {
        json_out->failed = true;
    }
}

void tw_json_put_number(tw_json_out *json_out, uint64_t number)
{
    if (!json_out->failed &&
        !tw_json_write_number(&json_out->out, json_out->memory, number)) {
        json_out->failed = true;
    }
}

void tw_json_put_value(tw_json_out *json_out, const tw_value *value)
{
    if (!json_out->failed && !tw_value_dump(&json_out->out, json_out->memory,
                                            value, &tw_dump_compact)) {
        json_out->failed = true;
    }
}

void tw_json_put_key(tw_json_out *json_out, const char *key, bool first)
{
    tw_json_put_text(json_out, ",", first ? 0 : 1);
    tw_json_put_string(json_out, key, strlen(key));
    tw_json_put(json_out, ":");
}

void tw_json_put_member(tw_json_out *json_out, const tw_value *member,
                        bool first)
{
    const tw_memory *memory = json_out->memory;
    tw_json_put_text(json_out, ",", first ? 0 : 1);
    if (!json_out->failed && !put_key(&json_out->out, memory, member)) {
        json_out->failed = true;
    }
    tw_json_put(json_out, ":");
    tw_json_put_value(json_out, member);
}

void tw_json_put_packed(tw_json_out *json_out, const tw_value *value,
                        const tw_dump_style *style)
{
    tw_buffer text = {0};
    if (!json_out->failed &&
        !tw_value_dump(&text, json_out->memory, value, style)) {
        json_out->failed = true;
    }
    tw_json_put_string(json_out, (const char *)text.data, text.size);
    tw_buffer_free(&text, json_out->memory);
}
