/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: the arguments of a call, as compact JSON.
 */
#include "naive_gemma4.h"
#include "naive_json.h"

#include <stdio.h>
#include <string.h>

#define NOWHERE SIZE_MAX

enum { DEPTH_LIMIT = 128, ARGUMENTS_LIMIT = 16777216 };

/* An object or array that is being read. */
typedef struct gemma4_container {
    struct gemma4_container *outer;
    size_t depth;
    char closer;
    bool array;
    bool closed;
    size_t count;      /* of elements begun */
    size_t comma;      /* the comma behind the last element, or NOWHERE */
    char separator;    /* object: of the pair being read */
    size_t cut_until;  /* array: commas before it end bare elements */
} container;

/* What is due next in a container. */
typedef enum due { DUE_ELEMENT, DUE_COMMA } due;

/* ---- Failing ---- */

static bool fail(gemma4_reader *reader, const char *reason, size_t at)
{
    reader->reason = reason;
    reader->reason_at = at;
    return false;
}

/* The call ends at |at|, by the end of the output or by a marker. */
static bool cut_off(gemma4_reader *reader, size_t at)
{
    reader->reason = "truncated_call";
    reader->truncated = true;
    reader->at = at;
    return false;
}

static void diagnose(const gemma4_reader *reader, const char *code, size_t at)
{
    naive_diagnose(reader->message, code, at);
}

/* ---- Bytes ---- */

static gemma4_marker marker_at(const gemma4_reader *reader, size_t at)
{
    return gemma4_body_marker_at(reader, at);
}

/* A marker that ends more than a string does. */
static bool is_structure(gemma4_marker marker)
{
    return marker != GEMMA4_NONE && marker != GEMMA4_QUOTE;
}

static size_t quote_size(void)
{
    return gemma4_marker_size(GEMMA4_QUOTE);
}

static bool is_one_of(int byte, const char *bytes)
{
    return byte > 0 && byte < 0x80 && strchr(bytes, byte) != NULL;
}

static bool is_word_start(int byte)
{
    return byte >= 0x80 || byte == '_' || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_word_byte(int byte)
{
    return is_word_start(byte) || is_digit(byte) || is_one_of(byte, ".-");
}

static bool is_hex(int byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') ||
           (byte >= 'A' && byte <= 'F');
}

/* A round closer means something only if the call has a round opener. */
static bool is_closer(const gemma4_reader *reader, int byte)
{
    return byte == '}' || byte == ']' || (byte == ')' && reader->round);
}

/* ---- Scalars ---- */

static size_t skip_digits(const char *data, size_t size, size_t at)
{
    while (at < size && is_digit(data[at]))
        at++;
    return at;
}

/* The size of the JSON number that |data| begins with, or 0. */
static size_t number_size(const char *data, size_t size)
{
    size_t start = size > 0 && data[0] == '-' ? 1 : 0;
    size_t at = skip_digits(data, size, start);
    size_t more;

    if (at == start || (data[start] == '0' && at > start + 1))
        return 0;
    if (at < size && data[at] == '.') {
        more = skip_digits(data, size, at + 1);
        if (more == at + 1)
            return 0;
        at = more;
    }
    if (at < size && (data[at] == 'e' || data[at] == 'E')) {
        at++;
        if (at < size && (data[at] == '+' || data[at] == '-'))
            at++;
        more = skip_digits(data, size, at);
        if (more == at)
            return 0;
        at = more;
    }
    return at;
}

static bool is_word(const char *data, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(data, word, size) == 0;
}

/* The JSON literal that a word means, or NULL. */
static const char *literal(const char *data, size_t size)
{
    static const char *const words[][2] = {
        {"true", "true"}, {"false", "false"}, {"null", "null"},
        {"True", "true"}, {"False", "false"}, {"None", "null"},
        {"nil", "null"},  {"NULL", "null"},
    };
    size_t i;

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (is_word(data, size, words[i][0]))
            return words[i][1];
    return NULL;
}

static size_t trimmed_size(const char *data, size_t size)
{
    while (size > 0 && gemma4_is_blank(data[size - 1]))
        size--;
    return size;
}

static bool is_scalar(const gemma4_reader *reader, size_t start, size_t end)
{
    const char *data = reader->text + start;
    size_t size = trimmed_size(data, end - start);

    return literal(data, size) ||
           (size > 0 && number_size(data, size) == size);
}

/* ---- Writing JSON ---- */

static void add_json_byte(naive_bytes *out, char byte)
{
    static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    char escape[8];
    size_t i;

    for (i = 0; i + 1 < sizeof(shorts); i += 2)
        if (shorts[i] == byte) {
            snprintf(escape, sizeof(escape), "\\%c", shorts[i + 1]);
            naive_add_text(out, escape);
            return;
        }
    if ((unsigned char)byte < 0x20) {
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)byte);
        naive_add_text(out, escape);
        return;
    }
    naive_add(out, &byte, 1);
}

/* Raw bytes as the inside of a JSON string. */
static void add_json(naive_bytes *out, const char *data, size_t size)
{
    naive_bytes repaired = {0};
    size_t i;

    naive_add_utf8(&repaired, data, size);
    for (i = 0; i < repaired.size; i++)
        add_json_byte(out, repaired.data[i]);
    naive_release(&repaired);
}

