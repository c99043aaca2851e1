/* SPDX-License-Identifier: MIT
 *
 * Where the model stopped by itself, an engine has stripped the marker that
 * stopped it, and perhaps left half of it.
 */
#ifndef TOOLWIRE_FORMATS_STOP_H
#define TOOLWIRE_FORMATS_STOP_H

#include "core/window.h"

typedef enum tw_half {
    TW_HALF_NONE,
    TW_HALF_MARKER, /* of a marker that a decoder reads */
    TW_HALF_STOP    /* of a stop marker and of no other marker */
} tw_half;

/* What begins at |at| where the output ends before it is whole.  NONE where
 * the caller said that this is text. */
tw_half tw_half_marker(const tw_window *window, const tw_marker *markers,
                       size_t count, const uint8_t *at);

/* Did the model, which stopped by itself, stop inside a stop marker at |at|?
 */
static inline bool tw_is_half_stop(const tw_window *window,
                                   const tw_marker *markers, size_t count,
                                   const uint8_t *at)
{
    return window->stopped &&
           tw_half_marker(window, markers, count, at) == TW_HALF_STOP;
}

#endif
