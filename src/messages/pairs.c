/* SPDX-License-Identifier: MIT
 *
 * Calls and their results.
 */
#include "messages/pairs.h"

void tw_pairs_init(tw_pairs *pairs, tw_tree *made, const tw_memory *memory)
{
    memset(pairs, 0, sizeof *pairs);
    pairs->made = made;
    pairs->memory = memory;
    tw_answers_init(&pairs->answers, memory);
}

void tw_pairs_free(tw_pairs *pairs)
{
    tw_buffer_free(&pairs->answered, pairs->memory);
    tw_buffer_free(&pairs->ids, pairs->memory);
    tw_buffer_free(&pairs->orphans, pairs->memory);
    tw_buffer_free(&pairs->closed, pairs->memory);
    tw_answers_free(&pairs->answers);
}

static size_t call_count(const tw_pairs *pairs)
{
    return pairs->conversation->calls.size / sizeof(tw_call);
}

static const tw_call *call_at(const tw_pairs *pairs, size_t i)
{
    return (const tw_call *)(const void *)pairs->conversation->calls.data + i;
}

static bool add(const tw_pairs *pairs, tw_buffer *list, size_t number)
{
    return tw_buffer_append(list, pairs->memory, &number, sizeof number);
}

/* ---- ids ---------------------------------------------------------------- */

static bool is_taken(const tw_pairs *pairs, size_t number)
{
    char text[TW_ID_SIZE];
    const size_t size = tw_id_spell(text, number);
    return tw_conversation_has_call(pairs->conversation, text, size) ||
           tw_orphans_have(&pairs->orphans, text, size);
}

/* NULL: no memory. */
static const tw_value *make_id(const tw_pairs *pairs, size_t number)
{
    char text[TW_ID_SIZE];
    return tw_make_text(pairs->made, NULL, NULL, text,
                        tw_id_spell(text, number));
}

/* Has each call an id? */
static bool has_ids(const tw_pairs *pairs)
{
    size_t i = 0;
    while (i < call_count(pairs) && call_at(pairs, i)->id != NULL) {
        i++;
    }
    return i == call_count(pairs);
}

/* An id counts the calls before; if another call has it, or a result that
 * answers none, it counts on behind the last call. */
static bool add_ids(tw_pairs *pairs, const tw_message *message, size_t *spare)
{
    for (size_t i = 0; i < message->call_count; i++) {
        const size_t call = message->first_call + i;
        const tw_value *id = call_at(pairs, call)->id;
        size_t number = pairs->by_message ? i : call;
        if (id == NULL && is_taken(pairs, number)) {
            while (is_taken(pairs, *spare)) {
                (*spare)++;
            }
            number = (*spare)++;
        }
        id = id != NULL ? id : make_id(pairs, number);
        if (id == NULL ||
            !tw_buffer_append(&pairs->ids, pairs->memory, &id, sizeof id)) {
            return false;
        }
    }
    return true;
}

static bool make_ids(tw_pairs *pairs)
{
    size_t spare = call_count(pairs);
    pairs->orphans.size = 0;
    bool good = has_ids(pairs) || tw_conversation_find_orphans(
                                      pairs->conversation, &pairs->orphans);
    for (size_t i = 0; i < tw_message_count(pairs->conversation) && good;
         i++) {
        good = add_ids(pairs, tw_message_at(pairs->conversation, i), &spare);
    }
    return good;
}

const tw_value *tw_pairs_result_id(const tw_pairs *pairs, size_t message)
{
    const size_t call = tw_pairs_answered(pairs, message);
    return call != TW_NO_CALL
               ? tw_pairs_call_id(pairs, call)
               : tw_message_at(pairs->conversation, message)->id;
}

/* ---- results ------------------------------------------------------------ */

enum { CLOSED = 1, ANSWERED = 2 }; /* of |closed| */

/* The calls that results without ids may answer. */
typedef struct turn {
    size_t first;
    size_t end;
    size_t next;  /* all before have their results */
    size_t near;  /* the first call of the message that results stand behind */
    size_t until; /* the message behind those that are the turn */
    size_t run;   /* ... behind messages with calls that were looked at */
    bool left;    /* something else than results stood behind them */
} turn;

