/* SPDX-License-Identifier: MIT
 *
 * The messages of a conversation that goes on.
 */
#include "encode/episode.h"

void tw_episode_init(tw_episode *episode, const tw_memory *memory)
{
    tw_tree_init(&episode->tree, memory);
    episode->tree.keeps_lone = true;
}

void tw_episode_free(tw_episode *episode)
{
    const tw_memory *memory = episode->tree.memory;
    tw_buffer_free(&episode->all, memory);
    tw_buffer_free(&episode->kept, memory);
    tw_tree_free(&episode->tree);
}

void tw_episode_begin(tw_episode *episode, tw_value *request)
{
    episode->request = request;
    episode->all.size = episode->kept.size = episode->turns = 0;
    episode->left = 0;
    episode->tried = 0;
    episode->whole = episode->is_new = false;
}

/* ---- what is kept ------------------------------------------------------- */

enum { KINDS = 18, QUESTION = KINDS };

/* Turns of one kind are written alike: by what they have. */
static size_t kind_of(const tw_message *message)
{
    const tw_value *content = message->content;
    const size_t text = content == NULL                    ? 0
                        : content->kind != TW_VALUE_STRING ? 1
                        : content->size > 0                ? 2
                                                           : 0;
    const size_t calls = message->call_count < 2 ? message->call_count : 2;
    return (text * 3 + calls) * 2 + (message->reasoning != NULL);
}

/* The number of the last message that is neither the model's nor a tool's. */
static size_t find_question(const tw_conversation *conversation)
{
    size_t at = tw_message_count(conversation);
    tw_role role = TW_ROLE_TOOL;
    while (at > 0 && (role == TW_ROLE_ASSISTANT || role == TW_ROLE_TOOL)) {
        role = tw_message_at(conversation, --at)->role;
    }
    return at;
}

/* Puts those to be kept into |kept|, and a bit for the kind of each other one
 * into |*left|; false: no memory. */
static bool choose(const tw_conversation *conversation, tw_buffer *kept,
                   uint32_t *left, const tw_memory *memory)
{
    const size_t question = find_question(conversation);
    const size_t count = tw_message_count(conversation);
    size_t last[KINDS] = {0};
    for (size_t i = question + 1; i < count; i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (message->role == TW_ROLE_ASSISTANT) {
            last[kind_of(message)] = i;
        }
    }
    bool good = true;
    bool wanted = true; /* the turn under way is */
    size_t kind = QUESTION;
    for (size_t i = 0; i < count; i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (message->role == TW_ROLE_ASSISTANT) {
            kind = kind_of(message);
            wanted = i > question && last[kind] == i;
        } else if (message->role != TW_ROLE_TOOL) {
            kind = QUESTION;
            wanted = i == question || tw_message_is_system(message);
        }
        *left |= wanted ? 0 : UINT32_C(1) << kind;
        good =
            good && (!wanted || tw_buffer_append(kept, memory, &message->value,
                                                 sizeof message->value));
    }
    return good;
}

bool tw_episode_take(tw_episode *episode, const tw_conversation *conversation,
                     const tw_buffer *added)
{
    const tw_memory *memory = episode->tree.memory;
    tw_buffer kept = {0};
    uint32_t left = episode->left;
    if (!choose(conversation, &kept, &left, memory) ||
        !tw_buffer_append(&episode->all, memory, added->data, added->size)) {
        tw_buffer_free(&kept, memory);
        return false;
    }
    tw_buffer_free(&episode->kept, memory);
    episode->kept = kept;
    episode->is_new = left != episode->left;
    episode->tried =
        episode->is_new ? 0 : episode->tried; /* with the others */
    episode->left = left;
    episode->turns++;
    return true;
}

/* A bit for the kind of turn |own|, and for who speaks last. */
static uint64_t situation(const tw_conversation *conversation, size_t own)
{
    const size_t count = tw_message_count(conversation);
    if (own == 0 || own > count) {
        return 0; /* the conversation was refused */
    }
    const tw_role role = tw_message_at(conversation, count - 1)->role;
    const size_t end = role == TW_ROLE_ASSISTANT ? 0
                       : role == TW_ROLE_TOOL    ? 1
                                                 : 2;
    return UINT64_C(1) << (kind_of(tw_message_at(conversation, own - 1)) * 3 +
                           end);
}

bool tw_episode_is_tried(tw_episode *episode,
                         const tw_conversation *conversation, size_t own)
{
    if (episode->whole || episode->left == 0) {
        return false;
    }
    const uint64_t tried = episode->tried | situation(conversation, own);
    const bool is_first = tried != episode->tried;
    episode->tried = tried;
    return is_first || episode->is_new ||
           (episode->turns & (episode->turns - 1)) == 0;
}

const tw_buffer *tw_episode_before(const tw_episode *episode)
{
    return episode->whole || episode->kept.size == 0 ? &episode->all
                                                     : &episode->kept;
}
