/* SPDX-License-Identifier: MIT
 *
 * Looks for markers in what the encoder calls text.
 */
#include "support/segments.h"

#include <string.h>

#include "messages/segments.h"

/* Plain words are none. */
static bool holds_marker(const tw_format *format, const tw_segment *segment)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        const bool plain = tw_marker_is_plain(marker);
        for (size_t at = 0; !plain && at + marker->size <= segment->size;
             at++) {
            if (memcmp(segment->data + at, marker->text, marker->size) == 0) {
                return true;
            }
        }
    }
    return false;
}

const char *segments_fault(tw_encoder *encoder, const tw_format *format,
                           const char *text, size_t size, bool markers)
{
    const tw_segment *segment;
    size_t at = 0;
    while (tw_encoder_next(encoder, &segment) == 1) {
        if (segment->size > size - at ||
            memcmp(text + at, segment->data, segment->size) != 0) {
            return "the segments are not the text";
        }
        if (segment->control == 0 && !markers &&
            holds_marker(format, segment)) {
            return "a marker stands in a segment of text";
        }
        at += segment->size;
    }
    return at == size ? NULL : "the segments end before the text";
}
