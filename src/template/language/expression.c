/* SPDX-License-Identifier: MIT
 *
 * Jinja's expressions, a function for each level of its grammar.
 */
#include "template/language/compile.h"
#include "template/library/library.h"

uint32_t tw_compile_read_name(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    tw_item item;
    tw_compile_next(compiler);
    if (tw_compile_is_word_item(&token, &item)) {
        return tw_compile_pair(compiler, TW_NODE_CONSTANT, &token,
                               tw_compile_constant(compiler, item), 0);
    }
    const uint32_t name = tw_compile_name(compiler, token.at, token.size);
    tw_scope_reads(compiler, name);
    return tw_compile_pair(compiler, TW_NODE_NAME, &token, name,
                           compiler->scope);
}

/* ---- primary ------------------------------------------------------------ */

/* Expressions up to |closer|, with commas between and perhaps behind; |pairs|:
 * a key, a colon and a value each. */
static uint32_t read_list(tw_compiler *compiler, tw_lexeme closer, bool pairs)
{
    tw_node_list list = {0, 0, 0};
    tw_compile_next(compiler);
    while (!tw_compile_sees(compiler, closer) && compiler->code == TW_OK) {
        if (list.count > 0) {
            tw_compile_expect(compiler, TW_LEX_COMMA);
            if (tw_compile_sees(compiler, closer)) {
                break;
            }
        }
        tw_compile_add(compiler, &list, tw_compile_expression(compiler));
        if (pairs) {
            tw_compile_expect(compiler, TW_LEX_COLON);
            tw_compile_add(compiler, &list, tw_compile_expression(compiler));
        }
    }
    tw_compile_expect(compiler, closer);
    return list.first;
}

bool tw_compile_ends_tuple(const tw_compiler *compiler)
{
    return tw_compile_sees(compiler, TW_LEX_PRINT_END) ||
           tw_compile_sees(compiler, TW_LEX_BLOCK_END) ||
           tw_compile_sees(compiler, TW_LEX_RIGHT_PAREN);
}

typedef uint32_t reader(tw_compiler *);

static uint32_t read_tuple(tw_compiler *compiler, bool in_parens, reader *part)
{
    tw_node_list list = {0, 0, 0};
    const tw_token token = compiler->token;
    bool tuple = false;
    while (compiler->code == TW_OK && !tw_compile_ends_tuple(compiler)) {
        tw_compile_add(compiler, &list, part(compiler));
        if (!tw_compile_takes(compiler, TW_LEX_COMMA)) {
            break;
        }
        tuple = true;
    }
    if (!tuple && list.count > 0) {
        return list.first;
    }
    if (!tuple && !in_parens) {
        tw_compile_expected(compiler, "Expected an expression, got '");
    }
    return tw_compile_pair(compiler, TW_NODE_TUPLE, &token, list.first, 0);
}

uint32_t tw_compile_tuple(tw_compiler *compiler)
{
    return read_tuple(compiler, false, tw_compile_expression);
}

static uint32_t read_primary(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    uint32_t list;
    switch (token.type) {
    case TW_LEX_NAME: return tw_compile_read_name(compiler);
    case TW_LEX_STRING: return tw_compile_strings(compiler);
    case TW_LEX_INTEGER:
    case TW_LEX_FLOAT: return tw_compile_number(compiler);
    case TW_LEX_LEFT_PAREN:
        tw_compile_next(compiler);
        list = read_tuple(compiler, true, tw_compile_expression);
        tw_compile_expect(compiler, TW_LEX_RIGHT_PAREN);
        return list;
    case TW_LEX_LEFT_BRACKET:
        list = read_list(compiler, TW_LEX_RIGHT_BRACKET, false);
        return tw_compile_pair(compiler, TW_NODE_LIST, &token, list, 0);
    case TW_LEX_LEFT_BRACE:
        list = read_list(compiler, TW_LEX_RIGHT_BRACE, true);
        return tw_compile_pair(compiler, TW_NODE_DICT, &token, list, 0);
    default: tw_compile_unexpected(compiler); return 0;
    }
}

