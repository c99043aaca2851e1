/* SPDX-License-Identifier: MIT
 *
 * What `make prove` lets Frama-C's EVA run: one step of a scanner on every
 * input of SIZE bytes, in a block of that size and not a byte more.  The next
 * step is one on a shorter input.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/utf8.h"
#include "formats/body/python/scan.h"
#include "formats/markers.h"
#include "formats/prompts/hermes.h"
#include "json/scan.h"

extern volatile int any;

#if defined(PROVE_UTF8)
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    size_t size = 0;
    (void)eof;
    tw_utf8_next(at, limit, &size);
    return size;
}
#elif defined(PROVE_JSON)
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    const uint8_t *begin = at;
    tw_json_scan(&at, limit, eof);
    return (size_t)(at - begin);
}
#elif defined(PROVE_STRING)
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    const uint8_t *begin = at;
    tw_json_scan_string(&at, limit, eof);
    return (size_t)(at - begin);
}
#elif defined(PROVE_PYTHON)
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    const uint8_t *begin = at;
    tw_python_scan(&at, limit, eof);
    return (size_t)(at - begin);
}
#elif defined(PROVE_ESCAPE)
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    const uint8_t *begin = at;
    tw_python_scan_escape(&at, limit, eof);
    return (size_t)(at - begin);
}
#elif defined(PROVE_MARKS)
/* Markers of one byte and of many, several of one first byte, and one that
 * another begins with. */
static tw_mark_text texts[] = {
    {"[", 1, 0, 0, TW_AT_PLAIN_CALL},
    {"<tool_call>", 11, 0, 11, TW_AT_CALL},
    {"<tool", 5, 0, 0, TW_AT_SECTION},
    {"</tool_call>", 12, 0, 12, TW_AT_CALL_END},
    {"\xef\xbd\x9c" "DSML", 7, 0, 0, TW_AT_STOP},
};

static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    tw_markers table;
    uint8_t token = 0;
    tw_markers_make(&table, texts, sizeof texts / sizeof texts[0]);
    const uint8_t *first = tw_markers_find(&table, at, limit, limit);
    //@ assert first <= limit;
    return tw_markers_scan(&table, at, limit, eof, &token).size;
}
#else
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    bool token = false;
    return tw_hermes_scan(NULL, at, limit, eof, &token).size;
}
#endif

int main(void)
{
#if SIZE > 0
    uint8_t data[SIZE];
    for (unsigned i = 0; i < SIZE; i++) {
        data[i] = (uint8_t)any;
    }
    const bool eof = any != 0;
#if defined(PROVE_UTF8)
    tw_utf8_valid(data, data + SIZE);
#endif
    const size_t size = step(data, data + SIZE, eof);
    //@ assert size <= SIZE;
#endif
    return 0;
}
