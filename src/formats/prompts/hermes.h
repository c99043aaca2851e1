/* SPDX-License-Identifier: MIT
 *
 * What is Hermes' beside its descriptions and templates.
 */
#ifndef TOOLWIRE_FORMATS_PROMPTS_HERMES_H
#define TOOLWIRE_FORMATS_PROMPTS_HERMES_H

#include "formats/encode.h"
#include "formats/format.h"

/* How a dialect's template frames what all of them write alike. */
typedef struct tw_hermes_dialect {
    const char *begin;          /* of the prompt */
    const char *turn;           /* in front of a role */
    const char *turn_end;       /* of all turns but those of results */
    const char *system_begin;   /* always the first words of the system */
    const char *default_system; /* NULL: there need be no system turn */
    bool signatures;      /* tools are described as Python signatures, in a
                             turn of their own */
    bool results_end_odd; /* the line feed behind the last result stands in
                             front of its turn's end, and only where a
                             message follows */
} tw_hermes_dialect;

extern const tw_hermes_dialect tw_hermes_qwen3;
extern const tw_hermes_dialect tw_hermes_qwen25;
extern const tw_hermes_dialect tw_hermes_nous;
extern const tw_hermes_dialect tw_hermes_rnj1;
extern const tw_marker tw_hermes_markers[];
extern const size_t tw_hermes_marker_count;

/* hermes_family.c: the dialects; the last one has no name. */
extern const tw_format tw_hermes_formats[];

/* hermes_prompt.c */
void tw_hermes_put_results(const tw_format *format,
                           const tw_conversation *conversation,
                           tw_segments *out);
void tw_hermes_check_prompt(const tw_format *format,
                            const tw_conversation *conversation,
                            tw_segments *out);

/* hermes_transcript.c */
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
