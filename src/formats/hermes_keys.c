/* SPDX-License-Identifier: MIT */
#include "formats/hermes_keys.h"

#include <string.h>

#include "core/skip.h"

static tw_hermes_key key_named(const char *name, size_t size)
{
    static const struct {
        const char *name;
        tw_hermes_key key;
    } keys[] = {{"name", TW_HERMES_KEY_NAME},
                {"function", TW_HERMES_KEY_FUNCTION},
                {"arguments", TW_HERMES_KEY_ARGUMENTS},
                {"parameters", TW_HERMES_KEY_PARAMETERS},
                {"id", TW_HERMES_KEY_ID},
                {"type", TW_HERMES_KEY_TYPE}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strlen(keys[i].name) == size &&
            memcmp(keys[i].name, name, size) == 0) {
            return keys[i].key;
        }
    }
    return TW_HERMES_KEY_OTHER;
}

tw_hermes_key tw_hermes_key_of(const char *word, size_t size, bool *capitals)
{
    char folded[TW_HERMES_KEY_LIMIT];
    *capitals = false;
    if (size > TW_HERMES_KEY_LIMIT) {
        return TW_HERMES_KEY_OTHER;
    }
    for (size_t i = 0; i < size; i++) {
        const bool capital = word[i] >= 'A' && word[i] <= 'Z';
        folded[i] = (char)(capital ? word[i] + 'a' - 'A' : word[i]);
        *capitals |= capital;
    }
    const tw_hermes_key key = key_named(folded, size);
    *capitals = *capitals && key != TW_HERMES_KEY_OTHER;
    return key;
}

/* Moves *at behind |word| and a blank. */
static bool skip_word(const uint8_t **at, const uint8_t *limit,
                      const char *word, size_t size)
{
    if ((size_t)(limit - *at) <= size || memcmp(*at, word, size) != 0) {
        return false;
    }
    *at += size;
    *at += **at == ' ';
    return true;
}

bool tw_hermes_find_canonical_head(const uint8_t *at, const uint8_t *limit,
                                   tw_hermes_canonical_head *head)
{
    at++;
    if (!skip_word(&at, limit, "\"name\":", 7) || at == limit || *at != '"') {
        return false;
    }
    head->name.data = (const char *)at + 1;
    at = tw_skip_string(at + 1, limit);
    head->name.size = (size_t)(at - (const uint8_t *)head->name.data);
    if (!skip_word(&at, limit, "\",", 2) ||
        !skip_word(&at, limit, "\"arguments\":", 12) || at == limit) {
        return false;
    }
    head->body = at;
    return *at == '{';
}
