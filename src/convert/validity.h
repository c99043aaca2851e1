/* SPDX-License-Identifier: MIT
 *
 * Do the calls of a conversation fit the tools that are declared: those that
 * were given, or else the record's own?
 */
#ifndef TOOLWIRE_CONVERT_VALIDITY_H
#define TOOLWIRE_CONVERT_VALIDITY_H

#include "decode/validate.h"
#include "messages/conversation.h"

typedef struct tw_validity {
    tw_validation validation;
    bool given;               /* the record's own tools are not looked at */
    bool skips_decoded;       /* a decoder has checked these calls */
    bool told;                /* ... or has said which are undeclared */
    bool has_tools;           /* a decoder has those of the record: */
    const tw_value *declared; /* ... these, or NULL */
    tw_buffer own_tools;      /* ... as text, kept for the next record, which
                                 mostly declares the same */
    tw_buffer next_tools;
    tw_buffer text;           /* of arguments */
    tw_buffer path;           /* a C string */
    uint32_t refused; /* a code of TW_DIAGNOSTICS; |path| is where */
} tw_validity;

/* Takes a note, of which |id| is the path; false: no memory. */
typedef bool tw_validity_note(void *context, const tw_event *);

void tw_validity_init(tw_validity *validity, const tw_memory *memory);
void tw_validity_free(tw_validity *validity);
/* TW_OK, JSON (the tree of |validation| has the offset), SCHEMA (*where is
 * wrong), MEMORY.  NULL: none are given. */
int tw_validity_set_tools(tw_validity *validity, const char *json, size_t size,
                          const tw_value **where);
/* Another record comes. */
void tw_validity_next(tw_validity *validity);
/* The decoder reads with the tools that the record declares, unless others
 * were given.  |tools| may be NULL, or no list of tools: there are none.
 * False: no memory. */
bool tw_validity_declare(tw_validity *validity, tw_decoder *decoder,
                         const tw_value *tools);
/* The decoder was given others. */
void tw_validity_forget(tw_validity *validity);
/* TW_OK, MEMORY, or DEVIATION: |refused| and |path| say why.  Arguments that
 * were mended stand in the place of those that came. */
int tw_validity_check(tw_validity *validity, tw_conversation *conversation,
                      tw_validity_note *note, void *context);

#endif
