/* SPDX-License-Identifier: MIT
 *
 * Declared tools, and what their schemas say of types.
 */
#include "events/tools.h"

#include <string.h>

#include "core/sort.h"
#include "json/escape.h"

/* A schema that leads to more others says nothing: whatever it refers to, the
 * work for one parameter is bounded. */
enum { SCHEMAS_MOST = 64, VALUES_MOST = 4096 };
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

/* ---- what a schema says ------------------------------------------------- */

/* A schema under way. */
typedef struct asked {
    const tw_value *schema;
    const tw_value *part; /* that was asked last, or NULL */
    size_t keyword;       /* whose part it is */
    unsigned types;       /* that are allowed so far; 0: it does not say */
    unsigned sum;         /* ... by the parts of a choice */
} asked;

/* The schemas that one parameter's leads to. */
typedef struct schema_walk {
    const tw_value *root;
    asked stack[SCHEMAS_MOST];
    size_t depth;
    size_t count;  /* of schemas */
    size_t values; /* of enumerations */
    size_t *work;
    bool lost; /* it leads too far */
} schema_walk;

/* A number may be an integer. */
enum {
    ANY_NUMBER = TW_TYPE_NUMBER | TW_TYPE_INTEGER,
    ALL = TW_TYPE_STRING | ANY_NUMBER | TW_TYPE_BOOLEAN | TW_TYPE_NULL |
          TW_TYPE_ARRAY | TW_TYPE_OBJECT,
    LISTED = 256 /* the values are listed, and null is none of them */
};

/* JSON Schema's words, and others that stand in their place. */
static unsigned type_named(const tw_value *name)
{
    static const struct {
        const char *name;
        unsigned type;
    } types[] = {{"string", TW_TYPE_STRING},   {"number", ANY_NUMBER},
                 {"integer", TW_TYPE_INTEGER}, {"boolean", TW_TYPE_BOOLEAN},
                 {"null", TW_TYPE_NULL},       {"array", TW_TYPE_ARRAY},
                 {"object", TW_TYPE_OBJECT},   {"str", TW_TYPE_STRING},
                 {"float", ANY_NUMBER},        {"double", ANY_NUMBER},
                 {"int", TW_TYPE_INTEGER},     {"bool", TW_TYPE_BOOLEAN},
                 {"list", TW_TYPE_ARRAY},      {"dict", TW_TYPE_OBJECT},
                 {"any", ALL}};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        found |= tw_value_is(name, types[i].name) ? types[i].type : 0;
    }
    return found;
}

static unsigned type_of(const tw_value *value)
{
    static const uint8_t types[] = {
        [TW_VALUE_NULL] = TW_TYPE_NULL,     [TW_VALUE_FALSE] = TW_TYPE_BOOLEAN,
        [TW_VALUE_TRUE] = TW_TYPE_BOOLEAN,  [TW_VALUE_NUMBER] = ANY_NUMBER,
        [TW_VALUE_STRING] = TW_TYPE_STRING, [TW_VALUE_ARRAY] = TW_TYPE_ARRAY,
        [TW_VALUE_OBJECT] = TW_TYPE_OBJECT};
    return types[value->kind];
}

static const tw_value *list_of(const tw_value *schema, const char *key)
{
    const tw_value *list = tw_value_member(schema, key);
    return list != NULL && list->kind == TW_VALUE_ARRAY ? list : NULL;
}

/* The part of |value| that [at, to) of a pointer means, or NULL. */
static const tw_value *point(const tw_value *value, const char *at,
                             const char *to)
{
    enum { TOKEN = 256 };
    char token[TOKEN];
    size_t size = 0;
    while (at < to && size < TOKEN) {
        token[size++] = tw_json_pointer_byte(&at);
    }
    return at < to ? NULL : tw_value_part(value, token, size);
}

/* What references in |schema| begin at: the schema around it that has a name of
 * its own. */
static const tw_value *base_of(schema_walk *walk, const tw_value *schema)
{
    static const char *const maps[] = {"properties", "$defs", "definitions",
                                       NULL};
    while (schema != walk->root && schema != NULL) {
        const bool whole = schema->kind == TW_VALUE_OBJECT &&
                           !tw_value_is_named(schema, maps);
        const size_t members = whole ? 1 + tw_value_length(schema) : 1;
        const tw_value *name = whole ? tw_value_member(schema, "$id") : NULL;
        if (*walk->work < members) {
            return NULL;
        }
        *walk->work -= members;
        if (name != NULL && name->kind == TW_VALUE_STRING) {
            return schema;
        }
        schema = schema->parent;
    }
    return schema;
}

