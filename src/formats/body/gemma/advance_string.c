/* SPDX-License-Identifier: MIT
 *
 * Data of a delimited string is copied to JSON up to the first byte that might
 * belong to the string's end or to a marker.
 */
#include "formats/body/gemma/advance_string.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "json/write.h"

/* ---- byte by byte ------------------------------------------------------- */

/* How far is looked behind a comma or closer. */
enum { LOOK = 64 };

static const uint8_t *far_from(const uint8_t *at, const uint8_t *limit)
{
    return limit - at > LOOK ? at + LOOK : limit;
}

/* Behind the blanks and what may be a key at |from|, behind a comma: |far|, or
 * a byte that no key goes on with. */
static const uint8_t *behind_key(const uint8_t *from, const uint8_t *far)
{
    const uint8_t *at = tw_behind_ws(from, far);
    if (at == from) {
        while (at < far && *at != '<' &&
               (tw_gemma_kinds[*at] & TW_GEMMA_ENDS_KEY) == 0) {
            at++;
        }
    } else if (at < far && (tw_gemma_kinds[*at] & TW_GEMMA_STARTS_WORD) != 0) {
        do { /* one word */
            at++;
        } while (at < far && (tw_gemma_kinds[*at] & TW_GEMMA_WORD) != 0);
    }
    return at;
}

/* What stands behind the comma is certainly no key: tw_gemma_comma_key()
 * would say so of the same few bytes. */
static bool is_no_key(const uint8_t *comma, const uint8_t *limit)
{
    const uint8_t *far = far_from(comma, limit);
    const uint8_t *at = behind_key(comma + 1, far);
    return at < far && *at != ':' && (*at != '<' || tw_is_ws(comma[1]));
}

static const uint8_t *behind_closers(const uint8_t *at, const uint8_t *far)
{
    while (at < far && (tw_gemma_kinds[*at] & TW_GEMMA_CLOSER_OR_WS) != 0) {
        at++;
    }
    return at;
}

/* May the byte behind a `<` go on with a delimiter or a marker? */
static bool may_begin_marker(const tw_gemma_wire *wire, uint8_t behind_less)
{
    return behind_less == (uint8_t)wire->delimiter[1] ||
           (wire->marks != NULL
                ? tw_markers_may_follow(wire->marks, behind_less)
                : behind_less == (uint8_t)wire->close[1]);
}

/* Is the `<`, comma or closer at |at| certainly data?  Then so are all up to
 * |*clear|. */
static bool is_data(tw_gemma_call *call, const uint8_t *at,
                    const uint8_t *limit, const uint8_t **clear)
{
    if (at < *clear) {
        return true;
    }
    if (*at == '<') {
        return limit - at > 1 && !may_begin_marker(call->wire, at[1]);
    }
    if (*at == ',') {
        return tw_gemma_in_array(call) || is_no_key(at, limit);
    }
    const uint8_t *far = far_from(at, limit);
    const uint8_t *behind = behind_closers(at, far);
    if (behind == far || *behind == '<' || *behind == 'c') { /* `call:` */
        return false;
    }
    *clear = behind;
    return true;
}

bool tw_gemma_is_half(tw_gemma_call *call, const uint8_t *at,
                      const uint8_t *limit)
{
    if (limit - at > LOOK || tw_window_is_marked(call->window)) {
        return false;
    }
    switch (*at) {
    case '<': return limit - at == 1;
    case ',':
        return !tw_gemma_in_array(call) && behind_key(at + 1, limit) == limit;
    case '}':
    case ']':
    case ')': return behind_closers(at, limit) == limit;
    default: return false;
    }
}

/* ---- many bytes at a time ----------------------------------------------- */

#ifdef __SSE2__

/* The first `<` or `:`. */
static const uint8_t *find_mark(const uint8_t *at, const uint8_t *limit)
{
    for (; limit - at >= TW_GEMMA_RUN_STEP; at += TW_GEMMA_RUN_STEP) {
        const __m128i bytes = tw_load(at);
        const uint32_t found =
            tw_mask(_mm_or_si128(tw_is(bytes, '<'), tw_is(bytes, ':')));
        if (found != 0) {
            return at + __builtin_ctz(found);
        }
    }
    while (at < limit && *at != '<' && *at != ':') {
        at++;
    }
    return at;
}

static inline bool is_kind(uint8_t c, unsigned kind)
{
    return (tw_gemma_kinds[c] & kind) != 0;
}

/* Whatever stands in front: blanks behind a comma do not. */
static inline bool ends_any_key(uint8_t c)
{
    return (tw_gemma_kinds[c] & (TW_GEMMA_ENDS_KEY | TW_GEMMA_CLOSER_OR_WS)) !=
               0 &&
           !tw_is_ws(c);
}

/* Where the closers and blanks begin that end at |at|. */
static const uint8_t *closers_before(const uint8_t *at, const uint8_t *from)
{
    while (at > from && is_kind(at[-1], TW_GEMMA_CLOSER_OR_WS)) {
        at--;
    }
    return at;
}

