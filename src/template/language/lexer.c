/* SPDX-License-Identifier: MIT
 *
 * Jinja's white-space control, as transformers sets it: `trim_blocks` takes
 * the line feed behind a block or comment, `lstrip_blocks` the blanks in front
 * of one that begins its line; a `-` takes all white space on its side, a `+`
 * keeps it.
 */
#include "template/language/lex.h"

#include <string.h>

#include "template/values/string.h"
#include "template/values/unicode.h"

void tw_lexer_init(tw_lexer *lexer, const char *source, size_t size)
{
    memset(lexer, 0, sizeof *lexer);
    lexer->source = source;
    lexer->limit = source + size;
    lexer->at = source;
    lexer->counted = source;
    lexer->line_start = source;
    lexer->line = 1;
    lexer->line_starts = true;
}

/* White space is what Python's \s and strip() take. */
static const char *behind_space(const char *at, const char *limit)
{
    size_t size;
    while (at < limit && tw_point_is_space(tw_point_at(at, limit, &size))) {
        at += size;
    }
    return at;
}

/* The beginning of the white space that ends at |end|; |line|: of that line
 * alone. */
static const char *before_space(const char *from, const char *end, bool line)
{
    size_t size;
    while (end > from) {
        const char *at = end - 1;
        while (at > from && ((uint8_t)*at & 0xC0) == 0x80) {
            at--;
        }
        if (!tw_point_is_space(tw_point_at(at, end, &size)) ||
            (line && *at == '\n')) {
            break;
        }
        end = at;
    }
    return end;
}

static tw_token token_at(tw_lexer *lexer, tw_lexeme type, const char *at,
                         size_t size)
{
    const char *next;
    while (lexer->counted < at &&
           (next = memchr(lexer->counted, '\n',
                          (size_t)(at - lexer->counted))) != NULL) {
        lexer->line++;
        lexer->counted = next + 1;
        lexer->line_start = next + 1;
    }
    lexer->counted = at;
    return (tw_token){type, at, size, lexer->line,
                      (uint32_t)(at - lexer->line_start) + 1};
}

static tw_token wrong(tw_lexer *lexer, const char *at, const char *fault)
{
    lexer->fault = fault;
    lexer->at = lexer->limit;
    return token_at(lexer, TW_LEX_WRONG, at, 0);
}

static bool stands(const tw_lexer *lexer, const char *at, const char *word)
{
    const size_t size = strlen(word);
    return (size_t)(lexer->limit - at) >= size && memcmp(at, word, size) == 0;
}

/* ---- text --------------------------------------------------------------- */

/* The `{` of the next tag, or the limit. */
static const char *next_tag(const tw_lexer *lexer)
{
    const char *at = lexer->at;
    while ((at = memchr(at, '{', (size_t)(lexer->limit - at))) != NULL) {
        if (at + 1 < lexer->limit &&
            (at[1] == '{' || at[1] == '%' || at[1] == '#')) {
            return at;
        }
        at++;
    }
    return lexer->limit;
}

/* Where the text [from, tag) ends, by the sign behind the tag's first two
 * bytes. */
static const char *strip_text(const tw_lexer *lexer, const char *from,
                              const char *tag)
{
    const char sign = lexer->limit - tag > 2 ? tag[2] : 0;
    if (sign == '-') {
        return before_space(from, tag, false);
    }
    if (sign == '+' || tag[1] == '{') {
        return tag;
    }
    const char *end = before_space(from, tag, true);
    const bool begins = end == from ? lexer->line_starts : end[-1] == '\n';
    return begins ? end : tag;
}

/* Behind the end of a block or comment at |at|, where |word| stands. */
static const char *behind_end(const tw_lexer *lexer, const char *at, char sign)
{
    if (sign == '-') {
        return behind_space(at, lexer->limit);
    }
    return sign != '+' && at < lexer->limit && *at == '\n' ? at + 1 : at;
}

/* Behind the end of `raw` or `endraw` at |end|, and what its `-` strips. */
static const char *behind_raw(const tw_lexer *lexer, const uint8_t *end)
{
    const char *at = (const char *)end;
    return at[-3] == '-' ? behind_space(at, lexer->limit) : at;
}

static void move_to(tw_lexer *lexer, const char *at)
{
    lexer->line_starts = at > lexer->source && at[-1] == '\n';
    lexer->at = at;
}

/* Over a comment.  false: it does not end. */
static bool pass_comment(tw_lexer *lexer, const char *tag)
{
    const char *from =
        tag + 2 + (tag + 2 < lexer->limit && (tag[2] == '-' || tag[2] == '+'));
    const char *at = from;
    while ((at = memchr(at, '#', (size_t)(lexer->limit - at))) != NULL) {
        if (at + 1 < lexer->limit && at[1] == '}') {
            const char sign = at > from ? at[-1] : 0;
            move_to(lexer, behind_end(lexer, at + 2, sign));
            return true;
        }
        at++;
    }
    return false;
}

/* The text of a raw block, which begins at |from|. */
static tw_token raw_text(tw_lexer *lexer, const char *tag, const char *from)
{
    const char *at = from;
    while ((at = memchr(at, '{', (size_t)(lexer->limit - at))) != NULL) {
        const uint8_t *end = (const uint8_t *)at + 2;
        if (at + 1 < lexer->limit && at[1] == '%' &&
            tw_jinja_scan_endraw(&end, (const uint8_t *)lexer->limit)) {
            lexer->line_starts = from[-1] == '\n';
            const char *text_end = strip_text(lexer, from, at);
            move_to(lexer, behind_raw(lexer, end));
            return token_at(lexer, TW_LEX_TEXT, from,
                            (size_t)(text_end - from));
        }
        at++;
    }
    if (from == lexer->limit) { /* as jinja2: nothing is missed */
        lexer->at = from;
        return token_at(lexer, TW_LEX_END, from, 0);
    }
    return wrong(lexer, tag, "Missing end of raw directive");
}

