/* SPDX-License-Identifier: MIT
 *
 * What stands where reading stopped.
 */
#include "json/fault.h"

#include <string.h>

#include "core/utf8.h"

static bool begins(const char *at, size_t size, const char *word)
{
    const size_t length = strlen(word);
    return size >= length && memcmp(at, word, length) == 0;
}

tw_json_slip tw_json_find_slip(const char *json, size_t size, size_t offset)
{
    static const char *const words[] = {"NaN",   "Infinity", "-Infinity",
                                        "nan",   "None",     "True",
                                        "False", "undefined"};
    if (size > 0 && !tw_utf8_is_valid(json, size)) {
        return TW_SLIP_UTF8;
    }
    if (offset >= size) {
        return TW_SLIP_CUT;
    }
    /* Some words are known as such only at their second letter. */
    for (size_t back = 0; back < 2 && back <= offset; back++) {
        const char *at = json + offset - back;
        const size_t left = size - offset + back;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (begins(at, left, words[i])) {
                return TW_SLIP_WORD;
            }
        }
    }
    return json[offset] == '\'' ? TW_SLIP_QUOTE : TW_SLIP_OTHER;
}