/* The schema that `#` or `#/KEY/KEY` means, or NULL. */
static const tw_value *follow(schema_walk *walk, const tw_value *reference)
{
    const tw_value *schema = base_of(walk, reference->parent);
    if (reference->kind != TW_VALUE_STRING || reference->size == 0 ||
        reference->text[0] != '#') {
        return NULL;
    }
    const char *at = reference->text + 1;
    const char *end = reference->text + reference->size;
    while (at < end && schema != NULL) {
        const char *from = at + 1;
        const char *slash = memchr(from, '/', (size_t)(end - from));
        const size_t members = 1 + tw_value_length(schema);
        if (*at != '/' || *walk->work < members) {
            return NULL;
        }
        *walk->work -= members;
        at = slash != NULL ? slash : end;
        schema = point(schema, from, at);
    }
    return schema;
}

static unsigned types_of_values(schema_walk *walk, const tw_value *values)
{
    unsigned found = 0;
    for (const tw_value *value = values->first; value != NULL;
         value = value->next) {
        if (++walk->values > VALUES_MOST) {
            walk->lost = true;
            break;
        }
        found |= type_of(value);
    }
    return found;
}

/* What says nothing changes nothing, nor does what leaves no type. */
static unsigned narrowed(unsigned types, unsigned by)
{
    const unsigned left = types & by & ALL;
    return types == 0  ? by
           : left != 0 ? left | ((types | by) & LISTED)
                       : types;
}

static unsigned widened(unsigned types, unsigned by)
{
    return types == 0 || by == 0 ? types | by
                                 : ((types | by) & ALL) | (types & by);
}

/* Of `type`, one or a list; unknown words are none. */
static unsigned types_named(schema_walk *walk, const tw_value *type)
{
    unsigned found = 0;
    if (type == NULL || type->kind != TW_VALUE_ARRAY) {
        return type != NULL ? type_named(type) : 0;
    }
    for (const tw_value *one = type->first; one != NULL; one = one->next) {
        found |= ++walk->values <= VALUES_MOST ? type_named(one) : 0;
    }
    return found;
}

static unsigned listed(unsigned types)
{
    return types == 0 || (types & TW_TYPE_NULL) != 0 ? types : types | LISTED;
}

/* By `type`, `enum` and `const`. */
static unsigned own_types(schema_walk *walk, const tw_value *schema)
{
    const tw_value *values = list_of(schema, "enum");
    const tw_value *constant = tw_value_member(schema, "const");
    const unsigned types =
        narrowed(types_named(walk, tw_value_member(schema, "type")),
                 values != NULL ? listed(types_of_values(walk, values)) : 0);
    return narrowed(types, constant != NULL ? listed(type_of(constant)) : 0);
}

/* By a `not` that says a type, or null, and no more. */
static unsigned types_denied(schema_walk *walk, const tw_value *schema)
{
    const tw_value *denied = tw_value_member(schema, "not");
    const tw_value *only = denied != NULL ? denied->first : NULL;
    if (denied == NULL || denied->kind != TW_VALUE_OBJECT || only == NULL ||
        only->next != NULL) {
        return 0;
    }
    return tw_value_has_key(only, "type") ? types_named(walk, only)
           : tw_value_has_key(only, "const") && only->kind == TW_VALUE_NULL
               ? TW_TYPE_NULL
               : 0;
}

/* Keywords whose parts are schemas: a value fits all of them, or one. */
static const struct {
    const char *name;
    bool choice;
} applied[] = {
    {"$ref", false}, {"allOf", false}, {"anyOf", true}, {"oneOf", true}};

/* A schema that is under way already says nothing more. */
static void ask(schema_walk *walk, const tw_value *schema)
{
    if (schema == NULL || schema->kind != TW_VALUE_OBJECT) {
        return;
    }
    for (size_t i = 0; i < walk->depth; i++) {
        if (walk->stack[i].schema == schema) {
            return;
        }
    }
    if (walk->count++ == SCHEMAS_MOST) {
        walk->lost = true;
        return;
    }
    const asked one = {.schema = schema, .types = own_types(walk, schema)};
    walk->stack[walk->depth++] = one;
}

/* The next part to be asked; NULL: that was the last. */
static const tw_value *next_part(schema_walk *walk, asked *one)
{
    enum { REFERENCE, COUNT = sizeof applied / sizeof applied[0] };
    while (one->keyword < COUNT) {
        const char *name = applied[one->keyword].name;
        if (one->keyword == REFERENCE) {
            const tw_value *to = tw_value_member(one->schema, name);
            one->part =
                one->part == NULL && to != NULL ? follow(walk, to) : NULL;
        } else if (one->part == NULL) {
            const tw_value *list = list_of(one->schema, name);
            one->part = list != NULL ? list->first : NULL;
        } else {
            one->part = one->part->next;
        }
        if (one->part != NULL) {
            return one->part;
        }
        one->types = narrowed(one->types, one->sum);
        one->sum = 0;
        one->keyword++;
    }
    return NULL;
}

