/* SPDX-License-Identifier: MIT
 *
 * Values that cannot be, as those of `false`, of an empty enum, or of a schema
 * that requires itself: what may be left out is left out, and a tool that
 * requires one is refused.
 *
 * A node counts what it still waits for: a choice for one part, a sequence for
 * all.  Those that wait for nothing are taken one by one, each once; what is
 * left in the end matches no text.
 */
#include "grammars/make.h"

typedef struct node_state {
    uint32_t waits;  /* for so many parts; 0: it matches some text */
    uint32_t holder; /* the node that it is a part of; 0: it is a body */
    uint32_t rule;   /* whose body it is */
    uint32_t next;   /* the next call of the same rule; 0: none */
} node_state;

typedef struct nothing_work {
    tw_grammar_maker *maker;
    tw_buffer states; /* node_state of each node */
    tw_buffer calls;  /* uint32_t of each rule: its first call */
    tw_buffer ready;  /* uint32_t: nodes that match some text */
} nothing_work;

static node_state *state_at(const nothing_work *work, uint32_t node)
{
    return (node_state *)(void *)work->states.data + node;
}

static uint32_t *call_at(const nothing_work *work, uint32_t rule)
{
    return (uint32_t *)(void *)work->calls.data + rule;
}

static bool is_nothing(const nothing_work *work, uint32_t node)
{
    return state_at(work, node)->waits > 0;
}

static bool zeros(const nothing_work *work, tw_buffer *list, size_t size)
{
    if (!tw_buffer_reserve(list, work->maker->memory, size)) {
        tw_rules_no_memory(&work->maker->rules);
        return false;
    }
    memset(list->data, 0, size);
    list->size = size;
    return true;
}

static void make_ready(nothing_work *work, uint32_t node)
{
    if (!tw_buffer_append(&work->ready, work->maker->memory, &node,
                          sizeof node)) {
        tw_rules_no_memory(&work->maker->rules);
    }
}

/* What the node waits for, and what waits for its parts. */
static void begin_node(nothing_work *work, uint32_t number)
{
    const tw_rules *rules = &work->maker->rules;
    const tw_rule_node *node = tw_rule_node_at(rules, number);
    node_state *state = state_at(work, number);
    uint32_t parts = 0;
    for (uint32_t at = node->first; at != 0;
         at = tw_rule_node_at(rules, at)->next) {
        state_at(work, at)->holder = number;
        parts++;
    }
    switch (node->kind) {
    case TW_RULE_NOTHING: state->waits = 1; break;
    case TW_RULE_SEQUENCE: state->waits = parts; break;
    case TW_RULE_CHOICE: state->waits = parts > 0; break;
    case TW_RULE_REPEAT: state->waits = node->b > 0; break;
    case TW_RULE_CALL:
        state->waits = 1;
        state->next = *call_at(work, node->a);
        *call_at(work, node->a) = number;
        break;
    default: break;
    }
    if (state->waits == 0) {
        make_ready(work, number);
    }
}

static void tell(nothing_work *work, uint32_t node)
{
    node_state *state = state_at(work, node);
    if (state->waits > 0 && --state->waits == 0) {
        make_ready(work, node);
    }
}

/* Finds all nodes that match some text; false: no memory. */
static bool find(nothing_work *work)
{
    const tw_rules *rules = &work->maker->rules;
    const uint32_t count =
        (uint32_t)(rules->nodes.size / sizeof(tw_rule_node));
    const uint32_t rule_count = tw_rules_count(rules);
    if (!zeros(work, &work->states, count * sizeof(node_state)) ||
        !zeros(work, &work->calls, rule_count * sizeof(uint32_t))) {
        return false;
    }
    for (uint32_t i = 0; i < rule_count; i++) {
        state_at(work, tw_rule_at(rules, i)->body)->rule = i;
    }
    for (uint32_t i = 1; i < count; i++) {
        begin_node(work, i);
    }
    for (size_t i = 0;
         i < work->ready.size / sizeof(uint32_t) && rules->code == TW_OK;
         i++) {
        const uint32_t node =
            ((const uint32_t *)(const void *)work->ready.data)[i];
        const node_state *state = state_at(work, node);
        if (state->holder != 0) {
            tell(work, state->holder);
            continue;
        }
        uint32_t call = tw_rule_at(rules, state->rule)->body == node
                            ? *call_at(work, state->rule)
                            : 0;
        for (; call != 0; call = state_at(work, call)->next) {
            tell(work, call);
        }
    }
    return rules->code == TW_OK;
}

