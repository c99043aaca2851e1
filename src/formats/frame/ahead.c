/* SPDX-License-Identifier: MIT
 *
 * Where only the end of a block tells what it is: in reasoning that may never
 * be closed, and where its open marker may have been stripped.
 */
#include <string.h>

#include "formats/frame/block.h"

/* A second decoder, at |from|, which sees the bytes one by one: what it comes
 * to does not depend on how they arrive. */
static bool is_looking(const tw_frame *state, const uint8_t *from)
{
    return state->child != NULL && state->looking &&
           state->look_from == tw_window_offset(state->window, from);
}

static tw_frame_child *new_child(tw_frame *state)
{
    const tw_memory *memory = &state->memory;
    const tw_decoding *decoding = state->format->family->decoding;
    tw_frame_child *child = tw_memory_new(memory, sizeof *child);
    if (child == NULL) {
        return NULL;
    }
    tw_window_init(&child->window, memory);
    child->window.marked_by = state->window->marked_by != NULL
                                  ? state->window->marked_by
                                  : state->window;
    tw_sink_init(&child->sink, memory, &child->window);
    child->state =
        decoding->create(memory, state->format, &child->window, &child->sink);
    if (child->state == NULL) {
        tw_memory_free(memory, child, sizeof *child);
        return NULL;
    }
    return child;
}

static bool start_looking(tw_frame *state, const uint8_t *from)
{
    if (state->child == NULL) {
        state->child = new_child(state);
    }
    tw_frame_child *child = state->child;
    if (child != NULL && child->state->description != state->description) {
        tw_frame_use(child->state, state->description);
    }
    if (child == NULL) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
        return false;
    }
    tw_window_reset(&child->window);
    tw_sink_reset(&child->sink);
    child->sink.limits = state->sink->limits;
    child->sink.tools = state->sink->tools;
    child->sink.calls = state->sink->calls;
    child->sink.quiet = true;
    child->window.offset = tw_window_offset(state->window, from);
    child->state->options = state->options;
    child->state->may_be_bare = false;
    child->state->plain_until = 0;
    tw_frame_see_nothing(child->state);
    child->state->searched = 0;
    child->state->json.clear = 0;
    child->state->in_section = false;
    child->state->channel = TW_TO_TOOL_CALLED;
    child->state->recipient.size = 0;
    child->state->outer[0] = 0;
    child->state->fresh = child->state->at_start = false;
    child->state->headless = child->state->thought = false;
    child->state->wrapper = NULL;
    tw_frame_enter_text(child->state, TW_BEHIND_NOTHING);
    state->looking = true;
    state->look_token = false;
    state->look_from = tw_window_offset(state->window, from);
    state->look_size = state->look_close = 0;
    return true;
}

/* Did the child see a call that is not closed? */
static bool has_unclosed(const tw_frame *state)
{
    return state->child->sink.seen_unclosed > 0 && !state->look_token;
}

/* Did the child see a block that is no whole call? */
static bool is_bad(const tw_frame *state)
{
    return state->child->sink.seen_unparsed || has_unclosed(state);
}

/* Lets the child see |size| of the bytes at |from|. */
static void look_at(tw_frame *state, const uint8_t *from, size_t size,
                    bool eof)
{
    tw_window *window = &state->child->window;
    const tw_decoding *decoding = state->format->family->decoding;
    const uint64_t begin = tw_window_offset(state->window, from);
    window->at = from + (window->offset - begin);
    window->limit = from + size;
    window->eof = eof;
    window->stopped = eof && state->window->stopped;
    window->surely = eof && state->window->surely;
    while (state->child->sink.error.code == TW_OK &&
           state->child->state->wrapper == NULL &&
           decoding->step(state->child->state) == TW_STEP_AGAIN &&
           !state->child->sink.seen_unparsed && !has_unclosed(state)) {
    }
    if (state->child->sink.error.code != TW_OK) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
    }
}

static bool only_calls(const tw_frame *state)
{
    const tw_sink *seen = &state->child->sink;
    return seen->seen_complete > 0 && !seen->seen_visible &&
           !has_unclosed(state);
}

typedef enum verdict { VERDICT_OPEN, VERDICT_CALLS, VERDICT_NOT } verdict;

/* What ends a look-ahead. */
enum {
    TAIL = TW_AT_REASONING | TW_AT_REASONING_END | TW_AT_CALL | TW_AT_SECTION |
           TW_AT_STOP
};

static bool begins(const tw_markers *table, const uint8_t *at, size_t size)
{
    for (size_t i = table->first[*at]; i > 0; i = table->all[i - 1].next) {
        const tw_mark_text *marker = &table->all[i - 1];
        bool cut;
        if ((marker->roles & TAIL) != 0 &&
            (tw_mark_text_at(marker->text, marker->size, marker->token,
                             marker->last, at, at + size, &cut) == size ||
             cut)) {
            return true;
        }
    }
    return false;
}

