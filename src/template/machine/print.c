/* SPDX-License-Identifier: MIT
 *
 * str() and repr() of values, to the byte as Python prints them.
 */
#include "messages/pytext.h"
#include "template/machine/machine.h"
#include "template/values/unicode.h"

void tw_print_number(tw_machine *machine, tw_builder *out, tw_item item)
{
    const size_t begin = out->text.size;
    const tw_value *value = tw_item_value(machine, item);
    if (machine->numbers == TW_NUMBERS_SPELLED &&
        tw_value_is_a(value, TW_VALUE_NUMBER)) {
        tw_build_string(out, tw_string_of_value(&machine->arena, value));
        return;
    }
    if (item.kind == TW_ITEM_BIG) {
        tw_build_string(out, item.of.string);
        return;
    }
    if (item.kind != TW_ITEM_FLOAT) {
        tw_build_int(out, tw_item_integer(item));
        tw_build_made(out, begin, value);
        return;
    }
    tw_buffer text = {0};
    if (tw_python_float(&text, machine->arena.memory, item.of.number)) {
        tw_build_words(out, (const char *)text.data, text.size);
    } else {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
    tw_buffer_free(&text, machine->arena.memory);
    tw_build_made(out, begin, value);
}

/* ---- strings ------------------------------------------------------------ */

/* The escape of a code point in a literal between |quote|s; 0: none. */
static size_t escape_of(uint32_t point, char quote, char out[10])
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = "\n\r\t\\";
    static const char names[] = "nrt\\";
    const char *letter =
        point < 0x80 && point > 0 ? strchr(letters, (int)point) : NULL;
    out[0] = '\\';
    if (letter != NULL || point == (uint32_t)quote) {
        out[1] = letter != NULL ? names[letter - letters] : quote;
        return 2;
    }
    if (point >= 0x20 && point < 0x7F) {
        return 0;
    }
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    if (point >= 0x80 && !surrogate && !tw_point_has(point, TW_UNPRINTABLE)) {
        return 0;
    }
    const size_t count = point < 0x100 ? 2 : point < 0x10000 ? 4 : 8;
    out[1] = count == 2 ? 'x' : count == 4 ? 'u' : 'U';
    for (size_t i = 0; i < count; i++) {
        out[2 + i] = digits[point >> 4 * (count - 1 - i) & 15];
    }
    return 2 + count;
}

static void repr_string(tw_builder *out, const tw_string *string)
{
    const char *data = string->data;
    const bool single = memchr(data, '\'', string->size) != NULL;
    const bool both = memchr(data, '"', string->size) != NULL;
    const char quote = single && !both ? '"' : '\'';
    size_t done = 0;
    size_t size;
    tw_build_byte(out, quote);
    for (size_t at = 0; at < string->size; at += size) {
        char escape[10];
        const uint32_t point =
            tw_point_at(data + at, data + string->size, &size);
        const size_t escaped = escape_of(point, quote, escape);
        if (escaped > 0) {
            tw_build_part(out, string, done, at);
            tw_build_changed(out, string, at, escape, escaped);
            done = at + size;
        }
    }
    tw_build_part(out, string, done, string->size);
    tw_build_byte(out, quote);
}

const tw_string *tw_escape_html(tw_machine *machine, const tw_string *string)
{
    static const struct {
        char c;
        const char *name;
    } names[] = {{'&', "&amp;"},
                 {'<', "&lt;"},
                 {'>', "&gt;"},
                 {'"', "&#34;"},
                 {'\'', "&#39;"}};
    tw_builder out;
    size_t done = 0;
    tw_builder_init(&out, &machine->arena);
    for (size_t at = 0; at < string->size; at++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (string->data[at] == names[i].c) {
                tw_build_part(&out, string, done, at);
                tw_build_changed(&out, string, at, names[i].name,
                                 strlen(names[i].name));
                done = at + 1;
            }
        }
    }
    tw_build_part(&out, string, done, string->size);
    const tw_string *escaped = tw_builder_string(&out);
    tw_builder_free(&out);
    return escaped != NULL ? escaped : string;
}

/* ---- containers --------------------------------------------------------- */

static void repr_list(tw_machine *machine, tw_builder *out,
                      const tw_list *list, const char *open, const char *close)
{
    tw_build(out, open);
    for (size_t i = 0; i < list->count && tw_charge(machine, 1); i++) {
        if (i > 0) {
            tw_build(out, ", ");
        }
        tw_print_repr(machine, out, list->items[i]);
    }
    tw_build(out, close);
}

static void repr_dict(tw_machine *machine, tw_builder *out,
                      const tw_dict *dict)
{
    tw_build(out, "{");
    for (size_t i = 0; i < dict->count && tw_charge(machine, 1); i++) {
        if (i > 0) {
            tw_build(out, ", ");
        }
        tw_print_repr(machine, out, dict->entries[i].key);
        tw_build(out, ": ");
        tw_print_repr(machine, out, dict->entries[i].value);
    }
    tw_build(out, "}");
}