/* ---- what follows a primary --------------------------------------------- */

/* |*seen|: the kinds that stand in front, a sum of 1 << kind. */
static uint32_t read_argument(tw_compiler *compiler, unsigned *seen)
{
    static const unsigned not_behind[] = {
        [TW_ARGUMENT_PLAIN] = 1U << TW_ARGUMENT_NAMED |
                              1U << TW_ARGUMENT_LIST | 1U << TW_ARGUMENT_DICT,
        [TW_ARGUMENT_NAMED] = 1U << TW_ARGUMENT_DICT,
        [TW_ARGUMENT_LIST] = 1U << TW_ARGUMENT_LIST | 1U << TW_ARGUMENT_DICT,
        [TW_ARGUMENT_DICT] = 1U << TW_ARGUMENT_DICT};
    const tw_token token = compiler->token;
    tw_argument_kind kind = TW_ARGUMENT_PLAIN;
    uint32_t name = 0;
    if (tw_compile_takes(compiler, TW_LEX_MULTIPLY)) {
        kind = TW_ARGUMENT_LIST;
    } else if (tw_compile_takes(compiler, TW_LEX_POWER)) {
        kind = TW_ARGUMENT_DICT;
    } else if (token.type == TW_LEX_NAME &&
               compiler->ahead.type == TW_LEX_ASSIGN) {
        kind = TW_ARGUMENT_NAMED;
        name = tw_compile_word(compiler, token.at, token.size);
        tw_compile_next(compiler);
        tw_compile_next(compiler);
    }
    if ((*seen & not_behind[kind]) != 0) {
        tw_compile_fail_here(compiler,
                             "invalid syntax for function call expression");
    }
    *seen |= 1U << kind;
    const uint32_t value = tw_compile_expression(compiler);
    const uint32_t at =
        tw_compile_pair(compiler, TW_NODE_ARGUMENT, &token, value, name);
    tw_compile_node_at(compiler, at)->number = (uint16_t)kind;
    return at;
}

/* `(...)`. */
static uint32_t read_arguments(tw_compiler *compiler)
{
    tw_node_list list = {0, 0, 0};
    unsigned seen = 0;
    tw_compile_expect(compiler, TW_LEX_LEFT_PAREN);
    while (!tw_compile_sees(compiler, TW_LEX_RIGHT_PAREN) &&
           compiler->code == TW_OK) {
        if (list.count > 0) {
            tw_compile_expect(compiler, TW_LEX_COMMA);
            if (tw_compile_sees(compiler, TW_LEX_RIGHT_PAREN)) {
                break;
            }
        }
        tw_compile_add(compiler, &list, read_argument(compiler, &seen));
    }
    tw_compile_expect(compiler, TW_LEX_RIGHT_PAREN);
    return list.first;
}

/* An expression, unless it is left out in front of `:`, `,` or `]`. */
static uint32_t read_bound(tw_compiler *compiler)
{
    return tw_compile_sees(compiler, TW_LEX_COLON) ||
                   tw_compile_sees(compiler, TW_LEX_COMMA) ||
                   tw_compile_sees(compiler, TW_LEX_RIGHT_BRACKET)
               ? 0
               : tw_compile_expression(compiler);
}

/* What stands in brackets: an expression or a slice. */
static uint32_t read_subscript(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    const uint32_t first = read_bound(compiler);
    if (!tw_compile_takes(compiler, TW_LEX_COLON)) {
        if (first == 0) {
            tw_compile_unexpected(compiler);
        }
        return first;
    }
    const uint32_t at = tw_compile_node(compiler, TW_NODE_SLICE, &token);
    const uint32_t end = read_bound(compiler);
    const uint32_t step =
        tw_compile_takes(compiler, TW_LEX_COLON) ? read_bound(compiler) : 0;
    tw_node *slice = tw_compile_node_at(compiler, at);
    slice->a = first;
    slice->b = end;
    slice->c = step;
    return at;
}

