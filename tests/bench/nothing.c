/* SPDX-License-Identifier: MIT
 *
 * An interface like the decoder's, of which each call does nothing but hand
 * the bytes on: what the loop around it costs.  It is compiled apart, as a
 * library is.
 */
#include "nothing.h"

void nothing_feed(nothing *its, const char *data, size_t size)
{
    its->event.data = data;
    its->event.size = size;
    its->pending = true;
}

int nothing_next(nothing *its, const tw_event **event)
{
    const bool pending = its->pending;
    its->pending = false;
    *event = &its->event;
    return pending;
}
