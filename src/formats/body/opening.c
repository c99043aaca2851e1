/* SPDX-License-Identifier: MIT
 *
 * A parameter's opening and the attributes of a tag, read from the patterns
 * of a description.  Nothing is kept between two looks.
 */
#include "formats/body/opening.h"

#include <string.h>

#include "core/skip.h"
#include "events/sink.h"
#include "formats/name_bytes.h"

const uint8_t *tw_behind_some_ws(const uint8_t *at, const uint8_t *limit)
{
    return tw_behind_ws(at, limit - at > TW_HOLD_WS ? at + TW_HOLD_WS : limit);
}

/* The input ends at the window's end, or is not yet there. */
static tw_match at_end(const tw_window *window)
{
    return window->eof ? TW_MATCH_CUT : TW_MATCH_MORE;
}

tw_match tw_text_at(const tw_window *window, const uint8_t *at,
                    const char *text, size_t size)
{
    const size_t left = (size_t)(window->limit - at);
    if (memcmp(at, text, left < size ? left : size) != 0) {
        return TW_MATCH_NONE;
    }
    return left < size ? at_end(window) : TW_MATCH_WHOLE;
}

tw_match tw_front_at(const tw_window *window, const uint8_t *at,
                     const tw_part *literal, size_t size, size_t *taken)
{
    bool cut;
    *taken = tw_mark_text_at(literal->text, size, literal->token,
                             literal->last, at, window->limit, &cut);
    const tw_match found = *taken > 0 ? TW_MATCH_WHOLE
                           : cut      ? at_end(window)
                                      : TW_MATCH_NONE;
    const size_t left = (size_t)(window->limit - at);
    const size_t token = left < literal->token ? left : literal->token;
    if (found != TW_MATCH_NONE && token > 0 &&
        tw_window_is_marked_text(window, at, token)) {
        *taken = 0;
        return TW_MATCH_NONE;
    }
    return found;
}

tw_match tw_part_at(const tw_window *window, const uint8_t *at,
                    const tw_part *literal)
{
    size_t taken;
    return tw_front_at(window, at, literal, literal->size, &taken);
}

/* ---- tags with attributes ----------------------------------------------- */

typedef struct attribute {
    const char *name;
    size_t name_size;
    const char *value;
    size_t value_size;
    uint8_t hole; /* in the place of the value; 0: there is none */
} attribute;

enum { ATTRIBUTES = 4 };

/* A tag as a pattern has it. */
typedef struct tag_form {
    attribute attributes[ATTRIBUTES];
    size_t count;
    const char *end;
    size_t part; /* that |end| stands in */
} tag_form;

/* ` NAME="VALUE"` or ` NAME="` and a hole; what follows, or NULL. */
static const char *read_form_attribute(const tw_pattern *pattern,
                                       const char *at, tag_form *form)
{
    attribute *added = &form->attributes[form->count];
    const char *equals = strchr(at, '=');
    if (*at != ' ' || equals == NULL || form->count == ATTRIBUTES ||
        equals[1] != '"') {
        return NULL;
    }
    form->count++;
    added->name = at + 1;
    added->name_size = (size_t)(equals - added->name);
    added->value = equals + 2;
    const char *close = strchr(added->value, '"');
    if (close != NULL) {
        added->value_size = (size_t)(close - added->value);
        return close + 1;
    }
    added->hole = pattern->parts[form->part + 1].kind;
    form->part += 2;
    return pattern->parts[form->part].text + 1;
}

static tag_form form_of(const tw_pattern *pattern, size_t part)
{
    tag_form form = {.part = part};
    const char *at = pattern->parts[part].text + pattern->parts[part].marker;
    while (at != NULL) {
        form.end = at;
        at = read_form_attribute(pattern, at, &form);
    }
    return form;
}

static const attribute *attribute_named(const tag_form *form, tw_piece name)
{
    for (size_t i = 0; i < form->count; i++) {
        const attribute *one = &form->attributes[i];
        if (one->name_size == name.size &&
            memcmp(one->name, name.from, name.size) == 0) {
            return one;
        }
    }
    return NULL;
}

