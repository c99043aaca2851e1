/* SPDX-License-Identifier: MIT
 *
 * An assistant message as a description writes it: the holes of its patterns
 * are filled, in the order reasoning, text, calls, end.
 */
#include "naive_frame_back.h"
#include "naive_frame_emit.h"

#include "naive_frame_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct frame_emitter {
    const frame_description *format;
    naive_bytes *out;
    bool has_text;
} frame_emitter;

/* What is written for a hole. */
typedef struct frame_filling {
    const frame_call_view *call;
    const naive_bytes *text; /* {text}, {calls}, {arguments}, {value} ... */
    const char *key, *type;
    bool served; /* {server:} takes a part of the name */
} frame_filling;

/* --- patterns ---------------------------------------------------------- */

static void add_attribute_text(const frame_description *format,
                               naive_bytes *out, const char *text)
{
    for (; *text; text++) {
        bool escapes = *format->entities;

        if (escapes && *text == '&')
            naive_add_text(out, "&amp;");
        else if (escapes && *text == '"')
            naive_add_text(out, "&quot;");
        else
            naive_add(out, text, 1);
    }
}

static void fill_hole(const frame_emitter *emitter, const frame_part *part,
                      const frame_filling *filling, frame_hole hole,
                      naive_bytes *out)
{
    char index[24];

    switch (hole) {
    case HOLE_NAME:
        if (filling->served && strrchr(filling->call->name, '.')) {
            naive_add_text(out, strrchr(filling->call->name, '.') + 1);
            break;
        }
        /* fall through */
    case HOLE_SKIP: /* a header that says whose the call is */
        add_attribute_text(emitter->format, out,
                           filling->call ? filling->call->name : "");
        break;
    case HOLE_SERVER:
        if (strrchr(filling->call->name, '.'))
            naive_add(out, filling->call->name,
                      (size_t)(strrchr(filling->call->name, '.') -
                               filling->call->name));
        else
            naive_add_text(out, part->text.data);
        break;
    case HOLE_ID: naive_add_text(out, filling->call->id); break;
    case HOLE_INDEX:
        snprintf(
            index, sizeof index, "%zu",
            filling->call->index +
                (part->text.size ? strtoul(part->text.data, NULL, 10) : 0));
        naive_add_text(out, index);
        break;
    case HOLE_KEY:
        add_attribute_text(emitter->format, out, filling->key);
        break;
    case HOLE_TYPE: naive_add_text(out, filling->type); break;
    default:
        if (filling->text)
            naive_add(out, filling->text->data, filling->text->size);
    }
}

static void fill(const frame_emitter *emitter, const frame_pattern *pattern,
                 const frame_filling *filling, naive_bytes *out)
{
    for (size_t i = 0; i < pattern->count; i++) {
        const frame_part *part = &pattern->parts[i];

        if (part->kind == FRAME_HOLE) {
            fill_hole(emitter, part, filling, part->hole, out);
            continue;
        }
        naive_add(out, part->text.data, part->text.size);
        if (part->kind != FRAME_TAG)
            continue;
        for (size_t a = 0; a < part->attribute_count; a++) {
            const frame_attribute *attribute = &part->attributes[a];
            const frame_part index = {.text = attribute->value};

            naive_add_text(out, " ");
            naive_add_text(out, attribute->name.data);
            naive_add_text(out, "=\"");
            if (attribute->hole != HOLE_NONE)
                fill_hole(emitter, &index, filling, attribute->hole, out);
            else
                naive_add_text(out, attribute->value.data);
            naive_add_text(out, "\"");
        }
        naive_add(out, part->end.data, part->end.size);
    }
}

/* --- tagged arguments -------------------------------------------------- */

/* The first argument pattern that can hold the value. */
static const frame_pattern *argument_for(const frame_description *format,
                                         const naive_tree *value)
{
    for (size_t i = 0; i < format->argument.count; i++) {
        const frame_pattern *pattern = &format->argument.items[i];
        const frame_hole hole = pattern->parts[pattern->hole].hole;

        if ((hole == HOLE_VALUE_TEXT && value->kind != NAIVE_STRING) ||
            (hole == HOLE_VALUE_JSON && value->kind == NAIVE_STRING))
            continue;
        return pattern;
    }
    return NULL;
}

/* Markup and line feeds go into CDATA (MiniCPM5). */
static void write_tagged_value(const frame_description *format,
                               const naive_tree *value, naive_bytes *out)
{
    bool markup =
        value->kind == NAIVE_STRING && strpbrk(value->text.data, "<&\n");

    if (value->kind != NAIVE_STRING) {
        const size_t size = out->size;

        frame_write_value(format, value, out);
        /* Containers are read as JSON, which has no such escape. */
        if (strcmp(format->values, "repr") == 0 &&
            strstr(out->data + size, "\\x")) {
            out->size = size;
            frame_write_json(value, out);
        }
        return;
    }
    naive_add_text(out, format->cdata && markup ? "<![CDATA[" : "");
    naive_add(out, value->text.data, value->text.size);
    naive_add_text(out, format->cdata && markup ? "]]>" : "");
}

