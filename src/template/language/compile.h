/* SPDX-License-Identifier: MIT
 *
 * From a template's text to its program: what the files of the compiler share.
 * Nothing here returns an error: the first one sticks, and from there on all
 * tokens are the end.
 */
#ifndef TOOLWIRE_TEMPLATE_COMPILE_H
#define TOOLWIRE_TEMPLATE_COMPILE_H

#include "template/language/lex.h"
#include "template/machine/program.h"
#include "template/values/string.h"

enum { TW_COMPILE_DEPTH = 160, TW_COMPILE_MESSAGE = 240 };

/* A part of the program in which names can be set. */
typedef struct tw_scope {
    uint32_t outer; /* 0: none */
    uint32_t function;
    size_t perhaps; /* conditions around the scope itself */
    bool is_block;
} tw_scope;

/* How a scope meets a name first.  Where the outermost scope that meets it
 * sets it in any case, the name is none of the variables that are given, not
 * even before it is set. */
enum { TW_MET_READ, TW_MET_SET };

/* A statement whose end is to come. */
typedef struct tw_open_tag {
    struct tw_open_tag *outer;
    tw_token token;
    const char *const *ends; /* which are looked for */
} tw_open_tag;

typedef struct tw_compiler {
    tw_program *program;
    tw_lexer lexer;
    tw_token token;
    tw_token ahead;
    tw_buffer scopes; /* tw_scope; the first one is none */
    tw_dict *stored;  /* (scope, name) to the place in the frame */
    tw_dict *met;     /* (scope, name) to how it was met */
    uint32_t scope;   /* the one that is open */
    uint32_t function;
    size_t depth;
    size_t loops;   /* around, in this function */
    size_t perhaps; /* conditions around */
    uint32_t refused; /* told when all is read: the first unknown filter that
                         will be met, or `loop` as a target; 0: none */
    struct tw_open_tag *open; /* the innermost one; NULL: none */
    /* The first error. */
    int32_t code;
    char message[TW_COMPILE_MESSAGE];
    uint32_t line;
    uint32_t column;
} tw_compiler;

/* ---- tokens ------------------------------------------------------------- */

void tw_compile_next(tw_compiler *compiler);
static inline bool tw_compile_sees(const tw_compiler *compiler, tw_lexeme type)
{
    return compiler->token.type == type;
}
/* Is the token this word? */
bool tw_compile_sees_word(const tw_compiler *compiler, const char *word);
bool tw_token_is(const tw_token *token, const char *word);
/* Takes it if it is there. */
bool tw_compile_takes(tw_compiler *compiler, tw_lexeme type);
bool tw_compile_takes_word(tw_compiler *compiler, const char *word);
/* Takes it, or fails. */
void tw_compile_expect(tw_compiler *compiler, tw_lexeme type);
/* |parts| are joined; the last one is NULL. */
void tw_compile_fail(tw_compiler *compiler, const tw_token *at,
                     const char *const *parts);
void tw_compile_fail_here(tw_compiler *compiler, const char *message);
/* |what|, the token and a quote. */
void tw_compile_expected(tw_compiler *compiler, const char *what);
/* `unexpected 'x'` of the token. */
void tw_compile_unexpected(tw_compiler *compiler);

/* One level deeper; false: too deep.  Each use is paired with
 * tw_compile_leave(). */
bool tw_compile_enter(tw_compiler *compiler);
static inline void tw_compile_leave(tw_compiler *compiler)
{
    compiler->depth--;
}

/* ---- nodes -------------------------------------------------------------- */

/* A new one; its number, or 0 after an error. */
uint32_t tw_compile_node(tw_compiler *compiler, tw_node_type type,
                         const tw_token *at);
tw_node *tw_compile_node_at(tw_compiler *compiler, uint32_t at);
uint32_t tw_compile_constant(tw_compiler *compiler, tw_item item);
uint32_t tw_compile_word(tw_compiler *compiler, const char *data, size_t size);

/* One with |a| and |b|. */
uint32_t tw_compile_pair(tw_compiler *compiler, tw_node_type type,
                         const tw_token *at, uint32_t a, uint32_t b);

/* A list of nodes in the making. */
typedef struct tw_node_list {
    uint32_t first;
    uint32_t last;
    size_t count;
} tw_node_list;

void tw_compile_add(tw_compiler *compiler, tw_node_list *list, uint32_t node);

/* ---- names -------------------------------------------------------------- */

uint32_t tw_compile_name(tw_compiler *compiler, const char *data, size_t size);
uint32_t tw_scope_open(tw_compiler *compiler);
/* Back to the one around; |node| gets the places that were in it. */
void tw_scope_close(tw_compiler *compiler, uint32_t scope, uint32_t node);
/* The place of a name that is set in the open scope. */
uint16_t tw_scope_store(tw_compiler *compiler, uint32_t name);
/* The open scope reads |name|. */
void tw_scope_reads(tw_compiler *compiler, uint32_t name);
/* Is what stands here met whenever the open scope is? */
bool tw_scope_is_certain(const tw_compiler *compiler);
/* The open scope sets what |target| says, a list, and has read the value. */
void tw_scope_sets(tw_compiler *compiler, uint32_t target);
/* All is read: each NAME gets its places. */
void tw_scope_resolve(tw_compiler *compiler);

/* ---- literals ----------------------------------------------------------- */

/* What the strings at the token mean, joined; the number at the token. */
uint32_t tw_compile_strings(tw_compiler *compiler);
uint32_t tw_compile_number(tw_compiler *compiler);
/* `true`, `None` and the like; false: it is a name. */
bool tw_compile_is_word_item(const tw_token *token, tw_item *item);

/* ---- statements --------------------------------------------------------- */

/* Fails if something was |refused|: all is read. */
void tw_compile_fail_refused(tw_compiler *compiler);
/* All of a template; its first node. */
uint32_t tw_compile_body(tw_compiler *compiler);
/* A function without a name; its number, or 0. */
uint32_t tw_compile_function(tw_compiler *compiler);

/* ---- expressions -------------------------------------------------------- */

uint32_t tw_compile_expression(tw_compiler *compiler);
/* A name at the token. */
uint32_t tw_compile_read_name(tw_compiler *compiler);
/* May a tuple end here? */
bool tw_compile_ends_tuple(const tw_compiler *compiler);
/* An expression; with commas it is a tuple. */
uint32_t tw_compile_tuple(tw_compiler *compiler);
/* A tuple, where an `if` would not belong to it. */
uint32_t tw_compile_plain_tuple(tw_compiler *compiler);
/* What is set: a name, or several in a tuple; |member|: or one of a
 * namespace. */
uint32_t tw_compile_target(tw_compiler *compiler, bool member);
/* A name alone: a STORE in the open scope. */
uint32_t tw_compile_target_name(tw_compiler *compiler);
/* `name(arguments)|...` of |value|; |inline_| where no `|` stands in front. */
uint32_t tw_compile_filters(tw_compiler *compiler, uint32_t value,
                            bool inline_);

#endif
