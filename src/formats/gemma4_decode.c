/* SPDX-License-Identifier: MIT
 *
 * A Gemma 4 completion: text, reasoning and calls.  What stands in a call's
 * braces is read in gemma4_value.c.
 */
#include <string.h>

#include "core/utf8.h"
#include "formats/gemma4.h"
#include "formats/segment.h"

enum mode {
    TURN_HEAD,    /* at the very start */
    TEXT,
    CHANNEL_HEAD, /* behind `<|channel>` */
    REASONING,
    CALL,
    AFTER_CALL,   /* behind the closed object */
    SKIP,         /* a malformed call, to its end */
    END           /* behind a stop marker */
};

typedef struct gemma4 {
    tw_memory memory;
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    uint8_t mode;
    bool boundary;      /* nothing visible since the start, a channel or a
                           call: a call may begin without its marker */
    bool boundary_ahead; /* the same, behind what is held */
    tw_segment segment;
    uint64_t plain_until; /* reasoning up to here, whatever it looks like */
    /* The look-ahead over a block in open reasoning. */
    uint64_t block_look;
    bool block_in_string;
    tw_gemma4_call call;
    uint64_t block;     /* where the call's block begins */
    tw_buffer name;
    bool begun;         /* there was a call_begin */
    bool bare;          /* without its marker */
    bool skip_in_string;
    uint64_t dropped;   /* behind a stop marker: where text begins, + 1 */
} gemma4;

/* ---- the head of a call ------------------------------------------------- */

typedef enum head_kind {
    HEAD_NONE, /* it is text */
    HEAD_MORE,
    HEAD_CUT,   /* the input or a stop marker cuts it off */
    HEAD_EMPTY, /* a block without a call */
    HEAD_LONG,  /* the name is beyond its limit */
    HEAD_CALL
} head_kind;

typedef struct head {
    head_kind kind;
    const uint8_t *name;
    const uint8_t *name_end;
    const uint8_t *body; /* behind the opening bracket */
    bool loose;          /* not exactly `call:NAME{` */
    bool paren;
    bool no_body;        /* `call:NAME<tool_call|>` */
} head;

static bool is_name(int c)
{
    return tw_gemma4_is_word(c) || c == ':';
}

/* The bytes that begin `call:` or `:`; NULL: more are needed. */
static const uint8_t *head_word(const gemma4 *state, const uint8_t *at,
                                bool *called)
{
    static const char word[] = "call:";
    *called = false;
    for (size_t i = 0; i < 5; i++) {
        const int c = tw_look(state->window, at + i);
        if (c == TW_LOOK_MORE) {
            return NULL;
        }
        if (c != word[i]) {
            return *at == ':' ? at + 1 : at;
        }
    }
    *called = true;
    return at + 5;
}

/* A close marker that the end of input cuts in two. */
static bool is_close_prefix(const tw_window *window, const uint8_t *at)
{
    const size_t left = (size_t)(window->limit - at);
    return window->eof && left < 12 && memcmp(at, "<tool_call|>", left) == 0;
}

static bool is_good_name(const uint8_t *from, const uint8_t *to)
{
    return from < to &&
           (tw_gemma4_starts_word(*from) || (*from >= '0' && *from <= '9')) &&
           to[-1] != ':' && tw_utf8_valid(from, to) == to;
}

/* What stands in place of a name, right behind the opening marker. */
static head_kind head_at_marker(const gemma4 *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    size_t size;
    const tw_gemma4_marker marker = tw_gemma4_marker_at(window, at, &size);
    if (marker == TW_GEMMA4_MORE) {
        return HEAD_MORE;
    }
    if (marker == TW_GEMMA4_CALL_END) {
        return HEAD_EMPTY;
    }
    if (tw_gemma4_is_stop(marker)) {
        return HEAD_CUT;
    }
    return is_close_prefix(window, at) ? HEAD_CUT : HEAD_NONE;
}

