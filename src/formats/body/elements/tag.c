/* SPDX-License-Identifier: MIT
 *
 * The tags of elements: `X<KEY>` and `X</KEY>`.
 */
#include "formats/body/elements/elements.h"

#include <string.h>

static bool is_key_byte(uint8_t c)
{
    return c != 0 && strchr("<>\r\n", c) == NULL;
}

bool tw_element_is_key(const char *key, size_t size)
{
    bool good = size > 0 && size <= TW_OPENING_KEY && key[0] != '/';
    for (size_t i = 0; good && i < size; i++) {
        good = is_key_byte((uint8_t)key[i]);
    }
    return good;
}

/* The mark, which is no token where the caller said that there is text. */
static tw_match mark_at(const tw_elements_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const size_t left = (size_t)(window->limit - at);
    const size_t size = body->mark_size < left ? body->mark_size : left;
    const tw_match found =
        tw_text_at(window, at, body->mark, body->mark_size);
    return found != TW_MATCH_NONE && size > 0 &&
                   tw_window_is_marked_text(window, at, size)
               ? TW_MATCH_NONE
               : found;
}

tw_element_tag tw_element_tag_at(const tw_elements_body *body,
                                 const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const tw_match over = window->eof ? TW_MATCH_CUT : TW_MATCH_MORE;
    tw_element_tag tag = {.found = mark_at(body, at)};
    if (tag.found != TW_MATCH_WHOLE) {
        return tag;
    }
    const uint8_t *to = at + body->mark_size;
    tag.marked = body->mark_size > 0;
    tag.found = to == window->limit ? over
                : *to == '<'        ? TW_MATCH_WHOLE
                                    : TW_MATCH_NONE;
    if (tag.found != TW_MATCH_WHOLE) {
        return tag;
    }
    to++;
    tag.close = to < window->limit && *to == '/';
    to += tag.close;
    tag.key = to;
    while (to < window->limit && to - tag.key <= TW_OPENING_KEY &&
           is_key_byte(*to)) {
        to++;
    }
    tag.key_size = (size_t)(to - tag.key);
    tag.size = (size_t)(to + 1 - at);
    if (tag.key_size > TW_OPENING_KEY) {
        tag.found = TW_MATCH_NONE;
    } else if (to == window->limit) {
        tag.found = over;
    } else if (*to != '>' ||
               !tw_element_is_key((const char *)tag.key, tag.key_size)) {
        tag.found = TW_MATCH_NONE;
    }
    return tag;
}

bool tw_element_is_named(const tw_elements_body *body, const tw_element *one,
                         const tw_element_tag *tag)
{
    return one->key_size == tag->key_size &&
           memcmp(body->keys.data + one->key, tag->key, tag->key_size) == 0;
}
