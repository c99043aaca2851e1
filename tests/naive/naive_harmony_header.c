/* SPDX-License-Identifier: MIT
 *
 * Harmony, the second opinion: what a header says.
 *
 *     <|start|>ROLE to=TARGET<|channel|>CHANNEL to=TARGET <|constrain|>TYPE
 *
 * in any order, with any part missing.  The recipient decides what a message
 * is, then the channel.
 */
#include "naive_harmony.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONS "functions."

static const char *const not_tools[] = {"assistant", "user",      "all",
                                        "system",    "developer", NULL};

/* Blanks inside a header.  Those without width separate words like the
 * others, but a channel name is still glued to a `to=` if one is in front. */
static const struct {
    const char *bytes;
    bool has_width;
} header_blanks[] = {
    {" ", true},
    {"\t", true},
    {"\r", true},
    {"\n", true},
    {"\v", true},
    {"\f", true},
    {"\xC2\xA0", true},      /* U+00A0 no-break space */
    {"\xE3\x80\x80", true},  /* U+3000 ideographic space */
    {"\xE2\x80\xA8", true},  /* U+2028 line separator */
    {"\xE2\x80\xA9", true},  /* U+2029 paragraph separator */
    {"\xE2\x80\x8B", false}, /* U+200B zero width space */
    {"\xE2\x80\x8C", false}, /* U+200C zero width non-joiner */
    {"\xE2\x80\x8D", false}, /* U+200D zero width joiner */
    {"\xE2\x81\xA0", false}, /* U+2060 word joiner */
    {"\xEF\xBB\xBF", false}, /* U+FEFF byte order mark */
};

/* --- the words of a header ----------------------------------------------- */

/* The size of the blank at text[at], or 0. */
static size_t blank_at(harmony_slice text, size_t at, bool only_with_width)
{
    for (size_t i = 0; i < sizeof header_blanks / sizeof *header_blanks; i++)
        if (harmony_starts(text.data, at, text.size, header_blanks[i].bytes) &&
            (header_blanks[i].has_width || !only_with_width))
            return strlen(header_blanks[i].bytes);
    return 0;
}

/* The size of the blank whose last byte is in front of text[at], or 0. */
static size_t blank_before(harmony_slice text, size_t at, bool only_with_width)
{
    for (size_t size = 1; size <= 3 && size <= at; size++)
        if (blank_at(harmony_slice_of(text.data, at), at - size,
                     only_with_width) == size)
            return size;
    return 0;
}

static harmony_slice trim_start(harmony_slice text, bool only_with_width)
{
    size_t at = 0, size;

    while ((size = blank_at(text, at, only_with_width)) > 0)
        at += size;
    return harmony_slice_of(text.data + at, text.size - at);
}

static harmony_slice trim(harmony_slice text, bool only_with_width)
{
    size_t size;

    while ((size = blank_before(text, text.size, only_with_width)) > 0)
        text.size -= size;
    return trim_start(text, only_with_width);
}

/* Takes the first word off |text|; an empty word: there is none left. */
static harmony_slice next_word(harmony_slice *text)
{
    harmony_slice rest = trim_start(*text, false);
    size_t at = 0;

    while (at < rest.size && !blank_at(rest, at, false))
        at++;
    *text = harmony_slice_of(rest.data + at, rest.size - at);
    return harmony_slice_of(rest.data, at);
}

static size_t count_words(harmony_slice text)
{
    size_t count = 0;

    while (next_word(&text).size)
        count++;
    return count;
}

/* Is there a blank of |run_lowest| bytes or more?  Those of ASCII have one. */
static bool has_blank(harmony_slice text, size_t least)
{
    for (size_t at = 0; at < text.size; at++)
        if (blank_at(text, at, false) >= least)
            return true;
    return false;
}

/* Where is the first `to=` from |at| on that begins a word or is glued to a
 * channel's name (`commentaryto=`)?  text.size if there is none. */
