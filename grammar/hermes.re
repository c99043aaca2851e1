/* SPDX-License-Identifier: MIT
 *
 * Hermes and Qwen.  A completion is
 *
 *     completion = [ reasoning ] *( text / call ) [ stop ]
 *     reasoning  = [ "<think>" LF ] text LF "</think>" LF LF
 *     call       = "<tool_call>" LF object LF "</tool_call>"
 *     object     = JSON object with "name" and "arguments", in any order
 *
 * for example
 *
 *     <tool_call>
 *     {"name": "wx", "arguments": {"city": "Oslo"}}
 *     </tool_call>
 *
 * The object is JSON, not XML: a close tag inside a string is text.
 */
#include "formats/markers.h"

/*!include:re2c "common.re" */

/* What tw_markers_scan() finds with this format's table. */
tw_found tw_hermes_scan(const tw_markers *markers, const uint8_t *at,
                        const uint8_t *limit, bool eof)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_found found = {0};
    (void)markers;
    /*!re2c
    !use:scanner;

    "<tool_call>"   { found.roles = TW_AT_CALL; goto whole; }
    "</tool_call>"  { found.roles = TW_AT_CALL_END; goto whole; }
    // Only the closing tag where the prompt has the opening one.
    "<think>"       { found.roles = TW_AT_REASONING; goto whole; }
    "</think>"      { found.roles = TW_AT_REASONING_END; goto whole; }
    // The stop tokens of ChatML (Qwen, Hermes) and of Llama 3 (rnj-1).
    "<|im_end|>" | "<|endoftext|>" | "<|eot_id|>"
                    { found.roles = TW_AT_STOP; found.token = 1; goto whole; }
    $               { goto whole; }
    *               { goto whole; }
    */
whole:
    if (starved && !eof) {
        found.roles = TW_AT_MORE;
    }
    found.size = (found.roles & TW_AT_MORE) != 0 || found.roles == 0
                     ? 0
                     : (uint16_t)(cursor - at);
    found.token = found.token > 0 ? (uint8_t)found.size : 0;
    return found;
}
