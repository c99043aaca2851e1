/* SPDX-License-Identifier: MIT
 *
 * Text that is a JSON string: `{"response": "TEXT"}`.  What escapes mean goes
 * out, all else as it stands.  Behind the quote the object ends.
 */
#include "core/skip.h"
#include "core/utf8.h"
#include "formats/frame/frame.h"
#include "json/escape.h"

/* How far it was read: frame.string. */
enum { IN_FRONT, INSIDE, BEHIND };

static void leave(tw_frame *state, size_t framing)
{
    tw_frame_framing(state, framing);
    state->wrapper = NULL;
    tw_frame_enter_text(state, TW_BEHIND_NOTHING);
}

/* In front of the string, or behind it; what is no string is other text. */
static tw_step read_outside(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = tw_behind_some_ws(window->at, window->limit);
    const size_t blanks = (size_t)(at - window->at);
    if (at == window->limit && !window->eof) {
        return TW_STEP_MORE;
    }
    const uint8_t mark = state->string == IN_FRONT ? '"' : '}';
    const bool found = at < window->limit && *at == mark;
    if (!found || state->string == BEHIND) {
        leave(state, found ? blanks + 1 : 0);
        return TW_STEP_AGAIN;
    }
    tw_frame_framing(state, blanks + 1);
    state->string = INSIDE;
    return TW_STEP_AGAIN;
}

/* What the escape of |size| bytes at the window means. */
static void put_meaning(tw_frame *state, size_t size, uint32_t code)
{
    tw_window *window = state->window;
    char utf8[4];
    const size_t count = tw_point_put(utf8, code);
    tw_sink_meant(state->sink, TW_EVENT_TEXT, state->segment.number, utf8,
                  count, window->offset, window->offset + size);
    tw_window_skip(window, size);
}

/* `\u` and four digits; half of a surrogate pair alone means nothing. */
static void read_unicode(tw_frame *state)
{
    const uint8_t *at = state->window->at;
    const size_t left = tw_window_size(state->window);
    const uint32_t code = tw_json_hex_value(at + 2);
    const bool pair = tw_is_high(code) && left >= 12 && at[6] == '\\' &&
                      at[7] == 'u' && tw_json_are_digits(at + 8) &&
                      tw_is_low(tw_json_hex_value(at + 8));
    if (pair) {
        put_meaning(state, 12, tw_pair(code, tw_json_hex_value(at + 8)));
    } else if (tw_is_high(code) || tw_is_low(code)) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_LONE_SURROGATE, at);
        put_meaning(state, 6, 0xFFFD);
    } else {
        put_meaning(state, 6, code);
    }
}

static tw_step read_escape(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    const size_t left = tw_window_size(window);
    const bool unicode = left > 1 && at[1] == 'u';
    const size_t due = unicode ? 12 : 2;
    if (left < due && !window->eof) {
        return TW_STEP_MORE;
    }
    const uint8_t meaning = left > 1 ? tw_json_meanings[at[1]] : 0;
    if (meaning != 0) {
        put_meaning(state, 2, meaning);
    } else if (unicode && left >= 6 && tw_json_are_digits(at + 2)) {
        read_unicode(state);
    } else {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_BAD_ESCAPE, at);
        put_meaning(state, 1, '\\');
    }
    return TW_STEP_AGAIN;
}

static tw_step read_inside(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    const uint8_t *to = at;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        leave(state, 0);
        return TW_STEP_AGAIN;
    }
    state->fresh = state->at_start = state->may_be_bare = false;
    if (*at == '"') {
        tw_frame_framing(state, 1);
        state->string = BEHIND;
        return TW_STEP_AGAIN;
    }
    if (!state->segment.begun) {
        state->segment.begun = true;
        state->segment.number = tw_sink_segment(state->sink);
    }
    if (*at == '\\') {
        return read_escape(state);
    }
    while (to < window->limit && *to != '"' && *to != '\\') {
        to++;
    }
    const bool open = to == window->limit && !window->eof;
    const size_t taken =
        tw_sink_text(state->sink, TW_EVENT_TEXT, state->segment.number, at,
                     (size_t)(to - at), open);
    tw_window_skip(window, taken);
    return taken > 0 ? TW_STEP_AGAIN : TW_STEP_MORE;
}

tw_step tw_frame_read_string(tw_frame *state)
{
    return state->string == INSIDE ? read_inside(state)
                                   : read_outside(state);
}
