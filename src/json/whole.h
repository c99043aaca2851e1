/* SPDX-License-Identifier: MIT
 *
 * A short object that is JSON without a fault and whole in view.
 */
#ifndef TOOLWIRE_JSON_WHOLE_H
#define TOOLWIRE_JSON_WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* No longer objects are looked at, so that a look in vain is cheap. */
enum { TW_JSON_WHOLE_SIZE = 2048 };

/* The end of the object at |at| < |limit|, in which tw_json_next() would find
 * nothing to repair or to report, and which is no deeper than |depth|.  NULL:
 * there may be none; only steps can tell. */
const uint8_t *tw_json_whole_object(const uint8_t *at, const uint8_t *limit,
                                    size_t depth);

#endif
