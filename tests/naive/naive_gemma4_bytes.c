/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: bytes and markers.
 */
#include "naive_gemma4.h"
#include "naive_json.h"

#include <string.h>

static const char *const MARKERS[] = {
    [GEMMA4_NONE] = "",
    [GEMMA4_QUOTE] = "<|\"|>",
    [GEMMA4_CALL] = "<|tool_call>",
    [GEMMA4_CALL_END] = "<tool_call|>",
    [GEMMA4_CHANNEL] = "<|channel>",
    [GEMMA4_CHANNEL_END] = "<channel|>",
    [GEMMA4_TURN_END] = "<turn|>",
    [GEMMA4_EOS] = "<eos>",
    [GEMMA4_RESPONSE] = "<|tool_response>",
};

int gemma4_byte(const gemma4_reader *reader, size_t at)
{
    return at < reader->size ? (unsigned char)reader->text[at] : GEMMA4_END;
}

bool gemma4_starts(const gemma4_reader *reader, size_t at, const char *word)
{
    size_t length = strlen(word);

    return at <= reader->size && reader->size - at >= length &&
           memcmp(reader->text + at, word, length) == 0;
}

bool gemma4_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

size_t gemma4_skip_blanks(const gemma4_reader *reader, size_t at)
{
    while (gemma4_is_blank(gemma4_byte(reader, at)))
        at++;
    return at;
}

gemma4_marker gemma4_marker_at(const gemma4_reader *reader, size_t at)
{
    int marker;

    if (gemma4_byte(reader, at) != '<')
        return GEMMA4_NONE;
    for (marker = GEMMA4_QUOTE; marker <= GEMMA4_RESPONSE; marker++)
        if (gemma4_starts(reader, at, MARKERS[marker]))
            return (gemma4_marker)marker;
    return GEMMA4_NONE;
}

gemma4_marker gemma4_body_marker_at(const gemma4_reader *reader, size_t at)
{
    gemma4_marker marker = gemma4_marker_at(reader, at);

    return marker == GEMMA4_CHANNEL_END ? GEMMA4_NONE : marker;
}

/* The output ends in half a marker. */
static bool ends_in_half(const gemma4_reader *reader)
{
    for (size_t half = 1; half <= reader->size; half++)
        for (gemma4_marker i = GEMMA4_QUOTE; i <= GEMMA4_RESPONSE; i++)
            if (half < gemma4_marker_size(i) &&
                memcmp(reader->text + reader->size - half, MARKERS[i],
                       half) == 0)
                return true;
    return false;
}

gemma4_marker gemma4_value_marker_at(const gemma4_reader *reader, size_t at)
{
    static const char response[] = "<|tool_response>";
    gemma4_marker marker = gemma4_body_marker_at(reader, at);
    size_t left = reader->size - at;
    /* Of a description's, the naive frame says so. */
    bool half_close = reader->options->framed
                          ? reader->options->half_close
                          : !reader->options->length && left >= 3;
    bool half = left < strlen(response) && left >= strlen("<|tool_r") &&
                memcmp(reader->text + at, response, left) == 0;

    if (!marker && half_close && gemma4_close_marker_cut_at(reader, at))
        return GEMMA4_CALL_END;
    return marker || reader->options->length ||
                   (left > 0 ? !half : ends_in_half(reader))
               ? marker
               : GEMMA4_RESPONSE;
}

gemma4_marker gemma4_text_marker_at(const gemma4_reader *reader, size_t at)
{
    gemma4_marker marker = gemma4_marker_at(reader, at);

    return marker == GEMMA4_QUOTE ? GEMMA4_NONE : marker;
}

size_t gemma4_marker_size(gemma4_marker marker)
{
    return strlen(MARKERS[marker]);
}

bool gemma4_is_stop(gemma4_marker marker)
{
    return marker >= GEMMA4_TURN_END;
}

bool gemma4_close_marker_cut_at(const gemma4_reader *reader, size_t at)
{
    size_t rest = reader->size - at;

    return rest > 0 && rest < gemma4_marker_size(GEMMA4_CALL_END) &&
           memcmp(reader->text + at, MARKERS[GEMMA4_CALL_END], rest) == 0;
}

bool gemma4_is_utf8(const char *data, size_t size)
{
    naive_bytes repaired = {0};
    bool same;

    naive_add_utf8(&repaired, data, size);
    same = repaired.size == size &&
           (size == 0 || memcmp(repaired.data, data, size) == 0);
    naive_release(&repaired);
    return same;
}

bool gemma4_is_structure(gemma4_marker marker)
{
    return marker != GEMMA4_NONE && marker != GEMMA4_QUOTE;
}

size_t gemma4_quote_size(void)
{
    return gemma4_marker_size(GEMMA4_QUOTE);
}

bool gemma4_is_one_of(int byte, const char *bytes)
{
    return byte > 0 && byte < 0x80 && strchr(bytes, byte) != NULL;
}

bool gemma4_is_word_start(int byte)
{
    return byte >= 0x80 || byte == '_' || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

bool gemma4_is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

bool gemma4_is_word_byte(int byte)
{
    return gemma4_is_word_start(byte) || gemma4_is_digit(byte) ||
           gemma4_is_one_of(byte, ".-");
}

bool gemma4_is_closer(const gemma4_reader *reader, int byte)
{
    return byte == '}' || byte == ']' || (byte == ')' && reader->round);
}

bool gemma4_is_word(const char *data, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(data, word, size) == 0;
}

size_t gemma4_trimmed_size(const char *data, size_t size)
{
    while (size > 0 && gemma4_is_blank(data[size - 1]))
        size--;
    return size;
}

bool gemma4_closes_reasoning(const gemma4_reader *reader, size_t at, size_t to)
{
    bool in_string = false, closes = false;

    for (; at < to && !closes; at++) {
        gemma4_marker marker = gemma4_marker_at(reader, at);

        in_string = in_string != (marker == GEMMA4_QUOTE);
        closes = !in_string && marker == GEMMA4_CHANNEL_END;
    }
    return closes;
}
