/* SPDX-License-Identifier: MIT
 *
 * Patterns against the text, and the markers of a description.
 */
#include "naive_frame_text.h"

#include <string.h>

/* --- bytes ------------------------------------------------------------- */

/* The token that |word| begins with, and that words stand behind. */
static size_t first_token(const frame_description *format, const char *word)
{
    size_t size = 0;

    for (size_t i = 0; i < format->tokens.count; i++) {
        const char *token = format->tokens.items[i];

        if (strncmp(word, token, strlen(token)) == 0 && word[strlen(token)] &&
            strlen(token) > size && frame_is_shared(format, token))
            size = strlen(token);
    }
    return size;
}

size_t frame_last_token(const frame_description *format, const char *word)
{
    for (size_t i = 0; i < format->tokens.count; i++) {
        const char *token = format->tokens.items[i];
        const size_t size = strlen(token);

        if (strlen(word) > size &&
            strcmp(word + strlen(word) - size, token) == 0)
            return strlen(word) - size;
    }
    return 0;
}

/* Where the tag begins that |word| ends with, directly behind a token; or 0.
 */
static size_t tag_behind_token(const frame_description *format,
                               const char *word)
{
    const char *tag = strrchr(word, '<');

    for (size_t i = 0; tag && i < format->tokens.count; i++) {
        const char *token = format->tokens.items[i];
        const size_t size = strlen(token);

        if ((size_t)(tag - word) > size &&
            memcmp(tag - size, token, size) == 0 && !strchr(tag, '>'))
            return (size_t)(tag - word);
    }
    return 0;
}

/* |*cut|: the text ends in the word. */
static size_t size_at(const frame_reader *reader, size_t at, const char *word,
                      bool *cut)
{
    const size_t begin = at;
    size_t first, last, tag;

    *cut = false;
    if (at >= reader->size || reader->text[at] != word[0])
        return 0;
    first = first_token(reader->format, word);
    last = first ? frame_last_token(reader->format, word) : 0;
    tag = tag_behind_token(reader->format, word);
    for (size_t i = 0; word[i]; i++) {
        const bool joint = i > 0 && (i == first || i == last || i == tag);

        for (size_t n = 0; joint && n < FRAME_WS && at < reader->size &&
                           frame_is_blank(reader->text[at]);
             n++)
            at++;
        *cut = at >= reader->size;
        if (*cut || reader->text[at] != word[i])
            return 0;
        at++;
    }
    return at - begin;
}

size_t frame_size(const frame_reader *reader, size_t at, const char *word)
{
    bool cut;

    return word ? size_at(reader, at, word, &cut) : 0;
}

bool frame_starts(const frame_reader *reader, size_t at, const char *word)
{
    return word && (!*word || frame_size(reader, at, word) > 0);
}

bool frame_is_cut(const frame_reader *reader, size_t at, const char *word)
{
    bool cut;

    size_at(reader, at, word, &cut);
    return cut;
}

bool frame_among(const char *bytes, char c)
{
    return c && strchr(bytes, c);
}

bool frame_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool frame_is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (unsigned char)c >= 0x80 ||
           frame_among("_-.:/", c);
}

size_t frame_skip(const frame_reader *reader, size_t at)
{
    while (at < reader->size && frame_is_blank(reader->text[at]))
        at++;
    return at;
}

size_t frame_skip_odd(frame_reader *reader, size_t at, bool body)
{
    for (;;) {
        size_t before = at = frame_skip(reader, at);

        for (size_t i = 0; naive_odd_blanks[i]; i++) {
            if (!body && !(naive_odd_blanks[i][0] & 0x80))
                continue; /* ASCII */
            if (frame_starts(reader, at, naive_odd_blanks[i])) {
                if (body)
                    frame_diagnose(reader,
                                   i == 0 ? "bom"
                                   : naive_odd_blanks[i][0] == '\\'
                                       ? "literal_backslash_n"
                                       : "odd_whitespace",
                                   at);
                at += strlen(naive_odd_blanks[i]);
                break;
            }
        }
        if (at == before)
            return at;
    }
}