static size_t find_recipient(harmony_slice text, size_t at)
{
    for (; at + 3 <= text.size; at++)
        if (harmony_starts(text.data, at, text.size, "to=") &&
            (at == 0 || blank_before(text, at, false) ||
             harmony_channel(trim(harmony_slice_of(text.data, at), true))))
            return at;
    return text.size;
}

/* --- what a header says -------------------------------------------------- */

typedef struct header_reader {
    const naive_options *options;
    const harmony_span *span;
    naive_message *message; /* or NULL */
    harmony_header *header;
    harmony_slice role, lone; /* |lone|: a tool without `to=` */
    size_t channel_count, recipient_count, type_count;
    bool channel_named, channel_odd;
    bool to_assistant;
    bool wants_tool;
    harmony_slice tool; /* the last recipient that may be a tool, and on */
} header_reader;

static void say(header_reader *reader, const char *code)
{
    if (reader->message)
        naive_diagnose(reader->message, code, reader->span->at);
}

bool harmony_is_listed(const naive_options *options, harmony_slice name)
{
    for (size_t i = 0; options->has_tools && i < options->tool_count; i++)
        if (harmony_equals(name, options->tools[i]))
            return true;
    return false;
}

static void add_channel(header_reader *reader, harmony_slice word)
{
    const char *known = harmony_channel(word);

    reader->channel_count++;
    if (word.size)
        reader->channel_named = true;
    if (word.size && (!known || !harmony_equals(word, known)))
        reader->channel_odd = true;
    if (known)
        reader->header->channel = known;
}

static void add_recipient(header_reader *reader, harmony_slice region)
{
    harmony_slice text = region, word = harmony_up_to(next_word(&text), '<');

    reader->recipient_count++;
    if (harmony_equals(word, "assistant"))
        reader->to_assistant = true;
    if (harmony_is_one_of(word, not_tools))
        return;
    reader->wants_tool = true;
    reader->tool = region;
}

/* A word that is no role and no channel: a content type, or in its place a
 * tool's name whose `to=` was forgotten. */
static void add_word(header_reader *reader, harmony_kind kind,
                     harmony_slice word)
{
    bool tool = (harmony_starts(word.data, 0, word.size, FUNCTIONS) &&
                 word.size > strlen(FUNCTIONS)) ||
                harmony_is_listed(reader->options, word);

    if (kind == HARMONY_CONSTRAIN || !tool)
        reader->type_count++;
    else if (!reader->lone.size)
        reader->lone = word;
}

/* The words of one segment in front of its first `to=`. */
static void read_words(header_reader *reader, harmony_kind kind, bool first,
                       harmony_slice words)
{
    harmony_slice word = next_word(&words);

    if (kind == HARMONY_CONSTRAIN && !word.size)
        say(reader, "odd_content_type"); /* <|constrain|><|constrain|> */
    if (word.size && (kind == HARMONY_START ||
                      (first && harmony_is_one_of(harmony_up_to(word, ':'),
                                                  harmony_roles)))) {
        reader->role = word;
        word = next_word(&words);
    }
    if (kind == HARMONY_CHANNEL) {
        add_channel(reader, word);
        if (reader->type_count)
            say(reader, "odd_order");
        word = next_word(&words);
    } else if (first && harmony_channel(word)) {
        add_channel(reader, word); /* <|channel|> was stripped or forgotten */
        word = next_word(&words);
    }
    for (; word.size; word = next_word(&words))
        add_word(reader, kind, word);
}

/* What stands behind one marker, or in front of the first (|first|). */
static void read_segment(header_reader *reader, harmony_kind kind, bool first,
                         harmony_slice text)
{
    size_t at = find_recipient(text, 0);

    read_words(reader, kind, first, harmony_slice_of(text.data, at));
    while (at < text.size) {
        size_t next = find_recipient(text, at + 3);
        harmony_slice region =
            harmony_slice_of(text.data + at + 3, next - at - 3);

        if (at > 0 && !blank_before(text, at, false))
            say(reader, "odd_channel"); /* commentaryto=... */
        /* What follows the last recipient keeps its blanks: they are what
         * ends a name as it should. */
        add_recipient(reader, next < text.size ? trim(region, false)
                                               : trim_start(region, false));
        at = next;
    }
}

