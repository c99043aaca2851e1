/* SPDX-License-Identifier: MIT
 *
 * One table for each kind of figure.
 */
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decode.h"
#include "measure.h"

const size_t growth_sizes[GROWTH_SIZES] = {10000, 100000, 1000000, 10000000};

static void title(const char *words)
{
    printf("\n%s\n", words);
}

static void print_decoding(int target)
{
    char words[64];
    snprintf(words, sizeof words, "Decoding to %s", target_names[target]);
    title(words);
    printf("%-12s %17s %17s %17s %17s\n", "", "whole", "64-byte deltas",
           "4-byte deltas", "1-byte deltas");
    printf("%-12s", "");
    for (int i = 0; i < DELTAS; i++) {
        printf(" %8s %8s", "MB/s", i == 0 ? "us each" : "ns each");
    }
    printf("\n");
    for (int i = 0; i < WORKLOADS * FORMATS; i++) {
        const char *kind = workload_names[i / FORMATS];
        const char *format = format_names[i % FORMATS];
        printf("%-4s %-7s", kind, format);
        for (int j = 0; j < DELTAS; j++) {
            const double each = delta_of("%s/%s/%s/%zu", kind, format,
                                         target_names[target], delta_sizes[j]);
            printf(" %8.0f %8.1f",
                   rate_of("%s/%s/%s/%zu", kind, format, target_names[target],
                           delta_sizes[j]),
                   j == 0 ? each / 1000 : each);
        }
        printf("\n");
    }
}

static void print_peers(void)
{
    title("Others: memcpy and memchr over each `<` of the same bytes; the "
          "rest, of the arguments as JSON (MB/s)");
    printf("%-12s %9s %9s %9s %9s %9s %9s %14s\n", "", "toolwire", "memcpy",
           "memchr", "simdjson", "jansson", "json-c", "json-c 4-byte");
    for (int i = 0; i < (W4 + 1) * FORMATS; i++) {
        const char *kind = workload_names[i / FORMATS];
        const char *format = format_names[i % FORMATS];
        printf("%-4s %-7s %9.0f %9.0f %9.0f", kind, format,
               rate_of("%s/%s/events/0", kind, format),
               rate_of("%s/%s/memcpy", kind, format),
               rate_of("%s/%s/memchr", kind, format));
        if (!isnan(rate_of("%s/%s/simdjson", kind, format))) {
            printf(" %9.0f %9.0f %9.0f %6.0f, %3.0f ns",
                   rate_of("%s/%s/simdjson", kind, format),
                   rate_of("%s/%s/jansson", kind, format),
                   rate_of("%s/%s/json-c/0", kind, format),
                   rate_of("%s/%s/json-c/4", kind, format),
                   delta_of("%s/%s/json-c/4", kind, format));
        }
        printf("\n");
    }
}

static void print_floor(void)
{
    title("Calls that do nothing: ns for each delta of W2, of the same loop");
    for (int format = 0; format < FORMATS; format++) {
        const char *name = format_names[format];
        printf("W2   %-7s %5.1f in 4-byte deltas, %.1f in 1-byte deltas\n",
               name, delta_of("W2/%s/nothing/4", name),
               delta_of("W2/%s/nothing/1", name));
    }
}

static void print_growth(void)
{
    title("Growth: ns for each 4-byte delta of a message of so many bytes");
    printf("%-12s", "");
    for (int i = 0; i < GROWTH_SIZES; i++) {
        printf(" %9zu", growth_sizes[i]);
    }
    printf("\n");
    for (int i = 0; i < (W3 + 1) * FORMATS; i++) {
        const char *kind = workload_names[i / FORMATS];
        const char *format = format_names[i % FORMATS];
        printf("%-4s %-7s", kind, format);
        for (int j = 0; j < GROWTH_SIZES; j++) {
            printf(" %9.1f", delta_of("growth/%s/%s/%zu", kind, format,
                                      growth_sizes[j]));
        }
        printf("\n");
    }
}

static void print_counts(void)
{
    title("Counted, 4-byte deltas: allocations in all behind a warm-up, "
          "to each; peak memory; bytes copied for each fed; arguments held "
          "back, "
          "and fed before the first is delivered");
    printf("%-12s %9s %9s %9s %9s %9s %9s %9s\n", "", "events", "message",
           "chunks", "peak", "copied", "held", "first");
    for (int i = 0; i < WORKLOADS * FORMATS; i++) {
        const char *kind = workload_names[i / FORMATS];
        const char *format = format_names[i % FORMATS];
        printf("%-4s %-7s", kind, format);
        for (int j = 0; j < TARGETS; j++) {
            printf(" %9.0f", figure_of("allocations/%s/%s/%s", kind, format,
                                       target_names[j]));
        }
        printf(" %9.0f %9.4f", figure_of("memory/%s/%s", kind, format),
               figure_of("copied/%s/%s", kind, format));
        if (!isnan(figure_of("held/%s/%s", kind, format))) {
            printf(" %9.0f %9.0f", figure_of("held/%s/%s", kind, format),
                   figure_of("first/%s/%s", kind, format));
        }
        printf("\n");
    }
    for (int i = 0; i < FORMATS; i++) {
        printf("prose to events, %s: peak %.0f bytes for 1 KB, %.0f for 100 "
               "MB\n",
               format_names[i],
               figure_of("memory/prose-1KB/%s", format_names[i]),
               figure_of("memory/prose-100MB/%s", format_names[i]));
    }
}

static void print_encoding(const char *set)
{
    if (isnan(rate_of("encode/%s/json-c", set))) {
        return;
    }
    printf("%-12s", set);
    for (int i = 0; i < FORMATS; i++) {
        printf(" %9.0f", rate_of("encode/%s/%s", set, format_names[i]));
    }
    printf(" %9.0f\n", rate_of("encode/%s/json-c", set));
}

static void print_command(const char *set)
{
    static const char *const columns[] = {"decode", "convert", "jq",
                                          "python", "wall-1",  "wall-2"};
    if (isnan(figure_of("command/%s/gemma4/jq", set))) {
        return;
    }
    for (int i = 0; i < FORMATS; i++) {
        printf("%-4s %-7s", set, format_names[i]);
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++) {
            printf(" %9.1f", figure_of("command/%s/%s/%s", set,
                                       format_names[i], columns[j]));
        }
        printf("\n");
    }
    printf("%s, openai to", set);
    for (int i = 0; i < FORMATS; i++) {
        printf(" %s %.1f,", format_names[i],
               figure_of("command/%s/requests/%s", set, format_names[i]));
    }
    printf(" jq %.1f\n", figure_of("command/%s/requests/jq", set));
}

void table_print(void)
{
    for (int target = 0; target < TARGETS; target++) {
        print_decoding(target);
    }
    print_peers();
    print_floor();
    print_growth();
    print_counts();
    title("Encoding requests (MB/s of JSON); json-c merely reads them");
    printf("%-12s %9s %9s %9s %9s\n", "", format_names[0], format_names[1],
           format_names[2], "json-c");
    print_encoding("made");
    print_encoding("real");
    title("The command on logs (MB/s by processor time; convert to openai by "
          "the clock on the wall with -j 1 and -j 2)");
    printf("%-12s %9s %9s %9s %9s %9s %9s\n", "", "decode", "convert", "jq",
           "python", "-j 1", "-j 2");
    print_command("made");
    print_command("real");
}
