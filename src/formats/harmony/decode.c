/* SPDX-License-Identifier: MIT
 *
 * A Harmony completion: messages, each with a header that says what its body
 * is.  Between two messages is a gap.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/harmony/encode.h"
#include "formats/harmony/state.h"
#include "formats/content.h"
#include "formats/stop.h"
#include "json/advance.h"

void tw_harmony_diagnose(tw_harmony *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code, tw_window_offset(state->window, at));
}

void tw_harmony_framing(tw_harmony *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

void tw_harmony_drop(tw_harmony *state, uint32_t code, size_t size)
{
    tw_sink_dropped(state->sink, code, state->window->offset, size);
    tw_window_skip(state->window, size);
}

/* The first marker at or behind |at|.  *marker is MORE where that is not
 * decided at the returned place, NONE at the limit. */
const uint8_t *tw_harmony_find_marker(const tw_harmony *state,
                                      const uint8_t *at,
                                      tw_harmony_marker *marker, size_t *size)
{
    const tw_window *window = state->window;
    *marker = TW_HARMONY_NONE;
    while (at < window->limit) {
        at = memchr(at, '<', (size_t)(window->limit - at));
        if (at == NULL) {
            return window->limit;
        }
        if (window->limit - at < 2 || at[1] == '|') {
            *marker = tw_harmony_marker_at(window, at, size);
            if (*marker != TW_HARMONY_NONE) {
                return at;
            }
        }
        at++;
    }
    return window->limit;
}

const uint8_t *tw_harmony_next_marker(tw_harmony *state,
                                      tw_harmony_marker *marker, size_t *size)
{
    const tw_window *window = state->window;
    const uint64_t known =
        state->look > state->plain_until ? state->look : state->plain_until;
    const uint64_t left = known > window->offset ? known - window->offset : 0;
    const uint8_t *from =
        left < tw_window_size(window) ? window->at + left : window->limit;
    if (state->look_marker != TW_HARMONY_NONE && known == state->look &&
        known >= window->offset &&
        left + state->look_size <= tw_window_size(window)) {
        *marker = (tw_harmony_marker)state->look_marker;
        *size = state->look_size;
        return from;
    }
    from = tw_harmony_find_marker(state, from, marker, size);
    state->look = tw_window_offset(window, from);
    state->look_marker = TW_HARMONY_NONE;
    if (*marker != TW_HARMONY_NONE && *marker != TW_HARMONY_MORE) {
        state->look_marker = (uint8_t)*marker;
        state->look_size = *size;
    }
    return from;
}

/* ---- bodies begin ------------------------------------------------------- */

static void open_body(tw_harmony *state, tw_harmony_kind kind)
{
    tw_harmony_body_open(&state->body, kind, state->window->offset);
    state->mode = TW_HARMONY_BODY;
    state->first = false;
}

void tw_harmony_open_visible(tw_harmony *state, tw_channel channel)
{
    open_body(state, channel == TW_CHANNEL_ANALYSIS ? TW_BODY_REASONING
                                                    : TW_BODY_TEXT);
}

void tw_harmony_open_message(tw_harmony *state,
                             const tw_harmony_header *header,
                             const uint8_t *body)
{
    const size_t size = (size_t)(body - state->window->at);
    if (header->name.from != NULL) {
        tw_sink_record(state->sink);
        const bool custom =
            tw_slice_is(header->name, "python") && !header->function;
        tw_harmony_body_open_call(
            &state->body, custom ? TW_BODY_CUSTOM : TW_BODY_CALL, header->name,
            (tw_slice){NULL, NULL}, state->window->offset + size);
        tw_window_skip(state->window, size);
        state->mode = TW_HARMONY_BODY;
        return;
    }
    tw_harmony_framing(state, size);
    if (header->foreign) {
        open_body(state, TW_BODY_FOREIGN);
    } else {
        tw_harmony_open_visible(state, header->channel);
    }
}

/* Text without any header is content. */
void tw_harmony_headerless(tw_harmony *state)
{
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_HEADER,
                        state->window->at);
    open_body(state, TW_BODY_TEXT);
}

/* ---- headers ------------------------------------------------------------ */

static tw_harmony_header header_of(tw_harmony *state, const uint8_t *to,
                                   bool report)
{
    const tw_slice text = {state->window->at, to};
    return tw_harmony_read_header(
        state->window, text, state->explicit_start, state->sink,
        state->stripped, report ? state->sink : NULL, state->window->offset);
}