static void add_json_string(gemma4_reader *reader, size_t start, size_t end)
{
    naive_bytes *out = &reader->arguments;

    naive_add_text(out, "\"");
    add_json(out, reader->text + start, end - start);
    naive_diagnose_utf8(reader->message, reader->text, start, end);
    naive_add_text(out, "\"");
}

/* ---- What stands behind a place; nothing here moves the reader ---- */

/* `word:` or `word=`, but not `word://`. */
static bool word_key_at(const gemma4_reader *reader, size_t at)
{
    size_t end = at;

    if (!is_word_start(gemma4_byte(reader, at)))
        return false;
    while (end - at <= GEMMA4_NEAR && is_word_byte(gemma4_byte(reader, end)))
        end++;
    return end - at <= GEMMA4_NEAR &&
           is_one_of(gemma4_byte(reader, end), ":=") &&
           !gemma4_starts(reader, end, "://");
}

typedef enum follow { FOLLOW_NONE, FOLLOW_END, FOLLOW_KEY } follow;

/* Can a string end before |at|?  If so, with a comma missing or without. */
static follow follow_of_string(const gemma4_reader *reader,
                               const container *in, size_t at)
{
    int byte;

    at = gemma4_skip_blanks(reader, at);
    byte = gemma4_byte(reader, at);
    if (byte == GEMMA4_END || byte == ',' || is_closer(reader, byte) ||
        is_structure(marker_at(reader, at)))
        return FOLLOW_END;
    return !in->array && word_key_at(reader, at) ? FOLLOW_KEY : FOLLOW_NONE;
}

/* Behind the comma at |comma|: the separator of a key, or NOWHERE.  Behind a
 * strict value any key will do, else it touches the comma or is one word.
 * |too_far|, if not NULL, is set if |limit| bytes do not decide. */
static size_t separator_behind(const gemma4_reader *reader, size_t comma,
                               bool strict, const char *separators,
                               size_t limit, bool *too_far)
{
    size_t start = gemma4_skip_blanks(reader, comma + 1);
    bool one_word = !strict && start > comma + 1;
    size_t at;
    int byte;

    for (at = start; (byte = gemma4_byte(reader, at)) != GEMMA4_END; at++) {
        if (is_one_of(byte, separators))
            return at > start ? at : NOWHERE;
        if (is_one_of(byte, ",{}[]()\"'`=:\n") || marker_at(reader, at))
            return NOWHERE;
        if (at - comma > limit) {
            if (too_far)
                *too_far = true;
            return NOWHERE;
        }
        if (one_word &&
            !(at > start ? is_word_byte(byte) : is_word_start(byte)))
            return NOWHERE;
    }
    return NOWHERE;
}

/* `<|"|>key<|"|>:` */
static bool delimited_key_at(const gemma4_reader *reader, size_t at)
{
    size_t end = at + quote_size();

    for (; end - at < GEMMA4_NEAR; end++)
        if (marker_at(reader, end) == GEMMA4_QUOTE) {
            end = gemma4_skip_blanks(reader, end + quote_size());
            return is_one_of(gemma4_byte(reader, end), ":=");
        }
    return false;
}

/* ---- <|"|>...<|"|> ---- */

/* The string text[start, end) is read; the reader goes on at |next|. */
static bool end_string(gemma4_reader *reader, size_t start, size_t end,
                       size_t next)
{
    add_json_string(reader, start, end);
    reader->at = next;
    return true;
}

/* Does a string that was never closed end at this comma, `, KEY:<|"|>`
 * following?  Not if the delimiter there can be its own end. */
static bool lost_end_at_comma(gemma4_reader *reader, const container *in,
                              size_t comma)
{
    bool too_far = false;
    size_t at;

    if (in->array)
        return false;
    at = separator_behind(reader, comma, false, ":", GEMMA4_IN_STRING,
                          &too_far);
    if (at != NOWHERE) {
        at = gemma4_skip_blanks(reader, at + 1);
        too_far = at - comma > GEMMA4_IN_STRING;
    }
    if (too_far) {
        diagnose(reader, "repair_given_up", comma);
        return false;
    }
    return at != NOWHERE && marker_at(reader, at) == GEMMA4_QUOTE &&
           !follow_of_string(reader, in, at + quote_size());
}

/* Where the closers begin that close the open containers, among those that
 * stand in [start, end), before a close marker; the others are data. */
static size_t first_closer(const gemma4_reader *reader, const container *in,
                           size_t start, size_t end)
{
    char expected[DEPTH_LIMIT];
    size_t depth = in->depth, next = 0, first = end;
    const container *each;

    for (each = in; each; each = each->outer)
        expected[each->depth - 1] = each->closer;
    while (end-- > start) { /* the outermost one stands last */
        if (gemma4_is_blank(gemma4_byte(reader, end)))
            continue;
        while (next < depth && expected[next] != gemma4_byte(reader, end))
            next++;
        if (next == depth)
            break;
        first = end;
        next++;
    }
    return first;
}

/* A close marker inside a string, closers before it from |at| on.  It is data
 * if the string is closed behind it, as it should be, or if that cannot be
 * seen from here: where the data goes on.  NOWHERE if the string had ended
 * before it. */