/* What a part allows is known. */
static void take(asked *one, unsigned types)
{
    if (applied[one->keyword].choice) {
        one->sum = widened(one->sum, types);
    } else {
        one->types = narrowed(one->types, types);
    }
}

/* All parts were asked. */
static unsigned end(schema_walk *walk, const asked *one)
{
    const tw_value *nullable = tw_value_member(one->schema, "nullable");
    const unsigned types =
        narrowed(one->types, one->types & ~types_denied(walk, one->schema));
    return types != 0 && (types & LISTED) == 0 && nullable != NULL && nullable->kind == TW_VALUE_TRUE
               ? types | TW_TYPE_NULL
               : types;
}

void tw_known_visit(const tw_value *schema, const tw_value *root, size_t *work,
                    tw_known_visitor *visit, void *context)
{
    schema_walk walk = {.root = root, .work = work};
    ask(&walk, schema);
    for (size_t depth = 0; walk.depth > 0 && !walk.lost;) {
        asked *one = &walk.stack[walk.depth - 1];
        if (walk.depth > depth) {
            visit(context, one->schema, work);
        }
        depth = walk.depth;
        const tw_value *part = next_part(&walk, one);
        walk.depth -= part == NULL;
        depth -= part == NULL;
        ask(&walk, part);
    }
}

unsigned tw_known_types(const tw_value *schema, const tw_value *root,
                        size_t *work)
{
    schema_walk walk = {.root = root, .work = work};
    unsigned types = 0;
    ask(&walk, schema);
    while (walk.depth > 0 && !walk.lost) {
        asked *one = &walk.stack[walk.depth - 1];
        if (one->part != NULL) {
            take(one, types);
        }
        const tw_value *part = next_part(&walk, one);
        types = part == NULL ? end(&walk, one) : 0;
        walk.depth -= part == NULL;
        ask(&walk, part);
    }
    const bool any = (types & TW_TYPE_NUMBER) != 0; /* an integer is one */
    return walk.lost ? 0 : types & ALL & ~(any ? TW_TYPE_INTEGER : 0U);
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
    return name != NULL && name->kind == TW_VALUE_STRING ? name : NULL;
}

const tw_value *tw_tool_schema(const tw_value *tool)
{
    const tw_value *holder = holder_of(tool);
    const tw_value *schema = tw_value_member(holder, "parameters");
    return schema != NULL ? schema : tw_value_member(holder, "input_schema");
}

static int compare(tw_name a, tw_name b)
{
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
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
    if (list == NULL || list->kind != TW_VALUE_OBJECT) {
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

static bool add_tool(tw_tools *tools, const tw_value *tool,
                     const tw_value *name, size_t *work)
{
    const tw_value *schema = tw_tool_schema(tool);
    tw_tool added = {.size = name->size,
                     .schema = schema,
                     .first = tools->members.size / member_size};
    if (!add_text(tools, name->text, name->size, &added.name) ||
        !add_members(tools, schema, work)) {
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
    int result = list->kind == TW_VALUE_ARRAY ? TW_OK : TW_ERROR_SCHEMA;
    tw_tools_clear(tools);
    *where = list;
    const tw_value *tool = result == TW_OK ? list->first : NULL;
    for (; result == TW_OK && tool != NULL; tool = tool->next) {
        const tw_value *name = tw_tool_name(tool);
        *where = tool;
        if (name == NULL) {
            result = TW_ERROR_SCHEMA;
        } else if (!add_tool(tools, tool, name, &work)) {
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

const char *tw_tools_fault(int result, const tw_value *where)
{
    return result == TW_ERROR_JSON     ? "the tools are not JSON"
           : result != TW_ERROR_SCHEMA ? "no memory"
           : where->parent == NULL     ? "the tools are not a list"
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
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(tw_tools_name(tools, order[middle]), wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && compare(tw_tools_name(tools, order[low]),
                                  wanted) == 0
               ? tool_at(tools, order[low])
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

const tw_parameter *tw_tools_parameter(const tw_tools *tools,
                                       const tw_tool *tool, const char *name,
                                       size_t size)
{
    const tw_name wanted = {name, size};
    size_t low = 0;
    size_t high = tool != NULL ? tool->count : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const tw_parameter *one =
            (const tw_parameter *)(const void *)tools->members.data +
            tool->first + middle;
        const int order =
            compare(text_at(tools, one->name, one->size), wanted);
        if (order == 0) {
            return one;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}
