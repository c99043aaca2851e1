/* SPDX-License-Identifier: MIT
 *
 * A template as a program: nodes in one array, with the words, names and
 * constants that they name by number.  It is constant once it is made.
 */
#ifndef TOOLWIRE_TEMPLATE_PROGRAM_H
#define TOOLWIRE_TEMPLATE_PROGRAM_H

#include "template/values/item.h"

/* What |a|, |b|, |c| of a node are: a node, a list of nodes (linked by
 * |next|), or a number as told; 0 is no node. */
typedef enum tw_node_type {
    TW_NODE_NONE,
    /* Statements. */
    TW_NODE_DATA,      /* a: constant */
    TW_NODE_PRINT,     /* a: expression */
    TW_NODE_FOR,       /* a: FOR_PARTS, b: body, c: else */
    TW_NODE_FOR_PARTS, /* a: target, b: what is gone through, c: condition */
    TW_NODE_IF,        /* a: condition, b: body, c: else, a list */
    TW_NODE_SET,       /* a: target, b: expression */
    TW_NODE_CAPTURE,   /* a: target, b: body, c: filter of TW_NODE_BODY or 0 */
    TW_NODE_WITH,      /* a: targets, b: expressions, c: body */
    TW_NODE_MACRO,     /* number: macro; a: target */
    TW_NODE_CALL_BLOCK,   /* number: macro of the body, a: call */
    TW_NODE_FILTER_BLOCK, /* a: filter of TW_NODE_BODY, b: body */
    TW_NODE_GENERATION,   /* b: body */
    TW_NODE_AUTOESCAPE,   /* a: expression, b: body */
    TW_NODE_BREAK,
    TW_NODE_CONTINUE,
    TW_NODE_NO_LOADER, /* include, import, extends; a: expression */
    /* Expressions. */
    TW_NODE_CONSTANT, /* a: constant */
    TW_NODE_NAME,     /* a: name, b: where its places are told; see below */
    TW_NODE_BODY,     /* what a block captured, for its filter */
    TW_NODE_TUPLE,    /* a: list */
    TW_NODE_LIST,
    TW_NODE_DICT,   /* a: keys and values in turn */
    TW_NODE_CHOICE, /* a: condition, b: then, c: else or 0 */
    TW_NODE_OR,     /* a, b */
    TW_NODE_AND,
    TW_NODE_NOT,       /* a */
    TW_NODE_COMPARE,   /* a: first, b: OPERANDs */
    TW_NODE_OPERAND,   /* number: operator, a */
    TW_NODE_BINARY,    /* number: operator, a, b */
    TW_NODE_CONCAT,    /* a: list */
    TW_NODE_UNARY,     /* number: operator, a */
    TW_NODE_ATTRIBUTE, /* a: of, b: constant, its name; number: may it be a
                          method's? */
    TW_NODE_ITEM,      /* a: of, b: expression */
    TW_NODE_SLICE,     /* a, b, c: each may be 0 */
    TW_NODE_CALL,      /* a: callee, b: ARGUMENTs */
    TW_NODE_FILTER,    /* number: filter, a: value, b: ARGUMENTs */
    TW_NODE_TEST,      /* number: test, a: value, b: ARGUMENTs */
    TW_NODE_ARGUMENT,  /* number: tw_argument_kind, a, b: constant, its name */
    TW_NODE_MISSING,   /* behind the arguments of an unknown filter or test;
                          a: constant, what is said */
    TW_NODE_STORE,     /* a: name, b: place in the frame */
    TW_NODE_STORE_PART /* a: NAME of a namespace, b: constant, its member */
} tw_node_type;

typedef enum tw_argument_kind {
    TW_ARGUMENT_PLAIN,
    TW_ARGUMENT_NAMED,
    TW_ARGUMENT_LIST, /* *x */
    TW_ARGUMENT_DICT  /* **x */
} tw_argument_kind;

