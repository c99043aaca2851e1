/* SPDX-License-Identifier: MIT
 *
 * What random records of all shapes are made of.  Calls of these functions add
 * JSON to a text in the making.
 */
#ifndef TOOLWIRE_TESTS_RANDOM_VALUES_H
#define TOOLWIRE_TESTS_RANDOM_VALUES_H

#include <stdbool.h>

#include "random_request.h"

#define PICK(list) (list)[random_below(sizeof(list) / sizeof *(list))]

bool once_in(uint32_t count);

/* A string that no other text of the record is, so that none stands for
 * another; at times with half of a surrogate pair. */
void jot_text(tw_json_out *);
/* `,"KEY":`, and the same with such a string. */
void jot_key(tw_json_out *, const char *key);
void jot_text_member(tw_json_out *, const char *key);
/* A member that no shape has, at times: `,"odd":7`. */
void jot_odd(tw_json_out *);
/* The address of an image, a string. */
void jot_images_url(tw_json_out *);

/* JSON of an object; a name. */
const char *random_arguments(void);
const char *random_name(void);

/* A call as JSON text in a string. */
void jot_call_text(tw_json_out *);
/* The members of a function, its schema under |schema|. */
void jot_declared(tw_json_out *, const char *schema);
/* A list of OpenAI's tools, with wrappers unless they are |flat|; as text. */
void jot_tools(tw_json_out *, bool flat);
void jot_tools_text(tw_json_out *);
/* `"id":...,` of the |number|-th call of its message, which may lack one; ids
 * are remembered, so that results have some.  A new record forgets them; in a
 * message, which begins, there is none twice. */
void jot_id(tw_json_out *, size_t number);
void forget_ids(void);
void begin_ids(void);
/* |front| and an id that a call has, if there is one. */
void jot_known_id(tw_json_out *, const char *front);
/* A list of some messages. */
void jot_messages(tw_json_out *, void (*message)(tw_json_out *));

#endif
