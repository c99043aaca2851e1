/* SPDX-License-Identifier: MIT
 *
 * Wide skips: where a run of plain bytes ends, found many bytes at a time.
 *
 * Each has a reference that looks at one byte after another: it is the
 * definition, it runs where there is no SSE2, and a test holds the two
 * together.  Only tw_skip_escaped() has none: where there is no SSE2, it
 * passes nothing.
 */
#ifndef TOOLWIRE_CORE_SKIP_H
#define TOOLWIRE_CORE_SKIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/ascii.h"

static inline const uint8_t *tw_behind_ws(const uint8_t *at,
                                          const uint8_t *limit)
{
    while (at < limit && tw_is_ws(*at)) {
        at++;
    }
    return at;
}

/* What a run may hold, ASCII only. */
typedef enum tw_plain {
    TW_PLAIN_STRING = 1,    /* a JSON string as it is: no `"`, `\`, control */
    TW_PLAIN_TEXT = 2,      /* text: no `<` */
    TW_PLAIN_DELIMITED = 4, /* a string between Gemma's delimiters, where
                               nothing of `<`, `,`, `}`, `]`, `)` stands and
                               JSON needs no escape */
    TW_PLAIN_ASCII = 8,     /* anything */
    TW_PLAIN_ESCAPED = 16,  /* no run: what is an escape behind a backslash */
    TW_PLAIN_PROSE = 32,    /* text in which no marker of any format begins: no
                               `<`, `[`, `]` */
    TW_PLAIN_QUOTED = 64    /* STRING in apostrophes: none of these, either */
} tw_plain;

/* The kinds of run that may hold the byte: a sum of tw_plain. */
extern const uint8_t tw_plain_kinds[256];

/* Over well-formed code points, too. */
const uint8_t *tw_skip_well_formed(const uint8_t *at, const uint8_t *limit,
                                   tw_plain kind);
const uint8_t *tw_skip_well_formed_plain(const uint8_t *at,
                                         const uint8_t *limit, tw_plain kind);

/* Does a marker of some format begin with the two bytes at |at|? */
static inline bool tw_may_begin_marker(const uint8_t *at)
{
    if (at[1] == ' ') { /* most often */
        return false;
    }
    const uint8_t letter = at[1] | 0x20;
    const bool slash = at[1] == '/';
    return at[0] == '<' /* behind it, 0xEF begins a wide bar */
               ? slash || at[1] == '|' || at[1] == 0xEF ||
                     (letter >= 'a' && letter <= 'z')
               : at[0] == '[' ? slash || (at[1] >= 'A' && at[1] <= 'Z')
                              : at[0] == ']' && at[1] == '<';
}

/* The end of the well-formed text at |at| in which no marker of any format
 * begins, as far as its first two bytes tell; a `<`, `[` or `]` at the
 * end may begin one. */
const uint8_t *tw_skip_prose(const uint8_t *at, const uint8_t *limit);
const uint8_t *tw_skip_prose_plain(const uint8_t *at, const uint8_t *limit);

/* The reference of all that end at the first byte of another kind. */
static inline const uint8_t *tw_skip_plain(const uint8_t *at,
                                           const uint8_t *limit, tw_plain kind)
{
    while (at < limit && (tw_plain_kinds[*at] & kind) != 0) {
        at++;
    }
    return at;
}

/* Is each byte of [at, limit), of which there is one, of all |kinds|?  For a
 * few bytes: it looks at all. */
static inline bool tw_all_plain(const uint8_t *at, const uint8_t *limit,
                                unsigned kinds)
{
    unsigned all = kinds;
    do {
        all &= tw_plain_kinds[*at++];
    } while (at < limit);
    return all == kinds;
}

/* Are all bytes of these |kinds|, where escapes of two bytes may stand between
 * them? */
static inline bool tw_all_escaped(const uint8_t *at, const uint8_t *limit,
                                  unsigned kinds)
{
    while (at < limit) {
        if (*at == '\\' && limit - at > 1 &&
            (tw_plain_kinds[at[1]] & TW_PLAIN_ESCAPED) != 0) {
            at += 2;
        } else if ((tw_plain_kinds[*at] & kinds) == kinds) {
            at++;
        } else {
            return false;
        }
    }
    return true;
}

/* Copies up to 16 plain bytes of [at, limit), fewer where the run or the
 * input ends; returns how many.  |out| has room for 16, and what stands
 * behind the copied ones there is undefined. */
static inline size_t tw_copy_plain(uint8_t *out, const uint8_t *at,
                                   const uint8_t *limit, tw_plain kind)
{
    size_t size = 0;
    while (size < 16 && at + size < limit &&
           (tw_plain_kinds[at[size]] & kind) != 0) {
        out[size] = at[size];
        size++;
    }
    return size;
}

#ifdef __SSE2__

