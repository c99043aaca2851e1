/* SPDX-License-Identifier: MIT
 *
 * One of the format's patterns, followed part by part up to its body.
 */
#include "core/ascii.h"
#include "core/skip.h"
#include "formats/frame/head/way.h"
#include "formats/name_bytes.h"

static tw_head_kind kind_of(tw_match found)
{
    static const tw_head_kind kinds[] = {[TW_MATCH_NONE] = TW_HEAD_NONE,
                                         [TW_MATCH_CUT] = TW_HEAD_CUT,
                                         [TW_MATCH_MORE] = TW_HEAD_MORE,
                                         [TW_MATCH_WHOLE] = TW_HEAD_WHOLE};
    return kinds[found];
}

static tw_head_kind read_whole_literal(tw_walk *way, const tw_part *literal)
{
    size_t taken;
    const tw_match found = tw_front_at(way->reader->window, way->at, literal,
                                       literal->size, &taken);
    way->at += taken;
    return kind_of(found);
}

static tw_head_kind read_literal(tw_walk *way, const tw_part *literal)
{
    const tw_window *window = way->reader->window;
    const bool begun = way->written > 0;
    size_t written =
        way->written < literal->size ? way->written : literal->size;
    way->written -= written;
    if (begun && written < literal->size &&
        tw_is_ws((uint8_t)literal->text[written])) {
        /* The blank behind the prompt: any white space, or none. */
        const uint8_t *at = tw_behind_ws(way->at, window->limit);
        if (at > way->at + 1 ||
            (at > way->at && *way->at != (uint8_t)literal->text[written])) {
            set_loose(way);
        }
        written++;
        way->at = at;
    }
    const char *text = literal->text + written;
    const size_t whole = literal->size - written;
    if (whole > 0 && !tw_is_ws((uint8_t)*text) &&
        !(tw_pattern_is_joined(way->pattern, way->part) &&
          literal[-1].token == 0)) {
        way->at = tw_behind_ws(way->at, window->limit);
    }
    if (!begun) {
        return read_whole_literal(way, literal);
    }
    const size_t left = (size_t)(window->limit - way->at);
    const size_t size = left < whole ? left : whole;
    if (memcmp(way->at, text, size) != 0 ||
        (literal->token > written && size > 0 &&
         tw_window_is_marked_text(window, way->at,
                                  size < literal->token - written
                                      ? size
                                      : literal->token - written))) {
        return TW_HEAD_NONE;
    }
    if (size < whole) {
        return cut(way);
    }
    way->at += size;
    return TW_HEAD_WHOLE;
}

/* What stands at [from, to), white space off. */
static void set_hole(tw_walk *way, const uint8_t *from, const uint8_t *to)
{
    const uint8_t kind = way->pattern->parts[way->part].kind;
    while (to > from && tw_is_ws(to[-1])) {
        to--;
    }
    if (kind == TW_PATTERN_SERVER) {
        way->head.server = (tw_piece){from, (size_t)(to - from)};
    } else if (kind == TW_PATTERN_ID) {
        way->head.id = from;
        way->head.id_size = (size_t)(to - from);
    } else {
        way->head.skipped = from;
        way->head.skipped_size = (size_t)(to - from);
    }
}

/* Does the literal in front of {id} stand at |at| again? */
static bool repeats_literal(const tw_walk *way, const uint8_t *at)
{
    const tw_part *before = &way->pattern->parts[way->part - 1];
    return before->kind == TW_PATTERN_LITERAL &&
           tw_part_at(way->reader->window, at, before) == TW_MATCH_WHOLE;
}

/* They reach to the literal behind them, and over no marker. */
static tw_head_kind read_hole(tw_walk *way)
{
    const bool id = way->pattern->parts[way->part].kind != TW_PATTERN_SKIP;
    const tw_window *window = way->reader->window;
    const tw_markers *marks = way->reader->state->marks;
    const size_t next = tw_pattern_next(way->pattern, way->part);
    const tw_part *literal = &way->pattern->parts[next];
    const uint8_t *from = tw_behind_ws(way->at, window->limit);
    for (const uint8_t *at = from;; at++) {
        if (at - way->at > TW_PATTERN_HOLE_MOST ||
            (at < window->limit && *at == '\n')) {
            return TW_HEAD_NONE;
        }
        const tw_match found = tw_part_at(window, at, literal);
        if (found != TW_MATCH_NONE || at == window->limit) {
            way->at = at;
            set_hole(way, from, at);
            return found != TW_MATCH_WHOLE ? cut(way)
                   : id && at == from      ? TW_HEAD_NONE
                                           : TW_HEAD_WHOLE;
        }
        const unsigned other = tw_marker_at(marks, window, at).roles;
        if ((other & ~(unsigned)TW_HEAD_PLAIN) != 0) {
            return tw_walk_stop_at(way, at);
        }
        if (id && repeats_literal(way, at)) {
            return TW_HEAD_NONE;
        }
        size_t size;
        const tw_match token = tw_head_token_at(way->reader, at, &size);
        if (token != TW_MATCH_NONE) {
            return token == TW_MATCH_MORE ? TW_HEAD_MORE : TW_HEAD_NONE;
        }
    }
}

