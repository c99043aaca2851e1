/* SPDX-License-Identifier: MIT
 *
 * Reads transcripts that no encoder wrote, and compares turns and what is left
 * over.
 */
#include "transcripts.h"

#include <stdlib.h>
#include <string.h>

static int take_raw(void *context, uint64_t offset, const char *text,
                    size_t size)
{
    tw_recoder *recoder = context;
    (void)offset;
    tw_make_any(
        &recoder->made,
        tw_make(&recoder->made, recoder->messages, NULL, TW_VALUE_OBJECT),
        "raw", text, size);
    return TW_OK;
}

void read_raw(raw_transcript *raw, const tw_format *format,
              const tw_memory *memory, const char *text, size_t size)
{
    tw_recoder *recoder = &raw->recoder;
    memset(raw, 0, sizeof *raw);
    recoder->memory = recoder->json_out.memory = memory;
    tw_tree_init(&recoder->made, memory);
    tw_tree_init(&recoder->texts, memory);
    tw_read_begin(recoder, NULL);
    tw_transcript_init(&raw->transcript, format, recoder, memory);
    cr_assert_eq(
        tw_transcript_read(&raw->transcript, text, size, take_raw, recoder),
        TW_OK);
}

void free_raw(raw_transcript *raw, const tw_memory *memory)
{
    tw_transcript_free(&raw->transcript);
    tw_tree_free(&raw->recoder.made);
    tw_tree_free(&raw->recoder.texts);
    tw_buffer_free(&raw->recoder.json_out.out, memory);
}

static void check_row(const char *format, const row *at,
                      const tw_memory *memory)
{
    const size_t size = strlen(at->text);
    raw_transcript raw;
    /* Of exactly its size, so that a read behind it is seen. */
    char *text = malloc(size > 0 ? size : 1);
    cr_assert_not_null(text);
    memcpy(text, at->text, size);
    read_raw(&raw, tw_format_find(format), memory, text, size);
    const tw_transcript_reader *reader = &raw.transcript.reader;
    tw_json_put_value(&raw.recoder.json_out, raw.recoder.request);
    const tw_buffer *found = &raw.recoder.json_out.out;
    cr_expect(found->size == strlen(at->wanted) &&
                  memcmp(found->data, at->wanted, found->size) == 0,
              "%s, %s: %.*s", format, at->text, (int)found->size,
              (const char *)found->data);
    cr_expect_eq(reader->lost, at->lost, "%s, %s: %d", format, at->text,
                 (int)reader->lost);
    if (reader->lost > 0) {
        const ptrdiff_t offset = reader->lost_at - text;
        cr_expect(offset >= 0 && (size_t)offset < size, "%s, %s: lost at %td",
                  format, at->text, offset);
    }
    free_raw(&raw, memory);
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

bool transcript_has(const char *format, const char *text, const char *part)
{
    tw_converter *converter = tw_converter_new(format, "openai", NULL);
    const char *json;
    size_t size;
    cr_assert_eq(
        tw_decode_transcript(converter, text, strlen(text), &json, &size),
        TW_OK);
    char *copy = strndup(json, size);
    cr_assert_not_null(copy);
    const bool has = strstr(copy, part) != NULL;
    free(copy);
    tw_converter_free(converter);
    return has;
}
