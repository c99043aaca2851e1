/* SPDX-License-Identifier: MIT
 *
 * What records of Anthropic's shape and of ShareGPT's say.
 */
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"

static bool is_text(const tw_value *value)
{
    return value != NULL && value->kind == TW_VALUE_STRING;
}

static bool is_block(const tw_value *block, const char *type)
{
    return tw_value_is(tw_value_member(block, "type"), type);
}

static const tw_value *first_of(const tw_value *list)
{
    return list != NULL && list->kind == TW_VALUE_ARRAY ? list->first : NULL;
}

static void text_fact(facts *to, size_t unit, size_t number,
                      const tw_value *text)
{
    add_fact(to, text, text->text, text->size, "%zu/part/%zu/text", unit,
             number);
}

/* ---- Anthropic: contents ------------------------------------------------ */

static void image_facts(facts *to, size_t unit, size_t number,
                        const tw_value *block)
{
    static const char *const known[] = {"type", "url", "media_type", "data",
                                        NULL};
    static const char *const outer[] = {"type", "source", NULL};
    const tw_value *source = tw_value_member(block, "source");
    const tw_value *url = tw_value_member(source, "url");
    const tw_value *media = tw_value_member(source, "media_type");
    const tw_value *data = tw_value_member(source, "data");
    char text[512];
    if (is_text(url)) {
        snprintf(text, sizeof text, "%s", url->text);
    } else {
        snprintf(text, sizeof text, "data:%s;base64,%s",
                 is_text(media) ? media->text : "?",
                 is_text(data) ? data->text : "?");
    }
    add_fact(to, source != NULL ? source : block, text, strlen(text),
             "%zu/part/%zu/image", unit, number);
    if (source != NULL) {
        add_others(to, source, known, "%zu/part/%zu/source", unit, number);
    }
    add_others(to, block, outer, "%zu/part/%zu/image", unit, number);
}

/* Has a chat a place for the block beside results? */
static bool has_place(const tw_value *block)
{
    return is_block(block, "text") ||
           (is_block(block, "image") &&
            !is_block(tw_value_member(block, "source"), "file"));
}

/* Texts, images and what else there is.  Returns the number of parts. */
static size_t content_facts(facts *to, size_t unit, const tw_value *content)
{
    static const char *const known[] = {"type", "text", NULL};
    size_t number = 0;
    bool calls = false;
    if (is_text(content) && content->size > 0) {
        text_fact(to, unit, 0, content);
        return 1;
    }
    for (const tw_value *at = first_of(content); at != NULL; at = at->next) {
        const tw_value *text = tw_value_member(at, "text");
        calls = calls || is_block(at, "tool_use");
        if (is_block(at, "tool_use") || is_block(at, "tool_result") ||
            is_block(at, "thinking") || is_dropped(to, at)) {
            continue;
        }
        if (is_block(at, "image")) {
            image_facts(to, unit, number, at);
        } else if (is_block(at, "text") && is_text(text)) {
            if (text->size > 0 || at->next != NULL || number > 0) {
                text_fact(to, unit, number, text);
            }
            add_others(to, at, known, "%zu/part/%zu", unit, number);
        } else {
            add_leaves(to, at, "%zu/part/%zu/other", unit, number);
        }
        if (calls) {
            add_fact(to, at, "", 0, "%zu/part/%zu/late", unit, number);
        }
        number++;
    }
    return number;
}

/* ---- Anthropic: messages ------------------------------------------------ */

static void thinking_facts(facts *to, size_t unit, const tw_value *content)
{
    static const char *const known[] = {"type", "thinking", NULL};
    size_t number = 0;
    bool late = false;
    for (const tw_value *at = first_of(content); at != NULL; at = at->next) {
        const tw_value *text = tw_value_member(at, "thinking");
        if (!is_block(at, "thinking")) {
            late = late || is_block(at, "tool_use") ||
                   ((is_block(at, "text") || is_block(at, "image")) &&
                    !is_dropped(to, at));
            continue;
        }
        if (text->size == 0) {
            add_others(to, at, known, "%zu/block/%zu", unit, at->index);
            continue;
        }
        add_others(to, at, known, "%zu/thought/%zu", unit, number);
        add_fact(to, text, text->text, text->size, "%zu/thinking/%zu", unit,
                 number);
        if (late) {
            add_fact(to, at, "", 0, "%zu/thinking/%zu/late", unit, number);
        }
        number++;
    }
}

