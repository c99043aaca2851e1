/* SPDX-License-Identifier: MIT
 *
 * One call object: its keys, and what becomes of it.
 */
#include "naive_frame.h"

#include <string.h>

enum { CALLS_LIMIT = 1024 };

typedef struct frame_call {
    frame_reader *reader;
    const frame_head *head;
    size_t start;        /* where `unparsed` would begin */
    const char *failure; /* the first one */

    bool named, named_by_function;
    naive_bytes name, id;
    bool has_arguments, by_alias, arguments_whole;
    naive_argument_value arguments;

    bool ended; /* no id can follow */
    bool begun, enveloped, behind_envelope, stopped_in_value;
    size_t strange_at; /* a key of an object under a key of no call, or 0 */
    size_t members;    /* of {"NAME": {...}} */
    bool keyed;
} frame_call;

static void fail(frame_call *call, const char *reason, size_t at)
{
    if (call->failure)
        return;
    call->failure = reason;
    frame_diagnose(call->reader, reason, at);
}

/* The name in front of the marker must agree (Inkling). */
static void check_header(frame_call *call)
{
    const frame_match *match = &call->head->match;
    const naive_bytes *header = &match->holes[HOLE_SKIP];

    if (call->reader->format->header_name && header->size && call->name.size &&
        (header->size != call->name.size ||
         memcmp(header->data, call->name.data, header->size) != 0))
        fail(call, "duplicate_call_key", call->start);
}

static void begin(frame_call *call, size_t at)
{
    naive_message *message = call->reader->message;

    check_header(call);
    if (call->begun || call->failure || call->name.size == 0 ||
        (call->reader->format->id_key.count && !call->id.size && !call->ended))
        return;
    if (message->begun >= CALLS_LIMIT) {
        fail(call, "limit_calls", at);
        return;
    }
    if (frame_has_tools(call->reader) &&
        !frame_tool(call->reader, &call->name))
        frame_diagnose(call->reader, "undeclared_tool", at);
    message->begun++;
    call->begun = true;
}

/* --- keys -------------------------------------------------------------- */

typedef enum key_kind { KEY_NAME, KEY_ARGUMENTS, KEY_ID, KEY_OTHER } key_kind;

typedef struct call_key {
    key_kind kind;
    bool exact;     /* as a call's keys are spelled */
    bool canonical; /* the description's own */
    bool function;  /* the key `function` */
    const char *code;
} call_key;

static bool same_word(const naive_bytes *key, const char *word, bool *exact)
{
    if (strlen(word) != key->size)
        return false;
    for (size_t i = 0; i < key->size; i++) {
        char c = key->data[i];

        if (c != word[i])
            *exact = false;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != word[i])
            return false;
    }
    return true;
}

static bool is_own(const naive_bytes *key, const frame_words *words,
                   const char *otherwise, bool *exact)
{
    *exact = true;
    if (words->count == 0)
        return otherwise && same_word(key, otherwise, exact);
    for (size_t i = 0; i < words->count; i++) {
        *exact = true;
        if (same_word(key, words->items[i], exact))
            return true;
    }
    return false;
}

static call_key key_of(const frame_call *call, const naive_bytes *key)
{
    static const struct {
        const char *word, *code;
        key_kind kind;
        bool function;
    } others[] = {
        {"name", "key_name", KEY_NAME, false},
        {"function", "key_function", KEY_NAME, true},
        {"arguments", "key_arguments", KEY_ARGUMENTS, false},
        {"parameters", "key_parameters", KEY_ARGUMENTS, false},
        {"args", "key_parameters", KEY_ARGUMENTS, false},
        {"argument", "key_parameters", KEY_ARGUMENTS, false},
        {"input", "key_parameters", KEY_ARGUMENTS, false},
        {"parameter", "key_parameters", KEY_ARGUMENTS, false},
        {"params", "key_parameters", KEY_ARGUMENTS, false},
        {"id", NULL, KEY_ID, false},
    };
    const frame_description *format = call->reader->format;
    call_key found = {.canonical = true};

    found.kind = KEY_NAME;
    if (is_own(key, &format->name_key, "name", &found.exact))
        return found;
    found.kind = KEY_ARGUMENTS;
    if (is_own(key, &format->arguments_key, "arguments", &found.exact))
        return found;
    found.kind = KEY_ID;
    if (is_own(key, &format->id_key, NULL, &found.exact))
        return found;
    found.canonical = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        found.exact = true;
        if (same_word(key, others[i].word, &found.exact)) {
            found.kind = others[i].kind;
            found.function = others[i].function;
            found.code = others[i].code;
            return found;
        }
    }
    return (call_key){.kind = KEY_OTHER, .exact = true};
}

/* --- values ------------------------------------------------------------ */

