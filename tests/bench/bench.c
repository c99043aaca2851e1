/* SPDX-License-Identifier: MIT
 *
 * How fast is decoding, to events?  The workloads are made here and are the
 * same in every run:
 *
 *     W1   1 MB of prose with 50 calls, ASCII
 *     W1u  the same with 30 % other scripts
 *     W2   one call with one string: 1 MB of code
 *     W3   one call, 60 levels deep, with 1 MB of rows of numbers
 *     W4   10,000 completions of 300 bytes, reset between them
 *
 * in the three formats, fed whole and in 64-, 4- and 1-byte deltas; beside
 * it memcpy, and memchr over every `<`, of the same bytes.  Processor time,
 * medians of 5 interleaved runs; nothing here passes or fails by time.
 *
 *     bench                          the table
 *     bench WORKLOAD FORMAT DELTA    decodes it once, to be profiled
 */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "toolwire.h"

enum {
    MEGABYTE = 1000000,
    RUNS = 5,
    CALLS = 50,
    DEPTH = 60,
    COMPLETIONS = 10000,
    COMPLETION_SIZE = 300
};

enum { W1, W1U, W2, W3, W4, WORKLOADS };
enum { GEMMA4, HERMES, HARMONY, FORMATS };

static const char *const workload_names[] = {"W1", "W1u", "W2", "W3", "W4"};
static const char *const format_names[] = {"gemma4", "hermes", "harmony"};
static const size_t deltas[] = {0, 64, 4, 1};

enum { DELTAS = 4, MEMCPY = DELTAS, MEMCHR, COLUMNS };

/* ---- text --------------------------------------------------------------- */

typedef struct text {
    char *data;
    size_t size, room;
} text;

static void add(text *to, const char *data, size_t size)
{
    if (to->size + size > to->room) {
        to->room = 2 * (to->size + size);
        to->data = realloc(to->data, to->room);
        if (to->data == NULL) {
            abort();
        }
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put(text *to, const char *words)
{
    add(to, words, strlen(words));
}

static uint32_t random_state;

static uint32_t below(uint32_t count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * count) >> 32);
}

/* |size| bytes of prose or a little more, of which about 30 % are no ASCII
 * where |scripts|. */
static void put_prose(text *to, size_t size, bool scripts)
{
    static const char *const words[] = {
        "the ",    "weather ", "in ",      "Oslo ",  "is ",     "mild ",
        "today, ", "but ",     "tomorrow", " rain ", "may ",    "come. ",
        "If ",     "a < b ",   "then ",    "we ",    "wait.\n", "\n- item "};
    static const char *const others[] = {
        "\xD0\xBF\xD0\xBE\xD0\xB3\xD0\xBE\xD0\xB4\xD0\xB0 ",
        "\xE5\xA4\xA9\xE6\xB0\x94\xE5\xBE\x88\xE5\xA5\xBD",
        "\xCE\xBA\xCE\xB1\xCE\xB9\xCF\x81\xCF\x8C\xCF\x82 ",
        "na\xC3\xAFve caf\xC3\xA9 ", "\xF0\x9F\x98\x80 "};
    const size_t end = to->size + size;
    while (to->size < end) {
        if (scripts && below(100) < 21) {
            put(to, others[below(5)]);
        } else {
            put(to, words[below(18)]);
        }
    }
}

/* A string's text: as it is in Gemma, with escapes in JSON. */
static void put_code(text *to, size_t size, bool json)
{
    static const char *const lines[] = {
        "    for (size_t i = 0; i < count; i++) {\n",
        "        printf(\"%s, %d\\n\", names[i], values[i]);\n",
        "        if (list[i] == NULL || a < b) {\n",
        "            return compare(left, right, \"key: value\");\n",
        "        }\n", "    }\n",
        "    /* what follows, is a comment of some length */\n",
        "    static const char *const words[] = {\"one\", \"two\"};\n", "\n"};
    const size_t end = to->size + size;
    while (to->size < end) {
        for (const char *at = lines[below(9)]; *at != 0; at++) {
            if (json && *at == '\n') {
                put(to, "\\n");
            } else {
                if (json && (*at == '"' || *at == '\\')) {
                    add(to, "\\", 1);
                }
                add(to, at, 1);
            }
        }
    }
}

static void put_rows(text *to, size_t size)
{
    const size_t end = to->size + size;
    for (size_t i = 0; i < DEPTH - 1; i++) {
        add(to, "[", 1);
    }
    for (bool first = true; first || to->size < end; first = false) {
        char row[96];
        const int length =
            snprintf(row, sizeof row, "%s[%u,-%u.%02u,%ue%u,true,0]",
                     first ? "" : ",", below(1000), below(100), below(100),
                     1 + below(9), below(20));
        add(to, row, (size_t)length);
    }
    for (size_t i = 0; i < DEPTH - 1; i++) {
        add(to, "]", 1);
    }
}