/* Do the |size| bytes begin with a whole marker of this role? */
static bool begins_with(const tw_markers *table, const uint8_t *at,
                        size_t size, unsigned role)
{
    for (size_t i = table->first[*at]; i > 0; i = table->all[i - 1].next) {
        const tw_mark_text *marker = &table->all[i - 1];
        if ((marker->roles & role) != 0 && size >= marker->size &&
            memcmp(at, marker->text, marker->size) == 0) {
            return true;
        }
    }
    return false;
}

/* Where a marker may be under way at the end of the |size| bytes at |from|:
 * the size of that end.  |role|: a whole marker stands there, or in front of
 * the end, which is a stop or opens reasoning once more; 0: neither does. */
static size_t tail_of(const tw_frame *state, const uint8_t *from, size_t size,
                      unsigned role)
{
    const tw_markers *table = state->marks;
    const size_t longest = role == TW_AT_REASONING
                               ? TW_HOLD_HEAD
                               : table->longest + (size_t)2 * TW_MARKER_WS;
    const size_t most = size < longest ? size : longest;
    for (size_t left = 1; left <= most; left++) {
        const uint8_t *at = from + size - left;
        if (role != 0 ? begins_with(table, at, left, role)
                      : table->first[*at] != 0 && begins(table, at, left)) {
            return left;
        }
    }
    return 0;
}

/* Are the |size| bytes at |at| the marker, whose token nobody calls text? */
static bool is_marker(const tw_window *window, const tw_mark_text *marker,
                      const uint8_t *at, size_t size)
{
    bool cut;
    return tw_mark_text_at(marker->text, marker->size, marker->token,
                           marker->last, at, at + size, &cut) == size &&
           !(marker->token > 0 &&
             tw_window_is_marked_text(window, at + marker->token_at,
                                      marker->token));
}

/* The size of the marker of this role that ends the |size| bytes at |from|, or
 * 0. */
static size_t ends_with(const tw_frame *state, const uint8_t *from,
                        size_t size, uint16_t role)
{
    const tw_markers *table = state->marks;
    for (size_t i = 0; i < table->count; i++) {
        const tw_mark_text *marker = &table->all[i];
        const size_t most = marker->size + 2 * TW_MARKER_WS;
        for (size_t left = marker->size;
             (marker->roles & role) != 0 && left <= most && left <= size;
             left++) {
            if (is_marker(state->window, marker, from + size - left, left)) {
                return left;
            }
        }
    }
    return 0;
}

/* Is a value of a call open, which may hold any text? */
static bool in_value(const tw_frame *child)
{
    const tw_body *body = child->body;
    return child->mode == TW_FRAME_BODY &&
           (body->codec == &tw_json_codec
                ? tw_json_in_string(&child->json.json)
            : body->codec == &tw_gemma_codec
                ? tw_gemma_body_in_string(body)
                : body->codec == &tw_tagged_codec && tw_tagged_in_value(body));
}

/* Is the marker of |close| bytes that ends the |size| bytes at |from| that of
 * the call in front of it, too, where one marker closes both? */
static bool closes_call(const tw_frame *state, const uint8_t *from,
                        size_t size, size_t close)
{
    return close > 0 && state->child->state->mode == TW_FRAME_TEXT &&
           only_calls(state) &&
           ends_with(state, from, size, TW_AT_CALL_END) == close;
}

/* Do the |size| bytes end with a close of the reasoning?  One in a value is
 * none, nor a stop, unless the call is not whole in the end. */
static size_t closes_reasoning(tw_frame *state, const uint8_t *from,
                               size_t size)
{
    const bool inside = in_value(state->child->state);
    const size_t close = ends_with(state, from, size,
                                   inside ? TW_AT_REASONING_END | TW_AT_STOP
                                          : TW_AT_REASONING_END);
    if (closes_call(state, from, size, close)) {
        return 0;
    }
    const bool quoted = close > 0 && inside;
    if (quoted && state->look_close == 0) {
        state->look_close = size - close + 1;
    } else if (state->child->state->mode == TW_FRAME_TEXT && !is_bad(state) &&
               !state->child->sink.seen_visible) {
        state->look_close = 0; /* the call is whole */
    }
    return quoted ? 0 : close;
}

/* Is the look too far behind a close of the reasoning that stands in a value?
 * The call is not whole by then. */
static bool is_far_behind_close(const tw_frame *state)
{
    return state->look_close > 0 &&
           state->look_size - state->look_close > TW_HOLD_HEAD;
}

