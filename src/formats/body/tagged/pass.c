/* SPDX-License-Identifier: MIT
 *
 * Text of a value between tags in bulk: up to where a word of the format may
 * begin, in JSON's escapes where it needs some.
 */
#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"
#include "events/sink.h"
#include "formats/body/tagged/look.h"
#include "json/write.h"

/* What is written at once; so much and its escapes are held. */
enum { RUN_SIZE = 4096 };

/* Does no word go on with |next| behind |c|, with which some begin, nor the
 * tag of a parameter (D4)? */
static bool goes_on_in_no_word(const tw_tagged_body *body, uint8_t c,
                               uint8_t next)
{
    const tw_tags *tags = body->common.format->tags;
    bool none = tw_is_ws(next) || tw_is_digit(next) || next == '=';
    for (size_t i = tags->first[c]; i > 0 && none;
         i = tags->words[i - 1].next) {
        const tw_tagged_word *word = &tags->words[i - 1];
        none = word->size > 1 && (uint8_t)word->text[1] != next &&
               word->token != 1 && word->last != 1;
    }
    return none;
}

/* A line's end, or a byte with which a word may begin, is text where the next
 * byte shows that. */
static bool is_text(const tw_tagged_body *body, const uint8_t *at,
                    const uint8_t *limit)
{
    return limit - at > 1 && *at != '\r' &&
           (*at == '\n' ? !tw_tagged_may_begin(body, at[1])
                        : goes_on_in_no_word(body, *at, at[1]));
}

/* Where text of the |plain| kinds ends, or where a word may begin in it. */
static const uint8_t *behind_text(const tw_tagged_body *body,
                                  const uint8_t *at, const uint8_t *limit,
                                  tw_plain plain)
{
    const uint8_t *first = body->common.format->tags->first;
    const uint8_t *to = at;
    for (size_t size = TW_UTF8_REACH; at == to && at < limit; size *= 2) {
        to = tw_utf8_reach(at, limit, size);
        const uint8_t *end = tw_skip_well_formed(at, to, plain);
        while (at < end && ((first[*at] == 0 && *at != '\n' && *at != '\r') ||
                            is_text(body, at, limit))) {
            at++;
        }
    }
    return at;
}

/* The text in front of |to| as JSON has it; false: no memory. */
static bool write(tw_tagged_body *body, const uint8_t *to,
                  tw_advanced *advanced)
{
    tw_open_call *call = body->common.call;
    const uint8_t *at = call->window->at;
    body->text.size = 0;
    if (!tw_json_write_text(&body->text, call->memory, (const char *)at,
                            (size_t)(to - at))) {
        tw_open_call_no_memory(call);
        return false;
    }
    advanced->data = body->text.data;
    advanced->size = body->text.size;
    return true;
}

const uint8_t *tw_tagged_pass(tw_tagged_body *body, tw_advanced *advanced)
{
    const tw_body *common = &body->common;
    const tw_open_call *call = common->call;
    const uint8_t *at = call->window->at;
    const uint8_t *limit = call->window->limit;
    const uint64_t left = tw_sink_arguments_left(call->sink);
    if (!tw_typed_is_text(&body->value) || body->cdata ||
        tw_tagged_has_entities(body)) {
        return at;
    }
    const uint8_t *end = behind_text(
        body, at, left < (uint64_t)(limit - at) ? at + left : limit,
        TW_PLAIN_STRING);
    /* Whatever its escapes are, so much is within the limit. */
    const uint64_t fits = left / TW_JSON_ESCAPE_SIZE;
    const size_t most = fits < RUN_SIZE ? (size_t)fits : RUN_SIZE;
    const uint8_t *to =
        behind_text(body, end, (size_t)(limit - at) > most ? at + most : limit,
                    TW_PLAIN_ASCII);
    if (to > end && write(body, to, advanced)) {
        end = to;
    }
    body->line = end == at ? body->line : end[-1] == '\n';
    advanced->type = TW_EVENT_CALL_ARGUMENTS;
    advanced->index = call->index;
    advanced->run_class = end == limit && common->format->tags->prose
                              ? TW_PLAIN_STRING | TW_PLAIN_PROSE
                              : 0;
    return end;
}
