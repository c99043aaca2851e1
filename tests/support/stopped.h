/* SPDX-License-Identifier: MIT
 *
 * Engines strip the stop marker.  An output that ends with TW_FINISH_STOP
 * must therefore say what it says with that marker behind it.
 */
#ifndef TOOLWIRE_TESTS_STOPPED_H
#define TOOLWIRE_TESTS_STOPPED_H

#include "../naive/naive.h"
#include "events.h"

/* The end of |text| without its stop marker, |size| where it has none. */
size_t without_stop_marker(const tw_format *, const char *text, size_t size);

/* |text|, at TW_FINISH_STOP, says what it says with a stop marker of the
 * format behind it, and no stop marker completes more calls.  Diagnostics may
 * differ by one that names the marker.  NULL, or what is wrong.  What ends in
 * half a marker or in a header is not judged; what ends in half a head, or in
 * a call that only a marker ends, is judged in part.  Both are counted in
 * |*unjudged|. */
const char *stop_differs(tw_decoder *, const tw_format *, const char *text,
                         size_t size, unsigned long *unjudged);

#endif
