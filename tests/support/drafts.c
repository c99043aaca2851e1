/* SPDX-License-Identifier: MIT
 *
 * A description becomes a format as the library would make it, without a
 * decoder for its example.
 */
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

bool draft_read(draft_format *draft, const char *name)
{
    enum { LARGEST = 1 << 20 };
    char path[4096];
    format_file(path, sizeof path, DRAFTS_FOLDER "/", name, ".json");
    FILE *file = fopen(path, "rb");
    char *json = malloc(LARGEST);
    bool made = false;
    if (file == NULL || json == NULL) {
        snprintf(draft->loaded.message, sizeof draft->loaded.message,
                 "there is no draft of it");
    } else {
        const size_t size = fread(json, 1, LARGEST, file);
        made = draft_make(draft, name, json, size);
        draft->naive = made ? naive_of_description(name, json, size) : NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    free(json);
    return made;
}

const draft_format *draft_named(const char *name)
{
    typedef struct kept_draft {
        draft_format draft;
        char name[FORMAT_NAME_SIZE];
        struct kept_draft *next;
    } kept_draft;
    static kept_draft *all;
    for (const kept_draft *at = all; at != NULL; at = at->next) {
        if (strcmp(at->name, name) == 0) {
            return &at->draft;
        }
    }
    kept_draft *one = calloc(1, sizeof *one);
    if (one == NULL) {
        abort();
    }
    snprintf(one->name, sizeof one->name, "%s", name);
    if (!draft_read(&one->draft, one->name)) {
        free(one);
        return NULL;
    }
    one->next = all;
    all = one;
    return &one->draft;
}
