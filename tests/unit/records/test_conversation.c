/* SPDX-License-Identifier: MIT
 *
 * A result belongs to the last call before it that has its id.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "messages/conversation.h"
#include "json/dump.h"

static uint32_t state = 11;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static void jot_id(tw_json_out *json_out, const char *key)
{
    char text[64];
    if (draw(8) == 0) {
        return;
    }
    snprintf(text, sizeof text, ",\"%s\":\"%.*s%u\"", key, (int)draw(3), "ab",
             (unsigned)draw(4));
    tw_json_put(json_out, text);
}

/* Messages with up to three calls, and results of some call or none. */
static void jot_request(tw_json_out *json_out)
{
    tw_json_put(json_out,
                "{\"messages\":[{\"role\":\"user\",\"content\":\"\"}");
    for (uint32_t left = draw(30); left > 0; left--) {
        if (draw(2) == 0) {
            tw_json_put(json_out, ",{\"role\":\"tool\"");
            jot_id(json_out, "tool_call_id");
            tw_json_put(json_out, ",\"content\":\"\"}");
            continue;
        }
        tw_json_put(json_out, ",{\"role\":\"assistant\",\"tool_calls\":[");
        for (uint32_t calls = draw(4), i = 0; i < calls; i++) {
            tw_json_put(json_out, i > 0 ? ",{\"function\":{\"name\":\"f\"}"
                                        : "{\"function\":{\"name\":\"f\"}");
            jot_id(json_out, "id");
            tw_json_put(json_out, "}");
        }
        tw_json_put(json_out, "]}");
    }
    tw_json_put(json_out, "]}");
}

static const tw_call *searched(const tw_conversation *conversation, size_t at)
{
    const tw_value *id = tw_message_at(conversation, at)->id;
    while (id != NULL && at-- > 0) {
        const tw_message *message = tw_message_at(conversation, at);
        for (size_t i = message->call_count; i-- > 0;) {
            const tw_call *call = tw_call_of(conversation, message, i);
            if (call->id != NULL && call->id->size == id->size &&
                memcmp(call->id->text, id->text, id->size) == 0) {
                return call;
            }
        }
    }
    return NULL;
}

Test(conversation, answered)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_conversation conversation;
    size_t some = 0;
    tw_conversation_init(&conversation, &memory);
    for (int i = 0; i < 2000; i++) {
        tw_json_out json_out = {.memory = &memory};
        jot_request(&json_out);
        cr_assert_eq(tw_conversation_read(&conversation,
                                          (const char *)json_out.out.data,
                                          json_out.out.size),
                     TW_OK);
        for (size_t at = 0; at < tw_message_count(&conversation); at++) {
            const tw_call *call = searched(&conversation, at);
            some += call != NULL;
            cr_expect_eq(tw_conversation_answered(&conversation, at), call,
                         "message %zu of %.*s", at, (int)json_out.out.size,
                         (const char *)json_out.out.data);
        }
        tw_buffer_free(&json_out.out, &memory);
    }
    cr_expect_gt(some, 1000);
    tw_conversation_free(&conversation);
}
