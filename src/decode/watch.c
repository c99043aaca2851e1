/* SPDX-License-Identifier: MIT
 *
 * Compares what follows a lead byte in text with the heads of other formats'
 * calls and with markers of reasoning.
 */
#include "decode/watch.h"

#include <string.h>

#include "core/skip.h"
#include "core/sort.h"
#include "formats/name_bytes.h"
#include "formats/named.h"

/* ---- heads -------------------------------------------------------------- */

/* Behind the suffix that a marker has at |at|, whatever the checkpoint's is:
 * `:6124c78e`, or none. */
static const uint8_t *behind_suffix(const uint8_t *at, const uint8_t *limit,
                                    char first)
{
    const uint8_t *to = at;
    if (to < limit && *to == (uint8_t)first) {
        to++;
        while (to < limit && tw_is_inner_byte(*to)) {
            to++;
        }
    }
    return to - at == 1 && to < limit ? at : to;
}

/* |suffix| stands in the heads of formats whose markers have one, else "". */
static tw_match match_head(const char *head, const char *suffix,
                           const uint8_t *at, const uint8_t *limit)
{
    const size_t size = strlen(suffix);
    for (; *head != 0; head++) {
        if (size > 0 && strncmp(head, suffix, size) == 0) {
            at = behind_suffix(at, limit, *suffix);
            head += size - 1;
            continue;
        }
        const uint8_t *from = at;
        if (*head == ' ') {
            at = tw_behind_ws(at, limit);
            continue;
        }
        if (*head == '*') {
            while (at < limit && tw_is_name_byte(*at)) {
                at++;
            }
        } else if (at < limit && *at == (uint8_t)*head) {
            at++;
        }
        if (at == from) {
            return at == limit ? TW_MATCH_MORE : TW_MATCH_NONE;
        }
    }
    return TW_MATCH_WHOLE;
}

/* A format may write its calls as another one does. */
static bool has_head(const tw_format *format, const char *head)
{
    const char *const *heads = format->call_heads;
    while (*heads != NULL && strncmp(*heads, head, strlen(head)) != 0) {
        heads++;
    }
    return *heads != NULL;
}

/* What begins at |at|, which stands at |offset|. */
typedef struct place {
    const uint8_t *at;
    const uint8_t *limit;
    uint64_t offset;
} place;

/* Does |head|, of a call of |other|'s, stand at this place? */
static tw_match compare(tw_watch *watch, const tw_format *own,
                        const tw_format *other, const char *head,
                        const place *here)
{
    const tw_match found = match_head(head, "", here->at, here->limit);
    if (found != TW_MATCH_WHOLE) {
        return found;
    }
    if (has_head(own, head) || own->description == other->description) {
        return TW_MATCH_NONE;
    }
    watch->foreign = other;
    watch->foreign_at = here->offset;
    return TW_MATCH_WHOLE;
}

/* Of a format without a description, whose dialects have the same heads. */
static tw_match find_program(tw_watch *watch, const tw_format *own,
                             const place *here)
{
    const tw_format *other = tw_format_next(NULL);
    tw_match found = TW_MATCH_NONE;
    for (size_t i = 0; other->description == NULL && found != TW_MATCH_WHOLE &&
                       other->call_heads[i] != NULL;
         i++) {
        const tw_match one =
            compare(watch, own, other, other->call_heads[i], here);
        found = one != TW_MATCH_NONE ? one : found;
    }
    return found;
}

/* Compares what begins at |at| with the first bytes of a head, at most
 * TW_HEAD_LEAD of them, in which there is no white space and no word. */
static int compare_lead(const char *head, const place *here)
{
    const size_t left = (size_t)(here->limit - here->at);
    return memcmp(head, here->at, left < TW_HEAD_LEAD ? left : TW_HEAD_LEAD);
}

/* The first of the sorted heads that may stand here. */
static size_t first_head(const place *here)
{
    tw_halves halves = {.high = tw_framed_head_count};
    while (tw_halve(&halves)) {
        tw_halves_take(
            &halves,
            compare_lead(tw_framed_heads[halves.middle].text, here) < 0);
    }
    return halves.low;
}

static tw_match find_framed(tw_watch *watch, const tw_format *own,
                            const place *here)
{
    tw_match found = TW_MATCH_NONE;
    for (size_t i = first_head(here);
         i < tw_framed_head_count &&
         compare_lead(tw_framed_heads[i].text, here) == 0;
         i++) {
        const tw_call_head *head = &tw_framed_heads[i];
        const tw_match one =
            compare(watch, own, head->format, head->text, here);
        if (one == TW_MATCH_WHOLE) {
            return one;
        }
        found = one == TW_MATCH_MORE ? one : found;
    }
    return found;
}