static void judge_role(header_reader *reader)
{
    const char *channel = harmony_channel(reader->role);

    if (reader->span->explicit_start && !reader->role.size)
        say(reader, "missing_role");
    if (!channel)
        return;
    if (!reader->header->channel)
        reader->header->channel = channel;
    reader->role.size = 0;
    say(reader, "channel_as_role");
}

static void judge_channels(header_reader *reader, bool known)
{
    if (reader->channel_count && !known)
        say(reader,
            reader->channel_named ? "unknown_channel" : "empty_channel");
    else if (reader->channel_count > 1 || reader->channel_odd)
        say(reader, "odd_channel");
    else if (!reader->channel_count && !reader->recipient_count)
        say(reader, "missing_channel");
}

/* A declared tool in the author's place, with a content type: a call whose
 * ` to=` was forgotten. */
static bool is_call_of_author(const header_reader *reader)
{
    size_t space = strlen(FUNCTIONS);
    harmony_slice name = reader->role;

    if (reader->recipient_count || reader->lone.size || !reader->type_count)
        return false;
    if (harmony_starts(name.data, 0, name.size, FUNCTIONS))
        name = harmony_slice_of(name.data + space, name.size - space);
    return harmony_is_listed(reader->options, name);
}

/* Is it written by somebody else?  A tool's result comes from a dotted role
 * or from python, and is no call. */
static bool is_foreign(header_reader *reader)
{
    harmony_slice role = harmony_up_to(reader->role, ':');

    if (!reader->role.size || harmony_equals(role, "assistant"))
        return false;
    if (harmony_is_one_of(role, harmony_roles))
        return true;
    if (is_call_of_author(reader)) {
        reader->lone = reader->role;
        say(reader, "unknown_role");
        return false;
    }
    if (!reader->wants_tool &&
        (reader->to_assistant ||
         memchr(reader->role.data, '.', reader->role.size) ||
         harmony_equals(reader->role, "python")))
        return true;
    say(reader, "unknown_role");
    return false;
}

/* The size of the longest listed name that |text| begins with, or 0. */
static size_t listed_name(const header_reader *reader, harmony_slice text)
{
    size_t best = 0;

    for (size_t i = 0;
         reader->options->has_tools && i < reader->options->tool_count; i++) {
        size_t size = strlen(reader->options->tools[i]);

        if (size <= best || !harmony_starts(text.data, 0, text.size,
                                            reader->options->tools[i]))
            continue;
        if (size == text.size || !harmony_is_name_byte(text.data[size]) ||
            (reader->span->stripped &&
             harmony_is_one_of(
                 trim(harmony_slice_of(text.data + size, text.size - size),
                      false),
                 harmony_types)))
            best = size;
    }
    return best;
}

static size_t plain_name(const header_reader *reader, harmony_slice text)
{
    size_t size = 0;

    while (size < text.size && text.data[size] != '<' &&
           !blank_at(text, size, false))
        size++;
    if (reader->span->stripped && size == text.size && size > 4 &&
        (harmony_equals(harmony_slice_of(text.data + size - 4, 4), "json") ||
         harmony_equals(harmony_slice_of(text.data + size - 4, 4), "code")))
        size -= 4; /* <|constrain|> was stripped */
    return size;
}

static void judge_name(header_reader *reader, harmony_slice rest)
{
    harmony_slice name =
        harmony_slice_of(reader->header->name.data, reader->header->name.size);

    if (rest.size && (rest.data[0] != ' ' || has_blank(rest, 2)))
        say(reader, "name_repaired");
    if (has_blank(name, 1))
        say(reader, "name_with_blank");
    if (reader->options->has_tools && reader->options->tool_count &&
        reader->header->function && !harmony_is_listed(reader->options, name))
        say(reader, "undeclared_tool");
    if (!reader->header->function && !memchr(name.data, '.', name.size) &&
        !harmony_equals(name, "python"))
        say(reader, "bare_recipient");
}

