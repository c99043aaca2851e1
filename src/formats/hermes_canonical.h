/* SPDX-License-Identifier: MIT
 *
 * The head of a call object as the templates write it, found in one look:
 * `{"name": "NAME", "arguments": {`.
 */
#ifndef TOOLWIRE_FORMATS_HERMES_CANONICAL_H
#define TOOLWIRE_FORMATS_HERMES_CANONICAL_H

#include "core/window.h"
#include "sink.h"

/* Its parts in the window, without a blank or with one behind each colon and
 * comma. */
typedef struct tw_hermes_canonical_head {
    tw_name name;
    const uint8_t *arguments_key;
    const uint8_t *body; /* the `{` of the arguments */
} tw_hermes_canonical_head;

/* At the window's `{`.  False: it is another one, or not all of it is in view;
 * a name with escapes or beyond ASCII is another one, too. */
bool tw_hermes_find_canonical_head(const tw_window *,
                                   tw_hermes_canonical_head *);

#endif
