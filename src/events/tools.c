/* SPDX-License-Identifier: MIT
 *
 * Declared tools, and the types that their schemas allow each parameter.
 */
#include "events/tools.h"

#include <string.h>

#include "core/sort.h"
#include "json/escape.h"

/* Members that references may walk over, for all tools together. */
enum { REFERENCE_WORK = 1 << 22 };

void tw_tools_init(tw_tools *tools, const tw_memory *memory)
{
    memset(tools, 0, sizeof *tools);
    tools->memory = memory;
}

void tw_tools_free(tw_tools *tools)
{
    tw_buffer_free(&tools->text, tools->memory);
    tw_buffer_free(&tools->list, tools->memory);
    tw_buffer_free(&tools->by_name, tools->memory);
    tw_buffer_free(&tools->members, tools->memory);
}

void tw_tools_clear(tw_tools *tools)
{
    tools->text.size = tools->list.size = tools->members.size = 0;
    tools->by_name.size = 0;
}

/* ---- declaring ---------------------------------------------------------- */

/* |tool|, or the function or free-text tool in it. */
static const tw_value *holder_of(const tw_value *tool)
{
    const tw_value *function = tw_value_member(tool, "function");
    const tw_value *custom = tw_value_member(tool, "custom");
    return function != NULL ? function : custom != NULL ? custom : tool;
}

const tw_value *tw_tool_name(const tw_value *tool)
{
    const tw_value *name = tool->kind == TW_VALUE_STRING
                               ? tool
                               : tw_value_member(holder_of(tool), "name");
    return tw_value_is_a(name, TW_VALUE_STRING) ? name : NULL;
}

const tw_value *tw_tool_schema(const tw_value *tool)
{
    const tw_value *holder = holder_of(tool);
    static const char *const names[] = {"parameters", "input_schema",
                                        "inputSchema"};
    const tw_value *schema = NULL;
    for (size_t i = 0; i < 3 && schema == NULL; i++) {
        schema = tw_value_member(holder, names[i]);
    }
    return schema;
}

/* The member of that name, or |value| itself. */
static tw_value *inside(tw_value *value, const char *name)
{
    tw_value *at = value->kind == TW_VALUE_OBJECT ? value->first : NULL;
    while (at != NULL && !tw_value_has_key(at, name)) {
        at = at->next;
    }
    return at != NULL ? at : value;
}

static int compare(tw_name a, tw_name b)
{
    return tw_bytes_order(a.data, a.size, b.data, b.size);
}

static tw_name key_of(const tw_value *member)
{
    const tw_name name = {member->key, member->key_size};
    return name;
}

static bool is_before(const void *context, size_t left, size_t right)
{
    const tw_value *const *members = context;
    return compare(key_of(members[left]), key_of(members[right])) < 0;
}

static bool add_text(tw_tools *tools, const char *text, size_t size,
                     size_t *at)
{
    *at = tools->text.size;
    return tw_buffer_append(&tools->text, tools->memory, text, size);
}

/* By name; of two that are named alike the last one counts. */
static bool add_sorted(tw_tools *tools, const tw_value *const *members,
                       const tw_buffer *order, const tw_value *root,
                       size_t *work)
{
    const size_t *items = (const size_t *)(const void *)order->data;
    const size_t count = order->size / sizeof *items;
    for (size_t i = 0; i < count; i++) {
        const tw_value *member = members[items[i]];
        tw_parameter added = {.bit = (uint32_t)i};
        if (i + 1 < count &&
            compare(key_of(member), key_of(members[items[i + 1]])) == 0) {
            continue;
        }
        added.size = member->key_size;
        added.types = (uint8_t)tw_known_types(member, root, work);
        if (!add_text(tools, member->key, member->key_size, &added.name) ||
            !tw_buffer_append(&tools->members, tools->memory, &added,
                              sizeof added)) {
            return false;
        }
    }
    return true;
}

static bool add_members(tw_tools *tools, const tw_value *root, size_t *work)
{
    const tw_value *list = tw_value_member(root, "properties");
    const tw_memory *memory = tools->memory;
    tw_buffer members = {0};
    tw_buffer order = {0};
    bool good = true;
    size_t i = 0;
    if (!tw_value_is_a(list, TW_VALUE_OBJECT)) {
        return true;
    }
    for (const tw_value *one = list->first; good && one != NULL;
         one = one->next, i++) {
        good = tw_buffer_append(&members, memory, &one, sizeof one) &&
               tw_buffer_append(&order, memory, &i, sizeof i);
    }
    good = good && tw_sort(&order, memory, is_before, members.data) &&
           add_sorted(tools, (const tw_value *const *)(void *)members.data,
                      &order, root, work);
    tw_buffer_free(&members, memory);
    tw_buffer_free(&order, memory);
    return good;
}

static const size_t member_size = sizeof(tw_parameter);

/* |work| is NULL: parameters are not looked at. */
static bool add_tool(tw_tools *tools, const tw_value *tool,
                     const tw_value *name, size_t *work)
{
    const tw_value *schema = tw_tool_schema(tool);
    tw_tool added = {.size = name->size,
                     .schema = schema,
                     .first = tools->members.size / member_size};
    if (!add_text(tools, name->text, name->size, &added.name) ||
        (work != NULL && !add_members(tools, schema, work))) {
        return false;
    }
    added.count = tools->members.size / member_size - added.first;
    return tw_buffer_append(&tools->list, tools->memory, &added, sizeof added);
}