/* The end of the name, blanks behind it included. */
static head_kind head_end(const gemma4 *state, head *found, bool bare,
                          bool called)
{
    const tw_window *window = state->window;
    const uint8_t *at = found->name_end;
    while (!bare && at < window->limit && tw_is_blank(*at)) {
        at++;
    }
    const int c = tw_look(window, at);
    if (c == TW_LOOK_MORE) {
        return HEAD_MORE;
    }
    if (c == TW_LOOK_END) {
        return bare ? HEAD_NONE : HEAD_CUT;
    }
    found->loose |= at > found->name_end;
    found->paren = c == '(';
    found->body = at + 1;
    const bool good = is_good_name(found->name, found->name_end);
    if (good && (c == '{' || (c == '(' && !bare))) {
        return HEAD_CALL;
    }
    if (c != '<' || bare || (!good && at != found->name)) {
        return HEAD_NONE;
    }
    size_t size;
    const tw_gemma4_marker marker = tw_gemma4_marker_at(window, at, &size);
    found->body = at;
    found->no_body = true;
    return marker == TW_GEMMA4_MORE       ? HEAD_MORE
           : tw_gemma4_is_stop(marker) ||
                   (good && called && is_close_prefix(window, at))
               ? HEAD_CUT
           : marker == TW_GEMMA4_CALL_END && good && called ? HEAD_CALL
                                                            : HEAD_NONE;
}

/* `call:NAME{` at |from|, or a loose form of it. */
static head read_head(const gemma4 *state, const uint8_t *from, bool bare)
{
    const tw_window *window = state->window;
    head found = {0};
    const uint8_t *at = from;
    while (!bare && at < window->limit && tw_is_blank(*at)) {
        at++;
    }
    found.loose = at > from;
    const int c = tw_look(window, at);
    if (c < 0) {
        found.kind = c == TW_LOOK_MORE ? HEAD_MORE
                     : bare            ? HEAD_NONE
                                       : HEAD_CUT;
        return found;
    }
    if (c == '<' && !bare) {
        found.kind = head_at_marker(state, at);
        return found;
    }
    bool called;
    found.name = head_word(state, at, &called);
    if (found.name == NULL || (bare && !called)) {
        found.kind = found.name == NULL ? HEAD_MORE : HEAD_NONE;
        return found;
    }
    found.loose |= !called;
    const uint8_t *end = found.name;
    while (end < window->limit && is_name(*end)) {
        end++;
        if ((size_t)(end - found.name) > state->sink->limits.name) {
            found.kind = called && !bare ? HEAD_LONG : HEAD_NONE;
            return found;
        }
    }
    found.name_end = end;
    found.kind = tw_look(window, end) == TW_LOOK_MORE
                     ? HEAD_MORE
                     : head_end(state, &found, bare, called);
    return found;
}

/* The head at |from|, with what is true of all: it is held in 1024 bytes, and
 * loose forms are text in strict mode. */
static head head_at(const gemma4 *state, const uint8_t *from, bool bare)
{
    head found = read_head(state, from, bare);
    const size_t size = found.kind == HEAD_MORE
                            ? (size_t)(state->window->limit - from)
                        : found.kind == HEAD_CALL
                            ? (size_t)(found.body - from)
                            : 0;
    const bool loose = found.kind == HEAD_CALL &&
                       (found.loose || found.paren || bare || found.no_body);
    if (size > TW_HOLD_HEAD || (state->options.strict && loose)) {
        found.kind = HEAD_NONE;
    }
    return found;
}

/* ---- blocks ------------------------------------------------------------- */

static void diagnose(gemma4 *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code,
                       tw_window_offset(state->window, at));
}

