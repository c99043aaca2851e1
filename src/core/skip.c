/* SPDX-License-Identifier: MIT
 *
 * The wide skips with SSE2, and the plain ones that define them.
 */
#include "core/skip.h"

#include "core/utf8.h"

/* clang-format off */
const uint8_t tw_plain_kinds[256] = {
     42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, /* 0x00 */
     42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, /* 0x10 */
    111,111, 58,111,111,111,111, 47,111,107,111,111,107,111,111,127, /* 0x20 */
    111,111,111,111,111,111,111,111,111,111,111,111, 73,111,111,111, /* 0x30 */
    111,111,111,111,111,111,111,111,111,111,111,111,111,111,111,111, /* 0x40 */
    111,111,111,111,111,111,111,111,111,111,111, 79, 58, 75,111,111, /* 0x50 */
    111,111,127,111,111,111,127,111,111,111,111,111,111,111,127,111, /* 0x60 */
    111,111,127,111,127,111,111,111,111,111,111,111,111,107,111,111, /* 0x70 */
    /* beyond ASCII: none */
};
/* clang-format on */

const uint8_t *tw_skip_well_formed_plain(const uint8_t *at,
                                         const uint8_t *limit, tw_plain kind)
{
    for (;;) {
        size_t size;
        at = tw_skip_plain(at, limit, kind);
        if (at == limit || *at < 0x80 ||
            tw_utf8_next(at, limit, &size) != TW_UTF8_GOOD) {
            return at;
        }
        at += size;
    }
}

const uint8_t *tw_skip_prose_plain(const uint8_t *at, const uint8_t *limit)
{
    for (;;) {
        at = tw_skip_well_formed_plain(at, limit, TW_PLAIN_PROSE);
        if (limit - at < 2 || *at >= 0x80 || tw_may_begin_marker(at)) {
            return at;
        }
        at++;
    }
}

#ifdef __SSE2__

/* ASCII that is not of |kind|; perhaps bytes beyond it, too. */
static inline __m128i no_ascii(__m128i bytes, tw_plain kind)
{
    switch (kind) {
    case TW_PLAIN_STRING: return tw_no_string(bytes);
    case TW_PLAIN_QUOTED:
        return _mm_or_si128(tw_no_string(bytes), tw_is(bytes, '\''));
    case TW_PLAIN_TEXT: return tw_is(bytes, '<');
    case TW_PLAIN_PROSE:
        return _mm_or_si128(
            tw_is(bytes, '<'),
            _mm_or_si128(tw_is(bytes, '['), tw_is(bytes, ']')));
    case TW_PLAIN_DELIMITED: return tw_no_delimited(bytes);
    default: return _mm_setzero_si128();
    }
}

/* Bytes beyond ASCII, and those that are not of |kind|. */
static inline __m128i no_kind(__m128i bytes, tw_plain kind)
{
    return _mm_or_si128(bytes, no_ascii(bytes, kind));
}

/* Which of the last 16 bytes end a run that is plain up to |at|. */
static inline uint32_t last_ends(const uint8_t *at, const uint8_t *limit,
                                 tw_plain kind)
{
    const unsigned seen = (unsigned)(at - (limit - 16));
    return tw_mask(no_kind(tw_load(limit - 16), kind)) >> seen << seen;
}

/* Where a run of plain bytes ends, of 16 or more in view; or where it began.
 */
static inline const uint8_t *skip_wide(const uint8_t *begin,
                                       const uint8_t *limit, tw_plain kind,
                                       uint32_t *ends)
{
    const uint8_t *at = begin;
    for (*ends = 0; limit - at >= 16; at += 16) {
        *ends = tw_mask(no_kind(tw_load(at), kind));
        if (*ends != 0) {
            return at + __builtin_ctz(*ends);
        }
    }
    if (at == begin || at == limit) {
        return at;
    }
    *ends = last_ends(at, limit, kind);
    return *ends != 0 ? limit - 16 + __builtin_ctz(*ends) : limit;
}

static inline __m128i byte(int value)
{
    return _mm_set1_epi8((char)value);
}

/* Bytes beyond ASCII, from |run_lowest| on. */
static inline __m128i from_byte(__m128i bytes, int least)
{
    return _mm_andnot_si128(_mm_cmplt_epi8(bytes, byte(least)),
                            _mm_cmplt_epi8(bytes, _mm_setzero_si128()));
}

/* Behind a |lead|, the bytes of |follows|. */
static inline __m128i behind(__m128i before, int lead, __m128i follows)
{
    return _mm_and_si128(tw_is(before, (char)lead), follows);
}

/* Where the 16 bytes at |at| go on in a way that is not UTF-8 (Unicode 15,
 * table 3-7); three bytes in front of them are looked at. */
static inline __m128i ill_formed(const uint8_t *at, __m128i bytes)
{
    const __m128i before = tw_load(at - 1);
    const __m128i due =
        _mm_or_si128(from_byte(before, 0xC0),
                     _mm_or_si128(from_byte(tw_load(at - 2), 0xE0),
                                  from_byte(tw_load(at - 3), 0xF0)));
    /* As signed numbers those that follow are the least of all. */
    const __m128i follow = _mm_cmplt_epi8(bytes, byte(0xC0));
    const __m128i below_a0 = _mm_cmplt_epi8(bytes, byte(0xA0));
    const __m128i below_90 = _mm_cmplt_epi8(bytes, byte(0x90));
    const __m128i narrow = _mm_or_si128(
        _mm_or_si128(behind(before, 0xE0, below_a0),
                     behind(before, 0xF0, below_90)),
        _mm_or_si128(_mm_andnot_si128(below_a0, tw_is(before, (char)0xED)),
                     _mm_andnot_si128(below_90, tw_is(before, (char)0xF4))));
    const __m128i no_lead = _mm_or_si128(
        from_byte(bytes, 0xF5),
        _mm_or_si128(tw_is(bytes, (char)0xC0), tw_is(bytes, (char)0xC1)));
    return _mm_or_si128(_mm_xor_si128(due, follow),
                        _mm_or_si128(narrow, no_lead));
}

