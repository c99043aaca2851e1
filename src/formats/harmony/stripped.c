/* SPDX-License-Identifier: MIT
 *
 * Where an engine has stripped all markers: a header is told from text by its
 * words alone (TW_OPTION_RECOVER_STRIPPED).
 */
#include <string.h>

#include "formats/harmony/state.h"

/* Glued to its body: "analysisThe user", but not "analysis of". */
static tw_verdict behind_stripped(tw_slice body, tw_channel channel, bool bare)
{
    if (tw_slice_may_be(body, " to=")) {
        return TW_SLICE_SIZE(body) == 4 ? TW_VERDICT_YES : TW_VERDICT_WAIT;
    }
    const bool lower = *body.from >= 'a' && *body.from <= 'z';
    return tw_slice_is_space(*body.from) ||
                   (bare && channel == TW_CHANNEL_FINAL && lower)
               ? TW_VERDICT_NO
               : TW_VERDICT_BODY;
}

tw_verdict tw_harmony_stripped_start(tw_slice text, size_t *used,
                                     tw_channel *channel)
{
    tw_slice rest = tw_slice_strip_front(text);
    *channel = TW_CHANNEL_NONE;
    if (tw_slice_may_be(rest, "assistant")) {
        return TW_VERDICT_WAIT;
    }
    const bool bare = !tw_slice_begins(rest, "assistant");
    if (!bare) {
        rest = tw_slice_behind(rest, 9);
    }
    *used = (size_t)(rest.from - text.from);
    for (int i = TW_CHANNEL_ANALYSIS; i <= TW_CHANNEL_FINAL; i++) {
        if (tw_slice_may_be(rest, tw_channel_name((tw_channel)i))) {
            return TW_VERDICT_WAIT;
        }
        if (tw_slice_begins(rest, tw_channel_name((tw_channel)i))) {
            const size_t size = strlen(tw_channel_name((tw_channel)i));
            const tw_verdict verdict = behind_stripped(
                tw_slice_behind(rest, size), (tw_channel)i, bare);
            if (verdict == TW_VERDICT_BODY) {
                *used += size;
                *channel = (tw_channel)i;
            }
            return verdict;
        }
    }
    const tw_slice low = tw_slice_strip_front(rest);
    if (tw_slice_may_be(low, "to=")) {
        return TW_SLICE_SIZE(low) == 3 ? TW_VERDICT_YES : TW_VERDICT_WAIT;
    }
    return TW_VERDICT_NO;
}

static tw_verdict stripped_header(tw_slice text)
{
    size_t used;
    tw_channel channel;
    if (TW_SLICE_SIZE(text) < 9 || !tw_slice_begins(text, "assistant")) {
        return tw_slice_may_be(text, "assistant") ? TW_VERDICT_WAIT
                                                  : TW_VERDICT_NO;
    }
    return tw_harmony_stripped_start(text, &used, &channel);
}

const uint8_t *tw_harmony_find_stripped(const uint8_t *at, const uint8_t *to,
                                        tw_verdict *verdict)
{
    while (at < to) {
        at = memchr(at, 'a', (size_t)(to - at));
        if (at == NULL) {
            break;
        }
        for (const uint8_t *end = at + 1;; end++) {
            const tw_slice text = {at, end};
            *verdict = stripped_header(text);
            if (end - at > TW_HARMONY_STRIPPED_LIMIT) {
                *verdict = TW_VERDICT_NO;
            }
            if (*verdict != TW_VERDICT_WAIT || end == to) {
                break;
            }
        }
        if (*verdict != TW_VERDICT_NO) {
            return at;
        }
        at++;
    }
    *verdict = TW_VERDICT_NO;
    return to;
}
