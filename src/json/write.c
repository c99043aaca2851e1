/* SPDX-License-Identifier: MIT
 *
 * Escapes for JSON strings, a machine word of plain bytes at a time, and the
 * halves of surrogate pairs.
 */
#include "json/write.h"

#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"

static const uint8_t letters[256] = TW_JSON_ESCAPE_LETTERS;

size_t tw_json_escape(uint8_t c, char *out)
{
    static const char hex[] = "0123456789abcdef";
    out[0] = '\\';
    if (letters[c] != 0) {
        out[1] = (char)letters[c];
        return 2;
    }
    if (c >= 0x20) {
        return 0;
    }
    memcpy(out + 1, "u00", 3);
    out[4] = hex[c >> 4];
    out[5] = hex[c & 15];
    return 6;
}

enum { STEP = 1024 };

static inline uint8_t *write_escape(uint8_t *out, uint8_t c)
{
    if (c != '"' && c != '\\') {
        return out + tw_json_escape(c, (char *)out);
    }
    out[0] = '\\';
    out[1] = c;
    return out + 2;
}

#ifdef __SSE2__

/* Which of 16 bytes need an escape, a bit for each. */
static inline uint32_t need_escapes(__m128i bytes)
{
    const __m128i last = _mm_set1_epi8(0x1F);
    const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, last), last);
    const __m128i others = _mm_or_si128(tw_is(bytes, '"'), tw_is(bytes, '\\'));
    return tw_mask(_mm_or_si128(control, others));
}

static inline uint64_t word(const uint8_t *at)
{
    uint64_t its;
    memcpy(&its, at, sizeof its);
    return its;
}

static inline uint64_t half_word(const uint8_t *at)
{
    uint32_t its;
    memcpy(&its, at, sizeof its);
    return its;
}

/* Less than 16 bytes at |at|, with no look beyond them: what stands behind
 * them in the result is undefined. */
static inline __m128i load_few(const uint8_t *at, size_t size)
{
    if (size >= 8) {
        return _mm_set_epi64x(
            (long long)(word(at + size - 8) >> 8 * (15 - size) >> 8),
            (long long)word(at));
    }
    uint64_t bytes = 0;
    if (size >= 4) {
        bytes = half_word(at) | half_word(at + size - 4) << 8 * (size - 4);
    } else if (size > 0) {
        bytes = (uint64_t)at[0] | (uint64_t)at[size / 2] << 8 * (size / 2) |
                (uint64_t)at[size - 1] << 8 * (size - 1);
    }
    return _mm_set_epi64x(0, (long long)bytes);
}

/* Copies |bytes|, of which |left| are text, up to the first that needs an
 * escape; returns how many these are.  |out| has room for 16. */
static inline size_t copy_of(uint8_t *out, __m128i bytes, size_t left)
{
    const uint32_t ends = need_escapes(bytes);
    tw_store(out, bytes);
    if (left >= 16 && ends == 0) { /* the next step need not wait for this */
        return 16;
    }
    const unsigned behind = 1u << (left < 16 ? left : 16);
    return (size_t)__builtin_ctz((ends & (behind - 1)) | behind);
}

/* Copies up to 16 bytes that need no escape, fewer where one does that or the
 * text ends; returns how many.  |out| has room for 16; |*beyond| is set where
 * there are bytes beyond ASCII among them or behind. */
static inline size_t copy_unescaped(uint8_t *out, const uint8_t *at,
                                    const uint8_t *limit, unsigned *beyond)
{
    const size_t left = (size_t)(limit - at);
    const __m128i bytes = left >= 16 ? tw_load(at) : load_few(at, left);
    *beyond |= tw_mask(bytes);
    return copy_of(out, bytes, left);
}

/* copy_unescaped() where 16 bytes can be read at |limit|: that takes no
 * branch. */
static inline size_t copy_padded(uint8_t *out, const uint8_t *at,
                                 const uint8_t *limit)
{
    return copy_of(out, tw_load(at), (size_t)(limit - at));
}

/* 16 bytes, of which those in |ends| need an escape; 32 can be read. */
static inline uint8_t *write_block(uint8_t *out, const uint8_t *at,
                                   uint32_t ends)
{
    const uint8_t *const limit = at + 16;
    const uint8_t *from = at;
    for (; ends != 0; ends &= ends - 1) {
        const uint8_t *stop = at + __builtin_ctz(ends);
        tw_store(out, tw_load(from));
        out = write_escape(out + (stop - from), *stop);
        from = stop + 1;
    }
    tw_store(out, tw_load(from));
    return out + (limit - from);
}

