/* SPDX-License-Identifier: MIT
 *
 * Hermes, one call: the life of a call, and the call object.
 */
#include "naive_hermes.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 256, CALLS_LIMIT = 1024 };

static void diagnose(hermes_call *call, const char *code, size_t at)
{
    naive_diagnose(call->decoder->message, code, at);
}

void hermes_fail(hermes_call *call, const char *reason, size_t at)
{
    if (call->failure)
        return;
    call->failure = reason;
    diagnose(call, reason, at);
}

static bool failed_with(const hermes_call *call, const char *reason)
{
    return call->failure && strcmp(call->failure, reason) == 0;
}

static bool is_declared(const naive_options *options, const naive_bytes *name)
{
    if (!options->has_tools)
        return true;
    for (size_t i = 0; i < options->tool_count; i++)
        if (strlen(options->tools[i]) == name->size &&
            memcmp(options->tools[i], name->data, name->size) == 0)
            return true;
    return false;
}

void hermes_begin(hermes_call *call, size_t name_end)
{
    naive_message *message = call->decoder->message;
    char id[40];

    if (call->begun || call->failure || call->name.size == 0)
        return;
    if (message->begun >= CALLS_LIMIT) {
        hermes_fail(call, "limit_calls", name_end);
        return;
    }
    if (!is_declared(call->decoder->options, &call->name))
        diagnose(call, "undeclared_tool", name_end);
    snprintf(id, sizeof id, "call_%zu", message->begun++);
    if (call->id.size == 0)
        naive_add_text(&call->id, id);
    call->begun = true;
}

static void release(hermes_call *call)
{
    naive_release(&call->name);
    naive_release(&call->id);
    naive_release(&call->arguments.text);
}

static void list_unparsed(hermes_call *call, size_t end)
{
    bool has_name = !failed_with(call, "limit_name");

    hermes_unparsed(call->decoder, call->start, end, call->failure,
                    has_name ? &call->name : NULL);
}

static void deliver(hermes_call *call)
{
    naive_call *made = naive_call_add(call->decoder->message);

    made->name = call->name;
    made->id = call->id;
    made->arguments = call->arguments.text;
    call->name = call->id = call->arguments.text = (naive_bytes){0};
}

void hermes_finish(hermes_call *call, size_t at, size_t end)
{
    if (call->name.size == 0)
        hermes_fail(call, "no_name", call->start);
    if (!call->failure && !call->has_arguments) {
        diagnose(call, "empty_arguments", at);
        naive_add_text(&call->arguments.text, "{}");
    }
    hermes_begin(call, call->name_end);
    if (call->failure)
        list_unparsed(call, end);
    else
        deliver(call);
    release(call);
}

/* --- leaving a bad call ------------------------------------------------ */

hermes_element hermes_skip(hermes_decoder *decoder, size_t start, size_t at,
                           const char *reason, const naive_bytes *name,
                           size_t *next)
{
    size_t size, end = hermes_next_marker(decoder, at);

    if (hermes_marker_at(decoder, end, &size) == HERMES_CLOSE)
        end += size;
    hermes_unparsed(decoder, start, end, reason, name);
    *next = end;
    return HERMES_LEFT;
}

hermes_element hermes_leave_broken(hermes_call *call, const char *reason,
                                   size_t at, size_t *next)
{
    bool has_name;

    hermes_fail(call, reason, at);
    has_name = !failed_with(call, "limit_name");
    *next = at;
    if (call->decoder->bare)
        hermes_give_up(call->decoder, at);
    else
        hermes_skip(call->decoder, call->start, at, call->failure,
                    has_name ? &call->name : NULL, next);
    release(call);
    return HERMES_LEFT;
}

hermes_element hermes_leave(hermes_call *call, size_t at, size_t *next)
{
    size_t size, end = at;

    switch (hermes_marker_at(call->decoder, at, &size)) {
    case HERMES_NONE:
        return hermes_leave_broken(call, "syntax_error", at, next);
    case HERMES_CLOSE:
        end += size;
        hermes_fail(call, "syntax_error", at);
        break;
    case HERMES_OPEN:
        hermes_fail(call, "syntax_error", at);
        break;
    case HERMES_STOP:
        hermes_fail(call, "truncated_call", at);
        break;
    case HERMES_CUT:
        end = call->decoder->limit;
        hermes_fail(call, "truncated_call", end);
        break;
    }
    list_unparsed(call, end);
    release(call);
    *next = end;
    return HERMES_LEFT;
}

/* --- the members of a call object -------------------------------------- */

typedef enum key_kind {
    KEY_NAME, KEY_FUNCTION, KEY_ARGUMENTS, KEY_PARAMETERS, KEY_ID, KEY_TYPE,
    KEY_FOREIGN
} key_kind;

