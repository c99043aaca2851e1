/* SPDX-License-Identifier: MIT
 *
 * Runs all tasks in turns, several times, and keeps the medians.
 */
#define _POSIX_C_SOURCE 200809L

#include "measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "text.h"

/* A measurement shorter than this is repeated in one go. */
#define LONG_ENOUGH 0.002

enum { MOST_REPEATS = 1000000 };

typedef struct figure {
    char name[NAME_SIZE];
    const char *unit;
    double value;
} figure;

static task *tasks;
static size_t task_count;
static figure *figures;
static size_t figure_count;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

void task_add(const char *name, void (*run)(void *), void *context,
              size_t bytes, size_t deltas)
{
    tasks = need(realloc(tasks, (task_count + 1) * sizeof *tasks));
    task *its = &tasks[task_count++];
    memset(its, 0, sizeof *its);
    snprintf(its->name, NAME_SIZE, "%s", name);
    its->run = run;
    its->context = context;
    its->bytes = bytes;
    its->deltas = deltas;
}

static double measure(const task *its)
{
    const double begin = now();
    for (size_t i = 0; i < its->repeats; i++) {
        its->run(its->context);
    }
    return (now() - begin) / (double)its->repeats;
}

void tasks_run(int runs)
{
    for (size_t i = 0; i < task_count; i++) { /* warm up */
        task *its = &tasks[i];
        its->repeats = 1;
        const double once = measure(its);
        const double times = once > 0 ? LONG_ENOUGH / once : MOST_REPEATS;
        its->repeats = times < MOST_REPEATS ? 1 + (size_t)times : MOST_REPEATS;
    }
    for (int run = 0; run < runs; run++) {
        for (size_t i = 0; i < task_count; i++) {
            tasks[i].seconds[run] = measure(&tasks[i]);
        }
    }
    for (size_t i = 0; i < task_count; i++) {
        tasks[i].median = median_of(tasks[i].seconds, runs);
    }
}

static const task *find_task(const char *form, va_list values)
{
    char name[NAME_SIZE];
    vsnprintf(name, NAME_SIZE, form, values);
    for (size_t i = 0; i < task_count; i++) {
        if (strcmp(tasks[i].name, name) == 0) {
            return &tasks[i];
        }
    }
    return NULL;
}

double seconds_of(const char *form, ...)
{
    va_list values;
    va_start(values, form);
    const task *its = find_task(form, values);
    va_end(values);
    return its != NULL ? its->median : (double)NAN;
}

double rate_of(const char *form, ...)
{
    va_list values;
    va_start(values, form);
    const task *its = find_task(form, values);
    va_end(values);
    return its != NULL ? (double)its->bytes / its->median / 1e6 : (double)NAN;
}

double delta_of(const char *form, ...)
{
    va_list values;
    va_start(values, form);
    const task *its = find_task(form, values);
    va_end(values);
    return its != NULL && its->deltas > 0
               ? its->median * 1e9 / (double)its->deltas
               : (double)NAN;
}

void figure_set(double value, const char *unit, const char *form, ...)
{
    figures = need(realloc(figures, (figure_count + 1) * sizeof *figures));
    figure *its = &figures[figure_count++];
    va_list values;
    va_start(values, form);
    vsnprintf(its->name, NAME_SIZE, form, values);
    va_end(values);
    its->unit = unit;
    its->value = value;
}

double figure_of(const char *form, ...)
{
    char name[NAME_SIZE];
    va_list values;
    va_start(values, form);
    vsnprintf(name, NAME_SIZE, form, values);
    va_end(values);
    for (size_t i = 0; i < figure_count; i++) {
        if (strcmp(figures[i].name, name) == 0) {
            return figures[i].value;
        }
    }
    return (double)NAN;
}

void measure_print_json(FILE *to)
{
    fprintf(to, "\"times\":{");
    for (size_t i = 0; i < task_count; i++) {
        const task *its = &tasks[i];
        fprintf(to, "%s\"%s\":{\"seconds\":%.9g,\"bytes\":%zu,\"deltas\":%zu}",
                i > 0 ? ",\n" : "\n", its->name, its->median, its->bytes,
                its->deltas);
    }
    fprintf(to, "},\n\"figures\":{");
    for (size_t i = 0; i < figure_count; i++) {
        fprintf(to, "%s\"%s\":{\"value\":%.9g,\"unit\":\"%s\"}",
                i > 0 ? ",\n" : "\n", figures[i].name, figures[i].value,
                figures[i].unit);
    }
    fprintf(to, "}");
}
