/* SPDX-License-Identifier: MIT
 *
 * The ids of calls that their heads have, or that are made of what they have;
 * declared names behind a namespace.
 */
#include "naive_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which number {index} of a call counts from. */
static size_t first_index(const frame_pattern *call)
{
    size_t first = 0;

    for (size_t i = 0; i < call->count; i++)
        if (call->parts[i].kind == FRAME_HOLE &&
            call->parts[i].hole == HOLE_INDEX && call->parts[i].text.size)
            first = 1;
    return first;
}

/* Does the format write an id as it is, NAME:INDEX, in front of the call? */
bool frame_writes_ids(const frame_description *format)
{
    bool found = false;

    for (size_t i = 0; i < format->call.count; i++) {
        const frame_pattern *call = &format->call.items[i];

        for (size_t k = 0; k + 2 < call->count && !call->loose; k++)
            found = found || (call->parts[k].kind == FRAME_HOLE &&
                              call->parts[k].hole == HOLE_NAME &&
                              call->parts[k + 1].kind == FRAME_MARKER &&
                              strcmp(call->parts[k + 1].text.data, ":") == 0 &&
                              call->parts[k + 2].hole == HOLE_INDEX);
    }
    return found && format->id && strlen(format->id) >= 14 &&
           strcmp(format->id + strlen(format->id) - 14, "{name}:{index}") == 0;
}

/* The id of the name and the index that the head has. */
static void make_id(const frame_description *format, const frame_head *head,
                    naive_bytes *id)
{
    const naive_bytes *index = &head->match.holes[HOLE_INDEX];
    const naive_bytes *name = &head->match.holes[HOLE_NAME];
    const char *at = format->id;
    bool good = at && strstr(at, "{index") && index->size > 0 &&
                index->size <= 18 &&
                strspn(index->data, "0123456789") == index->size;

    while (good && *at) {
        const size_t size = strncmp(at, "{index:1}", 9) == 0 ? 9
                            : strncmp(at, "{index}", 7) == 0 ? 7
                                                             : 0;
        const size_t here = first_index(head->call), there = size == 9;
        char digits[24];

        if (size && here == there) {
            naive_add(id, index->data, index->size);
        } else if (size) {
            unsigned long long number = strtoull(index->data, NULL, 10);

            good = number + there >= here;
            snprintf(digits, sizeof digits, "%llu", number + there - here);
            naive_add_text(id, digits);
        } else if (strncmp(at, "{name}", 6) == 0) {
            naive_add(id, name->data, name->size);
            good = name->size > 0;
            at += 6;
            continue;
        } else {
            naive_add(id, at, 1);
        }
        at += size ? size : 1;
    }
    if (!good)
        id->size = 0;
}

void frame_id_of(const frame_description *format, const frame_head *head,
                 naive_bytes *id)
{
    const naive_bytes *written = &head->match.holes[HOLE_ID];

    if (written->size)
        naive_add(id, written->data, written->size);
    else
        make_id(format, head, id);
}

/* --- names -------------------------------------------------------------- */

/* Behind what stands in front of a declared tool's name. */
static size_t cut_of(const frame_reader *reader, const naive_bytes *name)
{
    naive_bytes part = {0};
    size_t cut = 0, at;

    for (at = 0; at < name->size && !cut; at++) {
        if (at > 0 && !frame_among(":.", name->data[at - 1]))
            continue;
        naive_release(&part);
        naive_add(&part, name->data + at, name->size - at);
        if (frame_tool(reader, &part)) {
            cut = at;
            break;
        }
    }
    naive_release(&part);
    return cut;
}

void frame_cut_name(const frame_reader *reader, naive_bytes *name)
{
    const size_t cut = cut_of(reader, name);

    if (cut > 0) {
        naive_bytes part = {0};

        naive_add(&part, name->data + cut, name->size - cut);
        naive_release(name);
        *name = part;
    }
}

/* The tool that |data| names, behind the prefix of an id: as it is, or without
 * its digits, or without the mark in front of those, too. */
static size_t tool_size(const frame_reader *reader, const char *data,
                        size_t size)
{
    size_t digits = size, sizes[3] = {size, 0, 0}, found = 0;

    while (digits > 0 && data[digits - 1] >= '0' && data[digits - 1] <= '9')
        digits--;
    sizes[1] = sizes[2] = digits;
    if (digits > 0 && digits < size && frame_among("._:", data[digits - 1]))
        sizes[2]--;
    for (size_t i = 0; i < 3 && !found; i++) {
        naive_bytes name = {0};

        naive_add(&name, data, sizes[i]);
        if (sizes[i] > 0 && frame_tool(reader, &name))
            found = sizes[i];
        naive_release(&name);
    }
    return found;
}

/* An id that is not the format's, in the name's place.  Its prefix is none of
 * the name.  Where a client has cut dots and colons off, nothing but a
 * declared tool tells the name. */
void frame_repair_name(frame_reader *reader, frame_head *head, size_t at)
{
    naive_bytes *name = &head->match.holes[HOLE_NAME], inner = {0};
    const char *id = reader->format->id;
    size_t prefix = id ? strcspn(id, "{") : 0, begin = prefix, size = 0;

    if (!prefix || !frame_writes_ids(reader->format))
        return;
    if (!head->call->loose) { /* one index more */
        const size_t tool = tool_size(reader, name->data, name->size);

        begin = 0;
        size = tool > 0 && tool < name->size && name->data[tool] == ':' ? tool
                                                                        : 0;
    } else if (name->size > prefix && memcmp(name->data, id, prefix) == 0) {
        size = tool_size(reader, name->data + begin, name->size - begin);
        if (!size && frame_among("._:", name->data[begin])) {
            size = tool_size(reader, name->data + begin + 1,
                             name->size - begin - 1);
            begin += size > 0;
        }
        size = size ? size : name->size - prefix;
    } else if (frame_has_tools(reader) && !frame_tool(reader, name)) {
        while (begin > 0 && frame_among("._:", id[begin - 1]))
            begin--;
        if (name->size <= begin || memcmp(name->data, id, begin) != 0)
            return;
        size = tool_size(reader, name->data + begin, name->size - begin);
        if (!size && frame_among("._:", name->data[begin])) {
            begin++;
            size = tool_size(reader, name->data + begin, name->size - begin);
        }
    }
    if (!size)
        return;
    naive_add(&inner, name->data + begin, size);
    frame_diagnose(reader, "name_repaired", at);
    naive_release(name);
    *name = inner;
}