static void write_tagged(const frame_emitter *emitter,
                         const naive_tree *arguments, naive_bytes *out)
{
    static const char *const types[] = {
        "null", "boolean", "boolean", "number", "string", "array", "object"};

    naive_add_text(
        out, arguments->count == 0 && emitter->format->empty_line ? "\n" : "");
    for (size_t i = 0; i < arguments->count; i++) {
        const naive_tree *value = &arguments->children[i];
        const frame_pattern *pattern = argument_for(emitter->format, value);
        naive_bytes text = {0};
        frame_filling filling = {
            .text = &text, .key = value->key.data, .type = types[value->kind]};

        naive_add(&text, "", 0);
        write_tagged_value(emitter->format, value, &text);
        if (pattern)
            fill(emitter, pattern, &filling, out);
        naive_release(&text);
    }
}

/* --- elements ---------------------------------------------------------- */

static void write_elements(const frame_description *format,
                           const naive_tree *container, const char *mark,
                           naive_bytes *out)
{
    for (size_t i = 0; i < container->count; i++) {
        const naive_tree *value = &container->children[i];
        const bool member = container->kind == NAIVE_OBJECT;
        const char *key = member ? value->key.data : "item";

        if (member && value->kind == NAIVE_NULL)
            continue;
        naive_add_text(out, mark);
        naive_add_text(out, "<");
        naive_add_text(out, key);
        naive_add_text(out, ">");
        if (value->kind == NAIVE_ARRAY || value->kind == NAIVE_OBJECT)
            write_elements(format, value, mark, out);
        else if (value->kind != NAIVE_NULL)
            write_tagged_value(format, value, out);
        naive_add_text(out, mark);
        naive_add_text(out, "</");
        naive_add_text(out, key);
        naive_add_text(out, ">");
    }
}

/* --- calls ------------------------------------------------------------- */

static bool has_hole(const frame_pattern *pattern, frame_hole hole)
{
    for (size_t i = 0; i < pattern->count; i++)
        if (pattern->parts[i].kind == FRAME_HOLE &&
            pattern->parts[i].hole == hole)
            return true;
    return false;
}

static bool is_nine(const char *id)
{
    size_t size = strlen(id);

    for (size_t i = 0; i < size; i++)
        if (!((id[i] >= 'a' && id[i] <= 'z') ||
              (id[i] >= 'A' && id[i] <= 'Z') ||
              (id[i] >= '0' && id[i] <= '9')))
            return false;
    return size == 9;
}

static const frame_pattern *pattern_for(const frame_description *format,
                                        const frame_call_view *call)
{
    for (size_t i = 0; i < format->call.count; i++) {
        const frame_pattern *pattern = &format->call.items[i];

        if (pattern->loose ||
            (frame_body(pattern) == HOLE_RAW) != call->custom ||
            (has_hole(pattern, HOLE_ID) && format->id &&
             strcmp(format->id, "nine") == 0 &&
             !is_nine(call->id)))
            continue;
        return pattern;
    }
    return NULL;
}

/* A list or a Python list holds all calls, the others one each. */
static bool takes_all(const frame_pattern *pattern)
{
    const frame_hole body = frame_body(pattern);

    return body == HOLE_LIST || body == HOLE_LIST_LINES || body == HOLE_KEYED || body == HOLE_PYTHON ||
           body == HOLE_PYTHON_LINES;
}

static void write_body(const frame_emitter *emitter,
                       const frame_pattern *pattern,
                       const frame_call_view *calls, size_t count,
                       naive_bytes *out)
{
    const frame_description *format = emitter->format;

    switch (frame_body(pattern)) {
    case HOLE_RAW: naive_add_text(out, calls->raw); break;
    case HOLE_ARGUMENTS:
        if (frame_is_tagged(format, pattern))
            write_tagged(emitter, &calls->arguments, out);
        else
            frame_write_arguments(format, calls, 0, out);
        break;
    case HOLE_ARGUMENTS_JSON:
        frame_write_arguments(format, calls, 0, out);
        break;
    case HOLE_OBJECT: frame_write_object(format, calls, 0, out); break;
    case HOLE_LIST_LINES:
        for (size_t i = 0; i < count; i++) {
            naive_add_text(out, i > 0 ? "\n" : "");
            frame_write_object(format, &calls[i], 0, out);
        }
        break;
    case HOLE_LIST:
    case HOLE_KEYED:
        frame_write_list(format, calls, count,
                         frame_body(pattern) == HOLE_KEYED, out);
        break;
    case HOLE_ELEMENTS:
        write_elements(format, &calls->arguments,
                       pattern->parts[pattern->hole].text.data, out);
        break;
    case HOLE_GEMMA:
        frame_write_gemma(&calls->arguments,
                          pattern->parts[pattern->hole].text.data, out);
        break;
    default:
        frame_write_python(format, calls, count, frame_body(pattern), out);
    }
}