static void framing(gemma4 *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

static void enter(gemma4 *state, enum mode mode)
{
    state->mode = (uint8_t)mode;
    state->boundary_ahead = state->boundary;
    tw_segment_start(&state->segment,
                     mode == REASONING ? TW_EVENT_REASONING : TW_EVENT_TEXT);
}

static void enter_text(gemma4 *state)
{
    state->boundary = true;
    enter(state, TEXT);
}

static void open_block(gemma4 *state)
{
    state->block = state->window->offset;
    state->begun = false;
    state->name.size = 0;
    tw_sink_record(state->sink);
}

static void close_block(gemma4 *state)
{
    state->window->recording = false;
    enter_text(state);
}

static void list_unparsed(gemma4 *state, uint32_t code)
{
    const uint64_t end = state->window->offset;
    const size_t size = (size_t)(end - state->block);
    tw_sink_unparsed(state->sink,
                     state->begun ? state->call.index : TW_NO_INDEX, code,
                     state->block, end,
                     tw_sink_recorded(state->sink, 0, size), size,
                     (const char *)state->name.data, state->name.size);
}

/* The call ended badly; its bytes are released. */
static void fail_call(gemma4 *state)
{
    const tw_call_status status =
        state->call.truncated ? TW_CALL_INCOMPLETE : TW_CALL_MALFORMED;
    if (state->begun) {
        tw_sink_call_end(state->sink, state->call.index, status, state->block,
                         state->block);
    }
    list_unparsed(state, state->call.reason);
    close_block(state);
}

static void begin_skip(gemma4 *state, uint32_t reason, uint64_t offset)
{
    tw_sink_diagnostic(state->sink, reason, offset);
    state->call.reason = reason;
    state->call.truncated = false;
    state->skip_in_string = false;
    state->mode = SKIP;
}

/* |bare|: its block has no marker in front. */
static tw_step begin_call(gemma4 *state, const head *found, bool bare)
{
    tw_window *window = state->window;
    tw_sink *sink = state->sink;
    const char *name = (const char *)found->name;
    const size_t name_size = (size_t)(found->name_end - found->name);
    open_block(state);
    state->bare = bare;
    if (found->loose) {
        diagnose(state, TW_DIAGNOSTIC_LOOSE_HEAD, window->at);
    }
    if (found->paren) {
        diagnose(state, TW_DIAGNOSTIC_PAREN_ARGS, found->body - 1);
    }
    const uint32_t refused = tw_sink_call_refused(sink, name_size);
    if (!tw_buffer_append(&state->name, &state->memory, name, name_size)) {
        tw_sink_fail(sink, TW_ERROR_MEMORY, window->offset, "no memory");
        return TW_STEP_AGAIN;
    }
    if (refused != 0) {
        begin_skip(state, refused, window->offset);
        return TW_STEP_AGAIN;
    }
    const uint32_t index = tw_sink_call_begin(sink, name, name_size, NULL, 0,
                                              0, window->offset);
    state->begun = true;
    tw_sink_arguments(sink, index, "{", 1,
                      tw_window_offset(window, found->body) - 1);
    if (found->no_body) {
        diagnose(state, TW_DIAGNOSTIC_EMPTY_ARGUMENTS, found->body);
    }
    tw_window_skip(window, (size_t)(found->body - window->at));
    if (!tw_gemma4_call_start(&state->call, index, found->paren)) {
        tw_sink_fail(sink, TW_ERROR_MEMORY, window->offset, "no memory");
    }
    state->call.closer_at = window->offset;
    state->mode = found->no_body ? AFTER_CALL : CALL;
    return TW_STEP_AGAIN;
}

/* ---- text and reasoning ------------------------------------------------- */

/* Ends the segment: what is held in front of |at| is framing, and so are
 * |size| bytes of marker. */
static void end_segment(gemma4 *state, size_t size)
{
    tw_segment_end(&state->segment, state->window, state->sink);
    framing(state, size);
}

static void enter_end(gemma4 *state, size_t size)
{
    end_segment(state, size);
    state->dropped = 0;
    state->mode = END;
}

/* The opening marker stands at the window with nothing held before it. */
static tw_step no_call(gemma4 *state, size_t marker_size, head_kind kind)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at + marker_size;
    size_t size = 0;
    while (at < window->limit) {
        const tw_gemma4_marker marker =
            *at == '<' ? tw_gemma4_marker_at(window, at, &size)
                       : TW_GEMMA4_NONE;
        if (marker != TW_GEMMA4_NONE && marker != TW_GEMMA4_DELIMITER) {
            break;
        }
        at++;
    }
    const uint32_t code = kind == HEAD_EMPTY ? TW_DIAGNOSTIC_EMPTY_CALL
                                             : TW_DIAGNOSTIC_TRUNCATED_CALL;
    const uint8_t *end = at + (kind == HEAD_EMPTY ? size : 0);
    open_block(state);
    diagnose(state, code, kind == HEAD_EMPTY ? window->at : end);
    tw_window_skip(window, (size_t)(end - window->at));
    list_unparsed(state, code);
    close_block(state);
    return TW_STEP_AGAIN;
}

