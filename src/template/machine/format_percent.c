/* SPDX-License-Identifier: MIT
 *
 * Python's `%` between a text and values.
 */
#include "template/machine/layout.h"
#include "template/machine/words.h"

typedef struct percent {
    tw_machine *machine;
    tw_builder *out;
    tw_item values;
    size_t next; /* of a tuple */
    bool mapped; /* by a name in parentheses */
} percent;

static tw_item next_value(percent *work)
{
    const bool several = work->values.kind == TW_ITEM_TUPLE;
    if (several ? work->next < work->values.of.list->count : work->next == 0) {
        const size_t at = work->next++;
        return several ? work->values.of.list->items[at] : work->values;
    }
    tw_fail(work->machine, "not enough arguments for format string");
    return tw_none();
}

/* `(name)`. */
static tw_item named_value(percent *work, const char **at, const char *limit)
{
    const char *from = *at;
    const char *close = memchr(from, ')', (size_t)(limit - from));
    tw_item none = tw_none();
    if (close == NULL) {
        tw_fail(work->machine, "incomplete format key");
        return none;
    }
    *at = close + 1;
    work->mapped = true;
    if (work->values.kind != TW_ITEM_DICT) {
        tw_fail(work->machine, "format requires a mapping");
        return none;
    }
    const tw_item *found =
        tw_dict_find_text(work->values.of.dict, from, (size_t)(close - from));
    if (found == NULL) {
        tw_fail(work->machine, "%r",
                tw_item_string(tw_string_of(&work->machine->arena, from,
                                            (size_t)(close - from))));
        return none;
    }
    return *found;
}

/* The item as |type| writes a number; |word| is that type. */
static tw_item number_of(tw_machine *machine, tw_item item, char type,
                         const char *word)
{
    const bool fixed = type == 'f' || type == 'F';
    const double number = tw_item_double(item);
    if (!fixed && type != 'd' && item.kind != TW_ITEM_BIG &&
        !tw_item_is_integral(item)) {
        tw_fail(machine, "%s%s format: an integer is required, not %t", "%",
                word, item);
    } else if (fixed && !tw_item_is_number(item) && item.kind != TW_ITEM_BIG) {
        tw_fail(machine, "must be real number, not %t", item);
    } else if (!tw_item_is_number(item) && item.kind != TW_ITEM_BIG) {
        tw_fail(machine, "%s%s format: a real number is required, not %t", "%",
                word, item);
    } else if (item.kind == TW_ITEM_BIG) {
        double value;
        return fixed && tw_text_to_float(item.of.string, &value)
                   ? tw_item_float(value)
                   : item;
    } else if (!fixed && item.kind == TW_ITEM_FLOAT) {
        if (number - number != 0) {
            tw_fail(machine, number == number
                                 ? "cannot convert float infinity to integer"
                                 : "cannot convert float NaN to integer");
        } else if (number >= 9223372036854775808.0 ||
                   number < -9223372036854775808.0) {
            tw_fail(machine,
                    "an integer of more than 64 bits is not calculated here");
        } else {
            return tw_item_int((int64_t)number);
        }
    }
    return item;
}

static void put_percent(percent *work, tw_item item, tw_layout *how)
{
    tw_machine *machine = work->machine;
    const char type[] = {how->type, 0};
    switch (how->type) {
    case 's':
        tw_layout_text(machine, work->out, tw_str(machine, item), how);
        return;
    case 'r':
        tw_layout_text(machine, work->out, tw_repr(machine, item), how);
        return;
    case 'a':
        tw_layout_text(machine, work->out, tw_ascii(machine, item), how);
        return;
    case 'c':
        tw_layout_text(machine, work->out, tw_character(machine, item), how);
        return;
    case 'i':
    case 'u': how->type = 'd'; break;
    case 'd':
    case 'x':
    case 'X':
    case 'o':
    case 'f':
    case 'F': break;
    default:
        tw_fail(machine, "unsupported format character '%s'", type);
        return;
    }
    if (tw_item_is_undefined(item)) {
        tw_fail_undefined(machine, item);
    }
    item = number_of(machine, item, how->type, type);
    if (tw_works(machine)) {
        tw_layout_number(machine, work->out, item, how);
    }
}

/* What stands behind a `%`. */
static const char *put_directive(percent *work, const char *at,
                                 const char *limit)
{
    tw_machine *machine = work->machine;
    tw_layout how = {tw_string_word(&machine->arena, " "),
                     '>',
                     0,
                     false,
                     false,
                     0,
                     0,
                     -1,
                     0};
    tw_item item = tw_item_of(TW_ITEM_UNSET);
    if (tw_layout_takes(&at, limit, '%')) {
        tw_build(work->out, "%");
        return at;
    }
    if (tw_layout_takes(&at, limit, '(')) {
        item = named_value(work, &at, limit);
    }
    for (;; at++) {
        const char c = at < limit ? *at : 0;
        if (c == '-') {
            how.align = '<';
        } else if (c == '0' && how.align != '<') {
            how.fill = tw_string_word(&machine->arena, "0");
            how.align = '=';
        } else if (c == '+' || (c == ' ' && how.sign == 0)) {
            how.sign = c;
        } else if (c == '#') {
            how.alternate = true;
        } else if (c != '0' && c != ' ') {
            break;
        }
    }
    how.width = tw_layout_takes(&at, limit, '*')
                    ? tw_item_integer(next_value(work))
                    : tw_layout_count(&at, limit);
    if (tw_layout_takes(&at, limit, '.')) {
        how.places = tw_layout_count(&at, limit);
    }
    if (at == limit) {
        tw_fail(machine, "incomplete format");
        return at;
    }
    if (memchr("hlL", *at, 3) != NULL && at + 1 < limit) {
        at++; /* of C: it says nothing */
    }
    how.type = *at++;
    if (item.kind == TW_ITEM_UNSET) {
        item = next_value(work);
    }
    if (tw_works(machine)) {
        put_percent(work, item, &how);
    }
    return at;
}

tw_item tw_format_percent(tw_machine *machine, const tw_string *format,
                          tw_item values)
{
    tw_builder out;
    percent work = {machine, &out, values, 0, false};
    const char *limit = format->data + format->size;
    const char *at = format->data;
    tw_builder_init(&out, &machine->arena);
    while (at < limit && tw_charge(machine, 1)) {
        const char *found = memchr(at, '%', (size_t)(limit - at));
        const char *end = found != NULL ? found : limit;
        tw_build_part(&out, format, (size_t)(at - format->data),
                      (size_t)(end - format->data));
        at = found != NULL ? put_directive(&work, found + 1, limit) : limit;
    }
    const size_t count =
        values.kind == TW_ITEM_TUPLE ? values.of.list->count : 1;
    if (tw_works(machine) && !work.mapped && work.next < count &&
        values.kind != TW_ITEM_DICT && values.kind != TW_ITEM_LIST &&
        values.kind != TW_ITEM_RANGE && !tw_item_is_undefined(values)) {
        tw_fail(machine,
                "not all arguments converted during string formatting");
    }
    return tw_item_string(tw_builder_end(&out));
}
