/* SPDX-License-Identifier: MIT
 *
 * Declarations of tools back to JSON, and the notation they share with calls
 * and results.  The inverse of grammar/gemma4.jinja.
 */
#include "core/ascii.h"
#include "formats/gemma4/declared.h"

#include <string.h>

#include "formats/body/gemma/scalar.h"
#include "formats/body/gemma/word.h"
#include "formats/gemma4/tokens.h"

/* An open object or array.  They lie in a buffer, so that their depth costs
 * no C stack. */
typedef struct frame {
    tw_gemma4_scope place;
    char closer;
    bool used; /* an element was read */
    bool some; /* ... and jotted */
} frame;

void tw_gemma4_notation_init(tw_gemma4_notation *notation,
                             tw_transcript_reader *reader)
{
    memset(notation, 0, sizeof *notation);
    notation->reader = reader;
    notation->json.memory = reader->memory;
}

void tw_gemma4_notation_free(tw_gemma4_notation *notation)
{
    if (notation->json.failed) {
        notation->reader->failed = true;
    }
    tw_buffer_free(&notation->json.out, notation->reader->memory);
    tw_buffer_free(&notation->frames, notation->reader->memory);
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
    if (!tw_buffer_append(&notation->frames, notation->reader->memory, &added,
                          sizeof added)) {
        notation->reader->failed = true;
        return false;
    }
    tw_json_put(&notation->json, closer == ']' ? "[" : "{");
    return true;
}

static void pop(tw_gemma4_notation *notation)
{
    tw_json_put(&notation->json, top_of(notation)->closer == ']' ? "]" : "}");
    notation->frames.size -= sizeof(frame);
}

/* ---- strings ------------------------------------------------------------ */

const char *tw_gemma4_string_end(const tw_cursor *cursor)
{
    return tw_cursor_find(cursor, TW_GEMMA4_QUOTE);
}

/* The rest of a string, behind its first delimiter. */
static bool take_string(tw_cursor *cursor, tw_cursor *text)
{
    const char *end = tw_gemma4_string_end(cursor);
    if (end == NULL) {
        return false;
    }
    *text = (tw_cursor){cursor->at, end};
    cursor->at = end + TW_GEMMA4_SIZE(TW_GEMMA4_QUOTE);
    return true;
}

/* Types stand in upper case. */
static void jot_type(tw_json_out *out, tw_cursor type)
{
    const size_t begin = out->out.size;
    tw_json_put_string(out, type.at, (size_t)(type.end - type.at));
    for (size_t i = begin; i < out->out.size; i++) {
        out->out.data[i] = (uint8_t)tw_lower((char)out->out.data[i]);
    }
}

/* A list of types as Python prints it, ['STRING', 'NULL']: a list again. */
static bool jot_types(tw_json_out *out, tw_cursor list)
{
    const size_t begin = out->out.size;
    if (!tw_cursor_skip(&list, "['")) {
        return false;
    }
    tw_json_put(out, "[");
    for (;;) {
        const char *quote =
            memchr(list.at, '\'', (size_t)(list.end - list.at));
        if (quote == NULL) {
            break;
        }
        jot_type(out, (tw_cursor){list.at, quote});
        list.at = quote + 1;
        if (tw_cursor_skip(&list, "]") && list.at == list.end) {
            tw_json_put(out, "]");
            return true;
        }
        if (!tw_cursor_skip(&list, ", '")) {
            break;
        }
        tw_json_put(out, ",");
    }
    out->out.size = begin;
    return false;
}

static bool read_string(tw_gemma4_notation *notation, tw_cursor *cursor,
                        tw_gemma4_scope place)
{
    tw_cursor text;
    if (!take_string(cursor, &text)) {
        return false;
    }
    if (place != TW_GEMMA4_TYPE) {
        tw_json_put_string(&notation->json, text.at,
                           (size_t)(text.end - text.at));
    } else if (!jot_types(&notation->json, text)) {
        jot_type(&notation->json, text);
    }
    return true;
}

