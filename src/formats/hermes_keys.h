/* SPDX-License-Identifier: MIT
 *
 * The keys of a call object, and its head as the templates write it.
 */
#ifndef TOOLWIRE_FORMATS_HERMES_KEYS_H
#define TOOLWIRE_FORMATS_HERMES_KEYS_H

#include "core/window.h"
#include "sink.h"

/* Keys of the call object; all others are skipped with their values. */
typedef enum tw_hermes_key {
    TW_HERMES_KEY_OTHER,
    TW_HERMES_KEY_NAME,
    TW_HERMES_KEY_FUNCTION,
    TW_HERMES_KEY_ARGUMENTS,
    TW_HERMES_KEY_PARAMETERS,
    TW_HERMES_KEY_ID,
    TW_HERMES_KEY_TYPE
} tw_hermes_key;

/* A key is read up to here. */
enum { TW_HERMES_KEY_LIMIT = 16 };

/* *capitals: it is one of them, written with some. */
tw_hermes_key tw_hermes_key_of(const char *word, size_t size, bool *capitals);

/* The parts of `{"name": "NAME", "arguments": {`, without a blank or with one
 * behind each colon and comma. */
typedef struct tw_hermes_canonical_head {
    tw_name name;
    const uint8_t *body; /* the `{` of the arguments */
} tw_hermes_canonical_head;

/* At the `{` at |at|.  False: it is another one, or not all of it is in view;
 * a name with escapes or beyond ASCII is another one, too. */
bool tw_hermes_find_canonical_head(const uint8_t *at, const uint8_t *limit,
                                   tw_hermes_canonical_head *);

#endif
