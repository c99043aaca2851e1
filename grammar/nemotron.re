/* SPDX-License-Identifier: MIT
 *
 * Nemotron: what Hermes writes one by one stands in one list.  A completion is
 *
 *     completion = [ reasoning ] [ text LF LF ] [ calls ] LF [ stop ]
 *     reasoning  = [ "<think>" LF ] text LF "</think>" LF LF
 *     calls      = "<TOOLCALL>[" object *( ", " object ) "]</TOOLCALL>"
 *     object     = JSON object with "name" and "arguments"
 *
 * for example
 *
 *     <TOOLCALL>[{"name": "wx", "arguments": {"city": "Oslo"}}]</TOOLCALL>
 */
#include "formats/nemotron.h"

/*!include:re2c "common.re" */

/* The tag that begins at |at|, which is a `<`. */
tw_hermes_tag tw_nemotron_scan_tag(const uint8_t *at, const uint8_t *limit,
                                   bool eof, size_t *size)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_hermes_tag found;
    /*!re2c
    !use:scanner;

    "<TOOLCALL>"    { found = TW_HERMES_CALL; goto whole; }
    "</TOOLCALL>"   { found = TW_HERMES_CALL_END; goto whole; }
    // Only the closing tag where the prompt has the opening one.
    "<think>"       { found = TW_HERMES_THINK; goto whole; }
    "</think>"      { found = TW_HERMES_THINK_END; goto whole; }
    // The stop tokens of Nemotron Nano 2 and of those made from Llama 3.
    "<SPECIAL_12>" | "<|eot_id|>"
                    { found = TW_HERMES_STOP; goto whole; }
    $               { found = TW_HERMES_NONE; goto whole; }
    *               { found = TW_HERMES_NONE; goto whole; }
    */
whole:
    if (starved && !eof) {
        return TW_HERMES_MORE;
    }
    *size = (size_t)(cursor - at);
    return found;
}
