/* SPDX-License-Identifier: MIT
 *
 * What a record says itself.
 */
#ifndef TOOLWIRE_CONVERT_OWN_H
#define TOOLWIRE_CONVERT_OWN_H

#include "convert/state.h"

/* The string that a record is, or has in its field; NULL, or what is wrong. */
const char *tw_own_text(const tw_converter *converter, const tw_value **text);
/* The record's own prompt, and why it says that its text ended: where the
 * caller says, or else under `prompt` and `finish_reason`.  NULL, or where no
 * string stands. */
const char *tw_own_read(tw_converter *converter);
/* Of a record of a shape that was converted without a wire: is a call in an
 * assistant's text?  Then |event| says so. */
bool tw_own_warning(const tw_converter *converter, tw_event *event);

#endif
