/* SPDX-License-Identifier: MIT
 *
 * What of a format's words stands at a byte of a value between tags.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_LOOK_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_LOOK_H

#include "formats/body/tagged/tagged.h"

/* The words of each role at a byte. */
typedef struct tw_tagged_seen {
    bool more; /* not decided before the window's end: all else says nothing */
    bool cut;  /* the input ends in a word */
    bool loose; /* a word that closes the value has blanks inside */
    uint8_t size[TW_TAGGED_ROLES];
} tw_tagged_seen;

/* The words at |at|, which is in view. */
tw_tagged_seen tw_tagged_look(const tw_tagged_body *body, const uint8_t *at);
/* The opening of CDATA at |at|, in formats that have it. */
tw_match tw_tagged_cdata_at(const tw_tagged_body *body, const uint8_t *at);
/* The longest word; of two roles the first. */
tw_tagged_role tw_tagged_role_of(const tw_tagged_seen *seen);
/* May a word begin with |c|? */
static inline bool tw_tagged_may_begin(const tw_tagged_body *body, uint8_t c)
{
    return body->common.format->tags->first[c] != 0 ||
           (body->cdata && c == ']');
}

/* Are entities read in the value? */
static inline bool tw_tagged_has_entities(const tw_tagged_body *body)
{
    return body->common.format->entities == TW_ENTITIES_ALL && !body->cdata;
}

#endif
