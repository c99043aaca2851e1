/* SPDX-License-Identifier: MIT
 *
 * Compares what follows a lead byte in text with the heads of other formats'
 * calls and with markers of reasoning.
 */
#include "watch.h"

#include <string.h>

#include "core/skip.h"

/* ---- heads -------------------------------------------------------------- */

typedef enum match {
    MATCH_NO,
    MATCH_HALF, /* the bytes end first */
    MATCH_WHOLE
} match;

static bool is_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

static match match_head(const char *head, const uint8_t *at,
                        const uint8_t *limit)
{
    for (; *head != 0; head++) {
        const uint8_t *from = at;
        if (*head == ' ') {
            at = tw_behind_ws(at, limit);
            continue;
        }
        if (*head == '*') {
            while (at < limit && is_word(*at)) {
                at++;
            }
        } else if (at < limit && *at == (uint8_t)*head) {
            at++;
        }
        if (at == from) {
            return at == limit ? MATCH_HALF : MATCH_NO;
        }
    }
    return MATCH_WHOLE;
}

/* Dialects of a family stand side by side, and one of them will do. */
static bool is_first(const tw_format *format, size_t i)
{
    return i == 0 || tw_format_at(i - 1)->call_heads != format->call_heads;
}

/* A format may be loaded that writes its calls as one built in does. */
static bool has_head(const tw_format *format, const char *head)
{
    const char *const *heads = format->call_heads;
    while (*heads != NULL && strcmp(*heads, head) != 0) {
        heads++;
    }
    return *heads != NULL;
}

static match find_foreign(tw_watch *watch, const tw_format *own,
                          const uint8_t *at, const uint8_t *limit,
                          uint64_t offset)
{
    const tw_format *other;
    bool half = false;
    for (size_t i = 0; (other = tw_format_at(i)) != NULL; i++) {
        const char *const *heads = other->call_heads;
        if (heads == own->call_heads || !is_first(other, i)) {
            continue;
        }
        for (size_t j = 0; heads[j] != NULL; j++) {
            const match found = match_head(heads[j], at, limit);
            half |= found == MATCH_HALF;
            if (found == MATCH_WHOLE && !has_head(own, heads[j])) {
                watch->foreign = other;
                watch->foreign_at = offset;
                return MATCH_WHOLE;
            }
        }
    }
    return half ? MATCH_HALF : MATCH_NO;
}

static bool is_of_reasoning(const tw_marker *marker)
{
    return marker->role == TW_MARKER_REASONING_OPEN ||
           marker->role == TW_MARKER_REASONING_CLOSE;
}

static match find_own(tw_watch *watch, const tw_format *own, const uint8_t *at,
                      const uint8_t *limit, uint64_t offset)
{
    bool half = false;
    for (size_t i = 0; i < *own->marker_count; i++) {
        const tw_marker *marker = &own->markers[i];
        const bool close = marker->role == TW_MARKER_REASONING_CLOSE;
        if (!is_of_reasoning(marker)) {
            continue;
        }
        const match found = match_head(marker->text, at, limit);
        half |= found == MATCH_HALF;
        if (found == MATCH_WHOLE && close && watch->close == NULL) {
            watch->close = marker;
            watch->close_at = offset;
        } else if (found == MATCH_WHOLE && !close && offset < watch->open_at) {
            watch->open_at = offset;
        }
    }
    return half ? MATCH_HALF : MATCH_NO;
}

/* The first bytes of what is looked for: no blank or word stands in them. */
static uint32_t lead_of(const uint8_t *at, size_t size)
{
    uint32_t lead = 0;
    for (size_t i = 0; i < size && i < TW_WATCH_LEAD; i++) {
        lead |= (uint32_t)at[i] << 8 * i;
    }
    return lead;
}

static bool is_lead(const tw_watch *watch, const uint8_t *at, size_t size)
{
    const uint32_t lead = lead_of(at, size);
    const uint32_t mask =
        size < TW_WATCH_LEAD ? (UINT32_C(1) << 8 * size) - 1 : UINT32_MAX;
    for (size_t i = 0; i < watch->lead_count; i++) {
        if ((watch->leads[i] & mask) == lead) {
            return true;
        }
    }
    return watch->lead_count == TW_WATCH_LEADS; /* there may be others */
}

static void add_lead(tw_watch *watch, const char *head)
{
    const uint8_t *at = (const uint8_t *)head;
    if (!is_lead(watch, at, TW_WATCH_LEAD)) {
        watch->leads[watch->lead_count++] = lead_of(at, TW_WATCH_LEAD);
    }
}

/* What begins at |at|, which stands at |offset|.  True: that is not to be
 * known before more bytes come. */
static bool look(tw_watch *watch, const tw_format *own, const uint8_t *at,
                 const uint8_t *limit, uint64_t offset)
{
    const bool far = limit - at >= TW_WATCH_SIZE;
    if (!is_lead(watch, at, (size_t)(limit - at))) {
        return false;
    }
    limit = far ? at + TW_WATCH_SIZE : limit;
    const match its = find_own(watch, own, at, limit, offset);
    const match others = watch->foreign == NULL
                             ? find_foreign(watch, own, at, limit, offset)
                             : MATCH_NO;
    return !far && (its == MATCH_HALF || others == MATCH_HALF);
}

/* ---- text --------------------------------------------------------------- */

/* The first byte in [at, limit) that may begin a marker, or |limit|. */
static const uint8_t *find_lead(const uint8_t *at, const uint8_t *limit)
{
    at = tw_skip_prose(at, limit);
    return at < limit && (*at == '<' || *at == '[') ? at : limit;
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
                        const uint8_t *at, const uint8_t *limit,
                        uint64_t offset)
{
    const uint8_t *begin = at;
    watch->size = 0;
    for (; (at = find_lead(at, limit)) < limit; at++) {
        const uint64_t where = offset + (uint64_t)(at - begin);
        if (look(watch, own, at, limit, where)) {
            hold(watch, at, limit, where);
            return;
        }
    }
}

void tw_watch_text(tw_watch *watch, const tw_format *own,
                   const tw_event *event)
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
        look_at_all(watch, own, watch->held, watch->held + watch->size + size,
                    watch->held_at);
        at += size;
        offset += size;
        if (watch->size > 0 && watch->size <= size) { /* none of the old */
            at -= watch->size;
            offset -= watch->size;
            watch->size = 0;
        }
    }
    if (at < limit) {
        look_at_all(watch, own, at, limit, offset);
    }
}

/* ---- life --------------------------------------------------------------- */

void tw_watch_init(tw_watch *watch, const tw_format *own)
{
    const tw_format *other;
    watch->lead_count = 0;
    for (size_t i = 0; i < *own->marker_count; i++) {
        if (is_of_reasoning(&own->markers[i])) {
            add_lead(watch, own->markers[i].text);
        }
    }
    for (size_t i = 0; (other = tw_format_at(i)) != NULL; i++) {
        const char *const *heads = other->call_heads;
        const bool foreign = heads != own->call_heads;
        for (size_t j = 0; foreign && heads[j] != NULL; j++) {
            add_lead(watch, heads[j]);
        }
    }
    tw_watch_reset(watch);
}

void tw_watch_reset(tw_watch *watch)
{
    watch->size = 0;
    watch->foreign = NULL;
    watch->close = NULL;
    watch->foreign_at = watch->close_at = watch->open_at = UINT64_MAX;
}
