/* SPDX-License-Identifier: MIT
 *
 * Messages with a recipient, as Muse writes them: who one is addressed to says
 * what it is.  To a tool it holds calls; where it holds none it is listed.  To
 * the user it is text, and what it quotes of calls is text, too: it is a call
 * only where it is all of the message and its tool is declared.  Where the
 * header is missing, a message that begins with a call holds calls.  What a
 * description calls unread is listed as what in a message to a tool is no
 * call.
 */
#include <string.h>

#include "formats/frame/block.h"

static bool has_channels(const tw_frame *state)
{
    return (state->description->quirks & TW_QUIRK_CHANNELS) != 0;
}

void tw_frame_address(tw_frame *state, const tw_head *header)
{
    if (!has_channels(state)) {
        return;
    }
    state->recipient.size = 0;
    state->channel = header == NULL            ? TW_TO_NOBODY
                     : header->skipped != NULL ? TW_TO_TOOL
                                               : TW_TO_USER;
    if (state->channel == TW_TO_TOOL) { /* there is room for it */
        tw_buffer_append(&state->recipient, &state->memory, header->skipped,
                         header->skipped_size);
    }
}

/* ---- the name of a call ------------------------------------------------- */

/* Does |whole| begin or end with |part|, which a dot parts from the rest? */
static bool holds(tw_name whole, tw_name part)
{
    const size_t rest = whole.size > part.size ? whole.size - part.size : 0;
    return (rest == 0 && whole.size == part.size &&
            memcmp(whole.data, part.data, part.size) == 0) ||
           (rest > 0 && whole.data[part.size] == '.' &&
            memcmp(whole.data, part.data, part.size) == 0) ||
           (rest > 0 && whole.data[rest - 1] == '.' &&
            memcmp(whole.data + rest, part.data, part.size) == 0);
}

static bool is_word(tw_name to, const char *word, size_t size)
{
    return to.size == size && memcmp(to.data, word, size) == 0;
}

/* Does |to| name no tool: the element around the calls, or all tools? */
static bool is_for_all(const tw_frame *state, tw_name to)
{
    const tw_pattern *calls = state->description->calls.all;
    const tw_part *close = &calls->parts[calls->count - 1];
    return is_word(to, close->text + 2, close->size - (sizeof "</>" - 1)) ||
           (is_word(to, "tools", sizeof "tools" - 1) &&
            tw_tools_find(state->sink->tools, to.data, to.size) == NULL);
}

/* A name that the header spells in another way is none.  A header may leave
 * out the namespace, or name nothing else; calls behind the first have that in
 * common with it. */
void tw_frame_check_recipient(tw_frame *state)
{
    tw_open_call *call = &state->call;
    const tw_name to = {(const char *)state->recipient.data,
                        state->recipient.size};
    const tw_name name = {(const char *)call->name.data, call->name.size};
    if (!has_channels(state) || state->channel == TW_TO_USER) {
        return;
    }
    state->channel = TW_TO_TOOL_CALLED;
    if (to.size == 0 || !call->has_name || is_for_all(state, to)) {
        return;
    }
    if (!holds(to, name) && !holds(name, to)) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_DUPLICATE_CALL_KEY,
                          call->begin);
    }
    const char *dot = memchr(to.data, '.', to.size);
    state->recipient.size = dot != NULL ? (size_t)(dot - to.data) : to.size;
}

/* ---- quoted calls ------------------------------------------------------- */

bool tw_frame_is_quoted(const tw_frame *state, const tw_found *found)
{
    const bool free = state->channel >= TW_TO_TOOL ||
                      (state->channel == TW_TO_NOBODY &&
                       state->mode == TW_FRAME_TEXT && !state->segment.begun);
    return has_channels(state) && !free &&
           !found->token &&
           (found->roles & (TW_AT_CALL | TW_AT_PLAIN_CALL | TW_AT_SECTION)) !=
               0;
}

/* ---- what no call is ---------------------------------------------------- */

bool tw_frame_is_stray(const tw_frame *state)
{
    return state->channel == TW_TO_TOOL && state->mode == TW_FRAME_TEXT;
}

/* A block that is not read begins at the window, and no end stands in its
 * first |size| bytes. */
static tw_step begin_unread(tw_frame *state, size_t size)
{
    state->block = state->window->offset;
    state->fresh = state->at_start = state->may_be_bare = false;
    state->mode = TW_FRAME_STRAY;
    tw_sink_record(state->sink);
    tw_window_skip(state->window, size);
    return TW_STEP_AGAIN;
}

tw_step tw_frame_begin_stray(tw_frame *state)
{
    tw_frame_leave_text(state, TW_PLACE_MARKER);
    return begin_unread(state, 1);
}

tw_step tw_frame_begin_unread(tw_frame *state, const tw_pattern *pattern,
                              size_t size)
{
    state->wrapper = pattern;
    return begin_unread(state, size);
}

/* The close of its own that stands at |at|: how long it is, or 0. */
static size_t own_close_at(const tw_frame *state, const uint8_t *at)
{
    const tw_part *close =
        state->wrapper != NULL ? tw_pattern_close(state->wrapper) : NULL;
    return close != NULL &&
                   tw_part_at(state->window, at, close) == TW_MATCH_WHOLE
               ? close->size
               : 0;
}

tw_step tw_frame_read_stray(tw_frame *state)
{
    enum { CALLS = TW_AT_CALL | TW_AT_SECTION, ENDS = TW_AT_END | TW_AT_STOP };
    tw_window *window = state->window;
    const uint8_t *at = tw_markers_find(state->marks, window->at,
                                        window->limit, window->limit);
    tw_window_skip(window, (size_t)(at - window->at));
    if (at == window->limit && !window->eof) {
        return TW_STEP_MORE;
    }
    const tw_found found = at < window->limit
                               ? tw_marker_at(state->marks, window, at)
                               : (tw_found){.roles = TW_AT_STOP};
    if (found.roles == TW_AT_MORE) {
        return TW_STEP_MORE;
    }
    const unsigned ends =
        ENDS | CALLS | (found.token ? TW_AT_TEXT | TW_AT_REASONING : 0);
    const bool closed = at < window->limit && own_close_at(state, at) > 0;
    if (!closed && (found.roles & ends) == 0) {
        tw_window_skip(window, 1);
        return TW_STEP_AGAIN;
    }
    tw_window_skip(window, closed ? found.size : 0);
    state->wrapper = NULL;
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_UNKNOWN_HEAD, state->block);
    tw_list_block(state->sink, TW_DIAGNOSTIC_UNKNOWN_HEAD, state->block);
    tw_frame_enter_text(state, TW_BEHIND_CALL);
    return TW_STEP_AGAIN;
}
