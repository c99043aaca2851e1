/* SPDX-License-Identifier: MIT
 *
 * One pass over a whole text, without the machine; tree_read.c is the
 * reference.
 */
#include "json/tree_quick.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "json/blocks.h"
#include "json/machine_state.h"
#include "json/number.h"
#include "json/scalar.h"

/* The text is copied, with NULs behind it: they end every run and every token,
 * and so nothing below looks for the text's end.  Strings without escapes stay
 * where they are in the copy. */
enum { PADDING = 32, NODES = 16 };

typedef struct span {
    const uint8_t *at;
    size_t size;
} span;

typedef struct quick {
    tw_tree *tree;
    uint8_t *copy; /* of the text */
    const uint8_t *limit;
    uint8_t *room; /* for what strings with escapes mean; NULL: none needed */
    tw_value *nodes; /* room for some */
    tw_value *no_more;
    tw_value *open;
    size_t depth;
    span key;    /* of the member to come */
    size_t lone; /* as in tw_value, of the last string with escapes */
    bool lone_key;
} quick;

/* Functions that read return where they stopped; NULL: what stands there is
 * not for the quick way. */

static inline const uint8_t *behind_blanks(const uint8_t *at)
{
    while (*at <= ' ' && tw_is_ws(*at)) {
        at++;
    }
    return at;
}

/* ---- strings ------------------------------------------------------------ */

#ifdef __SSE2__

static inline const uint8_t *behind_plain(const uint8_t *at)
{
    for (;; at += 16) {
        const uint32_t ends = tw_mask(tw_no_string(tw_load(at)));
        if (ends != 0) {
            return at + __builtin_ctz(ends);
        }
    }
}

/* Copies them, too, and what escapes of two bytes mean; ends where something
 * else stands. */
static const uint8_t *copy_meaning(const uint8_t *at, uint8_t **to)
{
    uint8_t *out = *to;
    for (;;) {
        const __m128i bytes = tw_load(at);
        uint32_t ends = tw_mask(tw_no_string(bytes));
        size_t from = 0;
        tw_store(out, bytes);
        while (ends != 0) {
            const size_t place = (size_t)__builtin_ctz(ends);
            out += place - from;
            if (at[place] != '\\' || tw_json_meanings[at[place + 1]] == 0) {
                *to = out;
                return at + place;
            }
            *out++ = tw_json_meanings[at[place + 1]];
            from = place + 2;
            ends &= ~(3u << place);
            tw_store(out, tw_load(at + from));
        }
        const size_t behind = from < 16 ? 16 : from;
        out += behind - from;
        at += behind;
    }
}

#else

static inline const uint8_t *behind_plain(const uint8_t *at)
{
    while ((tw_plain_kinds[*at] & TW_PLAIN_STRING) != 0) {
        at++;
    }
    return at;
}

static const uint8_t *copy_meaning(const uint8_t *at, uint8_t **to)
{
    for (;;) {
        if ((tw_plain_kinds[*at] & TW_PLAIN_STRING) != 0) {
            *(*to)++ = *at++;
        } else if (*at == '\\' && tw_json_meanings[at[1]] != 0) {
            *(*to)++ = tw_json_meanings[at[1]];
            at += 2;
        } else {
            return at;
        }
    }
}

#endif

/* `\u` and four digits, of a pair twice. |text|: where the string begins. */
static const uint8_t *read_unicode(quick *its, const uint8_t *at, uint8_t **to,
                                   const uint8_t *text)
{
    if (!tw_json_are_digits(at + 2)) {
        return NULL;
    }
    uint32_t code = tw_json_hex_value(at + 2);
    at += 6;
    if (tw_is_high(code) && at[0] == '\\' && at[1] == 'u' &&
        tw_json_are_digits(at + 2)) {
        const uint32_t low = tw_json_hex_value(at + 2);
        if (tw_is_low(low)) {
            code = tw_pair(code, low);
            at += 6;
        }
    }
    if (tw_is_high(code) || tw_is_low(code)) {
        its->lone = its->lone > 0 ? its->lone : (size_t)(*to - text) + 1;
        code = its->tree->keeps_lone ? code : 0xFFFD;
    }
    *to += tw_point_put((char *)*to, code);
    return at;
}

