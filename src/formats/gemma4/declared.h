/* SPDX-License-Identifier: MIT
 *
 * What Gemma's templates write in braces, read strictly: the pairs of calls
 * and results, and the digest of a schema that a declaration is.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_DECLARED_H
#define TOOLWIRE_FORMATS_GEMMA4_DECLARED_H

#include "formats/format.h"
#include "formats/gemma4/tokens.h"

/* What the members of an object mean. */
typedef enum tw_gemma4_scope {
    TW_GEMMA4_PLAIN,
    TW_GEMMA4_DECLARATION,
    TW_GEMMA4_SCHEMA,  /* of a property, of parameters or a response */
    TW_GEMMA4_ITEMS,   /* ... of items: what stands deeper is plain */
    TW_GEMMA4_SCHEMAS, /* properties */
    TW_GEMMA4_TYPE     /* no object: a type, in upper case */
} tw_gemma4_scope;

typedef struct tw_gemma4_notation {
    tw_transcript_reader *reader;
    tw_json_out json; /* what was read last, compact */
    size_t members;   /* ... of it, outermost */
    tw_buffer frames; /* see declared.c */
} tw_gemma4_notation;

void tw_gemma4_notation_init(tw_gemma4_notation *notation,
                             tw_transcript_reader *reader);
void tw_gemma4_notation_free(tw_gemma4_notation *notation);
/* The object at the front of |cursor|, which moves behind it; false: there is
 * none that a template would write, and |cursor| stays. */
bool tw_gemma4_read_object(tw_gemma4_notation *notation, tw_cursor *cursor,
                           tw_gemma4_scope place);
/* The end of the string that begins at |cursor|; NULL: it has none. */
const char *tw_gemma4_string_end(const tw_cursor *cursor);
/* A name and the brace that follows it, which is not passed. */
bool tw_gemma4_read_name(tw_cursor *cursor, tw_cursor *name);

/* `declaration:NAME{...}<tool|>`, behind its marker; false: it is none. */
bool tw_gemma4_read_declaration(tw_gemma4_notation *notation,
                                tw_cursor *cursor);

#endif
