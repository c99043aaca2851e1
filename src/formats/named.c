/* SPDX-License-Identifier: MIT
 *
 * Names of declared tools in what is no call.
 */
#include "formats/named.h"

#include "formats/name_bytes.h"

/* A name's bytes; what stands behind the last of `.`, `:` and `/` may be the
 * name, too. */
static bool is_word(uint8_t c)
{
    return c >= 0x80 || tw_is_bare_name_byte(c) || c == ':' || c == '/';
}

static bool is_named(const tw_tools *tools, const uint8_t *word,
                     const uint8_t *end)
{
    while (end > word &&
           (end[-1] == ':' || end[-1] == '.' || end[-1] == '/')) {
        end--; /* `NAME: 5` */
    }
    bool found =
        tw_tools_find(tools, (const char *)word, (size_t)(end - word)) != NULL;
    for (const uint8_t *at = word; at < end && !found; at++) {
        found = (*at == '.' || *at == ':' || *at == '/') &&
                tw_tools_find(tools, (const char *)at + 1,
                              (size_t)(end - at - 1)) != NULL;
    }
    return found;
}

bool tw_names_tool(const tw_tools *tools, const uint8_t *at,
                       const uint8_t *to)
{
    bool found = false;
    while (at < to && !found) {
        const uint8_t *word = at;
        while (at < to && is_word(*at)) {
            at++;
        }
        found = at > word && is_named(tools, word, at);
        at += at == word;
    }
    return found;
}