/* Call keys may be written in any case, which is diagnosed. */
static key_kind key_kind_of(const naive_bytes *key, bool *exact)
{
    static const char *const names[] = {
        "name", "function", "arguments", "parameters", "id", "type"};
    size_t kind = 0;

    *exact = true;
    for (; kind < KEY_FOREIGN; kind++) {
        size_t at = 0;

        if (strlen(names[kind]) != key->size)
            continue;
        for (; at < key->size; at++) {
            char c = key->data[at];

            if (c >= 'A' && c <= 'Z')
                c = (char)(c - 'A' + 'a');
            if (c != names[kind][at])
                break;
        }
        if (at < key->size)
            continue;
        *exact = memcmp(names[kind], key->data, key->size) == 0;
        break;
    }
    return (key_kind)kind;
}

/* Each value has the whole depth to itself: R13 counts from the arguments. */
static bool read_value(naive_reader *reader, hermes_call *call)
{
    size_t depth = reader->depth;
    bool whole;

    reader->depth = 0;
    whole = naive_read_value(reader);
    reader->depth = depth;
    call->stopped_in_value = !whole;
    return whole;
}

static bool is_python_space(char c)
{
    return hermes_is_blank(c) || c == '\v' || c == '\f';
}

static void judge_name(hermes_call *call, size_t value_at)
{
    const naive_bytes *name = &call->name;

    if (name->size > NAME_LIMIT) { /* what else is in it, nobody knows */
        hermes_fail(call, "limit_name", value_at);
        return;
    }
    if (name->size && (is_python_space(name->data[0]) ||
                       is_python_space(name->data[name->size - 1])))
        diagnose(call, "name_whitespace", value_at);
    if (memchr(name->data, 0, name->size))
        hermes_fail(call, "bad_name", value_at);
}

static void set_name(hermes_call *call, bool by_function, naive_bytes *name,
                     size_t value_at, size_t end)
{
    bool again = call->named && call->named_by_function == by_function;
    bool same = call->named && call->name.size == name->size &&
                memcmp(call->name.data, name->data, name->size) == 0;

    if (by_function && call->named && !call->named_by_function)
        return; /* `function` is an alias; `name` wins */
    if (call->begun && !same) {
        hermes_fail(call, "duplicate_call_key", value_at);
        return;
    }
    if (again)
        diagnose(call, "duplicate_key", value_at);
    if (by_function)
        diagnose(call, "key_function", value_at);
    if (call->begun)
        return;
    naive_release(&call->name);
    call->name = *name;
    *name = (naive_bytes){0};
    call->named = true;
    call->named_by_function = by_function;
    call->name_end = end;
    judge_name(call, value_at);
    if (call->arguments.begun)
        hermes_begin(call, end);
}

static bool read_name(naive_reader *reader, hermes_call *call, bool by_function)
{
    size_t value_at = reader->at;
    naive_decoded name = {0};
    bool whole;

    if (reader->text[value_at] != '"' && reader->text[value_at] != '\'') {
        /* A word is one only when it is complete. */
        const char first = reader->text[value_at];
        bool begins = first != 0 && strchr("{[-0123456789", first);
        if (!by_function && begins)
            hermes_fail(call, "no_name", call->start);
        whole = read_value(reader, call);
        if (!by_function && whole)
            hermes_fail(call, "no_name", call->start);
        return whole;
    }
    whole = naive_read_string(reader, &name);
    call->stopped_in_value = !whole;
    if (whole)
        set_name(call, by_function, &name.bytes, value_at, reader->at - 1);
    naive_decoded_release(&name);
    return whole;
}

/* An id counts if it is a string and stands before the call begins. */
static bool read_id(naive_reader *reader, hermes_call *call)
{
    char c = reader->text[reader->at];
    naive_decoded id = {0};
    bool whole;

    if (call->begun || (c != '"' && c != '\''))
        return read_value(reader, call);
    whole = naive_read_string(reader, &id);
    call->stopped_in_value = !whole;
    naive_release(&call->id);
    if (id.bytes.size <= NAME_LIMIT) {
        call->id = id.bytes;
        id.bytes = (naive_bytes){0};
    }
    naive_decoded_release(&id);
    return whole;
}

static void say_second(hermes_call *call, bool by_parameters, size_t at)
{
    if (by_parameters && !call->by_parameters)
        diagnose(call, "both_argument_keys", at);
    else
        hermes_fail(call, "duplicate_call_key", at);
}

/* A word begins a value only when it is complete. */
static bool begins_value(const naive_reader *reader)
{
    const char first = reader->text[reader->at];

    return first != 0 && strchr("{[\"'-0123456789", first);
}

static bool read_second_arguments(naive_reader *reader, hermes_call *call,
                                  bool by_parameters)
{
    const size_t at = reader->at;
    bool begins = begins_value(reader);
    bool whole;

    if (begins)
        say_second(call, by_parameters, at);
    whole = read_value(reader, call);
    if (!begins && whole)
        say_second(call, by_parameters, at);
    return whole;
}

