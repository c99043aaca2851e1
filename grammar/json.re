/* SPDX-License-Identifier: MIT
 *
 * JSON as RFC 8259 has it, and beside each rule the deviation that models
 * write in its place (DESIGN R14).
 */
#include "json/scan.h"

/*!include:re2c "common.re" */

/* Between tokens. */
tw_json_lexeme tw_json_scan(const uint8_t **at, const uint8_t *limit,
                            bool eof)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    tw_json_lexeme lexeme;
    /*!re2c
    !use:scanner;

    // RFC 8259, 2: insignificant white space.  A run; may be cut anywhere.
    blank+             { lexeme = TW_JSON_WS; goto run; }
    // Deviation: blanks of other alphabets.  VT, FF, U+00A0, U+200B, U+2028,
    // U+2029, U+202F, U+2060, U+3000; and the byte order mark.
    "\x0B" | "\x0C" | "\xC2\xA0" | "\xE2\x80\x8B" | "\xE2\x80\xA8"
    | "\xE2\x80\xA9" | "\xE2\x80\xAF" | "\xE2\x81\xA0" | "\xE3\x80\x80"
                       { lexeme = TW_JSON_NONSTANDARD_WS; goto whole; }
    "\xEF\xBB\xBF"     { lexeme = TW_JSON_BOM; goto whole; }
    // Deviation: the two characters `\n` where a line feed was meant.
    "\\" [nrt]         { lexeme = TW_JSON_LITERAL_WS; goto whole; }

    "{"                { lexeme = TW_JSON_OPEN_OBJECT; goto whole; }
    "}"                { lexeme = TW_JSON_CLOSE_OBJECT; goto whole; }
    "["                { lexeme = TW_JSON_OPEN_ARRAY; goto whole; }
    "]"                { lexeme = TW_JSON_CLOSE_ARRAY; goto whole; }
    ","                { lexeme = TW_JSON_COMMA; goto whole; }
    ":"                { lexeme = TW_JSON_COLON; goto whole; }
    "\""               { lexeme = TW_JSON_QUOTE; goto whole; }
    // Deviation: strings in apostrophes, as Python writes them.
    "'"                { lexeme = TW_JSON_APOSTROPHE; goto whole; }
    "true" | "false"   { lexeme = TW_JSON_BOOLEAN; goto whole; }
    "null"             { lexeme = TW_JSON_NULL; goto whole; }
    // Deviation: Python's spelling.
    "True"             { lexeme = TW_JSON_PYTHON_TRUE; goto whole; }
    "False"            { lexeme = TW_JSON_PYTHON_FALSE; goto whole; }
    "None"             { lexeme = TW_JSON_PYTHON_NONE; goto whole; }
    // A number has no bound: only its first byte is read here, the rest by
    // tw_json_number().
    [-0-9]             { lexeme = TW_JSON_NUMBER; goto first; }
    // Never JSON: where markers may stand, it begins one.
    "<"                { lexeme = TW_JSON_LT; goto first; }
    $                  { return eof ? TW_JSON_NOTHING : TW_JSON_MORE; }
    *                  { lexeme = TW_JSON_OTHER; goto first; }
    */
first: /* not moved over: it belongs to somebody else, or is half a lexeme */
    if (starved) {
        return eof ? TW_JSON_NOTHING : TW_JSON_MORE;
    }
    return lexeme;
whole:
    if (starved) {
        return eof ? TW_JSON_NOTHING : TW_JSON_MORE;
    }
run:
    *at = cursor;
    return lexeme;
}

/* Inside a string, in quotes or in apostrophes. */
tw_json_lexeme tw_json_scan_string(const uint8_t **at, const uint8_t *limit,
                                   bool eof)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    tw_json_lexeme lexeme;
    /*!re2c
    !use:scanner;

    // RFC 8259, 7: unescaped.  A run; may be cut between code points.
    ([^"'\\\x00-\x1F\x80-\xFF] | utf8)+
                            { lexeme = TW_JSON_RUN; goto run; }
    "\""                    { lexeme = TW_JSON_QUOTE; goto whole; }
    "'"                     { lexeme = TW_JSON_APOSTROPHE; goto whole; }
    "\\" ["\\/bfnrt]        { lexeme = TW_JSON_ESCAPE; goto whole; }
    "\\u" [dD] [89a-fA-F] hex{2}
                            { lexeme = TW_JSON_LONE; goto whole; }
    "\\u" hex{4}            { lexeme = TW_JSON_UNICODE; goto whole; }
    // The halves of a pair leave together: "\ud83d\ude00".
    "\\u" [dD] [89abAB] hex{2} "\\u" [dD] [c-fC-F] hex{2}
                            { lexeme = TW_JSON_PAIR; goto whole; }
    // Deviation: a backslash that begins no escape, as in "C:\dir".
    "\\"                    { lexeme = TW_JSON_BAD_ESCAPE; goto whole; }
    "\\'"                   { lexeme = TW_JSON_ESCAPED_APOSTROPHE;
                              goto whole; }
    // Deviation: a raw line feed or another control character.
    [\x00-\x1F]             { lexeme = TW_JSON_CONTROL; goto whole; }
    ill_formed              { lexeme = TW_JSON_ILL_FORMED; goto whole; }
    $                       { return eof ? TW_JSON_NOTHING : TW_JSON_MORE; }
    *                       { lexeme = TW_JSON_ILL_FORMED; goto whole; }
    */
whole:
    if (starved) {
        return eof ? TW_JSON_NOTHING : TW_JSON_MORE;
    }
run:
    *at = cursor;
    return lexeme;
}
