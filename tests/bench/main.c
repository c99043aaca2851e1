/* SPDX-License-Identifier: MIT
 *
 * How fast is it, beside others, in one run?
 *
 *     bench [--runs N] [--json] [--no-callgrind]
 *     bench WORKLOAD FORMAT DELTA [events | message | chunks]
 *
 * The first measures everything (see the headers here) and ends with a list
 * of the goals; --json is for machines, and --no-callgrind saves the minutes
 * in which instructions are counted.  Medians of N interleaved runs of
 * processor time; nothing passes or fails by it, but a decoding that does not
 * give what it must does.  The second decodes once, to be profiled; DELTA is
 * bytes, 0: whole.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "decode.h"
#include "encode.h"
#include "goals.h"
#include "hold.h"
#include "instructions.h"
#include "measure.h"
#include "peers.h"
#include "table.h"

enum { PATTERN_SIZE = 2000, COMMAND_RUNS = 3 };

static workload all[WORKLOADS][FORMATS];
static decoding decodings[WORKLOADS][FORMATS][TARGETS][DELTAS];
static workload long_ones[WORKLOADS][FORMATS][GROWTH_SIZES];
static decoding long_decodings[WORKLOADS][FORMATS][GROWTH_SIZES];

enum {
    MEMCPY,
    MEMCHR,
    NOTHING_4,
    NOTHING_1,
    JSON_C,
    JSON_C_4,
    JANSSON,
    SIMDJSON,
    PEERS
};
static peer_text peers[WORKLOADS][FORMATS][PEERS];

static size_t workload_size(int kind)
{
    return kind == W4   ? 10000 * (size_t)COMPLETION_SIZE
           : kind == W5 ? PATTERN_SIZE
                        : MEGABYTE;
}

/* How often a workload is fed. */
static size_t delta_count(const workload *its, size_t delta)
{
    size_t sum = 0;
    for (size_t i = 0; i < its->count; i++) {
        const size_t begin = i > 0 ? its->messages[i - 1].end : 0;
        const size_t size = its->messages[i].end - begin;
        sum += delta == 0 ? 1 : (size + delta - 1) / delta;
    }
    return sum;
}

static void add_decodings(int kind, int format)
{
    workload *its = &all[kind][format];
    for (int i = 0; i < TARGETS * DELTAS; i++) {
        const int target = i / DELTAS;
        const size_t delta = delta_sizes[i % DELTAS];
        decoding *run = &decodings[kind][format][target][i % DELTAS];
        char name[NAME_SIZE];
        *run = decoding_new(its, target, delta, NULL);
        snprintf(name, sizeof name, "%s/%s/%s/%zu", workload_names[kind],
                 format_names[format], target_names[target], delta);
        task_add(name, decoding_run, run, its->bytes.size,
                 delta_count(its, delta));
    }
}

static void add_peers(int kind, int format)
{
    static const struct {
        const char *name;
        void (*run)(void *);
        size_t delta;
    } rows[PEERS] = {
        {"memcpy", peer_memcpy, 0},     {"memchr", peer_memchr, 0},
        {"nothing/4", peer_nothing, 4}, {"nothing/1", peer_nothing, 1},
        {"json-c/0", peer_json_c, 0},   {"json-c/4", peer_json_c, 4},
        {"jansson", peer_jansson, 0},   {"simdjson", peer_simdjson, 0}};
    workload *its = &all[kind][format];
    const size_t size = its->arguments.size;
    /* Room behind, which simdjson may read. */
    for (int i = 0; i < PEER_PADDING; i++) {
        add(&its->arguments, "", 1);
    }
    its->arguments.size = size;
    for (int i = 0; i < (size > 0 ? PEERS : JSON_C); i++) {
        const text *bytes = i < JSON_C ? &its->bytes : &its->arguments;
        peer_text *run = &peers[kind][format][i];
        char name[NAME_SIZE];
        *run = (peer_text){bytes->data, bytes->size, rows[i].delta, false};
        snprintf(name, sizeof name, "%s/%s/%s", workload_names[kind],
                 format_names[format], rows[i].name);
        task_add(name, rows[i].run, run, bytes->size,
                 rows[i].delta > 0
                     ? (bytes->size + rows[i].delta - 1) / rows[i].delta
                     : 0);
    }
}

static void add_growth(int kind, int format)
{
    for (int i = 0; i < GROWTH_SIZES; i++) {
        workload *its = &long_ones[kind][format][i];
        decoding *run = &long_decodings[kind][format][i];
        char name[NAME_SIZE];
        make_workload(its, kind, format, growth_sizes[i]);
        *run = decoding_new(its, TO_EVENTS, 4, NULL);
        snprintf(name, sizeof name, "growth/%s/%s/%zu", workload_names[kind],
                 format_names[format], growth_sizes[i]);
        task_add(name, decoding_run, run, its->bytes.size,
                 delta_count(its, 4));
    }
}

