/* SPDX-License-Identifier: MIT
 *
 * Calls by their ids.  Where two of one message came with one, the second gets
 * another, and so does its result.
 */
#include "messages/conversation.h"

#include <string.h>

#include "core/ascii.h"
#include "core/sort.h"
#include "json/make.h"

static const tw_call *call_at(const tw_conversation *conversation, size_t i)
{
    return (const tw_call *)(const void *)conversation->calls.data + i;
}

/* The order of the texts, then of the calls. */
static bool is_before(const tw_value *id, size_t call, const tw_value *other,
                      size_t other_call)
{
    const int order = tw_value_order(id, other);
    return order != 0 ? order < 0 : call < other_call;
}

static bool is_id_before(const void *context, size_t left, size_t right)
{
    const tw_conversation *conversation = context;
    return is_before(call_at(conversation, left)->id, left,
                     call_at(conversation, right)->id, right);
}

/* So that finding the calls of many results takes no more than n log n steps,
 * whatever the ids are. */
static bool sort_ids(tw_conversation *conversation)
{
    tw_buffer *ids = &conversation->by_id;
    ids->size = 0;
    const size_t calls = conversation->calls.size / sizeof(tw_call);
    for (size_t i = 0; i < calls; i++) {
        if (call_at(conversation, i)->id != NULL &&
            !tw_buffer_append(ids, conversation->memory, &i, sizeof i)) {
            return false;
        }
    }
    return tw_sort(ids, conversation->memory, is_id_before, conversation);
}

const tw_call *tw_conversation_named_call(const tw_conversation *conversation,
                                          const tw_value *id, size_t count)
{
    const size_t *ids = (const size_t *)(const void *)conversation->by_id.data;
    tw_halves halves = {.high = conversation->by_id.size / sizeof *ids};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves,
                       is_before(call_at(conversation, ids[halves.middle])->id,
                                 ids[halves.middle], id, count));
    }
    const tw_call *call =
        halves.low > 0 ? call_at(conversation, ids[halves.low - 1]) : NULL;
    return call != NULL && call->id->size == id->size &&
                   !is_before(call->id, 0, id, 0)
               ? call
               : NULL;
}

const tw_call *tw_conversation_answered(const tw_conversation *conversation,
                                        size_t at)
{
    const tw_message *message = tw_message_at(conversation, at);
    return message->id != NULL
               ? tw_conversation_named_call(conversation, message->id,
                                            message->first_call)
               : NULL;
}

bool tw_conversation_has_call(const tw_conversation *conversation,
                              const char *id, size_t size)
{
    const tw_value text = {.text = id, .size = size};
    return tw_conversation_named_call(conversation, &text, SIZE_MAX) != NULL;
}

/* ---- ids that results have, and no call --------------------------------- */

static bool is_orphan_before(const void *context, const void *left,
                             const void *right)
{
    const tw_value *const *one = left;
    const tw_value *const *other = right;
    (void)context;
    return tw_value_order(*one, *other) < 0;
}

bool tw_conversation_find_orphans(const tw_conversation *conversation,
                                  tw_buffer *orphans)
{
    tw_buffer room = {0};
    bool good = true;
    orphans->size = 0;
    for (size_t i = 0; i < tw_message_count(conversation) && good; i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_value *id = message->id;
        good = message->role != TW_ROLE_TOOL || id == NULL ||
               tw_conversation_answered(conversation, i) != NULL ||
               tw_buffer_append(orphans, conversation->memory, &id, sizeof id);
    }
    good =
        good && tw_buffer_reserve(&room, conversation->memory, orphans->size);
    if (good && orphans->size > 0) {
        tw_sort_items(orphans->data, room.data,
                      orphans->size / sizeof(tw_value *), sizeof(tw_value *),
                      is_orphan_before, NULL);
    }
    tw_buffer_free(&room, conversation->memory);
    return good;
}

bool tw_orphans_have(const tw_buffer *orphans, const char *text, size_t size)
{
    const tw_value *const *list =
        (const tw_value *const *)(const void *)orphans->data;
    const size_t count = orphans->size / sizeof *list;
    const tw_value id = {.text = text, .size = size};
    tw_halves halves = {.high = count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, tw_value_order(list[halves.middle], &id) < 0);
    }
    return halves.low < count && tw_value_order(list[halves.low], &id) == 0;
}

/* ---- ids that two calls have -------------------------------------------- */

static tw_call *change_call(tw_conversation *conversation, size_t i)
{
    return (tw_call *)(void *)conversation->calls.data + i;
}

/* What is made for twins. */
typedef struct twin_ids {
    size_t spare; /* behind all calls, and grows */
    tw_buffer orphans;
} twin_ids;