static bool is_of_reasoning(const tw_marker *marker)
{
    return marker->role == TW_MARKER_REASONING_OPEN ||
           marker->role == TW_MARKER_REASONING_CLOSE;
}

/* Of the format's markers, as the description has it, or "". */
static const char *suffix_of(const tw_format *own)
{
    return own->description != NULL ? own->description->suffix : "";
}

static tw_match find_own(tw_watch *watch, const tw_format *own,
                         const place *here)
{
    bool half = false;
    for (size_t i = 0; i < *own->marker_count; i++) {
        const tw_marker *marker = &own->markers[i];
        const bool close = marker->role == TW_MARKER_REASONING_CLOSE;
        if (!is_of_reasoning(marker)) {
            continue;
        }
        const tw_match found =
            match_head(marker->text, suffix_of(own), here->at, here->limit);
        half |= found == TW_MATCH_MORE;
        if (found == TW_MATCH_WHOLE && close && watch->close == NULL) {
            watch->close = marker;
            watch->close_at = here->offset;
        } else if (found == TW_MATCH_WHOLE && !close &&
                   here->offset < watch->open_at) {
            watch->open_at = here->offset;
        }
    }
    return half ? TW_MATCH_MORE : TW_MATCH_NONE;
}

/* ---- what goes on as a call --------------------------------------------- */

/* What stands behind the marker is as a call might be. */
static void set_like(tw_watch *watch)
{
    if (watch->like_at == UINT64_MAX) {
        watch->like = watch->opener;
        watch->like_at = watch->opened_at;
    }
    watch->opened_at = UINT64_MAX;
}

/* Does the word begin with a tool's name?  A marker may be damaged there. */
static bool begins_with_name(const tw_watch *watch, const tw_tools *tools,
                             size_t size)
{
    bool found = false;
    for (size_t to = 3; to < size && !found; to++) {
        found = tw_tools_find(tools, watch->word, to) != NULL;
    }
    return found;
}

/* A word is over: is it the name of a tool, or does it end with one, behind a
 * namespace?  Behind a token it may begin with one. */
static void end_word(tw_watch *watch, const tw_tools *tools)
{
    if (watch->opened_at == UINT64_MAX || watch->word_size == 0) {
        return;
    }
    const size_t size =
        watch->word_size <= sizeof watch->word ? watch->word_size : 0;
    const uint8_t *word = (const uint8_t *)watch->word;
    const bool found =
        tw_names_tool(tools, word, word + size) ||
        (watch->opener->token != 0 && begins_with_name(watch, tools, size));
    watch->word_size = 0;
    if (found) {
        set_like(watch);
    }
}

static void read_byte(tw_watch *watch, const tw_tools *tools, uint8_t c)
{
    if (tw_is_bare_name_byte(c)) {
        if (watch->word_size < sizeof watch->word) {
            watch->word[watch->word_size] = (char)c;
        }
        watch->word_size += watch->word_size <= sizeof watch->word;
        return;
    }
    watch->bracket |= c != 0 && strchr("{(=<", c) != NULL;
    end_word(watch, tools);
}

/* The bytes of [at, to), of which the first stands at |offset|, where a marker
 * that opens a call stands in front of them. */
static void read_inside(tw_watch *watch, const tw_tools *tools,
                        const uint8_t *at, const uint8_t *to, uint64_t offset)
{
    for (; at < to && watch->opened_at != UINT64_MAX; at++, offset++) {
        if (offset >= watch->inside + TW_HOLD_HEAD) {
            watch->opened_at = UINT64_MAX;
        } else if (offset >= watch->inside) {
            read_byte(watch, tools, *at);
        }
    }
}

static void open_call(tw_watch *watch, const tw_tools *tools,
                      const tw_marker *opener, size_t size, const place *here)
{
    end_word(watch, tools);
    watch->opener = opener;
    watch->opened_at = here->offset;
    watch->opened = true;
    watch->inside = here->offset + size;
    watch->bracket = false;
    watch->word_size = 0;
}

