/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: values without delimiters.
 */
#include "naive_gemma4.h"

#include <string.h>

/* ---- Scalars ---- */

static size_t skip_digits(const char *data, size_t size, size_t at)
{
    while (at < size && gemma4_is_digit(data[at]))
        at++;
    return at;
}

size_t gemma4_number_size(const char *data, size_t size)
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
        if (gemma4_is_word(data, size, words[i][0]))
            return words[i][1];
    return NULL;
}

static bool is_scalar(const gemma4_reader *reader, size_t start, size_t end)
{
    const char *data = reader->text + start;
    size_t size = gemma4_trimmed_size(data, end - start);

    return literal(data, size) ||
           (size > 0 && gemma4_number_size(data, size) == size);
}

/* ---- Where the value ends ---- */

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
static bare_step bare_ends_before(const gemma4_container *in, bare *value,
                                  size_t end)
{
    return bare_ends_at(value, in->array && value->comma != GEMMA4_NOWHERE
                                   ? value->comma
                                   : end);
}

static bare_step bare_delimiter(gemma4_reader *reader,
                                const gemma4_container *in, bare *value)
{
    bool opens = in->array ? value->last == ','
                           : value->last == ':' || value->last == '=';

    if (opens && value->comma != GEMMA4_NOWHERE)
        return bare_ends_at(value, value->comma); /* it is the next one's */
    if (gemma4_follow_of_string(reader, in, value->at + gemma4_quote_size()))
        return BARE_WAS_STRING;
    if (opens && value->closer != GEMMA4_NOWHERE)
        return bare_ends_before(in, value, value->closer);
    if (opens) {
        gemma4_fail(reader, "stray_delimiter", value->at);
        return BARE_FAILS;
    }
    value->delimiter = value->at;
    value->at += gemma4_quote_size();
    return BARE_GOES_ON;
}

static bare_step bare_marker(gemma4_reader *reader, const gemma4_container *in,
                             bare *value)
{
    if (value->closer != GEMMA4_NOWHERE)
        return bare_ends_before(in, value, value->closer);
    if (value->depth == 0)
        return bare_ends_before(in, value, value->at);
    gemma4_fail(reader, "unbalanced_text", value->start);
    return BARE_FAILS;
}

/* `<|"|>key<|"|>:` */
static bool delimited_key_at(const gemma4_reader *reader, size_t at)
{
    size_t end = at + gemma4_quote_size();

    for (; end - at < GEMMA4_NEAR; end++)
        if (gemma4_body_marker_at(reader, end) == GEMMA4_QUOTE) {
            end = gemma4_skip_blanks(reader, end + gemma4_quote_size());
            return gemma4_is_one_of(gemma4_byte(reader, end), ":=");
        }
    return false;
}

/* Does the comma at |comma| end the pair?  Not without a key behind it; any
 * key will do behind a number or literal. */
static bool comma_ends_pair(const gemma4_reader *reader,
                            const gemma4_container *in, size_t comma,
                            bool scalar)
{
    size_t at = gemma4_skip_blanks(reader, comma + 1);
    gemma4_marker marker = gemma4_value_marker_at(reader, at);
    int byte = gemma4_byte(reader, at);
    bool equals = scalar || in->separator == '=';

    if (byte == GEMMA4_END || gemma4_is_one_of(byte, ",\"'") ||
        gemma4_is_closer(reader, byte) || gemma4_is_structure(marker))
        return true;
    if (marker == GEMMA4_QUOTE)
        return scalar || delimited_key_at(reader, at);
    return gemma4_separator_behind(reader, comma, scalar, equals ? ":=" : ":",
                                   scalar ? GEMMA4_FAR : GEMMA4_NEAR,
                                   NULL) != GEMMA4_NOWHERE;
}

static bare_step bare_comma(const gemma4_reader *reader,
                            const gemma4_container *in, bare *value)
{
    bool scalar = value->comma == GEMMA4_NOWHERE &&
                  is_scalar(reader, value->start, value->at);

    if (in->array ? scalar || value->at < in->cut_until
                  : comma_ends_pair(reader, in, value->at, scalar))
        return bare_ends_at(value, value->at);
    if (!in->array || value->comma == GEMMA4_NOWHERE)
        value->comma = value->at;
    return BARE_GOES_ON;
}

