/* SPDX-License-Identifier: MIT
 *
 * Calls and values as a description writes them: JSON, Python, Gemma.
 */
#include "naive_frame_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- calls ------------------------------------------------------------- */

/* |id| is the description's for this name: its index, or |index|. */
static size_t index_of(const frame_description *format, const char *name,
                       const char *id, size_t index)
{
    for (size_t i = 0; format->id && i < 1000; i++) {
        naive_bytes made = {0};
        bool same;

        for (const char *at = format->id; *at;) {
            char digits[24];

            if (strncmp(at, "{name}", 6) == 0) {
                naive_add_text(&made, name);
                at += 6;
            } else if (strncmp(at, "{index}", 7) == 0) {
                snprintf(digits, sizeof digits, "%zu", i);
                naive_add_text(&made, digits);
                at += 7;
            } else {
                naive_add(&made, at++, 1);
            }
        }
        same = made.data && strcmp(made.data, id) == 0;
        naive_release(&made);
        if (same && strstr(format->id, "{name}"))
            return i;
    }
    return index;
}

frame_call_view *frame_view_calls(const frame_description *format,
                                  const naive_tree *calls, size_t *count)
{
    frame_call_view *views;

    *count = calls && calls->kind == NAIVE_ARRAY ? calls->count : 0;
    views = naive_grow(NULL, (*count + 1) * sizeof *views);
    for (size_t i = 0; i < *count; i++) {
        const naive_tree *call = &calls->children[i];
        const naive_tree *custom = naive_tree_get(call, "custom");
        const naive_tree *inner =
            custom ? custom : naive_tree_get(call, "function");
        const naive_tree *arguments = naive_tree_get(inner, "arguments");
        const char *text = naive_tree_text(arguments);
        const char *id = naive_tree_text(naive_tree_get(call, "id"));
        frame_call_view *view = &views[i];

        *view = (frame_call_view){
            .name = naive_tree_text(naive_tree_get(inner, "name")),
            .id = id ? id : "",
            .custom = custom != NULL,
            .given = text != NULL,
            .raw = custom ? naive_tree_text(naive_tree_get(inner, "input"))
                          : text};
        view->index = index_of(format, view->name, view->id, i);
        if (text && *text)
            (void)naive_tree_read(text, strlen(text), &view->arguments);
        else if (arguments)
            view->arguments = *arguments; /* borrowed: given is false */
        if (view->arguments.kind != NAIVE_OBJECT)
            view->arguments = (naive_tree){.kind = NAIVE_OBJECT};
    }
    return views;
}

void frame_release_calls(frame_call_view *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (calls[i].given)
            naive_tree_release(&calls[i].arguments);
    free(calls);
}

/* --- JSON -------------------------------------------------------------- */

typedef struct json_style {
    const char *comma, *colon;
    bool indented, sorted, python;
} json_style;

static void write_python_string(const naive_bytes *text, char quote,
                                naive_bytes *out);

static void write_text(const json_style *style, const char *text, size_t size,
                       naive_bytes *out)
{
    naive_bytes copy = {0};

    naive_add(&copy, text, size);
    if (style->python)
        write_python_string(&copy, 0, out);
    else
        frame_add_json_string(out, text, size);
    naive_release(&copy);
}

static json_style style_of(const frame_description *format)
{
    bool compact = strcmp(format->json, "compact") == 0;

    return (json_style){.comma = compact ? "," : ", ",
                        .colon = compact ? ":" : ": ",
                        .indented = strcmp(format->json, "indented") == 0,
                        .sorted = format->sorted,
                        .python = strcmp(format->json, "python") == 0};
}

static const json_style spaced = {", ", ": ", false, false, false};

static void new_line(naive_bytes *out, size_t depth)
{
    naive_add_text(out, "\n");
    for (size_t i = 0; i < depth; i++)
        naive_add_text(out, "    ");
}

/* The children in the order in which they are written. */
static const naive_tree **ordered(const naive_tree *value, bool sorted)
{
    const naive_tree **children =
        naive_grow(NULL, (value->count + 1) * sizeof *children);

    for (size_t i = 0; i < value->count; i++) {
        size_t at = i;

        while (sorted && value->kind == NAIVE_OBJECT && at > 0 &&
               strcmp(children[at - 1]->key.data,
                      value->children[i].key.data) > 0) {
            children[at] = children[at - 1];
            at--;
        }
        children[at] = &value->children[i];
    }
    return children;
}

