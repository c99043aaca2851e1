/* SPDX-License-Identifier: MIT
 *
 * What a Harmony header says, whatever the order of its parts.  The recipient
 * decides, then the channel.
 */
#include <string.h>

#include "formats/harmony/state.h"

/* ---- words -------------------------------------------------------------- */

/* The size of the blank that ends before |at|. */
static size_t blank_before(const uint8_t *from, const uint8_t *at)
{
    for (size_t size = 1; size <= 3; size++) {
        if ((size_t)(at - from) >= size &&
            tw_harmony_ws_at(at - size, at) == size) {
            return size;
        }
    }
    return 0;
}

static tw_slice skip_blanks(tw_slice text)
{
    size_t size;
    while (text.from < text.to &&
           (size = tw_harmony_ws_at(text.from, text.to)) > 0) {
        text.from += size;
    }
    return text;
}

static tw_slice trim_blanks(tw_slice text)
{
    size_t size;
    text = skip_blanks(text);
    while (text.to > text.from &&
           (size = blank_before(text.from, text.to)) > 0) {
        text.to -= size;
    }
    return text;
}

static const uint8_t *end_of_word(tw_slice text)
{
    while (text.from < text.to && tw_harmony_ws_at(text.from, text.to) == 0) {
        text.from++;
    }
    return text.from;
}

static size_t count_words(tw_slice text)
{
    size_t count = 0;
    for (text = skip_blanks(text); text.from < text.to;
         text = skip_blanks(text)) {
        text.from = end_of_word(text);
        count++;
    }
    return count;
}

/* Of the blanks in |text| the one of most bytes. */
static size_t widest_blank(tw_slice text)
{
    size_t most = 0;
    for (; text.from < text.to; text.from++) {
        const size_t size = tw_harmony_ws_at(text.from, text.to);
        most = size > most ? size : most;
    }
    return most;
}

/* ---- recipients --------------------------------------------------------- */

static bool lists_tool(const tw_sink *tools, tw_slice word)
{
    return tw_tools_find(tools->tools, (const char *)word.from,
                         TW_SLICE_SIZE(word)) != NULL;
}

/* The longest listed name that |text| begins with and that ends there. */
static size_t listed_prefix(const tw_sink *tools, tw_slice text, bool stripped)
{
    size_t best = 0;
    for (size_t i = 0; i < tw_tools_count(tools->tools); i++) {
        const tw_name tool = tw_tools_name(tools->tools, i);
        if (tool.size <= best || tool.size > TW_SLICE_SIZE(text) ||
            memcmp(tool.data, text.from, tool.size) != 0) {
            continue;
        }
        const tw_slice rest = {text.from + tool.size, text.to};
        if (TW_SLICE_SIZE(rest) == 0 || !tw_is_name_byte(*rest.from) ||
            (stripped && tw_slice_is_word(trim_blanks(rest), TW_WORD_TYPE))) {
            best = tool.size;
        }
    }
    return best;
}

/* A tool's name at the beginning of |region|, or none; what stands behind
 * it. */
static tw_slice resolve(tw_slice region, const tw_sink *tools, bool stripped,
                        bool *function, tw_slice *rest)
{
    static const tw_slice none = {NULL, NULL};
    tw_slice name = region;
    *function = tw_slice_begins(region, "functions.");
    name.from += *function ? 10 : 0;
    const size_t listed = listed_prefix(tools, name, stripped);
    if (listed > 0) {
        name.to = name.from + listed;
        rest->from = name.to;
        rest->to = region.to;
        return name;
    }
    name.to = end_of_word(tw_slice_before(name, '<'));
    rest->from = name.to;
    rest->to = region.to;
    /* The content type, glued to the name where its marker was stripped. */
    tw_slice type = {name.to - (TW_SLICE_SIZE(name) > 4 ? 4 : 0), name.to};
    if (stripped && name.to == region.to &&
        tw_slice_is_word(type, TW_WORD_CALL_TYPE)) {
        rest->from = name.to = type.from;
    }
    const bool bad = TW_SLICE_SIZE(name) == 0 || name.to[-1] == '.' ||
                     (!*function && tw_slice_is(name, "functions"));
    return bad ? none : name;
}

/* ---- tokens ------------------------------------------------------------- */

