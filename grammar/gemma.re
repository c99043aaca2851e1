/* SPDX-License-Identifier: MIT
 *
 * Gemma 4.  A completion is
 *
 *     output = ["<|turn>model" LF] *( thought / text / call ) [stop]
 *     thought = "<|channel>" ["thought" LF] *byte "<channel|>"
 *     call    = "<|tool_call>" "call:" NAME object "<tool_call|>"
 *     object  = "{" [ pair *("," pair) ] "}"        pair = KEY ":" value
 *     value   = STRING / number / "true" / "false" / "null" / array / object
 *     STRING  = <|"|> *byte <|"|>                   ; no escapes of any kind
 *
 * for example
 *
 *     <|tool_call>call:wx{city:<|"|>Oslo<|"|>,days:2}<tool_call|>
 */
#include <stdbool.h>

#include "formats/body/gemma/scalar.h"

/*!include:re2c "common.re" */

tw_gemma_scalar tw_gemma_scan_scalar(const uint8_t *at, const uint8_t *limit)
{
    const uint8_t *cursor = at;
    const uint8_t *marker = at;
    bool starved = false;
    tw_gemma_scalar found;
    /*!re2c
    !use:scanner;

    int = "-"? ("0" | [1-9] digit*);
    number = int ("." digit+)? ([eE] [-+]? digit+)?;

    number                  { found = TW_GEMMA_NUMBER; goto whole; }
    "true"                  { found = TW_GEMMA_TRUE; goto whole; }
    "false"                 { found = TW_GEMMA_FALSE; goto whole; }
    "null"                  { found = TW_GEMMA_NULL; goto whole; }
    // Deviations: older templates themselves wrote `None`.
    "True"                  { found = TW_GEMMA_PYTHON_TRUE; goto whole; }
    "False"                 { found = TW_GEMMA_PYTHON_FALSE; goto whole; }
    "None" | "nil" | "NULL" { found = TW_GEMMA_PYTHON_NULL; goto whole; }
    $                       { return TW_GEMMA_NO_SCALAR; }
    *                       { return TW_GEMMA_NO_SCALAR; }
    */
whole:
    (void)starved;
    return cursor == limit ? found : TW_GEMMA_NO_SCALAR;
}
