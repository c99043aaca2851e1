/* SPDX-License-Identifier: MIT
 *
 * The lexemes of a template: its text, with what white-space control takes
 * away taken, and what stands in its tags.
 */
#ifndef TOOLWIRE_TEMPLATE_LEX_H
#define TOOLWIRE_TEMPLATE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tw_lexeme {
    TW_LEX_END,
    TW_LEX_TEXT,
    TW_LEX_PRINT, /* `{{` */
    TW_LEX_PRINT_END,
    TW_LEX_BLOCK, /* `{%` */
    TW_LEX_BLOCK_END,
    TW_LEX_NAME,
    TW_LEX_STRING,
    TW_LEX_INTEGER,
    TW_LEX_FLOAT,
    TW_LEX_ADD,
    TW_LEX_SUBTRACT,
    TW_LEX_MULTIPLY,
    TW_LEX_DIVIDE,
    TW_LEX_FLOOR_DIVIDE,
    TW_LEX_MODULO,
    TW_LEX_POWER,
    TW_LEX_TILDE,
    TW_LEX_LEFT_BRACKET,
    TW_LEX_RIGHT_BRACKET,
    TW_LEX_LEFT_PAREN,
    TW_LEX_RIGHT_PAREN,
    TW_LEX_LEFT_BRACE,
    TW_LEX_RIGHT_BRACE,
    TW_LEX_EQUAL,
    TW_LEX_NOT_EQUAL,
    TW_LEX_LESS,
    TW_LEX_LESS_EQUAL,
    TW_LEX_GREATER,
    TW_LEX_GREATER_EQUAL,
    TW_LEX_ASSIGN,
    TW_LEX_DOT,
    TW_LEX_COLON,
    TW_LEX_PIPE,
    TW_LEX_COMMA,
    TW_LEX_SEMICOLON,
    TW_LEX_WRONG
} tw_lexeme;

typedef struct tw_token {
    tw_lexeme type;
    const char *at; /* in the source */
    size_t size;
    uint32_t line; /* from 1 */
    uint32_t column;
} tw_token;

enum { TW_LEX_BRACKETS = 200 };

/* The fault of a character that begins no lexeme. */
#define TW_LEX_CHARACTER "unexpected char "
/* The fault of a bracket that is not due. */
#define TW_LEX_BRACKET "unexpected '"

typedef struct tw_lexer {
    const char *source; /* its line ends are `\n`, behind it a NUL */
    const char *limit;
    const char *at;
    uint32_t line; /* of |counted| */
    const char *line_start;
    const char *counted;
    tw_lexeme inside;              /* PRINT, BLOCK, or END: in text */
    bool line_starts;              /* what came last ended in a line feed */
    char closers[TW_LEX_BRACKETS]; /* of what is open in the tag */
    size_t open;
    const char *fault; /* what is wrong; NULL: nothing */
    char expected;     /* a bracket that should stand there, or 0 */
} tw_lexer;

void tw_lexer_init(tw_lexer *lexer, const char *source, size_t size);
/* The next one; WRONG: see |fault|. */
tw_token tw_lexer_next(tw_lexer *lexer);

/* One lexeme of a tag; moves |*at| behind it. */
tw_lexeme tw_jinja_scan(const uint8_t **at, const uint8_t *limit);
/* `raw` or `endraw` between a `{%` and a `%}`; |*at|, behind the `{%`, is
 * moved behind all of it.  false: it is not there. */
bool tw_jinja_scan_raw(const uint8_t **at, const uint8_t *limit);
bool tw_jinja_scan_endraw(const uint8_t **at, const uint8_t *limit);

#endif
