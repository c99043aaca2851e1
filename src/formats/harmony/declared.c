/* SPDX-License-Identifier: MIT
 *
 * TypeScript back to functions: the inverse of harmony_typescript.c and
 * harmony_namespace.c.  Of a schema it gives what the wire kept.
 *
 * Descriptions and defaults stand on the wire as they are, unescaped: where
 * one ends is known by what must follow it.
 */
#include "formats/harmony/declared.h"

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
    tw_rest line = tw_rest_line(state->rest);
    return tw_rest_begins(state->rest, " | \n") ||
           tw_rest_begins(line, wide_default) ||
           (tw_rest_begins(line, "// ") &&
            (!tw_rest_begins(line, "// default: ") ||
             tw_rest_strip_end(&line, " | ")));
}

static bool begin_variant(tw_declared *state)
{
    tw_open_type *open = tw_declared_top(state);
    tw_rest look = state->rest;
    if (state->renderer) {
        if (!tw_rest_skip(&look, "\n") ||
            tw_rest_skip_blanks(&look) != open->indent ||
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
static tw_rest read_about(tw_declared *state)
{
    tw_rest line = tw_rest_line(state->rest);
    const char *at;
    if (state->renderer) {
        cut_last(&line, " default: ");
        cut_last(&line, "[],");
        return line;
    }
    if (tw_rest_strip_end(&line, " | ") || tw_rest_strip_end(&line, ",")) {
        at = tw_rest_find(&line, "// default: ");
        while (at != NULL && at > line.at && at[-1] == ' ') {
            at--;
        }
        line.end = at != NULL ? at : line.end;
    } else if (tw_rest_strip_end(&line, ": ")) {
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
    tw_rest line = tw_rest_line(state->rest);
    if (state->renderer) {
        return tw_rest_skip(&state->rest, " // default: ");
    }
    return tw_rest_skip(&state->rest, wide_default) ||
           (tw_rest_strip_end(&line, " | ") &&
            tw_rest_skip(&state->rest, "// default: "));
}

static void end_variant(tw_declared *state)
{
    tw_rest *rest = &state->rest;
    tw_open_type *open = tw_declared_top(state);
    bool value = skip_default(state);
    if (!value && tw_rest_skip(rest, state->renderer ? " // " : "// ")) {
        const tw_rest about = read_about(state);
        rest->at = about.end;
        if (!state->described) {
            tw_declared_put_text(state, "description", about);
        }
        value = state->renderer ? tw_rest_skip(rest, " default: ")
                                : skip_default(state);
    }
    if (value) {
        tw_rest line = tw_rest_line(*rest);
        if (!state->renderer && !tw_rest_strip_end(&line, " | ")) {
            tw_rest_strip_end(&line, ",");
        }
        rest->at = line.end;
        tw_declared_put_default(state, line);
    }
    tw_jot(state->out, "}");
    open->more = !state->renderer && tw_rest_skip(rest, " | \n");
}

/* ---- properties --------------------------------------------------------- */

/* Its comments, its name and what opens its schema. */
static bool begin_member(tw_declared *state)
{
    tw_open_type *open = tw_declared_top(state);
    open->above = tw_declared_comments(state);
    tw_rest_skip_blanks(&state->rest);
    tw_rest name = tw_rest_line(state->rest);
    const char *colon = tw_rest_find(&name, ": ");
    if (colon == NULL && tw_rest_strip_end(&name, ":")) {
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
    if (!tw_rest_strip_end(&name, "?")) {
        tw_jot_string(&state->required, name.at, tw_rest_size(name));
        tw_jot(&state->required, ",");
    }
    tw_jot_string(state->out, name.at, tw_rest_size(name));
    tw_jot(state->out, ":{");
    return true;
}

/* Of openai/harmony the default stands behind the comma. */
static bool end_line(tw_declared *state)
{
    tw_rest *rest = &state->rest;
    if (state->renderer) {
        if (tw_rest_skip(rest, "\n")) {
            tw_rest_skip_blanks(rest);
        }
        if (!tw_rest_skip(rest, ",")) {
            return false;
        }
    }
    if (tw_rest_skip(rest,
                     state->renderer ? " // default: " : ", // default: ") ||
        (!state->renderer && tw_rest_skip(rest, "// default: "))) {
        tw_rest value = tw_rest_line(*rest);
        if (!state->renderer) {
            tw_rest_strip_end(&value, ",");
        }
        rest->at = value.end;
        tw_declared_put_default(state, value);
    }
    return tw_rest_skip(rest, state->renderer ? "\n" : ",\n");
}

static bool end_member(tw_declared *state)
{
    tw_declared_put_comments(state, &tw_declared_top(state)->above);
    const bool nested = state->open.size > sizeof(tw_open_type);
    if (!state->renderer && nested) {
        tw_rest_skip(&state->rest, ", ");
    } else if (!end_line(state)) {
        return false;
    }
    tw_jot(state->out, "}");
    return true;
}

/* ---- schemas ------------------------------------------------------------ */

static void close_members(tw_declared *state)
{
    const tw_open_type *open = tw_declared_top(state);
    tw_buffer *names = &state->required.out;
    tw_jot(state->out, "}");
    if (names->size > open->required) {
        tw_declared_put_key(state, "required");
        tw_jot(state->out, "[");
        tw_jot_text(state->out, (const char *)names->data + open->required,
                    names->size - open->required - 1);
        tw_jot(state->out, "]");
    }
    names->size = open->required;
    tw_declared_pop(state);
}

/* The next part of what is open, or its end. */
static bool begin_part(tw_declared *state, bool *closed)
{
    tw_rest look = state->rest;
    *closed = false;
    if (tw_declared_top(state)->kind == TW_OPEN_VARIANTS) {
        *closed = !begin_variant(state);
        if (*closed) {
            tw_jot(state->out, "]");
            tw_declared_pop(state);
        }
        return true;
    }
    tw_rest_skip_blanks(&look);
    if (tw_rest_skip(&look, "}")) {
        state->rest = look;
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
static bool is_function(tw_rest line, tw_rest *name)
{
    if (!tw_rest_skip(&line, "type ")) {
        return false;
    }
    *name = line = tw_rest_line(line);
    line.at = name->end = tw_rest_find(name, " = (");
    return line.at != NULL && tw_rest_skip(&line, " = (") &&
           (tw_rest_begins(line, "_: ") || tw_rest_begins(line, ") => any;"));
}

/* Goes to the line of the next one. */
static bool find_function(tw_rest *look, tw_rest *name)
{
    for (; look->at < look->end; tw_rest_skip_line(look)) {
        if (is_function(*look, name)) {
            return true;
        }
    }
    return false;
}

/* The lines above a function: openai/harmony's all begin with `// `. */
static void put_about(tw_declared *state, tw_rest about)
{
    tw_declared_put_key(state, "description");
    if (!state->renderer) {
        tw_rest_skip(&about, "// ");
        tw_jot_string(state->out, about.at, tw_rest_size(about));
        return;
    }
    tw_jotter text = {{0}, state->out->memory, false};
    while (about.at < about.end) {
        tw_rest line = tw_rest_line(about);
        tw_rest_skip_line(&about);
        tw_rest_skip(&line, "// ");
        tw_jot_text(&text, line.at, tw_rest_size(line));
        tw_jot(&text, about.at < about.end ? "\n" : "");
    }
    tw_jot_string(state->out, (const char *)text.out.data, text.out.size);
    state->out->failed |= text.failed;
    tw_buffer_free(&text.out, text.memory);
}

static void collect_function(tw_declared *state, tw_collect *collect,
                             tw_rest about, tw_rest name, tw_rest type)
{
    tw_jotter *out = state->out = tw_collect_tool(collect);
    tw_jot(out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_jot_string(out, name.at, tw_rest_size(name));
    if (tw_rest_strip_end(&about, "\n")) {
        put_about(state, about);
    }
    const size_t begin = out->out.size;
    state->rest = type;
    state->open.size = state->required.out.size = 0;
    if (tw_rest_skip(&state->rest, "_: ")) {
        tw_jot(out, ",\"parameters\":{");
        if (!read_schema(state) || !tw_rest_is(state->rest, ")")) {
            out->out.size = out->failed ? out->out.size : begin;
            tw_collect_lose(collect, type);
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
    tw_declared state = {0};
    tw_rest rest = {text, text + size};
    state.renderer = dialect->renderer;
    state.required.memory = collect->memory;
    while (rest.at < rest.end && !collect->tools.failed) {
        tw_rest name = rest;
        tw_rest look = rest;
        if (!find_function(&look, &name)) {
            break;
        }
        tw_rest type = look;
        type.end = tw_rest_find(&look, end);
        if (type.end == NULL || type.end < name.end + sizeof " = (" - 1) {
            break;
        }
        type.at = name.end + sizeof " = (" - 1;
        collect_function(&state, collect, (tw_rest){rest.at, look.at}, name,
                         type);
        rest.at = type.end + sizeof end - 1;
    }
    tw_collect_lose(collect, rest);
    collect->failed |= state.required.failed;
    tw_buffer_free(&state.required.out, collect->memory);
    tw_buffer_free(&state.open, collect->memory);
}