/* Behind the last odd blank in front of |at|: odd ones are dropped with the
 * call, and the blanks behind them may be the text's. */
size_t frame_behind_odd(const frame_reader *reader, size_t at)
{
    while (frame_is_blank(reader->text[at - 1]))
        at--;
    return at;
}

size_t frame_skip_separators(frame_reader *reader, size_t at)
{
    const size_t begin = at;

    for (;;) {
        const size_t odd = frame_skip_odd(reader, at, true);

        if (odd > frame_skip(reader, at))
            reader->at = frame_behind_odd(reader, odd);
        at = odd;
        if (at == reader->size || reader->text[at] != ',')
            break;
        at++;
    }
    return at - begin <= FRAME_LOOK ? at : begin;
}

/* --- holes ------------------------------------------------------------- */

void frame_match_release(frame_match *match)
{
    for (int i = 0; i < HOLE_COUNT; i++)
        naive_release(&match->holes[i]);
    *match = (frame_match){0};
}

static void set_hole(frame_match *match, frame_hole hole, const char *data,
                     size_t size)
{
    naive_release(&match->holes[hole]);
    naive_add(&match->holes[hole], data, size);
    match->has[hole] = true;
}

static size_t trimmed(const char *data, size_t size)
{
    while (size > 0 && frame_is_blank(data[size - 1]))
        size--;
    return size;
}

static bool is_utf8(const char *data, size_t size)
{
    size_t length;

    for (; size > 0; data += length, size -= length)
        if (naive_utf8(data, size, &length) != NAIVE_WELL_FORMED)
            return false;
    return true;
}

static bool is_odd_blank(const frame_reader *reader, size_t at)
{
    bool odd = false;

    for (size_t i = 0; naive_odd_blanks[i]; i++)
        odd |= frame_starts(reader, at, naive_odd_blanks[i]);
    return odd;
}

/* NAME, or NAME |mark| INDEX, where the last `:DIGITS` is the index. */
static bool match_name(const frame_reader *reader, size_t at, const char *mark,
                       bool tag_end, frame_match *match)
{
    const size_t size = mark ? strlen(mark) : 0;
    const char *text = reader->text;
    size_t end = at, cut;

    if (tag_end) { /* a tag is read to its end (D4) */
        while (end < reader->size && end - at <= FRAME_HEAD &&
               !frame_among("<>\r\n", text[end]))
            end++;
        while (end > at && frame_is_blank(text[end - 1]))
            end--;
    }
    while (!tag_end && end < reader->size && frame_is_name_byte(text[end]) &&
           !is_odd_blank(reader, end) && end - at <= FRAME_HEAD)
        end++;
    if (!is_utf8(text + at, end - at))
        return false;
    if (match->word == 0 && match->word_size == 0)
        match->word = at;
    match->word_size = end - match->word;
    match->end = end;
    if (!mark) {
        const char *name = text + at;
        size_t whole = end - at;

        if (tag_end && frame_unquote(&name, &whole))
            match->note = "attribute_quotes";
        set_hole(match, HOLE_NAME, name, whole);
        return true;
    }
    for (cut = end; cut > at && text[cut - 1] >= '0' && text[cut - 1] <= '9';)
        cut--;
    if (cut == end || cut - at < size ||
        memcmp(text + cut - size, mark, size) != 0)
        return false;
    set_hole(match, HOLE_NAME, text + at, cut - size - at);
    set_hole(match, HOLE_INDEX, text + cut, end - cut);
    return true;
}

/* Up to the pattern's next marker: at most 256 bytes of one line, blanks
 * off.  A stop in them cuts the head off. */
