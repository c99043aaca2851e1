/* SPDX-License-Identifier: MIT
 *
 * One call object of a Hermes block: {"name": ..., "arguments": {...}}.
 */
#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "formats/hermes.h"
#include "formats/hermes_keys.h"
#include "json/skim.h"

/* What the value being read is for. */
enum role {
    ROLE_NONE,
    ROLE_NAME,
    ROLE_ID,
    ROLE_ARGUMENTS, /* the object itself */
    ROLE_STRING,    /* a string that should hold it */
    ROLE_SKIPPED
};

enum got { GOT_NOTHING, GOT_SOME, GOT_OBJECT, GOT_EMPTY };

/* Ids beyond this are not kept. */
enum { ID_LIMIT = 1024 };

void tw_hermes_call_init(tw_hermes_call *call, const tw_hermes_wire *wire,
                         const tw_memory *memory, tw_window *window,
                         tw_sink *sink)
{
    memset(call, 0, sizeof *call);
    call->wire = wire;
    call->memory = memory;
    call->window = window;
    call->sink = sink;
    tw_json_init(&call->json, memory, 1, true);
    tw_arguments_init(&call->arguments, memory, sink);
}

void tw_hermes_call_free(tw_hermes_call *call)
{
    tw_json_free(&call->json);
    tw_arguments_free(&call->arguments);
    tw_buffer_free(&call->name, call->memory);
    tw_buffer_free(&call->word, call->memory);
    tw_buffer_free(&call->id, call->memory);
}

void tw_hermes_call_start(tw_hermes_call *call, uint64_t begin)
{
    call->begin = begin;
    call->begun = call->has_name = call->foreign_key = call->glm = false;
    call->name.size = call->word.size = call->id.size = 0;
    call->fail = call->reason = 0;
    call->key = call->name_key = call->arguments_key = TW_HERMES_KEY_OTHER;
    call->got = GOT_NOTHING;
    call->role = ROLE_NONE;
    call->base = 1;
    call->wrapped = false;
    /* The call object stands around the arguments, whose `{` is depth 1. */
    tw_json_reset(&call->json, call->sink->limits.depth + 1);
    tw_arguments_reset(&call->arguments);
}

/* ---- ends --------------------------------------------------------------- */

void tw_hermes_call_fail(tw_hermes_call *call, uint32_t code, uint64_t offset)
{
    if (call->fail == 0) {
        call->fail = code;
        tw_sink_diagnostic(call->sink, code, offset);
    }
}

void tw_hermes_call_reject(tw_hermes_call *call, uint32_t code,
                           tw_call_status status)
{
    const uint64_t end = call->window->offset;
    const size_t size = (size_t)(end - call->begin);
    if (call->begun) {
        tw_sink_call_end(call->sink, call->index, status, call->begin,
                         call->begin);
    }
    tw_sink_unparsed(call->sink, call->begun ? call->index : TW_NO_INDEX, code,
                     call->begin, end, tw_sink_recorded(call->sink, size),
                     size, (const char *)call->name.data,
                     call->has_name ? call->name.size : 0);
}

void tw_hermes_call_begin(tw_hermes_call *call)
{
    tw_sink *sink = call->sink;
    const uint32_t refused = tw_sink_call_refused(sink, call->name.size);
    if (refused != 0) {
        tw_hermes_call_fail(call, refused, call->begin);
        return;
    }
    call->index = tw_sink_call_begin(
        sink, (const char *)call->name.data, call->name.size,
        call->id.size > 0 ? (const char *)call->id.data : NULL, call->id.size,
        0, call->begin);
    call->begun = true;
    tw_arguments_begin(&call->arguments, call->index);
}

/* The object is complete: it becomes a call or is listed as unparsed. */
static tw_hermes_end end_object(tw_hermes_call *call, uint64_t offset)
{
    tw_arguments *arguments = &call->arguments;
    if (!call->has_name) {
        tw_hermes_call_fail(call, TW_DIAGNOSTIC_NO_NAME, call->begin);
    }
    if (call->fail == 0 && call->got == GOT_NOTHING) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, offset);
    }
    if (call->fail == 0 && call->got != GOT_OBJECT) {
        tw_arguments_text(arguments, "{", 1, offset, false);
        tw_arguments_close(arguments, offset);
    }
    if (call->fail == 0 && !call->begun) {
        tw_hermes_call_begin(call);
    }
    if (call->fail == 0) {
        tw_arguments_finish(arguments);
        if (arguments->fail != 0) {
            tw_hermes_call_fail(call, arguments->fail, arguments->fail_at);
        }
    }
    if (call->fail != 0) {
        tw_hermes_call_reject(call, call->fail, TW_CALL_MALFORMED);
    } else {
        tw_sink_call_end(call->sink, call->index, TW_CALL_COMPLETE,
                         call->begin, call->window->offset);
    }
    return TW_HERMES_DONE;
}

