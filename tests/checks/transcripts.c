/* SPDX-License-Identifier: MIT */
#include "transcripts.h"

#include <stdlib.h>
#include <string.h>

#include "transcript.h"

int read_raw(void *context, uint64_t offset, const char *text, size_t size,
             const char **line, size_t *line_size)
{
    tw_jotter *jotter = context;
    (void)offset;
    jotter->out.size = 0;
    tw_jot(jotter, "{\"raw\":");
    tw_jot_string(jotter, text, size);
    *line = (const char *)jotter->out.data;
    *line_size = jotter->out.size;
    return TW_OK;
}

static void check_row(const char *format, const row *at,
                      const tw_memory *memory)
{
    const size_t size = strlen(at->text);
    tw_jotter line = {.memory = memory};
    tw_transcript transcript;
    /* Of exactly its size, so that a read behind it is seen. */
    char *text = malloc(size > 0 ? size : 1);
    cr_assert_not_null(text);
    memcpy(text, at->text, size);
    tw_transcript_init(&transcript, tw_format_find(format), memory);
    cr_assert_eq(tw_transcript_read(&transcript, text, size, read_raw, &line),
                 TW_OK);
    const tw_buffer *found = &transcript.jotter.out;
    cr_expect(found->size == strlen(at->wanted) &&
                  memcmp(found->data, at->wanted, found->size) == 0,
              "%s, %s: %.*s", format, at->text, (int)found->size,
              (const char *)found->data);
    cr_expect_eq(transcript.collect.lost, at->lost, "%s, %s: %d", format,
                 at->text, (int)transcript.collect.lost);
    if (transcript.collect.lost > 0) {
        const ptrdiff_t offset = transcript.collect.lost_at - text;
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
