/* SPDX-License-Identifier: MIT
 *
 * Is a transcript what its template makes of the conversation that was read?
 */
#include <string.h>

#include "turns/turns.h"
#include "core/ascii.h"

static const tw_turn *turn_at(const tw_transcript_reader *reader, size_t i)
{
    const tw_turn *all = (const tw_turn *)(const void *)reader->turns.data;
    return i < reader->turns.size / sizeof *all ? &all[i] : NULL;
}

/* What stands in front of |turn|, or behind all of them, from |*at| on, which
 * moves behind the turn. */
static tw_cursor gap_before(const tw_turn *turn, const char **at,
                            const char *end)
{
    const tw_cursor gap = {*at, turn != NULL ? turn->source : end};
    *at = turn != NULL ? turn->source + turn->size : end;
    return gap;
}

static bool is_same(tw_cursor one, tw_cursor other)
{
    return tw_cursor_size(one) == tw_cursor_size(other) &&
           memcmp(one.at, other.at, tw_cursor_size(one)) == 0;
}

static void skip_blanks(tw_cursor *text)
{
    while (text->at < text->end && tw_is_ws(*text->at)) {
        text->at++;
    }
}

/* A model may put blanks where the template puts none. */
static bool is_same_but_blanks(tw_cursor one, tw_cursor other)
{
    bool same = true;
    while (same) {
        skip_blanks(&one);
        skip_blanks(&other);
        if (one.at == one.end || other.at == other.end) {
            break;
        }
        same = *one.at++ == *other.at++;
    }
    return same && one.at == one.end && other.at == other.end;
}

static bool is_same_turn(const tw_turn *turn, const tw_turn *back)
{
    const tw_cursor one = {turn->source, turn->source + turn->size};
    const tw_cursor other = {back->source, back->source + back->size};
    return turn->kind == back->kind &&
           (turn->kind == TW_TURN_ASSISTANT ? is_same_but_blanks(one, other)
                                            : is_same(one, other));
}

/* Where |text|, of which |turns| were cut, is not what was |made|; NULL:
 * nowhere.  The stop at the end may be missing. */
static const char *first_difference(const tw_transcript_reader *turns,
                                    tw_cursor text,
                                    const tw_transcript_reader *made,
                                    tw_cursor prompt)
{
    const char *at = text.at;
    const char *other = prompt.at;
    const tw_turn *turn;
    for (size_t i = 0; (turn = turn_at(turns, i)) != NULL; i++) {
        const tw_turn *back = turn_at(made, i);
        const tw_cursor gap = gap_before(turn, &at, text.end);
        if (back == NULL ||
            !is_same(gap, gap_before(back, &other, prompt.end))) {
            return gap.at;
        }
        if (!is_same_turn(turn, back)) {
            return turn->source;
        }
    }
    const tw_cursor tail = {at, text.end};
    const tw_cursor whole =
        tw_cursor_shared(tail, (tw_cursor){other, prompt.end});
    return tw_cursor_size(whole) < tw_cursor_size(tail) ? whole.end : NULL;
}

/* Does the text end with a generation prompt? */
static bool ends_in_prompt(const tw_turns *turns,
                           const tw_transcript_reader *back, tw_cursor text)
{
    const size_t count = back->turns.size / sizeof(tw_turn);
    const tw_turn *last = count > 0 ? turn_at(back, count - 1) : NULL;
    const tw_cursor tail = {last != NULL ? last->source + last->size : text.at,
                            text.end};
    return last != NULL && tw_cursor_size(tail) > 0 &&
           is_same(tail, tw_cursor_of(tw_turns_between(turns, last->kind,
                                                       TW_TURN_ASSISTANT)));
}

/* What begins a turn of the model's behind the stop of a question; an empty
 * text: nothing that tells. */
static const char *head_of(const tw_turns *turns)
{
    const tw_cursor between =
        tw_cursor_of(tw_turns_between(turns, TW_TURN_USER, TW_TURN_ASSISTANT));
    const tw_cursor stop =
        tw_cursor_of(tw_turns_between(turns, TW_TURN_USER, TW_TURNS_EDGE));
    tw_cursor head = {tw_cursor_shared(between, stop).end, between.end};
    skip_blanks(&head);
    return head.at < head.end ? head.at : "";
}

/* Where |head| stands in the turn's text, or what ends a text of any kind; a
 * system's may hold tools, which may be turns of their own. */
static const char *find_edge(const tw_turns *turns, const char *head,
                             const tw_turn *turn)
{
    const tw_cursor text = {turn->source, turn->source + turn->size};
    const size_t kinds = turn->kind != TW_TURN_SYSTEM ? TW_TURNS_KINDS : 0;
    const char *found = *head != 0 ? tw_cursor_find(&text, head) : NULL;
    for (size_t i = 0; i < kinds && found == NULL; i++) {
        const tw_buffer *end = &turns->ends[i];
        found = end->size > 0 ? tw_cursor_find(&text, (const char *)end->data)
                              : NULL;
    }
    return found;
}

const char *tw_turns_within(const tw_turns *turns,
                            const tw_transcript_reader *cut)
{
    const char *head = head_of(turns);
    const char *found = NULL;
    const tw_turn *turn;
    for (size_t i = 0; found == NULL && (turn = turn_at(cut, i)) != NULL;
         i++) {
        found = turn->kind != TW_TURN_ASSISTANT ? find_edge(turns, head, turn)
                                                : NULL;
    }
    return found;
}

int tw_turns_prove(tw_turns *turns, const tw_transcript_reader *back,
                   const char *text, size_t size, const char *messages,
                   size_t *differs)
{
    const tw_cursor given = {text, text + size};
    tw_buffer prompt = {0};
    tw_transcript_reader made;
    int code = TW_ERROR_CANNOT_CARRY;
    turns->failed = false;
    *differs = 0;
    tw_reader_init(&made, turns->memory);
    if (tw_turns_render(turns, messages, tw_turns_tools(turns),
                        ends_in_prompt(turns, back, given), &prompt)) {
        const tw_cursor whole = tw_cursor_of(&prompt);
        tw_turns_cut(turns, &made, whole.at, tw_cursor_size(whole));
        const char *at = first_difference(back, given, &made, whole);
        *differs = at != NULL ? (size_t)(at - text) : 0;
        code = at == NULL ? TW_OK : TW_ERROR_CANNOT_CARRY;
    }
    if (turns->failed || made.failed) {
        code = TW_ERROR_MEMORY;
    }
    tw_reader_free(&made);
    tw_buffer_free(&prompt, turns->memory);
    return code;
}
