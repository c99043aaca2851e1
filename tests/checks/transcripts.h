/* SPDX-License-Identifier: MIT
 *
 * Transcripts cut into turns: of texts that no encoder wrote it is counted
 * what belongs to no turn.
 */
#ifndef TESTS_CHECKS_TRANSCRIPTS_H
#define TESTS_CHECKS_TRANSCRIPTS_H

#include <criterion/criterion.h>

#include "convert/transcript.h"

typedef struct row {
    const char *text;
    size_t lost;
    const char *wanted;
} row;

#define MESSAGES(list) "{\"messages\":[" list "]}"
#define SAID(role, text) "{\"role\":\"" role "\",\"content\":\"" text "\"}"
#define RAW(text) "{\"raw\":\"" text "\"}"
#define RESULT(text) "{\"role\":\"tool\",\"content\":\"" text "\"}"
#define TOOL(rest) \
    "{\"type\":\"function\",\"function\":{\"name\":\"f\"" rest "}}"
#define NONE MESSAGES("")
#define USER MESSAGES(SAID("user", "a"))

void check_transcripts(const char *format, const row *rows, size_t count);

/* Of |text|, read whole: does |part| stand in OpenAI's record of it? */
bool transcript_has(const char *format, const char *text, const char *part);

/* A transcript that is read without a decoder: a completion stands as it is,
 * {"raw"}, in the place of its message. */
typedef struct raw_transcript {
    tw_recoder recoder;
    tw_transcript transcript;
} raw_transcript;

void read_raw(raw_transcript *, const tw_format *, const tw_memory *,
              const char *text, size_t size);
void free_raw(raw_transcript *, const tw_memory *);

#endif
