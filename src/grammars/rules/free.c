/* SPDX-License-Identifier: MIT
 *
 * Free text as rules: the automaton that looks for some words (Aho and
 * Corasick's), a rule for each of its states, without the steps that would
 * end a word, and for each look of the text that is none of those it must not
 * have.
 *
 *     free-0 ::= "" | [^<] free-0 | "<" free-0-1
 *     free-0-1 ::= "" | [^<a] free-0 | "<" free-0-1      (no <a)
 */
#include "grammars/rules/print.h"
#include "json/number.h"
#include "schema/regex_code.h"

/* A state: what was read last is the beginning of a word. */
typedef struct free_state {
    uint32_t point; /* the last character of it */
    uint32_t child; /* 0: none */
    uint32_t next;  /* sibling; 0: none */
    uint32_t fail; /* the state of its longest end that is another beginning */
    bool word;     /* it holds a word: no state of the rules */
} free_state;

/* What the text looks like so far, of which TW_LOOK_ says some: whole, or as
 * what may become such a one. */
enum {
    LOOKS_LIKE_NONE,
    LOOKS_EMPTY,
    BEGINS_LIST,
    LOOKS_LIST,
    BEGINS_OBJECT,
    LOOKS_OBJECT,
    NUMBERS, /* and the state of the number */
    LOOKS = NUMBERS + TW_NUMBER_STATES
};

/* What a rule is of. */
typedef struct free_place {
    uint32_t state;
    uint32_t look;
} free_place;

typedef struct free_machine {
    const tw_rule_out *out;
    tw_buffer states; /* free_state */
    tw_buffer order;  /* uint32_t: states by their length */
    tw_buffer seen;   /* tw_rule_range, of one place */
    tw_buffer met;    /* uint8_t, of each place: a rule calls it */
    tw_buffer places; /* free_place: those that are called */
    uint32_t number;
    unsigned looks; /* TW_LOOK_ */
    uint8_t quote;  /* as in tw_rule_free */
} free_machine;

static free_state *state_at(const free_machine *machine, uint32_t i)
{
    return (free_state *)(void *)machine->states.data + i;
}

static bool append(const free_machine *machine, tw_buffer *to,
                   const void *data, size_t size)
{
    tw_rules *rules = machine->out->rules;
    const bool good = tw_buffer_append(to, rules->memory, data, size);
    if (!good) {
        tw_rules_no_memory(rules);
    }
    return good;
}

static uint32_t child_of(const free_machine *machine, uint32_t state,
                         uint32_t point)
{
    uint32_t at = state_at(machine, state)->child;
    while (at != 0 && state_at(machine, at)->point != point) {
        at = state_at(machine, at)->next;
    }
    return at;
}

static void add_word(free_machine *machine, const char *text)
{
    const char *end = text + strlen(text);
    uint32_t state = 0;
    while (text < end && !state_at(machine, state)->word) {
        size_t size;
        const uint32_t point = tw_regex_point(text, end, &size);
        uint32_t next = child_of(machine, state, point);
        if (next == 0) {
            const free_state made = {point, 0, state_at(machine, state)->child,
                                     0, false};
            next = (uint32_t)(machine->states.size / sizeof made);
            if (!append(machine, &machine->states, &made, sizeof made)) {
                return;
            }
            state_at(machine, state)->child = next;
        }
        state = next;
        text += size;
    }
    state_at(machine, state)->word = true;
}

/* Where |point| leads from |state|. */
static uint32_t step(const free_machine *machine, uint32_t state,
                     uint32_t point)
{
    uint32_t next;
    while ((next = child_of(machine, state, point)) == 0 && state != 0) {
        state = state_at(machine, state)->fail;
    }
    return next;
}

