/* SPDX-License-Identifier: MIT
 *
 * Decodes a hostile pattern of hostile.txt, so that callgrind can count what
 * that costs: each decoding is one call of decode_pattern().
 *
 *     hostile --list
 *     hostile --check SIZE
 *     hostile NAME SIZE CHUNK [SIZE CHUNK]...
 *
 * --check decodes every pattern whole and in pieces: events must be as long.
 * SIZE bytes are made of the pattern's unit, between its prefix and its
 * suffix, and fed CHUNK bytes at a time; 0: whole.  With the environment
 * variable HOSTILE_FILE, patterns are read from there.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile_patterns.h"
#include "toolwire.h"

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif

/* ---- decoding ----------------------------------------------------------- */

/* `hermes-reasoning` is hermes that starts inside reasoning, and
 * `harmony-stripped` is harmony with its markers stripped. */
static tw_decoder *make_decoder(const char *format)
{
    static const struct {
        const char *word;
        tw_option option;
    } ways[] = {{"-reasoning", TW_OPTION_START_REASONING},
                {"-stripped", TW_OPTION_RECOVER_STRIPPED}};
    char name[64];
    tw_option option = (tw_option)0;
    size_t size = strlen(format);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const size_t length = strlen(ways[i].word);
        if (size > length &&
            strcmp(format + size - length, ways[i].word) == 0) {
            option = ways[i].option;
            size -= length;
            break;
        }
    }
    if (size >= sizeof name) {
        return NULL;
    }
    memcpy(name, format, size);
    name[size] = 0;
    tw_decoder *decoder = tw_decoder_new(tw_format_find(name), NULL);
    if (decoder != NULL && option != 0) {
        tw_decoder_set(decoder, option, 1);
    }
    return decoder;
}

static size_t drain(tw_decoder *decoder)
{
    const tw_event *event;
    size_t size = 0;
    while (tw_decoder_next(decoder, &event) == 1) {
        size += event->size;
    }
    return size;
}

/* What is counted: only this, and each call of it for itself. */
NOINLINE size_t decode_pattern(tw_decoder *decoder, const char *text,
                               size_t size, size_t chunk);

size_t decode_pattern(tw_decoder *decoder, const char *text, size_t size,
                      size_t chunk)
{
    size_t out = 0;
    for (size_t at = 0; at < size;) {
        const size_t left = size - at;
        const size_t step = chunk == 0 || chunk > left ? left : chunk;
        tw_decoder_feed(decoder, text + at, step, TW_MARK_UNKNOWN);
        out += drain(decoder);
        at += step;
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    return out + drain(decoder);
}

/* The size of what leaves. */
static size_t run(const hostile_pattern *its, size_t size, size_t chunk)
{
    size_t all;
    char *text = hostile_text(its, size, &all);
    tw_decoder *decoder = make_decoder(its->format);
    if (decoder == NULL) {
        fprintf(stderr, "hostile: no format %s\n", its->format);
        exit(2);
    }
    const size_t out = decode_pattern(decoder, text, all, chunk);
    tw_decoder_free(decoder);
    free(text);
    return out;
}

static bool check(const hostile_pattern *its, size_t size)
{
    static const size_t chunks[] = {1, 7, 1000};
    const size_t whole = run(its, size, 0);
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        if (run(its, size, chunks[i]) != whole) {
            fprintf(stderr, "%s: not the same in pieces of %zu\n", its->name,
                    chunks[i]);
            return false;
        }
    }
    return true;
}

static size_t number(const char *text)
{
    return strtoul(text, NULL, 10);
}

int main(int count, char **arguments)
{
    static hostile_pattern its;
    const bool list = count == 2 && strcmp(arguments[1], "--list") == 0;
    const bool all = count == 3 && strcmp(arguments[1], "--check") == 0;
    unsigned long passed = 0;
    unsigned long failed = 0;
    if (!list && !all && (count < 4 || count % 2 != 0)) {
        fprintf(stderr, "usage: hostile --list\n"
                        "       hostile --check SIZE\n"
                        "       hostile NAME SIZE CHUNK [SIZE CHUNK]...\n");
        return 2;
    }
    FILE *file = hostile_open();
    bool found = list || all;
    while (hostile_read(file, &its)) {
        if (list) {
            printf("%s %s\n", its.name, its.format);
        } else if (all) {
            const bool good = check(&its, number(arguments[2]));
            passed += good;
            failed += !good;
        } else if (strcmp(its.name, arguments[1]) == 0) {
            found = true;
            for (int i = 2; i < count; i += 2) {
                run(&its, number(arguments[i]), number(arguments[i + 1]));
            }
        }
    }
    fclose(file);
    if (!found) {
        fprintf(stderr, "hostile: no pattern %s\n", arguments[1]);
    }
    if (all) {
        printf("%lu passed, %lu failed\n", passed, failed);
    }
    return !found ? 2 : failed > 0;
}
