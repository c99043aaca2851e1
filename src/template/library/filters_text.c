/* SPDX-License-Identifier: MIT
 *
 * Filters of texts.
 */
#include "template/library/filter.h"
#include "template/values/unicode.h"
#include "template/machine/words.h"

static tw_item text(const tw_string *string)
{
    return tw_item_string(string);
}

/* What |put| writes. */
static tw_item built(tw_builder *out)
{
    const tw_item item = tw_item_string(tw_builder_string(out));
    tw_builder_free(out);
    return item;
}

static const tw_string *word(tw_machine *machine, tw_item item,
                             const char *otherwise)
{
    return item.kind == TW_ITEM_UNSET
               ? tw_string_word(&machine->arena, otherwise)
               : tw_str(machine, item);
}

static tw_item cased(tw_machine *machine, tw_item item, tw_case to)
{
    tw_item result = text(tw_change_case(machine, tw_str(machine, item), to));
    result.flavour = item.kind == TW_ITEM_STRING ? item.flavour : 0;
    return result;
}

tw_item tw_filter_capitalize(tw_machine *machine, tw_item item,
                             const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return cased(machine, item, TW_CASE_CAPITALIZE);
}

tw_item tw_filter_lower(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    (void)all;
    return cased(machine, item, TW_CASE_LOWER);
}

tw_item tw_filter_upper(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    (void)all;
    return cased(machine, item, TW_CASE_UPPER);
}

tw_item tw_filter_title(tw_machine *machine, tw_item item, const tw_item *more,
                        const tw_passed *all)
{
    (void)more;
    (void)all;
    return cased(machine, item, TW_CASE_WORDS);
}

tw_item tw_filter_center(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)all;
    return text(tw_center(machine, tw_str(machine, item),
                          tw_number(machine, more[0], 80),
                          word(machine, tw_item_of(TW_ITEM_UNSET), " ")));
}

tw_item tw_filter_string(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    return item.kind == TW_ITEM_STRING ? item : text(tw_str(machine, item));
}

tw_item tw_filter_safe(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)more;
    (void)all;
    tw_item result = text(tw_str(machine, item));
    result.flavour = TW_MARKUP;
    return result;
}

tw_item tw_filter_forceescape(tw_machine *machine, tw_item item,
                              const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    tw_item result = text(tw_escape_html(machine, tw_str(machine, item)));
    result.flavour = TW_MARKUP;
    return result;
}

tw_item tw_filter_escape(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    return item.kind == TW_ITEM_STRING && item.flavour == TW_MARKUP
               ? item
               : tw_filter_forceescape(machine, item, more, all);
}

tw_item tw_filter_trim(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)all;
    const bool given =
        more[0].kind != TW_ITEM_UNSET && more[0].kind != TW_ITEM_NONE;
    if (given && more[0].kind != TW_ITEM_STRING) {
        tw_fail(machine, "strip arg must be None or str");
        return tw_none();
    }
    const tw_string *chars = given ? more[0].of.string : NULL;
    tw_item result = text(
        tw_strip(machine, tw_str(machine, item), chars, TW_LEFT | TW_RIGHT));
    result.flavour = item.kind == TW_ITEM_STRING ? item.flavour : 0;
    return result;
}

tw_item tw_filter_replace(tw_machine *machine, tw_item item,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    return text(tw_replace(machine, tw_str(machine, item),
                           tw_str(machine, more[0]), tw_str(machine, more[1]),
                           tw_whole(machine, more[2], -1)));
}

tw_item tw_filter_format(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)more;
    if (all->count > 0 && all->named_count > 0) {
        tw_fail(machine, "can't handle positional and keyword arguments at "
                         "the same time");
        return tw_none();
    }
    tw_item values = tw_item_list(&machine->arena, TW_ITEM_TUPLE, all->count);
    for (size_t i = 0; i < all->count; i++) {
        tw_list_add(&machine->arena, values.of.list, all->at[i]);
    }
    if (all->named_count > 0) {
        values = tw_item_dict(&machine->arena, all->named_count);
        for (size_t i = 0; i < all->named_count; i++) {
            tw_dict_put(&machine->arena, values.of.dict,
                        tw_item_string(all->named[i].name),
                        all->named[i].value);
        }
    }
    return tw_format_percent(machine, tw_str(machine, item), values);
}

