/* SPDX-License-Identifier: MIT
 *
 * Sessions of agents: files of many lines, each a JSON text, of which a record
 * is made: {"lines":[...],"session_id","model"}.
 */
#ifndef TOOLWIRE_RECORDS_SESSION_H
#define TOOLWIRE_RECORDS_SESSION_H

#include "records/records.h"

/* Does a line of such a file look like this?  NULL: of no session. */
const tw_record_shape *tw_session_shape(const tw_value *line);
/* Is a text that is to be of |shape| (or NULL) all lines of a file?  1, 0 or
 * TW_ERROR_MEMORY. */
int tw_session_gathers(const tw_record_shape *shape, const char *text,
                       size_t size, const tw_memory *memory);
/* Is a file that begins so one record of |shape|, which may be NULL: a
 * session, or a trajectory that is broken into lines? */
bool tw_session_is_whole(const tw_record_shape *shape, const char *text,
                         size_t size, const tw_memory *memory);
/* Reads all lines, or a list of them, into a record.  A line that is no JSON,
 * since its writer was stopped, is a string.  TW_OK or MEMORY. */
int tw_session_gather(tw_tree *tree, const char *text, size_t size);

/* What a line of a session is to its conversation. */
typedef enum tw_line {
    TW_LINE_ITS_OWN,
    TW_LINE_AGAIN, /* one with this `uuid` that says the same stands before */
    TW_LINE_LEFT   /* the user went back, and asked otherwise */
} tw_line;

/* Appends one of these, as a byte, for each line.  |is_prompt|: does a user
 * ask in it?  Two prompts behind one line, their `parentUuid`, are two
 * branches, of which the last counts. */
void tw_session_judge(tw_recoder *recoder, const tw_value *lines,
                      bool (*is_prompt)(const tw_value *line),
                      tw_buffer *judged);

/* Calls whose arguments are no JSON object are left out of |request|, which is
 * the recoder's own or NULL, with their results; each is told. */
const tw_value *tw_session_leave_out_calls(tw_recoder *recoder,
                                           const tw_value *request);

/* messages.c: reads the `messages` of what was |made| of the record, in the
 * words of the shape that they fit. */
const tw_value *tw_session_read_messages(tw_recoder *recoder,
                                         const tw_value *record,
                                         const tw_value *made);

/* A record fits that has a line for which |is_line| holds. */
static inline tw_fit tw_session_fit(const tw_value *record,
                                    bool (*is_line)(const tw_value *line))
{
    const tw_value *lines = tw_value_member(record, "lines");
    const tw_value *at =
        tw_value_is_a(lines, TW_VALUE_ARRAY) ? lines->first : NULL;
    while (at != NULL && !is_line(at)) {
        at = at->next;
    }
    return tw_fit_well(at != NULL);
}

/* Does the line have a content in the words of Gemini's API? */
static inline bool tw_session_has_parts(const tw_value *line)
{
    const tw_value *message = tw_value_member(line, "message");
    return tw_value_is_a(tw_value_member(message, "parts"), TW_VALUE_ARRAY);
}

#endif
