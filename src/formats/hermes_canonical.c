/* SPDX-License-Identifier: MIT */
#include "formats/hermes_canonical.h"

#include <string.h>

#include "core/skip.h"

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

bool tw_hermes_find_canonical_head(const tw_window *window,
                                   tw_hermes_canonical_head *head)
{
    const uint8_t *at = window->at + 1;
    const uint8_t *limit = window->limit;
    if (!skip_word(&at, limit, "\"name\":", 7) || at == limit || *at != '"') {
        return false;
    }
    head->name.data = (const char *)at + 1;
    at = tw_skip_string(at + 1, limit);
    head->name.size = (size_t)(at - (const uint8_t *)head->name.data);
    if (!skip_word(&at, limit, "\",", 2)) {
        return false;
    }
    head->arguments_key = at;
    if (!skip_word(&at, limit, "\"arguments\":", 12) || at == limit) {
        return false;
    }
    head->body = at;
    return *at == '{';
}
