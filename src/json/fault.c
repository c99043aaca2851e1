/* SPDX-License-Identifier: MIT
 *
 * What stands where reading stopped.
 */
#include "json/fault.h"

#include <string.h>

#include "core/bytes.h"
#include "core/skip.h"
#include "core/utf8.h"

/* Does a comma stand in front of the closer where reading stopped? */
static bool is_behind_comma(const char *json, size_t offset)
{
    const bool closer = json[offset] == '}' || json[offset] == ']';
    while (closer && offset > 0 && tw_is_ws(json[offset - 1])) {
        offset--;
    }
    return closer && offset > 0 && json[offset - 1] == ',';
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
            if (tw_bytes_begin(at, left, words[i])) {
                return TW_SLIP_WORD;
            }
        }
    }
    return json[offset] == '\''               ? TW_SLIP_QUOTE
           : is_behind_comma(json, offset)    ? TW_SLIP_COMMA
           : (unsigned char)json[offset] < 32 ? TW_SLIP_CONTROL
                                              : TW_SLIP_OTHER;
}
