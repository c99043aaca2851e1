/* SPDX-License-Identifier: MIT
 *
 * The slips, each a place that is found in the wire and what stands there
 * instead.  They are written once for all formats, in terms of a format's
 * markers and of how its arguments are written: where a wire has no such
 * place, there is no such slip.
 */
#include "kit/make/typo.h"

#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"

/* In |from|, a letter behind a % is a hole:
 *     %o  what opens a call      %c  what closes one
 *     %q  a string's delimiter   %b  what closes an argument
 *     %n  letters, digits, _-.   %w  white space, or none
 *     %s  any bytes, few         %m  here a marker or the end is next
 *     %e  here the wire ends
 * and in |to|, %1 is what stands in the first of them.  Without |to| the wire
 * stays as it is, and what it calls is not declared. */
typedef struct slip {
    const char *name;
    const char *from;
    const char *to;
} slip;

/* Names that are diagnostics of the library, `toolwire explain` explains. */
static const slip slips[] = {
    /* Marks of calls. */
    {"missing_call_close", "%c%m", ""},
    {"doubled_open_tag", "%o%w", "%1%2%1%2"},
    {"missing_call_open", "%o%w{", "%2{"},
    {"odd_terminator", "<|call|>", "<|end|>"},
    {"missing_constrain", " <|constrain|>json", " json"},
    {"missing_args_marker", "[ARGS]{", "{"},
    {"undeclared_tool", NULL, NULL},
    /* JSON, and what ends like it. */
    {"trailing_comma", "}%w%c", ",}%1%2"},
    {"trailing_comma_in_list", "]}", ",]}"},
    {"missing_closer", "}}%w%c", "}%1%2"},
    {"missing_bracket", "]%w%c", "%1%2"},
    {"extra_closer", "}%w%c", "}}%1%2"},
    {"extra_closer_in_list", "}]%w%c", "}}]%1%2"},
    {"missing_closer_at_end", "}}%m", "}"},
    {"extra_closer_at_end", "}%m", "}}"},
    {"odd_white_space", "{\"%n\": ", "{ \"%1\" :\n"},
    {"key_parameters", "\"arguments\":", "\"parameters\":"},
    {"python_true", ": true", ": True"},
    {"python_null", ": null", ": None"},
    {"single_quotes", "{\"%n\":", "{'%1':"},
    {"double_quotes", "{'%n':", "{\"%1\":"},
    {"json_true_in_dict", "': True", "': true"},
    {"fenced", "%c", "\n```%1"},
    /* Gemma's notation. */
    {"missing_string_open", ":%q%n", ":%2"},
    {"missing_string_close", "%n%q}", "%1}"},
    {"missing_string_close_inside", "%n%q,%n:", "%1,%3:"},
    {"quoted_key", "{%n:", "{<|\"|>%1<|\"|>:"},
    {"quoted_key_behind", ",%n:", ",<|\"|>%1<|\"|>:"},
    {"json_quotes", ":%q%s%q", ":\"%2\""},
    {"json_quotes_in_list", "[%q%s%q", "[\"%2\""},
    {"apostrophes", ":%q%s%q", ":'%2'"},
    {"equals_sign", "{%n:", "{%1="},
    {"loose_head", "%ocall:", "%1 call:"},
    {"head_without_call", "%ocall:%n{", "%1:%2{"},
    {"parentheses", "call:%n{%s}%c", "call:%1(%2)%3"},
    {"missing_brace", "}%c", "%1"},
    {"space_behind_colon", "{%n:", "{%1: "},
    {"space_behind_comma", ",%n:", ", %1:"},
    {"python_true_bare", ":true", ":True"},
    {"python_null_bare", ":null", ":None"},
    /* Tags. */
    {"missing_argument_close", "%b%w<", "%2<"},
    {"no_line_feed", ">\n%n", ">%1"},
    /* Python. */
    {"no_brackets", "[%n(%s)]%m", "%1(%2)"},
    {"missing_parenthesis", ")]%w", "]%1"},
    {"trailing_comma_in_call", ")]", ",)]"},
    {"json_true", "=True", "=true"},
    {"json_null", "=None", "=null"},
    {"other_quotes", "=\"%s\"", "='%1'"},
};

