/* SPDX-License-Identifier: MIT
 *
 * Values as JSON text, and JSON text in the making.
 */
#ifndef TOOLWIRE_JSON_DUMP_H
#define TOOLWIRE_JSON_DUMP_H

#include "json/tree.h"

enum { TW_DUMP_WORD = 8 };

/* Appends what |text| is written as.  false: no memory. */
typedef bool tw_dump_word(tw_buffer *, const tw_memory *, const char *text,
                          size_t size);

/* How a value is laid out; numbers keep their spelling. */
typedef struct tw_dump_style {
    char comma[TW_DUMP_WORD];
    char colon[TW_DUMP_WORD];
    tw_dump_word *number; /* in place of its spelling, or NULL */
    tw_dump_word *string; /* also a key, in place of a JSON string, or NULL */
    /* null, false, true by their kinds, in place of JSON's, of the same
     * sizes, or NULL. */
    const char (*words)[TW_DUMP_WORD];
    uint8_t indent; /* each part on a line of its own, so many blanks deeper
                       than what holds it; 0: all in one line */
    uint8_t depth;  /* levels that the value stands in */
} tw_dump_style;

extern const tw_dump_style tw_dump_compact;  /* [1,{"a":2}] */
extern const tw_dump_style tw_dump_spaced;   /* [1, {"a": 2}], as Python */
extern const tw_dump_style tw_dump_indented; /* by four blanks, as Python */

/* false: no memory. */
bool tw_value_dump(tw_buffer *out, const tw_memory *memory,
                   const tw_value *value, const tw_dump_style *style);

/* JSON text in the making: nothing needs a check before its end, since
 * |failed|, no memory, sticks. */
typedef struct tw_json_out {
    tw_buffer out;
    const tw_memory *memory;
    bool failed;
} tw_json_out;

/* JSON text as it is. */
void tw_json_put_text(tw_json_out *json_out, const char *json, size_t size);
/* tw_json_put_text() of a C string, inline for the sake of literals, whose
 * size is known then. */
static inline void tw_json_put(tw_json_out *json_out, const char *json)
{
    const size_t size = strlen(json);
    tw_buffer *out = &json_out->out;
    if (json_out->failed || out->capacity - out->size <= size) {
        tw_json_put_text(json_out, json, size);
        return;
    }
    memcpy(out->data + out->size, json, size);
    out->size += size;
}
/* A string with its quotes. */
void tw_json_put_string(tw_json_out *json_out, const char *data, size_t size);
/* tw_json_put_string() of a tree's text, which may hold halves of surrogate
 * pairs. */
void tw_json_put_halves(tw_json_out *json_out, const char *data, size_t size);
void tw_json_put_number(tw_json_out *json_out, uint64_t number);
/* Compact. */
void tw_json_put_value(tw_json_out *json_out, const tw_value *value);
/* `"key":`, and a comma in front unless it is the first of its object. */
void tw_json_put_key(tw_json_out *json_out, const char *key, bool first);
/* `"KEY":` of a member. */
void tw_json_put_member_key(tw_json_out *json_out, const tw_value *member);
/* A member as it is, its key included. */
void tw_json_put_member(tw_json_out *json_out, const tw_value *member,
                        bool first);
/* A string that holds a value as JSON text. */
void tw_json_put_packed(tw_json_out *json_out, const tw_value *value,
                        const tw_dump_style *style);

#endif
