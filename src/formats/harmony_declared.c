/* SPDX-License-Identifier: MIT
 *
 * TypeScript back to functions: the inverse of harmony_typescript.c and
 * harmony_namespace.c.  Of a schema it gives what the wire kept.
 *
 * Descriptions and defaults stand on the wire as they are, unescaped: where
 * one ends is known by what must follow it.
 */
#include <string.h>

#include "formats/harmony_encode.h"

enum { DEPTH_LIMIT = 128 };

/* What stands above a property. */
typedef struct comments {
    tw_rest title;
    tw_rest about;
    tw_rest examples; /* lines */
    tw_rest value;    /* a default */
} comments;

typedef enum open_kind { MEMBERS, VARIANTS } open_kind;

/* A schema of parts that is under way. */
typedef struct open_schema {
    open_kind kind;
    size_t begin;    /* of its members in |out| */
    size_t required; /* of its names in |required| */
    size_t indent;   /* VARIANTS of openai/harmony: of their lines */
    bool described;  /* MEMBERS: it says itself what it is */
    bool some;       /* it has a part */
    bool more;       /* VARIANTS of the chat template: another one follows */
    comments above;  /* MEMBERS: of the property under way */
} open_schema;

typedef struct declared {
    bool renderer;
    tw_rest rest;
    tw_jotter *out;
    tw_jotter required; /* names, a comma behind each */
    tw_buffer open;     /* open_schema, the outermost first */
    /* Of the last type. */
    size_t begin;
    bool described;
    bool raw; /* a default of it stands there as it is */
} declared;

static size_t size_of(tw_rest rest)
{
    return (size_t)(rest.end - rest.at);
}

static bool is(tw_rest rest, const char *words)
{
    return tw_rest_skip(&rest, words) && rest.at == rest.end;
}

static bool begins(tw_rest rest, const char *words)
{
    return tw_rest_skip(&rest, words);
}

static bool strip_end(tw_rest *rest, const char *words)
{
    const size_t size = strlen(words);
    if (size_of(*rest) < size || memcmp(rest->end - size, words, size) != 0) {
        return false;
    }
    rest->end -= size;
    return true;
}

static tw_rest line_of(tw_rest rest)
{
    const char *feed = memchr(rest.at, '\n', size_of(rest));
    rest.end = feed != NULL ? feed : rest.end;
    return rest;
}

static void skip_line(tw_rest *rest)
{
    const tw_rest line = line_of(*rest);
    rest->at = line.end < rest->end ? line.end + 1 : rest->end;
}

static size_t skip_blanks(tw_rest *rest)
{
    const char *from = rest->at;
    while (rest->at < rest->end && *rest->at == ' ') {
        rest->at++;
    }
    return (size_t)(rest->at - from);
}

/* ---- what is put -------------------------------------------------------- */

/* Another member of the object that is under way. */
static void put_key(declared *state, const char *key)
{
    const tw_buffer *out = &state->out->out;
    const bool first = out->size > 0 && out->data[out->size - 1] == '{';
    tw_jot_key(state->out, key, first);
}

static void put_text(declared *state, const char *key, tw_rest text)
{
    put_key(state, key);
    tw_jot_string(state->out, text.at, size_of(text));
}

/* Puts |words| |count| times in front of what stands behind |at|. */
static void insert(declared *state, size_t at, const char *words, size_t count)
{
    tw_jotter *out = state->out;
    const size_t size = strlen(words);
    const size_t moved = out->out.size - at;
    for (size_t i = 0; i < count; i++) {
        tw_jot(out, words);
    }
    if (!out->failed && count > 0) {
        uint8_t *to = out->out.data + at;
        memmove(to + count * size, to, moved);
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * size, words, size);
        }
    }
}

static void put_json(declared *state, const char *key, tw_rest json)
{
    tw_tree tree;
    tw_tree_init(&tree, state->out->memory);
    const int result = tw_tree_read(&tree, json.at, size_of(json), false);
    if (result == TW_ERROR_MEMORY) {
        state->out->failed = true;
    } else if (result == TW_OK) {
        put_key(state, key);
        tw_jot_value(state->out, tree.root);
    } else {
        put_text(state, key, json);
    }
    tw_tree_free(&tree);
}

