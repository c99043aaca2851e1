/* SPDX-License-Identifier: MIT
 *
 * Harmony, the second opinion: where a header begins, and where one ends that
 * has no <|message|>.  Nothing here reads a whole header or reports anything.
 */
#include "naive_harmony.h"

#include <string.h>

const char *const harmony_channels[] = {"analysis", "commentary", "final",
                                        NULL};
const char *const harmony_roles[] = {"assistant", "user", "system",
                                     "developer", "tool", NULL};
const char *const harmony_types[] = {"json", "code", "text", "none", NULL};

/* --- small change -------------------------------------------------------- */

bool harmony_is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

size_t harmony_skip_blanks(const char *text, size_t at, size_t end)
{
    while (at < end && harmony_is_blank(text[at]))
        at++;
    return at;
}

size_t harmony_trim_blanks(const char *text, size_t at, size_t end)
{
    while (end > at && harmony_is_blank(text[end - 1]))
        end--;
    return end;
}

bool harmony_starts(const char *text, size_t at, size_t end, const char *word)
{
    size_t size = strlen(word);

    return size <= end - at && memcmp(text + at, word, size) == 0;
}

bool harmony_begins(const char *text, size_t at, size_t end, const char *word)
{
    return end - at <= strlen(word) && memcmp(text + at, word, end - at) == 0;
}

bool harmony_begins_header(const char *text, size_t at, size_t end)
{
    for (size_t i = 0; harmony_channels[i]; i++)
        if (harmony_begins(text, at, end, harmony_channels[i]))
            return true;
    for (size_t i = 0; harmony_roles[i]; i++)
        if (harmony_begins(text, at, end, harmony_roles[i]))
            return true;
    return false;
}

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* How many bytes of text[at, end) are the first ones of |word|, in any case? */
static size_t common(const char *text, size_t at, size_t end, const char *word)
{
    size_t size = 0;

    while (word[size] && at + size < end &&
           lower(text[at + size]) == word[size])
        size++;
    return size;
}