/* Finds all |fail|, the shorter ones first. */
static void find_fails(free_machine *machine)
{
    const uint32_t root = 0;
    if (!append(machine, &machine->order, &root, sizeof root)) {
        return;
    }
    for (size_t i = 0; i < machine->order.size / sizeof root; i++) {
        const uint32_t state =
            ((const uint32_t *)(const void *)machine->order.data)[i];
        uint32_t at = state_at(machine, state)->child;
        while (at != 0) {
            free_state *made = state_at(machine, at);
            made->fail = state == 0
                             ? 0
                             : step(machine, state_at(machine, state)->fail,
                                    made->point);
            made->word |= state_at(machine, made->fail)->word;
            if (!append(machine, &machine->order, &at, sizeof at)) {
                return;
            }
            at = made->next;
        }
    }
}

/* ---- looks -------------------------------------------------------------- */

/* The characters that may change how text looks. */
static const char signs[] = "+-.0123456789Ee[]{}";

static bool may_end(uint32_t look)
{
    return look >= NUMBERS ? !tw_number_may_end((uint8_t)(look - NUMBERS))
                           : look != LOOKS_LIST && look != LOOKS_OBJECT;
}

static uint32_t number_behind(const free_machine *machine, uint32_t look,
                              uint32_t point)
{
    uint8_t number =
        look == LOOKS_EMPTY ? TW_NUMBER_BEGIN : (uint8_t)(look - NUMBERS);
    const bool any = (machine->looks & TW_LOOK_NUMBER) != 0;
    const bool digits = (machine->looks & TW_LOOK_INTEGER) != 0 &&
                        point != '.' && point != 'e' && point != 'E';
    return (any || digits) && point < 0x80 &&
                   tw_number_takes(&number, (uint8_t)point)
               ? (uint32_t)NUMBERS + number
               : LOOKS_LIKE_NONE;
}

/* How text looks behind |point|; 0: any other character. */
static uint32_t look_behind(const free_machine *machine, uint32_t look,
                            uint32_t point)
{
    const unsigned looks = machine->looks;
    switch (look) {
    case LOOKS_LIKE_NONE: return LOOKS_LIKE_NONE;
    case BEGINS_LIST:
    case LOOKS_LIST: return point == ']' ? LOOKS_LIST : BEGINS_LIST;
    case BEGINS_OBJECT:
    case LOOKS_OBJECT: return point == '}' ? LOOKS_OBJECT : BEGINS_OBJECT;
    default:
        return look != LOOKS_EMPTY ? number_behind(machine, look, point)
               : (looks & TW_LOOK_LIST) != 0 && point == '[' ? BEGINS_LIST
               : (looks & TW_LOOK_OBJECT) != 0 && point == '{'
                   ? BEGINS_OBJECT
                   : number_behind(machine, look, point);
    }
}

/* ---- rules -------------------------------------------------------------- */

static uint32_t first_look(const free_machine *machine)
{
    return machine->looks != 0 ? LOOKS_EMPTY : LOOKS_LIKE_NONE;
}

static void put_name(const free_machine *machine, free_place place)
{
    tw_rule_out_text(machine->out, "free-");
    tw_rule_out_number(machine->out, machine->number);
    if (place.state != 0 || place.look != first_look(machine)) {
        tw_rule_out_text(machine->out, "-");
        tw_rule_out_number(machine->out, place.state);
    }
    if (place.look != LOOKS_LIKE_NONE && place.look != LOOKS_EMPTY) {
        tw_rule_out_text(machine->out, "-");
        tw_rule_out_number(machine->out, place.look);
    }
}

/* The rule of the place, which is written later if it was not yet. */
static void put_call(free_machine *machine, free_place place)
{
    uint8_t *met =
        machine->met.data + (size_t)place.state * LOOKS + place.look;
    if (*met == 0 && append(machine, &machine->places, &place, sizeof place)) {
        *met = 1;
    }
    put_name(machine, place);
}

static void see(free_machine *machine, uint32_t point)
{
    const tw_rule_range *seen =
        (const tw_rule_range *)(const void *)machine->seen.data;
    const size_t count = machine->seen.size / sizeof *seen;
    const tw_rule_range one = {point, point};
    size_t i = 0;
    while (i < count && seen[i].least != point) {
        i++;
    }
    if (i == count) {
        append(machine, &machine->seen, &one, sizeof one);
    }
}

/* What is no part of a string between its escapes. */
enum { APART = 3 };