/* Of an enum the default stands there as it is; else it is JSON, but that
 * openai/harmony escapes nothing in a string. */
static void put_default(declared *state, tw_rest text)
{
    tw_rest inner = text;
    if (state->raw) {
        put_text(state, "default", text);
    } else if (state->renderer && tw_rest_skip(&inner, "\"") &&
               strip_end(&inner, "\"")) {
        put_text(state, "default", inner);
    } else {
        put_json(state, "default", text);
    }
}

/* ---- comments ----------------------------------------------------------- */

static bool is_wordly(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool skip_word(tw_rest *rest)
{
    const char *from = rest->at;
    while (rest->at < rest->end && is_wordly(*rest->at)) {
        rest->at++;
    }
    return rest->at > from;
}

/* Does |rest| begin as a type does?  Prose mostly does not. */
static bool is_type(const declared *state, tw_rest rest)
{
    tw_rest line = line_of(rest);
    if (line.at == line.end) {
        skip_line(&rest);
        skip_blanks(&rest);
        return rest.at < rest.end &&
               (state->renderer ? *rest.at == '|' || *rest.at == ',' : true);
    }
    if (state->renderer && skip_blanks(&line) > 0) {
        return begins(line, "// ");
    }
    if (*line.at == '"') {
        return true;
    }
    if (is(line, "{") || begins(line, "Array<any>")) {
        return true;
    }
    if (!skip_word(&line)) {
        return false;
    }
    if (begins(line, " | ") || begins(line, "[]") || is(line, ",")) {
        return true;
    }
    return begins(line, ", // default: ") || begins(line, "// ") ||
           begins(line, "                    // default: ");
}

/* `NAME: TYPE` or `NAME?: TYPE`. */
static bool is_property(const declared *state, tw_rest rest)
{
    const tw_rest line = line_of(rest);
    const char *at = line.at;
    while (at < line.end && *at != ':' && *at != '"') {
        at++;
    }
    if (at == line.at || at == line.end || *at != ':') {
        return false;
    }
    rest.at = at + 1;
    return (tw_rest_skip(&rest, " ") || begins(rest, "\n")) &&
           is_type(state, rest);
}

/* A line of comments, without the blanks in front of it. */
static void read_comment(comments *above, tw_rest line, bool last)
{
    tw_rest text = line;
    skip_blanks(&text);
    if (above->about.at == NULL && is(text, "// Examples:")) {
        above->examples = (tw_rest){line.end, line.end};
    } else if (above->examples.at != NULL && above->about.at == NULL &&
               begins(text, "// - \"")) {
        above->examples.end = line.end;
    } else if (is(text, "//") && above->title.at == NULL &&
               above->about.at != NULL) {
        above->title = above->about;
        above->about = (tw_rest){NULL, NULL};
    } else if (last && tw_rest_skip(&text, "// default: ")) {
        above->value = text;
    } else if (above->about.at != NULL) {
        above->about.end = line.end;
    } else {
        tw_rest_skip(&text, "// ");
        above->about = text;
    }
}

/* The lines in front of a property. */
static comments read_comments(declared *state)
{
    comments above = {{0}, {0}, {0}, {0}};
    tw_rest *rest = &state->rest;
    tw_rest look = *rest;
    skip_blanks(&look);
    if (!begins(look, "//")) {
        return above;
    }
    look = *rest;
    do {
        tw_rest line = line_of(look);
        skip_line(&look);
        const bool done = look.at == look.end || is_property(state, look);
        if (state->renderer) {
            tw_rest behind = line_of(look);
            read_comment(&above, line, done && strip_end(&behind, ":"));
        } else if (above.about.at == NULL) {
            tw_rest_skip(&line, "// ");
            above.about = line;
        } else {
            above.about.end = line.end;
        }
        if (done) {
            break;
        }
    } while (true);
    *rest = look;
    return above;
}

static void put_examples(declared *state, tw_rest lines)
{
    bool first = true;
    put_key(state, "examples");
    tw_jot(state->out, "[");
    while (lines.at < lines.end) {
        tw_rest line = line_of(lines);
        skip_line(&lines);
        skip_blanks(&line);
        if (tw_rest_skip(&line, "// - \"") && strip_end(&line, "\"")) {
            tw_jot(state->out, first ? "" : ",");
            tw_jot_string(state->out, line.at, size_of(line));
            first = false;
        }
    }
    tw_jot(state->out, "]");
}

static void put_comments(declared *state, const comments *above)
{
    if (above->title.at != NULL) {
        put_text(state, "title", above->title);
    }
    if (above->about.at != NULL && !state->described) {
        put_text(state, "description", above->about);
    }
    if (above->examples.at != NULL) {
        put_examples(state, above->examples);
    }
    if (above->value.at != NULL) {
        state->raw = false;
        put_default(state, above->value);
    }
}

/* ---- types -------------------------------------------------------------- */

/* A value of an enum ends at the first quote behind which a type goes on or
 * ends. */
static bool read_literal(tw_rest *rest, tw_rest *literal)
{
    static const char *const behind[] = {" |",  "[]",  ", ", ",\n", "\n",
                                         " //", "// ", "}",  "  "};
    tw_rest look = *rest;
    if (!tw_rest_skip(&look, "\"")) {
        return false;
    }
    literal->at = look.at;
    while ((look.at = memchr(look.at, '"', size_of(look))) != NULL) {
        literal->end = look.at++;
        bool good = look.at == look.end;
        for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
            good = good || begins(look, behind[i]);
        }
        if (good) {
            rest->at = look.at;
            return true;
        }
    }
    return false;
}

