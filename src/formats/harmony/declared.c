/* SPDX-License-Identifier: MIT
 *
 * TypeScript back to functions, as harmony.jinja declares them.  Of a schema
 * stands there what the wire kept.
 *
 * Descriptions and defaults stand on the wire as they are, unescaped: where
 * one ends is known by what must follow it.
 */
#include "formats/harmony/declared_type.h"

/* ---- variants ----------------------------------------------------------- */

/* What stands between a variant and its default. */
static const char wide_default[] = "                    // default: ";

/* The first of several in the chat template is known by what is behind it. */
static bool is_variant(const tw_declared *state)
{
    const tw_open_type *top = tw_declared_top(state);
    if (state->renderer || (top != NULL && top->kind == TW_OPEN_VARIANTS)) {
        return false;
    }
    tw_cursor line = tw_cursor_line(state->cursor);
    return tw_cursor_begins(state->cursor, " | \n") ||
           tw_cursor_begins(line, wide_default) ||
           (tw_cursor_begins(line, "// ") &&
            (!tw_cursor_begins(line, "// default: ") ||
             tw_cursor_strip_end(&line, " | ")));
}

static bool begin_variant(tw_declared *state)
{
    tw_open_type *open = tw_declared_top(state);
    tw_cursor look = state->cursor;
    if (state->renderer) {
        if (!tw_cursor_skip(&look, "\n") ||
            tw_cursor_skip_ws(&look) != open->indent ||
            !tw_cursor_skip(&look, "| ")) {
            return false;
        }
        state->cursor = look;
    } else if (!open->more) {
        return false;
    }
    tw_json_put(state->out, open->some ? ",{" : "{");
    open->some = true;
    return true;
}

/* Cuts |line| off in front of the last |words|. */
static void cut_last(tw_cursor *line, const char *words)
{
    const char *last = NULL;
    for (tw_cursor look = *line;
         (look.at = tw_cursor_find(&look, words)) != NULL; look.at++) {
        last = look.at;
    }
    line->end = last != NULL ? last : line->end;
}

/* The description of a variant goes to the end of its line, but for what
 * stands there behind the variant. */
static tw_cursor read_about(tw_declared *state)
{
    tw_cursor line = tw_cursor_line(state->cursor);
    const char *at;
    if (state->renderer) {
        cut_last(&line, " default: ");
        cut_last(&line, "[],");
        return line;
    }
    if (tw_cursor_strip_end(&line, " | ") || tw_cursor_strip_end(&line, ",")) {
        at = tw_cursor_find(&line, "// default: ");
        while (at != NULL && at > line.at && at[-1] == ' ') {
            at--;
        }
        line.end = at != NULL ? at : line.end;
    } else if (tw_cursor_strip_end(&line, ": ")) {
        cut_last(&line, ", ");
    } else {
        cut_last(&line, "}");
    }
    return line;
}

/* In front of the default of a variant?  The chat template of PyroNet puts
 * no blanks there; what ends the line is the property's. */
static bool skip_default(tw_declared *state)
{
    tw_cursor line = tw_cursor_line(state->cursor);
    if (state->renderer) {
        return tw_cursor_skip(&state->cursor, " // default: ");
    }
    return tw_cursor_skip(&state->cursor, wide_default) ||
           (tw_cursor_strip_end(&line, " | ") &&
            tw_cursor_skip(&state->cursor, "// default: "));
}

static void end_variant(tw_declared *state)
{
    tw_cursor *cursor = &state->cursor;
    tw_open_type *open = tw_declared_top(state);
    bool value = skip_default(state);
    if (!value && tw_cursor_skip(cursor, state->renderer ? " // " : "// ")) {
        const tw_cursor about = read_about(state);
        cursor->at = about.end;
        if (!state->described) {
            tw_declared_put_text(state, "description", about);
        }
        value = state->renderer ? tw_cursor_skip(cursor, " default: ")
                                : skip_default(state);
    }
    if (value) {
        tw_cursor line = tw_cursor_line(*cursor);
        if (!state->renderer && !tw_cursor_strip_end(&line, " | ")) {
            tw_cursor_strip_end(&line, ",");
        }
        cursor->at = line.end;
        tw_declared_put_default(state, line);
    }
    tw_json_put(state->out, "}");
    open->more = !state->renderer && tw_cursor_skip(cursor, " | \n");
}