/* |merged|: behind those of the message before. */
static void tool_uses(facts *to, said *so_far, size_t unit,
                      const tw_value *content, bool merged)
{
    static const char *const known[] = {"type", "id", "name", "input", NULL};
    size_t number = merged ? so_far->calls - so_far->turn : 0;
    if (!merged) {
        begin_calls(so_far);
    }
    for (const tw_value *at = first_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_use")) {
            call_facts(to, so_far, unit, number, tw_value_member(at, "name"),
                       id_fact(at, "id"), tw_value_member(at, "input"));
            add_others(to, at, known, "%zu/call/%zu", unit, number);
            number++;
        }
    }
}

static bool has_block(const tw_value *content, const char *type)
{
    const tw_value *at = first_of(content);
    while (at != NULL && !is_block(at, type)) {
        at = at->next;
    }
    return at != NULL;
}

typedef struct reading {
    facts *to;
    said so_far;
} reading;

static size_t begin_unit(reading *state, const tw_value *where,
                         const char *role)
{
    const size_t unit = state->so_far.units++;
    add_fact(state->to, where, role, strlen(role), "%zu/role", unit);
    return unit;
}

static void assistant_facts(reading *state, const tw_value *message)
{
    const tw_value *content = tw_value_member(message, "content");
    const bool merged = is_merged(state->to, message);
    const size_t unit = merged ? state->so_far.units - 1
                               : begin_unit(state, message, "assistant");
    const bool some = content_facts(state->to, unit, content) > 0;
    size_t home = unit;
    thinking_facts(state->to, unit, content);
    if (has_block(content, "tool_use")) {
        if (some) {
            add_fact(state->to, content, "", 0, "%zu/beside", unit);
            home = begin_unit(state, message, "assistant");
        }
        tool_uses(state->to, &state->so_far, home, content, merged);
    }
}

static void result_facts(reading *state, const tw_value *block)
{
    static const char *const known[] = {"type", "tool_use_id", "content",
                                        "is_error", NULL};
    const tw_value *error = tw_value_member(block, "is_error");
    const size_t unit = begin_unit(state, block, "tool");
    add_result(&state->so_far, unit, block, id_fact(block, "tool_use_id"),
               NULL);
    content_facts(state->to, unit, tw_value_member(block, "content"));
    if (!is_void_value(error) && error->kind != TW_VALUE_FALSE) {
        add_fact(state->to, error, "", 0, "%zu/error", unit);
    }
    add_others(state->to, block, known, "%zu/member", unit);
}

static void user_facts(reading *state, const tw_value *message)
{
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *last = NULL;
    size_t others = 0;
    for (const tw_value *at = first_of(content); at != NULL; at = at->next) {
        if (is_block(at, "tool_result")) {
            result_facts(state, at);
            last = at;
        } else if (has_place(at)) {
            others++;
        } else if (!is_dropped(state->to, at)) {
            add_leaves(state->to, at, "%zu/other", state->so_far.units);
        }
    }
    if (last != NULL && others == 0) {
        return;
    }
    const size_t unit = begin_unit(state, message, "user");
    content_facts(state->to, unit, content);
    for (const tw_value *at = first_of(content);
         last != NULL && at->index < last->index; at = at->next) {
        if ((is_block(at, "text") || is_block(at, "image")) &&
            !is_dropped(state->to, at)) {
            add_fact(state->to, at, "", 0, "%zu/early/%zu", unit, at->index);
        }
    }
}

/* ---- Anthropic: records ------------------------------------------------- */

static void choice_facts(facts *to, const tw_value *choice)
{
    static const char *const known[] = {"type", "name",
                                        "disable_parallel_tool_use", NULL};
    const tw_value *name = tw_value_member(choice, "name");
    const tw_value *type = tw_value_member(choice, "type");
    const tw_value *alone =
        tw_value_member(choice, "disable_parallel_tool_use");
    if (!is_void_value(type) && !tw_value_is(type, "auto")) {
        add_leaves(to, type, "choice/type");
    }
    if (!is_void_value(name)) {
        add_leaves(to, name, "choice/name");
    }
    if (!is_void_value(alone)) {
        add_leaves(to, alone, "choice/alone");
    }
    if (choice != NULL) {
        add_others(to, choice, known, "choice");
    }
}