static uint32_t read_brackets(tw_compiler *compiler, const tw_token *token)
{
    tw_node_list list = {0, 0, 0};
    while (compiler->code == TW_OK &&
           !tw_compile_sees(compiler, TW_LEX_RIGHT_BRACKET)) {
        if (list.count > 0) {
            tw_compile_expect(compiler, TW_LEX_COMMA);
        }
        tw_compile_add(compiler, &list, read_subscript(compiler));
    }
    tw_compile_expect(compiler, TW_LEX_RIGHT_BRACKET);
    return list.count == 1 ? list.first
                           : tw_compile_pair(compiler, TW_NODE_TUPLE, token,
                                             list.first, 0);
}

static uint32_t read_member(tw_compiler *compiler, uint32_t of)
{
    const tw_token dot = compiler->token;
    tw_compile_next(compiler);
    const tw_token token = compiler->token;
    if (token.type == TW_LEX_NAME) {
        tw_compile_next(compiler);
        const uint32_t at =
            tw_compile_pair(compiler, TW_NODE_ATTRIBUTE, &dot, of,
                            tw_compile_word(compiler, token.at, token.size));
        tw_compile_node_at(compiler, at)->number =
            tw_method_is_name(token.at, token.size);
        return at;
    }
    if (token.type != TW_LEX_INTEGER) {
        tw_compile_fail_here(compiler, "expected name or number");
        return 0;
    }
    return tw_compile_pair(compiler, TW_NODE_ITEM, &dot, of,
                           tw_compile_number(compiler));
}

static uint32_t read_call(tw_compiler *compiler, uint32_t callee)
{
    const tw_token token = compiler->token;
    const uint32_t arguments = read_arguments(compiler);
    return tw_compile_pair(compiler, TW_NODE_CALL, &token, callee, arguments);
}

static uint32_t read_postfix(tw_compiler *compiler, uint32_t node)
{
    while (compiler->code == TW_OK) {
        const tw_token token = compiler->token;
        if (token.type == TW_LEX_DOT) {
            node = read_member(compiler, node);
        } else if (tw_compile_takes(compiler, TW_LEX_LEFT_BRACKET)) {
            const uint32_t part = read_brackets(compiler, &token);
            node = tw_compile_pair(compiler, TW_NODE_ITEM, &token, node, part);
        } else if (token.type == TW_LEX_LEFT_PAREN) {
            node = read_call(compiler, node);
        } else {
            break;
        }
    }
    return node;
}

/* ---- filters and tests -------------------------------------------------- */

/* `name` or `name.name`, which no filter of ours has; its token. */
static tw_token read_dotted(tw_compiler *compiler)
{
    tw_token token = compiler->token;
    tw_compile_expect(compiler, TW_LEX_NAME);
    while (tw_compile_sees(compiler, TW_LEX_DOT)) {
        tw_compile_next(compiler);
        token.size =
            (size_t)(compiler->token.at + compiler->token.size - token.at);
        tw_compile_expect(compiler, TW_LEX_NAME);
    }
    return token;
}

/* jinja2 refuses an unknown one when all is read, or, behind a condition of
 * its scope, when it is called: by an argument behind its |arguments|. */
