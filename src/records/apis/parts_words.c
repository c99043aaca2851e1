/* SPDX-License-Identifier: MIT
 *
 * What the parts of messages are in the words of Bedrock's Converse, the AI
 * SDK, OpenTelemetry, pydantic-ai and Haystack: a row each.
 */
#include "records/apis/parts_halves.h"

typedef struct word {
    const char *word;
    tw_said_kind kind;
} word;

/* What `type` or `part_kind` says. */
static const word types[] = {
    {"text", TW_SAID_TEXT},
    {"user-prompt", TW_SAID_TEXT},
    {"system-prompt", TW_SAID_SYSTEM},
    {"reasoning", TW_SAID_THOUGHT},
    {"thinking", TW_SAID_THOUGHT},
    {"image", TW_SAID_IMAGE},
    {"file", TW_SAID_IMAGE},
    {"tool-call", TW_SAID_CALL},
    {"tool_call", TW_SAID_CALL},
    {"tool-invocation", TW_SAID_CALL},
    {"dynamic-tool", TW_SAID_CALL},
    {"tool-result", TW_SAID_RESULT},
    {"tool_call_response", TW_SAID_RESULT},
    {"tool-return", TW_SAID_RESULT},
    {"retry-prompt", TW_SAID_RESULT},
    {"step-start", TW_SAID_STEP},
};

/* The member that a part without a type has. */
static const word bodies[] = {
    {"text", TW_SAID_TEXT},      {"reasoningContent", TW_SAID_THOUGHT},
    {"toolUse", TW_SAID_CALL},   {"toolResult", TW_SAID_RESULT},
    {"tool_call", TW_SAID_CALL}, {"tool_call_result", TW_SAID_RESULT},
};

static const char *const type_names[] = {"type", "part_kind"};

/* In front of the tool's name, in a type. */
static const char tool_type[] = "tool-";

static bool names_tool(const tw_value *type)
{
    return type->size > sizeof tool_type - 1 &&
           tw_value_begins(type, tool_type);
}

static void take(tw_said *said, const char *name)
{
    if (said->count + 1 < sizeof said->taken / sizeof *said->taken) {
        said->taken[said->count++] = name;
    }
}

static const tw_value *type_of(const tw_value *part, size_t *which)
{
    const tw_value *type = NULL;
    for (*which = 0; type == NULL && *which < 2; ++*which) {
        type = tw_value_member(part, type_names[*which]);
    }
    --*which;
    return tw_value_is_a(type, TW_VALUE_STRING) ? type : NULL;
}

static tw_said_kind kind_named(const tw_value *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (tw_value_is(type, types[i].word)) {
            return types[i].kind;
        }
    }
    return TW_SAID_OTHER;
}

static tw_said_kind kind_of(const tw_value *type)
{
    const tw_said_kind kind = kind_named(type);
    return kind == TW_SAID_OTHER && names_tool(type) ? TW_SAID_CALL : kind;
}

/* The body may stand deeper. */
static void go_down(tw_said *said, const char *name)
{
    const tw_value *inner = tw_value_member(said->body, name);
    if (tw_value_is_a(inner, TW_VALUE_OBJECT)) {
        said->body = inner;
    }
}

void tw_said_find(tw_said *said, const tw_value *source)
{
    size_t which;
    const tw_value *type = type_of(source, &which);
    const tw_said found = {.source = source, .body = source};
    *said = found;
    if (type != NULL) {
        said->kind = kind_of(type);
        take(said, type_names[which]);
        go_down(said, "toolInvocation");
        return;
    }
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (tw_value_member(source, bodies[i].word) != NULL) {
            said->kind = bodies[i].kind;
            go_down(said, bodies[i].word);
            go_down(said, "reasoningText");
            return;
        }
    }
}

const tw_value *tw_said_take(tw_said *said, const char *const *names)
{
    for (; *names != NULL; names++) {
        const tw_value *found = tw_value_member(said->body, *names);
        if (found != NULL && found->kind != TW_VALUE_NULL) {
            take(said, *names);
            return found;
        }
    }
    return NULL;
}

const char *const tw_said_results[] = {"output",  "result",    "response",
                                       "content", "errorText", NULL};

const tw_value *tw_said_tool(tw_recoder *recoder, tw_said *said)
{
    static const char *const names[] = {"toolName", "tool_name", "name", NULL};
    const tw_value *name = tw_said_take(said, names);
    const tw_value *type = tw_value_member(said->source, type_names[0]);
    if (name != NULL || !tw_value_is_a(type, TW_VALUE_STRING) ||
        kind_named(type) != TW_SAID_OTHER || !names_tool(type)) {
        return name;
    }
    const size_t size = sizeof tool_type - 1;
    tw_value *made = tw_make_text(&recoder->made, NULL, NULL,
                                  type->text + size, type->size - size);
    if (made != NULL) {
        made->origin = type;
    }
    return made;
}

void tw_said_lose_rest(tw_recoder *recoder, tw_said *said)
{
    tw_losses *losses = &recoder->losses;
    said->taken[said->count] = NULL;
    tw_losses_add_members(losses, said->body, said->taken);
    for (const tw_value *at = said->body; at != said->source;
         at = at->parent) {
        for (const tw_value *beside = at->parent->first; beside != NULL;
             beside = beside->next) {
            if (beside != at && !tw_value_is_named(beside, said->taken)) {
                tw_losses_add_member(losses, beside, said->taken);
            }
        }
    }
}

/* ---- whose a content is ------------------------------------------------- */

static bool is_own(const tw_value *part, bool plain)
{
    static const char *const own[] = {
        "toolUse",   "toolResult",       "toolCallId", "reasoningContent",
        "part_kind", "tool_call_result", "cachePoint", NULL};
    size_t i = 0;
    while (own[i] != NULL && tw_value_member(part, own[i]) == NULL) {
        i++;
    }
    return own[i] != NULL ||
           (plain && tw_value_member(part, type_names[0]) == NULL &&
            tw_value_is_a(tw_value_member(part, "text"), TW_VALUE_STRING));
}

bool tw_said_is_content(const tw_value *content, bool plain)
{
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    while (at != NULL && !is_own(at, plain)) {
        at = at->next;
    }
    return at != NULL;
}