tw_item tw_filter_join(tw_machine *machine, tw_item item, const tw_item *more,
                       const tw_passed *all)
{
    (void)all;
    const tw_string *separator = word(machine, more[0], "");
    const tw_item list = tw_list_of(machine, item);
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        tw_item part = list.of.list->items[i];
        if (i > 0) {
            tw_build_string(&out, separator);
        }
        if (more[1].kind != TW_ITEM_UNSET && more[1].kind != TW_ITEM_NONE) {
            part = tw_get_path(machine, part, more[1]);
        }
        tw_print(machine, &out, part);
        tw_charge(machine, 1);
    }
    return built(&out);
}

/* ---- lines and words ---------------------------------------------------- */

/* |refusal|: what Python says of a value that is none. */
static int64_t whole_or(tw_machine *machine, tw_item item, int64_t otherwise,
                        const char *refusal)
{
    if (item.kind == TW_ITEM_UNDEFINED) {
        tw_fail_undefined(machine, item);
    } else if (item.kind != TW_ITEM_UNSET && !tw_item_is_integral(item)) {
        tw_fail(machine, refusal, item);
    }
    return tw_whole(machine, item, otherwise);
}

tw_item tw_filter_indent(tw_machine *machine, tw_item item,
                         const tw_item *more, const tw_passed *all)
{
    (void)all;
    const tw_string *blank = tw_string_word(&machine->arena, " ");
    const tw_string *indent =
        more[0].kind == TW_ITEM_STRING
            ? more[0].of.string
            : tw_pad(machine, tw_string_word(&machine->arena, ""),
                     whole_or(machine, more[0], 4,
                              "can't multiply sequence by non-int of type "
                              "'%t'"),
                     0, blank);
    if (item.kind != TW_ITEM_STRING) {
        if (tw_item_is_undefined(item)) {
            tw_fail_undefined(machine, item);
        }
        tw_fail(machine, "unsupported operand type(s) for +=: '%t' and 'str'",
                item);
        return tw_none();
    }
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    tw_build_string(&out, item.of.string);
    tw_build(&out, "\n"); /* so that splitlines() keeps a last empty line */
    const tw_string *whole = tw_builder_string(&out);
    tw_builder_reset(&out);
    const tw_item lines =
        tw_split_lines(machine, whole != NULL ? whole : item.of.string, false);
    const bool blanks = tw_flag(more[2], false);
    if (tw_flag(more[1], false)) {
        tw_build_string(&out, indent);
    }
    for (size_t i = 0; i < lines.of.list->count && tw_charge(machine, 1);
         i++) {
        const tw_string *line = lines.of.list->items[i].of.string;
        if (i > 0) {
            tw_build(&out, "\n");
        }
        if (i > 0 && (blanks || line->size > 0)) {
            tw_build_string(&out, indent);
        }
        tw_build_string(&out, line);
    }
    return built(&out);
}

tw_item tw_filter_truncate(tw_machine *machine, tw_item item,
                           const tw_item *more, const tw_passed *all)
{
    (void)all;
    const int64_t length =
        whole_or(machine, more[0], 255,
                 "'>=' not supported between instances of '%t' and 'int'");
    const tw_string *end = word(machine, more[2], "...");
    const int64_t leeway = tw_whole(machine, more[3], 5);
    if (length < (int64_t)end->points) {
        tw_fail(machine, "expected length >= %d, got %d", (int64_t)end->points,
                length);
        return tw_none();
    }
    const tw_item size = tw_filter_length(machine, item, NULL, NULL);
    if (!tw_works(machine) || tw_item_integer(size) <= length + leeway) {
        return item;
    }
    if (item.kind != TW_ITEM_STRING) {
        tw_fail(machine, "'%t' object has no attribute 'rsplit'", item);
        return tw_none();
    }
    const tw_string *string = item.of.string;
    const size_t kept = (size_t)length - end->points;
    size_t place = tw_string_place(string, kept);
    tw_charge(machine, string->size / 16);
    if (!tw_flag(more[1], false)) { /* up to the last blank, if there is one */
        const tw_string *blank = tw_string_word(&machine->arena, " ");
        const size_t last = tw_string_find_last(string, place, blank);
        place = last != SIZE_MAX ? last : place;
    }
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    tw_build_part(&out, string, 0, place);
    tw_build_string(&out, end);
    return built(&out);
}

