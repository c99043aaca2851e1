/* SPDX-License-Identifier: MIT
 *
 * What holds of the segments of every prompt.
 */
#ifndef TOOLWIRE_TESTS_SEGMENTS_H
#define TOOLWIRE_TESTS_SEGMENTS_H

#include <stdbool.h>

#include "toolwire.h"

/* Takes the segments of the |size| bytes of |text| that were encoded: they
 * add up to it, and unless |markers| may stand there, none that marks text
 * holds one.  NULL, or what is wrong. */
const char *segments_fault(tw_encoder *, const tw_format *, const char *text,
                           size_t size, bool markers);

#endif
