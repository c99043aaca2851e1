/* SPDX-License-Identifier: MIT
 *
 * The words that stand at a byte of a value, and what each is there.
 */
#include "formats/body/tagged/look.h"

#include <string.h>

#include "core/skip.h"

/* What the word is for the call and the value being read. */
static unsigned roles_of(const tw_tagged_body *body,
                         const tw_tagged_word *word)
{
    const tw_description *format = body->common.format;
    const size_t call = (size_t)(body->common.pattern - format->call.all);
    const size_t argument =
        body->argument != NULL
            ? (size_t)(body->argument - format->argument.all)
            : 0;
    unsigned roles = word->roles;
    const bool closes = body->argument != NULL
                            ? (word->values >> argument & 1) != 0
                            : word->values != 0;
    roles |= closes && !body->cdata ? tw_tagged_bit(TW_TAGGED_VALUE_CLOSE) : 0;
    roles |= (word->calls >> call & 1) != 0
                 ? tw_tagged_bit(TW_TAGGED_CALL_CLOSE)
                 : 0;
    roles |= (word->tails >> call & 1) != 0
                 ? tw_tagged_bit(TW_TAGGED_SECTION_CLOSE)
                 : 0;
    return roles;
}

static void see(tw_tagged_seen *seen, unsigned roles, size_t size)
{
    for (size_t role = 1; role < TW_TAGGED_ROLES && roles >> role != 0;
         role++) {
        if ((roles >> role & 1) != 0 && size > seen->size[role]) {
            seen->size[role] = (uint8_t)size;
        }
    }
}

tw_match tw_tagged_cdata_at(const tw_tagged_body *body, const uint8_t *at)
{
    return (body->common.format->quirks & TW_QUIRK_CDATA) != 0
               ? tw_text_at(body->common.call->window, at, TW_CDATA_OPEN,
                            strlen(TW_CDATA_OPEN))
               : TW_MATCH_NONE;
}

/* `]]>` and the value's close. */
static void see_cdata(const tw_tagged_body *body, const uint8_t *at,
                      tw_tagged_seen *seen)
{
    const tw_window *window = body->common.call->window;
    const tw_part *close =
        &body->argument->parts[tw_pattern_closer(body->argument)];
    const size_t front = strlen(TW_CDATA_CLOSE);
    tw_match found = tw_text_at(window, at, TW_CDATA_CLOSE, front);
    if (found == TW_MATCH_WHOLE) {
        found = tw_text_at(window, at + front, close->text, close->size);
    }
    if (found == TW_MATCH_WHOLE) {
        see(seen, tw_tagged_bit(TW_TAGGED_VALUE_CLOSE),
            (size_t)close->size + front);
    }
    seen->more |= found == TW_MATCH_MORE;
}

tw_tagged_seen tw_tagged_look(const tw_tagged_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const tw_tags *tags = body->common.format->tags;
    const bool two = window->limit - at > 1;
    tw_tagged_seen seen = {0};
    for (size_t i = tags->first[*at]; i > 0;) {
        const tw_tagged_word *word = &tags->words[i - 1];
        i = word->next;
        if (two && word->size > 1 && (uint8_t)word->text[1] != at[1] &&
            word->token != 1 && word->last != 1) {
            continue; /* as most do, which tw_mark_text_at() says, too */
        }
        bool cut;
        const size_t size =
            tw_mark_text_at(word->text, word->size, word->token, word->last,
                            at, window->limit, &cut);
        const unsigned roles = size > 0 || cut ? roles_of(body, word) : 0;
        if (roles == 0) {
            continue;
        }
        if (size > 0 && word->token > 0 &&
            tw_window_is_marked_text(window, at, word->token)) {
            continue;
        }
        if (size > 0) {
            see(&seen, roles, size);
        }
        seen.loose |= size > word->size &&
                      (roles & tw_tagged_bit(TW_TAGGED_VALUE_CLOSE)) != 0;
        if (cut && !window->eof) {
            seen.more = true;
            return seen;
        }
        seen.cut |= cut;
    }
    if (body->cdata && *at == ']') {
        see_cdata(body, at, &seen);
    }
    return seen;
}

tw_tagged_role tw_tagged_role_of(const tw_tagged_seen *seen)
{
    tw_tagged_role best = TW_TAGGED_NOTHING;
    for (size_t role = 1; role < TW_TAGGED_ROLES; role++) {
        if (seen->size[role] > seen->size[best]) {
            best = (tw_tagged_role)role;
        }
    }
    return best;
}
