/* SPDX-License-Identifier: MIT
 *
 * Declarations of tools back to JSON, and the notation they share with calls
 * and results.  The inverse of gemma4_declare.c and gemma4_encode_value.c.
 */
#include <string.h>

#include "formats/gemma4/gemma4.h"
#include "formats/gemma4/transcript.h"

#define DELIMITER "<|\"|>"

/* An open object or array.  They lie in a buffer, so that their depth costs
 * no C stack. */
typedef struct frame {
    tw_gemma4_scope place;
    char closer;
    bool used; /* an element was read */
    bool some; /* ... and jotted */
} frame;

void tw_gemma4_notation_init(tw_gemma4_notation *notation, tw_collect *collect)
{
    memset(notation, 0, sizeof *notation);
    notation->collect = collect;
    notation->json.memory = collect->memory;
}

void tw_gemma4_notation_free(tw_gemma4_notation *notation)
{
    if (notation->json.failed) {
        notation->collect->failed = true;
    }
    tw_buffer_free(&notation->json.out, notation->collect->memory);
    tw_buffer_free(&notation->frames, notation->collect->memory);
}

static frame *top_of(tw_gemma4_notation *notation)
{
    return (frame *)(void *)(notation->frames.data + notation->frames.size) -
           1;
}

static bool push(tw_gemma4_notation *notation, tw_gemma4_scope place,
                 char closer)
{
    const frame added = {place, closer, false, false};
    if (!tw_buffer_append(&notation->frames, notation->collect->memory, &added,
                          sizeof added)) {
        notation->collect->failed = true;
        return false;
    }
    tw_jot(&notation->json, closer == ']' ? "[" : "{");
    return true;
}

static void pop(tw_gemma4_notation *notation)
{
    tw_jot(&notation->json, top_of(notation)->closer == ']' ? "]" : "}");
    notation->frames.size -= sizeof(frame);
}

/* ---- strings ------------------------------------------------------------ */

const char *tw_gemma4_string_end(const tw_rest *rest)
{
    return tw_rest_find(rest, DELIMITER);
}

/* The rest of a string, behind its first delimiter. */
static bool take_string(tw_rest *rest, tw_rest *text)
{
    const char *end = tw_gemma4_string_end(rest);
    if (end == NULL) {
        return false;
    }
    *text = (tw_rest){rest->at, end};
    rest->at = end + sizeof DELIMITER - 1;
    return true;
}

