/* SPDX-License-Identifier: MIT
 *
 * A block, from its open marker to its close, and what stands between the
 * bodies inside.  block_call.c reads these.
 */
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "formats/frame/block.h"

enum { ENDS = TW_ENDS_CALL };

/* |found| at |at|, with a close of the call's that is text elsewhere. */
static tw_found with_close(const tw_frame *state, const uint8_t *at,
                           tw_found found)
{
    const tw_part *close = tw_pattern_close(state->pattern);
    if (found.roles == TW_AT_MORE) {
        return found;
    }
    if ((found.roles & TW_AT_PLAIN_END) != 0 && close != NULL &&
        tw_part_at(state->window, at, close) == TW_MATCH_WHOLE) {
        found.roles |= TW_AT_CALL_END;
        found.size = close->size;
    }
    found.roles &= (uint16_t) ~(TW_AT_PLAIN_CALL | TW_AT_PLAIN_END);
    return found;
}

tw_found tw_block_marker_at(tw_frame *state, const uint8_t *at)
{
    return with_close(state, at, tw_frame_call_marker_at(state, at, true));
}

/* The same between bodies, where no string can hold the next call. */
static tw_found marker_between(tw_frame *state, const uint8_t *at)
{
    const bool named =
        state->elements == 0 || state->array == TW_FRAME_IN_ARRAY;
    return with_close(state, at, tw_frame_call_marker_at(state, at, named));
}

void tw_frame_start_block(tw_frame *state, const tw_pattern *pattern)
{
    state->pattern = pattern;
    state->block = state->window->offset;
    state->fence = state->many = state->swallow = state->bare = false;
    state->local = false;
    state->array = TW_FRAME_NO_ARRAY;
    state->elements = 0;
    state->comma = true;
    state->may_be_bare = state->fresh = state->at_start = false;
    state->call.expected.size = state->call.given.size = 0;
    state->mode = TW_FRAME_BETWEEN;
    tw_sink_record(state->sink);
}

/* A block that holds no call: all of it, up to the window. */
static void list_block(tw_frame *state, uint32_t code)
{
    tw_list_block(state->sink, code, state->block);
}

bool tw_block_is_closed(const tw_frame *state)
{
    return tw_pattern_close(state->pattern) != NULL;
}

/* Is a list due in the block, with its brackets? */
static bool is_list(const tw_frame *state)
{
    const uint8_t kind = tw_pattern_hole(state->pattern)->kind;
    return kind != TW_PATTERN_OBJECT && kind != TW_PATTERN_LIST_LINES;
}

/* ---- a block begins ----------------------------------------------------- */

/* The output ends inside the head, or the close marker follows it. */
static void list_head(tw_frame *state, const tw_head *head)
{
    tw_window *window = state->window;
    const bool cut = head->kind == TW_HEAD_CUT;
    const uint32_t code =
        cut ? TW_DIAGNOSTIC_TRUNCATED_CALL : TW_DIAGNOSTIC_EMPTY_CALL;
    if (cut && head->pattern != NULL) {
        tw_block_report_body(state, head->pattern);
    }
    tw_frame_diagnose(state, code, cut ? head->body : window->at);
    tw_window_skip(window, (size_t)(head->body - window->at));
    list_block(state, code);
    tw_frame_leave_call(state);
}

static void keep(tw_frame *state, tw_buffer *buffer, const uint8_t *data,
                 size_t size)
{
    if (size > 0 &&
        !tw_buffer_append(buffer, state->call.memory, data, size)) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->block, "no memory");
    }
}

/* The id that stands in the head, or that is made of what stands there. */
static void keep_id(tw_frame *state, const tw_head *head, tw_buffer *id)
{
    keep(state, id, head->id, head->id_size);
    if (head->id_size == 0 && !tw_frame_make_id(state, head, id)) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->block, "no memory");
    }
}

static bool is_number(const uint8_t *name, size_t size)
{
    size_t digits = 0;
    while (digits < size && tw_is_digit(name[digits])) {
        digits++;
    }
    return size > 0 && digits == size;
}