static tw_step text_run(gemma4 *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    const uint8_t *to = from + 1;
    if (*from != '<' || window->limit - from > 1) {
        const uint8_t *less =
            memchr(to, '<', (size_t)(window->limit - to));
        to = less != NULL ? less : window->limit;
    }
    const uint64_t plain = state->plain_until;
    if (plain > tw_window_offset(window, from)) {
        const uint64_t left = plain - window->offset;
        to = left < tw_window_size(window) ? window->at + left
                                           : window->limit;
    }
    const bool moved = tw_segment_run(&state->segment, state->window,
                                      state->sink, from, to);
    if (moved) {
        state->boundary = state->boundary_ahead = false;
    }
    return moved ? TW_STEP_AGAIN : TW_STEP_MORE;
}

static tw_step text_call(gemma4 *state, const uint8_t *at, size_t size)
{
    const head found = head_at(state, at + size, size == 0);
    if (found.kind == HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (found.kind == HEAD_NONE) {
        if (size == 0) {
            state->boundary_ahead = false;
        }
        return text_run(state, at);
    }
    end_segment(state, 0);
    if (found.kind == HEAD_CUT || found.kind == HEAD_EMPTY) {
        return no_call(state, size, found.kind);
    }
    if (found.kind == HEAD_LONG) {
        open_block(state);
        begin_skip(state, TW_DIAGNOSTIC_LIMIT_NAME, state->window->offset);
        return TW_STEP_AGAIN;
    }
    if (size == 0) {
        diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN, state->window->at);
    }
    return begin_call(state, &found, size == 0);
}

static tw_step text_marker(gemma4 *state, const uint8_t *at)
{
    size_t size;
    const tw_gemma4_marker marker =
        tw_gemma4_marker_at(state->window, at, &size);
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma4_is_stop(marker)) {
        enter_end(state, size);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA4_CHANNEL) {
        end_segment(state, size);
        state->mode = CHANNEL_HEAD;
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA4_CHANNEL_END ||
        (marker == TW_GEMMA4_CALL_END && state->boundary_ahead)) {
        tw_segment_hold_marker(&state->segment, size);
        state->boundary_ahead = true;
        return TW_STEP_AGAIN;
    }
    return marker == TW_GEMMA4_CALL ? text_call(state, at, size)
                                    : text_run(state, at);
}

/* Moves over what is held at a segment's edge; the byte behind it. */
static int look_behind_held(gemma4 *state, const uint8_t **at)
{
    if (tw_segment_look(&state->segment, state->window, state->sink)) {
        state->boundary = state->boundary_ahead = false;
    }
    *at = state->window->at + state->segment.held;
    return tw_look(state->window, *at);
}

static tw_step read_text(gemma4 *state)
{
    const uint8_t *at;
    const int c = look_behind_held(state, &at);
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == TW_LOOK_END) {
        end_segment(state, 0);
        return TW_STEP_DONE;
    }
    if (c == '<') {
        return text_marker(state, at);
    }
    return c == 'c' && state->boundary_ahead ? text_call(state, at, 0)
                                             : text_run(state, at);
}

/* Is the reasoning closed behind the block at |at|?  Held until that is known
 * or the limit is reached, where it counts as a call: its head cannot be
 * mistaken. */
