/* SPDX-License-Identifier: MIT
 *
 * The arguments of built-in functions: where they go, and what Python says
 * where they do not fit.  A signature is one of
 *
 *   do_attr environment obj: name       a function that is written in Python
 *   str.center/: width |fillchar        one written in C, which takes no names
 *   split=: |sep maxsplit               one written in C, which takes names
 *   Cycler.__init__ self: *             one that takes any number
 *
 * In front of the `:` stand the function and what the template does not give.
 * What stands behind a `|` may be left out.
 */
#include "template/machine/machine.h"

/* The next of a list's names, *size bytes; NULL: there is none.  Each call of
 * a built-in function asks: libc's strspn() is slower for such lists. */
static const char *next_name(const char **at, size_t *size)
{
    const char *name = *at;
    while (*name == ' ' || *name == '|' || *name == '*') {
        name++;
    }
    const char *end = name;
    while (*end > ' ' && *end != '|' && *end != ':') {
        end++;
    }
    *size = (size_t)(end - name);
    *at = end;
    return *size == 0 ? NULL : name;
}

static size_t count_names(const char *list)
{
    size_t count = 0;
    for (size_t size; next_name(&list, &size) != NULL;) {
        count++;
    }
    return count;
}

/* The number of a name in a list; SIZE_MAX: it is not there. */
static size_t find_name(const char *list, const tw_string *name)
{
    size_t size;
    const char *known;
    for (size_t i = 0; (known = next_name(&list, &size)) != NULL; i++) {
        if (size == name->size && memcmp(known, name->data, size) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

typedef struct signature {
    const char *text;
    const char *hidden;     /* what the template does not give */
    const char *parameters; /* what it gives */
    char written;           /* '/', '=': in C */
    size_t needed;
    size_t count;
    bool any; /* more of them, too */
} signature;

static signature read_signature(const char *text)
{
    signature of = {.text = text};
    const char *at = text;
    /* Names have letters, dots and underscores. */
    while (*at >= '@' || *at == '.') {
        at++;
    }
    of.written = *at;
    of.hidden = at + (*at == '/' || *at == '=');
    while (*at != ':') {
        at++;
    }
    of.parameters = ++at;
    bool inside = false; /* a name */
    bool optional = false;
    for (; *at != 0; at++) {
        const bool letter = *at >= '@' && *at != '|';
        of.count += letter && !inside;
        of.needed += letter && !inside && !optional;
        of.any |= *at == '*';
        optional |= *at == '|';
        inside = letter;
    }
    return of;
}

/* ---- what is said ------------------------------------------------------- */

static const tw_string *name_of(tw_machine *machine, const signature *of)
{
    return tw_string_of(&machine->arena, of->text, strcspn(of->text, "/= :"));
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void fail_count_python(tw_machine *machine, const signature *of,
                              size_t given)
{
    const size_t most = count_names(of->hidden) + of->count;
    const tw_string *name = name_of(machine, of);
    const char *were = given == 1 ? "was" : "were";
    if (of->needed < of->count) {
        tw_fail(machine,
                "%S() takes from %d to %d positional arguments but %d %s "
                "given",
                name, (int64_t)(most - of->count + of->needed), (int64_t)most,
                (int64_t)given, were);
    } else {
        tw_fail(machine, "%S() takes %d positional argument%s but %d %s given",
                name, (int64_t)most, plural(most), (int64_t)given, were);
    }
}

/* A function of C that takes one argument at most, or none, counts in its own
 * words; of others those with a type or module in front of their names do. */
static void fail_count_c(tw_machine *machine, const signature *of,
                         size_t given, const char *kind)
{
    const size_t hidden = count_names(of->hidden);
    const size_t least = hidden + of->needed;
    const size_t most = hidden + of->count;
    const size_t bound = given < least ? least : most;
    const tw_string *name = name_of(machine, of);
    const size_t dot = strcspn(of->text, ".:") + 1; /* behind it */
    const char *how = least == most   ? ""
                      : given < least ? "at least "
                                      : "at most ";
    if (most == 0) {
        tw_fail(machine, "%S() takes no arguments (%d given)", name,
                (int64_t)given);
    } else if (least == 1 && most == 1) {
        tw_fail(machine, "%S() takes exactly one argument (%d given)", name,
                (int64_t)given);
    } else if (dot < name->size) {
        name = tw_string_of(&machine->arena, of->text + dot, name->size - dot);
        tw_fail(machine, "%S expected %s%d argument%s, got %d", name, how,
                (int64_t)bound, plural(bound), (int64_t)given);
    } else {
        tw_fail(machine, "%S() takes %s%d %sargument%s (%d given)", name, how,
                (int64_t)bound, kind, plural(bound), (int64_t)given);
    }
}

static void fail_missing(tw_machine *machine, const signature *of,
                         const tw_item *out)
{
    const char *at = of->parameters;
    size_t left = 0;
    for (size_t i = 0; i < of->needed; i++) {
        left += out[i].kind == TW_ITEM_UNSET;
    }
    const size_t count = left;
    tw_builder names;
    tw_builder_init(&names, &machine->arena);
    for (size_t i = 0; i < of->needed; i++) {
        size_t size;
        const char *name = next_name(&at, &size);
        if (out[i].kind == TW_ITEM_UNSET) {
            left--;
            tw_build_words(&names, "'", 1);
            tw_build_words(&names, name, size);
            tw_build(&names, left > 1    ? "', "
                             : left == 0 ? "'"
                             : count > 2 ? "', and "
                                         : "' and ");
        }
    }
    tw_fail(machine, "%S() missing %d required positional argument%s: %S",
            name_of(machine, of), (int64_t)count, plural(count),
            tw_builder_string(&names));
    tw_builder_free(&names);
}

static void fail_name(tw_machine *machine, const signature *of,
                      const tw_string *name, size_t at)
{
    const tw_string *function = name_of(machine, of);
    if (at != SIZE_MAX && of->written == '=') {
        tw_fail(machine,
                "argument for %S() given by name ('%S') and position (%d)",
                function, name, (int64_t)at + 1);
    } else if (at != SIZE_MAX) {
        tw_fail(machine, "%S() got multiple values for argument '%S'",
                function, name);
    } else if (of->written == '=') {
        tw_fail(machine, "'%S' is an invalid keyword argument for %S()", name,
                function);
    } else {
        tw_fail(machine, "%S() got an unexpected keyword argument '%S'",
                function, name);
    }
}

/* ---- where they go ------------------------------------------------------ */

static void bind_names(tw_machine *machine, const tw_passed *arguments,
                       const signature *of, tw_item *out)
{
    for (size_t i = 0; i < arguments->named_count && tw_works(machine); i++) {
        const tw_string *name = arguments->named[i].name;
        const size_t at = find_name(of->parameters, name);
        if (at == SIZE_MAX || out[at].kind != TW_ITEM_UNSET) {
            fail_name(machine, of, name,
                      at == SIZE_MAX ? find_name(of->hidden, name) : at);
        } else {
            out[at] = arguments->named[i].value;
        }
    }
}

/* C's functions look at how many there are before they look at names. */
static void check_c(tw_machine *machine, const tw_passed *arguments,
                    const signature *of)
{
    const bool named = of->written == '=';
    const size_t given = arguments->count + arguments->named_count;
    if (arguments->named_count > 0 && !named) {
        tw_fail(machine, "%S() takes no keyword arguments",
                name_of(machine, of));
    } else if (given < of->needed || given > of->count) {
        fail_count_c(machine, of, count_names(of->hidden) + given,
                     arguments->count == 0 && named ? "keyword " : "");
    }
}

/* Nothing is given, and nothing is needed: most calls of filters. */
static bool is_nothing_to_bind(const tw_passed *arguments, const char *text)
{
    if (arguments->count > 0 || arguments->named_count > 0) {
        return false;
    }
    const char *at = strchr(text, ':') + 1;
    at += *at == ' ';
    return *at == 0 || *at == '|' || *at == '*';
}

bool tw_bind(tw_machine *machine, const tw_passed *arguments, const char *text,
             tw_item out[TW_PARAMETERS])
{
    memset(out, 0, TW_PARAMETERS * sizeof *out); /* each TW_ITEM_UNSET */
    if (is_nothing_to_bind(arguments, text)) {
        return tw_works(machine);
    }
    const signature of = read_signature(text);
    const bool in_c = of.written == '/' || of.written == '=';
    for (size_t i = 0; i < arguments->count && i < of.count; i++) {
        out[i] = arguments->at[i];
    }
    if (in_c) {
        check_c(machine, arguments, &of);
    }
    bind_names(machine, arguments, &of, out);
    if (arguments->count > of.count && !of.any) {
        fail_count_python(machine, &of,
                          count_names(of.hidden) + arguments->count);
    }
    for (size_t i = 0; i < of.needed && tw_works(machine); i++) {
        if (out[i].kind == TW_ITEM_UNSET) {
            fail_missing(machine, &of, out);
        }
    }
    return tw_works(machine);
}