tw_item tw_filter_wordcount(tw_machine *machine, tw_item item,
                            const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    const tw_string *string = tw_str(machine, item);
    const char *limit = string->data + string->size;
    int64_t count = 0;
    bool inside = false;
    size_t size;
    tw_charge(machine, string->size / 2);
    for (const char *at = string->data; at < limit; at += size) {
        const uint32_t point = tw_point_at(at, limit, &size);
        const bool is_word = tw_point_is_word(point) || point == '_';
        count += is_word && !inside;
        inside = is_word;
    }
    return tw_item_int(count);
}

/* ---- wrapping ----------------------------------------------------------- */

/* White space of textwrap is of ASCII alone. */
static bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Is the byte at |at| a part of a letter, a digit or a line? */
static bool is_word(const tw_string *line, size_t at)
{
    const uint8_t value = at < line->size ? (uint8_t)line->data[at] : 0;
    return value >= 0x80 || value == '_' || tw_point_is_word(value);
}

static bool is_letter(const tw_string *line, size_t at)
{
    return is_word(line, at) && (line->data[at] < '0' || line->data[at] > '9');
}

static bool is_hyphen(const tw_string *line, size_t at)
{
    return at < line->size && line->data[at] == '-';
}

/* Is there a hyphen before |at| that joins parts of a word? */
static bool is_joint(const tw_string *line, size_t at)
{
    return at >= 3 && is_hyphen(line, at - 1) && is_letter(line, at - 2) &&
           (is_letter(line, at - 3) ||
            (is_hyphen(line, at - 3) && at > 3 && is_letter(line, at - 4))) &&
           is_letter(line, at) &&
           is_letter(line, at + 1 + is_hyphen(line, at + 1));
}

/* Do hyphens at |at| make a dash between words?  Where it ends, or 0. */
static size_t dash_end(const tw_string *line, size_t at)
{
    if (!is_hyphen(line, at) || !is_hyphen(line, at + 1) || at == 0 ||
        (!is_word(line, at - 1) &&
         memchr("!\"'&.,?", line->data[at - 1], 7) == NULL)) {
        return 0;
    }
    while (is_hyphen(line, at)) {
        at++;
    }
    return is_word(line, at) ? at : 0;
}

/* A chunk of Python's textwrap: white space, a dash, or a word, which may end
 * behind a hyphen. */
static size_t chunk_end(const tw_string *line, size_t from, bool hyphens)
{
    const size_t dash = hyphens ? dash_end(line, from) : 0;
    const bool space = is_blank(line->data[from]);
    size_t at = from + 1;
    while (dash == 0 && at < line->size && is_blank(line->data[at]) == space &&
           !(hyphens && (is_joint(line, at) || dash_end(line, at) != 0))) {
        at++;
    }
    return dash != 0 ? dash : at;
}

typedef struct wrapping {
    int64_t width;
    bool breaks;
    bool hyphens;
    const tw_string *end;
} wrapping;

/* Where a word from |from| to |end| breaks that has |room|. */
static size_t break_word(const tw_string *line, size_t from,
                         const tw_string *word, const wrapping *how,
                         int64_t room)
{
    const size_t cut = from + tw_string_place(word, (size_t)room);
    size_t hyphen = cut;
    while (how->hyphens && hyphen > from && !is_hyphen(line, hyphen - 1)) {
        hyphen--;
    }
    for (size_t at = from; how->hyphens && at + 1 < hyphen; at++) {
        if (!is_hyphen(line, at)) {
            return hyphen;
        }
    }
    return cut;
}