static uint32_t unknown(tw_compiler *compiler, const char *what,
                        const tw_token *token, uint32_t arguments)
{
    char name[64];
    const size_t size =
        token->size < sizeof name ? token->size : sizeof name - 1;
    memcpy(name, token->at, size);
    name[size] = 0;
    const char *const parts[] = {"No ", what, " named '", name, "'", NULL};
    char text[TW_COMPILE_MESSAGE] = "";
    size_t used = 0;
    for (size_t i = 0; parts[i] != NULL; i++) {
        const size_t more = strlen(parts[i]);
        memcpy(text + used, parts[i], more);
        used += more;
    }
    const uint32_t at =
        tw_compile_pair(compiler, TW_NODE_MISSING, token,
                        tw_compile_word(compiler, text, used), 0);
    if (tw_scope_is_certain(compiler) && compiler->refused == 0) {
        compiler->refused = at;
    }
    const uint32_t argument =
        tw_compile_pair(compiler, TW_NODE_ARGUMENT, token, at, 0);
    uint32_t last = arguments;
    while (last != 0 && tw_compile_node_at(compiler, last)->next != 0) {
        last = tw_compile_node_at(compiler, last)->next;
    }
    if (last != 0) {
        tw_compile_node_at(compiler, last)->next = argument;
    }
    return last != 0 ? arguments : argument;
}

/* Words of an unknown filter end in a dot, those of the loop's name do not. */
void tw_compile_fail_refused(tw_compiler *compiler)
{
    if (compiler->code != TW_OK || compiler->refused == 0) {
        return;
    }
    const tw_node *node = tw_compile_node_at(compiler, compiler->refused);
    const tw_token at = {.line = node->line, .column = node->column};
    const char *const parts[] = {
        tw_constant_at(compiler->program, node->a).of.string->data,
        node->b != 0 ? "" : ".", NULL};
    tw_compile_fail(compiler, &at, parts);
}

uint32_t tw_compile_filters(tw_compiler *compiler, uint32_t value,
                            bool inline_)
{
    while (compiler->code == TW_OK &&
           (inline_ || tw_compile_takes(compiler, TW_LEX_PIPE))) {
        inline_ = false;
        const tw_token token = read_dotted(compiler);
        const size_t number = tw_filter_find(token.at, token.size);
        uint32_t arguments = tw_compile_sees(compiler, TW_LEX_LEFT_PAREN)
                                 ? read_arguments(compiler)
                                 : 0;
        if (number == SIZE_MAX) {
            arguments = unknown(compiler, "filter", &token, arguments);
        }
        value = tw_compile_pair(compiler, TW_NODE_FILTER, &token, value,
                                arguments);
        tw_compile_node_at(compiler, value)->number = (uint16_t)number;
    }
    return value;
}

/* Does an argument without parentheses follow a test's name? */
static bool sees_test_argument(const tw_compiler *compiler)
{
    switch (compiler->token.type) {
    case TW_LEX_STRING:
    case TW_LEX_INTEGER:
    case TW_LEX_FLOAT:
    case TW_LEX_LEFT_BRACKET:
    case TW_LEX_LEFT_BRACE: return true;
    case TW_LEX_NAME:
        return !tw_compile_sees_word(compiler, "else") &&
               !tw_compile_sees_word(compiler, "or") &&
               !tw_compile_sees_word(compiler, "and");
    default: return false;
    }
}

static uint32_t read_test_arguments(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    if (token.type == TW_LEX_LEFT_PAREN) {
        return read_arguments(compiler);
    }
    if (!sees_test_argument(compiler)) {
        return 0;
    }
    if (tw_compile_sees_word(compiler, "is")) {
        tw_compile_fail_here(compiler,
                             "You cannot chain multiple tests with is");
    }
    const uint32_t value = read_postfix(compiler, read_primary(compiler));
    return tw_compile_pair(compiler, TW_NODE_ARGUMENT, &token, value, 0);
}

/* Behind `is`. */
static uint32_t read_test(tw_compiler *compiler, uint32_t value)
{
    const bool negated = tw_compile_takes_word(compiler, "not");
    const tw_token token = read_dotted(compiler);
    const size_t number = tw_test_find(token.at, token.size);
    uint32_t arguments = read_test_arguments(compiler);
    if (number == SIZE_MAX) {
        arguments = unknown(compiler, "test", &token, arguments);
    }
    const uint32_t at =
        tw_compile_pair(compiler, TW_NODE_TEST, &token, value, arguments);
    tw_compile_node_at(compiler, at)->number = (uint16_t)number;
    return negated ? tw_compile_pair(compiler, TW_NODE_NOT, &token, at, 0)
                   : at;
}

