/* SPDX-License-Identifier: MIT
 *
 * What the second decoder says of an output: diagnostics, and the calls.
 */
#include "naive_frame.h"
#include <stdio.h>
#include <string.h>

/* --- what is said of the output ---------------------------------------- */

void frame_diagnose(frame_reader *reader, const char *code, size_t at)
{
    naive_diagnose(reader->message, code, at);
}

void frame_drop(frame_reader *reader, const char *code, size_t begin,
                size_t end)
{
    if (end > begin)
        naive_drop(reader->message, code, begin, end - begin);
}

void frame_unparsed(frame_reader *reader, size_t begin, size_t end,
                    const char *reason, const naive_bytes *name)
{
    naive_unparsed *unparsed =
        naive_unparsed_add(reader->message, begin, end - begin, reason);

    if (name && name->size <= FRAME_NAME)
        naive_add_utf8(&unparsed->name, name->data, name->size);
    frame_cut_name(reader, &unparsed->name);
}

/* Has another call than the last this id? */
static bool had_id(const naive_message *message, const naive_bytes *id)
{
    bool found = false;

    for (size_t i = 0; i + 1 < message->call_count; i++)
        found |= message->calls[i].id.size == id->size &&
                 memcmp(message->calls[i].id.data, id->data, id->size) == 0;
    return found;
}

void frame_add_call(frame_reader *reader, const naive_bytes *name,
                    const naive_bytes *id, const naive_bytes *arguments)
{
    naive_call *call = naive_call_add(reader->message);
    char made[40];

    snprintf(made, sizeof made, "call_%zu", reader->message->begun - 1);
    naive_add_utf8(&call->name, name->data, name->size);
    frame_cut_name(reader, &call->name);
    if (id && id->size && !had_id(reader->message, id))
        naive_add(&call->id, id->data, id->size);
    else
        naive_add_text(&call->id, made);
    naive_add(&call->arguments, arguments->data, arguments->size);
}
