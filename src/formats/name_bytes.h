/* SPDX-License-Identifier: MIT
 *
 * Of which bytes names are made.
 */
#ifndef TOOLWIRE_FORMATS_NAME_BYTES_H
#define TOOLWIRE_FORMATS_NAME_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/ascii.h"

/* A byte of one part of a name, of an attribute's or a suffix. */
static inline bool tw_is_inner_byte(uint8_t c)
{
    return tw_is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/* A byte of a tool's name. */
static inline bool tw_is_name_byte(uint8_t c)
{
    return tw_is_inner_byte(c) || c == ':' || c == '/';
}

/* A byte of a tool's name where a description has the name: tools are called
 * in other alphabets, too. */
static inline bool tw_is_bare_name_byte(uint8_t c)
{
    return c >= 0x80 || tw_is_name_byte(c);
}

static inline bool tw_is_plain_name(const uint8_t *name, size_t size)
{
    bool plain = size > 0;
    for (size_t i = 0; i < size && plain; i++) {
        plain = tw_is_bare_name_byte(name[i]);
    }
    return plain;
}

/* Quotes around a name are none of its bytes.  True: they are left out. */
static inline bool tw_name_unquote(const uint8_t **name, size_t *size)
{
    const uint8_t *from = *name;
    const size_t last = *size > 0 ? *size - 1 : 0;
    const bool quoted = last > 1 && (from[0] == '"' || from[0] == '\'') &&
                        from[last] == from[0] &&
                        tw_is_plain_name(from + 1, last - 1);
    *name += quoted;
    *size -= quoted ? 2 : 0;
    return quoted;
}

/* Gemma's names have no slash, begin with no dot, hyphen or colon, and end
 * with no colon. */
static inline bool tw_gemma_is_name(const char *text, size_t size)
{
    bool good = size > 0 && strchr(".-:", text[0]) == NULL;
    for (size_t i = 0; i < size && good; i++) {
        good = tw_is_bare_name_byte((uint8_t)text[i]) && text[i] != '/';
    }
    return good && text[size - 1] != ':';
}

/* How much of a name is its server's: what stands in front of its last dot. */
static inline size_t tw_name_server(const char *name, size_t size)
{
    while (size > 0 && name[size - 1] != '.') {
        size--;
    }
    return size > 0 ? size - 1 : 0;
}

#endif
