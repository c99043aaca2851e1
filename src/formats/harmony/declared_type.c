/* SPDX-License-Identifier: MIT
 *
 * TypeScript back to functions: types and comments.
 */
#include "core/ascii.h"
#include "formats/harmony/declared_type.h"

enum { DEPTH_LIMIT = 128 };

/* ---- what is put -------------------------------------------------------- */

/* Another member of the object that is under way. */
void tw_declared_put_key(tw_declared *state, const char *key)
{
    const tw_buffer *out = &state->out->out;
    const bool first = out->size > 0 && out->data[out->size - 1] == '{';
    tw_json_put_key(state->out, key, first);
}

void tw_declared_put_text(tw_declared *state, const char *key, tw_cursor text)
{
    tw_declared_put_key(state, key);
    tw_json_put_string(state->out, text.at, tw_cursor_size(text));
}

/* Puts |words| |count| times in front of what stands behind |at|. */
void tw_declared_insert(tw_declared *state, size_t at, const char *words,
                        size_t count)
{
    tw_json_out *out = state->out;
    const size_t size = strlen(words);
    const size_t moved = out->out.size - at;
    for (size_t i = 0; i < count; i++) {
        tw_json_put(out, words);
    }
    if (!out->failed && count > 0) {
        uint8_t *to = out->out.data + at;
        memmove(to + count * size, to, moved);
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * size, words, size);
        }
    }
}

static void put_json(tw_declared *state, const char *key, tw_cursor json)
{
    tw_tree tree;
    tw_tree_init(&tree, state->out->memory);
    const int result =
        tw_tree_read(&tree, json.at, tw_cursor_size(json), false);
    if (result == TW_ERROR_MEMORY) {
        state->out->failed = true;
    } else if (result == TW_OK) {
        tw_declared_put_key(state, key);
        tw_json_put_value(state->out, tree.root);
    } else {
        tw_declared_put_text(state, key, json);
    }
    tw_tree_free(&tree);
}

/* Of an enum the default stands there as it is; else it is JSON, but that
 * openai/harmony escapes nothing in a string. */
void tw_declared_put_default(tw_declared *state, tw_cursor text)
{
    tw_cursor inner = text;
    if (state->raw) {
        tw_declared_put_text(state, "default", text);
    } else if (state->renderer && tw_cursor_skip(&inner, "\"") &&
               tw_cursor_strip_end(&inner, "\"")) {
        tw_declared_put_text(state, "default", inner);
    } else {
        put_json(state, "default", text);
    }
}

/* ---- comments ----------------------------------------------------------- */

static bool is_wordly(char c)
{
    return tw_is_alnum(c) || c == '_' || c == '-';
}

static bool skip_word(tw_cursor *cursor)
{
    const char *from = cursor->at;
    while (cursor->at < cursor->end && is_wordly(*cursor->at)) {
        cursor->at++;
    }
    return cursor->at > from;
}

/* Does |cursor| begin as a type does?  Prose mostly does not. */
static bool is_type(const tw_declared *state, tw_cursor cursor)
{
    tw_cursor line = tw_cursor_line(cursor);
    if (line.at == line.end) {
        tw_cursor_skip_line(&cursor);
        tw_cursor_skip_ws(&cursor);
        return state->renderer && cursor.at < cursor.end &&
               (*cursor.at == '|' || *cursor.at == ',');
    }
    if (state->renderer && tw_cursor_skip_ws(&line) > 0) {
        return tw_cursor_begins(line, "// ");
    }
    if (*line.at == '"') {
        return true;
    }
    if (tw_cursor_is(line, "{") || tw_cursor_begins(line, "Array<any>")) {
        return true;
    }
    if (!skip_word(&line)) {
        return false;
    }
    if (tw_cursor_begins(line, " | ") || tw_cursor_begins(line, "[]") ||
        tw_cursor_is(line, ",")) {
        return true;
    }
    return tw_cursor_begins(line, ", // default: ") ||
           tw_cursor_begins(line, "// ") ||
           tw_cursor_begins(line, "                    // default: ");
}

