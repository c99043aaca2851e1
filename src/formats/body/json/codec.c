/* SPDX-License-Identifier: MIT
 *
 * A call's JSON: {"name": ..., "arguments": {...}}, or the arguments alone.
 */
#include "formats/body/json/state.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "json/advance.h"

void tw_json_body_init(tw_json_body *body, const tw_body *common)
{
    const tw_description *format = common->format;
    const tw_call_keys keys = {format->name_keys, format->argument_keys,
                               format->id_keys, strlen(format->name_keys[0]),
                               strlen(format->argument_keys[0])};
    memset(body, 0, sizeof *body);
    body->common = *common;
    body->common.codec = &tw_json_codec;
    body->keys = keys;
    tw_json_init(&body->json, common->call->memory, 1, true);
    body->json.python = format->json == TW_JSON_PYTHON;
}

void tw_json_body_init_bare(tw_json_body *body, tw_open_call *call)
{
    memset(body, 0, sizeof *body);
    body->common.codec = &tw_json_codec;
    body->common.call = call;
    body->keeps = true;
    tw_json_init(&body->json, call->memory, 1, true);
}

void tw_json_body_free(tw_json_body *body)
{
    tw_json_free(&body->json);
    tw_buffer_free(&body->word, body->common.call->memory);
}

static void begin(tw_json_body *body, bool bare)
{
    body->bare = bare;
    body->keyed = body->named = false;
    body->other_name = body->foreign_key = body->capitals = body->wrapped =
        false;
    body->word.size = 0;
    body->common.reason = 0;
    body->key = bare ? TW_KEY_ARGUMENTS : TW_KEY_OTHER;
    body->name_key = body->arguments_key = TW_KEY_OTHER;
    body->got = GOT_NOTHING;
    body->strange_at = 0;
    body->role = ROLE_NONE;
    body->value_at = body->common.call->window->offset;
    body->base = bare ? 0 : 1;
    /* The `{` of the arguments is depth 1, what stands around them none. */
    tw_json_reset(&body->json,
                  body->common.call->sink->limits.depth + body->base);
}

static void start(tw_body *common)
{
    tw_json_body *body = (tw_json_body *)common;
    const uint8_t hole = tw_pattern_hole(common->pattern)->kind;
    const tw_open_call *call = common->call;
    const tw_name name = {(const char *)call->name.data, call->name.size};
    const bool enveloped =
        hole == TW_PATTERN_JSON_ARGUMENTS &&
        common->format->argument.count > 0 &&
        tw_json_envelope_at(common, name,
                            tw_behind_ws(call->window->at,
                                         call->window->limit)) ==
            TW_BODY_IS_HERE;
    begin(body, tw_json_is_bare(hole) && !enveloped);
    body->keyed = hole == TW_PATTERN_KEYED;
}

void tw_json_body_start_bare(tw_json_body *body)
{
    begin(body, true);
}

/* The JSON is complete: it becomes a call or is listed as unparsed. */
static tw_body_end end_object(tw_json_body *body, uint64_t offset)
{
    tw_open_call *call = body->common.call;
    tw_arguments *arguments = &call->arguments;
    offset = body->bare ? body->value_at : offset;
    if (!call->has_name) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_NO_NAME, call->begin);
    }
    if (body->got == GOT_NOTHING && body->strange_at > 0) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_ARGUMENTS_NOT_OBJECT,
                          body->strange_at);
    }
    if (call->fail == 0 && body->got == GOT_NOTHING) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, offset);
    }
    if (call->fail == 0 && body->got != GOT_OBJECT) {
        tw_arguments_text(arguments, "{", 1, offset, false);
        tw_arguments_close(arguments, offset);
    }
    if (call->fail == 0 && !call->begun) {
        tw_open_call_begin(call);
    }
    if (!body->keeps) {
        tw_open_call_end(call);
    }
    return TW_BODY_DONE;
}

/* ---- steps -------------------------------------------------------------- */

