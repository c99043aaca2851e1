/* SPDX-License-Identifier: MIT
 *
 * Values of trees that nobody read.
 */
#include "json/make.h"

#include "core/utf8.h"
#include "json/blocks.h"
#include "json/write.h"

tw_value *tw_make(tw_tree *tree, tw_value *parent, const char *key,
                  tw_value_kind kind)
{
    tw_value *value = tw_tree_allocate(tree, sizeof *value);
    const char *kept = key != NULL && value != NULL
                           ? tw_tree_keep(tree, key, strlen(key))
                           : NULL;
    if (value == NULL || (key != NULL && kept == NULL)) {
        return NULL;
    }
    memset(value, 0, sizeof *value);
    value->kind = kind;
    value->key = kept;
    value->key_size = key != NULL ? strlen(key) : 0;
    if (parent != NULL) {
        value->origin = parent->origin;
        tw_value_link(parent, value);
    }
    return value;
}

tw_value *tw_make_text(tw_tree *tree, tw_value *parent, const char *key,
                       const char *data, size_t size)
{
    const char *kept = tw_tree_keep(tree, data, size);
    tw_value *value =
        kept != NULL ? tw_make(tree, parent, key, TW_VALUE_STRING) : NULL;
    if (value != NULL) {
        value->text = kept;
        value->size = size;
    }
    return value;
}

/* Into |to|, which has room for TW_REPLACEMENT_SIZE times |size|. */
static size_t repair(char *to, const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    const uint8_t *const limit = at + size;
    size_t made = 0;
    while (at < limit) {
        const uint8_t *good = tw_utf8_valid(at, limit);
        size_t bad = 0;
        memcpy(to + made, at, (size_t)(good - at));
        made += (size_t)(good - at);
        if (good < limit) {
            tw_utf8_next(good, limit, &bad);
            memcpy(to + made, TW_REPLACEMENT, TW_REPLACEMENT_SIZE);
            made += TW_REPLACEMENT_SIZE;
        }
        at = good + bad;
    }
    return made;
}

tw_value *tw_make_any(tw_tree *tree, tw_value *parent, const char *key,
                      const char *data, size_t size)
{
    if (tw_utf8_is_valid(data, size)) {
        return tw_make_text(tree, parent, key, data, size);
    }
    char *room =
        tw_tree_allocate(tree, TW_REPLACEMENT_SIZE * size + TW_TEXT_PADDING);
    tw_value *value =
        room != NULL ? tw_make(tree, parent, key, TW_VALUE_STRING) : NULL;
    if (value != NULL) {
        value->size = repair(room, data, size);
        memset(room + value->size, 0, TW_TEXT_PADDING);
        value->text = room;
    }
    return value;
}

/* Alone, not what is below it. */
static tw_value *copy_one(tw_tree *tree, tw_value *parent,
                          const tw_value *source)
{
    tw_value *value = tw_tree_allocate(tree, sizeof *value);
    if (value == NULL) {
        return NULL;
    }
    *value = *source;
    value->first = value->last = value->next = value->parent = NULL;
    value->index = 0;
    value->marks = 0;
    value->used = value->partly_used = false;
    value->origin = source;
    if (parent != NULL) {
        tw_value_link(parent, value);
    }
    return value;
}

/* What is below |source|, by the links of both: depth costs no stack. */
static void copy_below(tw_tree *tree, tw_value *value, const tw_value *source)
{
    const tw_value *from = source;
    tw_value *to = value;
    while (to != NULL) {
        if (from->first != NULL) {
            from = from->first;
        } else {
            while (from != source && from->next == NULL) {
                from = from->parent;
                to = to->parent;
            }
            if (from == source) {
                return;
            }
            from = from->next;
            to = to->parent;
        }
        to = copy_one(tree, to, from);
    }
}

tw_value *tw_make_copy(tw_tree *tree, tw_value *parent, const char *key,
                       const tw_value *source)
{
    const char *kept =
        key != NULL ? tw_tree_keep(tree, key, strlen(key)) : source->key;
    tw_value *value =
        key == NULL || kept != NULL ? copy_one(tree, NULL, source) : NULL;
    if (value == NULL) {
        return NULL;
    }
    if (key != NULL) {
        value->key = kept;
        value->key_size = strlen(key);
        value->lone_key = false;
    }
    if (parent != NULL) {
        tw_value_link(parent, value);
    }
    copy_below(tree, value, source);
    return value;
}

void tw_make_others(tw_tree *tree, tw_value *parent, const tw_value *source,
                    const char *const *known)
{
    for (const tw_value *at = source->first; at != NULL; at = at->next) {
        if (!tw_value_is_named(at, known)) {
            tw_make_copy(tree, parent, NULL, at);
        }
    }
}