static tw_step reasoning_call(gemma4 *state, const uint8_t *at, size_t size)
{
    const tw_window *window = state->window;
    const head found = head_at(state, at + size, false);
    if (found.kind == HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (found.kind == HEAD_NONE || found.kind == HEAD_EMPTY) {
        return text_run(state, at);
    }
    const uint8_t *look = at + size;
    if (state->block_look > tw_window_offset(window, look)) {
        look = window->at + (state->block_look - window->offset);
    } else {
        state->block_in_string = false;
    }
    bool closed = false;
    for (;; look++) {
        const int c = tw_look(window, look);
        size_t length = 1;
        state->block_look = tw_window_offset(window, look);
        const tw_gemma4_marker marker =
            c == '<' ? tw_gemma4_marker_at(window, look, &length)
                     : TW_GEMMA4_NONE;
        if (c == TW_LOOK_MORE || marker == TW_GEMMA4_MORE) {
            return TW_STEP_MORE;
        }
        if (c == TW_LOOK_END || look - at > TW_HOLD_BLOCK) {
            break;
        }
        if (marker == TW_GEMMA4_DELIMITER) {
            state->block_in_string = !state->block_in_string;
            look += length - 1;
        } else if (!state->block_in_string &&
                   (marker == TW_GEMMA4_CHANNEL_END ||
                    tw_gemma4_is_stop(marker))) {
            closed = marker == TW_GEMMA4_CHANNEL_END;
            break;
        }
    }
    state->block_look = 0;
    if (closed) {
        state->plain_until = tw_window_offset(window, look);
        return text_run(state, at);
    }
    const uint64_t where = tw_window_offset(window, at);
    end_segment(state, 0);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALL_IN_REASONING, where);
    enter_text(state);
    return TW_STEP_AGAIN;
}

static tw_step reasoning_marker(gemma4 *state, const uint8_t *at)
{
    size_t size;
    const uint64_t where = tw_window_offset(state->window, at);
    const tw_gemma4_marker marker =
        tw_gemma4_marker_at(state->window, at, &size);
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (tw_gemma4_is_stop(marker)) {
        tw_segment_end(&state->segment, state->window, state->sink);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_UNCLOSED_REASONING,
                           where);
        enter_end(state, size);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA4_CHANNEL_END) {
        end_segment(state, size);
        enter_text(state);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_GEMMA4_CHANNEL) {
        tw_segment_end(&state->segment, state->window, state->sink);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_STRAY_MARKER, where);
        framing(state, size);
        state->mode = CHANNEL_HEAD;
        return TW_STEP_AGAIN;
    }
    return marker == TW_GEMMA4_CALL && state->options.calls_in_reasoning
               ? reasoning_call(state, at, size)
               : text_run(state, at);
}

static tw_step read_reasoning(gemma4 *state)
{
    const uint8_t *at;
    const int c = look_behind_held(state, &at);
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == TW_LOOK_END) {
        end_segment(state, 0);
        return TW_STEP_DONE;
    }
    const bool plain =
        tw_window_offset(state->window, at) < state->plain_until;
    return c == '<' && !plain ? reasoning_marker(state, at)
                              : text_run(state, at);
}

/* `thought` LF; without the line feed only directly before the end of the
 * channel; cut off by the end of input. */
static tw_step read_channel_head(gemma4 *state)
{
    static const char word[] = "thought\n";
    const tw_window *window = state->window;
    size_t size = 0;
    int c = 0;
    while (size < 8) {
        c = tw_look(window, window->at + size);
        if (c != word[size]) {
            break;
        }
        size++;
    }
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (size < 8 && c != TW_LOOK_END) {
        size_t length;
        const tw_gemma4_marker marker =
            size == 7 && c == '<'
                ? tw_gemma4_marker_at(window, window->at + 7, &length)
                : TW_GEMMA4_NONE;
        if (marker == TW_GEMMA4_MORE) {
            return TW_STEP_MORE;
        }
        size = marker == TW_GEMMA4_CHANNEL_END ? 7 : 0;
    }
    framing(state, size);
    enter(state, REASONING);
    return TW_STEP_AGAIN;
}

/* ---- calls -------------------------------------------------------------- */

