/* SPDX-License-Identifier: MIT
 *
 * Does the work for a text grow as the text does?  For each wire: every cut of
 * its own texts, behind each cut each of its fragments repeated, alone and
 * with one more behind, whole and in pieces of four bytes.  No look-ahead may
 * pass a byte twice, so four times the text may cost little more than four
 * times the work, and no byte may cost much.
 *
 *     linear SET SHARE            try one in SHARE of all texts
 *     linear SET SHARE --table    say the worst of each wire at three sizes
 *
 * Work is counted, never timed: the library's objects of this program call
 * __sanitizer_cov_trace_pc() at each branch, and what libc walks through for
 * them is counted by its size.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fragments.h"

/* ---- counting ----------------------------------------------------------- */

static uint64_t work;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    work++;
}

void *__real_memchr(const void *text, int c, size_t size);
void *__wrap_memchr(const void *text, int c, size_t size);
void *__wrap_memchr(const void *text, int c, size_t size)
{
    const char *found = __real_memchr(text, c, size);
    work += (found != NULL ? (size_t)(found - (const char *)text) : size) / 16;
    return (void *)(uintptr_t)found;
}

void *__real_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    work += size / 16;
    return __real_memcpy(to, from, size);
}

void *__real_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size)
{
    work += size / 16;
    return __real_memmove(to, from, size);
}

/* ---- decoding ----------------------------------------------------------- */

static void drain(tw_decoder *decoder)
{
    const tw_event *event;
    while (tw_decoder_next(decoder, &event) == 1) {
    }
}

/* The work for |prefix| and then |unit| again and again, |size| bytes in all,
 * fed |chunk| at a time; 0: at once. */
static uint64_t work_for(const fragments *set, const char *prefix,
                         size_t prefix_size, const char *unit, size_t size,
                         size_t chunk)
{
    static char *text;
    static size_t room;
    if (room < size) {
        room = size;
        text = realloc(text, room);
    }
    tw_decoder *decoder = fragments_decoder(set);
    if (text == NULL || decoder == NULL || size < prefix_size) {
        fprintf(stderr, "linear: no memory\n");
        exit(2);
    }
    const size_t unit_size = strlen(unit);
    memcpy(text, prefix, prefix_size);
    for (size_t at = prefix_size; at < size; at++) {
        text[at] = unit[(at - prefix_size) % unit_size];
    }
    work = 0;
    for (size_t at = 0; at < size;) {
        const size_t left = size - at;
        const size_t step = chunk == 0 || chunk > left ? left : chunk;
        tw_decoder_feed(decoder, text + at, step, TW_MARK_UNKNOWN);
        drain(decoder);
        at += step;
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    drain(decoder);
    const uint64_t counted = work;
    tw_decoder_free(decoder);
    return counted;
}

/* ---- judging ------------------------------------------------------------ */

enum {
    NEAR = 4096,
    FAR = 4 * NEAR,
    GROWTH_MOST = 6,   /* of the work, for four times the text */
    BYTE_MOST = 10000, /* of work for a byte: the 1,024 bytes that are held for
                          a head are looked at again with each piece, ten
                          branches each */
    SHOWN = 5,
    UNIT_SIZE = 512
};

typedef struct tried {
    uint64_t count;
    uint64_t bad;
    double worst; /* work for a byte */
    char text[256];
    size_t prefix;
    char unit[UNIT_SIZE];
    size_t chunk;
} tried;

static void show(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        printf(c == '\\' || c < ' ' ? "\\x%02x" : "%c", c);
    }
}

static void try_one(const fragments *set, const char *text, size_t prefix,
                    const char *unit, size_t chunk, tried *all)
{
    const uint64_t near = work_for(set, text, prefix, unit, NEAR, chunk);
    const uint64_t far = work_for(set, text, prefix, unit, FAR, chunk);
    const double byte = ((double)far - (double)near) / (FAR - NEAR);
    const bool bad = (far > GROWTH_MOST * near && byte > 60) ||
                     byte > BYTE_MOST;
    all->count++;
    all->bad += bad;
    if (byte > all->worst) {
        all->worst = byte;
        all->prefix = prefix < sizeof all->text ? prefix : sizeof all->text;
        memcpy(all->text, text, all->prefix);
        snprintf(all->unit, sizeof all->unit, "%s", unit);
        all->chunk = chunk;
    }
    if (bad && all->bad <= SHOWN) {
        printf("%s: %" PRIu64 " -> %" PRIu64 ", %.0f a byte, %s: ", set->name,
               near, far, byte, chunk == 0 ? "whole" : "in pieces");
        show(text, prefix);
        printf("  and again  ");
        show(unit, strlen(unit));
        printf("\n");
    }
}

