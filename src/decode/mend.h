/* SPDX-License-Identifier: MIT
 *
 * Arguments that miss their schema by their type alone, made to fit while they
 * pass: a value that may change is held until it ends, all else goes on.
 *
 *     {"day": "5", "note": "high water"}     day: an integer
 *             ---                            held, then 5 in its place
 *
 * A value that fits stays.  Of one that does not, readings are tried that say
 * the same in another type: the JSON that a text holds, the text that a number
 * is, a list of this one value.  If exactly one of them fits, it takes the
 * value's place; no reading is made of two.  Parts of objects and lists have
 * to fit what every way to read the whole asks of them: what does not fit
 * there cannot be part of a call that fits.
 */
#ifndef TOOLWIRE_DECODE_MEND_H
#define TOOLWIRE_DECODE_MEND_H

#include "schema/schema.h"

typedef enum tw_mend_state {
    TW_MEND_DONE, /* nothing is looked at: no schema, or behind the last */
    TW_MEND_VALUE,
    TW_MEND_KEY,
    TW_MEND_IN_KEY,
    TW_MEND_COLON,
    TW_MEND_IN_VALUE, /* |holds|: of one that may change */
    TW_MEND_NEXT      /* behind a value: a comma or a closer */
} tw_mend_state;

typedef struct tw_mend {
    const tw_memory *memory;
    tw_schema *checker;
    tw_buffer *text;      /* the arguments so far, mended; the owner's */
    const tw_value *root; /* of the schema */
    tw_buffer frames;     /* of mend.c: containers that are looked into */
    tw_buffer path;       /* of the value in turn */
    tw_buffer paths;      /* of values that were mended, each with a NUL */
    tw_tree key;
    tw_tree value;
    tw_tree reading;
    tw_buffer trial;        /* the reading that is tried ... */
    tw_buffer chosen;       /* ... and the one that fits */
    tw_schemas schemas;     /* of the value in turn */
    size_t begin;           /* of it, or of the key, in |text| */
    size_t depth;           /* of brackets in it */
    size_t work;
    tw_mend_state state;
    bool holds;
    bool quoted;
    bool escaped;
} tw_mend;

void tw_mend_init(tw_mend *mend, const tw_memory *memory, tw_schema *checker,
                  tw_buffer *text);
void tw_mend_free(tw_mend *mend);
/* Other arguments begin; NULL: they are not looked at. */
void tw_mend_begin(tw_mend *mend, const tw_value *schema);
/* More of them, JSON text that is whole in the end; false: no memory. */
bool tw_mend_take(tw_mend *mend, const char *data, size_t size);
/* How much of the text will not change. */
size_t tw_mend_ready(const tw_mend *mend);

#endif
