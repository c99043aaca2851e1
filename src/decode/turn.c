/* SPDX-License-Identifier: MIT
 *
 * Heads of turns are looked for in a prompt.
 */
#include "decode/turn.h"

#include <string.h>

#include "formats/description.h"

/* What of a turn's head stands in front of the model's part: a head may be
 * part of what a decoder reads, or end with the opener of reasoning. */
static size_t front_of_head(const tw_format *format, const char *head)
{
    const tw_description *description = format->description;
    const size_t size = format->family->reads_turn_head ? 0 : strlen(head);
    return description != NULL
               ? size - tw_frame_opens_reasoning(description, head)
               : size;
}

const char *tw_turn_begin(const tw_format *format, const char *tail,
                          size_t size)
{
    const char *begin = NULL;
    for (size_t i = 0; size > 0 && format->turn_heads[i] != NULL; i++) {
        const char *head = format->turn_heads[i];
        const size_t front = front_of_head(format, head);
        const size_t length = front > 0 ? front : strlen(head);
        for (const char *at = begin != NULL ? begin : tail; at < tail + size;
             at++) {
            const size_t there = tw_frame_head_text_at(
                format->description, head, length, at, tail + size);
            if (there > 0) {
                begin = front > 0 ? at + there : at;
                at += there - 1;
            }
        }
    }
    return begin;
}

bool tw_has_turn(const tw_format *format, const char *text, size_t size)
{
    for (size_t i = 0; i < *format->marker_count; i++) {
        const tw_marker *marker = &format->markers[i];
        const bool turn = marker->role == TW_MARKER_TURN;
        for (size_t at = 0; turn && at + marker->size <= size; at++) {
            if (memcmp(text + at, marker->text, marker->size) == 0) {
                return true;
            }
        }
    }
    return false;
}