static size_t data_behind_marker(const gemma4_reader *reader,
                                 const container *in, size_t at,
                                 size_t marker)
{
    size_t i = marker + gemma4_marker_size(GEMMA4_CALL_END);

    for (; gemma4_byte(reader, i) != GEMMA4_END; i++) {
        if (i - at >= GEMMA4_IN_STRING) {
            diagnose(reader, "repair_given_up", at);
            return i;
        }
        if (marker_at(reader, i) == GEMMA4_QUOTE) {
            if (follow_of_string(reader, in, i + quote_size()) == FOLLOW_END)
                return i;
            break;
        }
    }
    return NOWHERE;
}

/* Behind `}`, `]` or `)` in a string: the closers and blanks that follow. */
static size_t skip_closers(gemma4_reader *reader, size_t at)
{
    size_t end = at;

    while (end - at < GEMMA4_IN_STRING &&
           is_one_of(gemma4_byte(reader, end), "}]) \t\r\n"))
        end++;
    if (is_one_of(gemma4_byte(reader, end), "}]) \t\r\n"))
        diagnose(reader, "repair_given_up", at);
    return end;
}

/* From behind the delimiter to behind the next one that can be the end. */
static bool read_string(gemma4_reader *reader, const container *in)
{
    size_t start = reader->at, at = start, end;
    gemma4_marker marker;
    int byte;

    while ((byte = gemma4_byte(reader, at)) != GEMMA4_END) {
        end = is_one_of(byte, "}])") ? skip_closers(reader, at) : at;
        marker = marker_at(reader, end);
        if (byte == ',' && lost_end_at_comma(reader, in, at)) {
            diagnose(reader, "missing_string_close", at);
            return end_string(reader, start, at, at);
        }
        if (marker == GEMMA4_CALL_END) {
            size_t data = data_behind_marker(reader, in, at, end);

            if (data == NOWHERE) {
                end = first_closer(reader, in, at, end);
                diagnose(reader, "missing_string_close", end);
                return end_string(reader, start, end, end);
            }
            at = data;
        } else if (end > at) {
            at = end;
        } else if (marker == GEMMA4_QUOTE) {
            if (follow_of_string(reader, in, at + quote_size()))
                return end_string(reader, start, at, at + quote_size());
            diagnose(reader, "interior_delimiter", at);
            at += quote_size();
        } else {
            at++;
        }
    }
    naive_diagnose_utf8(reader->message, reader->text, start, at);
    return cut_off(reader, at);
}

/* ---- "...", '...' and `...` ---- */

static unsigned hex_value(const char *data)
{
    unsigned value = 0;
    int i;

    for (i = 0; i < 4; i++)
        value = value * 16 +
                (unsigned)(is_digit(data[i]) ? data[i] - '0'
                                             : (data[i] | 0x20) - 'a' + 10);
    return value;
}

/* The size of the valid JSON escape that |data| begins with, or 0. */
static size_t escape_size(const char *data, size_t size)
{
    size_t i;

    if (size < 2 || data[0] != '\\')
        return 0;
    if (is_one_of(data[1], "\"\\/bfnrt"))
        return 2;
    if (data[1] != 'u' || size < 6)
        return 0;
    for (i = 2; i < 6; i++)
        if (!is_hex(data[i]))
            return 0;
    return 6;
}

/* Which half of a pair that escape is: 'h'igh, 'l'ow, or 0: neither. */
static int surrogate(const char *data, size_t size)
{
    unsigned value;

    if (escape_size(data, size) != 6)
        return 0;
    value = hex_value(data + 2) & 0xfc00;
    return value == 0xd800 ? 'h' : value == 0xdc00 ? 'l' : 0;
}

/* Could what the output ends with have become an escape? */
static bool escape_begins(const char *data, size_t size)
{
    size_t i = 2;

    if (memcmp(data, "\\u", size < 2 ? size : 2) != 0)
        return false;
    while (i < size && is_hex(data[i]))
        i++;
    return i >= size && size < 6;
}

/* What is read of a quoted string. */
typedef struct quoted_string {
    int quote;
    size_t end;        /* of the string if known, else of the output */
    bool control_seen; /* and reported */
    naive_bytes *out;  /* the inside of a JSON string */
} quoted_string;

/* The escape at |at|; behind it. */
static size_t add_escape(const gemma4_reader *reader,
                         const quoted_string *string, size_t at)
{
    const char *data = reader->text + at;
    size_t left = string->end - at;
    size_t size = escape_size(data, left);
    int half = surrogate(data, left);
    bool last = string->end == reader->size;

    if (half == 'h' && surrogate(data + 6, left - 6) == 'l')
        size = 12;
    else if (half && !(half == 'h' && last &&
                       escape_begins(data + 6, left - 6)))
        diagnose(reader, "lone_surrogate", at);
    if (size > 0) {
        naive_add(string->out, data, size);
        return at + size;
    }
    if (left > 1 && data[1] == '\'') {
        if (string->quote != '\'')
            diagnose(reader, "bad_escape", at);
        naive_add_text(string->out, "'");
        return at + 2;
    }
    if (!last || !escape_begins(data, left))
        diagnose(reader, "bad_escape", at);
    naive_add_text(string->out, "\\\\");
    return at + 1;
}

/* An escape, a control character, or plain bytes up to the next of them or
 * of what might end the string; behind it. */