/* What models write beside what the template keeps: no slips. */
static const slip spellings[] = {
    {"recipient behind the channel", " to=%n<|channel|>commentary",
     "<|channel|>commentary to=%1"},
    {"the last message of a turn", "<|end|>%e", "<|return|>"},
};

_Static_assert(sizeof spellings / sizeof spellings[0] == KIT_SPELL_POINTS,
               "it is the one behind them");
enum { HOLES = 6, SHORT = 120, SLIPS = sizeof slips / sizeof slips[0] };
_Static_assert((int)SLIPS <= (int)KIT_SLIPS_MOST, "a maker has room for all");

typedef struct place {
    size_t from;
    size_t to;
} place;

typedef struct match {
    const kit_wire *wire;
    const tw_format *format;
    place holes[HOLES];
    int count;
    size_t at; /* what was matched ends here */
} match;

size_t kit_slip_count(void)
{
    return SLIPS;
}

bool kit_slip_undeclares(size_t i)
{
    return slips[i].to == NULL;
}

const char *kit_slip_name(size_t i)
{
    return slips[i].name;
}

/* ---- finding ------------------------------------------------------------ */

static bool is_for(const tw_marker *marker, char hole)
{
    switch (hole) {
    case 'o': return marker->role == TW_MARKER_CALL_OPEN;
    case 'c': return marker->role == TW_MARKER_CALL_CLOSE;
    case 'q': return marker->role == TW_MARKER_STRING;
    case 'b':
        return marker->role == TW_MARKER_BODY && marker->size > 1 &&
               marker->text[1] == '/';
    default: return marker->decoded == 1;
    }
}

/* The size of a marker for |hole| that stands at |at|; 0: there is none. */
static size_t marker_at(const match *its, size_t at, char hole)
{
    const tw_buffer *bytes = &its->wire->bytes;
    const tw_marker *marker;
    size_t longest = 0;
    for (size_t i = 0; tw_format_marker(its->format, i, &marker) == 1; i++) {
        if (marker->size > longest && marker->size <= bytes->size - at &&
            is_for(marker, hole) &&
            memcmp(bytes->data + at, marker->text, marker->size) == 0) {
            longest = marker->size;
        }
    }
    return longest;
}

