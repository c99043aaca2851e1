/* SPDX-License-Identifier: MIT
 *
 * A format's own text of a message beside the template's.
 */
#include "detect/alike.h"

#include <string.h>

#include "core/ascii.h"
#include "detect/probes.h"

/* The size without the stop at the end, which a template may leave out. */
static size_t without_stop(const tw_format *format, const char *made,
                           size_t size)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->stop == 1 && marker->size < size &&
            memcmp(made + size - marker->size, marker->text, marker->size) ==
                0) {
            return size - marker->size;
        }
    }
    return size;
}

static size_t skip_ws(const char *data, size_t at, size_t size)
{
    while (at < size && tw_is_ws(data[at])) {
        at++;
    }
    return at;
}

/* The size of the reasoning that |made| begins with, where that is empty: a
 * prompt may hold the block already, or a template may leave it out. */
static size_t empty_reasoning(const tw_format *format, const char *made,
                              size_t size)
{
    const tw_marker *marker;
    size_t opener = 0;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->role == TW_MARKER_REASONING_OPEN && marker->size < size &&
            memcmp(made, marker->text, marker->size) == 0) {
            opener = marker->size;
        }
    }
    const size_t from = skip_ws(made, opener, size);
    for (size_t i = 0; opener > 0 && tw_format_marker(format, i, &marker) == 1;
         i++) {
        if (marker->role == TW_MARKER_REASONING_CLOSE &&
            marker->size < size - from &&
            memcmp(made + from, marker->text, marker->size) == 0) {
            return skip_ws(made, from + marker->size, size);
        }
    }
    return 0;
}

/* Does the template write it?  2: to the byte; 1: white space aside; 0: no. */
static size_t stands(const tw_buffer *whole, const char *made, size_t size)
{
    return tw_probe_stands_in(whole, made, size, false)  ? 2
           : tw_probe_stands_in(whole, made, size, true) ? 1
                                                         : 0;
}

static void compare(tw_alike *alike, const tw_format *format,
                    const tw_buffer *whole, const char *made, size_t size)
{
    size = without_stop(format, made, size);
    const size_t empty = empty_reasoning(format, made, size);
    alike->empties = empty > 0;
    alike->how = stands(whole, made, size);
    if (alike->how == 0 && empty > 0) {
        size -= empty;
        alike->how = stands(whole, made + empty, size);
    }
    alike->bytes = alike->how == 2 ? size : 0;
}

tw_alike tw_alike_find(const tw_format *format, const tw_memory *memory,
                       const char *message, const tw_buffer *whole)
{
    tw_encoder *encoder = tw_encoder_new(format, memory);
    tw_alike alike = {.failed = encoder == NULL};
    const char *made;
    size_t size;
    if (encoder != NULL) {
        const int code = tw_encode_completion(encoder, message,
                                              strlen(message), &made, &size);
        alike.failed = code == TW_ERROR_MEMORY;
        if (code == TW_OK) {
            compare(&alike, format, whole, made, size);
        }
    }
    tw_encoder_free(encoder);
    return alike;
}
