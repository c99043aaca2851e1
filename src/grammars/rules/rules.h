/* SPDX-License-Identifier: MIT
 *
 * A grammar between its making and its printing: rules of sequences, choices,
 * repeats, sets of characters, words, and free text that holds none of some
 * words.  All stand in arrays and are known by their numbers, 0 being none, so
 * that what refers to itself costs nothing.
 *
 * No step needs a check: the first failure sticks (|code|), and numbers are 0
 * from there on, which all functions take.
 */
#ifndef TOOLWIRE_GRAMMARS_RULES_H
#define TOOLWIRE_GRAMMARS_RULES_H

#include "core/memory.h"
#include "json/tree.h"
#include "schema/regex_code.h"

enum { TW_RULE_ENDLESS = 0x7FFFFFFF };

typedef enum tw_rule_kind {
    TW_RULE_NOTHING, /* matches nothing at all */
    TW_RULE_WORDS, /* |a|: where in |texts|; |b|: bytes; |c|: what a user says,
                      in which no marker stands */
    TW_RULE_SET,   /* |a|: the first of |b| ranges; |c|: all others */
    TW_RULE_FREE,  /* |a|: which of |frees| */
    TW_RULE_CALL,  /* |a|: the rule that stands here */
    TW_RULE_SEQUENCE,
    TW_RULE_CHOICE,
    TW_RULE_REPEAT /* |b| times to |c| */
} tw_rule_kind;

typedef struct tw_rule_node {
    uint8_t kind;
    bool special; /* it holds a special token */
    bool open;    /* it holds a set, or free text */
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t first; /* its parts, each of one node alone */
    uint32_t last;
    uint32_t next;
} tw_rule_node;

/* Characters, as code points. */
typedef tw_range tw_rule_range;

/* A special token of the vocabulary. */
typedef struct tw_rule_special {
    uint32_t text; /* where in |texts| */
    uint32_t size;
    uint32_t id;
} tw_rule_special;

/* What free text does not look like as a whole, as a sum: a number, something
 * in square brackets, something in curly ones, a number of digits alone. */
enum {
    TW_LOOK_NUMBER = 1,
    TW_LOOK_LIST = 2,
    TW_LOOK_OBJECT = 4,
    TW_LOOK_INTEGER = 8
};

/* Text without some words. */
typedef struct tw_rule_free {
    uint32_t first; /* of |words| */
    uint32_t count;
    bool used;
    uint8_t looks; /* TW_LOOK_: none of these */
    uint8_t quote; /* what stands between two escapes of a string in these
                      quotes; 0: any text */
} tw_rule_free;

typedef struct tw_rule {
    const char *name; /* constant; its number is put behind it */
    uint32_t body;
    uint32_t about; /* what stands in front of it as a comment: where in
                       |texts|; 0: nothing */
    bool used;      /* the first rule leads to it */
    bool token;     /* regular, and told by itself where it ends: a terminal of
                       targets that have such */
} tw_rule;

typedef struct tw_rules {
    const tw_memory *memory;
    tw_buffer nodes; /* tw_rule_node */
    tw_buffer rules; /* tw_rule, the first of which is what all begins at */
    tw_buffer texts;
    tw_buffer ranges; /* tw_rule_range */
    tw_buffer words;  /* uint32_t: where in |texts| each begins, of |frees| */
    tw_buffer frees;  /* tw_rule_free */
    tw_buffer special; /* tw_rule_special */
    bool begins[256];  /* a special token begins with this byte */
    int code;         /* TW_OK, or the tw_error_code that stopped it */
    tw_buffer message;
} tw_rules;

void tw_rules_init(tw_rules *rules, const tw_memory *memory);
void tw_rules_free(tw_rules *rules);

static inline tw_rule_node *tw_rule_node_at(const tw_rules *rules,
                                            uint32_t node)
{
    return (tw_rule_node *)(void *)rules->nodes.data + node;
}

static inline tw_rule *tw_rule_at(const tw_rules *rules, uint32_t rule)
{
    return (tw_rule *)(void *)rules->rules.data + rule;
}

static inline uint32_t tw_rules_count(const tw_rules *rules)
{
    return (uint32_t)(rules->rules.size / sizeof(tw_rule));
}

static inline const tw_rule_range *tw_rule_ranges(const tw_rules *rules,
                                                  const tw_rule_node *set)
{
    return (const tw_rule_range *)(const void *)rules->ranges.data + set->a;
}