/* `NAME: TYPE` or `NAME?: TYPE`. */
static bool is_property(const tw_declared *state, tw_cursor cursor)
{
    const tw_cursor line = tw_cursor_line(cursor);
    const char *at = line.at;
    while (at < line.end && *at != ':' && *at != '"') {
        at++;
    }
    if (at == line.at || at == line.end || *at != ':' ||
        tw_cursor_begins(line, "//")) {
        return false;
    }
    cursor.at = at + 1;
    return (tw_cursor_skip(&cursor, " ") || tw_cursor_begins(cursor, "\n")) &&
           is_type(state, cursor);
}

/* A line of comments, without the blanks in front of it.  Examples stand
 * behind a description, or in front of one of variants; what looks like them
 * within a description belongs to it. */
static void read_comment(tw_comments *above, tw_cursor line, bool last)
{
    tw_cursor text = line;
    tw_cursor_skip_ws(&text);
    if (above->examples.at == NULL && tw_cursor_is(text, "// Examples:")) {
        above->examples = (tw_cursor){line.end, line.end};
    } else if (above->examples.at != NULL &&
               line.at == above->examples.end + 1 &&
               tw_cursor_begins(text, "// - \"")) {
        above->examples.end = line.end;
    } else if (tw_cursor_is(text, "//") && above->title.at == NULL &&
               above->about.at != NULL) {
        above->title = above->about;
        above->about = (tw_cursor){NULL, NULL};
    } else if (last && tw_cursor_skip(&text, "// default: ")) {
        above->value = text;
    } else if (above->about.at != NULL) {
        above->about.end = line.end;
        if (above->examples.at > above->about.at) {
            above->examples = (tw_cursor){NULL, NULL};
        }
    } else {
        tw_cursor_skip(&text, "// ");
        above->about = text;
    }
}

/* The heading of no examples is part of a description. */
static void end_comments(tw_comments *above)
{
    tw_cursor heading = above->examples;
    if (above->examples.at == NULL ||
        above->examples.at < above->examples.end) {
        return;
    }
    heading.at -= sizeof "Examples:" - 1;
    if (above->about.at == NULL) {
        above->about = heading;
    } else if (above->about.at > heading.at) {
        above->about.at = heading.at;
    } else {
        above->about.end = heading.end;
    }
    above->examples = (tw_cursor){NULL, NULL};
}

/* The lines in front of a property. */
tw_comments tw_declared_comments(tw_declared *state)
{
    tw_comments above = {{0}, {0}, {0}, {0}};
    tw_cursor *cursor = &state->cursor;
    tw_cursor look = *cursor;
    tw_cursor_skip_ws(&look);
    if (!tw_cursor_begins(look, "//")) {
        return above;
    }
    look = *cursor;
    do {
        tw_cursor line = tw_cursor_line(look);
        tw_cursor_skip_line(&look);
        const bool done = look.at == look.end || is_property(state, look);
        if (state->renderer) {
            tw_cursor behind = tw_cursor_line(look);
            read_comment(&above, line,
                         done && tw_cursor_strip_end(&behind, ":"));
        } else if (above.about.at == NULL) {
            tw_cursor_skip(&line, "// ");
            above.about = line;
        } else {
            above.about.end = line.end;
        }
        if (done) {
            break;
        }
    } while (true);
    *cursor = look;
    end_comments(&above);
    return above;
}

static void put_examples(tw_declared *state, tw_cursor lines)
{
    bool first = true;
    tw_declared_put_key(state, "examples");
    tw_json_put(state->out, "[");
    while (lines.at < lines.end) {
        tw_cursor line = tw_cursor_line(lines);
        tw_cursor_skip_line(&lines);
        tw_cursor_skip_ws(&line);
        if (tw_cursor_skip(&line, "// - \"") &&
            tw_cursor_strip_end(&line, "\"")) {
            tw_json_put(state->out, first ? "" : ",");
            tw_json_put_string(state->out, line.at, tw_cursor_size(line));
            first = false;
        }
    }
    tw_json_put(state->out, "]");
}

