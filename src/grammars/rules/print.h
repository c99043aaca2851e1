/* SPDX-License-Identifier: MIT
 *
 * Rules as text for those who hold a model to them.
 */
#ifndef TOOLWIRE_GRAMMARS_PRINT_H
#define TOOLWIRE_GRAMMARS_PRINT_H

#include "grammars/rules/rules.h"

/* Text under way; |rules| keeps the first error. */
typedef struct tw_rule_out {
    tw_rules *rules;
    tw_buffer *text;
} tw_rule_out;

void tw_rule_out_sized(const tw_rule_out *out, const char *text, size_t size);
static inline void tw_rule_out_text(const tw_rule_out *out, const char *text)
{
    tw_rule_out_sized(out, text, strlen(text));
}
void tw_rule_out_number(const tw_rule_out *out, uint32_t number);
/* Words by |put|, and special tokens in them by number. */
void tw_rule_out_words(const tw_rule_out *out, const tw_rule_node *words,
                       void (*put)(const tw_rule_out *, const char *, size_t));
/* A code point as UTF-8, and a code point as so many hexadecimal digits. */
void tw_rule_out_point(const tw_rule_out *out, uint32_t point);
void tw_rule_out_hex(const tw_rule_out *out, uint32_t point, unsigned digits);
/* |{2,5}|, |?| and so on. */
void tw_rule_out_times(const tw_rule_out *out, const tw_rule_node *node);

typedef void tw_rule_putter(const tw_rule_out *out, uint32_t node,
                            size_t depth);

/* The parts of a sequence or of a choice, each by |put|. */
void tw_rule_out_parts(const tw_rule_out *out, const tw_rule_node *node,
                       size_t depth, tw_rule_putter *put);

/* How a target writes rules. */
typedef struct tw_rule_style {
    const char *about; /* what begins a comment */
    const char *is;    /* between a rule's name and its body */
    void (*put_name)(const tw_rule_out *, uint32_t rule);
    tw_rule_putter *put_node; /* of any kind */
    void (*put_free)(const tw_rule_out *, uint32_t free);
} tw_rule_style;

/* All rules that are used, and then the free texts. */
void tw_rule_out_all(const tw_rule_out *out, const tw_rule_style *style);

/* For llguidance; for llama.cpp, which XGrammar reads as EBNF; for XGrammar
 * alone. */
void tw_rules_print_lark(tw_rules *rules, tw_buffer *out);
void tw_rules_print_gbnf(tw_rules *rules, tw_buffer *out);
void tw_rules_print_dispatch(tw_rules *rules, tw_buffer *out);

/* free.c: the rules of free text, spelled out. */
void tw_rules_print_free(const tw_rule_out *out, uint32_t free);

/* A character as GBNF has it, escaped where it is one of |special|. */
void tw_rule_out_gbnf_point(const tw_rule_out *out, uint32_t point,
                            const char *special);
/* A set as GBNF has it; ranges that are one character stand alone. */
void tw_rule_out_gbnf_set(const tw_rule_out *out, const tw_rule_range *ranges,
                          size_t count, bool others);

/* No node nests deeper. */
enum { TW_RULE_DEPTH = 256 };

#endif
