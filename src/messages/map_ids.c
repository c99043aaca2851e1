/* SPDX-License-Identifier: MIT
 *
 * Ids that survive a change of model: those that the target cannot hold, that
 * repeat, or all, are made anew, the same at a call and at its result.  What
 * is made depends on the conversation alone.
 */
#include "messages/pairs.h"

#include "core/ascii.h"

enum { NINE_SIZE = 9, MADE_SIZE = 320, PATTERN_MOST = 64 };

static const char named_front[] = "functions.";

/* ---- what a target holds ------------------------------------------------ */

static bool is_nine_id(const tw_value *id)
{
    size_t i = 0;
    while (i < id->size && tw_is_alnum(id->text[i])) {
        i++;
    }
    return i == id->size && id->size == NINE_SIZE;
}

static bool is_plain_id(const tw_value *id)
{
    size_t i = 0;
    while (i < id->size && (tw_is_alnum(id->text[i]) || id->text[i] == '_' ||
                            id->text[i] == '-')) {
        i++;
    }
    return i == id->size && id->size > 0 && id->size <= PATTERN_MOST;
}

/* `functions.NAME:N`. */
static bool is_named_id(const tw_value *id, const tw_value *name)
{
    const size_t front = sizeof named_front - 1;
    size_t at = front + name->size + 1;
    if (id->size <= at || memcmp(id->text, named_front, front) != 0 ||
        memcmp(id->text + front, name->text, name->size) != 0 ||
        id->text[at - 1] != ':') {
        return false;
    }
    while (at < id->size && id->text[at] >= '0' && id->text[at] <= '9') {
        at++;
    }
    return at == id->size;
}

/* Of a result that answers no call: whose it is, no name tells. */
static bool holds_stray(tw_id_rule rule, const tw_value *id)
{
    switch (rule) {
    case TW_ID_NINE: return is_nine_id(id);
    case TW_ID_PLAIN: return is_plain_id(id);
    default: return true;
    }
}

static bool holds(tw_id_rule rule, const tw_call *call)
{
    return rule == TW_ID_NAMED ? is_named_id(call->id, call->name)
                               : holds_stray(rule, call->id);
}

/* ---- new ids ------------------------------------------------------------ */

/* Nine letters and digits, others for each number. */
static size_t spell_nine(char *text, size_t number)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg"
                                 "hijklmnopqrstuvwxyz";
    enum { BASE = sizeof digits - 1 };
    /* 62^9, and a factor that has no divisor in common with it. */
    const uint64_t count = UINT64_C(13537086546263552);
    const uint64_t factor = UINT64_C(10007);
    uint64_t rest = (uint64_t)(number + 1) % (count / factor) * factor;
    for (size_t i = NINE_SIZE; i-- > 0;) {
        text[i] = digits[rest % BASE];
        rest /= BASE;
    }
    return NINE_SIZE;
}

static size_t spell_named(char *text, const tw_value *name, size_t number)
{
    char counted[TW_ID_SIZE];
    const size_t front = sizeof named_front - 1;
    const size_t size = tw_id_spell(counted, number);
    const size_t digits = size - strlen("call_");
    memcpy(text, named_front, front);
    memcpy(text + front, name->text, name->size);
    text[front + name->size] = ':';
    memcpy(text + front + name->size + 1, counted + size - digits, digits);
    return front + name->size + 1 + digits;
}

static size_t spell(char text[MADE_SIZE], tw_id_rule rule, const tw_call *call,
                    size_t number)
{
    return rule == TW_ID_NINE ? spell_nine(text, number)
           : rule == TW_ID_NAMED &&
                   call->name->size < MADE_SIZE - 2 * TW_ID_SIZE
               ? spell_named(text, call->name, number)
               : tw_id_spell(text, number);
}

typedef struct id_maker {
    tw_conversation *conversation;
    tw_id_rule rule;
    uint32_t policy;
    size_t spare;      /* behind all calls */
    tw_buffer orphans; /* tw_conversation_find_orphans() */
    tw_buffer made;    /* const tw_value *: of each call, or NULL */
    tw_buffer strays;  /* ... of each message: results that answer no call */
} id_maker;

/* Is the id in use?  Where all ids are made, those that came are not. */
static bool is_in_use(const id_maker *maker, const char *text, size_t size)
{
    return tw_orphans_have(&maker->orphans, text, size) ||
           (maker->policy != TW_IDS_MAKE &&
            tw_conversation_has_call(maker->conversation, text, size));
}

/* NULL: no memory. */
static const tw_value *new_id(id_maker *maker, const tw_call *call,
                              size_t number)
{
    char text[MADE_SIZE];
    size_t size = spell(text, maker->rule, call, number);
    while (is_in_use(maker, text, size)) {
        size = spell(text, maker->rule, call, maker->spare++);
    }
    return tw_make_text(&maker->conversation->arguments, NULL, NULL, text,
                        size);
}