/* One line of the text in lines of the width. */
static void wrap_line(tw_machine *machine, tw_builder *out,
                      const tw_string *line, const wrapping *how)
{
    size_t end = 0; /* of the chunk at |at| */
    bool first = true;
    for (size_t at = 0; at < line->size && tw_works(machine);) {
        end = at == end ? chunk_end(line, at, how->hyphens) : end;
        if (!first && is_blank(line->data[at])) {
            at = end; /* no line begins with white space */
        }
        const size_t from = at;
        size_t last = at; /* the chunk that was taken last */
        int64_t room = how->width;
        const tw_string *chunk = NULL;
        while (at < line->size && tw_charge(machine, 1)) {
            end = at == end ? chunk_end(line, at, how->hyphens) : end;
            chunk = tw_string_part(&machine->arena, line, at, end);
            if (chunk == NULL || (int64_t)chunk->points > room) {
                break;
            }
            room -= (int64_t)chunk->points;
            last = at;
            at = end;
        }
        if (at < line->size && chunk != NULL &&
            (int64_t)chunk->points > how->width &&
            (how->breaks || at == from)) {
            tw_charge(machine,
                      tw_string_is_ascii(chunk) ? 0 : chunk->size / 16);
            last = at;
            at = how->breaks ? break_word(line, at, chunk, how, room) : end;
        }
        const size_t to = last < at && is_blank(line->data[last]) ? last : at;
        if (to > from) {
            if (!first) {
                tw_build_string(out, how->end);
            }
            tw_build_part(out, line, from, to);
            first = false;
        }
    }
}

tw_item tw_filter_wordwrap(tw_machine *machine, tw_item item,
                           const tw_item *more, const tw_passed *all)
{
    (void)all;
    if (item.kind != TW_ITEM_STRING) {
        if (tw_item_is_undefined(item)) {
            tw_fail_undefined(machine, item);
        }
        tw_fail(machine, "'%t' object has no attribute 'splitlines'", item);
        return tw_none();
    }
    const wrapping how = {tw_whole(machine, more[0], 79),
                          tw_flag(more[1], true), tw_flag(more[3], true),
                          more[2].kind == TW_ITEM_NONE
                              ? tw_string_word(&machine->arena, "\n")
                              : word(machine, more[2], "\n")};
    if (how.width <= 0) {
        tw_fail(machine, "invalid width %d (must be > 0)", how.width);
        return tw_none();
    }
    const tw_item lines = tw_split_lines(machine, item.of.string, false);
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t i = 0; i < lines.of.list->count && tw_works(machine); i++) {
        if (i > 0) {
            tw_build_string(&out, how.end);
        }
        wrap_line(machine, &out, lines.of.list->items[i].of.string, &how);
    }
    return built(&out);
}

/* ---- markup ------------------------------------------------------------- */

/* Without comments and tags, with white space as single blanks. */
tw_item tw_filter_striptags(tw_machine *machine, tw_item item,
                            const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    static const struct {
        const char *name;
        const char *text;
    } entities[] = {{"&amp;", "&"},  {"&lt;", "<"},  {"&gt;", ">"},
                    {"&#34;", "\""}, {"&#39;", "'"}, {"&quot;", "\""}};
    const tw_string *string = tw_str(machine, item);
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    size_t done = 0;
    bool open[2] = {false, false}; /* no end follows: of a tag, a comment */
    tw_charge(machine, string->size / 8);
    for (size_t at = 0; at < string->size;) {
        const bool comment = string->size - at >= 4 &&
                             memcmp(string->data + at, "<!--", 4) == 0;
        const tw_string end = {.data = comment ? "-->" : ">",
                               .size = comment ? 3 : 1};
        const size_t close = string->data[at] == '<' && !open[comment]
                                 ? tw_string_find(string, at, &end)
                                 : SIZE_MAX;
        if (close == SIZE_MAX) {
            open[comment] |= string->data[at] == '<';
            at++;
            continue;
        }
        tw_build_part(&out, string, done, at);
        at = done = close + end.size;
    }
    tw_build_part(&out, string, done, string->size);
    const tw_string *plain = tw_builder_string(&out);
    tw_builder_free(&out);
    const tw_item words =
        tw_split(machine, plain != NULL ? plain : string, NULL, -1, false);
    const tw_string *result =
        tw_join(machine, tw_string_word(&machine->arena, " "), words.of.list);
    for (size_t i = sizeof entities / sizeof *entities; i-- > 0;) {
        result = tw_replace(
            machine, result, tw_string_word(&machine->arena, entities[i].name),
            tw_string_word(&machine->arena, entities[i].text), -1);
    }
    return text(result);
}

static bool is_attribute_name(const tw_string *key)
{
    const char *limit = key->data + key->size;
    size_t size;
    for (const char *at = key->data; at < limit; at += size) {
        const uint32_t c = tw_point_at(at, limit, &size);
        if (tw_point_is_space(c) || c == '/' || c == '>' || c == '=') {
            return false;
        }
    }
    return true;
}

