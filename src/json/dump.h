/* SPDX-License-Identifier: MIT
 *
 * Values as JSON text, and JSON text in the making.
 */
#ifndef TOOLWIRE_JSON_DUMP_H
#define TOOLWIRE_JSON_DUMP_H

#include "json/tree.h"

enum { TW_DUMP_WORD = 8 };

/* How a value is laid out; numbers keep their spelling. */
typedef struct tw_dump_style {
    char comma[TW_DUMP_WORD];
    char colon[TW_DUMP_WORD];
    /* Writes a number in place of its spelling, or NULL.  false: no memory. */
    bool (*number)(tw_buffer *, const tw_memory *, const char *text,
                   size_t size);
} tw_dump_style;

extern const tw_dump_style tw_dump_compact; /* [1,{"a":2}] */
extern const tw_dump_style tw_dump_spaced;  /* [1, {"a": 2}], as Python */

/* false: no memory. */
bool tw_value_dump(tw_buffer *, const tw_memory *, const tw_value *,
                   const tw_dump_style *);

/* JSON text in the making: nothing needs a check before its end, since
 * |failed|, no memory, sticks. */
typedef struct tw_jotter {
    tw_buffer out;
    const tw_memory *memory;
    bool failed;
} tw_jotter;

/* JSON text as it is. */
void tw_jot_text(tw_jotter *, const char *json, size_t size);
/* The same, inline for the sake of literals, whose size is known then. */
static inline void tw_jot(tw_jotter *jotter, const char *json)
{
    const size_t size = strlen(json);
    tw_buffer *out = &jotter->out;
    if (jotter->failed || out->capacity - out->size <= size) {
        tw_jot_text(jotter, json, size);
        return;
    }
    memcpy(out->data + out->size, json, size);
    out->size += size;
}
/* A string with its quotes. */
void tw_jot_string(tw_jotter *, const char *data, size_t size);
/* The same for text of trees, which may hold halves of surrogate pairs. */
void tw_jot_halves(tw_jotter *, const char *data, size_t size);
void tw_jot_number(tw_jotter *, uint64_t number);
/* Compact. */
void tw_jot_value(tw_jotter *, const tw_value *);
/* `"key":`, and a comma in front unless it is the first of its object. */
void tw_jot_key(tw_jotter *, const char *key, bool first);
/* A member as it is, its key included. */
void tw_jot_member(tw_jotter *, const tw_value *member, bool first);
/* A string that holds a value as JSON text. */
void tw_jot_packed(tw_jotter *, const tw_value *, const tw_dump_style *);

#endif
