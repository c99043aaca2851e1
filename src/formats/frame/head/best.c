/* SPDX-License-Identifier: MIT
 *
 * Which of the format's patterns stands behind a marker: the one that fits
 * best.
 */
#include "formats/frame/head/reader.h"

#include <string.h>

bool tw_head_opens_with(const tw_pattern *pattern,
                        const tw_head_reader *reader)
{
    const tw_part *part = &pattern->parts[pattern->first];
    bool cut;
    const size_t taken =
        part->kind == TW_PATTERN_LITERAL
            ? tw_mark_text_at(part->text, part->marker, part->token,
                              part->last, reader->open,
                              reader->open + reader->size, &cut)
            : 0;
    return taken > 0 && !pattern->fence && !pattern->words &&
           (taken == reader->size || pattern->plain);
}

uint32_t tw_head_opening(const tw_head_reader *reader,
                         const tw_patterns *patterns)
{
    uint32_t opens = 0;
    for (size_t i = 0; i < patterns->count; i++) {
        opens |= (uint32_t)tw_head_opens_with(&patterns->all[i], reader) << i;
    }
    return opens;
}

/* Does |head| reach further than |best|, or as far with all of its markers, or
 * with nothing mended? */
static bool is_longer(const tw_head *head, const tw_head *best)
{
    return head->body > best->body || (head->body == best->body &&
                                       ((best->unmarked && !head->unmarked) ||
                                        (best->code != 0 && head->code == 0)));
}

static bool is_raw(const tw_head *head)
{
    return tw_pattern_hole(head->pattern)->kind == TW_PATTERN_RAW;
}

/* Is the other form better than free text?  Half an object is no text. */
static bool beats_text(const tw_head *head, const tw_head *text)
{
    const uint8_t kind = tw_pattern_hole(head->pattern)->kind;
    return head->kind >= text->kind ||
           (head->kind == TW_HEAD_CUT && kind >= TW_PATTERN_OBJECT &&
            kind <= TW_PATTERN_KEYED);
}

/* More of a head is better, and free text is last. */
static bool is_better(const tw_head *head, const tw_head *best)
{
    if (best->pattern == NULL) {
        return true;
    }
    if (is_raw(head) != is_raw(best)) {
        return is_raw(head) ? !beats_text(best, head) : beats_text(head, best);
    }
    return head->kind > best->kind ||
           (head->kind == best->kind && head->kind == TW_HEAD_WHOLE &&
            is_longer(head, best));
}

/* Follows one of the patterns from where |reader| stands. */
static tw_head follow_at(const tw_head_reader *reader,
                         const tw_pattern *pattern)
{
    const size_t first = pattern->first;
    switch (reader->place) {
    case TW_PLACE_MARKER: {
        if (tw_is_tag(pattern, first)) {
            return tw_head_follow(reader, pattern, first,
                                  reader->open + reader->size,
                                  pattern->parts[first].marker);
        }
        const size_t next = tw_pattern_next(pattern, first);
        const bool directly =
            (pattern->plain && pattern->parts[first].size < reader->size) ||
            tw_pattern_is_joined(pattern, next);
        const uint8_t *behind =
            reader->head.last != NULL
                ? reader->head.last
                : reader->open + pattern->parts[first].size;
        return tw_head_follow(reader, pattern, next,
                              directly ? behind : reader->at, 0);
    }
    case TW_PLACE_PROMPT:
        return tw_head_follow(reader, pattern, first, reader->at,
                              pattern->written);
    case TW_PLACE_SHARED:
        return tw_head_follow(reader, pattern,
                              pattern->words ? first
                                             : tw_pattern_next(pattern, first),
                              reader->at, 0);
    default: return tw_head_follow(reader, pattern, first, reader->at, 0);
    }
}

/* May the pattern's call stand in the block that another one's has opened?
 * One that is not written so is a declared tool's. */
static bool may_share(const tw_frame *state, const tw_pattern *pattern)
{
    const tw_part *open = tw_pattern_open(state->pattern);
    const tw_part *own = tw_pattern_open(pattern);
    return pattern == state->pattern ||
           ((!pattern->loose || tw_tools_count(state->sink->tools) > 0) &&
            open != NULL && own != NULL && strcmp(own->text, open->text) == 0);
}

static bool may_stand(const tw_head_reader *reader, const tw_patterns *all,
                      size_t i)
{
    const tw_pattern *pattern = &all->all[i];
    switch (reader->place) {
    case TW_PLACE_MARKER: return (reader->opens >> i & 1) != 0;
    case TW_PLACE_PROMPT: return pattern->written > 0 && !pattern->opened;
    case TW_PLACE_SHARED: return may_share(reader->state, pattern);
    case TW_PLACE_SECTION:
        return pattern->parts[pattern->first].kind != TW_PATTERN_LITERAL;
    case TW_PLACE_EDGE: return pattern->words;
    default: return tw_frame_may_be_bare(pattern);
    }
}

tw_head tw_head_best(const tw_head_reader *reader, const tw_patterns *patterns)
{
    tw_head best = {.kind = TW_HEAD_NONE};
    bool more = false;
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        if (!may_stand(reader, patterns, i)) {
            continue;
        }
        const tw_head head = follow_at(reader, pattern);
        more |= head.kind == TW_HEAD_MORE;
        if (is_better(&head, &best)) {
            best = head;
        }
    }
    best.kind = more ? TW_HEAD_MORE : best.kind;
    return best;
}