static size_t add_quoted(const gemma4_reader *reader, quoted_string *string,
                         size_t at)
{
    size_t start = at;
    int byte = gemma4_byte(reader, at);

    if (byte == '\\' && string->quote != '`')
        return add_escape(reader, string, at);
    if (byte < 0x20 && string->quote != '`' && !string->control_seen) {
        diagnose(reader, "raw_control", at);
        string->control_seen = true;
    }
    do {
        byte = gemma4_byte(reader, ++at);
    } while (at < string->end && byte >= 0x20 && byte != '\\' &&
             byte != '<' && byte != string->quote);
    add_json(string->out, reader->text + start, at - start);
    naive_diagnose_utf8(reader->message, reader->text, start, at);
    return at;
}

/* A close marker ends a quoted string only if the message ends there too, or
 * goes on with the next call. */
static bool call_ends_at(const gemma4_reader *reader, size_t at)
{
    gemma4_marker marker;

    if (marker_at(reader, at) != GEMMA4_CALL_END)
        return false;
    at = gemma4_skip_blanks(reader, at + gemma4_marker_size(GEMMA4_CALL_END));
    marker = marker_at(reader, at);
    return gemma4_byte(reader, at) == GEMMA4_END || marker == GEMMA4_CALL ||
           gemma4_is_stop(marker);
}

/* From the opening quote to behind the closing one. */
static bool read_quoted(gemma4_reader *reader, const container *in)
{
    size_t opened = reader->at, at = opened + 1, dangling;
    quoted_string string = {.quote = gemma4_byte(reader, opened),
                            .end = reader->size, .out = &reader->arguments};
    const char *kind = string.quote == '"'    ? "json_string"
                       : string.quote == '\'' ? "single_quoted"
                                              : "backtick_string";

    diagnose(reader, kind, opened);
    naive_add_text(string.out, "\"");
    while (at < reader->size) {
        reader->at = at;
        if (call_ends_at(reader, at))
            return fail(reader, "unclosed_quote", opened);
        if (gemma4_byte(reader, at) != string.quote) {
            at = add_quoted(reader, &string, at);
            continue;
        }
        dangling = marker_at(reader, at + 1) == GEMMA4_QUOTE ? quote_size()
                                                             : 0;
        if (follow_of_string(reader, in, at + 1 + dangling)) {
            if (dangling)
                diagnose(reader, "dangling_delimiter", at + 1);
            naive_add_text(string.out, "\"");
            reader->at = at + 1 + dangling;
            return true;
        }
        if (string.quote == '"')
            return fail(reader, "inner_quote", at);
        at = add_quoted(reader, &string, at); /* as in 'it's' */
    }
    return cut_off(reader, reader->size);
}

/* ---- Values without delimiters ---- */

/* Where a bare value may end, found while looking for its end. */
typedef struct bare {
    size_t start;
    size_t at;
    size_t depth;     /* of brackets within the value */
    int last;         /* the last byte that is not blank */
    size_t comma;     /* array: the first, object: the last one outside */
    size_t closer;    /* the first closer that is not of the value */
    size_t delimiter; /* the last one that cannot end a string */
    size_t end;
} bare;

typedef enum bare_step {
    BARE_GOES_ON,
    BARE_ENDS,       /* at |end| */
    BARE_WAS_STRING, /* without its opening delimiter; it ends at |at| */
    BARE_FAILS
} bare_step;

static bare_step bare_ends_at(bare *value, size_t end)
{
    value->end = end;
    return BARE_ENDS;
}

/* In an array the value ended at its first comma, if there was one. */
static bare_step bare_ends_before(const container *in, bare *value,
                                  size_t end)
{
    return bare_ends_at(value, in->array && value->comma != NOWHERE
                                   ? value->comma : end);
}

static bare_step bare_delimiter(const gemma4_reader *reader,
                                const container *in, bare *value)
{
    bool opens = in->array ? value->last == ','
                           : value->last == ':' || value->last == '=';

    if (opens && value->comma != NOWHERE)
        return bare_ends_at(value, value->comma); /* it is the next one's */
    if (follow_of_string(reader, in, value->at + quote_size()))
        return BARE_WAS_STRING;
    value->delimiter = value->at;
    value->at += quote_size();
    return BARE_GOES_ON;
}

static bare_step bare_marker(gemma4_reader *reader, const container *in,
                             bare *value)
{
    if (value->closer != NOWHERE)
        return bare_ends_before(in, value, value->closer);
    if (value->depth == 0)
        return bare_ends_before(in, value, value->at);
    fail(reader, "unbalanced_text", value->start);
    return BARE_FAILS;
}

/* Does the comma at |comma| end the pair?  Not without a key behind it; any
 * key will do behind a number or literal. */
static bool comma_ends_pair(const gemma4_reader *reader, const container *in,
                            size_t comma, bool scalar)
{
    size_t at = gemma4_skip_blanks(reader, comma + 1);
    gemma4_marker marker = marker_at(reader, at);
    int byte = gemma4_byte(reader, at);
    bool equals = scalar || in->separator == '=';

    if (byte == GEMMA4_END || is_one_of(byte, ",\"'") ||
        is_closer(reader, byte) || is_structure(marker))
        return true;
    if (marker == GEMMA4_QUOTE)
        return scalar || delimited_key_at(reader, at);
    return separator_behind(reader, comma, scalar, equals ? ":=" : ":",
                            scalar ? GEMMA4_FAR : GEMMA4_NEAR, NULL) !=
           NOWHERE;
}