/* ---- calls -------------------------------------------------------------- */

static void open_call(text *to, int format)
{
    static const char *const heads[] = {
        "<|tool_call>call:get_weather{",
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {",
        ("<|start|>assistant<|channel|>commentary to=functions.get_weather "
         "<|constrain|>json<|message|>{")};
    put(to, heads[format]);
}

static void close_call(text *to, int format)
{
    static const char *const tails[] = {"}<tool_call|>", "}}\n</tool_call>\n",
                                        "}<|call|>"};
    put(to, tails[format]);
}

static void put_small_arguments(text *to, int format)
{
    put(to, format == GEMMA4
                ? "city:<|\"|>Oslo<|\"|>,days:3,detail:true"
                : "\"city\": \"Oslo\", \"days\": 3, \"detail\": true");
}

static void put_key(text *to, int format)
{
    put(to, format == GEMMA4 ? "a:" : "\"a\": ");
}

static void make_prose(text *to, int format, bool scripts)
{
    for (int i = 0; i < CALLS; i++) {
        if (format == HARMONY) {
            put(to, "<|start|>assistant<|channel|>final<|message|>");
        }
        put_prose(to, MEGABYTE / CALLS - 100, scripts);
        put(to, format == HARMONY ? "<|end|>" : "\n");
        open_call(to, format);
        put_small_arguments(to, format);
        close_call(to, format);
    }
}

static void make_completion(text *to, int format)
{
    const size_t begin = to->size;
    text call = {0};
    open_call(&call, format);
    put_small_arguments(&call, format);
    close_call(&call, format);
    if (format == HARMONY) {
        put(to, "<|channel|>final<|message|>");
        put_prose(to, COMPLETION_SIZE - 60 - call.size, false);
        put(to, "<|end|>");
    } else {
        put_prose(to, COMPLETION_SIZE - 20 - call.size, false);
    }
    add(to, call.data, call.size);
    /* Blanks of the last word make it the same size everywhere. */
    while (to->size < begin + COMPLETION_SIZE) {
        add(to, "\n", 1);
    }
    free(call.data);
}

typedef struct workload {
    text bytes;
    size_t step;  /* the bytes of one message */
    size_t calls; /* that it must give */
} workload;

static void make_workload(workload *its, int kind, int format)
{
    text *to = &its->bytes;
    memset(its, 0, sizeof *its);
    random_state = 1;
    its->calls = 1;
    if (kind == W1 || kind == W1U) {
        make_prose(to, format, kind == W1U);
        its->calls = CALLS;
    } else if (kind == W4) {
        for (size_t i = 0; i < COMPLETIONS; i++) {
            to->size = i * COMPLETION_SIZE;
            make_completion(to, format);
        }
        to->size = COMPLETIONS * (size_t)COMPLETION_SIZE;
        its->calls = COMPLETIONS;
        its->step = COMPLETION_SIZE;
        return;
    } else {
        open_call(to, format);
        put_key(to, format);
        if (kind == W2) {
            put(to, format == GEMMA4 ? "<|\"|>" : "\"");
            put_code(to, MEGABYTE, format != GEMMA4);
            put(to, format == GEMMA4 ? "<|\"|>" : "\"");
        } else {
            put_rows(to, MEGABYTE);
        }
        close_call(to, format);
    }
    its->step = to->size;
}

/* ---- what is measured --------------------------------------------------- */

typedef struct totals {
    size_t calls, bytes, deltas;
} totals;

static void drain(tw_decoder *decoder, totals *sum)
{
    const tw_event *event;
    while (tw_decoder_next(decoder, &event) == 1) {
        sum->bytes += event->size;
        sum->calls += event->type == TW_EVENT_CALL_END &&
                      event->code == TW_CALL_COMPLETE;
    }
}

static void decode(tw_decoder *decoder, const workload *its, size_t delta,
                   totals *sum)
{
    const char *end = its->bytes.data + its->bytes.size;
    memset(sum, 0, sizeof *sum);
    for (const char *at = its->bytes.data; at < end;) {
        const char *stop = at + its->step;
        tw_decoder_reset(decoder);
        while (at < stop) {
            const size_t left = (size_t)(stop - at);
            const size_t size = delta == 0 || delta > left ? left : delta;
            tw_decoder_feed(decoder, at, size, TW_MARK_UNKNOWN);
            drain(decoder, sum);
            sum->deltas++;
            at += size;
        }
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        drain(decoder, sum);
    }
}

static void find_all(const text *bytes, totals *sum)
{
    const char *at = bytes->data;
    const char *end = at + bytes->size;
    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        sum->bytes++;
        at++;
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double measure(tw_decoder *decoder, const workload *its, int column,
                      totals *sum)
{
    static char *copy;
    static size_t room;
    if (its->bytes.size > room) {
        room = its->bytes.size;
        copy = realloc(copy, room);
        if (copy == NULL) {
            abort();
        }
        memset(copy, 1, room);
    }
    const double begin = now();
    if (column < DELTAS) {
        decode(decoder, its, deltas[column], sum);
    } else if (column == MEMCPY) {
        memcpy(copy, its->bytes.data, its->bytes.size);
        sum->bytes += (unsigned char)copy[its->bytes.size / 2];
    } else {
        find_all(&its->bytes, sum);
    }
    return now() - begin;
}

/* ---- the table ---------------------------------------------------------- */

typedef struct cell {
    double seconds[RUNS];
    totals sum;
} cell;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(cell *its)
{
    qsort(its->seconds, RUNS, sizeof its->seconds[0], compare);
    return its->seconds[RUNS / 2];
}

static void print_row(int kind, int format, const workload *its, cell *cells)
{
    const double size = (double)its->bytes.size;
    printf("%-3s %-7s %9.0f", workload_names[kind], format_names[format],
           size);
    for (int column = MEMCPY; column < COLUMNS; column++) {
        printf(" %8.0f", size / median(&cells[column]) / 1e6);
    }
    for (int column = 0; column < DELTAS; column++) {
        const double seconds = median(&cells[column]);
        const double unit = column == 0 ? 1e6 : 1e9;
        printf(" %8.1f %8.1f", size / seconds / 1e6,
               seconds * unit / (double)cells[column].sum.deltas);
    }
    printf("\n");
}

static int print_table(void)
{
    static workload its[WORKLOADS][FORMATS];
    static cell cells[WORKLOADS][FORMATS][COLUMNS];
    tw_decoder *decoders[FORMATS];
    int wrong = 0;
    for (int format = 0; format < FORMATS; format++) {
        decoders[format] =
            tw_decoder_new(tw_format_find(format_names[format]), NULL);
        for (int kind = 0; kind < WORKLOADS; kind++) {
            make_workload(&its[kind][format], kind, format);
        }
    }
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < WORKLOADS * FORMATS * COLUMNS; i++) {
            const int kind = i / COLUMNS / FORMATS;
            const int format = i / COLUMNS % FORMATS;
            const int column = i % COLUMNS;
            cell *one = &cells[kind][format][column];
            one->seconds[run] = measure(decoders[format], &its[kind][format],
                                        column, &one->sum);
            wrong += column < DELTAS &&
                     one->sum.calls != its[kind][format].calls;
        }
    }
    printf("%21s %8s %8s %17s %17s %17s %17s\n", "", "memcpy", "memchr",
           "whole", "64-byte deltas", "4-byte deltas", "1-byte deltas");
    printf("%-3s %-7s %9s %8s %8s", "", "", "bytes", "MB/s", "MB/s");
    for (int column = 0; column < DELTAS; column++) {
        printf(" %8s %8s", "MB/s", column == 0 ? "us each" : "ns each");
    }
    printf("\n");
    for (int kind = 0; kind < WORKLOADS; kind++) {
        for (int format = 0; format < FORMATS; format++) {
            print_row(kind, format, &its[kind][format], cells[kind][format]);
            free(its[kind][format].bytes.data);
        }
    }
    for (int format = 0; format < FORMATS; format++) {
        tw_decoder_free(decoders[format]);
    }
    if (wrong > 0) {
        printf("%d decodings did not give the calls they should\n", wrong);
    }
    return wrong > 0;
}

static int find(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "bench: no %s\n", name);
    exit(2);
}

int main(int count, char **arguments)
{
    if (count == 1) {
        return print_table();
    }
    if (count != 4) {
        fprintf(stderr, "usage: bench [WORKLOAD FORMAT DELTA]\n");
        return 2;
    }
    const int kind = find(arguments[1], workload_names, WORKLOADS);
    const int format = find(arguments[2], format_names, FORMATS);
    workload its;
    totals sum;
    make_workload(&its, kind, format);
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(format_names[format]), NULL);
    decode(decoder, &its, strtoul(arguments[3], NULL, 10), &sum);
    printf("%zu bytes, %zu deltas, %zu complete calls\n", its.bytes.size,
           sum.deltas, sum.calls);
    tw_decoder_free(decoder);
    free(its.bytes.data);
    return sum.calls != its.calls;
}