static bool read_arguments(naive_reader *reader, hermes_call *call,
                           bool by_parameters)
{
    const size_t at = reader->at;
    bool begins = begins_value(reader);
    size_t depth = reader->depth;

    if (call->has_arguments)
        return read_second_arguments(reader, call, by_parameters);
    if (by_parameters && begins)
        diagnose(call, "key_parameters", at);
    call->has_arguments = true;
    call->by_parameters = by_parameters;
    /* What is in a bad call's string nobody reads. */
    if (call->failure && (reader->text[reader->at] == '"' ||
                          reader->text[reader->at] == '\''))
        return read_value(reader, call);
    reader->depth = 0;
    call->arguments_whole = naive_read_arguments(reader, &call->arguments);
    reader->depth = depth;
    call->stopped_in_value = !call->arguments_whole;
    if (by_parameters && !begins && call->arguments_whole)
        diagnose(call, "key_parameters", at);
    if (call->arguments.begun)
        hermes_begin(call, call->name_end);
    if (call->arguments.reason)
        hermes_fail(call, call->arguments.reason, call->arguments.reason_at);
    return call->arguments_whole;
}

static bool read_member_of(naive_reader *reader, hermes_call *call,
                           key_kind kind, size_t key_at)
{
    switch (kind) {
    case KEY_NAME:
    case KEY_FUNCTION:
        return read_name(reader, call, kind == KEY_FUNCTION);
    case KEY_ARGUMENTS:
    case KEY_PARAMETERS:
        return read_arguments(reader, call, kind == KEY_PARAMETERS);
    case KEY_ID:
        return read_id(reader, call);
    case KEY_FOREIGN:
        if (call->decoder->bare)
            return naive_break(reader, "foreign_key", key_at);
        return read_value(reader, call);
    case KEY_TYPE:
        return read_value(reader, call);
    }
    return false;
}

/* A member where the call keys are: in the object, or in its envelope. */
static bool read_call_member(naive_reader *reader, hermes_call *call,
                             const naive_bytes *key, size_t key_at)
{
    bool exact, whole;
    key_kind kind = key_kind_of(key, &exact);
    /* A word begins a value only when it is complete. */
    const char first = reader->text[reader->at];
    bool begins = first != 0 && strchr("{[\"'-0123456789", first);

    if (!exact && begins)
        diagnose(call, "key_case", key_at);
    whole = read_member_of(reader, call, kind, key_at);
    if (!exact && !begins && whole)
        diagnose(call, "key_case", key_at);
    return whole;
}

static bool read_envelope_member(naive_reader *reader, const naive_bytes *key,
                                 size_t key_at, void *context)
{
    return read_call_member(reader, context, key, key_at);
}

static bool read_envelope(naive_reader *reader, hermes_call *call)
{
    if (!call->enveloped)
        diagnose(call, "openai_wrapped", reader->at);
    call->enveloped = true;
    call->behind_envelope = false;
    if (!naive_read_object(reader, read_envelope_member, call))
        return false;
    call->behind_envelope = true;
    return true;
}

/* Behind an envelope the outer keys mean nothing, but for another envelope,
 * whose keys count as written twice. */
static bool read_outer_member(naive_reader *reader, const naive_bytes *key,
                              size_t key_at, void *context)
{
    hermes_call *call = context;
    bool exact;
    key_kind kind = key_kind_of(key, &exact);

    if (kind == KEY_FUNCTION && reader->text[reader->at] == '{') {
        if (!exact && !call->enveloped)
            diagnose(call, "key_case", key_at);
        return read_envelope(reader, call);
    }
    if (call->enveloped)
        return read_value(reader, call);
    return read_call_member(reader, call, key, key_at);
}

/* --- a call object ----------------------------------------------------- */

/* The text stopped where only the braces are missing: nothing that could
 * follow would change the name or the arguments. */
static bool is_finishable(const hermes_call *call, const naive_reader *reader)
{
    return reader->closable && !call->stopped_in_value &&
           !call->behind_envelope && call->name.size > 0 &&
           call->arguments_whole && !call->failure &&
           reader->number_end < reader->limit;
}

hermes_element hermes_read_object(hermes_decoder *decoder, size_t start,
                                  size_t at, size_t *next)
{
    hermes_call call = {.decoder = decoder, .start = start};
    naive_reader reader = {.message = decoder->message,
                           .text = decoder->text,
                           .at = at,
                           .limit = decoder->limit};
    size_t size;
    bool may_close;

    if (naive_read_object(&reader, read_outer_member, &call)) {
        hermes_finish(&call, reader.container_end - 1, reader.container_end);
        *next = reader.at;
        return HERMES_READ;
    }
    if (reader.outcome == NAIVE_BROKEN)
        return hermes_leave_broken(&call, reader.reason, reader.at, next);
    if (hermes_marker_at(decoder, reader.at, &size) == HERMES_CLOSE)
        may_close = reader.closable;
    else
        may_close = is_finishable(&call, &reader) &&
                    hermes_marker_at(decoder, reader.at, &size) != HERMES_NONE;
    if (!may_close)
        return hermes_leave(&call, reader.at, next);
    naive_diagnose(decoder->message, "missing_closer", reader.at);
    hermes_finish(&call, reader.at, reader.at);
    *next = reader.at;
    return HERMES_READ;
}