/* What the string at |from| means, whose first escape stands at |at|.  It is
 * no longer than what spells it. */
static const uint8_t *read_escapes(quick *its, const uint8_t *from,
                                   const uint8_t *at, span *string)
{
    if (its->room == NULL) {
        its->room =
            tw_tree_allocate(its->tree, (size_t)(its->limit - from) + PADDING);
        if (its->room == NULL) {
            return NULL;
        }
    }
    uint8_t *const text = its->room;
    uint8_t *to = text + (at - from);
    memcpy(text, from, (size_t)(at - from));
    at = copy_meaning(at, &to);
    while (*at != '"') {
        const uint8_t *behind = NULL;
        if (*at == '\\' && at[1] == 'u') {
            behind = read_unicode(its, at, &to, text);
        } else if (*at >= 0x80) {
            behind = tw_skip_well_formed(at, its->limit, TW_PLAIN_STRING);
            memcpy(to, at, (size_t)(behind - at));
            to += behind - at;
        }
        if (behind == NULL || behind == at) {
            return NULL;
        }
        at = copy_meaning(behind, &to);
    }
    string->at = text;
    string->size = (size_t)(to - text);
    *to++ = 0; /* where there was a quote */
    its->room = to;
    return at + 1;
}

/* |at|: behind the quote. */
static inline const uint8_t *read_string(quick *its, const uint8_t *from,
                                         span *string)
{
    const uint8_t *at = behind_plain(from);
    while (*at >= 0x80) {
        const uint8_t *behind =
            tw_skip_well_formed(at, its->limit, TW_PLAIN_STRING);
        if (behind == at) {
            return NULL;
        }
        at = behind_plain(behind);
    }
    if (*at == '"') {
        string->at = from;
        string->size = (size_t)(at - from);
        its->copy[at - its->copy] = 0; /* the quote is read */
        return at + 1;
    }
    return *at == '\\' ? read_escapes(its, from, at, string) : NULL;
}

/* ---- values ------------------------------------------------------------- */

static bool make_nodes(quick *its)
{
    its->nodes = tw_tree_allocate(its->tree, NODES * sizeof *its->nodes);
    its->no_more = its->nodes != NULL ? its->nodes + NODES : NULL;
    return its->nodes != NULL;
}

/* A new value in the open container; NULL: no memory. */
static inline tw_value *add(quick *its, tw_value_kind kind, span text)
{
    tw_value *const open = its->open;
    if (its->nodes == its->no_more && !make_nodes(its)) {
        return NULL;
    }
    tw_value *value = its->nodes++;
    /* One by one: of a whole struct gcc makes `rep stos`, a quarter of all. */
    value->kind = kind;
    value->text = (const char *)text.at;
    value->size = text.size;
    value->key = NULL;
    value->key_size = value->index = value->lone = 0;
    value->lone_key = value->used = value->partly_used = false;
    value->decoded = false;
    value->origin = NULL;
    value->first = value->last = value->next = NULL;
    value->marks = 0;
    value->parent = open;
    if (open == NULL) {
        its->tree->root = value;
        return value;
    }
    if (open->kind == TW_VALUE_OBJECT) {
        value->key = (const char *)its->key.at;
        value->key_size = its->key.size;
        value->lone_key = its->lone_key;
        open->marks |= tw_key_mark(value->key, value->key_size);
    }
    if (open->last != NULL) {
        value->index = open->last->index + 1;
        open->last->next = value;
    } else {
        open->first = value;
    }
    open->last = value;
    return value;
}