/* A header in which no marker stands, nor was stripped: the caller says what
 * its bytes are.  Then it is text. */
static bool is_text(const tw_harmony *state, const tw_harmony_header *header,
                    const uint8_t *to)
{
    return !header->marked && !state->stripped &&
           tw_window_is_known(state->window, to);
}

/* <|message|> is missing: the header ends before |to|, at a `{` where
 * |brace|. */
static void no_message(tw_harmony *state, const uint8_t *to, bool brace)
{
    tw_window *window = state->window;
    const tw_harmony_header header = header_of(state, to, false);
    const bool at_marker = tw_window_offset(window, to) + 1 == state->sure_at;
    if (!at_marker && is_text(state, &header, to + brace)) {
        tw_harmony_headerless(state);
        return;
    }
    if (header.name.from != NULL && brace) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE, to);
        tw_harmony_open_message(state, &header, to);
        return;
    }
    if (header.name.from != NULL) {
        /* A recipient, but no object: there is no head. */
        const uint64_t block = window->offset;
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE, to);
        tw_sink_record(state->sink);
        open_body(state, TW_BODY_JUNK);
        tw_harmony_body_name(&state->body, header.name);
        tw_window_skip(window, (size_t)(to - window->at));
        state->body.block = block;
        state->body.fail = TW_DIAGNOSTIC_MISSING_MESSAGE;
        return;
    }
    if (header.foreign) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE, to);
        tw_harmony_open_message(state, &header, to);
        return;
    }
    const tw_slice text = {window->at, to};
    tw_channel channel;
    const size_t used = tw_harmony_header_prefix(
        window, text, state->explicit_start, &channel);
    const uint64_t end = tw_window_offset(window, to);
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_MESSAGE,
                        window->at + used);
    tw_harmony_framing(state, used);
    tw_harmony_open_visible(state, channel);
    state->plain_until = end; /* what was header is text now */
}

static void say_repeated_starts(tw_harmony *state, const uint8_t *to)
{
    bool seen = !state->explicit_start;
    for (const uint8_t *at = state->window->at; at < to; at++) {
        size_t size;
        const tw_harmony_marker marker =
            *at == '<' ? tw_harmony_marker_at(state->window, at, &size)
                       : TW_HARMONY_NONE;
        if (marker == TW_HARMONY_START && seen) {
            tw_harmony_diagnose(state, TW_DIAGNOSTIC_REPEATED_START, at);
        }
        seen |= marker != TW_HARMONY_NONE && marker != TW_HARMONY_MORE;
    }
}

/* A marker at |at| inside the header.  AGAIN: it belongs to it. */
static bool header_takes(const tw_harmony *state, tw_harmony_marker marker,
                         const uint8_t *at, size_t items, bool only_starts)
{
    const bool first = state->fresh && at == state->window->at;
    return marker == TW_HARMONY_CHANNEL || marker == TW_HARMONY_CONSTRAIN ||
           (marker == TW_HARMONY_START &&
            (first || (items <= TW_HARMONY_GAP_LIMIT && only_starts)));
}

