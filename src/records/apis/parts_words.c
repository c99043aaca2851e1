/* SPDX-License-Identifier: MIT
 *
 * What the parts of messages are in the words of clients, tracers and agents:
 * a row each.
 */
#include "records/apis/parts_halves.h"

typedef struct word {
    const char *word;
    tw_said_kind kind;
} word;

/* What the type says. */
static const word types[] = {
    {"text", TW_SAID_TEXT},
    {"TextContent", TW_SAID_TEXT},
    {"user-prompt", TW_SAID_TEXT},
    {"system-prompt", TW_SAID_SYSTEM},
    {"reasoning", TW_SAID_THOUGHT},
    {"thinking", TW_SAID_THOUGHT},
    {"text_reasoning", TW_SAID_THOUGHT},
    {"ReasoningContent", TW_SAID_THOUGHT},
    {"image", TW_SAID_IMAGE},
    {"file", TW_SAID_IMAGE},
    {"uri", TW_SAID_IMAGE},
    {"data", TW_SAID_IMAGE},
    {"tool", TW_SAID_CALL},
    {"toolCall", TW_SAID_CALL},
    {"toolRequest", TW_SAID_CALL},
    {"frontendToolRequest", TW_SAID_CALL},
    {"function_call", TW_SAID_CALL},
    {"functionCall", TW_SAID_CALL},
    {"FunctionCallContent", TW_SAID_CALL},
    {"tool-call", TW_SAID_CALL},
    {"tool_call", TW_SAID_CALL},
    {"tool-invocation", TW_SAID_CALL},
    {"dynamic-tool", TW_SAID_CALL},
    {"tool-result", TW_SAID_RESULT},
    {"tool_call_response", TW_SAID_RESULT},
    {"tool_result", TW_SAID_RESULT},
    {"tool-return", TW_SAID_RESULT},
    {"retry-prompt", TW_SAID_RESULT},
    {"toolResponse", TW_SAID_RESULT},
    {"function_result", TW_SAID_RESULT},
    {"functionResult", TW_SAID_RESULT},
    {"FunctionResultContent", TW_SAID_RESULT},
    {"step-start", TW_SAID_STEP},
    {"step-finish", TW_SAID_NOTHING},
    {"snapshot", TW_SAID_NOTHING},
    {"compaction", TW_SAID_NOTHING},
    {"patch", TW_SAID_NOTHING},
    {"finish", TW_SAID_NOTHING},
};

/* The member that a part without a type has. */
static const word bodies[] = {
    {"text", TW_SAID_TEXT},      {"reasoningContent", TW_SAID_THOUGHT},
    {"toolUse", TW_SAID_CALL},   {"toolResult", TW_SAID_RESULT},
    {"tool_call", TW_SAID_CALL}, {"tool_call_result", TW_SAID_RESULT},
    {"arguments", TW_SAID_CALL}, {"call_id", TW_SAID_RESULT},
};

static const char *const type_names[] = {"type", "part_kind", "content_type",
                                         "block_type", "$type"};
enum { TYPE_NAMES = sizeof type_names / sizeof *type_names };

/* What the members of a body may stand in, one in the other. */
static const char *const bodies_in[] = {
    "toolInvocation", "toolCall", "toolResult", "value",
    "state",          "data",     NULL};

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
    for (*which = 0; type == NULL && *which < TYPE_NAMES; ++*which) {
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
        for (const char *const *name = bodies_in; *name != NULL; name++) {
            go_down(said, *name);
        }
        return;
    }
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (tw_value_member(source, bodies[i].word) != NULL) {
            said->kind = bodies[i].kind;
            if (tw_value_member(source, "name") == NULL) {
                go_down(said, bodies[i].word);
                go_down(said, "reasoningText");
            }
            return;
        }
    }
}

/* The call of a response that was answered by several. */
static const tw_value *call_named(const tw_value *response, const tw_value *id)
{
    static const char path[] = "choices.0.message.tool_calls";
    const tw_value *calls =
        response != NULL ? tw_value_reach(response, path, NULL) : NULL;
    const tw_value *at =
        tw_value_is_a(calls, TW_VALUE_ARRAY) ? calls->first : NULL;
    while (at != NULL &&
           !tw_value_is_same_text(tw_value_member(at, "id"), id)) {
        at = at->next;
    }
    return tw_value_member(at, "function");
}