typedef enum tw_operator {
    TW_ADD,
    TW_SUBTRACT,
    TW_MULTIPLY,
    TW_DIVIDE,
    TW_FLOOR_DIVIDE,
    TW_MODULO,
    TW_POWER,
    TW_NEGATE,
    TW_POSITIVE,
    TW_EQUAL,
    TW_NOT_EQUAL,
    TW_LESS,
    TW_LESS_EQUAL,
    TW_GREATER,
    TW_GREATER_EQUAL,
    TW_IN,
    TW_NOT_IN
} tw_operator;

typedef struct tw_node {
    uint16_t type;
    uint16_t number;
    uint32_t line;
    uint32_t column;
    uint32_t next;
    uint32_t a;
    uint32_t b;
    uint32_t c;
    /* Of a FOR, WITH, CAPTURE, ... : the places of its names in the frame. */
    uint16_t first_place;
    uint16_t end_place;
} tw_node;

/* Where a name may be: in the frame |up| frames out, at |place|.  A name's
 * places stand in a row, the nearest first.  TW_NO_PLACE ends them where the
 * name is then one of the variables that are given, TW_UNSET_PLACE where it is
 * undefined. */
typedef struct tw_place_of {
    uint16_t up;
    uint16_t place;
} tw_place_of;

enum { TW_UNSET_PLACE = 0xFFFE, TW_NO_PLACE = 0xFFFF };

/* What a macro has beside its parameters, in this order. */
enum { TW_CALLER, TW_VARARGS, TW_KWARGS, TW_SPECIAL_NAMES };

/* A macro, or the body of a call block. */
typedef struct tw_function {
    tw_item name;        /* None: what a call block gives */
    uint32_t parameters; /* STOREs */
    uint32_t defaults;   /* expressions, of the last parameters */
    uint32_t body;
    uint16_t parameter_count;
    uint16_t default_count;
    uint16_t places; /* of its frame; a macro's first ones are its special
                        names' */
    uint8_t named;   /* which of these it names: a sum of 1 << number */
} tw_function;

typedef struct tw_program {
    tw_memory memory;
    tw_arena arena; /* of the constants */
    char *source;   /* with its line ends as `\n` */
    size_t source_size;
    size_t source_room;
    tw_buffer nodes;     /* tw_node; the first one is none */
    tw_buffer constants; /* tw_item */
    tw_buffer names;     /* const tw_string *: of variables */
    tw_buffer places;    /* tw_place_of */
    tw_buffer functions; /* tw_function; the first one is the template */
    tw_dict *named;      /* a name's text to its number */
    uint32_t loop_name;  /* `loop` among the names */
} tw_program;

static inline const tw_node *tw_node_at(const tw_program *program, uint32_t at)
{
    return (const tw_node *)(const void *)program->nodes.data + at;
}

static inline tw_item tw_constant_at(const tw_program *program, uint32_t at)
{
    return ((const tw_item *)(const void *)program->constants.data)[at];
}

static inline const tw_string *tw_name_at(const tw_program *program,
                                          uint32_t at)
{
    return ((const tw_string *const *)(const void *)program->names.data)[at];
}

static inline const tw_function *tw_function_at(const tw_program *program,
                                                uint32_t at)
{
    return (const tw_function *)(const void *)program->functions.data + at;
}

/* What is wrong with a template; the message is empty without memory. */
typedef struct tw_program_fault {
    char message[240];
    uint32_t line; /* from 1 */
    uint32_t column;
} tw_program_fault;

/* TW_OK, TEMPLATE or MEMORY; whatever it is, tw_program_free() follows. */
int tw_program_make(tw_program *program, const tw_memory *memory,
                    const char *source, size_t size, tw_program_fault *fault);
void tw_program_free(tw_program *program);

/* The number of a variable's name; SIZE_MAX: the program does not name it. */
static inline size_t tw_program_name(const tw_program *program,
                                     const char *name, size_t size)
{
    const tw_item *found = tw_dict_find_text(program->named, name, size);
    return found != NULL ? (size_t)found->of.integer : SIZE_MAX;
}

#endif
