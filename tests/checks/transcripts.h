/* SPDX-License-Identifier: MIT
 *
 * Transcripts cut into turns: of texts that no encoder wrote it is counted
 * what belongs to no turn.
 */
#ifndef TESTS_CHECKS_TRANSCRIPTS_H
#define TESTS_CHECKS_TRANSCRIPTS_H

#include <criterion/criterion.h>

#include "json/dump.h"

typedef struct row {
    const char *text;
    size_t lost;
    const char *wanted;
} row;

#define MESSAGES(list) "{\"messages\":[" list "]}"
#define SAID(role, text) "{\"role\":\"" role "\",\"content\":\"" text "\"}"
#define RAW(text) "{\"raw\":\"" text "\"}"
#define RESULT(id, text)                                                      \
    "{\"role\":\"tool\",\"tool_call_id\":\"call_" id "\",\"content\":\"" text \
    "\"}"
#define TOOL(rest) \
    "{\"type\":\"function\",\"function\":{\"name\":\"f\"" rest "}}"
#define NONE MESSAGES("")
#define USER MESSAGES(SAID("user", "a"))

void check_transcripts(const char *format, const row *rows, size_t count);

/* For tw_transcript_read(), with a tw_json_out: a completion as it stands in
 * the place of its message. */
int read_raw(void *context, uint64_t offset, const char *text, size_t size,
             const char **line, size_t *line_size);

#endif