/* Where a tag is being read. */
typedef struct tag_reader {
    const tw_window *window;
    const uint8_t *at;
    const uint8_t *limit; /* of the window, or as far as a tag may reach */
    bool odd;             /* other quotes than the pattern's */
} tag_reader;

/* The reader is at its limit. */
static tw_match stopped(const tag_reader *reader)
{
    return reader->limit < reader->window->limit ? TW_MATCH_NONE
                                                 : at_end(reader->window);
}

static void skip_blanks(tag_reader *reader)
{
    while (reader->at < reader->limit &&
           (*reader->at == ' ' || *reader->at == '\t')) {
        reader->at++;
    }
}

/* From behind the opening quote to behind the closing one. */
static tw_match read_to_quote(tag_reader *reader, const char *quote,
                              tw_piece *value)
{
    const size_t size = strlen(quote);
    value->from = reader->at;
    for (; reader->at < reader->limit && *reader->at != '\n'; reader->at++) {
        const tw_match found =
            tw_text_at(reader->window, reader->at, quote, size);
        if (found == TW_MATCH_WHOLE) {
            value->size = (size_t)(reader->at - value->from);
            reader->at += size;
        }
        if (found != TW_MATCH_NONE) {
            return found;
        }
    }
    return reader->at < reader->limit ? TW_MATCH_NONE : stopped(reader);
}

static bool ends_bare_value(uint8_t c)
{
    return tw_is_ws(c) || c == '"' || c == '\'' || c == '<' || c == '>' ||
           c == '=';
}

/* A value in quotes or bare. */
static tw_match read_attribute_value(tag_reader *reader, tw_piece *value)
{
    static const char *const quotes[][2] = {
        {"\"", "\""}, {"'", "'"}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}};
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        const size_t size = strlen(quotes[i][0]);
        const tw_match open =
            tw_text_at(reader->window, reader->at, quotes[i][0], size);
        if (open == TW_MATCH_WHOLE) {
            reader->at += size;
            reader->odd |= i > 0;
            return read_to_quote(reader, quotes[i][1], value);
        }
        if (open != TW_MATCH_NONE) {
            return open;
        }
    }
    reader->odd = true;
    value->from = reader->at;
    while (reader->at < reader->limit && !ends_bare_value(*reader->at)) {
        reader->at++;
    }
    value->size = (size_t)(reader->at - value->from);
    return reader->at == reader->limit ? stopped(reader)
           : value->size > 0           ? TW_MATCH_WHOLE
                                       : TW_MATCH_NONE;
}

/* NAME = VALUE */
static tw_match read_attribute(tag_reader *reader, tw_piece *name,
                               tw_piece *value)
{
    name->from = reader->at;
    while (reader->at < reader->limit && tw_is_inner_byte(*reader->at)) {
        reader->at++;
    }
    name->size = (size_t)(reader->at - name->from);
    skip_blanks(reader);
    if (reader->at == reader->limit) {
        return stopped(reader);
    }
    if (name->size == 0 || *reader->at != '=') {
        return TW_MATCH_NONE;
    }
    reader->at++;
    skip_blanks(reader);
    return reader->at == reader->limit ? stopped(reader)
                                       : read_attribute_value(reader, value);
}

static tw_piece trimmed(tw_piece text)
{
    while (text.size > 0 && tw_is_ws(*text.from)) {
        text.from++;
        text.size--;
    }
    while (text.size > 0 && tw_is_ws(text.from[text.size - 1])) {
        text.size--;
    }
    return text;
}

/* Must the attribute be there? */
static bool is_due(const attribute *one)
{
    return one->hole != TW_PATTERN_TYPE && one->hole != TW_PATTERN_INDEX &&
           one->hole != TW_PATTERN_INDEX_FROM_1;
}

