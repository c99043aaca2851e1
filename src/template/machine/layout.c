/* SPDX-License-Identifier: MIT
 *
 * Numbers and text as Python lays them out; `e` and `g` are not here.
 */
#include "template/machine/layout.h"

#include "messages/pytext.h"
#include "template/machine/words.h"

/* ---- numbers ------------------------------------------------------------ */

/* The digits of |number|, without its sign. */
static void put_digits(tw_builder *out, uint64_t number, unsigned base,
                       bool upper)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[64];
    size_t at = sizeof text;
    do {
        text[--at] = digits[number % base];
        number /= base;
    } while (number > 0);
    tw_build_words(out, text + at, sizeof text - at);
}

/* With so many places, or, of no type, digits. */
static void put_rounded(tw_machine *machine, tw_builder *out, double number,
                        int64_t places, bool fixed)
{
    tw_buffer text = {0};
    const int64_t most = fixed ? TW_PYTHON_PLACES : TW_PYTHON_DIGITS;
    if (places > most) {
        tw_fail(machine, "more than %d %s are not written here", most,
                fixed ? "places" : "digits");
        return;
    }
    if (!(fixed ? tw_python_fixed(&text, machine->arena.memory, number,
                                  (unsigned)(places < 0 ? 6 : places))
                : tw_python_rounded(&text, machine->arena.memory, number,
                                    places < 1 ? 1 : (int)places))) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
    tw_build_words(out, (const char *)text.data, text.size);
    tw_buffer_free(&text, machine->arena.memory);
}

/* |text| with |group| between so many digits, up to the point. */
static const tw_string *grouped(tw_machine *machine, const tw_string *text,
                                char group, size_t each)
{
    if (group == 0) {
        return text;
    }
    size_t whole = 0;
    while (whole < text->size && (each == 4 || (text->data[whole] >= '0' &&
                                                text->data[whole] <= '9'))) {
        whole++;
    }
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % each == 0) {
            tw_build_words(&out, &group, 1);
        }
        tw_build_part(&out, text, i, i + 1);
    }
    tw_build_part(&out, text, whole, text->size);
    return tw_builder_end(&out);
}

static unsigned base_of(char type)
{
    return type == 'x' || type == 'X' ? 16
           : type == 'o'              ? 8
           : type == 'b'              ? 2
                                      : 10;
}

static bool is_negative(tw_item number)
{
    const double value = tw_item_double(number);
    const bool minus_zero =
        number.kind == TW_ITEM_FLOAT && value == 0 && 1 / value < 0;
    return number.kind == TW_ITEM_BIG ? number.of.string->data[0] == '-'
                                      : value < 0 || minus_zero;
}

/* Fails where the integer would have to be calculated. */
static void put_integer(tw_machine *machine, tw_builder *out, tw_item number,
                        const tw_layout *how)
{
    const unsigned base = base_of(how->type);
    if (number.kind != TW_ITEM_BIG) {
        const int64_t integer = tw_item_integer(number);
        put_digits(out,
                   integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer,
                   base, how->type == 'X');
    } else if (base == 10) {
        tw_build_part(out, number.of.string, is_negative(number),
                      number.of.string->size);
    } else {
        tw_fail(machine,
                "an integer of more than 64 bits is not calculated here");
    }
}

/* |number| without its sign. */
static const tw_string *digits_of(tw_machine *machine, tw_item number,
                                  const tw_layout *how)
{
    tw_builder out;
    const bool negative = is_negative(number);
    tw_builder_init(&out, &machine->arena);
    if (how->type == 'f' || how->type == 'F' || how->type == '%' ||
        (how->type == 0 && how->places >= 0 && number.kind == TW_ITEM_FLOAT)) {
        const double value = tw_item_double(number);
        put_rounded(machine, &out,
                    (negative ? -value : value) *
                        (how->type == '%' ? 100.0 : 1.0),
                    how->places, how->type != 0);
        tw_build(&out, how->type == '%' ? "%" : "");
    } else if (number.kind == TW_ITEM_FLOAT) {
        tw_print_number(
            machine, &out,
            tw_item_float(negative ? -number.of.number : number.of.number));
    } else {
        put_integer(machine, &out, number, how);
    }
    const tw_string *digits =
        grouped(machine, tw_builder_end(&out), how->group,
                base_of(how->type) == 10 ? 3 : 4);
    /* `%` counts the digits of an integer. */
    return number.kind == TW_ITEM_FLOAT
               ? digits
               : tw_pad(machine, digits, how->places - (int64_t)digits->size,
                        0, tw_string_word(&machine->arena, "0"));
}

/* ---- fields ------------------------------------------------------------- */