/* ---- keys --------------------------------------------------------------- */

/* Copied: a swap of buffers would let each message grow another one. */
static void keep_word(tw_hermes_call *call, tw_buffer *buffer)
{
    buffer->size = 0;
    if (!tw_buffer_append(buffer, call->memory, call->word.data,
                          call->word.size)) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                     "no memory");
    }
}

static void key_ended(tw_hermes_call *call)
{
    call->key = (uint8_t)tw_hermes_key_of((const char *)call->word.data,
                                          call->word.size, &call->capitals);
    call->foreign_key |= call->key == TW_HERMES_KEY_OTHER;
}

/* ---- values of the call's keys ------------------------------------------ */

static void not_object(tw_hermes_call *call, uint64_t offset)
{
    tw_hermes_call_fail(call, TW_DIAGNOSTIC_ARGUMENTS_NOT_OBJECT, offset);
}

/* What a second arguments key means (DESIGN R8).  True: skip its value. */
static bool second_arguments(tw_hermes_call *call, uint64_t offset)
{
    if (call->got == GOT_NOTHING) {
        return false;
    }
    if (call->key == TW_HERMES_KEY_PARAMETERS &&
        call->arguments_key == TW_HERMES_KEY_ARGUMENTS) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_BOTH_ARGUMENT_KEYS,
                           offset);
    } else {
        tw_hermes_call_fail(call, TW_DIAGNOSTIC_DUPLICATE_CALL_KEY, offset);
    }
    return true;
}

static void begin_arguments(tw_hermes_call *call, const tw_json_step *step,
                            uint64_t offset)
{
    call->role = ROLE_SKIPPED;
    if (second_arguments(call, offset)) {
        return;
    }
    if (call->key == TW_HERMES_KEY_PARAMETERS) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_KEY_PARAMETERS, offset);
    }
    call->arguments_key = call->key;
    call->got = GOT_SOME;
    call->value_at = offset;
    if (step->kind == TW_JSON_STEP_OPEN && step->text[0] == '{') {
        call->role = ROLE_ARGUMENTS;
        call->got = GOT_OBJECT;
        call->json.floor = call->json.depth;
    } else if (step->kind == TW_JSON_STEP_STRING) {
        call->role = ROLE_STRING;
        tw_arguments_string(&call->arguments);
    } else if (step->kind == TW_JSON_STEP_LITERAL && step->text[0] == 'n') {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, offset);
        call->got = GOT_EMPTY;
    } else {
        not_object(call, offset);
    }
}

/* A value begins under one of the call's keys. */
static void value_begins(tw_hermes_call *call, const tw_json_step *step,
                         uint64_t offset)
{
    const bool string = step->kind == TW_JSON_STEP_STRING;
    call->role_depth = call->base;
    call->word.size = 0;
    if (call->capitals && !(call->wrapped && call->base == 1)) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_KEY_CASE, call->key_at);
    }
    if (call->key == TW_HERMES_KEY_FUNCTION && call->base == 1 &&
        step->kind == TW_JSON_STEP_OPEN && step->text[0] == '{') {
        if (!call->wrapped) {
            tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_OPENAI_WRAPPED,
                               offset);
        }
        call->base = 2;
        call->wrapped = true;
        call->json.limit++;
    } else if (call->wrapped && call->base == 1) {
        return; /* beside the envelope nothing is the call's */
    } else if (call->key == TW_HERMES_KEY_NAME ||
               call->key == TW_HERMES_KEY_FUNCTION) {
        if (string) {
            call->role = ROLE_NAME;
            call->value_at = offset;
        } else if (call->key == TW_HERMES_KEY_NAME) {
            tw_hermes_call_fail(call, TW_DIAGNOSTIC_NO_NAME, call->begin);
        }
    } else if (call->key == TW_HERMES_KEY_ID && string && !call->begun) {
        call->role = ROLE_ID;
    } else if (call->key == TW_HERMES_KEY_ARGUMENTS ||
               call->key == TW_HERMES_KEY_PARAMETERS) {
        begin_arguments(call, step, offset);
    }
}

