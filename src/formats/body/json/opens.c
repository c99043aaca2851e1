/* SPDX-License-Identifier: MIT
 *
 * Does a call's JSON begin here?  Behind a marker a bracket says so; behind
 * plain text, or behind nothing, keys must.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/body/json/state.h"

typedef struct peeker {
    const tw_call_keys *keys;
    const uint8_t *at, *limit;
    tw_body_opens at_limit; /* what is there to say where |limit| ends it */
} peeker;

static peeker peek_from(const tw_body *common, const uint8_t *at)
{
    const tw_window *window = common->call->window;
    const bool far = window->limit - at > TW_HOLD_HEAD;
    const peeker peek = {&((const tw_json_body *)common)->keys, at,
                         far ? at + TW_HOLD_HEAD : window->limit,
                         far           ? TW_BODY_IS_NONE
                         : window->eof ? TW_BODY_IS_CUT
                                       : TW_BODY_IS_MORE};
    return peek;
}

static tw_body_opens skip_byte(peeker *peek, uint8_t c)
{
    peek->at = tw_behind_ws(peek->at, peek->limit);
    if (peek->at == peek->limit) {
        return peek->at_limit;
    }
    if (*peek->at != c) {
        return TW_BODY_IS_NONE;
    }
    peek->at++;
    return TW_BODY_IS_HERE;
}

/* A string, of which *word is what stands in its quotes. */
static tw_body_opens skip_string(peeker *peek, tw_name *word)
{
    peek->at = tw_behind_ws(peek->at, peek->limit);
    if (peek->at == peek->limit) {
        return peek->at_limit;
    }
    const uint8_t quote = *peek->at;
    if (quote != '"' && quote != '\'') {
        return TW_BODY_IS_NONE;
    }
    const uint8_t *at = peek->at + 1;
    word->data = (const char *)at;
    while (at < peek->limit && *at != quote) {
        at += *at == '\\' ? 2 : 1;
    }
    if (at >= peek->limit) {
        return peek->at_limit;
    }
    word->size = (size_t)(at - (const uint8_t *)word->data);
    peek->at = at + 1;
    return TW_BODY_IS_HERE;
}

static tw_call_key key_of(const peeker *peek, tw_name word)
{
    bool capitals;
    const tw_call_key key =
        tw_call_key_of(peek->keys, word.data, word.size, &capitals);
    return capitals || key == TW_KEY_INPUT ? TW_KEY_OTHER
           : key == TW_KEY_PARAMETERS      ? TW_KEY_ARGUMENTS
                                           : key;
}

/* KEY `:`, of a call. */
static tw_body_opens skip_key(peeker *peek, tw_call_key *key)
{
    tw_name word;
    tw_body_opens found = skip_string(peek, &word);
    if (found != TW_BODY_IS_HERE) {
        return found;
    }
    *key = key_of(peek, word);
    found = skip_byte(peek, ':');
    return found == TW_BODY_IS_HERE && *key == TW_KEY_OTHER ? TW_BODY_IS_NONE
                                                            : found;
}

/* `{` and a call's key; |whole|: up to the arguments key, strings under the
 * others, a name among them.  OpenAI's object may stand under "function". */
static tw_body_opens skip_head(peeker *peek, bool whole)
{
    tw_call_key key = TW_KEY_OTHER;
    bool named = false, wrapped = false;
    tw_body_opens found = skip_byte(peek, '{');
    while (found == TW_BODY_IS_HERE) {
        tw_name value;
        found = skip_key(peek, &key);
        if (found != TW_BODY_IS_HERE || !whole) {
            break;
        }
        if (key == TW_KEY_ARGUMENTS) {
            found = named ? found : TW_BODY_IS_NONE;
            break;
        }
        if (key == TW_KEY_FUNCTION && !wrapped) {
            const peeker before = *peek;
            found = skip_byte(peek, '{');
            wrapped = found == TW_BODY_IS_HERE;
            if (found != TW_BODY_IS_NONE) {
                named = false; /* a name beside the object is no call's */
                continue;
            }
            *peek = before;
        }
        named |= key == TW_KEY_NAME || key == TW_KEY_FUNCTION;
        found = skip_string(peek, &value);
        found = found == TW_BODY_IS_HERE ? skip_byte(peek, ',') : found;
    }
    return found;
}

/* Does free text stand behind this name, unless an object does? */
static bool names_text(const tw_description *format, const tw_body_head *head)
{
    return format->raw_name[0] != 0 && head->name != NULL &&
           head->name_size == strlen(format->raw_name) &&
           memcmp(head->name, format->raw_name, head->name_size) == 0;
}