static tw_head_kind read_index(tw_walk *way)
{
    const tw_window *window = way->reader->window;
    way->at = tw_behind_ws(way->at, window->limit);
    way->head.index = way->at;
    way->head.index_kind = way->pattern->parts[way->part].kind;
    while (way->at < window->limit && tw_is_digit(*way->at)) {
        way->at++;
    }
    way->head.index_size = (size_t)(way->at - way->head.index);
    const bool last =
        tw_pattern_next(way->pattern, way->part) == way->pattern->hole;
    return way->at == window->limit            ? cut(way)
           : last && way->head.index_size == 0 ? TW_HEAD_NONE
                                               : TW_HEAD_WHOLE;
}

/* The attributes of the tag whose name ends at |at|. */
static tw_head_kind read_tag(tw_walk *way, const uint8_t *at)
{
    tw_tag tag;
    const tw_match cut =
        tw_head_cut_tag(way->reader, way->pattern, way->part, at, &tag);
    const tw_match found = cut != TW_MATCH_NONE
                               ? cut
                               : tw_tag_at(way->reader->window, way->pattern,
                                           way->part, at, &tag);
    if (found == TW_MATCH_WHOLE) {
        tw_head_keep_attributes(&way->head, &tag);
        way->head.code = tag.code;
        way->head.closed = tag.closed;
        way->part = tag.part;
        way->at = tag.end;
    }
    return kind_of(found);
}

static bool is_tag_name(const tw_walk *way)
{
    const size_t next = tw_pattern_next(way->pattern, way->part);
    const tw_part *literal = &way->pattern->parts[next];
    return literal->kind == TW_PATTERN_LITERAL && literal->text[0] == '>';
}

/* Behind the name in a tag: its end is missing at that of the line. */
static bool lacks_tag_end(const tw_walk *way, const tw_part *literal)
{
    const tw_window *window = way->reader->window;
    return way->head.name != NULL && strcmp(literal->text, ">") == 0 &&
           way->at < window->limit && (*way->at == '\r' || *way->at == '\n');
}

/* A literal of the head behind its open marker. */
static tw_head_kind read_inner(tw_walk *way, const tw_part *literal)
{
    const uint8_t *from = way->at;
    if (lacks_tag_end(way, literal)) {
        way->head.code = TW_DIAGNOSTIC_MISSING_TAG_END;
        return TW_HEAD_WHOLE;
    }
    if (!tw_is_tag(way->pattern, way->part)) {
        const tw_head_kind found = read_literal(way, literal);
        way->markers += found == TW_HEAD_WHOLE;
        if (is_gemma(way) && found == TW_HEAD_WHOLE &&
            (size_t)(way->at - from) > literal->size) {
            set_loose(way);
        }
        return found;
    }
    const size_t size = way->pattern->parts[way->part].marker;
    const size_t written = way->written < size ? way->written : size;
    size_t taken = size - written;
    way->written -= written;
    if (written == 0) {
        from = tw_behind_ws(from, way->reader->window->limit);
        way->at = from; /* a head ends where it is too long, tag or not */
    }
    const tw_match found =
        written > 0 ? tw_text_at(way->reader->window, from,
                                 literal->text + written, size - written)
                    : tw_front_at(way->reader->window, from, literal, size,
                                  &taken);
    if (found != TW_MATCH_WHOLE) {
        return kind_of(found);
    }
    way->markers += written == 0;
    return read_tag(way, from + taken);
}

/* How much of the body must be there. */
static tw_body_proof proof_of(const tw_walk *way)
{
    return way->reader->place == TW_PLACE_BARE ||
                   way->reader->place == TW_PLACE_EDGE
               ? TW_PROOF_HEAD
           : way->pattern->plain ||
                   way->reader->state->description->raw_name[0] != 0
               ? TW_PROOF_BEGIN
               : TW_PROOF_NONE;
}

/* The body is cut off behind |at|: by a stop marker, if one stands there. */
static void find_stop(tw_walk *way)
{
    const tw_window *window = way->reader->window;
    const tw_markers *marks = way->reader->state->marks;
    const uint8_t *at = way->at;
    while (way->stop == NULL && at < window->limit) {
        at = tw_markers_find(marks, at, window->limit, window->limit);
        if (at < window->limit) {
            tw_walk_stop_at(way, at++);
        }
    }
}