/* Each value has the whole depth to itself (R13). */
static bool read_value(naive_reader *reader, frame_call *call)
{
    size_t depth = reader->depth;
    bool whole;

    reader->depth = 0;
    whole = naive_read_value(reader);
    reader->depth = depth;
    call->stopped_in_value = !whole;
    return whole;
}

static bool is_space(char c)
{
    return frame_is_blank(c) || c == '\v' || c == '\f';
}

static void judge_name(frame_call *call, size_t at)
{
    const naive_bytes *name = &call->name;

    if (name->size > FRAME_NAME) {
        fail(call, "limit_name", at);
        return;
    }
    if (name->size &&
        (is_space(name->data[0]) || is_space(name->data[name->size - 1])))
        frame_diagnose(call->reader, "name_whitespace", at);
    if (memchr(name->data, 0, name->size))
        fail(call, "bad_name", at);
}

static void set_name(frame_call *call, const call_key *key, naive_bytes *name,
                     size_t at)
{
    bool again = call->named && call->named_by_function == key->function;
    bool same = call->named && call->name.size == name->size &&
                memcmp(call->name.data, name->data, name->size) == 0;

    if (key->function && call->named && !call->named_by_function)
        return; /* `function` is an alias; `name` wins */
    if (call->begun && !same) {
        fail(call, "duplicate_call_key", at);
        return;
    }
    if (again)
        frame_diagnose(call->reader, "duplicate_key", at);
    if (key->code)
        frame_diagnose(call->reader, key->code, at);
    if (call->begun)
        return;
    naive_release(&call->name);
    call->name = *name;
    *name = (naive_bytes){0};
    call->named = true;
    call->named_by_function = key->function;
    judge_name(call, at);
    if (call->arguments.begun)
        begin(call, at);
}

static bool read_name(naive_reader *reader, frame_call *call,
                      const call_key *key)
{
    size_t at = reader->at;
    naive_decoded name = {0};
    bool whole;

    if (reader->text[at] != '"' && reader->text[at] != '\'') {
        const char first = reader->text[at];

        if (!key->function && frame_among("{[-0123456789", first))
            fail(call, "no_name", call->start);
        whole = read_value(reader, call);
        if (!key->function && whole)
            fail(call, "no_name", call->start);
        return whole;
    }
    whole = naive_read_string(reader, &name);
    call->stopped_in_value = !whole;
    if (whole)
        set_name(call, key, &name.bytes, at);
    naive_decoded_release(&name);
    return whole;
}

/* Behind the call's begin only the format's own key counts. */
static bool read_id(naive_reader *reader, frame_call *call,
                    const call_key *key)
{
    char c = reader->text[reader->at];
    naive_decoded id = {0};
    bool whole;

    if (c != '"' && c != '\'')
        return read_value(reader, call);
    whole = naive_read_string(reader, &id);
    call->stopped_in_value = !whole;
    if (!call->begun || key->canonical) {
        naive_release(&call->id);
        if (id.bytes.size <= FRAME_NAME) {
            call->id = id.bytes;
            id.bytes = (naive_bytes){0};
        }
    }
    naive_decoded_release(&id);
    return whole;
}

/* A word begins a value only when it is complete. */
static bool begins_value(const naive_reader *reader)
{
    const char first = reader->text[reader->at];

    return frame_among("{[\"'-0123456789", first);
}

static bool read_second_arguments(naive_reader *reader, frame_call *call,
                                  const call_key *key)
{
    const size_t at = reader->at;
    const bool begins = begins_value(reader);
    bool other = !key->canonical && !call->by_alias, whole;

    if (begins && other)
        frame_diagnose(call->reader, "both_argument_keys", at);
    else if (begins)
        fail(call, "duplicate_call_key", at);
    whole = read_value(reader, call);
    if (!begins && whole && !other)
        fail(call, "duplicate_call_key", at);
    return whole;
}

static bool read_arguments(naive_reader *reader, frame_call *call,
                           const call_key *key)
{
    const size_t at = reader->at;
    const bool begins = begins_value(reader);
    size_t depth = reader->depth;

    if (call->has_arguments)
        return read_second_arguments(reader, call, key);
    if (key->code && begins)
        frame_diagnose(call->reader, key->code, at);
    call->has_arguments = true;
    call->by_alias = !key->canonical;
    if (call->failure && (reader->text[at] == '"' || reader->text[at] == '\''))
        return read_value(reader, call);
    reader->depth = 0;
    call->arguments_whole = naive_read_arguments(reader, &call->arguments);
    reader->depth = depth;
    call->stopped_in_value = !call->arguments_whole;
    if (key->code && !begins && call->arguments_whole)
        frame_diagnose(call->reader, key->code, at);
    if (call->arguments.begun)
        begin(call, at);
    if (call->arguments.reason)
        fail(call, call->arguments.reason, call->arguments.reason_at);
    return call->arguments_whole;
}