static bool match_free(const frame_reader *reader, size_t at, frame_hole hole,
                       const char *next, frame_match *match)
{
    size_t end = at;

    for (; end < reader->size && !frame_starts(reader, end, next); end++) {
        const bool stop = frame_stop_at(reader, end) != NULL;

        if (stop)
            match->answer = FRAME_CUT;
        if (end - match->end == FRAME_LOOK || reader->text[end] == '\n' ||
            stop)
            break;
        for (size_t i = 0; i < reader->format->tokens.count; i++)
            if (frame_starts(reader, end, reader->format->tokens.items[i]))
                return false;
        if (frame_is_in_no_hole(reader, end) ||
            frame_closed_by(reader, &reader->format->reasoning, end) ||
            frame_closed_by(reader, &reader->format->text, end))
            return false;
    }
    match->end = end;
    if (end == reader->size)
        match->answer = FRAME_CUT;
    if (!frame_starts(reader, end, next))
        return false;
    set_hole(match, hole, reader->text + at,
             trimmed(reader->text + at, end - at));
    return hole == HOLE_SKIP || match->holes[hole].size > 0;
}

/* --- tags -------------------------------------------------------------- */

static bool is_attribute_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/* The value at |*at|, in quotes or bare; |*at| behind it. */
static bool read_quoted(const frame_reader *reader, size_t *at, size_t *begin,
                        size_t *size, bool *canonical)
{
    static const char *const quotes[][2] = {
        {"\"", "\""}, {"'", "'"}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}};
    size_t end = *at;

    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        if (!frame_starts(reader, *at, quotes[i][0]))
            continue;
        *begin = end = *at + strlen(quotes[i][0]);
        while (end < reader->size && reader->text[end] != '\n' &&
               !frame_starts(reader, end, quotes[i][1]))
            end++;
        if (!frame_starts(reader, end, quotes[i][1]))
            return false;
        *size = end - *begin;
        *at = end + strlen(quotes[i][1]);
        *canonical = *canonical && i == 0;
        return true;
    }
    *canonical = false;
    while (end < reader->size && !frame_is_blank(reader->text[end]) &&
           !frame_among("\"'<>=", reader->text[end]))
        end++;
    *begin = *at;
    *size = end - *at;
    *at = end;
    return *size > 0;
}

static const frame_attribute *attribute_of(const frame_part *tag,
                                           const char *name, size_t size)
{
    for (size_t i = 0; i < tag->attribute_count; i++)
        if (tag->attributes[i].name.size == size &&
            memcmp(tag->attributes[i].name.data, name, size) == 0)
            return &tag->attributes[i];
    return NULL;
}

/* Is |word| what the pattern has there? */
static bool take_attribute(const frame_reader *reader,
                           const frame_attribute *attribute, size_t begin,
                           size_t size, frame_match *match)
{
    frame_hole hole = attribute->hole;

    if (hole == HOLE_NONE)
        return attribute->value.size == size &&
               memcmp(attribute->value.data, reader->text + begin, size) == 0;
    while (size > 0 && frame_is_blank(reader->text[begin])) {
        begin++;
        size--;
    }
    set_hole(match, hole, reader->text + begin,
             trimmed(reader->text + begin, size));
    if (*reader->format->entities)
        frame_decode_entities(&match->holes[hole]);
    return true;
}

static size_t behind_spaces(const frame_reader *reader, size_t at)
{
    while (at < reader->size &&
           (reader->text[at] == ' ' || reader->text[at] == '\t'))
        at++;
    return at;
}

static size_t token_at(const frame_reader *reader, size_t at)
{
    const frame_words *tokens = &reader->format->tokens;

    for (size_t i = 0; i < tokens->count; i++)
        if (frame_starts(reader, at, tokens->items[i]))
            return strlen(tokens->items[i]);
    return 0;
}

/* A token stands in the tag's only attribute, a name: that ends there, and the
 * tag behind all tokens. */