static bool read_enum(declared *state)
{
    tw_rest *rest = &state->rest;
    tw_rest literal;
    tw_rest next = *rest;
    put_key(state, "type");
    tw_jot(state->out, "\"string\",\"enum\":[");
    for (bool first = true;; first = false) {
        if (!read_literal(&next, &literal)) {
            return false;
        }
        tw_jot(state->out, first ? "" : ",");
        tw_jot_string(state->out, literal.at, size_of(literal));
        *rest = next;
        if (!tw_rest_skip(&next, " | ") || !begins(next, "\"")) {
            break;
        }
    }
    tw_jot(state->out, "]");
    state->raw = true;
    return true;
}

/* `string | null`; `any` is no type. */
static bool read_words(declared *state)
{
    tw_rest *rest = &state->rest;
    tw_rest next = *rest;
    const char *from = rest->at;
    size_t count = 0;
    do {
        if (!skip_word(&next)) {
            break;
        }
        *rest = next;
        count++;
    } while (tw_rest_skip(&next, " | "));
    if (count == 0) {
        return false;
    }
    tw_rest words = {from, rest->at};
    if (is(words, "any")) {
        return true;
    }
    if (tw_rest_skip(&words, "any |")) {
        rest->at = from + 3; /* the rest is said of any type */
        return true;
    }
    put_key(state, "type");
    tw_jot(state->out, count > 1 ? "[" : "");
    for (; words.at < words.end; tw_rest_skip(&words, " | ")) {
        from = words.at;
        skip_word(&words);
        tw_jot_string(state->out, from, (size_t)(words.at - from));
        tw_jot(state->out, words.at < words.end ? "," : "");
    }
    tw_jot(state->out, count > 1 ? "]" : "");
    return true;
}

static open_schema *top_of(const declared *state)
{
    open_schema *open = (open_schema *)(void *)state->open.data;
    const size_t count = state->open.size / sizeof *open;
    return count > 0 ? open + count - 1 : NULL;
}

/* NULL: too deep, or no memory.  It lives until the next one. */
static open_schema *push(declared *state, open_kind kind, size_t begin)
{
    open_schema added = {0};
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
    return top_of(state);
}

static void pop(declared *state)
{
    const open_schema *open = top_of(state);
    state->begin = open->begin;
    state->described = open->described;
    state->raw = open->kind == VARIANTS && !state->renderer;
    state->open.size -= sizeof *open;
}

/* A line feed, blanks and `|`: the variants of openai/harmony stand in lines
 * of their own, and those of a property end with a line of a comma. */
static bool open_variants(declared *state)
{
    tw_rest look = state->rest;
    tw_rest_skip(&look, "\n");
    const size_t indent = skip_blanks(&look);
    open_schema *open = NULL;
    if (begins(look, "| ") || begins(look, ",\n")) {
        open = push(state, VARIANTS, state->begin);
    }
    if (open == NULL) {
        return false;
    }
    open->indent = indent;
    put_key(state, "oneOf");
    tw_jot(state->out, "[");
    return true;
}

