/* SPDX-License-Identifier: MIT
 *
 * A value's close counts where what follows shows that it closed the value:
 * documentation and programs that are passed as values hold the format's own
 * tags.  Each look ahead is bounded, and nothing is read twice.
 */
#include "formats/body/tagged/end.h"

#include <string.h>

#include "core/skip.h"
#include "formats/body/tagged/quoted.h"

enum { LOOSE = 16 }; /* bytes of damage in a close */

/* ---- what follows ------------------------------------------------------- */

/* A place behind a close, and what stands there. */
typedef struct place {
    const uint8_t *at;
    bool over; /* the input ends there */
    bool more; /* not decided before the window's end */
    tw_tagged_seen seen;
} place;

static place place_behind(const tw_tagged_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    place found = {.at = tw_behind_some_ws(at, window->limit)};
    if (found.at == window->limit) {
        found.over = window->eof;
        found.more = !window->eof;
    } else {
        found.seen = tw_tagged_look(body, found.at);
        found.more = found.seen.more;
    }
    return found;
}

static bool is_nothing(const tw_tagged_seen *seen)
{
    size_t most = 0;
    for (size_t role = 1; role < TW_TAGGED_ROLES; role++) {
        most |= seen->size[role];
    }
    return most == 0 && !seen->more;
}

/* The place inside the call, whose pattern may have a {skip} there: what
 * stands in front of the next word, on the line. */
static place place_in_call(const tw_tagged_body *body, const uint8_t *at)
{
    const tw_pattern *call = body->common.pattern;
    const uint8_t *limit = body->common.call->window->limit;
    const size_t behind = tw_pattern_next(call, call->hole);
    const place found = place_behind(body, at);
    const uint8_t *to = found.at;
    if (behind == call->count || call->parts[behind].kind != TW_PATTERN_SKIP) {
        return found;
    }
    while (to < limit && to - found.at < TW_PATTERN_HOLE_MOST && *to != '\n' &&
           *to != '\r') {
        const tw_tagged_seen seen = tw_tagged_look(body, to);
        if (!is_nothing(&seen)) {
            break;
        }
        to++;
    }
    return place_behind(body, to);
}

const uint8_t *tw_tagged_behind_skip(const tw_tagged_body *body, bool *more)
{
    const tw_window *window = body->common.call->window;
    const place found = place_in_call(body, window->at);
    *more = found.more;
    return found.over || !is_nothing(&found.seen) ? found.at : window->at;
}

static bool opens(const place *found)
{
    return found->seen.size[TW_TAGGED_SECTION] > 0 ||
           found->seen.size[TW_TAGGED_CALL] > 0;
}

const tw_parameter *tw_tagged_declared(const tw_tagged_body *body,
                                       const char *key, size_t size)
{
    return tw_tools_parameter(body->common.call->sink->tools, body->tool, key,
                              size);
}

/* Is the opening that of a declared parameter which was not given yet? */
static bool is_expected(const tw_tagged_body *body, const tw_opening *opening)
{
    const tw_parameter *parameter = tw_tagged_declared(
        body, (const char *)opening->key.from, opening->key.size);
    return parameter != NULL &&
           (body->given.data[parameter->bit / 8] >> parameter->bit % 8 & 1) ==
               0;
}

static tw_match expected_at(const tw_tagged_body *body, const uint8_t *at)
{
    tw_opening opening;
    const tw_match found = tw_opening_at(body->common.call->window,
                                         body->common.format, at, &opening);
    return found == TW_MATCH_WHOLE  ? tw_match_if(is_expected(body, &opening))
           : found == TW_MATCH_MORE ? TW_MATCH_MORE
                                    : TW_MATCH_NONE;
}

tw_match tw_tagged_bare_opening(const tw_tagged_body *body, const uint8_t *at,
                                tw_opening *opening)
{
    const tw_match found =
        body->tool != NULL
            ? tw_bare_opening_at(body->common.call->window,
                                 body->common.format, at, opening)
            : TW_MATCH_NONE;
    return found == TW_MATCH_MORE ||
                   (found == TW_MATCH_WHOLE &&
                    tw_tagged_declared(body, (const char *)opening->key.from,
                                       opening->key.size) != NULL)
               ? found
               : TW_MATCH_NONE;
}

