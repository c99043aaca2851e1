/* SPDX-License-Identifier: MIT
 *
 * Random Python literals, and texts that are nearly some: the reader must say
 * the same as the naive one.  Prints the first on which they differ.
 *
 *     literals COUNT SEED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/body/python/value.h"
#include "naive/naive_frame.h"

enum { TEXT_SIZE = 512, DEPTH = 128 };

static uint64_t state;

static uint32_t below(uint32_t count)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ (z >> 31)) >> 32) % count;
}

static const char *const parts[] = {"(",
                                    ")",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    "(",
                                    ")",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    ",",
                                    ", ",
                                    ":",
                                    ": ",
                                    "'",
                                    "\"",
                                    "'''",
                                    "\"\"\"",
                                    "'a'",
                                    "\"b\"",
                                    "r'",
                                    "u\"",
                                    "b'",
                                    "\\",
                                    "\\n",
                                    "\\'",
                                    "\\\"",
                                    "\\\n",
                                    "\\\r\n",
                                    "\\x41",
                                    "\\xe9",
                                    "\\x4",
                                    "\\u00e9",
                                    "\\ud83d",
                                    "\\ude00",
                                    "\\ud83d\\ude00",
                                    "\\U0001F600",
                                    "\\U00110000",
                                    "\\101",
                                    "\\0",
                                    "\\777",
                                    "\\N{BULLET}",
                                    "\\N",
                                    "\\d",
                                    "1",
                                    "0",
                                    "07",
                                    "0_0",
                                    "1_000",
                                    "1__0",
                                    "-1",
                                    "+2",
                                    "- 3",
                                    "--4",
                                    ".5",
                                    "1.",
                                    ".",
                                    "1e5",
                                    "1E-5",
                                    "1e",
                                    "0x1F",
                                    "0xFFFFFFFFFFFFFFFF",
                                    "0x10000000000000000",
                                    "0b101",
                                    "0o17",
                                    "0x",
                                    "0x_1",
                                    "0xg",
                                    "1j",
                                    "True",
                                    "False",
                                    "None",
                                    "true",
                                    "null",
                                    "Nonee",
                                    "x",
                                    "inf",
                                    " ",
                                    "  ",
                                    "\n",
                                    "\t",
                                    "\f",
                                    "\xC2\xA0",
                                    "\xE2\x80\x8B",
                                    "\xC3\xA9",
                                    "\xF0\x9F\x98\x80",
                                    "\xFF",
                                    "\xE2\x80",
                                    "#",
                                    "*",
                                    "+",
                                    "if",
                                    " and ",
                                    " or",
                                    "%",
                                    "=",
                                    "\x01",
                                    "it's",
                                    "don't "};

/* Nested, and mostly good; |depth| is how deep it still may go. */
static size_t cook(char *text, size_t size)
{
    static const char *const good[] = {"1",     "'a b'", "\"c\"",   "None",
                                       "-2.50", "True",  "'x' 'y'", "()"};
    char closers[16];
    size_t depth = 0;
    bool value = true;
    for (uint32_t i = 1 + below(24); i > 0 && size + 16 < TEXT_SIZE; i--) {
        const char *part = parts[below(sizeof parts / sizeof *parts)];
        if (below(8) > 0) {
            const uint32_t kind = below(6);
            if (value && kind < 3 && depth < sizeof closers) {
                static const char *const open[] = {"[", "(", "{"};
                part = open[kind];
                closers[depth++] = "])}"[kind];
            } else if (value) {
                part = good[below(sizeof good / sizeof *good)];
                value = false;
            } else if (depth > 0 && kind < 3) {
                const char closer[] = {closers[--depth], 0};
                text[size++] = closer[0];
                continue;
            } else {
                part = depth > 0 && closers[depth - 1] == '}' && kind < 5
                           ? ": "
                           : ", ";
                value = true;
            }
        }
        memcpy(text + size, part, strlen(part));
        size += strlen(part);
    }
    while (depth > 0 && below(8) > 0) {
        text[size++] = closers[--depth];
    }
    return size;
}

static bool same(const char *text, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer mine = {0};
    naive_bytes other = {0};
    const bool good = tw_python_literal(&mine, &memory, text, size, DEPTH) ==
                      TW_PYTHON_IS_LITERAL;
    naive_add(&other, "", 0);
    const bool wanted = frame_python_literal(text, size, &other);
    const bool equal =
        good == wanted &&
        (!good || (mine.size == other.size &&
                   memcmp(mine.data, other.data, mine.size) == 0));
    if (!equal) {
        printf("differs: %.*s\n  reader %s %.*s\n  naive  %s %.*s\n",
               (int)size, text, good ? "reads" : "refuses", (int)mine.size,
               mine.size > 0 ? (const char *)mine.data : "",
               wanted ? "reads" : "refuses", (int)other.size, other.data);
    }
    tw_buffer_free(&mine, &memory);
    naive_release(&other);
    return equal;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fputs("use: literals COUNT SEED\n", stderr);
        return 2;
    }
    unsigned long read = 0;
    bool good = true;
    state = strtoul(arguments[2], NULL, 10);
    for (unsigned long i = strtoul(arguments[1], NULL, 10); i > 0 && good;
         i--) {
        char text[TEXT_SIZE + 64];
        const size_t size = cook(text, 0);
        naive_bytes json = {0};
        good = same(text, size);
        read += frame_python_literal(text, size, &json);
        naive_release(&json);
    }
    printf("%lu of them are literals\n", read);
    return good && read > 0 ? 0 : 1;
}