static bare_step bare_comma(const gemma4_reader *reader, const container *in,
                            bare *value)
{
    bool scalar = value->comma == NOWHERE &&
                  is_scalar(reader, value->start, value->at);

    if (in->array ? scalar || value->at < in->cut_until
                  : comma_ends_pair(reader, in, value->at, scalar))
        return bare_ends_at(value, value->at);
    if (!in->array || value->comma == NOWHERE)
        value->comma = value->at;
    return BARE_GOES_ON;
}

static bare_step bare_closer(const gemma4_reader *reader, const container *in,
                             bare *value)
{
    size_t at = gemma4_skip_blanks(reader, value->at + 1);
    int byte = gemma4_byte(reader, at);

    if (value->closer == NOWHERE)
        value->closer = value->at;
    if (byte == GEMMA4_END || is_one_of(byte, ",}])") ||
        is_structure(marker_at(reader, at)))
        return bare_ends_before(in, value, value->closer);
    return BARE_GOES_ON;
}

/* More than a stream can hold: only a number can go on. */
static bare_step bare_gives_up(gemma4_reader *reader, bare *value)
{
    const char *data = reader->text + value->start;
    size_t size = number_size(data, reader->size - value->start);

    if (size > GEMMA4_FAR) {
        value->at = value->start + size;
        return bare_ends_at(value, value->at);
    }
    fail(reader, "repair_given_up", value->start);
    return BARE_FAILS;
}

/* Looks at what stands at |value->at|. */
static bare_step step_in_bare(gemma4_reader *reader, const container *in,
                              bare *value)
{
    int byte = gemma4_byte(reader, value->at);
    gemma4_marker marker = marker_at(reader, value->at);
    bare_step step = BARE_GOES_ON;

    if (value->at - value->start > GEMMA4_FAR)
        return bare_gives_up(reader, value);
    if (byte == GEMMA4_END) {
        if (value->closer != NOWHERE)
            return bare_ends_at(value, value->closer);
        cut_off(reader, value->at);
        return BARE_FAILS;
    }
    if (marker == GEMMA4_QUOTE)
        return bare_delimiter(reader, in, value);
    if (marker)
        return bare_marker(reader, in, value);
    if (byte == ',' && value->depth == 0)
        step = bare_comma(reader, in, value);
    else if (byte == '{' || byte == '[' || (byte == '(' && reader->round))
        value->depth++;
    else if (is_closer(reader, byte) && value->depth > 0)
        value->depth--;
    else if (is_closer(reader, byte))
        step = bare_closer(reader, in, value);
    if (step != BARE_GOES_ON)
        return step;
    if (!gemma4_is_blank(byte))
        value->last = byte;
    value->at++;
    return BARE_GOES_ON;
}

static bool end_lost_string(gemma4_reader *reader, const bare *value)
{
    diagnose(reader, "missing_string_open", value->start);
    if (value->delimiter != NOWHERE)
        diagnose(reader, "interior_delimiter", value->delimiter);
    return end_string(reader, value->start, value->at,
                      value->at + quote_size());
}

static bool end_bare(gemma4_reader *reader, container *in, const bare *value)
{
    const char *data = reader->text + value->start;
    size_t size = trimmed_size(data, value->end - value->start);
    const char *word = literal(data, size);

    if (value->at > in->cut_until)
        in->cut_until = value->at;
    if (value->delimiter != NOWHERE && value->delimiter < value->end)
        return fail(reader, "stray_delimiter", value->delimiter);
    if (word) {
        if (!is_word(data, size, word))
            diagnose(reader, "python_literals", value->start);
        naive_add_text(&reader->arguments, word);
    } else if (number_size(data, size) == size) {
        naive_add(&reader->arguments, data, size);
    } else {
        diagnose(reader, "bare_string", value->start);
        add_json_string(reader, value->start, value->start + size);
    }
    reader->at = value->end;
    return true;
}

/* A number, a literal, or text without delimiters. */
static bool read_bare(gemma4_reader *reader, container *in)
{
    bare value = {
        .start = reader->at, .at = reader->at,
        .comma = NOWHERE, .closer = NOWHERE, .delimiter = NOWHERE
    };
    bare_step step = BARE_GOES_ON;

    while (step == BARE_GOES_ON)
        step = step_in_bare(reader, in, &value);
    if (step == BARE_FAILS)
        return false;
    return step == BARE_WAS_STRING ? end_lost_string(reader, &value)
                                   : end_bare(reader, in, &value);
}

/* ---- Strict JSON, for arguments that come as one string ---- */

typedef struct strict {
    const char *data;
    size_t size;
    size_t at;
} strict;

static bool strict_value(strict *json, size_t depth);

static void strict_blanks(strict *json)
{
    while (json->at < json->size && gemma4_is_blank(json->data[json->at]))
        json->at++;
}

/* Blanks, and |byte| if it is next. */
static bool strict_byte(strict *json, char byte)
{
    strict_blanks(json);
    if (json->at == json->size || json->data[json->at] != byte)
        return false;
    json->at++;
    return true;
}

static bool strict_string(strict *json)
{
    size_t size;

    if (!strict_byte(json, '"'))
        return false;
    while (json->at < json->size && json->data[json->at] != '"') {
        size = escape_size(json->data + json->at, json->size - json->at);
        if (size == 0 && (json->data[json->at] == '\\' ||
                          (unsigned char)json->data[json->at] < 0x20))
            return false;
        json->at += size ? size : 1;
    }
    return strict_byte(json, '"');
}

