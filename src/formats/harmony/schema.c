/* SPDX-License-Identifier: MIT
 *
 * Walking over the schemas of tools, and what of them a declaration shows.
 */
#include "formats/harmony/encode.h"

#include <string.h>

#include "core/sort.h"

/* ---- keywords ----------------------------------------------------------- */

static int compare(const tw_value *name, const char *text, size_t size)
{
    const size_t least = name->size < size ? name->size : size;
    const int order = least > 0 ? memcmp(name->text, text, least) : 0;
    return order != 0 ? order : (name->size > size) - (name->size < size);
}

/* Each property says whether it is required: the list reads back without
 * names of others, in the properties' order, and not at all if it is empty. */
static bool reads_back(const tw_value *schema, const tw_value *required)
{
    const tw_value *properties = tw_value_member(schema, "properties");
    if (required->kind != TW_VALUE_ARRAY || required->first == NULL ||
        properties == NULL || properties->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const tw_value *property = properties->first;
    for (const tw_value *at = required->first; at != NULL; at = at->next) {
        while (property != NULL &&
               (at->kind != TW_VALUE_STRING ||
                compare(at, property->key, property->key_size) != 0)) {
            property = property->next;
        }
        if (property == NULL) {
            return false;
        }
        property = property->next;
    }
    return true;
}

void tw_harmony_report_unshown(tw_segments *out, const tw_value *schema,
                               unsigned shown)
{
    static const char *const keywords[] = {
        "type", "properties",  "required", "items", "oneOf",
        "enum", "description", "default",  "title", "examples"};
    const bool object = schema->kind == TW_VALUE_OBJECT;
    const tw_value *at = object ? schema->first : NULL;
    for (; at != NULL; at = at->next) {
        bool seen = false;
        for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
            seen |= (shown >> i & 1) != 0 && tw_value_has_key(at, keywords[i]);
        }
        if (!seen) {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, at, NULL);
        } else if (tw_value_has_key(at, "required") &&
                   !reads_back(schema, at)) {
            tw_encode_loss(
                out, TW_LOSS_TOOL_PART, at,
                "The declaration shows this only by its properties.");
        }
    }
}