static bool open_members(declared *state, const tw_rest *about)
{
    open_schema *open = push(state, MEMBERS, state->begin);
    if (open == NULL) {
        return false;
    }
    if (about->at != NULL) {
        put_text(state, "description", *about);
        open->described = true;
    }
    put_key(state, "type");
    tw_jot(state->out, "\"object\",\"properties\":{");
    return true;
}

/* A word, an enum, or the opening of parts. */
static bool read_type(declared *state)
{
    tw_rest *rest = &state->rest;
    tw_rest about = *rest;
    state->begin = state->out->out.size;
    state->described = state->raw = false;
    if (state->renderer && begins(*rest, "\n")) {
        return open_variants(state);
    }
    skip_blanks(&about);
    if (state->renderer && tw_rest_skip(&about, "// ")) {
        about.end = tw_rest_find(&about, "\n{\n");
        if (about.end == NULL) {
            return false;
        }
        rest->at = about.end + 1;
    } else {
        about.at = NULL;
    }
    if (tw_rest_skip(rest, "{\n")) {
        return open_members(state, &about);
    }
    if (tw_rest_skip(rest, "Array<any>") || tw_rest_skip(rest, "any[]")) {
        put_key(state, "type");
        tw_jot(state->out, "\"array\"");
        return true;
    }
    return begins(*rest, "\"") ? read_enum(state) : read_words(state);
}

/* `[]` and `| null`, which are said of all in front of them. */
static bool read_suffixes(declared *state)
{
    enum { CHANGES = 4, ARRAYS = 64 };
    for (size_t changes = 0; changes < CHANGES; changes++) {
        size_t arrays = 0;
        while (tw_rest_skip(&state->rest, "[]")) {
            arrays++;
        }
        if (arrays > ARRAYS) {
            return false;
        }
        insert(state, state->begin, "\"type\":\"array\",\"items\":{", arrays);
        for (size_t i = 0; i < arrays; i++) {
            tw_jot(state->out, "}");
            state->described = state->raw = false;
        }
        if (!tw_rest_skip(&state->rest, " | null")) {
            return true;
        }
        put_key(state, "nullable");
        tw_jot(state->out, "true");
    }
    return false;
}

/* ---- variants ----------------------------------------------------------- */

/* What stands between a variant and its default. */
static const char wide_default[] = "                    // default: ";

/* The first of several in the chat template is known by what is behind it. */
static bool is_variant(const declared *state)
{
    const open_schema *top = top_of(state);
    if (state->renderer || (top != NULL && top->kind == VARIANTS)) {
        return false;
    }
    return begins(state->rest, " | \n") || begins(state->rest, wide_default) ||
           (begins(state->rest, "// ") &&
            !begins(state->rest, "// default: "));
}

static bool begin_variant(declared *state)
{
    open_schema *open = top_of(state);
    tw_rest look = state->rest;
    if (state->renderer) {
        if (!tw_rest_skip(&look, "\n") || skip_blanks(&look) != open->indent ||
            !tw_rest_skip(&look, "| ")) {
            return false;
        }
        state->rest = look;
    } else if (!open->more) {
        return false;
    }
    tw_jot(state->out, open->some ? ",{" : "{");
    open->some = true;
    return true;
}

/* Cuts |line| off in front of the last |words|. */
static void cut_last(tw_rest *line, const char *words)
{
    const char *last = NULL;
    for (tw_rest look = *line; (look.at = tw_rest_find(&look, words)) != NULL;
         look.at++) {
        last = look.at;
    }
    line->end = last != NULL ? last : line->end;
}

/* The description of a variant goes to the end of its line, but for what
 * stands there behind the variant. */
static tw_rest read_about(declared *state)
{
    tw_rest line = line_of(state->rest);
    const char *at;
    if (state->renderer) {
        cut_last(&line, " default: ");
        cut_last(&line, "[],");
        return line;
    }
    if (strip_end(&line, " | ") || strip_end(&line, ",")) {
        at = tw_rest_find(&line, "// default: ");
        while (at != NULL && at > line.at && at[-1] == ' ') {
            at--;
        }
        line.end = at != NULL ? at : line.end;
    } else if (strip_end(&line, ": ")) {
        cut_last(&line, ", ");
    } else {
        cut_last(&line, "}");
    }
    return line;
}