/* ---- scalars ------------------------------------------------------------ */

static bool read_scalar(tw_gemma4_notation *notation, tw_cursor *cursor)
{
    const char *at = cursor->at;
    while (at < cursor->end &&
           (tw_is_gemma_word((uint8_t)*at) || *at == '+')) {
        at++;
    }
    if (at == cursor->at || at == cursor->end) {
        return false;
    }
    switch (tw_gemma_scan_scalar((const uint8_t *)cursor->at,
                                 (const uint8_t *)at)) {
    case TW_GEMMA_NUMBER:
    case TW_GEMMA_TRUE:
    case TW_GEMMA_FALSE:
    case TW_GEMMA_NULL:
        tw_json_put_text(&notation->json, cursor->at,
                         (size_t)(at - cursor->at));
        break;
    /* The first templates wrote `None`. */
    case TW_GEMMA_PYTHON_NULL: tw_json_put(&notation->json, "null"); break;
    default: return false;
    }
    cursor->at = at;
    return true;
}

/* ---- keys --------------------------------------------------------------- */

static bool ends_key(char c)
{
    return c == ':' || c == ',' || c == '{' || c == '}' || c == '[' ||
           c == ']';
}

static bool take_key(tw_cursor *cursor, tw_cursor *key)
{
    if (tw_cursor_skip(cursor, TW_GEMMA4_QUOTE)) {
        if (!take_string(cursor, key)) {
            return false;
        }
    } else {
        const char *at = cursor->at;
        while (at < cursor->end && !ends_key(*at)) {
            at++;
        }
        *key = (tw_cursor){cursor->at, at};
        if (at == cursor->at) {
            return false;
        }
        cursor->at = at;
    }
    return tw_cursor_skip(cursor, ":");
}

/* What stands behind the key. */
static tw_gemma4_scope place_of(tw_gemma4_scope outer, tw_cursor key)
{
    switch (outer) {
    case TW_GEMMA4_DECLARATION:
        return tw_cursor_is(key, "parameters") || tw_cursor_is(key, "response")
                   ? TW_GEMMA4_SCHEMA
                   : TW_GEMMA4_PLAIN;
    case TW_GEMMA4_SCHEMA:
    case TW_GEMMA4_ITEMS:
        return tw_cursor_is(key, "type")         ? TW_GEMMA4_TYPE
               : tw_cursor_is(key, "properties") ? TW_GEMMA4_SCHEMAS
               : tw_cursor_is(key, "items") && outer == TW_GEMMA4_SCHEMA
                   ? TW_GEMMA4_ITEMS
                   : TW_GEMMA4_PLAIN;
    case TW_GEMMA4_SCHEMAS: return TW_GEMMA4_SCHEMA;
    default: return outer;
    }
}

/* ---- objects ------------------------------------------------------------ */

static bool read_value(tw_gemma4_notation *notation, tw_cursor *cursor,
                       tw_gemma4_scope place)
{
    if (tw_cursor_skip(cursor, "{")) {
        return push(notation, place, '}');
    }
    if (tw_cursor_skip(cursor, "[")) {
        return push(notation, place, ']');
    }
    return tw_cursor_skip(cursor, TW_GEMMA4_QUOTE)
               ? read_string(notation, cursor, place)
               : read_scalar(notation, cursor);
}

/* What the template writes of a property that has no type, or is an object
 * without properties. */
static bool is_filler(tw_gemma4_scope outer, tw_gemma4_scope inner,
                      tw_cursor *cursor)
{
    return (inner == TW_GEMMA4_TYPE &&
            tw_cursor_skip(cursor, TW_GEMMA4_QUOTE TW_GEMMA4_QUOTE)) ||
           (inner == TW_GEMMA4_SCHEMAS && outer == TW_GEMMA4_SCHEMA &&
            tw_cursor_skip(cursor, "{}"));
}

