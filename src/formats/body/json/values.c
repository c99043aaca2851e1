/* SPDX-License-Identifier: MIT
 *
 * What the keys of a call's JSON, and the values under them, mean.
 */
#include <string.h>

#include "formats/body/json/state.h"

/* ---- keys --------------------------------------------------------------- */

/* Copied: a swap of buffers would let each message grow another one. */
static void keep_word(tw_json_body *body, tw_buffer *buffer)
{
    buffer->size = 0;
    if (!tw_buffer_append(buffer, body->common.call->memory, body->word.data,
                          body->word.size)) {
        tw_open_call_no_memory(body->common.call);
    }
}

/* Is the key, which no call has, a parameter of the tool that is called?  Its
 * value may stand where the arguments are due. */
static bool is_parameter(const tw_json_body *body)
{
    const tw_open_call *call = body->common.call;
    const tw_tools *tools = call->sink->tools;
    const tw_tool *tool =
        call->has_name && body->strange_at == 0
            ? tw_tools_find(tools, (const char *)call->name.data,
                            call->name.size)
            : NULL;
    return tool != NULL &&
           tw_tools_parameter(tools, tool, (const char *)body->word.data,
                              body->word.size) != NULL;
}

void tw_json_body_key_ended(tw_json_body *body)
{
    const char *word = (const char *)body->word.data;
    body->key = (uint8_t)tw_call_key_of(&body->keys, word, body->word.size,
                                        &body->capitals);
    body->other_name = body->key == TW_KEY_NAME && !body->capitals &&
                       !tw_call_key_names(&body->keys, word, body->word.size);
    body->foreign_key |= body->key == TW_KEY_OTHER;
    if (body->key == TW_KEY_INPUT) {
        body->key = TW_KEY_PARAMETERS;
    }
    if (body->key == TW_KEY_OTHER && is_parameter(body)) {
        body->strange_at = body->key_at;
    }
}

/* All that a call begins with is known.  An id of a format that writes ids in
 * the object may stand behind the arguments, which then wait for it. */
bool tw_json_body_may_begin(const tw_json_body *body)
{
    const tw_open_call *call = body->common.call;
    return call->has_name &&
           (body->bare || body->keys.id[0] == NULL || call->id.size > 0);
}

/* ---- values of the call's keys ------------------------------------------ */

static void not_object(tw_json_body *body, uint64_t offset)
{
    tw_open_call_fail(body->common.call, TW_DIAGNOSTIC_ARGUMENTS_NOT_OBJECT,
                      offset);
}

/* What a second arguments key means.  True: skip its value. */
static bool second_arguments(tw_json_body *body, uint64_t offset)
{
    if (body->got == GOT_NOTHING) {
        return false;
    }
    if (body->key == TW_KEY_PARAMETERS &&
        body->arguments_key == TW_KEY_ARGUMENTS) {
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_BOTH_ARGUMENT_KEYS, offset);
    } else {
        tw_open_call_fail(body->common.call, TW_DIAGNOSTIC_DUPLICATE_CALL_KEY,
                          offset);
    }
    return true;
}

static void begin_arguments(tw_json_body *body, const tw_json_step *step,
                            uint64_t offset)
{
    body->role = ROLE_SKIPPED;
    if (second_arguments(body, offset)) {
        return;
    }
    if (body->key == TW_KEY_PARAMETERS) {
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_KEY_PARAMETERS, offset);
    }
    body->arguments_key = body->key;
    body->got = GOT_SOME;
    body->value_at = offset;
    if (step->kind == TW_JSON_STEP_OPEN && step->text[0] == '{') {
        body->role = ROLE_ARGUMENTS;
        body->got = GOT_OBJECT;
        body->json.floor = body->json.depth;
    } else if (step->kind == TW_JSON_STEP_STRING) {
        body->role = ROLE_STRING;
        tw_arguments_string(&body->common.call->arguments);
    } else if (step->kind == TW_JSON_STEP_LITERAL && step->text[0] == 'n') {
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_EMPTY_ARGUMENTS, offset);
        body->got = GOT_EMPTY;
    } else {
        not_object(body, offset);
    }
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

static void check_name(tw_json_body *body)
{
    const uint8_t *name = body->common.call->name.data;
    const size_t size = body->common.call->name.size;
    if (size > body->common.call->sink->limits.name) {
        tw_open_call_fail(body->common.call, TW_DIAGNOSTIC_LIMIT_NAME,
                          body->value_at);
        body->common.call->has_name = false; /* only a part of it was kept */
        return;
    }
    if (size > 0 && (is_space(name[0]) || is_space(name[size - 1]))) {
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_NAME_WHITESPACE, body->value_at);
    }
    if (size > 0 && memchr(name, 0, size) != NULL) {
        tw_open_call_fail(body->common.call, TW_DIAGNOSTIC_BAD_NAME,
                          body->value_at);
    }
}

/* A value begins under a key that is the call's name.  False: it is a call
 * with keys of its own. */
static bool begin_keyed(tw_json_body *body, const tw_json_step *step,
                        uint64_t offset)
{
    tw_open_call *call = body->common.call;
    const bool name = body->key == TW_KEY_NAME || body->key == TW_KEY_FUNCTION;
    const bool object =
        step->kind == TW_JSON_STEP_OPEN && step->text[0] == '{';
    if (body->named) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_MANY_KEYS, body->key_at);
        return true;
    }
    if (name && !object) {
        body->other_name = true;
        body->keyed = false;
        return false;
    }
    keep_word(body, &call->name);
    body->named = true;
    call->has_name = call->name.size > 0;
    body->capitals = false;
    body->key = TW_KEY_ARGUMENTS;
    check_name(body);
    begin_arguments(body, step, offset);
    return true;
}