static bare_step bare_closer(const gemma4_reader *reader,
                             const gemma4_container *in, bare *value)
{
    size_t at = gemma4_skip_blanks(reader, value->at + 1);
    int byte = gemma4_byte(reader, at);

    if (value->closer == GEMMA4_NOWHERE)
        value->closer = value->at;
    if (byte == GEMMA4_END || gemma4_is_one_of(byte, ",}])") ||
        gemma4_is_structure(gemma4_value_marker_at(reader, at)) ||
        gemma4_call_at(reader, at))
        return bare_ends_before(in, value, value->closer);
    return BARE_GOES_ON;
}

/* A closer of the value's own brackets; none, where a call follows. */
static bare_step inner_closer(gemma4_reader *reader, bare *value)
{
    size_t at = gemma4_skip_blanks(reader, value->at + 1);

    value->depth--;
    if (!gemma4_call_at(reader, at))
        return BARE_GOES_ON;
    gemma4_fail(reader, "unbalanced_text", value->at);
    return BARE_FAILS;
}

/* More than a stream can hold: only a number can go on. */
static bare_step bare_gives_up(gemma4_reader *reader, bare *value)
{
    const char *data = reader->text + value->start;
    size_t size = gemma4_number_size(data, reader->size - value->start);

    if (size >= GEMMA4_FAR) {
        value->at = value->start + size;
        return bare_ends_at(value, value->at);
    }
    gemma4_fail(reader, "limit_lookahead", value->start);
    return BARE_FAILS;
}

/* Looks at what stands at |value->at|. */
static bare_step step_in_bare(gemma4_reader *reader,
                              const gemma4_container *in, bare *value)
{
    int byte = gemma4_byte(reader, value->at);
    gemma4_marker marker = gemma4_value_marker_at(reader, value->at);
    bare_step step = BARE_GOES_ON;

    if (value->at - value->start > GEMMA4_FAR)
        return bare_gives_up(reader, value);
    if (byte == GEMMA4_END &&
        (!marker || (value->depth > 0 && value->closer == GEMMA4_NOWHERE))) {
        if (value->closer != GEMMA4_NOWHERE)
            return bare_ends_at(value, value->closer);
        gemma4_cut_off(reader, value->at);
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
    else if (gemma4_is_closer(reader, byte) && value->depth > 0)
        step = inner_closer(reader, value);
    else if (gemma4_is_closer(reader, byte))
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
    gemma4_diagnose(reader, "missing_string_open", value->start);
    if (value->delimiter != GEMMA4_NOWHERE)
        gemma4_diagnose(reader, "interior_delimiter", value->delimiter);
    return gemma4_end_string(reader, value->start, value->at,
                             value->at + gemma4_quote_size());
}

static bool end_bare(gemma4_reader *reader, gemma4_container *in,
                     const bare *value)
{
    const char *data = reader->text + value->start;
    size_t size = gemma4_trimmed_size(data, value->end - value->start);
    const char *word = literal(data, size);

    if (value->at > in->cut_until)
        in->cut_until = value->at;
    if (value->delimiter != GEMMA4_NOWHERE && value->delimiter < value->end)
        return gemma4_fail(reader, "stray_delimiter", value->delimiter);
    if (word) {
        if (!gemma4_is_word(data, size, word))
            gemma4_diagnose(reader, "python_literals", value->start);
        naive_add_text(&reader->arguments, word);
    } else if (gemma4_number_size(data, size) == size) {
        naive_add(&reader->arguments, data, size);
    } else {
        gemma4_diagnose(reader, "bare_string", value->start);
        gemma4_add_json_string(reader, value->start, value->start + size);
    }
    reader->at = value->end;
    return true;
}

bool gemma4_read_bare(gemma4_reader *reader, gemma4_container *in)
{
    bare value = {
        .start = reader->at, .at = reader->at, .comma = GEMMA4_NOWHERE,
        .closer = GEMMA4_NOWHERE, .delimiter = GEMMA4_NOWHERE
    };
    bare_step step = BARE_GOES_ON;

    while (step == BARE_GOES_ON)
        step = step_in_bare(reader, in, &value);
    if (step == BARE_FAILS)
        return false;
    return step == BARE_WAS_STRING ? end_lost_string(reader, &value)
                                   : end_bare(reader, in, &value);
}