/* Up to behind the last token that stands in an opener, and not at its end. */
static size_t stem_of(const tw_format *own, const tw_marker *opener)
{
    size_t stem = 0;
    for (size_t i = 0;
         opener->role == TW_MARKER_CALL_OPEN && i < *own->marker_count; i++) {
        const tw_marker *token = &own->markers[i];
        const char *at = token->token != 0 && token->decoded == 0
                             ? strstr(opener->text, token->text)
                             : NULL;
        const size_t size =
            at != NULL ? (size_t)(at - opener->text) + token->size : 0;
        stem = size > stem && size < opener->size ? size : stem;
    }
    return stem;
}

/* Does the marker open or close a call, or stand in one as a token? */
static bool is_of_calls(const tw_format *own, const tw_marker *marker)
{
    return marker->role == TW_MARKER_CALL_OPEN ||
           marker->role == TW_MARKER_CALL_CLOSE ||
           (marker->role == TW_MARKER_BODY && marker->token != 0 &&
            own->description != NULL);
}

/* The first marker of a call from the |*i|-th of all on, or NULL; |*i| goes
 * behind it. */
static const tw_marker *next_of_calls(const tw_format *own, size_t *i)
{
    const tw_marker *marker = NULL;
    while (*i < *own->marker_count && marker == NULL) {
        const tw_marker *next = &own->markers[(*i)++];
        marker = is_of_calls(own, next) ? next : NULL;
    }
    return marker;
}

static void make_stems(tw_watch *watch, const tw_format *own)
{
    const tw_marker *marker;
    size_t at = 0;
    for (size_t i = 0;
         i < TW_WATCH_CALLS && (marker = next_of_calls(own, &at)) != NULL;
         i++) {
        watch->stems[i] = (uint8_t)stem_of(own, marker);
    }
    watch->stemmed = true;
}

/* The beginning of an opener that goes on otherwise, with a token in it. */
static tw_match find_stem(tw_watch *watch, const tw_format *own,
                          const tw_tools *tools, const place *here)
{
    const size_t left = (size_t)(here->limit - here->at);
    const tw_marker *marker;
    tw_match found = TW_MATCH_NONE;
    size_t at = 0;
    if (!watch->stemmed) {
        make_stems(watch, own);
    }
    for (size_t i = 0; i < TW_WATCH_CALLS && found != TW_MATCH_WHOLE &&
                       (marker = next_of_calls(own, &at)) != NULL;
         i++) {
        const size_t stem = watch->stems[i];
        if (stem > 0 &&
            memcmp(marker->text, here->at, left < stem ? left : stem) == 0) {
            found = left < stem ? TW_MATCH_MORE : TW_MATCH_WHOLE;
        }
        if (found == TW_MATCH_WHOLE) {
            open_call(watch, tools, marker, stem, here);
        }
    }
    return found;
}

/* A call is closed that is none: its marker was not meant, or nothing opened
 * it, which is told where tools were declared. */
static void close_call(tw_watch *watch, const tw_marker *close,
                       const tw_tools *tools, const place *here)
{
    const bool inside = watch->bracket || close->role == TW_MARKER_BODY;
    if (watch->opened_at != UINT64_MAX && inside) {
        set_like(watch);
    } else if (!watch->opened && tw_tools_count(tools) > 0 &&
               watch->like_at == UINT64_MAX) {
        watch->like = close;
        watch->like_at = here->offset;
    }
}

static tw_match find_calls(tw_watch *watch, const tw_format *own,
                           const tw_tools *tools, const place *here, bool over)
{
    const tw_marker *best = NULL;
    const tw_marker *marker;
    size_t at = 0;
    while ((marker = next_of_calls(own, &at)) != NULL) {
        const tw_match found =
            match_head(marker->text, suffix_of(own), here->at, here->limit);
        if (found == TW_MATCH_MORE && !over) {
            return found; /* the longest counts */
        }
        if (found == TW_MATCH_WHOLE &&
            (best == NULL || marker->size > best->size)) {
            best = marker;
        }
    }
    if (best == NULL) {
        return find_stem(watch, own, tools, here);
    }
    if (best->role == TW_MARKER_CALL_OPEN) {
        open_call(watch, tools, best, best->size, here);
    } else {
        close_call(watch, best, tools, here);
    }
    return TW_MATCH_WHOLE;
}

/* What begins at |at|, which stands at |offset|.  True: that is not to be
 * known before more bytes come.  |over|: none do, and no head is cut in two.
 */
