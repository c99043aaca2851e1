/* SPDX-License-Identifier: MIT */
#include "core/skip.h"

/* clang-format off */
const uint8_t tw_plain_kinds[256] = {
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0x00 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0x10 */
    7, 7, 2, 7, 7, 7, 7, 7, 7, 3, 7, 7, 3, 7, 7, 7, /* 0x20 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, /* 0x30 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, /* 0x40 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2, 3, 7, 7, /* 0x50 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, /* 0x60 */
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3, 7, 7, /* 0x70 */
    /* beyond ASCII: none */
};
/* clang-format on */

#ifdef __SSE2__

/* Which of the 16 bytes at |at| end a run, a bit for each. */
static unsigned ends_string(const uint8_t *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (unsigned)_mm_movemask_epi8(tw_no_string(bytes));
}

static unsigned ends_text(const uint8_t *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(bytes, tw_is(bytes, '<')));
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

#else

const uint8_t *tw_skip_string(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_STRING);
}

const uint8_t *tw_skip_text(const uint8_t *at, const uint8_t *limit)
{
    return tw_skip_plain(at, limit, TW_PLAIN_TEXT);
}

#endif