static inline __m128i tw_load(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline void tw_store(uint8_t *out, __m128i bytes)
{
    _mm_storeu_si128((__m128i *)(void *)out, bytes);
}

/* A bit for each of the 16 bytes, the first one lowest. */
static inline uint32_t tw_mask(__m128i bytes)
{
    return (uint32_t)_mm_movemask_epi8(bytes);
}

/* Both a control character and a byte beyond ASCII are less than a blank, as
 * signed numbers. */
static inline __m128i tw_below_ws(__m128i bytes)
{
    return _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
}

static inline __m128i tw_is(__m128i bytes, char c)
{
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline __m128i tw_no_string(__m128i bytes)
{
    return _mm_or_si128(tw_below_ws(bytes),
                        _mm_or_si128(tw_is(bytes, '"'), tw_is(bytes, '\\')));
}

static inline __m128i tw_no_delimited(__m128i bytes)
{
    /* `]` and `}` differ in that bit only. */
    const __m128i closers =
        tw_is(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), '}');
    const __m128i others = _mm_or_si128(
        tw_is(bytes, '<'), _mm_or_si128(tw_is(bytes, ','), tw_is(bytes, ')')));
    return _mm_or_si128(tw_no_string(bytes), _mm_or_si128(closers, others));
}

static inline const uint8_t *tw_skip_string(const uint8_t *at,
                                            const uint8_t *limit)
{
    for (; limit - at >= 16; at += 16) {
        const uint32_t ends = tw_mask(tw_no_string(tw_load(at)));
        if (ends != 0) {
            return at + __builtin_ctz(ends);
        }
    }
    return tw_skip_plain(at, limit, TW_PLAIN_STRING);
}

/* `"`, `/`, `b`, `f`, `n`, `r`, `t`: behind a backslash they are an escape. */
static inline __m128i tw_may_be_escaped(__m128i bytes)
{
    /* `b` and `f` differ in that bit only. */
    const __m128i b_or_f = tw_is(_mm_or_si128(bytes, _mm_set1_epi8(4)), 'f');
    const __m128i letters =
        _mm_or_si128(_mm_or_si128(tw_is(bytes, 'n'), tw_is(bytes, 'r')),
                     _mm_or_si128(tw_is(bytes, 't'), b_or_f));
    return _mm_or_si128(letters,
                        _mm_or_si128(tw_is(bytes, '"'), tw_is(bytes, '/')));
}

/* Over plain bytes of a string and escapes of two bytes, while 16 bytes are
 * left: no branch depends on where an escape stands.  It may stop in front of
 * some that it could pass. */
static inline const uint8_t *tw_skip_escaped(const uint8_t *at,
                                             const uint8_t *limit)
{
    while (limit - at >= 16) {
        const __m128i bytes = tw_load(at);
        const uint32_t slashes = tw_mask(tw_is(bytes, '\\'));
        const uint32_t escaped = slashes << 1;
        const uint32_t quotes = tw_mask(tw_is(bytes, '"')) & ~escaped;
        const uint32_t odd = escaped & ~tw_mask(tw_may_be_escaped(bytes));
        /* One that ends the block counts as odd, too. */
        const uint32_t stops = quotes | odd >> 1 | tw_mask(tw_below_ws(bytes));
        if (stops == 0) {
            at += 16;
        } else if (stops == 0x8000 && slashes >= 0x8000) {
            at += 15;
        } else {
            return at + __builtin_ctz(stops);
        }
    }
    return at;
}

static inline size_t tw_copied(__m128i ends)
{
    const uint32_t mask = tw_mask(ends);
    return mask != 0 ? (size_t)__builtin_ctz(mask) : 16;
}

static inline size_t tw_copy_delimited(uint8_t *out, const uint8_t *at,
                                       const uint8_t *limit)
{
    if (limit - at < 16) {
        return tw_copy_plain(out, at, limit, TW_PLAIN_DELIMITED);
    }
    const __m128i bytes = tw_load(at);
    tw_store(out, bytes);
    return tw_copied(tw_no_delimited(bytes));
}

static inline size_t tw_copy_string(uint8_t *out, const uint8_t *at,
                                    const uint8_t *limit)
{
    if (limit - at < 16) {
        return tw_copy_plain(out, at, limit, TW_PLAIN_STRING);
    }
    const __m128i bytes = tw_load(at);
    tw_store(out, bytes);
    return tw_copied(tw_no_string(bytes));
}

#else
static inline const uint8_t *tw_skip_string(const uint8_t *at,
                                            const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_STRING);
}

static inline const uint8_t *tw_skip_escaped(const uint8_t *at,
                                             const uint8_t *limit)
{
    (void)limit;
    return at;
}

static inline size_t tw_copy_delimited(uint8_t *out, const uint8_t *at,
                                       const uint8_t *limit)
{
    return tw_copy_plain(out, at, limit, TW_PLAIN_DELIMITED);
}

static inline size_t tw_copy_string(uint8_t *out, const uint8_t *at,
                                    const uint8_t *limit)
{
    return tw_copy_plain(out, at, limit, TW_PLAIN_STRING);
}
#endif

/* Which of 16 bytes are digits: a bit for each, the first one lowest. */
static inline uint32_t tw_digits_plain(const uint8_t *at)
{
    uint32_t digits = 0;
    for (unsigned i = 0; i < 16; i++) {
        digits |= (uint32_t)tw_is_digit(at[i]) << i;
    }
    return digits;
}

#ifdef __SSE2__
static inline uint32_t tw_digits(const uint8_t *at)
{
    const __m128i bytes = tw_load(at);
    /* What is less than `0` wraps around to a large number. */
    const __m128i over = _mm_subs_epu8(_mm_sub_epi8(bytes, _mm_set1_epi8('0')),
                                       _mm_set1_epi8(9));
    return tw_mask(_mm_cmpeq_epi8(over, _mm_setzero_si128()));
}
#else
#define tw_digits tw_digits_plain
#endif

#endif