static void note_others(tw_segments *out, const tw_value *object,
                        const char *const *keys)
{
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        size_t i = 0;
        while (keys[i] != NULL && !tw_value_has_key(at, keys[i])) {
            i++;
        }
        if (keys[i] == NULL) {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
}

void tw_harmony_report_unshown_tool(tw_segments *out, const tw_value *tool)
{
    static const char *const wrapper[] = {"type", "function", NULL};
    static const char *const bare[] = {"type", "name", "description",
                                       "parameters", NULL};
    const tw_value *function = tw_tool_function(tool);
    if (function != tool) {
        note_others(out, tool, wrapper);
    }
    note_others(out, function, function != tool ? bare + 1 : bare);
}

/* ---- required names ----------------------------------------------------- */

static bool is_before(const void *context, const void *left, const void *right)
{
    const tw_value *const *one = left;
    const tw_value *const *other = right;
    (void)context;
    return compare(*one, (*other)->text, (*other)->size) < 0;
}

static void no_memory(tw_schema_walk *walk)
{
    tw_segments_refuse(walk->out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

tw_required tw_schema_require(tw_schema_walk *walk, const tw_value *list)
{
    tw_required required = {walk->names.size, 0};
    const tw_memory *memory = walk->out->memory;
    bool good = true;
    for (const tw_value *at = list != NULL ? list->first : NULL;
         at != NULL && good; at = at->next) {
        if (at->kind == TW_VALUE_STRING) {
            good = tw_buffer_append(&walk->names, memory, &at, sizeof at);
            required.count += good ? 1 : 0;
        }
    }
    if (required.count == 0 || !good ||
        !tw_buffer_reserve(&walk->names, memory,
                           required.count * sizeof list)) {
        if (required.count > 0 || !good) {
            no_memory(walk);
        }
        return required;
    }
    const tw_value **names =
        (const tw_value **)(void *)(walk->names.data + required.begin);
    tw_sort_items(names, names + required.count, required.count, sizeof *names,
                  is_before, NULL);
    return required;
}

bool tw_schema_is_required(const tw_schema_walk *walk, tw_required required,
                           const tw_value *member)
{
    const tw_value *const *names =
        required.count > 0
            ? (const tw_value *const *)(const void *)(walk->names.data +
                                                      required.begin)
            : NULL;
    size_t from = 0;
    size_t to = required.count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const int order =
            compare(names[middle], member->key, member->key_size);
        if (order == 0) {
            return true;
        }
        if (order < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return false;
}

/* ---- the walk ----------------------------------------------------------- */

tw_open_schema *tw_schema_top(const tw_schema_walk *walk)
{
    tw_open_schema *open = (tw_open_schema *)(void *)walk->open.data;
    const size_t count = walk->open.size / sizeof *open;
    return count > 0 ? open + count - 1 : NULL;
}

void tw_schema_open(tw_schema_walk *walk, const tw_open_schema *open,
                    const tw_value *required)
{
    /* openai/harmony indents each level: what is nested in 64 ones fills
     * lines with blanks. */
    enum { INDENT_LIMIT = 4 * 64 };
    tw_open_schema added = *open;
    added.required = tw_schema_require(walk, required);
    if (added.indent > INDENT_LIMIT) {
        tw_segments_refuse(walk->out, TW_ERROR_CANNOT_CARRY, open->schema, 0,
                           "nested too deeply");
    } else if (!tw_buffer_append(&walk->open, walk->out->memory, &added,
                                 sizeof added)) {
        no_memory(walk);
    }
}

/* Behind a part comes its sibling, or the end of what holds them, and what
 * comes behind that. */
static const tw_value *next_part(tw_schema_walk *walk)
{
    tw_open_schema *open;
    while ((open = tw_schema_top(walk)) != NULL) {
        walk->end(walk, open);
        if (!open->alone && open->part->next != NULL) {
            open->part = open->part->next;
            return open->part;
        }
        walk->close(walk, open);
        walk->names.size = open->required.begin;
        walk->open.size -= sizeof *open;
    }
    return NULL;
}

void tw_schema_put(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *part = schema;
    while (part != NULL && walk->out->code == TW_OK) {
        const size_t depth = walk->open.size;
        walk->begin(walk, part);
        const tw_open_schema *top = tw_schema_top(walk);
        part = top != NULL && walk->open.size > depth ? top->part
                                                      : next_part(walk);
    }
    walk->open.size = 0; /* after an error */
}

void tw_schema_put_namespace(tw_schema_walk *walk, const tw_value *tools,
                             void (*put)(tw_schema_walk *,
                                         const tw_value *tool))
{
    tw_out(walk->out, "## functions\n\nnamespace functions {\n\n");
    const tw_place place = tw_segments_place(walk->out);
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        put(walk, at);
    }
    tw_harmony_report_unfaithful(walk->out, walk->dialect, tools, place);
    tw_out(walk->out, "} // namespace functions");
    tw_buffer_free(&walk->open, walk->out->memory);
    tw_buffer_free(&walk->names, walk->out->memory);
}

/* Each byte is looked at once, however deep the types are. */
void tw_schema_report(tw_schema_walk *walk, const tw_value *schema,
                      unsigned shown)
{
    tw_harmony_report_unshown(walk->out, schema,
                              shown | walk->shown_there(walk));
}

void tw_schema_put_word(tw_schema_walk *walk, const tw_value *schema,
                        const tw_value *type)
{
    const bool number = tw_value_is(type, "number");
    const bool boolean = tw_value_is(type, "boolean");
    tw_schema_report(walk, schema, number || boolean ? TW_SHOWN_TYPE : 0u);
    tw_out(walk->out, number || tw_value_is(type, "integer") ? "number"
                      : boolean                              ? "boolean"
                                                             : "any");
}

bool tw_schema_says_null(tw_schema_walk *walk, size_t begin)
{
    static const char word[] = "null";
    const size_t size = sizeof word - 1;
    const tw_buffer *text = &walk->out->text;
    size_t at = walk->scanned > begin ? walk->scanned : begin;
    for (; at + size <= text->size; at++) {
        if (memcmp(text->data + at, word, size) == 0) {
            walk->last_null = at;
            walk->some_null = true;
        }
    }
    walk->scanned = at;
    return walk->some_null && walk->last_null >= begin;
}