/* As many blocks as can be written so; *at moves. */
static inline uint8_t *write_blocks(uint8_t *out, const uint8_t **at,
                                    const uint8_t *limit, unsigned *beyond)
{
    for (; limit - *at >= 32; *at += 16) {
        const __m128i bytes = tw_load(*at);
        const uint32_t ends = need_escapes(bytes);
        *beyond |= tw_mask(bytes);
        if (ends != 0) {
            out = write_block(out, *at, ends);
        } else {
            tw_store(out, bytes);
            out += 16;
        }
    }
    return out;
}

#else

static inline size_t copy_unescaped(uint8_t *out, const uint8_t *at,
                                    const uint8_t *limit, unsigned *beyond)
{
    size_t size = 0;
    while (size < 16 && at + size < limit && at[size] >= 0x20 &&
           at[size] != '"' && at[size] != '\\') {
        *beyond |= at[size] & 0x80;
        out[size] = at[size];
        size++;
    }
    return size;
}

static inline size_t copy_padded(uint8_t *out, const uint8_t *at,
                                 const uint8_t *limit)
{
    unsigned beyond = 0;
    return copy_unescaped(out, at, limit, &beyond);
}

static inline uint8_t *write_blocks(uint8_t *out, const uint8_t **at,
                                    const uint8_t *limit, unsigned *beyond)
{
    (void)at;
    (void)limit;
    (void)beyond;
    return out;
}

#endif

/* The JSON of text of up to STEP bytes, which has room at |out| and 16 bytes
 * more; returns its end.  |padded|: 16 bytes can be read at |limit|; |*beyond|
 * is not to be relied on then. */
static inline uint8_t *write_step(uint8_t *out, const uint8_t *at,
                                  const uint8_t *limit, bool padded,
                                  unsigned *beyond)
{
    out = write_blocks(out, &at, limit, beyond);
    for (;;) {
        const size_t size = padded ? copy_padded(out, at, limit)
                                   : copy_unescaped(out, at, limit, beyond);
        at += size;
        out += size;
        if (at == limit) {
            return out;
        }
        out = size < 16 ? write_escape(out, *at++) : out;
    }
}

/* Room for text of up to STEP bytes and |more|. */
static inline bool reserve_text(tw_buffer *out, const tw_memory *memory,
                                size_t size, size_t more)
{
    const size_t room = size * TW_JSON_ESCAPE_SIZE + 16 + more;
    return room <= out->capacity - out->size ||
           tw_buffer_reserve(out, memory, room);
}

bool tw_json_write_text(tw_buffer *out, const tw_memory *memory,
                        const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    unsigned beyond = 0;
    while (size > 0) {
        const size_t step = size < STEP ? size : STEP;
        if (!reserve_text(out, memory, step, 0)) {
            return false;
        }
        const uint8_t *end =
            write_step(out->data + out->size, at, at + step, false, &beyond);
        out->size = (size_t)(end - out->data);
        at += step;
        size -= step;
    }
    return true;
}

bool tw_json_write_padded(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    if (size > STEP) {
        return tw_buffer_append(out, memory, "\"", 1) &&
               tw_json_write_text(out, memory, data, size) &&
               tw_buffer_append(out, memory, "\"", 1);
    }
    if (!reserve_text(out, memory, size, 2)) {
        return false;
    }
    unsigned beyond = 0;
    uint8_t *end = out->data + out->size;
    *end = '"';
    end = write_step(end + 1, at, at + size, true, &beyond);
    *end = '"';
    out->size = (size_t)(end + 1 - out->data);
    return true;
}

bool tw_json_write_raw(tw_buffer *out, const tw_memory *memory,
                       const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    for (size_t left = size; left > 0;) {
        const uint8_t *limit = at + left;
        const uint8_t *good = tw_skip_well_formed(at, limit, TW_PLAIN_ASCII);
        size_t bad = 0;
        if (!tw_json_write_text(out, memory, (const char *)at,
                                (size_t)(good - at)) ||
            (good < limit && !tw_buffer_append(out, memory, TW_REPLACEMENT,
                                               TW_REPLACEMENT_SIZE))) {
            return false;
        }
        if (good < limit) {
            tw_utf8_next(good, limit, &bad);
        }
        at = good + bad;
        left = (size_t)(limit - at);
    }
    return true;
}

