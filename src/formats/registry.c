/* SPDX-License-Identifier: MIT
 *
 * All formats that are built in, room by room.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/gemma4/gemma4.h"
#include "formats/harmony/harmony.h"
#include "formats/prompts/hermes.h"

/* Formats with prompts of their own, ... */
static const tw_format *const rooms[] = {tw_gemma4_formats, tw_harmony_formats,
                                         tw_hermes_formats};

enum { ROOMS = sizeof rooms / sizeof rooms[0] };

/* ... and those of which their descriptions are all. */
static bool is_plain(const tw_format *framed)
{
    for (size_t i = 0; i < ROOMS; i++) {
        for (const tw_format *at = rooms[i]; at->name != NULL; at++) {
            if (at->name[0] == framed->name[0] && at != framed &&
                strcmp(at->name, framed->name) == 0) {
                return false;
            }
        }
    }
    return true;
}

const tw_format *tw_format_of_room(size_t room)
{
    return room < ROOMS ? rooms[room] : NULL;
}

/* What stands behind the last one of a room. */
static const tw_format *next_room(const tw_format *end)
{
    for (size_t i = 0; i < ROOMS; i++) {
        const tw_format *at = rooms[i];
        while (at->name != NULL) {
            at++;
        }
        if (at == end) {
            return i + 1 < ROOMS ? rooms[i + 1] : tw_framed_formats;
        }
    }
    return end;
}

const tw_format *tw_format_next(const tw_format *format)
{
    const tw_format *at = format != NULL ? format + 1 : rooms[0];
    at = at->name == NULL ? next_room(at) : at;
    while (at->name != NULL && !is_plain(at)) {
        at++;
    }
    return at->name != NULL ? at : NULL;
}

const tw_format *tw_format_at(size_t i)
{
    const tw_format *at = tw_format_next(NULL);
    for (; at != NULL && i > 0; i--) {
        at = tw_format_next(at);
    }
    return at;
}

const char *tw_format_name(const tw_format *format)
{
    return format != NULL ? format->name : NULL;
}

const char *tw_format_about(const tw_format *format)
{
    return format != NULL ? format->about : NULL;
}

int tw_format_has_prompts(const tw_format *format)
{
    return format != NULL && TW_HAS_ENCODERS != 0 &&
           (!format->completions_only || format->prompt != NULL);
}

int tw_format_reads_transcripts(const tw_format *format)
{
    return format != NULL && format->family->read_transcript != NULL;
}

size_t tw_format_describe(const tw_format *format, char *json, size_t room)
{
    const tw_description *description =
        format != NULL ? format->description : NULL;
    if (description == NULL) {
        return 0;
    }
    /* Dialects that differ in their prompts alone share one. */
    enum { MODELS_MOST = 8 };
    const char *models[MODELS_MOST + 1] = {NULL};
    const char *model = format->models;
    tw_description own = *description;
    for (size_t i = 0; model != NULL && *model != 0 && i < MODELS_MOST; i++) {
        models[i] = model;
        model += strlen(model) + 1;
    }
    own.models = models[0] != NULL ? models : own.models;
    own.name = *own.name != 0 ? format->name : own.name;
    own.alias = format->alias != NULL ? format->alias : "";
    own.about = format->about;
    return tw_description_show(&own, json, json != NULL ? room : 0);
}

const char *tw_format_warning(const tw_format *format, size_t i)
{
    const tw_description *description =
        format != NULL ? format->description : NULL;
    return description != NULL ? tw_description_doubt(description, i) : NULL;
}

int tw_format_marker(const tw_format *format, size_t i,
                     const tw_marker **marker)
{
    if (format == NULL || marker == NULL || i >= *format->marker_count) {
        return 0;
    }
    *marker = &format->markers[i];
    return 1;
}