static bool strict_object(strict *json, size_t depth)
{
    if (depth > DEPTH_LIMIT || !strict_byte(json, '{'))
        return false;
    if (strict_byte(json, '}'))
        return true;
    do {
        if (!strict_string(json) || !strict_byte(json, ':') ||
            !strict_value(json, depth + 1))
            return false;
    } while (strict_byte(json, ','));
    return strict_byte(json, '}');
}

static bool strict_array(strict *json, size_t depth)
{
    if (depth > DEPTH_LIMIT || !strict_byte(json, '['))
        return false;
    if (strict_byte(json, ']'))
        return true;
    do {
        if (!strict_value(json, depth + 1))
            return false;
    } while (strict_byte(json, ','));
    return strict_byte(json, ']');
}

/* |depth| is that of the value, if it is an object or array. */
static bool strict_value(strict *json, size_t depth)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *data;
    size_t left, size, i;

    strict_blanks(json);
    data = json->data + json->at;
    left = json->size - json->at;
    if (left == 0)
        return false;
    if (*data == '{')
        return strict_object(json, depth);
    if (*data == '[')
        return strict_array(json, depth);
    if (*data == '"')
        return strict_string(json);
    size = number_size(data, left);
    for (i = 0; i < 3; i++)
        if (left >= strlen(words[i]) &&
            memcmp(data, words[i], strlen(words[i])) == 0)
            size = strlen(words[i]);
    json->at += size;
    return size > 0;
}

/* Is it one object, and blanks?  Then cuts off all but its inside. */
static bool strict_inside(const naive_bytes *data, strict *inside)
{
    strict json = {.data = data->data, .size = data->size};
    size_t start;

    strict_blanks(&json);
    start = json.at + 1;
    if (!strict_object(&json, 1))
        return false;
    inside->data = data->data + start;
    inside->size = json.at - 1 - start;
    strict_blanks(&json);
    return json.at == json.size;
}

/* ---- Keys ---- */

typedef enum key_kind { KEY_BARE, KEY_DELIMITED, KEY_QUOTED } key_kind;

/* What stands where a key is due, up to a separator or what is none. */
typedef struct key_place {
    key_kind kind;
    size_t start;      /* with its quote */
    size_t text, end;  /* without; a bare one's is trimmed */
    size_t behind;     /* the first byte behind it that is not blank */
    bool lost_quote;   /* a delimiter at its end only */
} key_place;

static bool key_ends_at(const gemma4_reader *reader, const key_place *key,
                        size_t at)
{
    int byte = gemma4_byte(reader, at);

    if (key->kind == KEY_QUOTED)
        return byte == gemma4_byte(reader, key->start);
    if (key->kind == KEY_DELIMITED)
        return marker_at(reader, at) == GEMMA4_QUOTE;
    return is_one_of(byte, ":=,{}[]") || marker_at(reader, at);
}

/* False if the output ends first, or if it is too long. */
static bool find_key(gemma4_reader *reader, key_place *key)
{
    size_t at = reader->at, quote = 0;

    key->start = at;
    if (is_one_of(gemma4_byte(reader, at), "\"'")) {
        key->kind = KEY_QUOTED;
        quote = 1;
    } else if (marker_at(reader, at) == GEMMA4_QUOTE) {
        key->kind = KEY_DELIMITED;
        quote = quote_size();
    }
    key->text = at += quote;
    for (; !key_ends_at(reader, key, at); at++) {
        if (gemma4_byte(reader, at) == GEMMA4_END)
            return cut_off(reader, at);
        if (at - key->start > GEMMA4_FAR)
            return fail(reader, "repair_given_up", key->start);
        if (key->kind == KEY_QUOTED && gemma4_byte(reader, at) == '\\' &&
            gemma4_byte(reader, at + 1) != GEMMA4_END)
            at++;
    }
    key->end = at;
    if (key->kind == KEY_BARE) {
        key->end = key->text + trimmed_size(reader->text + key->text,
                                            at - key->text);
        key->lost_quote = marker_at(reader, at) == GEMMA4_QUOTE;
        quote = key->lost_quote ? quote_size() : 0;
    }
    key->behind = gemma4_skip_blanks(reader, at + quote);
    return gemma4_byte(reader, key->behind) != GEMMA4_END ||
           cut_off(reader, key->behind);
}

/* The inside of a quoted key as that of a JSON string. */
static void add_quoted_key(const gemma4_reader *reader, const key_place *key,
                           naive_bytes *out)
{
    quoted_string string = {.quote = gemma4_byte(reader, key->start),
                            .end = key->end, .out = out};
    size_t at = key->text;

    while (at < key->end)
        at = add_quoted(reader, &string, at);
}

static void add_key(gemma4_reader *reader, const key_place *key)
{
    naive_bytes *out = &reader->arguments;
    int quote = gemma4_byte(reader, key->start);

    if (key->kind == KEY_DELIMITED)
        diagnose(reader, "quoted_key", key->start);
    else if (key->kind == KEY_QUOTED)
        diagnose(reader, quote == '"' ? "json_key" : "single_quoted",
                 key->start);
    else if (key->lost_quote)
        diagnose(reader, "missing_string_open", key->start);
    naive_add_text(out, "\"");
    if (key->kind == KEY_QUOTED)
        add_quoted_key(reader, key, out);
    else {
        add_json(out, reader->text + key->text, key->end - key->text);
        naive_diagnose_utf8(reader->message, reader->text, key->text,
                            key->end);
    }
    naive_add_text(out, "\":");
    if (gemma4_byte(reader, key->behind) == '=')
        diagnose(reader, "equals_separator", key->behind);
}

