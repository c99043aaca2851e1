/* SPDX-License-Identifier: MIT
 *
 * Decodes what callgrind is to count: each NAME is one call of counted().
 *
 *     count --list
 *     count SIZE NAME...
 *
 * A NAME is WORKLOAD/FORMAT/DELTA: all of a workload of SIZE bytes, to
 * events, DELTA bytes at a time (0: whole).  Or WORKLOAD/FORMAT/DELTA@OFFSET:
 * deltas behind OFFSET bytes of one message, always the same bytes, wherever
 * they stand.  In the place of a workload may stand a pattern of hostile.txt;
 * --list prints them with their formats.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads.h"

#if defined(__clang__)
#define ALONE __attribute__((noinline))
#elif defined(__GNUC__)
#define ALONE __attribute__((noinline, noclone))
#else
#define ALONE
#endif

typedef struct piece {
    const char *data;
    size_t size, delta;
    const message *start; /* NULL: in the midst of a message */
} piece;

static size_t complete; /* calls */

static void drain(tw_decoder *decoder)
{
    const tw_event *event;
    while (tw_decoder_next(decoder, &event) == 1) {
        complete += event->type == TW_EVENT_CALL_END &&
                    event->code == TW_CALL_COMPLETE;
    }
}

static void feed(tw_decoder *decoder, const piece *its)
{
    for (size_t at = 0; at < its->size;) {
        const size_t left = its->size - at;
        const size_t size =
            its->delta == 0 || its->delta > left ? left : its->delta;
        tw_decoder_feed(decoder, its->data + at, size, TW_MARK_UNKNOWN);
        drain(decoder);
        at += size;
    }
}

ALONE void counted(tw_decoder *, const piece *, size_t count);

void counted(tw_decoder *decoder, const piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].start != NULL) {
            start_message(decoder, pieces[i].start);
        }
        feed(decoder, &pieces[i]);
        if (pieces[i].start != NULL) {
            tw_decoder_finish(decoder, TW_FINISH_STOP);
            drain(decoder);
        }
    }
}

/* ---- what a name says --------------------------------------------------- */

typedef struct wanted {
    char what[64];
    int kind, format;
    size_t size, delta, offset;
    bool window;
} wanted;

static void bad_name(const char *name)
{
    fprintf(stderr, "count: no %s\n", name);
    exit(2);
}

static wanted read_name(const char *name, size_t size)
{
    wanted its = {.size = size};
    char format[64];
    if (sscanf(name, "%63[^/]/%63[^/]/%zu@%zu", its.what, format, &its.delta,
               &its.offset) < 3) {
        bad_name(name);
    }
    its.window = strchr(name, '@') != NULL;
    its.kind = find_name(its.what, workload_names, WORKLOADS);
    its.format = find_name(format, format_names, FORMATS);
    if (its.format < 0 || (its.window && (its.kind < 0 || its.kind > W3))) {
        bad_name(name);
    }
    return its;
}

static void count_all(const wanted *its)
{
    workload all;
    if (its->kind < 0) {
        make_pattern(&all, its->what, its->format, its->size);
    } else {
        make_workload(&all, its->kind, its->format, its->size);
    }
    tw_decoder *decoder = format_decoder(its->format, NULL);
    piece *pieces = need(malloc((all.count + 1) * sizeof *pieces));
    for (size_t i = 0; i < all.count; i++) {
        const message *start = &all.messages[i];
        const size_t begin = i > 0 ? all.messages[i - 1].end : 0;
        pieces[i] = (piece){all.bytes.data + begin, start->end - begin,
                            its->delta, start};
    }
    if (all.count == 0) {
        bad_name(its->what);
    }
    complete = 0;
    counted(decoder, pieces, all.count);
    if (all.known && complete != all.calls) {
        fprintf(stderr, "count: %s: %zu of %zu calls\n", its->what, complete,
                all.calls);
        exit(1);
    }
    free(pieces);
    tw_decoder_free(decoder);
    workload_free(&all);
}

/* The bytes behind the last whole unit that ends at |offset| or before. */
static void count_window(const wanted *its)
{
    text head = {0};
    text unit = {0};
    const message start = {0};
    make_period(&head, &unit, its->kind, its->format);
    tw_decoder *decoder = format_decoder(its->format, NULL);
    const piece before = {head.data, head.size, its->delta, NULL};
    const piece window = {unit.data, unit.size, its->delta, NULL};
    start_message(decoder, &start);
    feed(decoder, &before);
    for (size_t at = head.size; at + unit.size <= its->offset;
         at += unit.size) {
        feed(decoder, &window);
    }
    counted(decoder, &window, 1);
    tw_decoder_free(decoder);
    text_free(&head);
    text_free(&unit);
}

static int list(void)
{
    for (int format = 0; format < FORMATS; format++) {
        workload its;
        make_workload(&its, W5, format, 1);
        for (size_t i = 0; i < its.count; i++) {
            printf("%s %s\n", its.messages[i].tag, format_names[format]);
        }
        workload_free(&its);
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--list") == 0) {
        return list();
    }
    if (count < 3) {
        fprintf(stderr,
                "usage: count --list\n"
                "       count SIZE WORKLOAD/FORMAT/DELTA[@OFFSET]...\n");
        return 2;
    }
    for (int i = 2; i < count; i++) {
        const wanted its =
            read_name(arguments[i], strtoul(arguments[1], NULL, 10));
        if (its.window) {
            count_window(&its);
        } else {
            count_all(&its);
        }
    }
    return 0;
}