/* One pattern, filled with |count| calls. */
static void write_pattern(const frame_emitter *emitter,
                          const frame_pattern *pattern,
                          const frame_call_view *calls, size_t count,
                          naive_bytes *out)
{
    naive_bytes body = {0};
    const frame_filling filling = {.call = calls,
                                   .text = &body,
                                   .served =
                                       has_hole(pattern, HOLE_SERVER)};

    naive_add(&body, "", 0);
    write_body(emitter, pattern, calls, count, &body);
    fill(emitter, pattern, &filling, out);
    naive_release(&body);
}

/* The section around calls. */
static void wrap(const frame_emitter *emitter, const frame_call_view *call,
                 const naive_bytes *calls, naive_bytes *out)
{
    const frame_filling filling = {.call = call, .text = calls};

    if (emitter->format->calls.count)
        fill(emitter, &emitter->format->calls.items[0], &filling, out);
    else
        naive_add(out, calls->data, calls->size);
}

static bool wraps_each(const frame_description *format)
{
    const frame_pattern *section =
        format->calls.count ? &format->calls.items[0] : NULL;

    return section && (section->parts[section->hole].hole == HOLE_CALL ||
                       has_hole(section, HOLE_SKIP));
}

static void write_calls(const frame_emitter *emitter,
                        const frame_call_view *calls, size_t count,
                        naive_bytes *out)
{
    const frame_description *format = emitter->format;
    naive_bytes all = {0};
    bool each = wraps_each(format);

    naive_add(&all, "", 0);
    for (size_t i = 0; i < count;) {
        const frame_pattern *pattern = pattern_for(format, &calls[i]);
        size_t taken = pattern && takes_all(pattern) ? count - i : 1;
        naive_bytes one = {0};

        naive_add(&one, "", 0);
        naive_add_text(&all, i > 0 ? format->between : "");
        if (pattern)
            write_pattern(emitter, pattern, &calls[i], taken, &one);
        if (each)
            wrap(emitter, &calls[i], &one, &all);
        else
            naive_add(&all, one.data, one.size);
        naive_release(&one);
        i += taken;
    }
    if (each)
        naive_add(out, all.data, all.size);
    else
        wrap(emitter, calls, &all, out);
    naive_release(&all);
}

/* --- text and reasoning ------------------------------------------------ */

static bool is_blank_text(const naive_bytes *text)
{
    return !text->size || text->data[strspn(text->data, " \t\r\n")] == 0;
}

/* The first pattern that is canonical, or NULL. */
static const frame_pattern *canonical(const frame_patterns *patterns)
{
    return patterns->count && !patterns->items[0].loose ? &patterns->items[0]
                                                        : NULL;
}

/* Without the edges that are not written: |off|. */
static void fill_text(const frame_emitter *emitter,
                      const frame_pattern *pattern, const naive_bytes *text,
                      const char *off, naive_bytes *out)
{
    naive_bytes trimmed = {0};
    size_t begin = 0, end = text->size;
    const frame_filling filling = {.text = &trimmed};

    while (begin < end && strchr(off, text->data[begin]))
        begin++;
    while (end > begin && strchr(off, text->data[end - 1]))
        end--;
    if (pattern->parts[pattern->hole].hole == HOLE_TEXT_JSON)
        frame_add_json_string(&trimmed, text->data, text->size);
    else
        naive_add(&trimmed, text->data + begin, end - begin);
    fill(emitter, pattern, &filling, out);
    naive_release(&trimmed);
}

/* |words| may be a list: the second is written in front of calls. */
static const char *word_for(const frame_words *words, bool behind)
{
    return words->count == 0            ? ""
           : words->count > 1 && behind ? words->items[1]
                                        : words->items[0];
}

static void write_reasoning(frame_emitter *emitter,
                            const naive_bytes *reasoning, bool before_calls)
{
    const frame_pattern *pattern = canonical(&emitter->format->reasoning);
    frame_hole hole = pattern ? pattern->parts[pattern->hole].hole : HOLE_NONE;

    const char *none = word_for(&emitter->format->no_reasoning, before_calls);

    if (is_blank_text(reasoning) || !pattern)
        naive_add_text(emitter->out, none);
    if (is_blank_text(reasoning) && *none == 0 &&
        frame_starts_inside(emitter->format)) /* closed as it was opened */
        fill_text(emitter, pattern, reasoning, " \t\r\n", emitter->out);
    if (!is_blank_text(reasoning) && pattern)
        fill_text(emitter, pattern, reasoning,
                  hole == HOLE_TEXT_TRIM   ? " \t\r\n"
                  : hole == HOLE_TEXT_LINE ? "\n"
                                           : "",
                  emitter->out);
}

