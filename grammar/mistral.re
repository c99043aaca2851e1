/* SPDX-License-Identifier: MIT
 *
 * Mistral from version 11 of its tokenizer on.  A completion is
 *
 *     completion = [ reasoning ] [ text ] *call [ "</s>" ]
 *     reasoning  = "[THINK]" text "[/THINK]"
 *     call       = "[TOOL_CALLS]" name [ "[CALL_ID]" id ] "[ARGS]" object
 *     name       = 1*( letter / digit / "_" / "-" / "." / ":" / "/" )
 *     id         = 9( letter / digit )
 *     object     = JSON object, which ends the call
 *
 * for example
 *
 *     [TOOL_CALLS]wx[CALL_ID]abcDEF123[ARGS]{"city": "Oslo"}</s>
 *
 * Version 13 has no ids.  Before version 11 a list of calls followed the first
 * marker: that is another format.
 */
#include "formats/mistral.h"

/*!include:re2c "common.re" */

/* The marker that begins at |at|, which is a `[` or a `<`. */
tw_mistral_marker tw_mistral_scan_marker(const uint8_t *at,
                                         const uint8_t *limit, bool eof,
                                         size_t *size)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_mistral_marker found;
    /*!re2c
    !use:scanner;

    "[TOOL_CALLS]"  { found = TW_MISTRAL_CALL; goto whole; }
    "[CALL_ID]"     { found = TW_MISTRAL_ID; goto whole; }
    "[ARGS]"        { found = TW_MISTRAL_ARGS; goto whole; }
    "[THINK]"       { found = TW_MISTRAL_THINK; goto whole; }
    "[/THINK]"      { found = TW_MISTRAL_THINK_END; goto whole; }
    "</s>"          { found = TW_MISTRAL_STOP; goto whole; }
    $               { found = TW_MISTRAL_NONE; goto whole; }
    *               { found = TW_MISTRAL_NONE; goto whole; }
    */
whole:
    if (starved && !eof) {
        return TW_MISTRAL_MORE;
    }
    *size = (size_t)(cursor - at);
    return found;
}
