/* SPDX-License-Identifier: MIT
 *
 * JSON text of values, each byte with its origin.  A marker that data would
 * make in it has an escape for its first character, which means the same.
 */
#include "template/library/json_text.h"

#include "core/skip.h"
#include "core/sort.h"
#include "core/utf8.h"
#include "json/tree.h"
#include "messages/pytext.h"

/* ---- strings ------------------------------------------------------------ */

static size_t put_unit(char *out, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    out[0] = '\\';
    out[1] = 'u';
    for (size_t i = 0; i < 4; i++) {
        out[2 + i] = digits[unit >> 4 * (3 - i) & 15];
    }
    return 6;
}

static size_t put_escape(char out[12], uint32_t point)
{
    if (point < 0x10000) {
        return put_unit(out, point);
    }
    put_unit(out, tw_high_of(point));
    return 6 + put_unit(out + 6, tw_low_of(point));
}

/* The escape that JSON needs; 0: none. */
static size_t escape_of(uint32_t point, bool ascii, char out[12])
{
    static const char letters[] = "\"\\\n\r\t\f\b";
    static const char names[] = "\"\\nrtfb";
    if (point >= 0x80) {
        const bool half = point >= 0xD800 && point < 0xE000;
        return ascii || half ? put_escape(out, point) : 0;
    }
    const char *letter = point > 0 ? strchr(letters, (int)point) : NULL;
    if (letter != NULL) {
        out[0] = '\\';
        out[1] = names[letter - letters];
        return 2;
    }
    return point < 0x20 || (ascii && point == 0x7F) ? put_escape(out, point)
                                                    : 0;
}

/* Where the plain bytes from |at| on end; half a surrogate pair is none. */
static size_t behind_plain(const tw_string *string, size_t at, bool ascii)
{
    const uint8_t *data = (const uint8_t *)string->data;
    const uint8_t *limit = data + string->size;
    const uint8_t *end = data + at;
    char escape[12];
    while (ascii && end < limit && escape_of(*end, ascii, escape) == 0) {
        end++;
    }
    return (size_t)((ascii
                         ? end
                         : tw_skip_well_formed(end, limit, TW_PLAIN_STRING)) -
                    data);
}

static void put_string(tw_builder *out, const tw_string *string, bool ascii)
{
    const char *data = string->data;
    size_t at = behind_plain(string, 0, ascii);
    size_t done = 0;
    size_t size;
    if (at == string->size) { /* as most are */
        tw_build_quoted(out, string);
        return;
    }
    tw_build_byte(out, '"');
    for (; at < string->size; at = behind_plain(string, at + size, ascii)) {
        char escape[12];
        const uint32_t point =
            tw_point_at(data + at, data + string->size, &size);
        const size_t escaped = escape_of(point, ascii, escape);
        if (escaped > 0) {
            tw_build_part(out, string, done, at);
            tw_build_changed(out, string, at, escape, escaped);
            done = at + size;
        }
    }
    tw_build_part(out, string, done, string->size);
    tw_build_byte(out, '"');
}

/* ---- values ------------------------------------------------------------- */

static void put_value(tw_machine *, tw_builder *, tw_item,
                      const tw_json_layout *, size_t depth);

static void put_line(tw_machine *machine, tw_builder *out,
                     const tw_json_layout *layout, size_t depth)
{
    if (layout->indent != NULL) {
        tw_build_byte(out, '\n');
        for (size_t i = 0; i < depth && tw_charge(machine, 1); i++) {
            tw_build_string(out, layout->indent);
        }
    }
}

static void put_list(tw_machine *machine, tw_builder *out, const tw_list *list,
                     const tw_json_layout *layout, size_t depth)
{
    tw_build_byte(out, '[');
    for (size_t i = 0; i < list->count && tw_charge(machine, 1); i++) {
        if (i > 0) {
            tw_build_string(out, layout->comma);
        }
        put_line(machine, out, layout, depth + 1);
        put_value(machine, out, list->items[i], layout, depth + 1);
    }
    if (list->count > 0) {
        put_line(machine, out, layout, depth);
    }
    tw_build_byte(out, ']');
}

static void put_float(tw_machine *machine, tw_builder *out, tw_item item)
{
    const double number = item.of.number;
    const tw_value *value = tw_item_value(machine, item);
    if (machine->numbers == TW_NUMBERS_PYTHON_JSON && value != NULL &&
        number - number != 0) {
        tw_build_string(out, tw_string_of_value(&machine->arena, value));
    } else if (machine->numbers == TW_NUMBERS_SPELLED && value != NULL) {
        tw_print_number(machine, out, item);
    } else if (number != number) {
        tw_build(out, "NaN");
    } else if (number - number != 0) {
        tw_build(out, number > 0 ? "Infinity" : "-Infinity");
    } else {
        tw_print_number(machine, out, item);
    }
}

