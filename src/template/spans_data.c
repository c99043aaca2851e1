/* SPDX-License-Identifier: MIT
 *
 * Data in a prompt: which message and part they are of.
 */
#include "template/spans_work.h"

static bool is_reasoning(const tw_value *member)
{
    bool found = false;
    for (size_t i = 0; i < TW_REASONING_NAMES; i++) {
        found |= tw_value_has_key(member, tw_reasoning_names[i]);
    }
    return found;
}

/* Of what stands in a message under |member|; |below| is the part without it.
 */
static tw_span_part part_under(const tw_value *member, tw_span_part below)
{
    if (member->key == NULL || tw_value_has_key(member, "function") ||
        tw_value_has_key(member, "tool_calls")) {
        return below;
    }
    return tw_value_has_key(member, "content")     ? TW_SPAN_TEXT
           : is_reasoning(member)                  ? TW_SPAN_REASONING
           : tw_value_has_key(member, "name")      ? TW_SPAN_NAME
           : tw_value_has_key(member, "arguments") ? TW_SPAN_ARGUMENTS
           : tw_value_has_key(member, "input")     ? TW_SPAN_ARGUMENTS
                                                   : TW_SPAN_NONE;
}

/* Whose |value| is: TW_SPAN_NONE is no part of what it says, such as a role.
 * |call| is the number of a call. */
static tw_span_piece owner_of(const tw_marking *work, const tw_value *value,
                              size_t *call)
{
    const tw_conversation *conversation = work->prompt->conversation;
    const tw_value *messages =
        tw_message_count(conversation) > 0
            ? tw_message_at(conversation, 0)->value->parent
            : NULL;
    tw_span_piece made = {0, 0, TW_NOBODY, TW_SPAN_NONE};
    bool in_call = false;
    for (; value != NULL; value = value->parent) {
        while (value->origin != NULL && value->parent != messages) {
            value = value->origin;
        }
        if (value->parent != NULL && value->parent == messages) {
            const tw_message *message =
                tw_message_at(conversation, value->index);
            made.message = (int64_t)value->index;
            made.part =
                message->role == TW_ROLE_TOOL && made.part == TW_SPAN_TEXT
                    ? TW_SPAN_RESULT
                : made.part == TW_SPAN_NAME && !in_call ? TW_SPAN_NONE
                                                        : made.part;
            return made;
        }
        if (value == conversation->tools) {
            made.part = TW_SPAN_TOOLS;
            return made;
        }
        in_call |= tw_value_has_key(value, "tool_calls");
        *call = value->parent != NULL &&
                        tw_value_has_key(value->parent, "tool_calls")
                    ? value->index
                    : *call;
        made.part = part_under(value, made.part);
    }
    made.part = TW_SPAN_NONE;
    return made;
}

/* `eos_token` and its like, of the settings. */
static bool is_token(const tw_value *value)
{
    static const char end[] = "_token";
    const size_t size = sizeof end - 1;
    return value->key_size > size &&
           memcmp(value->key + value->key_size - size, end, size) == 0;
}

/* Templates write the name of a call once more beside its result: such a name
 * is not |last|, nor behind it. */
typedef struct named {
    int64_t message;
    size_t call;
    uint64_t from;
} named;

static bool is_again(named *last, const tw_span_piece *atom, size_t call,
                     uint64_t from)
{
    if (atom->message == last->message &&
        (call < last->call || (call == last->call && from <= last->from))) {
        return true;
    }
    *last = (named){atom->message, call, from};
    return false;
}

void tw_spans_find_atoms(tw_marking *work)
{
    const tw_buffer *runs = work->prompt->runs;
    const tw_run *run = (const tw_run *)(const void *)runs->data;
    const size_t count = runs->size / sizeof *run;
    named last = {TW_NOBODY, 0, 0};
    for (size_t i = 0; i < count; i++, run++) {
        size_t call = 0;
        const bool key = (run->from & TW_RUN_KEY) != 0;
        tw_span_piece atom =
            owner_of(work, key ? run->of->parent : run->of, &call);
        atom.begin = run->begin;
        atom.end = run->end;
        if (atom.message == TW_NOBODY && is_token(run->of)) {
            const tw_generated token = {run->begin, run->end};
            tw_spans_add(work, &work->spans->tokens, &token, sizeof token);
        }
        if (atom.part != TW_SPAN_NONE && run->begin < run->end &&
            !(atom.part == TW_SPAN_NAME &&
              is_again(&last, &atom, call, run->from))) {
            tw_spans_add(work, &work->spans->atoms, &atom, sizeof atom);
        }
    }
}
