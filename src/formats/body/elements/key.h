/* SPDX-License-Identifier: MIT
 *
 * What an element may be called.
 */
#ifndef TOOLWIRE_FORMATS_BODY_ELEMENTS_KEY_H
#define TOOLWIRE_FORMATS_BODY_ELEMENTS_KEY_H

#include <stdbool.h>
#include <stddef.h>

bool tw_element_is_key(const char *key, size_t size);

#endif
