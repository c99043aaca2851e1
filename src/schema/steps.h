/* SPDX-License-Identifier: MIT
 *
 * A check under way, for the files of this room.
 */
#ifndef TOOLWIRE_SCHEMA_STEPS_H
#define TOOLWIRE_SCHEMA_STEPS_H

#include "schema/schema.h"

/* One schema and the value it is asked of. */
typedef struct tw_schema_frame {
    const tw_value *schema;
    const tw_value *value;
    const tw_value *keyword; /* the member of the schema that is in turn */
    const tw_value *part;    /* where it stands: a part of the value ... */
    const tw_value *other;   /* ... and one of the keyword */
    size_t count;
    size_t marks;   /* where the frame's own begin: of unevaluated.c */
    size_t applied; /* the same */
    bool begun;     /* the keyword has asked for a part, which is answered */
    bool quiet;     /* faults count, but are not told: there are other ways */
    bool fits;
} tw_schema_frame;

/* A keyword in turn.  True: it asks for a part (tw_schema_ask()), and will be
 * called again with the answer in |result|. */
typedef bool tw_keyword(tw_schema *, tw_schema_frame *);

/* What a keyword's value must be. */
typedef enum tw_keyword_kind {
    TW_KEYWORD_ANY,
    TW_KEYWORD_BOOLEAN,
    TW_KEYWORD_NUMBER,
    TW_KEYWORD_STRING,
    TW_KEYWORD_STRINGS, /* a list of them */
    TW_KEYWORD_LIST,
    TW_KEYWORD_OBJECT,
    TW_KEYWORD_TYPE, /* the name of a type, or a list of such names */
    TW_KEYWORD_SCHEMA,
    TW_KEYWORD_SCHEMAS, /* a list of them */
    TW_KEYWORD_ITEMS    /* either, as earlier drafts had it */
} tw_keyword_kind;

typedef struct tw_keyword_row {
    const char *name;
    tw_keyword *run; /* NULL: another keyword looks at it */
    tw_keyword_kind kind;
} tw_keyword_row;

/* assert.c and apply.c; the last one has no name. */
extern const tw_keyword_row tw_schema_assertions[];
extern const tw_keyword_row tw_schema_applicators[];

/* unevaluated.c */
bool tw_schema_unevaluated(tw_schema *schema, tw_schema_frame *frame);

/* A frame more. */
void tw_schema_push(tw_schema *checker, const tw_value *schema,
                    const tw_value *value, bool quiet);
/* Asks whether |value| fits |schema|; always true.  The frame may have moved
 * then. */
bool tw_schema_ask(tw_schema *checker, const tw_schema_frame *frame,
                   const tw_value *schema, const tw_value *value, bool quiet);
/* The frame's value does not fit. */
void tw_schema_fault_here(tw_schema *schema, tw_schema_frame *frame,
                          uint32_t code, const tw_value *where,
                          const tw_value *missing);
/* A part of the schema that is not checked, and why: SCHEMA_UNREAD, _BROKEN.
 */
void tw_schema_skip(tw_schema *schema, uint32_t code, const tw_value *part);
/* kinds.c: is it of that kind?  A part that is not is told of. */
bool tw_schema_is(tw_schema *schema, tw_keyword_kind kind,
                  const tw_value *part);
/* Takes work; false: there is none left, and the check is abandoned. */
bool tw_schema_work(tw_schema *schema, uint64_t work);

/* refer.c: what a `$ref` or a `$dynamicRef` means; NULL: nothing in this
 * schema. */
const tw_value *tw_schema_target(tw_schema *schema, const tw_value *reference);
/* same.c: equal as JSON is. */
bool tw_schema_same(tw_schema *schema, const tw_value *left,
                    const tw_value *right);
/* Are two elements of a list equal? */
bool tw_schema_repeats(tw_schema *schema, const tw_value *list);
/* patterns.c: does the text match the pattern, a string of the schema?  Of
 * one that is not read, |keyword| is told of and |if_unread| is the answer. */
bool tw_schema_matches(tw_schema *schema, const char *pattern,
                       size_t pattern_size, const tw_value *keyword,
                       const tw_value *text, bool if_unread);
/* Does the name of the member match |pattern|, which is a member's name
 * itself?  Of one that is not read, |pattern| is told of and |if_unread| is
 * the answer. */
bool tw_schema_matches_key(tw_schema *schema, const tw_value *pattern,
                           const tw_value *member, bool if_unread);
void tw_schema_free_patterns(tw_schema *schema);

static inline bool tw_is_schema(const tw_value *value)
{
    return value != NULL &&
           (value->kind == TW_VALUE_OBJECT || value->kind == TW_VALUE_TRUE ||
            value->kind == TW_VALUE_FALSE);
}

/* Is the keyword a `$ref` or a `$dynamicRef`? */
static inline bool tw_is_reference(const tw_value *keyword)
{
    return tw_value_has_key(keyword, "$ref") ||
           tw_value_has_key(keyword, "$dynamicRef");
}

#endif
