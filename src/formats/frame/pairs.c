/* SPDX-License-Identifier: MIT
 *
 * What opens and closes behind a block that is no call, or in a bad one: each
 * close belongs to the call or section that began last, and one that closes
 * none of these is the block's.
 */
#include "core/skip.h"
#include "formats/frame/frame.h"

enum { OPENS = TW_AT_CALL | TW_AT_SECTION, CLOSES = OPENS << 1 };

/* Where |seen->all[i]| stands behind |seen->from|. */
static size_t place_of(const tw_frame_seen *seen, size_t i)
{
    return seen->all[i] / 16;
}

static unsigned roles_of(const tw_frame_seen *seen, size_t i)
{
    return seen->all[i] % 16U;
}

void tw_frame_see_nothing(tw_frame *state)
{
    if (state->seen != NULL) {
        state->seen->until = state->seen->count = 0;
    }
}

/* What was seen is of use to a search that begins at |begin|, but for what
 * stands in front of that.  NULL: no memory. */
static tw_frame_seen *seen_from(tw_frame *state, uint64_t begin)
{
    if (state->seen == NULL) {
        state->seen = tw_memory_new(&state->memory, sizeof *state->seen);
    }
    tw_frame_seen *seen = state->seen;
    if (seen == NULL) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, begin, "no memory");
        return NULL;
    }
    const uint64_t passed = begin - seen->from;
    size_t count = 0;
    if (seen->until <= begin || seen->in_section != state->in_section) {
        seen->until = begin;
        seen->count = 0;
    }
    for (size_t i = 0; i < seen->count; i++) {
        if (place_of(seen, i) >= passed) {
            seen->all[count++] = (uint16_t)(seen->all[i] - passed * 16);
        }
    }
    seen->from = begin;
    seen->count = (uint8_t)count;
    seen->in_section = state->in_section;
    return seen;
}

/* How many markers that close calls stand behind the body of this one: none,
 * if its tag closes itself. */
static size_t count_closes(const tw_frame *state, const tw_head *head)
{
    const tw_pattern *call = head->pattern;
    size_t count = 0;
    for (size_t i = (size_t)call->hole + 1; i < call->count; i++) {
        const tw_part *part = &call->parts[i];
        const uint8_t *text = (const uint8_t *)part->text;
        const tw_found found =
            part->kind == TW_PATTERN_LITERAL
                ? tw_markers_scan(state->marks, text, text + part->size, true)
                : (tw_found){0};
        count += (found.roles & TW_AT_CALL_END) != 0;
    }
    return head->closed ? 0 : count > 0 ? count : 1;
}

/* Keeps a marker that was seen, |times|; false: they are too many. */
static bool keep(tw_frame_seen *seen, size_t place, unsigned roles,
                 size_t times)
{
    const bool fits = times <= (size_t)TW_FRAME_SEEN - seen->count;
    for (size_t i = 0; i < times && fits; i++) {
        seen->all[seen->count++] = (uint16_t)(place * 16 + roles);
    }
    return fits;
}

/* Looks for the next marker behind those seen, in reach of |at|: a close, or
 * the opener of a call with its head or of a section with such a call.  NONE:
 * there is none, or the message, or a call without a head, ends the search. */
static tw_match see_next(tw_frame *state, tw_frame_seen *seen,
                         const uint8_t *at)
{
    const tw_window *window = state->window;
    const bool gemma = tw_pattern_hole(state->description->call.all)->kind ==
                       TW_PATTERN_GEMMA;
    /* In a section the next call is not part of a bad one, and in Gemma's
     * notation no open marker is. */
    const unsigned ends = TW_AT_STOP | (state->in_section ? OPENS
                                        : gemma           ? TW_AT_CALL
                                                          : 0);
    const uint8_t *to = at + (seen->until - seen->from);
    bool kept = false;
    while (!kept && to - at <= TW_HOLD_HEAD) {
        to = tw_markers_find(state->marks, to, window->limit, window->limit);
        const tw_found marker = tw_marker_at(state->marks, window, to);
        seen->until = tw_window_offset(window, to);
        if (to - at > TW_HOLD_HEAD) {
            return TW_MATCH_NONE;
        }
        if (to == window->limit || marker.roles == TW_AT_MORE) {
            return window->eof ? TW_MATCH_NONE : TW_MATCH_MORE;
        }
        tw_head head;
        const tw_match call = tw_frame_call_begins(state, to, &marker, &head);
        const bool lone = call == TW_MATCH_WHOLE && head.kind == TW_HEAD_WHOLE;
        const unsigned roles = call != TW_MATCH_WHOLE ? marker.roles & CLOSES
                               : lone                 ? TW_AT_CALL
                                                      : TW_AT_SECTION;
        const size_t times = lone ? count_closes(state, &head) : 1;
        if (call == TW_MATCH_MORE) {
            return TW_MATCH_MORE;
        }
        if ((call != TW_MATCH_WHOLE && (marker.roles & ends) != 0) ||
            (roles != 0 && !keep(seen, (size_t)(to - at), roles, times))) {
            return TW_MATCH_NONE;
        }
        kept = roles != 0 && times > 0;
        to = lone ? head.body : to + 1;
        seen->until = kept ? tw_window_offset(window, to) : seen->until;
    }
    return tw_match_if(kept);
}