/* An id that no call and no orphan has, of a call that came with |own|. */
static const tw_value *make_id(tw_conversation *conversation,
                               const tw_value *own, size_t number,
                               twin_ids *ids)
{
    char text[TW_ID_SIZE];
    size_t size = tw_id_spell(text, number);
    while (tw_conversation_has_call(conversation, text, size) ||
           tw_orphans_have(&ids->orphans, text, size)) {
        size = tw_id_spell(text, ids->spare++);
    }
    tw_value *made =
        tw_make_text(&conversation->arguments, NULL, NULL, text, size);
    if (made != NULL) {
        made->origin = own;
    }
    return made;
}

/* Call |at| has the id of one before it in its message, |before|. */
static bool note_twin(tw_conversation *conversation, size_t before, size_t at,
                      twin_ids *ids)
{
    tw_call *call = change_call(conversation, at);
    tw_call *twin = change_call(conversation, before);
    twin->twin = at;
    call->open = twin->new_id != NULL ? twin->open : before;
    call->new_id = make_id(conversation, call->id, at, ids);
    return call->new_id != NULL;
}

/* The call of the message in front of call |at| that has its id; NULL: it has
 * none, or an own one. */
static const tw_call *twin_of(const tw_conversation *conversation,
                              const tw_message *message, size_t at)
{
    const tw_value *id = call_at(conversation, at)->id;
    const tw_call *found =
        id != NULL ? tw_conversation_named_call(conversation, id, at) : NULL;
    return found != NULL && found >= call_at(conversation, message->first_call)
               ? found
               : NULL;
}

/* Adds how many there are; false: no memory. */
static bool find_twins(tw_conversation *conversation, twin_ids *ids,
                       size_t *count)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        for (size_t k = 1; k < message->call_count; k++) {
            const size_t at = message->first_call + k;
            const tw_call *found = twin_of(conversation, message, at);
            if (found == NULL) {
                continue;
            }
            if (((*count)++ == 0 &&
                 !tw_conversation_find_orphans(conversation, &ids->orphans)) ||
                !note_twin(conversation,
                           (size_t)(found - call_at(conversation, 0)), at,
                           ids)) {
                return false;
            }
        }
    }
    return true;
}

/* Results with an id of several calls answer these in their order. */
static void answer_twins(tw_conversation *conversation)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        tw_message *message =
            (tw_message *)(void *)conversation->messages.data + i;
        const tw_call *found = tw_conversation_answered(conversation, i);
        if (found == NULL || found->new_id == NULL) {
            continue;
        }
        tw_call *last = change_call(
            conversation, (size_t)(found - call_at(conversation, 0)));
        const tw_call *call = call_at(conversation, last->open);
        message->id = call->new_id != NULL ? call->new_id : message->id;
        last->open = call->twin > 0 ? call->twin : last->open;
    }
}

bool tw_conversation_sort_ids(tw_conversation *conversation)
{
    const size_t calls = conversation->calls.size / sizeof(tw_call);
    twin_ids ids = {.spare = calls};
    size_t twins = 0;
    if (!sort_ids(conversation)) {
        return false;
    }
    const bool good = find_twins(conversation, &ids, &twins);
    tw_buffer_free(&ids.orphans, conversation->memory);
    if (!good || twins == 0) {
        return good;
    }
    answer_twins(conversation);
    for (size_t i = 0; i < calls; i++) {
        tw_call *call = change_call(conversation, i);
        call->id = call->new_id != NULL ? call->new_id : call->id;
    }
    return sort_ids(conversation);
}

void tw_conversation_report_twins(const tw_conversation *conversation,
                                  tw_losses *losses)
{
    const size_t calls = conversation->calls.size / sizeof(tw_call);
    for (size_t i = 0; i < calls; i++) {
        const tw_call *call = call_at(conversation, i);
        if (call->new_id != NULL) {
            tw_losses_add(losses, TW_LOSS_ID_REPLACED, call->own_id, 0, NULL);
        }
    }
}

size_t tw_id_spell(char text[TW_ID_SIZE], size_t number)
{
    static const char front[] = "call_";
    size_t size = TW_ID_SIZE;
    size = (size_t)(tw_spell(text + size, number) - text);
    size -= sizeof front - 1;
    memcpy(text + size, front, sizeof front - 1);
    memmove(text, text + size, TW_ID_SIZE - size);
    return TW_ID_SIZE - size;
}

bool tw_id_is_counted(const tw_value *id, size_t index)
{
    char text[TW_ID_SIZE];
    const size_t size = tw_id_spell(text, index);
    return id->size == size && memcmp(id->text, text, size) == 0;
}
