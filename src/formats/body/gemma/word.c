/* SPDX-License-Identifier: MIT
 *
 * The classes of bytes, which the steps, the fast ways and the writer share.
 */
#include "formats/body/gemma/word.h"

#include <string.h>

/* clang-format off */
const uint8_t tw_gemma_kinds[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 1, 0, 0, /* 0x00 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 0x10 */
    1, 0, 8, 0, 0, 0, 0, 8, 8, 9, 0, 0, 8, 2, 2, 0, /* 0x20 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 8, 0, 0, 8, 0, 0, /* 0x30 */
    0, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x40 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 0, 9, 0, 6, /* 0x50 */
    8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x60 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 0, 9, 0, 0, /* 0x70 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x80 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x90 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xA0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xB0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xC0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xD0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xE0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xF0 */
};
/* clang-format on */

bool tw_gemma_is_name(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint8_t c = (uint8_t)text[i];
        if (!tw_is_gemma_word(c) && c != ':') {
            return false;
        }
    }
    return size > 0 && strchr(".-:", text[0]) == NULL && text[size - 1] != ':';
}
