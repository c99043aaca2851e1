/* SPDX-License-Identifier: MIT
 *
 * Reads hostile.txt: words, hex bytes and repeats become the bytes of a
 * pattern.
 */
#include "hostile_patterns.h"

#include <stdlib.h>
#include <string.h>

FILE *hostile_open(void)
{
    const char *name = getenv("HOSTILE_FILE");
    name = name != NULL ? name : HOSTILE_FILE;
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        exit(2);
    }
    return file;
}

static void bad_line(const char *text)
{
    fprintf(stderr, "hostile.txt: cannot read: %s\n", text);
    exit(2);
}

static void add(hostile_part *to, char c)
{
    if (to->size == HOSTILE_PART_SIZE) {
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
static const char *repeat(hostile_part *to, size_t from, const char *at)
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

static void read_part(hostile_part *to, const char *at)
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

bool hostile_read(FILE *file, hostile_pattern *its)
{
    char *fields[5];
    do {
        if (fgets(its->line, HOSTILE_LINE_SIZE, file) == NULL) {
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

char *hostile_text(const hostile_pattern *its, size_t size, size_t *all)
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
