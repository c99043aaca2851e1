/* SPDX-License-Identifier: MIT
 *
 * Runs the counting program under callgrind, and reads the counts.
 */
#define _POSIX_C_SOURCE 200809L

#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "workloads.h"

static char worst_names[FORMATS][2][NAME_SIZE];

const char *instructions_worst(int format, int delta)
{
    return worst_names[format][delta];
}

typedef void use_count(void *context, char *name, double count);

/* Runs count.sh; false: it failed. */
static bool count_names(size_t size, const text *names, use_count *use,
                        void *context)
{
    text command = {0};
    char head[4096];
    char *line = NULL;
    size_t room = 0;
    snprintf(head, sizeof head, BENCH_FOLDER "/count.sh " COUNT " %zu", size);
    put(&command, head);
    add(&command, names->data, names->size);
    add(&command, "", 1);
    FILE *pipe = need(popen(command.data, "r"));
    while (getline(&line, &room, pipe) > 0) {
        char *blank = strchr(line, ' ');
        if (blank != NULL) {
            *blank = 0;
            use(context, line, strtod(blank + 1, NULL));
        }
    }
    free(line);
    text_free(&command);
    return pclose(pipe) == 0;
}

/* ---- growth ------------------------------------------------------------- */

/* W1/gemma4/4@10000 */
static void use_window(void *context, char *name, double count)
{
    char *at = strchr(name, '@');
    (void)context;
    if (at != NULL) {
        at[-2] = 0;
        figure_set(count, "instructions", "instructions/%s/%s", name, at + 1);
    }
}

static bool count_growth(void)
{
    text names = {0};
    for (int i = 0; i < FORMATS * (W3 + 1); i++) {
        const char *kind = workload_names[i / FORMATS];
        const char *format = format_names[i % FORMATS];
        char name[3 * NAME_SIZE];
        snprintf(name, sizeof name, " %s/%s/4@10000 %s/%s/4@1000000", kind,
                 format, kind, format);
        put(&names, name);
    }
    const bool good = count_names(1, &names, use_window, NULL);
    text_free(&names);
    return good;
}

/* ---- hostile patterns --------------------------------------------------- */

typedef struct costs {
    char (*names)[NAME_SIZE];
    double *counts;
    size_t count;
} costs;

static void use_cost(void *context, char *name, double count)
{
    costs *to = context;
    to->names = need(realloc(to->names, (to->count + 1) * sizeof *to->names));
    to->counts =
        need(realloc(to->counts, (to->count + 1) * sizeof *to->counts));
    snprintf(to->names[to->count], NAME_SIZE, "%s", name);
    to->counts[to->count++] = count;
}

static void free_costs(costs *its)
{
    free(its->names);
    free(its->counts);
}

/* W3 is the first. */
static bool count_patterns(costs *to, int format, int delta, size_t size)
{
    workload all;
    text names = {0};
    char name[NAME_SIZE + 64];
    snprintf(name, sizeof name, " W3/%s/%d", format_names[format], delta);
    put(&names, name);
    make_workload(&all, W5, format, 1);
    for (size_t i = 0; i < all.count; i++) {
        snprintf(name, sizeof name, " %s/%s/%d", all.messages[i].tag,
                 format_names[format], delta);
        put(&names, name);
    }
    const bool good =
        count_names(size, &names, use_cost, to) && to->count == all.count + 1;
    workload_free(&all);
    text_free(&names);
    return good;
}

/* What the unit costs: less than what stands around it. */
static bool count_hostile(int format, int delta)
{
    enum { NEAR = 1000 };
    const size_t far = delta == 0 ? 17000 : 4000;
    costs near_costs = {0};
    costs far_costs = {0};
    const bool good = count_patterns(&near_costs, format, delta, NEAR) &&
                      count_patterns(&far_costs, format, delta, far);
    double row = 0;
    double worst = 0;
    for (size_t i = 0; good && i < far_costs.count; i++) {
        const double cost = far_costs.counts[i] - near_costs.counts[i];
        row = i == 0 ? cost : row;
        if (cost / row > worst && i > 0) {
            worst = cost / row;
            snprintf(worst_names[format][delta], NAME_SIZE, "%s",
                     far_costs.names[i]);
        }
    }
    if (good) {
        figure_set(worst, "times W3", "hostile/%s/%d", format_names[format],
                   delta);
    }
    free_costs(&near_costs);
    free_costs(&far_costs);
    return good;
}

void instructions_run(void)
{
    bool good = count_growth();
    for (int i = 0; i < 2 * FORMATS && good; i++) {
        good = count_hostile(i / 2, i % 2);
    }
    if (!good) {
        fprintf(stderr, "\n*** SKIPPED: callgrind counts nothing here: the "
                        "goals in instructions are not judged ***\n\n");
    }
}