/* A piece of a key, name or id: what it means. */
static void collect(tw_json_body *body, const tw_json_step *step)
{
    const char *value = step->lone ? TW_REPLACEMENT : step->value;
    const size_t size = step->lone ? TW_REPLACEMENT_SIZE : step->value_size;
    const size_t name = body->common.call->sink->limits.name;
    const size_t key =
        body->keyed && name > TW_KEY_LIMIT ? name : TW_KEY_LIMIT;
    const size_t most = body->json.in_key ? key
                        : body->role == ROLE_NAME
                            ? body->common.call->sink->limits.name
                            : TW_ID_LIMIT;
    if (body->word.size > most) {
        return;
    }
    size_t fits = most + 1 - body->word.size;
    while (fits < size && (value[fits] & 0xC0) == 0x80) {
        fits++;
    }
    if (!tw_buffer_append(&body->word, body->common.call->memory, value,
                          size < fits ? size : fits)) {
        tw_open_call_no_memory(body->common.call);
    }
}

/* The name is known and its arguments begin: the call begins. */
static void argument_text(tw_json_body *body, const char *text, size_t size,
                          uint64_t offset, bool copied)
{
    tw_arguments *arguments = &body->common.call->arguments;
    if (body->common.call->fail != 0 || size == 0) {
        return;
    }
    if (!body->common.call->begun && tw_json_body_may_begin(body)) {
        tw_open_call_begin(body->common.call);
    }
    tw_arguments_text(arguments, text, size, offset, copied);
    tw_open_call_fail_arguments(body->common.call);
}

static void string_piece(tw_json_body *body, const tw_json_step *step,
                         uint64_t offset)
{
    if (body->common.call->fail != 0) {
        return;
    }
    static const tw_json_step nothing = {0};
    tw_arguments *arguments = &body->common.call->arguments;
    arguments->may_begin = tw_json_body_may_begin(body);
    tw_arguments_string_piece(arguments, step, offset);
    if (!body->common.call->begun && tw_json_body_may_begin(body) &&
        arguments->early.size > 0) {
        tw_open_call_begin(body->common.call);
        tw_arguments_string_piece(arguments, &nothing, offset);
    }
    tw_open_call_fail_arguments(body->common.call);
}

static void deliver(tw_json_body *body, const tw_json_step *step,
                    uint64_t offset)
{
    const bool copied = step->text != (const char *)step->from;
    if (body->role == ROLE_ARGUMENTS) {
        argument_text(body, step->text, step->text_size, offset, copied);
    } else if (body->role == ROLE_STRING) {
        string_piece(body, step, offset);
    } else if (body->role == ROLE_NAME || body->role == ROLE_ID ||
               body->json.in_key) {
        collect(body, step);
    }
}

/* A step at the depth of the call's keys, or at the edge of a value there. */
static void outer_step(tw_json_body *body, const tw_json_step *step,
                       uint64_t offset)
{
    const bool open = step->kind == TW_JSON_STEP_OPEN;
    const size_t depth = body->json.depth - (open ? 1 : 0);
    const bool ours = depth == body->base && body->role == ROLE_NONE;
    switch (step->kind) {
    case TW_JSON_STEP_STRING:
        if (ours && body->json.in_key) {
            body->word.size = 0;
            body->key_at = offset;
        } else if (ours) {
            tw_json_body_value_begins(body, step, offset);
        } else if (body->role == ROLE_STRANGE && body->json.in_key &&
                   body->strange_at == 0) {
            body->strange_at = offset;
        }
        break;
    case TW_JSON_STEP_OPEN:
        if (ours) {
            tw_json_body_value_begins(body, step, offset);
        }
        if (body->role == ROLE_ARGUMENTS) {
            argument_text(body, "{", 1, offset, false);
        }
        break;
    case TW_JSON_STEP_NUMBER:
    case TW_JSON_STEP_LITERAL:
        if (ours) {
            tw_json_body_value_begins(body, step, offset);
        }
        if (ours && step->kind == TW_JSON_STEP_LITERAL) {
            tw_json_body_value_ended(body, offset);
        }
        break;
    case TW_JSON_STEP_STRING_END:
        if (body->json.in_key && ours) {
            tw_json_body_key_ended(body);
        } else if (!body->json.in_key && depth == body->role_depth) {
            tw_json_body_value_ended(body, offset);
        }
        break;
    case TW_JSON_STEP_NUMBER_END:
        if (depth == body->role_depth) {
            tw_json_body_value_ended(body, offset);
        }
        break;
    case TW_JSON_STEP_CLOSE:
        if (depth == body->role_depth && body->role != ROLE_NONE) {
            if (body->role == ROLE_ARGUMENTS) {
                body->json.floor = 0;
                tw_arguments_close(&body->common.call->arguments, offset);
            }
            tw_json_body_value_ended(body, offset);
        } else if (depth < body->base && depth > 0) {
            body->base = 1; /* the envelope is closed */
            body->json.limit--;
        }
        break;
    default: deliver(body, step, offset); break;
    }
}