/* The characters that lead elsewhere than all others do, each once, in
 * |seen|. */
static void find_steps(free_machine *machine, free_place place)
{
    uint32_t state = place.state;
    machine->seen.size = 0;
    if (machine->quote != 0) { /* no steps lead on from these */
        const tw_rule_range apart[APART] = {
            {0, 0x1F}, {machine->quote, machine->quote}, {'\\', '\\'}};
        append(machine, &machine->seen, apart, sizeof apart);
    }
    for (const char *at = signs; *at != 0; at++) {
        if (look_behind(machine, place.look, (uint8_t)*at) !=
            look_behind(machine, place.look, 0)) {
            see(machine, (uint8_t)*at);
        }
    }
    for (;;) {
        uint32_t at = state_at(machine, state)->child;
        for (; at != 0; at = state_at(machine, at)->next) {
            see(machine, state_at(machine, at)->point);
        }
        if (state == 0) {
            break;
        }
        state = state_at(machine, state)->fail;
    }
}

static void put_place(free_machine *machine, free_place place)
{
    const tw_rule_out *out = machine->out;
    find_steps(machine, place);
    const tw_rule_range *seen =
        (const tw_rule_range *)(const void *)machine->seen.data;
    const size_t count = machine->seen.size / sizeof *seen;
    const free_place other = {0, look_behind(machine, place.look, 0)};
    put_name(machine, place);
    tw_rule_out_text(out, may_end(place.look) ? " ::= \"\" | " : " ::= ");
    tw_rule_out_gbnf_set(out, seen, count, true);
    tw_rule_out_text(out, " ");
    put_call(machine, other);
    for (size_t i = machine->quote != 0 ? APART : 0; i < count; i++) {
        const uint32_t point = seen[i].least;
        const free_place next = {step(machine, place.state, point),
                                 look_behind(machine, place.look, point)};
        if (!state_at(machine, next.state)->word) {
            tw_rule_out_text(out, " | ");
            tw_rule_out_gbnf_set(out, &seen[i], 1, false);
            tw_rule_out_text(out, " ");
            put_call(machine, next);
        }
    }
    tw_rule_out_text(out, "\n");
}

static void put_places(free_machine *machine)
{
    const size_t count = machine->states.size / sizeof(free_state) * LOOKS;
    const free_place first = {0, first_look(machine)};
    if (!tw_buffer_reserve(&machine->met, machine->out->rules->memory,
                           count)) {
        tw_rules_no_memory(machine->out->rules);
        return;
    }
    memset(machine->met.data, 0, count);
    machine->met.data[first.look] = 1;
    append(machine, &machine->places, &first, sizeof first);
    for (size_t i = 0; i < machine->places.size / sizeof first &&
                       machine->out->rules->code == TW_OK;
         i++) {
        put_place(machine,
                  ((const free_place *)(const void *)machine->places.data)[i]);
    }
}

void tw_rules_print_free(const tw_rule_out *out, uint32_t number)
{
    static const free_state root = {0};
    tw_rules *rules = out->rules;
    const tw_rule_free *free = tw_rule_free_at(rules, number);
    free_machine machine = {.out = out,
                            .number = number,
                            .looks = free->looks,
                            .quote = free->quote};
    if (free->count == 0 && free->looks == 0 && free->quote == 0) {
        const free_place first = {0, LOOKS_LIKE_NONE};
        put_name(&machine, first);
        tw_rule_out_text(out, " ::= [^\\U0010FFFF]*\n");
        return;
    }
    if (append(&machine, &machine.states, &root, sizeof root)) {
        for (uint32_t i = 0; i < free->count && rules->code == TW_OK; i++) {
            add_word(&machine, tw_rule_word(rules, free, i));
        }
        find_fails(&machine);
    }
    if (rules->code == TW_OK) {
        put_places(&machine);
    }
    tw_buffer_free(&machine.states, rules->memory);
    tw_buffer_free(&machine.order, rules->memory);
    tw_buffer_free(&machine.seen, rules->memory);
    tw_buffer_free(&machine.met, rules->memory);
    tw_buffer_free(&machine.places, rules->memory);
}
