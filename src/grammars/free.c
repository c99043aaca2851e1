/* SPDX-License-Identifier: MIT
 *
 * Free text as rules: the automaton that looks for some words (Aho and
 * Corasick's), a rule for each of its states, without the steps that would
 * end a word.
 *
 *     free-0 ::= "" | [^<] free-0 | "<" free-0-1
 *     free-0-1 ::= "" | [^<a] free-0 | "<" free-0-1      (no <a)
 */
#include "grammars/print.h"
#include "schema/regex_code.h"

/* A state: what was read last is the beginning of a word. */
typedef struct free_state {
    uint32_t point; /* the last character of it */
    uint32_t child; /* 0: none */
    uint32_t next;  /* sibling; 0: none */
    uint32_t fail; /* the state of its longest end that is another beginning */
    bool word;     /* it holds a word: no state of the rules */
} free_state;

typedef struct free_machine {
    const tw_rule_out *out;
    tw_buffer states; /* free_state */
    tw_buffer order;  /* uint32_t: states by their length */
    tw_buffer seen;   /* tw_rule_range, of one state */
    uint32_t number;
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

static void put_name(const free_machine *machine, uint32_t state)
{
    tw_rule_out_text(machine->out, "free-");
    tw_rule_out_number(machine->out, machine->number);
    if (state != 0) {
        tw_rule_out_text(machine->out, "-");
        tw_rule_out_number(machine->out, state);
    }
}

/* The characters that lead from |state| to another one than the first, each
 * once, in |seen|. */
static void find_steps(free_machine *machine, uint32_t state)
{
    machine->seen.size = 0;
    for (;;) {
        uint32_t at = state_at(machine, state)->child;
        for (; at != 0; at = state_at(machine, at)->next) {
            const uint32_t point = state_at(machine, at)->point;
            const tw_rule_range *seen =
                (const tw_rule_range *)(const void *)machine->seen.data;
            const size_t count = machine->seen.size / sizeof *seen;
            size_t i = 0;
            while (i < count && seen[i].least != point) {
                i++;
            }
            const tw_rule_range one = {point, point};
            if (i == count &&
                !append(machine, &machine->seen, &one, sizeof one)) {
                return;
            }
        }
        if (state == 0) {
            break;
        }
        state = state_at(machine, state)->fail;
    }
}

static void put_state(free_machine *machine, uint32_t state)
{
    const tw_rule_out *out = machine->out;
    find_steps(machine, state);
    const tw_rule_range *seen =
        (const tw_rule_range *)(const void *)machine->seen.data;
    const size_t count = machine->seen.size / sizeof *seen;
    put_name(machine, state);
    tw_rule_out_text(out, " ::= \"\" | ");
    tw_rule_out_gbnf_set(out, seen, count, true);
    tw_rule_out_text(out, " ");
    put_name(machine, 0);
    for (size_t i = 0; i < count; i++) {
        const uint32_t next = step(machine, state, seen[i].least);
        if (!state_at(machine, next)->word) {
            tw_rule_out_text(out, " | ");
            tw_rule_out_gbnf_set(out, &seen[i], 1, false);
            tw_rule_out_text(out, " ");
            put_name(machine, next);
        }
    }
    tw_rule_out_text(out, "\n");
}

static void put_states(free_machine *machine)
{
    const size_t count = machine->states.size / sizeof(free_state);
    for (uint32_t i = 0; i < count; i++) {
        if (!state_at(machine, i)->word &&
            machine->out->rules->code == TW_OK) {
            put_state(machine, i);
        }
    }
}

void tw_rules_print_free(const tw_rule_out *out, uint32_t number)
{
    static const free_state root = {0};
    tw_rules *rules = out->rules;
    const tw_rule_free *free = tw_rule_free_at(rules, number);
    free_machine machine = {.out = out, .number = number};
    if (free->count == 0) {
        put_name(&machine, 0);
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
        put_states(&machine);
    }
    tw_buffer_free(&machine.states, rules->memory);
    tw_buffer_free(&machine.order, rules->memory);
    tw_buffer_free(&machine.seen, rules->memory);
}