static tw_token begin_tag(tw_lexer *lexer, const char *tag)
{
    lexer->inside = tag[1] == '{' ? TW_LEX_PRINT : TW_LEX_BLOCK;
    lexer->open = 0;
    lexer->at = tag + 2;
    if (lexer->at < lexer->limit && (*lexer->at == '-' || *lexer->at == '+')) {
        lexer->at++;
    }
    return token_at(lexer, lexer->inside, tag, 2);
}

/* Text up to the next tag; if there is none, what the tag begins. */
static tw_token next_in_text(tw_lexer *lexer)
{
    for (;;) {
        const char *from = lexer->at;
        const char *tag = next_tag(lexer);
        if (tag == lexer->limit) {
            lexer->at = tag;
            return token_at(lexer, from == tag ? TW_LEX_END : TW_LEX_TEXT,
                            from, (size_t)(tag - from));
        }
        const char *end = strip_text(lexer, from, tag);
        if (end > from) {
            lexer->at = tag;
            /* What stood between was stripped, so nothing is found again. */
            lexer->line_starts = tag[-1] == '\n' || end < tag;
            return token_at(lexer, TW_LEX_TEXT, from, (size_t)(end - from));
        }
        const uint8_t *raw = (const uint8_t *)tag + 2;
        if (tag[1] == '%' &&
            tw_jinja_scan_raw(&raw, (const uint8_t *)lexer->limit)) {
            return raw_text(lexer, tag, behind_raw(lexer, raw));
        }
        if (tag[1] != '#') {
            return begin_tag(lexer, tag);
        }
        if (tag + 2 == lexer->limit) { /* as jinja2: nothing is missed */
            lexer->at = lexer->limit;
            continue;
        }
        if (!pass_comment(lexer, tag)) {
            return wrong(lexer, tag, "Missing end of comment tag");
        }
    }
}

/* ---- tags --------------------------------------------------------------- */

/* The end of the tag at |lexer->at|; false: it is not there. */
static bool ends_tag(tw_lexer *lexer, tw_token *token)
{
    const bool block = lexer->inside == TW_LEX_BLOCK;
    const char *at = lexer->at;
    const char sign = *at;
    const bool has_sign = sign == '-' || (sign == '+' && block);
    const char *word = at + has_sign;
    if (lexer->open > 0 || word >= lexer->limit ||
        !stands(lexer, word, block ? "%}" : "}}")) {
        return false;
    }
    *token = token_at(lexer, block ? TW_LEX_BLOCK_END : TW_LEX_PRINT_END, at,
                      (size_t)(word + 2 - at));
    const char *behind = word + 2;
    if (sign == '-') {
        behind = behind_space(behind, lexer->limit);
    } else if (block) {
        behind = behind_end(lexer, behind, sign);
    }
    move_to(lexer, behind);
    lexer->inside = TW_LEX_END;
    return true;
}

/* A bracket opens or closes.  false: it closes what is not open. */
static bool count_bracket(tw_lexer *lexer, tw_lexeme type)
{
    char closer = 0;
    switch (type) {
    case TW_LEX_LEFT_BRACE: closer = '}'; break;
    case TW_LEX_LEFT_PAREN: closer = ')'; break;
    case TW_LEX_LEFT_BRACKET: closer = ']'; break;
    case TW_LEX_RIGHT_BRACE:
    case TW_LEX_RIGHT_PAREN:
    case TW_LEX_RIGHT_BRACKET:
        lexer->expected = lexer->open > 0 ? lexer->closers[--lexer->open] : 0;
        return lexer->expected == *lexer->at;
    default: return true;
    }
    if (lexer->open == TW_LEX_BRACKETS) {
        return false;
    }
    lexer->closers[lexer->open++] = closer;
    return true;
}

static tw_token next_in_tag(tw_lexer *lexer)
{
    lexer->at = behind_space(lexer->at, lexer->limit);
    tw_token token;
    if (lexer->at == lexer->limit) {
        return token_at(lexer, TW_LEX_END, lexer->at, 0);
    }
    if (ends_tag(lexer, &token)) {
        return token;
    }
    const char *at = lexer->at;
    const uint8_t *end = (const uint8_t *)at;
    tw_lexeme type = tw_jinja_scan(&end, (const uint8_t *)lexer->limit);
    if (type == TW_LEX_FLOAT && at[-1] == '.') { /* `a.1.5`: two members */
        type = TW_LEX_INTEGER;
        end = memchr(at, '.', (size_t)((const char *)end - at));
        if (end == NULL) {
            return wrong(lexer, at, "expected name or number");
        }
    }
    if (type == TW_LEX_WRONG || type == TW_LEX_END) {
        return wrong(lexer, at, TW_LEX_CHARACTER);
    }
    if (!count_bracket(lexer, type)) {
        return wrong(lexer, at, TW_LEX_BRACKET);
    }
    lexer->at = (const char *)end;
    return token_at(lexer, type, at, (size_t)(lexer->at - at));
}

tw_token tw_lexer_next(tw_lexer *lexer)
{
    return lexer->inside == TW_LEX_END ? next_in_text(lexer)
                                       : next_in_tag(lexer);
}
