/* SPDX-License-Identifier: MIT
 *
 * A program at work: one rendering.  Nothing here returns an error: the first
 * one sticks, values are undefined from there on, and all loops end.
 */
#ifndef TOOLWIRE_TEMPLATE_MACHINE_H
#define TOOLWIRE_TEMPLATE_MACHINE_H

#include "template/machine/program.h"
#include "template/values/string.h"

enum {
    TW_MACHINE_DEPTH = 900, /* of expressions, statements and macros */
    TW_RANGE_LIMIT = 100000 /* of range(), as jinja2's sandbox has it */
};

typedef struct tw_names {
    struct tw_names *outer; /* in which its macro was made */
    tw_item *places;
} tw_names;

struct tw_machine;
struct tw_passed;

typedef struct tw_macro {
    const tw_function *function;
    tw_names *frame; /* around it */
} tw_macro;

typedef struct tw_loop {
    const tw_node *node;
    tw_list items;
    size_t at;
    size_t depth; /* of recursion, from 0 */
    tw_item last; /* of changed() */
    tw_names *frame;
} tw_loop;

typedef enum tw_signal {
    TW_SIGNAL_NONE,
    TW_SIGNAL_BREAK,
    TW_SIGNAL_CONTINUE
} tw_signal;

/* A template's {% generation %} block: bytes of what is written. */
typedef struct tw_generated {
    size_t begin;
    size_t end;
} tw_generated;

/* From byte |at| of what is written on the loop through the messages is at
 * message |turn| - 1; 0: it is at none.  |resumed|: it goes on behind a loop
 * within, at others. */
typedef struct tw_turn_mark {
    size_t at;
    size_t turn;
    bool resumed;
} tw_turn_mark;

/* The first marker in [from, limit), and its size; NULL: there is none. */
typedef const char *tw_json_guard(const void *context, const char *from,
                                  const char *limit, size_t *size);

/* What is called by name, and calls what called it: a filter may name another,
 * a macro runs statements. */
typedef struct tw_doors {
    size_t (*find_filter)(const char *name, size_t size);
    size_t (*find_test)(const char *name, size_t size);
    size_t (*find_method)(tw_item, const tw_string *name);
    bool (*hides_method)(size_t method);
    tw_item (*call_filter)(struct tw_machine *, size_t filter, tw_item,
                           const struct tw_passed *);
    bool (*call_test)(struct tw_machine *, size_t test, tw_item,
                      const struct tw_passed *);
    tw_item (*call_method)(struct tw_machine *, tw_item self, size_t method,
                           const struct tw_passed *);
    tw_item (*call_function)(struct tw_machine *, size_t function,
                             const struct tw_passed *);
    tw_item (*call_macro)(struct tw_machine *, const tw_macro *,
                          const struct tw_passed *);
    /* `loop(items)` in a recursive loop. */
    tw_item (*call_loop)(struct tw_machine *, const tw_loop *, tw_item items);
    void (*print_repr)(struct tw_machine *, tw_builder *, tw_item);
} tw_doors;

typedef enum tw_numbers {
    TW_NUMBERS_PYTHON,      /* as Python prints what it read */
    TW_NUMBERS_PYTHON_JSON, /* the same, but JSON has no Infinity */
    TW_NUMBERS_SPELLED      /* as they stand in the request */
} tw_numbers;

typedef struct tw_machine {
    const tw_program *program;
    const tw_doors *doors;
    tw_arena arena;
    tw_item *given; /* the variables by the numbers of their names */
    tw_names *frame;
    tw_builder *out;     /* where statements write to */
    tw_builder *written; /* the rendering's own */
    tw_buffer generated; /* tw_generated */
    tw_buffer turns;     /* tw_turn_mark */
    tw_buffer origins;   /* const tw_value *: see tw_item_from() */
    size_t turn;         /* of the loop under way, and ... */
    size_t turn_begin;   /* ... where it began */
    tw_signal signal;
    tw_item body; /* of TW_NODE_BODY */
    bool autoescape;
    uint64_t steps;
    uint64_t step_limit;
    size_t depth;
    const tw_node *node; /* under way */
    tw_item caller;      /* of the call that comes next; UNSET: none */
    tw_tree parsed;      /* what from_json reads */
    uint64_t seed;       /* of what is random */
    int64_t now;         /* seconds since 1970, of the wall clock it shows */
    const char *format;  /* whose prompts they are, for `toolwire_format`; or
                            NULL */
    tw_losses *losses;   /* to which the template may add; or NULL */
    tw_numbers numbers;  /* of the request: how they are printed */
    /* Finds markers, which have an escape in JSON; or NULL. */
    tw_json_guard *guard;
    const void *guard_context;
    const tw_value *refused; /* what the template cannot carry, or NULL */
    /* The first error. */
    int32_t code;
    tw_string const *message;
    uint32_t line;
    uint32_t column;
} tw_machine;

/* ---- errors ------------------------------------------------------------- */

/* |format|: `%s` is a word, `%S` a tw_string, `%t` the type of an item, `%r`
 * repr() of an item, `%d` an int64_t. */
void tw_fail(tw_machine *machine, const char *format, ...);
/* What is undefined was used: says so. */
void tw_fail_undefined(tw_machine *machine, tw_item item);
static inline bool tw_works(const tw_machine *machine)
{
    return machine->code == TW_OK && machine->arena.state == TW_ARENA_GOOD;
}
/* The budget is used up. */
void tw_fail_limit(tw_machine *machine);
/* |count| bytes or items were gone through: false when the budget is used up
 * or there was an error. */
