/* SPDX-License-Identifier: MIT
 *
 * Which word the fewest slips of a finger would make of what was typed.
 */
#ifndef TOOLWIRE_CORE_NEAR_H
#define TOOLWIRE_CORE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Is |word| a typing slip or two away from |asked|, or |asked| a part of it?
 * Upper and lower case are one. */
bool tw_is_near(const char *asked, const char *word, size_t size);
/* Is |asked|, four letters or more, a part of |about|? */
bool tw_is_told(const char *asked, const char *about);

#endif
