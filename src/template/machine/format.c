/* SPDX-License-Identifier: MIT
 *
 * Python's two ways to format: `%` and str.format().  Of presentations there
 * are those of text and of numbers with a fixed count of places; `e` and `g`
 * are not here.
 */
#include "messages/pytext.h"
#include "template/machine/machine.h"
#include "template/machine/words.h"

/* How a value is laid out: [[fill]align][sign][#][0][width][,][.places][type].
 */
typedef struct layout {
    const tw_string *fill;
    char align; /* `<`, `>`, `^`, `=`, or 0 */
    char sign;  /* `+`, ` `, or 0 */
    bool alternate;
    char group; /* `,` or `_`, or 0 */
    int64_t width;
    int64_t places; /* -1: not told */
    char type;      /* 0: none */
} layout;

static const tw_string *built(tw_builder *out)
{
    const tw_string *string = tw_builder_string(out);
    tw_builder_free(out);
    return string != NULL ? string : tw_item_string(NULL).of.string;
}

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

static void put_fixed(tw_machine *machine, tw_builder *out, double number,
                      int64_t places)
{
    tw_buffer text = {0};
    if (places > TW_PYTHON_PLACES) {
        tw_fail(machine, "more than %d places are not written here",
                (int64_t)TW_PYTHON_PLACES);
    }
    if (!tw_python_fixed(&text, machine->arena.memory, number,
                         (unsigned)(places < 0 ? 6 : places))) {
        machine->arena.state = TW_ARENA_NO_MEMORY;
    }
    tw_build_words(out, (const char *)text.data, text.size);
    tw_buffer_free(&text, machine->arena.memory);
}

/* |text| with |group| between thousands, up to the point. */
static const tw_string *grouped(tw_machine *machine, const tw_string *text,
                                char group)
{
    if (group == 0) {
        return text;
    }
    const char *point = memchr(text->data, '.', text->size);
    const size_t whole =
        point != NULL ? (size_t)(point - text->data) : text->size;
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0) {
            tw_build_words(&out, &group, 1);
        }
        tw_build_part(&out, text, i, i + 1);
    }
    tw_build_part(&out, text, whole, text->size);
    return built(&out);
}

static unsigned base_of(char type)
{
    return type == 'x' || type == 'X' ? 16
           : type == 'o'              ? 8
           : type == 'b'              ? 2
                                      : 10;
}

/* |number| without its sign. */
static const tw_string *digits_of(tw_machine *machine, tw_item number,
                                  const layout *how)
{
    tw_builder out;
    const bool negative = tw_item_double(number) < 0;
    tw_builder_init(&out, &machine->arena);
    if (how->type == 'f' || how->type == 'F' || how->type == '%' ||
        (how->type == 0 && how->places >= 0 && number.kind == TW_ITEM_FLOAT)) {
        const double value = tw_item_double(number);
        put_fixed(machine, &out,
                  (negative ? -value : value) *
                      (how->type == '%' ? 100.0 : 1.0),
                  how->places);
        tw_build(&out, how->type == '%' ? "%" : "");
    } else if (number.kind == TW_ITEM_FLOAT) {
        tw_print_number(
            machine, &out,
            tw_item_float(negative ? -number.of.number : number.of.number));
    } else {
        const int64_t integer = tw_item_integer(number);
        const unsigned base = base_of(how->type);
        if (how->alternate && base != 10) {
            const char prefix[] = {'0', how->type};
            tw_build_words(&out, prefix, 2);
        }
        put_digits(&out, negative ? 0 - (uint64_t)integer : (uint64_t)integer,
                   base, how->type == 'X');
    }
    return grouped(machine, built(&out), how->group);
}

/* ---- fields ------------------------------------------------------------- */

static void put_padded(tw_machine *machine, tw_builder *out,
                       const tw_string *sign, const tw_string *text,
                       const layout *how, char usual)
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

static void put_number(tw_machine *machine, tw_builder *out, tw_item item,
                       const layout *how)
{
    const char sign[] = {tw_item_double(item) < 0 ? '-' : how->sign, 0};
    put_padded(machine, out, tw_string_word(&machine->arena, sign),
               digits_of(machine, item, how), how, '>');
}

static void put_text(tw_machine *machine, tw_builder *out,
                     const tw_string *text, const layout *how)
{
    if (how->places >= 0) {
        text = tw_string_part(&machine->arena, text, 0,
                              tw_string_place(text, (size_t)how->places));
    }
    put_padded(machine, out, tw_string_word(&machine->arena, ""),
               text != NULL ? text : tw_string_word(&machine->arena, ""), how,
               '<');
}