static inline bool tw_charge(tw_machine *machine, size_t count)
{
    machine->steps += count;
    if (machine->steps > machine->step_limit) {
        tw_fail_limit(machine);
    }
    return tw_works(machine);
}

/* ---- making values ------------------------------------------------------ */

static inline tw_item tw_none(void)
{
    return tw_item_of(TW_ITEM_NONE);
}

/* The item as what |value| of the request is here. */
tw_item tw_item_from(tw_machine *machine, tw_item item, const tw_value *value);
/* What the item is in the request, or NULL. */
static inline const tw_value *tw_item_value(const tw_machine *machine,
                                            tw_item item)
{
    const tw_value *const *origins =
        (const tw_value *const *)(const void *)machine->origins.data;
    return item.origin > 0 ? origins[item.origin - 1] : NULL;
}

tw_item tw_undefined_hint(tw_machine *machine, const char *hint);
/* Of an `if` without an `else`, in that line, which does not hold. */
tw_item tw_undefined_choice(tw_machine *machine, uint32_t line);
tw_item tw_undefined_name(tw_machine *machine, const tw_string *name);
tw_item tw_undefined_parameter(tw_machine *machine, const tw_string *name);
tw_item tw_undefined_member(tw_machine *machine, tw_item of,
                            const tw_string *name);
tw_item tw_undefined_element(tw_machine *machine, tw_item of, tw_item key);
tw_item tw_word(tw_machine *machine, const char *word);
/* A list of the code points of a string, the keys of a dict, what an iterator
 * has left, ...: a LIST, or UNSET after an error. */
tw_item tw_list_of(tw_machine *machine, tw_item item);
/* A generator that made so much fails when what follows is asked for, an
 * UNSET with the message; not yet. */
void tw_put_off(tw_machine *machine, tw_list *made);
/* The next item of a generator, which has one. */
tw_item tw_next_item(tw_machine *machine, tw_list *from);
/* tw_list_of() with the words for what has no elements; %t is its type. */
tw_item tw_list_or(tw_machine *machine, tw_item item, const char *refusal);

/* ---- arguments ---------------------------------------------------------- */

typedef struct tw_named {
    const tw_string *name;
    tw_item value;
} tw_named;

typedef struct tw_passed {
    tw_item *at;
    size_t count;
    tw_named *named;
    size_t named_count;
} tw_passed;

enum { TW_PARAMETERS = 8 };

/* Binds the arguments of a built-in function by its signature, of which bind.c
 * tells; what is not given is UNSET.  false: they do not fit, which is said as
 * Python says it. */
bool tw_bind(tw_machine *machine, const tw_passed *arguments,
             const char *signature, tw_item out[TW_PARAMETERS]);

/* An integer as told; not given or None: |otherwise|. */
int64_t tw_whole(tw_machine *machine, tw_item item, int64_t otherwise);
/* An integer as told, where None is no number; not given: |otherwise|. */
int64_t tw_number(tw_machine *machine, tw_item item, int64_t otherwise);

/* ---- what Python does with values --------------------------------------- */

tw_item tw_binary(tw_machine *machine, tw_operator operator_, tw_item left,
                  tw_item right);
tw_item tw_unary(tw_machine *machine, tw_operator operator_, tw_item item);
/* A comparison, `in` included. */
bool tw_compare(tw_machine *machine, tw_operator operator_, tw_item left,
                tw_item right);
/* `==`.  It costs what it looks at, and is an error where values are nested
 * too deep. */
bool tw_same(tw_machine *machine, tw_item left, tw_item right);
/* Can it be a key?  Only what can is asked for in a dict, or put there: its
 * hash is paid for here. */
bool tw_is_key(tw_machine *machine, tw_item item);
/* Of `<`: less than 0, 0, or more. */
int tw_order(tw_machine *machine, tw_item left, tw_item right,
             const char *sign);
/* `%`. */
tw_item tw_format_percent(tw_machine *machine, const tw_string *format,
                          tw_item values);
/* str.format(). */
tw_item tw_format_braces(tw_machine *machine, const tw_string *format,
                         const tw_passed *arguments);

tw_item tw_get_attribute(tw_machine *machine, tw_item of,
                         const tw_string *name);
/* tw_get_attribute() of a name that is no method's, of whatever. */
tw_item tw_get_member(tw_machine *machine, tw_item of, const tw_string *name);
tw_item tw_get_item(tw_machine *machine, tw_item of, tw_item key);
/* By a path of filters: `a.b.0`; an int is an index. */
tw_item tw_get_path(tw_machine *machine, tw_item of, tw_item path);

/* str(), repr(). */
const tw_string *tw_str(tw_machine *machine, tw_item item);
const tw_string *tw_repr(tw_machine *machine, tw_item item);
void tw_print(tw_machine *machine, tw_builder *out, tw_item item);
void tw_print_repr(tw_machine *machine, tw_builder *out, tw_item item);
/* Of a number: its digits. */
void tw_print_number(tw_machine *machine, tw_builder *out, tw_item item);
/* With `&`, `<`, `>` and quotes as HTML writes them. */
const tw_string *tw_escape_html(tw_machine *machine, const tw_string *string);

/* ---- running ------------------------------------------------------------ */

tw_item tw_evaluate(tw_machine *machine, uint32_t node);
void tw_run_body(tw_machine *machine, uint32_t first);
tw_item tw_macro_call(tw_machine *machine, const tw_macro *macro,
                      const tw_passed *arguments);
tw_item tw_loop_call(tw_machine *machine, const tw_loop *loop, tw_item items);

#endif