/* False: the pattern has another value there. */
static bool take(tw_tag *tag, const attribute *one, tw_piece value)
{
    if (one->hole == 0) {
        return one->value_size == value.size &&
               memcmp(one->value, value.from, value.size) == 0;
    }
    if (tag->count < TW_OPENING_HOLES) {
        tag->holes[tag->count].kind = one->hole;
        tag->holes[tag->count++].text = trimmed(value);
    }
    return true;
}

tw_match tw_tag_at(const tw_window *window, const tw_pattern *pattern,
                   size_t part, const uint8_t *at, tw_tag *tag)
{
    const tag_form form = form_of(pattern, part);
    const size_t left = (size_t)(window->limit - at);
    tag_reader reader = {
        window, at,
        left > TW_OPENING_TAG ? at + TW_OPENING_TAG : window->limit, false};
    size_t due = 0;
    memset(tag, 0, sizeof *tag);
    for (size_t i = 0; i < form.count; i++) {
        due += is_due(&form.attributes[i]);
    }
    for (;;) {
        const uint8_t *space = reader.at;
        tw_piece name = {NULL, 0};
        tw_piece value = {NULL, 0};
        skip_blanks(&reader);
        if (reader.at == reader.limit) {
            return stopped(&reader);
        }
        const bool closed = *form.end == '>' && *reader.at == '/';
        reader.at += closed;
        tw_match found =
            tw_text_at(window, reader.at, form.end, strlen(form.end));
        if (found == TW_MATCH_WHOLE) {
            tag->end = reader.at + strlen(form.end);
            tag->part = form.part;
            tag->closed = closed;
            tag->code = reader.odd ? TW_DIAGNOSTIC_ATTRIBUTE_QUOTES : 0;
            return due == 0 ? TW_MATCH_WHOLE : TW_MATCH_NONE;
        }
        if (found == TW_MATCH_NONE) {
            found = space < reader.at && !closed
                        ? read_attribute(&reader, &name, &value)
                        : TW_MATCH_NONE;
        }
        if (found != TW_MATCH_WHOLE) {
            return found;
        }
        const attribute *one = attribute_named(&form, name);
        if (one != NULL &&
            (!take(tag, one, value) || (is_due(one) && due-- == 0))) {
            return TW_MATCH_NONE;
        }
    }
}

/* What stood in the hole, or NULL. */
static const tw_piece *hole_of(const tw_tag *tag, uint8_t kind)
{
    for (size_t i = 0; i < tag->count; i++) {
        if (tag->holes[i].kind == kind) {
            return &tag->holes[i].text;
        }
    }
    return NULL;
}

/* ---- a parameter's opening ---------------------------------------------- */

/* Where a pattern's opening is being read. */
typedef struct walk {
    const tw_window *window;
    const tw_pattern *pattern;
    const uint8_t *at;
    tw_opening *opening;
} walk;

/* A literal, with any white space in front, but for that behind a key. */
static tw_match read_literal(walk *way, size_t part)
{
    const bool inner = part > way->pattern->first &&
                       way->pattern->parts[part - 1].kind != TW_PATTERN_KEY;
    const uint8_t *at =
        inner ? tw_behind_some_ws(way->at, way->window->limit) : way->at;
    const tw_part *literal = &way->pattern->parts[part];
    size_t taken;
    const tw_match found =
        tw_front_at(way->window, at, literal, literal->size, &taken);
    way->at = found == TW_MATCH_WHOLE ? at + taken : way->at;
    return found;
}

/* Does the literal behind the key stand at |at|?  A tag's `>` does if the
 * literal begins with one. */
static bool ends_key(const walk *way, const tw_part *end, const uint8_t *at)
{
    return *at == '>' ? end->text[0] == '>'
                      : end->kind == TW_PATTERN_LITERAL &&
                            tw_part_at(way->window, at, end) == TW_MATCH_WHOLE;
}

/* The marker of the pattern that ends the key at the `<` at |at|; NONE: the
 * byte is the key's, which a close of its own ends. */