static tw_step end_of_header(tw_harmony *state)
{
    tw_window *window = state->window;
    const tw_harmony_header header = header_of(state, window->limit, false);
    const tw_slice text = {window->at, window->limit};
    say_repeated_starts(state, window->limit);
    if (header.name.from != NULL && !is_text(state, &header, text.to) &&
        (header.marked || header.function ||
         (state->sink->has_tools &&
          tw_sink_knows_tool(state->sink, (const char *)header.name.from,
                             TW_SLICE_SIZE(header.name))))) {
        /* Where the text ends with the name, it may have gone on. */
        tw_sink_record(state->sink);
        open_body(state, TW_BODY_JUNK);
        state->body.block = window->offset;
        state->body.fail = TW_DIAGNOSTIC_TRUNCATED_CALL;
        if (!tw_slice_ends(text, header.name)) {
            tw_harmony_body_name(&state->body, header.name);
        }
        tw_window_skip(window, TW_SLICE_SIZE(text));
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        return TW_STEP_AGAIN;
    }
    if (!header.marked) {
        tw_harmony_headerless(state); /* no marker at all: text */
        return TW_STEP_AGAIN;
    }
    tw_channel channel;
    const size_t used = tw_harmony_header_prefix(
        window, text, state->explicit_start, &channel);
    const tw_slice rest =
        tw_slice_strip((tw_slice){text.from + used, text.to});
    const bool words = TW_SLICE_SIZE(rest) > 0 &&
                       memchr(rest.from, ' ', TW_SLICE_SIZE(rest)) != NULL;
    if (channel != TW_CHANNEL_NONE && words && !header.foreign &&
        !tw_slice_begins(rest, "to=")) {
        no_message(state, window->limit, false);
        return TW_STEP_AGAIN;
    }
    tw_harmony_drop(state, TW_DIAGNOSTIC_TRUNCATED_HEADER,
                    TW_SLICE_SIZE(text));
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

/* The header is held from its first byte on until it is decided. */
static tw_step read_header(tw_harmony *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    size_t items = 0;
    bool only_starts = true;
    while (at < window->limit) {
        size_t size = 1;
        const tw_harmony_marker marker =
            *at == '<' ? tw_harmony_marker_at(window, at, &size)
                       : TW_HARMONY_NONE;
        if (marker == TW_HARMONY_MORE) {
            return TW_STEP_MORE;
        }
        if (marker == TW_HARMONY_NONE) {
            if (*at == '{' && (size_t)(at - window->at) >= state->head_text) {
                say_repeated_starts(state, at);
                no_message(state, at, true);
                return TW_STEP_AGAIN;
            }
            at++;
        } else if (marker == TW_HARMONY_MESSAGE) {
            state->stripped = false;
            say_repeated_starts(state, at);
            const tw_harmony_header header = header_of(state, at + size, true);
            tw_harmony_open_message(state, &header, at + size);
            return TW_STEP_AGAIN;
        } else if (header_takes(state, marker, at, items, only_starts)) {
            state->stripped = false;
            only_starts = only_starts && marker == TW_HARMONY_START;
            at += size;
        } else {
            state->stripped = false;
            say_repeated_starts(state, at);
            state->sure_at = tw_window_offset(window, at) + 1;
            no_message(state, at, false);
            return TW_STEP_AGAIN;
        }
        items++;
        if (at - window->at > TW_HOLD_HEAD) {
            say_repeated_starts(state, at);
            no_message(state, at, false);
            return TW_STEP_AGAIN;
        }
    }
    return window->eof ? end_of_header(state) : TW_STEP_MORE;
}

/* ---- bodies ------------------------------------------------------------- */

/* The body ends at |at|, before a marker of |size| bytes. */
static void end_body(tw_harmony *state, const uint8_t *at,
                     tw_harmony_marker marker, size_t size)
{
    const tw_harmony_close close =
        marker == TW_HARMONY_CALL ? TW_CLOSE_MARKER : TW_CLOSE_ODD_MARKER;
    const bool tail = tw_harmony_body_close(&state->body, close, at);
    if (!tail) {
        tw_harmony_framing(state, size);
        tw_harmony_after_terminator(state, marker);
        return;
    }
    tw_window_skip(state->window, size);
    tw_harmony_after_terminator(state, marker);
    if (marker == TW_HARMONY_RETURN) {
        tw_harmony_body_list(&state->body);
    } else {
        state->mode = TW_HARMONY_TAIL;
    }
}

/* <|start|> or <|channel|>: the next header, if one follows. */
static tw_step body_header(tw_harmony *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    const uint8_t *end;
    const tw_verdict verdict =
        tw_harmony_next_header(window, at, &state->next, &end);
    if (verdict == TW_VERDICT_WAIT && !window->eof) {
        return TW_STEP_MORE;
    }
    if (verdict == TW_VERDICT_NO) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MARKER_IN_BODY, at);
        state->plain_until = tw_window_offset(window, end);
        return TW_STEP_AGAIN;
    }
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_END, at);
    tw_harmony_body_close(&state->body, TW_CLOSE_IMPLIED, at);
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

