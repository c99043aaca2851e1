/* SPDX-License-Identifier: MIT
 *
 * Fills the holes of a notation's texts with a format's own markers.
 */
#include "fragments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "described.h"
#include "formats/format.h"

/* ---- lists -------------------------------------------------------------- */

typedef struct words {
    const char **at;
    uint32_t count;
} words;

static void *need(void *block)
{
    if (block == NULL) {
        abort();
    }
    return block;
}

static void add_sized(words *list, const char *text, size_t size)
{
    char *copy = need(malloc(size + 1));
    memcpy(copy, text, size);
    copy[size] = 0;
    list->at = need(realloc(list->at, (list->count + 1) * sizeof *list->at));
    list->at[list->count++] = copy;
}

/* An empty one would be none. */
static void add_described(void *list, const char *text, size_t size)
{
    if (size > 0) {
        add_sized(list, text, size);
    }
}

/* ---- holes -------------------------------------------------------------- */

/* The marker for a hole; NULL: the format has none. */
static const tw_marker *marker_for(const tw_format *format, char hole)
{
    const uint32_t role =
        hole == BODY_STOP ? TW_MARKER_END : (uint32_t)hole - BODY_HOLE;
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->decoded && marker->role == role &&
            (hole != BODY_STOP || marker->stop)) {
            return marker;
        }
    }
    return NULL;
}

static bool is_hole(char c)
{
    return (c > BODY_HOLE && c <= BODY_HOLE + TW_MARKER_TURN) ||
           c == BODY_STOP;
}

/* The text with the format's markers in it, if it has them. */
static void add_filled(words *list, const tw_format *format, const char *text)
{
    naive_bytes filled = {0};
    for (; *text != 0; text++) {
        const tw_marker *marker =
            is_hole(*text) ? marker_for(format, *text) : NULL;
        if (marker != NULL) {
            naive_add(&filled, marker->text, marker->size);
        } else if (is_hole(*text)) {
            break;
        } else {
            naive_add(&filled, text, 1);
        }
    }
    if (*text == 0) {
        add_sized(list, filled.data, filled.size);
    }
    naive_release(&filled);
}

static void add_all(words *list, const tw_format *format,
                    const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        add_filled(list, format, *texts);
    }
}

/* ---- markers ------------------------------------------------------------ */

/* All of them; those that decoders read twice, if calls are made of them, and
 * halves of them. */
static void add_markers(words *list, const tw_format *format)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        add_sized(list, marker->text, marker->size);
        if (!marker->decoded) {
            continue;
        }
        if (marker->role <= TW_MARKER_CALL_CLOSE ||
            marker->role == TW_MARKER_STRING ||
            marker->role == TW_MARKER_BODY) {
            add_sized(list, marker->text, marker->size);
        }
        add_sized(list, marker->text, marker->size / 2 + 1);
    }
}

/* ---- sets --------------------------------------------------------------- */

enum { PLAIN, REASONING, STRIPPED, WAYS };

static const char *const suffixes[WAYS] = {"", "-reasoning", "-stripped"};

static bool has_way(const tw_format *format, int way)
{
    return way == PLAIN ||
           (way == REASONING ? format_reads(format, TW_MARKER_REASONING_CLOSE)
                             : format_recovers_stripped(format));
}

/* Sets that were made: they are kept. */
static fragments **made;
static size_t made_count;

/* The words of its notation, which the roles of its markers tell. */
static void add_notation(const fragments *set, words *parts, words *texts,
                         words *alphabet)
{
    add_all(parts, set->format, set->notation->words);
    if (set->notation->json) {
        add_all(parts, set->format, json_words);
    }
    add_all(texts, set->format, set->notation->texts);
    add_all(alphabet, set->format, set->notation->alphabet);
}

