/* SPDX-License-Identifier: MIT
 *
 * The table of losses, and lists of them.
 */
#include "messages/losses.h"

#include <stdlib.h>
#include <string.h>

#include "core/sort.h"

static const tw_loss table[] = {
#define ROW(symbol, number, kind, severity, name, text) \
    {number, TW_REPORT_##kind, TW_SEVERITY_##severity, name, text},
    TW_LOSSES(ROW)
#undef ROW
};

enum { COUNT = sizeof table / sizeof table[0] };

const tw_loss *tw_loss_at(size_t i)
{
    return i < COUNT ? &table[i] : NULL;
}

const tw_loss *tw_loss_get(uint32_t code)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (table[i].code == code) {
            return &table[i];
        }
    }
    return NULL;
}

const tw_loss *tw_loss_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < COUNT; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* ---- lists -------------------------------------------------------------- */

/* Does a loss tell of what came, and not of how that was written? */
static bool is_of_values(uint32_t code)
{
    const uint32_t kind = tw_loss_get(code)->kind;
    return kind == TW_REPORT_LOSS || kind == TW_REPORT_CHANGE ||
           kind == TW_REPORT_WARNING;
}

static void add(tw_losses *losses, tw_lost lost)
{
    if (losses->policy == TW_LOSS_POLICY_IGNORE && is_of_values(lost.code)) {
        return;
    }
    if (!tw_buffer_append(&losses->list, losses->memory, &lost, sizeof lost)) {
        losses->failed = true;
    }
}

void tw_losses_add(tw_losses *losses, uint32_t code, const tw_value *where,
                   uint64_t offset, const char *message)
{
    add(losses, (tw_lost){code, where, offset, message, NULL});
}

void tw_losses_add_joined(tw_losses *losses, const tw_value *where,
                          const tw_value *first)
{
    add(losses, (tw_lost){TW_LOSS_TEXTS_JOINED, where, 0, NULL, first});
}

/* Is the value itself gone? */
static bool is_whole(uint32_t code)
{
    static const uint32_t codes[] = {
        TW_LOSS_PART_NOT_TEXT,   TW_LOSS_CONTENT_DROPPED,
        TW_LOSS_MESSAGE_DROPPED, TW_LOSS_REASONING_DROPPED,
        TW_LOSS_REFUSAL_DROPPED, TW_LOSS_CALL_DROPPED,
        TW_LOSS_TOOL_DROPPED,    TW_LOSS_MEMBER_DROPPED};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (code == codes[i]) {
            return true;
        }
    }
    return false;
}

/* What the path of |value| leads to in the record. */
static const tw_value *place_of(const tw_value *value)
{
    while (value != NULL && (value->origin != NULL ||
                             tw_value_is_a(value->parent, TW_VALUE_STRING))) {
        value = value->origin != NULL ? value->origin : value->parent;
    }
    return value;
}

/* A value that is gone. */
typedef struct gone {
    const tw_value *place;
    uint32_t code;
    bool told;
} gone;

static int compare_gone(const void *left, const void *right)
{
    const uintptr_t a = (uintptr_t)((const gone *)left)->place;
    const uintptr_t b = (uintptr_t)((const gone *)right)->place;
    return (a > b) - (a < b);
}

static bool comes_before(const void *context, const void *left,
                         const void *right)
{
    (void)context;
    return compare_gone(left, right) < 0;
}

/* They are sorted; of equal ones it is always the same.  NULL: it is none. */
static gone *find_gone(const tw_buffer *list, const tw_value *place)
{
    const gone key = {.place = place};
    const size_t count = list->size / sizeof(gone);
    return count > 0
               ? bsearch(&key, list->data, count, sizeof key, compare_gone)
               : NULL;
}

/* Was it told already that the value, or one that holds it, is gone? */
static bool is_told(const tw_buffer *list, const tw_lost *lost)
{
    const tw_value *place = place_of(lost->where);
    gone *own = find_gone(list, place);
    if (own != NULL && (own->told || !is_whole(lost->code))) {
        return true;
    }
    while (place != NULL) {
        place = place_of(place->parent);
        if (find_gone(list, place) != NULL) {
            return true;
        }
    }
    if (own != NULL) {
        own->told = true;
    }
    return false;
}

/* What was joined to a text that is gone then is gone, too. */
static tw_lost as_joined(const tw_buffer *list, tw_lost lost)
{
    const gone *first =
        lost.joined != NULL ? find_gone(list, place_of(lost.joined)) : NULL;
    lost.code = first != NULL ? first->code : lost.code;
    return lost;
}