static uint32_t read_filters_and_tests(tw_compiler *compiler, uint32_t node)
{
    while (compiler->code == TW_OK) {
        if (tw_compile_sees(compiler, TW_LEX_PIPE)) {
            node = tw_compile_filters(compiler, node, false);
        } else if (tw_compile_takes_word(compiler, "is")) {
            node = read_test(compiler, node);
        } else if (tw_compile_sees(compiler, TW_LEX_LEFT_PAREN)) {
            node = read_call(compiler, node);
        } else {
            break;
        }
    }
    return node;
}

/* ---- operators ---------------------------------------------------------- */

static uint32_t read_unary(tw_compiler *compiler, bool with_filters)
{
    const tw_token token = compiler->token;
    uint32_t node = 0;
    if (!tw_compile_enter(compiler)) {
        tw_compile_leave(compiler);
        return 0;
    }
    if (tw_compile_takes(compiler, TW_LEX_SUBTRACT) ||
        tw_compile_takes(compiler, TW_LEX_ADD)) {
        node = read_unary(compiler, false);
        node = tw_compile_pair(compiler, TW_NODE_UNARY, &token, node, 0);
        tw_compile_node_at(compiler, node)->number =
            token.type == TW_LEX_SUBTRACT ? TW_NEGATE : TW_POSITIVE;
    } else {
        node = read_primary(compiler);
    }
    node = read_postfix(compiler, node);
    node = with_filters ? read_filters_and_tests(compiler, node) : node;
    tw_compile_leave(compiler);
    return node;
}

/* Operators of one level, from the left. */
static uint32_t read_binary(tw_compiler *compiler, reader *operand,
                            const tw_lexeme *lexemes,
                            const tw_operator *operators, size_t count)
{
    tw_token token = compiler->token;
    uint32_t left = operand(compiler);
    for (size_t i = 0; i < count && compiler->code == TW_OK; i++) {
        if (!tw_compile_sees(compiler, lexemes[i])) {
            continue;
        }
        tw_compile_next(compiler);
        const uint32_t right = operand(compiler);
        left = tw_compile_pair(compiler, TW_NODE_BINARY, &token, left, right);
        tw_compile_node_at(compiler, left)->number = (uint16_t)operators[i];
        token = compiler->token;
        i = SIZE_MAX; /* from the first one again */
    }
    return left;
}

static uint32_t read_whole_unary(tw_compiler *compiler)
{
    return read_unary(compiler, true);
}

static uint32_t read_power(tw_compiler *compiler)
{
    static const tw_lexeme lexemes[] = {TW_LEX_POWER};
    static const tw_operator operators[] = {TW_POWER};
    return read_binary(compiler, read_whole_unary, lexemes, operators, 1);
}

static uint32_t read_product(tw_compiler *compiler)
{
    static const tw_lexeme lexemes[] = {TW_LEX_MULTIPLY, TW_LEX_DIVIDE,
                                        TW_LEX_FLOOR_DIVIDE, TW_LEX_MODULO};
    static const tw_operator operators[] = {TW_MULTIPLY, TW_DIVIDE,
                                            TW_FLOOR_DIVIDE, TW_MODULO};
    return read_binary(compiler, read_power, lexemes, operators, 4);
}

static uint32_t read_concat(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    tw_node_list list = {0, 0, 0};
    do {
        tw_compile_add(compiler, &list, read_product(compiler));
    } while (tw_compile_takes(compiler, TW_LEX_TILDE));
    return list.count == 1 ? list.first
                           : tw_compile_pair(compiler, TW_NODE_CONCAT, &token,
                                             list.first, 0);
}

static uint32_t read_sum(tw_compiler *compiler)
{
    static const tw_lexeme lexemes[] = {TW_LEX_ADD, TW_LEX_SUBTRACT};
    static const tw_operator operators[] = {TW_ADD, TW_SUBTRACT};
    return read_binary(compiler, read_concat, lexemes, operators, 2);
}

