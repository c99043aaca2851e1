/* SPDX-License-Identifier: MIT
 *
 * The figures of a run as text.
 */
#ifndef TOOLWIRE_TESTS_BENCH_TABLE_H
#define TOOLWIRE_TESTS_BENCH_TABLE_H

#include <stddef.h>

enum { GROWTH_SIZES = 4 };
extern const size_t growth_sizes[GROWTH_SIZES];

/* All but the goals; what was not measured is left out. */
void table_print(void);

#endif
