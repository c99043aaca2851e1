/* SPDX-License-Identifier: MIT
 *
 * What a record of OpenAI's shape says.
 */
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"

static bool is_text(const tw_value *value)
{
    return value != NULL && value->kind == TW_VALUE_STRING;
}

static bool is_same(const tw_value *left, const tw_value *right)
{
    return is_text(left) && is_text(right) && left->size == right->size &&
           memcmp(left->text, right->text, left->size) == 0;
}

/* ---- contents ----------------------------------------------------------- */

static void part_facts(facts *to, size_t unit, size_t number,
                       const tw_value *part)
{
    static const char *const known[] = {"type",    "text",  "image_url",
                                        "refusal", "value", NULL};
    static const char *const known_url[] = {"url", NULL};
    const bool has_value = tw_value_member(part, "value") != NULL;
    const tw_value *text = part->kind == TW_VALUE_STRING ? part
                           : has_value ? tw_value_member(part, "value")
                                       : tw_value_member(part, "text");
    const tw_value *image = tw_value_member(part, "image_url");
    const tw_value *refusal = tw_value_member(part, "refusal");
    if (is_text(text) &&
        tw_value_is(tw_value_member(part, "type"), "image_url")) {
        add_fact(to, text, text->text, text->size, "%zu/part/%zu/image", unit,
                 number);
    } else if (is_text(text)) {
        add_fact(to, text, text->text, text->size, "%zu/part/%zu/text", unit,
                 number);
    } else if (is_text(tw_value_member(image, "url"))) {
        const tw_value *url = tw_value_member(image, "url");
        add_fact(to, url, url->text, url->size, "%zu/part/%zu/image", unit,
                 number);
        add_others(to, image, known_url, "%zu/part/%zu/image_url", unit,
                   number);
    } else if (is_text(refusal)) {
        add_fact(to, refusal, refusal->text, refusal->size,
                 "%zu/part/%zu/refusal", unit, number);
    } else {
        add_leaves(to, part, "%zu/part/%zu/other", unit, number);
        return;
    }
    if (part->kind == TW_VALUE_OBJECT) {
        add_others(to, part, known, "%zu/part/%zu", unit, number);
    }
}

static bool is_part_of_content(const tw_value *part)
{
    const tw_value *type = tw_value_member(part, "type");
    return !is_text(tw_value_member(part, "value")) ||
           (!tw_value_is(type, "reasoning") &&
            !tw_value_is(type, "tool_call"));
}

/* Is it one empty text? */
static bool is_empty_text(const tw_value *part)
{
    const tw_value *text =
        part->kind == TW_VALUE_STRING ? part : tw_value_member(part, "text");
    return is_text(text) && text->size == 0 &&
           (part->parent->first == part->parent->last) &&
           (part->last == NULL || part->last->index == 1);
}

/* Returns whether there is some. */
static bool content_facts(facts *to, size_t unit, const tw_value *content)
{
    size_t number = 0;
    if (is_void_value(content)) {
        return false;
    }
    if (content->kind == TW_VALUE_STRING) {
        part_facts(to, unit, 0, content);
        return true;
    }
    if (content->kind != TW_VALUE_ARRAY) {
        add_leaves(to, content, "%zu/content", unit);
        return false;
    }
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        if (is_part_of_content(at) && !is_dropped(to, at) &&
            !is_empty_text(at)) {
            part_facts(to, unit, number++, at);
        }
    }
    return number > 0;
}

/* ---- calls -------------------------------------------------------------- */

static const tw_value *holder_of(const tw_value *value)
{
    const tw_value *function = tw_value_member(value, "function");
    const tw_value *custom = tw_value_member(value, "custom");
    return !is_void_value(function) ? function
           : !is_void_value(custom) ? custom
                                    : value;
}