static void end_variant(declared *state)
{
    tw_rest *rest = &state->rest;
    open_schema *open = top_of(state);
    bool value = tw_rest_skip(rest, " // default: ");
    if (!value && tw_rest_skip(rest, state->renderer ? " // " : "// ")) {
        const tw_rest about = read_about(state);
        rest->at = about.end;
        if (!state->described) {
            put_text(state, "description", about);
        }
        value = state->renderer && tw_rest_skip(rest, " default: ");
    }
    if (value || (!state->renderer && tw_rest_skip(rest, wide_default))) {
        tw_rest line = line_of(*rest);
        if (!state->renderer && !strip_end(&line, " | ")) {
            strip_end(&line, ",");
        }
        rest->at = line.end;
        put_default(state, line);
    }
    tw_jot(state->out, "}");
    open->more = !state->renderer && tw_rest_skip(rest, " | \n");
}

/* ---- properties --------------------------------------------------------- */

/* Its comments, its name and what opens its schema. */
static bool begin_member(declared *state)
{
    open_schema *open = top_of(state);
    open->above = read_comments(state);
    skip_blanks(&state->rest);
    tw_rest name = line_of(state->rest);
    const char *colon = tw_rest_find(&name, ": ");
    if (colon == NULL && strip_end(&name, ":")) {
        colon = name.end;
    }
    if (colon == NULL) {
        return false;
    }
    state->rest.at = colon + 1;
    tw_rest_skip(&state->rest, " ");
    if (!state->renderer) {
        tw_rest_skip(&state->rest, "\n                ");
    }
    name.end = colon;
    tw_jot(state->out, open->some ? "," : "");
    open->some = true;
    if (!strip_end(&name, "?")) {
        tw_jot_string(&state->required, name.at, size_of(name));
        tw_jot(&state->required, ",");
    }
    tw_jot_string(state->out, name.at, size_of(name));
    tw_jot(state->out, ":{");
    return true;
}

/* Of openai/harmony the default stands behind the comma. */
static bool end_line(declared *state)
{
    tw_rest *rest = &state->rest;
    if (state->renderer) {
        if (tw_rest_skip(rest, "\n")) {
            skip_blanks(rest);
        }
        if (!tw_rest_skip(rest, ",")) {
            return false;
        }
    }
    if (tw_rest_skip(rest,
                     state->renderer ? " // default: " : ", // default: ") ||
        (!state->renderer && tw_rest_skip(rest, "// default: "))) {
        tw_rest value = line_of(*rest);
        if (!state->renderer) {
            strip_end(&value, ",");
        }
        rest->at = value.end;
        put_default(state, value);
    }
    return tw_rest_skip(rest, state->renderer ? "\n" : ",\n");
}

static bool end_member(declared *state)
{
    put_comments(state, &top_of(state)->above);
    const bool nested = state->open.size > sizeof(open_schema);
    if (!state->renderer && nested) {
        tw_rest_skip(&state->rest, ", ");
    } else if (!end_line(state)) {
        return false;
    }
    tw_jot(state->out, "}");
    return true;
}

/* ---- schemas ------------------------------------------------------------ */

static void close_members(declared *state)
{
    const open_schema *open = top_of(state);
    tw_buffer *names = &state->required.out;
    tw_jot(state->out, "}");
    if (names->size > open->required) {
        put_key(state, "required");
        tw_jot(state->out, "[");
        tw_jot_text(state->out, (const char *)names->data + open->required,
                    names->size - open->required - 1);
        tw_jot(state->out, "]");
    }
    names->size = open->required;
    pop(state);
}

/* The next part of what is open, or its end. */
static bool begin_part(declared *state, bool *closed)
{
    tw_rest look = state->rest;
    *closed = false;
    if (top_of(state)->kind == VARIANTS) {
        *closed = !begin_variant(state);
        if (*closed) {
            tw_jot(state->out, "]");
            pop(state);
        }
        return true;
    }
    skip_blanks(&look);
    if (tw_rest_skip(&look, "}")) {
        state->rest = look;
        *closed = true;
        close_members(state);
        return true;
    }
    return begin_member(state);
}

