/* SPDX-License-Identifier: MIT
 *
 * What codec.c (its steps) and values.c (what keys and values mean) know
 * of a call's JSON, and nobody else.
 */
#ifndef TOOLWIRE_FORMATS_BODY_JSON_STATE_H
#define TOOLWIRE_FORMATS_BODY_JSON_STATE_H

#include "formats/body/json/json.h"

/* What the value being read is for. */
enum role {
    ROLE_NONE,
    ROLE_NAME,
    ROLE_ID,
    ROLE_ARGUMENTS, /* the object itself */
    ROLE_STRING,    /* a string that should hold it */
    ROLE_STRANGE,   /* an object under a key of no call */
    ROLE_SKIPPED
};

enum got { GOT_NOTHING, GOT_SOME, GOT_OBJECT, GOT_EMPTY };

/* The arguments alone? */
static inline bool tw_json_is_bare(uint8_t hole)
{
    return hole == TW_PATTERN_ARGUMENTS || hole == TW_PATTERN_JSON_ARGUMENTS;
}

bool tw_json_body_may_begin(const tw_json_body *body);
/* A key of the call is read: which one it is. */
void tw_json_body_key_ended(tw_json_body *body);
/* The name is read; so it is where the head is read in one look. */
void tw_json_body_name_ended(tw_json_body *body);
/* A value begins under one of the call's keys; it is complete. */
void tw_json_body_value_begins(tw_json_body *body, const tw_json_step *step,
                               uint64_t offset);
void tw_json_body_value_ended(tw_json_body *body, uint64_t offset);

/* opens.c.  Do the arguments of the call |name| stand in an object that names
 * it again, `{"name": NAME, "arguments": `, where tags are due? */
tw_body_opens tw_json_envelope_at(const tw_body *common, tw_name name,
                                  const uint8_t *at);
/* See tw_body_codec. */
tw_body_opens tw_json_body_opens(const tw_body *common,
                                 const tw_body_head *head, const uint8_t *at);

#endif