/* Types stand in upper case. */
static void jot_type(tw_jotter *out, tw_rest type)
{
    const size_t begin = out->out.size;
    tw_jot_string(out, type.at, (size_t)(type.end - type.at));
    for (size_t i = begin; i < out->out.size; i++) {
        uint8_t *c = &out->out.data[i];
        *c = (uint8_t)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
}

/* A list of types as Python prints it, ['STRING', 'NULL']: a list again. */
static bool jot_types(tw_jotter *out, tw_rest list)
{
    const size_t begin = out->out.size;
    if (!tw_rest_skip(&list, "['")) {
        return false;
    }
    tw_jot(out, "[");
    for (;;) {
        const char *quote =
            memchr(list.at, '\'', (size_t)(list.end - list.at));
        if (quote == NULL) {
            break;
        }
        jot_type(out, (tw_rest){list.at, quote});
        list.at = quote + 1;
        if (tw_rest_skip(&list, "]") && list.at == list.end) {
            tw_jot(out, "]");
            return true;
        }
        if (!tw_rest_skip(&list, ", '")) {
            break;
        }
        tw_jot(out, ",");
    }
    out->out.size = begin;
    return false;
}

static bool read_string(tw_gemma4_notation *notation, tw_rest *rest,
                        tw_gemma4_scope place)
{
    tw_rest text;
    if (!take_string(rest, &text)) {
        return false;
    }
    if (place != TW_GEMMA4_TYPE) {
        tw_jot_string(&notation->json, text.at, (size_t)(text.end - text.at));
    } else if (!jot_types(&notation->json, text)) {
        jot_type(&notation->json, text);
    }
    return true;
}

/* ---- scalars ------------------------------------------------------------ */

static bool read_scalar(tw_gemma4_notation *notation, tw_rest *rest)
{
    const char *at = rest->at;
    while (at < rest->end && (tw_gemma4_is_word((uint8_t)*at) || *at == '+')) {
        at++;
    }
    if (at == rest->at || at == rest->end) {
        return false;
    }
    switch (tw_gemma4_scan_scalar((const uint8_t *)rest->at,
                                  (const uint8_t *)at)) {
    case TW_GEMMA4_NUMBER:
    case TW_GEMMA4_TRUE:
    case TW_GEMMA4_FALSE:
    case TW_GEMMA4_NULL:
        tw_jot_text(&notation->json, rest->at, (size_t)(at - rest->at));
        break;
    /* The first templates wrote `None`. */
    case TW_GEMMA4_PYTHON_NULL: tw_jot(&notation->json, "null"); break;
    default: return false;
    }
    rest->at = at;
    return true;
}

/* ---- keys --------------------------------------------------------------- */

static bool ends_key(char c)
{
    return c == ':' || c == ',' || c == '{' || c == '}' || c == '[' ||
           c == ']';
}

static bool take_key(tw_rest *rest, tw_rest *key)
{
    if (tw_rest_skip(rest, DELIMITER)) {
        if (!take_string(rest, key)) {
            return false;
        }
    } else {
        const char *at = rest->at;
        while (at < rest->end && !ends_key(*at)) {
            at++;
        }
        *key = (tw_rest){rest->at, at};
        if (at == rest->at) {
            return false;
        }
        rest->at = at;
    }
    return tw_rest_skip(rest, ":");
}

static bool is(tw_rest text, const char *words)
{
    return tw_rest_skip(&text, words) && text.at == text.end;
}

/* What stands behind the key. */
static tw_gemma4_scope place_of(tw_gemma4_scope outer, tw_rest key)
{
    switch (outer) {
    case TW_GEMMA4_DECLARATION:
        return is(key, "parameters") || is(key, "response") ? TW_GEMMA4_SCHEMA
                                                            : TW_GEMMA4_PLAIN;
    case TW_GEMMA4_SCHEMA:
    case TW_GEMMA4_ITEMS:
        return is(key, "type")         ? TW_GEMMA4_TYPE
               : is(key, "properties") ? TW_GEMMA4_SCHEMAS
               : is(key, "items") && outer == TW_GEMMA4_SCHEMA
                   ? TW_GEMMA4_ITEMS
                   : TW_GEMMA4_PLAIN;
    case TW_GEMMA4_SCHEMAS: return TW_GEMMA4_SCHEMA;
    default: return outer;
    }
}

/* ---- objects ------------------------------------------------------------ */

static bool read_value(tw_gemma4_notation *notation, tw_rest *rest,
                       tw_gemma4_scope place)
{
    if (tw_rest_skip(rest, "{")) {
        return push(notation, place, '}');
    }
    if (tw_rest_skip(rest, "[")) {
        return push(notation, place, ']');
    }
    return tw_rest_skip(rest, DELIMITER) ? read_string(notation, rest, place)
                                         : read_scalar(notation, rest);
}

/* What the template writes of a property that has no type, or is an object
 * without properties. */
static bool is_filler(tw_gemma4_scope outer, tw_gemma4_scope inner,
                      tw_rest *rest)
{
    return (inner == TW_GEMMA4_TYPE &&
            tw_rest_skip(rest, DELIMITER DELIMITER)) ||
           (inner == TW_GEMMA4_SCHEMAS && outer == TW_GEMMA4_SCHEMA &&
            tw_rest_skip(rest, "{}"));
}

/* An element or a pair; of a container its beginning. */
static bool read_part(tw_gemma4_notation *notation, tw_rest *rest)
{
    frame *top = top_of(notation);
    tw_gemma4_scope place = top->place;
    tw_rest key = {NULL, NULL};
    notation->members += notation->frames.size == sizeof *top;
    top->used = true;
    if (top->closer == '}') {
        if (!take_key(rest, &key)) {
            return false;
        }
        place = place_of(place, key);
        if (is_filler(top->place, place, rest)) {
            return true;
        }
    }
    tw_jot(&notation->json, top->some ? "," : "");
    top->some = true;
    if (top->closer == '}') {
        tw_jot_string(&notation->json, key.at, (size_t)(key.end - key.at));
        tw_jot(&notation->json, ":");
    }
    return read_value(notation, rest, place);
}

/* In front of a part stands a comma, or nothing before the first.  Parameters
 * without a type end in a comma. */
static bool read_comma(const frame *top, tw_rest *rest)
{
    return !top->used ||
           (tw_rest_skip(rest, ",") && rest->at < rest->end &&
            (*rest->at != top->closer || top->place == TW_GEMMA4_SCHEMA));
}

static bool read_on(tw_gemma4_notation *notation, tw_rest *rest)
{
    while (notation->frames.size > 0) {
        const frame *top = top_of(notation);
        const bool closed = rest->at < rest->end && *rest->at == top->closer;
        if (!closed && !read_comma(top, rest)) {
            return false;
        }
        if (rest->at == rest->end) {
            return false;
        }
        if (*rest->at == top->closer) {
            rest->at++;
            pop(notation);
        } else if (!read_part(notation, rest)) {
            return false;
        }
    }
    return true;
}

bool tw_gemma4_read_object(tw_gemma4_notation *notation, tw_rest *rest,
                           tw_gemma4_scope place)
{
    tw_rest ahead = *rest;
    notation->json.out.size = notation->frames.size = 0;
    notation->members = 0;
    if (!tw_rest_skip(&ahead, "{") || !push(notation, place, '}') ||
        !read_on(notation, &ahead)) {
        return false;
    }
    *rest = ahead;
    return true;
}

bool tw_gemma4_read_name(tw_rest *rest, tw_rest *name)
{
    const char *at = rest->at;
    while (at < rest->end && (tw_gemma4_is_word((uint8_t)*at) || *at == ':')) {
        at++;
    }
    *name = (tw_rest){rest->at, at};
    if (at == rest->at || at == rest->end || *at != '{') {
        return false;
    }
    rest->at = at;
    return true;
}

/* ---- declarations ------------------------------------------------------- */

bool tw_gemma4_read_declaration(tw_gemma4_notation *notation, tw_rest *rest)
{
    tw_rest ahead = *rest;
    tw_rest name;
    if (!tw_rest_skip(&ahead, "declaration:") ||
        !tw_gemma4_read_name(&ahead, &name) ||
        !tw_gemma4_read_object(notation, &ahead, TW_GEMMA4_DECLARATION) ||
        !tw_rest_skip(&ahead, "<tool|>")) {
        return false;
    }
    tw_jotter *out = tw_collect_tool(notation->collect);
    const tw_buffer *json = &notation->json.out;
    tw_jot(out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_jot_string(out, name.at, (size_t)(name.end - name.at));
    tw_jot(out, notation->members > 0 ? "," : "");
    if (!notation->json.failed) {
        tw_jot_text(out, (const char *)json->data + 1, json->size - 1);
    }
    tw_jot(out, "}");
    *rest = ahead;
    return true;
}
