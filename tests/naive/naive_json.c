/* SPDX-License-Identifier: MIT
 *
 * JSON with the repairs of R14, by recursive descent over a whole text.
 */
#include "naive_json.h"

#include <string.h>

enum {
    DEPTH_LIMIT = 128,
    COMMA_LIMIT = 256,               /* a comma and the blanks behind it */
    ARGUMENTS_LIMIT = 16 * 1024 * 1024
};

/* --- small things ------------------------------------------------------ */

size_t naive_wire(const naive_reader *reader, size_t at)
{
    return reader->offsets ? reader->offsets[at] : at;
}

void naive_say(naive_reader *reader, const char *code, size_t at)
{
    naive_diagnose(reader->message, code, naive_wire(reader, at));
}

void naive_put(naive_reader *reader, const char *data, size_t size)
{
    if (!reader->out)
        return;
    naive_add(reader->out, data, size);
    if (reader->out->size > ARGUMENTS_LIMIT && !reader->over) {
        reader->over = true;
        reader->over_at = naive_wire(reader, reader->at);
    }
}

bool naive_break(naive_reader *reader, const char *reason, size_t at)
{
    reader->outcome = NAIVE_BROKEN;
    reader->reason = reason;
    reader->at = at;
    reader->closable = false;
    return false;
}

static bool syntax_error(naive_reader *reader)
{
    return naive_break(reader, "syntax_error", reader->at);
}

/* |closable| is for the caller to set, who knows what stands in front. */
static bool stop(naive_reader *reader)
{
    reader->outcome = NAIVE_STOPPED;
    reader->closable = false;
    return false;
}

bool naive_cut(naive_reader *reader)
{
    reader->at = reader->limit;
    return stop(reader);
}

static size_t left(const naive_reader *reader)
{
    return reader->limit - reader->at;
}

static bool next_is(const naive_reader *reader, char c)
{
    return reader->at < reader->limit && reader->text[reader->at] == c;
}

/* Is the text a prefix of |word| that the limit cuts? */
static bool cut_short(const naive_reader *reader, const char *word)
{
    return left(reader) < strlen(word) &&
           memcmp(reader->text + reader->at, word, left(reader)) == 0;
}

static bool starts_with(const naive_reader *reader, const char *word)
{
    return left(reader) >= strlen(word) &&
           memcmp(reader->text + reader->at, word, strlen(word)) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* --- between tokens ---------------------------------------------------- */

/* The two characters \n, \r or \t, where no string is: a blank. */
static bool skip_literal_escape(naive_reader *reader)
{
    if (left(reader) == 1)
        return naive_cut(reader);
    if (!strchr("nrt", reader->text[reader->at + 1]) ||
        !reader->text[reader->at + 1])
        return syntax_error(reader);
    naive_say(reader, "literal_backslash_n", reader->at);
    reader->at += 2;
    return true;
}

static bool skip_odd_blank(naive_reader *reader)
{
    static const char *const blanks[] = {
        "\xEF\xBB\xBF", /* U+FEFF, the only bom */
        "\xC2\xA0",     /* U+00A0 */
        "\xE2\x80\x8B", /* U+200B */
        "\xE2\x80\xA8", /* U+2028 */
        "\xE2\x80\xA9", /* U+2029 */
        "\xE2\x80\xAF", /* U+202F */
        "\xE3\x80\x80", /* U+3000 */
        "\xE2\x81\xA0", /* U+2060 */
        "\v", "\f",
    };

    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        if (starts_with(reader, blanks[i])) {
            naive_say(reader, i == 0 ? "bom" : "odd_whitespace", reader->at);
            reader->at += strlen(blanks[i]);
            return true;
        }
        if (cut_short(reader, blanks[i]))
            return naive_cut(reader);
    }
    return syntax_error(reader);
}

static bool is_odd(char c)
{
    return c == '\v' || c == '\f' || (unsigned char)c >= 0x80;
}

/* True: |at| is at a token.  False also when the text ends here or `<` comes,
 * which is never JSON; |*clean| tells that no token is cut. */
static bool skip_blanks(naive_reader *reader, bool *clean)
{
    *clean = false;
    while (reader->at < reader->limit) {
        char c = reader->text[reader->at];

        if (is_blank(c)) {
            naive_put(reader, &c, 1);
            reader->at++;
        } else if (c == '\\') {
            if (!skip_literal_escape(reader))
                return false;
        } else if (is_odd(c)) {
            if (!skip_odd_blank(reader))
                return false;
        } else if (c == '<') {
            break;
        } else {
            return true;
        }
    }
    *clean = true;
    return stop(reader);
}

