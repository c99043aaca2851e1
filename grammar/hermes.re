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
#include "formats/hermes.h"

/*!include:re2c "common.re" */

/* The tag that begins at |at|, which is a `<`. */
tw_hermes_tag tw_hermes_scan_tag(const uint8_t *at, const uint8_t *limit,
                                 bool eof, size_t *size)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_hermes_tag found;
    /*!re2c
    !use:scanner;

    "<tool_call>"   { found = TW_HERMES_CALL; goto whole; }
    "</tool_call>"  { found = TW_HERMES_CALL_END; goto whole; }
    // Only the closing tag where the prompt has the opening one.
    "<think>"       { found = TW_HERMES_THINK; goto whole; }
    "</think>"      { found = TW_HERMES_THINK_END; goto whole; }
    // The stop tokens of ChatML (Qwen, Hermes) and of Llama 3 (rnj-1).
    "<|im_end|>" | "<|endoftext|>" | "<|eot_id|>"
                    { found = TW_HERMES_STOP; goto whole; }
    // Deviation: the body of another family in the same tag.  Qwen3-Coder:
    // <function=f> <parameter=k> v </parameter> </function>
    "<function="    { found = TW_HERMES_FUNCTION; goto whole; }
    // GLM: f <arg_key>k</arg_key> <arg_value>v</arg_value>
    "<arg_key>"     { found = TW_HERMES_ARG_KEY; goto whole; }
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

/* Behind `<tool_call>`: a blank that JSON does not know. */
tw_hermes_odd tw_hermes_scan_odd(const uint8_t *at, const uint8_t *limit,
                                 bool eof, size_t *size)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_hermes_odd found;
    /*!re2c
    !use:scanner;

    "\xEF\xBB\xBF"  { found = TW_HERMES_BOM; goto whole; }
    "\xC2\xA0" | "\xE2\x80\x8B" | "\xE2\x80\xA8" | "\xE2\x80\xA9"
    | "\xE2\x80\xAF" | "\xE2\x81\xA0" | "\xE3\x80\x80"
                    { found = TW_HERMES_ODD; goto whole; }
    $               { found = TW_HERMES_NOT_ODD; goto whole; }
    *               { found = TW_HERMES_NOT_ODD; goto whole; }
    */
whole:
    if (starved && !eof) {
        return TW_HERMES_ODD_MORE;
    }
    *size = (size_t)(cursor - at);
    return found;
}
