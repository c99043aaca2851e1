/* SPDX-License-Identifier: MIT
 *
 * Values in Gemma's notation: `{a:1,b:[true,<|"|>text<|"|>]}`, the keys
 * sorted at every level.  What stands around strings is another marker in
 * other models.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/body/gemma/put.h"
#include "formats/body/gemma/word.h"
#include "formats/body/put.h"
#include "formats/encode.h"
#include "formats/name_bytes.h"
#include "json/write.h"
#include "messages/pytext.h"

static void no_memory(tw_segments *out)
{
    tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

/* ---- names and keys ----------------------------------------------------- */

void tw_put_gemma_name(tw_segments *out, const tw_value *name)
{
    if (!tw_gemma_is_name(name->text, name->size) ||
        tw_encode_has_odd_blank(name)) {
        tw_encode_refuse(out, name, "the format cannot write this name");
    }
    tw_out_text(out, name);
}

/* What a bare key may be: it ends at its separator, and behind a comma it
 * must look like a key. */
static bool is_bare_key(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (tw_gemma_ends_key((uint8_t)text[i]) ||
            (text[i] == '<' && i + 1 < size && text[i + 1] == '|')) {
            return false;
        }
    }
    return size > 0 && !tw_is_ws((uint8_t)text[0]) &&
           !tw_is_ws((uint8_t)text[size - 1]);
}

static void put_bare_key(tw_segments *out, const tw_value *member)
{
    if (!is_bare_key(member->key, member->key_size)) {
        tw_encode_refuse(out, member, "the format cannot write this key");
    }
    tw_out_key(out, member);
}

/* ---- values ------------------------------------------------------------- */

/* An open container.  Values are walked with a stack of these, so that their
 * depth costs no C stack. */
typedef struct frame {
    const tw_value **members; /* of an object, sorted */
    size_t count;
    size_t done;
    const tw_value *element; /* of an array, the next one */
    bool object;
    bool used;
} frame;

typedef struct walk {
    tw_segments *out;
    const char *quote;
    tw_buffer *json;
    tw_buffer frames;
} walk;

static void put_json(walk *at, const char *text, size_t size)
{
    if (at->json != NULL &&
        !tw_buffer_append(at->json, at->out->memory, text, size)) {
        no_memory(at->out);
    }
}

static void put_json_string(walk *at, const char *text, size_t size)
{
    if (at->json != NULL &&
        !tw_json_write_string(at->json, at->out->memory, text, size)) {
        no_memory(at->out);
    }
}

static inline void put_words(walk *at, const char *words)
{
    tw_out(at->out, words);
    put_json(at, words, strlen(words));
}

static void put_number(walk *at, const tw_value *number)
{
    const size_t begin = at->out->text.size;
    tw_out_text(at->out, number);
    if (at->out->code == TW_OK) {
        put_json(at, (const char *)at->out->text.data + begin,
                 at->out->text.size - begin);
    }
}

static void put_string(walk *at, const tw_value *string)
{
    tw_out(at->out, at->quote);
    tw_out_text(at->out, string);
    tw_out(at->out, at->quote);
    put_json_string(at, string->text, string->size);
}

static void put_key(walk *at, const tw_value *member)
{
    put_bare_key(at->out, member);
    put_json_string(at, member->key, member->key_size);
    put_words(at, ":");
}

static void open_container(walk *at, const tw_value *value)
{
    frame added = {0};
    added.object = value->kind == TW_VALUE_OBJECT;
    added.element = value->first;
    if (added.object && !tw_python_dictsort(value, at->out->memory,
                                            &added.members, &added.count)) {
        no_memory(at->out);
        return;
    }
    if (!tw_buffer_append(&at->frames, at->out->memory, &added,
                          sizeof added)) {
        tw_python_dictsort_free(at->out->memory, added.members, added.count);
        no_memory(at->out);
        return;
    }
    put_words(at, added.object ? "{" : "[");
}

static void put_any(walk *at, const tw_value *value)
{
    switch (value->kind) {
    case TW_VALUE_NULL: put_words(at, "null"); break;
    case TW_VALUE_FALSE: put_words(at, "false"); break;
    case TW_VALUE_TRUE: put_words(at, "true"); break;
    case TW_VALUE_NUMBER: put_number(at, value); break;
    case TW_VALUE_STRING: put_string(at, value); break;
    default: open_container(at, value); break;
    }
}

static frame *top_of(walk *at)
{
    return (frame *)(void *)(at->frames.data + at->frames.size) - 1;
}

static void close_container(walk *at)
{
    const frame *top = top_of(at);
    put_words(at, top->object ? "}" : "]");
    tw_python_dictsort_free(at->out->memory, top->members, top->count);
    at->frames.size -= sizeof *top;
}

/* The next part of the innermost container, or NULL. */
static const tw_value *next_part(frame *top)
{
    if (top->object) {
        return top->done < top->count ? top->members[top->done++] : NULL;
    }
    const tw_value *element = top->element;
    top->element = element != NULL ? element->next : NULL;
    return element;
}

/* |json| is given what a decoder makes of the value. */
static void put_value(tw_segments *out, const tw_value *value,
                      const char *quote, tw_buffer *json)
{
    walk at = {out, quote, json, {0}};
    put_any(&at, value);
    while (at.frames.size > 0) {
        frame *top = top_of(&at);
        const tw_value *part = out->code == TW_OK ? next_part(top) : NULL;
        if (part == NULL) {
            close_container(&at);
            continue;
        }
        if (top->used) {
            put_words(&at, ",");
        }
        top->used = true;
        if (top->object) {
            put_key(&at, part);
        }
        put_any(&at, part);
    }
    tw_buffer_free(&at.frames, out->memory);
}

/* ---- arguments ---------------------------------------------------------- */

/* An object has no spelling, but an order of keys, which templates sort. */
static bool is_in_order(tw_segments *out, const tw_value *object,
                        const tw_buffer *json)
{
    tw_buffer plain = {0};
    if (!tw_value_dump(&plain, out->memory, object, &tw_dump_compact)) {
        no_memory(out);
    }
    const bool same = plain.size == json->size && json->data != NULL &&
                      memcmp(plain.data, json->data, plain.size) == 0;
    tw_buffer_free(&plain, out->memory);
    return same;
}

void tw_put_gemma_arguments(tw_segments *out, const tw_call *call,
                            const char *quote)
{
    tw_buffer json = {0};
    const tw_value *given = call->given;
    if (call->arguments != NULL) {
        put_value(out, call->arguments, quote, &json);
    } else {
        tw_out(out, "{}");
    }
    if (given == NULL) {
        tw_encode_loss(out, TW_LOSS_NO_ARGUMENTS, call->value, NULL);
    } else if (given->kind == TW_VALUE_STRING &&
               (call->arguments == NULL || json.size != given->size ||
                memcmp(json.data, given->text, json.size) != 0)) {
        tw_encode_loss(out, TW_LOSS_ARGUMENTS_SPELLING, given, NULL);
    } else if (given->kind == TW_VALUE_OBJECT && out->code == TW_OK &&
               !is_in_order(out, given, &json)) {
        tw_encode_loss(out, TW_LOSS_ARGUMENTS_ORDER, given, NULL);
    }
    tw_buffer_free(&json, out->memory);
}

void tw_put_gemma(const tw_putter *putter, const tw_put_call *put,
                  const char *quote)
{
    tw_put_gemma_arguments(putter->out, put->call, quote);
}