static bool skip_to_token(naive_reader *reader)
{
    bool clean;

    return skip_blanks(reader, &clean);
}

/* --- numbers and words ------------------------------------------------- */

/* One digit or more; the limit may cut, anything else is an error. */
static bool read_digits(naive_reader *reader)
{
    if (reader->at == reader->limit)
        return stop(reader);
    if (!is_digit(reader->text[reader->at]))
        return syntax_error(reader);
    while (reader->at < reader->limit && is_digit(reader->text[reader->at]))
        reader->at++;
    return true;
}

static bool read_number(naive_reader *reader)
{
    size_t begin = reader->at;

    if (next_is(reader, '-'))
        reader->at++;
    if (next_is(reader, '0'))
        reader->at++;
    else if (!read_digits(reader))
        return false;
    if (next_is(reader, '.')) {
        reader->at++;
        if (!read_digits(reader))
            return false;
    }
    if (next_is(reader, 'e') || next_is(reader, 'E')) {
        reader->at++;
        if (next_is(reader, '+') || next_is(reader, '-'))
            reader->at++;
        if (!read_digits(reader))
            return false;
    }
    naive_put(reader, reader->text + begin, reader->at - begin);
    reader->number_end = reader->at;
    return true;
}

static bool read_word(naive_reader *reader, bool *is_null)
{
    static const char *const words[][2] = {
        {"true", "true"}, {"false", "false"}, {"null", "null"},
        {"True", "true"}, {"False", "false"}, {"None", "null"},
    };

    *is_null = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (starts_with(reader, words[i][0])) {
            if (i >= 3 && !reader->python)
                naive_say(reader, "python_literals", reader->at);
            naive_put(reader, words[i][1], strlen(words[i][1]));
            reader->at += strlen(words[i][0]);
            *is_null = i % 3 == 2;
            return true;
        }
        if (cut_short(reader, words[i][0]))
            return naive_cut(reader);
    }
    return syntax_error(reader);
}

/* --- containers -------------------------------------------------------- */

typedef enum next_step { NEXT_MEMBER, CLOSED, FAILED } next_step;

/* At a comma: a trailing one is dropped, but not the blanks behind it. */
static next_step read_comma(naive_reader *reader, char closer)
{
    naive_bytes *out = reader->out, blanks = {0};
    size_t comma_at = reader->at++;
    bool at_token, given_up;

    reader->out = out ? &blanks : NULL;
    at_token = skip_to_token(reader);
    reader->out = out;
    given_up = reader->at - comma_at > COMMA_LIMIT;
    if (given_up)
        naive_say(reader, "repair_given_up", comma_at);
    if (at_token && next_is(reader, closer) && !given_up)
        naive_say(reader, "trailing_comma", comma_at);
    else
        naive_put(reader, ",", 1);
    naive_put(reader, blanks.data, blanks.size);
    naive_release(&blanks);
    if (!at_token)
        return FAILED;
    if (!next_is(reader, closer))
        return NEXT_MEMBER;
    if (given_up) {
        syntax_error(reader);
        return FAILED;
    }
    return CLOSED;
}

/* Behind a value in a container; CLOSED leaves |at| at the closer. */
static next_step read_separator(naive_reader *reader, char closer)
{
    bool clean;

    if (!skip_blanks(reader, &clean)) {
        reader->closable = clean;
        return FAILED;
    }
    if (next_is(reader, closer))
        return CLOSED;
    if (next_is(reader, ','))
        return read_comma(reader, closer);
    syntax_error(reader);
    return FAILED;
}

static bool read_elements(naive_reader *reader)
{
    next_step step = NEXT_MEMBER;

    if (!skip_to_token(reader))
        return false;
    if (next_is(reader, ']'))
        return true;
    while (step == NEXT_MEMBER) {
        if (!naive_read_value(reader))
            return false;
        step = read_separator(reader, ']');
    }
    return step == CLOSED;
}

static bool read_key(naive_reader *reader, naive_decoded *key)
{
    if (!next_is(reader, '"') && !next_is(reader, '\''))
        return syntax_error(reader);
    if (!naive_read_string(reader, key) || !skip_to_token(reader))
        return false;
    if (!next_is(reader, ':'))
        return syntax_error(reader);
    naive_put(reader, ":", 1);
    reader->at++;
    return skip_to_token(reader);
}

static bool begins_value(char c)
{
    return is_digit(c) || (c && strchr("{[\"'-tfnTFN", c));
}