static tw_step body_marker(tw_harmony *state, const uint8_t *at,
                           tw_harmony_marker marker, size_t size)
{
    tw_harmony_body *body = &state->body;
    state->stripped = false;
    if (tw_harmony_ends_message(marker)) {
        end_body(state, at, marker, size);
        return TW_STEP_AGAIN;
    }
    if (marker == TW_HARMONY_START || marker == TW_HARMONY_CHANNEL) {
        const bool sure =
            tw_window_offset(state->window, at) + 1 == state->sure_at;
        if (sure || body->kind == TW_BODY_JUNK) {
            tw_harmony_body_close(body, TW_CLOSE_IMPLIED, at);
            state->mode = TW_HARMONY_GAP;
            return TW_STEP_AGAIN;
        }
        return body_header(state, at);
    }
    if (marker == TW_HARMONY_MESSAGE && body->empty &&
        at == state->window->at) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_REPEATED_MESSAGE, at);
        const bool call =
            body->kind == TW_BODY_CALL || body->kind == TW_BODY_CUSTOM;
        if (call || body->kind == TW_BODY_JUNK) {
            tw_window_skip(state->window, size);
        } else {
            tw_harmony_framing(state, size);
        }
        if (body->kind == TW_BODY_FOREIGN) {
            body->begin = state->window->offset;
        }
        return TW_STEP_AGAIN;
    }
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_MARKER_IN_BODY, at);
    state->plain_until = tw_window_offset(state->window, at) + size;
    return TW_STEP_AGAIN;
}

/* The place in [at, to) where the end of input cuts a marker in two. */
static const uint8_t *cut_marker(const tw_harmony *state, const uint8_t *at,
                                 const uint8_t *to)
{
    for (; at < to; at++) {
        if (*at == '<' &&
            tw_window_offset(state->window, at) >= state->plain_until &&
            tw_harmony_is_cut_marker(state->window, at)) {
            return at;
        }
    }
    return NULL;
}

/* The output ends inside the body; at |cut| it cuts a marker in two. */
static tw_step end_of_body(tw_harmony *state, const uint8_t *cut)
{
    tw_harmony_body *body = &state->body;
    const tw_window *window = state->window;
    const uint8_t *to = window->limit;
    bool stopped = window->stopped && !state->cut;
    if (cut != NULL) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_PARTIAL_TERMINATOR, cut);
        to = cut;
        stopped = tw_is_half_stop(window, tw_harmony_markers,
                                  tw_harmony_marker_count, cut);
    }
    tw_harmony_body_close(body, stopped ? TW_CLOSE_STOP : TW_CLOSE_OUTPUT, to);
    tw_harmony_framing(state, tw_window_size(window));
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

/* Where stripped markers may make a new message begin before |to|. */
static bool may_be_stripped(const tw_harmony *state)
{
    return state->stripped && (state->body.kind != TW_BODY_CALL ||
                               (state->body.whole && state->body.fail == 0));
}

static tw_step read_body(tw_harmony *state)
{
    tw_window *window = state->window;
    size_t size = 0;
    tw_harmony_marker marker;
    const uint8_t *const next = tw_harmony_next_marker(state, &marker, &size);
    const uint8_t *to = next;
    bool found = marker != TW_HARMONY_NONE && marker != TW_HARMONY_MORE;
    tw_verdict stripped = TW_VERDICT_NO;
    const bool last = found && state->body.kind != TW_BODY_CALL;
    bool begins = false; /* a stripped header, behind a call */
    if (may_be_stripped(state)) {
        const uint8_t *begin =
            tw_harmony_find_stripped(window->at, to, &stripped);
        const bool header =
            stripped == TW_VERDICT_YES || stripped == TW_VERDICT_BODY;
        if (header && state->body.kind == TW_BODY_CALL && begin > window->at) {
            to = begin; /* what stands before it may spoil the call */
            begins = true;
        } else if (header) {
            tw_harmony_body_close(&state->body, TW_CLOSE_IMPLIED, begin);
            state->mode = TW_HARMONY_GAP;
            state->first = true;
            return TW_STEP_AGAIN;
        }
        to = header || found || window->eof ? to : begin;
    }
    state->body.pauses = state->stripped;
    const uint8_t *cut =
        window->eof && !found ? cut_marker(state, window->at, to) : NULL;
    to = cut != NULL && state->body.kind == TW_BODY_CALL ? cut : to;
    state->cut |= cut != NULL;
    const uint8_t *before = window->at;
    const uint8_t *reach = tw_window_reach(window, before);
    if (reach < to && !state->stripped) {
        tw_harmony_body_data(&state->body, reach, false);
    }
    if (window->at == before) {
        tw_harmony_body_data(&state->body, to, last);
    }
    if (begins && window->at == before) { /* its `a` ends what was cut off */
        tw_harmony_body_data(&state->body, to + 1, false);
    }
    const size_t taken = (size_t)(window->at - before);
    if (taken > 0) {
        return TW_STEP_AGAIN;
    }
    if (found) {
        return body_marker(state, next, marker, size);
    }
    if (!window->eof) {
        return TW_STEP_MORE;
    }
    const bool outside = state->body.kind == TW_BODY_CALL &&
                         !tw_harmony_body_in_string(&state->body);
    return end_of_body(state, outside ? cut : NULL);
}

