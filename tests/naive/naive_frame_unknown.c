/* SPDX-License-Identifier: MIT
 *
 * A block that opens and closes as a call does and is none (D21).
 */
#include "naive_frame.h"

#include <string.h>

static bool is_named(const frame_reader *reader, const char *word, size_t size)
{
    naive_bytes name = {0};
    bool found = false;

    while (size > 0 && frame_among(".:/", word[size - 1]))
        size--; /* `NAME: 5` */
    for (size_t i = 0; i < size && !found; i++)
        if (i == 0 || frame_among(".:/", word[i - 1])) {
            naive_release(&name);
            naive_add(&name, word + i, size - i);
            found = frame_tool(reader, &name) != NULL;
        }
    naive_release(&name);
    return found;
}

/* The name of a declared tool stands in [at, to). */
static bool names_tool(const frame_reader *reader, size_t at, size_t to)
{
    while (at < to) {
        size_t end = at;

        while (end < to && frame_is_name_byte(reader->text[end]))
            end++;
        if (end > at && is_named(reader, reader->text + at, end - at))
            return true;
        at = end > at ? end : at + 1;
    }
    return false;
}

/* What opens a call here, a token of it at least; or NULL. */
const char *frame_bad_call_at(frame_reader *reader, size_t at)
{
    const char *word = frame_call_open_at(reader, at);

    return word && !frame_is_plain(word) ? word
                                         : frame_open_token_at(reader, at);
}

/* A parameter stands behind white space, of a call without a name. */
static bool begins_parameter(const frame_reader *reader, size_t at)
{
    const frame_pattern *pattern;
    frame_match match;
    bool begins;

    frame_match_parameter(reader, frame_skip(reader, at), &pattern, &match);
    begins = match.answer == FRAME_YES;
    frame_match_release(&match);
    return begins;
}

typedef enum bracket {
    NOTHING,
    CALL_OPENS,
    SECTION_OPENS,
    CALL_CLOSES,
    SECTION_CLOSES,
    SEARCH_ENDS
} bracket;

/* How often a close of calls stands behind the body of the call that opens at
 * |at|; *size: up to there. */
static size_t count_closes(frame_reader *reader, size_t at, size_t *size)
{
    frame_head head;
    const char *closer;
    size_t count = 0;

    frame_read_head(reader, at, reader->in_section, &head);
    if (head.answer == FRAME_NO) { /* it is one elsewhere */
        *size = 1;
        return 0;
    }
    for (size_t n = 0; (closer = frame_closer(head.call, n)); n++) {
        frame_reader other = *reader;
        const char *last;

        other.text = closer;
        other.size = strlen(closer);
        last = frame_last_close_at(&other, 0);
        count += last && !frame_is_plain(last);
    }
    count = head.match.closed ? 0 : count ? count : 1;
    *size = head.body - at;
    frame_head_release(&head);
    return count;
}

/* What stands at |at| behind a block that is none. */
static bracket bracket_at(frame_reader *reader, size_t at, size_t *size)
{
    const char *section = frame_section_open_at(reader, at);
    const char *call = frame_bad_call_at(reader, at);
    const char *close = frame_last_close_at(reader, at);
    const bool gemma =
        frame_body(&reader->format->call.items[0]) == HOLE_GEMMA;
    const bool lone = section && !call;

    if (gemma                         ? frame_gemma_opens(reader, at)
        : reader->in_section && !lone ? frame_head_opens(reader, at)
                                      : frame_call_begins(reader, at))
        return lone ? SECTION_OPENS : CALL_OPENS;
    if (frame_stop_at(reader, at) ||
        (reader->in_section && (section || call)) ||
        (gemma && frame_call_open_at(reader, at)))
        return SEARCH_ENDS;
    if (frame_section_close_at(reader, at)) {
        *size = frame_size(reader, at, frame_section_close_at(reader, at));
        return SECTION_CLOSES;
    }
    if (!close || frame_is_plain(close)) /* any text has a fence */
        return NOTHING;
    *size = frame_size(reader, at, close);
    return CALL_CLOSES;
}

/* What a block that is none holds so far. */
typedef struct block {
    bool call, section; /* it opened as this */
    size_t calls, sections;
    bool nested;     /* a call or a section stands in it */
    bool apart;      /* a call in it may be a section's own */
    size_t behind;   /* the last close of what it holds, and white space */
    size_t at, size; /* its close; 0: none was found */
} block;

