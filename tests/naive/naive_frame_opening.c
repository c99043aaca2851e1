/* SPDX-License-Identifier: MIT
 *
 * How a parameter between tags opens.
 */
#include "naive_frame.h"

#include <string.h>

/* M0 {key} M1 [M2] {value}: the markers, in order. */
static size_t markers_of(const frame_pattern *pattern, const char *out[3])
{
    size_t count = 0;

    for (size_t i = 0; i < pattern->hole && count < 3; i++)
        if (pattern->parts[i].kind == FRAME_MARKER)
            out[count++] = pattern->parts[i].text.data;
    return count;
}

static bool is_plain_key(const char *data, size_t size)
{
    while (size > 0 && frame_is_blank(data[size - 1]))
        size--;
    for (size_t i = 0; i < size; i++)
        if (!frame_is_name_byte(data[i]))
            return false;
    return size > 0;
}

bool frame_unquote(const char **data, size_t *size)
{
    const char quote = *size > 2 ? **data : 0;

    if ((quote != '"' && quote != '\'') || (*data)[*size - 1] != quote)
        return false;
    for (size_t i = 1; i < *size - 1; i++)
        if (!frame_is_name_byte((*data)[i]))
            return false;
    *data += 1;
    *size -= 2;
    return true;
}

/* Quotes count in a |tag|. */
static void set_key(frame_match *match, const char *data, size_t size,
                    bool tag)
{
    while (size > 0 && frame_is_blank(*data)) {
        data++;
        size--;
    }
    while (size > 0 && frame_is_blank(data[size - 1]))
        size--;
    if (tag && frame_unquote(&data, &size))
        match->note = "attribute_quotes";
    naive_release(&match->holes[HOLE_KEY]);
    naive_add(&match->holes[HOLE_KEY], data, size);
    match->has[HOLE_KEY] = true;
}

/* What the pattern has directly in front of the marker |word|. */
static const char *layout_before(const frame_pattern *pattern,
                                 const char *word)
{
    size_t i = 1;

    while (pattern->parts[i].text.data != word)
        i++;
    return frame_layout(pattern, i - 1);
}

/* Behind the key's close at |at|: it may be doubled, and the value's open may
 * be missing, with the layout in front of it or without. */
static size_t read_value_open(const frame_reader *reader,
                              const frame_pattern *pattern, size_t at,
                              const char *key_close, const char *value_open,
                              frame_match *match)
{
    const char *layout = layout_before(pattern, value_open);
    size_t next = frame_skip(reader, at);

    if (frame_starts(reader, next, key_close)) {
        match->note = "extra_closer";
        at = next + strlen(key_close);
        next = frame_skip(reader, at);
    }
    if (frame_starts(reader, next, value_open))
        return next + strlen(value_open);
    match->note = "missing_value_open";
    return at + (frame_starts(reader, at, layout) ? strlen(layout) : 0);
}

/* The byte at |at| ends a key that the marker |marks[1]| closes. */
static bool ends_key(const frame_reader *reader, const char *const marks[3],
                     size_t count, size_t at)
{
    const char *close = marks[1];
    bool is_end = *close != '<' || frame_starts(reader, at, "</");

    if (reader->text[at] != '<')
        return frame_among(*close == '>' ? ">\r\n" : "\r\n",
                           reader->text[at]) ||
               (*close == '"' && frame_starts(reader, at, close));
    for (size_t i = 0; i < count; i++)
        is_end |= frame_starts(reader, at, marks[i]) ||
                  frame_is_cut(reader, at, marks[i]);
    return is_end;
}

static void match_keyed(const frame_reader *reader,
                        const frame_pattern *pattern, size_t at,
                        frame_match *match)
{
    const char *marks[3] = {NULL, NULL, NULL};
    size_t count = markers_of(pattern, marks), key, end;

    match->answer = FRAME_NO;
    if (count < 2 || !frame_starts(reader, at, marks[0])) {
        if (count && frame_is_cut(reader, at, marks[0]))
            match->answer = FRAME_CUT;
        return;
    }
    key = at + strlen(marks[0]);
    if (count == 3 &&
        frame_starts(reader, frame_skip(reader, key), marks[0])) {
        match->note = "doubled_open_tag";
        key = frame_skip(reader, key) + strlen(marks[0]);
    }
    end = key;
    while (end < reader->size && end - key <= FRAME_NAME &&
           !ends_key(reader, marks, count, end))
        end++;
    match->answer = FRAME_YES;
    set_key(match, reader->text + key, end - key, strcmp(marks[1], ">") == 0);
    if (*layout_before(pattern, marks[1]))
        end = frame_skip(reader, end);
    if (end - key > FRAME_NAME) {
        match->answer = FRAME_NO;
    } else if (frame_starts(reader, end, marks[1])) {
        match->end = end + strlen(marks[1]);
        if (count == 3)
            match->end = read_value_open(reader, pattern, match->end, marks[1],
                                         marks[2], match);
    } else if (count == 3 && frame_starts(reader, end, marks[2])) {
        match->note = "missing_key_close";
        match->end = end + strlen(marks[2]);
    } else if (end == reader->size || frame_is_cut(reader, end, marks[0]) ||
               frame_is_cut(reader, end, marks[1]) ||
               (count == 3 && frame_is_cut(reader, end, marks[2]))) {
        match->answer = FRAME_CUT;
    } else if (strcmp(marks[1], ">") == 0 && reader->text[end] != '<' &&
               is_plain_key(match->holes[HOLE_KEY].data,
                            match->holes[HOLE_KEY].size)) {
        match->note = "missing_tag_end";
        match->end = end;
    } else {
        match->answer = FRAME_NO;
    }
}