static void name_call(tw_frame *state, const tw_head *head)
{
    tw_open_call *call = &state->call;
    const tw_piece name = state->indexed && head->name != NULL
                              ? tw_frame_name_in(state, head)
                              : (tw_piece){head->name, head->name_size};
    tw_open_call_start(call, state->block);
    if (state->indexed && name.from != head->name) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_NAME_REPAIRED, head->name);
    }
    tw_frame_name_call(state, head, name);
    tw_frame_decode_name(state, &call->name);
    keep_id(state, head, &call->id);
    tw_frame_check_recipient(state);
    if ((state->indexed && is_number(head->name, head->name_size)) ||
        (head->name != NULL && !call->has_name)) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_NO_NAME, state->block);
        call->has_name = false;
    }
}

/* What stands in front of a marker is the name, which the object repeats. */
static void expect_name(tw_frame *state, const tw_head *head)
{
    if ((state->description->quirks & TW_QUIRK_HEADER_NAME) != 0) {
        keep(state, &state->call.expected, head->skipped, head->skipped_size);
    }
}

/* The arguments follow; the call's name, if it stands in front of them, was
 * read. */
static void begin_body(tw_frame *state, const tw_head *head)
{
    tw_window *window = state->window;
    tw_body *body = tw_frame_body_of(state, head->pattern);
    state->fence = head->fence;
    tw_block_report_body(state, head->pattern);
    if (tw_pattern_hole(head->pattern)->kind <= TW_PATTERN_KEYED ||
        tw_frame_has_callees(head->pattern)) {
        expect_name(state, head);
        keep_id(state, head, &state->call.given);
        tw_window_skip(window, (size_t)(head->body - window->at));
        return;
    }
    name_call(state, head);
    tw_window_skip(window, (size_t)(head->body - window->at));
    state->elements = 1;
    if (head->name != NULL && body != &state->tagged.common &&
        state->call.fail == 0) {
        tw_open_call_begin(&state->call);
    }
    tw_frame_start_body(state, body);
    state->mode = state->call.fail != 0 ? TW_FRAME_SKIP : TW_FRAME_BODY;
    if (head->closed) {
        tw_block_end_closed(state);
    }
}

bool tw_frame_is_no_head(const tw_frame *state, const uint8_t *open,
                         tw_head_place place, const tw_head *head)
{
    const bool cut = head->kind == TW_HEAD_CUT || head->kind == TW_HEAD_EMPTY;
    return head->kind <= TW_HEAD_FAR ||
           (state->options.strict && head->loose) ||
           (cut && place == TW_PLACE_MARKER &&
            (tw_marker_at(&state->marks, state->window, open).roles &
             TW_AT_STOP) != 0); /* a stop that begins calls, too */
}

tw_step tw_frame_begin_block(tw_frame *state, const uint8_t *open, size_t size,
                             tw_head_place place)
{
    const tw_window *window = state->window;
    const bool strict = state->options.strict;
    const bool marked = place == TW_PLACE_MARKER;
    const bool in_place =
        state->in_section || state->description->calls.count == 0;
    if (marked && in_place && tw_frame_read_whole(state, open, size)) {
        return TW_STEP_AGAIN;
    }
    tw_head head = tw_frame_head_at(state, open, size, place, NULL);
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind == TW_HEAD_FAR && !strict && marked) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, open);
        state->plain_until = tw_window_offset(window, head.body);
        return tw_frame_text_run(state, open);
    }
    if (head.kind == TW_HEAD_NONE && head.last != NULL) {
        /* Nor is there one behind the others, but for the last by itself. */
        state->plain_until = tw_window_offset(window, head.last - size);
    }
    if (tw_frame_is_no_head(state, open, place, &head)) {
        return TW_STEP_DONE;
    }
    const tw_match alone = tw_frame_may_stand_alone(state, open, &head);
    if (alone != TW_MATCH_WHOLE) {
        return alone == TW_MATCH_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    tw_frame_leave_text(state, place);
    if (!in_place) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_OPEN,
                          window->at);
    }
    tw_frame_start_block(state, head.pattern);
    head = tw_frame_head_at(state, window->at, size, place, state->sink);
    if (head.kind == TW_HEAD_WHOLE) {
        tw_frame_part_name(state, &head);
        begin_body(state, &head);
    } else {
        list_head(state, &head);
    }
    return TW_STEP_AGAIN;
}

/* ---- a block ends ------------------------------------------------------- */

void tw_block_leave(tw_frame *state, size_t close_size)
{
    tw_frame_framing(state, close_size);
    tw_frame_leave_call(state);
}

