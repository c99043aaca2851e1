/* SPDX-License-Identifier: MIT
 *
 * Values as templates see them: those of Python that Jinja's sandbox has.
 * All are of the arena of one rendering, or of the program's.
 */
#ifndef TOOLWIRE_TEMPLATE_ITEM_H
#define TOOLWIRE_TEMPLATE_ITEM_H

#include "messages/segments.h"
#include "template/values/arena.h"

typedef enum tw_item_kind {
    TW_ITEM_UNSET,     /* no value at all: a name that nothing was given to */
    TW_ITEM_UNDEFINED, /* Jinja's */
    TW_ITEM_NONE,
    TW_ITEM_BOOL,
    TW_ITEM_INT,
    TW_ITEM_BIG, /* an int beyond 64 bits: |string| is its spelling, and
                    nothing is calculated with it */
    TW_ITEM_FLOAT,
    TW_ITEM_STRING,
    TW_ITEM_LIST,
    TW_ITEM_TUPLE,
    TW_ITEM_VIEW,     /* dict.items(), keys(), values(); see |flavour| */
    TW_ITEM_ITERATOR, /* a generator: its values can be had once */
    TW_ITEM_RANGE,
    TW_ITEM_DICT,
    TW_ITEM_NAMESPACE,
    TW_ITEM_FUNCTION, /* a global one, by its number */
    TW_ITEM_METHOD,
    TW_ITEM_MACRO,
    TW_ITEM_LOOP,
    TW_ITEM_CYCLER,
    TW_ITEM_JOINER,
    TW_ITEM_SLICE /* what stands in brackets: `1:2` */
} tw_item_kind;

/* Two words: it is passed in registers. */
typedef struct tw_item {
    uint8_t kind;
    uint8_t flavour; /* of a view or iterator; of a string: Markup */
    uint32_t origin; /* of what is in the request: see tw_item_value() */
    union {
        bool flag;
        int64_t integer;
        double number;
        const struct tw_string *string;
        struct tw_list *list; /* LIST, TUPLE, VIEW, ITERATOR, SLICE */
        struct tw_dict *dict; /* DICT, NAMESPACE */
        const struct tw_number_range *range;
        const struct tw_undefined *undefined;
        const struct tw_method *method;
        const struct tw_macro *macro;
        struct tw_loop *loop;
        struct tw_cycler *cycler;
        size_t function;
    } of;
} tw_item;

typedef struct tw_string {
    const char *data;
    size_t size;
    size_t points; /* code points; as many as bytes: ASCII */
    const tw_run *runs;
    size_t run_count;
    tw_run own; /* where there is only one */
} tw_string;

typedef struct tw_list {
    tw_item *items;
    size_t count;
    size_t room;
    size_t next; /* of an iterator: how many were had */
} tw_list;

typedef struct tw_entry {
    tw_item key;
    tw_item value;
} tw_entry;

typedef struct tw_dict {
    tw_entry *entries; /* in their order */
    size_t count;
    size_t room;
    uint32_t *slots; /* numbers of entries + 1, by their hashes; NULL: few */
    size_t slot_count;
    size_t turn; /* of a message: its index + 1; 0: it is none */
} tw_dict;

typedef struct tw_number_range {
    int64_t start;
    int64_t stop;
    int64_t step;
    int64_t count;
} tw_number_range;

typedef struct tw_undefined {
    const tw_string *name; /* of what is missing, or NULL */
    tw_item of;            /* what lacks it, or UNSET */
    const char *hint;      /* in place of both, or NULL */
    uint32_t line;         /* of an `if` without `else`; 0: it is another */
    bool unsafe;           /* the sandbox hides it */
    bool element;          /* |name| is repr() of a key that is no string */
} tw_undefined;

typedef struct tw_method {
    tw_item self;
    uint16_t number; /* see methods.c */
} tw_method;

typedef struct tw_cycler {
    tw_list items;
    size_t at;
    bool used;                  /* of a joiner */
    const tw_string *separator; /* of a joiner */
} tw_cycler;

typedef enum tw_flavour {
    TW_PLAIN_ITEM,
    TW_ITEMS,
    TW_KEYS,
    TW_VALUES,
    TW_REVERSED,
    TW_GROUP, /* a tuple with the names `grouper` and `list` */
    TW_MARKUP
} tw_flavour;

/* ---- making them; NULL within: no memory, which the arena remembers ----- */

static inline tw_item tw_item_of(tw_item_kind kind)
{
    return (tw_item){.kind = (uint8_t)kind};
}

static inline tw_item tw_item_bool(bool flag)
{
    return (tw_item){.kind = TW_ITEM_BOOL, .of.flag = flag};
}

static inline tw_item tw_item_int(int64_t integer)
{
    return (tw_item){.kind = TW_ITEM_INT, .of.integer = integer};
}

static inline tw_item tw_item_float(double number)
{
    return (tw_item){.kind = TW_ITEM_FLOAT, .of.number = number};
}

/* NULL: there was no memory; the item is as empty then. */
tw_item tw_item_string(const tw_string *string);

static inline bool tw_item_is_string(tw_item item)
{
    return item.kind == TW_ITEM_STRING;
}

static inline bool tw_item_is_undefined(tw_item item)
{
    return item.kind == TW_ITEM_UNDEFINED || item.kind == TW_ITEM_UNSET;
}

/* As Python's int, which bool is a kind of. */
static inline bool tw_item_is_integral(tw_item item)
{
    return item.kind == TW_ITEM_INT || item.kind == TW_ITEM_BOOL;
}

static inline int64_t tw_item_integer(tw_item item)
{
    return item.kind == TW_ITEM_BOOL ? item.of.flag : item.of.integer;
}

static inline bool tw_item_is_number(tw_item item)
{
    return tw_item_is_integral(item) || item.kind == TW_ITEM_FLOAT;
}

static inline double tw_item_double(tw_item item)
{
    return item.kind == TW_ITEM_FLOAT ? item.of.number
                                      : (double)tw_item_integer(item);
}

/* A list of |kind| without items. */
tw_item tw_item_list(tw_arena *arena, tw_item_kind kind, size_t room);
/* |list| is of a LIST, TUPLE, VIEW or ITERATOR. */
void tw_list_add(tw_arena *arena, tw_list *list, tw_item item);

tw_item tw_item_dict(tw_arena *arena, size_t room);
/* The value of |key|; NULL: there is none.  |key| can be hashed. */
tw_item *tw_dict_find(const tw_dict *dict, tw_item key);
tw_item *tw_dict_find_text(const tw_dict *dict, const char *key, size_t size);
void tw_dict_put(tw_arena *arena, tw_dict *dict, tw_item key, tw_item value);

/* Can it be a key?  Lists and dicts cannot. */
bool tw_item_is_hashable(tw_item item);

/* ---- asking them -------------------------------------------------------- */

/* bool(). */
bool tw_item_is_true(tw_item item);
/* `==`, without the order of what a dict holds. */
bool tw_item_equals(tw_item left, tw_item right);
/* `type(x).__name__`. */
const char *tw_item_type(tw_item item);

#endif
