/* SPDX-License-Identifier: MIT
 *
 * Trees that are made value by value.  No step needs a check: where there is
 * no memory, a value is NULL, which all take for a parent, and |error| of the
 * tree says so until it is begun or read again.
 */
#ifndef TOOLWIRE_JSON_MAKE_H
#define TOOLWIRE_JSON_MAKE_H

#include "json/tree.h"

/* A new last part of |parent|, which is of the same tree; NULL: a root.  |key|
 * NULL: an element.  Its origin is the parent's. */
tw_value *tw_make(tw_tree *tree, tw_value *parent, const char *key,
                  tw_value_kind kind);
/* A string; |data| is copied. */
tw_value *tw_make_text(tw_tree *tree, tw_value *parent, const char *key,
                       const char *data, size_t size);
static inline tw_value *tw_make_word(tw_tree *tree, tw_value *parent,
                                     const char *key, const char *word)
{
    return tw_make_text(tree, parent, key, word, strlen(word));
}
/* tw_make_text() of any bytes: what is ill-formed becomes U+FFFD. */
tw_value *tw_make_any(tw_tree *tree, tw_value *parent, const char *key,
                      const char *data, size_t size);
/* |source| and all below it, whose texts it shares and whose paths it has.
 * |key| NULL: the source's own. */
tw_value *tw_make_copy(tw_tree *tree, tw_value *parent, const char *key,
                       const tw_value *source);
/* Members of |source| whose names are not |known|, a NULL-ended list. */
void tw_make_others(tw_tree *tree, tw_value *parent, const tw_value *source,
                    const char *const *known);

/* Makes |value| the last part of |parent|. */
static inline void tw_value_link(tw_value *parent, tw_value *value)
{
    value->parent = parent;
    if (parent->kind == TW_VALUE_OBJECT) {
        parent->marks |= tw_key_mark(value->key, value->key_size);
    }
    if (parent->last != NULL) {
        value->index = parent->last->index + 1;
        parent->last->next = value;
    } else {
        parent->first = value;
    }
    parent->last = value;
}

#endif
