/* SPDX-License-Identifier: MIT
 *
 * A request as encoders see it: messages, calls and tools of OpenAI's shape,
 * with what logs write differently understood.  All values are the caller's
 * tree's or, of arguments that came as text, of one tree more.  No two calls
 * of a message have one id: the second gets another, and so does its result.
 */
#ifndef TOOLWIRE_MESSAGES_CONVERSATION_H
#define TOOLWIRE_MESSAGES_CONVERSATION_H

#include "messages/losses.h"

typedef enum tw_role {
    TW_ROLE_SYSTEM,
    TW_ROLE_DEVELOPER,
    TW_ROLE_USER,
    TW_ROLE_ASSISTANT,
    TW_ROLE_TOOL,
    TW_ROLE_OTHER
} tw_role;

/* A call of an assistant's message. */
typedef struct tw_call {
    const tw_value *value;     /* the whole element of `tool_calls` */
    const tw_value *name;      /* a string */
    const tw_value *id;        /* a string, or NULL */
    const tw_value *own_id;    /* as it came */
    bool is_filled;            /* it came with none */
    const tw_value *new_id;    /* in its place, since a call before it in its
                                  message has it; or NULL */
    size_t twin;               /* the next call that came with it, or 0 */
    size_t open;               /* of the last of these: the one that the next
                                  result answers */
    const tw_value *given;     /* the arguments as they came, or NULL */
    const tw_value *arguments; /* ... as an object; NULL: there are none */
    const tw_value *input;     /* of a custom call: its free text */
} tw_call;

typedef struct tw_message {
    const tw_value *value;
    tw_role role;
    const tw_value *role_name;
    const tw_value *content;   /* a string, a list or an object; NULL: none */
    const tw_value *reasoning; /* a string that is not empty, or NULL */
    const tw_value *name;      /* of a tool message, or NULL */
    const tw_value *id;        /* the call that a tool message answers */
    const tw_value *own_id;    /* as it came */
    size_t first_call;         /* in |calls|; how many came before */
    size_t call_count;
} tw_message;

typedef struct tw_conversation {
    const tw_memory *memory;
    tw_tree request;           /* of tw_conversation_read() */
    const tw_value *root;      /* the request */
    tw_buffer messages;        /* tw_message */
    tw_buffer calls;           /* tw_call */
    tw_buffer by_id;           /* size_t: calls with ids, sorted by them */
    tw_tree arguments;         /* the values of all that came as text */
    const tw_value *tools;     /* a list that is not empty, or NULL */
    const tw_value *settings;  /* chat_template_kwargs, or NULL */
    const tw_value *overrides; /* what takes their place, or NULL */
    /* Set by the owner: the text parts of a content become one text, as
     * servers make them before they call a template; what that loses goes
     * here.  NULL: contents stay as they are. */
    tw_losses *flattens;
    /* Set by the owner: arguments that were decoded need no reading, they stay
     * texts. */
    bool keeps_decoded;
    /* Set by the owner: `chosen` and `rejected`, lists of messages, are read
     * behind the others. */
    bool takes_pairs;
    bool takes_custom_tools; /* set by the owner */
    size_t prompt_count;     /* messages in front of these, or all */
    size_t chosen_count;
    bool generation_prompt;
    /* What is wrong with it. */
    int32_t code;
    const char *message;
    const tw_value *where;
    uint64_t offset;
} tw_conversation;

void tw_conversation_init(tw_conversation *conversation,
                          const tw_memory *memory);
void tw_conversation_free(tw_conversation *conversation);

/* {"messages", "tools", "add_generation_prompt", "chat_template_kwargs"}.
 * TW_OK, JSON, SCHEMA or MEMORY, as |code| says. */
int32_t tw_conversation_read(tw_conversation *conversation, const char *json,
                             size_t size);
/* tw_conversation_read() of a tree that the caller keeps. */
int32_t tw_conversation_take(tw_conversation *conversation,
                             const tw_value *request);

/* The developer's word is the system's where a shape has one role for both. */
static inline bool tw_message_is_system(const tw_message *message)
{
    return message->role == TW_ROLE_SYSTEM ||
           message->role == TW_ROLE_DEVELOPER;
}

static inline size_t tw_message_count(const tw_conversation *conversation)
{
    return conversation->messages.size / sizeof(tw_message);
}