/* What a block that is none holds so far. */
typedef struct held {
    unsigned calls;    /* that began and did not close, ... */
    unsigned sections; /* ... and sections */
    bool nested;       /* a call began in it */
    bool apart;        /* one did that may be a section's, and no value's */
} held;

/* Does the marker close the block, which |ends| do?  It opens or closes what
 * the block holds otherwise; |again|: what the marker in front closed. */
static bool closes(held *in, unsigned roles, unsigned ends, bool again)
{
    const bool section = (roles & TW_AT_SECTION_END) != 0;
    if ((roles & OPENS) != 0) {
        in->nested = true;
        in->apart |= in->sections == 0 && (roles & TW_AT_CALL) != 0;
        in->calls += (roles & TW_AT_CALL) != 0;
        in->sections += (roles & TW_AT_CALL) == 0;
        return false;
    }
    if ((roles & TW_AT_CALL_END) != 0 && in->calls > 0) {
        in->calls--;
        return false;
    }
    if (section && in->sections > 0) {
        in->sections--;
        in->calls = in->sections > 0 ? in->calls : 0;
        return false;
    }
    if (again) {
        return false;
    }
    in->apart = in->apart && (section || in->sections > 0);
    return in->sections == 0 && (roles & ends) != 0;
}

tw_match tw_frame_find_close(tw_frame *state, const uint8_t *at,
                             unsigned roles, const uint8_t **close,
                             size_t *size, bool *nested)
{
    const tw_window *window = state->window;
    tw_frame_seen *seen = seen_from(state, tw_window_offset(window, at));
    const uint8_t *behind = NULL; /* the last close */
    held in = {0};
    bool over = seen == NULL;
    if (over) {
        return TW_MATCH_NONE;
    }
    for (size_t i = 0; !over; i++) {
        const tw_match next =
            i < seen->count ? TW_MATCH_WHOLE : see_next(state, seen, at);
        if (next != TW_MATCH_WHOLE || place_of(seen, i) > TW_HOLD_HEAD) {
            return next == TW_MATCH_MORE ? TW_MATCH_MORE : TW_MATCH_NONE;
        }
        const unsigned marker = roles_of(seen, i);
        const bool ends_section = state->in_section && in.sections == 0 &&
                                  (marker & TW_AT_SECTION_END) != 0;
        const bool inside = in.calls + in.sections > 0;
        *close = at + place_of(seen, i);
        *size = tw_marker_at(state->marks, window, *close).size;
        over = closes(&in, marker, (roles & OPENS) << 1, *close == behind);
        if (ends_section && !over) {
            return TW_MATCH_NONE;
        }
        behind = inside || *close == behind
                     ? tw_behind_some_ws(*close + *size, window->limit)
                     : NULL;
    }
    *nested = in.nested;
    return tw_match_if(!in.apart);
}

bool tw_frame_opens_first(const tw_frame *state, const uint8_t *at)
{
    const tw_frame_seen *seen = state->seen;
    const uint8_t *first = tw_behind_ws(at, state->window->limit);
    return seen->count > 0 && (roles_of(seen, 0) & OPENS) != 0 &&
           place_of(seen, 0) == (size_t)(first - at);
}

tw_match tw_frame_skip_quoted(tw_frame *state)
{
    tw_window *window = state->window;
    const uint8_t *close = NULL;
    size_t size = 0;
    bool nested = false;
    const tw_match end = tw_frame_find_close(state, window->at, TW_AT_CALL,
                                             &close, &size, &nested);
    if (end != TW_MATCH_WHOLE || !nested) {
        return end == TW_MATCH_MORE ? TW_MATCH_MORE : TW_MATCH_NONE;
    }
    tw_window_skip(window, (size_t)(close - window->at));
    return TW_MATCH_WHOLE;
}

uint64_t tw_frame_searched_until(const tw_frame *state)
{
    const tw_frame_seen *seen = state->seen;
    size_t i = 0;
    while (seen != NULL && i < seen->count &&
           (roles_of(seen, i) & OPENS) == 0) {
        i++;
    }
    return seen == NULL      ? 0
           : i < seen->count ? seen->from + place_of(seen, i)
                             : seen->until;
}
