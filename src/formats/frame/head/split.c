/* SPDX-License-Identifier: MIT
 *
 * Names and ids in heads: ids that are made of name and index, and the name in
 * one, `functions.NAME:0`, where the model wrote it otherwise: clients that
 * allow no dots and colons in ids teach it `functionsNAME0` and
 * `functions_NAME_0`.
 */
#include <string.h>

#include "core/ascii.h"
#include "events/tools.h"
#include "formats/body/entities.h"
#include "formats/frame/head/reader.h"
#include "formats/name_bytes.h"

/* ---- in the head -------------------------------------------------------- */

/* The literal behind the name |part| that is part of a name, too, with the
 * index behind it: `:` of NAME:INDEX; or NULL. */
static const tw_part *index_mark(const tw_pattern *pattern, size_t part)
{
    const size_t mark = tw_pattern_next(pattern, part);
    const size_t index = tw_pattern_next(pattern, mark);
    const tw_part *parts = pattern->parts;
    const bool split = index < pattern->hole &&
                       tw_pattern_is_index(&parts[index]) &&
                       parts[mark].kind == TW_PATTERN_LITERAL &&
                       tw_is_bare_name_byte((uint8_t)parts[mark].text[0]);
    return split ? &parts[mark] : NULL;
}

/* Does an index follow that is no part of the name, as in `NAME!7`? */
static bool is_numbered(const tw_pattern *pattern, size_t part)
{
    bool found = false;
    for (size_t i = part + 1; i < pattern->hole; i++) {
        found |= tw_pattern_is_index(&pattern->parts[i]);
    }
    return found && index_mark(pattern, part) == NULL;
}

/* Cuts |mark| and digits off the end of the name. */
static void cut_index(tw_head *head, const char *mark, size_t size)
{
    const uint8_t *end = head->name + head->name_size;
    const uint8_t *at = end;
    while (at > head->name && tw_is_digit(at[-1])) {
        at--;
    }
    if (at < end && (size_t)(at - head->name) >= size &&
        memcmp(at - size, mark, size) == 0) {
        head->name_size = (size_t)(at - size - head->name);
        head->index = at;
        head->index_size = (size_t)(end - at);
        head->index_kind = TW_PATTERN_INDEX;
        head->indexed = true;
    }
}

/* Where calls begin with their ids, all that stands in front of the next
 * marker is the id: the name, and what the id has in front of it. */
static void keep_whole_id(const tw_head_reader *reader, tw_head *head)
{
    const tw_part *first = reader->state->description->id.all->parts;
    const size_t size = first->kind == TW_PATTERN_LITERAL ? first->size : 0;
    const uint8_t *from = head->name;
    if ((size_t)(from - reader->open) >= size &&
        memcmp(from - size, first->text, size) == 0) {
        from -= size;
    }
    head->id = from;
    head->id_size = (size_t)(head->name + head->name_size - from);
}

bool tw_head_split_name(const tw_head_reader *reader,
                        const tw_pattern *pattern, size_t *part, tw_head *head)
{
    const tw_part *mark = index_mark(pattern, *part);
    const tw_part *parts = pattern->parts;
    if (reader->state->indexed) {
        if (!is_numbered(pattern, *part)) {
            keep_whole_id(reader, head);
        }
        cut_index(head, ":", 1);
    } else if (mark != NULL) {
        cut_index(head, mark->text, mark->size);
    }
    if (mark == NULL ||
        (!head->indexed && parts[*part + 1].kind == TW_PATTERN_LAYOUT)) {
        return true;
    }
    *part = tw_pattern_next(pattern, tw_pattern_next(pattern, *part));
    head->index_kind = parts[*part].kind;
    return head->indexed;
}

/* ---- a declared name in it ---------------------------------------------- */

static bool is_declared(const tw_frame *state, tw_piece name)
{
    return name.size > 0 &&
           tw_tools_find(state->sink->tools, (const char *)name.from,
                         name.size) != NULL;
}

static bool is_mark(uint8_t c)
{
    return c == '.' || c == '_' || c == ':';
}

/* The name without an index behind it. */
static tw_piece without_index(tw_piece name)
{
    while (name.size > 0 && name.from[name.size - 1] >= '0' &&
           name.from[name.size - 1] <= '9') {
        name.size--;
    }
    return name;
}