static int add_workloads(void)
{
    int bad = 0;
    for (int i = 0; i < WORKLOADS * FORMATS; i++) {
        const int kind = i / FORMATS;
        const int format = i % FORMATS;
        make_workload(&all[kind][format], kind, format, workload_size(kind));
        bad += decoding_check(&all[kind][format]);
        hold_count(&all[kind][format]);
        add_decodings(kind, format);
        add_peers(kind, format);
        if (kind <= W3) {
            add_growth(kind, format);
        }
        if (kind >= W2 && kind <= W3) {
            hold_count_held(kind, format);
        }
    }
    for (int format = 0; format < FORMATS; format++) {
        hold_count_prose(format);
    }
    return bad;
}

static int end_workloads(void)
{
    int bad = 0;
    for (int i = 0; i < WORKLOADS * FORMATS; i++) {
        const int kind = i / FORMATS;
        const int format = i % FORMATS;
        for (int j = 0; j < PEERS; j++) {
            if (peers[kind][format][j].failed) {
                fprintf(stderr, "WRONG: peer %d cannot read %s/%s\n", j,
                        workload_names[kind], format_names[format]);
                bad++;
            }
        }
        for (int j = 0; j < TARGETS * DELTAS; j++) {
            decoding_free(&decodings[kind][format][j / DELTAS][j % DELTAS]);
        }
        for (int j = 0; j < GROWTH_SIZES && kind <= W3; j++) {
            decoding_free(&long_decodings[kind][format][j]);
            workload_free(&long_ones[kind][format][j]);
        }
        workload_free(&all[kind][format]);
    }
    return bad;
}

/* The first line that a command writes. */
static void print_line(const char *command)
{
    char line[256] = "unknown\n";
    FILE *pipe = popen(command, "r");
    if (pipe != NULL) {
        if (fgets(line, sizeof line, pipe) == NULL) {
            snprintf(line, sizeof line, "unknown\n");
        }
        pclose(pipe);
    }
    line[strcspn(line, "\n")] = 0;
    printf("%s", line);
}

static void print_machine(bool json)
{
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf(json ? "{\"date\":\"%s\",\"version\":\"%s\",\"compiler\":\"%s\","
                : "date %s, toolwire %s, compiler %s, ",
           date, tw_version(), __VERSION__);
    printf(json ? "\"commit\":\"" : "commit ");
    print_line("cd '" BENCH_FOLDER "' && git describe --always --dirty "
               "2>/dev/null");
    printf(json ? "\",\"processor\":\"" : "\nprocessor ");
    print_line("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo");
    printf(json ? "\",\n" : "\n");
}

static int measure_all(int runs, bool json, bool callgrind)
{
    int bad = add_workloads();
    encode_add();
    tasks_run(runs);
    bad += end_workloads();
    bad += encode_end();
    bad += command_run(COMMAND_RUNS);
    if (callgrind) {
        instructions_run();
    }
    print_machine(json);
    if (json) {
        measure_print_json(stdout);
        printf(",\n");
        goals_print_json(stdout);
        printf("}\n");
    } else {
        printf("medians of %d runs\n", runs);
        table_print();
        printf("\n");
        goals_print(stdout);
        printf("\n%d wrong\n", bad);
    }
    return bad > 0;
}

static int decode_once(int count, char **arguments)
{
    const int kind = find_name(arguments[1], workload_names, WORKLOADS);
    const int format = find_name(arguments[2], format_names, FORMATS);
    const int target = count == 5
                           ? find_name(arguments[4], target_names, TARGETS)
                           : TO_EVENTS;
    if (kind < 0 || format < 0 || target < 0) {
        fprintf(stderr, "bench: no such workload, format or target\n");
        return 2;
    }
    workload its;
    make_workload(&its, kind, format, workload_size(kind));
    decoding run =
        decoding_new(&its, target, strtoul(arguments[3], NULL, 10), NULL);
    decoding_run(&run);
    printf("%zu bytes, %zu deltas, %zu complete calls\n", its.bytes.size,
           run.deltas, run.calls);
    const bool wrong = its.known && run.calls != its.calls;
    decoding_free(&run);
    workload_free(&its);
    return wrong;
}

int main(int count, char **arguments)
{
    int runs = 5;
    bool json = false;
    bool callgrind = true;
    if ((count == 4 || count == 5) && arguments[1][0] != '-') {
        return decode_once(count, arguments);
    }
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--json") == 0) {
            json = true;
        } else if (strcmp(arguments[i], "--no-callgrind") == 0) {
            callgrind = false;
        } else if (strcmp(arguments[i], "--runs") == 0 && i + 1 < count) {
            runs = atoi(arguments[++i]);
        } else {
            runs = 0;
        }
    }
    if (runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: bench [--runs N] [--json] [--no-callgrind]\n"
                        "       bench WORKLOAD FORMAT DELTA "
                        "[events | message | chunks]\n");
        return 2;
    }
    return measure_all(runs, json, callgrind);
}