/* The first of what opens a call that stands at |at|, or NULL. */
const char *frame_opener_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->call;

    for (size_t i = 0; i < calls->count; i++)
        if (frame_opener(&calls->items[i]) &&
            frame_starts(reader, at, frame_opener(&calls->items[i])))
            return frame_opener(&calls->items[i]);
    return NULL;
}

/* KEY and its close, of a parameter that the tool declares: the open marker is
 * missing, or its first byte, or that of a call stands in its place. */
void frame_match_bare_key(const frame_reader *reader, size_t at,
                          const naive_tree *schema,
                          const frame_pattern **which, frame_match *match)
{
    const frame_patterns *arguments = &reader->format->argument;
    const naive_tree *declared = naive_tree_get(schema, "properties");

    for (size_t i = 0; i < arguments->count; i++) {
        const frame_pattern *pattern = &arguments->items[i];
        const char *marks[3] = {NULL, NULL, NULL};
        size_t count = markers_of(pattern, marks), key = at, end;

        if (pattern->parts[0].kind == FRAME_TAG || count < 3)
            continue;
        if (frame_opener_at(reader, at))
            key += strlen(frame_opener_at(reader, at));
        else if (frame_starts(reader, at, marks[0] + 1))
            key += strlen(marks[0] + 1);
        end = key;
        while (end < reader->size && end - key <= FRAME_NAME &&
               !frame_among("<\r\n", reader->text[end]))
            end++;
        if (end - key > FRAME_NAME || !frame_starts(reader, end, marks[1]) ||
            !is_plain_key(reader->text + key, end - key))
            continue;
        frame_match_release(match);
        set_key(match, reader->text + key, end - key, false);
        match->end =
            read_value_open(reader, pattern, end + strlen(marks[1]), marks[1],
                            marks[2], match);
        match->note = "loose_marker";
        match->answer =
            naive_tree_get(declared, match->holes[HOLE_KEY].data) ? FRAME_YES
                                                                  : FRAME_NO;
        *which = pattern;
        return;
    }
}

/* A close of a key stands at |at|. */
bool frame_key_close_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *arguments = &reader->format->argument;
    bool found = false;

    for (size_t i = 0; i < arguments->count; i++) {
        const char *marks[3] = {NULL, NULL, NULL};

        if (arguments->items[i].parts[0].kind != FRAME_TAG &&
            markers_of(&arguments->items[i], marks) > 1)
            found |= frame_starts(reader, at, marks[1]);
    }
    return found;
}

bool frame_is_parameter_marker(const frame_reader *reader, size_t at)
{
    const frame_patterns *arguments = &reader->format->argument;

    for (size_t i = 0; i < arguments->count; i++)
        for (size_t n = 0; n < arguments->items[i].count; n++)
            if (arguments->items[i].parts[n].kind != FRAME_LAYOUT &&
                arguments->items[i].parts[n].kind != FRAME_HOLE &&
                !frame_among(">\"",
                             arguments->items[i].parts[n].text.data[0]) &&
                frame_starts(reader, at,
                             arguments->items[i].parts[n].text.data))
                return true;
    return false;
}

void frame_match_parameter(const frame_reader *reader, size_t at,
                           const frame_pattern **which, frame_match *match)
{
    const frame_patterns *arguments = &reader->format->argument;
    bool is_cut = false;

    *which = NULL;
    *match = (frame_match){0};
    for (size_t i = 0; i < arguments->count; i++) {
        const frame_pattern *pattern = &arguments->items[i];
        size_t hole = pattern->hole;

        frame_match_release(match);
        while (hole > 0 && pattern->parts[hole - 1].kind == FRAME_LAYOUT)
            hole--;
        if (pattern->parts[0].kind == FRAME_TAG)
            frame_match_parts(reader, pattern, 0, hole, 0, at, match);
        else
            match_keyed(reader, pattern, at, match);
        if (match->answer == FRAME_YES && match->closed)
            match->answer = FRAME_NO; /* a value is due */
        if (match->answer == FRAME_YES) {
            *which = pattern;
            return;
        }
        is_cut = is_cut || match->answer == FRAME_CUT;
    }
    match->answer = is_cut ? FRAME_CUT : FRAME_NO;
}
