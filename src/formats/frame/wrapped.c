/* SPDX-License-Identifier: MIT
 *
 * A tag of another format around calls of this one, such as
 * `<function_invocation>`: no text, where nothing else stands between it and
 * the first of them, and its close behind the last.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/frame/frame.h"

enum { NAME_MOST = 31 };

/* Models name such tags after what stands in them: `<func>` is no such word,
 * but half of one. */
static bool names_calls(const uint8_t *name, size_t size)
{
    static const char *const words[] = {"call", "function", "tool", "invo"};
    bool found = false;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const size_t length = strlen(words[k]);
        for (size_t i = 0; i + length <= size; i++) {
            found |= memcmp(name + i, words[k], length) == 0;
        }
    }
    return found;
}

/* `<NAME>` at |at|: NONE, MORE, or WHOLE and the name. */
static tw_match name_at(const tw_window *window, const uint8_t *at,
                        tw_piece *name)
{
    at++;
    name->from = at;
    while (at < window->limit && at - name->from <= NAME_MOST &&
           (*at == '_' || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z'))) {
        at++;
    }
    name->size = (size_t)(at - name->from);
    if (name->size > NAME_MOST) {
        return TW_MATCH_NONE;
    }
    if (at == window->limit) {
        return window->eof ? TW_MATCH_NONE : TW_MATCH_MORE;
    }
    return *at == '>' && names_calls(name->from, name->size) ? TW_MATCH_WHOLE
                                                             : TW_MATCH_NONE;
}

static void drop_tag(tw_frame *state, const uint8_t *at, size_t size)
{
    tw_frame_diagnose(state, TW_DIAGNOSTIC_LOOSE_MARKER, at);
    tw_frame_end_segment(state, TW_EDGE_OTHER);
    tw_frame_framing(state, size);
    tw_content_start(&state->segment, TW_EVENT_TEXT);
    state->at_start = false;
}

/* `</NAME>` of the tag that was dropped. */
static tw_step read_close(tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    char close[NAME_MOST + 4] = "</";
    const size_t name_size = strlen(state->outer);
    const size_t size = name_size + 3;
    memcpy(close + 2, state->outer, name_size);
    close[size - 1] = '>';
    const tw_match found = tw_text_at(window, at, close, size);
    if (found == TW_MATCH_WHOLE) {
        drop_tag(state, at, size);
        state->outer[0] = 0;
    }
    return found == TW_MATCH_WHOLE  ? TW_STEP_AGAIN
           : found == TW_MATCH_MORE ? TW_STEP_MORE
                                    : TW_STEP_DONE;
}

tw_step tw_frame_foreign_tag(tw_frame *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    tw_piece name;
    /* The format's own markers are none, those that the caller calls text
     * among them. */
    if (state->options.strict ||
        tw_markers_scan(state->marks, at, window->limit, window->eof).roles !=
            0) {
        return TW_STEP_DONE;
    }
    if (state->outer[0] != 0) {
        return read_close(state, at);
    }
    const tw_match tag = name_at(window, at, &name);
    if (tag != TW_MATCH_WHOLE) {
        return tag == TW_MATCH_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    const uint8_t *call =
        tw_behind_some_ws(name.from + name.size + 1, window->limit);
    if (call == window->limit) {
        return window->eof ? TW_STEP_DONE : TW_STEP_MORE;
    }
    const tw_found found = tw_frame_marker_at(state, call);
    tw_head head;
    const tw_match begins =
        found.roles == TW_AT_MORE
            ? TW_MATCH_MORE
            : tw_frame_call_begins(state, call, &found, &head);
    if (begins != TW_MATCH_WHOLE) {
        return begins == TW_MATCH_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    memcpy(state->outer, name.from, name.size);
    state->outer[name.size] = 0;
    drop_tag(state, at, name.size + 2);
    return TW_STEP_AGAIN;
}