static void close_block(tw_frame *state, bool by_marker, size_t size)
{
    const tw_window *window = state->window;
    if (!by_marker && tw_block_is_closed(state)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, window->at);
    }
    if (state->array == TW_FRAME_IN_ARRAY) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CLOSER, window->at);
        if (state->elements == 0) {
            tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL,
                               state->block);
            list_block(state, TW_DIAGNOSTIC_EMPTY_CALL);
        }
    }
    tw_block_leave(state, by_marker ? size : 0);
    if (by_marker && (state->description->quirks & TW_QUIRK_ECHO) != 0) {
        state->mode = TW_FRAME_ECHO;
    }
}

void tw_block_begin_element(tw_frame *state)
{
    tw_window *window = state->window;
    const bool first = state->elements == 0;
    state->elements++;
    if (!first) {
        state->call.given.size = 0;
        tw_sink_record(state->sink);
    }
    tw_open_call_start(&state->call, first ? state->block : window->offset);
}

void tw_block_break(tw_frame *state, uint32_t reason, uint64_t offset)
{
    tw_open_call_fail(&state->call, reason, offset);
    state->local = false;
    state->mode = TW_FRAME_SKIP;
}

static void not_object(tw_frame *state)
{
    tw_block_begin_element(state);
    tw_block_break(state, TW_DIAGNOSTIC_NOT_OBJECT, state->window->offset);
    tw_balance_start(&state->balance);
    state->local = true;
}

static void drop_junk(tw_frame *state, size_t size)
{
    tw_sink_dropped(state->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT,
                    state->window->offset, size);
    tw_window_skip(state->window, size);
}

/* Does a token begin what stands between the body and the call's close?  Plain
 * text, such as a fence, may be the answer's. */
static bool has_inner_token(const tw_frame *state)
{
    const tw_pattern *pattern = state->pattern;
    const tw_part *close = tw_pattern_close(pattern);
    const tw_part *part = &pattern->parts[pattern->hole + 1];
    bool found = false;
    for (; close != NULL && part < close; part++) {
        found |= part->kind == TW_PATTERN_LITERAL && part->token > 0;
    }
    return found;
}

/* Prose at |from|, behind the object and separators: dropped if a close marker
 * ends it soon, else all behind the object is text. */