static tw_step read_call(gemma4 *state)
{
    tw_gemma4_call *call = &state->call;
    const tw_step step = tw_gemma4_call_step(call);
    if (step != TW_STEP_DONE) {
        return step;
    }
    if (call->reason == 0) {
        state->mode = AFTER_CALL;
        return TW_STEP_AGAIN;
    }
    const bool truncated = call->truncated;
    if (!truncated) {
        begin_skip(state, call->reason, call->reason_at);
        return TW_STEP_AGAIN;
    }
    /* The end of input cuts the call off, or a marker that belongs to what
     * comes next: that one stands at the window. */
    tw_window *window = state->window;
    size_t size;
    const bool marker =
        tw_window_size(window) > 0 && *window->at == '<' &&
        tw_gemma4_ends_body(tw_gemma4_marker_at(window, window->at, &size));
    if (!marker) {
        tw_window_skip(window, tw_window_size(window));
    }
    tw_sink_diagnostic(state->sink, call->reason, window->offset);
    fail_call(state);
    return TW_STEP_AGAIN;
}

/* The object is closed and may be handed on. */
static void end_call(gemma4 *state, const uint8_t *end)
{
    tw_window *window = state->window;
    tw_window_skip(window, (size_t)(end - window->at));
    tw_sink_arguments(state->sink, state->call.index, "}", 1,
                      state->call.closer_at);
    if (state->sink->overflow) {
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_LIMIT_ARGUMENTS,
                           state->call.closer_at);
        state->call.reason = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        fail_call(state);
        return;
    }
    tw_sink_call_end(state->sink, state->call.index, TW_CALL_COMPLETE,
                     state->block, window->offset);
    close_block(state);
}

/* Prose behind the object: dropped if a close marker ends it soon, else it
 * was text.  |at| is where it begins. */
static tw_step junk_after_call(gemma4 *state, const uint8_t *at)
{
    tw_window *window = state->window;
    const uint8_t *to = at;
    size_t size = 0;
    tw_gemma4_marker marker = TW_GEMMA4_NONE;
    int c;
    for (;; to++) {
        c = tw_look(window, to);
        marker = c == '<' ? tw_gemma4_marker_at(window, to, &size)
                          : TW_GEMMA4_NONE;
        if (c == TW_LOOK_END || to - at > TW_HOLD_JUNK ||
            (marker != TW_GEMMA4_NONE && marker != TW_GEMMA4_DELIMITER &&
             marker != TW_GEMMA4_MORE)) {
            break;
        }
        if (c == TW_LOOK_MORE || marker == TW_GEMMA4_MORE) {
            return TW_STEP_MORE;
        }
    }
    const bool closed = marker == TW_GEMMA4_CALL_END;
    const uint64_t where = tw_window_offset(window, at);
    const uint64_t here = window->offset;
    const size_t junk = (size_t)(to - at);
    end_call(state, closed ? at : window->at);
    if (closed) {
        tw_sink_dropped(state->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT, where,
                        junk);
        tw_window_skip(window, junk);
        framing(state, size);
    } else {
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
                           junk > TW_HOLD_JUNK ? where : here);
    }
    return TW_STEP_AGAIN;
}

static tw_step closer_after_call(gemma4 *state, const uint8_t *at)
{
    if (state->call.doubled > 0) {
        state->call.doubled--;
    } else {
        diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
    }
    tw_window_skip(state->window, (size_t)(at + 1 - state->window->at));
    return TW_STEP_AGAIN;
}

/* The call goes on where it should be over: it must not run. */
static tw_step bad_after_call(gemma4 *state, uint32_t reason,
                              const uint8_t *at)
{
    if (reason == TW_DIAGNOSTIC_ARGUMENTS_GO_ON) {
        begin_skip(state, reason, tw_window_offset(state->window, at));
        return TW_STEP_AGAIN;
    }
    diagnose(state, reason, at);
    state->call.reason = reason;
    state->call.truncated = false;
    fail_call(state);
    return TW_STEP_AGAIN;
}

