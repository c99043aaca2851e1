/* SPDX-License-Identifier: MIT
 *
 * What stands in the tags of a chat template.
 */
#include "template/language/lex.h"

/*!include:re2c "common.re" */

tw_lexeme tw_jinja_scan(const uint8_t **at, const uint8_t *limit)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    tw_lexeme lexeme;
    /*!re2c
    !use:scanner;

    number = (digit+ "_")* digit+;
    letter = [A-Za-z_] | [\x80-\xFF];

    letter (letter | digit)*
                        { lexeme = TW_LEX_NAME; goto end; }
    "'" ([^'\\\x00] | "\\" [^\x00])* "'" | "\"" ([^"\\\x00] | "\\" [^\x00])* "\""
                        { lexeme = TW_LEX_STRING; goto end; }
    number (("." number)? 'e' [+-]? number | "." number)
                        { lexeme = TW_LEX_FLOAT; goto end; }
    '0b' ("_"? [01])+ | '0o' ("_"? [0-7])+ | '0x' ("_"? hex)+
    | [1-9] ("_"? digit)* | "0" ("_"? "0")*
                        { lexeme = TW_LEX_INTEGER; goto end; }
    "+"                 { lexeme = TW_LEX_ADD; goto end; }
    "-"                 { lexeme = TW_LEX_SUBTRACT; goto end; }
    "*"                 { lexeme = TW_LEX_MULTIPLY; goto end; }
    "/"                 { lexeme = TW_LEX_DIVIDE; goto end; }
    "//"                { lexeme = TW_LEX_FLOOR_DIVIDE; goto end; }
    "%"                 { lexeme = TW_LEX_MODULO; goto end; }
    "**"                { lexeme = TW_LEX_POWER; goto end; }
    "~"                 { lexeme = TW_LEX_TILDE; goto end; }
    "["                 { lexeme = TW_LEX_LEFT_BRACKET; goto end; }
    "]"                 { lexeme = TW_LEX_RIGHT_BRACKET; goto end; }
    "("                 { lexeme = TW_LEX_LEFT_PAREN; goto end; }
    ")"                 { lexeme = TW_LEX_RIGHT_PAREN; goto end; }
    "{"                 { lexeme = TW_LEX_LEFT_BRACE; goto end; }
    "}"                 { lexeme = TW_LEX_RIGHT_BRACE; goto end; }
    "=="                { lexeme = TW_LEX_EQUAL; goto end; }
    "!="                { lexeme = TW_LEX_NOT_EQUAL; goto end; }
    "<"                 { lexeme = TW_LEX_LESS; goto end; }
    "<="                { lexeme = TW_LEX_LESS_EQUAL; goto end; }
    ">"                 { lexeme = TW_LEX_GREATER; goto end; }
    ">="                { lexeme = TW_LEX_GREATER_EQUAL; goto end; }
    "="                 { lexeme = TW_LEX_ASSIGN; goto end; }
    "."                 { lexeme = TW_LEX_DOT; goto end; }
    ":"                 { lexeme = TW_LEX_COLON; goto end; }
    "|"                 { lexeme = TW_LEX_PIPE; goto end; }
    ","                 { lexeme = TW_LEX_COMMA; goto end; }
    ";"                 { lexeme = TW_LEX_SEMICOLON; goto end; }
    $                   { return TW_LEX_END; }
    *                   { return TW_LEX_WRONG; }
    */
end: /* the limit is the end of the template: nothing can follow */
    (void)starved;
    *at = cursor;
    return lexeme;
}

bool tw_jinja_scan_raw(const uint8_t **at, const uint8_t *limit)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    /*!re2c
    !use:scanner;

    [-+]? [ \t\r\n\f\v]* "raw" [ \t\r\n\f\v]* "-"? "%}"
                        { (void)starved; *at = cursor; return true; }
    $                   { return false; }
    *                   { return false; }
    */
}

bool tw_jinja_scan_endraw(const uint8_t **at, const uint8_t *limit)
{
    const uint8_t *cursor = *at;
    const uint8_t *marker = cursor;
    bool starved = false;
    /*!re2c
    !use:scanner;

    [-+]? [ \t\r\n\f\v]* "endraw" [ \t\r\n\f\v]*
    ([-+] "%}" | "%}" "\n"?)
                        { (void)starved; *at = cursor; return true; }
    $                   { return false; }
    *                   { return false; }
    */
}
