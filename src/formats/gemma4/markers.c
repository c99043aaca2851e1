/* SPDX-License-Identifier: MIT
 *
 * Gemma's markers: which there are, and which one stands at a byte.
 */
#include "formats/gemma4/gemma4.h"

#include <string.h>

#include "formats/stop.h"

#define MARKER(text, role, stop, decoded)               \
    {                                                   \
        TW_MARKER_TEXT(text), role, 1, 0, stop, decoded \
    }

const tw_marker tw_gemma4_markers[] = {
    MARKER(TW_GEMMA4_CALL, TW_MARKER_CALL_OPEN, 0, 1),
    MARKER(TW_GEMMA4_CALL_END, TW_MARKER_CALL_CLOSE, 0, 1),
    MARKER(TW_GEMMA4_CHANNEL, TW_MARKER_REASONING_OPEN, 0, 1),
    MARKER(TW_GEMMA4_CHANNEL_END, TW_MARKER_REASONING_CLOSE, 0, 1),
    MARKER(TW_GEMMA4_QUOTE, TW_MARKER_STRING, 0, 1),
    MARKER(TW_GEMMA4_TURN_END, TW_MARKER_END, 1, 1),
    MARKER(TW_GEMMA4_EOS, TW_MARKER_END, 1, 1),
    MARKER(TW_GEMMA4_RESULT, TW_MARKER_RESULT, 1, 1),
    MARKER(TW_GEMMA4_RESULT_END, TW_MARKER_RESULT, 0, 0),
    MARKER(TW_GEMMA4_TURN, TW_MARKER_TURN, 0, 0),
    MARKER(TW_GEMMA4_BOS, TW_MARKER_TURN, 0, 0),
    MARKER(TW_GEMMA4_TOOL, TW_MARKER_DECLARE, 0, 0),
    MARKER(TW_GEMMA4_TOOL_END, TW_MARKER_DECLARE, 0, 0),
    MARKER(TW_GEMMA4_THINK, TW_MARKER_HEADER, 0, 0),
    MARKER(TW_GEMMA4_IMAGE, TW_MARKER_MEDIA, 0, 0),
    MARKER(TW_GEMMA4_AUDIO, TW_MARKER_MEDIA, 0, 0),
    MARKER(TW_GEMMA4_VIDEO, TW_MARKER_MEDIA, 0, 0),
};
const size_t tw_gemma4_marker_count =
    sizeof tw_gemma4_markers / sizeof tw_gemma4_markers[0];

tw_gemma_marker tw_gemma4_marker_at(const tw_window *window, const uint8_t *at,
                                    size_t *size)
{
    const tw_gemma_marker marker =
        tw_gemma4_scan_marker(at, window->limit, window->eof, size);
    if (tw_window_is_marked(window) && marker != TW_GEMMA_NONE &&
        marker != TW_GEMMA_MORE &&
        tw_window_is_marked_text(window, at, *size)) {
        return TW_GEMMA_NONE;
    }
    return marker;
}

bool tw_gemma4_is_cut_close(const tw_window *window, const uint8_t *at)
{
    const size_t left = (size_t)(window->limit - at);
    return window->eof && left < TW_GEMMA4_SIZE(TW_GEMMA4_CALL_END) &&
           memcmp(at, TW_GEMMA4_CALL_END, left) == 0 &&
           !tw_window_is_marked_text(window, at, left);
}

/* The model stopped at the marker of a result, half of which is here: no other
 * one stops a model that is in a call. */
static bool is_half_response(const tw_window *window, const uint8_t *at)
{
    static const char response[] = TW_GEMMA4_RESULT;
    const size_t left = (size_t)(window->limit - at);
    return left < sizeof response - 1 && memcmp(at, response, left) == 0 &&
           tw_is_half_stop(window, tw_gemma4_markers, tw_gemma4_marker_count,
                           at);
}

/* The model stopped by itself, and half of the call's close is here, which is
 * half of no other marker: it counts as the close. */
static bool is_half_close(const tw_window *window, const uint8_t *at)
{
    return window->stopped && window->limit - at >= 3 &&
           tw_gemma4_is_cut_close(window, at);
}

static tw_gemma_marker marker_at(const tw_gemma_call *call, const uint8_t *at,
                                 size_t *size)
{
    return tw_gemma4_marker_at(call->window, at, size);
}

static tw_gemma_marker body_marker(const tw_gemma_call *call,
                                   const uint8_t *at, size_t *size)
{
    const tw_gemma_marker marker = marker_at(call, at, size);
    return marker != TW_GEMMA_NONE              ? marker
           : is_half_response(call->window, at) ? TW_GEMMA_RESPONSE
           : is_half_close(call->window, at)    ? TW_GEMMA_CALL_END
                                                : TW_GEMMA_NONE;
}

const tw_gemma_wire tw_gemma4_wire = {
    .delimiter = TW_GEMMA4_QUOTE,
    .delimiter_size = TW_GEMMA4_SIZE(TW_GEMMA4_QUOTE),
    .close = TW_GEMMA4_CALL_END,
    .close_size = TW_GEMMA4_SIZE(TW_GEMMA4_CALL_END),
    .marker_at = marker_at,
    .body_marker = body_marker,
    .stops = true,
    .markers = tw_gemma4_markers,
    .marker_count = sizeof tw_gemma4_markers / sizeof tw_gemma4_markers[0],
};
