/* SPDX-License-Identifier: MIT
 *
 * What all grammars share.
 *
 * A scanner is a pure function: it reads one lexeme of [*at, limit), moves
 * *at behind it and says what it was.  It never reads at or past |limit|.
 * The end of the window is re2c's end of input ($): where a longer match
 * might have followed, |starved| is set, and the rule decides whether it must
 * ask for more.  No rule matches a lexeme without a bound but runs, which may
 * be cut anywhere.
 */
/*!rules:re2c:scanner
    re2c:api = custom;
    re2c:api:style = free-form;
    re2c:define:YYCTYPE = "uint8_t";
    re2c:define:YYPEEK = "(cursor < limit ? *cursor : 0)";
    re2c:define:YYSKIP = "++cursor;";
    re2c:define:YYBACKUP = "marker = cursor;";
    re2c:define:YYRESTORE = "cursor = marker;";
    re2c:define:YYLESSTHAN = "cursor >= limit";
    re2c:define:YYFILL = "!(starved = true)";
    re2c:eof = 0;
    re2c:indent:string = "    ";

    blank = [ \t\r\n];
    digit = [0-9];
    hex = [0-9a-fA-F];

    // Well-formed UTF-8 beyond ASCII: Unicode 15, table 3-7.
    tail = [\x80-\xBF];
    utf8_2 = [\xC2-\xDF] tail;
    utf8_3 = [\xE0] [\xA0-\xBF] tail | [\xE1-\xEC\xEE\xEF] tail tail
           | [\xED] [\x80-\x9F] tail;
    utf8_4 = [\xF0] [\x90-\xBF] tail tail | [\xF1-\xF3] tail tail tail
           | [\xF4] [\x80-\x8F] tail tail;
    utf8 = utf8_2 | utf8_3 | utf8_4;
    // Maximal ill-formed subparts: each becomes one U+FFFD.
    ill_formed = [\x80-\xFF]
           | [\xE0] [\xA0-\xBF] | [\xE1-\xEC\xEE\xEF] tail | [\xED] [\x80-\x9F]
           | [\xF0] [\x90-\xBF] tail? | [\xF1-\xF3] tail tail?
           | [\xF4] [\x80-\x8F] tail?;
*/
