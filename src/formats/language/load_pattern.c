/* SPDX-License-Identifier: MIT
 *
 * A pattern's text becomes parts: literals, the layout around them, holes.
 */
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "formats/language/load_state.h"

typedef struct pattern_reader {
    tw_loader *loader;
    tw_part parts[TW_PATTERN_PARTS];
    size_t count;
    size_t hole;   /* + 1 */
    char *literal; /* the text between two holes, braces made single */
    size_t literal_size;
} pattern_reader;

/* Which holes a key may have, and which of them it is for. */
typedef struct hole_row {
    const char *name;
    uint8_t kind;
    const char *keys; /* where it may stand */
    bool main;
} hole_row;

static const hole_row holes[] = {
    {"name", TW_PATTERN_NAME, "call id", false},
    {"id", TW_PATTERN_ID, "call", false},
    {"index", TW_PATTERN_INDEX, "call id", false},
    {"index:1", TW_PATTERN_INDEX_FROM_1, "call id", false},
    {"skip", TW_PATTERN_SKIP, "call calls argument reasoning text", false},
    {"server:", TW_PATTERN_SERVER, "call", false},
    {"object", TW_PATTERN_OBJECT, "call", true},
    {"list", TW_PATTERN_LIST, "call", true},
    {"list:lines", TW_PATTERN_LIST_LINES, "call", true},
    {"keyed", TW_PATTERN_KEYED, "call", true},
    {"arguments", TW_PATTERN_ARGUMENTS, "call", true},
    {"arguments:json", TW_PATTERN_JSON_ARGUMENTS, "call", true},
    {"python", TW_PATTERN_PYTHON, "call", true},
    {"python:lines", TW_PATTERN_PYTHON_LINES, "call", true},
    {"python:call", TW_PATTERN_PYTHON_CALL, "call", true},
    {"raw", TW_PATTERN_RAW, "call", true},
    {"gemma:", TW_PATTERN_GEMMA, "call", true},
    {"elements:", TW_PATTERN_ELEMENTS, "call", true},
    {"key", TW_PATTERN_KEY, "argument", false},
    {"type", TW_PATTERN_TYPE, "argument", false},
    {"value", TW_PATTERN_VALUE, "argument", true},
    {"value:text", TW_PATTERN_VALUE_TEXT, "argument", true},
    {"value:json", TW_PATTERN_VALUE_JSON, "argument", true},
    {"value:trim", TW_PATTERN_VALUE_TRIM, "argument", true},
    {"value:guess", TW_PATTERN_VALUE_GUESS, "argument", true},
    {"text", TW_PATTERN_TEXT, "reasoning text", true},
    {"text:line", TW_PATTERN_TEXT_LINE, "reasoning text", true},
    {"text:trim", TW_PATTERN_TEXT_TRIM, "reasoning text", true},
    {"text:json", TW_PATTERN_TEXT_JSON, "text", true},
    {"unread", TW_PATTERN_UNREAD, "text", true},
    {"calls", TW_PATTERN_CALLS, "calls", true},
    {"call", TW_PATTERN_CALL, "calls", true},
};