/* Behind a type: what is said of it, and the end of the part that it is. */
static bool end_part(declared *state)
{
    if (!read_suffixes(state)) {
        return false;
    }
    if (is_variant(state)) {
        insert(state, state->begin, "\"oneOf\":[{", 1);
        open_schema *open = push(state, VARIANTS, state->begin);
        if (open == NULL) {
            return false;
        }
        open->some = true;
    }
    if (state->open.size == 0) {
        return true;
    }
    if (top_of(state)->kind == MEMBERS) {
        return end_member(state);
    }
    end_variant(state);
    return true;
}

/* The members of a schema, without the braces around them. */
static bool read_schema(declared *state)
{
    bool good = true;
    bool closed = true;
    while (good && !state->out->failed && !state->required.failed) {
        const size_t depth = state->open.size;
        good = read_type(state);
        if (good && state->open.size == depth) {
            good = end_part(state);
        }
        for (closed = true; good && closed && state->open.size > 0;) {
            good = begin_part(state, &closed);
            if (good && closed) {
                good = end_part(state);
            }
        }
        if (closed && state->open.size == 0) {
            break;
        }
    }
    return good;
}

/* ---- functions ---------------------------------------------------------- */

/* `type NAME = (` */
static bool is_function(tw_rest line, tw_rest *name)
{
    if (!tw_rest_skip(&line, "type ")) {
        return false;
    }
    *name = line_of(line);
    name->end = tw_rest_find(name, " = (");
    return name->end != NULL;
}

/* The lines above a function: openai/harmony's all begin with `// `. */
static void put_about(declared *state, tw_rest about)
{
    put_key(state, "description");
    if (!state->renderer) {
        tw_rest_skip(&about, "// ");
        tw_jot_string(state->out, about.at, size_of(about));
        return;
    }
    tw_jotter text = {{0}, state->out->memory, false};
    while (about.at < about.end) {
        tw_rest line = line_of(about);
        skip_line(&about);
        tw_rest_skip(&line, "// ");
        tw_jot_text(&text, line.at, size_of(line));
        tw_jot(&text, about.at < about.end ? "\n" : "");
    }
    tw_jot_string(state->out, (const char *)text.out.data, text.out.size);
    state->out->failed |= text.failed;
    tw_buffer_free(&text.out, text.memory);
}

static void collect_function(declared *state, tw_collect *collect,
                             tw_rest about, tw_rest name, tw_rest type)
{
    tw_jotter *out = state->out = tw_collect_tool(collect);
    tw_jot(out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_jot_string(out, name.at, size_of(name));
    if (strip_end(&about, "\n")) {
        put_about(state, about);
    }
    const size_t begin = out->out.size;
    state->rest = type;
    state->open.size = state->required.out.size = 0;
    if (tw_rest_skip(&state->rest, "_: ")) {
        tw_jot(out, ",\"parameters\":{");
        if (!read_schema(state) || !is(state->rest, ")")) {
            out->out.size = out->failed ? out->out.size : begin;
            tw_collect_lose(collect, size_of(type));
        } else {
            tw_jot(out, "}");
        }
    }
    tw_jot(out, "}}");
}

void tw_harmony_collect_tools(const tw_harmony_dialect *dialect,
                              tw_collect *collect, const char *text,
                              size_t size)
{
    static const char end[] = " => any;\n\n";
    declared state = {0};
    tw_rest rest = {text, text + size};
    state.renderer = dialect->renderer;
    state.required.memory = collect->memory;
    while (rest.at < rest.end && !collect->tools.failed) {
        tw_rest name;
        tw_rest look = rest;
        while (look.at < look.end && !is_function(look, &name)) {
            skip_line(&look);
        }
        tw_rest type = look;
        type.end = tw_rest_find(&look, end);
        if (type.at == look.end || type.end == NULL ||
            type.end < name.end + sizeof " = (" - 1) {
            break;
        }
        type.at = name.end + sizeof " = (" - 1;
        collect_function(&state, collect, (tw_rest){rest.at, look.at}, name,
                         type);
        rest.at = type.end + sizeof end - 1;
    }
    tw_collect_lose(collect, size_of(rest));
    collect->failed |= state.required.failed;
    tw_buffer_free(&state.required.out, collect->memory);
    tw_buffer_free(&state.open, collect->memory);
}