/* The end of the last code point that is whole in front of |at|; up to there
 * all is well-formed, and three bytes of it are at hand. */
static const uint8_t *whole_before(const uint8_t *at)
{
    for (int size = 1; size <= 3; size++) {
        const uint8_t lead = at[-size];
        if (lead >= 0xC0) {
            const int due = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
            return size < due ? at - size : at;
        }
    }
    return at;
}

/* Before the wide look three bytes must be passed: what 6 bytes hold of whole
 * code points is that much, or the end of the run. */
enum { FIRST = 6, BEFORE = 3 };

/* The run that began at |begin| and is ASCII up to |at|, where a byte beyond
 * ASCII stands or less than 16 are left. */
static inline const uint8_t *skip_beyond(const uint8_t *begin,
                                         const uint8_t *at,
                                         const uint8_t *limit, tw_plain kind)
{
    uint32_t ends;
    if (at - begin < BEFORE && limit - at >= 16 + FIRST) {
        begin = at;
        at = tw_skip_well_formed_plain(at, at + FIRST, kind);
        if (at - begin < BEFORE) {
            return at;
        }
    }
    for (; at - begin >= BEFORE && limit - at >= 16; at += 16) {
        const __m128i bytes = tw_load(at);
        const __m128i other = no_ascii(bytes, kind);
        const __m128i ill = ill_formed(at, bytes);
        if (kind == TW_PLAIN_STRING || kind == TW_PLAIN_DELIMITED ||
            kind == TW_PLAIN_QUOTED) {
            ends = (tw_mask(other) & ~tw_mask(bytes)) | tw_mask(ill);
        } else { /* nothing of |other| is beyond ASCII */
            ends = tw_mask(_mm_or_si128(other, ill));
        }
        if (ends != 0) {
            return whole_before(at + __builtin_ctz(ends));
        }
    }
    at = at - begin >= BEFORE ? whole_before(at) : at;
    return tw_skip_well_formed_plain(at, limit, kind);
}

static inline const uint8_t *
skip_well_formed(const uint8_t *begin, const uint8_t *limit, tw_plain kind)
{
    uint32_t ends;
    const uint8_t *at = skip_wide(begin, limit, kind, &ends);
    return ends != 0 && *at < 0x80 ? at : skip_beyond(begin, at, limit, kind);
}

/* The first of the 16 bytes at |at| that ends the prose, of those in |ends|;
 * 16 if none does. */
static inline unsigned prose_end(const uint8_t *at, const uint8_t *limit,
                                 uint32_t ends)
{
    for (; ends != 0; ends &= ends - 1) {
        const unsigned i = (unsigned)__builtin_ctz(ends);
        if (at[i] >= 0x80 || at + i + 1 == limit ||
            tw_may_begin_marker(at + i)) {
            return i;
        }
    }
    return 16;
}

const uint8_t *tw_skip_prose(const uint8_t *begin, const uint8_t *limit)
{
    for (;;) {
        const uint8_t *at = begin;
        for (; limit - at >= 16; at += 16) {
            const uint32_t ends =
                tw_mask(no_kind(tw_load(at), TW_PLAIN_PROSE));
            const unsigned end = ends != 0 ? prose_end(at, limit, ends) : 16;
            if (end < 16) {
                at += end;
                break;
            }
        }
        if (at > begin && at < limit && limit - at < 16) {
            at = limit - 16 +
                 prose_end(limit - 16, limit,
                           last_ends(at, limit, TW_PLAIN_PROSE));
        }
        if (at < limit && (limit - begin < 16 || *at >= 0x80)) {
            at = skip_beyond(begin, at, limit, TW_PLAIN_PROSE);
        }
        if (limit - at < 2 || *at >= 0x80 || tw_may_begin_marker(at)) {
            return at;
        }
        begin = at + 1;
    }
}

const uint8_t *tw_skip_well_formed(const uint8_t *at, const uint8_t *limit,
                                   tw_plain kind)
{
    switch (kind) {
    case TW_PLAIN_STRING: return skip_well_formed(at, limit, TW_PLAIN_STRING);
    case TW_PLAIN_TEXT: return skip_well_formed(at, limit, TW_PLAIN_TEXT);
    case TW_PLAIN_QUOTED: return skip_well_formed(at, limit, TW_PLAIN_QUOTED);
    case TW_PLAIN_DELIMITED:
        return skip_well_formed(at, limit, TW_PLAIN_DELIMITED);
    default: return skip_well_formed(at, limit, TW_PLAIN_ASCII);
    }
}

#else

const uint8_t *tw_skip_prose(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_prose_plain(at, limit);
}

const uint8_t *tw_skip_well_formed(const uint8_t *at, const uint8_t *limit,
                                   tw_plain kind)
{
    return tw_skip_well_formed_plain(at, limit, kind);
}

#endif
