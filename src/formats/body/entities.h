/* SPDX-License-Identifier: MIT
 *
 * The five entities of XML, where a format has some in values or attributes.
 */
#ifndef TOOLWIRE_FORMATS_BODY_ENTITIES_H
#define TOOLWIRE_FORMATS_BODY_ENTITIES_H

#include "core/window.h"

/* The byte that the entity at |at| means; its size, or 0; *more: the window
 * may end in one. */
size_t tw_entity_at(const tw_window *window, const uint8_t *at, char *byte,
                    bool *more);

#endif