static void one_call(facts *to, said *so_far, size_t unit, size_t number,
                     const tw_value *value)
{
    static const char *const outer[] = {"id",       "type",   "index",
                                        "function", "custom", NULL};
    static const char *const inner[] = {"name", "arguments", "parameters",
                                        "input", NULL};
    static const char *const bare[] = {
        "id", "type", "index", "name", "arguments", "parameters", NULL};
    const tw_value *holder = holder_of(value);
    const tw_value *type = tw_value_member(value, "type");
    const tw_value *index = tw_value_member(value, "index");
    const tw_value *input = tw_value_member(holder, "input");
    const tw_value *arguments = tw_value_member(holder, "arguments");
    char digits[32];
    if (arguments == NULL) {
        arguments = tw_value_member(holder, "parameters");
    }
    call_facts(to, so_far, unit, number, tw_value_member(holder, "name"),
               id_fact(value, "id"), arguments);
    if (holder != value && tw_value_member(value, "custom") == holder) {
        add_leaves(to, input, "%zu/call/%zu/arguments/input", unit, number);
        add_fact(to, type != NULL ? type : value, "custom", 6,
                 "%zu/call/%zu/type", unit, number);
    } else if (!is_void_value(type) && !tw_value_is(type, "function")) {
        add_leaves(to, type, "%zu/call/%zu/type", unit, number);
    }
    snprintf(digits, sizeof digits, "%zu", number);
    if (!is_void_value(index) &&
        (index->kind != TW_VALUE_NUMBER || index->size != strlen(digits) ||
         memcmp(index->text, digits, index->size) != 0)) {
        add_leaves(to, index, "%zu/call/%zu/index", unit, number);
    }
    add_others(to, value, holder == value ? bare : outer, "%zu/call/%zu", unit,
               number);
    if (holder != value) {
        add_others(to, holder, inner, "%zu/call/%zu/function", unit, number);
    }
}

/* The calls of a message: a list, one by its legacy name, or parts. */
static size_t list_calls(facts *to, const tw_value *message,
                         const tw_value **list)
{
    const tw_value *own = tw_value_member(message, "tool_calls");
    const tw_value *legacy = tw_value_member(message, "function_call");
    const tw_value *content = tw_value_member(message, "content");
    size_t count = 0;
    if (!is_void_value(own)) {
        for (const tw_value *at = own->first; at != NULL; at = at->next) {
            list[count++] = at;
        }
    } else if (!is_void_value(legacy)) {
        list[count++] = legacy;
    }
    const tw_value *part = content != NULL && content->kind == TW_VALUE_ARRAY
                               ? content->first
                               : NULL;
    for (; part != NULL; part = part->next) {
        if (tw_value_is(tw_value_member(part, "type"), "tool_call")) {
            list[count++] = json_of(to, tw_value_member(part, "value"), NULL);
        }
    }
    return count;
}

/* ---- results ------------------------------------------------------------ */

static const tw_value *result_id(const tw_value *message)
{
    const tw_value *id = id_fact(message, "tool_call_id");
    return is_text(id) && id->size > 0 ? id : NULL;
}

static bool is_result(const tw_value *message)
{
    const tw_value *role = tw_value_member(message, "role");
    return tw_value_is(role, "tool") || tw_value_is(role, "function");
}

static void result_facts(facts *to, said *so_far, size_t unit,
                         const tw_value *message)
{
    const tw_value *given = id_fact(message, "tool_call_id");
    const tw_value *id = result_id(message);
    if (id == NULL && !is_void_value(given)) {
        add_leaves(to, given, "%zu/id", unit);
    }
    add_result(so_far, unit, message, id, tw_value_member(message, "name"));
}

/* ---- messages ----------------------------------------------------------- */

static void reasoning_facts(facts *to, size_t unit, const tw_value *message)
{
    static const char *const names[] = {"reasoning_content", "reasoning",
                                        "thinking"};
    static const char *const known[] = {"type", "value", NULL};
    const tw_value *first = NULL;
    for (size_t i = 0; i < 3; i++) {
        const tw_value *at = tw_value_member(message, names[i]);
        if (is_void_value(at) || is_same(at, first)) {
            continue;
        }
        if (is_text(at) && first == NULL) {
            first = at;
            add_fact(to, at, at->text, at->size, "%zu/reasoning", unit);
        } else {
            add_leaves(to, at, "%zu/%s", unit, names[i]);
        }
    }
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *part = content != NULL && content->kind == TW_VALUE_ARRAY
                               ? content->first
                               : NULL;
    for (; part != NULL; part = part->next) {
        const tw_value *value = tw_value_member(part, "value");
        if (tw_value_is(tw_value_member(part, "type"), "reasoning") &&
            is_text(value)) {
            add_fact(to, value, value->text, value->size, "%zu/reasoning",
                     unit);
            add_others(to, part, known, "%zu/block/%zu", unit, part->index);
        }
    }
}

/* Of LLaMA-Factory's parts: those that stand behind what OpenAI's messages
 * have behind them, and what calls have beside their text. */
