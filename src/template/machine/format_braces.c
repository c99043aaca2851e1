/* SPDX-License-Identifier: MIT
 *
 * Python's str.format().
 */
#include "template/machine/layout.h"
#include "template/machine/words.h"

typedef struct braces {
    tw_machine *machine;
    tw_builder *out;
    const tw_passed *arguments;
    const tw_string *format;
    size_t next;   /* of the arguments ... */
    bool numbered; /* ... which the fields name by numbers */
} braces;

static bool is_digits(const char *at, const char *limit)
{
    const char *from = at;
    tw_layout_count(&at, limit);
    return at == limit && at > from;
}

/* `0`, `name` or nothing, up to the first `.` or `[`. */
static tw_item field_value(braces *work, const char *at, const char *limit)
{
    const tw_passed *arguments = work->arguments;
    if (at == limit || is_digits(at, limit)) {
        if (at == limit ? work->numbered : work->next > 0) {
            tw_fail(work->machine,
                    "cannot switch from manual field specification to "
                    "automatic field numbering");
        }
        work->numbered = at < limit;
        const size_t index =
            at == limit ? work->next++ : (size_t)tw_layout_count(&at, limit);
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
        item = attribute ? tw_get_attribute(machine, item, name)
               : is_digits(at, end)
                   ? tw_get_item(machine, item,
                                 tw_item_int(tw_layout_count(&at, end)))
                   : tw_get_item(machine, item, tw_item_string(name));
        end += !attribute && end < limit;
    }
    return item;
}

static tw_layout read_layout(tw_machine *machine, const char *at,
                             const char *limit)
{
    tw_layout how = {
        tw_string_word(&machine->arena, " "), 0, 0, false, false, 0, 0, -1, 0};
    size_t size = 1;
    bool filled = false;
    if (at < limit) {
        tw_point_at(at, limit, &size);
    }
    if (at + size < limit && strchr("<>^=", at[size]) != NULL) {
        how.fill = tw_string_of(&machine->arena, at, size);
        how.align = at[size];
        at += size + 1;
        filled = true;
    } else if (at < limit && strchr("<>^=", *at) != NULL) {
        how.align = *at++;
    }
    if (at < limit && (*at == '+' || *at == ' ' || *at == '-')) {
        how.sign = *at++;
    }
    how.alternate = tw_layout_takes(&at, limit, '#');
    if (!filled && tw_layout_takes(&at, limit, '0')) {
        how.fill = tw_string_word(&machine->arena, "0");
        how.zero = true;
    }
    how.width = tw_layout_count(&at, limit);
    how.group = at < limit && (*at == ',' || *at == '_') ? *at++ : 0;
    if (tw_layout_takes(&at, limit, '.')) {
        if (at == limit || *at < '0' || *at > '9') {
            tw_fail(machine, "Format specifier missing precision");
        }
        how.places = tw_layout_count(&at, limit);
    }
    how.type = at < limit ? *at++ : 0;
    if (at != limit ||
        (how.type != 0 && strchr("csdxXobfF%n", how.type) == NULL)) {
        tw_fail(machine, "Invalid format specifier");
    }
    return how;
}

/* What a text or an integer cannot have. */
static void check_layout(tw_machine *machine, tw_item item,
                         const tw_layout *how)
{
    if (item.kind == TW_ITEM_STRING) {
        const char group[] = {how->group, 0};
        if (how->group != 0) {
            tw_fail(machine, "Cannot specify '%s' with 's'.", group);
        } else if (how->sign == ' ') {
            tw_fail(machine, "Space not allowed in string format specifier");
        } else if (how->sign != 0) {
            tw_fail(machine, "Sign not allowed in string format specifier");
        } else if (how->alternate) {
            tw_fail(machine, "Alternate form (#) not allowed in string format "
                             "specifier");
        } else if (how->align == '=') {
            tw_fail(machine, "'=' alignment not allowed in string format "
                             "specifier");
        }
    } else if ((tw_item_is_integral(item) || item.kind == TW_ITEM_BIG) &&
               how->places >= 0 && memchr("fF%", how->type, 3) == NULL) {
        tw_fail(machine, "Precision not allowed in integer format specifier");
    }
}

static void put_value(tw_machine *machine, tw_builder *out, tw_item item,
                      const char *at, const char *limit)
{
    if (at == limit) {
        tw_print(machine, out, item);
        return;
    }
    if (item.kind != TW_ITEM_STRING && item.kind != TW_ITEM_BIG &&
        !tw_item_is_number(item)) {
        tw_fail(machine, "unsupported format string passed to %t.__format__",
                item);
    }
    tw_layout how = read_layout(machine, at, limit);
    const bool text = how.type == 0 || how.type == 's';
    if (text || item.kind != TW_ITEM_STRING) {
        check_layout(machine, item, &how);
    }
    if (!tw_works(machine)) {
        return;
    }
    if (item.kind == TW_ITEM_STRING && text) {
        tw_layout_text(machine, out, item.of.string, &how);
    } else if (how.type == 'c' && tw_item_is_integral(item)) {
        how.align = how.align != 0 ? how.align : '>';
        tw_layout_text(machine, out, tw_character(machine, item), &how);
    } else if (item.kind == TW_ITEM_BIG &&
               strchr("dxXob", how.type) != NULL) { /* or none */
        tw_layout_number(machine, out, item, &how);
    } else if (tw_item_is_number(item) && how.type != 's' && how.type != 'c' &&
               !(item.kind == TW_ITEM_FLOAT && how.type != 0 &&
                 strchr("fF%", how.type) == NULL)) {
        tw_layout_number(machine, out,
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
        const char how[] = {spec[1], 0};
        item = tw_item_string(*how == 'r'   ? tw_repr(machine, item)
                              : *how == 'a' ? tw_ascii(machine, item)
                                            : tw_str(machine, item));
        if (strchr("ars", *how) == NULL) {
            tw_fail(machine, "Unknown conversion specifier %s", how);
        }
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
    braces work = {machine, &out, arguments, format, 0, false};
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
    return tw_item_string(tw_builder_end(&out));
}
