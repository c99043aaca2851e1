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
#include "formats/harmony/harmony.h"
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
#else
static size_t step(const uint8_t *at, const uint8_t *limit, bool eof)
{
    size_t size = 0;
    tw_harmony_scan_marker(at, limit, eof, &size);
    return size;
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