static void order_facts(facts *to, size_t unit, const tw_value *content)
{
    static const char *const known[] = {"type", "value", NULL};
    const tw_value *part = content != NULL && content->kind == TW_VALUE_ARRAY
                               ? content->first
                               : NULL;
    int last = 0;
    for (; part != NULL; part = part->next) {
        const tw_value *type = tw_value_member(part, "type");
        const int place = tw_value_is(type, "reasoning")   ? 0
                          : tw_value_is(type, "tool_call") ? 2
                                                           : 1;
        if (place < last) {
            add_fact(to, part, "", 0, "%zu/late/%zu", unit, part->index);
        }
        if (place == 2) {
            add_others(to, part, known, "%zu/block/%zu", unit, part->index);
        }
        last = place > last ? place : last;
    }
}

static void role_fact(facts *to, size_t unit, const tw_value *message)
{
    const tw_value *role = tw_value_member(message, "role");
    const char *name = is_result(message) ? "tool" : role->text;
    add_fact(to, role, name, strlen(name), "%zu/role", unit);
}

static void message_facts(facts *to, said *so_far, const tw_value *message)
{
    static const char *const assistants[] = {
        "role",          "content",  "reasoning_content",
        "reasoning",     "thinking", "tool_calls",
        "function_call", "refusal",  NULL};
    static const char *const results[] = {"role", "content", "tool_call_id",
                                          NULL};
    static const char *const others[] = {"role", "content", NULL};
    const tw_value *list[64];
    const tw_value *content = tw_value_member(message, "content");
    const bool assistant =
        tw_value_is(tw_value_member(message, "role"), "assistant");
    const bool merged = is_merged(to, message);
    const size_t unit = merged ? so_far->units - 1 : so_far->units++;
    const size_t before = merged ? so_far->calls - so_far->turn : 0;
    if (!merged) {
        role_fact(to, unit, message);
    }
    bool some = content_facts(to, unit, content);
    if (is_result(message)) {
        result_facts(to, so_far, unit, message);
    }
    add_others(to, message,
               assistant            ? assistants
               : is_result(message) ? results
                                    : others,
               "%zu/member", unit);
    if (!assistant) {
        return;
    }
    reasoning_facts(to, unit, message);
    order_facts(to, unit, content);
    const tw_value *refusal = tw_value_member(message, "refusal");
    if (!is_void_value(refusal) && !is_dropped(to, refusal)) {
        add_leaves(to, refusal, "%zu/part/refusal", unit);
        some = true;
    }
    const size_t count = list_calls(to, message, list);
    size_t home = unit;
    if (count > 0 && !merged) {
        begin_calls(so_far);
    }
    if (count > 0 && some) { /* two units, side by side */
        home = so_far->units++;
        role_fact(to, home, message);
        add_fact(to, !is_void_value(content) ? content : refusal, "", 0,
                 "%zu/beside", unit);
    }
    for (size_t i = 0; i < count; i++) {
        one_call(to, so_far, home, before + i, list[i]);
    }
}

/* ---- records ------------------------------------------------------------ */

static void choice_facts(facts *to, const tw_value *record)
{
    const tw_value *given = tw_value_member(record, "tool_choice");
    const tw_value *legacy = tw_value_member(record, "function_call");
    const tw_value *choice = !is_void_value(given) ? given : legacy;
    const tw_value *function = tw_value_member(choice, "function");
    const tw_value *name =
        tw_value_member(function != NULL ? function : choice, "name");
    if (is_void_value(choice) || tw_value_is(choice, "auto")) {
        return;
    }
    if (is_text(name)) {
        static const char *const known[] = {"type", "function", "name", NULL};
        static const char *const known_inside[] = {"name", NULL};
        add_fact(to, choice, name->text, name->size, "choice/name");
        add_others(to, choice, known, "choice");
        if (function != NULL) {
            add_others(to, function, known_inside, "choice/function");
        }
    } else {
        add_leaves(to, choice, "choice");
    }
}

void openai_facts(facts *to, const tw_value *record)
{
    static const char *const known[] = {
        "messages", "conversations", "tools", "functions", "tool_choice",
        "function_call",
        /* what a prompt is made with is not said */
        "add_generation_prompt", "chat_template_kwargs", NULL};
    said *so_far = calloc(1, sizeof *so_far);
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *tools =
        json_of(to, tw_value_member(record, "tools"), NULL);
    if (so_far == NULL) {
        abort();
    }
    if (messages == NULL) {
        messages = tw_value_member(record, "conversations");
    }
    for (const tw_value *at = messages->first; at != NULL; at = at->next) {
        if (!is_dropped(to, at)) {
            message_facts(to, so_far, at);
        }
    }
    answer_facts(to, so_far);
    tool_facts(to, !is_void_value(tools)
                       ? tools
                       : tw_value_member(record, "functions"));
    choice_facts(to, record);
    add_others(to, record, known, "record");
    free(so_far);
}
