/* SPDX-License-Identifier: MIT
 *
 * Rules that lead back to themselves before they match a character, as those
 * of
 * `{"anyOf": [{"$ref": "#"}, ...]}` do.  No value needs that way, and targets
 * refuse such grammars.
 *
 * What is left when all rules that lead to no other are taken away, again and
 * again, is a circle.
 */
#include "grammars/make.h"

typedef struct loop_work {
    tw_grammar_maker *maker;
    tw_buffer leads; /* uint32_t: how many rules each one still leads to */
    tw_buffer edges; /* tw_rule_range: from, to */
    tw_buffer nodes; /* uint32_t: to be looked at */
    tw_buffer first; /* uint32_t: where the edges to a rule begin, sorted */
    tw_buffer order; /* uint32_t: edges by where they lead */
    tw_buffer done;  /* uint32_t: rules that were taken away */
} loop_work;

static bool append(const loop_work *work, tw_buffer *to, const void *data,
                   size_t size)
{
    const bool good = tw_buffer_append(to, work->maker->memory, data, size);
    if (!good) {
        tw_rules_no_memory(&work->maker->rules);
    }
    return good;
}

static uint32_t *number_at(const tw_buffer *list, size_t i)
{
    return (uint32_t *)(void *)list->data + i;
}

static const tw_rule_range *edge_at(const loop_work *work, size_t i)
{
    return (const tw_rule_range *)(const void *)work->edges.data + i;
}

/* Adds what the rule leads to without a character. */
static void add_edges(loop_work *work, uint32_t rule)
{
    const tw_rules *rules = &work->maker->rules;
    uint32_t node =
        tw_rule_at(rules, rule)->used ? tw_rule_at(rules, rule)->body : 0;
    work->nodes.size = 0;
    while (node != 0) {
        const tw_rule_node *at = tw_rule_node_at(rules, node);
        const tw_rule_range edge = {rule, at->a};
        if (at->kind == TW_RULE_CALL &&
            append(work, &work->edges, &edge, sizeof edge)) {
            ++*number_at(&work->leads, rule);
        }
        uint32_t part =
            at->kind == TW_RULE_CHOICE ||
                    (at->kind == TW_RULE_SEQUENCE && at->first == at->last)
                ? at->first
                : 0;
        for (; part != 0; part = tw_rule_node_at(rules, part)->next) {
            append(work, &work->nodes, &part, sizeof part);
        }
        node = 0;
        if (work->nodes.size > 0 && rules->code == TW_OK) {
            work->nodes.size -= sizeof node;
            node = *number_at(&work->nodes, work->nodes.size / sizeof node);
        }
    }
}

/* Sorts the edges by where they lead: counted, then put. */
static bool sort_edges(loop_work *work, size_t rules)
{
    const size_t count = work->edges.size / sizeof(tw_rule_range);
    const uint32_t none = 0;
    for (size_t i = 0; i <= rules; i++) {
        if (!append(work, &work->first, &none, sizeof none)) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        ++*number_at(&work->first, edge_at(work, i)->most + 1U);
        if (!append(work, &work->order, &none, sizeof none)) {
            return false;
        }
    }
    for (size_t i = 1; i <= rules; i++) {
        *number_at(&work->first, i) += *number_at(&work->first, i - 1);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t to = edge_at(work, i)->most;
        const uint32_t place = (*number_at(&work->first, to))++;
        *number_at(&work->order, place) = edge_at(work, i)->least;
    }
    return true; /* |first| of a rule is now where the next one's begin */
}

static void take(loop_work *work, uint32_t rule)
{
    append(work, &work->done, &rule, sizeof rule);
}

/* Takes rules away; how many are left. */
static size_t peel(loop_work *work, size_t rules)
{
    for (uint32_t i = 0; i < rules; i++) {
        if (*number_at(&work->leads, i) == 0) {
            take(work, i);
        }
    }
    for (size_t i = 0; i < work->done.size / sizeof(uint32_t) &&
                       work->maker->rules.code == TW_OK;
         i++) {
        const uint32_t rule = *number_at(&work->done, i);
        uint32_t at = rule > 0 ? *number_at(&work->first, rule - 1) : 0;
        for (; at < *number_at(&work->first, rule); at++) {
            const uint32_t from = *number_at(&work->order, at);
            if (--*number_at(&work->leads, from) == 0) {
                take(work, from);
            }
        }
    }
    return rules - work->done.size / sizeof(uint32_t);
}

/* The first schema whose rule is left. */
static const tw_value *left(const loop_work *work)
{
    const tw_buffer *list = &work->maker->wanted;
    const tw_wanted *wanted = (const tw_wanted *)(const void *)list->data;
    size_t i = 0;
    while (i < list->size / sizeof *wanted &&
           *number_at(&work->leads, wanted[i].rule) == 0) {
        i++;
    }
    return i < list->size / sizeof *wanted ? wanted[i].schema : NULL;
}

void tw_grammar_check_loops(tw_grammar_maker *maker)
{
    loop_work work = {.maker = maker};
    const size_t rules = tw_rules_count(&maker->rules);
    const uint32_t none = 0;
    for (uint32_t i = 0; i < rules && maker->rules.code == TW_OK; i++) {
        append(&work, &work.leads, &none, sizeof none);
    }
    for (uint32_t i = 0; i < rules && maker->rules.code == TW_OK; i++) {
        add_edges(&work, i);
    }
    if (maker->rules.code == TW_OK && sort_edges(&work, rules) &&
        peel(&work, rules) > 0) {
        tw_grammar_fail(maker, TW_ERROR_CANNOT_CARRY, left(&work),
                        "the schema leads back to itself");
    }
    tw_buffer *const all[] = {&work.leads, &work.edges, &work.nodes,
                              &work.first, &work.order, &work.done};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tw_buffer_free(all[i], maker->memory);
    }
}
