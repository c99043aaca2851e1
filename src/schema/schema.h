/* SPDX-License-Identifier: MIT
 *
 * Does a value fit a JSON Schema?  The keywords of draft 2020-12 that
 * validate, and references inside the schema (`#`, `#/$defs/name`, `#anchor`).
 *
 * Not checked, and said so, are references to elsewhere, `$dynamicRef` where a
 * schema with a `$id` of its own stands inside, and patterns that regex.h does
 * not read.  `format` and
 * what tells of contents assert nothing, as the draft has it.  Neither the
 * schema nor the value is changed.
 *
 *     {"type": "object", "properties": {"n": {"minimum": 1}}}   {"n": 0}
 *                                                                    ^ a fault
 *
 * A schema and its value are walked with a stack of their own (check.c); each
 * keyword is a function of assert.c, which looks at the value alone, or of
 * apply.c, which looks at parts of it with parts of the schema.
 */
#ifndef TOOLWIRE_SCHEMA_SCHEMA_H
#define TOOLWIRE_SCHEMA_SCHEMA_H

#include "json/tree.h"
#include "schema/regex.h"

/* What is told of one value; the others are counted. */
enum { TW_SCHEMA_FAULTS = 32 };

typedef struct tw_schema_fault {
    uint32_t code;           /* of TW_DIAGNOSTICS */
    const tw_value *where;   /* in the value; `schema_unread`: the keyword */
    const tw_value *missing; /* the name of the member that is, or NULL */
    const tw_value *keyword; /* which asks for it; NULL: a schema `false` */
} tw_schema_fault;

typedef struct tw_schema {
    const tw_memory *memory;
    const tw_value *root; /* what references begin at */
    tw_buffer frames;     /* see steps.h */
    tw_buffer faults;     /* tw_schema_fault */
    tw_buffer patterns;   /* of keywords, by their place in memory */
    tw_buffer pairs;      /* room to compare values */
    tw_buffer marks;      /* uint8_t, of unevaluated.c */
    tw_buffer applied;    /* const tw_value *, of unevaluated.c */
    tw_tree made;         /* names of members as values */
    tw_match_room room;
    uint64_t work;  /* what is left of it */
    bool result;    /* of the schema that was left last */
    bool abandoned; /* there was no work or no room left */
    bool failed;    /* there was no memory */
} tw_schema;

void tw_schema_init(tw_schema *schema, const tw_memory *memory);
void tw_schema_free(tw_schema *schema);
/* The schemas go that were checked so far. */
void tw_schema_forget(tw_schema *schema);

/* What is checked from here on shares one amount of work. */
void tw_schema_begin(tw_schema *schema);
/* False: it does not, or |failed|.  The faults tell why; there may be some
 * that are only unread keywords. */
bool tw_schema_check(tw_schema *checker, const tw_value *schema,
                     const tw_value *value);
/* tw_schema_check() with |part| of the schema |root|, in which references
 * begin. */
bool tw_schema_check_part(tw_schema *schema, const tw_value *root,
                          const tw_value *part, const tw_value *value);
/* What a value has to fit: each of them.  None: nobody says. */
enum { TW_SCHEMAS_MOST = 8 };

typedef struct tw_schemas {
    const tw_value *all[TW_SCHEMAS_MOST];
    size_t count;
    bool several; /* ways to read the whole are open: a text may tell one */
} tw_schemas;

/* parts.c: the same of the member |key|, a string, of an object that has to
 * fit |whole|, or, where |key| is NULL, of the element |index| of a list.
 * References begin at |root|.  A part that does not fit these cannot be part
 * of what fits |whole|. */
void tw_schema_part(tw_schema *schema, const tw_value *root,
                    const tw_schemas *whole, const tw_value *key, size_t index,
                    tw_schemas *part);

/* The member |key| of that object is the string |value|: of several ways to
 * read the object, those are closed that name other strings for the member.
 * Where one is left, |whole| has it from then on. */
void tw_schema_tell(tw_schema *schema, const tw_value *root, tw_schemas *whole,
                    const tw_value *key, const tw_value *value);

static inline size_t tw_schema_fault_count(const tw_schema *schema)
{
    return schema->faults.size / sizeof(tw_schema_fault);
}

static inline const tw_schema_fault *
tw_schema_fault_at(const tw_schema *schema, size_t i)
{
    return (const tw_schema_fault *)(const void *)schema->faults.data + i;
}

#endif