static void write_text(frame_emitter *emitter, const naive_bytes *content)
{
    const frame_pattern *pattern = canonical(&emitter->format->text);

    emitter->has_text = !is_blank_text(content);
    if (!emitter->has_text)
        naive_add_text(emitter->out, emitter->format->no_text);
    else if (pattern)
        fill_text(emitter, pattern, content,
                  pattern->parts[pattern->hole].hole == HOLE_TEXT_TRIM
                      ? " \t\r\n"
                      : "",
                  emitter->out);
    else
        naive_add(emitter->out, content->data, content->size);
}

/* A string, or the texts of the parts. */
static void read_content(const naive_tree *content, naive_bytes *out)
{
    naive_add(out, "", 0);
    if (content && content->kind == NAIVE_STRING)
        naive_add(out, content->text.data, content->text.size);
    for (size_t i = 0;
         content && content->kind == NAIVE_ARRAY && i < content->count; i++) {
        const char *text =
            naive_tree_text(naive_tree_get(&content->children[i], "text"));

        naive_add_text(out, text ? text : "");
    }
}

/* --- the message ------------------------------------------------------- */

/* The literal text that the pattern begins with. */
static void add_front(const frame_pattern *pattern, naive_bytes *out)
{
    for (size_t i = 0;
         i < pattern->count && pattern->parts[i].kind != FRAME_HOLE &&
         pattern->parts[i].kind != FRAME_TAG;
         i++)
        naive_add(out, pattern->parts[i].text.data,
                  pattern->parts[i].text.size);
}

/* The prompt ends with the front of what was written first: not twice. */
static void drop_written(const frame_description *format,
                         const frame_pattern *first, naive_bytes *out)
{
    const char *turn = format->turn.count ? format->turn.items[0] : "";
    naive_bytes front = {0};
    size_t size = strlen(turn), best = 0;

    naive_add(&front, "", 0);
    if (first)
        add_front(first, &front);
    for (size_t n = 1; n <= front.size && n <= size; n++)
        if (memcmp(turn + size - n, front.data, n) == 0 &&
            strspn(front.data, " \t\r\n") < n)
            best = n;
    if (best && out->size >= best &&
        memcmp(out->data, front.data, best) == 0) {
        memmove(out->data, out->data + best, out->size - best + 1);
        out->size -= best;
    }
    naive_release(&front);
}

static const frame_pattern *first_written(const frame_emitter *emitter,
                                          bool reasoned,
                                          const frame_call_view *calls,
                                          size_t count)
{
    const frame_description *format = emitter->format;

    if (reasoned || frame_starts_inside(format))
        return &format->reasoning.items[0];
    if (format->no_reasoning.count) /* the same opener, with nothing in it */
        return format->reasoning.count ? &format->reasoning.items[0] : NULL;
    if (emitter->has_text)
        return format->text.count ? &format->text.items[0] : NULL;
    if (*format->no_text || count == 0)
        return NULL;
    return format->calls.count ? &format->calls.items[0]
                               : pattern_for(format, calls);
}

void naive_frame_emit(const frame_description *format,
                      const naive_tree *message, naive_bytes *out)
{
    naive_bytes content = {0}, reasoning = {0};
    frame_emitter emitter = {.format = format, .out = out};
    const naive_tree *thought = naive_tree_get(message, "reasoning_content");
    frame_call_view *calls;
    size_t count;
    bool reasoned;

    read_content(naive_tree_get(message, "content"), &content);
    read_content(thought ? thought : naive_tree_get(message, "reasoning"),
                 &reasoning);
    calls = frame_view_calls(format, naive_tree_get(message, "tool_calls"),
                             &count);
    reasoned = !is_blank_text(&reasoning) && canonical(&format->reasoning);
    if (format->calls_alone && count > 0)
        naive_release(&content);
    naive_add(&content, "", 0);
    write_reasoning(&emitter, &reasoning,
                    count > 0 && is_blank_text(&content));
    write_text(&emitter, &content);
    if (count > 0 && emitter.has_text)
        naive_add_text(out, format->gap);
    if (count > 0)
        write_calls(&emitter, calls, count, out);
    naive_add_text(out, word_for(&format->end, count > 0));
    drop_written(format, first_written(&emitter, reasoned, calls, count), out);
    frame_release_calls(calls, count);
    naive_release(&content);
    naive_release(&reasoning);
}
