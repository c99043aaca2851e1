/* SPDX-License-Identifier: MIT
 *
 * Harmony's markers.  formats/harmony/harmony.h opens with the grammar that
 * they stand in.
 */
#include "formats/harmony/harmony.h"

/*!include:re2c "common.re" */

/* The marker that begins at |at|, which is a `<`.  There are seven; anything
 * else in angle brackets is text. */
tw_harmony_marker tw_harmony_scan_marker(const uint8_t *at,
                                         const uint8_t *limit, bool eof,
                                         size_t *size)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_harmony_marker found;
    /*!re2c
    !use:scanner;

    "<|start|>"     { found = TW_HARMONY_START; goto whole; }
    "<|channel|>"   { found = TW_HARMONY_CHANNEL; goto whole; }
    "<|constrain|>" { found = TW_HARMONY_CONSTRAIN; goto whole; }
    "<|message|>"   { found = TW_HARMONY_MESSAGE; goto whole; }
    "<|end|>"       { found = TW_HARMONY_END; goto whole; }
    // The model stops at these two.
    "<|call|>"      { found = TW_HARMONY_CALL; goto whole; }
    "<|return|>"    { found = TW_HARMONY_RETURN; goto whole; }
    $               { found = TW_HARMONY_NONE; goto whole; }
    *               { found = TW_HARMONY_NONE; goto whole; }
    */
whole:
    if (starved && !eof) {
        return TW_HARMONY_MORE;
    }
    *size = (size_t)(cursor - at);
    return found;
}