static bool is_tool_before(const void *context, size_t left, size_t right)
{
    return compare(tw_tools_name(context, left),
                   tw_tools_name(context, right)) < 0;
}

static bool sort_tools(tw_tools *tools)
{
    bool good = true;
    for (size_t i = 0; good && i < tw_tools_count(tools); i++) {
        good = tw_buffer_append(&tools->by_name, tools->memory, &i, sizeof i);
    }
    return good &&
           tw_sort(&tools->by_name, tools->memory, is_tool_before, tools);
}

int tw_tools_set(tw_tools *tools, const tw_value *list, const tw_value **where)
{
    size_t work = REFERENCE_WORK;
    const tw_value *ignored;
    const bool strict = where != NULL;
    int result = list->kind == TW_VALUE_ARRAY ? TW_OK : TW_ERROR_SCHEMA;
    where = strict ? where : &ignored;
    tw_tools_clear(tools);
    *where = list;
    const tw_value *tool = result == TW_OK ? list->first : NULL;
    for (; result == TW_OK && tool != NULL; tool = tool->next) {
        const tw_value *name = tw_tool_name(tool);
        *where = tool;
        if (name == NULL) {
            result = strict ? TW_ERROR_SCHEMA : TW_OK;
        } else if (!add_tool(tools, tool, name, strict ? &work : NULL)) {
            result = TW_ERROR_MEMORY;
        }
    }
    if (result == TW_OK && !sort_tools(tools)) {
        result = TW_ERROR_MEMORY;
    }
    if (result != TW_OK) {
        tw_tools_clear(tools);
    }
    return result;
}

int tw_tools_read(tw_tools *tools, tw_tree *tree, const char *json,
                  size_t size, const tw_value **where)
{
    tw_tools_clear(tools);
    const int result = tw_tree_read(tree, json, size, false);
    if (result != TW_OK) {
        return result;
    }
    tree->root = inside(inside(tree->root, "result"), "tools");
    return tw_tools_set(tools, tree->root, where);
}

static const char *list_fault(const tw_value *given)
{
    return tw_value_member(given, "function") != NULL ||
                   tw_value_member(given, "name") != NULL
               ? "the tools are not a list; one tool stands in [ ], too"
           : given->kind == TW_VALUE_OBJECT
               ? "the object has no `tools`, which list them"
           : given->kind == TW_VALUE_STRING
               ? "the tools are not a list, but a string; one name stands in "
                 "[ ], too, and JSON is no string"
               : "the tools are not a list";
}

const char *tw_tools_fault(int result, const tw_value *where)
{
    return result == TW_ERROR_JSON     ? "the tools are not JSON"
           : result != TW_ERROR_SCHEMA ? "no memory"
           : !tw_value_is_a(where->parent, TW_VALUE_ARRAY)
               ? list_fault(where)
               : "a tool without a name (leave out "
                 "those that are no functions)";
}

/* ---- asking ------------------------------------------------------------- */

static const tw_tool *tool_at(const tw_tools *tools, size_t i)
{
    return (const tw_tool *)(const void *)tools->list.data + i;
}

static tw_name text_at(const tw_tools *tools, size_t at, size_t size)
{
    const tw_name name = {(const char *)tools->text.data + at, size};
    return name;
}

size_t tw_tools_count(const tw_tools *tools)
{
    return tools != NULL ? tools->list.size / sizeof(tw_tool) : 0;
}

tw_name tw_tools_name(const tw_tools *tools, size_t i)
{
    return text_at(tools, tool_at(tools, i)->name, tool_at(tools, i)->size);
}

const tw_tool *tw_tools_find(const tw_tools *tools, const char *name,
                             size_t size)
{
    const tw_name wanted = {name, size};
    const size_t count = tw_tools_count(tools);
    const size_t *order =
        count > 0 ? (const size_t *)(const void *)tools->by_name.data : NULL;
    tw_halves halves = {.high = count};
    while (tw_halve(&halves)) {
        tw_halves_take(
            &halves,
            compare(tw_tools_name(tools, order[halves.middle]), wanted) < 0);
    }
    return halves.low < count &&
                   compare(tw_tools_name(tools, order[halves.low]), wanted) ==
                       0
               ? tool_at(tools, order[halves.low])
               : NULL;
}

size_t tw_tools_find_in(const tw_tools *tools, const char *name, size_t size)
{
    size_t found = tw_tools_find(tools, name, size) != NULL ? size : 0;
    for (size_t at = 1; at < size && found == 0; at++) {
        const bool parted = name[at - 1] == ':' || name[at - 1] == '.';
        found = parted && tw_tools_find(tools, name + at, size - at) != NULL
                    ? size - at
                    : 0;
    }
    return found < size ? found : 0;
}

bool tw_tools_has(const tw_tools *tools, const char *name, size_t size)
{
    return tw_tools_find(tools, name, size) != NULL ||
           tw_tools_find_in(tools, name, size) > 0;
}

const tw_parameter *tw_tools_parameter(const tw_tools *tools,
                                       const tw_tool *tool, const char *name,
                                       size_t size)
{
    const tw_name wanted = {name, size};
    tw_halves halves = {.high = tool != NULL ? tool->count : 0};
    while (tw_halve(&halves)) {
        const tw_parameter *one =
            (const tw_parameter *)(const void *)tools->members.data +
            tool->first + halves.middle;
        const int order =
            compare(text_at(tools, one->name, one->size), wanted);
        if (order == 0) {
            return one;
        }
        tw_halves_take(&halves, order < 0);
    }
    return NULL;
}
