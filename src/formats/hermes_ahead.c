/* SPDX-License-Identifier: MIT
 *
 * Where Hermes must look ahead for the end of a block to know that it is one:
 * in reasoning that may never be closed, and where its open tag may have been
 * stripped.
 */
#include <string.h>

#include "formats/hermes_state.h"

/* A second decoder, at |from|, which sees the bytes one by one: what it comes
 * to does not depend on how they arrive. */
static bool is_looking(const tw_hermes *state, const uint8_t *from)
{
    return state->child != NULL && state->looking &&
           state->look_from == tw_window_offset(state->window, from);
}

static tw_hermes_child *new_child(tw_hermes *state)
{
    const tw_memory *memory = &state->memory;
    tw_hermes_child *child = tw_memory_new(memory, sizeof *child);
    if (child == NULL) {
        return NULL;
    }
    tw_window_init(&child->window, memory);
    child->window.marked_by = state->window->marked_by != NULL
                                  ? state->window->marked_by
                                  : state->window;
    tw_sink_init(&child->sink, memory, &child->window);
    child->state =
        tw_hermes_create(memory, state->format, &child->window, &child->sink);
    if (child->state == NULL) {
        tw_memory_free(memory, child, sizeof *child);
        return NULL;
    }
    return child;
}

static bool start_looking(tw_hermes *state, const uint8_t *from)
{
    if (state->child == NULL) {
        state->child = new_child(state);
    }
    tw_hermes_child *child = state->child;
    if (child == NULL) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
        return false;
    }
    tw_window_reset(&child->window);
    tw_sink_reset(&child->sink);
    child->sink.limits = state->sink->limits;
    child->sink.calls = state->sink->calls;
    child->sink.muted = true;
    child->window.offset = tw_window_offset(state->window, from);
    child->state->options = state->options;
    child->state->may_be_bare = false;
    child->state->plain_until = 0;
    tw_hermes_enter_text(child->state, 0);
    state->looking = true;
    state->look_from = tw_window_offset(state->window, from);
    state->look_size = 0;
    return true;
}

/* Lets the child see |size| of the bytes at |from|. */
static void look_at(tw_hermes *state, const uint8_t *from, size_t size,
                    bool eof)
{
    tw_window *window = &state->child->window;
    const uint64_t begin = tw_window_offset(state->window, from);
    window->at = from + (window->offset - begin);
    window->limit = from + size;
    window->eof = eof;
    while (tw_hermes_step(state->child->state) == TW_STEP_AGAIN &&
           state->child->sink.seen_unparsed == 0 &&
           state->child->sink.error.code == TW_OK) {
    }
    if (state->child->sink.error.code != TW_OK) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
    }
}

static bool only_calls(const tw_hermes *state)
{
    const tw_sink *seen = &state->child->sink;
    return seen->seen_complete > 0 && seen->seen_visible == 0 &&
           seen->seen_unclosed == 0;
}

typedef enum verdict { VERDICT_OPEN, VERDICT_CALLS, VERDICT_NOT } verdict;

/* Of those that end a look-ahead. */
enum { LONGEST_TAG = sizeof "<|endoftext|>" - 1 };

static bool begins(const uint8_t *at, size_t size, const char *tag)
{
    return size <= strlen(tag) && memcmp(at, tag, size) == 0;
}

/* Where a tag may be under way at the end of the |size| bytes at |from|. */
static size_t tail_of(const tw_hermes_wire *wire, const uint8_t *from,
                      size_t size, bool stopped)
{
    const size_t most = size < LONGEST_TAG ? size : LONGEST_TAG;
    for (size_t left = 1; left <= most; left++) {
        const uint8_t *at = from + size - left;
        if (*at != '<') {
            continue;
        }
        bool cut = stopped || begins(at, left, "</think>") ||
                   begins(at, left, wire->open);
        for (size_t i = 0; !cut && wire->stops[i] != NULL; i++) {
            cut = begins(at, left, wire->stops[i]);
        }
        return cut ? left : 0;
    }
    return 0;
}

static bool ends_with(const uint8_t *from, size_t size, const char *word)
{
    const size_t length = strlen(word);
    return size >= length && memcmp(from + size - length, word, length) == 0;
}