static int64_t read_count(const char **at, const char *limit)
{
    int64_t count = 0;
    while (*at < limit && **at >= '0' && **at <= '9' && count < INT32_MAX) {
        count = count * 10 + (*(*at)++ - '0');
    }
    return count;
}

static bool takes(const char **at, const char *limit, char c)
{
    const bool there = *at < limit && **at == c;
    *at += there;
    return there;
}

/* ---- `%` ---------------------------------------------------------------- */

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

static void put_percent(percent *work, tw_item item, layout *how)
{
    tw_machine *machine = work->machine;
    const char type[] = {how->type, 0};
    switch (how->type) {
    case 's': put_text(machine, work->out, tw_str(machine, item), how); return;
    case 'r':
    case 'a':
        put_text(machine, work->out, tw_repr(machine, item), how);
        return;
    case 'c': put_text(machine, work->out, tw_str(machine, item), how); return;
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
    if (!tw_item_is_number(item)) {
        if (tw_item_is_undefined(item)) {
            tw_fail_undefined(machine, item);
        }
        tw_fail(machine, "%s%s format: a real number is required, not %t", "%",
                type, item);
        return;
    }
    if (how->type != 'f' && how->type != 'F' && item.kind == TW_ITEM_FLOAT) {
        item = tw_item_int((int64_t)item.of.number);
    }
    put_number(machine, work->out, item, how);
}

/* What stands behind a `%`. */
static const char *put_directive(percent *work, const char *at,
                                 const char *limit)
{
    tw_machine *machine = work->machine;
    layout how = {
        tw_string_word(&machine->arena, " "), '>', 0, false, 0, 0, -1, 0};
    tw_item item = tw_item_of(TW_ITEM_UNSET);
    if (takes(&at, limit, '(')) {
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
    how.width = takes(&at, limit, '*') ? tw_item_integer(next_value(work))
                                       : read_count(&at, limit);
    if (takes(&at, limit, '.')) {
        how.places = read_count(&at, limit);
    }
    if (at == limit) {
        tw_fail(machine, "incomplete format");
        return at;
    }
    how.type = *at++;
    if (how.type == '%') {
        tw_build(work->out, "%");
        return at;
    }
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
        values.kind != TW_ITEM_DICT && values.kind != TW_ITEM_LIST) {
        tw_fail(machine,
                "not all arguments converted during string formatting");
    }
    return tw_item_string(built(&out));
}

/* ---- str.format() ------------------------------------------------------- */

typedef struct braces {
    tw_machine *machine;
    tw_builder *out;
    const tw_passed *arguments;
    const tw_string *format;
    size_t next;
} braces;

static bool is_digits(const char *at, const char *limit)
{
    const char *from = at;
    read_count(&at, limit);
    return at == limit && at > from;
}

/* `0`, `name` or nothing, up to the first `.` or `[`. */
static tw_item field_value(braces *work, const char *at, const char *limit)
{
    const tw_passed *arguments = work->arguments;
    if (at == limit || is_digits(at, limit)) {
        const size_t index =
            at == limit ? work->next++ : (size_t)read_count(&at, limit);
        if (index < arguments->count) {
            return arguments->at[index];
        }
        tw_fail(work->machine, "tuple index out of range");
        return tw_none();
    }
    tw_charge(work->machine, arguments->named_count / 8);
    for (size_t i = 0; i < arguments->named_count; i++) {
        const tw_string *name = arguments->named[i].name;
        if (name->size == (size_t)(limit - at) &&
            memcmp(name->data, at, name->size) == 0) {
            return arguments->named[i].value;
        }
    }
    tw_fail(work->machine, "%r",
            tw_item_string(tw_string_of(&work->machine->arena, at,
                                        (size_t)(limit - at))));
    return tw_none();
}

/* `name.attribute[item]`. */
static tw_item find_field(braces *work, const char *at, const char *limit)
{
    tw_machine *machine = work->machine;
    const char *end = at;
    while (end < limit && *end != '.' && *end != '[') {
        end++;
    }
    tw_item item = field_value(work, at, end);
    while (end < limit && tw_works(machine)) {
        const bool attribute = *end == '.';
        at = end + 1;
        end = at;
        while (end < limit &&
               (attribute ? *end != '.' && *end != '[' : *end != ']')) {
            end++;
        }
        const tw_string *name =
            tw_string_of(&machine->arena, at, (size_t)(end - at));
        if (name == NULL) {
            break;
        }
        item =
            attribute ? tw_get_attribute(machine, item, name)
            : is_digits(at, end)
                ? tw_get_item(machine, item, tw_item_int(read_count(&at, end)))
                : tw_get_item(machine, item, tw_item_string(name));
        end += !attribute && end < limit;
    }
    return item;
}

static layout read_layout(tw_machine *machine, const char *at,
                          const char *limit)
{
    layout how = {
        tw_string_word(&machine->arena, " "), 0, 0, false, 0, 0, -1, 0};
    size_t size = 1;
    if (at < limit) {
        tw_point_at(at, limit, &size);
    }
    if (at + size < limit && strchr("<>^=", at[size]) != NULL) {
        how.fill = tw_string_of(&machine->arena, at, size);
        how.align = at[size];
        at += size + 1;
    } else if (at < limit && strchr("<>^=", *at) != NULL) {
        how.align = *at++;
    }
    if (at < limit && (*at == '+' || *at == ' ' || *at == '-')) {
        how.sign = *at == '-' ? 0 : *at;
        at++;
    }
    how.alternate = takes(&at, limit, '#');
    if (takes(&at, limit, '0') && how.align == 0) {
        how.fill = tw_string_word(&machine->arena, "0");
        how.align = '=';
    }
    how.width = read_count(&at, limit);
    how.group = at < limit && (*at == ',' || *at == '_') ? *at++ : 0;
    if (takes(&at, limit, '.')) {
        how.places = read_count(&at, limit);
    }
    how.type = at < limit ? *at++ : 0;
    if (at != limit ||
        (how.type != 0 && strchr("sdxXobfF%n", how.type) == NULL)) {
        tw_fail(machine, "Invalid format specifier");
    }
    return how;
}

static void put_value(tw_machine *machine, tw_builder *out, tw_item item,
                      const char *at, const char *limit)
{
    if (at == limit) {
        tw_print(machine, out, item);
        return;
    }
    const layout how = read_layout(machine, at, limit);
    if (!tw_works(machine)) {
        return;
    }
    if (item.kind == TW_ITEM_STRING && (how.type == 0 || how.type == 's')) {
        put_text(machine, out, item.of.string, &how);
    } else if (tw_item_is_number(item) && how.type != 's' &&
               !(item.kind == TW_ITEM_FLOAT && how.type != 0 &&
                 strchr("fF%", how.type) == NULL)) {
        put_number(machine, out,
                   item.kind == TW_ITEM_BOOL
                       ? tw_item_int(tw_item_integer(item))
                       : item,
                   &how);
    } else {
        const char type[] = {how.type, 0};
        tw_fail(machine, "Unknown format code '%s' for object of type '%t'",
                type, item);
    }
}

/* A field behind its `{`; behind its `}` is returned. */
static const char *put_field(braces *work, const char *at, const char *limit)
{
    tw_machine *machine = work->machine;
    const char *end = memchr(at, '}', (size_t)(limit - at));
    if (end == NULL) {
        tw_fail(machine, "expected '}' before end of string");
        return limit;
    }
    const char *name_end = at;
    while (name_end < end && *name_end != ':' && *name_end != '!') {
        name_end++;
    }
    tw_item item = find_field(work, at, name_end);
    const char *spec = name_end;
    if (spec + 1 < end && *spec == '!') {
        const char how = spec[1];
        item = tw_item_string(how == 'r' ? tw_repr(machine, item)
                                         : tw_str(machine, item));
        spec += 2;
    }
    spec += spec < end && *spec == ':';
    if (memchr(spec, '{', (size_t)(end - spec)) != NULL) {
        tw_fail(machine, "fields within a field are not read here");
    }
    if (tw_works(machine)) {
        put_value(machine, work->out, item, spec, end);
    }
    return end + 1;
}

tw_item tw_format_braces(tw_machine *machine, const tw_string *format,
                         const tw_passed *arguments)
{
    tw_builder out;
    braces work = {machine, &out, arguments, format, 0};
    const char *limit = format->data + format->size;
    const char *at = format->data;
    tw_builder_init(&out, &machine->arena);
    while (at < limit && tw_charge(machine, 1)) {
        const char *end = at;
        while (end < limit && *end != '{' && *end != '}') {
            end++;
        }
        tw_build_part(&out, format, (size_t)(at - format->data),
                      (size_t)(end - format->data));
        if (end == limit) {
            break;
        }
        if (end + 1 < limit && end[1] == *end) { /* `{{` is a brace */
            tw_build_words(&out, end, 1);
            at = end + 2;
        } else if (*end == '}') {
            tw_fail(machine, "Single '}' encountered in format string");
            break;
        } else {
            at = put_field(&work, end + 1, limit);
        }
    }
    return tw_item_string(built(&out));
}