static bool same_name(const tw_hermes_call *call)
{
    return call->name.size == call->word.size &&
           (call->name.size == 0 ||
            memcmp(call->name.data, call->word.data, call->name.size) == 0);
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

static void check_name(tw_hermes_call *call)
{
    const uint8_t *name = call->name.data;
    const size_t size = call->name.size;
    if (size > call->sink->limits.name) {
        tw_hermes_call_fail(call, TW_DIAGNOSTIC_LIMIT_NAME, call->value_at);
        call->has_name = false; /* only a part of it was kept */
        return;
    }
    if (size > 0 && (is_space(name[0]) || is_space(name[size - 1]))) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_NAME_WHITESPACE,
                           call->value_at);
    }
    if (size > 0 && memchr(name, 0, size) != NULL) {
        tw_hermes_call_fail(call, TW_DIAGNOSTIC_BAD_NAME, call->value_at);
    }
}

static void name_ended(tw_hermes_call *call)
{
    if (call->key == TW_HERMES_KEY_FUNCTION &&
        call->name_key == TW_HERMES_KEY_NAME) {
        return; /* `function` is an alias: `name` wins */
    }
    if (call->name_key == call->key && (!call->begun || same_name(call))) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_DUPLICATE_KEY,
                           call->value_at);
    }
    if (call->key == TW_HERMES_KEY_FUNCTION) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_KEY_FUNCTION,
                           call->value_at);
    }
    if (call->begun) {
        if (!same_name(call)) {
            tw_hermes_call_fail(call, TW_DIAGNOSTIC_DUPLICATE_CALL_KEY,
                                call->value_at);
        }
        return;
    }
    keep_word(call, &call->name);
    call->has_name = call->name.size > 0;
    call->name_key = call->key;
    check_name(call);
    if (call->has_name && call->fail == 0 &&
        (call->arguments.early.size > 0 || call->arguments.closed)) {
        tw_hermes_call_begin(call);
    }
}

static void string_arguments_ended(tw_hermes_call *call, uint64_t offset)
{
    if (call->fail != 0) { /* nothing of it was looked at */
        call->got = GOT_EMPTY;
        return;
    }
    switch (tw_arguments_string_end(&call->arguments, offset)) {
    case TW_UNWRAPPED_NOTHING:
        call->got = GOT_EMPTY;
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_EMPTY_ARGUMENTS,
                           call->value_at);
        break;
    case TW_UNWRAPPED_OBJECT:
        call->got = GOT_OBJECT;
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_ARGUMENTS_STRING,
                           call->value_at);
        break;
    default: not_object(call, call->value_at); break;
    }
}

/* A value of one of the call's keys is complete. */
static void value_ended(tw_hermes_call *call, uint64_t offset)
{
    const uint8_t role = call->role;
    call->role = ROLE_NONE;
    if (role == ROLE_NAME) {
        name_ended(call);
    } else if (role == ROLE_ID) {
        keep_word(call, &call->id);
        if (call->id.size > ID_LIMIT) {
            call->id.size = 0;
        }
    } else if (role == ROLE_STRING) {
        string_arguments_ended(call, offset);
    }
}

/* ---- steps -------------------------------------------------------------- */

/* A piece of a key, name or id: what it means. */
static void collect(tw_hermes_call *call, const tw_json_step *step)
{
    const char *value = step->lone ? TW_REPLACEMENT : step->value;
    const size_t size = step->lone ? TW_REPLACEMENT_SIZE : step->value_size;
    const size_t most = call->json.in_key         ? TW_HERMES_KEY_LIMIT
                        : call->role == ROLE_NAME ? call->sink->limits.name
                                                  : ID_LIMIT;
    if (call->word.size > most) {
        return;
    }
    size_t fits = most + 1 - call->word.size;
    while (fits < size && (value[fits] & 0xC0) == 0x80) {
        fits++;
    }
    if (!tw_buffer_append(&call->word, call->memory, value,
                          size < fits ? size : fits)) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                     "no memory");
    }
}

/* The name is known and its arguments begin: the call begins. */
static void argument_text(tw_hermes_call *call, const char *text, size_t size,
                          uint64_t offset, bool copied)
{
    tw_arguments *arguments = &call->arguments;
    if (call->fail != 0 || size == 0) {
        return;
    }
    if (!call->begun && call->has_name) {
        tw_hermes_call_begin(call);
    }
    tw_arguments_text(arguments, text, size, offset, copied);
    if (arguments->fail != 0) {
        tw_hermes_call_fail(call, arguments->fail, arguments->fail_at);
    }
}