/* One more byte of a block in open reasoning.  *keep: how many of the last
 * bytes are to be read again if it is none. */
static verdict look_at_block(tw_hermes *state, const uint8_t *from,
                             size_t *keep)
{
    const size_t size = state->look_size;
    look_at(state, from, size, false);
    *keep = 0;
    const bool stopped = state->child->state->mode == TW_HERMES_ENDED_MESSAGE;
    if (ends_with(from, size, "</think>")) {
        *keep = 8;
        return VERDICT_NOT;
    }
    if (stopped && only_calls(state)) {
        return VERDICT_CALLS;
    }
    if (stopped || state->child->sink.seen_visible > 0 ||
        state->child->state->mode == TW_HERMES_REASONING ||
        size > TW_HOLD_BLOCK) {
        /* A bad block may end in front of what was looked at. */
        *keep = state->child->sink.seen_unparsed > 0 && !stopped
                    ? tw_window_size(&state->child->window)
                    : tail_of(state->wire, from, size, stopped);
        return VERDICT_NOT;
    }
    return VERDICT_OPEN;
}

static bool settled(const tw_hermes *state)
{
    const tw_hermes *child = state->child->state;
    return child->mode == TW_HERMES_TEXT && !child->segment.begun &&
           only_calls(state);
}

/* `<tool_call>` at |at| in open reasoning: a call if the output ends with
 * calls and nothing else, reasoning otherwise (DESIGN R10). */
tw_step tw_hermes_reasoning_call(tw_hermes *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    if (!is_looking(state, at) && !start_looking(state, at)) {
        return TW_STEP_AGAIN;
    }
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
        found = state->child->state->mode == TW_HERMES_TEXT &&
                        tw_window_size(&state->child->window) ==
                            state->child->state->segment.held &&
                        settled(state)
                    ? VERDICT_CALLS
                    : VERDICT_NOT;
    }
    state->looking = false;
    if (found == VERDICT_CALLS) {
        const uint64_t where = tw_window_offset(window, at);
        tw_hermes_end_segment(state, true);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALL_IN_REASONING,
                           where);
        tw_hermes_enter_text(state, 1);
        return TW_STEP_AGAIN;
    }
    if (state->look_size > TW_HOLD_BLOCK) {
        tw_hermes_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
    }
    state->plain_until =
        tw_window_offset(window, at + state->look_size - keep);
    return tw_hermes_text_run(state, at);
}

/* Behind the object comes something that is not half a tag. */
static bool holds_junk(const tw_hermes *child)
{
    size_t size;
    return child->mode == TW_HERMES_BETWEEN &&
           tw_window_size(child->window) > 0 &&
           tw_hermes_tag_at(child->wire, child->window, child->window->at,
                            &size) != TW_HERMES_MORE;
}

/* The output begins with `{`: the open tag of a call may have been stripped,
 * but not where the caller says what the bytes are.  Held while it can be
 * nothing else. */
tw_step tw_hermes_bare_call(tw_hermes *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    if (!is_looking(state, at)) {
        if (!start_looking(state, at)) {
            return TW_STEP_AGAIN;
        }
        tw_hermes_start_block(state->child->state);
    }
    const tw_hermes *child = state->child->state;
    verdict found = VERDICT_OPEN;
    while (found == VERDICT_OPEN && at + state->look_size < window->limit) {
        state->look_size++;
        look_at(state, at, state->look_size, false);
        const bool far = state->look_size > TW_HOLD_BLOCK;
        const bool known = tw_window_is_known(window, at + state->look_size);
        if (!far && !known && child->mode == TW_HERMES_TEXT &&
            only_calls(state) &&
            ends_with(at, state->look_size, state->wire->close)) {
            found = VERDICT_CALLS;
        } else if ((child->mode != TW_HERMES_OBJECT &&
                    child->mode != TW_HERMES_BETWEEN) ||
                   holds_junk(child) || child->call.foreign_key ||
                   state->child->sink.seen_visible > 0 || far || known) {
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
            tw_hermes_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
        }
        return tw_hermes_text_run(state, at);
    }
    tw_hermes_end_segment(state, true);
    tw_hermes_diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN,
                       state->window->at);
    tw_hermes_start_block(state);
    state->bare = true;
    return TW_STEP_AGAIN;
}