/* How many of the |size| bytes stand behind what was searched for the close of
 * a block that is none: a call may begin there, and none does before. */
static size_t behind_search(const tw_frame *state, size_t size)
{
    const uint64_t end = state->look_from + size;
    const uint64_t until = tw_frame_searched_until(state->child->state);
    return until > state->look_from && until < end ? (size_t)(end - until) : 0;
}

/* One more byte of a block in open reasoning.  *keep: how many of the last
 * bytes are to be read again if it is none. */
static verdict look_at_block(tw_frame *state, const uint8_t *from,
                             size_t *keep)
{
    const size_t size = state->look_size;
    look_at(state, from, size, false);
    const bool stopped = state->child->state->mode == TW_FRAME_ENDED;
    *keep = closes_reasoning(state, from, size);
    const bool thinks = state->child->state->thought;
    if (*keep > 0) {
        const size_t opened =
            thinks ? tail_of(state, from, size, TW_AT_REASONING) : 0;
        *keep = opened > *keep ? opened : *keep;
        return VERDICT_NOT;
    }
    /* Where a token opens the answer, reasoning does not go on. */
    const bool answered = state->child->state->wrapper != NULL;
    if ((stopped || answered) && !thinks && only_calls(state)) {
        return VERDICT_CALLS;
    }
    const bool bad = is_bad(state);
    if (stopped || bad || answered || state->child->sink.seen_visible ||
        thinks || size > TW_HOLD_BLOCK || is_far_behind_close(state)) {
        /* A bad block may end in front of what was looked at. */
        const size_t left = tw_window_size(&state->child->window);
        const size_t opener =
            answered ? ends_with(state, from, size - left, TW_AT_TEXT) : 0;
        *keep = bad && !stopped ? left
                : opener > 0    ? opener + left
                                : tail_of(state, from, size,
                                       thinks    ? TW_AT_REASONING
                                          : stopped ? TW_AT_STOP
                                                    : 0);
        const size_t behind = bad || answered ? 0 : behind_search(state, size);
        *keep = behind > *keep ? behind : *keep;
        return VERDICT_NOT;
    }
    return VERDICT_OPEN;
}

/* How many of the |size| bytes at |at|, in which no call begins, stand from
 * the first token of an answer on. */
static size_t behind_answer(const tw_frame *state, const uint8_t *at,
                            size_t size)
{
    size_t i = 1;
    for (; i < size; i++) {
        const tw_found found =
            tw_marker_at(state->marks, state->window, at + i);
        if (found.token && (found.roles & (TW_AT_TEXT | TW_AT_TEXT_END))) {
            break;
        }
    }
    return i < size ? size - i : 0;
}

/* A call's open marker at |at| in open reasoning: a call if the output ends
 * with calls and nothing else, reasoning otherwise. */
tw_step tw_frame_call_in_reasoning(tw_frame *state, const uint8_t *at,
                                   bool token)
{
    const tw_window *window = state->window;
    if (!is_looking(state, at) && !start_looking(state, at)) {
        return TW_STEP_AGAIN;
    }
    state->look_token = token;
    verdict found = VERDICT_OPEN;
    size_t keep = 0;
    while (found == VERDICT_OPEN && at + state->look_size < window->limit) {
        state->look_size++;
        found = look_at_block(state, at, &keep);
    }
    if (found == VERDICT_OPEN && !window->eof) {
        return TW_STEP_MORE;
    }
    if (found == VERDICT_OPEN) {
        look_at(state, at, state->look_size, true);
        const tw_frame *child = state->child->state;
        found =
            (child->mode == TW_FRAME_TEXT || child->mode == TW_FRAME_ENDED) &&
                    !child->thought && only_calls(state)
                ? VERDICT_CALLS
                : VERDICT_NOT;
        keep = child->thought
                   ? tail_of(state, at, state->look_size, TW_AT_REASONING)
               : is_bad(state) ? 0
                               : behind_answer(state, at, state->look_size);
        const size_t behind =
            is_bad(state) ? 0 : behind_search(state, state->look_size);
        keep = behind > keep ? behind : keep;
    }
    state->looking = false;
    if (found == VERDICT_CALLS) {
        const uint64_t where = tw_window_offset(window, at);
        tw_frame_end_segment(state, TW_EDGE_CALL);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALL_IN_REASONING,
                           where);
        tw_frame_enter_text(state, TW_BEHIND_CALL);
        return TW_STEP_AGAIN;
    }
    if (state->look_size > TW_HOLD_BLOCK && state->look_close == 0) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
    }
    const size_t seen = state->look_size - keep;
    const size_t passed = state->look_close > 0 && state->look_close <= seen
                              ? state->look_close - 1
                              : seen;
    state->plain_until = tw_window_offset(window, at + passed);
    return tw_frame_text_run(state, at);
}

