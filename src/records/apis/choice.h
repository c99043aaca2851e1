/* SPDX-License-Identifier: MIT
 *
 * Which tool is to be called: what three APIs call the same.
 *
 *     "tool_choice": "required"
 *     "tool_choice": {"type": "any"}
 *     "toolConfig": {"functionCallingConfig": {"mode": "ANY"}}
 */
#ifndef TOOLWIRE_RECORDS_CHOICE_H
#define TOOLWIRE_RECORDS_CHOICE_H

#include "records/records.h"

typedef enum tw_choice_api {
    TW_CHOICE_OPENAI,
    TW_CHOICE_ANTHROPIC,
    TW_CHOICE_GEMINI
} tw_choice_api;

/* What a request of OpenAI's says of it, if it can be said elsewhere; what
 * cannot is reported.  NULL: nothing. */
const tw_value *tw_take_choice(tw_recoder *recoder, const tw_value *request);
/* What the choice says beside the name of a function. */
void tw_lose_beside_choice(tw_recoder *recoder, const tw_value *choice);
/* The name of the function that is to be called; NULL: none is named. */
const tw_value *tw_choice_name(const tw_value *choice);
/* What the API calls a choice in one word; NULL: it has none. */
const char *tw_choice_word(const tw_value *choice, tw_choice_api api);

/* The API's word into the request; false: it is not known. */
bool tw_read_choice_word(tw_recoder *recoder, const tw_value *word,
                         tw_choice_api api);
void tw_read_choice_name(tw_recoder *recoder, const tw_value *name);

#endif