static tw_step marker_after_call(gemma4 *state, const uint8_t *at,
                                 tw_gemma4_marker marker, size_t size)
{
    const uint64_t here = state->window->offset;
    if (marker == TW_GEMMA4_CALL_END) {
        end_call(state, at);
        framing(state, size);
        return TW_STEP_AGAIN;
    }
    /* The stop rule swallowed the close marker. */
    end_call(state, state->window->at);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, here);
    return TW_STEP_AGAIN;
}

static tw_step end_after_call(gemma4 *state)
{
    tw_window *window = state->window;
    const uint64_t here = window->offset;
    const size_t left = tw_window_size(window);
    end_call(state, window->at);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, here);
    framing(state, left);
    return TW_STEP_AGAIN;
}

static tw_step next_call(gemma4 *state, const uint8_t *at, const head *found)
{
    const uint64_t where = tw_window_offset(state->window, at);
    const bool bare = state->bare;
    end_call(state, at);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALLS_SHARE_BLOCK, where);
    return begin_call(state, found, bare);
}

static tw_step read_after_call(gemma4 *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    while (at < window->limit && tw_is_blank(*at) &&
           at - window->at <= TW_HOLD_BLANKS) {
        at++;
    }
    const int c = tw_look(window, at);
    size_t size;
    if (at - window->at > TW_HOLD_BLANKS) {
        const uint64_t here = window->offset;
        end_call(state, window->at);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
                           here);
        return TW_STEP_AGAIN;
    }
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    if (c == TW_LOOK_END || (c == '<' && is_close_prefix(window, at))) {
        return end_after_call(state);
    }
    const tw_gemma4_marker marker =
        c == '<' ? tw_gemma4_marker_at(window, at, &size) : TW_GEMMA4_NONE;
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (marker != TW_GEMMA4_NONE && marker != TW_GEMMA4_DELIMITER) {
        return marker_after_call(state, at, marker, size);
    }
    const head next = c == 'c' ? head_at(state, at, true) : (head){0};
    if (next.kind == HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (next.kind == HEAD_CALL) {
        return next_call(state, at, &next);
    }
    if (c == '}' || c == ']' || c == ')') {
        return closer_after_call(state, at);
    }
    if (state->bare) {
        return bad_after_call(state, TW_DIAGNOSTIC_PROSE_AFTER_BARE_CALL, at);
    }
    return c == ',' || c == ':' || c == '='
               ? bad_after_call(state, TW_DIAGNOSTIC_ARGUMENTS_GO_ON, at)
               : junk_after_call(state, at);
}

/* A malformed call ends at its close marker, or before the next head or a
 * stop marker; strings are skipped. */
static tw_step read_skip(gemma4 *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        fail_call(state);
        return TW_STEP_AGAIN;
    }
    if (*at != '<') {
        const uint8_t *less = memchr(at, '<', tw_window_size(window));
        tw_window_skip(window, less != NULL ? (size_t)(less - at)
                                            : tw_window_size(window));
        return TW_STEP_AGAIN;
    }
    size_t size;
    const tw_gemma4_marker marker = tw_gemma4_marker_at(window, at, &size);
    const bool outside = !state->skip_in_string;
    if (marker == TW_GEMMA4_MORE) {
        return TW_STEP_MORE;
    }
    if (outside && tw_gemma4_is_stop(marker)) {
        fail_call(state);
        return TW_STEP_AGAIN;
    }
    /* The skipped call's own marker stands where its block begins. */
    if (outside && marker == TW_GEMMA4_CALL &&
        window->offset > state->block) {
        const head found = head_at(state, at + size, false);
        if (found.kind == HEAD_MORE) {
            return TW_STEP_MORE;
        }
        if (found.kind != HEAD_NONE) {
            fail_call(state);
            return TW_STEP_AGAIN;
        }
    }
    tw_window_skip(window, marker == TW_GEMMA4_NONE ? 1 : size);
    if (marker == TW_GEMMA4_DELIMITER) {
        state->skip_in_string = outside;
    } else if (outside && marker == TW_GEMMA4_CALL_END) {
        fail_call(state);
    }
    return TW_STEP_AGAIN;
}