/* The number of the call with the id of result |i|, or TW_NO_CALL. */
static size_t answered_by_id(const tw_pairs *pairs, size_t i)
{
    const tw_call *call = tw_conversation_answered(pairs->conversation, i);
    return call != NULL ? (size_t)(call - call_at(pairs, 0)) : TW_NO_CALL;
}

static bool has_calls(const tw_message *message)
{
    return message->call_count > 0;
}

static bool has_lone_call(const tw_pairs *pairs, size_t i)
{
    const tw_message *message = tw_message_at(pairs->conversation, i);
    return message->call_count == 1 &&
           call_at(pairs, message->first_call)->id == NULL;
}

/* Where calls had no lists and no ids, several were messages of one each:
 * those that follow each other are one turn if as many results stand behind.
 */
static void find_turn(const tw_pairs *pairs, turn *now, size_t i)
{
    const tw_conversation *conversation = pairs->conversation;
    const size_t count = tw_message_count(conversation);
    size_t run = i;
    now->until = i + 1;
    if (i < now->run) {
        return;
    }
    while (run < count && has_lone_call(pairs, run)) {
        run++;
    }
    size_t at = run;
    while (at < count &&
           tw_message_at(conversation, at)->role == TW_ROLE_TOOL &&
           tw_message_at(conversation, at)->id == NULL) {
        at++;
    }
    now->run = run;
    now->until = at - run == run - i && run > i ? run : i + 1;
}

/* The calls of message |i|, and of those that it is one turn with; those that
 * results answer by their ids are closed to others. */
static bool begin_turn(tw_pairs *pairs, turn *now, size_t i)
{
    const tw_conversation *conversation = pairs->conversation;
    find_turn(pairs, now, i);
    const tw_message *last = tw_message_at(conversation, now->until - 1);
    now->first = now->next = tw_message_at(conversation, i)->first_call;
    now->near = last->first_call;
    now->end = last->first_call + last->call_count;
    now->left = false;
    tw_answers_reset(&pairs->answers);
    for (size_t at = now->first; at < now->end; at++) {
        const tw_value *name = call_at(pairs, at)->name;
        if (!tw_answers_add(&pairs->answers, name->text, name->size)) {
            return false;
        }
    }
    for (i = now->until; i < tw_message_count(conversation) &&
                         !has_calls(tw_message_at(conversation, i));
         i++) {
        const size_t call = answered_by_id(pairs, i);
        if (call != TW_NO_CALL) {
            pairs->closed.data[call] |= CLOSED;
        }
    }
    return tw_answers_begin(&pairs->answers);
}

/* The call that a result without an id answers. */
static size_t next_open(tw_pairs *pairs, turn *now, const tw_value *name)
{
    size_t call = TW_NO_CALL;
    if (name != NULL) {
        do {
            call = tw_answers_next(&pairs->answers, name->text, name->size,
                                   TW_NO_CALL);
            call += call != TW_NO_CALL ? now->first : 0;
        } while (call != TW_NO_CALL && pairs->closed.data[call] != 0);
    }
    if (call == TW_NO_CALL) {
        while (now->next < now->end && pairs->closed.data[now->next] != 0) {
            now->next++;
        }
        call = now->next < now->end ? now->next : TW_NO_CALL;
    }
    if (call != TW_NO_CALL) {
        pairs->closed.data[call] |= CLOSED;
    }
    return call;
}

/* An `id` that is no call's may be the message's own. */
static bool is_own_id(const tw_message *message)
{
    return message->own_id != NULL && tw_value_has_key(message->own_id, "id");
}

/* The call that result |i| answers, or TW_NO_CALL. */
static size_t find_call(tw_pairs *pairs, turn *now, size_t i)
{
    const tw_message *message = tw_message_at(pairs->conversation, i);
    const size_t call = answered_by_id(pairs, i);
    return call == TW_NO_CALL && (message->id == NULL || is_own_id(message))
               ? next_open(pairs, now, message->name)
               : call;
}

