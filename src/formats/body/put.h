/* SPDX-License-Identifier: MIT
 *
 * How arguments are written: one writer for each kind of body that a
 * description has a hole for.
 */
#ifndef TOOLWIRE_FORMATS_BODY_PUT_H
#define TOOLWIRE_FORMATS_BODY_PUT_H

#include "messages/conversation.h"
#include "formats/description.h"
#include "messages/segments.h"

/* Who writes. */
typedef struct tw_putter {
    const tw_description *description;
    tw_segments *out;
    tw_dump_style json; /* how the description lays JSON out */
} tw_putter;

/* A call, and what the description makes of its id. */
typedef struct tw_put_call {
    const tw_call *call;
    uint64_t index; /* what is written for {index} */
    bool has_id;    /* the id is one that the format writes */
} tw_put_call;

tw_putter tw_putter_of(const tw_description *description, tw_segments *out);

/* A name or key, or a part of one: where the description says so, what an
 * attribute may not hold is an entity. */
void tw_put_name(const tw_putter *putter, const tw_value *name);
void tw_put_key(const tw_putter *putter, const tw_value *member);
void tw_put_digits(const tw_putter *putter, uint64_t number);
/* The id that the description makes of a call's name and index. */
void tw_put_made_id(const tw_putter *putter, const tw_put_call *put);

/* json/put.c */
void tw_put_json_arguments(const tw_putter *putter, const tw_put_call *put);
void tw_put_object(const tw_putter *putter, const tw_put_call *put);
/* |kind| is the hole's. */
void tw_put_list(const tw_putter *putter, const tw_put_call *calls,
                 size_t count, uint8_t kind);

/* tagged/put.c */
void tw_put_tagged(const tw_putter *putter, const tw_put_call *put);

/* gemma/put.c: |quote| stands around strings. */
void tw_put_gemma(const tw_putter *putter, const tw_put_call *put,
                  const char *quote);

/* elements/put.c: |mark| stands in front of each tag. */
void tw_put_elements(const tw_putter *putter, const tw_put_call *put,
                     const char *mark);

/* python/put.c: |kind| is the hole's. */
void tw_put_python(const tw_putter *putter, const tw_put_call *calls,
                   size_t count, uint8_t kind);

#endif