/* The block goes on behind |found| at |at|: false if it is over. */
static bool takes(block *held, bracket found, bool in_section, size_t at)
{
    const bool outer = held->sections == 0;
    const bool again = at == held->behind; /* closes what is closed */

    switch (found) {
    case SECTION_OPENS: held->sections++; return true;
    case CALL_CLOSES:
        if (held->calls > 0) {
            held->calls--;
            return true;
        }
        if (again)
            return true;
        held->apart &= !outer; /* that call's, so they are quoted */
        return !outer || !held->call;
    case SECTION_CLOSES:
        if (outer)
            return (again || !held->section) && !in_section;
        held->calls = --held->sections > 0 ? held->calls : 0;
        return true;
    default: return found == NOTHING;
    }
}

static size_t behind_some(const frame_reader *reader, size_t at)
{
    const size_t from = at;

    while (at < reader->size && at - from < FRAME_LOOK &&
           frame_is_blank(reader->text[at]))
        at++;
    return at;
}

/* Looks for the close of the block that goes on at |from|, in reach.  Calls
 * and sections that begin in it have closes of their own. */
static void find_end(frame_reader *reader, size_t from, block *held)
{
    size_t markers = 0, size = 0;

    for (size_t to = from; to < reader->size && to - from <= FRAME_HEAD;
         to++) {
        const bracket found = bracket_at(reader, to, &size);
        const size_t times = found == CALL_OPENS
                                 ? count_closes(reader, to, &size)
                                 : found != NOTHING;
        const bool inside = held->calls + held->sections > 0;

        markers += times;
        if (markers > FRAME_NEST)
            return;
        if (found == CALL_OPENS) {
            held->apart |= held->sections == 0 && times > 0;
            held->nested |= times > 0;
            held->calls += times;
            to += size - 1;
        } else if (!takes(held, found, reader->in_section, to)) {
            const bool own = (found == CALL_CLOSES && held->call) ||
                             (found == SECTION_CLOSES && held->section);

            held->at = to;
            held->size = own && !held->apart ? size : 0;
            return;
        }
        held->nested |= found == SECTION_OPENS;
        if (found == CALL_CLOSES || found == SECTION_CLOSES)
            held->behind = inside || to == held->behind
                               ? behind_some(reader, to + size)
                               : 0;
    }
}

/* A call or a section opens behind nothing but white space at |at|. */
static bool opens_first(frame_reader *reader, size_t at)
{
    size_t size;
    const bracket found = bracket_at(reader, frame_skip(reader, at), &size);

    return found == CALL_OPENS || found == SECTION_OPENS;
}

/* Where the block that opens at |at| and is no call ends, if its close stands
 * in reach, and a parameter stands first, a declared tool is named or a call
 * stands in it, behind something else (D21); else 0. */
size_t frame_unknown_block(frame_reader *reader, size_t at)
{
    const char *section = frame_section_open_at(reader, at);
    const char *call = frame_bad_call_at(reader, at);
    const char *open = section && (!call || strlen(section) > strlen(call))
                           ? section
                           : call;
    const size_t inside = at + frame_size(reader, at, open);
    const bool gemma =
        frame_body(&reader->format->call.items[0]) == HOLE_GEMMA;
    block held = {.call = !section || call, .section = section != NULL};

    if (!open)
        return 0;
    find_end(reader, inside, &held);
    if (!held.size ||
        !(held.nested ? !opens_first(reader, inside)
                      : (gemma || !frame_head_opens(reader, at)) &&
                            (begins_parameter(reader, inside) ||
                             names_tool(reader, inside, held.at))))
        return 0;
    return held.at + held.size;
}

/* The same of a call in an open section, or of text there that quotes one. */
size_t frame_unknown_call(frame_reader *reader, size_t at)
{
    const char *token = frame_open_token_at(reader, at);
    const char *word = token ? token : frame_bad_call_at(reader, at);
    const size_t inside =
        at + (word ? strlen(word) : frame_marker_at(reader, at));
    block held = {.call = true};

    find_end(reader, inside, &held);
    return held.size &&
                   (held.nested ? !opens_first(reader, inside) : word != NULL)
               ? held.at + held.size
               : 0;
}

/* A call or a section opens at |at| in a bad call: where that call's own close
 * stands, if whole calls alone stand in front of it; else 0. */
size_t frame_quoted_end(frame_reader *reader, size_t at)
{
    block held = {.call = true};

    if (!frame_section_open_at(reader, at) &&
        !frame_call_open_at(reader, at) && !frame_open_token_at(reader, at))
        return 0;
    find_end(reader, at, &held);
    return held.size && held.nested ? held.at : 0;
}

/* From |at| in a bad call on to the next marker, but for what it quotes. */
size_t frame_bad_end(frame_reader *reader, size_t at)
{
    size_t end = frame_next_marker(reader, at);

    while (frame_quoted_end(reader, end))
        end = frame_next_marker(reader, frame_quoted_end(reader, end));
    return end;
}