static bool match_cut_name(const frame_reader *reader, const frame_part *tag,
                           size_t at, frame_match *match)
{
    const frame_attribute *only = &tag->attributes[0];
    const size_t begin = at + only->name.size + 3;

    if (tag->attribute_count != 1 || only->hole != HOLE_NAME ||
        begin > reader->size || reader->text[at] != ' ' ||
        memcmp(reader->text + at + 1, only->name.data, only->name.size) != 0 ||
        memcmp(reader->text + begin - 2, "=\"", 2) != 0)
        return false;
    at = begin;
    while (at < reader->size && at - begin <= FRAME_HEAD &&
           !frame_among("\">\n", reader->text[at]) && !token_at(reader, at))
        at++;
    if (at == begin || at - begin > FRAME_HEAD || !token_at(reader, at))
        return false;
    set_hole(match, HOLE_NAME, reader->text + begin, at - begin);
    while (token_at(reader, at))
        at += token_at(reader, at);
    match->end = at;
    if (frame_starts(reader, at, "\"") &&
        frame_starts(reader, at + 1, tag->end.data))
        match->end += 1 + tag->end.size;
    match->note = "name_repaired";
    return true;
}

/* From behind the tag's name to behind its end; every attribute of the
 * pattern must be there, {type} and {index} aside. */
static bool match_tag(const frame_reader *reader, const frame_part *tag,
                      size_t at, frame_match *match)
{
    size_t limit = at + FRAME_HEAD;
    bool canonical = true;
    size_t due = 0, taken = 0;

    if (match_cut_name(reader, tag, at, match))
        return true;
    for (size_t i = 0; i < tag->attribute_count; i++)
        due += tag->attributes[i].hole != HOLE_TYPE &&
               tag->attributes[i].hole != HOLE_INDEX;
    for (;;) {
        const frame_attribute *attribute;
        size_t space = at, name, begin, size;

        at = behind_spaces(reader, at);
        match->closed = at < reader->size && reader->text[at] == '/' &&
                        *tag->end.data == '>';
        at += match->closed;
        if (frame_starts(reader, at, tag->end.data)) {
            match->end = at + tag->end.size;
            match->note = canonical ? match->note : "attribute_quotes";
            return due == taken;
        }
        match->end = reader->size;
        match->answer = FRAME_CUT;
        if (at == reader->size || frame_is_cut(reader, at, tag->end.data))
            return false;
        name = at;
        match->answer = space == name || match->closed ? FRAME_NO : FRAME_CUT;
        while (at < reader->size && is_attribute_byte(reader->text[at]))
            at++;
        if (at == reader->size || space == name || match->closed)
            return false;
        match->answer = FRAME_NO;
        attribute = attribute_of(tag, reader->text + name, at - name);
        at = behind_spaces(reader, at);
        if (at == reader->size)
            match->answer = FRAME_CUT;
        if (at == name || space == name || at > limit ||
            reader->text[at] != '=')
            return false;
        at = behind_spaces(reader, at + 1);
        if (!read_quoted(reader, &at, &begin, &size, &canonical)) {
            const bool open =
                at == reader->size || frame_among("\"'\xE2", reader->text[at]);

            match->answer =
                open && !memchr(reader->text + at, '\n', reader->size - at)
                    ? FRAME_CUT
                    : FRAME_NO;
            return false;
        }
        if (attribute) {
            if (!take_attribute(reader, attribute, begin, size, match))
                return false;
            taken +=
                attribute->hole != HOLE_TYPE && attribute->hole != HOLE_INDEX;
        }
    }
}

/* --- patterns ---------------------------------------------------------- */

static bool match_hole(const frame_reader *reader,
                       const frame_pattern *pattern, size_t i, size_t at,
                       frame_match *match)
{
    const frame_part *part = &pattern->parts[i];
    const frame_part *next = i + 1 < pattern->count ? part + 1 : NULL;
    bool indexed = next && next->kind == FRAME_MARKER &&
                   frame_is_name_byte(next->text.data[0]) &&
                   i + 2 < pattern->count && part[2].hole == HOLE_INDEX;
    size_t end = at;

    while (next && next->kind == FRAME_LAYOUT)
        next++;
    switch (part->hole) {
    case HOLE_NAME:
        /* What may stand in its place only tags tell. */
        return match_name(reader, at, indexed ? part[1].text.data : NULL,
                          next && next->kind == FRAME_MARKER &&
                              next->text.data[0] == '>',
                          match) &&
               (match->word_size > 0 ||
                frame_is_tagged(reader->format, pattern) ||
                (next && next->kind == FRAME_MARKER &&
                 next->text.data[0] == '>'));
    case HOLE_INDEX:
        while (end < reader->size && reader->text[end] >= '0' &&
               reader->text[end] <= '9')
            end++;
        match->end = end;
        if (end == reader->size)
            match->answer = FRAME_CUT;
        set_hole(match, HOLE_INDEX, reader->text + at, end - at);
        return end < reader->size &&
               (end > at || (next && next->kind == FRAME_MARKER));
    default:
        return next &&
               match_free(reader, at, part->hole, next->text.data, match);
    }
}