static bool in_arguments(const tw_json_body *body)
{
    return body->role == ROLE_ARGUMENTS && body->json.depth > body->role_depth;
}

static tw_body_end stop_at(tw_json_body *body, const tw_json_step *step)
{
    const tw_window *window = body->common.call->window;
    if (step->kind == TW_JSON_STEP_MORE) {
        return TW_BODY_STARVED;
    }
    if (step->kind == TW_JSON_STEP_END) {
        return TW_BODY_CUT;
    }
    const bool error = step->kind == TW_JSON_STEP_ERROR;
    body->common.reason = error ? step->code : TW_DIAGNOSTIC_SYNTAX_ERROR;
    body->common.reason_at = window->offset;
    if (body->common.reason == 0) {
        tw_open_call_no_memory(body->common.call);
    }
    return window->at < window->limit && body->common.marks != NULL &&
                   body->common.marks->first[*window->at] != 0 &&
                   !tw_json_in_string(&body->json)
               ? TW_BODY_AT_MARKER
               : TW_BODY_BROKEN;
}

/* ---- the head that the templates write ---------------------------------- */

/* `{"name": "NAME", "arguments": {` at once, as all its steps would.  False:
 * it is not that, or not all of it is in view. */
static bool read_canonical_head(tw_json_body *body)
{
    tw_window *window = body->common.call->window;
    tw_canonical_head head;
    if (*window->at != '{' || body->json.depth > 0 ||
        !tw_find_canonical_head(&body->keys, window->at, window->limit,
                                &head) ||
        head.name.size == 0 ||
        head.name.size > body->common.call->sink->limits.name) {
        return false;
    }
    tw_json_step step = {.kind = TW_JSON_STEP_OPEN, .text = "{"};
    const uint64_t body_at = tw_window_offset(window, head.body);
    body->key = TW_KEY_NAME;
    body->role_depth = body->base;
    body->value_at =
        tw_window_offset(window, (const uint8_t *)head.name.data) - 1;
    body->word.size = 0;
    if (!tw_buffer_append(&body->word, body->common.call->memory,
                          head.name.data, head.name.size) ||
        !tw_json_enter_inner(&body->json)) {
        tw_open_call_no_memory(body->common.call);
        return true;
    }
    tw_json_body_name_ended(body);
    body->key = TW_KEY_ARGUMENTS;
    body->capitals = false;
    tw_json_body_value_begins(body, &step, body_at);
    argument_text(body, "{", 1, body_at, false);
    tw_window_skip(window, (size_t)(head.body + 1 - window->at));
    return true;
}

/* Where the machine must not look further: where a marker may begin, if that
 * could also be JSON.  What was searched is remembered: a step may be a byte
 * long, and the next marker far away. */
static const uint8_t *reach_of(tw_json_body *body, const uint8_t *from)
{
    const tw_window *window = body->common.call->window;
    const tw_markers *table = body->common.marks;
    /* What a string for the arguments holds is copied. */
    const uint8_t *limit = body->role == ROLE_STRING
                               ? tw_window_reach(window, from)
                               : window->limit;
    if (table->apart) {
        return limit;
    }
    const uint64_t begin = tw_window_offset(window, from);
    if (body->clear > begin) {
        const uint64_t known = body->clear - begin;
        from = known < (uint64_t)(limit - from) ? from + known : limit;
    }
    from = tw_markers_find(table, from, limit, window->limit);
    body->clear = tw_window_offset(window, from);
    return from;
}

/* What ends JSON. */
enum {
    ENDS = TW_AT_CALL | TW_AT_CALL_END | TW_AT_SECTION | TW_AT_SECTION_END |
           TW_AT_STOP
};

/* A byte that may begin a marker stands at |at|.  GOES_ON: it is JSON. */
static tw_body_end ask(tw_json_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    if (tw_json_in_string(&body->json)) {
        return TW_BODY_GOES_ON;
    }
    const tw_found found = tw_marker_at(body->common.marks, window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_BODY_STARVED;
    }
    body->common.reason = TW_DIAGNOSTIC_SYNTAX_ERROR;
    body->common.reason_at = tw_window_offset(window, at);
    return (found.roles & ENDS) != 0 ||
                   tw_marker_is_cut(body->common.marks, window, at, ENDS)
               ? TW_BODY_AT_MARKER
               : TW_BODY_GOES_ON;
}

