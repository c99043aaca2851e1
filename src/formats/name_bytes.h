/* SPDX-License-Identifier: MIT
 *
 * Of which bytes names are made.
 */
#ifndef TOOLWIRE_FORMATS_NAME_BYTES_H
#define TOOLWIRE_FORMATS_NAME_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* A byte of a tool's name. */
static inline bool tw_is_name_byte(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

/* The same where a description has the name: tools are called in other
 * alphabets, too. */
static inline bool tw_is_bare_name_byte(uint8_t c)
{
    return c >= 0x80 || tw_is_name_byte(c);
}

#endif