/* May a call's head begin behind the blanks at |at|? */
static bool may_be_call(const uint8_t *at, const uint8_t *limit)
{
    at = tw_behind_ws(at, limit);
    return at == limit || *at == 'c';
}

/* The end of what is_data() would say yes of, byte for byte: only a colon may
 * make a key of what follows a comma, and a call's head, and only a `<` an
 * end, of what follows a closer; both stop at what ends a key. */
static const uint8_t *certain_end(const uint8_t *at, const uint8_t *limit,
                                  bool in_array)
{
    const uint8_t *mark = find_mark(at, limit);
    const bool colon = mark < limit && *mark == ':';
    const uint8_t *from = mark;
    while (from > at && !ends_any_key(from[-1])) {
        from--;
    }
    const uint8_t *behind = colon ? mark + 1 : mark;
    if (from == at) {
        return behind;
    }
    if (from[-1] == ',') {
        return in_array ? behind : from - 1;
    }
    if (!is_kind(from[-1], TW_GEMMA_CLOSER_OR_WS)) {
        return behind;
    }
    if (may_be_call(from, mark)) {
        return closers_before(from, at);
    }
    return colon ? behind : closers_before(mark, at);
}

static const uint8_t letters[256] = TW_JSON_ESCAPE_LETTERS;

/* Writes the bytes up to |certain|, which are data, as far as nothing is odd
 * and a step can be read: no branch depends on where an escape stands. */
static const uint8_t *write_data(const uint8_t *at, const uint8_t *certain,
                                 const uint8_t *limit, uint8_t **room,
                                 const uint8_t *end)
{
    uint8_t *out = *room;
    while (at < certain && limit - at >= TW_GEMMA_RUN_STEP && out <= end) {
        const __m128i bytes = tw_load(at);
        const size_t left = (size_t)(certain - at);
        const uint32_t stop =
            1u << (left < TW_GEMMA_RUN_STEP ? left : TW_GEMMA_RUN_STEP);
        const uint32_t ends = tw_mask(tw_no_string(bytes)) & (stop - 1);
        const uint32_t size = (uint32_t)__builtin_ctz(ends | stop);
        const uint32_t one = ends != 0;
        const uint8_t letter = letters[at[size & (TW_GEMMA_RUN_STEP - 1)]];
        tw_store(out, bytes);
        out[size] = '\\';
        out[size + 1] = letter;
        at += size + one;
        out += size + 2 * one;
        if (letter < one) { /* a rare escape, or beyond ASCII */
            at--;
            out -= 2;
            break;
        }
    }
    *room = out;
    return at;
}

static const uint8_t *write_certain(tw_gemma_call *call, const uint8_t *at,
                                    const uint8_t *limit, uint8_t **room,
                                    const uint8_t *end)
{
    if (limit - at < TW_GEMMA_RUN_STEP) {
        return at;
    }
    const uint8_t *far =
        limit - at > TW_GEMMA_RUN_ROOM ? at + TW_GEMMA_RUN_ROOM : limit;
    const uint8_t *certain = certain_end(at, far, tw_gemma_in_array(call));
    return write_data(at, certain, limit, room, end);
}

#else

static const uint8_t *write_certain(tw_gemma_call *call, const uint8_t *at,
                                    const uint8_t *limit, uint8_t **room,
                                    const uint8_t *end)
{
    (void)call, (void)limit, (void)room, (void)end;
    return at;
}

#endif

/* One step: plain bytes, and what ends them if that is certain.  False: it is
 * not. */
static bool write_some(tw_gemma_call *call, const uint8_t **from,
                       const uint8_t *limit, uint8_t **room,
                       const uint8_t **clear)
{
    const uint8_t *at = *from;
    uint8_t *out = *room;
    size_t size = tw_copy_delimited(out, at, limit);
    at += size;
    out += size;
    bool certain = true;
    if (size == TW_GEMMA_RUN_STEP || at == limit) {
        /* no end is in view */
    } else if ((tw_plain_kinds[*at] & TW_PLAIN_STRING) != 0) {
        certain = is_data(call, at, limit, clear);
        *out = *at;
        at += certain;
        out += certain;
    } else if (*at < 0x80) {
        out += tw_json_escape(*at++, (char *)out);
    } else {
        certain = tw_utf8_next(at, limit, &size) == TW_UTF8_GOOD;
        if (certain) {
            memcpy(out, at, size);
            at += size;
            out += size;
        }
    }
    *from = at;
    *room = out;
    return certain;
}

const uint8_t *tw_gemma_write_string(tw_gemma_call *call, const uint8_t *at,
                                     const uint8_t *limit, uint8_t **room,
                                     const uint8_t *end)
{
    const uint8_t *clear = at;
    bool more = true;
    while (more && at < limit && *room <= end) {
        at = write_certain(call, at, limit, room, end);
        more = at == limit || *room > end ||
               write_some(call, &at, limit, room, &clear);
    }
    return at;
}