static const fragments *make(const tw_format *format,
                             const naive_oracle *naive, int way)
{
    const tw_description *description = format->description;
    fragments *set = need(calloc(1, sizeof *set));
    words parts = {0};
    words texts = {0};
    words alphabet = {0};
    snprintf(set->name, sizeof set->name, "%s%s", format_short_name(format),
             suffixes[way]);
    set->format = format;
    set->stripped = way == STRIPPED;
    set->reasoning = way == REASONING;
    set->naive = naive;
    set->notation = body_of(format);
    add_markers(&parts, format);
    if (description == NULL || format_reads(format, TW_MARKER_CALL_OPEN)) {
        add_notation(set, &parts, &texts, &alphabet);
    }
    /* A second opinion that was written for one format knows no more than its
     * notation. */
    if (description != NULL && (naive == NULL || naive_is_described(naive))) {
        set->tools = described_tools;
        set->tool_names = described_tool_names;
        set->tool_count = DESCRIBED_TOOLS;
        described_parts(description, add_described, &parts);
        described_texts(description, add_described, &texts);
    }
    if (alphabet.count == 0) {
        described_alphabet(description, add_described, &alphabet);
    }
    set->parts = parts.at;
    set->part_count = parts.count;
    set->texts = texts.at;
    set->text_count = texts.count;
    set->alphabet = alphabet.at;
    set->alphabet_count = alphabet.count;
    made = need(realloc(made, (made_count + 1) * sizeof(fragments *)));
    made[made_count++] = set;
    return set;
}

static const fragments *set_of(const tw_format *format, int way)
{
    for (size_t i = 0; i < made_count; i++) {
        if (made[i]->format == format &&
            made[i]->stripped == (way == STRIPPED) &&
            made[i]->reasoning == (way == REASONING)) {
            return made[i];
        }
    }
    return make(format, naive_of(tw_format_name(format)), way);
}

/* All sets of all wires: they are asked for by number, again and again. */
static const fragments **sets;
static size_t set_count;

static void make_all(void)
{
    const tw_format *format;
    for (size_t wire = 0; (format = wire_at(wire)) != NULL; wire++) {
        for (int way = 0; way < WAYS; way++) {
            if (has_way(format, way)) {
                sets = need(realloc(sets, (set_count + 1) * sizeof *sets));
                sets[set_count++] = set_of(format, way);
            }
        }
    }
}

const fragments *fragments_at(size_t i)
{
    if (sets == NULL) {
        make_all();
    }
    return i < set_count ? sets[i] : NULL;
}

/* `-` of |text| may stand for a slash of |name|. */
static bool is_name(const char *name, const char *text, size_t size)
{
    if (name == NULL || strlen(name) != size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (name[i] != text[i] && (name[i] != '/' || text[i] != '-')) {
            return false;
        }
    }
    return true;
}

/* The size of |name| without the suffix of |way|; 0: it has another. */
static size_t size_without(const char *name, int way)
{
    const size_t all = strlen(name);
    const size_t end = strlen(suffixes[way]);
    return all > end && strcmp(name + all - end, suffixes[way]) == 0
               ? all - end
               : 0;
}

const fragments *fragments_of(const char *name)
{
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        for (int way = 0; way < WAYS; way++) {
            const size_t size = size_without(name, way);
            if (size > 0 && has_way(format, way) &&
                (is_name(tw_format_name(format), name, size) ||
                 is_name(format_short_name(format), name, size))) {
                return set_of(format, way);
            }
        }
    }
    return NULL;
}

const fragments *fragments_like(const char *word, size_t i)
{
    const size_t size = strcspn(word, "*");
    char name[FORMAT_NAME_SIZE];
    if (size == 0 || word[size] == 0) {
        return size == 0 ? fragments_at(i)
               : i == 0  ? fragments_of(word)
                         : NULL;
    }
    for (int way = 0; way < WAYS; way++) {
        snprintf(name, sizeof name, "%.*s%s", (int)size, word, suffixes[way]);
        const fragments *set = fragments_of(name);
        if (set != NULL && i-- == 0) {
            return set;
        }
    }
    return NULL;
}

bool fragments_text_may_call(const fragments *set)
{
    const tw_marker *marker;
    const tw_description *description = set->format->description;
    const size_t calls = description != NULL ? description->call.count : 0;
    bool may = set->stripped;
    for (size_t i = 0; tw_format_marker(set->format, i, &marker) == 1; i++) {
        may |= marker->role == TW_MARKER_CALL_OPEN && marker->literal != 0;
    }
    for (size_t i = 0; i < calls; i++) { /* a call that is all text */
        const tw_pattern *call = &description->call.all[i];
        may |= tw_pattern_open(call) == NULL && tw_pattern_close(call) == NULL;
    }
    return may;
}

tw_decoder *fragments_decoder(const fragments *set)
{
    tw_decoder *decoder = tw_decoder_new(set->format, NULL);
    if (decoder != NULL) {
        tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1);
        tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, set->stripped);
        tw_decoder_set(decoder, TW_OPTION_START_REASONING, set->reasoning);
    }
    return decoder;
}
