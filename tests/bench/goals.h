/* SPDX-License-Identifier: MIT
 *
 * What is asked for, as ratios of one run, and what this run gave.
 */
#ifndef TOOLWIRE_TESTS_BENCH_GOALS_H
#define TOOLWIRE_TESTS_BENCH_GOALS_H

#include <stdio.h>

void goals_print(FILE *);
void goals_print_json(FILE *);

#endif
