/* SPDX-License-Identifier: MIT
 *
 * What encoders of all families share.
 */
#ifndef TOOLWIRE_FORMATS_ENCODE_H
#define TOOLWIRE_FORMATS_ENCODE_H

#include "messages/transcript_reader.h"
#include "messages/conversation.h"
#include "formats/format.h"
#include "messages/segments.h"

/* The template drops |where|: E4. */
void tw_encode_loss(tw_segments *out, uint32_t code, const tw_value *where,
                    const char *message);
/* A message's content, whose parts are one text (tw_conversation.flattens);
 * the families that take parts write by templates of their own. */
void tw_encode_content(tw_segments *out, const tw_value *content);
/* Is there any? */
bool tw_encode_has_content(const tw_value *content);

/* Of tools whose declarations were put behind |place| and read back: what
 * differs, in place of the losses that were reported there. */
void tw_encode_report_read_back(tw_segments *out, const tw_value *tools,
                                tw_place place,
                                const tw_transcript_reader *reader);

/* Does a name hold white space of other alphabets?  A decoder ends the name
 * there. */
bool tw_encode_has_odd_blank(const tw_value *name);
/* May the name, or what stands behind its server's if that is |served|, be
 * written without quotes?  A decoder ends the name where its bytes do. */
bool tw_encode_takes_name(const tw_description *description,
                          const tw_value *name, bool served);

/* The format cannot write |where|: refused, unless the template's unsafe
 * bytes are wanted. */
void tw_encode_refuse(tw_segments *out, const tw_value *where,
                      const char *message);

/* Of a format that has no prompts: the assistant's message to write, which
 * is all of the request; NULL: it is refused. */
const tw_message *tw_encode_only_message(const tw_conversation *conversation,
                                         tw_segments *out);

/* A custom call's free text is refused; false: the call is no such one. */
bool tw_encode_refuses_free_text(tw_segments *out, const tw_call *call);
/* The arguments as Python dumps them, with the spelling of their numbers;
 * `{}` where there are none. */
void tw_encode_arguments(tw_segments *out, const tw_call *call);
/* The arguments that were written from |begin| on are spelled otherwise than
 * the text that they came as: that is reported. */
void tw_encode_report_spelling(tw_segments *out, const tw_call *call,
                               size_t begin);
/* A name as a JSON string. */
void tw_encode_json_name(tw_segments *out, const tw_value *name);

#endif
