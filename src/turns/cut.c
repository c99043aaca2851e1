/* SPDX-License-Identifier: MIT
 *
 * A transcript, cut where a template writes what stands between turns.
 */
#include <string.h>

#include "turns/turns.h"

/* Does |part| stand where |text| begins?  NULL: no, else where it ends; *name
 * is what stands in its hole for a function's name. */
static const char *behind(const tw_buffer *part, tw_cursor text,
                          tw_cursor *name)
{
    const char *literal = (const char *)part->data;
    *name = (tw_cursor){NULL, NULL};
    if (literal == NULL || !tw_cursor_skip(&text, literal)) {
        return NULL;
    }
    const char *end = literal + part->size;
    for (literal += strlen(literal); literal < end;
         literal += strlen(literal)) {
        const bool names = literal[1] == TW_NAME_HOLE[1];
        const tw_cursor hole = {text.at, tw_cursor_size(text) > TW_IN_HOLE_MOST
                                             ? text.at + TW_IN_HOLE_MOST
                                             : text.end};
        literal += TW_HOLE_SIZE;
        const char *next = tw_cursor_find(&hole, literal);
        if (next == NULL) {
            return NULL;
        }
        *name = names ? (tw_cursor){text.at, next} : *name;
        text.at = next + strlen(literal);
    }
    return text.at;
}

static bool begins(tw_cursor text, const tw_buffer *with)
{
    tw_cursor name;
    return behind(with, text, &name) != NULL;
}

/* Where |part| stands next; the text's end: nowhere. */
static const char *find(const tw_buffer *part, tw_cursor text)
{
    const char *at = NULL;
    while (part->size > 0 &&
           (at = tw_cursor_find(&text, (const char *)part->data)) != NULL) {
        text.at = at;
        if (begins(text, part)) {
            return at;
        }
        text.at++;
    }
    return text.end;
}

/* Does the part stand in front of no turn? */
static bool is_edge(size_t to)
{
    return to % TW_TURNS_PLACES == TW_TURNS_EDGE;
}

/* Where each of the parts stands next, at the end: nowhere. */
typedef struct seen_parts {
    const char *next[TW_TURNS_PLACES][TW_TURNS_FORMS];
} seen_parts;

/* Looks for all that may stand behind a turn of |kind|, whose text begins at
 * |text|; returns where the first of them stands. */
static const char *look(const tw_turns *turns, seen_parts *seen, size_t kind,
                        tw_cursor text)
{
    const char *first = text.end;
    for (size_t to = 0; to < TW_TURNS_FORMS; to++) {
        if (is_edge(to)) {
            continue;
        }
        const char **at = &seen->next[kind][to];
        if (*at == NULL || *at < text.at) {
            *at = find(tw_turns_between(turns, kind, to), text);
        }
        first = *at < first ? *at : first;
    }
    return first;
}

/* A turn, and what stands in front of the next one. */
typedef struct cut {
    size_t kind;       /* the edge: there is none */
    const char *end;   /* of the text in front */
    const char *begin; /* of its own */
    tw_cursor name;    /* of the function whose result it is */
} cut;

/* The turn behind one of |kind|, whose text begins at |text|.  Of parts that
 * overlap the one that reaches further is meant: results may stand in a turn
 * of the user's. */
static cut next_turn(const tw_turns *turns, seen_parts *seen, size_t kind,
                     tw_cursor text)
{
    const char *first = look(turns, seen, kind, text);
    cut next = {TW_TURNS_EDGE, text.end, first, {NULL, NULL}};
    /* Edges that stand first, then edges that overlap the longest of them. */
    for (size_t i = 0; i < 2 * TW_TURNS_FORMS; i++) {
        const size_t to = i % TW_TURNS_FORMS;
        const char *at = is_edge(to) ? text.end : seen->next[kind][to];
        const bool overlaps =
            i < TW_TURNS_FORMS ? at == first : at < next.begin;
        tw_cursor name;
        const char *begin = at < text.end && overlaps
                                ? behind(tw_turns_between(turns, kind, to),
                                         (tw_cursor){at, text.end}, &name)
                                : NULL;
        if (begin != NULL && begin > next.begin) {
            next = (cut){to % TW_TURNS_PLACES, at, begin, name};
        }
    }
    const tw_buffer *edge = tw_turns_between(turns, kind, TW_TURNS_EDGE);
    if (next.kind == TW_TURNS_EDGE && tw_cursor_size(text) >= edge->size &&
        begins((tw_cursor){text.end - edge->size, text.end}, edge)) {
        next.end -= edge->size;
    }
    return next;
}

/* The longest of what may stand in front of all turns. */
static cut first_turn(const tw_turns *turns, tw_cursor text)
{
    cut first = {TW_TURNS_EDGE, text.at, text.at, {NULL, NULL}};
    for (size_t to = 0; to < TW_TURNS_FORMS; to++) {
        tw_cursor name;
        const char *begin =
            behind(tw_turns_between(turns, TW_TURNS_EDGE, to), text, &name);
        if (begin != NULL && !is_edge(to) &&
            (first.kind == TW_TURNS_EDGE || begin > first.begin)) {
            first = (cut){to % TW_TURNS_PLACES, text.at, begin, name};
        }
    }
    return first;
}

void tw_turns_cut(const tw_turns *turns, tw_transcript_reader *reader,
                  const char *text, size_t size)
{
    const tw_cursor whole = {text, text + size};
    seen_parts seen = {{{NULL}}};
    cut turn = first_turn(turns, whole);
    if (turns->found.out.size > 0) {
        tw_json_put_text(&reader->tools, (const char *)turns->found.out.data,
                         turns->found.out.size);
    }
    if (turn.kind == TW_TURNS_EDGE) {
        tw_reader_report_loss(reader, whole);
    }
    while (turn.kind != TW_TURNS_EDGE) {
        const tw_cursor rest = {turn.begin, whole.end};
        const cut next = next_turn(turns, &seen, turn.kind, rest);
        /* Behind a generation prompt the model has written nothing yet. */
        if (turn.kind != TW_TURN_ASSISTANT || rest.at < rest.end) {
            tw_reader_turn(reader, (tw_turn_kind)turn.kind, rest.at,
                           (size_t)(next.end - rest.at));
            tw_reader_name(reader, turn.name.at, tw_cursor_size(turn.name));
        }
        turn = next;
    }
}