/* A token that ends a message to the user, or begins the next one, at |at|. */
static tw_match message_ends_at(const tw_frame *state, const uint8_t *at)
{
    enum { CLOSES = TW_AT_END | TW_AT_STOP | TW_AT_TEXT_END };
    enum { OPENS = TW_AT_TEXT | TW_AT_REASONING | TW_AT_SECTION };
    const tw_window *window = state->window;
    if (at == window->limit) {
        return window->eof ? TW_MATCH_WHOLE : TW_MATCH_MORE;
    }
    const tw_found found = tw_marker_at(state->marks, window, at);
    return found.roles == TW_AT_MORE ? TW_MATCH_MORE
           : found.token && (found.roles & (CLOSES | OPENS)) != 0
               ? TW_MATCH_WHOLE
               : TW_MATCH_NONE;
}

/* The message that begins at |from| is seen to hold something else than calls
 * of declared tools. */
static bool holds_other(tw_frame *state, const uint8_t *from, bool over)
{
    const tw_sink *seen = &state->child->sink;
    look_at(state, from, state->look_size, over);
    return seen->seen_visible || seen->seen_undeclared || seen->seen_half ||
           has_unclosed(state) || state->look_size > TW_HOLD_BLOCK ||
           (over && !only_calls(state));
}

tw_step tw_frame_quoted_call(tw_frame *state, const uint8_t *at)
{
    tw_match over = TW_MATCH_NONE;
    bool other = false;
    if (state->segment.begun || tw_tools_count(state->sink->tools) == 0) {
        return tw_frame_text_run(state, at);
    }
    if (!is_looking(state, at) && !start_looking(state, at)) {
        return TW_STEP_AGAIN;
    }
    while (!other && over == TW_MATCH_NONE) {
        over = message_ends_at(state, at + state->look_size);
        state->look_size += over == TW_MATCH_NONE;
        other = over != TW_MATCH_MORE &&
                holds_other(state, at, over == TW_MATCH_WHOLE);
    }
    if (over == TW_MATCH_MORE) {
        return TW_STEP_MORE;
    }
    state->looking = false;
    if (!other) {
        state->channel = TW_TO_TOOL_CALLED;
        return TW_STEP_AGAIN;
    }
    if (state->look_size > TW_HOLD_BLOCK) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
    }
    return tw_frame_text_run(state, at);
}

/* Behind the object comes something that is neither half a marker nor an odd
 * blank. */
static bool holds_junk(const tw_frame *child)
{
    const tw_window *window = child->window;
    const uint8_t *at = window->at + tw_block_separators(child);
    uint32_t code;
    size_t size;
    return child->mode == TW_FRAME_BETWEEN && at < window->limit &&
           tw_marker_at(child->marks, window, at).roles != TW_AT_MORE &&
           tw_block_odd_at(child, at, &code, &size) == TW_MATCH_NONE;
}

/* The output begins with `{`: the open tag of a call may have been stripped,
 * but not where the caller says what the bytes are.  Held while it can be
 * nothing else. */
tw_step tw_frame_bare_call(tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    if (!is_looking(state, at)) {
        if (!start_looking(state, at)) {
            return TW_STEP_AGAIN;
        }
        tw_frame_start_block(state->child->state, state->objects);
    }
    const tw_frame *child = state->child->state;
    verdict found = VERDICT_OPEN;
    while (found == VERDICT_OPEN && at + state->look_size < window->limit) {
        state->look_size++;
        look_at(state, at, state->look_size, false);
        const bool far = state->look_size > TW_HOLD_BLOCK;
        const bool known = tw_window_is_known(window, at + state->look_size);
        if (!far && !known && child->mode == TW_FRAME_TEXT &&
            only_calls(state) &&
            ends_with(state, at, state->look_size, TW_AT_CALL_END) > 0) {
            found = VERDICT_CALLS;
        } else if ((child->mode != TW_FRAME_BODY &&
                    child->mode != TW_FRAME_BETWEEN) ||
                   holds_junk(child) || child->json.foreign_key ||
                   state->child->sink.seen_visible || far || known) {
            found = VERDICT_NOT;
        }
    }
    if (found == VERDICT_OPEN && !window->eof) {
        return TW_STEP_MORE;
    }
    state->looking = false;
    state->may_be_bare = false;
    if (found != VERDICT_CALLS) {
        if (state->look_size > TW_HOLD_BLOCK) {
            tw_frame_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
        }
        return tw_frame_text_run(state, at);
    }
    tw_frame_end_segment(state, TW_EDGE_CALL);
    tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN,
                      state->window->at);
    tw_frame_start_block(state, state->objects);
    return TW_STEP_AGAIN;
}
