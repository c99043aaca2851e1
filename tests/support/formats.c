/* SPDX-License-Identifier: MIT
 *
 * The library's formats, those that have files of cases, and their short
 * names.
 */
#include "formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

const char *format_short_name(const tw_format *format)
{
    return format->alias != NULL ? format->alias : format->name;
}

const tw_format *wire_of(const tw_format *format)
{
    const tw_format *first = tw_format_next(NULL);
    while (first->family != format->family ||
           (first->family == &tw_frame_family &&
            first->markers != format->markers)) {
        first = tw_format_next(first);
    }
    return first;
}

const tw_format *wire_at(size_t i)
{
    const tw_format *at = tw_format_next(NULL);
    while (at != NULL && (wire_of(at) != at || i-- > 0)) {
        at = tw_format_next(at);
    }
    return at;
}

bool format_reads(const tw_format *format, uint32_t role)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->role == role && marker->decoded) {
            return true;
        }
    }
    return false;
}

bool format_recovers_stripped(const tw_format *format)
{
    return format->family->decoding->can_recover_stripped;
}

/* ---- files of cases ----------------------------------------------------- */

void format_file(char *path, size_t size, const char *before, const char *name,
                 const char *behind)
{
    const int length = snprintf(path, size, "%s%s%s", before, name, behind);
    if (length < 0 || (size_t)length >= size) {
        abort();
    }
    char *slash = strchr(path + strlen(before), '/');
    if (slash != NULL) {
        *slash = '-';
    }
}

void format_path(char *path, size_t size, const char *folder, const char *kind,
                 const char *name)
{
    char before[4096];
    snprintf(before, sizeof before, "%s/%s-", folder, kind);
    format_file(path, size, before, name, ".jsonl");
}

static bool has_cases(const char *folder, const char *kind, const char *name)
{
    char path[4096];
    format_path(path, sizeof path, folder, kind, name);
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

bool format_with_cases(format_name *out, const char *folder, const char *kind,
                       size_t i)
{
    const tw_format *format;
    for (size_t at = 0; (format = tw_format_at(at)) != NULL; at++) {
        const char *names[] = {format->alias, format->name};
        for (size_t n = 0; n < 2; n++) {
            if (names[n] != NULL && has_cases(folder, kind, names[n]) &&
                i-- == 0) {
                snprintf(out->text, sizeof out->text, "%s", names[n]);
                return true;
            }
        }
    }
    return false;
}