/* Which of all are tried follows from their number, and from nothing else. */
static bool is_chosen(uint64_t number, unsigned share)
{
    return share <= 1 ||
           (number * UINT64_C(0x9E3779B97F4A7C15) >> 33) % share == 0;
}

static const char *fragment(const fragments *set, size_t i)
{
    static const char *const common[] = {
        "\n", " ", "<", "\"", "\\", "{", "[", "a", ",", "</", "\xE3\x80\x80"};
    enum { COMMON = sizeof common / sizeof common[0] };
    const size_t count = COMMON + set->part_count;
    return i < COMMON ? common[i] : i < count ? set->parts[i - COMMON] : NULL;
}

/* Every other one has a second fragment behind: |number| says which. */
static void make_unit(const fragments *set, const char *first, uint64_t number,
                      char unit[UNIT_SIZE])
{
    const uint64_t some = number * UINT64_C(0xD1B54A32D192ED03) >> 33;
    const char *second = fragment(set, (some / 2) % (set->part_count + 1));
    snprintf(unit, UNIT_SIZE, "%s%s", first, some % 2 == 0 ? second : "");
}

static void try_cuts(const fragments *set, const char *text, unsigned share,
                     uint64_t *number, tried *all)
{
    const size_t size = strlen(text) < NEAR / 2 ? strlen(text) : NEAR / 2;
    const char *first;
    char unit[UNIT_SIZE];
    for (size_t cut = 0; cut <= size; cut++) {
        for (size_t i = 0; (first = fragment(set, i)) != NULL; i++) {
            for (size_t chunk = 0; chunk <= 4; chunk += 4) {
                if (first[0] == 0 || !is_chosen(++*number, share)) {
                    continue;
                }
                make_unit(set, first, *number, unit);
                try_one(set, text, cut, unit, chunk, all);
            }
        }
    }
}

/* The worst of a wire, at 64 KiB, 256 KiB and 1 MiB. */
static void print_row(const fragments *set, const tried *all)
{
    printf("%-24s", set->name);
    for (size_t size = 64 << 10; size <= 1 << 20; size *= 4) {
        printf(" %12" PRIu64, work_for(set, all->text, all->prefix, all->unit,
                                       size, all->chunk));
    }
    printf("  %s  ", all->chunk == 0 ? "whole" : "in pieces");
    show(all->text, all->prefix);
    printf("  and again  ");
    show(all->unit, strlen(all->unit));
    printf("\n");
}

int main(int count, char **arguments)
{
    const bool table = count == 4 && strcmp(arguments[3], "--table") == 0;
    if (count < 3 || (count > 3 && !table)) {
        fprintf(stderr, "usage: linear SET SHARE [--table]\n");
        return 2;
    }
    const unsigned share = (unsigned)strtoul(arguments[2], NULL, 10);
    const fragments *set;
    unsigned passed = 0;
    unsigned failed = 0;
    uint64_t texts = 0;
    if (table) {
        printf("%-24s %12s %12s %12s  branches of the worst text\n", "wire",
               "64 KiB", "256 KiB", "1 MiB");
    }
    for (size_t i = 0; (set = fragments_like(arguments[1], i)) != NULL; i++) {
        tried all = {0};
        uint64_t number = 0;
        for (uint32_t k = 0; k < set->text_count; k++) {
            try_cuts(set, set->texts[k], share, &number, &all);
        }
        if (table && all.count > 0) {
            print_row(set, &all);
        }
        if (all.bad > SHOWN) {
            printf("%s: %" PRIu64 " of %" PRIu64 " in all\n", set->name,
                   all.bad, all.count);
        }
        texts += all.count;
        passed += all.bad == 0;
        failed += all.bad > 0;
    }
    printf("%" PRIu64 " texts\n%u passed, %u failed\n", texts, passed, failed);
    return failed > 0 || passed == 0;
}
