/* SPDX-License-Identifier: MIT */
#include "core/skip.h"

/* clang-format off */
const uint8_t tw_plain_kinds[256] = {
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0x00 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0x10 */
    7, 7, 2, 7, 7, 7, 7, 7, 7, 3, 7, 7, 3, 7, 7, 7, /* 0x20 */
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 7, 7, 1, 7, 7, 7, /* 0x30 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, /* 0x40 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2, 3, 7, 7, /* 0x50 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, /* 0x60 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3, 7, 7, /* 0x70 */
    /* beyond ASCII: none */
};
/* clang-format on */

static size_t copy_plain(uint8_t *out, const uint8_t *at, const uint8_t *limit)
{
    size_t size = 0;
    while (size < 16 && at + size < limit &&
           (tw_plain_kinds[at[size]] & TW_PLAIN_DELIMITED) != 0) {
        out[size] = at[size];
        size++;
    }
    return size;
}

#ifdef __SSE2__

/* Both a control character and a byte beyond ASCII are less than a blank, as
 * signed numbers. */
static __m128i below_blank(__m128i bytes)
{
    return _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
}

static __m128i is(__m128i bytes, char c)
{
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static __m128i no_string(__m128i bytes)
{
    return _mm_or_si128(below_blank(bytes),
                        _mm_or_si128(is(bytes, '"'), is(bytes, '\\')));
}

static __m128i no_delimited(__m128i bytes)
{
    /* `]` and `}` differ in that bit only. */
    const __m128i closers = is(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), '}');
    const __m128i others = _mm_or_si128(
        is(bytes, '<'), _mm_or_si128(is(bytes, ','), is(bytes, ')')));
    return _mm_or_si128(no_string(bytes), _mm_or_si128(closers, others));
}

/* Which of the 16 bytes at |at| end a run, a bit for each. */
static unsigned ends_string(const uint8_t *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (unsigned)_mm_movemask_epi8(no_string(bytes));
}

static unsigned ends_delimited(const uint8_t *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (unsigned)_mm_movemask_epi8(no_delimited(bytes));
}

static unsigned ends_text(const uint8_t *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(bytes, is(bytes, '<')));
}

const uint8_t *tw_skip_string(const uint8_t *at, const uint8_t *limit)
{
    while (limit - at >= 16) {
        const unsigned ends = ends_string(at);
        if (ends != 0) {
            return at + __builtin_ctz(ends);
        }
        at += 16;
    }
    return tw_skip_plain(at, limit, TW_PLAIN_STRING);
}

const uint8_t *tw_skip_delimited(const uint8_t *at, const uint8_t *limit)
{
    while (limit - at >= 16) {
        const unsigned ends = ends_delimited(at);
        if (ends != 0) {
            return at + __builtin_ctz(ends);
        }
        at += 16;
    }
    return tw_skip_plain(at, limit, TW_PLAIN_DELIMITED);
}

const uint8_t *tw_skip_text(const uint8_t *at, const uint8_t *limit)
{
    while (limit - at >= 16) {
        const unsigned ends = ends_text(at);
        if (ends != 0) {
            return at + __builtin_ctz(ends);
        }
        at += 16;
    }
    return tw_skip_plain(at, limit, TW_PLAIN_TEXT);
}

size_t tw_copy_delimited(uint8_t *out, const uint8_t *at, const uint8_t *limit)
{
    if (limit - at < 16) {
        return copy_plain(out, at, limit);
    }
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    _mm_storeu_si128((__m128i *)(void *)out, bytes);
    const unsigned ends = (unsigned)_mm_movemask_epi8(no_delimited(bytes));
    return ends != 0 ? (size_t)__builtin_ctz(ends) : 16;
}

#else

const uint8_t *tw_skip_string(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_STRING);
}

const uint8_t *tw_skip_delimited(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_DELIMITED);
}

const uint8_t *tw_skip_text(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_TEXT);
}

size_t tw_copy_delimited(uint8_t *out, const uint8_t *at, const uint8_t *limit)
{
    return copy_plain(out, at, limit);
}

#endif