/* ---- properties --------------------------------------------------------- */

/* Reads a member's comments, its name and what opens its schema. */
static bool begin_member(tw_declared *state)
{
    tw_open_type *open = tw_declared_top(state);
    open->above = tw_declared_comments(state);
    tw_cursor_skip_ws(&state->cursor);
    tw_cursor name = tw_cursor_line(state->cursor);
    const char *colon = tw_cursor_find(&name, ": ");
    if (colon == NULL && tw_cursor_strip_end(&name, ":")) {
        colon = name.end;
    }
    if (colon == NULL) {
        return false;
    }
    state->cursor.at = colon + 1;
    tw_cursor_skip(&state->cursor, " ");
    if (!state->renderer) {
        tw_cursor_skip(&state->cursor, "\n                ");
    }
    name.end = colon;
    tw_json_put(state->out, open->some ? "," : "");
    open->some = true;
    if (!tw_cursor_strip_end(&name, "?")) {
        tw_json_put_string(&state->required, name.at, tw_cursor_size(name));
        tw_json_put(&state->required, ",");
    }
    tw_json_put_string(state->out, name.at, tw_cursor_size(name));
    tw_json_put(state->out, ":{");
    return true;
}

/* Of openai/harmony the default stands behind the comma. */
static bool end_line(tw_declared *state)
{
    tw_cursor *cursor = &state->cursor;
    if (state->renderer) {
        if (tw_cursor_skip(cursor, "\n")) {
            tw_cursor_skip_ws(cursor);
        }
        if (!tw_cursor_skip(cursor, ",")) {
            return false;
        }
    }
    if (tw_cursor_skip(cursor,
                       state->renderer ? " // default: " : ", // default: ") ||
        (!state->renderer && tw_cursor_skip(cursor, "// default: "))) {
        tw_cursor value = tw_cursor_line(*cursor);
        if (!state->renderer) {
            tw_cursor_strip_end(&value, ",");
        }
        cursor->at = value.end;
        tw_declared_put_default(state, value);
    }
    return tw_cursor_skip(cursor, state->renderer ? "\n" : ",\n");
}

static bool end_member(tw_declared *state)
{
    tw_declared_put_comments(state, &tw_declared_top(state)->above);
    const bool nested = state->open.size > sizeof(tw_open_type);
    if (!state->renderer && nested) {
        tw_cursor_skip(&state->cursor, ", ");
    } else if (!end_line(state)) {
        return false;
    }
    tw_json_put(state->out, "}");
    return true;
}

/* ---- schemas ------------------------------------------------------------ */

static void close_members(tw_declared *state)
{
    const tw_open_type *open = tw_declared_top(state);
    tw_buffer *names = &state->required.out;
    tw_json_put(state->out, "}");
    if (names->size > open->required) {
        tw_declared_put_key(state, "required");
        tw_json_put(state->out, "[");
        tw_json_put_text(state->out,
                         (const char *)names->data + open->required,
                         names->size - open->required - 1);
        tw_json_put(state->out, "]");
    }
    names->size = open->required;
    tw_declared_pop(state);
}

/* The next part of what is open, or its end. */
static bool begin_part(tw_declared *state, bool *closed)
{
    tw_cursor look = state->cursor;
    *closed = false;
    if (tw_declared_top(state)->kind == TW_OPEN_VARIANTS) {
        *closed = !begin_variant(state);
        if (*closed) {
            tw_json_put(state->out, "]");
            tw_declared_pop(state);
        }
        return true;
    }
    tw_cursor_skip_ws(&look);
    if (tw_cursor_skip(&look, "}")) {
        state->cursor = look;
        *closed = true;
        close_members(state);
        return true;
    }
    return begin_member(state);
}

/* Behind a type: what is said of it, and the end of the part that it is. */
static bool end_part(tw_declared *state)
{
    if (!tw_declared_suffixes(state)) {
        return false;
    }
    if (is_variant(state)) {
        tw_declared_insert(state, state->begin, "\"oneOf\":[{", 1);
        tw_open_type *open =
            tw_declared_push(state, TW_OPEN_VARIANTS, state->begin);
        if (open == NULL) {
            return false;
        }
        open->some = true;
    }
    if (state->open.size == 0) {
        return true;
    }
    if (tw_declared_top(state)->kind == TW_OPEN_MEMBERS) {
        return end_member(state);
    }
    end_variant(state);
    return true;
}