static void judge_result(tw_pairs *pairs, const tw_message *message,
                         const turn *now, size_t call, tw_losses *losses)
{
    if (call == TW_NO_CALL) {
        tw_losses_add(losses, TW_LOSS_RESULT_UNMATCHED, message->value, 0,
                      NULL);
        return;
    }
    if ((pairs->closed.data[call] & ANSWERED) != 0) {
        tw_losses_add(losses, TW_LOSS_RESULT_UNMATCHED, message->value, 0,
                      "Another result answers its call.");
    } else if (call < now->near || call >= now->end || now->left) {
        tw_losses_add(losses, TW_LOSS_RESULT_OUT_OF_PLACE, message->value, 0,
                      NULL);
    }
    pairs->closed.data[call] |= ANSWERED;
}

static bool find_calls(tw_pairs *pairs, tw_losses *losses)
{
    const tw_conversation *conversation = pairs->conversation;
    turn now = {0};
    tw_answers_reset(&pairs->answers); /* of the record before */
    bool good = tw_answers_begin(&pairs->answers);
    for (size_t i = 0; i < tw_message_count(conversation) && good; i++) {
        const tw_message *message = tw_message_at(conversation, i);
        size_t call = TW_NO_CALL;
        if (has_calls(message)) {
            good = i < now.until || begin_turn(pairs, &now, i);
        } else if (message->role == TW_ROLE_TOOL) {
            call = find_call(pairs, &now, i);
            judge_result(pairs, message, &now, call, losses);
        } else {
            now.left = true;
        }
        good = good && add(pairs, &pairs->answered, call);
    }
    return good;
}

/* ---- calls -------------------------------------------------------------- */

/* The list that message |i| stands in, of two outputs or what is in front of
 * them: its first message, and the one behind it. */
static size_t list_of(const tw_conversation *conversation, size_t i,
                      size_t *end)
{
    const size_t prompt = conversation->prompt_count;
    const size_t chosen = prompt + conversation->chosen_count;
    *end = i < prompt || i >= chosen ? tw_message_count(conversation) : chosen;
    return i < prompt ? 0 : i < chosen ? prompt : chosen;
}

/* Does a call in front of this one have its id, though not in another output?
 */
static bool is_id_again(const tw_pairs *pairs, size_t call, size_t first)
{
    const tw_value *id = call_at(pairs, call)->id;
    const tw_call *found =
        id != NULL ? tw_conversation_named_call(pairs->conversation, id, call)
                   : NULL;
    return found != NULL && found >= call_at(pairs, first);
}

static void judge_calls(const tw_pairs *pairs, tw_losses *losses)
{
    const tw_conversation *conversation = pairs->conversation;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        size_t end;
        const size_t first = list_of(conversation, i, &end);
        for (size_t k = 0; k < message->call_count; k++) {
            const size_t at = message->first_call + k;
            if (is_id_again(pairs, at,
                            tw_message_at(conversation, first)->first_call)) {
                tw_losses_add(losses, TW_LOSS_REPEATED_ID,
                              call_at(pairs, at)->id, 0, NULL);
            }
            if (i + 1 < end && (pairs->closed.data[at] & ANSWERED) == 0) {
                tw_losses_add(losses, TW_LOSS_CALL_UNANSWERED,
                              call_at(pairs, at)->value, 0, NULL);
            }
        }
    }
}

bool tw_pairs_find(tw_pairs *pairs, const tw_conversation *conversation,
                   tw_losses *losses)
{
    pairs->conversation = conversation;
    pairs->answered.size = pairs->ids.size = pairs->closed.size = 0;
    if (!tw_buffer_reserve(&pairs->closed, pairs->memory, call_count(pairs))) {
        return false;
    }
    if (call_count(pairs) > 0) {
        memset(pairs->closed.data, 0, call_count(pairs));
    }
    if (!make_ids(pairs) || !find_calls(pairs, losses)) {
        return false;
    }
    judge_calls(pairs, losses);
    return true;
}