/* A value begins under one of the call's keys. */
void tw_json_body_value_begins(tw_json_body *body, const tw_json_step *step,
                               uint64_t offset)
{
    const bool string = step->kind == TW_JSON_STEP_STRING;
    body->role_depth = body->base;
    if (body->keyed && begin_keyed(body, step, offset)) {
        body->word.size = 0;
        return;
    }
    body->word.size = 0;
    if (body->capitals && !(body->wrapped && body->base == 1)) {
        tw_sink_diagnostic(body->common.call->sink, TW_DIAGNOSTIC_KEY_CASE,
                           body->key_at);
    }
    if (body->key == TW_KEY_FUNCTION && body->base == 1 &&
        step->kind == TW_JSON_STEP_OPEN && step->text[0] == '{') {
        if (!body->wrapped) {
            tw_sink_diagnostic(body->common.call->sink,
                               TW_DIAGNOSTIC_OPENAI_WRAPPED, offset);
        }
        body->base = 2;
        body->wrapped = true;
        body->json.limit++;
    } else if (body->wrapped && body->base == 1 &&
               body->key != TW_KEY_CALL_ID) {
        return; /* beside the envelope nothing but the id is the call's */
    } else if (body->key == TW_KEY_NAME || body->key == TW_KEY_FUNCTION) {
        if (string) {
            body->role = ROLE_NAME;
            body->value_at = offset;
        } else if (body->key == TW_KEY_NAME) {
            tw_open_call_fail(body->common.call, TW_DIAGNOSTIC_NO_NAME,
                              body->common.call->begin);
        }
    } else if (body->key == TW_KEY_CALL_ID && string &&
               !body->common.call->begun) {
        body->role = ROLE_ID;
    } else if (body->key == TW_KEY_ARGUMENTS ||
               body->key == TW_KEY_PARAMETERS) {
        begin_arguments(body, step, offset);
    } else if (body->key == TW_KEY_OTHER && step->kind == TW_JSON_STEP_OPEN &&
               step->text[0] == '{') {
        body->role = ROLE_STRANGE;
    }
}

static bool same_name(const tw_json_body *body)
{
    return body->common.call->name.size == body->word.size &&
           (body->common.call->name.size == 0 ||
            memcmp(body->common.call->name.data, body->word.data,
                   body->common.call->name.size) == 0);
}

/* The arguments stood in front of what the call begins with. */
static void begin_late(tw_json_body *body)
{
    tw_open_call *call = body->common.call;
    if (tw_json_body_may_begin(body) && !call->begun && call->fail == 0 &&
        (call->arguments.early.size > 0 || call->arguments.closed)) {
        tw_open_call_begin(call);
    }
}

void tw_json_body_name_ended(tw_json_body *body)
{
    if (body->key == TW_KEY_FUNCTION && body->name_key == TW_KEY_NAME) {
        return; /* `function` is an alias: `name` wins */
    }
    if (body->name_key == body->key &&
        (!body->common.call->begun || same_name(body))) {
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_DUPLICATE_KEY, body->value_at);
    }
    if (body->key == TW_KEY_FUNCTION || body->other_name) {
        tw_sink_diagnostic(body->common.call->sink,
                           body->other_name ? TW_DIAGNOSTIC_LOOSE_HEAD
                                            : TW_DIAGNOSTIC_KEY_FUNCTION,
                           body->value_at);
    }
    if (body->common.call->begun) {
        if (!same_name(body)) {
            tw_open_call_fail(body->common.call,
                              TW_DIAGNOSTIC_DUPLICATE_CALL_KEY,
                              body->value_at);
        }
        return;
    }
    keep_word(body, &body->common.call->name);
    body->common.call->has_name = body->common.call->name.size > 0;
    body->name_key = body->key;
    check_name(body);
    begin_late(body);
}

static void string_arguments_ended(tw_json_body *body, uint64_t offset)
{
    if (body->common.call->fail != 0) { /* nothing of it was looked at */
        body->got = GOT_EMPTY;
        return;
    }
    switch (tw_arguments_string_end(&body->common.call->arguments, offset)) {
    case TW_UNWRAPPED_NOTHING:
        body->got = GOT_EMPTY;
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_EMPTY_ARGUMENTS, body->value_at);
        break;
    case TW_UNWRAPPED_OBJECT:
        body->got = GOT_OBJECT;
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_ARGUMENTS_STRING, body->value_at);
        break;
    default: not_object(body, body->value_at); break;
    }
}

/* A value of one of the call's keys is complete. */
void tw_json_body_value_ended(tw_json_body *body, uint64_t offset)
{
    const uint8_t role = body->role;
    body->role = ROLE_NONE;
    if (role == ROLE_NAME) {
        tw_json_body_name_ended(body);
    } else if (role == ROLE_ID) {
        keep_word(body, &body->common.call->id);
        if (body->common.call->id.size > TW_ID_LIMIT) {
            body->common.call->id.size = 0;
        }
        begin_late(body);
    } else if (role == ROLE_STRING) {
        string_arguments_ended(body, offset);
    }
}
