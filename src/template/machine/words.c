/* SPDX-License-Identifier: MIT
 *
 * Python's str by code points; each byte keeps its origin.
 */
#include "template/machine/words.h"

#include "core/ascii.h"
#include "messages/pytext.h"
#include "template/values/unicode.h"

/* ---- strip -------------------------------------------------------------- */

static bool is_in(const tw_string *chars, uint32_t point)
{
    const char *limit = chars->data + chars->size;
    size_t size;
    for (const char *at = chars->data; at < limit; at += size) {
        if (tw_point_at(at, limit, &size) == point) {
            return true;
        }
    }
    return false;
}

static bool goes(tw_machine *machine, const tw_string *chars, uint32_t point)
{
    return chars != NULL
               ? tw_charge(machine, chars->size / 16) && is_in(chars, point)
               : tw_point_is_space(point);
}

/* Where the code point that ends at |end| begins. */
static size_t point_before(const tw_string *string, size_t end)
{
    size_t at = end - 1;
    while (at > 0 && ((uint8_t)string->data[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

const tw_string *tw_strip(tw_machine *machine, const tw_string *string,
                          const tw_string *chars, unsigned sides)
{
    const char *data = string->data;
    size_t begin = 0;
    size_t end = string->size;
    size_t size;
    while (
        (sides & TW_LEFT) != 0 && begin < end &&
        goes(machine, chars, tw_point_at(data + begin, data + end, &size))) {
        begin += size;
    }
    while ((sides & TW_RIGHT) != 0 && end > begin) {
        const size_t at = point_before(string, end);
        if (!goes(machine, chars, tw_point_at(data + at, data + end, &size))) {
            break;
        }
        end = at;
    }
    tw_charge(machine, (string->size - (end - begin)) / 2);
    const tw_string *part =
        tw_string_part(&machine->arena, string, begin, end);
    return part != NULL ? part : string;
}

/* ---- case --------------------------------------------------------------- */

static size_t lower(uint32_t point, uint32_t out[3])
{
    return tw_python_lower(point, out);
}

/* Has the code point a case? */
static bool is_cased(uint32_t point)
{
    uint32_t out[3];
    return tw_point_has(point, TW_UPPER) || tw_point_has(point, TW_LOWER) ||
           tw_point_upper(point, out) > 1 || out[0] != point;
}

/* Does one of Jinja's |title begin a word behind it? */
static bool parts_words(uint32_t point)
{
    return point == '-' || point == '(' || point == '{' || point == '[' ||
           point == '<' || tw_point_is_space(point);
}

/* Is the code point nothing where letters are told apart: a dot, an accent, a
 * mark? */
static bool is_ignored(uint32_t point)
{
    return (point < 0x80 && point != 0 &&
            strchr("'.:^`", (int)point) != NULL) ||
           point == 0xA8 || point == 0xAD || point == 0xAF || point == 0xB4 ||
           point == 0xB7 || point == 0xB8 ||
           (point >= 0x2B0 && point <= 0x36F) ||
           (point >= 0x200B && point <= 0x200F) || point == 0x2018 ||
           point == 0x2019 || point == 0x2024 || point == 0x2027;
}

/* The final form of a sigma stands at the end of a word that goes back to
 * |from| at most. */
static bool is_final_sigma(const tw_string *string, size_t from, size_t at,
                           size_t size)
{
    const char *limit = string->data + string->size;
    uint32_t point = 0;
    size_t step;
    size_t next = at;
    do {
        if (next <= from) {
            return false;
        }
        next = point_before(string, next);
        point = tw_point_at(string->data + next, limit, &step);
    } while (is_ignored(point));
    if (!is_cased(point)) {
        return false;
    }
    next = at + size;
    do {
        if (next >= string->size) {
            return true;
        }
        point = tw_point_at(string->data + next, limit, &step);
        next += step;
    } while (is_ignored(point));
    return !is_cased(point);
}

/* str.casefold(): upper case and back, but for Cherokee, whose letters fold to
 * upper case, and the dotless i, which is its own. */
static size_t fold(uint32_t point, uint32_t out[3])
{
    const bool cherokee = (point >= 0x13A0 && point <= 0x13FD) ||
                          (point >= 0xAB70 && point <= 0xABBF);
    if (point == 0x131) {
        out[0] = point;
        return 1;
    }
    const size_t count = tw_point_upper(point, out);
    for (size_t i = 0; i < count && !cherokee; i++) {
        uint32_t small[3];
        if (lower(out[i], small) == 1) {
            out[i] = small[0];
        }
    }
    return count;
}

static size_t change(tw_case to, uint32_t point, bool begins, uint32_t out[3])
{
    out[0] = point;
    switch (to) {
    case TW_CASE_LOWER: return lower(point, out);
    case TW_CASE_UPPER: return tw_point_upper(point, out);
    case TW_CASE_FOLD: return fold(point, out);
    case TW_CASE_SWAP:
        return tw_point_has(point, TW_UPPER)   ? lower(point, out)
               : tw_point_has(point, TW_LOWER) ? tw_point_upper(point, out)
                                               : (size_t)1;
    case TW_CASE_WORDS:
        return begins ? tw_point_upper(point, out) : lower(point, out);
    default: return begins ? tw_point_title(point, out) : lower(point, out);
    }
}

const tw_string *tw_change_case(tw_machine *machine, const tw_string *string,
                                tw_case to)
{
    const char *limit = string->data + string->size;
    tw_builder out;
    size_t size;
    size_t done = 0;
    size_t word = 0; /* of |title: behind its first letter */
    bool begins = true;
    tw_builder_init(&out, &machine->arena);
    tw_charge(machine, string->size / 2);
    for (size_t at = 0; at < string->size; at += size) {
        uint32_t points[3];
        char bytes[12];
        size_t length = 0;
        const uint32_t point = tw_point_at(string->data + at, limit, &size);
        size_t count = change(to, point, begins, points);
        if (point == 0x3A3 && count == 1 && points[0] == 0x3C3 &&
            to != TW_CASE_FOLD && is_final_sigma(string, word, at, size)) {
            points[0] = 0x3C2;
        }
        word = to == TW_CASE_WORDS && begins ? at + size : word;
        begins = to == TW_CASE_TITLE   ? !is_cased(point)
                 : to == TW_CASE_WORDS ? parts_words(point)
                                       : false;
        if (count == 1 && points[0] == point) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            length += tw_point_put(bytes + length, points[i]);
        }
        tw_build_part(&out, string, done, at);
        tw_build_changed(&out, string, at, bytes, length);
        done = at + size;
    }
    if (done == 0) {
        tw_builder_free(&out);
        return string;
    }
    tw_build_part(&out, string, done, string->size);
    return tw_builder_end(&out);
}

/* ---- split -------------------------------------------------------------- */

static void add_part(tw_machine *machine, tw_item list,
                     const tw_string *string, size_t begin, size_t end)
{
    tw_charge(machine, 1);
    tw_list_add(
        &machine->arena, list.of.list,
        tw_item_string(tw_string_part(&machine->arena, string, begin, end)));
}

static void reverse(tw_list *list)
{
    for (size_t i = 0; i < list->count / 2; i++) {
        const tw_item kept = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = kept;
    }
}

static void split_at(tw_machine *machine, tw_item list,
                     const tw_string *string, const tw_string *separator,
                     int64_t most)
{
    size_t from = 0;
    for (size_t found;
         most != 0 && tw_works(machine) &&
         (found = tw_string_find(string, from, separator)) != SIZE_MAX;
         most--) {
        add_part(machine, list, string, from, found);
        from = found + separator->size;
    }
    add_part(machine, list, string, from, string->size);
}

static void split_at_from_right(tw_machine *machine, tw_item list,
                                const tw_string *string,
                                const tw_string *separator, int64_t most)
{
    size_t limit = string->size;
    for (size_t found;
         most != 0 && tw_works(machine) &&
         (found = tw_string_find_last(string, limit, separator)) != SIZE_MAX;
         most--) {
        add_part(machine, list, string, found + separator->size, limit);
        limit = found;
    }
    add_part(machine, list, string, 0, limit);
    reverse(list.of.list);
}

/* Over white space, or over all else, from |at| on. */
static size_t pass(const tw_string *string, size_t at, bool space)
{
    const char *limit = string->data + string->size;
    size_t size;
    while (at < string->size &&
           tw_point_is_space(tw_point_at(string->data + at, limit, &size)) ==
               space) {
        at += size;
    }
    return at;
}

static size_t pass_back(const tw_string *string, size_t end, bool space)
{
    size_t size;
    while (end > 0) {
        const size_t at = point_before(string, end);
        if (tw_point_is_space(tw_point_at(
                string->data + at, string->data + end, &size)) != space) {
            break;
        }
        end = at;
    }
    return end;
}

static void split_words(tw_machine *machine, tw_item list,
                        const tw_string *string, int64_t most)
{
    size_t at = pass(string, 0, true);
    while (at < string->size && tw_works(machine)) {
        const size_t end = pass(string, at, false);
        if (most-- == 0) { /* the rest, with what follows it */
            add_part(machine, list, string, at, string->size);
            break;
        }
        add_part(machine, list, string, at, end);
        at = pass(string, end, true);
    }
}

static void split_words_from_right(tw_machine *machine, tw_item list,
                                   const tw_string *string, int64_t most)
{
    size_t end = pass_back(string, string->size, true);
    while (end > 0 && tw_works(machine)) {
        const size_t at = pass_back(string, end, false);
        if (most-- == 0) {
            add_part(machine, list, string, 0, end);
            break;
        }
        add_part(machine, list, string, at, end);
        end = pass_back(string, at, true);
    }
    reverse(list.of.list);
}

tw_item tw_split(tw_machine *machine, const tw_string *string,
                 const tw_string *separator, int64_t most, bool from_right)
{
    const tw_item list = tw_item_list(&machine->arena, TW_ITEM_LIST, 0);
    tw_charge(machine, string->size / (separator == NULL ? 2 : 8));
    if (separator == NULL) {
        (from_right ? split_words_from_right : split_words)(machine, list,
                                                            string, most);
    } else if (separator->size == 0) {
        tw_fail(machine, "empty separator");
    } else {
        (from_right ? split_at_from_right : split_at)(machine, list, string,
                                                      separator, most);
    }
    return list;
}

/* The size of the line end at |at|; 0: there is none. */
static size_t line_end(const tw_string *string, size_t at)
{
    const char *limit = string->data + string->size;
    size_t size;
    const uint32_t point = tw_point_at(string->data + at, limit, &size);
    if (point == '\r' && at + 1 < string->size &&
        string->data[at + 1] == '\n') {
        return 2;
    }
    return (point >= 10 && point <= 13) || (point >= 0x1C && point <= 0x1E) ||
                   point == 0x85 || point == 0x2028 || point == 0x2029
               ? size
               : 0;
}

tw_item tw_split_lines(tw_machine *machine, const tw_string *string,
                       bool keep_ends)
{
    const tw_item list = tw_item_list(&machine->arena, TW_ITEM_LIST, 0);
    size_t from = 0;
    tw_charge(machine, string->size / 8);
    for (size_t at = 0; at < string->size && tw_works(machine);) {
        const size_t end = line_end(string, at);
        if (end > 0) {
            add_part(machine, list, string, from, at + (keep_ends ? end : 0));
            from = at + end;
        }
        at += end > 0 ? end : 1;
        while (at < string->size &&
               ((uint8_t)string->data[at] & 0xC0) == 0x80) {
            at++;
        }
    }
    if (from < string->size) {
        add_part(machine, list, string, from, string->size);
    }
    return list;
}

/* ---- building ----------------------------------------------------------- */

/* |new_text| between all code points, and around them. */
static const tw_string *spread(tw_machine *machine, const tw_string *string,
                               const tw_string *new_text, int64_t most)
{
    const char *limit = string->data + string->size;
    tw_builder out;
    size_t size;
    tw_builder_init(&out, &machine->arena);
    for (size_t at = 0; at <= string->size && tw_charge(machine, 1);
         at += size) {
        if (most != 0) {
            tw_build_string(&out, new_text);
            most--;
        }
        if (at == string->size) {
            break;
        }
        tw_point_at(string->data + at, limit, &size);
        tw_build_part(&out, string, at, at + size);
    }
    return tw_builder_end(&out);
}

const tw_string *tw_replace(tw_machine *machine, const tw_string *string,
                            const tw_string *old_text,
                            const tw_string *new_text, int64_t most)
{
    if (old_text->size == 0) {
        return spread(machine, string, new_text, most);
    }
    size_t found = tw_string_find(string, 0, old_text);
    size_t done = 0;
    tw_charge(machine, string->size / 16);
    if (found == SIZE_MAX || most == 0) {
        return string;
    }
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (; found != SIZE_MAX && most != 0 && tw_charge(machine, 1); most--) {
        tw_build_part(&out, string, done, found);
        tw_build_string(&out, new_text);
        done = found + old_text->size;
        found = tw_string_find(string, done, old_text);
    }
    tw_build_part(&out, string, done, string->size);
    return tw_builder_end(&out);
}

static void build_times(tw_machine *machine, tw_builder *out,
                        const tw_string *fill, int64_t times)
{
    for (; times > 0 && !out->failed && tw_charge(machine, 1); times--) {
        tw_build_string(out, fill);
    }
}

const tw_string *tw_pad(tw_machine *machine, const tw_string *string,
                        int64_t left, int64_t right, const tw_string *fill)
{
    if (left <= 0 && right <= 0) {
        return string;
    }
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    build_times(machine, &out, fill, left);
    tw_build_string(&out, string);
    build_times(machine, &out, fill, right);
    return tw_builder_end(&out);
}

const tw_string *tw_center(tw_machine *machine, const tw_string *string,
                           int64_t width, const tw_string *fill)
{
    if (width <= (int64_t)string->points) {
        return string;
    }
    const int64_t missing = width - (int64_t)string->points;
    /* Of an odd rest the larger half goes to the left of an even width. */
    const int64_t left = missing / 2 + (missing & width & 1);
    return tw_pad(machine, string, left, missing - left, fill);
}

const tw_string *tw_join(tw_machine *machine, const tw_string *separator,
                         const tw_list *strings)
{
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t i = 0; i < strings->count && tw_charge(machine, 1); i++) {
        if (i > 0) {
            tw_build_string(&out, separator);
        }
        if (strings->items[i].kind != TW_ITEM_STRING) {
            tw_fail(machine,
                    "sequence item %d: expected str instance, %t found",
                    (int64_t)i, strings->items[i]);
            break;
        }
        tw_build_string(&out, strings->items[i].of.string);
    }
    return tw_builder_end(&out);
}

/* ---- numbers ------------------------------------------------------------ */

enum { LONGEST = 400 };

/* ASCII without white space around and underscores between digits. */
static size_t plain_number(const tw_string *string, char out[LONGEST])
{
    size_t from = 0;
    size_t to = string->size;
    size_t size = 0;
    while (from < to && tw_point_is_space((uint8_t)string->data[from])) {
        from++;
    }
    while (to > from && tw_point_is_space((uint8_t)string->data[to - 1])) {
        to--;
    }
    for (size_t i = from; i < to && size < LONGEST - 1; i++) {
        const bool between = i > from && i + 1 < to &&
                             string->data[i - 1] != '_' &&
                             string->data[i + 1] != '_';
        if (string->data[i] != '_') {
            out[size++] = string->data[i];
        } else if (!between) {
            return 0;
        }
    }
    out[size] = 0;
    return size < LONGEST - 1 ? size : 0;
}

static int digit_of(char c)
{
    return tw_is_digit(c)                           ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (c | 0x20) - 'a' + 10
                                                    : 99;
}

bool tw_text_to_int(const tw_string *string, int64_t base, int64_t *out)
{
    char text[LONGEST];
    const size_t size = plain_number(string, text);
    size_t at = size > 0 && (text[0] == '-' || text[0] == '+');
    const bool negative = size > 0 && text[0] == '-';
    const char mark =
        at + 1 < size && text[at] == '0' ? (char)(text[at + 1] | 0x20) : 0;
    const int64_t marked = mark == 'x'   ? 16
                           : mark == 'o' ? 8
                           : mark == 'b' ? 2
                                         : 0;
    if (marked != 0 && (base == marked || base == 0)) {
        base = marked;
        at += 2;
    }
    base = base == 0 ? 10 : base;
    *out = 0;
    if (at == size) {
        return false;
    }
    for (; at < size; at++) {
        const int digit = digit_of(text[at]);
        if (digit >= base || __builtin_mul_overflow(*out, base, out) ||
            __builtin_add_overflow(*out, digit, out)) {
            return false;
        }
    }
    *out = negative ? -*out : *out;
    return true;
}

static bool is_word(const char *text, const char *word)
{
    for (; *word != 0; word++, text++) {
        if ((*text | 0x20) != *word) {
            return false;
        }
    }
    return *text == 0;
}

bool tw_text_to_float(const tw_string *string, double *out)
{
    char text[LONGEST];
    const size_t size = plain_number(string, text);
    size_t at = size > 0 && (text[0] == '-' || text[0] == '+');
    const double sign = size > 0 && text[0] == '-' ? -1 : 1;
    size_t digits = 0;
    if (size == 0) {
        return false;
    }
    if (is_word(text + at, "inf") || is_word(text + at, "infinity")) {
        *out = sign * tw_python_double("1e999", 5);
        return true;
    }
    if (is_word(text + at, "nan")) {
        *out = 0 * tw_python_double("1e999", 5);
        return true;
    }
    for (bool point = false;
         at < size && (digit_of(text[at]) < 10 || (text[at] == '.' && !point));
         at++) {
        digits += text[at] != '.';
        point |= text[at] == '.';
    }
    if (digits > 0 && at < size && (text[at] | 0x20) == 'e') {
        at += at + 1 < size && (text[at + 1] == '-' || text[at + 1] == '+')
                  ? 2
                  : 1;
        digits = 0;
        for (; at < size && digit_of(text[at]) < 10; at++) {
            digits++;
        }
    }
    *out = tw_python_double(text, size);
    return digits > 0 && at == size;
}

/* ---- tests -------------------------------------------------------------- */

bool tw_all_points(tw_machine *machine, const tw_string *string,
                   bool (*holds)(uint32_t))
{
    const char *limit = string->data + string->size;
    size_t size;
    tw_charge(machine, string->size / 2);
    for (size_t at = 0; at < string->size; at += size) {
        if (!holds(tw_point_at(string->data + at, limit, &size))) {
            return false;
        }
    }
    return string->size > 0;
}

/* All that have a case have this one, and there is one. */
static bool has_case(tw_machine *machine, const tw_string *string,
                     tw_property wanted, tw_property other)
{
    const char *limit = string->data + string->size;
    size_t size;
    bool found = false;
    tw_charge(machine, string->size / 2);
    for (size_t at = 0; at < string->size; at += size) {
        const uint32_t point = tw_point_at(string->data + at, limit, &size);
        if (tw_point_has(point, other)) {
            return false;
        }
        found |= tw_point_has(point, wanted);
    }
    return found;
}

bool tw_is_upper(tw_machine *machine, const tw_string *string)
{
    return has_case(machine, string, TW_UPPER, TW_LOWER);
}

bool tw_is_lower(tw_machine *machine, const tw_string *string)
{
    return has_case(machine, string, TW_LOWER, TW_UPPER);
}
