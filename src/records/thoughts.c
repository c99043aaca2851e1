/* SPDX-License-Identifier: MIT
 *
 * Thoughts that are parts of an assistant's content, as Mistral, Cohere and
 * some agents have them: where the target has no such parts they are the
 * message's reasoning.
 *
 *     {"type":"thinking","thinking":[{"type":"text","text":"Brest."}]}
 */
#include "records/records.h"

/* The texts of a thought, a list or one text; NULL: it is none.  One that is
 * redacted has what no reader understands. */
static const tw_value *thought_of(const tw_value *part)
{
    static const char *const types[] = {"thinking", "reasoning", "think",
                                        NULL};
    const tw_value *type = tw_value_member(part, "type");
    const tw_value *said =
        tw_value_is_one_of(type, types)
            ? tw_value_member_sized(part, type->text, type->size)
            : NULL;
    return said != NULL &&
                   (tw_value_is_a(said, TW_VALUE_ARRAY) ||
                    said->kind == TW_VALUE_STRING) &&
                   !tw_value_is_true(tw_value_member(part, "redacted"))
               ? said
               : NULL;
}

/* Tells the members of a thought that have no place. */
static void lose_others(tw_recoder *recoder, const tw_value *part,
                        const tw_value *said)
{
    for (const tw_value *at = part->first; at != NULL; at = at->next) {
        const bool told =
            at == said || tw_value_has_key(at, "type") ||
            tw_value_is_void(at) ||
            (tw_value_has_key(at, "closed") && tw_value_is_true(at)) ||
            (tw_value_has_key(at, "redacted") && at->kind == TW_VALUE_FALSE);
        if (!told) {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, at, NULL);
        }
    }
}

/* Reasoning that stands beside the content leaves no place for another. */
static bool has_thoughts(const tw_value *message)
{
    static const char *const names[] = {"reasoning_content", "reasoning",
                                        "thinking", NULL};
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    while (at != NULL && thought_of(at) == NULL) {
        at = at->next;
    }
    const bool some =
        at != NULL &&
        tw_value_is(tw_value_member(message, "role"), "assistant");
    for (at = message->first; at != NULL && some; at = at->next) {
        if (tw_value_is_named(at, names) && !tw_value_is_void(at)) {
            return false;
        }
    }
    return some;
}

static void add_thought(tw_recoder *recoder, tw_joint *all,
                        const tw_value *part)
{
    static const char *const text_has[] = {"\"type", "text", NULL};
    const tw_value *said = thought_of(part);
    const bool lone = said->kind == TW_VALUE_STRING;
    const tw_value *at = lone ? said : said->first;
    for (; at != NULL; at = lone ? NULL : at->next) {
        const tw_value *text = tw_part_text(at);
        if (text == NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
            continue;
        }
        tw_joint_add(all, recoder, text);
        if (at->kind == TW_VALUE_OBJECT) {
            tw_losses_add_members(&recoder->losses, at, text_has);
        }
    }
    lose_others(recoder, part, said);
}

static void read_message(tw_recoder *recoder, tw_value *list,
                         const tw_value *message)
{
    tw_value *made =
        tw_read_part(recoder, list, NULL, TW_VALUE_OBJECT, message);
    const tw_value *content = tw_value_member(message, "content");
    tw_joint all = {{0}, 0, NULL, 0};
    for (const tw_value *at = message->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "content")) {
            tw_read_member(recoder, made, NULL, at);
        }
    }
    tw_value *left =
        tw_read_part(recoder, made, "content", TW_VALUE_ARRAY, content);
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        if (thought_of(at) == NULL) {
            tw_read_member(recoder, left, NULL, at);
            continue;
        }
        add_thought(recoder, &all, at);
        if (left != NULL && left->first != NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_MOVED, at,
                                   "Reasoning comes first.");
        }
    }
    tw_read_end_content(left, true);
    tw_read_reasoning(recoder, made, &all);
}

/* The name of a list of messages, or NULL. */
static const char *name_of(const tw_value *member)
{
    static const char *const names[] = {"messages", "conversations", "chosen",
                                        "rejected", NULL};
    size_t i = 0;
    while (names[i] != NULL && !tw_value_has_key(member, names[i])) {
        i++;
    }
    return tw_value_is_a(member, TW_VALUE_ARRAY) ? names[i] : NULL;
}

static bool have_thoughts(const tw_value *list)
{
    const tw_value *at = name_of(list) != NULL ? list->first : NULL;
    while (at != NULL && !has_thoughts(at)) {
        at = at->next;
    }
    return at != NULL;
}

const tw_value *tw_read_thoughts(tw_recoder *recoder, const tw_value *request)
{
    const tw_record_shape *to = recoder->to;
    const bool holds =
        to != NULL && to->has_arguments && !to->has_items && !to->is_strict;
    const tw_value *at = request != NULL && !holds ? request->first : NULL;
    while (at != NULL && !have_thoughts(at)) {
        at = at->next;
    }
    if (at == NULL) {
        return request;
    }
    tw_value *made =
        tw_read_part(recoder, NULL, NULL, TW_VALUE_OBJECT, request);
    for (at = request->first; at != NULL; at = at->next) {
        if (!have_thoughts(at)) {
            tw_read_member(recoder, made, NULL, at);
            continue;
        }
        tw_value *list =
            tw_read_part(recoder, made, name_of(at), TW_VALUE_ARRAY, at);
        for (const tw_value *one = at->first; one != NULL; one = one->next) {
            if (has_thoughts(one)) {
                read_message(recoder, list, one);
            } else {
                tw_read_member(recoder, list, NULL, one);
            }
        }
    }
    return made;
}
