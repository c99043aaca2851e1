/* SPDX-License-Identifier: MIT
 *
 * Traces of verifiers, as prime-rl trains on them: a graph of messages, each
 * with the one before it.  An episode has the traces of its agents.
 *
 *     {"nodes":[{"parent":null,"message":{"role":"user","content":"Tide?"}},
 *      {"parent":0,"message":{"role":"assistant",...},"sampled":true}],
 *      "tools":[{"name","description","parameters"}]}
 */
#include "records/sessions/session.h"
#include "records/shapes.h"

static bool is_trace(const tw_value *trace)
{
    return tw_has_list_of(trace, "nodes", "message");
}

/* The number of the node before this one; SIZE_MAX: it is the first. */
static size_t parent_of(const tw_value *node)
{
    const tw_value *parent = tw_value_member(node, "parent");
    size_t number = 0;
    if (!tw_value_is_a(parent, TW_VALUE_NUMBER) || parent->size > 9) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < parent->size; i++) {
        const char digit = parent->text[i];
        if (digit < '0' || digit > '9') {
            return SIZE_MAX;
        }
        number = number * 10 + (size_t)(digit - '0');
    }
    return number;
}

typedef struct node {
    const tw_value *value;
    bool in_way;
} node;

/* Marks the nodes on the way to the last one: each stands behind its parent,
 * and a number that says otherwise begins a conversation. */
static void mark_way(node *nodes, size_t count)
{
    size_t i = count - 1;
    while (i < count) {
        const size_t parent = parent_of(nodes[i].value);
        nodes[i].in_way = true;
        i = parent < i ? parent : SIZE_MAX;
    }
}

static void read_node(tw_recoder *recoder, const node *each)
{
    static const char *const known[] = {"parent", "message", NULL};
    const tw_value *message = tw_value_member(each->value, "message");
    if (!each->in_way) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, each->value,
                               "It is of another branch than the last "
                               "message.");
    } else if (message == NULL) {
        tw_recoder_refuse(recoder, each->value, "the node has no message");
    } else {
        tw_read_member(recoder, recoder->messages, NULL, message);
        tw_recoder_lose_others(recoder, each->value, known);
    }
}

static void read_nodes(tw_recoder *recoder, const tw_value *list)
{
    tw_buffer all = {0};
    bool good = true;
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        const node each = {at, false};
        good &= tw_buffer_append(&all, recoder->memory, &each, sizeof each);
    }
    node *nodes = (node *)(void *)all.data;
    const size_t count = good ? all.size / sizeof *nodes : 0;
    if (count > 0) {
        mark_way(nodes, count);
    }
    for (size_t i = 0; i < count; i++) {
        read_node(recoder, &nodes[i]);
    }
    tw_buffer_free(&all, recoder->memory);
    recoder->json_out.failed |= !good;
}

/* Of an episode the first; those of its other agents are lost. */
static const tw_value *trace_of(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *traces = tw_value_member(record, "traces");
    const tw_value *first =
        tw_value_is_a(traces, TW_VALUE_ARRAY) ? traces->first : NULL;
    if (is_trace(record) || first == NULL) {
        return record;
    }
    for (const tw_value *at = first->next; at != NULL; at = at->next) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, at,
                               "It is another agent's trace.");
        tw_use(at);
    }
    return first;
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *trace = trace_of(recoder, record);
    const tw_value *nodes = tw_use_member(trace, "nodes");
    const tw_value *tools = tw_use_member(trace, "tools");
    if (!tw_value_is_a(nodes, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, record,
                          "`nodes` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    read_nodes(recoder, nodes);
    if (tools != NULL) {
        tw_read_tools(recoder, tools);
    }
    return recoder->request;
}

static tw_fit fits(const tw_value *record)
{
    const tw_value *traces = tw_value_member(record, "traces");
    return tw_fit_well(
        is_trace(record) ||
        (tw_value_is_a(traces, TW_VALUE_ARRAY) && is_trace(traces->first)));
}

static const char *const members[] = {"nodes", "tools", NULL};

const tw_record_shape tw_verifiers_shape = {
    .name = "verifiers",
    .about =
        "read only: {\"nodes\", \"tools\"}, a trace, or an episode of them",
    .members = members,
    .fits = fits,
    .read = read,
};