/* An element or a pair; of a container its beginning. */
static bool read_part(tw_gemma4_notation *notation, tw_cursor *cursor)
{
    frame *top = top_of(notation);
    tw_gemma4_scope place = top->place;
    tw_cursor key = {NULL, NULL};
    notation->members += notation->frames.size == sizeof *top;
    top->used = true;
    if (top->closer == '}') {
        if (!take_key(cursor, &key)) {
            return false;
        }
        place = place_of(place, key);
        if (is_filler(top->place, place, cursor)) {
            return true;
        }
    }
    tw_json_put(&notation->json, top->some ? "," : "");
    top->some = true;
    if (top->closer == '}') {
        tw_json_put_string(&notation->json, key.at,
                           (size_t)(key.end - key.at));
        tw_json_put(&notation->json, ":");
    }
    return read_value(notation, cursor, place);
}

/* In front of a part stands a comma, or nothing before the first.  Parameters
 * without a type end in a comma. */
static bool read_comma(const frame *top, tw_cursor *cursor)
{
    return !top->used ||
           (tw_cursor_skip(cursor, ",") && cursor->at < cursor->end &&
            (*cursor->at != top->closer || top->place == TW_GEMMA4_SCHEMA));
}

static bool read_on(tw_gemma4_notation *notation, tw_cursor *cursor)
{
    while (notation->frames.size > 0) {
        const frame *top = top_of(notation);
        const bool closed =
            cursor->at < cursor->end && *cursor->at == top->closer;
        if (!closed && !read_comma(top, cursor)) {
            return false;
        }
        if (cursor->at == cursor->end) {
            return false;
        }
        if (*cursor->at == top->closer) {
            cursor->at++;
            pop(notation);
        } else if (!read_part(notation, cursor)) {
            return false;
        }
    }
    return true;
}

bool tw_gemma4_read_object(tw_gemma4_notation *notation, tw_cursor *cursor,
                           tw_gemma4_scope place)
{
    tw_cursor ahead = *cursor;
    notation->json.out.size = notation->frames.size = 0;
    notation->members = 0;
    if (!tw_cursor_skip(&ahead, "{") || !push(notation, place, '}') ||
        !read_on(notation, &ahead)) {
        return false;
    }
    *cursor = ahead;
    return true;
}

bool tw_gemma4_read_name(tw_cursor *cursor, tw_cursor *name)
{
    const char *at = cursor->at;
    while (at < cursor->end &&
           (tw_is_gemma_word((uint8_t)*at) || *at == ':')) {
        at++;
    }
    *name = (tw_cursor){cursor->at, at};
    if (at == cursor->at || at == cursor->end || *at != '{') {
        return false;
    }
    cursor->at = at;
    return true;
}

/* ---- declarations ------------------------------------------------------- */

bool tw_gemma4_read_declaration(tw_gemma4_notation *notation,
                                tw_cursor *cursor)
{
    tw_cursor ahead = *cursor;
    tw_cursor name;
    if (!tw_cursor_skip(&ahead, "declaration:") ||
        !tw_gemma4_read_name(&ahead, &name) ||
        !tw_gemma4_read_object(notation, &ahead, TW_GEMMA4_DECLARATION) ||
        !tw_cursor_skip(&ahead, TW_GEMMA4_TOOL_END)) {
        return false;
    }
    tw_json_out *out = tw_reader_tool(notation->reader);
    const tw_buffer *json = &notation->json.out;
    tw_json_put(out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_json_put_string(out, name.at, (size_t)(name.end - name.at));
    tw_json_put(out, notation->members > 0 ? "," : "");
    if (!notation->json.failed) {
        tw_json_put_text(out, (const char *)json->data + 1, json->size - 1);
    }
    tw_json_put(out, "}");
    *cursor = ahead;
    return true;
}