/* Is a parameter expected at |at| that lacks the marker in front of its key?
 */
static tw_match bare_expected_at(const tw_tagged_body *body, const uint8_t *at)
{
    tw_opening opening;
    const tw_match found = tw_tagged_bare_opening(body, at, &opening);
    return found == TW_MATCH_WHOLE ? tw_match_if(is_expected(body, &opening))
                                   : found;
}

/* Does the whole tail stand at |at|, behind a close of the call: its
 * section's and the message's, and the end, a stop or, where |others|, another
 * section? */
static tw_match whole_tail(const tw_tagged_body *body, const uint8_t *at,
                           bool others)
{
    for (int i = 0; i < 2; i++) {
        const place next = place_behind(body, at);
        if (next.more) {
            return TW_MATCH_MORE;
        }
        at = next.at + next.seen.size[TW_TAGGED_SECTION_CLOSE];
    }
    place last = place_behind(body, at);
    if (!last.more && !last.over) {
        const tw_found end = tw_marker_at(body->common.marks,
                                          body->common.call->window, last.at);
        last = end.roles == TW_AT_MORE ? (place){.more = true}
               : (end.roles & TW_AT_END) != 0
                   ? place_behind(body, last.at + end.size)
                   : last;
    }
    return last.more
               ? TW_MATCH_MORE
               : tw_match_if(last.over || last.seen.size[TW_TAGGED_STOP] > 0 ||
                             (others && opens(&last)));
}

/* Does a word with one of |roles| stand in reach behind |at|?  |ahead| keeps
 * the first one, and how far was looked: no byte is looked at twice. */
static tw_match next_of(const tw_tagged_body *body, tw_tagged_ahead *ahead,
                        unsigned roles, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const uint64_t begin = tw_window_offset(window, at);
    const uint8_t *to =
        ahead->offset > begin ? at + (ahead->offset - begin) : at;
    if (ahead->offset < begin) {
        ahead->role = TW_TAGGED_NOTHING;
    }
    while (ahead->role == TW_TAGGED_NOTHING && to - at <= TW_HOLD_HEAD) {
        if (to == window->limit) {
            ahead->offset = tw_window_offset(window, to);
            return window->eof ? TW_MATCH_NONE : TW_MATCH_MORE;
        }
        const tw_tagged_seen seen = tw_tagged_look(body, to);
        const tw_tagged_role role = tw_tagged_role_of(&seen);
        ahead->offset = tw_window_offset(window, to);
        if (seen.more) {
            return TW_MATCH_MORE;
        }
        if ((roles >> role & 1) != 0) {
            ahead->role = (uint8_t)role;
        } else {
            to++;
        }
    }
    return tw_match_if(ahead->role != TW_TAGGED_NOTHING &&
                       to - at <= TW_HOLD_HEAD);
}

/* Text or a thought begins or ends at |at|, behind a close of the value.  The
 * value quotes both if its own close follows in reach, and nothing that ends
 * the call stands in front of that. */
static tw_match is_outside(tw_tagged_body *body, const uint8_t *at)
{
    enum {
        ENDS = 1 << TW_TAGGED_VALUE_CLOSE | 1 << TW_TAGGED_CALL_CLOSE |
               1 << TW_TAGGED_SECTION_CLOSE | 1 << TW_TAGGED_CALL |
               1 << TW_TAGGED_SECTION | 1 << TW_TAGGED_STOP
    };
    const tw_match found = next_of(body, &body->next_end, ENDS, at);
    return found == TW_MATCH_MORE
               ? TW_MATCH_MORE
               : tw_match_if(found == TW_MATCH_NONE ||
                             body->next_end.role != TW_TAGGED_VALUE_CLOSE);
}

/* Does what stands behind a close, at |at|, show that it closed the value?
 * |own|: it fits the top of the nest. */