static tw_step junk_after(tw_frame *state, const uint8_t *from)
{
    tw_window *window = state->window;
    const uint8_t *to = from;
    tw_found found = {0};
    tw_match inner = TW_MATCH_NONE;
    const bool looks_inside = has_inner_token(state);
    size_t size;
    while (to < window->limit) {
        found = marker_between(state, to);
        inner =
            looks_inside ? tw_block_inner_at(state, to, &size) : TW_MATCH_NONE;
        if ((found.roles & (ENDS | TW_AT_MORE)) != 0 ||
            inner >= TW_MATCH_MORE || to - from > TW_HOLD_JUNK) {
            break;
        }
        to++;
    }
    const bool far = to - from > TW_HOLD_JUNK;
    if (!far && (found.roles == TW_AT_MORE || inner == TW_MATCH_MORE ||
                 (to == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    const size_t junk = (size_t)(to - from);
    if (!far && inner == TW_MATCH_WHOLE) {
        tw_frame_framing(state, (size_t)(from - window->at));
        drop_junk(state, junk);
        return TW_STEP_AGAIN;
    }
    if (!far && (found.roles & TW_AT_CALL_END) != 0) {
        const uint8_t *end = to;
        while (end > from && tw_is_ws(end[-1])) {
            end--;
        }
        tw_frame_framing(state, (size_t)(from - window->at));
        if (state->fence && end - from == 3 && memcmp(from, "```", 3) == 0) {
            tw_frame_framing(state, junk);
        } else {
            drop_junk(state, junk);
        }
        close_block(state, true, found.size);
        return TW_STEP_AGAIN;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, from);
    tw_frame_leave_call(state);
    return TW_STEP_AGAIN;
}

/* White space that JSON does not know, at |at|. */
static tw_match odd_at(const tw_frame *state, const uint8_t *at,
                       uint32_t *code, size_t *size)
{
    const tw_window *window = state->window;
    const uint8_t *to = at;
    if (*at < 0x80 && *at != '\\' && *at != '\v' && *at != '\f') {
        return TW_MATCH_NONE;
    }
    const tw_json_lexeme lexeme =
        tw_json_scan(&to, window->limit, window->eof);
    *size = (size_t)(to - at);
    switch (lexeme) {
    case TW_JSON_BOM: *code = TW_DIAGNOSTIC_BOM; break;
    case TW_JSON_LITERAL_WS: *code = TW_DIAGNOSTIC_LITERAL_BACKSLASH_N; break;
    case TW_JSON_NONSTANDARD_WS: *code = TW_DIAGNOSTIC_ODD_WHITESPACE; break;
    default: return lexeme == TW_JSON_MORE ? TW_MATCH_MORE : TW_MATCH_NONE;
    }
    return TW_MATCH_WHOLE;
}

size_t tw_block_separators(const tw_frame *state)
{
    const uint8_t *at = state->window->at;
    const uint8_t *to = at;
    while (to < state->window->limit && to - at <= TW_HOLD_WS &&
           (tw_is_ws(*to) || (*to == ',' && state->elements > 0))) {
        to++;
    }
    return (size_t)(to - at);
}

/* White space and commas: framing, unless prose follows behind an object. */
static tw_step skip_separators(tw_frame *state)
{
    const tw_window *window = state->window;
    const size_t size = tw_block_separators(state);
    const uint8_t *to = window->at + size;
    uint32_t code;
    size_t other;
    if (state->elements == 0 || state->array == TW_FRAME_IN_ARRAY ||
        size > TW_HOLD_WS) {
        tw_block_skip(state, size);
        return TW_STEP_AGAIN;
    }
    if (to == window->limit && !window->eof) {
        return TW_STEP_MORE;
    }
    /* Behind arguments no other object is due. */
    const size_t brackets =
        tw_pattern_hole(state->pattern)->kind <= TW_PATTERN_KEYED ? 3 : 2;
    if (to < window->limit && memchr("]}{", *to, brackets) == NULL) {
        const tw_found marker = marker_between(state, to);
        const tw_match inner = tw_block_inner_at(state, to, &other);
        const tw_match odd = odd_at(state, to, &code, &other);
        if (marker.roles == TW_AT_MORE || inner == TW_MATCH_MORE ||
            odd == TW_MATCH_MORE) {
            return TW_STEP_MORE;
        }
        if ((marker.roles & ENDS) == 0 && inner == TW_MATCH_NONE &&
            odd == TW_MATCH_NONE &&
            !tw_marker_is_cut(&state->marks, window, to,
                              ENDS | TW_AT_PLAIN_END)) {
            return junk_after(state, to);
        }
    }
    tw_block_skip(state, size);
    return TW_STEP_AGAIN;
}

/* The output ends between objects. */
void tw_block_end(tw_frame *state)
{
    tw_window *window = state->window;
    const size_t left = tw_window_size(window);
    if (state->elements == 0) {
        tw_window_skip(window, left);
        tw_frame_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        list_block(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        tw_frame_leave_call(state);
        return;
    }
    tw_frame_framing(state, left); /* a close tag that is cut in two */
    close_block(state, false, 0);
}

void tw_block_skip(tw_frame *state, size_t size)
{
    if (state->elements > 0) {
        tw_frame_framing(state, size);
    } else {
        tw_window_skip(state->window, size);
    }
}

void tw_block_empty_list(tw_frame *state)
{
    tw_window_skip(state->window, 1);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL, state->block);
    list_block(state, TW_DIAGNOSTIC_EMPTY_CALL);
    state->elements = 1;
}

/* An object begins: do its brackets suit the format? */
static void check_brackets(tw_frame *state)
{
    const uint8_t *at = state->window->at;
    if (state->array != TW_FRAME_NO_ARRAY || state->many) {
        return;
    }
    if (state->elements == 0) {
        if (is_list(state)) {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_NO_LIST_IN_TAG, at);
        }
    } else if (tw_pattern_hole(state->pattern)->kind !=
               TW_PATTERN_LIST_LINES) {
        state->many = true;
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MANY_OBJECTS_IN_TAG, at);
    }
}

/* A marker may stand between objects.  DONE: there is none. */
tw_step tw_block_read_marker(tw_frame *state)
{
    const tw_window *window = state->window;
    if (state->marks.table->first[*window->at] == 0) { /* most often */
        return TW_STEP_DONE;
    }
    const tw_found found = marker_between(state, window->at);
    const bool closes = (found.roles & TW_AT_CALL_END) != 0;
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    if ((found.roles & TW_AT_STOP) != 0 && state->elements == 0) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        list_block(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        tw_block_leave(state, 0);
    } else if ((found.roles & ENDS) != 0) {
        close_block(state, closes, found.size);
    } else if (tw_marker_is_cut(&state->marks, window, window->at,
                                ENDS | TW_AT_PLAIN_END)) {
        tw_block_end(state);
    } else {
        return TW_STEP_DONE;
    }
    return TW_STEP_AGAIN;
}

/* No bracket, and nothing that may stand between objects. */
static tw_step read_other(tw_frame *state)
{
    const uint8_t *at = state->window->at;
    uint32_t code;
    size_t size;
    const tw_match odd = odd_at(state, at, &code, &size);
    if (odd == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (odd == TW_MATCH_WHOLE) {
        tw_frame_diagnose(state, code, at);
        tw_block_skip(state, size);
    } else if (state->array == TW_FRAME_IN_ARRAY) {
        not_object(state);
    } else {
        return junk_after(state, at);
    }
    return TW_STEP_AGAIN;
}

/* `call:g{...}` behind a call of Gemma's, in its block.  DONE: there is
 * none. */
static tw_step read_shared(tw_frame *state)
{
    const tw_window *window = state->window;
    const tw_pattern *pattern = state->pattern;
    const size_t next = tw_pattern_next(pattern, tw_pattern_first(pattern));
    if (state->elements == 0 ||
        tw_pattern_hole(pattern)->kind != TW_PATTERN_GEMMA ||
        next >= pattern->hole ||
        pattern->parts[next].kind != TW_PATTERN_LITERAL) {
        return TW_STEP_DONE;
    }
    const tw_part *word = &pattern->parts[next];
    const uint8_t *at = tw_behind_some_ws(window->at, window->limit);
    const tw_match found = tw_part_at(window, at, word);
    if (found != TW_MATCH_WHOLE) {
        return found == TW_MATCH_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    tw_head head = tw_frame_head_at(state, at, 0, TW_PLACE_SHARED, NULL);
    if (head.kind != TW_HEAD_WHOLE) {
        return head.kind == TW_HEAD_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    tw_frame_diagnose(state, TW_DIAGNOSTIC_CALLS_SHARE_BLOCK, at);
    tw_frame_framing(state, (size_t)(at - window->at));
    tw_frame_start_block(state, pattern);
    begin_body(state, &head);
    return TW_STEP_AGAIN;
}

tw_step tw_frame_read_between(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (tw_frame_has_callees(state->pattern)) {
        return tw_frame_read_list(state);
    }
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        tw_block_end(state);
        return TW_STEP_AGAIN;
    }
    const uint8_t c = *at;
    const bool swallow = state->swallow;
    const tw_step marker = tw_block_read_marker(state);
    if (marker != TW_STEP_DONE) {
        return marker;
    }
    const tw_step shared = read_shared(state);
    if (shared != TW_STEP_DONE) {
        return shared;
    }
    size_t size;
    const tw_match inner = tw_block_inner_at(state, at, &size);
    if (inner == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    if (inner != TW_MATCH_NONE) {
        const size_t left = tw_window_size(window);
        tw_frame_framing(state, size < left ? size : left);
        return TW_STEP_AGAIN;
    }
    state->swallow = false;
    if (c == '{' &&
        tw_pattern_hole(state->pattern)->kind <= TW_PATTERN_KEYED) {
        check_brackets(state);
        tw_block_begin_element(state);
        tw_frame_start_body(state, &state->json.common);
    } else if (c == '[' && state->elements == 0 &&
               state->array == TW_FRAME_NO_ARRAY) {
        state->array = TW_FRAME_IN_ARRAY;
        if (!is_list(state)) {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_ARRAY_IN_TAG, at);
        }
        tw_window_skip(window, 1);
    } else if (c == ']' && state->array == TW_FRAME_IN_ARRAY) {
        state->array = TW_FRAME_ARRAY_CLOSED;
        if (state->elements == 0) {
            tw_block_empty_list(state);
        } else {
            tw_frame_framing(state, 1);
        }
        if (!tw_block_is_closed(state)) {
            state->swallow = false;
            state->mode = TW_FRAME_BEHIND;
        }
    } else if ((c == ']' || c == '}') && state->elements > 0) {
        if (!swallow || c != '}') {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        }
        tw_frame_framing(state, 1);
    } else if (tw_is_ws(c) || (c == ',' && state->elements > 0)) {
        return skip_separators(state);
    } else {
        return read_other(state);
    }
    return TW_STEP_AGAIN;
}