static bool is_lower_letter(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

static bool is_letter_or_digit(char byte)
{
    return is_lower_letter(lower(byte)) || (byte >= '0' && byte <= '9');
}

bool harmony_is_name_byte(char byte)
{
    return is_letter_or_digit(byte) || (byte && strchr("_.-:/", byte));
}

harmony_slice harmony_slice_of(const char *data, size_t size)
{
    harmony_slice made = {data, size};

    return made;
}

bool harmony_equals(harmony_slice word, const char *other)
{
    return word.size == strlen(other) &&
           memcmp(word.data, other, word.size) == 0;
}

bool harmony_is_one_of(harmony_slice word, const char *const *list)
{
    while (*list && !harmony_equals(word, *list))
        list++;
    return *list != NULL;
}

harmony_slice harmony_up_to(harmony_slice word, char stop)
{
    const char *found = word.size ? memchr(word.data, stop, word.size) : NULL;

    return found ? harmony_slice_of(word.data, (size_t)(found - word.data))
                 : word;
}

const char *harmony_channel(harmony_slice word)
{
    for (size_t i = 0; harmony_channels[i]; i++)
        if (word.size == strlen(harmony_channels[i]) &&
            common(word.data, 0, word.size, harmony_channels[i]) == word.size)
            return harmony_channels[i];
    return NULL;
}

/* --- where does a header begin? ------------------------------------------ */

/* Behind a role or channel: blanks and `to=`, or not. */
static harmony_verdict recipient_follows(const char *text, size_t at,
                                         size_t end, size_t *sure)
{
    at = harmony_skip_blanks(text, at, end);
    *sure = at + 3;
    if (harmony_starts(text, at, end, "to="))
        return HARMONY_YES;
    return harmony_begins(text, at, end, "to=") ? HARMONY_CUT : HARMONY_NO;
}

/* A channel glued to the word in front: with markers to come it is a header,
 * but nine bytes are all that is waited for. */
static bool is_glued_channel(const char *text, size_t at, size_t end)
{
    if (end - at >= 10)
        return false;
    for (size_t i = 0; harmony_channels[i]; i++)
        if (harmony_begins(text, at, end, harmony_channels[i]) ||
            harmony_starts(text, at, end, harmony_channels[i]))
            return true;
    return false;
}

harmony_verdict harmony_rest_of_header(const char *text, size_t at, size_t end,
                                       size_t *sure)
{
    static const char *const words[] = {"assistant", "analysis", "commentary",
                                        "final", NULL};
    harmony_verdict verdict = recipient_follows(text, at, end, sure);

    if (verdict != HARMONY_NO)
        return verdict;
    at = harmony_skip_blanks(text, at, end);
    for (size_t i = 0; words[i]; i++) {
        size_t behind = at + strlen(words[i]);

        if (harmony_begins(text, at, end, words[i]))
            return HARMONY_CUT;
        if (!harmony_starts(text, at, end, words[i]))
            continue;
        if (harmony_is_blank(text[behind]))
            return recipient_follows(text, behind, end, sure);
        return is_glued_channel(text, behind, end) ? HARMONY_CUT : HARMONY_NO;
    }
    return HARMONY_NO;
}

/* `assistant`, `tool:x`, `functions.f`, `python`, and channels by mistake. */
static bool is_speaker(harmony_slice word)
{
    return harmony_is_one_of(harmony_up_to(word, ':'), harmony_roles) ||
           (word.size && memchr(word.data, '.', word.size)) ||
           harmony_channel(word) || harmony_equals(word, "python");
}

/* Of the end of the text, or of the first marker behind a word. */
static harmony_verdict marker_verdict(size_t at, size_t end, harmony_kind kind,
                                      bool wanted)
{
    if (at == end)
        return HARMONY_CUT;
    return wanted && (kind == HARMONY_CHANNEL || kind == HARMONY_MESSAGE ||
                      kind == HARMONY_CONSTRAIN)
               ? HARMONY_YES
               : HARMONY_NO;
}

/* <|start|>: a role, then a marker or ` to=`; 300 bytes may be undecided. */
static harmony_verdict next_by_start(const char *text, size_t end,
                                     const harmony_marker *markers,
                                     size_t *behind)
{
    size_t at = markers->at, last = at + 300, stop, name;

    for (; markers->kind == HARMONY_START && markers->at == at; markers++) {
        if (at + markers->size > last) { /* nothing but this marker, again */
            *behind = at;
            return HARMONY_NO;
        }
        at += markers->size;
    }
    *behind = at;
    stop = markers->at < end ? markers->at : end;
    for (name = at; at < stop && harmony_is_name_byte(text[at]);)
        at++;
    bool speaker = is_speaker(harmony_slice_of(text + name, at - name));

    if (at > last)
        return HARMONY_NO;
    if (at == stop)
        return marker_verdict(at, end, markers->kind, speaker || at == name);
    if (text[at] != ' ' || !speaker || ++at > last)
        return HARMONY_NO;
    if (at == stop)
        return marker_verdict(at, end, markers->kind, true);
    if (harmony_starts(text, at, stop, "to="))
        return at + 2 <= last ? HARMONY_YES : HARMONY_NO;
    return harmony_begins(text, at, stop, "to=") && stop == end && stop <= last
               ? HARMONY_CUT
               : HARMONY_NO;
}

/* Behind <|channel|> and a known channel, text[at] is no name byte: a marker,
 * or blanks and one of four words, all within 32 bytes of |from|. */
static harmony_verdict behind_channel(const char *text, size_t from, size_t at,
                                      size_t stop, size_t end,
                                      harmony_kind kind)
{
    static const char *const words[] = {"to=", "functions.", "json", "code"};

    if (at < stop && text[at] != ' ')
        return HARMONY_NO;
    bool glued = at == stop;

    while (at < stop && text[at] == ' ')
        at++;
    if (at == stop)
        return glued || at - from < 32 ? marker_verdict(at, end, kind, true)
                                       : HARMONY_NO;
    for (size_t i = 0; i < 4; i++) {
        size_t size = common(text, at, stop, words[i]);

        if (!words[i][size])
            return at + size - from <= 32 ? HARMONY_YES : HARMONY_NO;
        if (at + size == end && end - from < 32)
            return HARMONY_CUT;
    }
    return HARMONY_NO;
}

/* <|channel|>: a known channel or none at all. */
static harmony_verdict next_by_channel(const char *text, size_t end,
                                       const harmony_marker *markers,
                                       size_t *behind)
{
    size_t from = markers[0].at + markers[0].size, at = from;
    size_t stop = markers[1].at < end ? markers[1].at : end;

    *behind = from;
    while (at < stop && text[at] == ' ')
        at++;
    for (size_t i = 0; harmony_channels[i]; i++) {
        size_t size = common(text, at, stop, harmony_channels[i]);

        if (!harmony_channels[i][size])
            return at + size - from <= 20
                       ? behind_channel(text, from, at + size, stop, end,
                                        markers[1].kind)
                       : HARMONY_NO;
        if (at + size == stop && stop - from < 20 && (stop == end || !size))
            return marker_verdict(stop, end, markers[1].kind, true);
    }
    return HARMONY_NO;
}

harmony_verdict harmony_next_header(const char *text, size_t end,
                                    const harmony_marker *markers,
                                    size_t *behind)
{
    return markers->kind == HARMONY_START
               ? next_by_start(text, end, markers, behind)
               : next_by_channel(text, end, markers, behind);
}

/* --- the markers were stripped ------------------------------------------- */

static harmony_stripped stripped_verdict(harmony_verdict verdict)
{
    harmony_stripped made = {.verdict = verdict};

    return made;
}

/* text[behind] follows a channel name that begins at |at|. */
static harmony_stripped stripped_channel(const char *text, size_t at,
                                         size_t behind, size_t end,
                                         const char *channel, bool has_role)
{
    harmony_stripped made = {HARMONY_YES, behind, channel, 0, false};

    if (harmony_starts(text, behind, end, " to=")) {
        made.visible = at; /* the channel's name belongs to the header */
        made.channel = NULL;
        made.sure = behind + 4;
        return made;
    }
    if (harmony_begins(text, behind, end, " to="))
        return stripped_verdict(HARMONY_CUT);
    if (harmony_is_blank(text[behind]))
        return stripped_verdict(HARMONY_NO); /* `analysis of ...` is prose */
    if (!has_role && strcmp(channel, "final") == 0 &&
        is_lower_letter(text[behind]))
        return stripped_verdict(HARMONY_NO); /* `finally` */
    return made;
}

harmony_stripped harmony_read_stripped(const char *text, size_t at, size_t end)
{
    harmony_stripped made = stripped_verdict(HARMONY_NO);
    bool has_role;

    at = harmony_skip_blanks(text, at, end);
    if (harmony_begins(text, at, end, "assistant"))
        return stripped_verdict(HARMONY_CUT);
    has_role = harmony_starts(text, at, end, "assistant");
    if (has_role)
        at += strlen("assistant");
    for (size_t i = 0; harmony_channels[i]; i++) {
        if (harmony_begins(text, at, end, harmony_channels[i]))
            return stripped_verdict(HARMONY_CUT);
        if (harmony_starts(text, at, end, harmony_channels[i]))
            return stripped_channel(text, at, at + strlen(harmony_channels[i]),
                                    end, harmony_channels[i], has_role);
    }
    made.verdict = recipient_follows(text, at, end, &made.sure);
    made.visible = at;
    made.plain = !has_role;
    return made;
}

/* --- headers without <|message|> ----------------------------------------- */

static size_t skip_word(const char *text, size_t at, size_t end)
{
    while (at < end && is_letter_or_digit(text[at]))
        at++;
    return at;
}

/* A target ends at a blank; VT and FF are none here. */
static size_t skip_target(const char *text, size_t at, size_t end)
{
    while (at < end && (!harmony_is_blank(text[at]) || text[at] == '\v' ||
                        text[at] == '\f'))
        at++;
    return at;
}

/* `json` and blanks, and nothing more. */
static bool is_only_type(const char *text, size_t at, size_t end)
{
    for (size_t i = 0; harmony_types[i]; i++)
        if (harmony_starts(text, at, end, harmony_types[i]) &&
            harmony_skip_blanks(text, at + strlen(harmony_types[i]), end) ==
                end)
            return true;
    return false;
}

/* Behind the channel: content types and recipients still belong to the
 * header, and so do the blanks in front of the body. */
static size_t skip_header_words(const char *text, size_t at, size_t end)
{
    for (;;) {
        size_t word = harmony_skip_blanks(text, at, end);

        if (harmony_starts(text, word, end, "<|constrain|>")) {
            word += strlen("<|constrain|>");
            word = harmony_skip_blanks(text, word, end);
            at = skip_word(text, word, end);
        } else if (word > at && is_only_type(text, word, end)) {
            return end;
        } else if (word > at && harmony_starts(text, word, end, "to=")) {
            at = skip_target(text, word, end);
        } else {
            return word;
        }
    }
}

size_t harmony_body_of_header(const harmony_span *span, const char **channel)
{
    const char *text = span->text;
    const harmony_marker *marker = span->markers;
    size_t at = span->at;
    bool marked = false;

    for (; marker->at < span->end; marker++) {
        if (marker->kind == HARMONY_CHANNEL) {
            marked = true;
            at = marker->at + marker->size;
        }
        if (!marked && marker->kind == HARMONY_START && marker->at == at)
            at += marker->size;
    }
    if (!marked && span->explicit_start &&
        harmony_starts(text, at, span->end, "assistant"))
        at += strlen("assistant");
    *channel = NULL;
    size_t word = harmony_skip_blanks(text, at, span->end);

    for (size_t i = 0; harmony_channels[i]; i++) {
        size_t size = common(text, word, span->end, harmony_channels[i]);

        if (!harmony_channels[i][size]) {
            *channel = harmony_channels[i];
            at = word + size;
        }
    }
    return marked && !*channel ? at : skip_header_words(text, at, span->end);
}
