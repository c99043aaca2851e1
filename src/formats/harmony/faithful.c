/* SPDX-License-Identifier: MIT
 *
 * What of declared tools does not read back.  TypeScript holds their texts
 * unescaped, so that a description may look like a property: what no simple
 * look tells is read back, and what differs is reported.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/harmony/encode.h"

/* Below |root| in the order of the text; NULL: there is no more.  |*depth|:
 * how deep. */
static const tw_value *next_value(const tw_value *at, const tw_value *root,
                                  size_t *depth)
{
    if (at->first != NULL) {
        ++*depth;
        return at->first;
    }
    while (at != root && at->next == NULL) {
        at = at->parent;
        --*depth;
    }
    return at != root ? at->next : NULL;
}

/* ---- what can only be read in one way ----------------------------------- */

static bool is_text(const tw_value *at)
{
    return at->kind == TW_VALUE_STRING && at->size > 0;
}

/* Letters, digits and a few signs that no type is made of. */
static bool is_word(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (!(tw_is_alnum(c) || (c & 0x80) != 0 ||
              (c != 0 && strchr("_-.$", c) != NULL))) {
            return false;
        }
    }
    return size > 0;
}

/* One line that is none of a declaration's own. */
static bool is_line(const tw_value *at)
{
    return is_text(at) && memchr(at->text, '\n', at->size) == NULL &&
           !tw_value_is(at, "Examples:");
}

/* The template puts lines behind the first as they are: a word, and no colon,
 * without which there is no property. */
static bool is_further_line(const char *line, size_t size)
{
    return size > 0 && is_word(line, 1) && memchr(line, ':', size) == NULL &&
           memchr(line, '\r', size) == NULL &&
           !(size > 5 && memcmp(line, "type ", 5) == 0);
}

static bool is_about_property(const tw_value *at)
{
    if (!is_text(at) || tw_value_is(at, "Examples:")) {
        return false;
    }
    const char *const end = at->text + at->size;
    const char *feed = memchr(at->text, '\n', at->size);
    if (feed == at->text || (feed != NULL && *at->text == ' ')) {
        return false;
    }
    while (feed != NULL) {
        const char *line = feed + 1;
        feed = memchr(line, '\n', (size_t)(end - line));
        if (!is_further_line(line,
                             (size_t)((feed != NULL ? feed : end) - line))) {
            return false;
        }
    }
    return true;
}

/* A function ends what stands above it: other lines may stand there, too. */
static bool is_about_function(const tw_value *at)
{
    if (!is_text(at) || at->text[at->size - 1] == '\n' ||
        memchr(at->text, '\r', at->size) != NULL) {
        return false;
    }
    const char *line = at->text;
    const char *const end = line + at->size;
    while ((line = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        line++;
        if (strncmp(line, "type ", 5) == 0) {
            return false;
        }
    }
    return true;
}

static bool is_list_of_texts(const tw_value *list)
{
    const tw_value *at = list->first;
    while (at != NULL && is_text(at)) {
        at = at->next;
    }
    return list->kind == TW_VALUE_ARRAY && list->first != NULL && at == NULL;
}

/* Of a schema, or of what declares a function. */
static bool is_certain_member(const tw_value *at)
{
    if (tw_value_has_key(at, "description")) {
        return tw_value_has_key(at->parent, "function")
                   ? is_about_function(at)
                   : at->kind == TW_VALUE_OBJECT || is_about_property(at);
    }
    if (tw_value_has_key(at, "title")) {
        return at->kind == TW_VALUE_OBJECT || is_line(at);
    }
    if (tw_value_has_key(at, "name")) {
        return at->kind == TW_VALUE_OBJECT || is_word(at->text, at->size);
    }
    if (tw_value_has_key(at, "parameters")) {
        return tw_value_is(tw_value_member(at, "type"), "object");
    }
    if (tw_value_has_key(at, "properties") || tw_value_has_key(at, "items") ||
        tw_value_has_key(at->parent, "properties")) {
        return at->kind == TW_VALUE_OBJECT;
    }
    if (tw_value_has_key(at, "enum") || tw_value_has_key(at, "examples")) {
        return is_list_of_texts(at);
    }
    if (tw_value_has_key(at, "default")) { /* beside a list it has no quotes */
        return tw_value_member(at->parent, "enum") == NULL ||
               (is_line(at) && is_word(at->text, 1) &&
                is_word(at->text + at->size - 1, 1));
    }
    return !tw_value_has_key(at, "nullable") &&
           !tw_value_has_key(at, "oneOf") &&
           (!tw_value_has_key(at, "type") || at->kind != TW_VALUE_ARRAY);
}

static bool is_certain_text(const tw_value *at)
{
    return tw_value_has_key(at, "description") ||
           tw_value_has_key(at, "title") ||
           (is_line(at) && memchr(at->text, '"', at->size) == NULL);
}

/* Is all of |tools| known to read back, but for what was reported? */
static bool is_certain(const tw_segments *out, const tw_value *tools)
{
    enum { DEPTH = 64 };
    const tw_value *at = tools;
    for (size_t depth = 0; at != NULL && depth <= DEPTH;
         at = next_value(at, tools, &depth)) {
        if ((at->key != NULL && at->parent->kind == TW_VALUE_OBJECT &&
             (!is_word(at->key, at->key_size) || !is_certain_member(at))) ||
            (at->kind == TW_VALUE_STRING && !is_certain_text(at)) ||
            (at->kind == TW_VALUE_NUMBER && out->python_numbers)) {
            return false;
        }
    }
    return at == NULL;
}

/* ---- tools -------------------------------------------------------------- */

void tw_harmony_report_unfaithful(tw_segments *out,
                                  const tw_harmony_dialect *dialect,
                                  const tw_value *tools, tw_place place)
{
    tw_transcript_reader reader;
    if (out->code != TW_OK || is_certain(out, tools)) {
        return;
    }
    tw_reader_init(&reader, out->memory);
    tw_harmony_read_tools(dialect, &reader,
                          (const char *)out->text.data + place.text,
                          out->text.size - place.text);
    tw_encode_report_read_back(out, tools, place, &reader);
    tw_reader_free(&reader);
}
