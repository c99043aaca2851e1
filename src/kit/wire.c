/* SPDX-License-Identifier: MIT
 *
 * Bytes and their marks are kept side by side.
 */
#include "kit/wire.h"

#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"

enum { WORD = 6 }; /* bytes of a word's token */

void kit_wire_free(kit_wire *wire, const tw_memory *memory)
{
    tw_buffer_free(&wire->bytes, memory);
    tw_buffer_free(&wire->marks, memory);
}

void kit_wire_clear(kit_wire *wire)
{
    wire->bytes.size = 0;
    wire->marks.size = 0;
}

void kit_wire_swap(kit_wire *a, kit_wire *b)
{
    const kit_wire kept = *a;
    *a = *b;
    *b = kept;
}

bool kit_wire_append(kit_wire *wire, const tw_memory *memory, const void *text,
                     size_t size, kit_mark first)
{
    const size_t at = wire->marks.size;
    if (!tw_buffer_append(&wire->bytes, memory, text, size) ||
        !tw_buffer_append(&wire->marks, memory, text, size)) {
        wire->bytes.size = at;
        return false;
    }
    memset(wire->marks.data + at,
           first == KIT_TOKEN ? (int)KIT_TOKEN_REST : (int)first, size);
    wire->marks.data[at] = (uint8_t)first;
    return true;
}

bool kit_wire_append_part(kit_wire *wire, const tw_memory *memory,
                          const kit_wire *other, size_t from, size_t to)
{
    const size_t at = wire->marks.size;
    if (from >= to) {
        return true;
    }
    if (!tw_buffer_append(&wire->bytes, memory, other->bytes.data + from,
                          to - from) ||
        !tw_buffer_append(&wire->marks, memory, other->marks.data + from,
                          to - from)) {
        wire->bytes.size = at;
        return false;
    }
    return true;
}

/* Is a single token of the vocabulary written so?  A part of a tag, such as
 * `<function=`, is none. */
static bool is_token(const tw_marker *marker)
{
    const char last = marker->text[marker->size - 1];
    return marker->token == 1 &&
           (marker->stop == 1 || last == '>' || last == ']' || last == '|');
}

/* The longest token of |format| that stands at |text|: its size, or 0. */
static size_t token_at(const tw_format *format, const char *text, size_t size)
{
    const tw_marker *marker;
    size_t longest = 0;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->size > longest && marker->size <= size &&
            is_token(marker) &&
            memcmp(text, marker->text, marker->size) == 0) {
            longest = marker->size;
        }
    }
    return longest;
}

bool kit_wire_append_words(kit_wire *wire, const tw_memory *memory,
                           const tw_format *format, const char *words,
                           size_t size)
{
    bool good = true;
    for (size_t at = 0; at < size && good;) {
        const size_t token = token_at(format, words + at, size - at);
        good = kit_wire_append(wire, memory, words + at, token > 0 ? token : 1,
                               token > 0 ? KIT_TOKEN : KIT_PLAIN);
        at += token > 0 ? token : 1;
    }
    return good;
}

static void drop(tw_buffer *buffer, size_t from, size_t to)
{
    if (to > from) {
        memmove(buffer->data + from, buffer->data + to, buffer->size - to);
        buffer->size -= to - from;
    }
}

void kit_wire_drop(kit_wire *wire, size_t from, size_t to)
{
    drop(&wire->bytes, from, to);
    drop(&wire->marks, from, to);
}

size_t kit_wire_token(const kit_wire *wire, size_t at)
{
    if (at >= wire->marks.size || wire->marks.data[at] != KIT_TOKEN) {
        return 0;
    }
    size_t end = at + 1;
    while (end < wire->marks.size && wire->marks.data[end] == KIT_TOKEN_REST) {
        end++;
    }
    return end - at;
}

static bool is_word(uint8_t c)
{
    return tw_is_letter(c) || c >= 0x80;
}

/* Does an ordinary byte stand there? */
static bool is_plain(const kit_wire *wire, size_t at)
{
    return at < wire->bytes.size && wire->marks.data[at] == KIT_PLAIN;
}

size_t kit_wire_token_end(const kit_wire *wire, size_t at)
{
    const uint8_t *bytes = wire->bytes.data;
    const size_t token = kit_wire_token(wire, at);
    size_t end = at + 1;
    if (token > 0) {
        return at + token;
    }
    const bool blank = bytes[at] == ' ' && is_plain(wire, end);
    if (is_word(bytes[blank ? end : at])) {
        /* No character is cut. */
        while (is_plain(wire, end) && is_word(bytes[end]) &&
               (end < at + WORD || (bytes[end] & 0xC0) == 0x80)) {
            end++;
        }
    } else if (tw_is_ws(bytes[at])) {
        while (is_plain(wire, end) && bytes[end] == bytes[at]) {
            end++;
        }
    } else if (!tw_is_digit(bytes[at]) && is_plain(wire, end) &&
               !is_word(bytes[end]) && !tw_is_ws(bytes[end]) &&
               !tw_is_digit(bytes[end])) {
        end++; /* two signs at most: `":` or `},` are tokens */
    }
    return end;
}

static bool is_stop(const tw_format *format, const uint8_t *text, size_t size)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->stop == 1 && marker->size == size &&
            memcmp(marker->text, text, size) == 0) {
            return true;
        }
    }
    return false;
}

size_t kit_wire_stop(const kit_wire *wire, const tw_format *format,
                     bool *inner)
{
    const size_t size = wire->bytes.size;
    size_t stop = size;
    *inner = false;
    for (size_t at = 0; at < size;) {
        const size_t token = kit_wire_token(wire, at);
        if (token > 0 && stop == size &&
            is_stop(format, wire->bytes.data + at, token)) {
            stop = at;
        } else if (stop < size && token == 0 &&
                   !tw_is_ws(wire->bytes.data[at])) {
            *inner = true;
            stop = size;
        }
        at += token > 0 ? token : 1;
    }
    return stop;
}
