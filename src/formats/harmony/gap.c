/* SPDX-License-Identifier: MIT
 *
 * Between two Harmony messages, and before the first: is it a header, filler
 * or a message that has no header?
 */
#include <string.h>

#include "formats/harmony/state.h"

/* |text| bytes of the header stand in the gap. */
static void begin_header(tw_harmony *state, bool explicit_start, bool fresh,
                         size_t text)
{
    state->head_text = text;
    state->held = (tw_harmony_held){.seen = state->window->offset};
    state->mode = TW_HARMONY_HEADER;
    state->explicit_start = explicit_start;
    state->fresh = fresh;
    state->first = false;
}

static bool is_blank(tw_slice text)
{
    return TW_SLICE_SIZE(tw_slice_strip_front(text)) == 0;
}

static void drop_blanks(tw_harmony *state, size_t size)
{
    tw_harmony_diagnose(state, TW_DIAGNOSTIC_BLANK_BETWEEN, state->window->at);
    tw_harmony_framing(state, size);
}

/* What stands in the gap before |to| is neither message nor header. */
static void drop_gap(tw_harmony *state, const uint8_t *to)
{
    const tw_slice text = {state->window->at, to};
    const size_t size = TW_SLICE_SIZE(text);
    if (!is_blank(text)) {
        tw_harmony_drop(state, TW_DIAGNOSTIC_STRAY_TEXT, size);
    } else if (size > 0) {
        drop_blanks(state, size);
    }
}

/* A marker stands at |at|, behind the text of the gap. */
static void gap_marker(tw_harmony *state, const uint8_t *at,
                       tw_harmony_marker marker, size_t size)
{
    const tw_slice text = {state->window->at, at};
    const bool word = !is_blank(text);
    if (tw_harmony_ends_message(marker)) {
        if (word && marker != TW_HARMONY_CALL) {
            tw_harmony_headerless(state); /* a message that has no header */
            return;
        }
        const bool stray = state->first || !word;
        drop_gap(state, at);
        if (stray) {
            tw_harmony_diagnose(state, TW_DIAGNOSTIC_STRAY_TERMINATOR,
                                state->window->at);
        }
        tw_harmony_framing(state, size);
        tw_harmony_after_terminator(state, marker);
        return;
    }
    const bool plain =
        tw_harmony_look_at(state, TW_BEGINS_GAP, text.from, at) !=
            TW_VERDICT_NO &&
        tw_channel_named(tw_slice_strip(text)) == TW_CHANNEL_NONE;
    if (marker != TW_HARMONY_START && word &&
        (marker != TW_HARMONY_CHANNEL || plain)) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_START, text.from);
        begin_header(state, false, true, TW_SLICE_SIZE(text));
        return;
    }
    const bool start = marker == TW_HARMONY_START;
    drop_gap(state, at);
    if (!start && !state->first) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_MISSING_START,
                            state->window->at);
    }
    begin_header(state, start, true, 0);
}

/* What the text [window, to) without a marker is. */
static bool gap_text(tw_harmony *state, const uint8_t *to)
{
    const uint8_t *from = state->window->at;
    const tw_verdict verdict =
        tw_harmony_look_at(state, TW_BEGINS_GAP, from, to);
    const size_t size = (size_t)(state->next.seen - state->next.begin);
    const tw_slice text = {from, from + size};
    if (verdict == TW_VERDICT_YES &&
        (state->first || tw_slice_begins(tw_slice_strip_front(text), "to="))) {
        begin_header(state, false, false, size);
        return true;
    }
    if ((state->first && verdict == TW_VERDICT_NO) ||
        to - from > TW_HARMONY_GAP_LIMIT) {
        tw_harmony_headerless(state);
        return true;
    }
    return false;
}

