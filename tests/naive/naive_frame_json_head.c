/* SPDX-License-Identifier: MIT
 *
 * Heads of objects: is it a call that begins there? (D2)
 */
#include "naive_frame.h"

#include <string.h>

/* The string at |at|, quotes included; 0: none, SIZE_MAX: cut. */
static size_t string_size(const frame_reader *reader, size_t at)
{
    size_t end = at + 1;
    char quote;

    if (at == reader->size)
        return SIZE_MAX;
    quote = reader->text[at];
    if (quote != '"' && quote != '\'')
        return 0;
    for (; end < reader->size && reader->text[end] != quote; end++)
        end += reader->text[end] == '\\';
    return end < reader->size ? end + 1 - at : SIZE_MAX;
}

static bool is_word(const frame_reader *reader, size_t at, size_t size,
                    const char *word)
{
    return size == strlen(word) + 2 &&
           memcmp(reader->text + at + 1, word, size - 2) == 0;
}

static bool is_one_of(const frame_reader *reader, size_t at, size_t size,
                      const frame_words *words, const char *const *others)
{
    for (size_t i = 0; i < words->count; i++)
        if (is_word(reader, at, size, words->items[i]))
            return true;
    for (; *others; others++)
        if (is_word(reader, at, size, *others))
            return true;
    return false;
}

static const char *const name_words[] = {"name", NULL};
static const char *const function_words[] = {"function", NULL};
static const char *const argument_words[] = {"arguments", "parameters", NULL};
static const char *const other_words[] = {"id", "type", NULL};

/* KEY : at |*at|, |*at| behind the colon; its kind: 'n', 'f', 'a', 'o' or 0.
 */
static int read_key(const frame_reader *reader, size_t *at, bool *is_cut)
{
    const frame_description *format = reader->format;
    size_t key = frame_skip(reader, *at), size = string_size(reader, key);
    int kind = 0;

    *is_cut = size == SIZE_MAX;
    if (size == 0 || *is_cut)
        return 0;
    if (is_one_of(reader, key, size, &format->name_key, name_words))
        kind = 'n';
    else if (is_one_of(reader, key, size, &(frame_words){0}, function_words))
        kind = 'f';
    else if (is_one_of(reader, key, size, &format->arguments_key,
                       argument_words))
        kind = 'a';
    else if (is_one_of(reader, key, size, &format->id_key, other_words))
        kind = 'o';
    *at = frame_skip(reader, key + size);
    *is_cut = *at == reader->size;
    if (*is_cut || reader->text[*at] != ':')
        return 0;
    ++*at;
    return kind;
}

/* STRING , at |*at|. */
static bool read_string_comma(const frame_reader *reader, size_t *at,
                              bool *is_cut)
{
    size_t value = frame_skip(reader, *at), size = string_size(reader, value);

    *is_cut = size == SIZE_MAX;
    if (size == 0 || *is_cut)
        return false;
    *at = frame_skip(reader, value + size);
    *is_cut = *at == reader->size;
    if (*is_cut || reader->text[*at] != ',')
        return false;
    ++*at;
    return true;
}

/* `{` at |at|, then a call's key; |whole|: up to the arguments key, behind
 * strings under the other keys.  They may be those of an object under
 * "function". */
bool frame_json_head(const frame_reader *reader, size_t at, bool whole,
                     bool *is_cut)
{
    size_t begin = at;
    bool named = false, wrapped = false;

    *is_cut = at == reader->size;
    if (*is_cut || reader->text[at] != '{')
        return false;
    for (at++; at - begin <= FRAME_HEAD;) {
        int kind = read_key(reader, &at, is_cut);

        if (kind == 0 || !whole)
            return kind != 0;
        if (kind == 'a')
            return named;
        if (kind == 'f' && !wrapped) {
            const size_t value = frame_skip(reader, at);

            *is_cut = value == reader->size;
            wrapped = !*is_cut && reader->text[value] == '{';
            if (*is_cut)
                return false;
            if (wrapped) {
                at = value + 1;
                named = false;
                continue;
            }
        }
        named = named || kind == 'n' || kind == 'f';
        if (!read_string_comma(reader, &at, is_cut))
            return false;
    }
    return false;
}

/* `{ NAME : {` at |at|, where the key is the name. */
static bool keyed_head(const frame_reader *reader, size_t at, bool *is_cut)
{
    static const char marks[] = "{\":{";
    bool found = true;

    *is_cut = false;
    for (const char *mark = marks; *mark && found; mark++) {
        at = frame_skip(reader, at);
        if (at >= reader->size) {
            *is_cut = true;
            found = false;
        } else if (*mark == '"') {
            size_t size = string_size(reader, at);

            *is_cut = size == SIZE_MAX;
            found = size > 0 && !*is_cut;
            at += found ? size : 0;
        } else {
            found = reader->text[at++] == *mark;
        }
    }
    return found;
}

/* A list or object of calls without a marker that speaks for itself. */
bool frame_plain_json_head(const frame_reader *reader, size_t at,
                           frame_hole body, bool whole, bool *is_cut)
{
    bool listed = at < reader->size && reader->text[at] == '[';

    *is_cut = false;
    if (!listed && body != HOLE_OBJECT && body != HOLE_LIST_LINES)
        return false;
    if (listed)
        at = frame_skip(reader, at + 1);
    if (body == HOLE_KEYED)
        return keyed_head(reader, at, is_cut);
    return frame_json_head(reader, at, whole, is_cut);
}
