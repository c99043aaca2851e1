/* SPDX-License-Identifier: MIT
 *
 * What is timed, and every figure that comes out.
 */
#ifndef TOOLWIRE_TESTS_BENCH_MEASURE_H
#define TOOLWIRE_TESTS_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NAME_SIZE = 64, MOST_RUNS = 25 };

/* Something that is done again and again. */
typedef struct task {
    char name[NAME_SIZE];
    void (*run)(void *context);
    void *context;
    size_t bytes, deltas; /* of one run; 0: there are no deltas */
    size_t repeats;       /* so that one measurement is long enough */
    double seconds[MOST_RUNS];
    double median;
} task;

void task_add(const char *name, void (*run)(void *), void *context,
              size_t bytes, size_t deltas);
/* Measures all tasks, each once, |runs| times: processor time. */
void tasks_run(int runs);
/* The median of the task whose name is |form| filled in, in seconds; NAN if
 * there is none. */
#if defined(__GNUC__)
#define FORM(a, b) __attribute__((format(printf, a, b)))
#else
#define FORM(a, b)
#endif
double seconds_of(const char *form, ...) FORM(1, 2);
double rate_of(const char *form, ...) FORM(1, 2);  /* MB/s */
double delta_of(const char *form, ...) FORM(1, 2); /* ns for each delta */

/* All else that is measured or counted. */
void figure_set(double value, const char *unit, const char *form, ...)
    FORM(3, 4);
double figure_of(const char *form, ...) FORM(1, 2); /* or NAN */

double median_of(double *values, int count);

/* Tasks and figures as members of JSON objects. */
void measure_print_json(FILE *);

#endif
