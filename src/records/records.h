/* SPDX-License-Identifier: MIT
 *
 * The JSON shapes of logs.  Each is read to OpenAI's and written from it.
 */
#ifndef TOOLWIRE_RECORDS_RECORDS_H
#define TOOLWIRE_RECORDS_RECORDS_H

#include "messages/conversation.h"
#include "json/dump.h"
#include "json/make.h"
#include "messages/pairs.h"

/* Turns as text of a format, for shapes that take wire text.  What is lost or
 * wrong goes to the recoder. */
typedef struct tw_wire_writer {
    void *context;
    /* What the model wrote, appended. */
    void (*put_turn)(void *context, const tw_conversation *,
                     const tw_message *, tw_buffer *out);
    /* Results, in this order, as one turn; NULL: they have no frame, and each
     * is a turn of its own. */
    void (*put_results)(void *context, const tw_conversation *,
                        const size_t *messages, size_t count, tw_buffer *out);
} tw_wire_writer;

/* A record under way. */
typedef struct tw_recoder {
    const tw_memory *memory;
    const struct tw_record_shape *from;  /* NULL: a format */
    const struct tw_record_shape *whole; /* what it is, if |from| is the shape
                                            of a half of it */
    const struct tw_record_shape *to;    /* NULL: a format */
    bool arguments_object; /* written as an object, else as a string */
    bool reads_wire;       /* texts are wire text, of which others are made */
    const char *path; /* of the list of messages; NULL: as shapes have it */
    const tw_wire_writer *wire; /* NULL: turns are no wire text */
    const tw_value *record;     /* what is converted; NULL: text in none */
    tw_tree made;      /* the conversation, where it is not the record */
    tw_value *request; /* {"messages","tools"}: its root */
    tw_value *messages;
    tw_value *tools; /* NULL: there was none yet */
    tw_tree texts;   /* JSON texts in strings of the record */
    tw_json_out json_out;
    tw_losses losses;
    tw_pairs pairs; /* of what is written */
    bool has_ids;   /* tw_has_call_ids(): of shapes that may go without */
    tw_buffer
        left_out; /* names that were told as lost: of tw_recoder_lose_once() */
    /* What is wrong with the record. */
    int32_t code;
    const tw_value *where;
    const char *message;
} tw_recoder;

/* How much speaks for a shape. */
typedef enum tw_fit {
    TW_FIT_NONE,
    TW_FIT_ALSO, /* records of other shapes may look so, too */
    TW_FIT_WELL
} tw_fit;

/* A shape: a file of its own, and a row in known.c
 * and shapes.h. */
struct tw_record_shape {
    const char *name;
    const char *about; /* what it reads and writes, in one line */
    /* The members that it writes; NULL-ended.  NULL: it is read only. */
    const char *const *members;
    /* The members that say which tool is to be called: a shape that has
     * some reads those of another one.  NULL: the shape has none. */
    const char *const *choices;
    bool takes_parts; /* contents may be lists; else they are made one text */
    bool takes_path;  /* reads messages where tw_recoder.path says, too */
    bool takes_wire;  /* its text may be a format's: tw_recoder.wire */
    bool takes_pairs; /* `chosen` and `rejected` have a place */
    bool has_arguments;    /* calls are written as OpenAI has them */
    bool arguments_object; /* as TW_OPTION_ARGUMENTS_OBJECT */
    bool names_results;    /* each result has to have the name of its call */
    bool gathers;          /* a record is all lines of a file: session.h */
    bool has_blocks;       /* messages are Anthropic's */
    bool has_items;        /* ... items of Responses */
    tw_id_rule ids;        /* what ids of calls it holds */
    bool is_strict;        /* nothing is written beside the conversation */
    /* Is the value a line of such a file?  NULL: a record is no file. */
    bool (*is_line)(const tw_value *line);
    /* Does a record look like this shape?  NULL: none does. */
    tw_fit (*fits)(const tw_value *record);
    /* Marks what it reads of the record as used, and returns the conversation
     * in OpenAI's shape: |request|, or (a part of) the record itself.  NULL:
     * it is refused. */
    const tw_value *(*read)(tw_recoder *, const tw_value *record);
    /* Writes the members that hold the conversation. */
    void (*write)(tw_recoder *, const tw_conversation *);
};

