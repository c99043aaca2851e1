/* SPDX-License-Identifier: MIT
 *
 * A grammar in the making: what a description says around calls, and what
 * schemas say in them.
 */
#ifndef TOOLWIRE_GRAMMARS_MAKE_H
#define TOOLWIRE_GRAMMARS_MAKE_H

#include "events/known.h"
#include "formats/format.h"
#include "grammars/rules/rules.h"
#include "messages/pytext.h"
#include "schema/schema.h"

/* How a value is written. */
typedef enum tw_notation_kind {
    TW_NOTATION_JSON,
    TW_NOTATION_PYTHON,  /* as Python's literals */
    TW_NOTATION_STRINGS, /* the same with JSON's strings alone, and its
                            words */
    TW_NOTATION_MIXED,   /* objects as JSON, and all else as Python */
    TW_NOTATION_WORDS,   /* Python's words, and all else as JSON */
    TW_NOTATION_GEMMA,
    TW_NOTATION_TAGGED, /* an argument between tags from its key on: what
                          closes it is part of it */
    TW_NOTATION_ELEMENT /* as an element named |tag|, with its tags */
} tw_notation_kind;

/* A value that is to be written: the rule waits for its body. */
typedef struct tw_wanted {
    const tw_value *schema; /* NULL: any value */
    uint32_t notation;      /* a tw_notation_kind */
    const char *tag;        /* of an element; NULL: of another notation */
    size_t tag_size;
    unsigned apart; /* between tags: see below */
    uint32_t rule;
} tw_wanted;

/* Rules that many values share, by notation; 0: not made yet. */
enum {
    TW_SHARED_STRING,
    TW_SHARED_INTEGER,
    TW_SHARED_NUMBER,
    TW_SHARED_BOOLEAN,
    TW_SHARED_NULL,
    TW_SHARED_ANY,
    TW_SHARED_COMMA,
    TW_SHARED_CHARACTER,
    TW_SHARED_KEY,
    TW_SHARED_BEGIN,
    TW_SHARED_REST,
    TW_SHARED_MOST
};
enum { TW_NOTATIONS = TW_NOTATION_ELEMENT + 1 };

/* A tool with the node that calls the tool's rule. */
typedef struct tw_grammar_tool {
    const tw_value *tool;
    uint32_t call;
} tw_grammar_tool;

/* How values are written from tag to tag. */
typedef struct tw_rule_tag {
    const tw_pattern *pattern; /* NULL: there is none for them */
    uint32_t free;             /* what such a text does not hold */
} tw_rule_tag;

typedef struct tw_grammar_maker {
    tw_rules rules;
    const tw_memory *memory;
    const tw_description *description;
    const tw_grammar_options *options;
    const tw_value *tools; /* the list */
    tw_schema schema;      /* follows references */
    tw_buffer impossible;  /* const tw_value *: where no value fits */
    tw_buffer called;      /* tw_grammar_tool: all that are */
    tw_buffer wanted;      /* tw_wanted, in the order in which they came */
    size_t filled;         /* how many of these have their bodies */
    tw_buffer places;      /* uint32_t + 1 into |wanted|, by hash */
    tw_buffer text;        /* in the making */
    uint32_t shared[TW_NOTATIONS][TW_SHARED_MOST];
    uint32_t rule; /* the one that is being filled */
    tw_rule_tag string_tag;
    tw_rule_tag other_tag;
    bool marks; /* a reader finds markers in strings in quotes, too ... */
    uint32_t in_strings; /* ... which these hold none of: free text */
    uint32_t quoted; /* + 1: free text in Gemma's quotes; 0: not yet */
    const char *quote;
    uint32_t cdata;        /* what text in CDATA does not hold */
    const char *mark;      /* in front of the tags of elements */
    uint32_t element_free; /* what text in them does not hold */
    const char *tag;       /* of the element that is being made */
    size_t tag_size;
    unsigned apart;   /* TW_TYPE_: what a string between tags must not look
                         like, since a reader would take it for that */
    bool lines;       /* JSON has line feeds */
    bool text_behind; /* text may stand behind calls */
} tw_grammar_maker;

