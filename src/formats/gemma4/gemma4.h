/* SPDX-License-Identifier: MIT
 *
 * The door of Gemma 4's room.  The frame decodes it by grammar/gemma4.json,
 * and grammar/gemma4.jinja writes its prompts: what is left is what these lose
 * of calls, and whole ones on their way back.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H
#define TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H

#include "formats/format.h"
#include "messages/transcript_reader.h"

/* family.c */
extern const tw_family tw_gemma4_family;

/* calls.c: the calls of a message, as the template writes them. */
void tw_gemma4_put_calls(const tw_format *format,
                         const tw_conversation *conversation,
                         const tw_message *message, tw_segments *out);

/* transcript.c */
void tw_gemma4_read_transcript(const tw_format *format,
                               tw_transcript_reader *reader, const char *text,
                               size_t size);

#endif
