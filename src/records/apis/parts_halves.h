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
    TW_SAID_STEP,   /* the model was asked again */
    TW_SAID_NOTHING /* the client's own */
} tw_said_kind;

/* A part of a message that is being read. */
typedef struct tw_said {
    tw_said_kind kind;
    const tw_value *source;
    const tw_value *body;  /* what has its members */
    const char *taken[24]; /* those that were read; NULL-ended */
    size_t count;
} tw_said;

/* What the part is; its `type` and what its body stands under are taken. */
void tw_said_find(tw_said *said, const tw_value *source);
/* The first of the members that are named, which is taken; NULL: none is there
 * that says something. */
const tw_value *tw_said_take(tw_said *said, const char *const *names);
/* What is taken as the result of a call; NULL: there is none. */
const tw_value *tw_said_result(tw_said *said);
/* The name of the tool that is called, which may stand in the part's type. */
const tw_value *tw_said_tool(tw_recoder *recoder, tw_said *said);
/* Members of the part that were not taken are told, or, where all parts of a
 * log have them, |once| of each name. */
void tw_said_lose_rest(tw_recoder *recoder, tw_said *said, bool once);

/* The message as a part of this |kind|. */
void tw_said_find_itself(tw_said *said, const tw_value *message,
                         tw_said_kind kind);

/* A message: parts_turns.c. */
typedef struct tw_said_turn {
    const char *role;
    tw_said_kind kind; /* what the message is itself, beside its parts */
    bool event;        /* of a log: what it says for itself is told once */
    const tw_value *content; /* a text, a part, a list of them, or NULL */
    const tw_value *answer;  /* the model's to which it belongs, or NULL */
} tw_said_turn;

/* False: nobody knows what it is. */
bool tw_said_turn_find(tw_said_turn *turn, const tw_value *message);
/* The message, and what it may stand in, as far as that is there; |i| is below
 * TW_SAID_HOLDERS. */
enum { TW_SAID_HOLDERS = 7 };
const tw_value *tw_said_turn_holder(const tw_value *message, size_t i);
/* The members that may be the content; NULL-ended. */
extern const char *const tw_said_turn_contents[];

/* Is it an event of an agent's log by its type or kind? */
bool tw_said_is_event(const tw_value *line);

/* What the system says beside the messages of pydantic-ai, each time anew. */
const tw_value *tw_said_turn_instructions(const tw_value *message);
/* Members beside the |parts| that say nothing more. */
void tw_said_turn_lose_others(tw_recoder *recoder, const tw_value *message,
                              const tw_value *parts);
/* What an event says for itself is told once of each name. */
void tw_said_turn_lose_event_members(tw_recoder *recoder,
                                     const tw_said_turn *turn,
                                     const tw_value *message);
/* The message is no part of a conversation: it is told, or refused. */
void tw_said_turn_lose_event(tw_recoder *recoder, const tw_value *message);

/* parts.c: all messages of the list. */
void tw_parts_read_messages(tw_recoder *recoder, const tw_value *list);
/* What the system says apart, as parts. */
void tw_parts_read_system(tw_recoder *recoder, const tw_value *system);

/* Is it a content of parts whose words no other shape has?  |plain|: a text
 * without a type is enough. */
bool tw_said_is_content(const tw_value *content, bool plain);
#endif