/* ---- wanted.c ----------------------------------------------------------- */

/* What |where| says cannot be said.  With |wider| it is told of in front of
 * the rule; else that is the error. */
void tw_grammar_cannot(tw_grammar_maker *maker, const tw_value *where,
                       const char *why);
void tw_grammar_fail(tw_grammar_maker *maker, int code, const tw_value *where,
                     const char *why);

/* Tells of names that are required and not declared: no other members are
 * written. */
void tw_grammar_check_required(tw_grammar_maker *maker,
                               const tw_value *schema);

/* A node that calls the rule of the schema, which waits for its body. */
uint32_t tw_grammar_want(tw_grammar_maker *maker, const tw_value *schema,
                         tw_notation_kind notation);

/* ---- loops.c ------------------------------------------------------------ */

/* Fails if a schema leads back to itself without a character, in rules that
 * are used. */
void tw_grammar_check_loops(tw_grammar_maker *maker);

/* ---- nothing.c ---------------------------------------------------------- */

/* A node that no text matches, since no value fits the schema that says
 * |where|. */
uint32_t tw_grammar_nothing(tw_grammar_maker *maker, const tw_value *where);
/* Leaves out what may be left out of that; fails if a tool requires it. */
void tw_grammar_leave_out(tw_grammar_maker *maker);

/* ---- words.c ------------------------------------------------------------ */

static inline bool tw_grammar_is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == 0;
}

/* Layout: as it stands, or nothing. */
uint32_t tw_grammar_layout(tw_grammar_maker *maker, const char *text);
/* Parts [from, to) of a pattern, of which only words are written, behind those
 * of the node. */
void tw_grammar_add_parts(tw_grammar_maker *maker, uint32_t node,
                          const tw_pattern *pattern, size_t from, size_t to);
/* Adds all of |from| that says something of what |free|, the last one made,
 * does not hold. */
void tw_grammar_forbid(tw_grammar_maker *maker, unsigned roles);
/* Free text in Gemma's quotes: its number. */
uint32_t tw_grammar_quoted(tw_grammar_maker *maker);
uint32_t tw_grammar_colon(tw_grammar_maker *maker, const char *colon);
uint32_t tw_grammar_comma(tw_grammar_maker *maker, tw_notation_kind notation);
/* White space inside brackets. */
uint32_t tw_grammar_line(tw_grammar_maker *maker);
/* The number that a keyword says; |missing| if it does not. */
uint32_t tw_grammar_count(tw_grammar_maker *maker, const tw_value *schema,
                          const char *name, uint32_t missing);
/* A rule that is made once; 0: |make| it. */
uint32_t tw_grammar_shared(tw_grammar_maker *maker, tw_notation_kind notation,
                           int shared);
uint32_t tw_grammar_share(tw_grammar_maker *maker, tw_notation_kind notation,
                          int shared, const char *name, bool token,
                          uint32_t body);

/* ---- characters.c ------------------------------------------------------- */

/* Does all of a string stand for itself? */
static inline bool tw_notation_is_plain(tw_notation_kind notation)
{
    return notation == TW_NOTATION_TAGGED || notation == TW_NOTATION_ELEMENT ||
           notation == TW_NOTATION_GEMMA;
}

/* One character of a string, and a node that is one of |ranges|, with its
 * escapes. */
uint32_t tw_grammar_character(tw_grammar_maker *maker,
                              tw_notation_kind notation);
uint32_t tw_grammar_one_of(tw_grammar_maker *maker, tw_notation_kind notation,
                           const tw_rule_range *ranges, size_t count,
                           bool others);
/* What strings that all stand for themselves hold none of: free text. */
uint32_t tw_grammar_plain(tw_grammar_maker *maker, tw_notation_kind notation);
/* Any string of |least| characters or more, as it stands in its quotes: the
 * first ones begin no marker, and no text holds one behind them. */