static void string_piece(tw_hermes_call *call, const tw_json_step *step,
                         uint64_t offset)
{
    if (call->fail != 0) {
        return;
    }
    static const tw_json_step nothing = {0};
    tw_arguments *arguments = &call->arguments;
    arguments->may_begin = call->has_name;
    tw_arguments_string_piece(arguments, step, offset);
    if (!call->begun && call->has_name && arguments->early.size > 0) {
        tw_hermes_call_begin(call);
        tw_arguments_string_piece(arguments, &nothing, offset);
    }
    if (arguments->fail != 0) {
        tw_hermes_call_fail(call, arguments->fail, arguments->fail_at);
    }
}

static void deliver(tw_hermes_call *call, const tw_json_step *step,
                    uint64_t offset)
{
    const bool copied = step->text != (const char *)step->from;
    if (call->role == ROLE_ARGUMENTS) {
        argument_text(call, step->text, step->text_size, offset, copied);
    } else if (call->role == ROLE_STRING) {
        string_piece(call, step, offset);
    } else if (call->role == ROLE_NAME || call->role == ROLE_ID ||
               call->json.in_key) {
        collect(call, step);
    }
}

/* A step at the depth of the call's keys, or at the edge of a value there. */
static void outer_step(tw_hermes_call *call, const tw_json_step *step,
                       uint64_t offset)
{
    const bool open = step->kind == TW_JSON_STEP_OPEN;
    const size_t depth = call->json.depth - (open ? 1 : 0);
    const bool ours = depth == call->base && call->role == ROLE_NONE;
    switch (step->kind) {
    case TW_JSON_STEP_STRING:
        if (ours && call->json.in_key) {
            call->word.size = 0;
            call->key_at = offset;
        } else if (ours) {
            value_begins(call, step, offset);
        }
        break;
    case TW_JSON_STEP_OPEN:
        if (ours) {
            value_begins(call, step, offset);
        }
        if (call->role == ROLE_ARGUMENTS) {
            argument_text(call, "{", 1, offset, false);
        }
        break;
    case TW_JSON_STEP_NUMBER:
    case TW_JSON_STEP_LITERAL:
        if (ours) {
            value_begins(call, step, offset);
        }
        if (ours && step->kind == TW_JSON_STEP_LITERAL) {
            value_ended(call, offset);
        }
        break;
    case TW_JSON_STEP_STRING_END:
        if (call->json.in_key && ours) {
            key_ended(call);
        } else if (!call->json.in_key && depth == call->role_depth) {
            value_ended(call, offset);
        }
        break;
    case TW_JSON_STEP_NUMBER_END:
        if (depth == call->role_depth) {
            value_ended(call, offset);
        }
        break;
    case TW_JSON_STEP_CLOSE:
        if (depth == call->role_depth && call->role != ROLE_NONE) {
            if (call->role == ROLE_ARGUMENTS) {
                call->json.floor = 0;
                tw_arguments_close(&call->arguments, offset);
            }
            value_ended(call, offset);
        } else if (depth < call->base && depth > 0) {
            call->base = 1; /* the envelope is closed */
            call->json.limit--;
        }
        break;
    default: deliver(call, step, offset); break;
    }
}

static bool in_arguments(const tw_hermes_call *call)
{
    return call->role == ROLE_ARGUMENTS && call->json.depth > call->role_depth;
}

static tw_hermes_end stop_at(tw_hermes_call *call, const tw_json_step *step)
{
    switch (step->kind) {
    case TW_JSON_STEP_MORE: return TW_HERMES_STARVED;
    case TW_JSON_STEP_END: return TW_HERMES_CUT;
    case TW_JSON_STEP_LESS: return TW_HERMES_LESS;
    default:
        call->reason = step->code;
        call->reason_at = call->window->offset;
        if (step->code == 0) {
            tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                         "no memory");
        }
        return TW_HERMES_BROKEN;
    }
}

/* ---- the head that the templates write ---------------------------------- */

/* `{"name": "NAME", "arguments": {` at once, as all its steps would.  False:
 * it is not that, or not all of it is in view. */
static bool read_canonical_head(tw_hermes_call *call)
{
    tw_window *window = call->window;
    tw_hermes_canonical_head head;
    if (*window->at != '{' || call->json.depth > 0 ||
        !tw_hermes_find_canonical_head(window->at, window->limit, &head) ||
        head.name.size == 0 || head.name.size > call->sink->limits.name) {
        return false;
    }
    tw_json_step step = {.kind = TW_JSON_STEP_OPEN, .text = "{"};
    const uint64_t body_at = tw_window_offset(window, head.body);
    call->key = TW_HERMES_KEY_NAME;
    call->role_depth = call->base;
    call->value_at =
        tw_window_offset(window, (const uint8_t *)head.name.data) - 1;
    call->word.size = 0;
    if (!tw_buffer_append(&call->word, call->memory, head.name.data,
                          head.name.size) ||
        !tw_json_enter_inner(&call->json)) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, window->offset, "no memory");
        return true;
    }
    name_ended(call);
    call->key = TW_HERMES_KEY_ARGUMENTS;
    call->capitals = false;
    value_begins(call, &step, body_at);
    argument_text(call, "{", 1, body_at, false);
    tw_window_skip(window, (size_t)(head.body + 1 - window->at));
    return true;
}

