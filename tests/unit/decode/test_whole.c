/* SPDX-License-Identifier: MIT
 *
 * A short object read in one look is what the steps take as it stands.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "json/machine.h"
#include "json/whole.h"

enum { TEXTS = 200000, TEXT_SIZE = 4096, DEPTH = 5 };

static uint32_t random_state = 1;

static uint32_t below(uint32_t count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * count) >> 32);
}

static const char *const scalars[] = {"1",
                                      "-2.5e3",
                                      "true",
                                      "false",
                                      "null",
                                      "\"text\"",
                                      "\"\"",
                                      "\"a \\n \\\" \\u0041\"",
                                      "\"\xC3\xA9\"",
                                      "[]",
                                      "{}",
                                      "0"};

/* More blanks than a comma waits for what follows it. */
#define RUN "                                                            "
#define LONG_RUN RUN RUN RUN RUN RUN

static const char *const inserts[] = {
    " ",       "\n",  ",", ":",    "\"",       "}",    "]",     "{",
    "[",       "\\",  "'", "x",    "0",        "\x01", "\xC3",  "\xFF",
    "\\ud83d", "\\x", "e", "True", "\xC2\xA0", "//",   LONG_RUN};

/* An object, or a part of one. */
static void add_members(char *text, int depth)
{
    const bool array = depth > 0 && below(2) == 0;
    strcat(text, array ? "[" : "{");
    for (uint32_t i = 0, count = below(4); i < count; i++) {
        strcat(text, i > 0 ? ", " : "");
        strcat(text, array ? "" : "\"key\": ");
        if (depth < DEPTH && below(3) == 0) {
            add_members(text, depth + 1);
        } else {
            strcat(text, scalars[below(sizeof scalars / sizeof *scalars)]);
        }
    }
    strcat(text, array ? "]" : "}");
}

static size_t change(char *text, size_t size)
{
    const size_t at = below((uint32_t)size);
    if (below(2) == 0) {
        memmove(text + at, text + at + 1, size - at);
        return size - 1;
    }
    const char *part = inserts[below(sizeof inserts / sizeof *inserts)];
    const size_t length = strlen(part);
    memmove(text + at + length, text + at, size - at + 1);
    memcpy(text + at, part, length);
    return size + length;
}

/* The steps take [text, text + size) as it stands, to its last byte. */
static bool is_taken(tw_json *json, const uint8_t *text, size_t size,
                     size_t depth)
{
    tw_view view = {text, text + size, true};
    tw_json_step step;
    size_t taken = 0;
    bool same = true;
    tw_json_reset(json, depth);
    do {
        tw_json_next(json, &view, &step);
        same = same && step.kind >= TW_JSON_STEP_PIECE && step.code == 0 &&
               memcmp(step.text, text + taken, step.text_size) == 0;
        taken += step.text_size;
    } while (same && !tw_json_done(json));
    return same && taken == size && view.at == view.limit;
}

Test(whole, an_object_is_what_steps_take)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json json;
    size_t found = 0;
    tw_json_init(&json, &memory, 1, true);
    for (int i = 0; i < TEXTS; i++) {
        static char text[TEXT_SIZE];
        text[0] = 0;
        add_members(text, 0);
        size_t size = strlen(text);
        for (uint32_t k = below(3); k > 0 && size > 1; k--) {
            size = change(text, size);
        }
        const size_t depth = 1 + below(DEPTH + 2);
        /* In a block of its size, so that no byte behind it is looked at. */
        uint8_t *block = malloc(size);
        memcpy(block, text, size);
        const uint8_t *end =
            size > 0 ? tw_json_whole_object(block, block + size, depth) : NULL;
        if (end != NULL) {
            const size_t length = (size_t)(end - block);
            cr_assert(is_taken(&json, block, length, depth), "%s", text);
            found++;
        }
        free(block);
    }
    cr_assert_gt(found, TEXTS / 5);
    tw_json_free(&json);
}

Test(whole, long_objects_are_left_to_steps)
{
    char text[TW_JSON_WHOLE_SIZE + 64] = "{\"a\": \"";
    const size_t head = strlen(text);
    memset(text + head, 'x', sizeof text - head);
    const uint8_t *at = (const uint8_t *)text;
    const size_t most = TW_JSON_WHOLE_SIZE;
    memcpy(text + most - 2, "\"}", 2);
    cr_assert_eq(tw_json_whole_object(at, at + sizeof text, 9), at + most);
    memcpy(text + most - 2, "xx", 2);
    memcpy(text + most - 1, "\"}", 2);
    cr_assert_null(tw_json_whole_object(at, at + sizeof text, 9));
}
