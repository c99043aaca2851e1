/* SPDX-License-Identifier: MIT
 *
 * What is known of a template's turns, and the template at work.
 */
#include "turns/turns.h"

#include <string.h>

#include "json/dump.h"

void tw_turns_init(tw_turns *turns, const tw_memory *memory)
{
    memset(turns, 0, sizeof *turns);
    turns->memory = turns->found.memory = memory;
}

void tw_turns_forget(tw_turns *turns)
{
    for (size_t i = 0; i < TW_TURNS_PLACES * TW_TURNS_FORMS; i++) {
        tw_buffer_free(&turns->between[0][0] + i, turns->memory);
    }
    for (size_t i = 0; i < TW_TURNS_KINDS; i++) {
        tw_buffer_free(&turns->ends[i], turns->memory);
    }
    turns->known = turns->failed = false;
}

void tw_turns_free(tw_turns *turns)
{
    tw_turns_forget(turns);
    tw_encoder_free(turns->encoder);
    turns->encoder = NULL;
    tw_buffer_free(&turns->front, turns->memory);
    tw_buffer_free(&turns->gap, turns->memory);
    tw_buffer_free(&turns->found.out, turns->memory);
    tw_buffer_free(&turns->tools, turns->memory);
}

bool tw_turns_render(tw_turns *turns, const char *messages, const char *tools,
                     bool generation, tw_buffer *out)
{
    tw_json_out request = {.memory = turns->memory};
    const char *text = "";
    size_t size = 0;
    tw_json_put(&request, "{\"messages\":[");
    tw_json_put(&request, messages);
    tw_json_put(&request, "]");
    if (tools != NULL) {
        tw_json_put(&request, ",\"tools\":");
        tw_json_put(&request, tools);
    }
    tw_json_put(&request, generation ? ",\"add_generation_prompt\":true}"
                                     : ",\"add_generation_prompt\":false}");
    const int code =
        request.failed
            ? TW_ERROR_MEMORY
            : tw_encode(turns->encoder, (const char *)request.out.data,
                        request.out.size, &text, &size);
    tw_buffer_free(&request.out, turns->memory);
    out->size = 0;
    turns->failed |=
        code == TW_ERROR_MEMORY ||
        (code == TW_OK && !tw_buffer_append(out, turns->memory, text, size));
    return code == TW_OK && !turns->failed;
}