static tw_match closes(tw_tagged_body *body, const uint8_t *at, bool nested,
                       bool own)
{
    const place next = place_in_call(body, at);
    if (next.more) {
        return TW_MATCH_MORE;
    }
    if (next.over || next.seen.size[TW_TAGGED_STOP] > 0) {
        return TW_MATCH_WHOLE;
    }
    if (next.seen.size[TW_TAGGED_CALL_CLOSE] > 0) {
        /* In a nest the close may be quoted, unless it does not fit there. */
        return nested
                   ? whole_tail(
                         body, next.at + next.seen.size[TW_TAGGED_CALL_CLOSE],
                         !own)
                   : TW_MATCH_WHOLE;
    }
    if (next.seen.size[TW_TAGGED_SECTION_CLOSE] > 0) {
        return tw_match_if(!nested || !own);
    }
    if (next.seen.size[TW_TAGGED_OUTSIDE] > 0 && !nested && !opens(&next)) {
        return is_outside(body, next.at);
    }
    if (nested) {
        return own ? TW_MATCH_NONE : expected_at(body, next.at);
    }
    return next.seen.size[TW_TAGGED_PARAMETER] > 0 || opens(&next)
               ? TW_MATCH_WHOLE
               : bare_expected_at(body, next.at);
}

/* Does a close that is spelled loosely end the value?  A repair must be
 * certain. */
static tw_match closes_surely(tw_tagged_body *body, const uint8_t *at)
{
    const place next = place_in_call(body, at);
    const size_t call = next.seen.size[TW_TAGGED_CALL_CLOSE];
    tw_opening opening;
    if (call > 0 && !next.more) {
        const place last = place_behind(body, next.at + call);
        return last.more
                   ? TW_MATCH_MORE
                   : tw_match_if(last.over || opens(&last) ||
                                 last.seen.size[TW_TAGGED_SECTION_CLOSE] > 0 ||
                                 last.seen.size[TW_TAGGED_OUTSIDE] > 0 ||
                                 last.seen.size[TW_TAGGED_STOP] > 0);
    }
    return next.seen.size[TW_TAGGED_PARAMETER] > 0 && !next.more
               ? tw_opening_at(body->common.call->window, body->common.format,
                               next.at, &opening)
               : closes(body, at, false, false);
}

/* ---- judging ------------------------------------------------------------ */

static tw_value_end goes_on(const uint8_t *next)
{
    const tw_value_end end = {TW_MATCH_NONE, next, 0};
    return end;
}

static tw_value_end ends(const uint8_t *next, uint32_t code)
{
    const tw_value_end end = {TW_MATCH_WHOLE, next, code};
    return end;
}

static const tw_value_end undecided = {TW_MATCH_MORE, NULL, 0};

static tw_tagged_role top_of(const tw_tagged_body *body)
{
    return body->depth > 0 ? (tw_tagged_role)body->nest[body->depth - 1]
                           : TW_TAGGED_NOTHING;
}

static void push(tw_tagged_body *body, tw_tagged_role role)
{
    if (body->depth < TW_TAGGED_NEST) {
        body->nest[body->depth++] = (uint8_t)role;
    }
}

/* A word that belongs to the value. */
static tw_value_end passes(const tw_tagged_body *body, const uint8_t *at,
                           tw_tagged_role role, size_t size)
{
    if (role == TW_TAGGED_VALUE_CLOSE && !body->passes) {
        tw_sink_diagnostic(body->common.call->sink,
                           TW_DIAGNOSTIC_CLOSER_IN_VALUE,
                           tw_window_offset(body->common.call->window, at));
    }
    return goes_on(at + (size > 0 ? size : 1));
}

/* Does a parameter of a quoted call follow at |at|?  It counts wherever it
 * stands. */
static tw_match looks_due(tw_tagged_body *body, const uint8_t *at)
{
    const place next = place_behind(body, at);
    const bool found = next.seen.size[TW_TAGGED_PARAMETER] > 0;
    if (next.more) {
        return TW_MATCH_MORE;
    }
    body->due = found ? tw_window_offset(body->common.call->window, next.at)
                      : UINT64_MAX;
    return tw_match_if(found);
}

