/* SPDX-License-Identifier: MIT
 *
 * strftime() in the C locale, of a time that the caller gives.
 */
#ifndef TOOLWIRE_TEMPLATE_CLOCK_H
#define TOOLWIRE_TEMPLATE_CLOCK_H

#include "template/values/string.h"

/* |now|: seconds since 1970-01-01 00:00, of the clock that is shown. */
void tw_clock_print(tw_builder *out, const tw_string *format, int64_t now);

/* `2026-11-25T12:00:00`; false: it is none. */
bool tw_clock_read(const char *text, size_t size, int64_t *now);

#endif
