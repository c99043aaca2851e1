/* SPDX-License-Identifier: MIT
 *
 * A JSON value and what is asked of it.  Numbers keep their spelling, objects
 * the order and the duplicates of their keys.
 */
#ifndef TOOLWIRE_JSON_VALUE_H
#define TOOLWIRE_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/memory.h"

typedef enum tw_value_kind {
    TW_VALUE_NULL,
    TW_VALUE_FALSE,
    TW_VALUE_TRUE,
    TW_VALUE_NUMBER, /* |text| is its spelling */
    TW_VALUE_STRING, /* |text| is what it means; half of a surrogate pair is
                        U+FFFD, or kept: see |lone| */
    TW_VALUE_ARRAY,
    TW_VALUE_OBJECT
} tw_value_kind;

/* A string and a key are ended by a NUL that their size does not count; behind
 * every text 16 bytes can be read (TW_TEXT_PADDING of json/write.h). */
typedef struct tw_value {
    tw_value_kind kind;
    const char *text;
    size_t size;
    const char *key; /* of a member of an object */
    size_t key_size;
    size_t index;           /* of an element or member in what holds it */
    size_t lone;            /* where in |text| the first half of a surrogate
                               pair stands, + 1; 0: nowhere.  It is U+FFFD or,
                               where the tree keeps halves, the three bytes
                               that UTF-8 would have for it */
    bool lone_key;          /* |key| has such a half */
    bool used;              /* of a record: it was read */
    bool partly_used;       /* ... something below it was */
    bool decoded;           /* a string that a decoder made of arguments: JSON
                               text of an object */
    uint64_t marks;         /* of an object: tw_key_mark() of all its keys */
    struct tw_value *first; /* of its elements or members */
    struct tw_value *last;
    struct tw_value *next;
    struct tw_value *parent;
    const struct tw_value *origin; /* what a made value was made of, which its
                                      path is that of; NULL: it is itself */
} tw_value;

/* Puts the members of all objects of |value| into the order of their keys'
 * bytes, which is that of code points; of equal ones the first stays first.
 * Links change, and nothing else; |*moved|: some did.  False: no memory. */
bool tw_value_sort(const tw_value *value, const tw_memory *memory,
                   bool *moved);

/* The value at a dotted path; NULL if there is none. */
const tw_value *tw_value_at(const tw_value *value, const char *path,
                            size_t size);
/* tw_value_at() where numbers also go into lists.  |*deepest|, unless NULL, is
 * the last value on the way that is there. */
const tw_value *tw_value_reach(const tw_value *value, const char *path,
                               const tw_value **deepest);
/* One step of it. */
const tw_value *tw_value_part(const tw_value *value, const char *part,
                              size_t size);

/* Is the value of this kind?  NULL is of none. */
static inline bool tw_value_is_a(const tw_value *value, tw_value_kind kind)
{
    return value != NULL && value->kind == kind;
}

/* The walk through |root| in the order of its text, without a stack: the next
 * value behind |at|, of what is in it or past that; NULL: there is no more. */
static inline tw_value *tw_value_past(const tw_value *at, const tw_value *root)
{
    while (at != root && at->next == NULL) {
        at = at->parent;
    }
    return at != root ? at->next : NULL;
}

static inline tw_value *tw_value_after(const tw_value *at,
                                       const tw_value *root)
{
    return at->first != NULL ? at->first : tw_value_past(at, root);
}

/* The value, or NULL where it is of another kind. */
static inline const tw_value *tw_value_if(const tw_value *value,
                                          tw_value_kind kind)
{
    return tw_value_is_a(value, kind) ? value : NULL;
}

static inline bool tw_value_is_container(const tw_value *value)
{
    return value->kind == TW_VALUE_ARRAY || value->kind == TW_VALUE_OBJECT;
}

/* Is the value null or empty? */
static inline bool tw_value_is_void(const tw_value *value)
{
    return value->kind == TW_VALUE_NULL ||
           (value->kind == TW_VALUE_STRING && value->size == 0) ||
           (tw_value_is_container(value) && value->first == NULL);
}

static inline size_t tw_value_length(const tw_value *container)
{
    return container->last != NULL ? container->last->index + 1 : 0;
}

/* A bit that few other keys have. */
static inline uint64_t tw_key_mark(const char *key, size_t size)
{
    const uint8_t first = size > 0 ? (uint8_t)key[0] : 0;
    return UINT64_C(1) << ((first + 3 * size) & 63);
}

/* The member of an object, if that has such a |mark| among its own. */
const tw_value *tw_value_find(const tw_value *object, uint64_t mark,
                              const char *key, size_t key_size);

/* The member of an object, the last one if there are several; NULL.  Inline,
 * as what follows, for the sake of literals, whose size and mark are known
 * then. */
static inline const tw_value *
tw_value_member_sized(const tw_value *object, const char *key, size_t size)
{
    return tw_value_find(object, tw_key_mark(key, size), key, size);
}

static inline const tw_value *tw_value_member(const tw_value *object,
                                              const char *key)
{
    return tw_value_member_sized(object, key, strlen(key));
}

static inline bool tw_value_has_key(const tw_value *member, const char *key)
{
    const size_t size = strlen(key);
    return member->key_size == size && size > 0 && member->key != NULL &&
           memcmp(member->key, key, size) == 0;
}

/* Has the member one of these names, a NULL-ended list? */
static inline bool tw_value_is_named(const tw_value *member,
                                     const char *const *names)
{
    for (; *names != NULL; names++) {
        if (member->key_size > 0 && member->key[0] == **names &&
            tw_value_has_key(member, *names)) {
            return true;
        }
    }
    return false;
}

/* Is the value this string? */
static inline bool tw_value_is(const tw_value *value, const char *text)
{
    const size_t size = strlen(text);
    return tw_value_is_a(value, TW_VALUE_STRING) && value->size == size &&
           memcmp(value->text, text, size) == 0;
}

/* Is the value one of these strings, a NULL-ended list? */
static inline bool tw_value_is_one_of(const tw_value *value,
                                      const char *const *texts)
{
    while (*texts != NULL && !tw_value_is(value, *texts)) {
        texts++;
    }
    return *texts != NULL;
}

/* Is the value a string that begins so? */
static inline bool tw_value_begins(const tw_value *value, const char *front)
{
    return tw_value_is_a(value, TW_VALUE_STRING) &&
           tw_bytes_begin(value->text, value->size, front);
}

/* Are both strings, and the same one? */
static inline bool tw_value_is_same_text(const tw_value *left,
                                         const tw_value *right)
{
    return left != NULL && right != NULL && left->kind == TW_VALUE_STRING &&
           right->kind == TW_VALUE_STRING && left->size == right->size &&
           (left->size == 0 ||
            memcmp(left->text, right->text, left->size) == 0);
}

/* Which of two texts is first by its bytes: less than 0, 0, or more. */
static inline int tw_value_order(const tw_value *left, const tw_value *right)
{
    return tw_bytes_order(left->text, left->size, right->text, right->size);
}

#endif