static bool look(tw_watch *watch, const tw_format *own, const tw_tools *tools,
                 const uint8_t *at, const uint8_t *limit, uint64_t offset,
                 bool over)
{
    const bool far = limit - at >= TW_WATCH_SIZE;
    const place here = {at, far ? at + TW_WATCH_SIZE : limit, offset};
    bool half = find_own(watch, own, &here) == TW_MATCH_MORE;
    if (watch->foreign == NULL) {
        const tw_match room = find_program(watch, own, &here);
        half |= room == TW_MATCH_MORE ||
                (room == TW_MATCH_NONE &&
                 find_framed(watch, own, &here) == TW_MATCH_MORE);
    }
    if (!far && half && !over) {
        return true;
    }
    return find_calls(watch, own, tools, &here, over) == TW_MATCH_MORE && !far;
}

/* ---- text --------------------------------------------------------------- */

/* The first byte in [at, limit) that may begin a marker, or |limit|. */
static const uint8_t *find_lead(const uint8_t *at, const uint8_t *limit)
{
    at = tw_skip_prose(at, limit);
    while (at < limit && (*at & 0x80) != 0) { /* a code point was cut in two */
        at = tw_skip_prose(at + 1, limit);
    }
    return at;
}

static void hold(tw_watch *watch, const uint8_t *at, const uint8_t *limit,
                 uint64_t offset)
{
    watch->size = (size_t)(limit - at);
    watch->held_at = offset;
    memmove(watch->held, at, watch->size);
}

/* Looks at each lead of [at, limit), and holds what is not known yet. */
static void look_at_all(tw_watch *watch, const tw_format *own,
                        const tw_tools *tools, const uint8_t *at,
                        const uint8_t *limit, uint64_t offset, bool over)
{
    const uint8_t *begin = at;
    const uint8_t *seen = at;
    watch->size = 0;
    for (; (at = find_lead(at, limit)) < limit; at++) {
        const uint64_t where = offset + (uint64_t)(at - begin);
        read_inside(watch, tools, seen, at,
                    offset + (uint64_t)(seen - begin));
        seen = at;
        if (look(watch, own, tools, at, limit, where, over)) {
            hold(watch, at, limit, where);
            return;
        }
    }
    read_inside(watch, tools, seen, limit, offset + (uint64_t)(seen - begin));
}

void tw_watch_text(tw_watch *watch, const tw_format *own,
                   const tw_tools *tools, const tw_event *event)
{
    const uint8_t *at = (const uint8_t *)event->data;
    const uint8_t *limit = at + event->size;
    uint64_t offset = event->offset;
    if (watch->size > 0 && event->offset != watch->held_at + watch->size) {
        watch->size = 0;
    }
    while (watch->size > 0 && at < limit) {
        const size_t left = (size_t)(limit - at);
        const size_t room = TW_WATCH_SIZE - watch->size;
        const size_t size = left < room ? left : room;
        memcpy(watch->held + watch->size, at, size);
        look_at_all(watch, own, tools, watch->held,
                    watch->held + watch->size + size, watch->held_at, false);
        at += size;
        offset += size;
        if (watch->size > 0 && watch->size <= size) { /* none of the old */
            at -= watch->size;
            offset -= watch->size;
            watch->size = 0;
        }
    }
    if (at < limit) {
        look_at_all(watch, own, tools, at, limit, offset, false);
    }
}

void tw_watch_end(tw_watch *watch, const tw_format *own, const tw_tools *tools)
{
    if (watch->size > 0) {
        look_at_all(watch, own, tools, watch->held, watch->held + watch->size,
                    watch->held_at, true);
    }
    end_word(watch, tools);
    watch->size = watch->word_size = 0;
    watch->opened_at = UINT64_MAX;
    watch->opened = false;
}

/* ---- life --------------------------------------------------------------- */

void tw_watch_reset(tw_watch *watch)
{
    watch->size = 0;
    watch->held_at = 0;
    watch->foreign = NULL;
    watch->close = NULL;
    watch->foreign_at = watch->close_at = watch->open_at = UINT64_MAX;
    watch->opened_at = watch->like_at = UINT64_MAX;
    watch->opened = false;
    watch->word_size = 0;
}

const tw_format *tw_watch_whole(const char *text, size_t size, uint64_t *at)
{
    static const char *const no_heads[] = {NULL};
    static const size_t no_markers = 0;
    static const tw_format nobody = {.marker_count = &no_markers,
                                     .call_heads = no_heads};
    const tw_event event = {
        .type = TW_EVENT_TEXT, .data = text, .size = size, .span = size};
    tw_watch watch = {.stemmed = false};
    tw_watch_reset(&watch);
    tw_watch_text(&watch, &nobody, NULL, &event);
    *at = watch.foreign_at;
    return watch.foreign;
}