static bool read_one_member(naive_reader *reader, naive_member *member,
                            void *context)
{
    naive_decoded key = {0};
    size_t key_at = naive_wire(reader, reader->at);
    bool whole = read_key(reader, &key);

    if (whole && !begins_value(reader->text[reader->at]))
        whole = syntax_error(reader); /* |member| does not hear of it */
    whole = whole && member(reader, &key.bytes, key_at, context);
    naive_decoded_release(&key);
    return whole;
}

static bool read_members(naive_reader *reader, bool *doubled,
                         naive_member *member, void *context)
{
    next_step step = NEXT_MEMBER;

    if (!skip_to_token(reader))
        return false;
    if (next_is(reader, '{')) { /* `{{` is never JSON */
        *doubled = true;
        naive_say(reader, "doubled_braces", reader->at);
        reader->at++;
        if (!skip_to_token(reader))
            return false;
    }
    if (next_is(reader, '}'))
        return true;
    while (step == NEXT_MEMBER) {
        if (!read_one_member(reader, member, context))
            return false;
        step = read_separator(reader, '}');
    }
    return step == CLOSED;
}

/* Opens a container: at its first byte. */
static bool enter(naive_reader *reader)
{
    if (reader->depth == DEPTH_LIMIT)
        return naive_break(reader, "limit_depth", reader->at);
    naive_put(reader, reader->text + reader->at, 1);
    reader->at++;
    reader->depth++;
    return true;
}

/* If |whole|, |at| is at the closer; else it is supplied where it may be. */
static bool leave(naive_reader *reader, bool whole, const char *closer)
{
    reader->depth--;
    if (whole || reader->closable)
        naive_put(reader, closer, 1);
    if (whole)
        reader->container_end = ++reader->at;
    return whole;
}

bool naive_read_object(naive_reader *reader, naive_member *member,
                       void *context)
{
    bool doubled = false, whole;

    if (!enter(reader))
        return false;
    whole = read_members(reader, &doubled, member, context);
    if (!leave(reader, whole, "}"))
        return false;
    if (doubled && next_is(reader, '}'))
        reader->at++;
    return true;
}

static bool read_array(naive_reader *reader)
{
    return enter(reader) && leave(reader, read_elements(reader), "]");
}

static bool read_member(naive_reader *reader, const naive_bytes *key,
                        size_t key_at, void *context)
{
    (void)key;
    (void)key_at;
    (void)context;
    return naive_read_value(reader);
}

bool naive_read_value(naive_reader *reader)
{
    char c = reader->text[reader->at];
    bool is_null;

    if (c == '{')
        return naive_read_object(reader, read_member, NULL);
    if (c == '[')
        return read_array(reader);
    if (c == '"' || c == '\'')
        return naive_read_string(reader, NULL);
    if (c == '-' || is_digit(c))
        return read_number(reader);
    return read_word(reader, &is_null);
}

/* --- arguments --------------------------------------------------------- */

static void useless(naive_argument_value *value, const char *reason,
                    size_t offset)
{
    if (!value->reason) {
        value->reason = reason;
        value->reason_at = offset;
    }
}

static void empty_arguments(naive_reader *reader, naive_argument_value *value,
                            size_t offset)
{
    naive_diagnose(reader->message, "empty_arguments", offset);
    value->empty = true;
    value->text.size = 0;
    naive_add_text(&value->text, "{}");
}

static void skip_plain_blanks(naive_reader *reader)
{
    while (reader->at < reader->limit && is_blank(reader->text[reader->at]))
        reader->at++;
}

/* Behind the object in a string: true if only blanks and closers follow. */
static bool nothing_follows(naive_reader *inner)
{
    for (; inner->at < inner->limit; inner->at++) {
        char c = inner->text[inner->at];

        if (c == '}' || c == ']')
            naive_say(inner, "extra_closer", inner->at);
        else if (!is_blank(c))
            return false;
    }
    return true;
}

/* Reads a string's content, |closed| or so far.  True: it is one object. */
static bool read_wrapped(naive_reader *inner, bool closed,
                         naive_argument_value *value)
{
    if (!next_is(inner, '{'))
        return false;
    value->begun = true;
    if (naive_read_object(inner, read_member, NULL))
        return nothing_follows(inner);
    if (inner->outcome == NAIVE_BROKEN &&
        strcmp(inner->reason, "limit_depth") == 0)
        useless(value, inner->reason, naive_wire(inner, inner->at));
    if (!closed || !inner->closable || inner->at < inner->limit)
        return false;
    naive_say(inner, "missing_closer", inner->limit);
    return true;
}