void tw_declared_put_comments(tw_declared *state, const tw_comments *above)
{
    if (above->title.at != NULL) {
        tw_declared_put_text(state, "title", above->title);
    }
    if (above->about.at != NULL && !state->described) {
        tw_declared_put_text(state, "description", above->about);
    }
    if (above->examples.at != NULL) {
        put_examples(state, above->examples);
    }
    if (above->value.at != NULL) {
        state->raw = false;
        tw_declared_put_default(state, above->value);
    }
}

/* ---- types -------------------------------------------------------------- */

/* A value of an enum ends at the first quote behind which a type goes on or
 * ends. */
static bool read_literal(tw_cursor *cursor, tw_cursor *literal)
{
    static const char *const behind[] = {" |",  "[]",  ", ", ",\n", "\n",
                                         " //", "// ", "}",  "  "};
    tw_cursor look = *cursor;
    tw_cursor_skip(&look, "\"");
    literal->at = look.at;
    while ((look.at = memchr(look.at, '"', tw_cursor_size(look))) != NULL) {
        literal->end = look.at++;
        bool good = look.at == look.end;
        for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
            good = good || tw_cursor_begins(look, behind[i]);
        }
        if (good) {
            cursor->at = look.at;
            return true;
        }
    }
    return false;
}

static bool read_enum(tw_declared *state)
{
    tw_cursor *cursor = &state->cursor;
    tw_cursor literal;
    tw_cursor next = *cursor;
    tw_declared_put_key(state, "type");
    tw_json_put(state->out, "\"string\",\"enum\":[");
    for (bool first = true;; first = false) {
        if (!read_literal(&next, &literal)) {
            return false;
        }
        tw_json_put(state->out, first ? "" : ",");
        tw_json_put_string(state->out, literal.at, tw_cursor_size(literal));
        *cursor = next;
        if (!tw_cursor_skip(&next, " | ") || !tw_cursor_begins(next, "\"")) {
            break;
        }
    }
    tw_json_put(state->out, "]");
    state->raw = true;
    return true;
}

/* `string | null`; `any` is no type. */
static bool read_words(tw_declared *state)
{
    tw_cursor *cursor = &state->cursor;
    tw_cursor next = *cursor;
    const char *from = cursor->at;
    size_t count = 0;
    do {
        if (!skip_word(&next)) {
            break;
        }
        *cursor = next;
        count++;
    } while (tw_cursor_skip(&next, " | "));
    if (count == 0) {
        return false;
    }
    tw_cursor words = {from, cursor->at};
    if (tw_cursor_is(words, "any")) {
        return true;
    }
    if (tw_cursor_skip(&words, "any |")) {
        cursor->at = from + 3; /* the rest is said of any type */
        return true;
    }
    tw_declared_put_key(state, "type");
    tw_json_put(state->out, count > 1 ? "[" : "");
    for (; words.at < words.end; tw_cursor_skip(&words, " | ")) {
        from = words.at;
        skip_word(&words);
        tw_json_put_string(state->out, from, (size_t)(words.at - from));
        tw_json_put(state->out, words.at < words.end ? "," : "");
    }
    tw_json_put(state->out, count > 1 ? "]" : "");
    return true;
}

tw_open_type *tw_declared_top(const tw_declared *state)
{
    tw_open_type *open = (tw_open_type *)(void *)state->open.data;
    const size_t count = state->open.size / sizeof *open;
    return count > 0 ? open + count - 1 : NULL;
}