static tw_value_end judge_value_close(tw_tagged_body *body, const uint8_t *at,
                                      size_t size, bool loose)
{
    const tw_tagged_role top = top_of(body);
    const uint8_t *behind = at + size;
    tw_match found = loose && body->depth == 0
                         ? closes_surely(body, behind)
                         : closes(body, behind, body->depth > 0,
                                  top == TW_TAGGED_VALUE_CLOSE);
    if (found == TW_MATCH_NONE && body->depth == 0 && body->opened == 0) {
        const place next = place_behind(body, behind);
        const size_t again = next.seen.size[TW_TAGGED_VALUE_CLOSE];
        found = again > 0 ? closes(body, next.at + again, false, false)
                          : TW_MATCH_NONE; /* written twice (D4) */
    }
    if (found == TW_MATCH_MORE) {
        return undecided;
    }
    if (found == TW_MATCH_WHOLE) {
        return ends(behind, 0);
    }
    if (top == TW_TAGGED_VALUE_CLOSE) {
        if (looks_due(body, behind) == TW_MATCH_MORE) {
            return undecided;
        }
        body->depth--;
    } else if (body->depth == 0) {
        body->opened -= body->opened > 0;
    }
    return passes(body, at, TW_TAGGED_VALUE_CLOSE, size);
}

/* What ends a call, or begins the next message, stands in the value: such a
 * value ends at its own close or nowhere (D10). */
static tw_value_end doubts(tw_tagged_body *body, const uint8_t *next)
{
    body->doubt |= body->depth == 0;
    return goes_on(next);
}

/* The close of a call or section in a value that was not closed: a call that
 * is quoted may stand there.  It ends the value only with all that ends the
 * output; the next call could be a quoted one, too. */
static tw_value_end judge_outer_close(tw_tagged_body *body, const uint8_t *at,
                                      tw_tagged_role role, size_t size)
{
    if (body->depth > 0) {
        body->depth -= top_of(body) == role;
        return goes_on(at + size);
    }
    const tw_match found =
        body->doubt ? TW_MATCH_NONE : whole_tail(body, at + size, false);
    return found == TW_MATCH_MORE ? undecided
           : found == TW_MATCH_WHOLE
               ? ends(at, TW_DIAGNOSTIC_MISSING_VALUE_CLOSE)
               : doubts(body, at + size);
}

/* The tag that the value's close would close, `<parameter` of `</parameter>`,
 * whatever else stands in it. */
static tw_match own_tag_at(const tw_tagged_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const tw_pattern *argument = body->argument;
    const tw_part *close = &argument->parts[tw_pattern_closer(argument)];
    const size_t slash = strlen("</");
    if (close->size <= slash + 1 || memcmp(close->text, "</", slash) != 0 ||
        close->text[close->size - 1] != '>' || *at != '<') {
        return TW_MATCH_NONE;
    }
    const size_t size = close->size - slash - 1;
    const tw_match found =
        tw_text_at(window, at + 1, close->text + slash, size);
    const uint8_t *behind = at + 1 + size;
    if (close->token > 0 && found == TW_MATCH_WHOLE &&
        tw_window_is_marked_text(window, at, size + 1)) {
        return TW_MATCH_NONE;
    }
    if (found != TW_MATCH_WHOLE || behind < window->limit) {
        return found != TW_MATCH_WHOLE || !tw_is_bare_name_byte(*behind)
                   ? found
                   : TW_MATCH_NONE;
    }
    return window->eof ? TW_MATCH_WHOLE : TW_MATCH_MORE;
}

/* A tag that opens no parameter: one of the value's own is closed there, too.
 */
static tw_value_end judge_mention(tw_tagged_body *body, const uint8_t *at,
                                  size_t size)
{
    const tw_match found = body->cdata ? TW_MATCH_NONE : own_tag_at(body, at);
    body->opened += found == TW_MATCH_WHOLE;
    return found == TW_MATCH_MORE ? undecided : goes_on(at + size);
}

/* Does a close of the call stand in front of the next close of a value, in
 * reach behind |at|? */
