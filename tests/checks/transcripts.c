/* SPDX-License-Identifier: MIT
 *
 * Reads transcripts that no encoder wrote, and compares turns and what is left
 * over.
 */
#include "transcripts.h"

#include <stdlib.h>
#include <string.h>

#include "transcript.h"

int read_raw(void *context, uint64_t offset, const char *text, size_t size,
             const char **line, size_t *line_size)
{
    tw_json_out *json_out = context;
    (void)offset;
    json_out->out.size = 0;
    tw_json_put(json_out, "{\"raw\":");
    tw_json_put_string(json_out, text, size);
    *line = (const char *)json_out->out.data;
    *line_size = json_out->out.size;
    return TW_OK;
}

static void check_row(const char *format, const row *at,
                      const tw_memory *memory)
{
    const size_t size = strlen(at->text);
    tw_json_out line = {.memory = memory};
    tw_transcript transcript;
    /* Of exactly its size, so that a read behind it is seen. */
    char *text = malloc(size > 0 ? size : 1);
    cr_assert_not_null(text);
    memcpy(text, at->text, size);
    tw_transcript_init(&transcript, tw_format_find(format), memory);
    cr_assert_eq(tw_transcript_read(&transcript, text, size, read_raw, &line),
                 TW_OK);
    const tw_buffer *found = &transcript.json_out.out;
    cr_expect(found->size == strlen(at->wanted) &&
                  memcmp(found->data, at->wanted, found->size) == 0,
              "%s, %s: %.*s", format, at->text, (int)found->size,
              (const char *)found->data);
    cr_expect_eq(transcript.reader.lost, at->lost, "%s, %s: %d", format,
                 at->text, (int)transcript.reader.lost);
    if (transcript.reader.lost > 0) {
        const ptrdiff_t offset = transcript.reader.lost_at - text;
        cr_expect(offset >= 0 && (size_t)offset < size, "%s, %s: lost at %td",
                  format, at->text, offset);
    }
    tw_transcript_free(&transcript);
    tw_buffer_free(&line.out, memory);
    free(text);
}

void check_transcripts(const char *format, const row *rows, size_t count)
{
    const tw_memory memory = tw_memory_from(NULL);
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        check_row(format, &rows[i], &memory);
    }
}
