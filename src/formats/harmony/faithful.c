/* SPDX-License-Identifier: MIT
 *
 * What of declared tools does not read back.  TypeScript holds their texts
 * unescaped, so that a description may look like a property: what no simple
 * look tells is read back, and what differs is reported.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/encode.h"
#include "formats/harmony/prompt.h"
#include "formats/harmony/tokens.h"

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

/* |text| declares |tools|.  Where they may read back as others, what differs
 * is reported in place of what was reported behind |place|. */
static void check_tools(tw_segments *out, bool renderer, const tw_value *tools,
                        tw_place place, const char *text, size_t size)
{
    tw_transcript_reader reader;
    if (out->code != TW_OK || is_certain(out, tools)) {
        return;
    }
    tw_reader_init(&reader, out->memory);
    tw_harmony_read_tools(renderer, &reader, text, size);
    tw_encode_report_read_back(out, tools, place, &reader);
    tw_reader_free(&reader);
}

/* ---- the developer's message -------------------------------------------- */

/* Where the template's own |words| stand from |from| on; SIZE_MAX: nowhere. */
static size_t find_words(const tw_segments *out, size_t from,
                         const char *words)
{
    const tw_run *runs = (const tw_run *)(const void *)out->runs.data;
    const size_t count = out->runs.size / sizeof *runs;
    size_t i = 0;
    const char *text = out->text.size > 0 ? (const char *)out->text.data : "";
    tw_cursor rest = {text + from, text + out->text.size};
    const char *found;
    while ((found = tw_cursor_find(&rest, words)) != NULL) {
        const size_t at = (size_t)(found - text);
        while (i < count && runs[i].end <= at) {
            i++;
        }
        if (i == count || runs[i].begin > at) {
            return at;
        }
        rest.at = found + 1;
    }
    return SIZE_MAX;
}

/* Is |at| a part of |whole|, or |whole|? */
static bool is_part(const tw_value *at, const tw_value *whole)
{
    while (at != NULL && at != whole) {
        at = at->parent != NULL ? at->parent : at->origin;
    }
    return at != NULL;
}

/* Takes away what was told behind the declarations of tools; returns where
 * what was told of these begins. */
static size_t take_behind(tw_segments *out,
                          const tw_conversation *conversation,
                          tw_buffer *behind)
{
    const tw_message *first = tw_message_at(conversation, 0);
    const bool system =
        tw_message_count(conversation) > 0 && tw_message_is_system(first);
    const tw_value *messages = tw_record_messages(conversation->root);
    const size_t count = tw_losses_count(&out->losses);
    size_t begin = count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const tw_lost lost = *tw_losses_at(&out->losses, i);
        const bool tools = conversation->tools != NULL &&
                           is_part(lost.where, conversation->tools);
        const bool later = (!tools && begin < count) ||
                           (is_part(lost.where, messages) &&
                            !(system && is_part(lost.where, first->value)));
        begin = begin == count && tools ? kept : begin;
        if (!later) {
            *tw_losses_at(&out->losses, kept++) = lost;
        } else if (!tw_buffer_append(behind, out->memory, &lost,
                                     sizeof lost)) {
            out->losses.failed = true;
        }
    }
    out->losses.list.size = kept * sizeof(tw_lost);
    return (begin < kept ? begin : kept) * sizeof(tw_lost);
}

/* Instructions in which tools are declared as the template declares them are
 * read back as tools.  They are the text [from, to), and all behind it up to
 * |end| of their message. */
static void check_text(tw_segments *out, const tw_message *message,
                       size_t from, size_t to, size_t end)
{
    const char *text = (const char *)out->text.data;
    if (tw_harmony_find_tools(text + from, end - from) != to - from) {
        tw_encode_loss(out, TW_LOSS_CONTENT_MISREAD, message->content,
                       "The text reads back as a declaration of tools.");
    }
}

/* The next message from the |*at|-th on whose instructions are written. */
static const tw_message *next_instructions(const tw_conversation *conversation,
                                           size_t *at)
{
    const tw_message *message = NULL;
    while (message == NULL && *at < tw_message_count(conversation)) {
        message = tw_message_at(conversation, (*at)++);
        if ((message->role != TW_ROLE_SYSTEM &&
             message->role != TW_ROLE_DEVELOPER) ||
            !tw_encode_has_content(message->content)) {
            message = NULL;
        }
    }
    return message;
}

static void check_developers(const tw_format *format,
                             const tw_conversation *conversation,
                             tw_segments *out, tw_place place)
{
    static const char head[] =
        TW_HARMONY_START_TEXT "developer" TW_HARMONY_MESSAGE_TEXT;
    static const char title[] = "# Instructions\n\n";
    static const char space[] = "# Tools\n\n## functions\n\nnamespace "
                                "functions {\n\n";
    const char *text = (const char *)out->text.data;
    const tw_value *tools = conversation->tools;
    size_t number = 0;
    size_t at = 0;
    while ((at = find_words(out, at, head)) != SIZE_MAX) {
        const size_t body = at + sizeof head - 1;
        const size_t end = find_words(out, body, TW_HARMONY_END_TEXT);
        const size_t declared =
            tools != NULL ? find_words(out, body, space) : SIZE_MAX;
        if (declared != SIZE_MAX) {
            const size_t first = declared + sizeof space - 1;
            check_tools(out, tw_harmony_is_renderer(format), tools, place,
                        text + first,
                        find_words(out, first, "} // namespace functions") -
                            first);
            tools = NULL;
        }
        if (memcmp(text + body, title, sizeof title - 1) == 0) {
            check_text(out, next_instructions(conversation, &number),
                       body + sizeof title - 1,
                       declared != SIZE_MAX ? declared - 2 : end, end);
        }
        at = end;
    }
}

void tw_harmony_check_prompt(const tw_format *format,
                             const tw_conversation *conversation,
                             tw_segments *out)
{
    tw_buffer behind = {0};
    tw_place place = tw_segments_place(out);
    if (out->code != TW_OK) {
        return;
    }
    place.reports = take_behind(out, conversation, &behind);
    check_developers(format, conversation, out, place);
    if (behind.size > 0 && !tw_buffer_append(&out->losses.list, out->memory,
                                             behind.data, behind.size)) {
        out->losses.failed = true;
    }
    tw_buffer_free(&behind, out->memory);
}