static tw_match is_unclosed(tw_tagged_body *body, const uint8_t *at)
{
    enum {
        CLOSES = 1 << TW_TAGGED_VALUE_CLOSE | 1 << TW_TAGGED_CALL_CLOSE |
                 1 << TW_TAGGED_SECTION_CLOSE
    };
    const tw_match found = next_of(body, &body->next_close, CLOSES, at);
    return found != TW_MATCH_WHOLE
               ? found
               : tw_match_if(body->next_close.role > TW_TAGGED_VALUE_CLOSE);
}

/* Another parameter opens: does the value end there, its close missing?
 * It does where it was declared and is still to come.  Without a declaration
 * tokens say so, which no value holds, or that the call is closed before the
 * next value is. */
static tw_match ends_value(tw_tagged_body *body, const tw_opening *opening)
{
    if (body->depth > 0 || body->cdata) {
        return TW_MATCH_NONE;
    }
    if (body->tool != NULL && body->tool->count > 0) {
        return tw_match_if(is_expected(body, opening));
    }
    const tw_part *open =
        &opening->pattern->parts[tw_pattern_opener(opening->pattern)];
    return open->token == open->size
               ? TW_MATCH_WHOLE
               : is_unclosed(body, opening->end);
}

static tw_value_end judge_parameter(tw_tagged_body *body, const uint8_t *at,
                                    size_t size)
{
    tw_opening opening;
    tw_match found = tw_opening_at(body->common.call->window,
                                   body->common.format, at, &opening);
    if (found == TW_MATCH_WHOLE && body->cdata) {
        /* The close of a bare value is text there, and so is its opening. */
        found = tw_tagged_cdata_at(body, opening.end);
    }
    if (found == TW_MATCH_MORE) {
        return undecided;
    }
    if (found != TW_MATCH_WHOLE) {
        return judge_mention(body, at, size);
    }
    found = ends_value(body, &opening);
    if (found == TW_MATCH_MORE) {
        return undecided;
    }
    if (found == TW_MATCH_WHOLE) {
        return ends(at, TW_DIAGNOSTIC_MISSING_VALUE_CLOSE);
    }
    push(body, TW_TAGGED_VALUE_CLOSE);
    return goes_on(opening.end);
}

/* A call or a section opens, with a head.  One that does not stand |well|, as
 * in a sentence, opens none unless a parameter follows. */
static tw_value_end judge_opener(tw_tagged_body *body, const uint8_t *at,
                                 tw_tagged_role role, size_t size, bool well)
{
    const uint8_t *call = at;
    size_t call_size = size;
    if (role == TW_TAGGED_SECTION) {
        const place next = place_behind(body, at + size);
        if (next.more) {
            return undecided;
        }
        call = next.at;
        call_size = next.seen.size[TW_TAGGED_CALL];
    }
    const uint8_t *behind;
    tw_match found = call_size > 0
                         ? body->common.call_at(body->common.frame, call,
                                                call_size, &behind)
                         : TW_MATCH_NONE;
    if (found == TW_MATCH_WHOLE) {
        const tw_match due = looks_due(body, behind);
        found = due == TW_MATCH_NONE && well ? TW_MATCH_WHOLE : due;
    }
    if (found == TW_MATCH_MORE) {
        return undecided;
    }
    if (found == TW_MATCH_WHOLE) {
        push(body, role == TW_TAGGED_CALL ? TW_TAGGED_CALL_CLOSE
                                          : TW_TAGGED_SECTION_CLOSE);
    }
    return goes_on(at + size);
}

