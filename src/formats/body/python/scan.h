/* SPDX-License-Identifier: MIT
 *
 * The lexemes of Python literals; grammar/python.re says what each looks like.
 */
#ifndef TOOLWIRE_FORMATS_BODY_PYTHON_SCAN_H
#define TOOLWIRE_FORMATS_BODY_PYTHON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tw_python_lexeme {
    TW_PYTHON_MORE, /* not decided before |limit|; *at is where it was */
    TW_PYTHON_END,
    TW_PYTHON_WS,
    TW_PYTHON_STRING,     /* up to behind its first quote */
    TW_PYTHON_TRIPLE,     /* the same of one in triple quotes */
    TW_PYTHON_NO_LITERAL, /* a string of another kind; *at is not moved */
    TW_PYTHON_OTHER,      /* *at is not moved */
    /* inside strings */
    TW_PYTHON_ESCAPE, /* of two bytes */
    TW_PYTHON_JOINED, /* a line end that is not there */
    TW_PYTHON_OCTAL,
    TW_PYTHON_HEX,
    TW_PYTHON_NAMED,
    TW_PYTHON_BAD_ESCAPE, /* *at is moved over the backslash */
    TW_PYTHON_BACKSLASH
} tw_python_lexeme;

tw_python_lexeme tw_python_scan(const uint8_t **at, const uint8_t *limit,
                                bool eof);
tw_python_lexeme tw_python_scan_escape(const uint8_t **at,
                                       const uint8_t *limit, bool eof);

/* Moves over white space; what stands behind it is not moved over. */
static inline tw_python_lexeme tw_python_skip(const uint8_t **at,
                                              const uint8_t *limit, bool eof)
{
    for (;;) {
        const uint8_t *behind = *at;
        const tw_python_lexeme lexeme = tw_python_scan(&behind, limit, eof);
        if (lexeme != TW_PYTHON_WS) {
            return lexeme;
        }
        *at = behind;
    }
}

#endif