static bool line_ends(const frame_reader *reader, size_t at)
{
    while (at < reader->size &&
           (reader->text[at] == ' ' || reader->text[at] == '\t'))
        at++;
    return at < reader->size &&
           (reader->text[at] == '\n' || reader->text[at] == '\r');
}

/* A stop stands at |behind|, or in place of the token that |word|, which is
 * due at |at|, ends with. */
static bool is_stopped(const frame_reader *reader, size_t at, size_t behind,
                       const char *word)
{
    naive_bytes front = {0};
    size_t size;

    naive_add(&front, word, frame_last_token(reader->format, word));
    size = front.size ? frame_size(reader, at, front.data) : 0;
    naive_release(&front);
    return frame_stop_at(reader, behind) ||
           (size && frame_stop_at(reader, frame_skip(reader, at + size)));
}

void frame_match_parts(const frame_reader *reader,
                       const frame_pattern *pattern, size_t from, size_t to,
                       size_t skip, size_t at, frame_match *match)
{
    match->answer = FRAME_NO;
    match->end = at;
    /* Layout in front is text until the marker is there. */
    while (from < to && from + 1 < pattern->count && from == 0 &&
           pattern->parts[0].kind == FRAME_LAYOUT)
        from++;
    for (size_t i = from; i < to; i++) {
        const frame_part *part = &pattern->parts[i];
        size_t behind = i > from ? frame_skip(reader, match->end) : match->end;
        const char *rest;

        if (part->kind == FRAME_LAYOUT) {
            match->end = behind;
            continue;
        }
        if (part->kind == FRAME_MARKER && strcmp(part->text.data, ">") == 0 &&
            match->has[HOLE_NAME] && line_ends(reader, match->end)) {
            match->note = "missing_tag_end";
            continue;
        }
        if (behind == reader->size && i > from && !skip) {
            match->answer = FRAME_CUT;
            match->end = behind;
            return;
        }
        if (part->kind == FRAME_HOLE) {
            if (!match_hole(reader, pattern, i, behind, match)) {
                if (match->markers && frame_stop_at(reader, behind)) {
                    match->answer = FRAME_CUT;
                    match->end = behind;
                }
                return;
            }
            if (match->has[HOLE_INDEX] && part->hole == HOLE_NAME)
                i += 2;
            continue;
        }
        if (skip && frame_is_blank(part->text.data[skip]) &&
            !frame_starts(reader, behind, part->text.data + skip))
            skip++; /* the blank behind the prompt was stripped */
        rest = part->text.data + skip;
        match->due = i;
        match->due_at = behind;
        if ((part->kind == FRAME_MARKER || i == from) &&
            !frame_starts(reader, behind, rest))
            behind = frame_behind_token(reader, behind, rest, &rest);
        if (!frame_starts(reader, behind, rest)) {
            /* A stop cuts a head as the end of the output does. */
            if (frame_is_cut(reader, behind, rest) ||
                (rest > part->text.data + skip && behind == reader->size) ||
                (match->markers &&
                 is_stopped(reader, match->due_at, behind, part->text.data)))
                match->answer = FRAME_CUT;
            match->end = behind;
            return;
        }
        match->end = behind + frame_size(reader, behind, rest);
        match->markers++;
        skip = 0;
        if (part->kind == FRAME_TAG &&
            !match_tag(reader, part, match->end, match))
            return;
    }
    match->answer = FRAME_YES;
}