/* NULL: too deep, or no memory.  It lives until the next one. */
tw_open_type *tw_declared_push(tw_declared *state, tw_open_kind kind,
                               size_t begin)
{
    tw_open_type added = {0};
    added.kind = kind;
    added.begin = begin;
    added.required = state->required.out.size;
    if (state->open.size >= DEPTH_LIMIT * sizeof added) {
        return NULL;
    }
    if (!tw_buffer_append(&state->open, state->out->memory, &added,
                          sizeof added)) {
        state->out->failed = true;
        return NULL;
    }
    return tw_declared_top(state);
}

void tw_declared_pop(tw_declared *state)
{
    const tw_buffer *all = &state->open;
    const tw_open_type *open =
        (const tw_open_type *)(const void *)(all->data + all->size) - 1;
    state->begin = open->begin;
    state->described = open->described;
    state->raw = open->kind == TW_OPEN_VARIANTS && !state->renderer;
    state->open.size -= sizeof *open;
}

/* A line feed, blanks and `|`: the variants of openai/harmony stand in lines
 * of their own, and those of a property end with a line of a comma. */
static bool open_variants(tw_declared *state)
{
    tw_cursor look = state->cursor;
    tw_cursor_skip(&look, "\n");
    const size_t indent = tw_cursor_skip_ws(&look);
    tw_open_type *open = NULL;
    if (tw_cursor_begins(look, "| ") || tw_cursor_begins(look, ",\n")) {
        open = tw_declared_push(state, TW_OPEN_VARIANTS, state->begin);
    }
    if (open == NULL) {
        return false;
    }
    open->indent = indent;
    tw_declared_put_key(state, "oneOf");
    tw_json_put(state->out, "[");
    return true;
}

static bool open_members(tw_declared *state, const tw_cursor *about)
{
    tw_open_type *open =
        tw_declared_push(state, TW_OPEN_MEMBERS, state->begin);
    if (open == NULL) {
        return false;
    }
    if (about->at != NULL) {
        tw_declared_put_text(state, "description", *about);
        open->described = true;
    }
    tw_declared_put_key(state, "type");
    tw_json_put(state->out, "\"object\",\"properties\":{");
    return true;
}

/* A word, an enum, or the opening of parts. */
bool tw_declared_type(tw_declared *state)
{
    tw_cursor *cursor = &state->cursor;
    tw_cursor about = *cursor;
    state->begin = state->out->out.size;
    state->described = state->raw = false;
    if (state->renderer && tw_cursor_begins(*cursor, "\n")) {
        return open_variants(state);
    }
    tw_cursor_skip_ws(&about);
    if (state->renderer && tw_cursor_skip(&about, "// ")) {
        about.end = tw_cursor_find(&about, "\n{\n");
        if (about.end == NULL) {
            return false;
        }
        cursor->at = about.end + 1;
    } else {
        about.at = NULL;
    }
    if (tw_cursor_skip(cursor, "{\n")) {
        return open_members(state, &about);
    }
    if (tw_cursor_skip(cursor, state->renderer ? "Array<any>" : "any[]")) {
        tw_declared_put_key(state, "type");
        tw_json_put(state->out, "\"array\"");
        return true;
    }
    return tw_cursor_begins(*cursor, "\"") ? read_enum(state)
                                           : read_words(state);
}

/* `[]` and `| null`, which are said of all in front of them. */
bool tw_declared_suffixes(tw_declared *state)
{
    enum { CHANGES = 4, ARRAYS = 64 };
    for (size_t changes = 0; changes < CHANGES; changes++) {
        size_t arrays = 0;
        while (tw_cursor_skip(&state->cursor, "[]")) {
            arrays++;
        }
        if (arrays > ARRAYS) {
            return false;
        }
        tw_declared_insert(state, state->begin,
                           "\"type\":\"array\",\"items\":{", arrays);
        for (size_t i = 0; i < arrays; i++) {
            tw_json_put(state->out, "}");
            state->described = state->raw = false;
        }
        if (!tw_cursor_skip(&state->cursor, " | null")) {
            return true;
        }
        tw_declared_put_key(state, "nullable");
        tw_json_put(state->out, "true");
    }
    return false;
}