static inline const char *tw_rule_text(const tw_rules *rules, uint32_t at)
{
    return (const char *)rules->texts.data + at;
}

/* The |i|-th word of free text, ended by a NUL. */
const char *tw_rule_word(const tw_rules *rules, const tw_rule_free *free,
                         uint32_t i);
static inline tw_rule_free *tw_rule_free_at(const tw_rules *rules, uint32_t i)
{
    return (tw_rule_free *)(void *)rules->frees.data + i;
}

/* Repetitions without an end, but of one character, become rules of their own,
 * which XGrammar masks its vocabulary for some thousand times as fast; long
 * ones become blocks of shorter ones. */
void tw_rules_shape(tw_rules *rules);

/* Finds what the first rule leads to, |used|. */
void tw_rules_reach(tw_rules *rules);

/* There is no memory. */
void tw_rules_no_memory(tw_rules *rules);

/* ---- special.c ---------------------------------------------------------- */

/* Takes the special tokens of a tokenizer.json, of a tokenizer_config.json, or
 * of an object of numbers by text; false: it is none of these. */
bool tw_rules_add_special(tw_rules *rules, const tw_value *vocabulary);
/* A terminal of a lexer holds none of them: those that would become rules. */
void tw_rules_set_special_apart(tw_rules *rules);

/* ---- rules -------------------------------------------------------------- */

/* A new rule, without a body; its number, which is 0 for the first one. */
uint32_t tw_rule_new(tw_rules *rules, const char *name, bool token);
void tw_rule_is(tw_rules *rules, uint32_t rule, uint32_t body);
/* A rule of this body; a node that calls it. */
uint32_t tw_rule_of(tw_rules *rules, const char *name, bool token,
                    uint32_t body);

/* ---- nodes -------------------------------------------------------------- */

uint32_t tw_rule_put(tw_rules *rules, tw_rule_kind kind, uint32_t a,
                     uint32_t b, uint32_t c);
/* |part| becomes the last part of |node|; 0: nothing is added. */
void tw_rule_add(tw_rules *rules, uint32_t node, uint32_t part);
uint32_t tw_rule_sized(tw_rules *rules, const char *text, size_t size);
/* What a user says: no part of it is a special token. */
uint32_t tw_rule_said(tw_rules *rules, const char *text, size_t size);
static inline uint32_t tw_rule_words(tw_rules *rules, const char *text)
{
    return tw_rule_sized(rules, text, strlen(text));
}
static inline uint32_t tw_rule_call(tw_rules *rules, uint32_t rule)
{
    return tw_rule_put(rules, TW_RULE_CALL, rule, 0, 0);
}
/* |others|: all characters but these. */
uint32_t tw_rule_set(tw_rules *rules, const tw_rule_range *ranges,
                     size_t count, bool others);
uint32_t tw_rule_repeat(tw_rules *rules, uint32_t part, uint32_t least,
                        uint32_t most);
static inline uint32_t tw_rule_maybe(tw_rules *rules, uint32_t part)
{
    return tw_rule_repeat(rules, part, 0, 1);
}
/* Up to four of them, in order; 0 is left out. */
uint32_t tw_rule_sequence(tw_rules *rules, uint32_t first, uint32_t second,
                          uint32_t third, uint32_t fourth);
uint32_t tw_rule_choice(tw_rules *rules, uint32_t first, uint32_t second,
                        uint32_t third);

/* Free text: its number, for TW_RULE_FREE.  Words are added to the last one
 * made alone, each once. */
uint32_t tw_rule_free_new(tw_rules *rules);
void tw_rule_free_add(tw_rules *rules, const char *word, size_t size);
/* The last one made has all of its words.  Text that ends with the beginning
 * of one would hold it together with the word behind the text, if that goes on
 * so: `[e~` in front of `[e~[`.  So the beginning is none of the text. */
void tw_rule_free_end(tw_rules *rules);
/* The text of |free| that has none of these |looks|, TW_LOOK_. */
uint32_t tw_rule_free_without(tw_rules *rules, uint32_t free, unsigned looks);
/* What of that text may stand between the escapes of a string in |quote|. */
uint32_t tw_rule_free_quoted(tw_rules *rules, uint32_t free, char quote);
static inline uint32_t tw_rule_free_text(tw_rules *rules, uint32_t free)
{
    return tw_rule_put(rules, TW_RULE_FREE, free, 0, 0);
}

#endif