static tw_match marker_in_key(const walk *way, const tw_part *end,
                              const uint8_t *at)
{
    const bool slash = way->window->limit - at > 1 && at[1] == '/';
    tw_match found =
        end->text[0] != '<' || slash ? TW_MATCH_WHOLE : TW_MATCH_NONE;
    for (size_t i = 0; i < way->pattern->hole && found == TW_MATCH_NONE; i++) {
        const tw_part *literal = &way->pattern->parts[i];
        found = literal->kind == TW_PATTERN_LITERAL
                    ? tw_part_at(way->window, at, literal)
                    : TW_MATCH_NONE;
    }
    return found;
}

/* A key reaches to what the pattern has behind it, and at most to a marker or
 * a line's end. */
static tw_match read_key(walk *way, size_t part)
{
    const uint8_t *from = way->at;
    const uint8_t *at = from;
    const tw_part *end =
        &way->pattern->parts[tw_pattern_next(way->pattern, part)];
    const uint8_t *limit = way->window->limit;
    tw_match marker = TW_MATCH_NONE;
    while (at < limit && at - from <= TW_OPENING_KEY && *at != '\r' &&
           *at != '\n' && !ends_key(way, end, at) &&
           (*at != '<' ||
            (marker = marker_in_key(way, end, at)) == TW_MATCH_NONE)) {
        at++;
    }
    if (marker == TW_MATCH_CUT || marker == TW_MATCH_MORE ||
        at - from > TW_OPENING_KEY) {
        return marker == TW_MATCH_WHOLE ? TW_MATCH_NONE : marker;
    }
    tw_piece key = trimmed((tw_piece){from, (size_t)(at - from)});
    if (strcmp(end->text, ">") == 0 && tw_name_unquote(&key.from, &key.size)) {
        way->opening->code = TW_DIAGNOSTIC_ATTRIBUTE_QUOTES;
    }
    way->opening->key = key;
    way->at = at;
    return at == limit ? at_end(way->window) : TW_MATCH_WHOLE;
}

/* {type} and the like reach to the literal behind them. */
static tw_match read_free(walk *way, size_t part)
{
    const size_t next = tw_pattern_next(way->pattern, part);
    const uint8_t *from = way->at;
    for (const uint8_t *at = from; at - from <= TW_OPENING_KEY; at++) {
        const tw_match found =
            tw_part_at(way->window, at, &way->pattern->parts[next]);
        if (found == TW_MATCH_WHOLE) {
            const tw_piece text = {from, (size_t)(at - from)};
            way->opening->type = trimmed(text);
            way->at = at;
        }
        if (found != TW_MATCH_NONE || *at == '\n') {
            return found;
        }
    }
    return TW_MATCH_NONE;
}

static tw_match read_tag(walk *way, size_t *part)
{
    tw_tag tag;
    const size_t size = way->pattern->parts[*part].marker;
    size_t taken;
    tw_match found = tw_front_at(way->window, way->at,
                                 &way->pattern->parts[*part], size, &taken);
    if (found != TW_MATCH_WHOLE) {
        return found;
    }
    found = tw_tag_at(way->window, way->pattern, *part, way->at + taken, &tag);
    if (found == TW_MATCH_WHOLE && tag.closed) {
        return TW_MATCH_NONE; /* a value is due */
    }
    if (found == TW_MATCH_WHOLE) {
        const tw_piece *key = hole_of(&tag, TW_PATTERN_KEY);
        const tw_piece *type = hole_of(&tag, TW_PATTERN_TYPE);
        way->at = tag.end;
        way->opening->code = tag.code;
        way->opening->key = key != NULL ? *key : way->opening->key;
        way->opening->type = type != NULL ? *type : way->opening->type;
        *part = tag.part;
    }
    return found;
}