/* What the next word of a header may be. */
enum {
    DUE_ROLE = 1,          /* whatever it is */
    DUE_KNOWN_ROLE = 2,    /* if it is one */
    DUE_CHANNEL = 4,       /* whatever it is, even nothing */
    DUE_KNOWN_CHANNEL = 8, /* if it is one */
    DUE_TYPE = 16          /* whatever it is, and all words behind */
};

/* What is due in front, and behind a marker: a part of the header is a row. */
static const uint8_t due_behind[] = {
    [TW_HARMONY_NONE] = DUE_KNOWN_ROLE | DUE_KNOWN_CHANNEL,
    [TW_HARMONY_START] = DUE_ROLE,
    [TW_HARMONY_CHANNEL] = DUE_CHANNEL,
    [TW_HARMONY_CONSTRAIN] = DUE_TYPE,
    [TW_HARMONY_MORE] = 0, /* the last one */
};

typedef enum token { TOKEN_END, TOKEN_MARKER, TOKEN_TO, TOKEN_WORD } token;

typedef struct header_parts {
    const tw_harmony *state;
    bool report;
    /* The token that was read. */
    const uint8_t *segment; /* behind the last marker */
    tw_slice rest;
    tw_slice text;            /* of a word; of a recipient, behind its `to=` */
    tw_harmony_marker marker; /* the last one */
    uint8_t due;              /* what the next word may be */
    /* What they said. */
    tw_harmony_header header;
    tw_slice role; /* |from| NULL: none */
    size_t channels;
    bool channel_written; /* one of them is not empty */
    bool channel_odd;     /* ... and not exactly a channel's name */
    tw_channel known;     /* the last known one */
    size_t type_words;
    size_t recipients;
    bool to_assistant;
    tw_slice wanted; /* the last recipient that is no author */
    tw_slice lone;   /* a tool's name without `to=` */
} header_parts;

static void say(const header_parts *parts, uint32_t code)
{
    if (parts->report) {
        tw_harmony_diagnose(parts->state, code, parts->state->window->at);
    }
}

static tw_harmony_marker marker_at(const header_parts *parts,
                                   const uint8_t *at, size_t *size)
{
    return *at == '<' ? tw_harmony_marker_at(parts->state->window, at, size)
                      : TW_HARMONY_NONE;
}

/* A `to=` at |at| that begins a word, or is glued to a channel's name. */
static bool is_to(const header_parts *parts, const uint8_t *at)
{
    const tw_slice front = {parts->segment, at};
    return *at == 't' &&
           tw_slice_begins((tw_slice){at, parts->rest.to}, "to=") &&
           (at == parts->segment || blank_before(parts->segment, at) > 0 ||
            (!tw_slice_has_no_width(front) &&
             tw_channel_named(trim_blanks(front)) != TW_CHANNEL_NONE));
}

/* The end of the word at |at|, of the recipient where |blanks|. */
static const uint8_t *end_of_token(const header_parts *parts,
                                   const uint8_t *at, bool blanks)
{
    size_t size;
    while (at < parts->rest.to &&
           (blanks || tw_harmony_ws_at(at, parts->rest.to) == 0) &&
           marker_at(parts, at, &size) == TW_HARMONY_NONE &&
           !is_to(parts, at)) {
        at++;
    }
    return at;
}

static token next_token(header_parts *parts)
{
    tw_slice *rest = &parts->rest;
    size_t size;
    *rest = skip_blanks(*rest);
    if (rest->from == rest->to) {
        return TOKEN_END;
    }
    const tw_harmony_marker marker = marker_at(parts, rest->from, &size);
    if (marker != TW_HARMONY_NONE) {
        parts->marker = marker;
        parts->segment = rest->from += size;
        return TOKEN_MARKER;
    }
    const bool to = is_to(parts, rest->from);
    if (to && rest->from > parts->segment &&
        blank_before(parts->segment, rest->from) == 0) {
        say(parts, TW_DIAGNOSTIC_ODD_CHANNEL); /* commentaryto=... */
    }
    parts->text.from = rest->from + (to ? 3 : 0);
    parts->text.to = rest->from = end_of_token(parts, parts->text.from, to);
    return to ? TOKEN_TO : TOKEN_WORD;
}

/* ---- the parts ---------------------------------------------------------- */