/* `</parameter` and a little more, then `>` or a line's end. */
static tw_value_end judge_loose(tw_tagged_body *body, const uint8_t *at)
{
    const tw_window *window = body->common.call->window;
    const tw_pattern *argument = body->argument;
    const tw_part *open = &argument->parts[tw_pattern_opener(argument)];
    const tw_part *close = &argument->parts[tw_pattern_closer(argument)];
    const size_t size = (size_t)close->size - 1;
    if (body->cdata || close->text[size] != '>' ||
        tw_is_tag(argument, tw_pattern_opener(argument)) ||
        strchr(open->text, '=') == NULL) {
        return goes_on(at + 1);
    }
    tw_match found = tw_text_at(window, at, close->text, size);
    if (found != TW_MATCH_WHOLE) {
        return found == TW_MATCH_MORE ? undecided : goes_on(at + 1);
    }
    const uint8_t *end = at + size;
    while (end < window->limit && end - at - (ptrdiff_t)size < LOOSE &&
           ((tw_is_name_byte(*end) && strchr("-.:", *end) == NULL) ||
            *end >= 0x80 || *end == ' ')) {
        end++;
    }
    if (end == window->limit) {
        return window->eof ? goes_on(at + size) : undecided;
    }
    if (*end != '>' && *end != '\r' && *end != '\n') {
        return goes_on(at + size);
    }
    end += *end == '>';
    found = closes(body, end, false, false);
    return found == TW_MATCH_MORE    ? undecided
           : found == TW_MATCH_WHOLE ? ends(end, TW_DIAGNOSTIC_LOOSE_MARKER)
                                     : goes_on(at + size);
}

/* Does the format write a line feed beside its parameters? */
static bool writes_lines(const tw_tagged_body *body)
{
    const tw_pattern *call = body->common.pattern;
    const tw_pattern *argument = body->argument;
    const size_t close = tw_pattern_closer(argument);
    const size_t hole = call->hole;
    return strchr(tw_pattern_layout(argument, close), '\n') != NULL ||
           (hole > 0 &&
            strchr(tw_pattern_layout(call, hole - 1), '\n') != NULL);
}

/* Where the format writes its tags: at a line's begin, or anywhere if they are
 * tokens or it has no line feeds. */
static bool stands_well(const tw_tagged_body *body, bool line)
{
    return line ||
           body->argument->parts[tw_pattern_opener(body->argument)].token >
               0 ||
           !writes_lines(body);
}

/* Does a message of its own begin, to a tool or not? */
static bool begins_message(const tw_tagged_body *body,
                           const tw_tagged_seen *seen)
{
    return seen->size[TW_TAGGED_OUTSIDE] > 0 &&
           tw_call_ends_message(body->common.format, body->common.pattern);
}

tw_value_end tw_tagged_end_at(tw_tagged_body *body, const uint8_t *at,
                              bool line)
{
    const tw_window *window = body->common.call->window;
    const tw_tagged_seen seen = tw_tagged_look(body, at);
    const tw_tagged_role role = tw_tagged_role_of(&seen);
    const size_t size = seen.size[role];
    if (seen.more) {
        return undecided;
    }
    if (tw_typed_in_string(&body->value) != 0) {
        const tw_match quoted = role != TW_TAGGED_NOTHING
                                    ? tw_tagged_is_quoted(body, at)
                                    : TW_MATCH_WHOLE;
        if (quoted != TW_MATCH_NONE) {
            return quoted == TW_MATCH_MORE ? undecided
                                           : passes(body, at, role, size);
        }
    }
    if (begins_message(body, &seen)) {
        doubts(body, at);
    }
    switch (role) {
    case TW_TAGGED_NOTHING:
        return *at == '<' && at + 1 < window->limit && at[1] != '/'
                   ? judge_mention(body, at, 1)
                   : judge_loose(body, at);
    case TW_TAGGED_VALUE_CLOSE:
        return judge_value_close(body, at, size, seen.loose);
    case TW_TAGGED_CALL_CLOSE:
    case TW_TAGGED_SECTION_CLOSE:
        return judge_outer_close(body, at, role, size);
    case TW_TAGGED_PARAMETER:
        return stands_well(body, line) ||
                       tw_window_offset(window, at) == body->due
                   ? judge_parameter(body, at, size)
                   : judge_mention(body, at, size);
    case TW_TAGGED_CALL:
    case TW_TAGGED_SECTION:
        return judge_opener(body, at, role, size, stands_well(body, line));
    case TW_TAGGED_STOP: return doubts(body, at + size);
    default: return goes_on(at + size);
    }
}