/* The members of a schema, without the braces around them. */
static bool read_schema(tw_declared *state)
{
    bool good = true;
    bool closed = true;
    while (good && !state->out->failed && !state->required.failed) {
        const size_t depth = state->open.size;
        good = tw_declared_type(state);
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

/* `type NAME = (_: ` or `type NAME = ()` */
static bool is_function(tw_cursor line, tw_cursor *name)
{
    if (!tw_cursor_skip(&line, "type ")) {
        return false;
    }
    *name = line = tw_cursor_line(line);
    line.at = name->end = tw_cursor_find(name, " = (");
    return line.at != NULL && tw_cursor_skip(&line, " = (") &&
           (tw_cursor_begins(line, "_: ") ||
            tw_cursor_begins(line, ") => any;"));
}

/* Goes to the line of the next one. */
static bool find_function(tw_cursor *look, tw_cursor *name)
{
    for (; look->at < look->end; tw_cursor_skip_line(look)) {
        if (is_function(*look, name)) {
            return true;
        }
    }
    return false;
}

/* The lines above a function: openai/harmony's all begin with `// `. */
static void put_about(tw_declared *state, tw_cursor about)
{
    tw_declared_put_key(state, "description");
    if (!state->renderer) {
        tw_cursor_skip(&about, "// ");
        tw_json_put_string(state->out, about.at, tw_cursor_size(about));
        return;
    }
    tw_json_out text = {{0}, state->out->memory, false};
    while (about.at < about.end) {
        tw_cursor line = tw_cursor_line(about);
        tw_cursor_skip_line(&about);
        tw_cursor_skip(&line, "// ");
        tw_json_put_text(&text, line.at, tw_cursor_size(line));
        tw_json_put(&text, about.at < about.end ? "\n" : "");
    }
    tw_json_put_string(state->out, (const char *)text.out.data, text.out.size);
    state->out->failed |= text.failed;
    tw_buffer_free(&text.out, text.memory);
}

static void collect_function(tw_declared *state, tw_transcript_reader *reader,
                             tw_cursor about, tw_cursor name, tw_cursor type)
{
    tw_json_out *out = state->out = tw_reader_tool(reader);
    tw_json_put(out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_json_put_string(out, name.at, tw_cursor_size(name));
    if (tw_cursor_strip_end(&about, "\n")) {
        put_about(state, about);
    }
    const size_t begin = out->out.size;
    state->cursor = type;
    state->open.size = state->required.out.size = 0;
    if (tw_cursor_skip(&state->cursor, "_: ")) {
        tw_json_put(out, ",\"parameters\":{");
        if (!read_schema(state) || !tw_cursor_is(state->cursor, ")")) {
            out->out.size = out->failed ? out->out.size : begin;
            tw_reader_report_loss(reader, type);
        } else {
            tw_json_put(out, "}");
        }
    }
    tw_json_put(out, "}}");
}

void tw_harmony_read_tools(bool renderer, tw_transcript_reader *reader,
                           const char *text, size_t size)
{
    static const char end[] = " => any;\n\n";
    tw_declared state = {0};
    tw_cursor cursor = {text, text + size};
    state.renderer = renderer;
    state.required.memory = reader->memory;
    while (cursor.at < cursor.end && !reader->tools.failed) {
        tw_cursor name = cursor;
        tw_cursor look = cursor;
        if (!find_function(&look, &name)) {
            break;
        }
        tw_cursor type = look;
        type.end = tw_cursor_find(&look, end);
        if (type.end == NULL || type.end < name.end + sizeof " = (" - 1) {
            break;
        }
        type.at = name.end + sizeof " = (" - 1;
        collect_function(&state, reader, (tw_cursor){cursor.at, look.at}, name,
                         type);
        cursor.at = type.end + sizeof end - 1;
    }
    tw_reader_report_loss(reader, cursor);
    reader->failed |= state.required.failed;
    tw_buffer_free(&state.required.out, reader->memory);
    tw_buffer_free(&state.open, reader->memory);
}
