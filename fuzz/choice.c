/* SPDX-License-Identifier: MIT
 *
 * A number chooses the name with the greatest hash of number and name: a new
 * name wins a few numbers and moves no others.
 */
#include "choice.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* FNV-1a, and the number. */
static uint64_t weight(const char *name, uint32_t number)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *name != 0; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    }
    return mix(hash + number * UINT64_C(0x9E3779B97F4A7C15));
}

size_t fuzz_choice(fuzz_name *name_at, uint32_t number)
{
    size_t heaviest = 0;
    uint64_t most = 0;
    const char *name;
    for (size_t i = 0; (name = name_at(i)) != NULL; i++) {
        const uint64_t its = weight(name, number);
        if (its > most) {
            most = its;
            heaviest = i;
        }
    }
    return heaviest;
}

uint32_t fuzz_number(fuzz_name *name_at, size_t i, uint32_t end)
{
    for (uint32_t number = 0; number < end; number++) {
        if (fuzz_choice(name_at, number) == i) {
            return number;
        }
    }
    fprintf(stderr, "no number below %u means %s\n", (unsigned)end,
            name_at(i));
    abort();
}