/* All of it as the pattern says. */
static tw_match read_exact(walk *way)
{
    const tw_pattern *pattern = way->pattern;
    tw_match found = TW_MATCH_WHOLE;
    size_t part = pattern->first;
    while (found == TW_MATCH_WHOLE && part < pattern->hole) {
        const uint8_t kind = pattern->parts[part].kind;
        found = kind == TW_PATTERN_LITERAL  ? tw_is_tag(pattern, part)
                                                  ? read_tag(way, &part)
                                                  : read_literal(way, part)
                 : kind == TW_PATTERN_KEY ? read_key(way, part)
                : kind != TW_PATTERN_LAYOUT ? read_free(way, part)
                                            : found;
        part++;
    }
    return found;
}

/* The literals in front of the value, of a pattern without a tag. */
static size_t literals_of(const tw_pattern *pattern, const tw_part *out[3])
{
    size_t count = 0;
    for (size_t i = 0; i < pattern->hole && count < 3; i++) {
        if (pattern->parts[i].kind == TW_PATTERN_LITERAL) {
            out[count++] = &pattern->parts[i];
        }
    }
    return count;
}

static bool is_plain_key(tw_piece key)
{
    return tw_is_plain_name(key.from, key.size);
}

/* Behind the key's close, which may be doubled; the value's open may be
 * missing. */
static tw_match read_value_open(walk *way, const tw_part *close,
                                const tw_part *open)
{
    const tw_window *window = way->window;
    const uint8_t *at = tw_behind_some_ws(way->at, window->limit);
    tw_match found = tw_part_at(window, at, close);
    if (found == TW_MATCH_WHOLE) {
        way->opening->code = TW_DIAGNOSTIC_EXTRA_CLOSER;
        way->at = at + close->size;
        at = tw_behind_some_ws(way->at, window->limit);
    } else if (found == TW_MATCH_MORE) {
        return found;
    }
    found = tw_part_at(window, at, open);
    if (found == TW_MATCH_WHOLE) {
        way->at = at + open->size;
    } else if (found != TW_MATCH_MORE) {
        const char *layout = tw_pattern_layout(
            way->pattern, (size_t)(close - way->pattern->parts));
        /* In view, since what stands behind white space is. */
        const bool feed = tw_text_at(window, way->at, layout,
                                     strlen(layout)) == TW_MATCH_WHOLE;
        way->at += feed ? strlen(layout) : 0;
        way->opening->code = TW_DIAGNOSTIC_MISSING_VALUE_OPEN;
        found = TW_MATCH_WHOLE;
    }
    return found;
}

/* The key's open marker may be written twice, and no more often: a look at a
 * row of markers would pass its bytes again at each of them. */
static tw_match read_second_open(walk *way, const tw_part *open)
{
    const tw_window *window = way->window;
    const uint8_t *again = tw_behind_some_ws(way->at, window->limit);
    const tw_match found = tw_part_at(window, again, open);
    if (found == TW_MATCH_WHOLE) {
        way->at = again + open->size;
        way->opening->code = TW_DIAGNOSTIC_DOUBLED_OPEN_TAG;
    }
    return found == TW_MATCH_MORE ? found : TW_MATCH_WHOLE;
}

/* What models leave out or write twice between the key and the value. */
static tw_match read_repaired(walk *way)
{
    const tw_part *literals[3];
    const tw_window *window = way->window;
    const size_t count = literals_of(way->pattern, literals);
    const size_t first = way->pattern->first;
    if (count < 2 || tw_is_tag(way->pattern, first) ||
        way->pattern->parts[first + 1].kind != TW_PATTERN_KEY) {
        return TW_MATCH_NONE;
    }
    tw_match found = read_literal(way, first);
    if (found == TW_MATCH_WHOLE && count == 3) {
        found = read_second_open(way, literals[0]);
    }
    found = found == TW_MATCH_WHOLE ? read_key(way, first + 1) : found;
    if (found != TW_MATCH_WHOLE) {
        return found;
    }
    found = tw_part_at(window, way->at, literals[1]);
    if (found == TW_MATCH_WHOLE && count == 3) {
        way->at += literals[1]->size;
        return read_value_open(way, literals[1], literals[2]);
    }
    if (found != TW_MATCH_NONE) {
        return found;
    }
    found =
        count == 3 ? tw_part_at(window, way->at, literals[2]) : TW_MATCH_NONE;
    if (found == TW_MATCH_WHOLE) {
        way->opening->code = TW_DIAGNOSTIC_MISSING_KEY_CLOSE;
        way->at += literals[2]->size;
    } else if (found == TW_MATCH_NONE && *way->at != '<' &&
               strcmp(literals[1]->text, ">") == 0 &&
               is_plain_key(way->opening->key)) {
        way->opening->code = TW_DIAGNOSTIC_MISSING_TAG_END;
        found = TW_MATCH_WHOLE;
    }
    return found;
}

