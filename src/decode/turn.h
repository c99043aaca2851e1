/* SPDX-License-Identifier: MIT
 *
 * Turns in a prompt, of which a decoder is given the end.
 */
#ifndef TOOLWIRE_DECODE_TURN_H
#define TOOLWIRE_DECODE_TURN_H

#include "formats/format.h"

/* Where the model's part of the last turn begins in a prompt; NULL: none of
 * its turns begins there. */
const char *tw_turn_begin(const tw_format *format, const char *tail,
                          size_t size);
/* Does a turn begin in the |size| bytes at |text|? */
bool tw_has_turn(const tw_format *format, const char *text, size_t size);

#endif
