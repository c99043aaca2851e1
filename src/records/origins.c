/* SPDX-License-Identifier: MIT
 *
 * The way back from a conversation to its record: messages, parts, calls and
 * tools are counted off; below them, members have the same names or one of a
 * few others.
 */
#include "records/origins.h"

typedef struct message_origin {
    const tw_value *source;
    const tw_value *reasoning; /* NULL: as the source has it */
    size_t parts;              /* how many the messages before have */
    size_t calls;
} message_origin;

void tw_origins_free(tw_origins *origins)
{
    tw_buffer_free(&origins->messages, origins->memory);
    tw_buffer_free(&origins->parts, origins->memory);
    tw_buffer_free(&origins->calls, origins->memory);
    tw_buffer_free(&origins->tools, origins->memory);
}

void tw_origins_begin(tw_origins *origins, const tw_value *record)
{
    origins->record = record;
    origins->only = SIZE_MAX;
    origins->messages.size = origins->parts.size = 0;
    origins->calls.size = origins->tools.size = 0;
    origins->failed = false;
}

static size_t length(const tw_buffer *list)
{
    return list->size / sizeof(const tw_value *);
}

/* ---- counting off ------------------------------------------------------- */

static void add(tw_origins *origins, tw_buffer *list, const tw_value *source)
{
    if (!tw_buffer_append(list, origins->memory, &source, sizeof source)) {
        origins->failed = true;
    }
}

size_t tw_origins_message_count(const tw_origins *origins)
{
    return origins->messages.size / sizeof(message_origin);
}

void tw_origins_message(tw_origins *origins, const tw_value *source)
{
    const message_origin message = {source, NULL, length(&origins->parts),
                                    length(&origins->calls)};
    if (!tw_buffer_append(&origins->messages, origins->memory, &message,
                          sizeof message)) {
        origins->failed = true;
    }
}

void tw_origins_reasoning(tw_origins *origins, const tw_value *source)
{
    const size_t count = tw_origins_message_count(origins);
    message_origin *all = (message_origin *)(void *)origins->messages.data;
    if (count > 0) {
        all[count - 1].reasoning = source;
    }
}

void tw_origins_part(tw_origins *origins, const tw_value *source)
{
    add(origins, &origins->parts, source);
}

void tw_origins_call(tw_origins *origins, const tw_value *source)
{
    add(origins, &origins->calls, source);
}

static const tw_value *first_of(const tw_value *message, const char *key)
{
    const tw_value *list = tw_value_member(message, key);
    return list != NULL && list->kind == TW_VALUE_ARRAY ? list->first : NULL;
}

void tw_origins_whole(tw_origins *origins, const tw_value *message)
{
    const tw_value *part = first_of(message, "content");
    const tw_value *call = first_of(message, "tool_calls");
    tw_origins_message(origins, message);
    for (; part != NULL; part = part->next) {
        tw_origins_part(origins, part);
    }
    for (; call != NULL; call = call->next) {
        tw_origins_call(origins, call);
    }
}

void tw_origins_tool(tw_origins *origins, const tw_value *source)
{
    add(origins, &origins->tools, source);
}

void tw_origins_only(tw_origins *origins, size_t i)
{
    origins->only = i;
}

/* ---- the way back ------------------------------------------------------- */

/* The steps from the root to a value, its own last; a path that is longer ends
 * early. */
enum { STEPS = 64 };

typedef struct steps {
    const tw_value *all[STEPS];
    size_t count;
} steps;

/* What holds the value: the root of a text stands for the string. */
static const tw_value *holder_of(const tw_value *value)
{
    const tw_value *holder = value->parent;
    while (holder != NULL && holder->kind == TW_VALUE_STRING) {
        holder = holder->parent;
    }
    return holder;
}

static const tw_value *steps_to(steps *way, const tw_value *where)
{
    size_t depth = 0;
    const tw_value *at = where;
    for (; holder_of(at) != NULL; at = holder_of(at)) {
        depth++;
    }
    const tw_value *root = at;
    way->count = depth < STEPS ? depth : STEPS;
    for (at = where; depth > 0; at = holder_of(at)) {
        if (depth-- <= STEPS) {
            way->all[depth] = at;
        }
    }
    return root;
}

/* The |i|-th of a list from |first| to |end|; NULL: there is none. */
static const tw_value *listed(const tw_buffer *list, size_t first, size_t end,
                              size_t i)
{
    const tw_value *const *all =
        (const tw_value *const *)(const void *)list->data;
    return i < end - first ? all[first + i] : NULL;
}

static const tw_value *element(const tw_value *array, size_t i)
{
    const tw_value *at = array->first;
    while (at != NULL && at->index < i) {
        at = at->next;
    }
    return at;
}

/* What |step| of the conversation is in |source|; NULL: it is not there. */
static const tw_value *step_into(const tw_value *source, const tw_value *step)
{
    static const char *const others[][2] = {{"content", "value"},
                                            {"tool_call_id", "tool_use_id"},
                                            {"arguments", "input"},
                                            {"arguments", "parameters"},
                                            {"parameters", "input_schema"}};
    if (step->key == NULL) {
        return source->kind == TW_VALUE_ARRAY ? element(source, step->index)
                                              : NULL;
    }
    const tw_value *found =
        tw_value_member_sized(source, step->key, step->key_size);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (found == NULL && tw_value_has_key(step, others[i][0])) {
            found = tw_value_member(source, others[i][1]);
        }
    }
    /* A function may stand without its wrapper. */
    return found == NULL && tw_value_has_key(step, "function") ? source
                                                               : found;
}

/* Goes from |source| on, from step |at|, as far as it has the steps. */
static const tw_value *follow(const tw_value *source, const steps *way,
                              size_t at)
{
    while (at < way->count) {
        const tw_value *next = step_into(source, way->all[at++]);
        if (next == NULL) {
            break;
        }
        source = next;
    }
    return source;
}

static const tw_value *in_message(const tw_origins *origins, const steps *way)
{
    const message_origin *all =
        (const message_origin *)(const void *)origins->messages.data;
    const size_t index =
        origins->only != SIZE_MAX ? origins->only : way->all[1]->index;
    const message_origin *message = &all[index];
    const bool last = index + 1 == tw_origins_message_count(origins);
    const tw_value *member = way->count > 2 ? way->all[2] : NULL;
    const tw_value *known = NULL;
    if (member != NULL && tw_value_has_key(member, "reasoning_content") &&
        message->reasoning != NULL) {
        return message->reasoning;
    }
    if (way->count > 3 && tw_value_has_key(member, "content")) {
        known = listed(&origins->parts, message->parts,
                       last ? length(&origins->parts) : message[1].parts,
                       way->all[3]->index);
    } else if (way->count > 3 && tw_value_has_key(member, "tool_calls")) {
        known = listed(&origins->calls, message->calls,
                       last ? length(&origins->calls) : message[1].calls,
                       way->all[3]->index);
    }
    return known != NULL ? follow(known, way, 4)
                         : follow(message->source, way, 2);
}

const tw_value *tw_origins_of(const tw_origins *origins, const tw_value *where)
{
    steps way;
    if (origins->record == NULL || steps_to(&way, where) == origins->record) {
        return where;
    }
    if (way.count > 1 && tw_value_has_key(way.all[0], "messages")) {
        return in_message(origins, &way);
    }
    if (way.count > 1 && tw_value_has_key(way.all[0], "tools")) {
        const tw_value *tool = listed(
            &origins->tools, 0, length(&origins->tools), way.all[1]->index);
        return tool != NULL ? follow(tool, &way, 2) : origins->record;
    }
    return follow(origins->record, &way, 0);
}