/* The arguments failed, and there is nothing around them to read on.  Of the
 * |size| bytes that were read, those in front of the failure are taken,
 * however many came at once. */
static tw_body_end broken(tw_json_body *body, size_t size, uint64_t offset)
{
    tw_window *window = body->common.call->window;
    const tw_arguments *arguments = &body->common.call->arguments;
    const uint64_t from = window->offset;
    if (arguments->fail != 0 && arguments->fail_at < from + size) {
        size = arguments->fail_at > from ? (size_t)(arguments->fail_at - from)
                                         : 0;
    }
    tw_window_skip(window, size);
    return tw_body_break(&body->common, body->common.call->fail, offset);
}

tw_body_end tw_json_body_step_to(tw_json_body *body, const uint8_t *limit,
                                 bool eof)
{
    tw_window *window = body->common.call->window;
    const tw_open_call *call = body->common.call;
    tw_view view = {window->at, limit, eof};
    tw_json_step step;
    const uint64_t before = window->offset;
    const bool bulk = in_arguments(body);
    if (view.at < view.limit && !body->bare && !body->keyed &&
        !body->common.slow && !tw_json_done(&body->json) &&
        read_canonical_head(body)) {
        return TW_BODY_GOES_ON;
    }
    tw_json_next(&body->json, &view, &step);
    if (bulk) {
        argument_text(body, (const char *)step.before, step.before_size,
                      before, false);
    }
    const size_t size = (size_t)(view.at - window->at);
    if (body->bare && call->fail != 0) {
        return broken(body, size, before);
    }
    if (step.kind < TW_JSON_STEP_PIECE) {
        tw_window_skip(window, size);
        const tw_body_end end = stop_at(body, &step);
        return size > 0 && end == TW_BODY_STARVED ? TW_BODY_GOES_ON : end;
    }
    const uint64_t offset = before + (uint64_t)(step.from - window->at);
    const bool refused = body->bare && !bulk &&
                         step.kind == TW_JSON_STEP_LITERAL &&
                         step.text[0] != 'n'; /* True: no object anyway */
    if (step.code != 0 && !refused) {
        tw_sink_diagnostic(call->sink, step.code, offset);
    }
    if (in_arguments(body) && bulk) {
        argument_text(body, step.text, step.text_size, offset,
                      step.text != (const char *)step.from);
    } else {
        outer_step(body, &step, offset);
    }
    if (body->bare && call->fail != 0) {
        return broken(body, size, offset);
    }
    tw_window_skip(window, size);
    return tw_json_done(&body->json) ? end_object(body, offset)
                                     : TW_BODY_GOES_ON;
}

/* A step up to |limit|, which may be the end of the input. */
static tw_body_end step_to(tw_json_body *body, const uint8_t *limit)
{
    const tw_window *window = body->common.call->window;
    return tw_json_body_step_to(body, limit,
                                limit == window->limit && window->eof);
}

/* The JSON ends at |at|, at a marker or half of one; what is in front of it is
 * read but for half a lexeme. */
static tw_body_end end_at(tw_json_body *body, const uint8_t *at)
{
    tw_window *window = body->common.call->window;
    if (window->at == at) {
        return TW_BODY_AT_MARKER;
    }
    if (tw_marker_is_cut(body->common.marks, window, at, ENDS)) {
        return TW_BODY_CUT;
    }
    tw_window_skip(window, (size_t)(at - window->at));
    return tw_body_break(&body->common, TW_DIAGNOSTIC_SYNTAX_ERROR,
                         window->offset);
}

/* A step where a marker may begin with a byte of JSON. */
static tw_body_end step_between(tw_json_body *body)
{
    tw_window *window = body->common.call->window;
    const uint64_t before = window->offset;
    const uint8_t *from = window->at;
    tw_body_end end = TW_BODY_STARVED;
    while (end == TW_BODY_STARVED && window->offset == before) {
        const uint8_t *limit = reach_of(body, from);
        end = limit > window->at || limit == window->limit
                  ? step_to(body, limit)
                  : end;
        if (end != TW_BODY_STARVED || window->offset > before ||
            limit == window->limit) {
            break;
        }
        /* There, or behind half a lexeme, a marker may stand. */
        end = ask(body, limit);
        if (end == TW_BODY_AT_MARKER && limit > window->at) {
            end = tw_json_body_step_to(body, limit, true);
            end = end == TW_BODY_CUT ? end_at(body, limit) : end;
        } else if (end == TW_BODY_STARVED) {
            break;
        } else if (end == TW_BODY_GOES_ON) {
            from = limit + 1;
            end = TW_BODY_STARVED;
        }
    }
    return end;
}