/* Behind a terminator inside a string: up to the next marker this belongs to
 * that call (h-m11). */
static tw_step read_tail(tw_harmony *state)
{
    tw_window *window = state->window;
    tw_harmony_marker marker;
    size_t size = 0;
    const uint8_t *at =
        tw_harmony_find_marker(state, window->at, &marker, &size);
    tw_window_skip(window, (size_t)(at - window->at));
    const bool more = marker == TW_HARMONY_MORE || at == window->limit;
    if (more && !window->eof) {
        return TW_STEP_MORE;
    }
    tw_window_skip(window, more ? tw_window_size(window) : 0);
    tw_harmony_body_list(&state->body);
    state->mode = TW_HARMONY_GAP;
    return TW_STEP_AGAIN;
}

/* ---- edges -------------------------------------------------------------- */

static tw_step step(void *data)
{
    tw_harmony *state = data;
    switch (state->mode) {
    case TW_HARMONY_GAP:
        return !state->options.slow && tw_harmony_read_canonical(state)
                   ? TW_STEP_AGAIN
                   : tw_harmony_read_gap(state);
    case TW_HARMONY_HEADER: return read_header(state);
    case TW_HARMONY_BODY: return read_body(state);
    case TW_HARMONY_TAIL: return read_tail(state);
    default:
        return tw_drop_after_end(state->window, state->sink, &state->dropped);
    }
}

static const uint8_t *pass(void *data, tw_advanced *advanced)
{
    tw_harmony *state = data;
    if (state->mode != TW_HARMONY_BODY || state->stripped) {
        return state->window->at;
    }
    tw_harmony_marker marker;
    size_t size;
    /* Text is passed up to what may be a marker. */
    const uint8_t *limit = state->body.kind == TW_BODY_CALL
                               ? tw_harmony_next_marker(state, &marker, &size)
                               : state->window->limit;
    const uint8_t *to = tw_harmony_body_advance(&state->body, limit, advanced);
    if (to == state->window->limit && state->body.kind != TW_BODY_CALL) {
        advanced->run_class = TW_PLAIN_PROSE;
    } else if (to == state->window->limit &&
               tw_json_is_run(&state->body.json)) {
        advanced->run_class = TW_PLAIN_STRING | TW_PLAIN_TEXT;
        advanced->escapes = true;
    }
    return to;
}

/* Between two messages the next one is the model's where the last one was. */
static tw_stand stand(const void *data)
{
    const tw_harmony *state = data;
    const bool foreign =
        !state->first && state->body.kind == TW_BODY_FOREIGN &&
        (state->mode == TW_HARMONY_BODY ||
         (state->mode == TW_HARMONY_GAP &&
          tw_behind_ws(state->window->at, state->window->limit) ==
              state->window->limit));
    return foreign || state->mode == TW_HARMONY_DONE ? TW_STAND_ENDED
                                                     : TW_STAND_INSIDE;
}

static void reset(void *data, const tw_decode_options *options)
{
    tw_harmony *state = data;
    state->options = *options;
    state->mode = TW_HARMONY_GAP;
    state->first = true;
    state->cut = false;
    state->stripped = options->recover_stripped;
    memset(&state->next, 0, sizeof state->next);
    state->look = 0;
    state->look_marker = TW_HARMONY_NONE;
    state->plain_until = state->dropped = state->sure_at = 0;
    if (options->start_reasoning) {
        open_body(state, TW_BODY_REASONING);
    }
}

static void destroy(void *data)
{
    tw_harmony *state = data;
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
    tw_harmony *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->window = window;
        state->sink = sink;
        tw_harmony_body_init(&state->body, &state->memory, window, sink);
    }
    return state;
}

static const char *const members[] = {"name", "content_type", NULL};

const tw_family tw_harmony_family = {create,
                                     destroy,
                                     reset,
                                     step,
                                     pass,
                                     stand,
                                     true,
                                     tw_harmony_encode,
                                     tw_harmony_read_transcript,
                                     members,
                                     NULL};