static void put_padded(tw_machine *machine, tw_builder *out,
                       const tw_string *sign, const tw_string *text,
                       const tw_layout *how, char usual)
{
    const char align = how->align != 0 ? how->align : usual;
    const int64_t missing =
        how->width - (int64_t)sign->points - (int64_t)text->points;
    const int64_t left = missing <= 0   ? 0
                         : align == '<' ? 0
                         : align == '^' ? missing / 2
                                        : missing;
    const tw_string *empty = tw_string_word(&machine->arena, "");
    const tw_string *before =
        tw_pad(machine, empty, missing > 0 ? left : 0, 0, how->fill);
    if (align == '=') {
        tw_build_string(out, sign);
        tw_build_string(out, before);
    } else {
        tw_build_string(out, before);
        tw_build_string(out, sign);
    }
    tw_build_string(out, text);
    if (missing > left) {
        tw_build_string(out,
                        tw_pad(machine, empty, missing - left, 0, how->fill));
    }
}

/* What nobody has needed: zeros with separators, a point without places. */
static void check_number(tw_machine *machine, tw_item item,
                         const tw_layout *how)
{
    const bool fixed = how->type != 0 && strchr("fF%", how->type) != NULL;
    if ((how->zero && how->group != 0) ||
        (how->alternate && (fixed || item.kind == TW_ITEM_FLOAT))) {
        tw_fail(machine, "such a layout of a number is not written here");
    }
}

void tw_layout_number(tw_machine *machine, tw_builder *out, tw_item item,
                      const tw_layout *how)
{
    const char usual = how->sign == '-' ? 0 : how->sign;
    const char sign = is_negative(item) ? '-' : usual;
    char before[4] = {sign, 0};
    check_number(machine, item, how);
    if (how->alternate && base_of(how->type) != 10) {
        const size_t at = sign != 0;
        before[at] = '0';
        before[at + 1] = how->type;
    }
    put_padded(machine, out, tw_string_word(&machine->arena, before),
               digits_of(machine, item, how), how, how->zero ? '=' : '>');
}

void tw_layout_text(tw_machine *machine, tw_builder *out,
                    const tw_string *text, const tw_layout *how)
{
    if (how->places >= 0) {
        text = tw_string_part(&machine->arena, text, 0,
                              tw_string_place(text, (size_t)how->places));
    }
    put_padded(machine, out, tw_string_word(&machine->arena, ""),
               text != NULL ? text : tw_string_word(&machine->arena, ""), how,
               '<');
}

/* A character, of one or of its number. */
const tw_string *tw_character(tw_machine *machine, tw_item item)
{
    const tw_string *none = tw_string_word(&machine->arena, "");
    if (item.kind == TW_ITEM_STRING && item.of.string->points == 1) {
        return item.of.string;
    }
    if (!tw_item_is_integral(item)) {
        tw_fail(machine, "%sc requires int or char", "%");
        return none;
    }
    const int64_t point = tw_item_integer(item);
    if (point < 0 || point > 0x10FFFF) {
        tw_fail(machine, "%sc arg not in range(0x110000)", "%");
        return none;
    }
    char *bytes = tw_arena_get(&machine->arena, 4);
    return bytes != NULL ? tw_string_of(&machine->arena, bytes,
                                        tw_point_put(bytes, (uint32_t)point))
                         : none;
}

/* A backslash and a point as so many digits as its size wants. */
static void put_escape(tw_builder *out, uint32_t point)
{
    const bool wide = point >= 0x10000;
    const size_t digits = wide ? 8 : point >= 0x100 ? 4 : 2;
    char text[10] = {'\\', wide ? 'U' : digits == 4 ? 'u' : 'x'};
    for (size_t i = 0; i < digits; i++) {
        text[1 + digits - i] = "0123456789abcdef"[point >> (4 * i) & 15];
    }
    tw_build_words(out, text, 2 + digits);
}

/* ascii(): repr() without other letters. */
const tw_string *tw_ascii(tw_machine *machine, tw_item item)
{
    const tw_string *text = tw_repr(machine, item);
    const char *limit = text->data + text->size;
    tw_builder out;
    size_t size;
    tw_builder_init(&out, &machine->arena);
    for (const char *at = text->data; at < limit && tw_charge(machine, 1);
         at += size) {
        const uint32_t point = tw_point_at(at, limit, &size);
        if (point < 0x80) {
            tw_build_words(&out, at, size);
        } else {
            put_escape(&out, point);
        }
    }
    return tw_builder_end(&out);
}

int64_t tw_layout_count(const char **at, const char *limit)
{
    int64_t count = 0;
    while (*at < limit && **at >= '0' && **at <= '9' && count < INT32_MAX) {
        count = count * 10 + (*(*at)++ - '0');
    }
    return count;
}

bool tw_layout_takes(const char **at, const char *limit, char c)
{
    const bool there = *at < limit && **at == c;
    *at += there;
    return there;
}