static tw_body_end step(tw_body *common)
{
    tw_json_body *body = (tw_json_body *)common;
    return body->common.marks->apart
               ? step_to(body, reach_of(body, body->common.call->window->at))
               : step_between(body);
}

const uint8_t *tw_json_body_advance_to(tw_json_body *body,
                                       const uint8_t *limit,
                                       tw_advanced *advanced)
{
    const tw_open_call *call = body->common.call;
    const tw_window *window = call->window;
    const uint8_t *at = window->at;
    advanced->type = TW_EVENT_CALL_ARGUMENTS;
    advanced->index = call->index;
    if (!in_arguments(body) || !call->begun || call->fail != 0 ||
        (size_t)(limit - at) > tw_sink_arguments_left(call->sink)) {
        return at;
    }
    const uint8_t *to = tw_json_advance(&body->json, at, limit);
    advanced->starved = to == at && limit == window->limit &&
                        tw_json_is_half(&body->json, to, limit);
    if (to == window->limit && tw_json_is_run(&body->json)) {
        advanced->run_class = TW_PLAIN_STRING;
        advanced->escapes = true;
    }
    return to;
}

static const uint8_t *advance(tw_body *common, tw_advanced *advanced)
{
    tw_json_body *body = (tw_json_body *)common;
    const tw_window *window = common->call->window;
    const bool apart = common->marks->apart || !in_arguments(body);
    return tw_json_body_advance_to(
        body, apart ? window->limit : reach_of(body, window->at), advanced);
}

static void cut(tw_body *common)
{
    tw_json_body *body = (tw_json_body *)common;
    if (body->role == ROLE_STRING && body->common.call->fail == 0 &&
        tw_json_in_string(&body->json)) {
        tw_arguments_string_cut(&body->common.call->arguments);
    }
}

/* ---- missing closers ---------------------------------------------------- */

bool tw_json_body_is_empty(const tw_json_body *body)
{
    return body->bare && body->got == GOT_NOTHING;
}

/* Before its close marker closers may be added behind any value, else only if
 * name and arguments are whole.  Where no marker closes calls, any does, once
 * arguments came. */
static bool closable(const tw_body *common, tw_body_cut by)
{
    const tw_json_body *body = (const tw_json_body *)common;
    const bool closes =
        by == TW_CUT_CLOSE ||
        (by < TW_CUT_UNKNOWN && tw_pattern_close(common->pattern) == NULL &&
         (body->bare || body->got != GOT_NOTHING || in_arguments(body)));
    const bool only_outer = !closes;
    if (tw_json_body_is_empty(body)) {
        return !only_outer;
    }
    if (!tw_json_closable(&body->json, !only_outer)) {
        return false;
    }
    return !only_outer ||
           (body->json.depth == (body->wrapped ? 2 : 1) &&
            body->base == body->json.depth && body->common.call->has_name &&
            (body->got == GOT_OBJECT || body->got == GOT_EMPTY) &&
            body->common.call->fail == 0);
}

static void add_closers(tw_body *common)
{
    tw_json_body *body = (tw_json_body *)common;
    tw_json *json = &body->json;
    const uint64_t offset = body->common.call->window->offset;
    if (tw_json_body_is_empty(body)) {
        end_object(body, body->value_at);
        return;
    }
    tw_sink_diagnostic(body->common.call->sink, TW_DIAGNOSTIC_MISSING_CLOSER,
                       offset);
    while (json->depth > 0) {
        const bool inside = in_arguments(body);
        const char *closer = tw_json_add_closer(json);
        if (!inside) {
            continue;
        }
        if (json->depth == body->role_depth) {
            json->floor = 0;
            tw_arguments_close(&body->common.call->arguments, offset);
            tw_json_body_value_ended(body, offset);
        } else {
            argument_text(body, closer, 1, offset, false);
        }
    }
    end_object(body, offset);
}

const tw_body_codec tw_json_codec = {
    .opens = tw_json_body_opens,
    .start = start,
    .step = step,
    .advance = advance,
    .cut = cut,
    .closable = closable,
    .close = add_closers,
};
