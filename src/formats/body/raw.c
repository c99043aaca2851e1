/* SPDX-License-Identifier: MIT
 *
 * Everything goes out as it stands; only a stop marker, or the end of the
 * output, ends it.
 */
#include "formats/body/raw.h"

#include <string.h>

static tw_body_opens opens(const tw_body *body, const tw_body_head *head,
                           const uint8_t *at)
{
    (void)body;
    (void)head;
    (void)at;
    return TW_BODY_IS_HERE;
}

static void start(tw_body *body)
{
    const char *name = body->format->raw_name;
    tw_open_call_name(body->call, (const uint8_t *)name, strlen(name));
    body->call->flags = TW_EVENT_CUSTOM;
    tw_open_call_begin(body->call);
}

/* The text is over, at the window. */
static tw_body_end end(tw_body *body)
{
    tw_open_call_end(body->call);
    return TW_BODY_DONE;
}

static tw_body_end step(tw_body *body)
{
    tw_open_call *call = body->call;
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return !window->eof      ? TW_BODY_STARVED
               : window->stopped ? end(body)
                                 : TW_BODY_CUT;
    }
    const uint8_t *to = at;
    if (tw_markers_may_begin(body->marks, at, window->limit)) {
        const unsigned roles = tw_marker_at(body->marks, window, at).roles;
        if (roles == TW_AT_MORE) {
            return TW_BODY_STARVED;
        }
        if ((roles & TW_AT_STOP) != 0) {
            return end(body);
        }
        to = at + 1;
    }
    to = tw_markers_find(body->marks, to, tw_window_reach(window, to),
                         window->limit);
    const size_t taken = tw_open_call_text(
        call, at, (size_t)(to - at), to == window->limit && !window->eof);
    tw_window_skip(window, taken);
    return taken > 0 ? TW_BODY_GOES_ON : TW_BODY_STARVED;
}

const tw_body_codec tw_raw_codec = {
    .size = sizeof(tw_body),
    .opens = opens,
    .start = start,
    .step = step,
};
