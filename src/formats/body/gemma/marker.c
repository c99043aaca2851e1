/* SPDX-License-Identifier: MIT
 *
 * The markers that mean something in Gemma's notation.
 */
#include <string.h>

#include "formats/body/gemma/call_state.h"
#include "formats/body/opening.h"
#include "formats/stop.h"

/* The delimiter at |at|, or half of it. */
static tw_match delimiter_at(const tw_gemma_call *call, const uint8_t *at)
{
    const tw_gemma_wire *wire = call->wire;
    const tw_window *window = call->window;
    const size_t left = (size_t)(window->limit - at);
    const size_t whole = wire->delimiter_size;
    const size_t size = left < whole ? left : whole;
    if (memcmp(at, wire->delimiter, size) != 0 ||
        tw_window_is_marked_text(window, at, size)) {
        return TW_MATCH_NONE;
    }
    return size == whole ? TW_MATCH_WHOLE
           : window->eof ? TW_MATCH_NONE
                         : TW_MATCH_MORE;
}

tw_gemma_marker tw_gemma_marker_at(const tw_gemma_call *call,
                                   const uint8_t *at, size_t *size)
{
    const tw_match delimiter = delimiter_at(call, at);
    if (delimiter != TW_MATCH_NONE) {
        *size = call->wire->delimiter_size;
        return delimiter == TW_MATCH_MORE ? TW_GEMMA_MORE : TW_GEMMA_DELIMITER;
    }
    const tw_found found = tw_marker_at(call->wire->marks, call->window, at);
    *size = found.size;
    return found.roles == TW_AT_MORE              ? TW_GEMMA_MORE
           : (found.roles & TW_AT_CALL_END) != 0  ? TW_GEMMA_CALL_END
           : (found.roles & TW_AT_CALL_STOP) != 0 ? TW_GEMMA_RESPONSE
           : (found.roles & TW_AT_STOP) != 0      ? TW_GEMMA_STOP
           : (found.roles &
              (TW_AT_CALL | TW_AT_SECTION | TW_AT_SECTION_END)) != 0
               ? TW_GEMMA_CALL
           : found.token && (found.roles & TW_AT_REASONING) != 0
               ? TW_GEMMA_CHANNEL
               : TW_GEMMA_NONE;
}

/* The output ends in half of a stop that stands behind calls alone. */
static bool is_half_call_stop(const tw_gemma_wire *wire,
                              const tw_window *window, const uint8_t *at)
{
    return tw_marker_is_cut(wire->marks, window, at, TW_AT_CALL_STOP) &&
           tw_is_half_stop(window, wire->markers, wire->marker_count, at);
}

/* Half of the call's close and of nothing else, where the model stopped by
 * itself, is the close. */
tw_gemma_marker tw_gemma_body_marker(const tw_gemma_call *call,
                                     const uint8_t *at, size_t *size)
{
    const tw_gemma_marker marker = tw_gemma_marker_at(call, at, size);
    const tw_gemma_wire *wire = call->wire;
    const tw_window *window = call->window;
    const size_t left = (size_t)(window->limit - at);
    const bool half =
        marker == TW_GEMMA_NONE && window->stopped &&
        tw_marker_is_cut(wire->marks, window, at, TW_AT_CALL_END) &&
        !tw_marker_is_cut(wire->marks, window, at,
                          ~(unsigned)TW_AT_CALL_END) &&
        !(left < wire->delimiter_size &&
          memcmp(at, wire->delimiter, left) == 0);
    return half ? TW_GEMMA_CALL_END
           : marker == TW_GEMMA_NONE && is_half_call_stop(wire, window, at)
               ? TW_GEMMA_RESPONSE
               : marker;
}
