/* SPDX-License-Identifier: MIT
 *
 * Is what stands at the end of the input half of a marker, and can it be half
 * of anything but a stop marker?
 */
#include "formats/stop.h"

#include <string.h>

tw_half tw_half_marker(const tw_window *window, const tw_marker *markers,
                       size_t count, const uint8_t *at)
{
    const size_t left = (size_t)(window->limit - at);
    bool any = false;
    bool stop = true;
    if (!window->eof || left == 0 ||
        tw_window_is_marked_text(window, at, left)) {
        return TW_HALF_NONE;
    }
    for (size_t i = 0; i < count; i++) {
        if (markers[i].size > left && memcmp(markers[i].text, at, left) == 0) {
            any = any || markers[i].decoded == 1;
            stop = stop && markers[i].stop == 1;
        }
    }
    return !any ? TW_HALF_NONE : stop ? TW_HALF_STOP : TW_HALF_MARKER;
}
