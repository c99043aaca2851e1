/* SPDX-License-Identifier: MIT
 *
 * Random numbers that are the same on every machine.
 */
#ifndef TOOLWIRE_KIT_RANDOM_H
#define TOOLWIRE_KIT_RANDOM_H

#include <stdint.h>

/* splitmix64, by Sebastiano Vigna: public domain. */
static inline uint64_t kit_random(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint32_t kit_below(uint64_t *state, uint32_t count)
{
    return count > 0 ? (uint32_t)((kit_random(state) >> 32) % count) : 0;
}

#endif
