/* SPDX-License-Identifier: MIT
 *
 * The JSON shapes of logs.  Each is read to OpenAI's and written from it.
 */
#ifndef TOOLWIRE_RECORDS_RECORDS_H
#define TOOLWIRE_RECORDS_RECORDS_H

#include "conversation.h"
#include "json/dump.h"
#include "records/origins.h"
#include "records/pairs.h"

/* A record under way. */
typedef struct tw_recoder {
    const tw_memory *memory;
    const struct tw_record_shape *to; /* NULL: a format */
    bool arguments_object; /* written as an object, else as a string */
    tw_json_out json_out;
    tw_losses losses;
    tw_tree texts;      /* JSON texts in strings of the record */
    tw_origins origins; /* of what was read */
    tw_pairs pairs;     /* of what is written */
    /* What is wrong with the record. */
    int32_t code;
    const tw_value *where;
    const char *message;
} tw_recoder;

typedef struct tw_record_shape {
    const char *name;
    /* The members that hold the conversation; NULL-ended. */
    const char *const *members;
    /* The members that say which tool is to be called: they have places in
     * all shapes that have some.  NULL: it has none. */
    const char *const *choices;
    bool takes_parts; /* contents may be lists; else they are made one text */
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
void tw_json_put_openai_tools(tw_json_out *, const tw_conversation *);

void tw_recoder_refuse(tw_recoder *, const tw_value *where,
                       const char *message);
void tw_recoder_report_loss(tw_recoder *, uint32_t code, const tw_value *where,
                            const char *message);

/* All members of |record| as they are, each behind a comma unless it is
 * |first|: but not those that |used| names, nor those that |taken| names,
 * which are lost since the result has members of that name.  Both lists are
 * NULL-ended; a dotted path stands for the member that it begins with. */
void tw_json_put_others(tw_recoder *, const tw_value *record,
                        const char *const *used, const char *const *taken,
                        bool first);

/* ---- reading ------------------------------------------------------------ */

/* `{"role":ROLE`, of a message that stands at |source|. */
void tw_begin_message(tw_recoder *, const char *role, const tw_value *source);

/* Texts that become one, with an empty line between them: where there are
 * several, each of them is a loss. */
typedef struct tw_joint {
    tw_buffer text;
    const tw_value *first;
    size_t count;
} tw_joint;

void tw_joint_add(tw_joint *, tw_recoder *, const tw_value *text);
/* `,"reasoning_content":...` of the last message, if there is some; frees
 * it. */
void tw_json_put_reasoning(tw_recoder *, tw_joint *);

/* An OpenAI call that stands at |source|, the |number|-th of its message.
 * |arguments| is text of some, a value, or NULL.  A call without an id (NULL)
 * gets one here only if the target is a format: records get theirs when they
 * are written. */
void tw_json_put_call(tw_recoder *, const tw_value *source, const tw_value *id,
                      size_t number, const tw_value *name,
                      const tw_value *arguments);
/* `,"tool_call_id":...` of result |number| behind |calls| calls, where results
 * come in the order of the calls; the same holds.  A result that stands at
 * |source| and answers none is reported. */
void tw_json_put_result_id(tw_recoder *, const tw_value *source, size_t number,
                           size_t calls);
/* The calls that |text| has as JSON, {"name","arguments"} or a list of them;
 * |count| is how many there were, and counts on. */
void tw_json_put_calls_text(tw_recoder *, const tw_value *text, size_t *count);
/* `,"tools":[...]`; the tools are a list, or JSON text of one. */
void tw_json_put_tools(tw_recoder *, const tw_value *tools);

/* ---- writing ------------------------------------------------------------ */

/* `{"type":"function","function":{...}}`, whatever a tool looks like. */
void tw_json_put_tool(tw_json_out *, const tw_value *tool);
/* The text of a content that was made one; what it cannot be is reported. */
void tw_json_put_content(tw_recoder *, const tw_value *content);
/* Is there text in such a content? */
bool tw_has_text(const tw_value *content);
/* A developer's message, which is written as the system's, is reported. */
void tw_report_lost_developer(tw_recoder *, const tw_message *);
/* Reports what writers of other shapes than OpenAI's do not read of messages
 * and calls: members that they have no places for, but for those that |also|
 * names, and names of results. */
void tw_report_unread(tw_recoder *, const tw_conversation *,
                      const char *const *also);

#endif
