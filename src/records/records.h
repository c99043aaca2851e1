/* SPDX-License-Identifier: MIT
 *
 * The JSON shapes of logs.  Each is read to OpenAI's and written from it.
 */
#ifndef TOOLWIRE_RECORDS_RECORDS_H
#define TOOLWIRE_RECORDS_RECORDS_H

#include "conversation.h"
#include "json/dump.h"

/* A record under way. */
typedef struct tw_recoder {
    const tw_memory *memory;
    bool arguments_object; /* written as an object, else as a string */
    tw_jotter jotter;
    tw_losses losses;
    /* What is wrong with the record. */
    int32_t code;
    const tw_value *where;
    const char *message;
} tw_recoder;

typedef struct tw_record_shape {
    const char *name;
    const char *messages; /* the member that makes a record one */
    /* The members that hold the conversation; NULL-ended. */
    const char *const *members;
    /* Jots `"messages":[...]` and, if there are some, `,"tools":[...]`.
     * NULL: it is OpenAI's. */
    void (*read)(tw_recoder *, const tw_value *record);
    /* Jots the members that hold the conversation. */
    void (*write)(tw_recoder *, const tw_conversation *);
} tw_record_shape;

extern const tw_record_shape tw_openai_shape;
extern const tw_record_shape tw_parted_shape;
extern const tw_record_shape tw_sharegpt_shape;
extern const tw_record_shape tw_anthropic_shape;

/* NULL: there is none of this name. */
const tw_record_shape *tw_record_shape_find(const char *name);

/* An OpenAI record as LLaMA-Factory's version 1 has it: the shape to read it
 * by is tw_parted_shape, which has no name of its own. */
bool tw_record_is_parted(const tw_value *record);

/* `,"tools":[...]` of an OpenAI record, if there are some. */
void tw_jot_openai_tools(tw_jotter *, const tw_conversation *);

void tw_recoder_refuse(tw_recoder *, const tw_value *where,
                       const char *message);
void tw_recoder_lose(tw_recoder *, uint32_t code, const tw_value *where,
                     const char *message);

/* All members of |record| as they are, each behind a comma unless it is
 * |first|: but not those that |used| names, nor those that |taken| names, which
 * are lost since the result has members of that name.  Both lists are
 * NULL-ended; a dotted path stands for the member that it begins with. */
void tw_jot_others(tw_recoder *, const tw_value *record,
                   const char *const *used, const char *const *taken,
                   bool first);

/* The text of a content: of parts, what they hold together. */
void tw_jot_content(tw_recoder *, const tw_value *content);
/* `{"type":"function","function":{...}}`, whatever a tool looks like. */
void tw_jot_tool(tw_jotter *, const tw_value *tool);
/* `call_N`: the ids that decoders make. */
void tw_jot_call_id(tw_jotter *, size_t number);
/* An OpenAI call; |arguments| is a value, or NULL. */
void tw_jot_call(tw_recoder *, const tw_value *id, size_t number,
                 const tw_value *name, const tw_value *arguments);
/* The same, |arguments| as they are given. */
void tw_jot_call_as_it_is(tw_jotter *, const tw_value *id, size_t number,
                          const tw_value *name, const tw_value *arguments);
/* The id of the call that result |number| behind |calls| calls answers, where
 * results come in the order of the calls. */
void tw_jot_result_id(tw_jotter *, size_t number, size_t calls);
/* The calls that |text| has as JSON, {"name","arguments"} or a list of them;
 * |count| is how many there were, and counts on. */
void tw_jot_calls_text(tw_recoder *, const tw_value *text, size_t *count);
/* `,"tools":[...]`; the tools are a list, or JSON text of one. */
void tw_jot_tools(tw_recoder *, const tw_value *tools);

#endif