/* NAME:INDEX, where a further index stood behind it, is NAME if that was
 * declared. */
static tw_piece without_second(const tw_frame *state, tw_piece name)
{
    const tw_piece bare = without_index(name);
    const tw_piece first = {bare.from, bare.size - (bare.size > 0)};
    return bare.size < name.size && first.size < bare.size &&
                   bare.from[first.size] == ':' && is_declared(state, first)
               ? first
               : name;
}

/* |word|, which no tool is called, behind the prefix: as it is, or without one
 * mark in front, without an index, and without the mark in front of that. */
static tw_piece declared_in(const tw_frame *state, tw_piece word)
{
    const size_t marks = word.size > 0 && is_mark(*word.from) ? 2 : 1;
    for (size_t i = 0; i < marks; i++) {
        const tw_piece named = {word.from + i, word.size - i};
        const tw_piece bare = without_index(named);
        const bool marked = bare.size > 0 && bare.size < named.size &&
                            is_mark(bare.from[bare.size - 1]);
        const tw_piece tries[] = {
            named, bare, {bare.from, bare.size - (marked ? 1 : 0)}};
        for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
            if (is_declared(state, tries[k])) {
                return tries[k];
            }
        }
    }
    return (tw_piece){NULL, 0};
}

/* Does what stands in {server:} say that there is none? */
static bool is_no_server(const tw_head *head)
{
    const tw_part *part = head->pattern->parts;
    while (head->server.size > 0 && part->kind != TW_PATTERN_SERVER) {
        part++;
    }
    return head->server.size == 0 ||
           (part->size == head->server.size &&
            memcmp(part->text, head->server.from, part->size) == 0);
}

/* A tool that was declared by its bare name is called so. */
void tw_frame_name_call(tw_frame *state, const tw_head *head, tw_piece name)
{
    tw_open_call *call = &state->call;
    if (!is_no_server(head)) {
        tw_open_call_name(call, head->server.from, head->server.size);
        tw_open_call_name(call, (const uint8_t *)".", 1);
        tw_open_call_name(call, name.from, name.size);
        const tw_piece whole = {call->name.data, call->name.size};
        if (name.size > 0 &&
            (is_declared(state, whole) || !is_declared(state, name))) {
            return;
        }
        call->name.size = 0;
    }
    tw_open_call_name(call, name.from, name.size);
}

tw_piece tw_frame_name_in(const tw_frame *state, const tw_head *head)
{
    const tw_piece name = {head->name, head->name_size};
    const tw_part *first = state->description->id.all->parts;
    const size_t whole = first->kind == TW_PATTERN_LITERAL ? first->size : 0;
    size_t size = whole; /* without the marks at its end */
    if (whole == 0) {
        return name;
    }
    if (!head->pattern->loose) {
        return is_declared(state, name) ? name : without_second(state, name);
    }
    if (name.size > whole && memcmp(name.from, first->text, whole) == 0) {
        const tw_piece rest = {name.from + whole, name.size - whole};
        const tw_piece named =
            is_declared(state, rest) ? rest : declared_in(state, rest);
        return named.from != NULL ? named : rest;
    }
    while (size > 0 && is_mark((uint8_t)first->text[size - 1])) {
        size--;
    }
    if (tw_tools_count(state->sink->tools) == 0 || is_declared(state, name) ||
        name.size <= size || memcmp(name.from, first->text, size) != 0) {
        return name;
    }
    const tw_piece found =
        declared_in(state, (tw_piece){name.from + size, name.size - size});
    return found.from != NULL ? found : name;
}

/* Does the close of a key stand at |at|? */
static bool is_key_close(const tw_frame *state, const uint8_t *at)
{
    const tw_patterns *all = &state->description->argument;
    bool found = false;
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        for (size_t k = 0; k < pattern->hole; k++) {
            const tw_part *close = &pattern->parts[tw_pattern_next(pattern, k)];
            found |= pattern->parts[k].kind == TW_PATTERN_KEY &&
                     close->kind == TW_PATTERN_LITERAL &&
                     tw_part_at(state->window, at, close) == TW_MATCH_WHOLE;
        }
    }
    return found;
}

