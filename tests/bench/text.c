/* SPDX-License-Identifier: MIT
 *
 * A byte string, a random number generator, and prose, code and rows of
 * numbers made with it.
 */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *need(void *pointer)
{
    if (pointer == NULL) {
        fprintf(stderr, "bench: no memory\n");
        exit(2);
    }
    return pointer;
}

void add(text *to, const char *data, size_t size)
{
    if (size == 0) {
        return;
    }
    if (to->size + size > to->room) {
        to->room = 2 * (to->size + size);
        to->data = need(realloc(to->data, to->room));
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

void put(text *to, const char *words)
{
    add(to, words, strlen(words));
}

void text_free(text *its)
{
    free(its->data);
    memset(its, 0, sizeof *its);
}

static uint32_t random_state;

void random_start(uint32_t seed)
{
    random_state = seed;
}

uint32_t below(uint32_t count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * count) >> 32);
}

void put_prose(text *to, size_t size, bool scripts)
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

void put_escaped(text *to, char c)
{
    if (c == '\n') {
        put(to, "\\n");
        return;
    }
    if (c == '"' || c == '\\') {
        add(to, "\\", 1);
    }
    add(to, &c, 1);
}

void put_code(text *to, size_t size, bool json, bool lost)
{
    static const char *const lines[] = {
        "    for (size_t i = 0; i < count; i++) {\n",
        "        printf(\"%s, %d\\n\", names[i], values[i]);\n",
        "        if (list[i] == NULL || a < b) {\n",
        "            return compare(left, right, \"key value\");\n",
        "        }\n", "    }\n",
        "    /* what follows, is a comment of some length */\n",
        "    static const char *const words[] = {\"one\", \"two\"};\n", "\n",
        /* from here on only where |lost| */
        "            return compare(left, right, \"key: value\");\n",
        "    const place = {name: \"Oslo\", country: \"NO\", rain: 3};\n",
        "    draw(1, color: red, size: 12}\n",
        "    let quote = <|\"|> + name;\n",
        "    if (end == \"}<tool_call\" || end == \"}}\\n</tool_ca\") {\n",
        "    return \"<|start|\" + x, key: <|\"\n"};
    const size_t end = to->size + size;
    while (to->size < end) {
        const char *line = lines[below(lost ? 15 : 9)];
        if (!json) {
            put(to, line);
            continue;
        }
        for (const char *at = line; *at != 0; at++) {
            put_escaped(to, *at);
        }
    }
}

void put_rows(text *to, size_t size, size_t depth)
{
    const size_t end = to->size + size;
    for (size_t i = 0; i + 1 < depth; i++) {
        add(to, "[", 1);
    }
    for (bool first = true; first || to->size < end; first = false) {
        char row[96];
        const int length = snprintf(
            row, sizeof row, "%s[%u,-%u.%02u,%ue%u,true,0]", first ? "" : ",",
            below(1000), below(100), below(100), 1 + below(9), below(20));
        add(to, row, (size_t)length);
    }
    for (size_t i = 0; i + 1 < depth; i++) {
        add(to, "]", 1);
    }
}