static bool read_strange_member(naive_reader *reader, const naive_bytes *key,
                                size_t key_at, void *context)
{
    frame_call *call = context;

    (void)key;
    if (call->strange_at == 0)
        call->strange_at = key_at;
    return naive_read_value(reader);
}

static bool read_strange(naive_reader *reader, frame_call *call)
{
    size_t depth = reader->depth;
    bool whole;

    if (reader->text[reader->at] != '{')
        return read_value(reader, call);
    reader->depth = 0;
    whole = naive_read_object(reader, read_strange_member, call);
    reader->depth = depth;
    call->stopped_in_value = !whole;
    return whole;
}

/* A parameter of the tool beside its name: the arguments may be flat. */
static void note_parameter(frame_call *call, const naive_bytes *key,
                           size_t key_at)
{
    const naive_tree *tool =
        call->named ? frame_tool(call->reader, &call->name) : NULL;
    const naive_tree *properties =
        naive_tree_get(naive_tree_get(tool, "parameters"), "properties");
    naive_bytes name = {0};

    naive_add(&name, key->data, key->size);
    naive_add(&name, "", 1);
    if (call->strange_at == 0 && naive_tree_get(properties, name.data))
        call->strange_at = key_at;
    naive_release(&name);
}

static bool read_call_member(naive_reader *reader, frame_call *call,
                             const naive_bytes *name, size_t key_at)
{
    call_key key = key_of(call, name);
    bool begins = begins_value(reader), whole;

    if (!key.exact && begins)
        frame_diagnose(call->reader, "key_case", key_at);
    if (key.kind == KEY_OTHER && !same_word(name, "type", &key.exact)) {
        call->reader->foreign_key = true;
        note_parameter(call, name, key_at);
        return read_strange(reader, call);
    }
    switch (key.kind) {
    case KEY_NAME: whole = read_name(reader, call, &key); break;
    case KEY_ARGUMENTS: whole = read_arguments(reader, call, &key); break;
    case KEY_ID: whole = read_id(reader, call, &key); break;
    default: whole = read_value(reader, call);
    }
    if (!key.exact && !begins && whole)
        frame_diagnose(call->reader, "key_case", key_at);
    return whole;
}

static bool read_envelope_member(naive_reader *reader, const naive_bytes *key,
                                 size_t key_at, void *context)
{
    return read_call_member(reader, context, key, key_at);
}

/* {"NAME": {...}}: the key is the name; two of them are no call. */
static bool read_keyed_member(naive_reader *reader, frame_call *call,
                              const naive_bytes *key, size_t key_at)
{
    const call_key arguments = {.kind = KEY_ARGUMENTS, .canonical = true};
    const bool begins = begins_value(reader);
    bool whole;

    if (call->members++ > 0) {
        fail(call, "many_keys", key_at);
        return read_value(reader, call);
    }
    call->named = true;
    naive_add(&call->name, key->data, key->size);
    judge_name(call, key_at);
    whole = read_arguments(reader, call, &arguments);
    if (!begins && !whole) /* half a word is no value: nor is the key a name */
        naive_release(&call->name);
    return whole;
}

/* Behind an envelope only the id means something. */
static bool read_outer_member(naive_reader *reader, const naive_bytes *key,
                              size_t key_at, void *context)
{
    frame_call *call = context;
    call_key kind = key_of(call, key);
    bool is_object = reader->text[reader->at] == '{';

    if (call->keyed && call->members == 0 && kind.kind == KEY_NAME &&
        !is_object) {
        call->keyed = false;
        frame_diagnose(call->reader, "key_name", key_at);
    }
    if (call->keyed)
        return read_keyed_member(reader, call, key, key_at);
    if (kind.function && is_object) {
        if (!call->enveloped)
            frame_diagnose(call->reader, "openai_wrapped", reader->at);
        call->enveloped = true;
        call->behind_envelope = false;
        if (!naive_read_object(reader, read_envelope_member, call))
            return false;
        call->behind_envelope = true;
        return true;
    }
    if (call->enveloped && kind.kind != KEY_ID)
        return read_value(reader, call);
    return read_call_member(reader, call, key, key_at);
}

/* --- the end of an object ---------------------------------------------- */

/* Where only the braces are missing, and nothing could change the call. */
static bool is_finishable(const frame_call *call, const naive_reader *reader)
{
    return reader->closable && !call->stopped_in_value &&
           !call->behind_envelope && call->name.size > 0 &&
           call->arguments_whole && !call->failure &&
           reader->number_end < reader->limit;
}

