/* SPDX-License-Identifier: MIT
 *
 * What a template can set: names, tuples of them, members of namespaces.
 */
#include "template/language/compile.h"

static uint32_t store(tw_compiler *compiler, const tw_token *token)
{
    tw_item item;
    if (token->type != TW_LEX_NAME || tw_compile_is_word_item(token, &item)) {
        const char *const parts[] = {"can't assign to 'const'", NULL};
        tw_compile_fail(compiler, token, parts);
        return 0;
    }
    if (compiler->loops > 0 && tw_token_is(token, "loop")) {
        static const char refusal[] =
            "Can't assign to special loop variable in for-loop target.";
        const uint32_t at = tw_compile_pair(
            compiler, TW_NODE_MISSING, token,
            tw_compile_word(compiler, refusal, sizeof refusal - 2), true);
        compiler->refused = compiler->refused != 0 ? compiler->refused : at;
    }
    const uint32_t name = tw_compile_name(compiler, token->at, token->size);
    return tw_compile_pair(compiler, TW_NODE_STORE, token, name,
                           tw_scope_store(compiler, name));
}

uint32_t tw_compile_target_name(tw_compiler *compiler)
{
    const tw_token token = compiler->token;
    tw_compile_expect(compiler, TW_LEX_NAME);
    return compiler->code == TW_OK ? store(compiler, &token) : 0;
}

static uint32_t read_target(tw_compiler *compiler, bool member)
{
    const tw_token token = compiler->token;
    if (tw_compile_takes(compiler, TW_LEX_LEFT_PAREN)) {
        const uint32_t inner = tw_compile_target(compiler, member);
        tw_compile_expect(compiler, TW_LEX_RIGHT_PAREN);
        return inner;
    }
    if (member && token.type == TW_LEX_NAME &&
        compiler->ahead.type == TW_LEX_DOT) {
        const uint32_t of = tw_compile_read_name(compiler);
        tw_compile_next(compiler);
        const tw_token name = compiler->token;
        tw_compile_expect(compiler, TW_LEX_NAME);
        return tw_compile_pair(compiler, TW_NODE_STORE_PART, &token, of,
                               tw_compile_word(compiler, name.at, name.size));
    }
    if (token.type == TW_LEX_INTEGER || token.type == TW_LEX_FLOAT ||
        token.type == TW_LEX_STRING) {
        return store(compiler, &token); /* which refuses a constant */
    }
    if (token.type != TW_LEX_NAME) {
        tw_compile_unexpected(compiler);
        return 0;
    }
    tw_compile_next(compiler);
    return store(compiler, &token);
}

uint32_t tw_compile_target(tw_compiler *compiler, bool member)
{
    const tw_token token = compiler->token;
    tw_node_list list = {0, 0, 0};
    bool tuple = false;
    if (!tw_compile_enter(compiler)) {
        tw_compile_leave(compiler);
        return 0;
    }
    do {
        if (tw_compile_ends_tuple(compiler) ||
            tw_compile_sees_word(compiler, "in") ||
            tw_compile_sees(compiler, TW_LEX_ASSIGN)) {
            break;
        }
        tw_compile_add(compiler, &list, read_target(compiler, member));
        tuple |= tw_compile_sees(compiler, TW_LEX_COMMA);
    } while (compiler->code == TW_OK &&
             tw_compile_takes(compiler, TW_LEX_COMMA));
    tw_compile_leave(compiler);
    if (list.count == 0) {
        tw_compile_expected(compiler, "Expected an expression, got '");
    }
    return tuple ? tw_compile_pair(compiler, TW_NODE_TUPLE, &token, list.first,
                                   0)
                 : list.first;
}
