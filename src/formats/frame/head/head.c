/* SPDX-License-Identifier: MIT
 *
 * Is there a call behind a marker that may open one, and which of the
 * format's patterns is it?
 *
 * A head is the open marker, white space, and what a pattern has in front of
 * its body; with one there is a call, without one the marker is text.
 * In front of an object whose end a marker shows, odd white
 * space, a repeated open marker and, behind a line end, a few words are
 * repaired.  walk.c follows the patterns.
 */
#include "formats/frame/head/reader.h"

#include <stddef.h>
#include <string.h>

#include "core/skip.h"
#include "formats/name_bytes.h"

static void diagnose(tw_head_reader *reader, uint32_t code, const uint8_t *at)
{
    reader->told = true;
    if (reader->sink != NULL) {
        tw_sink_diagnostic(reader->sink, code,
                           tw_window_offset(reader->window, at));
    }
}

static bool ends(tw_head_reader *reader, tw_head_kind kind,
                 const uint8_t *body)
{
    reader->head.kind = kind;
    reader->head.body = body;
    return true;
}

static bool read_patterns(tw_head_reader *reader)
{
    const tw_patterns *calls = &reader->state->description->call;
    if (reader->opens == 0) {
        reader->opens = tw_head_opening(reader, calls);
    }
    tw_head best = tw_head_best(reader, calls);
    if (best.kind == TW_HEAD_NONE) {
        return false;
    }
    best.last = reader->head.last;
    best.loose |= reader->head.loose;
    reader->head = best;
    if (best.code != 0) {
        diagnose(reader, best.code, reader->open);
    }
    if (best.unmarked) {
        diagnose(reader, TW_DIAGNOSTIC_MISSING_ARGS_MARKER, best.body);
    }
    return true;
}

/* ---- in front of an object ---------------------------------------------- */

static bool repeated_marker(tw_head_reader *reader, size_t size)
{
    diagnose(reader, TW_DIAGNOSTIC_DOUBLED_OPEN_TAG, reader->at);
    reader->head.loose = true;
    reader->line_end = false;
    reader->first = true;
    reader->at += size;
    reader->head.last = reader->at;
    return false;
}

/* A marker behind the open one. */
static bool read_marker(tw_head_reader *reader, const tw_found *found)
{
    const bool prose = reader->junk != NULL;
    const uint8_t *behind = reader->at + found->size;
    if (found->roles == TW_AT_MORE) {
        return ends(reader, TW_HEAD_MORE, reader->at);
    }
    if (prose) {
        return ends(reader, TW_HEAD_NONE, reader->at);
    }
    if (reader->plain) {
        return read_patterns(reader) || ends(reader, TW_HEAD_NONE, reader->at);
    }
    if ((found->roles & TW_AT_CALL_END) != 0 && reader->whole) {
        return ends(reader, TW_HEAD_EMPTY, behind);
    }
    if ((found->roles & (TW_AT_STOP | TW_AT_SECTION_END)) != 0 &&
        reader->whole) {
        return ends(reader, TW_HEAD_CUT, reader->at);
    }
    if (reader->lists && reader->entire && found->size == reader->size &&
        memcmp(reader->at, reader->open, found->size) == 0) {
        return repeated_marker(reader, found->size);
    }
    return (!reader->odd && read_patterns(reader)) ||
           ends(reader, TW_HEAD_NONE, reader->at);
}

static bool read_object(tw_head_reader *reader)
{
    const uint8_t *junk = reader->junk;
    if (reader->simple && junk == NULL && *reader->at == '{') {
        reader->head.pattern = reader->state->objects;
        return ends(reader, TW_HEAD_WHOLE, reader->at);
    }
    if (junk != NULL) { /* behind a line's end, or read_prose() had ended */
        const bool fence =
            reader->at - junk >= 3 && memcmp(junk, "```", 3) == 0;
        reader->head.loose = true;
        diagnose(reader,
                 fence ? TW_DIAGNOSTIC_CODE_FENCE
                       : TW_DIAGNOSTIC_JUNK_BEFORE_OBJECT,
                 reader->open);
        const bool found =
            read_patterns(reader) || ends(reader, TW_HEAD_NONE, reader->at);
        reader->head.fence = fence;
        return found || ends(reader, TW_HEAD_NONE, reader->at);
    }
    return read_patterns(reader) || ends(reader, TW_HEAD_NONE, reader->at);
}

/* A byte of prose, or an odd blank where none has begun. */
static bool read_prose(tw_head_reader *reader)
{
    if (reader->junk == NULL) {
        const tw_window *window = reader->window;
        const uint8_t *at = reader->at;
        const tw_json_lexeme odd =
            *at < 0x80 ? TW_JSON_OTHER
                       : tw_json_scan(&at, window->limit, window->eof);
        if (odd == TW_JSON_MORE) {
            return ends(reader, TW_HEAD_MORE, reader->at);
        }
        if (odd == TW_JSON_NONSTANDARD_WS || odd == TW_JSON_BOM) {
            diagnose(reader,
                     odd == TW_JSON_BOM ? TW_DIAGNOSTIC_BOM
                                        : TW_DIAGNOSTIC_ODD_WHITESPACE,
                     reader->at);
            reader->head.loose = reader->odd = true;
            reader->at = at;
            return !reader->entire && ends(reader, TW_HEAD_NONE, at);
        }
        /* Any object is a call in some formats, and half a marker no word. */
        if (reader->keyed || reader->state->marks->first[*reader->at] != 0) {
            return ends(reader, TW_HEAD_NONE, reader->at);
        }
        reader->junk = reader->at;
    }
    reader->at++;
    const bool far = reader->at - reader->junk > TW_HEAD_PROSE;
    return (far || !reader->line_end) &&
           ends(reader, TW_HEAD_NONE, reader->at);
}

