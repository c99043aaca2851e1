/* SPDX-License-Identifier: MIT
 *
 * The product of 128 bits by which clang tells that one of 64 overflows;
 * WebAssembly has no such instruction, and compilers' own library is not linked.
 */
#include <stdint.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

wide __multi3(wide a, wide b);

/* All 128 bits of a product of 64-bit numbers, of which no half overflows. */
static unsigned_wide product(uint64_t a, uint64_t b)
{
    const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    const uint64_t left = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    const uint64_t right = (a & UINT32_MAX) * (b >> 32) + (left & UINT32_MAX);
    const uint64_t high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
    return (unsigned_wide)high << 64 | right << 32 | (low & UINT32_MAX);
}

wide __multi3(wide a, wide b)
{
    const uint64_t a_low = (uint64_t)a;
    const uint64_t b_low = (uint64_t)b;
    const uint64_t a_high = (uint64_t)((unsigned_wide)a >> 64);
    const uint64_t b_high = (uint64_t)((unsigned_wide)b >> 64);
    const uint64_t high = a_high * b_low + a_low * b_high;
    return (wide)(product(a_low, b_low) + ((unsigned_wide)high << 64));
}