/* `{` NAME `:` `{`, where the key is the name. */
static tw_body_opens skip_keyed(peeker *peek)
{
    tw_name name;
    tw_body_opens found = skip_byte(peek, '{');
    found = found == TW_BODY_IS_HERE ? skip_string(peek, &name) : found;
    found = found == TW_BODY_IS_HERE ? skip_byte(peek, ':') : found;
    return found == TW_BODY_IS_HERE ? skip_byte(peek, '{') : found;
}

/* `"` |word| `"`, as far as it is in view. */
static tw_body_opens skip_word(peeker *peek, const char *word, size_t size)
{
    const tw_body_opens quote = skip_byte(peek, '"');
    const size_t left = (size_t)(peek->limit - peek->at);
    if (quote != TW_BODY_IS_HERE ||
        memcmp(peek->at, word, left < size ? left : size) != 0) {
        return quote == TW_BODY_IS_HERE ? TW_BODY_IS_NONE : quote;
    }
    peek->at += left < size ? left : size;
    if (peek->at == peek->limit) {
        return peek->at_limit;
    }
    return *peek->at++ == '"' ? TW_BODY_IS_HERE : TW_BODY_IS_NONE;
}

tw_body_opens tw_json_envelope_at(const tw_body *common, tw_name name,
                                  const uint8_t *at)
{
    static const char *const keys[] = {"arguments", "parameters"};
    const tw_tools *tools = common->call->sink->tools;
    const tw_tool *tool = tw_tools_find(tools, name.data, name.size);
    peeker peek = peek_from(common, at);
    tw_body_opens found =
        name.size > 0 ? skip_byte(&peek, '{') : TW_BODY_IS_NONE;
    found = found == TW_BODY_IS_HERE ? skip_word(&peek, "name", 4) : found;
    found = found == TW_BODY_IS_HERE ? skip_byte(&peek, ':') : found;
    found = found == TW_BODY_IS_HERE ? skip_word(&peek, name.data, name.size)
                                     : found;
    found = found == TW_BODY_IS_HERE ? skip_byte(&peek, ',') : found;
    const peeker behind = peek;
    tw_body_opens best = found == TW_BODY_IS_HERE ? TW_BODY_IS_NONE : found;
    for (size_t i = 0; i < 2 && found == TW_BODY_IS_HERE; i++) {
        const size_t size = strlen(keys[i]);
        peek = behind;
        tw_body_opens key = skip_word(&peek, keys[i], size);
        key = key == TW_BODY_IS_HERE ? skip_byte(&peek, ':') : key;
        if (tw_tools_parameter(tools, tool, keys[i], size) == NULL) {
            best = key > best ? key : best;
        }
    }
    return best;
}

tw_body_opens tw_json_body_opens(const tw_body *common,
                                 const tw_body_head *head, const uint8_t *at)
{
    const uint8_t hole = tw_pattern_hole(head->pattern)->kind;
    const uint8_t *limit = common->call->window->limit;
    peeker peek = peek_from(common, at);
    const bool list = at < limit && *at == '[';
    const bool bracket = list || (at < limit && *at == '{');
    if (hole == TW_PATTERN_JSON_ARGUMENTS &&
        common->format->argument.count > 0) { /* in place of tags */
        const tw_name name = {(const char *)head->name, head->name_size};
        const bool here = at < limit && *at == '{' && head->name_size > 0;
        return at == limit && common->call->window->eof ? TW_BODY_IS_NONE
               : at == limit                            ? peek.at_limit
               : !here                                  ? TW_BODY_IS_NONE
               : tw_json_envelope_at(common, name, at) == TW_BODY_IS_MORE
                   ? TW_BODY_IS_MORE
                   : TW_BODY_IS_HERE;
    }
    if (tw_json_is_bare(hole) && !tw_pattern_is_marked(head->pattern)) {
        const bool here = names_text(common->format, head)
                              ? bracket && !list
                              : bracket || (at < limit && *at == '"');
        return here          ? TW_BODY_IS_HERE
               : at == limit ? peek.at_limit
                             : TW_BODY_IS_NONE;
    }
    if (tw_json_is_bare(hole)) {
        return TW_BODY_IS_HERE;
    }
    if (at == limit) {
        return peek.at_limit;
    }
    if (head->proof == TW_PROOF_NONE) {
        return bracket ? TW_BODY_IS_HERE : TW_BODY_IS_NONE;
    }
    if (!list && hole != TW_PATTERN_OBJECT && hole != TW_PATTERN_LIST_LINES) {
        return TW_BODY_IS_NONE;
    }
    peek.at += list;
    return hole == TW_PATTERN_KEYED
               ? skip_keyed(&peek)
               : skip_head(&peek, head->proof == TW_PROOF_HEAD);
}

tw_body_opens tw_json_body_follows(const tw_json_body *body, const uint8_t *at)
{
    peeker peek = peek_from(&body->common, at);
    return skip_head(&peek, true);
}