/* May the output end right behind the open marker?  Half of what nobody writes
 * is a call only where calls are due, or with a token. */
static bool may_be_cut(const tw_head_reader *reader)
{
    return reader->cut || reader->place == TW_PLACE_SECTION ||
           reader->state->in_section;
}

/* One step; true: it is decided. */
static bool read_byte(tw_head_reader *reader)
{
    const tw_window *window = reader->window;
    const bool prose = reader->junk != NULL;
    if (reader->at == window->limit) {
        return ends(reader,
                    !window->eof ? TW_HEAD_MORE
                    : prose || reader->plain || !reader->whole ||
                            !may_be_cut(reader)
                        ? TW_HEAD_NONE
                        : TW_HEAD_CUT,
                    reader->at);
    }
    const uint8_t c = *reader->at;
    const tw_found found =
        tw_marker_at(reader->state->marks, window, reader->at);
    /* Texts that are members of an object open with its brace, too. */
    const bool brace = reader->objects && c == '{' && !found.token &&
                       found.roles != TW_AT_MORE;
    if ((found.roles & ~(unsigned)TW_HEAD_PLAIN) != 0 && !brace) {
        return read_marker(reader, &found);
    }
    if (reader->objects && (c == '{' || (c == '[' && !prose))) {
        return read_object(reader);
    }
    if (reader->first) {
        reader->line_end = c == '\n' || c == '\r';
        reader->first = false;
    }
    if (!prose && tw_is_ws(c)) {
        reader->at++;
        return false;
    }
    if (!prose && !reader->odd && read_patterns(reader)) {
        return true;
    }
    return reader->objects && (!prose || reader->state->marks->first[c] == 0)
               ? read_prose(reader)
               : ends(reader, TW_HEAD_NONE, reader->at);
}

/* What may stand behind the open marker, by all patterns that it opens: a sum
 * of TW_OPENS_. */
static unsigned opening_of(const tw_head_reader *reader)
{
    const tw_patterns *calls = &reader->state->description->call;
    unsigned sum = 0;
    if (reader->simple) {
        return TW_OPENS_WHOLE | TW_OPENS_ENTIRE | TW_OPENS_OBJECT |
               TW_OPENS_CLOSED | TW_OPENS_CUT;
    }
    for (size_t i = 0; i < calls->count; i++) {
        sum |= (reader->opens >> i & 1) != 0 ? calls->all[i].opens : 0;
    }
    return sum;
}

/* `WORD NAME {` behind Gemma's open marker, as the template writes it and whole
 * in view: no other pattern reaches further.  False: the patterns must be
 * followed. */
static bool read_canonical(tw_head_reader *reader)
{
    const tw_pattern *call = reader->state->description->call.all;
    const size_t first = call->first;
    if (reader->state->options.slow || call->hole != first + 3 ||
        tw_pattern_hole(call)->kind != TW_PATTERN_GEMMA ||
        reader->size != call->parts[first].size) {
        return false;
    }
    const tw_part *word = &call->parts[first + 1];
    const uint8_t *limit = reader->window->limit;
    if (word->kind != TW_PATTERN_LITERAL || word->token > 0 ||
        (size_t)(limit - reader->at) < word->size ||
        memcmp(reader->at, word->text, word->size) != 0) {
        return false;
    }
    const uint8_t *name = reader->at + word->size;
    const uint8_t *at = name;
    while (at < limit && *at < 0x80 && tw_is_gemma_word(*at)) {
        at++;
    }
    if (at == limit || *at != '{' || at - reader->open > TW_HOLD_HEAD ||
        !tw_gemma_is_name((const char *)name, (size_t)(at - name))) {
        return false;
    }
    reader->head.pattern = call;
    reader->head.name = name;
    reader->head.name_size = (size_t)(at - name);
    return ends(reader, TW_HEAD_WHOLE, at);
}

