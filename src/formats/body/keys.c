/* SPDX-License-Identifier: MIT
 *
 * A call object's keys in any spelling, and the templates' head in one look.
 */
#include "formats/body/keys.h"

#include <string.h>

#include "core/skip.h"

static bool is_in(const char *const *words, const char *word, size_t size)
{
    for (; *words != NULL; words++) {
        if (strlen(*words) == size && memcmp(*words, word, size) == 0) {
            return true;
        }
    }
    return false;
}

static tw_call_key common_key(const char *word, size_t size)
{
    static const struct {
        const char *name;
        tw_call_key key;
    } keys[] = {{"name", TW_KEY_NAME},
                {"function", TW_KEY_FUNCTION},
                {"arguments", TW_KEY_PARAMETERS},
                {"parameters", TW_KEY_PARAMETERS},
                {"args", TW_KEY_INPUT},
                {"argument", TW_KEY_INPUT},
                {"input", TW_KEY_INPUT},
                {"parameter", TW_KEY_INPUT},
                {"params", TW_KEY_INPUT},
                {"id", TW_KEY_CALL_ID},
                {"type", TW_KEY_TYPE}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strlen(keys[i].name) == size &&
            memcmp(keys[i].name, word, size) == 0) {
            return keys[i].key;
        }
    }
    return TW_KEY_OTHER;
}

static tw_call_key key_named(const tw_call_keys *keys, const char *word,
                             size_t size)
{
    return is_in(keys->name, word, size)        ? TW_KEY_NAME
           : is_in(keys->arguments, word, size) ? TW_KEY_ARGUMENTS
           : is_in(keys->id, word, size)        ? TW_KEY_CALL_ID
                                                : common_key(word, size);
}

bool tw_call_key_names(const tw_call_keys *keys, const char *word, size_t size)
{
    return is_in(keys->name, word, size);
}

tw_call_key tw_call_key_of(const tw_call_keys *keys, const char *word,
                           size_t size, bool *capitals)
{
    char folded[TW_KEY_LIMIT];
    *capitals = false;
    if (size > TW_KEY_LIMIT) {
        return TW_KEY_OTHER;
    }
    const tw_call_key exact = key_named(keys, word, size);
    if (exact != TW_KEY_OTHER) {
        return exact;
    }
    for (size_t i = 0; i < size; i++) {
        folded[i] = tw_lower(word[i]);
        *capitals |= folded[i] != word[i];
    }
    const tw_call_key key = key_named(keys, folded, size);
    *capitals = *capitals && key != TW_KEY_OTHER;
    return key;
}

/* Moves *at behind `"KEY":` and a blank. */
static bool skip_key(const uint8_t **at, const uint8_t *limit, const char *key,
                     size_t size)
{
    const uint8_t *from = *at;
    if ((size_t)(limit - from) <= size + 3 || from[0] != '"' ||
        memcmp(from + 1, key, size) != 0 || from[size + 1] != '"' ||
        from[size + 2] != ':') {
        return false;
    }
    *at += size + 3;
    *at += **at == ' ';
    return true;
}

bool tw_find_canonical_head(const tw_call_keys *keys, const uint8_t *at,
                            const uint8_t *limit, tw_canonical_head *head)
{
    at++;
    if (!skip_key(&at, limit, keys->name[0], keys->name_size) || at == limit ||
        *at != '"') {
        return false;
    }
    head->name.data = (const char *)at + 1;
    at = tw_skip_string(at + 1, limit);
    head->name.size = (size_t)(at - (const uint8_t *)head->name.data);
    if (limit - at < 3 || at[0] != '"' || at[1] != ',') {
        return false;
    }
    at += at[2] == ' ' ? 3 : 2;
    if (!skip_key(&at, limit, keys->arguments[0], keys->arguments_size) ||
        at == limit) {
        return false;
    }
    head->body = at;
    return *at == '{';
}
