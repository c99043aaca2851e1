/* SPDX-License-Identifier: MIT
 *
 * All formats that are built in.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/harmony/harmony.h"

const tw_format *tw_format_next(const tw_format *format)
{
    const tw_format *at = format == NULL ? tw_harmony_formats : format + 1;
    if (at->name == NULL && (format == NULL || format->description == NULL)) {
        at = tw_framed_formats;
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
    return format != NULL && TW_HAS_ENCODERS != 0 && format->prompt != NULL;
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
    tw_description own = *description;
    if (!format->loaded && strcmp(format->name, description->name) != 0) {
        const char *at = format->models;
        for (size_t i = 0; *at != 0 && i < MODELS_MOST; i++) {
            models[i] = at;
            at += strlen(at) + 1;
        }
        own.name = format->name;
        own.alias = "";
        own.about = format->about;
        own.models = models;
    }
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