uint32_t tw_grammar_from_size(tw_grammar_maker *maker,
                              tw_notation_kind notation, uint32_t least);
/* What stands in these quotes, of which there are other kinds. */
uint32_t tw_grammar_in_quotes_of(tw_grammar_maker *maker,
                                 tw_notation_kind notation, char quote);
/* The text in the making is a value in quotes: no marker stands there. */
void tw_grammar_hide_markers(tw_grammar_maker *maker);

/* ---- tags.c ------------------------------------------------------------- */

/* A value that is no string, with the tags around it; |type| is its type's
 * name. */
uint32_t tw_grammar_between(tw_grammar_maker *maker, const tw_value *of,
                            uint32_t value, const char *type);
/* |text| in CDATA. */
uint32_t tw_grammar_cdata(tw_grammar_maker *maker, uint32_t text);
/* Text with its tags; |of| is told of where there is none. */
uint32_t tw_grammar_tagged_text(tw_grammar_maker *maker, const tw_value *of);

/* A string that is not any, likewise. */
uint32_t tw_grammar_tagged_string(tw_grammar_maker *maker, const tw_value *of,
                                  uint32_t string);

/* Does the tag say which type its value has? */
bool tw_grammar_says_type(const tw_pattern *pattern);

/* Tells of values in brackets where a reader would take them for others. */
void tw_grammar_check_brackets(tw_grammar_maker *maker,
                               const tw_value *schema);

/* A value as an element, in its tags; the same of a string, 0: any. */
uint32_t tw_grammar_element(tw_grammar_maker *maker, uint32_t value);
uint32_t tw_grammar_element_string(tw_grammar_maker *maker, const tw_value *of,
                                   uint32_t string);

/* ---- apart.c ------------------------------------------------------------ */

/* The types that a reader may find in a value between tags beside a string,
 * and of which not all values fit the schema; with TW_TYPE_STRING if that
 * stands beside lists or objects, of which an element may hold nothing; and
 * TW_APART_BOUNDED if a string is counted or matched. */
enum {
    TW_APART_LOOKS = TW_TYPE_JSON & ~TW_TYPE_STRING,
    TW_APART_BOUNDED = TW_TYPE_JSON + 1
};
unsigned tw_grammar_apart(tw_grammar_maker *maker, const tw_value *schema);
/* What free text must not look like there, TW_LOOK_, which |of| is told of if
 * it cannot be said. */
unsigned tw_grammar_looks(tw_grammar_maker *maker, const tw_value *of);
/* A character that nothing of the kind begins with; 0: any may. */
uint32_t tw_grammar_first_apart(tw_grammar_maker *maker, const tw_value *of,
                                tw_notation_kind notation);
/* Is the string none of that? */
bool tw_grammar_is_apart(tw_grammar_maker *maker, const tw_value *string);

/* ---- one_of.c ----------------------------------------------------------- */

/* Tells of the |list| of a oneOf of |schema| if a value may fit two of it;
 * |tagged|: it stands between tags, where no type said is text. */
void tw_grammar_check_one_of(tw_grammar_maker *maker, const tw_value *schema,
                             const tw_value *list, bool tagged);

/* ---- elements.c --------------------------------------------------------- */

/* What an object or a list holds; |closed|: no others than declared members
 * are due to be said. */
uint32_t tw_grammar_elements(tw_grammar_maker *maker, const tw_value *schema,
                             bool closed);
uint32_t tw_grammar_element_list(tw_grammar_maker *maker,
                                 const tw_value *schema);
/* Does the schema take null alone, of which elements have none? */
bool tw_grammar_is_null(const tw_value *schema);

/* ---- any.c -------------------------------------------------------------- */

/* A node for a value; NULL: any. */
uint32_t tw_grammar_value(tw_grammar_maker *maker, const tw_value *schema,
                          tw_notation_kind notation);