bool tw_json_write_string(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)(size > 0 ? data : "");
    unsigned beyond = 0;
    if (size <= STEP && !reserve_text(out, memory, size, 2)) {
        return false;
    }
    if (size <= STEP) {
        uint8_t *end = out->data + out->size;
        *end = '"';
        end = write_step(end + 1, at, at + size, false, &beyond);
        *end = '"';
        if (beyond == 0 ||
            tw_skip_well_formed(at, at + size, TW_PLAIN_ASCII) == at + size) {
            out->size = (size_t)(end + 1 - out->data);
            return true;
        }
    }
    return tw_buffer_append(out, memory, "\"", 1) &&
           tw_json_write_raw(out, memory, data, size) &&
           tw_buffer_append(out, memory, "\"", 1);
}

/* The first half of a surrogate pair in [at, limit), or |limit|. */
static const uint8_t *find_half(const uint8_t *at, const uint8_t *limit)
{
    while ((at = memchr(at, 0xED, (size_t)(limit - at))) != NULL) {
        if (limit - at >= 3 && at[1] >= 0xA0) {
            return at;
        }
        at++;
    }
    return limit;
}

static bool write_half(tw_buffer *out, const tw_memory *memory,
                       const uint8_t *half)
{
    static const char hex[] = "0123456789abcdef";
    const char escape[] = {'\\',
                           'u',
                           'd',
                           hex[half[1] >> 2 & 15],
                           hex[(half[1] & 3) << 2 | (half[2] >> 4 & 3)],
                           hex[half[2] & 15]};
    return tw_buffer_append(out, memory, escape, sizeof escape);
}

bool tw_json_escape_halves(tw_buffer *out, const tw_memory *memory,
                           const char *data, size_t size, bool as_text)
{
    const uint8_t *at = (const uint8_t *)(size > 0 ? data : "");
    const uint8_t *const limit = at + size;
    bool good = true;
    while (good && at < limit) {
        const uint8_t *half = find_half(at, limit);
        const size_t whole = (size_t)(half - at);
        good = as_text
                   ? tw_json_write_text(out, memory, (const char *)at, whole)
                   : tw_buffer_append(out, memory, at, whole);
        good = good && (half == limit || write_half(out, memory, half));
        at = half == limit ? limit : half + 3;
    }
    return good;
}

bool tw_json_write_halves(tw_buffer *out, const tw_memory *memory,
                          const char *data, size_t size)
{
    return tw_buffer_append(out, memory, "\"", 1) &&
           tw_json_escape_halves(out, memory, data, size, true) &&
           tw_buffer_append(out, memory, "\"", 1);
}

static size_t overwrite_halves(char *data, size_t size, const char with[3])
{
    uint8_t *const begin = (uint8_t *)data;
    size_t first = 0;
    for (size_t at = 0; at < size; at += 3) {
        at = (size_t)(find_half(begin + at, begin + size) - begin);
        if (at < size) {
            first = first > 0 ? first : at + 1;
            memcpy(begin + at, with, 3);
        }
    }
    return first;
}

size_t tw_replace_halves(char *data, size_t size)
{
    return overwrite_halves(data, size, TW_REPLACEMENT);
}

bool tw_is_replaced(const char *data, const char *replaced, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    const uint8_t *const limit = at + size;
    bool good = true;
    while (good && at < limit) {
        const uint8_t *half = find_half(at, limit);
        const size_t whole = (size_t)(half - at);
        good = memcmp(at, replaced, whole) == 0 &&
               (half == limit ||
                memcmp(replaced + whole, TW_REPLACEMENT, 3) == 0);
        replaced += whole + 3;
        at = half == limit ? limit : half + 3;
    }
    return good;
}

void tw_spoil_halves(char *data, size_t size)
{
    overwrite_halves(data, size, "\xF0\x90\x80");
}

bool tw_json_write_number(tw_buffer *out, const tw_memory *memory,
                          uint64_t number)
{
    char digits[TW_DIGITS];
    char *const end = digits + sizeof digits;
    const char *begin = tw_spell(end, number);
    return tw_buffer_append(out, memory, begin, (size_t)(end - begin));
}
