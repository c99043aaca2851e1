/* SPDX-License-Identifier: MIT
 *
 * What is Hermes' beside its descriptions and templates.
 */
#ifndef TOOLWIRE_FORMATS_HERMES_HERMES_H
#define TOOLWIRE_FORMATS_HERMES_HERMES_H

#include "formats/encode.h"
#include "formats/format.h"

/* family.c */
extern const tw_family tw_hermes_family;

/* prompt.c */
void tw_hermes_put_results(const tw_format *format,
                           const tw_conversation *conversation,
                           tw_segments *out);
void tw_hermes_check_prompt(const tw_format *format,
                            const tw_conversation *conversation,
                            tw_segments *out);

/* transcript.c */
void tw_hermes_read_transcript(const tw_format *format,
                               tw_transcript_reader *reader, const char *text,
                               size_t size);

void tw_hermes_read_turn(const tw_format *format, tw_transcript_reader *reader,
                         tw_turn_kind kind, const char *text, size_t size);

/* The words that signatures stand behind, ... */
#define TW_HERMES_SIGNATURES "available tools: <tools> "
/* ... and what stands there. */
void tw_hermes_read_signatures(tw_transcript_reader *reader, const char *text,
                               size_t size);

#endif
