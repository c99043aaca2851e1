/* SPDX-License-Identifier: MIT */
#include "drafts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

bool draft_make(draft_format *draft, const char *name, const char *json,
                size_t size)
{
    draft->memory = tw_memory_from(NULL);
    if (tw_description_load(&draft->loaded, &draft->memory, json, size) !=
        TW_OK) {
        return false;
    }
    const tw_description *description = &draft->loaded.description;
    const tw_format format = {
        .name = name,
        .about = description->about,
        .family = &tw_frame_family,
        .markers = description->public_markers,
        .marker_count = &description->public_count,
        .turn_heads = description->turns,
        .call_heads = description->heads,
        .completions_only = true,
        .description = description,
    };
    draft->format = format;
    return true;
}

void draft_free(draft_format *draft)
{
    tw_description_free(&draft->loaded);
}

bool draft_read(draft_format *draft, const char *folder, const char *name)
{
    enum { LARGEST = 1 << 20 };
    char before[4096];
    char path[4096];
    snprintf(before, sizeof before, "%s/", folder);
    format_file(path, sizeof path, before, name, ".json");
    FILE *file = fopen(path, "rb");
    char *json = malloc(LARGEST);
    if (file == NULL || json == NULL) {
        snprintf(draft->loaded.message, sizeof draft->loaded.message,
                 "there is no draft of it");
    }
    const bool made =
        file != NULL && json != NULL &&
        draft_make(draft, name, json, fread(json, 1, LARGEST, file));
    if (file != NULL) {
        fclose(file);
    }
    free(json);
    return made;
}
