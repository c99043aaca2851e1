/* SPDX-License-Identifier: MIT
 *
 * Arguments written as JSON: in the object that also holds the call's name, or
 * bare behind a name that was read before.
 */
#ifndef TOOLWIRE_FORMATS_BODY_JSON_H
#define TOOLWIRE_FORMATS_BODY_JSON_H

#include "formats/body/body.h"
#include "formats/body/keys.h"
#include "formats/format.h"
#include "formats/frame/markers.h"

typedef struct tw_json_body {
    tw_open_call *call;
    const tw_marks *marks; /* what may stand between tokens */
    tw_call_keys keys;
    tw_json json;
    bool slow;        /* no fast ways */
    bool bare;        /* there is no object around the arguments */
    uint8_t base;     /* the depth at which the call's keys stand */
    bool wrapped;     /* there was an OpenAI envelope around them */
    uint8_t key;      /* the last of them */
    uint8_t name_key; /* the key the name stood under */
    uint8_t arguments_key;
    uint8_t got;  /* what of the arguments there was */
    uint8_t role; /* what the value being read is for */
    size_t role_depth;
    bool capitals;    /* the last key is written with some */
    bool foreign_key; /* a key that no call object has */
    uint64_t key_at;
    uint64_t value_at;
    tw_buffer word; /* the key, name or id being read */
    uint32_t reason;
    uint64_t reason_at;
} tw_json_body;

void tw_json_body_init(tw_json_body *, tw_open_call *, const tw_marks *,
                       tw_call_keys);
void tw_json_body_free(tw_json_body *);

/* A JSON object with the call's name and arguments begins at the window. */
void tw_json_body_start(tw_json_body *);
/* The arguments alone begin there; the call has its name, and has begun. */
void tw_json_body_start_bare(tw_json_body *);
tw_body_end tw_json_body_step(tw_json_body *);
/* The fast way over arguments; see tw_family. */
const uint8_t *tw_json_body_advance(tw_json_body *, tw_advanced *);
/* The body is cut off. */
void tw_json_body_cut(tw_json_body *);
/* Only closers are missing: may they be added?  Before a close marker anywhere
 * behind a value, else (|only_outer|) only if name and arguments are whole. */
bool tw_json_body_closable(const tw_json_body *, bool only_outer);
/* Adds them, and hands the call on. */
void tw_json_body_close(tw_json_body *);

#endif