/* ---- Arguments that are no pairs ---- */

/* The bytes of a code point; half a pair stays the escape it was. */
static void add_code_point(naive_bytes *out, unsigned value)
{
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    char bytes[8];
    int more = value < 0x80 ? 0 : value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
    int i;

    if (value >= 0xd800 && value < 0xe000) {
        snprintf(bytes, sizeof(bytes), "\\u%04x", value);
        naive_add_text(out, bytes);
        return;
    }
    bytes[0] = (char)(leads[more] | value >> 6 * more);
    for (i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (value >> 6 * (more - i) & 0x3f));
    naive_add(out, bytes, (size_t)more + 1);
}

/* What the inside of a valid JSON string stands for. */
static void unescape(const naive_bytes *json, naive_bytes *out)
{
    static const char shorts[] = "b\bf\fn\nr\rt\t";
    const char *data = json->data, *end = data + json->size, *meaning;
    unsigned value;

    while (data < end) {
        if (*data != '\\') {
            naive_add(out, data++, 1);
        } else if (data[1] != 'u') {
            meaning = strchr(shorts, data[1]);
            naive_add(out, meaning ? meaning + 1 : data + 1, 1);
            data += 2;
        } else {
            value = hex_value(data + 2);
            if (surrogate(data, (size_t)(end - data)) == 'h' &&
                surrogate(data + 6, (size_t)(end - data) - 6) == 'l') {
                data += 6;
                value = 0x10000 + ((value & 0x3ff) << 10) +
                        (hex_value(data + 2) & 0x3ff);
            }
            add_code_point(out, value);
            data += 6;
        }
    }
}

/* A string that is an object in strict JSON: its inside becomes that of the
 * arguments (R11). */
static bool read_object_in_string(gemma4_reader *reader, const key_place *key)
{
    const char *text = reader->text + key->text;
    size_t size = key->end - key->text;
    size_t reported = reader->message->diagnostic_count;
    naive_bytes json = {0}, content = {0};
    strict inside = {0};
    bool good;

    if (key->kind == KEY_QUOTED) {
        add_quoted_key(reader, key, &json);
        unescape(&json, &content);
    } else {
        naive_add(&content, text, size);
    }
    /* It is reported as a whole. */
    reader->message->diagnostic_count = reported;
    good = gemma4_is_utf8(text, size) && strict_inside(&content, &inside);
    if (good) {
        diagnose(reader, "arguments_string", key->start);
        naive_add(&reader->arguments, inside.data, inside.size);
    }
    naive_release(&json);
    naive_release(&content);
    return good;
}

/* What stands where the first key is due is none; is it all of the arguments,
 * as in `{null}` or R11? */
static bool read_whole_body(gemma4_reader *reader, container *in,
                            const key_place *key)
{
    const char *text = reader->text + key->text;
    size_t size = key->end - key->text;

    if (!is_one_of(gemma4_byte(reader, key->behind), "})"))
        return false;
    if (key->kind != KEY_BARE) {
        if (!read_object_in_string(reader, key))
            return false;
        in->count++;
    } else {
        if (!is_word(text, size, "null") && !is_word(text, size, "None"))
            return false;
        diagnose(reader, "empty_arguments", key->start);
    }
    reader->at = key->behind;
    return true;
}

/* ---- Objects and arrays ---- */

static bool read_container(gemma4_reader *reader, container *in);

/* Does a container around |in| wait for this closer?  The nearest. */
static const container *outer_closed_by(const container *in, int byte)
{
    do {
        in = in->outer;
    } while (in && in->closer != byte);
    return in;
}

/* Everything is closed down to |target|, whose closer the reader is at, or
 * if it is NULL, by the marker there. */
static void close_until(gemma4_reader *reader, container *in,
                        const container *target)
{
    diagnose(reader, "missing_closer", reader->at);
    reader->unwinding = true;
    reader->target = target;
    in->closed = true;
}

/* The closer at the reader: the right one, an outer one's, or nobody's. */
static void read_closer(gemma4_reader *reader, container *in, due *next)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);
    const container *outer = outer_closed_by(in, byte);

    if (byte == in->closer) {
        in->closed = true;
        reader->at = at + 1;
    } else if (outer) {
        close_until(reader, in, outer);
    } else {
        diagnose(reader, "extra_closer", at);
        reader->at = at + 1;
        *next = in->count > 0 && in->comma == NOWHERE ? DUE_COMMA
                                                      : DUE_ELEMENT;
    }
}

/* A marker where none belongs: the end of the call, with closers missing, or
 * of the output. */
static bool read_marker(gemma4_reader *reader, container *in,
                        gemma4_marker marker)
{
    if (marker != GEMMA4_CALL_END && marker != GEMMA4_RESPONSE)
        return cut_off(reader, reader->at);
    close_until(reader, in, NULL);
    return true;
}