/* ---- a conversation ----------------------------------------------------- */

/* In the place of one that came, wherever it is read. */
static void spell_anew(const tw_value *id, const tw_value *made)
{
    tw_value *place = (tw_value *)(uintptr_t)id;
    place->text = made->text;
    place->size = made->size;
    place->lone = 0;
}

static bool repeats(const tw_conversation *conversation, size_t call)
{
    const tw_value *id = tw_conversation_call(conversation, call)->id;
    return tw_conversation_named_call(conversation, id, call) != NULL;
}

static bool is_due(const tw_conversation *conversation, tw_id_rule rule,
                   uint32_t policy, size_t number)
{
    const tw_call *call = tw_conversation_call(conversation, number);
    return call->own_id != NULL &&
           (policy == TW_IDS_MAKE || call->new_id != NULL ||
            !holds(rule, call) || repeats(conversation, number));
}

/* The new id of each call that gets one; false: no memory. */
static bool make_ids(id_maker *maker)
{
    tw_conversation *conversation = maker->conversation;
    const size_t count = conversation->calls.size / sizeof(tw_call);
    bool good = tw_conversation_find_orphans(conversation, &maker->orphans);
    maker->spare = count;
    for (size_t i = 0; i < count && good; i++) {
        const tw_value *id = NULL;
        if (is_due(conversation, maker->rule, maker->policy, i)) {
            id = new_id(maker, tw_conversation_call(conversation, i), i);
            good = id != NULL;
        }
        good = good && tw_buffer_append(&maker->made, conversation->memory,
                                        &id, sizeof id);
    }
    return good;
}

/* The new id of each result that answers no call, if the target cannot hold
 * its own; false: no memory. */
static bool make_stray_ids(id_maker *maker)
{
    tw_conversation *conversation = maker->conversation;
    bool good = true;
    for (size_t i = 0; i < tw_message_count(conversation) && good; i++) {
        const tw_message *message = tw_message_at(conversation, i);
        const tw_value *id = NULL;
        if (message->role == TW_ROLE_TOOL && message->own_id != NULL &&
            tw_conversation_answered(conversation, i) == NULL &&
            !holds_stray(maker->rule, message->own_id)) {
            id = new_id(maker, NULL, maker->spare++);
            good = id != NULL;
        }
        good = good && tw_buffer_append(&maker->strays, conversation->memory,
                                        &id, sizeof id);
    }
    return good;
}

/* Of a call or a message; NULL: it keeps its own. */
static const tw_value *made_of(const tw_buffer *made, size_t number)
{
    return ((const tw_value *const *)(const void *)made->data)[number];
}

static void report_new(const tw_value *own, bool call, tw_losses *losses)
{
    tw_losses_add(losses, TW_LOSS_ID_REPLACED, own, 0,
                  call
                      ? "The id is replaced, as its result's is (--ids)."
                      : "The id is replaced by one that no call has (--ids).");
}

/* Results first, as long as calls are found by the ids that came. */
static void change_results(const id_maker *maker, tw_losses *losses)
{
    tw_conversation *conversation = maker->conversation;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        tw_message *message =
            (tw_message *)(void *)conversation->messages.data + i;
        const tw_call *call =
            message->role == TW_ROLE_TOOL && message->own_id != NULL
                ? tw_conversation_answered(conversation, i)
                : NULL;
        const tw_value *id =
            call != NULL
                ? made_of(&maker->made, (size_t)(call - tw_conversation_call(
                                                            conversation, 0)))
                : made_of(&maker->strays, i);
        if (id != NULL && call == NULL) {
            report_new(message->own_id, false, losses);
        }
        if (id != NULL) {
            spell_anew(message->own_id, id);
            message->id = message->own_id;
        }
    }
}

static void change_calls(tw_conversation *conversation, const tw_buffer *made,
                         tw_losses *losses)
{
    const size_t count = conversation->calls.size / sizeof(tw_call);
    for (size_t i = 0; i < count; i++) {
        tw_call *call = (tw_call *)(void *)conversation->calls.data + i;
        const tw_value *id = made_of(made, i);
        if (id != NULL) {
            if (!call->is_filled) {
                report_new(call->own_id, true, losses);
            }
            spell_anew(call->own_id, id);
            call->id = call->own_id;
            call->new_id = NULL;
            call->twin = call->open = 0;
        }
    }
}

const tw_value *tw_conversation_unheld_id(const tw_conversation *conversation,
                                          tw_id_rule rule)
{
    const size_t count = conversation->calls.size / sizeof(tw_call);
    for (size_t i = 0; i < count; i++) {
        const tw_call *call = tw_conversation_call(conversation, i);
        if (call->id != NULL && !holds(rule, call)) {
            return call->own_id;
        }
    }
    return NULL;
}

