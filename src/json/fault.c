/* SPDX-License-Identifier: MIT
 *
 * What stands where reading stopped.
 */
#include "json/fault.h"

#include <string.h>

#include "core/bytes.h"
#include "core/skip.h"
#include "core/utf8.h"

typedef enum tw_json_slip {
    TW_SLIP_OTHER,
    TW_SLIP_UTF8,    /* it is not UTF-8 */
    TW_SLIP_QUOTE,   /* an apostrophe stands for a quote */
    TW_SLIP_WORD,    /* a number or a word of Python's or JavaScript's */
    TW_SLIP_COMMA,   /* a comma stands in front of a closer */
    TW_SLIP_CONTROL, /* a control character stands in a string as it is */
    TW_SLIP_CUT      /* it ends too early */
} tw_json_slip;

/* Does a comma stand in front of the closer where reading stopped? */
static bool is_behind_comma(const char *json, size_t offset)
{
    const bool closer = json[offset] == '}' || json[offset] == ']';
    while (closer && offset > 0 && tw_is_ws(json[offset - 1])) {
        offset--;
    }
    return closer && offset > 0 && json[offset - 1] == ',';
}

/* |offset| is where reading stopped. */
static tw_json_slip find_slip(const char *json, size_t size, size_t offset)
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

const char *tw_no_json(tw_tree *tree, const char *record, size_t size)
{
    const uint64_t offset = tree->offset;
    const tw_json_slip slip = find_slip(record, size, (size_t)offset);
    const bool whole =
        slip == TW_SLIP_OTHER &&
        tw_tree_read(tree, record, (size_t)offset, false) == TW_OK;
    tree->offset = offset;
    if (whole) {
        return "the record is not JSON: text stands behind its value";
    }
    static const char *const texts[] = {
        [TW_SLIP_OTHER] = "the record is not JSON",
        [TW_SLIP_UTF8] = "the record is not JSON: its bytes are not UTF-8",
        [TW_SLIP_QUOTE] = "the record is not JSON: strings stand in double "
                          "quotes, not in apostrophes",
        [TW_SLIP_WORD] = "the record is not JSON, which has null, true and "
                         "false, and no NaN and Infinity",
        [TW_SLIP_COMMA] =
            "the record is not JSON, which has no comma in front "
            "of a closing bracket",
        [TW_SLIP_CONTROL] = "the record is not JSON: a control character is "
                            "to be escaped, such as \\n and \\u0000",
        [TW_SLIP_CUT] = "the record is not JSON: it ends too early"};
    return texts[slip];
}