static bool read_inner(gemma4_reader *reader, container *in, bool array)
{
    container inner = {
        .outer = in, .depth = in->depth + 1, .array = array,
        .closer = array ? ']' : '}', .comma = NOWHERE
    };

    if (inner.depth > DEPTH_LIMIT)
        return fail(reader, "limit_depth", reader->at);
    reader->at++;
    naive_add_text(&reader->arguments, array ? "[" : "{");
    if (!read_container(reader, &inner))
        return false;
    if (reader->unwinding) {
        in->closed = true;
        if (reader->target == in) {
            reader->unwinding = false;
            reader->at++;
        }
    }
    return true;
}

/* The reader is at the first byte of a value. */
static bool read_value(gemma4_reader *reader, container *in)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);

    if (byte == '{' || byte == '[')
        return read_inner(reader, in, byte == '[');
    if (marker_at(reader, at) == GEMMA4_QUOTE) {
        reader->at += quote_size();
        return read_string(reader, in);
    }
    if (is_one_of(byte, "\"'`"))
        return read_quoted(reader, in);
    return read_bare(reader, in);
}

/* The value of a pair, which may be missing. */
static bool read_pair_value(gemma4_reader *reader, container *in)
{
    size_t at = gemma4_skip_blanks(reader, reader->at);
    int byte = gemma4_byte(reader, at);
    gemma4_marker marker = marker_at(reader, at);

    reader->at = at;
    if (byte == GEMMA4_END)
        return cut_off(reader, at);
    if (marker == GEMMA4_CALL_END)
        return fail(reader, "no_value", at);
    if (is_structure(marker))
        return cut_off(reader, at);
    if (byte == ',' || is_closer(reader, byte)) {
        diagnose(reader, "empty_value", at);
        naive_add_text(&reader->arguments, "\"\"");
        return true;
    }
    return read_value(reader, in);
}

static bool read_pair(gemma4_reader *reader, container *in, bool only)
{
    key_place key = {0};

    if (!find_key(reader, &key))
        return false;
    if (!is_one_of(gemma4_byte(reader, key.behind), ":=") ||
        (key.kind == KEY_BARE && key.text == key.end))
        return (only && read_whole_body(reader, in, &key)) ||
               fail(reader, "no_key", key.start);
    if (in->count > 0)
        naive_add_text(&reader->arguments, ",");
    add_key(reader, &key);
    in->count++;
    in->comma = NOWHERE;
    in->separator = (char)gemma4_byte(reader, key.behind);
    reader->at = key.behind + 1;
    return read_pair_value(reader, in);
}

/* The JSON comma is written before an element, so that commas that are too
 * many cost nothing. */
static bool read_array_element(gemma4_reader *reader, container *in)
{
    if (in->count > 0)
        naive_add_text(&reader->arguments, ",");
    in->count++;
    in->comma = NOWHERE;
    return read_value(reader, in);
}

/* An element, or what stands in its place. */
static bool read_element(gemma4_reader *reader, container *in, due *next)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);
    gemma4_marker marker = marker_at(reader, at);
    bool only = !in->outer && in->count == 0 && in->comma == NOWHERE;

    if (byte == ',') {
        diagnose(reader, "extra_comma", at);
        reader->at++;
        return true;
    }
    if (is_closer(reader, byte)) {
        read_closer(reader, in, next);
        return true;
    }
    if (byte == '{' && only && !reader->doubled) {
        diagnose(reader, "doubled_braces", at);
        reader->doubled = true;
        reader->at++;
        return true;
    }
    if (is_structure(marker))
        return read_marker(reader, in, marker);
    *next = DUE_COMMA;
    return in->array ? read_array_element(reader, in)
                     : read_pair(reader, in, only);
}

/* Behind an element. */
static bool read_comma(gemma4_reader *reader, container *in, due *next)
{
    size_t at = reader->at;
    int byte = gemma4_byte(reader, at);
    gemma4_marker marker = marker_at(reader, at);

    if (byte == ',') {
        in->comma = at;
        reader->at++;
        *next = DUE_ELEMENT;
        return true;
    }
    if (is_closer(reader, byte)) {
        read_closer(reader, in, next);
        return true;
    }
    if (is_structure(marker))
        return read_marker(reader, in, marker);
    if (in->array || !word_key_at(reader, at))
        return fail(reader, "no_comma", at);
    diagnose(reader, "missing_comma", at);
    *next = DUE_ELEMENT;
    return true;
}

/* From behind the opener to behind the closer, or to where |unwinding| says
 * it closes. */
static bool read_container(gemma4_reader *reader, container *in)
{
    due next = DUE_ELEMENT;
    bool good;

    while (!in->closed) {
        reader->at = gemma4_skip_blanks(reader, reader->at);
        if (gemma4_byte(reader, reader->at) == GEMMA4_END)
            return cut_off(reader, reader->at);
        good = next == DUE_COMMA ? read_comma(reader, in, &next)
                                 : read_element(reader, in, &next);
        if (good && reader->arguments.size >= ARGUMENTS_LIMIT)
            good = fail(reader, "limit_arguments", reader->at);
        if (!good)
            return false;
    }
    if (in->comma != NOWHERE)
        diagnose(reader, "trailing_comma", in->comma);
    naive_add_text(&reader->arguments, in->array ? "]" : "}");
    return true;
}

bool gemma4_read_arguments(gemma4_reader *reader)
{
    container root = {
        .depth = 1, .closer = reader->round ? ')' : '}', .comma = NOWHERE
    };

    return read_container(reader, &root);
}
