/* SPDX-License-Identifier: MIT
 *
 * A Mistral completion.  Its calls have a head and JSON, as Harmony's have,
 * but nothing marks their end: the object's last brace is it.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/harmony_body.h"
#include "formats/mistral.h"
#include "formats/passage.h"
#include "formats/stop.h"

enum { ID_LIMIT = 64 };

enum mistral_mode {
    MODE_TEXT,
    MODE_REASONING,
    MODE_CLOSERS, /* behind a call: closers too many */
    MODE_ARGUMENTS,
    MODE_ENDED
};

typedef struct tw_mistral {
    tw_memory memory;
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    uint8_t mode;
    tw_passage segment;
    tw_harmony_body body;
    uint64_t dropped;
} tw_mistral;

/* ---- markers ------------------------------------------------------------ */

#define MARKER(text, role, stop, decoded)               \
    {                                                   \
        TW_MARKER_TEXT(text), role, 1, 0, stop, decoded \
    }

const tw_marker tw_mistral_markers[] = {
    MARKER("[TOOL_CALLS]", TW_MARKER_CALL_OPEN, 0, 1),
    MARKER("[CALL_ID]", TW_MARKER_HEADER, 0, 1),
    MARKER("[ARGS]", TW_MARKER_BODY, 0, 1),
    MARKER("[THINK]", TW_MARKER_REASONING_OPEN, 0, 1),
    MARKER("[/THINK]", TW_MARKER_REASONING_CLOSE, 0, 1),
    MARKER("</s>", TW_MARKER_END, 1, 1),
    MARKER("<s>", TW_MARKER_TURN, 0, 0),
    MARKER("[INST]", TW_MARKER_TURN, 0, 0),
    MARKER("[/INST]", TW_MARKER_TURN, 0, 0),
    MARKER("[SYSTEM_PROMPT]", TW_MARKER_TURN, 0, 0),
    MARKER("[/SYSTEM_PROMPT]", TW_MARKER_TURN, 0, 0),
    MARKER("[AVAILABLE_TOOLS]", TW_MARKER_DECLARE, 0, 0),
    MARKER("[/AVAILABLE_TOOLS]", TW_MARKER_DECLARE, 0, 0),
    MARKER("[TOOL_RESULTS]", TW_MARKER_RESULT, 0, 0),
    MARKER("[TOOL_CONTENT]", TW_MARKER_RESULT, 0, 0),
    MARKER("[/TOOL_RESULTS]", TW_MARKER_RESULT, 0, 0),
};
const size_t tw_mistral_marker_count =
    sizeof tw_mistral_markers / sizeof tw_mistral_markers[0];

static tw_mistral_marker marker_at(const tw_window *window, const uint8_t *at,
                                   size_t *size)
{
    const tw_mistral_marker found =
        tw_mistral_scan_marker(at, window->limit, window->eof, size);
    return found != TW_MISTRAL_MORE &&
                   tw_window_is_marked_text(window, at, *size)
               ? TW_MISTRAL_NONE
               : found;
}

/* The first byte in [from, to) that may begin a marker, or |to|. */
static const uint8_t *find_bracket(const uint8_t *from, const uint8_t *to)
{
    while (from < to && *from != '[' && *from != '<') {
        from++;
    }
    return from;
}