void tw_said_find_itself(tw_said *said, const tw_value *message,
                         tw_said_kind kind)
{
    static const char *const inside[] = {"tool_call",
                                         "observation",
                                         "tool_call_metadata",
                                         "additional_kwargs",
                                         "message",
                                         "data",
                                         NULL};
    const tw_said found = {.kind = kind, .source = message, .body = message};
    *said = found;
    for (const char *const *name = inside;
         *name != NULL && said->body == message; name++) {
        go_down(said, *name);
    }
    if (said->body != message && tw_value_has_key(said->body, "data")) {
        go_down(said, "error");
    }
    const tw_value *call =
        call_named(tw_value_member(said->body, "model_response"),
                   tw_value_member(said->body, "tool_call_id"));
    said->body = kind == TW_SAID_CALL && call != NULL ? call : said->body;
}

const tw_value *tw_said_take(tw_said *said, const char *const *names)
{
    for (; *names != NULL; names++) {
        const char *name = tw_losses_bare_name(*names);
        const tw_value *at = said->body;
        const tw_value *found = tw_value_member(at, name);
        while (at != said->source &&
               (found == NULL || found->kind == TW_VALUE_NULL)) {
            at = at->parent;
            found = tw_value_member(at, name);
        }
        if (found != NULL && found->kind != TW_VALUE_NULL &&
            tw_losses_is_asked(found, *names)) {
            take(said, *names);
            return found;
        }
    }
    return NULL;
}

const tw_value *tw_said_result(tw_said *said)
{
    static const char *const names[] = {"output",   "result",  "Result",
                                        "response", "content", "errorText",
                                        NULL};
    static const char *const of_result[] = {"value", "blocks", "\"message",
                                            NULL};
    static const char *const reasons[] = {"\"error", "\"rejection_reason",
                                          NULL};
    static const char *const whole[] = {"{observation", NULL};
    const bool alone = said->kind == TW_SAID_RESULT;
    const tw_value *found = tw_said_take(said, names);
    if (found == NULL && alone) {
        found = tw_said_take(said, of_result);
    }
    if (found == NULL) {
        found = tw_said_take(said, reasons);
    }
    if (found == NULL && alone) {
        found = tw_said_take(said, whole);
    }
    return found;
}

/* Semantic Kernel's, `PLUGIN-FUNCTION`. */
static const tw_value *plugin_name(tw_recoder *recoder, tw_said *said)
{
    static const char *const functions[] = {"\"FunctionName", NULL};
    static const char *const plugins[] = {"\"PluginName", NULL};
    const tw_value *function = tw_said_take(said, functions);
    const tw_value *plugin = tw_said_take(said, plugins);
    tw_buffer text = {0};
    if (!tw_has_text(function) || !tw_has_text(plugin)) {
        return function;
    }
    recoder->json_out.failed |=
        !tw_buffer_append(&text, recoder->memory, plugin->text,
                          plugin->size) ||
        !tw_buffer_append(&text, recoder->memory, "-", 1) ||
        !tw_buffer_append(&text, recoder->memory, function->text,
                          function->size);
    tw_value *made = tw_make_text(&recoder->made, NULL, NULL,
                                  (const char *)text.data, text.size);
    if (made != NULL) {
        made->origin = function;
    }
    tw_buffer_free(&text, recoder->memory);
    return made;
}

const tw_value *tw_said_tool(tw_recoder *recoder, tw_said *said)
{
    static const char *const names[] = {"\"toolName", "\"tool_name", "\"name",
                                        "\"tool", NULL};
    static const char *const again[][2] = {
        {"\"tool_name"}, {"\"name"}, {"\"function_name"}, {"\"plugin_name"}};
    const tw_value *name = tw_said_take(said, names);
    const tw_value *type = tw_value_member(said->source, type_names[0]);
    name = name != NULL ? name : plugin_name(recoder, said);
    for (size_t i = 0; i < sizeof again / sizeof *again; i++) {
        tw_said_take(said, again[i]); /* they say no more */
    }
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

void tw_said_lose_rest(tw_recoder *recoder, tw_said *said, bool once)
{
    const tw_value *at = said->body;
    while (at != NULL) {
        said->taken[said->count] = NULL;
        if (at->kind == TW_VALUE_OBJECT && once) {
            tw_recoder_lose_others(recoder, at, said->taken);
        } else if (at->kind == TW_VALUE_OBJECT) {
            tw_losses_add_members(&recoder->losses, at, said->taken);
        }
        if (at->parent != NULL && tw_value_is_a(at->parent, TW_VALUE_OBJECT)) {
            take(said, at->key);
        }
        at = at != said->source ? at->parent : NULL;
    }
}

/* ---- whose a content is ------------------------------------------------- */

static bool is_own(const tw_value *part, bool plain)
{
    static const char *const own[] = {"toolUse",
                                      "toolResult",
                                      "toolCallId",
                                      "reasoningContent",
                                      "part_kind",
                                      "tool_call_result",
                                      "cachePoint",
                                      "toolCall",
                                      "content_type",
                                      "block_type",
                                      "$type",
                                      "callID",
                                      NULL};
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
