/* SPDX-License-Identifier: MIT
 *
 * The lexemes of JSON; grammar/json.re says what each looks like.
 */
#ifndef TOOLWIRE_JSON_SCAN_H
#define TOOLWIRE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tw_json_lexeme {
    TW_JSON_MORE,    /* not decided before |limit|; *at is where it was */
    TW_JSON_NOTHING, /* the end */
    TW_JSON_WS,
    TW_JSON_NONSTANDARD_WS,
    TW_JSON_BOM,
    TW_JSON_LITERAL_WS,
    TW_JSON_OPEN_OBJECT,
    TW_JSON_CLOSE_OBJECT,
    TW_JSON_OPEN_ARRAY,
    TW_JSON_CLOSE_ARRAY,
    TW_JSON_COMMA,
    TW_JSON_COLON,
    TW_JSON_QUOTE,
    TW_JSON_APOSTROPHE,
    TW_JSON_BOOLEAN,
    TW_JSON_NULL,
    TW_JSON_PYTHON_TRUE,
    TW_JSON_PYTHON_FALSE,
    TW_JSON_PYTHON_NONE,
    TW_JSON_NUMBER, /* *at is not moved */
    TW_JSON_LT,     /* *at is not moved */
    TW_JSON_OTHER,  /* *at is not moved */
    /* inside strings */
    TW_JSON_RUN,
    TW_JSON_ESCAPE,
    TW_JSON_UNICODE,
    TW_JSON_PAIR,
    TW_JSON_LONE,
    TW_JSON_BAD_ESCAPE,
    TW_JSON_ESCAPED_APOSTROPHE,
    TW_JSON_CONTROL,
    TW_JSON_ILL_FORMED
} tw_json_lexeme;

tw_json_lexeme tw_json_scan(const uint8_t **at, const uint8_t *limit,
                            bool eof);
tw_json_lexeme tw_json_scan_string(const uint8_t **at, const uint8_t *limit,
                                   bool eof);

#endif
