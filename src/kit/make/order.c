/* SPDX-License-Identifier: MIT
 *
 * The parts of a message are encoded one by one and put side by side, without
 * what ends those in front.
 */
#include "kit/make/order.h"

#include <string.h>

/* What a part of the message has. */
typedef struct choice {
    bool reasoning;
    bool content;
    const tw_value *from; /* calls from here on ... */
    const tw_value *to;   /* ... up to here; NULL: all */
} choice;

static void jot_part(tw_json_out *json_out, const tw_value *message,
                     const choice *its)
{
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *reasoning = tw_value_member(message, "reasoning_content");
    const char *before = ",\"tool_calls\":[";
    tw_json_put(json_out, "{\"role\":\"assistant\",\"content\":");
    if (its->content) {
        tw_json_put_value(json_out, content);
    } else {
        tw_json_put(json_out, "null");
    }
    if (its->reasoning && reasoning != NULL) {
        tw_json_put(json_out, ",\"reasoning_content\":");
        tw_json_put_value(json_out, reasoning);
    }
    for (const tw_value *call = its->from; call != its->to;
         call = call->next) {
        tw_json_put(json_out, before);
        tw_json_put_value(json_out, call);
        before = ",";
    }
    tw_json_put(json_out, its->from != its->to ? "]}" : "}");
}

/* Appends a part: |front| with what stands in front of a message, |end| with
 * what ends it.  False: the format does not carry it alone. */
static bool append_part(kit_maker *maker, kit_wire *to,
                        const tw_value *message, choice its, bool front,
                        bool end)
{
    tw_json_out json_out = {.memory = maker->memory};
    kit_wire part = {0};
    jot_part(&json_out, message, &its);
    maker->failed |= json_out.failed;
    bool good = !json_out.failed &&
                kit_encode(maker, &part, (const char *)json_out.out.data,
                           json_out.out.size);
    if (good) {
        const size_t size = part.bytes.size;
        const size_t from = front ? 0 : kit_behind_prologue(maker, &part);
        good = kit_wire_append_part(to, maker->memory, &part, from,
                                    end ? size : kit_before_end(maker, &part));
        maker->failed |= !good;
    }
    tw_buffer_free(&json_out.out, maker->memory);
    kit_wire_free(&part, maker->memory);
    return good;
}

static bool append_feed(kit_maker *maker, kit_wire *to)
{
    return kit_wire_append(to, maker->memory, "\n", 1, KIT_PLAIN);
}

static bool write_parts(kit_maker *maker, kit_wire *to,
                        const tw_value *message, kit_order order)
{
    const tw_value *calls = tw_value_member(message, "tool_calls")->first;
    const choice text = {.content = true};
    const choice thought = {.reasoning = true, .content = true};
    switch (order) {
    case KIT_BEFORE:
        return append_part(maker, to, message, thought, true, false) &&
               append_part(maker, to, message, (choice){.from = calls}, false,
                           true);
    case KIT_BEHIND:
        return append_part(maker, to, message,
                           (choice){.reasoning = true, .from = calls}, true,
                           false) &&
               append_feed(maker, to) &&
               append_part(maker, to, message, text, false, true);
    default:
        return append_part(maker, to, message,
                           (choice){.reasoning = true,
                                    .from = calls,
                                    .to = calls->next},
                           true, false) &&
               append_feed(maker, to) &&
               append_part(maker, to, message, text, false, false) &&
               append_feed(maker, to) &&
               append_part(maker, to, message, (choice){.from = calls->next},
                           false, true);
    }
}

/* Does the wire end with the text, but for what ends the message? */
static bool text_is_behind(kit_maker *maker, const kit_turn *turn,
                           const tw_value *content)
{
    const tw_buffer *bytes = &turn->wire.bytes;
    const size_t end = kit_before_end(maker, &turn->wire);
    return end >= content->size && memcmp(bytes->data + end - content->size,
                                          content->text, content->size) == 0;
}

bool kit_put_in_order(kit_maker *maker, kit_turn *turn, kit_order order)
{
    kit_turn made = *turn;
    tw_tree tree;
    memset(&made.wire, 0, sizeof made.wire);
    tw_tree_init(&tree, maker->memory);
    if (tw_tree_read(&tree, (const char *)turn->message.data,
                     turn->message.size, false) != TW_OK) {
        maker->failed = true;
    }
    const tw_value *message = tree.root;
    const tw_value *content =
        maker->failed ? NULL : tw_value_member(message, "content");
    const tw_value *calls =
        maker->failed ? NULL : tw_value_member(message, "tool_calls");
    const bool both = calls != NULL && content->kind == TW_VALUE_STRING;
    /* Most templates write text in front. */
    const bool due =
        both && (order == KIT_BEFORE    ? text_is_behind(maker, turn, content)
                 : order == KIT_BETWEEN ? calls->first->next != NULL
                                        : order == KIT_BEHIND);
    if (due && write_parts(maker, &made.wire, message, order) &&
        kit_reads_back(maker, &made, true)) {
        kit_wire_swap(&turn->wire, &made.wire);
    }
    kit_wire_free(&made.wire, maker->memory);
    tw_tree_free(&tree);
    return !maker->failed;
}