/* Does what stands behind the white space up to |at| decide?  Then there is no
 * more of it than a head may hold: the pieces in which bytes come must not. */
static bool waits_for(const tw_frame *state, const tw_body_head *head,
                      const uint8_t *at)
{
    tw_window *window = state->window;
    const uint8_t *limit = window->limit;
    const bool eof = window->eof;
    window->limit = at;
    window->eof = false;
    const tw_body_opens unseen = tw_frame_body_opens(state, head, at);
    window->limit = limit;
    window->eof = eof;
    return unseen == TW_BODY_IS_MORE;
}

/* Free text keeps its white space, but for the line end in front of it that
 * the pattern shows. */
static const uint8_t *raw_at(const tw_walk *way)
{
    const uint8_t *limit = way->reader->window->limit;
    const tw_part *before = &way->pattern->parts[way->part - 1];
    const uint8_t *at = way->at;
    while (at > way->reader->open && tw_is_ws(at[-1])) {
        at--;
    }
    if (before->kind == TW_PATTERN_LAYOUT &&
        strchr(before->text, '\n') != NULL) {
        at += at < limit && *at == '\r';
        at += at < limit && *at == '\n';
    }
    return at;
}

static tw_head_kind read_body(tw_walk *way)
{
    static const tw_head_kind kinds[] = {TW_HEAD_NONE, TW_HEAD_MORE,
                                         TW_HEAD_CUT, TW_HEAD_WHOLE};
    const tw_window *window = way->reader->window;
    const uint8_t kind = way->pattern->parts[way->part].kind;
    const tw_frame *state = way->reader->state;
    const tw_body_head head = {way->pattern, way->head.name,
                               way->head.name_size, proof_of(way)};
    const uint8_t *at = tw_behind_ws(way->at, window->limit);
    const bool named = way->head.name != NULL;
    if (at - way->reader->open > TW_HOLD_HEAD &&
        (!named || waits_for(state, &head, at))) {
        return TW_HEAD_FAR;
    }
    if (at == window->limit && !named) {
        way->at = at;
        return cut(way);
    }
    if (kind >= TW_PATTERN_OBJECT && kind <= TW_PATTERN_KEYED) {
        const tw_found found =
            tw_marker_at(way->reader->state->marks, window, at);
        if ((found.roles & TW_AT_CALL_END) != 0 && found.roles != TW_AT_MORE &&
            (way->reader->place == TW_PLACE_MARKER ||
             way->reader->place == TW_PLACE_PROMPT) &&
            way->markers > 0 && !way->pattern->plain) {
            way->at = at + found.size;
            return TW_HEAD_EMPTY;
        }
        const bool brace = at < window->limit && *at == '{' &&
                           !found.token && found.roles != TW_AT_MORE;
        if ((found.roles & ~(unsigned)TW_HEAD_PLAIN) != 0 && !brace) {
            return tw_walk_stop_at(way, at);
        }
    }
    const tw_head_kind found = kinds[tw_frame_body_opens(state, &head, at)];
    if (is_gemma(way) && found == TW_HEAD_WHOLE && at > way->at) {
        set_loose(way);
        if (way->pattern->words) {
            return TW_HEAD_NONE;
        }
    }
    way->head.loose |= is_gemma(way) && at < window->limit && *at != '{';
    way->at = kind == TW_PATTERN_RAW ? raw_at(way) : named ? way->at : at;
    if (found == TW_HEAD_CUT) {
        find_stop(way);
    }
    return found;
}

/* Was there an {id} behind the name? */
static bool had_id(const tw_walk *way)
{
    bool found = false;
    for (size_t i = 0; i < way->part; i++) {
        found |= way->pattern->parts[i].kind == TW_PATTERN_ID;
        found &= way->pattern->parts[i].kind != TW_PATTERN_NAME;
    }
    return found;
}

/* A name, then the body: is only the marker between them missing?  A tag with
 * the name is read to its end. */
static tw_match unmarked_at(const tw_walk *way)
{
    const tw_window *window = way->reader->window;
    const bool in_tag = way->pattern->parts[way->part].text[0] == '>';
    if (way->head.name == NULL ||
        tw_pattern_next(way->pattern, way->part) != way->pattern->hole ||
        had_id(way) || way->at == window->limit) {
        return TW_MATCH_NONE;
    }
    if (!is_tagged(way, tw_pattern_hole(way->pattern)->kind)) {
        return *way->at == '{' ? TW_MATCH_WHOLE : TW_MATCH_NONE;
    }
    return in_tag || !has_letter(way->head.name, way->head.name_size)
               ? TW_MATCH_NONE
               : tw_tagged_part_or_end_at(&way->reader->state->json.common,
                                          way->pattern, way->at);
}

