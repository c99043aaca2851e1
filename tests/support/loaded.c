/* SPDX-License-Identifier: MIT
 *
 * A description becomes a format as the library would make it, without a
 * decoder for its example.
 */
#include "loaded.h"

bool loaded_make(loaded_format *made, const char *name, const char *json,
                 size_t size)
{
    made->memory = tw_memory_from(NULL);
    if (tw_description_load(&made->loaded, &made->memory, json, size) !=
        TW_OK) {
        return false;
    }
    const tw_description *description = &made->loaded.description;
    const tw_format format = {
        .name = name,
        .about = description->about,
        .family = &tw_frame_family,
        .markers = description->public_markers,
        .marker_count = &description->public_count,
        .turn_heads = description->turns,
        .call_heads = description->heads,
        .description = description,
    };
    made->format = format;
    return true;
}

void loaded_free(loaded_format *made)
{
    tw_description_free(&made->loaded);
}