static bool is_name(uint8_t c)
{
    return tw_is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/* How many bytes the hole takes at |at|; |*fits|: it may be so many. */
static size_t hole_size(const match *its, char hole, bool *fits)
{
    const tw_buffer *bytes = &its->wire->bytes;
    size_t end = its->at;
    *fits = true;
    switch (hole) {
    case 'w':
        while (end < bytes->size && tw_is_ws(bytes->data[end])) {
            end++;
        }
        break;
    case 'n':
        while (end < bytes->size && is_name(bytes->data[end])) {
            end++;
        }
        *fits = end > its->at;
        break;
    case 'e': *fits = end == bytes->size; break;
    case 'm':
        while (end < bytes->size && tw_is_ws(bytes->data[end])) {
            end++;
        }
        *fits = end == bytes->size || marker_at(its, end, 'm') > 0;
        end = its->at;
        break;
    default:
        end += its->at < bytes->size ? marker_at(its, its->at, hole) : 0;
        *fits = end > its->at;
    }
    return end - its->at;
}

/* Goes behind what |pattern| says, but for a %s, at which it stops. */
static const char *go_on(match *its, const char *pattern)
{
    const tw_buffer *bytes = &its->wire->bytes;
    bool fits = true;
    while (*pattern != '\0' && fits) {
        if (pattern[0] != '%') {
            fits = its->at < bytes->size &&
                   bytes->data[its->at] == (uint8_t)*pattern;
            its->at += fits ? 1 : 0;
            pattern += fits ? 1 : 0;
            continue;
        }
        if (pattern[1] == 's') {
            return pattern;
        }
        const size_t size = hole_size(its, pattern[1], &fits);
        if (fits) {
            its->holes[its->count++] = (place){its->at, its->at + size};
            its->at += size;
            pattern += 2;
        }
    }
    return fits ? pattern : NULL;
}

static bool match_at(match *its, const char *pattern, size_t at)
{
    its->at = at;
    its->count = 0;
    pattern = go_on(its, pattern);
    if (pattern == NULL || *pattern == '\0') {
        return pattern != NULL;
    }
    const size_t begin = its->at;
    const int hole = its->count++;
    for (size_t size = 0;
         size < SHORT && begin + size <= its->wire->bytes.size; size++) {
        its->holes[hole] = (place){begin, begin + size};
        its->count = hole + 1;
        its->at = begin + size;
        if (go_on(its, pattern + 2) != NULL) {
            return true;
        }
    }
    return false;
}

/* ---- changing ----------------------------------------------------------- */

static bool put(kit_wire *to, const tw_memory *memory, const match *its,
                const char *words)
{
    bool good = true;
    while (*words != '\0' && good) {
        if (words[0] == '%') {
            const place *hole = &its->holes[words[1] - '1'];
            good = kit_wire_append_part(to, memory, its->wire, hole->from,
                                        hole->to);
            words += 2;
            continue;
        }
        const size_t size = strcspn(words, "%");
        good = kit_wire_append_words(to, memory, its->format, words, size);
        words += size;
    }
    return good;
}

static int change(kit_wire *to, const kit_wire *wire, const tw_format *format,
                  const tw_memory *memory, const slip *its, size_t number)
{
    match found = {.wire = wire, .format = format};
    const size_t size = wire->bytes.size;
    if (its->to == NULL) {
        kit_wire_clear(to);
        return number > 0                                        ? 0
               : kit_wire_append_part(to, memory, wire, 0, size) ? 1
                                                                 : -1;
    }
    for (size_t at = 0; at <= size; at++) {
        if (!match_at(&found, its->from, at) || number-- > 0) {
            continue;
        }
        kit_wire_clear(to);
        const bool good =
            kit_wire_append_part(to, memory, wire, 0, at) &&
            put(to, memory, &found, its->to) &&
            kit_wire_append_part(to, memory, wire, found.at, size);
        return good ? 1 : -1;
    }
    return 0;
}

int kit_slip_at(kit_wire *to, const kit_wire *wire, const tw_format *format,
                const tw_memory *memory, size_t i, size_t number)
{
    return change(to, wire, format, memory, &slips[i], number);
}

/* The code point that begins at |at|, as JSON writes it by its number.  How
 * many bytes it has. */
static size_t spell_point(const uint8_t *at, char *spelt, size_t room)
{
    size_t size;
    const char *text = (const char *)at;
    const unsigned point = tw_point_at(text, text + 4, &size);
    if (point > 0xFFFF) {
        snprintf(spelt, room, "\\u%04x\\u%04x", (uint16_t)tw_high_of(point),
                 tw_low_of(point));
    } else {
        snprintf(spelt, room, "\\u%04x", point);
    }
    return size;
}

/* What is not ASCII from the first call or brace on, written by its number: as
 * json.dumps() does in what models learnt from.  The wire is UTF-8. */
static int escape(kit_wire *to, const kit_wire *wire, const tw_format *format,
                  const tw_memory *memory)
{
    const match its = {.wire = wire, .format = format};
    const tw_buffer *bytes = &wire->bytes;
    size_t from = 0, at = 0;
    bool good = true, found = false;
    while (at < bytes->size && bytes->data[at] != '{' &&
           marker_at(&its, at, 'o') == 0) {
        at++;
    }
    kit_wire_clear(to);
    while (at < bytes->size && good) {
        char spelt[sizeof "\\ud83d\\ude00"];
        if (bytes->data[at] < 0x80 || kit_wire_token(wire, at) > 0) {
            const size_t token = kit_wire_token(wire, at);
            at += token > 0 ? token : 1;
            continue;
        }
        const size_t size = spell_point(bytes->data + at, spelt, sizeof spelt);
        good = kit_wire_append_part(to, memory, wire, from, at) &&
               kit_wire_append(to, memory, spelt, strlen(spelt), KIT_PLAIN);
        from = at += size;
        found = true;
    }
    good = good && kit_wire_append_part(to, memory, wire, from, bytes->size);
    return !good ? -1 : found ? 1 : 0;
}

int kit_respell(kit_wire *to, const kit_wire *wire, const tw_format *format,
                const tw_memory *memory, size_t number)
{
    const size_t count = sizeof spellings / sizeof spellings[0];
    return number < count
               ? change(to, wire, format, memory, &spellings[number], 0)
           : number == KIT_SPELL_POINTS ? escape(to, wire, format, memory)
                                        : 0;
}