/* The one shape that the record is of, where it was refused as one of
 * |named|, or has what only the other one has; NULL: none, or nobody knows. */
const tw_record_shape *tw_record_other_shape(const tw_record_shape *named,
                                             const tw_value *record,
                                             bool refused);
/* Of the shapes for which most speaks the first; *other is another, or
 * NULL. */
const tw_record_shape *tw_record_detect(const tw_value *record,
                                        const tw_record_shape **other);
/* The i-th shape that a record may be of; NULL behind the last. */
const tw_record_shape *tw_record_known_shape_at(size_t i);

void tw_recoder_refuse(tw_recoder *recoder, const tw_value *where,
                       const char *message);
/* Is the record a session?  What is broken in it does not cost the rest. */
bool tw_recoder_reads_session(const tw_recoder *recoder);
/* A part that cannot be read: a loss in a session, an error elsewhere. */
void tw_recoder_leave_out(tw_recoder *recoder, uint32_t loss,
                          const tw_value *where, const char *message);
/* Refuses the record with a message that was made, and frees its text. */
void tw_recoder_refuse_made(tw_recoder *recoder, const tw_value *where,
                            tw_json_out *message);
void tw_recoder_report_loss(tw_recoder *recoder, uint32_t code,
                            const tw_value *where, const char *message);

/* ---- what speaks for a shape -------------------------------------------- */

static inline tw_fit tw_fit_well(bool is)
{
    return is ? TW_FIT_WELL : TW_FIT_NONE;
}
/* Are both values spelled alike, but for blanks? */
bool tw_is_same_value(tw_recoder *recoder, const tw_value *left,
                      const tw_value *right);
/* Has |object| a list under this name whose first element is an object with
 * a member |key|? */
bool tw_has_list_of(const tw_value *object, const char *name, const char *key);

/* ---- what was read of a record ------------------------------------------ */

/* What is used is not written again.  A container of which all was used is
 * used itself. */
void tw_use(const tw_value *value);
/* The member, which is used; NULL: there is none. */
const tw_value *tw_use_member(const tw_value *object, const char *key);
/* All members of |object| that are not used, each behind a comma unless it is
 * |first|.  Those that |taken| names (NULL-ended) are lost, since the result
 * has members of that name.  Returns whether none was written and |first|
 * holds. */
bool tw_json_put_unused(tw_recoder *recoder, const tw_value *object,
                        const char *const *taken, bool first);

/* A member or a line that no conversation has, told once of each |name|. */
void tw_recoder_lose_once(tw_recoder *recoder, const tw_value *where,
                          const char *name, size_t name_size);
/* tw_recoder_lose_once() of each member but those that are |known|. */
void tw_recoder_lose_others(tw_recoder *recoder, const tw_value *object,
                            const char *const *known);

/* What no shape reads is not written: it is lost. */
void tw_recoder_lose_unused(tw_recoder *recoder, const tw_value *record);

/* What stayed of an envelope, |object| or NULL, behind what is written into
 * the one that takes its place; used from then on. */
void tw_json_put_left(tw_recoder *recoder, const tw_value *object,
                      const char *const *taken);

/* ---- reading ------------------------------------------------------------ */

/* Begins |request|. */
void tw_read_begin(tw_recoder *recoder, const tw_value *record);
/* The next message, {"role":ROLE}, which stands at |source|. */
tw_value *tw_read_message(tw_recoder *recoder, const char *role,
                          const tw_value *source);
/* The next message with its content. */
tw_value *tw_read_text(tw_recoder *recoder, const char *role,
                       const tw_value *source, const tw_value *content);
/* The text that the record has apart from its messages, if it has one; what
 * says something and is no text is a loss. */
void tw_read_system(tw_recoder *recoder, const tw_value *system);
/* A member of a value that is being made. */
void tw_read_member(tw_recoder *recoder, tw_value *parent, const char *key,
                    const tw_value *source);
/* An object or a list that stands at |source| (NULL: where |parent| does). */
tw_value *tw_read_part(tw_recoder *recoder, tw_value *parent, const char *key,
                       tw_value_kind kind, const tw_value *source);

/* Parts of a content that is being made, a list. */
void tw_read_text_part(tw_recoder *recoder, tw_value *content,
                       const tw_value *source, const tw_value *text);
/* Returns the object that the `url` goes into. */
tw_value *tw_read_image_part(tw_recoder *recoder, tw_value *content,
                             const tw_value *source);
