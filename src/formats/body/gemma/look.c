/* SPDX-License-Identifier: MIT
 *
 * What stands behind a delimiter or a comma: the next pair, the call's end, or
 * more of the string.
 */
#include "formats/body/gemma/look.h"

#include "formats/body/opening.h"

#include <string.h>

enum { NEAR = 256 };

/* Where a look-ahead from |from| may go on. */
static const uint8_t *resume(const tw_gemma_call *call,
                             const tw_gemma_look *look, const uint8_t *from)
{
    const uint64_t offset = tw_window_offset(call->window, from);
    return look->from == offset ? from + (look->to - offset) : from;
}

static void remember(const tw_gemma_call *call, tw_gemma_look *look,
                     const uint8_t *from, const uint8_t *to)
{
    look->from = tw_window_offset(call->window, from);
    look->to = tw_window_offset(call->window, to);
}

static const uint8_t *behind_blanks(const tw_gemma_call *call,
                                    tw_gemma_look *look, const uint8_t *at)
{
    const uint8_t *to = resume(call, look, at);
    while (to < call->window->limit && tw_is_ws(*to)) {
        to++;
    }
    remember(call, look, at, to);
    return to;
}

const uint8_t *tw_gemma_ws(tw_gemma_call *call, const uint8_t *at)
{
    return behind_blanks(call, &call->blanks, at);
}

tw_match tw_gemma_word_key(tw_gemma_call *call, const uint8_t *at)
{
    const tw_window *window = call->window;
    const uint8_t *to = at;
    int c = tw_look(window, to);
    while (to == at ? tw_gemma_starts_word(c) : tw_is_gemma_word(c)) {
        to++;
        if (to - at > NEAR) {
            return TW_MATCH_NONE;
        }
        c = tw_look(window, to);
    }
    if (c == TW_LOOK_MORE) {
        return TW_MATCH_MORE;
    }
    if (to == at || (c != ':' && c != '=')) {
        return TW_MATCH_NONE;
    }
    /* A URL is no key. */
    for (size_t i = 1; c == ':' && i <= 2; i++) {
        const int slash = tw_look(window, to + i);
        if (slash == TW_LOOK_MORE) {
            return TW_MATCH_MORE;
        }
        if (slash != '/') {
            return TW_MATCH_WHOLE;
        }
    }
    return tw_match_if(c != ':');
}

tw_match tw_gemma_call_word(const tw_window *window, const uint8_t *at)
{
    static const char word[] = TW_GEMMA_CALL_WORD;
    for (size_t i = 0; i < TW_GEMMA_CALL_WORD_SIZE; i++) {
        const int c = tw_look(window, at + i);
        if (c != word[i]) {
            return c == TW_LOOK_MORE ? TW_MATCH_MORE : TW_MATCH_NONE;
        }
    }
    return TW_MATCH_WHOLE;
}

tw_match tw_gemma_call_follows(const tw_gemma_call *call, const uint8_t *at)
{
    const tw_window *window = call->window;
    const tw_match word = tw_gemma_call_word(window, at);
    if (word != TW_MATCH_WHOLE) {
        return word;
    }
    const uint8_t *name =
        tw_behind_some_ws(at + TW_GEMMA_CALL_WORD_SIZE, window->limit);
    const uint8_t *end = name;
    int c;
    do {
        c = tw_look(window, end++);
    } while ((tw_is_gemma_word(c) || c == ':') && end - name <= NEAR);
    return c == TW_LOOK_MORE                          ? TW_MATCH_MORE
           : end - name > 1 && (c == '{' || c == '(') ? TW_MATCH_WHOLE
                                                      : TW_MATCH_NONE;
}

tw_gemma_follow tw_gemma_follows(tw_gemma_call *call, const uint8_t *at)
{
    const uint8_t *to = tw_gemma_ws(call, at);
    if (to - at > TW_HOLD_WS) {
        return TW_FOLLOW_FAR;
    }
    const int c = tw_look(call->window, to);
    if (c == TW_LOOK_MORE) {
        return TW_FOLLOW_WAIT;
    }
    if (c == TW_LOOK_END || c == ',' || tw_gemma_is_closer(call, c)) {
        return TW_FOLLOW_END;
    }
    if (c == '<') {
        size_t size;
        const tw_gemma_marker marker = tw_gemma_body_marker(call, to, &size);
        return marker == TW_GEMMA_MORE      ? TW_FOLLOW_WAIT
               : tw_gemma_ends_body(marker) ? TW_FOLLOW_END
                                            : TW_FOLLOW_NONE;
    }
    if (tw_gemma_in_array(call)) {
        return TW_FOLLOW_NONE;
    }
    const tw_match key = tw_gemma_word_key(call, to);
    return key == TW_MATCH_MORE    ? TW_FOLLOW_WAIT
           : key == TW_MATCH_WHOLE ? TW_FOLLOW_KEY
                                   : TW_FOLLOW_NONE;
}

