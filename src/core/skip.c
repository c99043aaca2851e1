/* SPDX-License-Identifier: MIT */
#include "core/skip.h"

#include "core/utf8.h"

/* clang-format off */
const uint8_t tw_plain_kinds[256] = {
    10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, /* 0x00 */
    10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, /* 0x10 */
    15, 15, 10, 15, 15, 15, 15, 15, 15, 11, 15, 15, 11, 15, 15, 15, /* 0x20 */
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 9, 15, 15, 15, /* 0x30 */
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, /* 0x40 */
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 10, 11, 15, 15, /* 0x50 */
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, /* 0x60 */
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 11, 15, 15, /* 0x70 */
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

#ifdef __SSE2__

static inline uint32_t mask_of(__m128i bytes)
{
    return (uint32_t)_mm_movemask_epi8(bytes);
}

static inline __m128i load(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* Bytes beyond ASCII, and those that are not of |kind|. */
static inline __m128i no_kind(__m128i bytes, tw_plain kind)
{
    switch (kind) {
    case TW_PLAIN_STRING: return tw_no_string(bytes);
    case TW_PLAIN_TEXT: return _mm_or_si128(bytes, tw_is(bytes, '<'));
    case TW_PLAIN_DELIMITED: return tw_no_delimited(bytes);
    default: return bytes;
    }
}

static inline const uint8_t *skip_wide(const uint8_t *at, const uint8_t *limit,
                                       tw_plain kind)
{
    while (limit - at >= 16) {
        const uint32_t ends = mask_of(no_kind(load(at), kind));
        if (ends != 0) {
            return at + __builtin_ctz(ends);
        }
        at += 16;
    }
    return tw_skip_plain(at, limit, kind);
}

const uint8_t *tw_skip_string(const uint8_t *at, const uint8_t *limit)
{
    return skip_wide(at, limit, TW_PLAIN_STRING);
}

/* 16 bytes, of which the first begins a code point.  Bit i of a mask is byte
 * i; bits 16 to 18 of |due| are the bytes behind them. */
typedef struct block {
    uint32_t leads;
    uint32_t due; /* a byte that follows a lead must stand there */
    uint32_t bad; /* here it is sure that the bytes are ill-formed */
} block;

/* The bytes from |least| on, which is beyond ASCII. */
static inline uint32_t from_byte(__m128i bytes, uint32_t beyond, int least)
{
    const __m128i below = _mm_set1_epi8((char)(least - 1));
    return mask_of(_mm_cmpgt_epi8(bytes, below)) & beyond;
}

static inline uint32_t equal(__m128i bytes, int byte)
{
    return mask_of(tw_is(bytes, (char)byte));
}

/* Leads that lead nothing, and second bytes that are out of the range of
 * their lead (Unicode 15, table 3-7). */
static uint32_t odd_bytes(__m128i bytes, uint32_t beyond, uint32_t leads)
{
    const uint32_t from_a0 = mask_of(_mm_slli_epi16(bytes, 2));
    const uint32_t from_90 = from_a0 | mask_of(_mm_slli_epi16(bytes, 3));
    const uint32_t none = (leads & ~from_byte(bytes, beyond, 0xC2)) |
                          from_byte(bytes, beyond, 0xF5);
    return none | (equal(bytes, 0xE0) << 1 & ~from_a0) |
           (equal(bytes, 0xED) << 1 & from_a0) |
           (equal(bytes, 0xF0) << 1 & ~from_90) |
           (equal(bytes, 0xF4) << 1 & from_90);
}

static inline block look_at(__m128i bytes, uint32_t beyond)
{
    const uint32_t leads = from_byte(bytes, beyond, 0xC0);
    const uint32_t threes = from_byte(bytes, beyond, 0xE0);
    const uint32_t fours = from_byte(bytes, beyond, 0xF0);
    const uint32_t due = leads << 1 | threes << 2 | fours << 3;
    const uint32_t odd = (leads & ~from_byte(bytes, beyond, 0xC2)) | fours |
                         equal(bytes, 0xE0) | equal(bytes, 0xED);
    uint32_t bad = due ^ (beyond & ~leads);
    if (odd != 0) {
        bad |= odd_bytes(bytes, beyond, leads);
    }
    const block its = {leads, due, bad & 0xFFFF};
    return its;
}

static inline const uint8_t *
skip_well_formed(const uint8_t *at, const uint8_t *limit, tw_plain kind)
{
    while (limit - at >= 16) {
        const __m128i bytes = load(at);
        const uint32_t ends = mask_of(no_kind(bytes, kind));
        if (ends == 0) {
            at += 16;
            continue;
        }
        const uint32_t beyond = mask_of(bytes);
        if ((beyond & (ends & -ends)) == 0) { /* ASCII ends it */
            return at + __builtin_ctz(ends);
        }
        const block its = look_at(bytes, beyond);
        const uint32_t stops = (ends & ~beyond) | its.bad;
        unsigned end = (unsigned)__builtin_ctz(stops | 1u << 16);
        if ((its.due >> end & 1) != 0) { /* a code point is cut there */
            end = 31u - (unsigned)__builtin_clz(its.leads & ((1u << end) - 1));
        }
        at += end;
        if (stops != 0) {
            return at;
        }
    }
    return tw_skip_well_formed_plain(at, limit, kind);
}

const uint8_t *tw_skip_well_formed(const uint8_t *at, const uint8_t *limit,
                                   tw_plain kind)
{
    switch (kind) {
    case TW_PLAIN_STRING: return skip_well_formed(at, limit, TW_PLAIN_STRING);
    case TW_PLAIN_TEXT: return skip_well_formed(at, limit, TW_PLAIN_TEXT);
    case TW_PLAIN_DELIMITED:
        return skip_well_formed(at, limit, TW_PLAIN_DELIMITED);
    default: return skip_well_formed(at, limit, TW_PLAIN_ASCII);
    }
}

#else

const uint8_t *tw_skip_string(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_STRING);
}

const uint8_t *tw_skip_well_formed(const uint8_t *at, const uint8_t *limit,
                                   tw_plain kind)
{
    return tw_skip_well_formed_plain(at, limit, kind);
}

#endif