tw_hermes_end tw_hermes_call_step(tw_hermes_call *call)
{
    tw_window *window = call->window;
    /* What a string for the arguments holds is copied. */
    const uint8_t *limit = call->role == ROLE_STRING
                               ? tw_window_reach(window, window->at)
                               : window->limit;
    tw_view view = {window->at, limit, limit == window->limit && window->eof};
    tw_json_step step;
    const uint64_t begin = window->offset;
    const bool bulk = in_arguments(call);
    if (view.at < view.limit && !tw_json_done(&call->json) &&
        read_canonical_head(call)) {
        return TW_HERMES_GOES_ON;
    }
    tw_json_next(&call->json, &view, &step);
    if (bulk) {
        argument_text(call, (const char *)step.before, step.before_size, begin,
                      false);
    }
    if (step.kind < TW_JSON_STEP_PIECE) {
        const bool moved = view.at > window->at;
        tw_window_skip(window, (size_t)(view.at - window->at));
        const tw_hermes_end end = stop_at(call, &step);
        return moved && end == TW_HERMES_STARVED ? TW_HERMES_GOES_ON : end;
    }
    const uint64_t offset = begin + (uint64_t)(step.from - window->at);
    if (step.code != 0) {
        tw_sink_diagnostic(call->sink, step.code, offset);
    }
    if (in_arguments(call) && bulk) {
        argument_text(call, step.text, step.text_size, offset,
                      step.text != (const char *)step.from);
    } else {
        outer_step(call, &step, offset);
    }
    tw_window_skip(window, (size_t)(view.at - window->at));
    return tw_json_done(&call->json) ? end_object(call, offset)
                                     : TW_HERMES_GOES_ON;
}

const uint8_t *tw_hermes_call_pass(tw_hermes_call *call, tw_passed *passed)
{
    const tw_window *window = call->window;
    passed->type = TW_EVENT_CALL_ARGUMENTS;
    passed->index = call->index;
    if (!in_arguments(call) || !call->begun || call->fail != 0 ||
        tw_window_size(window) > tw_sink_arguments_left(call->sink)) {
        return window->at;
    }
    const uint8_t *to = tw_json_skim(&call->json, window->at, window->limit);
    passed->starved =
        to == window->at && tw_json_is_half(&call->json, to, window->limit);
    if (to == window->limit && tw_json_is_steady(&call->json)) {
        passed->steady = TW_PLAIN_STRING;
        passed->escapes = true;
    }
    return to;
}

void tw_hermes_call_cut(tw_hermes_call *call)
{
    if (call->role == ROLE_STRING && call->fail == 0 &&
        tw_json_in_string(&call->json)) {
        tw_arguments_string_cut(&call->arguments);
    }
}

/* ---- missing closers ---------------------------------------------------- */

bool tw_hermes_call_closable(const tw_hermes_call *call, bool only_outer)
{
    if (!tw_json_closable(&call->json, !only_outer)) {
        return false;
    }
    return !only_outer ||
           (call->json.depth == (call->wrapped ? 2 : 1) &&
            call->base == call->json.depth && call->has_name &&
            (call->got == GOT_OBJECT || call->got == GOT_EMPTY) &&
            call->fail == 0);
}

void tw_hermes_call_close(tw_hermes_call *call)
{
    tw_json *json = &call->json;
    const uint64_t offset = call->window->offset;
    tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_MISSING_CLOSER, offset);
    if (tw_json_in_number(json) && json->depth == call->role_depth) {
        value_ended(call, offset);
    }
    while (json->depth > 0) {
        const bool inside = in_arguments(call);
        const char *closer = tw_json_add_closer(json);
        if (!inside) {
            continue;
        }
        if (json->depth == call->role_depth) {
            json->floor = 0;
            tw_arguments_close(&call->arguments, offset);
            value_ended(call, offset);
        } else {
            argument_text(call, closer, 1, offset, false);
        }
    }
    end_object(call, offset);
}
