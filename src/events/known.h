/* SPDX-License-Identifier: MIT
 *
 * What is declared of a part of a tool's arguments, however deep.
 */
#ifndef TOOLWIRE_EVENTS_KNOWN_H
#define TOOLWIRE_EVENTS_KNOWN_H

#include "json/tree.h"

/* Which types a value may have; none: the schema does not say. */
enum {
    TW_TYPE_STRING = 1,
    TW_TYPE_NUMBER = 2,
    TW_TYPE_INTEGER = 4,
    TW_TYPE_BOOLEAN = 8,
    TW_TYPE_NULL = 16,
    TW_TYPE_ARRAY = 32,
    TW_TYPE_OBJECT = 64,
    TW_TYPE_JSON = 127, /* all of these */
    TW_TYPE_ANY = 128   /* any JSON */
};

enum { TW_KNOWN_SCHEMAS = 8 };

typedef struct tw_known {
    const tw_value *root; /* of the schemas */
    const tw_value *all[TW_KNOWN_SCHEMAS]; /* the value fits one of them */
    uint8_t count;
    uint8_t types; /* a sum of TW_TYPE_; 0: nobody says */
} tw_known;

/* What asking for all parts of one call's arguments may cost. */
enum { TW_KNOWN_WORK = 1 << 20 };

/* All arguments that the schema is of, which may be NULL.  It stays where it
 * is. */
tw_known tw_known_arguments(const tw_value *schema);
/* The member of that name of such a value, or, where |key| is NULL, any
 * element; *work is what is left of it. */
tw_known tw_known_part(const tw_known *whole, const char *key, size_t size,
                       size_t *work);

/* The types of the values that |schema| allows, its references
 * beginning at |root|; 0: it does not say. */
unsigned tw_known_types(const tw_value *schema, const tw_value *root,
                        size_t *work);
/* Visits it, and all schemas that it leads to as references and choices. */
typedef void tw_known_visitor(void *context, const tw_value *schema,
                              size_t *work);
void tw_known_visit(const tw_value *schema, const tw_value *root, size_t *work,
                    tw_known_visitor *visit, void *context);

#endif
