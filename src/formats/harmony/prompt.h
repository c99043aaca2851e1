/* SPDX-License-Identifier: MIT
 *
 * Harmony's prompts beside grammar/harmony.jinja, which writes them: what that
 * loses, and whole ones on their way back.
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_PROMPT_H
#define TOOLWIRE_FORMATS_HARMONY_PROMPT_H

#include <string.h>

#include "formats/format.h"
#include "messages/transcript_reader.h"

/* Is the dialect openai/harmony's own?  Else a chat template writes it. */
static inline bool tw_harmony_is_renderer(const tw_format *format)
{
    return strcmp(format->name, "harmony") == 0;
}

/* calls.c */
void tw_harmony_put_calls(const tw_format *format,
                          const tw_conversation *conversation,
                          const tw_message *message, tw_segments *out);
/* faithful.c: reports declarations that read back as others, and instructions
 * that read back as declarations. */
void tw_harmony_check_prompt(const tw_format *format,
                             const tw_conversation *conversation,
                             tw_segments *out);
/* transcript.c */
void tw_harmony_read_transcript(const tw_format *format,
                                tw_transcript_reader *reader, const char *text,
                                size_t size);
/* How much of the text behind `# Instructions` stands in front of what reads
 * as tools: all of it, if there are none. */
size_t tw_harmony_find_tools(const char *text, size_t size);
/* declared.c: what stands inside `namespace functions`. */
void tw_harmony_read_tools(bool renderer, tw_transcript_reader *reader,
                           const char *text, size_t size);

#endif