/* The `url` of |image| for data in base64, `data:TYPE;base64,DATA`. */
void tw_read_data_url(tw_recoder *recoder, tw_value *image,
                      const tw_value *type, const tw_value *data);
/* The value as JSON text. */
void tw_read_packed(tw_recoder *recoder, tw_value *parent, const char *key,
                    const tw_value *value);
/* All parts are there: one text with nothing beside it becomes a string, and
 * nothing null or an empty string. */
void tw_read_end_content(tw_value *content, bool null);

/* Texts that become one, with an empty line between them: where there are
 * several, each of them is a loss. */
typedef struct tw_joint {
    tw_buffer text;
    size_t lone;
    const tw_value *first;
    size_t count;
} tw_joint;

void tw_joint_add(tw_joint *joint, tw_recoder *recoder, const tw_value *text);
/* The message's `reasoning_content`, if there is some; frees it. */
void tw_read_reasoning(tw_recoder *recoder, tw_value *message,
                       tw_joint *joint);

/* texts.c: lists of messages and tools of the record that are JSON text become
 * what the text means, where they stand. */
void tw_record_open_texts(tw_recoder *recoder);
/* The names under which records have tools, the API's first; NULL-ended. */
extern const char *const tw_tools_names[];
/* The tools, by the first of these names; NULL: there are none. */
const tw_value *tw_record_tools(const tw_value *record);

/* thoughts.c: |request|, or NULL, with thoughts that stand in contents as the
 * reasoning of their messages, where the target holds them there alone. */
const tw_value *tw_read_thoughts(tw_recoder *recoder, const tw_value *request);

/* A call of the message, which stands at |source|.  |id| may be NULL;
 * |arguments| is text of some, a value, or NULL.  NULL: no memory. */
tw_value *tw_read_call(tw_recoder *recoder, tw_value *message,
                       const tw_value *source, const tw_value *id,
                       const tw_value *name, const tw_value *arguments);
/* A call of free text of the message, which stands at |source|. */
void tw_read_custom_call(tw_recoder *recoder, tw_value *message,
                         const tw_value *source, const tw_value *id,
                         const tw_value *name, const tw_value *input);
/* The call {"name","arguments"}, which stands at |source|. */
void tw_read_described(tw_recoder *recoder, tw_value *message,
                       const tw_value *source);
/* The calls that |text| has as JSON, {"name","arguments"} or a list of
 * them. */
void tw_read_calls_text(tw_recoder *recoder, tw_value *message,
                        const tw_value *text);
/* The function, to be filled, of the next tool, which stands at |source|. */
tw_value *tw_read_tool(tw_recoder *recoder, const tw_value *source);
/* A tool of free text, whose wrapper is missing. */
void tw_read_custom_tool(tw_recoder *recoder, const tw_value *source);
/* Tools of OpenAI's, with their wrappers or without: a list, or JSON text of
 * one. */
void tw_read_tools(tw_recoder *recoder, const tw_value *tools);
/* The value, or what it means as JSON text; NULL: it is none, or there is no
 * memory. */
const tw_value *tw_read_inner(tw_recoder *recoder, const tw_value *value);

/* A side or a prompt, |source|: its messages from |from| on, or a text that is
 * one of |role|. */
void tw_read_list(tw_recoder *recoder, tw_value *list, const char *role,
                  const tw_value *source, const tw_value *from);
/* tw_read_list() of a side that is there, `chosen` or `rejected`. */
void tw_read_side(tw_recoder *recoder, const char *key, const tw_value *source,
                  const tw_value *from);
/* Is the member a list of messages, or a text? */
bool tw_is_side(const tw_value *record, const char *key);
/* Are `chosen` and `rejected`? */
bool tw_has_sides(const tw_value *record);

/* ---- writing ------------------------------------------------------------ */

/* `{"type":"function","function":{...}}`, whatever a tool looks like. */
void tw_json_put_tool(tw_json_out *json_out, const tw_value *tool);
/* {"name","arguments"} in a text, the |number|-th call of its message: the
 * arguments as they are spelled.  An id has no place there, nor has free
 * text. */
void tw_json_put_described(tw_recoder *recoder, tw_json_out *text,
                           const tw_call *call, const tw_message *message,
                           size_t number);