static const uint8_t *behind_long_number(const uint8_t *at)
{
    uint8_t number = TW_NUMBER_BEGIN;
    while (tw_number_takes(&number, *at)) {
        at++;
    }
    return tw_number_may_end(number) ? at : NULL;
}

static inline const uint8_t *read_text(quick *its, const uint8_t *at)
{
    span text;
    its->lone = 0;
    at = read_string(its, at + 1, &text);
    tw_value *value = at != NULL ? add(its, TW_VALUE_STRING, text) : NULL;
    if (value == NULL) {
        return NULL;
    }
    value->lone = its->lone;
    return at;
}

static inline const uint8_t *read_scalar(quick *its, const uint8_t *at)
{
    if (*at == '"') {
        return read_text(its, at);
    }
    const uint8_t *end = tw_json_scalar_in_view(at);
    const tw_value_kind kind = *at == 't'   ? TW_VALUE_TRUE
                               : *at == 'f' ? TW_VALUE_FALSE
                               : *at == 'n' ? TW_VALUE_NULL
                                            : TW_VALUE_NUMBER;
    span text = {NULL, 0};
    if (kind == TW_VALUE_NUMBER) {
        end = end != NULL ? end : behind_long_number(at);
        text.at = at;
        text.size = end != NULL ? (size_t)(end - at) : 0;
    }
    return end != NULL && add(its, kind, text) != NULL ? end : NULL;
}

/* ---- containers --------------------------------------------------------- */

static inline uint8_t closer(const tw_value *container)
{
    return container->kind == TW_VALUE_OBJECT ? '}' : ']';
}

static inline const uint8_t *read_opener(quick *its, const uint8_t *at)
{
    const span none = {NULL, 0};
    tw_value *value = NULL;
    if (its->depth < TW_TREE_DEPTH) {
        value = add(its, *at == '{' ? TW_VALUE_OBJECT : TW_VALUE_ARRAY, none);
    }
    if (value == NULL) {
        return NULL;
    }
    its->open = value;
    its->depth++;
    return behind_blanks(at + 1);
}

/* Closers, and a comma unless the last container is closed. */
static inline const uint8_t *read_behind(quick *its, const uint8_t *at)
{
    while (its->open != NULL) {
        at = behind_blanks(at);
        if (*at == ',') {
            return behind_blanks(at + 1);
        }
        if (*at != closer(its->open)) {
            return NULL;
        }
        its->open = its->open->parent;
        its->depth--;
        at++;
    }
    return behind_blanks(at);
}

static inline const uint8_t *read_key(quick *its, const uint8_t *at)
{
    its->lone = 0;
    at = *at == '"' ? read_string(its, at + 1, &its->key) : NULL;
    its->lone_key = its->lone > 0;
    at = at != NULL ? behind_blanks(at) : NULL;
    return at != NULL && *at == ':' ? behind_blanks(at + 1) : NULL;
}

static bool read_all(quick *its, const uint8_t *at)
{
    at = behind_blanks(at);
    do {
        const bool opens = *at == '{' || *at == '[';
        at = opens ? read_opener(its, at) : read_scalar(its, at);
        if (at != NULL && (!opens || *at == closer(its->open))) {
            at = read_behind(its, at);
        }
        if (at != NULL && tw_value_is_a(its->open, TW_VALUE_OBJECT)) {
            at = read_key(its, at);
        }
    } while (at != NULL && its->open != NULL);
    return at == its->limit;
}

bool tw_tree_read_quickly(tw_tree *tree, const char *data, size_t size)
{
    if (size == 0 || size > SIZE_MAX / 2) {
        return false;
    }
    uint8_t *copy = tw_tree_allocate(tree, size + PADDING);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, data, size);
    memset(copy + size, 0, PADDING);
    quick its = {.tree = tree, .copy = copy, .limit = copy + size};
    if (!read_all(&its, copy)) {
        return false;
    }
    tree->offset = size;
    return true;
}