void tw_frame_part_name(const tw_frame *state, tw_head *head)
{
    const tw_tools *tools = state->sink->tools;
    const char *name = (const char *)head->name;
    const size_t size = head->name_size;
    if (tw_tools_count(tools) == 0 || size == 0 || size > TW_OPENING_KEY ||
        head->body != head->name + size ||
        tw_pattern_hole(head->pattern)->kind != TW_PATTERN_ARGUMENTS ||
        tw_tools_find(tools, name, size) != NULL ||
        !is_key_close(state, head->body)) {
        return;
    }
    for (size_t at = size; at-- > 1;) {
        const tw_tool *tool = tw_tools_find(tools, name, at);
        if (tool != NULL && tw_tools_parameter(tools, tool, name + at,
                                               size - at) != NULL) {
            head->name_size = at;
            head->body = head->name + at;
            return;
        }
    }
}

void tw_frame_decode_name(const tw_frame *state, tw_buffer *name)
{
    if (state->description->entities == TW_ENTITIES_NONE || name->size == 0) {
        return;
    }
    const tw_window view = {.limit = name->data + name->size, .eof = true};
    size_t size = 0;
    bool more = false;
    for (size_t i = 0; i < name->size;) {
        char byte = 0;
        const size_t entity = name->data[i] == '&'
                                  ? tw_entity_at(&view, name->data + i, &byte,
                                                 &more)
                                  : 0;
        name->data[size++] = entity > 0 ? (uint8_t)byte : name->data[i];
        i += entity > 0 ? entity : 1;
    }
    name->size = size;
}

/* ---- ids ---------------------------------------------------------------- */

/* The digits of the head's index as the hole |kind| of the id has them,
 * counted from 0 or from 1, in |text|; 0: there are none. */
static size_t index_as(const tw_head *head, uint8_t kind, char *text)
{
    enum { DIGITS = 18 };
    uint64_t number = 0;
    if (head->index_size == 0 || head->index_size > DIGITS) {
        return 0;
    }
    for (size_t i = 0; i < head->index_size; i++) {
        if (head->index[i] < '0' || head->index[i] > '9') {
            return 0;
        }
        number = number * 10 + (uint64_t)(head->index[i] - '0');
    }
    if (kind == head->index_kind) {
        memcpy(text, head->index, head->index_size);
        return head->index_size;
    }
    if (kind == TW_PATTERN_INDEX && number == 0) {
        return 0;
    }
    number = kind == TW_PATTERN_INDEX ? number - 1 : number + 1;
    char digits[TW_DIGITS];
    char *const end = digits + sizeof digits;
    const char *first = tw_spell(end, number);
    memcpy(text, first, (size_t)(end - first));
    return (size_t)(end - first);
}

bool tw_frame_make_id(const tw_frame *state, const tw_head *head,
                      tw_buffer *id)
{
    const tw_description *d = state->description;
    const tw_pattern *made = d->id.all;
    const size_t count = d->id.count > 0 ? made->count : 0;
    bool counted = false;
    bool known = true;
    bool kept = true;
    char index[24];
    for (size_t i = 0; i < count && kept && known; i++) {
        const tw_part *part = &made->parts[i];
        tw_piece piece = {(const uint8_t *)part->text, part->size};
        if (part->kind == TW_PATTERN_NAME) {
            piece = (tw_piece){head->name, head->name_size};
        } else if (tw_pattern_is_index(part)) {
            piece = (tw_piece){(const uint8_t *)index,
                               index_as(head, part->kind, index)};
            counted = true;
        }
        known = piece.size > 0;
        kept = !known ||
               tw_buffer_append(id, &state->memory, piece.from, piece.size);
    }
    id->size = counted && known ? id->size : 0;
    return kept;
}

void tw_head_keep_attributes(tw_head *head, const tw_tag *tag)
{
    for (size_t i = 0; i < tag->count; i++) {
        const tw_piece text = tag->holes[i].text;
        switch (tag->holes[i].kind) {
        case TW_PATTERN_NAME:
            head->name = text.from;
            head->name_size = text.size;
            break;
        case TW_PATTERN_ID:
            head->id = text.from;
            head->id_size = text.size;
            break;
        case TW_PATTERN_INDEX:
        case TW_PATTERN_INDEX_FROM_1:
            head->index = text.from;
            head->index_size = text.size;
            head->index_kind = tag->holes[i].kind;
            break;
        default: break;
        }
    }
}