static void finish(frame_call *call, size_t at, size_t end)
{
    if (call->name.size == 0)
        fail(call, "no_name", call->start);
    if (call->strange_at && !call->has_arguments)
        fail(call, "arguments_not_object", call->strange_at);
    if (!call->failure && !call->has_arguments) {
        frame_diagnose(call->reader, "empty_arguments", at);
        naive_add_text(&call->arguments.text, "{}");
    }
    call->ended = true;
    begin(call, at);
    if (!call->id.size)
        frame_id_of(call->reader->format, call->head, &call->id);
    if (call->failure)
        frame_unparsed(call->reader, call->start, end, call->failure,
                       &call->name);
    else
        frame_add_call(call->reader, &call->name, &call->id,
                       &call->arguments.text);
}

/* False: the object is broken at |*end|, as |call->failure| says. */
static bool end_object(frame_call *call, naive_reader *reader, size_t *end)
{
    frame_reader *frame = call->reader;
    bool at_close = frame_call_close_at(frame, reader->at) != NULL;
    bool at_marker = frame_is_end(frame, reader->at) ||
                     frame_marker_at(frame, reader->at) > 0;
    bool stopped =
        !frame->options->length &&
        (reader->at == frame->size || frame_half_stop_at(frame, reader->at));

    /* Where no close ends calls, any terminator does, once arguments came. */
    at_close =
        at_close || (at_marker && !frame_closer(call->head->call, 0) &&
                     call->has_arguments &&
                     (stopped || frame_marker_at(frame, reader->at) > 0));

    *end = reader->at;
    if (reader->outcome == NAIVE_BROKEN) {
        fail(call, reader->reason, reader->at);
        return false;
    }
    if (at_marker &&
        (at_close ? reader->closable : is_finishable(call, reader))) {
        frame_diagnose(frame, "missing_closer", reader->at);
        finish(call, reader->at, reader->at);
        return true;
    }
    fail(call,
         frame_is_end(frame, reader->at) || frame_stop_at(frame, reader->at)
             ? "truncated_call"
             : "syntax_error",
         reader->at);
    return false;
}

static void release(frame_call *call)
{
    naive_release(&call->name);
    naive_release(&call->id);
    naive_release(&call->arguments.text);
}

/* Out of step: all up to the next marker is the bad call's, and a close. */
size_t frame_behind_close(frame_reader *frame, size_t at)
{
    const char *close;

    at = frame_next_marker(frame, at);
    close = frame_call_close_at(frame, at);
    return at + (close ? strlen(close) : 0);
}

/* Braces were doubled since: nothing tells which are missing. */
static bool has_doubled(const naive_message *message, size_t since)
{
    bool found = false;

    for (size_t i = since; i < message->diagnostic_count; i++)
        found |= strcmp(message->diagnostics[i].code, "doubled_braces") == 0;
    return found;
}

bool frame_read_object(frame_reader *frame, const frame_head *head,
                       size_t start, size_t at, size_t limit, bool local,
                       size_t *end)
{
    const size_t said = frame->message->diagnostic_count;
    const size_t begun = frame->message->begun;
    bool whole, good;

    for (;; limit = frame_body_end(frame, limit + 1)) {
        frame_call call = {.reader = frame,
                           .head = head,
                           .start = start,
                           .keyed = frame_body(head->call) == HOLE_KEYED};
        naive_reader reader = {.message = frame->message,
                               .python =
                                   strcmp(frame->format->json, "python") == 0,
                               .text = frame->text,
                               .at = at,
                               .limit = limit};

        frame->message->diagnostic_count = said;
        frame->message->begun = begun;
        whole = naive_read_object(&reader, read_outer_member, &call);
        good = whole;
        *end = reader.at;
        frame->in_value |= !whole && reader.outcome != NAIVE_BROKEN &&
                           reader.at == frame->size && reader.in_string;
        if (whole)
            finish(&call, reader.container_end - 1, reader.container_end);
        else if (reader.outcome != NAIVE_BROKEN && limit < frame->size &&
                 reader.at == limit && reader.in_string) {
            release(&call);
            continue;
        } else {
            good = end_object(&call, &reader, end);
        }
        if (!good) {
            bool broken =
                (reader.outcome == NAIVE_BROKEN || reader.at < limit) &&
                !has_doubled(frame->message, said);
            const frame_hole body = frame_body(head->call);
            /* In the place of Python's calls it may quote some (D10). */
            size_t marker = body >= HOLE_PYTHON && body <= HOLE_PYTHON_CALL
                                ? frame_bad_end(frame, reader.at)
                                : frame_next_marker(frame, reader.at);
            size_t balanced =
                local && broken
                    ? frame_balance(frame, at, reader.at, marker, false)
                    : 0;
            good = balanced > 0;
            *end = balanced ? balanced : frame_behind_close(frame, marker);
            if (!call.begun)
                begin(&call, at);
            frame_unparsed(frame, start, *end, call.failure, &call.name);
        }
        release(&call);
        return good;
    }
}