static void repr_range(tw_builder *out, const tw_number_range *range)
{
    tw_build(out, "range(");
    tw_build_int(out, range->start);
    tw_build(out, ", ");
    tw_build_int(out, range->stop);
    if (range->step != 1) {
        tw_build(out, ", ");
        tw_build_int(out, range->step);
    }
    tw_build(out, ")");
}

static void repr_view(tw_machine *machine, tw_builder *out, tw_item item)
{
    tw_build(out, item.flavour == TW_KEYS     ? "dict_keys"
                  : item.flavour == TW_VALUES ? "dict_values"
                                              : "dict_items");
    repr_list(machine, out, item.of.list, "([", "])");
}

/* Python prints an address here, which differs each time. */
static void repr_object(tw_builder *out, tw_item item)
{
    tw_build(out, "<");
    tw_build(out, tw_item_type(item));
    tw_build(out, " object>");
}

static void repr(tw_machine *machine, tw_builder *out, tw_item item)
{
    const size_t begin = out->text.size;
    switch (item.kind) {
    case TW_ITEM_UNSET:
    case TW_ITEM_UNDEFINED: tw_build(out, "Undefined"); break;
    case TW_ITEM_NONE:
        tw_build(out, "None");
        tw_build_made(out, begin, tw_item_value(machine, item));
        break;
    case TW_ITEM_BOOL:
        tw_build(out, item.of.flag ? "True" : "False");
        tw_build_made(out, begin, tw_item_value(machine, item));
        break;
    case TW_ITEM_INT:
    case TW_ITEM_BIG:
    case TW_ITEM_FLOAT: tw_print_number(machine, out, item); break;
    case TW_ITEM_STRING:
        if (item.flavour == TW_MARKUP) {
            tw_build(out, "Markup(");
        }
        repr_string(out, item.of.string);
        if (item.flavour == TW_MARKUP) {
            tw_build(out, ")");
        }
        break;
    case TW_ITEM_LIST: repr_list(machine, out, item.of.list, "[", "]"); break;
    case TW_ITEM_TUPLE:
        repr_list(machine, out, item.of.list, "(",
                  item.of.list->count == 1 ? ",)" : ")");
        break;
    case TW_ITEM_VIEW: repr_view(machine, out, item); break;
    case TW_ITEM_DICT: repr_dict(machine, out, item.of.dict); break;
    case TW_ITEM_NAMESPACE:
        tw_build(out, "<Namespace ");
        repr_dict(machine, out, item.of.dict);
        tw_build(out, ">");
        break;
    case TW_ITEM_RANGE: repr_range(out, item.of.range); break;
    case TW_ITEM_MACRO:
        tw_build(out, "<Macro ");
        if (item.of.macro->function->name.kind == TW_ITEM_NONE) {
            tw_build(out, "anonymous");
        } else {
            repr_string(out, item.of.macro->function->name.of.string);
        }
        tw_build(out, ">");
        break;
    case TW_ITEM_LOOP:
        tw_build(out, "<LoopContext ");
        tw_build_int(out, (int64_t)item.of.loop->at + 1);
        tw_build(out, "/");
        tw_build_int(out, (int64_t)item.of.loop->items.count);
        tw_build(out, ">");
        break;
    default: repr_object(out, item); break;
    }
}

void tw_print_repr(tw_machine *machine, tw_builder *out, tw_item item)
{
    if (++machine->depth > TW_MACHINE_DEPTH) {
        tw_fail(machine, "maximum recursion depth exceeded while getting the "
                         "repr of an object");
    }
    if (tw_works(machine)) {
        repr(machine, out, item);
    }
    machine->depth--;
}

void tw_print(tw_machine *machine, tw_builder *out, tw_item item)
{
    if (!tw_works(machine)) {
        return;
    }
    if (item.kind == TW_ITEM_STRING) {
        tw_build_string(out, item.of.string);
    } else if (!tw_item_is_undefined(item)) {
        tw_print_repr(machine, out, item);
    }
}

static const tw_string *printed(tw_machine *machine, tw_item item,
                                void (*print)(tw_machine *, tw_builder *,
                                              tw_item))
{
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    print(machine, &out, item);
    const tw_string *string = tw_builder_string(&out);
    tw_builder_free(&out);
    return string != NULL ? string : tw_item_string(NULL).of.string;
}

const tw_string *tw_str(tw_machine *machine, tw_item item)
{
    return item.kind == TW_ITEM_STRING ? item.of.string
                                       : printed(machine, item, tw_print);
}

const tw_string *tw_repr(tw_machine *machine, tw_item item)
{
    return printed(machine, item, tw_print_repr);
}