/* A key as JSON's string. */
static void put_key(tw_machine *machine, tw_builder *out, tw_item key,
                    const tw_json_layout *layout)
{
    switch (key.kind) {
    case TW_ITEM_STRING: put_string(out, key.of.string, layout->ascii); return;
    case TW_ITEM_NONE:
    case TW_ITEM_BOOL:
    case TW_ITEM_INT:
    case TW_ITEM_BIG:
    case TW_ITEM_FLOAT:
        tw_build_byte(out, '"');
        put_value(machine, out, key, layout, 0);
        tw_build_byte(out, '"');
        return;
    default:
        tw_fail(machine, "keys must be str, int, float, bool or None, not %t",
                key);
        return;
    }
}

static bool key_before(const void *context, const void *left,
                       const void *right)
{
    const tw_entry *const *a = left;
    const tw_entry *const *b = right;
    return tw_order((tw_machine *)(uintptr_t)context, (*a)->key, (*b)->key,
                    "<") < 0;
}

/* The entries in the order of their keys; NULL: no memory. */
static const tw_entry **sorted_entries(tw_machine *machine,
                                       const tw_dict *dict)
{
    const size_t size = dict->count * sizeof(const tw_entry *);
    const tw_entry **entries = tw_arena_get(&machine->arena, size);
    void *room = tw_arena_get(&machine->arena, size);
    if (entries == NULL || room == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < dict->count; i++) {
        entries[i] = &dict->entries[i];
    }
    tw_sort_items(entries, room, dict->count, sizeof *entries, key_before,
                  machine);
    return entries;
}

static void put_dict(tw_machine *machine, tw_builder *out, const tw_dict *dict,
                     const tw_json_layout *layout, size_t depth)
{
    const tw_entry **order =
        layout->sorted ? sorted_entries(machine, dict) : NULL;
    tw_build_byte(out, '{');
    for (size_t i = 0; i < dict->count && tw_charge(machine, 1); i++) {
        const tw_entry *entry = order != NULL ? order[i] : &dict->entries[i];
        if (i > 0) {
            tw_build_string(out, layout->comma);
        }
        put_line(machine, out, layout, depth + 1);
        put_key(machine, out, entry->key, layout);
        tw_build_string(out, layout->colon);
        put_value(machine, out, entry->value, layout, depth + 1);
    }
    if (dict->count > 0) {
        put_line(machine, out, layout, depth);
    }
    tw_build_byte(out, '}');
}

static void put(tw_machine *machine, tw_builder *out, tw_item item,
                const tw_json_layout *layout, size_t depth)
{
    const size_t begin = out->text.size;
    switch (item.kind) {
    case TW_ITEM_NONE:
        tw_build(out, "null");
        tw_build_made(out, begin, tw_item_value(machine, item));
        break;
    case TW_ITEM_BOOL:
        tw_build(out, item.of.flag ? "true" : "false");
        tw_build_made(out, begin, tw_item_value(machine, item));
        break;
    case TW_ITEM_INT:
    case TW_ITEM_BIG: tw_print_number(machine, out, item); break;
    case TW_ITEM_FLOAT: put_float(machine, out, item); break;
    case TW_ITEM_STRING: put_string(out, item.of.string, layout->ascii); break;
    case TW_ITEM_LIST:
    case TW_ITEM_TUPLE:
        put_list(machine, out, item.of.list, layout, depth);
        break;
    case TW_ITEM_DICT:
        put_dict(machine, out, item.of.dict, layout, depth);
        break;
    default:
        tw_fail(machine, "Object of type %t is not JSON serializable", item);
        break;
    }
}

static void put_value(tw_machine *machine, tw_builder *out, tw_item item,
                      const tw_json_layout *layout, size_t depth)
{
    if (++machine->depth > TW_MACHINE_DEPTH) {
        tw_fail(machine, "maximum recursion depth exceeded while encoding a "
                         "JSON object");
    }
    if (tw_works(machine)) {
        put(machine, out, item, layout, depth);
    }
    machine->depth--;
}

/* ---- markers ------------------------------------------------------------ */

/* The text, or NULL, with an escape for the first character of each marker in
 * it. */