/* Behind what is left of the key's open marker: all but a byte, or none. */
static tw_match read_half_open(walk *way, const tw_part *open)
{
    const tw_match half =
        tw_text_at(way->window, way->at, open->text + 1, open->size - 1U);
    way->at += half == TW_MATCH_WHOLE ? open->size - 1 : 0;
    return half == TW_MATCH_MORE ? half : TW_MATCH_WHOLE;
}

/* Reads the open marker, or what opens a call in the marker's place. */
static tw_match read_other_open(walk *way, const tw_description *format,
                                const tw_part *own)
{
    tw_match best = TW_MATCH_NONE;
    for (size_t i = 0; i < format->call.count && best == TW_MATCH_NONE; i++) {
        const tw_part *open = tw_pattern_open(&format->call.all[i]);
        best = open != NULL ? tw_part_at(way->window, way->at, open)
                            : TW_MATCH_NONE;
        way->at += best == TW_MATCH_WHOLE ? open->size : 0;
    }
    return best != TW_MATCH_NONE ? best : read_half_open(way, own);
}

tw_match tw_bare_opening_at(const tw_window *window,
                            const tw_description *format, const uint8_t *at,
                            tw_opening *opening)
{
    const tw_patterns *all = &format->argument;
    tw_match found = TW_MATCH_NONE;
    for (size_t i = 0; i < all->count && found < TW_MATCH_MORE; i++) {
        const tw_pattern *pattern = &all->all[i];
        const size_t first = pattern->first;
        const tw_part *literals[3];
        if (literals_of(pattern, literals) < 3 || tw_is_tag(pattern, first) ||
            pattern->parts[first + 1].kind != TW_PATTERN_KEY) {
            continue;
        }
        memset(opening, 0, sizeof *opening);
        walk way = {window, pattern, at, opening};
        found = read_other_open(&way, format, literals[0]);
        found = found == TW_MATCH_WHOLE ? read_key(&way, first + 1) : found;
        if (found == TW_MATCH_WHOLE) {
            found = is_plain_key(opening->key)
                        ? tw_part_at(window, way.at, literals[1])
                        : TW_MATCH_NONE;
        }
        if (found == TW_MATCH_WHOLE) {
            way.at += literals[1]->size;
            found = read_value_open(&way, literals[1], literals[2]);
        }
        opening->pattern = pattern;
        opening->end = way.at;
        opening->code = TW_DIAGNOSTIC_LOOSE_MARKER;
    }
    return found;
}

tw_match tw_opening_at(const tw_window *window, const tw_description *format,
                       const uint8_t *at, tw_opening *opening)
{
    const tw_patterns *all = &format->argument;
    tw_match best = TW_MATCH_NONE;
    for (size_t i = 0; i < 2 * (size_t)all->count; i++) {
        const tw_pattern *pattern = &all->all[i % all->count];
        memset(opening, 0, sizeof *opening);
        walk way = {window, pattern, at, opening};
        const tw_match found =
            i < all->count ? read_exact(&way) : read_repaired(&way);
        if (found >= TW_MATCH_MORE) {
            opening->pattern = pattern;
            opening->end = way.at;
            if (opening->code == 0 && tw_pattern_respells(pattern, all)) {
                opening->code = TW_DIAGNOSTIC_LOOSE_MARKER;
            }
            return found;
        }
        best = found > best ? found : best;
    }
    return best;
}