void anthropic_facts(facts *to, const tw_value *record)
{
    static const char *const known[] = {"messages", "system", "tools",
                                        "tool_choice", NULL};
    static const char *const known_message[] = {"role", "content", NULL};
    const tw_value *system = tw_value_member(record, "system");
    const tw_value *tools = tw_value_member(record, "tools");
    reading *state = calloc(1, sizeof *state);
    size_t number = 0;
    if (state == NULL) {
        abort();
    }
    state->to = to;
    if (!is_void_value(system)) {
        content_facts(to, begin_unit(state, system, "system"), system);
    }
    const tw_value *messages = tw_value_member(record, "messages");
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        const tw_value *role = tw_value_member(at, "role");
        const size_t unit = state->so_far.units;
        if (is_dropped(to, at)) {
            continue;
        }
        if (tw_value_is(role, "assistant")) {
            assistant_facts(state, at);
        } else if (tw_value_is(role, "user")) {
            user_facts(state, at);
        } else {
            content_facts(to, begin_unit(state, at, "system"),
                          tw_value_member(at, "content"));
        }
        add_others(to, at, known_message, "%zu/message", unit);
    }
    for (const tw_value *at = first_of(tools); at != NULL; at = at->next) {
        const tw_value *type = tw_value_member(at, "type");
        if (is_dropped(to, at)) {
            continue;
        }
        if (!is_void_value(type) && !tw_value_is(type, "custom")) {
            add_leaves(to, type, "tool/%zu/server", number);
        }
        function_facts(to, number++, at, "input_schema", false);
    }
    answer_facts(to, &state->so_far);
    choice_facts(to, tw_value_member(record, "tool_choice"));
    add_others(to, record, known, "record");
    free(state);
}

/* ---- ShareGPT ----------------------------------------------------------- */

static const char *role_of(const tw_value *from)
{
    static const char *const roles[][2] = {
        {"human", "user"},        {"user", "user"},
        {"gpt", "assistant"},     {"assistant", "assistant"},
        {"model", "assistant"},   {"chatgpt", "assistant"},
        {"bing", "assistant"},    {"bard", "assistant"},
        {"system", "system"},     {"function_call", "calls"},
        {"tool_call", "calls"},   {"observation", "tool"},
        {"tool", "tool"},         {"function", "tool"},
        {"tool_response", "tool"}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (tw_value_is(from, roles[i][0])) {
            return roles[i][1];
        }
    }
    return "?";
}

static void described_facts(facts *to, said *so_far, size_t unit,
                            size_t number, const tw_value *call)
{
    static const char *const known[] = {"name", "arguments", "parameters",
                                        NULL};
    const tw_value *arguments = tw_value_member(call, "arguments");
    call_facts(to, so_far, unit, number, tw_value_member(call, "name"), NULL,
               arguments != NULL ? arguments
                                 : tw_value_member(call, "parameters"));
    add_others(to, call, known, "%zu/call/%zu", unit, number);
}

static void turn_facts(facts *to, said *so_far, const tw_value *turn)
{
    static const char *const known[] = {"from", "value", NULL};
    const tw_value *from = tw_value_member(turn, "from");
    const tw_value *value = tw_value_member(turn, "value");
    const char *role = role_of(from);
    const bool merged = is_merged(to, turn);
    const size_t unit = merged ? so_far->units - 1 : so_far->units++;
    if (!merged) {
        add_fact(to, from, role, strlen(role), "%zu/role", unit);
    }
    add_others(to, turn, known, "%zu/member", unit);
    if (strcmp(role, "tool") == 0) {
        add_result(so_far, unit, turn, NULL, NULL);
    }
    if (strcmp(role, "calls") != 0) {
        if (value->size > 0) {
            text_fact(to, unit, 0, value);
        }
        return;
    }
    bool repaired = false;
    const tw_value *json = json_of(to, value, &repaired);
    size_t number = merged ? so_far->calls - so_far->turn : 0;
    if (!merged) {
        begin_calls(so_far);
    }
    if (repaired) { /* such as what Python prints */
        add_fact(to, value, "", 0, "%zu/spelling", unit);
    }
    if (json->kind == TW_VALUE_ARRAY) {
        for (const tw_value *at = json->first; at != NULL; at = at->next) {
            described_facts(to, so_far, unit, number++, at);
        }
    } else {
        described_facts(to, so_far, unit, number, json);
    }
}

void sharegpt_facts(facts *to, const tw_value *record)
{
    static const char *const known[] = {"conversations", "system", "tools",
                                        NULL};
    const tw_value *system = tw_value_member(record, "system");
    const tw_value *turns = tw_value_member(record, "conversations");
    said *so_far = calloc(1, sizeof *so_far);
    if (so_far == NULL) {
        abort();
    }
    if (!is_void_value(system)) {
        const size_t unit = so_far->units++;
        add_fact(to, system, "system", 6, "%zu/role", unit);
        text_fact(to, unit, 0, system);
    }
    for (const tw_value *at = turns->first; at != NULL; at = at->next) {
        if (!is_dropped(to, at)) {
            turn_facts(to, so_far, at);
        }
    }
    answer_facts(to, so_far);
    free(so_far);
    tool_facts(to, json_of(to, tw_value_member(record, "tools"), NULL));
    add_others(to, record, known, "record");
}
