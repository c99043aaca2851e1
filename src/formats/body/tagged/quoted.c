/* SPDX-License-Identifier: MIT
 *
 * What would end a value, inside a string of a container: it is data if the
 * string is closed behind it, as JSON closes one.
 */
#include "core/skip.h"
#include "formats/body/tagged/quoted.h"

/* May this stand behind a string in a container? */
static bool follows_string(uint8_t c)
{
    return c == ',' || c == ':' || c == '}' || c == ']';
}

/* Reads on to where it shows, at most as far as |limit|. */
static void look_on(tw_tagged_string *look, uint8_t quote,
                    const uint8_t *from, const uint8_t *limit)
{
    const uint8_t *at = from;
    for (; at < limit && !look->known; at++) {
        if (look->closed && !tw_is_ws(*at)) {
            look->known = true;
            look->quoted = follows_string(*at);
        }
        look->closed |= !look->escaped && *at == quote;
        look->escaped = !look->escaped && *at == '\\';
    }
    look->seen += (uint64_t)(at - from);
}

tw_match tw_tagged_is_quoted(tw_tagged_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const uint64_t begin = tw_window_offset(window, at);
    tw_tagged_string *look = &body->string;
    const uint8_t quote = tw_typed_in_string(&body->value);
    if (tw_window_is_control(window, at)) {
        return TW_MATCH_NONE;
    }
    if (begin >= look->seen) {
        *look = (tw_tagged_string){.seen = begin};
    }
    const size_t size = (size_t)(window->limit - at);
    const bool far = size > TW_HOLD_DELIMITER;
    look_on(look, quote, at + (look->seen - begin),
            far ? at + TW_HOLD_DELIMITER : window->limit);
    if (look->known) {
        return look->quoted ? TW_MATCH_WHOLE : TW_MATCH_NONE;
    }
    return far           ? TW_MATCH_WHOLE
           : window->eof ? TW_MATCH_NONE
                         : TW_MATCH_MORE;
}