static void write_json(const naive_tree *value, const json_style *style,
                       size_t depth, naive_bytes *out)
{
    static const char *const words[] = {"null", "false", "true",
                                        "None", "False", "True"};
    bool object = value->kind == NAIVE_OBJECT;
    const naive_tree **children;

    if (value->kind < NAIVE_NUMBER) {
        naive_add_text(out, words[value->kind + (style->python ? 3 : 0)]);
        return;
    }
    if (value->kind == NAIVE_NUMBER) {
        naive_add(out, value->text.data, value->text.size);
        return;
    }
    if (value->kind == NAIVE_STRING) {
        write_text(style, value->text.data, value->text.size, out);
        return;
    }
    children = ordered(value, style->sorted);
    naive_add_text(out, object ? "{" : "[");
    for (size_t i = 0; i < value->count; i++) {
        if (i > 0)
            naive_add_text(out, style->indented ? "," : style->comma);
        if (style->indented)
            new_line(out, depth + 1);
        if (object) {
            write_text(style, children[i]->key.data, children[i]->key.size,
                       out);
            naive_add_text(out, style->colon);
        }
        write_json(children[i], style, depth + 1, out);
    }
    if (style->indented && value->count)
        new_line(out, depth);
    naive_add_text(out, object ? "}" : "]");
    free(children);
}

void frame_write_arguments(const frame_description *format,
                           const frame_call_view *call, size_t depth,
                           naive_bytes *out)
{
    const json_style style = style_of(format);

    if (strcmp(format->json, "splice") == 0 && call->given)
        naive_add_text(out, call->raw);
    else
        write_json(&call->arguments, &style, depth, out);
}

static void write_string_member(const json_style *style, const char *key,
                                const char *value, naive_bytes *out)
{
    write_text(style, key, strlen(key), out);
    naive_add_text(out, style->colon);
    write_text(style, value, strlen(value), out);
}

static void separate(const json_style *style, size_t depth, naive_bytes *out)
{
    naive_add_text(out, style->indented ? "," : style->comma);
    if (style->indented)
        new_line(out, depth);
}

/* The keys stand in the order in which the description names them. */
static bool id_is_first(const frame_description *format)
{
    for (size_t i = 0; i < format->tree.count; i++) {
        const char *key = format->tree.children[i].key.data;

        if (strcmp(key, "id_key") == 0 || strcmp(key, "name_key") == 0)
            return strcmp(key, "id_key") == 0 && format->name_key.count;
    }
    return false;
}

void frame_write_object(const frame_description *format,
                        const frame_call_view *call, size_t depth,
                        naive_bytes *out)
{
    const json_style style = style_of(format);
    const char *name_key =
        format->name_key.count ? format->name_key.items[0] : "name";
    const char *arguments_key = format->arguments_key.count
                                    ? format->arguments_key.items[0]
                                    : "arguments";
    const char *id_key = format->id_key.count ? format->id_key.items[0] : NULL;
    char made[24];
    const char *id = call->id;

    if (id_key && format->id && strcmp(format->id, "{index}") == 0) {
        snprintf(made, sizeof made, "%zu", call->index);
        id = made;
    }
    naive_add_text(out, "{");
    if (style.indented)
        new_line(out, depth + 1);
    if (id_key && *id && id_is_first(format)) {
        write_string_member(&style, id_key, id, out);
        separate(&style, depth + 1, out);
    }
    write_string_member(&style, name_key, call->name, out);
    separate(&style, depth + 1, out);
    write_text(&style, arguments_key, strlen(arguments_key), out);
    naive_add_text(out, style.colon);
    frame_write_arguments(format, call, depth + 1, out);
    if (id_key && *id && !id_is_first(format)) {
        separate(&style, depth + 1, out);
        write_string_member(&style, id_key, id, out);
    }
    if (style.indented)
        new_line(out, depth);
    naive_add_text(out, "}");
}

void frame_write_list(const frame_description *format,
                      const frame_call_view *calls, size_t count, bool keyed,
                      naive_bytes *out)
{
    const json_style style = style_of(format);
    bool lines = strcmp(format->json, "lines") == 0 || style.indented;

    naive_add_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            naive_add_text(out, lines ? "," : style.comma);
        if (lines)
            new_line(out, 1);
        if (keyed) {
            naive_add_text(out, "{");
            frame_add_json_string(out, calls[i].name, strlen(calls[i].name));
            naive_add_text(out, style.colon);
            frame_write_arguments(format, &calls[i], 2, out);
            naive_add_text(out, "}");
        } else {
            frame_write_object(format, &calls[i], 1, out);
        }
    }
    naive_add_text(out, lines ? "\n]" : "]");
}

/* --- Python ------------------------------------------------------------ */

