/* SPDX-License-Identifier: MIT
 *
 * Tokens in heads: no text has one, so that it ends what a head holds.
 */
#include "formats/frame/head/reader.h"

#include <string.h>

#include "core/skip.h"

tw_match tw_head_token_at(const tw_head_reader *reader, const uint8_t *at,
                          size_t *size)
{
    const tw_window *window = reader->window;
    const char *const *tokens = reader->state->description->tokens;
    tw_match best = TW_MATCH_NONE;
    for (; *tokens != NULL && best != TW_MATCH_WHOLE; tokens++) {
        if (at < window->limit && *at != (uint8_t) * *tokens) {
            continue; /* as nearly all do */
        }
        const tw_match found =
            tw_text_at(window, at, *tokens, strlen(*tokens));
        if (found == TW_MATCH_MORE ||
            (found == TW_MATCH_WHOLE &&
             !tw_window_is_marked_text(window, at, strlen(*tokens)))) {
            best = found;
            *size = strlen(*tokens);
        }
    }
    return best;
}

/* Does the tag hold the name alone? */
static bool has_only_name(const tw_pattern *pattern, size_t part,
                          const char *front)
{
    return *front == ' ' && front[strlen(front) - 1] == '"' &&
           strchr(front, '=') == front + strlen(front) - 2 &&
           pattern->parts[part + 1].kind == TW_PATTERN_NAME &&
           strcmp(pattern->parts[part + 2].text, "\">") == 0;
}

tw_match tw_head_cut_tag(const tw_head_reader *reader,
                         const tw_pattern *pattern, size_t part,
                         const uint8_t *at, tw_tag *tag)
{
    const tw_window *window = reader->window;
    const char *front =
        pattern->parts[part].text + pattern->parts[part].marker;
    const size_t front_size = strlen(front);
    const uint8_t *from = at + front_size;
    tw_match found = TW_MATCH_NONE;
    size_t size = 0;
    if (!has_only_name(pattern, part, front) ||
        tw_text_at(window, at, front, front_size) != TW_MATCH_WHOLE) {
        return TW_MATCH_NONE;
    }
    at = from;
    while (at < window->limit && at - from <= TW_HOLD_HEAD &&
           memchr("\">\n", *at, 3) == NULL && found == TW_MATCH_NONE) {
        found = tw_head_token_at(reader, at, &size);
        at += found == TW_MATCH_NONE;
    }
    if (found != TW_MATCH_WHOLE || at == from) {
        return found == TW_MATCH_MORE ? found : TW_MATCH_NONE;
    }
    tag->holes[0].kind = TW_PATTERN_NAME;
    tag->holes[0].text = (tw_piece){from, (size_t)(at - from)};
    tag->count = 1;
    tag->code = TW_DIAGNOSTIC_NAME_REPAIRED;
    tag->closed = false;
    tag->part = part + 2;
    while (found == TW_MATCH_WHOLE) {
        at += size;
        found = tw_head_token_at(reader, at, &size);
    }
    const tw_match end = tw_part_at(window, at, &pattern->parts[part + 2]);
    tag->end = at + (end == TW_MATCH_WHOLE ? pattern->parts[part + 2].size : 0);
    return found == TW_MATCH_MORE || end == TW_MATCH_MORE ? TW_MATCH_MORE
                                                          : TW_MATCH_WHOLE;
}
