/* SPDX-License-Identifier: MIT
 *
 * Python literals as Python 3 reads them: what stands between tokens, how a
 * string begins, and what its escapes are.
 */
#include "formats/body/python/scan.h"

/*!include:re2c "common.re" */

/* Between tokens. */
tw_python_lexeme tw_python_scan(const uint8_t **at, const uint8_t *limit,
                                bool eof)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    tw_python_lexeme lexeme;
    /*!re2c
    !use:scanner;

    // A run; may be cut anywhere.  Inside brackets a line feed is a blank.
    (blank | "\f")+     { lexeme = TW_PYTHON_WS; goto run; }
    // Deviation: blanks of other alphabets.  VT, U+0085, U+00A0, U+200B,
    // U+2028, U+2029, U+3000; and the byte order mark.
    "\x0B" | "\xC2\x85" | "\xC2\xA0" | "\xE2\x80\x8B" | "\xE2\x80\xA8"
    | "\xE2\x80\xA9" | "\xE3\x80\x80" | "\xEF\xBB\xBF"
                        { lexeme = TW_PYTHON_WS; goto whole; }
    // Explicit line joining.
    "\\\n"              { lexeme = TW_PYTHON_WS; goto whole; }

    // Raw strings, and those whose prefix means nothing since Python 3.
    [rRuU]? ["']        { lexeme = TW_PYTHON_STRING; goto whole; }
    [rRuU]? ("\"\"\"" | "'''")
                        { lexeme = TW_PYTHON_TRIPLE; goto whole; }
    // Bytes, and strings that are evaluated.
    ([bBfFtT] [rR]? | [rR] [bBfFtT]) ["']
                        { lexeme = TW_PYTHON_NO_LITERAL; goto first; }
    $                   { return eof ? TW_PYTHON_END : TW_PYTHON_MORE; }
    *                   { lexeme = TW_PYTHON_OTHER; goto first; }
    */
first: /* not moved over */
    return starved && !eof ? TW_PYTHON_MORE : lexeme;
whole:
    if (starved && !eof) {
        return TW_PYTHON_MORE;
    }
run:
    *at = cursor;
    return lexeme;
}

/* A backslash inside a string that is not raw, and what it means. */
tw_python_lexeme tw_python_scan_escape(const uint8_t **at,
                                       const uint8_t *limit, bool eof)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    tw_python_lexeme lexeme;
    /*!re2c
    !use:scanner;

    "\\" [\\'"abfnrtv]  { lexeme = TW_PYTHON_ESCAPE; goto whole; }
    "\\" ("\n" | "\r" | "\r\n")
                        { lexeme = TW_PYTHON_JOINED; goto whole; }
    "\\" [0-7]{1,3}     { lexeme = TW_PYTHON_OCTAL; goto whole; }
    "\\x" hex{2} | "\\u" hex{4} | "\\U" hex{8}
                        { lexeme = TW_PYTHON_HEX; goto whole; }
    // A character by its name: the table of names is not here.
    "\\N{"              { lexeme = TW_PYTHON_NAMED; goto whole; }
    // Deviation: digits are missing.
    "\\" [xuUN]         { lexeme = TW_PYTHON_BAD_ESCAPE; goto slash; }
    // No escape, so the backslash stays, as in "\d".
    "\\"                { lexeme = TW_PYTHON_BACKSLASH; goto slash; }
    $                   { return eof ? TW_PYTHON_END : TW_PYTHON_MORE; }
    *                   { lexeme = TW_PYTHON_OTHER; goto slash; }
    */
slash: /* the backslash alone */
    cursor = *at + 1;
whole:
    if (starved && !eof) {
        return TW_PYTHON_MORE;
    }
    *at = cursor;
    return lexeme;
}