static void diagnose(tw_mistral *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

static void framing(tw_mistral *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

/* ---- where the decoder stands ------------------------------------------- */

static void enter(tw_mistral *state, uint8_t mode)
{
    if (mode == MODE_REASONING) {
        tw_sink_opens_reasoning(state->sink);
    }
    state->mode = mode;
    state->window->recording = false;
    tw_passage_start(&state->segment, mode == MODE_REASONING
                                          ? TW_EVENT_REASONING
                                          : TW_EVENT_TEXT);
}

static tw_step enter_end(tw_mistral *state, size_t size)
{
    tw_passage_end(&state->segment, state->window, state->sink);
    framing(state, size);
    state->dropped = 0;
    state->mode = MODE_ENDED;
    return TW_STEP_AGAIN;
}

/* ---- a call's head ------------------------------------------------------ */

typedef enum head_kind {
    HEAD_NONE, /* the marker is text */
    HEAD_FAR,  /* so it is: its head is longer than what is held */
    HEAD_MORE,
    HEAD_CUT, /* the output ends inside it, or a stop marker stands there */
    HEAD_WHOLE
} head_kind;

typedef struct call_head {
    head_kind kind;
    tw_slice name;
    tw_slice id;
    const uint8_t *body;
    bool marked;  /* [ARGS] stands in front of the body */
    bool stopped; /* a stop marker stands there: the head is cut */
} call_head;

static const uint8_t *read_name(call_head *head, const uint8_t *at,
                                const uint8_t *limit)
{
    head->name.from = at = tw_behind_blanks(at, limit);
    while (at < limit && tw_mistral_is_name(*at)) {
        at++;
    }
    head->name.to = at;
    return head->name.to > head->name.from ? tw_behind_blanks(at, limit) : at;
}

static const uint8_t *read_id(call_head *head, const uint8_t *at,
                              const uint8_t *limit)
{
    head->id.from = at;
    while (at < limit && tw_mistral_is_id(*at) &&
           at - head->id.from <= ID_LIMIT) {
        at++;
    }
    head->id.to = at;
    return at;
}

/* The output ends inside |marker|, or in front of it. */
static bool is_cut(const tw_window *window, const uint8_t *at,
                   const char *marker)
{
    const size_t left = (size_t)(window->limit - at);
    return window->eof && left < strlen(marker) &&
           memcmp(at, marker, left) == 0;
}

/* The marker at |at|; if there is none, how the head ends. */
static tw_mistral_marker head_marker(const tw_window *window, call_head *head,
                                     const uint8_t *at, size_t *size)
{
    const bool id_may_follow = head->id.from == NULL;
    tw_mistral_marker found = TW_MISTRAL_NONE;
    if (at < window->limit && (*at == '[' || *at == '<')) {
        found = marker_at(window, at, size);
    }
    head->stopped = found == TW_MISTRAL_STOP;
    if (found == TW_MISTRAL_MORE || (at == window->limit && !window->eof)) {
        head->kind = HEAD_MORE;
    } else if (head->stopped || is_cut(window, at, "[ARGS]") ||
               (id_may_follow && is_cut(window, at, "[CALL_ID]"))) {
        head->kind = HEAD_CUT;
    } else {
        head->kind = HEAD_NONE;
    }
    return found;
}

/* The head behind [TOOL_CALLS], which ends in front of |at|. */
static call_head read_head(const tw_window *window, const uint8_t *at)
{
    call_head head = {.kind = HEAD_NONE};
    size_t size = 0;
    at = read_name(&head, at, window->limit);
    tw_mistral_marker marker = head_marker(window, &head, at, &size);
    const bool named = head.name.to > head.name.from;
    if (named && marker == TW_MISTRAL_ID) {
        at = read_id(&head, at + size, window->limit);
        marker = head_marker(window, &head, at, &size);
        if (head.id.to - head.id.from > ID_LIMIT) {
            head.kind = HEAD_NONE;
        } else if (marker == TW_MISTRAL_ARGS && head.id.to > head.id.from) {
            head.kind = HEAD_WHOLE;
        }
    } else if (named && (marker == TW_MISTRAL_ARGS ||
                         (at < window->limit && *at == '{'))) {
        head.kind = HEAD_WHOLE;
    } else if (!named && at < window->limit && *at != '<') {
        head.kind = HEAD_NONE;
    }
    head.marked = head.kind == HEAD_WHOLE && marker == TW_MISTRAL_ARGS;
    head.body = at + (head.marked ? size : 0);
    return head;
}

static call_head head_at(const tw_window *window, const uint8_t *open,
                         size_t size)
{
    call_head head = read_head(window, open + size);
    /* Also one that turns out to be none: that was not waited for. */
    if (head.body - open > TW_HOLD_HEAD) {
        head.kind = HEAD_FAR;
    }
    return head;
}

/* ---- calls -------------------------------------------------------------- */

static void begin_call(tw_mistral *state, const call_head *head)
{
    const size_t size = (size_t)(head->body - state->window->at);
    tw_sink_record(state->sink);
    if (!head->marked) {
        diagnose(state, TW_DIAGNOSTIC_MISSING_ARGS_MARKER, head->body);
    }
    tw_harmony_body_open_call(&state->body, TW_BODY_CALL, head->name, head->id,
                              state->window->offset + size);
    state->body.pauses = true;
    tw_window_skip(state->window, size);
    state->mode = MODE_ARGUMENTS;
}

/* A call of which only a part of the head came. */
static void list_head(tw_mistral *state, const uint8_t *end)
{
    tw_harmony_body *body = &state->body;
    tw_sink_record(state->sink);
    tw_harmony_body_open(body, TW_BODY_JUNK, state->window->offset);
    body->block = state->window->offset;
    body->fail = TW_DIAGNOSTIC_TRUNCATED_CALL;
    tw_window_skip(state->window, (size_t)(end - state->window->at));
    diagnose(state, body->fail, state->window->at);
    tw_harmony_body_list(body);
    enter(state, MODE_TEXT);
}

/* [TOOL_CALLS] at |at|.  AGAIN: a call began; MORE; DONE: it is text. */
static tw_step try_call(tw_mistral *state, const uint8_t *at, size_t size)
{
    const bool reasoning = state->mode == MODE_REASONING;
    call_head head = head_at(state->window, at, size);
    if (head.kind == HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind == HEAD_FAR) {
        diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
    }
    if (head.kind < HEAD_MORE || (reasoning && head.kind == HEAD_CUT)) {
        return TW_STEP_DONE;
    }
    const uint64_t offset = tw_window_offset(state->window, at);
    tw_passage_end_before(&state->segment, state->window, state->sink, false);
    if (reasoning) {
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALL_IN_REASONING,
                           offset);
    }
    if (head.kind == HEAD_CUT) {
        list_head(state, head.stopped ? head.body : state->window->limit);
    } else {
        begin_call(state, &head);
    }
    return TW_STEP_AGAIN;
}

/* The arguments end at |to|. */
static tw_step end_call(tw_mistral *state, tw_harmony_close close,
                        const uint8_t *to)
{
    tw_harmony_body_close(&state->body, close, to);
    enter(state, state->body.fail == 0 ? MODE_CLOSERS : MODE_TEXT);
    return TW_STEP_AGAIN;
}

static tw_harmony_close close_at_end(const tw_window *window)
{
    return window->stopped ? TW_CLOSE_STOP : TW_CLOSE_OUTPUT;
}

/* What may end the call stands at |at|, and all in front of it was taken but
 * half a lexeme. */
static tw_step read_bracket(tw_mistral *state, const uint8_t *at)
{
    tw_window *window = state->window;
    size_t size;
    const bool in_string = tw_harmony_body_in_string(&state->body);
    const tw_mistral_marker marker =
        in_string ? TW_MISTRAL_NONE : marker_at(window, at, &size);
    if (marker == TW_MISTRAL_MORE) {
        return TW_STEP_MORE;
    }
    if (!in_string && tw_is_half_stop(window, tw_mistral_markers,
                                      tw_mistral_marker_count, at)) {
        return end_call(state, TW_CLOSE_STOP, at);
    }
    if (marker == TW_MISTRAL_CALL || marker == TW_MISTRAL_STOP) {
        return end_call(state, TW_CLOSE_MARKER, at);
    }
    const uint64_t before = window->offset;
    tw_harmony_body_data(&state->body,
                         find_bracket(at + 1, tw_window_reach(window, at + 1)),
                         false);
    return window->offset > before ? TW_STEP_AGAIN : TW_STEP_MORE;
}

static tw_step read_arguments(tw_mistral *state)
{
    tw_window *window = state->window;
    tw_harmony_body *body = &state->body;
    if (body->whole && body->fail == 0) {
        return end_call(state, TW_CLOSE_MARKER, window->at);
    }
    const uint8_t *reach = tw_window_reach(window, window->at);
    const uint8_t *at = find_bracket(window->at, reach);
    const uint64_t before = window->offset;
    tw_harmony_body_data(body, at, false);
    if (window->offset > before) {
        return TW_STEP_AGAIN;
    }
    if (at < window->limit) {
        return read_bracket(state, at);
    }
    return window->eof ? end_call(state, close_at_end(window), at)
                       : TW_STEP_MORE;
}

static tw_step read_closers(tw_mistral *state)
{
    tw_window *window = state->window;
    const uint8_t *at = tw_behind_blanks(window->at, window->limit);
    const size_t blanks = (size_t)(at - window->at);
    if (at == window->limit && !window->eof && blanks <= TW_HOLD_BLANKS) {
        return TW_STEP_MORE;
    }
    if (at == window->limit || blanks > TW_HOLD_BLANKS ||
        (*at != '}' && *at != ']')) {
        enter(state, MODE_TEXT);
        return TW_STEP_AGAIN;
    }
    if (blanks > 0 || *at != '}' || !state->body.json.swallow) {
        diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
    }
    state->body.json.swallow = false;
    framing(state, blanks + 1);
    return TW_STEP_AGAIN;
}

/* ---- text and reasoning ------------------------------------------------- */

static tw_step text_run(tw_mistral *state, const uint8_t *from)
{
    const uint8_t *reach = tw_window_reach(state->window, from + 1);
    return tw_passage_run(&state->segment, state->window, state->sink, from,
                          find_bracket(from + 1, reach))
               ? TW_STEP_AGAIN
               : TW_STEP_MORE;
}

/* A marker, if it is one, between texts. */
static tw_step text_marker(tw_mistral *state, const uint8_t *at)
{
    const bool reasoning = state->mode == MODE_REASONING;
    size_t size;
    tw_step tried = TW_STEP_DONE;
    const tw_mistral_marker marker = marker_at(state->window, at, &size);
    switch (marker) {
    case TW_MISTRAL_MORE: return TW_STEP_MORE;
    case TW_MISTRAL_STOP: return enter_end(state, size);
    case TW_MISTRAL_CALL:
        if (!reasoning || state->options.calls_in_reasoning) {
            tried = try_call(state, at, size);
        }
        break;
    case TW_MISTRAL_THINK:
    case TW_MISTRAL_THINK_END:
        if (reasoning ? marker == TW_MISTRAL_THINK_END
                      : marker == TW_MISTRAL_THINK && !state->segment.begun) {
            tw_passage_end(&state->segment, state->window, state->sink);
            framing(state, size);
            enter(state, reasoning ? MODE_TEXT : MODE_REASONING);
            return TW_STEP_AGAIN;
        }
        break;
    default: break;
    }
    return tried == TW_STEP_DONE ? text_run(state, at) : tried;
}

static tw_step read_text(tw_mistral *state)
{
    const tw_window *window = state->window;
    tw_passage_look(&state->segment, state->window, state->sink);
    const uint8_t *at = window->at + state->segment.held;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_passage_end(&state->segment, state->window, state->sink);
        return TW_STEP_DONE;
    }
    return *at == '[' || *at == '<' ? text_marker(state, at)
                                    : text_run(state, at);
}