/* R11: arguments given as a string. */
static bool read_string_arguments(naive_reader *reader,
                                  naive_argument_value *value)
{
    naive_decoded content = {.spell_lone = true};
    size_t quote_at = naive_wire(reader, reader->at);
    bool closed = naive_read_string(reader, &content), blank, wrapped;
    naive_reader inner = {.message = reader->message,
                          .text = content.bytes.data,
                          .offsets = content.offsets,
                          .limit = content.bytes.size,
                          .out = &value->text};

    skip_plain_blanks(&inner);
    blank = inner.at == inner.limit;
    wrapped = !blank && read_wrapped(&inner, closed, value);
    if (inner.over)
        useless(value, "limit_arguments", inner.over_at);
    if (closed && blank)
        empty_arguments(reader, value, quote_at);
    else if (closed && wrapped)
        naive_diagnose(reader->message, "arguments_string", quote_at);
    else if (closed)
        useless(value, "arguments_not_object", quote_at);
    naive_decoded_release(&content);
    return closed;
}

static bool read_object_arguments(naive_reader *reader,
                                  naive_argument_value *value)
{
    naive_bytes *out = reader->out;
    bool whole;

    value->begun = true;
    reader->out = &value->text;
    reader->over = false;
    whole = naive_read_object(reader, read_member, NULL);
    if (reader->over)
        useless(value, "limit_arguments", reader->over_at);
    reader->out = out;
    return whole;
}

bool naive_read_arguments(naive_reader *reader, naive_argument_value *value)
{
    size_t first = naive_wire(reader, reader->at);
    char c = reader->text[reader->at];
    bool is_null;

    if (c == '{')
        return read_object_arguments(reader, value);
    if (c == '"' || c == '\'')
        return read_string_arguments(reader, value);
    if (c == '[' || c == '-' || is_digit(c)) {
        useless(value, "arguments_not_object", first);
        return naive_read_value(reader);
    }
    if (!read_word(reader, &is_null))
        return false;
    if (is_null)
        empty_arguments(reader, value, first);
    else
        useless(value, "arguments_not_object", first);
    return true;
}

void naive_arguments(naive_message *message, const char *text, size_t at,
                     size_t limit, naive_json *result)
{
    naive_reader reader = {
        .message = message, .text = text, .at = at, .limit = limit};
    naive_argument_value value = {0};
    bool whole = false;

    *result = (naive_json){0};
    if (skip_to_token(&reader))
        whole = naive_read_arguments(&reader, &value);
    else
        result->nothing = reader.outcome == NAIVE_STOPPED;
    result->outcome = whole ? NAIVE_WHOLE : reader.outcome;
    result->end = reader.at;
    result->reason = reader.reason;
    result->closable = reader.closable;
    result->in_string = reader.in_string;
    result->in_container = reader.in_container;
    result->quote = reader.quote;
    result->text = value.text;
    if (value.reason) {
        result->outcome = NAIVE_BROKEN;
        result->end = value.reason_at;
        result->reason = value.reason;
    }
}

void naive_body_arguments(naive_message *message, const char *text, size_t at,
                          size_t limit, naive_json *json)
{
    size_t kept = message->diagnostic_count;

    naive_arguments(message, text, at, limit, json);
    if (json->outcome != NAIVE_BROKEN || json->end == limit ||
        text[json->end] == '"' || text[json->end] == '\'')
        return;
    for (size_t i = kept; i < message->diagnostic_count; i++)
        if (message->diagnostics[i].offset < json->end)
            message->diagnostics[kept++] = message->diagnostics[i];
    message->diagnostic_count = kept;
}

const char *const naive_odd_blanks[] = {"\xEF\xBB\xBF", "\v",
                                        "\f",           "\xC2\xA0",
                                        "\xE2\x80\x8B", "\xE2\x80\xA8",
                                        "\xE2\x80\xA9", "\xE2\x80\xAF",
                                        "\xE2\x81\xA0", "\xE3\x80\x80",
                                        "\\n",          "\\r",
                                        "\\t",          NULL};

bool naive_is_half_blank(const char *text, size_t at, size_t end)
{
    for (size_t i = 0; naive_odd_blanks[i]; i++)
        if (end - at < strlen(naive_odd_blanks[i]) &&
            memcmp(text + at, naive_odd_blanks[i], end - at) == 0)
            return end > at;
    return false;
}

bool naive_ends_whole(const char *text, size_t at, size_t end)
{
    return at == end || (!naive_is_half_blank(text, end - 1, end) &&
                         (end - at < 2 ||
                          !naive_is_half_blank(text, end - 2, end)));
}
