/* SPDX-License-Identifier: MIT
 *
 * Arguments written as JSON: in the object that also holds the call's name, or
 * bare behind a name that was read before.
 */
#ifndef TOOLWIRE_FORMATS_BODY_JSON_JSON_H
#define TOOLWIRE_FORMATS_BODY_JSON_JSON_H

#include "formats/body/body.h"
#include "formats/body/keys.h"

typedef struct tw_json_body {
    tw_body common;
    tw_call_keys keys;
    tw_json json;
    bool bare;        /* there is no object around the arguments */
    bool keyed;       /* its one key is the name */
    bool named;       /* ... and was read */
    bool keeps;       /* the call stays open behind them: the caller ends it */
    uint8_t base;     /* the depth at which the call's keys stand */
    bool wrapped;     /* there was an OpenAI envelope around them */
    uint8_t key;      /* the last of them */
    uint8_t name_key; /* the key the name stood under */
    uint8_t arguments_key;
    uint8_t got;  /* what of the arguments there was */
    uint8_t role; /* what the value being read is for */
    size_t role_depth;
    bool capitals;    /* the last key is written with some */
    bool other_name;  /* the last key is `name` in another key's place */
    bool foreign_key; /* a key that no call object has */
    uint64_t key_at;
    uint64_t value_at;
    uint64_t strange_at; /* the first key of an object under a key of no call,
                            or a parameter's beside the name; 0: none */
    uint64_t clear; /* no marker begins in front of this offset of the
                       message, as far as was searched for any body */
    tw_buffer word; /* the key, name or id being read */
} tw_json_body;

extern const tw_body_codec tw_json_codec;

/* |common| has all that stays. */
void tw_json_body_init(tw_json_body *body, const tw_body *common);
void tw_json_body_free(tw_json_body *body);

/* Does a whole call head stand at |at|? */
tw_body_opens tw_json_body_follows(const tw_json_body *body,
                                   const uint8_t *at);

/* Bare arguments for a room that has no description, and whose markers end a
 * body wherever they stand: the caller says how far it goes, and ends |call|.
 */
void tw_json_body_init_bare(tw_json_body *body, tw_open_call *call);
void tw_json_body_start_bare(tw_json_body *body);
/* Is the body bare, and did nothing but white space come yet? */
bool tw_json_body_is_empty(const tw_json_body *body);
/* As |step| and |advance| over what stands in front of |limit|; |eof|: nothing
 * follows there. */
tw_body_end tw_json_body_step_to(tw_json_body *body, const uint8_t *limit,
                                 bool eof);
const uint8_t *tw_json_body_advance_to(tw_json_body *body,
                                       const uint8_t *limit,
                                       tw_advanced *advanced);

#endif