/* |quote|: '\'', '"', or 0: as Python's repr chooses. */
static void write_python_string(const naive_bytes *text, char quote,
                                naive_bytes *out)
{
    bool single = text->size && memchr(text->data, '\'', text->size);
    bool twice = text->size && memchr(text->data, '"', text->size);

    if (!quote)
        quote = single && !twice ? '"' : '\'';
    naive_add(out, &quote, 1);
    for (size_t i = 0; i < text->size; i++) {
        const char c = text->data[i];
        char escape[8] = {c, 0};

        if (c == '\\' || c == quote)
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t')
            snprintf(escape, sizeof escape, "\\%c",
                     c == '\n'   ? 'n'
                     : c == '\r' ? 'r'
                                 : 't');
        else if ((unsigned char)c < 0x20 || c == 0x7F)
            snprintf(escape, sizeof escape, "\\x%02x", (unsigned char)c);
        naive_add_text(out, escape);
    }
    naive_add(out, &quote, 1);
}

static void write_repr(const naive_tree *value, char quote, naive_bytes *out)
{
    static const char *const words[] = {"None", "False", "True"};
    bool object = value->kind == NAIVE_OBJECT;

    if (value->kind < NAIVE_NUMBER) {
        naive_add_text(out, words[value->kind]);
    } else if (value->kind == NAIVE_NUMBER) {
        naive_add(out, value->text.data, value->text.size);
    } else if (value->kind == NAIVE_STRING) {
        write_python_string(&value->text, quote, out);
    } else {
        naive_add_text(out, object ? "{" : "[");
        for (size_t i = 0; i < value->count; i++) {
            naive_add_text(out, i > 0 ? ", " : "");
            if (object) {
                write_python_string(&value->children[i].key, quote, out);
                naive_add_text(out, ": ");
            }
            write_repr(&value->children[i], quote, out);
        }
        naive_add_text(out, object ? "}" : "]");
    }
}

void frame_write_json(const naive_tree *value, naive_bytes *out)
{
    write_json(value, &spaced, 0, out);
}

void frame_write_value(const frame_description *format,
                       const naive_tree *value, naive_bytes *out)
{
    const char *values = format->values;
    bool scalar = value->kind < NAIVE_ARRAY;

    if (strcmp(values, "repr") == 0)
        write_repr(value, 0, out);
    else if (strcmp(values, "repr2") == 0)
        write_repr(value, '"', out);
    else if (strcmp(values, "mixed") == 0 && value->kind != NAIVE_OBJECT)
        write_repr(value, '\'', out);
    else if (strcmp(values, "str") == 0 && scalar &&
             value->kind != NAIVE_STRING)
        write_repr(value, 0, out);
    else
        write_json(value, &spaced, 0, out);
}

void frame_write_python(const frame_description *format,
                        const frame_call_view *calls, size_t count,
                        frame_hole body, naive_bytes *out)
{
    naive_add_text(out, body == HOLE_PYTHON ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        const naive_tree *arguments = &calls[i].arguments;

        if (i > 0)
            naive_add_text(out, body == HOLE_PYTHON ? ", " : "\n");
        naive_add_text(out, calls[i].name);
        naive_add_text(out, body == HOLE_PYTHON_CALL ? ".call(" : "(");
        for (size_t k = 0; k < arguments->count; k++) {
            naive_add_text(out, k > 0 ? ", " : "");
            naive_add(out, arguments->children[k].key.data,
                      arguments->children[k].key.size);
            naive_add_text(out, "=");
            frame_write_value(format, &arguments->children[k], out);
        }
        naive_add_text(out, ")");
    }
    naive_add_text(out, body == HOLE_PYTHON ? "]" : "");
}

/* --- Gemma ------------------------------------------------------------- */

/* Keys are bare and sorted, strings stand between |quote|. */
void frame_write_gemma(const naive_tree *value, const char *quote,
                       naive_bytes *out)
{
    bool object = value->kind == NAIVE_OBJECT;
    const naive_tree **children;

    if (value->kind == NAIVE_STRING) {
        naive_add_text(out, quote);
        naive_add(out, value->text.data, value->text.size);
        naive_add_text(out, quote);
        return;
    }
    if (value->kind < NAIVE_ARRAY) {
        write_json(value, &spaced, 0, out);
        return;
    }
    children = ordered(value, true);
    naive_add_text(out, object ? "{" : "[");
    for (size_t i = 0; i < value->count; i++) {
        naive_add_text(out, i > 0 ? "," : "");
        if (object) {
            naive_add(out, children[i]->key.data, children[i]->key.size);
            naive_add_text(out, ":");
        }
        frame_write_gemma(children[i], quote, out);
    }
    naive_add_text(out, object ? "}" : "]");
    free(children);
}
