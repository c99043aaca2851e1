/* SPDX-License-Identifier: MIT
 *
 * A suffix in each marker: the first marker in the text says which, and the
 * description is read once more with it.
 */
#include "naive_frame.h"

#include <string.h>

enum { SUFFIX = 64 };

/* Is |marker| at |at|, with some suffix in the place of the described one? */
static bool is_at(const char *described, const char *marker, const char *text,
                  size_t size, size_t at, naive_bytes *suffix)
{
    const char *there = marker ? strstr(marker, described) : NULL;
    const size_t front = there ? (size_t)(there - marker) : 0;
    const char *behind = there ? there + strlen(described) : "";
    size_t end = at + front;

    if (!there || end > size || memcmp(text + at, marker, front) != 0)
        return false;
    if (end < size && text[end] == *described) {
        end++;
        while (end < size && (frame_among("_-.", text[end]) ||
                              (text[end] >= '0' && text[end] <= '9') ||
                              ((text[end] | 32) >= 'a' &&
                               (text[end] | 32) <= 'z')))
            end++;
        if (end - at - front == 1 || end - at - front > SUFFIX)
            return false;
    }
    if (size - end < strlen(behind) ||
        memcmp(text + end, behind, strlen(behind)) != 0)
        return false;
    naive_add(suffix, text + at + front, end - at - front);
    return true;
}

static bool marker_at(const frame_description *format, const char *text,
                      size_t size, size_t at, naive_bytes *suffix)
{
    const frame_patterns *const all[] = {&format->call, &format->calls,
                                         &format->reasoning, &format->text};

    for (size_t i = 0; i < format->stops.count; i++)
        if (is_at(format->suffix, format->stops.items[i], text, size, at,
                  suffix))
            return true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < all[k]->count; i++) {
            const frame_pattern *pattern = &all[k]->items[i];
            const char *closer;

            if (is_at(format->suffix, frame_opener(pattern), text, size, at,
                      suffix))
                return true;
            for (size_t n = 0; (closer = frame_closer(pattern, n)); n++)
                if (!frame_closer(pattern, n + 1) &&
                    is_at(format->suffix, closer, text, size, at, suffix))
                    return true;
        }
    return false;
}

static void rewrite(const frame_description *format, const naive_bytes *suffix,
                    naive_bytes *json)
{
    const size_t size = strlen(format->suffix);
    const char *at = format->source.data, *next;

    while ((next = strstr(at, format->suffix))) {
        naive_add(json, at, (size_t)(next - at));
        naive_add(json, suffix->data, suffix->size);
        at = next + size;
    }
    naive_add_text(json, at);
}

bool frame_read_suffixed(const frame_description *format,
                         const frame_options *options, const char *text,
                         size_t size, naive_message *out)
{
    naive_bytes suffix = {0}, json = {0};
    frame_description other = {0};
    const char *error;
    bool found = false;

    naive_add(&suffix, "", 0);
    for (size_t at = 0; *format->suffix && at < size && !found; at++)
        found = marker_at(format, text, size, at, &suffix);
    found = found && strcmp(suffix.data, format->suffix) != 0;
    if (found) {
        rewrite(format, &suffix, &json);
        found = frame_load(json.data, json.size, &other, &error);
    }
    if (found) {
        other.suffix = "";
        naive_frame(&other, options, text, size, out);
        frame_release(&other);
    }
    naive_release(&json);
    naive_release(&suffix);
    return found;
}