/* The key that begins at |from| behind the comma; what a key cannot hold ends
 * the search. */
static tw_match key_byte(tw_gemma_call *call, const uint8_t *at,
                         const uint8_t *from, bool touching,
                         tw_gemma_reach reach)
{
    const int c = *at;
    if (c == ':' || (c == '=' && reach.equals)) {
        const bool longer = at > from + 1;
        const bool tight = at > from && !tw_is_ws(at[-1]);
        return tw_match_if(longer || tight);
    }
    if (tw_gemma_ends_key((uint8_t)c)) {
        return TW_MATCH_NONE;
    }
    if (reach.one_word && !touching &&
        !(at > from ? tw_is_gemma_word(c) : tw_gemma_starts_word(c))) {
        return TW_MATCH_NONE;
    }
    if (c == '<') {
        size_t size;
        const tw_gemma_marker marker = tw_gemma_marker_at(call, at, &size);
        if (marker == TW_GEMMA_DELIMITER || tw_gemma_ends_body(marker)) {
            return TW_MATCH_NONE;
        }
    }
    return TW_MATCH_MORE;
}

tw_match tw_gemma_comma_key(tw_gemma_call *call, const uint8_t *comma,
                            tw_gemma_reach reach, const uint8_t **separator,
                            bool *far)
{
    const tw_window *window = call->window;
    const uint8_t *from = tw_gemma_ws(call, comma + 1);
    const uint8_t *at = resume(call, &call->key, comma);
    if (at < from) {
        at = from;
    }
    *far = (size_t)(from - comma) > reach.near;
    if (*far) {
        return TW_MATCH_NONE;
    }
    for (; at < window->limit; at++) {
        if ((size_t)(at - comma) > reach.near) {
            *far = true;
            return TW_MATCH_NONE;
        }
        const tw_match answer =
            key_byte(call, at, from, from == comma + 1, reach);
        if (answer != TW_MATCH_MORE) {
            *separator = at;
            return answer;
        }
        size_t size;
        if (*at == '<' &&
            tw_gemma_marker_at(call, at, &size) == TW_GEMMA_MORE) {
            break;
        }
    }
    remember(call, &call->key, comma, at);
    return at == window->limit && window->eof ? TW_MATCH_NONE : TW_MATCH_MORE;
}

/* Between delimiters, and a separator behind them? */
static tw_match delimited_key(tw_gemma_call *call, const uint8_t *at)
{
    const tw_window *window = call->window;
    size_t size;
    for (const uint8_t *to = at + call->wire->delimiter_size;; to++) {
        if (to - at >= NEAR) {
            return TW_MATCH_NONE;
        }
        int c = tw_look(window, to);
        if (c < 0) {
            return c == TW_LOOK_MORE ? TW_MATCH_MORE : TW_MATCH_NONE;
        }
        const tw_gemma_marker marker =
            c == '<' ? tw_gemma_marker_at(call, to, &size) : TW_GEMMA_NONE;
        if (marker == TW_GEMMA_MORE) {
            return TW_MATCH_MORE;
        }
        if (marker == TW_GEMMA_DELIMITER) {
            /* The blanks behind the comma are still to be known. */
            const uint8_t *behind =
                behind_blanks(call, &call->key_blanks, to + size);
            if (behind - at > TW_HOLD_VALUE) {
                return TW_MATCH_NONE;
            }
            c = tw_look(window, behind);
            return c == TW_LOOK_MORE      ? TW_MATCH_MORE
                   : c == ':' || c == '=' ? TW_MATCH_WHOLE
                                          : TW_MATCH_NONE;
        }
    }
}

tw_match tw_gemma_ends_pair(tw_gemma_call *call, const uint8_t *comma,
                            bool scalar)
{
    const uint8_t *at = tw_gemma_ws(call, comma + 1);
    const int c = tw_look(call->window, at);
    if (c == TW_LOOK_MORE) {
        return TW_MATCH_MORE;
    }
    if (c == TW_LOOK_END || c == ',' || c == '"' || c == '\'' ||
        tw_gemma_is_closer(call, c)) {
        return TW_MATCH_WHOLE;
    }
    if (c == '<') {
        size_t size;
        const tw_gemma_marker marker = tw_gemma_body_marker(call, at, &size);
        if (marker == TW_GEMMA_MORE) {
            return TW_MATCH_MORE;
        }
        if (marker == TW_GEMMA_DELIMITER) {
            return scalar ? TW_MATCH_WHOLE : delimited_key(call, at);
        }
        if (tw_gemma_ends_body(marker)) {
            return TW_MATCH_WHOLE;
        }
    }
    const tw_gemma_reach reach = {scalar ? TW_HOLD_VALUE : NEAR, !scalar,
                                  scalar ||
                                      tw_gemma_top(call)->separator == '='};
    const uint8_t *separator;
    bool far;
    return tw_gemma_comma_key(call, comma, reach, &separator, &far);
}