static void add_channel(header_parts *parts, tw_slice word, uint8_t due)
{
    const tw_channel channel = tw_channel_named(word);
    parts->channels++;
    parts->channel_written |= TW_SLICE_SIZE(word) > 0;
    if (channel != TW_CHANNEL_NONE) {
        parts->known = channel;
    }
    parts->channel_odd |= TW_SLICE_SIZE(word) > 0 &&
                          (channel == TW_CHANNEL_NONE ||
                           !tw_slice_is(word, tw_channel_name(channel)));
    if ((due & DUE_CHANNEL) != 0 && parts->type_words > 0) {
        say(parts, TW_DIAGNOSTIC_ODD_ORDER);
    }
}

/* What was due does not come. */
static void end_words(header_parts *parts)
{
    static const tw_slice nothing = {NULL, NULL};
    if ((parts->due & DUE_CHANNEL) != 0) {
        add_channel(parts, nothing, parts->due);
    }
    if ((parts->due & DUE_TYPE) != 0) {
        say(parts, TW_DIAGNOSTIC_ODD_CONTENT_TYPE);
    }
    parts->due = 0;
}

/* What follows the last recipient keeps its blanks: they are what ends a name
 * as it should. */
static void add_recipient(header_parts *parts)
{
    size_t size;
    const uint8_t *end = parts->text.to;
    const bool last = end == parts->rest.to ||
                      marker_at(parts, end, &size) != TW_HARMONY_NONE;
    const tw_slice region =
        last ? skip_blanks(parts->text) : trim_blanks(parts->text);
    tw_slice word = tw_slice_before(region, '<');
    word.to = end_of_word(word);
    parts->recipients++;
    parts->to_assistant |= tw_slice_is(word, "assistant");
    if (!tw_slice_is_word(word, TW_WORD_READER)) {
        parts->wanted = region;
    }
}

/* A content type, or in its place a tool's name without `to=`. */
static void add_type(header_parts *parts)
{
    const tw_slice word = parts->text;
    const bool names_tool =
        (tw_slice_begins(word, "functions.") && TW_SLICE_SIZE(word) > 10) ||
        lists_tool(parts->state->sink, word);
    if (parts->marker == TW_HARMONY_CONSTRAIN || !names_tool) {
        parts->type_words++;
    } else if (parts->lone.from == NULL) {
        parts->lone = word;
    }
}

static void add_word(header_parts *parts)
{
    const tw_slice word = parts->text;
    const uint8_t due = parts->due;
    parts->due = 0;
    if ((due & DUE_ROLE) != 0 ||
        ((due & DUE_KNOWN_ROLE) != 0 && tw_slice_is_role(word))) {
        parts->role = word;
        parts->due = due & DUE_KNOWN_CHANNEL;
    } else if ((due & DUE_CHANNEL) != 0 ||
               ((due & DUE_KNOWN_CHANNEL) != 0 &&
                tw_channel_named(word) != TW_CHANNEL_NONE)) {
        add_channel(parts, word, due);
    } else {
        add_type(parts);
    }
}

static void read_parts(header_parts *parts)
{
    parts->due = due_behind[TW_HARMONY_NONE];
    for (;;) {
        switch (next_token(parts)) {
        case TOKEN_WORD: add_word(parts); break;
        case TOKEN_TO:
            end_words(parts);
            add_recipient(parts);
            break;
        case TOKEN_MARKER:
            end_words(parts);
            parts->header.marked = true;
            parts->due = due_behind[parts->marker];
            break;
        default: end_words(parts); return;
        }
    }
}

/* ---- what they come to -------------------------------------------------- */

static void judge_channel(header_parts *parts)
{
    parts->header.channel = parts->known;
    if (parts->state->explicit_start && parts->role.from == NULL) {
        say(parts, TW_DIAGNOSTIC_MISSING_ROLE);
    }
    const tw_channel as_role = parts->role.from != NULL
                                   ? tw_channel_named(parts->role)
                                   : TW_CHANNEL_NONE;
    if (as_role != TW_CHANNEL_NONE) {
        if (parts->header.channel == TW_CHANNEL_NONE) {
            parts->header.channel = as_role;
        }
        parts->role.from = NULL;
        say(parts, TW_DIAGNOSTIC_CHANNEL_AS_ROLE);
    }
    if (parts->channels > 0 && parts->known == TW_CHANNEL_NONE) {
        say(parts, parts->channel_written ? TW_DIAGNOSTIC_UNKNOWN_CHANNEL
                                          : TW_DIAGNOSTIC_EMPTY_CHANNEL);
    } else if (parts->channels > 1 || parts->channel_odd) {
        say(parts, TW_DIAGNOSTIC_ODD_CHANNEL);
    } else if (parts->channels == 0 && parts->recipients == 0) {
        say(parts, TW_DIAGNOSTIC_MISSING_CHANNEL);
    }
}