/* ---- edges -------------------------------------------------------------- */

static tw_step read_turn_head(gemma4 *state)
{
    static const char turn[] = "<|turn>model\n";
    const tw_window *window = state->window;
    size_t size = 0;
    int c = 0;
    while (size < sizeof turn - 1) {
        c = tw_look(window, window->at + size);
        if (c != turn[size]) {
            break;
        }
        size++;
    }
    if (c == TW_LOOK_MORE) {
        return TW_STEP_MORE;
    }
    framing(state, size == sizeof turn - 1 ? size : 0);
    enter_text(state);
    return TW_STEP_AGAIN;
}

static tw_step read_end(gemma4 *state)
{
    return tw_drop_after_end(state->window, state->sink, &state->dropped);
}

static tw_step step(void *data)
{
    gemma4 *state = data;
    switch (state->mode) {
    case TURN_HEAD: return read_turn_head(state);
    case TEXT: return read_text(state);
    case CHANNEL_HEAD: return read_channel_head(state);
    case REASONING: return read_reasoning(state);
    case CALL: return read_call(state);
    case AFTER_CALL: return read_after_call(state);
    case SKIP: return read_skip(state);
    default: return read_end(state);
    }
}

static void reset(void *data, const tw_decode_options *options)
{
    gemma4 *state = data;
    state->options = *options;
    state->plain_until = state->block_look = 0;
    state->boundary = true;
    if (options->start_reasoning) {
        enter(state, REASONING);
    } else {
        enter(state, TEXT);
        state->mode = TURN_HEAD;
    }
}

static void destroy(void *data)
{
    gemma4 *state = data;
    if (state != NULL) {
        const tw_memory memory = state->memory;
        tw_buffer_free(&state->name, &memory);
        tw_buffer_free(&state->call.frames, &memory);
        tw_memory_free(&memory, state, sizeof *state);
    }
}

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink)
{
    (void)format;
    gemma4 *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->window = state->call.window = window;
        state->sink = state->call.sink = sink;
        state->segment.trims = true;
        state->segment.stray = TW_DIAGNOSTIC_STRAY_MARKER;
    }
    return state;
}

const tw_family tw_gemma4_family = {create, destroy, reset, step, false};

#define MARKER(text, role, stop, decoded)                                      \
    {TW_MARKER_TEXT(text), role, 1, 0, stop, decoded}

const tw_marker tw_gemma4_markers[] = {
    MARKER("<|tool_call>", TW_MARKER_CALL_OPEN, 0, 1),
    MARKER("<tool_call|>", TW_MARKER_CALL_CLOSE, 0, 1),
    MARKER("<|channel>", TW_MARKER_REASONING_OPEN, 0, 1),
    MARKER("<channel|>", TW_MARKER_REASONING_CLOSE, 0, 1),
    MARKER("<|\"|>", TW_MARKER_STRING, 0, 1),
    MARKER("<turn|>", TW_MARKER_END, 1, 1),
    MARKER("<eos>", TW_MARKER_END, 1, 1),
    MARKER("<|tool_response>", TW_MARKER_RESULT, 1, 1),
    MARKER("<tool_response|>", TW_MARKER_RESULT, 0, 0),
    MARKER("<|turn>", TW_MARKER_TURN, 0, 0),
    MARKER("<bos>", TW_MARKER_TURN, 0, 0),
    MARKER("<|tool>", TW_MARKER_DECLARE, 0, 0),
    MARKER("<tool|>", TW_MARKER_DECLARE, 0, 0),
    MARKER("<|think|>", TW_MARKER_HEADER, 0, 0),
    MARKER("<|image|>", TW_MARKER_MEDIA, 0, 0),
    MARKER("<|audio|>", TW_MARKER_MEDIA, 0, 0),
    MARKER("<|video|>", TW_MARKER_MEDIA, 0, 0),
};
const size_t tw_gemma4_marker_count =
    sizeof tw_gemma4_markers / sizeof tw_gemma4_markers[0];