static bool is_word(const char *list, const char *word, size_t size)
{
    for (const char *at = list; *at != 0;) {
        const size_t length = strcspn(at, " ");
        if (length == size && memcmp(at, word, size) == 0) {
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

static const hole_row *hole_named(const tw_loader *loader, const char *name,
                                  size_t size)
{
    for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++) {
        const size_t known = strlen(holes[i].name);
        const bool more = holes[i].name[known - 1] == ':';
        const bool empty = holes[i].kind == TW_PATTERN_ELEMENTS;
        if ((more ? known < size + empty : known == size) &&
            memcmp(holes[i].name, name, known) == 0 &&
            is_word(holes[i].keys, loader->key, loader->key_size)) {
            return &holes[i];
        }
    }
    return NULL;
}

const char *tw_hole_name(uint8_t kind)
{
    size_t i = 0;
    while (holes[i].kind != kind) {
        i++;
    }
    return holes[i].name;
}

/* ---- parts -------------------------------------------------------------- */

static void add_part(pattern_reader *reader, uint8_t kind, const char *text,
                     size_t size, size_t token)
{
    if (size > TW_MARKER_LONGEST) {
        tw_load_refuse(reader->loader, "a text is longer than 255 bytes", "",
                       0, "");
        return;
    }
    if (reader->count == TW_PATTERN_PARTS) {
        tw_load_refuse(reader->loader, "more than 48 parts", "", 0, "");
        return;
    }
    const tw_part part = {tw_load_text(reader->loader, text, size),
                          (uint8_t)size,
                          kind,
                          (uint8_t)token,
                          0,
                          0,
                          0,
                          0};
    reader->parts[reader->count++] = part;
}

static size_t token_at(const pattern_reader *reader, const char *at,
                       size_t left)
{
    const char *const *tokens = reader->loader->to->description.tokens;
    size_t longest = 0;
    for (size_t i = 0; tokens[i] != NULL; i++) {
        const size_t size = strlen(tokens[i]);
        if (size > longest && size <= left &&
            memcmp(at, tokens[i], size) == 0) {
            longest = size;
        }
    }
    return longest;
}

/* The white space at |at|, if it is layout: at an end of the text, beside a
 * token, or with a line feed in it. */
static size_t layout_at(const pattern_reader *reader, const char *at,
                        bool beside, const char *end)
{
    const char *to = at;
    bool feed = false;
    for (; to < end && tw_is_ws((uint8_t)*to); to++) {
        feed |= *to == '\n';
    }
    const bool layout = feed || beside || to == end ||
                        token_at(reader, to, (size_t)(end - to)) > 0;
    return layout ? (size_t)(to - at) : 0;
}

/* The blank at |at|, behind the name of a tag in which the call's name stands:
 * `<function {name}>`.  It is no layout, as `<function` may be any tag. */
static bool is_in_tag(const char *from, const char *at, const char *end)
{
    const char *word = from + 1;
    while (word < at && tw_is_letter(*word)) {
        word++;
    }
    return *from == '<' && word > from + 1 && word == at && *at == ' ' &&
           at + 1 == end;
}

/* The text between two holes is over; |named|: the second one is {name}. */
static void end_literal(pattern_reader *reader, bool named)
{
    const char *from = reader->literal;
    const char *at = from;
    const char *end = from + reader->literal_size;
    bool beside = true; /* what stands in front ends the literal */
    while (at < end) {
        const size_t token = token_at(reader, at, (size_t)(end - at));
        const size_t layout =
            token > 0 || (named && is_in_tag(from, at, end))
                ? 0
                : layout_at(reader, at, beside && at == from, end);
        if (token == 0 && layout == 0) {
            at++;
            continue;
        }
        if (at > from) {
            add_part(reader, TW_PATTERN_LITERAL, from, (size_t)(at - from), 0);
        }
        const size_t size = token > 0 ? token : layout;
        /* A token may stand inside a tag, and a blank behind it there. */
        beside = token == 0 || at == from || strchr("</", at[-1]) == NULL;
        add_part(reader, token > 0 ? TW_PATTERN_LITERAL : TW_PATTERN_LAYOUT,
                 at, size, token);
        from = at += size;
    }
    if (at > from) {
        add_part(reader, TW_PATTERN_LITERAL, from, (size_t)(at - from), 0);
    }
    reader->literal_size = 0;
}

/* A hole at |at|, which is a brace; returns what stands behind it. */
static const char *read_hole(pattern_reader *reader, const char *at,
                             const char *end)
{
    tw_loader *loader = reader->loader;
    const char *name = at + 1;
    const char *close = memchr(name, '}', (size_t)(end - name));
    if (close == NULL) {
        tw_load_refuse(loader, "a brace is not closed ({{ is a brace)", "", 0,
                       "");
        return end;
    }
    const size_t size = (size_t)(close - name);
    const hole_row *hole = hole_named(loader, name, size);
    if (hole == NULL) {
        tw_load_refuse(loader, "{", name, size, "} is no hole here");
        return end;
    }
    end_literal(reader, hole->kind == TW_PATTERN_NAME);
    if (hole->main && reader->hole > 0) {
        tw_load_refuse(loader, "{", name, size, "} is one body too many");
        return end;
    }
    for (size_t i = 0; i < reader->count; i++) {
        if (reader->parts[i].kind == hole->kind &&
            hole->kind != TW_PATTERN_SKIP) {
            tw_load_refuse(loader, "{", name, size, "} stands twice");
            return end;
        }
    }
    const size_t known = strlen(hole->name);
    add_part(reader, hole->kind, name + known, size - known, 0);
    reader->hole = hole->main ? reader->count : reader->hole;
    return close + 1;
}

static void read_parts(pattern_reader *reader, const tw_value *text)
{
    const char *at = text->text;
    const char *end = at + text->size;
    while (at < end && reader->loader->to->error == TW_OK) {
        reader->loader->byte = (size_t)(at - text->text);
        const bool brace = *at == '{' || *at == '}';
        if (brace && end - at > 1 && at[1] == *at) {
            reader->literal[reader->literal_size++] = *at;
            at += 2;
        } else if (*at == '{') {
            at = read_hole(reader, at, end);
        } else if (brace) {
            tw_load_refuse(reader->loader, "a lone } (}} is a brace)", "", 0,
                           "");
        } else {
            reader->literal[reader->literal_size++] = *at++;
        }
    }
    end_literal(reader, false);
}

/* Which holes the key must have one of. */
static const char *main_holes(const tw_loader *loader)
{
    static const char *const due[][2] = {
        {"call", "{object}, {list}, {arguments} or another body"},
        {"calls", "{calls} or {call}"},
        {"argument", "{value}"},
    };
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        if (is_word(due[i][0], loader->key, loader->key_size)) {
            return due[i][1];
        }
    }
    return "{text}";
}

void tw_load_pattern(tw_loader *loader, tw_pattern *pattern,
                     const tw_value *text)
{
    pattern_reader reader = {.loader = loader};
    loader->in_pattern = true;
    loader->byte = 0;
    reader.literal = tw_load_room(loader, text->size + 1);
    if (reader.literal == NULL) {
        return;
    }
    if (memchr(text->text, 0, text->size) != NULL) {
        tw_load_refuse(loader, "it holds a NUL", "", 0, "");
        return;
    }
    read_parts(&reader, text);
    loader->in_pattern = false;
    tw_part *parts = tw_load_room(loader, reader.count * sizeof *parts + 1);
    if (parts == NULL || loader->to->error != TW_OK) {
        return;
    }
    memcpy(parts, reader.parts, reader.count * sizeof *parts);
    pattern->parts = parts;
    pattern->count = (uint8_t)reader.count;
    pattern->loose = loader->loose;
    if (reader.hole == 0 && !is_word("id", loader->key, loader->key_size)) {
        const char *due = main_holes(loader);
        tw_load_refuse(loader, "it has no hole for what it is for: ", due,
                       strlen(due), "");
        return;
    }
    pattern->hole = (uint8_t)(reader.hole > 0 ? reader.hole - 1 : 0);
}