tw_item tw_filter_xmlattr(tw_machine *machine, tw_item item,
                          const tw_item *more, const tw_passed *all)
{
    (void)all;
    if (item.kind != TW_ITEM_DICT) {
        if (tw_item_is_undefined(item)) {
            tw_fail_undefined(machine, item);
        }
        tw_fail(machine, "'%t' object has no attribute 'items'", item);
        return tw_none();
    }
    const tw_dict *dict = item.of.dict;
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    for (size_t i = 0; i < dict->count && tw_charge(machine, 1); i++) {
        const tw_item value = dict->entries[i].value;
        const tw_string *key = tw_str(machine, dict->entries[i].key);
        if (value.kind == TW_ITEM_NONE || tw_item_is_undefined(value)) {
            continue;
        }
        if (!is_attribute_name(key)) {
            tw_fail(machine, "Invalid character in attribute name: %r",
                    tw_item_string(key));
            break;
        }
        if (out.text.size > 0 || tw_flag(more[0], true)) {
            tw_build(&out, " ");
        }
        tw_build_string(&out, tw_escape_html(machine, key));
        tw_build(&out, "=\"");
        tw_build_string(&out,
                        value.flavour == TW_MARKUP
                            ? value.of.string
                            : tw_escape_html(machine, tw_str(machine, value)));
        tw_build(&out, "\"");
    }
    tw_item result = built(&out);
    result.flavour = machine->autoescape ? TW_MARKUP : TW_PLAIN_ITEM;
    return result;
}

/* ---- URLs --------------------------------------------------------------- */

/* As urllib.parse.quote(): letters, digits, `_.-~` stay; in a query a blank
 * is a `+`, and a slash does not stay. */
static void quote(tw_builder *out, const tw_string *string, bool in_query)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t done = 0;
    for (size_t at = 0; at < string->size; at++) {
        const uint8_t c = (uint8_t)string->data[at];
        const bool stays =
            (c < 0x80 && tw_point_is_word(c)) ||
            (c != 0 && strchr(in_query ? "_.-~" : "_.-~/", c) != NULL);
        if (!stays) {
            const char escape[] = {'%', digits[c >> 4], digits[c & 15]};
            const bool plus = in_query && c == ' ';
            tw_build_part(out, string, done, at);
            tw_build_changed(out, string, at, plus ? "+" : escape,
                             plus ? 1 : sizeof escape);
            done = at + 1;
        }
    }
    tw_build_part(out, string, done, string->size);
}

tw_item tw_filter_urlencode(tw_machine *machine, tw_item item,
                            const tw_item *more, const tw_passed *all)
{
    (void)more;
    (void)all;
    tw_builder out;
    tw_builder_init(&out, &machine->arena);
    if (item.kind == TW_ITEM_STRING || tw_item_is_number(item) ||
        item.kind == TW_ITEM_NONE || tw_item_is_undefined(item)) {
        quote(&out, tw_str(machine, item), false);
        return built(&out);
    }
    if (item.kind == TW_ITEM_DICT) {
        for (size_t i = 0; i < item.of.dict->count && tw_charge(machine, 1);
             i++) {
            tw_build(&out, i > 0 ? "&" : "");
            quote(&out, tw_str(machine, item.of.dict->entries[i].key), true);
            tw_build(&out, "=");
            quote(&out, tw_str(machine, item.of.dict->entries[i].value), true);
        }
        return built(&out);
    }
    const tw_item list = tw_list_of(machine, item);
    for (size_t i = 0; tw_works(machine) && i < list.of.list->count; i++) {
        const tw_item pair =
            tw_list_or(machine, list.of.list->items[i],
                       "cannot unpack non-iterable %t object");
        if (!tw_works(machine) || pair.of.list->count != 2) {
            tw_fail(machine, "not enough values to unpack");
            break;
        }
        tw_build(&out, i > 0 ? "&" : "");
        quote(&out, tw_str(machine, pair.of.list->items[0]), true);
        tw_build(&out, "=");
        quote(&out, tw_str(machine, pair.of.list->items[1]), true);
    }
    return built(&out);
}