/* The very start of output whose markers may have been stripped. */
static bool stripped_gap(tw_harmony *state, const uint8_t *to)
{
    const uint8_t *from = state->window->at;
    const tw_harmony_look *look = &state->next;
    const tw_verdict verdict =
        tw_harmony_look_at(state, TW_BEGINS_BARE, from, to);
    const size_t size = (size_t)(look->seen - look->begin);
    const size_t used = (size_t)(look->used - look->begin);
    if (verdict == TW_VERDICT_WAIT) {
        return false;
    }
    if (verdict == TW_VERDICT_NO) {
        tw_harmony_headerless(state);
        return true;
    }
    if (!tw_slice_is(tw_slice_strip((tw_slice){from, from + size}), "to=")) {
        tw_harmony_diagnose(state, TW_DIAGNOSTIC_STRIPPED_MARKERS, from);
    }
    tw_harmony_framing(state, used);
    if (verdict == TW_VERDICT_YES) {
        begin_header(state, false, false, size - used);
    } else {
        tw_harmony_open_visible(state, look->channel);
    }
    return true;
}

/* ---- gaps, to their end ------------------------------------------------- */

/* The output ends in a gap, or at |cut| in half a marker. */
static tw_step end_of_gap(tw_harmony *state, const uint8_t *cut)
{
    const tw_window *window = state->window;
    const tw_slice text = {window->at, cut};
    const tw_slice word = tw_slice_strip(text);
    const size_t rest = (size_t)(window->limit - cut);
    if (rest > 0 && TW_SLICE_SIZE(word) == 0 && (rest > 1 || !state->first)) {
        drop_gap(state, cut); /* a marker that is cut in two */
        tw_harmony_drop(state, TW_DIAGNOSTIC_TRUNCATED_HEADER, rest);
        return TW_STEP_DONE;
    }
    const tw_slice all = {window->at, window->limit};
    const tw_slice last = tw_slice_strip(all);
    if (TW_SLICE_SIZE(last) == 0) {
        drop_gap(state, all.to);
        return TW_STEP_DONE;
    }
    if (!state->first &&
        tw_slice_may_be_word(last, TW_WORD_ROLE | TW_WORD_CHANNEL)) {
        tw_harmony_drop(state, TW_DIAGNOSTIC_TRUNCATED_HEADER,
                        TW_SLICE_SIZE(all));
        return TW_STEP_DONE;
    }
    tw_harmony_headerless(state);
    return TW_STEP_AGAIN;
}

tw_step tw_harmony_read_gap(tw_harmony *state)
{
    const tw_window *window = state->window;
    if (window->at == window->limit) {
        return window->eof ? TW_STEP_DONE : TW_STEP_MORE;
    }
    tw_harmony_marker marker;
    size_t size = 0;
    const uint8_t *at = tw_harmony_next_marker(state, &marker, &size);
    const bool found = marker != TW_HARMONY_NONE && marker != TW_HARMONY_MORE;
    /* Half a marker at the end is data only where nothing is before it. */
    const uint8_t *cut = at;
    if (window->eof && !found) {
        cut = memchr(window->at, '<', tw_window_size(window));
        while (cut != NULL && !tw_harmony_is_cut_marker(window, cut)) {
            const size_t left = (size_t)(window->limit - cut) - 1;
            cut = memchr(cut + 1, '<', left);
        }
        cut = cut != NULL ? cut : window->limit;
    }
    const bool blank =
        window->eof && !found && is_blank((tw_slice){window->at, cut});
    if (blank && cut == window->limit && !state->first &&
        tw_window_size(window) <= TW_HARMONY_GAP_LIMIT) {
        drop_blanks(state, tw_window_size(window)); /* as end_of_gap() */
        return TW_STEP_DONE;
    }
    const uint8_t *to = blank ? cut : at;
    const bool stripped = state->stripped && state->first;
    if (stripped ? stripped_gap(state, to) : gap_text(state, to)) {
        return TW_STEP_AGAIN;
    }
    if (found) {
        state->stripped = false;
        gap_marker(state, at, marker, size);
        return TW_STEP_AGAIN;
    }
    return window->eof ? end_of_gap(state, cut) : TW_STEP_MORE;
}