/* A comparison at the token, which is then taken. */
static bool take_comparison(tw_compiler *compiler, tw_operator *operator_)
{
    const tw_lexeme type = compiler->token.type;
    if (type >= TW_LEX_EQUAL && type <= TW_LEX_GREATER_EQUAL) {
        *operator_ = (tw_operator)(TW_EQUAL + (int)(type - TW_LEX_EQUAL));
        tw_compile_next(compiler);
        return true;
    }
    if (tw_compile_takes_word(compiler, "in")) {
        *operator_ = TW_IN;
        return true;
    }
    if (tw_compile_sees_word(compiler, "not") &&
        tw_token_is(&compiler->ahead, "in")) {
        tw_compile_next(compiler);
        tw_compile_next(compiler);
        *operator_ = TW_NOT_IN;
        return true;
    }
    return false;
}

static uint32_t read_comparison(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    const uint32_t first = read_sum(compiler);
    tw_node_list operands = {0, 0, 0};
    tw_operator operator_;
    while (compiler->code == TW_OK && take_comparison(compiler, &operator_)) {
        const uint32_t value = read_sum(compiler);
        const uint32_t at =
            tw_compile_pair(compiler, TW_NODE_OPERAND, &token, value, 0);
        tw_compile_node_at(compiler, at)->number = (uint16_t)operator_;
        tw_compile_add(compiler, &operands, at);
    }
    return operands.count == 0
               ? first
               : tw_compile_pair(compiler, TW_NODE_COMPARE, &token, first,
                                 operands.first);
}

static uint32_t read_not(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    size_t count = 0;
    while (tw_compile_takes_word(compiler, "not")) {
        count++;
    }
    uint32_t node = read_comparison(compiler);
    if (count > 0 && count % 2 == 0) { /* the value is a bool all the same */
        node = tw_compile_pair(compiler, TW_NODE_NOT, &token, node, 0);
        count = 1;
    }
    return count > 0 ? tw_compile_pair(compiler, TW_NODE_NOT, &token, node, 0)
                     : node;
}

/* Operands of |word| between each two. */
static uint32_t read_words(tw_compiler *compiler, reader *operand,
                           const char *word, tw_node_type type)
{
    const tw_token token = compiler->token;
    uint32_t left = operand(compiler);
    while (compiler->code == TW_OK && tw_compile_takes_word(compiler, word)) {
        const uint32_t right = operand(compiler);
        left = tw_compile_pair(compiler, type, &token, left, right);
    }
    return left;
}

static uint32_t read_and(tw_compiler *compiler)
{
    return read_words(compiler, read_not, "and", TW_NODE_AND);
}

static uint32_t read_or(tw_compiler *compiler)
{
    return read_words(compiler, read_and, "or", TW_NODE_OR);
}

uint32_t tw_compile_plain_tuple(tw_compiler *compiler)
{
    return read_tuple(compiler, false, read_or);
}

uint32_t tw_compile_expression(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    const uint32_t refused = compiler->refused;
    uint32_t node = 0;
    if (tw_compile_enter(compiler)) {
        node = read_or(compiler);
    }
    while (compiler->code == TW_OK && tw_compile_takes_word(compiler, "if")) {
        const uint32_t at = tw_compile_node(compiler, TW_NODE_CHOICE, &token);
        compiler->refused = refused; /* what stands in front is chosen */
        compiler->perhaps++;
        const uint32_t condition = read_or(compiler);
        const uint32_t otherwise = tw_compile_takes_word(compiler, "else")
                                       ? tw_compile_expression(compiler)
                                       : 0;
        compiler->perhaps--;
        tw_node *choice = tw_compile_node_at(compiler, at);
        choice->a = condition;
        choice->b = node;
        choice->c = otherwise;
        node = at;
    }
    tw_compile_leave(compiler);
    return node;
}