/* Behind a tag that closes itself no arguments stand; nor may anything else of
 * the head. */
static tw_head_kind end_closed(tw_walk *way)
{
    const uint8_t kind = way->pattern->parts[way->part].kind;
    return kind == TW_PATTERN_ARGUMENTS || kind == TW_PATTERN_JSON_ARGUMENTS
               ? TW_HEAD_WHOLE
               : TW_HEAD_NONE;
}

static tw_head_kind read_part(tw_walk *way)
{
    const tw_part *part = &way->pattern->parts[way->part];
    if (way->head.closed) {
        return end_closed(way);
    }
    switch (part->kind) {
    case TW_PATTERN_LITERAL: {
        const tw_head_kind found = read_inner(way, part);
        const tw_match unmarked =
            found == TW_HEAD_NONE ? unmarked_at(way) : TW_MATCH_NONE;
        way->head.unmarked |= unmarked == TW_MATCH_WHOLE;
        return unmarked == TW_MATCH_WHOLE  ? TW_HEAD_WHOLE
               : unmarked == TW_MATCH_MORE ? TW_HEAD_MORE
               : found == TW_HEAD_NONE     ? tw_walk_stop_at(way, way->at)
                                           : found;
    }
    case TW_PATTERN_NAME:
        return is_tag_name(way) ? tw_walk_tag_name(way) : tw_walk_name(way);
    case TW_PATTERN_ID:
    case TW_PATTERN_SERVER:
    case TW_PATTERN_SKIP: return read_hole(way);
    case TW_PATTERN_INDEX:
    case TW_PATTERN_INDEX_FROM_1: return read_index(way);
    default: return read_body(way);
    }
}

/* Half of a head that nobody writes is none, unless two markers of it are
 * there, or one that is a token; nor is half of one that the prompt begins. */
static bool counts_if_cut(const tw_walk *way)
{
    const tw_pattern *pattern = way->pattern;
    const tw_head_place place = way->reader->place;
    return (!pattern->loose || way->markers > 1 ||
            pattern->parts[pattern->first].token > 0) &&
           !pattern->plain && !way->no_word && place != TW_PLACE_BARE &&
           (place != TW_PLACE_PROMPT ||
            (way->part > pattern->hole && way->markers > 0));
}

tw_match tw_head_word_ends(const tw_window *window, const uint8_t *behind)
{
    if (!tw_is_name_byte(behind[-1])) {
        return TW_MATCH_WHOLE;
    }
    if (behind == window->limit) {
        return window->eof ? TW_MATCH_WHOLE : TW_MATCH_MORE;
    }
    return tw_is_bare_name_byte(*behind) ? TW_MATCH_NONE : TW_MATCH_WHOLE;
}

tw_head tw_head_follow(const tw_head_reader *reader, const tw_pattern *pattern,
                       size_t part, const uint8_t *at, size_t written)
{
    tw_walk way = {.reader = reader,
                   .pattern = pattern,
                   .part = part,
                   .at = at,
                   .written = written,
                   .markers = reader->place == TW_PLACE_MARKER};
    const uint8_t hole = tw_pattern_hole(pattern)->kind;
    const bool tagged = is_tagged(&way, hole);
    const size_t last = pattern->hole + (size_t)tw_part_is_body(hole);
    tw_head_kind found = TW_HEAD_WHOLE;
    while (found == TW_HEAD_WHOLE && way.part < last) {
        found = read_part(&way);
        way.part = tw_pattern_next(pattern, way.part);
        if (way.at - reader->open > TW_HOLD_HEAD) {
            found = TW_HEAD_FAR;
        }
    }
    const unsigned quirks = reader->state->description->quirks;
    if (found == TW_HEAD_WHOLE && !tw_part_is_body(hole) &&
        (pattern->plain || (quirks & TW_QUIRK_LOOSE_CHANNELS) != 0) &&
        way.at > reader->open) {
        found = kind_of(tw_head_word_ends(reader->window, way.at));
    }
    if (found == TW_HEAD_CUT && !counts_if_cut(&way)) {
        found = TW_HEAD_NONE;
    }
    way.head.kind = found;
    way.head.pattern = pattern;
    way.head.body = found == TW_HEAD_CUT && way.stop != NULL ? way.stop
                    : found == TW_HEAD_CUT ? reader->window->limit
                    : found == TW_HEAD_FAR ? reader->open + TW_HOLD_HEAD + 1
                                           : way.at;
    way.head.loose |= (tagged || is_gemma(&way)) && pattern->loose;
    return way.head;
}