uint32_t tw_grammar_any(tw_grammar_maker *maker, tw_notation_kind notation);
/* The key of a member of any name, and what stands behind it. */
uint32_t tw_grammar_key(tw_grammar_maker *maker, tw_notation_kind notation);

/* ---- message.c, calls.c ------------------------------------------------- */

/* The first rule: a message. */
void tw_grammar_message(tw_grammar_maker *maker);

/* Literals that stand side by side. */
enum { TW_GRAMMAR_RUN = 512 };

/* Calls of one pattern. */
typedef struct tw_grammar_calls {
    char open[TW_GRAMMAR_RUN]; /* what begins them, or "": nothing does */
    size_t open_size;
    const char *front; /* layout before it */
    uint32_t rest;     /* a node */
} tw_grammar_calls;

/* Of the |i|-th pattern of calls; false: it is not written. */
bool tw_grammar_calls_of(tw_grammar_maker *maker, size_t i,
                         tw_grammar_calls *calls);
/* The literals of a pattern from part |at| on, as one text: its size.  |*next|
 * is the part behind them. */
size_t tw_grammar_run(const tw_pattern *pattern, size_t at,
                      char out[TW_GRAMMAR_RUN], size_t *next);

/* ---- names.c ------------------------------------------------------------ */

/* A name, with entities where attributes have some. */
uint32_t tw_grammar_name(tw_grammar_maker *maker, const char *text,
                         size_t size);
/* Does a reader find this key without quotes?  Blanks at its ends are layout,
 * and it reads no longer ones. */
bool tw_grammar_is_key(const char *key, size_t size);
/* Has it one of the blanks that are none of JSON's, or Python's U+0085? */
bool tw_grammar_has_odd_blank(const tw_value *name);
/* Tells of a tool's name that cannot stand without quotes in the pattern or,
 * where that is NULL, in Python; or not in a JSON string. */
void tw_grammar_check_name(tw_grammar_maker *maker, const tw_pattern *pattern,
                           const tw_value *name);
void tw_grammar_check_said_name(tw_grammar_maker *maker, const tw_value *name);

/* ---- keywords.c, values.c ----------------------------------------------- */

/* Are rules made of this keyword? */
bool tw_grammar_is_said(const tw_value *keyword);
/* Has the schema one beside |but|? */
bool tw_grammar_says_more(const tw_value *schema, const char *but);

/* Fills all rules that wait. */
void tw_grammar_fill(tw_grammar_maker *maker);
/* Tells of all keywords that no grammar says. */
void tw_grammar_check_keywords(tw_grammar_maker *maker,
                               const tw_value *schema);
/* All types, of which an integer is a number. */
enum { TW_GRAMMAR_TYPES = TW_TYPE_JSON & ~TW_TYPE_INTEGER };
/* Where no type is said: those that the keywords were meant for. */
unsigned tw_grammar_meant_types(const tw_value *schema);
/* What `propertyNames` says beside that they are strings, or NULL. */
const tw_value *tw_grammar_said_of_names(const tw_value *schema);
/* What `patternProperties` says of all members, or NULL: there are others, or
 * several kinds. */
const tw_value *tw_grammar_one_pattern(const tw_value *schema);
/* The schema behind references; NULL: there is none, which was told. */
const tw_value *tw_grammar_resolve(tw_grammar_maker *maker,
                                   const tw_value *schema);

/* How Python's literals are quoted. */
static inline const tw_dump_style *
tw_grammar_python(const tw_grammar_maker *maker)
{
    const uint8_t values = maker->description->values;
    return values == TW_VALUES_REPR2   ? &tw_python_repr_double
           : values == TW_VALUES_MIXED ? &tw_python_repr_single
                                       : &tw_python_repr;
}