void tw_losses_prune(tw_losses *losses)
{
    const size_t count = tw_losses_count(losses);
    tw_buffer list = {0};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const tw_lost *lost = tw_losses_at(losses, i);
        const gone each = {place_of(lost->where), lost->code, false};
        if (each.place != NULL && is_whole(lost->code) &&
            !tw_buffer_append(&list, losses->memory, &each, sizeof each)) {
            losses->failed = true;
        }
    }
    /* In the second half of the room they are sorted. */
    if (list.size > 0 && tw_buffer_reserve(&list, losses->memory, list.size)) {
        tw_sort_items(list.data, list.data + list.size,
                      list.size / sizeof(gone), sizeof(gone), comes_before,
                      NULL);
    } else {
        losses->failed |= list.size > 0;
    }
    for (size_t i = 0; i < count; i++) {
        const tw_lost lost = as_joined(&list, *tw_losses_at(losses, i));
        if (!is_of_values(lost.code) || !is_told(&list, &lost)) {
            *tw_losses_at(losses, kept++) = lost;
        }
    }
    losses->list.size = kept * sizeof(tw_lost);
    tw_buffer_free(&list, losses->memory);
}

tw_error tw_lost_error(int32_t code, const tw_lost *lost, const char *path)
{
    const char *message =
        lost->message != NULL ? lost->message : tw_loss_get(lost->code)->text;
    const tw_error error = {code, (int32_t)lost->code, lost->offset, message,
                            path};
    return error;
}

const tw_lost *tw_losses_refused(const tw_losses *losses)
{
    const size_t count =
        losses->policy == TW_LOSS_POLICY_REFUSE ? tw_losses_count(losses) : 0;
    for (size_t i = 0; i < count; i++) {
        const tw_lost *lost = tw_losses_at(losses, i);
        if (tw_loss_get(lost->code)->severity >= TW_SEVERITY_CALL) {
            return lost;
        }
    }
    return NULL;
}

/* ---- members ------------------------------------------------------------ */

uint32_t tw_loss_of_member(const tw_value *member)
{
    static const struct {
        const char *name;
        uint32_t code;
    } special[] = {{"refusal", TW_LOSS_REFUSAL_DROPPED},
                   {"name", TW_LOSS_AUTHOR_NAME},
                   {"audio", TW_LOSS_PART_NOT_TEXT},
                   {"reasoning_content", TW_LOSS_REASONING_DROPPED},
                   {"reasoning", TW_LOSS_REASONING_DROPPED},
                   {"thinking", TW_LOSS_REASONING_DROPPED},
                   {"toolwire", TW_LOSS_UNPARSED_CALL},
                   {"tool_calls", TW_LOSS_CALL_DROPPED},
                   {"function_call", TW_LOSS_CALL_DROPPED}};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (tw_value_has_key(member, special[i].name)) {
            return special[i].code;
        }
    }
    return TW_LOSS_MEMBER_DROPPED;
}

/* Is nothing lost without it?  What decoders say beside a message is not of
 * the conversation, but for blocks that could not be parsed. */
static bool is_nothing(const tw_value *member)
{
    const tw_value *unparsed = tw_value_member(member, "unparsed");
    return tw_value_is_void(member) ||
           (tw_value_has_key(member, "toolwire") &&
            (unparsed == NULL || tw_value_is_void(unparsed)));
}

bool tw_losses_is_asked(const tw_value *value, const char *name)
{
    switch (*name) {
    case '"': return value->kind == TW_VALUE_STRING;
    case '[': return value->kind == TW_VALUE_ARRAY;
    case '{': return value->kind == TW_VALUE_OBJECT;
    case '?':
        return value->kind == TW_VALUE_TRUE || value->kind == TW_VALUE_FALSE;
    default: return true;
    }
}

const char *tw_losses_bare_name(const char *name)
{
    return name +
           (*name == '"' || *name == '[' || *name == '{' || *name == '?');
}

bool tw_losses_is_known(const tw_value *member, const char *const *known)
{
    while (*known != NULL &&
           !tw_value_has_key(member, tw_losses_bare_name(*known))) {
        known++;
    }
    return *known != NULL && tw_losses_is_asked(member, *known);
}

void tw_losses_add_member(tw_losses *losses, const tw_value *member,
                          const char *const *known)
{
    if (!tw_losses_is_known(member, known) && !is_nothing(member)) {
        tw_losses_add(losses, tw_loss_of_member(member), member, 0, NULL);
    }
}

void tw_losses_add_members(tw_losses *losses, const tw_value *object,
                           const char *const *known)
{
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        tw_losses_add_member(losses, at, known);
    }
}
