/* SPDX-License-Identifier: MIT
 *
 * The words that all shapes are made of, appended to a buffer.
 */
#include <string.h>

#include "json/write.h"
#include "writers/writer.h"

static void check(tw_writer *writer, bool done)
{
    if (!done) {
        writer->failed = true;
    }
}

void tw_put_bytes(tw_writer *writer, tw_buffer *out, const tw_buffer *bytes)
{
    check(writer,
          tw_buffer_append(out, &writer->memory, bytes->data, bytes->size));
}

void tw_put_text(tw_writer *writer, tw_buffer *out, const char *data,
                 size_t size)
{
    check(writer, tw_json_write_text(out, &writer->memory, data, size));
}

void tw_put_string(tw_writer *writer, tw_buffer *out, const char *data,
                   size_t size)
{
    check(writer, tw_json_write_string(out, &writer->memory, data, size));
}

void tw_put_number(tw_writer *writer, tw_buffer *out, uint64_t number)
{
    check(writer, tw_json_write_number(out, &writer->memory, number));
}

void tw_put_value(tw_writer *writer, tw_buffer *out, const tw_value *value)
{
    check(writer,
          tw_value_dump(out, &writer->memory, value, &tw_dump_compact));
}

void tw_put_comma(tw_writer *writer, tw_buffer *list)
{
    if (list->size > 0) {
        tw_put(writer, list, ",");
    }
}

void tw_put_call_head(tw_writer *writer, tw_buffer *out, const tw_event *begin)
{
    const bool custom = writer->call_style == TW_CALL_CUSTOM;
    tw_put(writer, out, "\"id\":");
    tw_put_string(writer, out, begin->id, begin->id_size);
    tw_put(writer, out,
           custom ? ",\"type\":\"custom\"" : ",\"type\":\"function\"");
    tw_put(writer, out,
           custom ? ",\"custom\":{\"name\":" : ",\"function\":{\"name\":");
    tw_put_string(writer, out, begin->data, begin->size);
    tw_put(writer, out, custom ? ",\"input\":\"" : ",\"arguments\":\"");
}

void tw_put_call_text(tw_writer *writer, tw_buffer *out, const char *data,
                      size_t size)
{
    if (writer->call_style != TW_CALL_WRAPPED) {
        tw_put_text(writer, out, data, size);
        return;
    }
    /* A string inside JSON text that is itself inside a string. */
    writer->scratch.size = 0;
    tw_put_text(writer, &writer->scratch, data, size);
    tw_put_text(writer, out, (const char *)writer->scratch.data,
                writer->scratch.size);
}

void tw_end_line(tw_writer *writer)
{
    const size_t end = writer->lines.size;
    if (!writer->failed) {
        check(writer, tw_buffer_append(&writer->ends, &writer->memory, &end,
                                       sizeof end));
    }
    writer->made += writer->failed ? 0 : 1;
}

bool tw_writer_has_usual_key(const tw_writer *writer)
{
    const tw_buffer *key = &writer->reasoning_key;
    return key->size == sizeof TW_REASONING_KEY - 1 &&
           memcmp(key->data, TW_REASONING_KEY, key->size) == 0;
}