/* The head behind an open marker. */
static tw_head marked_head(tw_head_reader *reader)
{
    const uint8_t *open = reader->open;
    reader->simple = reader->state->simple &&
                     tw_head_opens_with(reader->state->objects, reader);
    reader->opens =
        reader->simple
            ? 0
            : tw_head_opening(reader, &reader->state->description->call);
    const unsigned opening = opening_of(reader);
    reader->whole = (opening & TW_OPENS_WHOLE) != 0;
    reader->entire = (opening & TW_OPENS_ENTIRE) != 0;
    reader->plain = (opening & TW_OPENS_PLAIN) != 0;
    reader->cut = (opening & TW_OPENS_CUT) != 0;
    reader->objects = !reader->plain && (opening & TW_OPENS_CLOSED) != 0;
    reader->lists = !reader->plain && (opening & TW_OPENS_OBJECT) != 0;
    reader->keyed = reader->objects && (opening & TW_OPENS_KEYED) != 0;
    bool decided = false;
    while (!decided && reader->at - open <= TW_HOLD_HEAD) {
        decided = read_byte(reader);
    }
    if (!decided || (reader->head.kind == TW_HEAD_NONE &&
                     reader->at - open > TW_HOLD_HEAD)) {
        ends(reader, TW_HEAD_FAR, reader->at);
    }
    reader->head.told = reader->told;
    return reader->head;
}

tw_head tw_frame_head_at(tw_frame *state, const uint8_t *open, size_t size,
                         tw_head_place place, tw_sink *sink)
{
    tw_head_reader reader = {.state = state,
                             .window = state->window,
                             .sink = sink,
                             .open = open,
                             .size = size,
                             .place = place,
                             .at = open + size,
                             .first = true};
    if (place == TW_PLACE_MARKER) {
        return read_canonical(&reader) ? reader.head : marked_head(&reader);
    }
    tw_head best = tw_head_best(&reader, &state->description->call);
    if (best.kind > TW_HEAD_NONE && best.unmarked) {
        diagnose(&reader, TW_DIAGNOSTIC_MISSING_ARGS_MARKER, best.body);
        best.told = reader.told;
    }
    return best;
}

tw_found tw_frame_marker_at(tw_frame *state, const uint8_t *at)
{
    tw_found found = tw_marker_at(state->marks, state->window, at);
    if (found.roles == TW_AT_TEXT && !found.token) {
        const tw_match word =
            tw_head_word_ends(state->window, at + found.size);
        found.roles = word == TW_MATCH_WHOLE  ? found.roles
                      : word == TW_MATCH_MORE ? TW_AT_MORE
                                              : TW_AT_PLAIN_CALL;
    }
    return found;
}

tw_head tw_frame_opens_at(tw_frame *state, const tw_patterns *patterns,
                          const uint8_t *open, size_t size,
                          tw_head_place place)
{
    tw_head_reader reader = {.state = state,
                             .window = state->window,
                             .open = open,
                             .size = size,
                             .place = place,
                             .at = open + size};
    reader.opens =
        place == TW_PLACE_MARKER ? tw_head_opening(&reader, patterns) : 0;
    tw_head head = tw_head_best(&reader, patterns);
    head.kind = head.kind == TW_HEAD_CUT ? TW_HEAD_NONE : head.kind;
    return head;
}

/* Words may be half of a marker: does it go on behind them, as `function call`
 * does in `function call<|sep|>`? */
static tw_match goes_on(tw_frame *state, const uint8_t *at, size_t size)
{
    const tw_head_reader reader = {.state = state, .open = at, .size = size};
    const tw_patterns *calls = &state->description->call;
    tw_match best = TW_MATCH_NONE;
    for (size_t i = 0; i < calls->count; i++) {
        const tw_pattern *call = &calls->all[i];
        const size_t next = call->first + 1;
        const tw_part *rest = &call->parts[next];
        if (tw_head_opens_with(call, &reader)) {
            const tw_match found =
                tw_pattern_is_joined(call, next)
                    ? tw_part_at(state->window, at + size, rest)
                    : TW_MATCH_WHOLE;
            best = found > best ? found : best;
        }
    }
    return best;
}

tw_found tw_frame_call_marker_at(tw_frame *state, const uint8_t *at,
                                 bool named)
{
    tw_found found = tw_frame_marker_at(state, at);
    if ((found.roles & TW_AT_CALL) != 0 && !found.token) {
        const tw_match whole = goes_on(state, at, found.size);
        found.roles &= (uint16_t) ~(whole < TW_MATCH_WHOLE ? TW_AT_CALL : 0u);
        found.roles = whole == TW_MATCH_MORE ? TW_AT_MORE : found.roles;
    }
    if ((found.roles & TW_AT_PLAIN_CALL) != 0) {
        const tw_head head =
            tw_frame_head_at(state, at, found.size, TW_PLACE_MARKER, NULL);
        const bool opens =
            head.kind == TW_HEAD_WHOLE && (head.name_size > 0 || !named);
        found.roles |= opens ? TW_AT_CALL : 0;
        found.roles = head.kind == TW_HEAD_MORE ? TW_AT_MORE : found.roles;
    }
    return found;
}

bool tw_frame_is_no_head(const tw_frame *state, const uint8_t *open,
                         tw_head_place place, const tw_head *head)
{
    const bool cut = head->kind == TW_HEAD_CUT || head->kind == TW_HEAD_EMPTY;
    return head->kind <= TW_HEAD_FAR ||
           (state->options.strict && head->loose) ||
           (cut && place == TW_PLACE_MARKER &&
            (tw_marker_at(state->marks, state->window, open).roles &
             TW_AT_STOP) != 0); /* a stop that begins calls, too */
}
