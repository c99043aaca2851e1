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

#include "toolwire.h"

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif

enum { LINE_SIZE = 4096, PART_SIZE = 70000 };

typedef struct part {
    char bytes[PART_SIZE];
    size_t size;
} part;

typedef struct pattern {
    char line[LINE_SIZE];
    const char *name;
    const char *format;
    part prefix, unit, suffix;
} pattern;

/* ---- reading hostile.txt ------------------------------------------------ */

static void bad_line(const char *text)
{
    fprintf(stderr, "hostile.txt: cannot read: %s\n", text);
    exit(2);
}

static void add(part *to, char c)
{
    if (to->size == PART_SIZE) {
        bad_line("a part is too long");
    }
    to->bytes[to->size++] = c;
}

static int hex(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != 0 ? strchr(digits, c | 0x20) : NULL;
    if (at == NULL) {
        bad_line("\\x without two digits");
    }
    return (int)(at - digits);
}

/* \{N}: what was begun at |from| stands there N times. */
static const char *repeat(part *to, size_t from, const char *at)
{
    char *end;
    const unsigned long count = strtoul(at, &end, 10);
    const size_t size = to->size - from;
    if (*end != '}' || count == 0) {
        bad_line(at);
    }
    for (unsigned long i = 1; i < count; i++) {
        for (size_t j = 0; j < size; j++) {
            add(to, to->bytes[from + j]);
        }
    }
    return end + 1;
}

static void read_part(part *to, const char *at)
{
    size_t group = 0; /* what \{N} repeats: the last byte, or \( ... \) */
    bool open = false;
    to->size = 0;
    while (*at != 0) {
        if (*at != '\\') {
            group = open ? group : to->size;
            add(to, *at++);
            continue;
        }
        const char c = at[1];
        at += 2;
        if (c == '{') {
            at = repeat(to, group, at);
        } else if (c == '(' || c == ')') {
            group = c == '(' ? to->size : group;
            open = c == '(';
        } else {
            group = open ? group : to->size;
            switch (c) {
            case 'n': add(to, '\n'); break;
            case 'r': add(to, '\r'); break;
            case 't': add(to, '\t'); break;
            case '\\': add(to, '\\'); break;
            case 'x':
                add(to, (char)(hex(at[0]) * 16 + hex(at[1])));
                at += 2;
                break;
            default: bad_line(at - 2);
            }
        }
    }
}

/* The next pattern of |file|; false: there is none. */
static bool read_pattern(FILE *file, pattern *its)
{
    char *fields[5];
    do {
        if (fgets(its->line, LINE_SIZE, file) == NULL) {
            return false;
        }
        its->line[strcspn(its->line, "\n")] = 0;
    } while (its->line[0] == 0 || its->line[0] == '#');
    char *at = its->line;
    for (size_t i = 0; i < 5; i++) {
        char *end = at + strcspn(at, "\t");
        if ((*end == 0) != (i == 4)) {
            bad_line(its->line);
        }
        *end = 0;
        fields[i] = at;
        at = end + 1;
    }
    its->name = fields[0];
    its->format = fields[1];
    read_part(&its->prefix, fields[2]);
    read_part(&its->unit, fields[3]);
    read_part(&its->suffix, fields[4]);
    if (its->unit.size == 0) {
        bad_line(its->name);
    }
    return true;
}

/* ---- decoding ----------------------------------------------------------- */

static char *make_text(const pattern *its, size_t size, size_t *all)
{
    *all = its->prefix.size + size + its->suffix.size;
    char *text = malloc(*all + 1);
    if (text == NULL) {
        exit(2);
    }
    memcpy(text, its->prefix.bytes, its->prefix.size);
    char *at = text + its->prefix.size;
    for (size_t done = 0; done < size; done += its->unit.size) {
        const size_t left = size - done;
        memcpy(at + done, its->unit.bytes,
               left < its->unit.size ? left : its->unit.size);
    }
    memcpy(at + size, its->suffix.bytes, its->suffix.size);
    return text;
}

/* `hermes-reasoning` is hermes that starts inside reasoning, and
 * `harmony-stripped` is harmony with its markers stripped. */
static tw_decoder *make_decoder(const char *format)
{
    char name[64];
    const size_t size = strcspn(format, "-");
    if (size >= sizeof name) {
        return NULL;
    }
    memcpy(name, format, size);
    name[size] = 0;
    tw_decoder *decoder = tw_decoder_new(tw_format_find(name), NULL);
    if (decoder != NULL && strcmp(format + size, "-reasoning") == 0) {
        tw_decoder_set(decoder, TW_OPTION_START_REASONING, 1);
    } else if (decoder != NULL && strcmp(format + size, "-stripped") == 0) {
        tw_decoder_set(decoder, TW_OPTION_RECOVER_STRIPPED, 1);
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
static size_t run(const pattern *its, size_t size, size_t chunk)
{
    size_t all;
    char *text = make_text(its, size, &all);
    tw_decoder *decoder = make_decoder(its->format);
    if (decoder == NULL) {
        bad_line(its->format);
    }
    const size_t out = decode_pattern(decoder, text, all, chunk);
    tw_decoder_free(decoder);
    free(text);
    return out;
}

static bool check(const pattern *its, size_t size)
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
    static pattern its;
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
    const char *name = getenv("HOSTILE_FILE");
    FILE *file = fopen(name != NULL ? name : HOSTILE_FILE, "rb");
    if (file == NULL) {
        perror(name != NULL ? name : HOSTILE_FILE);
        return 2;
    }
    bool found = list || all;
    while (read_pattern(file, &its)) {
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
