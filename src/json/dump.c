/* SPDX-License-Identifier: MIT
 *
 * A tree as JSON text without recursion, and JSON text part by part.
 */
#include "json/dump.h"

#include <string.h>

#include "json/write.h"

const tw_dump_style tw_dump_compact = {.comma = ",", .colon = ":"};
const tw_dump_style tw_dump_spaced = {.comma = ", ", .colon = ": "};
const tw_dump_style tw_dump_indented = {
    .comma = ",", .colon = ": ", .indent = 4};

typedef struct dumper {
    tw_buffer *out;
    const tw_memory *memory;
    const tw_dump_style *style;
    const char (*words)[TW_DUMP_WORD];
    size_t comma_size;
    size_t colon_size;
} dumper;

/* By the kind of value. */
static const char json_words[][TW_DUMP_WORD] = {"null", "false", "true", "",
                                                "",     "[",     "{"};
static const uint8_t word_sizes[] = {4, 5, 4};

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

/* Of a tree; |lone|: it has half of a surrogate pair. */
static inline bool json_string(tw_buffer *out, const tw_memory *memory,
                               const char *text, size_t size, bool lone)
{
    return lone ? tw_json_write_halves(out, memory, text, size)
                : tw_json_write_padded(out, memory, text, size);
}

static inline bool put_string(const dumper *its, const char *text, size_t size,
                              bool lone)
{
    return its->style->string != NULL
               ? its->style->string(its->out, its->memory, text, size)
               : json_string(its->out, its->memory, text, size, lone);
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
        return put_string(its, value->text, value->size, value->lone > 0);
    case TW_VALUE_ARRAY:
    case TW_VALUE_OBJECT: return put(its, json_words[value->kind], 1);
    default: return put(its, its->words[value->kind], word_sizes[value->kind]);
    }
}

static inline bool close_value(const dumper *its, const tw_value *value)
{
    static const char closers[2][TW_DUMP_WORD] = {"]", "}"};
    return !tw_value_is_container(value) ||
           put(its, closers[value->kind == TW_VALUE_OBJECT], 1);
}

static inline bool write_key(const dumper *its, const tw_value *value)
{
    return value->parent->kind != TW_VALUE_OBJECT ||
           (put_string(its, value->key, value->key_size, value->lone_key) &&
            put(its, its->style->colon, its->colon_size));
}

/* The next part begins, or the closer stands, on a line of its own. */
static inline bool end_line(const dumper *its, size_t depth)
{
    bool good = its->style->indent == 0 || put(its, "\n\0\0\0\0\0\0", 1);
    for (size_t i = its->style->indent * depth; i > 0 && good; i--) {
        good = put(its, " \0\0\0\0\0\0", 1);
    }
    return good;
}

/* A tree is walked by its links, so that its depth costs no stack. */
bool tw_value_dump(tw_buffer *out, const tw_memory *memory,
                   const tw_value *value, const tw_dump_style *style)
{
    const dumper its = {out,
                        memory,
                        style,
                        style->words != NULL ? style->words : json_words,
                        strlen(style->comma),
                        strlen(style->colon)};
    size_t depth = style->depth;
    const tw_value *at = value;
    bool good = open_value(&its, at);
    while (good) {
        if (tw_value_is_container(at) && at->first != NULL) {
            at = at->first;
            depth++;
        } else {
            good = close_value(&its, at);
            while (good && at != value && at->next == NULL) {
                at = at->parent;
                good = end_line(&its, --depth) && close_value(&its, at);
            }
            if (at == value || !good) {
                break;
            }
            at = at->next;
            good = put(&its, style->comma, its.comma_size);
        }
        good = good && end_line(&its, depth) && write_key(&its, at) &&
               open_value(&its, at);
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

void tw_json_put_member_key(tw_json_out *json_out, const tw_value *member)
{
    if (!json_out->failed &&
        !json_string(&json_out->out, json_out->memory, member->key,
                     member->key_size, member->lone_key)) {
        json_out->failed = true;
    }
    tw_json_put(json_out, ":");
}

void tw_json_put_member(tw_json_out *json_out, const tw_value *member,
                        bool first)
{
    tw_json_put_text(json_out, ",", first ? 0 : 1);
    tw_json_put_member_key(json_out, member);
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