/* The text of a content that was made one; what it cannot be is reported. */
void tw_json_put_content(tw_recoder *recoder, const tw_value *content);
/* Is there text in such a content? */
bool tw_has_text(const tw_value *content);
/* `data:TYPE;base64,DATA`. */
typedef struct tw_data_url {
    const char *type;
    size_t type_size;
    const char *data;
    size_t data_size;
} tw_data_url;
/* False: it is another URL. */
bool tw_find_data(const tw_value *url, tw_data_url *found);
/* A developer's message, which is written as the system's, is reported. */
void tw_report_lost_developer(tw_recoder *recoder, const tw_message *message);
/* A type of a call or a tool that is none of the API's. */
void tw_report_lost_type(tw_recoder *recoder, const tw_value *source);
/* What a tool's wrapper says, where functions have none: that a tool takes
 * free text, and members that have no place. */
void tw_report_lost_wrapper(tw_recoder *recoder, const tw_value *tool);
/* Reasoning that has no place. */
void tw_report_lost_reasoning(tw_recoder *recoder,
                              const tw_conversation *conversation);
/* Tools that have no place: each, since the list may be made. */
void tw_report_lost_tools(tw_recoder *recoder,
                          const tw_conversation *conversation);
/* Results are told by their ids, or else by their order: where one call came
 * with an id, all have some. */
bool tw_has_call_ids(const tw_conversation *conversation);
/* Where results have no ids, each is read back as that of the next call of the
 * last turn with calls. */
typedef struct tw_open_calls {
    size_t next;
    size_t end;
} tw_open_calls;
/* The calls of the message, if it has some. */
void tw_open_calls_of(const tw_message *message, tw_open_calls *calls);
/* The message is the next result: reports what it loses of what it answers. */
void tw_report_next_result(tw_recoder *recoder,
                           const tw_conversation *conversation, size_t message,
                           tw_open_calls *calls);
/* The arguments as a value: those of a custom call are its text, in an object.
 */
void tw_recoder_put_arguments(tw_recoder *recoder, const tw_call *call);
void tw_recoder_drop_server_tool(tw_recoder *recoder, const tw_value *tool);
/* Reports what writers of other shapes than OpenAI's do not read of messages
 * and calls: members that they have no places for, but for those that |also|
 * names, and names of results. */
void tw_report_unread(tw_recoder *recoder, const tw_conversation *conversation,
                      const char *const *also);

extern const tw_record_shape tw_openai_shape;

/* ---- what shapes have of OpenAI's --------------------------------------- */

/* OpenAI's own record, read as all its spellings. */
const tw_value *tw_openai_read(tw_recoder *recoder, const tw_value *record);
/* Messages, tools and choices of an object, into |request|. */
void tw_openai_read_into(tw_recoder *recoder, const tw_value *object);
/* `"messages":[...],"tools":[...]` and which tool is to be called. */
void tw_openai_write(tw_recoder *recoder, const tw_conversation *conversation);
/* tw_openai_write() where the list of messages is named |messages|. */
void tw_openai_write_as(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const char *messages);
/* `"KEY":[...]` of |count| messages from the |first| on. */
void tw_openai_put_messages(tw_recoder *recoder,
                            const tw_conversation *conversation,
                            const char *key, size_t first, size_t count);
/* `,"tools":...` and the like. */
void tw_openai_put_rest(tw_recoder *recoder,
                        const tw_conversation *conversation);
extern const char *const tw_openai_choices[];
/* The last message, an assistant's; NULL: it is none, which is refused. */
const tw_message *tw_last_answer(tw_recoder *recoder,
                                 const tw_conversation *conversation);
/* Message |i|. */
void tw_openai_put_message(tw_recoder *recoder,
                           const tw_conversation *conversation, size_t i);
/* The arguments of a call: as they are where they came as text and are to. */
void tw_openai_put_arguments(tw_recoder *recoder, const tw_call *call);
/* `,"tools":[...]`, if there are some. */
void tw_openai_put_tools(tw_json_out *json_out,
                         const tw_conversation *conversation);

/* Are the parts of a message in words that no other shape has? */
bool tw_parts_is_message(const tw_value *message);

/* An OpenAI record as LLaMA-Factory's version 1 has it. */
bool tw_record_is_llamafactory(const tw_value *record);
const tw_value *tw_llamafactory_read(tw_recoder *recoder,
                                     const tw_value *record);

#endif