bool tw_conversation_map_ids(tw_conversation *conversation, tw_id_rule rule,
                             uint32_t policy, tw_losses *losses)
{
    id_maker maker = {
        .conversation = conversation, .rule = rule, .policy = policy};
    const bool due = policy != TW_IDS_KEEP && rule != TW_ID_NONE;
    bool good = !due || (make_ids(&maker) && make_stray_ids(&maker));
    if (good && due) {
        change_results(&maker, losses);
        change_calls(conversation, &maker.made, losses);
        good = tw_conversation_sort_ids(conversation);
    }
    tw_buffer_free(&maker.made, conversation->memory);
    tw_buffer_free(&maker.strays, conversation->memory);
    tw_buffer_free(&maker.orphans, conversation->memory);
    return good;
}

/* ---- where there were none ---------------------------------------------- */

/* A new member of a value, which may be of a tree that all read. */
static const tw_value *put_id(tw_conversation *conversation,
                              const tw_value *holder, const char *key,
                              const char *text, size_t size)
{
    return tw_make_text(&conversation->arguments,
                        (tw_value *)(uintptr_t)holder, key, text, size);
}

/* The one that the target would count, or, where another call has that, any.
 */
static void fill_call(tw_conversation *conversation, const tw_pairs *pairs,
                      tw_id_rule rule, size_t number)
{
    tw_call *call = (tw_call *)(void *)conversation->calls.data + number;
    const tw_value *made = tw_pairs_call_id(pairs, number);
    char text[MADE_SIZE];
    const size_t size =
        rule == TW_ID_NAMED ? spell(text, rule, call, number) : 0;
    const bool counted = size > 0 &&
                         !tw_conversation_has_call(conversation, text, size) &&
                         !tw_orphans_have(&pairs->orphans, text, size);
    if (call->id == NULL) {
        call->id = call->own_id =
            put_id(conversation, call->value, "id",
                   counted ? text : made->text, counted ? size : made->size);
        call->is_filled = true;
    }
}

static void fill_results(tw_conversation *conversation, const tw_pairs *pairs)
{
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        tw_message *message =
            (tw_message *)(void *)conversation->messages.data + i;
        const size_t answered = message->role == TW_ROLE_TOOL
                                    ? tw_pairs_answered(pairs, i)
                                    : TW_NO_CALL;
        const tw_value *id =
            answered != TW_NO_CALL
                ? tw_conversation_call(conversation, answered)->id
                : NULL;
        if (id != NULL && message->id == NULL) {
            message->id = message->own_id =
                put_id(conversation, message->value, "tool_call_id", id->text,
                       id->size);
        }
    }
}

/* Has the holder an empty id, or null? */
static bool has_void_id(const tw_value *holder, const char *key)
{
    const tw_value *id = tw_value_member(holder, key);
    return id != NULL && (id->kind != TW_VALUE_STRING || id->size == 0);
}

/* Has a message several calls, and not all have ids?  Else the only one is
 * answered, but for templates that compare ids: these tell an empty one from
 * null and from none. */
static bool has_doubt(const tw_conversation *conversation, tw_id_rule rule)
{
    const bool compares = rule == TW_ID_NAMED;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (compares && message->role == TW_ROLE_TOOL &&
            has_void_id(message->value, "tool_call_id")) {
            return true;
        }
        for (size_t k = 0; k < message->call_count; k++) {
            const tw_call *call = tw_call_of(conversation, message, k);
            if (call->id == NULL &&
                (message->call_count > 1 ||
                 (compares && has_void_id(call->value, "id")))) {
                return true;
            }
        }
    }
    return false;
}

bool tw_conversation_fill_ids(tw_conversation *conversation, tw_id_rule rule,
                              uint32_t policy, bool always)
{
    const size_t count = conversation->calls.size / sizeof(tw_call);
    const bool due = (always && has_doubt(conversation, rule)) ||
                     (rule != TW_ID_NONE && policy != TW_IDS_KEEP);
    tw_losses told = {.memory = conversation->memory}; /* by others */
    tw_pairs pairs;
    if (!due || count == 0) {
        return true;
    }
    tw_pairs_init(&pairs, &conversation->arguments, conversation->memory);
    pairs.by_message = policy == TW_IDS_KEEP; /* no id that is lost */
    bool good = tw_pairs_find(&pairs, conversation, &told);
    for (size_t i = 0; i < count && good; i++) {
        fill_call(conversation, &pairs, rule, i);
    }
    if (good) {
        fill_results(conversation, &pairs);
        good = conversation->arguments.error != TW_ERROR_MEMORY &&
               tw_conversation_sort_ids(conversation);
    }
    tw_pairs_free(&pairs);
    tw_buffer_free(&told.list, conversation->memory);
    return good;
}