const tw_string *tw_json_guarded(tw_machine *machine, const tw_string *json)
{
    const char *marker;
    size_t size;
    size_t done = 0;
    tw_builder out;
    if (machine->guard == NULL || json == NULL || json->run_count == 0) {
        return json;
    }
    const char *limit = json->data + json->size;
    const char *from = json->data;
    tw_builder_init(&out, &machine->arena);
    while ((marker = machine->guard(machine->guard_context, from, limit,
                                    &size)) != NULL) {
        const size_t at = (size_t)(marker - json->data);
        size_t first;
        char escape[12];
        const uint32_t point = tw_point_at(marker, limit, &first);
        from = marker + first;
        /* JSON's own characters have no escape. */
        if (tw_string_holds_data(json, at, at + first)) {
            tw_build_part(&out, json, done, at);
            tw_build_changed(&out, json, at, escape,
                             put_escape(escape, point));
            done = at + first;
        }
    }
    if (done > 0) {
        tw_build_part(&out, json, done, json->size);
    }
    const tw_string *guarded = done > 0 ? tw_builder_string(&out) : json;
    tw_builder_free(&out);
    return guarded != NULL ? guarded : json;
}

tw_item tw_json_text(tw_machine *machine, tw_item item,
                     const tw_json_layout *layout)
{
    enum { ROOM = 512 }; /* so much of a tool is not grown into by steps */
    const tw_memory *memory = machine->arena.memory;
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    if (!tw_buffer_reserve(&out.text, memory, ROOM) ||
        !tw_buffer_reserve(&out.runs, memory, ROOM)) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
    put_value(machine, &out, item, layout, 0);
    const tw_string *json = tw_builder_string(&out);
    tw_builder_free(&out);
    return tw_item_string(tw_json_guarded(machine, json));
}

/* ---- from JSON ---------------------------------------------------------- */

static tw_item number_of(tw_machine *machine, const tw_value *value)
{
    const char *text = value->text;
    const size_t size = value->size;
    if (memchr(text, '.', size) != NULL || memchr(text, 'e', size) != NULL ||
        memchr(text, 'E', size) != NULL) {
        return tw_item_float(tw_python_double(text, size));
    }
    const bool negative = text[0] == '-';
    int64_t number = 0;
    for (size_t i = negative; i < size; i++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_sub_overflow(number, text[i] - '0', &number)) {
            return (tw_item){.kind = TW_ITEM_BIG,
                             .of.string =
                                 tw_string_of_value(&machine->arena, value)};
        }
    }
    if (!negative && number == INT64_MIN) {
        return (tw_item){.kind = TW_ITEM_BIG,
                         .of.string =
                             tw_string_of_value(&machine->arena, value)};
    }
    return tw_item_int(negative ? number : -number);
}

static tw_item list_of(tw_machine *machine, const tw_value *value)
{
    const tw_item list =
        tw_item_list(&machine->arena, TW_ITEM_LIST, tw_value_length(value));
    for (const tw_value *part = value->first; part != NULL;
         part = part->next) {
        tw_list_add(&machine->arena, list.of.list,
                    tw_item_of_value(machine, part));
    }
    return list;
}

static tw_item dict_of(tw_machine *machine, const tw_value *value)
{
    const tw_item dict = tw_item_dict(&machine->arena, tw_value_length(value));
    for (const tw_value *part = value->first; part != NULL;
         part = part->next) {
        tw_dict_put(&machine->arena, dict.of.dict,
                    tw_item_string(tw_string_of_key(&machine->arena, part)),
                    tw_item_of_value(machine, part));
    }
    return dict;
}

static tw_item scalar_of(tw_machine *machine, const tw_value *value)
{
    return value->kind == TW_VALUE_NUMBER ? number_of(machine, value)
           : value->kind == TW_VALUE_NULL
               ? tw_none()
               : tw_item_bool(value->kind == TW_VALUE_TRUE);
}

tw_item tw_item_of_value(tw_machine *machine, const tw_value *value)
{
    if (!tw_works(machine)) {
        return tw_none();
    }
    const tw_item item =
        value->kind == TW_VALUE_STRING
            ? tw_item_string(tw_string_of_value(&machine->arena, value))
        : value->kind == TW_VALUE_ARRAY  ? list_of(machine, value)
        : value->kind == TW_VALUE_OBJECT ? dict_of(machine, value)
                                         : scalar_of(machine, value);
    return tw_item_from(machine, item, value);
}

tw_item tw_json_value(tw_machine *machine, const tw_string *text)
{
    /* A value of two bytes is as large as a node; the tree stays until all is
     * written. */
    enum { GROWS = 16 };
    tw_tree *tree = &machine->parsed;
    tw_charge(machine, text->size / 8);
    if (!tw_arena_charge(&machine->arena, GROWS * text->size) ||
        !tw_works(machine)) {
        return tw_none();
    }
    const int code = tw_tree_read_more(tree, text->data, text->size);
    if (code == TW_ERROR_MEMORY) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    } else if (code != TW_OK) {
        tw_fail(machine, "the text is not JSON");
    }
    return tw_works(machine) ? tw_item_of_value(machine, tree->root)
                             : tw_none();
}