/* ... and what stands around their strings, if they hold none. */
static inline char tw_grammar_quote(const tw_grammar_maker *maker,
                                    tw_notation_kind notation)
{
    const bool python = notation == TW_NOTATION_PYTHON;
    return python && tw_grammar_python(maker) != &tw_python_repr_double ? '\''
                                                                        : '"';
}

/* A keyword's value, or NULL. */
static inline const tw_value *tw_keyword_of(const tw_value *schema,
                                            const char *name)
{
    return tw_value_is_a(schema, TW_VALUE_OBJECT)
               ? tw_value_member(schema, name)
               : NULL;
}

/* ---- arguments.c -------------------------------------------------------- */

/* The schema of all arguments behind its references, of which properties are
 * taken one by one: what it says beside them is told of.  |counted|: how many
 * there are is said. */
const tw_value *tw_grammar_arguments(tw_grammar_maker *maker,
                                     const tw_value *schema, bool counted);
/* All arguments as one object. */
uint32_t tw_grammar_json_arguments(tw_grammar_maker *maker,
                                   const tw_value *schema,
                                   tw_notation_kind notation);

/* ---- objects.c ---------------------------------------------------------- */

/* The arguments of a call as Python's keywords. */
uint32_t tw_grammar_members(tw_grammar_maker *maker, const tw_value *schema,
                            tw_notation_kind notation);
/* Tells of counts that declared members, |needed| of which are due, may not
 * keep to. */
void tw_grammar_check_counts(tw_grammar_maker *maker, const tw_value *schema,
                             size_t needed, size_t count);
uint32_t tw_grammar_object(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation);
uint32_t tw_grammar_array(tw_grammar_maker *maker, const tw_value *schema,
                          tw_notation_kind notation);
/* The value itself; a list or an object with the blanks that others may have:
 * as one text a lexer would take the beginning of another one for this one's.
 */
uint32_t tw_grammar_listed(tw_grammar_maker *maker, const tw_value *value,
                           tw_notation_kind notation);
/* ---- scalars.c ---------------------------------------------------------- */

uint32_t tw_grammar_any_string(tw_grammar_maker *maker,
                               tw_notation_kind notation);
/* |inside| in the quotes of the notation. */
uint32_t tw_grammar_in_quotes(tw_grammar_maker *maker,
                              tw_notation_kind notation, uint32_t inside);
uint32_t tw_grammar_any_number(tw_grammar_maker *maker, bool integer);
uint32_t tw_grammar_string(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation);
uint32_t tw_grammar_number(tw_grammar_maker *maker, const tw_value *schema,
                           tw_notation_kind notation, bool integer);
uint32_t tw_grammar_word(tw_grammar_maker *maker, tw_notation_kind notation,
                         int shared);
/* Does white space stand at a string's ends, where layout may? */
bool tw_grammar_has_edges(const tw_value *value);
/* The string as it stands for itself, or in CDATA; 0: it is a value of another
 * type, or a marker is in it. */
uint32_t tw_grammar_plain_words(tw_grammar_maker *maker,
                                const tw_value *string,
                                tw_notation_kind notation);
/* What is written of the value, to |text| of the maker. */
bool tw_grammar_dump(tw_grammar_maker *maker, const tw_value *value,
                     tw_notation_kind notation);
/* The value itself, as one text. */
uint32_t tw_grammar_literal(tw_grammar_maker *maker, const tw_value *value,
                            tw_notation_kind notation);
/* ---- ranges.c, patterns.c ----------------------------------------------- */

/* Numbers between two bounds, NULL: none. */
uint32_t tw_grammar_between_numbers(tw_grammar_maker *maker,
                                    const tw_value *least, bool above,
                                    const tw_value *most, bool below,
                                    bool integer);
/* What matches a pattern, a keyword's string, and has |least| to |most|
 * characters; 0: it cannot be said, which was told. */
uint32_t tw_grammar_pattern(tw_grammar_maker *maker, const tw_value *pattern,
                            uint32_t least, uint32_t most,
                            tw_notation_kind notation);

#endif
