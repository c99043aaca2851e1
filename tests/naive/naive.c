/* SPDX-License-Identifier: MIT
 *
 * What the naive decoders share: byte strings, well-formed UTF-8, messages.
 */
#include "naive.h"
#include "naive_json.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* A blank segment is dropped, but one longer than this came out as text. */
enum { BLANK_LIMIT = 256 };

void *naive_grow(void *memory, size_t size)
{
    void *grown = realloc(memory, size);

    if (!grown)
        abort();
    return grown;
}

/* --- byte strings ------------------------------------------------------ */

void naive_add(naive_bytes *bytes, const char *data, size_t size)
{
    if (bytes->capacity - bytes->size <= size || !bytes->data) {
        bytes->capacity = (bytes->size + size) * 2 + 16;
        bytes->data = naive_grow(bytes->data, bytes->capacity);
    }
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    bytes->data[bytes->size] = '\0';
}

void naive_add_text(naive_bytes *bytes, const char *text)
{
    naive_add(bytes, text, strlen(text));
}

void naive_release(naive_bytes *bytes)
{
    free(bytes->data);
    *bytes = (naive_bytes){0};
}

/* --- UTF-8 ------------------------------------------------------------- */

/* How many bytes a sequence that |lead| begins has, and which second bytes are
 * allowed (Unicode, table 3-7).  0: |lead| begins none. */
static size_t sequence_size(unsigned char lead, unsigned char *low,
                            unsigned char *high)
{
    *low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    *high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

naive_unit naive_utf8(const char *data, size_t size, size_t *length)
{
    unsigned char low, high;
    size_t whole = sequence_size((unsigned char)data[0], &low, &high);

    *length = 1;
    if (whole == 0)
        return NAIVE_ILL_FORMED;
    while (*length < whole) {
        if (*length == size)
            return NAIVE_CUT;
        if ((unsigned char)data[*length] < low ||
            (unsigned char)data[*length] > high)
            return NAIVE_ILL_FORMED;
        low = 0x80;
        high = 0xBF;
        ++*length;
    }
    return NAIVE_WELL_FORMED;
}

void naive_add_utf8(naive_bytes *bytes, const char *data, size_t size)
{
    size_t at = 0, length;

    naive_add(bytes, "", 0);
    for (; at < size; at += length) {
        if (naive_utf8(data + at, size - at, &length) == NAIVE_WELL_FORMED)
            naive_add(bytes, data + at, length);
        else
            naive_add_text(bytes, REPLACEMENT);
    }
}

void naive_diagnose_utf8(naive_message *message, const char *text, size_t at,
                         size_t end)
{
    for (size_t length; at < end; at += length)
        if (naive_utf8(text + at, end - at, &length) != NAIVE_WELL_FORMED)
            naive_diagnose(message, "invalid_utf8", at);
}

void naive_diagnose_half(naive_message *message, const char *text, size_t at,
                         size_t end)
{
    size_t length;

    for (size_t size = 1; size < 4 && at + size <= end; size++)
        if (naive_utf8(text + end - size, size, &length) == NAIVE_CUT)
            naive_diagnose(message, "invalid_utf8", end - size);
}

/* --- messages ---------------------------------------------------------- */

static bool is_blank(const char *data, size_t size)
{
    for (size_t at = 0; at < size; at++)
        if (!memchr(" \t\r\n", data[at], 4))
            return false;
    return true;
}

/* Segments are joined with one line feed; blank ones do not take part. */
static void add_segment(naive_bytes *bytes, bool *present, const char *data,
                        size_t size)
{
    if (size == 0 || (size <= BLANK_LIMIT && is_blank(data, size)))
        return;
    if (*present)
        naive_add(bytes, "\n", 1);
    *present = true;
    naive_add_utf8(bytes, data, size);
}

void naive_verbatim_segment(naive_message *message, bool reasoning,
                            const char *data, size_t size)
{
    naive_bytes *bytes = reasoning ? &message->reasoning : &message->content;
    bool *present =
        reasoning ? &message->has_reasoning : &message->has_content;

    if (size == 0)
        return;
    if (*present)
        naive_add(bytes, "\n", 1);
    *present = true;
    naive_add_utf8(bytes, data, size);
}

void naive_text_segment(naive_message *message, const char *data, size_t size)
{
    const size_t begin = message->content.size;

    naive_add(&message->segments, (const char *)&begin, sizeof begin);
    add_segment(&message->content, &message->has_content, data, size);
}

void naive_reasoning_segment(naive_message *message, const char *data,
                             size_t size)
{
    add_segment(&message->reasoning, &message->has_reasoning, data, size);
}

/* Room for one more element behind |count|: it doubles at powers of two. */
static void *room_for_one(void *array, size_t count, size_t element_size)
{
    if (count & (count - 1))
        return array;
    return naive_grow(array, (count ? count * 2 : 1) * element_size);
}

naive_call *naive_call_add(naive_message *message)
{
    naive_call *call;

    message->calls = room_for_one(message->calls, message->call_count,
                                  sizeof *message->calls);
    call = &message->calls[message->call_count++];
    *call = (naive_call){0};
    return call;
}

naive_unparsed *naive_unparsed_add(naive_message *message, size_t offset,
                                   size_t size, const char *reason)
{
    naive_unparsed *unparsed;

    message->unparsed =
        room_for_one(message->unparsed, message->unparsed_count,
                     sizeof *message->unparsed);
    unparsed = &message->unparsed[message->unparsed_count++];
    *unparsed = (naive_unparsed){
        .offset = offset, .size = size, .reason = reason};
    return unparsed;
}

void naive_drop(naive_message *message, const char *code, size_t offset,
                size_t size)
{
    message->diagnostics =
        room_for_one(message->diagnostics, message->diagnostic_count,
                     sizeof *message->diagnostics);
    message->diagnostics[message->diagnostic_count++] =
        (naive_diagnostic){.code = code, .offset = offset, .size = size};
}

void naive_diagnose(naive_message *message, const char *code, size_t offset)
{
    naive_drop(message, code, offset, 0);
}

void naive_message_release(naive_message *message)
{
    for (size_t i = 0; i < message->call_count; i++) {
        naive_release(&message->calls[i].name);
        naive_release(&message->calls[i].id);
        naive_release(&message->calls[i].arguments);
    }
    for (size_t i = 0; i < message->unparsed_count; i++)
        naive_release(&message->unparsed[i].name);
    free(message->calls);
    free(message->unparsed);
    free(message->diagnostics);
    naive_release(&message->segments);
    naive_release(&message->content);
    naive_release(&message->reasoning);
    *message = (naive_message){0};
}
