/* SPDX-License-Identifier: MIT
 *
 * Where a value ends whose own close is missing (docs/rules.md G1): in front
 * of the next parameter, or of the call's close where that ends the output.
 * What quotes a call ends at its own close alone.
 */
#include "formats/body/elements/elements.h"

#include "core/skip.h"

tw_match tw_elements_bare_close_at(const tw_elements_body *body,
                                   const uint8_t *at, const uint8_t *limit)
{
    const tw_element *top = tw_element_top(body);
    const uint8_t *key = body->keys.data + top->key;
    size_t i = 0;
    for (; i < top->key_size + 3 && at + i < limit; i++) {
        const uint8_t c = i == 0                   ? '<'
                          : i == 1                 ? '/'
                          : i == top->key_size + 2 ? '>'
                                                   : key[i - 2];
        if (at[i] != c) {
            return TW_MATCH_NONE;
        }
    }
    return i == top->key_size + 3 ? TW_MATCH_WHOLE : TW_MATCH_MORE;
}

/* Does the text that is held have the value's close without a mark? */
static bool holds_close(const tw_elements_body *body)
{
    const uint8_t *limit = body->text.data + body->text.size;
    const uint8_t *at = body->text.data;
    while (at < limit &&
           tw_elements_bare_close_at(body, at, limit) != TW_MATCH_WHOLE) {
        at++;
    }
    return at < limit;
}

static tw_found marker_at(const tw_elements_body *body, const uint8_t *at)
{
    return tw_marker_at(body->common.marks, body->common.call->window, at);
}

tw_match tw_elements_call_at(const tw_elements_body *body)
{
    const tw_found found = marker_at(body, body->common.call->window->at);
    return found.roles == TW_AT_MORE
               ? TW_MATCH_MORE
               : tw_match_if((found.roles & (TW_AT_CALL | TW_AT_SECTION)) !=
                             0);
}

/* Is a parameter of the call due that the tag opens?  Of a tool that nobody
 * declared each is: the mark is no text. */
static bool is_due(const tw_elements_body *body, const tw_element_tag *tag)
{
    const char *key = (const char *)tag->key;
    return body->tool == NULL ||
           (tw_tools_parameter(body->common.call->sink->tools, body->tool, key,
                               tag->key_size) != NULL &&
            !tw_given_has(&body->given, key, tag->key_size));
}

/* Does nothing but what ends the output stand behind the call's close, which
 * ends at |at|? */
static tw_match whole_tail(const tw_elements_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    tw_found found = {.roles = TW_AT_SECTION_END};
    for (int i = 0; i < 2 && (found.roles & TW_AT_SECTION_END) != 0; i++) {
        at = tw_behind_some_ws(at + found.size, window->limit);
        if (at == window->limit) {
            return window->eof ? TW_MATCH_WHOLE : TW_MATCH_MORE;
        }
        found = marker_at(body, at);
    }
    return found.roles == TW_AT_MORE
               ? TW_MATCH_MORE
               : tw_match_if((found.roles & TW_AT_STOP) != 0);
}

tw_match tw_elements_end_value(tw_elements_body *body,
                               const tw_element_tag *tag)
{
    const tw_window *window = body->common.call->window;
    const tw_found found = marker_at(body, window->at);
    tw_match ends = TW_MATCH_NONE;
    if (found.roles == TW_AT_MORE) {
        return TW_MATCH_MORE;
    }
    if (body->mark_size > 0 && tw_elements_depth(body) == 2 &&
        body->nest == 0 && !body->doubt) {
        const bool closes = (found.roles & TW_AT_CALL_END) != 0;
        ends = closes ? whole_tail(body, window->at + found.size)
                      : tw_match_if(found.roles == 0 && !tag->close &&
                                    window->offset > body->text_at &&
                                    is_due(body, tag));
    }
    if (ends == TW_MATCH_WHOLE && holds_close(body)) {
        ends = TW_MATCH_NONE;
    }
    body->doubt |= ends == TW_MATCH_NONE && found.roles != 0;
    return ends;
}