/* ---- edges -------------------------------------------------------------- */

static tw_step step(void *data)
{
    tw_mistral *state = data;
    switch (state->mode) {
    case MODE_TEXT:
    case MODE_REASONING: return read_text(state);
    case MODE_CLOSERS: return read_closers(state);
    case MODE_ARGUMENTS: return read_arguments(state);
    default:
        return tw_drop_after_end(state->window, state->sink, &state->dropped);
    }
}

static const uint8_t *pass(void *data, tw_passed *passed)
{
    tw_mistral *state = data;
    const tw_window *window = state->window;
    if (state->mode != MODE_TEXT && state->mode != MODE_REASONING &&
        state->mode != MODE_ARGUMENTS) {
        return window->at;
    }
    const uint8_t *to =
        find_bracket(window->at, tw_window_reach(window, window->at));
    if (state->mode == MODE_ARGUMENTS) {
        return tw_harmony_body_pass(&state->body, to, passed);
    }
    if (to == window->at) {
        return to;
    }
    return tw_passage_pass(&state->segment, window, state->sink, to, passed);
}

static tw_stand stand(const void *data)
{
    const tw_mistral *state = data;
    return state->mode == MODE_ENDED  ? TW_STAND_ENDED
           : state->mode == MODE_TEXT ? TW_STAND_TEXT
                                      : TW_STAND_INSIDE;
}

static void reset(void *data, const tw_decode_options *options)
{
    tw_mistral *state = data;
    state->options = *options;
    enter(state, options->start_reasoning ? MODE_REASONING : MODE_TEXT);
}

static void destroy(void *data)
{
    tw_mistral *state = data;
    if (state != NULL) {
        const tw_memory memory = state->memory;
        tw_harmony_body_free(&state->body);
        tw_memory_free(&memory, state, sizeof *state);
    }
}

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink)
{
    (void)format;
    tw_mistral *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->window = window;
        state->sink = sink;
        tw_harmony_body_init(&state->body, &state->memory, window, sink);
    }
    return state;
}

static const char *const members[] = {NULL};

const tw_family tw_mistral_family = {create, destroy, reset, step,
                                     pass,   stand,   false, tw_mistral_encode,
                                     NULL,   members, NULL};
