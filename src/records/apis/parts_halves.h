/* SPDX-License-Identifier: MIT
 *
 * Parts of messages in the words of several: what each is, and where it says
 * what.
 */
#ifndef TOOLWIRE_RECORDS_PARTS_H
#define TOOLWIRE_RECORDS_PARTS_H

#include "records/records.h"

typedef enum tw_said_kind {
    TW_SAID_OTHER,
    TW_SAID_TEXT,
    TW_SAID_SYSTEM, /* a text of the system in a user's message */
    TW_SAID_THOUGHT,
    TW_SAID_IMAGE,
    TW_SAID_CALL, /* with its result, or without one */
    TW_SAID_RESULT,
    TW_SAID_STEP /* the model was asked again */
} tw_said_kind;

/* A part of a message that is being read. */
typedef struct tw_said {
    tw_said_kind kind;
    const tw_value *source;
    const tw_value *body; /* what has its members */
    const char *taken[8]; /* those that were read; NULL-ended */
    size_t count;
} tw_said;

/* What the part is; its `type` and what its body stands under are taken. */
void tw_said_find(tw_said *said, const tw_value *source);
/* The first of the members that are named, which is taken; NULL: none is there
 * that says something. */
const tw_value *tw_said_take(tw_said *said, const char *const *names);
/* The members in which a call has its result, in the order of tw_said_take().
 */
extern const char *const tw_said_results[];
/* The name of the tool that is called, which may stand in the part's type. */
const tw_value *tw_said_tool(tw_recoder *recoder, tw_said *said);
/* Members of the part that were not taken are told. */
void tw_said_lose_rest(tw_recoder *recoder, tw_said *said);

/* Is it a content of parts whose words no other shape has?  |plain|: a text
 * without a type is enough. */
bool tw_said_is_content(const tw_value *content, bool plain);
#endif
