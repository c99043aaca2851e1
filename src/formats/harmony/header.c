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

/* Takes the first word off |text|; false: there is none. */
static bool next_word(tw_slice *text, tw_slice *word)
{
    *text = skip_blanks(*text);
    word->from = text->from;
    while (text->from < text->to &&
           tw_harmony_ws_at(text->from, text->to) == 0) {
        text->from++;
    }
    word->to = text->from;
    return word->to > word->from;
}

/* A channel's name and no more, white space aside: zero-width characters are
 * part of a word here. */
static bool is_channel_alone(tw_slice text)
{
    const tw_slice word = trim_blanks(text);
    for (const uint8_t *at = text.from; at < text.to; at++) {
        const size_t left = (size_t)(text.to - at);
        if (left >= 3 && (memcmp(at, "\xE2\x80\x8B", 3) == 0 ||
                          memcmp(at, "\xE2\x80\x8C", 3) == 0 ||
                          memcmp(at, "\xE2\x80\x8D", 3) == 0 ||
                          memcmp(at, "\xE2\x81\xA0", 3) == 0 ||
                          memcmp(at, "\xEF\xBB\xBF", 3) == 0)) {
            return false;
        }
    }
    return tw_channel_named(word) != TW_CHANNEL_NONE;
}

/* ---- recipients --------------------------------------------------------- */

/* The first `to=` of |text| that begins a word or is glued to a channel's
 * name; NULL. */
static const uint8_t *find_to(tw_slice text, const uint8_t *from)
{
    for (const uint8_t *at = from; at + 3 <= text.to; at++) {
        if (memcmp(at, "to=", 3) != 0) {
            continue;
        }
        const tw_slice front = {text.from, at};
        if (at == text.from || blank_before(text.from, at) > 0 ||
            is_channel_alone(front)) {
            return at;
        }
    }
    return NULL;
}

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
    const uint8_t *at = name.from;
    while (at < region.to && *at != '<' &&
           tw_harmony_ws_at(at, region.to) == 0) {
        at++;
    }
    name.to = at;
    rest->from = at;
    rest->to = region.to;
    /* The content type, glued to the name where its marker was stripped. */
    tw_slice type = {name.to - (TW_SLICE_SIZE(name) > 4 ? 4 : 0), name.to};
    if (stripped && at == region.to &&
        tw_slice_is_word(type, TW_WORD_CALL_TYPE)) {
        rest->from = name.to = type.from;
    }
    const bool bad = TW_SLICE_SIZE(name) == 0 || name.to[-1] == '.' ||
                     (!*function && tw_slice_is(name, "functions"));
    return bad ? none : name;
}

/* ---- the parts ---------------------------------------------------------- */

typedef struct header_parts {
    const tw_harmony *state;
    bool report;
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

static void add_channel(header_parts *parts, tw_slice word)
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
}

static void add_recipient(header_parts *parts, tw_slice region)
{
    tw_slice rest = region;
    tw_slice word = {region.from, region.from};
    next_word(&rest, &word);
    word = tw_slice_before(word, '<');
    parts->recipients++;
    parts->to_assistant |= tw_slice_is(word, "assistant");
    if (!tw_slice_is_word(word, TW_WORD_READER)) {
        parts->wanted = region;
    }
}

/* Every `to=` of |text|, the first at |at|. */
static void add_recipients(header_parts *parts, tw_slice text,
                           const uint8_t *at)
{
    while (at != NULL) {
        if (at > text.from && blank_before(text.from, at) == 0) {
            say(parts, TW_DIAGNOSTIC_ODD_CHANNEL); /* commentaryto=... */
        }
        const uint8_t *next = find_to(text, at + 3);
        const tw_slice region = {at + 3, next != NULL ? next : text.to};
        add_recipient(parts, next != NULL ? trim_blanks(region)
                                          : skip_blanks(region));
        at = next;
    }
}

static void add_word(header_parts *parts, tw_slice word, bool constrain)
{
    const bool names_tool =
        (tw_slice_begins(word, "functions.") && TW_SLICE_SIZE(word) > 10) ||
        lists_tool(parts->state->sink, word);
    if (constrain || !names_tool) {
        parts->type_words++;
    } else if (parts->lone.from == NULL) {
        parts->lone = word;
    }
}

/* |text| stands behind |marker|, or at the front (TW_HARMONY_NONE). */
static void add_segment(header_parts *parts, tw_harmony_marker marker,
                        tw_slice text, bool first)
{
    const uint8_t *to = find_to(text, text.from);
    tw_slice words = {text.from, to != NULL ? to : text.to};
    tw_slice word = {text.from, text.from};
    bool some = next_word(&words, &word);
    if (some &&
        (marker == TW_HARMONY_START || (first && tw_slice_is_role(word)))) {
        parts->role = word;
        some = next_word(&words, &word);
    }
    const bool constrain = marker == TW_HARMONY_CONSTRAIN;
    if (constrain && !some) {
        say(parts, TW_DIAGNOSTIC_ODD_CONTENT_TYPE);
    }
    if (marker == TW_HARMONY_CHANNEL) {
        const tw_slice nothing = {text.from, text.from};
        add_channel(parts, some ? word : nothing);
        if (parts->type_words > 0) {
            say(parts, TW_DIAGNOSTIC_ODD_ORDER);
        }
        some = some && next_word(&words, &word);
    } else if (marker == TW_HARMONY_NONE && some &&
               tw_channel_named(word) != TW_CHANNEL_NONE) {
        add_channel(parts, word);
        some = next_word(&words, &word);
    }
    for (; some; some = next_word(&words, &word)) {
        add_word(parts, word, constrain);
    }
    add_recipients(parts, text, to);
}

static void read_segments(header_parts *parts, tw_slice text)
{
    tw_harmony_marker kind = TW_HARMONY_NONE;
    tw_slice segment = {text.from, text.from};
    bool first = true;
    while (segment.to < text.to) {
        size_t size = 1;
        const tw_harmony_marker marker =
            *segment.to == '<'
                ? tw_harmony_scan_marker(segment.to, text.to, true, &size)
                : TW_HARMONY_NONE;
        if (marker == TW_HARMONY_NONE ||
            tw_window_is_marked_text(parts->state->window, segment.to, size)) {
            segment.to++;
            continue;
        }
        parts->header.marked = true;
        if (!(parts->state->explicit_start && first &&
              segment.from == segment.to && marker == TW_HARMONY_START)) {
            add_segment(parts, kind, segment, first);
            first = false;
        }
        kind = marker;
        segment.from = segment.to = segment.to + size;
    }
    add_segment(parts, kind, segment, first);
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
    bool blank = false;
    bool odd = false;
    for (const uint8_t *at = name.from; at < name.to; at++) {
        blank |= tw_harmony_ws_at(at, name.to) > 0;
    }
    for (const uint8_t *at = rest.from; at < rest.to; at++) {
        odd |= tw_harmony_ws_at(at, rest.to) > 1;
    }
    if (TW_SLICE_SIZE(rest) > 0 && (*rest.from != ' ' || odd)) {
        say(parts, TW_DIAGNOSTIC_NAME_REPAIRED);
    }
    if (blank) {
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
    tw_slice words = rest;
    tw_slice word;
    bool some = next_word(&words, &word);
    if (some && *rest.from != ' ') { /* the rest of a longer word */
        some = next_word(&words, &word);
    }
    for (; some; some = next_word(&words, &word)) {
        parts->type_words++;
    }
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
    header_parts parts = {.state = state, .report = report};
    const tw_slice text = {state->window->at, to};
    read_segments(&parts, text);
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
