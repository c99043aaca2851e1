/* SPDX-License-Identifier: MIT
 *
 * The keys of a call object, and its head as the templates write it.
 */
#ifndef TOOLWIRE_FORMATS_BODY_KEYS_H
#define TOOLWIRE_FORMATS_BODY_KEYS_H

#include "core/window.h"
#include "events/sink.h"

/* Keys of the call object; all others are skipped with their values. */
typedef enum tw_call_key {
    TW_KEY_OTHER,
    TW_KEY_NAME,
    TW_KEY_FUNCTION,
    TW_KEY_ARGUMENTS,
    TW_KEY_PARAMETERS,
    TW_KEY_INPUT, /* what no template calls them; without a marker a head has
                     no such key */
    TW_KEY_CALL_ID,
    TW_KEY_TYPE
} tw_call_key;

/* A key is read up to here. */
enum { TW_KEY_LIMIT = 64 };

/* What a format calls its keys: lists that end with NULL, of which the first
 * is written.  Elsewhere |arguments| and |parameters| stand for each other. */
typedef struct tw_call_keys {
    const char *const *name;
    const char *const *arguments;
    const char *const *id;
    size_t name_size; /* of the first ones */
    size_t arguments_size;
} tw_call_keys;

/* *capitals: it is one of them, written with some. */
tw_call_key tw_call_key_of(const tw_call_keys *keys, const char *word,
                           size_t size, bool *capitals);

/* Does the format itself put names under the key? */
bool tw_call_key_names(const tw_call_keys *keys, const char *word,
                       size_t size);

/* The parts of `{"name": "NAME", "arguments": {`, without a blank or with one
 * behind each colon and comma. */
typedef struct tw_canonical_head {
    tw_name name;
    const uint8_t *body; /* the `{` of the arguments */
} tw_canonical_head;

/* At the `{` at |at|.  False: it is another one, or not all of it is in view;
 * a name with escapes or beyond ASCII is another one, too. */
bool tw_find_canonical_head(const tw_call_keys *keys, const uint8_t *at,
                            const uint8_t *limit, tw_canonical_head *head);

#endif