/* Does a declared tool that is called stand in the author's place?  A content
 * type shows that it does not answer. */
static bool is_called_author(const header_parts *parts)
{
    const tw_slice role = parts->role;
    const size_t space = tw_slice_begins(role, "functions.") ? 10 : 0;
    return parts->recipients == 0 && parts->lone.from == NULL &&
           parts->type_words > 0 && !tw_slice_is_role(role) &&
           lists_tool(parts->state->sink, tw_slice_behind(role, space));
}

/* A message of another author: a role, or a tool that answers. */
static bool judge_author(header_parts *parts)
{
    const tw_slice role = parts->role;
    if (role.from == NULL ||
        tw_slice_is(tw_slice_before(role, ':'), "assistant")) {
        return false;
    }
    if (is_called_author(parts)) {
        parts->lone = role;
        say(parts, TW_DIAGNOSTIC_UNKNOWN_ROLE);
        return false;
    }
    const bool dotted = tw_slice_before(role, '.').to < role.to;
    if (tw_slice_is_role(role) ||
        (parts->wanted.from == NULL &&
         (parts->to_assistant || dotted || tw_slice_is(role, "python")))) {
        return true;
    }
    say(parts, TW_DIAGNOSTIC_UNKNOWN_ROLE);
    return false;
}

static void judge_name(header_parts *parts, tw_slice rest)
{
    tw_harmony_header *header = &parts->header;
    const tw_slice name = header->name;
    if (TW_SLICE_SIZE(rest) > 0 &&
        (*rest.from != ' ' || widest_blank(rest) > 1)) {
        say(parts, TW_DIAGNOSTIC_NAME_REPAIRED);
    }
    if (widest_blank(name) > 0) {
        say(parts, TW_DIAGNOSTIC_NAME_WITH_BLANK);
    }
    if (!header->function && tw_slice_before(name, '.').to == name.to &&
        !tw_slice_is(name, "python")) {
        say(parts, TW_DIAGNOSTIC_BARE_RECIPIENT);
    }
}

static void judge_recipient(header_parts *parts)
{
    tw_slice region = parts->wanted;
    if (parts->recipients > 0 && region.from == NULL) {
        say(parts, TW_DIAGNOSTIC_NOT_A_TOOL);
    }
    if (parts->recipients > 0 && parts->lone.from != NULL) {
        parts->type_words++;
    }
    if (region.from == NULL && parts->lone.from != NULL &&
        parts->recipients == 0) {
        say(parts, TW_DIAGNOSTIC_MISSING_TO);
        region = parts->lone;
    }
    if (parts->recipients > 1) {
        say(parts, TW_DIAGNOSTIC_REPEATED_RECIPIENT);
    }
    if (region.from == NULL) {
        return;
    }
    tw_slice rest;
    parts->header.name =
        resolve(region, parts->state->sink, parts->state->stripped,
                &parts->header.function, &rest);
    const size_t words = count_words(rest);
    /* What is glued to the name is the rest of a longer word. */
    parts->type_words += words - (words > 0 && *rest.from != ' ');
    if (parts->header.name.from == NULL) {
        say(parts, TW_DIAGNOSTIC_NO_NAME);
        parts->header.callish = true;
    } else {
        judge_name(parts, rest);
    }
}

tw_harmony_header tw_harmony_read_header(const tw_harmony *state,
                                         const uint8_t *to, bool report)
{
    const uint8_t *from = state->window->at;
    header_parts parts = {
        .state = state, .report = report, .segment = from, .rest = {from, to}};
    read_parts(&parts);
    judge_channel(&parts);
    parts.header.foreign = judge_author(&parts);
    if (!parts.header.foreign) {
        judge_recipient(&parts);
        parts.header.callish |= parts.header.name.from == NULL &&
                                parts.type_words > 0 &&
                                parts.header.channel != TW_CHANNEL_FINAL;
        if (parts.type_words > 1) {
            say(&parts, TW_DIAGNOSTIC_ODD_CONTENT_TYPE);
        }
    }
    return parts.header;
}