/* |region| follows the `to=`: the name and, perhaps, content types. */
static void read_tool(header_reader *reader, harmony_slice region)
{
    harmony_slice rest = region;
    size_t size;

    reader->header->function =
        harmony_starts(region.data, 0, region.size, FUNCTIONS);
    if (reader->header->function)
        rest = harmony_slice_of(region.data + strlen(FUNCTIONS),
                                region.size - strlen(FUNCTIONS));
    size = listed_name(reader, rest);
    bool listed = size > 0;

    if (!listed)
        size = plain_name(reader, rest);
    harmony_slice name = harmony_slice_of(rest.data, size);

    rest = harmony_slice_of(rest.data + size, rest.size - size);
    reader->type_count += count_words(rest);
    if (rest.size && rest.data[0] != ' ' && count_words(rest))
        reader->type_count--; /* that is glued to the name */
    if (!listed &&
        (!name.size || name.data[name.size - 1] == '.' ||
         (!reader->header->function && harmony_equals(name, "functions")))) {
        say(reader, "no_name");
        reader->header->callish = true;
        return;
    }
    reader->header->has_name = true;
    naive_add(&reader->header->name, name.data, name.size);
    judge_name(reader, rest);
}

static void judge_recipient(header_reader *reader)
{
    if (reader->recipient_count && !reader->wants_tool)
        say(reader, "not_a_tool"); /* to=user, to=all */
    if (reader->recipient_count && reader->lone.size)
        reader->type_count++;
    if (reader->recipient_count > 1)
        say(reader, "repeated_recipient");
    if (reader->wants_tool) {
        read_tool(reader, reader->tool);
    } else if (reader->lone.size && !reader->recipient_count) {
        say(reader, "missing_to");
        read_tool(reader, reader->lone);
    }
    if (reader->type_count > 0 && !reader->header->has_name &&
        !(reader->header->channel &&
          strcmp(reader->header->channel, "final") == 0))
        reader->header->callish = true;
    if (reader->type_count > 1)
        say(reader, "odd_content_type");
}

/* The segments are decoded: a name is UTF-8 whatever came over the wire.
 * They live until the header is read, as words are slices of them. */
static size_t read_segments(header_reader *reader, naive_bytes *segments)
{
    const harmony_span *span = reader->span;
    const harmony_marker *marker = span->markers;
    harmony_kind kind = HARMONY_MESSAGE;
    size_t at = span->at, count = 0;

    for (;; marker++) {
        size_t end = marker->at < span->end ? marker->at : span->end;
        naive_bytes *segment = &segments[count];

        naive_add_utf8(segment, span->text + at, end - at);
        read_segment(reader, kind, count++ == 0,
                     harmony_slice_of(segment->data, segment->size));
        if (end == span->end)
            return count;
        kind = marker->kind;
        at = marker->at + marker->size;
    }
}

void harmony_parse_header(const naive_options *options,
                          const harmony_span *span, naive_message *message,
                          harmony_header *out)
{
    header_reader reader = {.options = options,
                            .span = span,
                            .message = message,
                            .header = out,
                            .role = {"", 0},
                            .lone = {"", 0}};
    /* The shortest marker has seven bytes. */
    size_t most = (span->end - span->at) / 7 + 2, count;
    naive_bytes *segments = calloc(most, sizeof *segments);

    if (!segments)
        abort();
    memset(out, 0, sizeof *out);
    count = read_segments(&reader, segments);
    bool known = out->channel != NULL;

    judge_role(&reader);
    judge_channels(&reader, known);
    out->foreign = is_foreign(&reader);
    if (!out->foreign)
        judge_recipient(&reader);
    while (count > 0)
        naive_release(&segments[--count]);
    free(segments);
}