static inline const tw_message *
tw_message_at(const tw_conversation *conversation, size_t i)
{
    return (const tw_message *)(const void *)conversation->messages.data + i;
}

static inline const tw_call *tw_call_of(const tw_conversation *conversation,
                                        const tw_message *message, size_t i)
{
    return (const tw_call *)(const void *)conversation->calls.data +
           message->first_call + i;
}

/* Call |i| of all. */
static inline const tw_call *
tw_conversation_call(const tw_conversation *conversation, size_t i)
{
    return (const tw_call *)(const void *)conversation->calls.data + i;
}

/* The call that the tool message |at| answers: the last one before it with
 * its id; NULL: none. */
const tw_call *tw_conversation_answered(const tw_conversation *conversation,
                                        size_t at);

/* The last call with this id among the first |count| of all; NULL: none. */
const tw_call *tw_conversation_named_call(const tw_conversation *conversation,
                                          const tw_value *id, size_t count);

/* Has a call this id? */
bool tw_conversation_has_call(const tw_conversation *conversation,
                              const char *id, size_t size);

/* The ids of results that answer no call, const tw_value *, sorted: a call
 * that got one of them would be answered.  False: no memory. */
bool tw_conversation_find_orphans(const tw_conversation *conversation,
                                  tw_buffer *orphans);
bool tw_orphans_have(const tw_buffer *orphans, const char *id, size_t size);

enum { TW_ID_SIZE = 32 };

/* `call_N`, as decoding names the N-th call of a message; returns the size.
 */
size_t tw_id_spell(char text[TW_ID_SIZE], size_t number);
/* Is |id| that of the |index|-th call? */
bool tw_id_is_counted(const tw_value *id, size_t index);

/* Calls are found by their ids, which differ in a message.  False: no memory.
 */
bool tw_conversation_sort_ids(tw_conversation *conversation);
/* Reports each id that two calls of a message came with. */
void tw_conversation_report_twins(const tw_conversation *conversation,
                                  tw_losses *losses);

/* What ids of calls a target holds. */
typedef enum tw_id_rule {
    TW_ID_ANY,
    TW_ID_NONE,  /* it keeps none */
    TW_ID_PLAIN, /* letters, digits, _ and -, at most 64 */
    TW_ID_NINE,  /* nine letters and digits */
    TW_ID_NAMED  /* functions.NAME:N */
} tw_id_rule;

/* Calls and results that have no ids get some, the same at both, so that a
 * template finds the call of each result: where ids are made for the target,
 * or |always| where several calls of a message could be meant.  False: no
 * memory. */
bool tw_conversation_fill_ids(tw_conversation *conversation, tw_id_rule rule,
                              uint32_t policy, bool always);
/* The first id that the target does not hold; NULL: it holds all. */
const tw_value *tw_conversation_unheld_id(const tw_conversation *conversation,
                                          tw_id_rule rule);
/* As the tw_ids_policy says; ids are changed where they stand, in the caller's
 * tree, too.  False: no memory. */
bool tw_conversation_map_ids(tw_conversation *conversation, tw_id_rule rule,
                             uint32_t policy, tw_losses *losses);

/* Reports each member of messages and calls that is neither void nor one that
 * the conversation has read, nor one of |also|, a NULL-ended list. */
void tw_conversation_report_unread(const tw_conversation *conversation,
                                   tw_losses *losses, const char *const *also);

/* The list of messages: `messages` or, if there is none, `conversations` that
 * are of the same kind; NULL: it has neither. */
const tw_value *tw_record_messages(const tw_value *record);

/* Are there two lists of messages, `chosen` and `rejected`? */
bool tw_record_is_pair(const tw_value *record);

/* The text of a part of a content; NULL: it is no text. */
const tw_value *tw_part_text(const tw_value *part);

/* The function that a tool declares: `function`, or the tool itself. */
const tw_value *tw_tool_function(const tw_value *tool);

/* The one setting that OpenAI's requests have beside the messages, too. */
#define TW_EFFORT "reasoning_effort"

/* A setting, NULL where it is absent or null. */
const tw_value *tw_conversation_setting(const tw_conversation *conversation,
                                        const char *name);

/* bool() of a value; NULL is false. */
bool tw_value_is_true(const tw_value *value);

#endif