/* ---- what is left out --------------------------------------------------- */

/* Parts that match nothing are no parts of a choice, and are repeated never.
 */
static void leave_out(nothing_work *work, uint32_t number)
{
    const tw_rules *rules = &work->maker->rules;
    tw_rule_node *node = tw_rule_node_at(rules, number);
    if (node->kind == TW_RULE_REPEAT && node->b == 0 &&
        is_nothing(work, node->first)) {
        node->kind = TW_RULE_SEQUENCE;
        node->first = node->last = 0;
    }
    if (node->kind != TW_RULE_CHOICE || is_nothing(work, number)) {
        return;
    }
    uint32_t at = node->first;
    node->first = node->last = 0;
    for (uint32_t next; at != 0; at = next) {
        next = tw_rule_node_at(rules, at)->next;
        tw_rule_node_at(rules, at)->next = 0;
        tw_rule_add(&work->maker->rules, number,
                    is_nothing(work, at) ? 0 : at);
    }
}

/* ---- what is refused ---------------------------------------------------- */

/* Where the value is that cannot be, in the node; NULL: it never ends. */
static const tw_value *place_of(const nothing_work *work, uint32_t number)
{
    const tw_rules *rules = &work->maker->rules;
    size_t steps = work->states.size / sizeof(node_state);
    for (; steps > 0; steps--) {
        const tw_rule_node *node = tw_rule_node_at(rules, number);
        uint32_t part = node->first;
        if (node->kind == TW_RULE_NOTHING) {
            return ((const tw_value *const *)(const void *)
                        work->maker->impossible.data)[node->a];
        }
        while (part != 0 && !is_nothing(work, part)) {
            part = tw_rule_node_at(rules, part)->next;
        }
        number = node->kind == TW_RULE_CALL ? tw_rule_at(rules, node->a)->body
                                            : part;
    }
    return NULL;
}

static void refuse(const nothing_work *work, const tw_grammar_tool *tool)
{
    static const char end[] = "` requires one";
    tw_grammar_maker *maker = work->maker;
    const tw_value *name = tw_tool_name(tool->tool);
    const tw_value *where = place_of(work, tool->call);
    const char *why = where != NULL ? "no value fits this schema, and the "
                                      "tool `"
                                    : "no value of a schema that leads back "
                                      "to itself ends, and the tool `";
    tw_buffer text = {0};
    if (tw_buffer_append(&text, maker->memory, why, strlen(why)) &&
        tw_buffer_append(&text, maker->memory, name->text, name->size) &&
        tw_buffer_append(&text, maker->memory, end, sizeof end)) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY,
                        where != NULL ? where : tool->tool,
                        (const char *)text.data);
    } else {
        tw_rules_no_memory(&maker->rules);
    }
    tw_buffer_free(&text, maker->memory);
}

uint32_t tw_grammar_nothing(tw_grammar_maker *maker, const tw_value *where)
{
    tw_buffer *all = &maker->impossible;
    const uint32_t i = (uint32_t)(all->size / sizeof where);
    if (!tw_buffer_append(all, maker->memory, &where, sizeof where)) {
        tw_rules_no_memory(&maker->rules);
    }
    return tw_rule_put(&maker->rules, TW_RULE_NOTHING, i, 0, 0);
}

void tw_grammar_leave_out(tw_grammar_maker *maker)
{
    nothing_work work = {.maker = maker};
    const tw_grammar_tool *tools =
        (const tw_grammar_tool *)(const void *)maker->called.data;
    if (maker->rules.code == TW_OK && find(&work)) {
        const size_t count = maker->called.size / sizeof *tools;
        for (size_t i = 0; i < count; i++) {
            if (is_nothing(&work, tools[i].call)) {
                refuse(&work, &tools[i]);
            }
        }
        const size_t nodes = work.states.size / sizeof(node_state);
        for (uint32_t i = 1; i < nodes; i++) {
            leave_out(&work, i);
        }
    }
    tw_buffer_free(&work.states, maker->memory);
    tw_buffer_free(&work.calls, maker->memory);
    tw_buffer_free(&work.ready, maker->memory);
}
