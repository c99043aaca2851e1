/* SPDX-License-Identifier: MIT
 *
 * The quick reader of trees makes what the plain one makes, and strings are
 * written as if byte by byte.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "json/tree_quick.h"
#include "json/write.h"
#include "kit/random.h"

static bool same_bytes(const char *a, size_t a_size, const char *b,
                       size_t b_size)
{
    return a_size == b_size && (a == NULL) == (b == NULL) &&
           (a_size == 0 || memcmp(a, b, a_size) == 0);
}

/* Strings and keys are ended by NUL. */
static bool ended(const char *text, size_t size)
{
    return text == NULL || text[size] == 0;
}

static bool same_node(const tw_value *a, const tw_value *b)
{
    return a->kind == b->kind && a->index == b->index && a->lone == b->lone &&
           a->marks == b->marks &&
           same_bytes(a->text, a->size, b->text, b->size) &&
           same_bytes(a->key, a->key_size, b->key, b->key_size) &&
           ended(a->key, a->key_size) &&
           (a->kind != TW_VALUE_STRING || ended(a->text, a->size)) &&
           (a->first == NULL) == (b->first == NULL) &&
           (a->last == NULL) == (b->last == NULL) &&
           (a->next == NULL) == (b->next == NULL) &&
           (a->last == NULL || a->last->parent == a) &&
           (a->next != NULL || a->parent == NULL || a->parent->last == a);
}

static bool same_tree(const tw_value *a, const tw_value *b)
{
    while (same_node(a, b)) {
        if (a->first != NULL) {
            a = a->first;
            b = b->first;
            continue;
        }
        while (a->next == NULL && a->parent != NULL) {
            a = a->parent;
            b = b->parent;
        }
        if (a->parent == NULL) {
            return b->parent == NULL;
        }
        a = a->next;
        b = b->next;
    }
    return false;
}

typedef struct pair {
    tw_memory memory;
    tw_tree quick;
    tw_tree plain;
    size_t good;
} pair;

static void make_pair(pair *both)
{
    memset(both, 0, sizeof *both);
    both->memory = tw_memory_from(NULL);
    tw_tree_init(&both->quick, &both->memory);
    tw_tree_init(&both->plain, &both->memory);
}

static void free_pair(pair *both)
{
    tw_tree_free(&both->quick);
    tw_tree_free(&both->plain);
}

/* In a block of its exact size, so that no read goes beyond. */
static void expect_same(pair *both, const char *text, size_t size)
{
    char *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, text, size);
    tw_tree_begin(&both->quick, false);
    const bool quick = tw_tree_read_quickly(&both->quick, copy, size);
    const int plain = tw_tree_read_plainly(&both->plain, copy, size, false);
    cr_assert_eq(quick, plain == TW_OK, "%d: %.*s", plain, (int)size, text);
    cr_assert_eq(both->quick.error, TW_OK);
    if (quick) {
        cr_assert(same_tree(both->quick.root, both->plain.root), "%.*s",
                  (int)size, text);
        cr_assert_eq(both->quick.offset, both->plain.offset);
        both->good++;
    }
    free(copy);
}

static const char *const texts[] = {
    "{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"d\\n\"}}",
    " [[], {}, [\"x\", {\"y\": [false]}], 0] ",
    "{\"k\xC3\xA9y\":\"\xE4\xBD\xA0\xE5\xA5\xBD\xF0\x9F\x98\x80 all\"}",
    "{\"text\":\"a\\u00e9\\ud83d\\ude00\\ud83d\\u0041\\udead\",\"b\":\"\"}",
    "[123456789012345678901234567890, 0.12345678901234567890123, 1e-7]",
    "\"a string that is longer than sixteen bytes, \\\"quoted\\\" \\t twice\"",
    "{\"a\":1,\"a\":2,\"\":{\"\":[\"\\\\\\/\\b\\f\\r\"]}}\r\n\t",
    "-0.5E+10",
};

enum { TEXTS = sizeof texts / sizeof *texts };

Test(tree, every_changed_byte)
{
    pair both;
    make_pair(&both);
    for (size_t i = 0; i < TEXTS; i++) {
        const size_t size = strlen(texts[i]);
        for (size_t at = 0; at < size; at++) {
            for (unsigned c = 0; c < 256; c++) {
                char text[128];
                memcpy(text, texts[i], size);
                text[at] = (char)c;
                expect_same(&both, text, size);
            }
            expect_same(&both, texts[i], at); /* cut */
        }
    }
    cr_assert_gt(both.good, 10000);
    free_pair(&both);
}

/* Pieces of JSON in any order, most of them no JSON. */
Test(tree, random_pieces)
{
    static const char *const pieces[] = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"k\":",
        "\"long enough to be read in two steps\"",
        "\"\\u00e9\"",
        "1",
        "-0.5",
        "tru",
        "true",
        "null",
        "false",
        " ",
        "\"a\\\\\"",
        "\n",
        "\"\\ud8\"",
        "\"\xC3\xA9\"",
        "\"\xED\xA0\x80\"",
        "\"\\uD83D\\uDE00\"",
        "\"\\uD83D\\uD83D\""};
    const uint32_t count = sizeof pieces / sizeof *pieces;
    uint64_t state = 7;
    pair both;
    make_pair(&both);
    for (int round = 0; round < 200000; round++) {
        char text[512] = "";
        const uint32_t size = kit_below(&state, 9);
        for (uint32_t i = 0; i < size; i++) {
            strcat(text, pieces[kit_below(&state, count)]);
        }
        expect_same(&both, text, strlen(text));
    }
    cr_assert_gt(both.good, 1000);
    free_pair(&both);
}

/* Values in lists, so that trees are large, with a fault in every other. */
Test(tree, random_trees)
{
    uint64_t state = 11;
    pair both;
    make_pair(&both);
    for (int round = 0; round < 3000; round++) {
        char text[8192] = "[";
        const uint32_t size = kit_below(&state, 60);
        for (uint32_t i = 0; i < size; i++) {
            strcat(strcat(text, i > 0 ? ", " : ""),
                   texts[kit_below(&state, TEXTS)]);
        }
        strcat(text, "]");
        const size_t end = strlen(text);
        if (kit_below(&state, 2) == 0) {
            text[kit_below(&state, (uint32_t)end)] =
                (char)kit_below(&state, 256);
        }
        expect_same(&both, text, end);
    }
    cr_assert_gt(both.good, 1000);
    free_pair(&both);
}

Test(tree, the_deepest)
{
    char text[4 * TW_TREE_DEPTH];
    pair both;
    make_pair(&both);
    for (size_t depth = TW_TREE_DEPTH - 1; depth <= TW_TREE_DEPTH + 1;
         depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        expect_same(&both, text, 2 * depth);
    }
    cr_assert_eq(both.good, 2);
    free_pair(&both);
}

/* ---- strings ------------------------------------------------------------ */

static size_t write_plainly(char *out, const char *text, size_t size)
{
    char *to = out;
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        const size_t escape = tw_json_escape((uint8_t)text[i], to);
        *to = escape > 0 ? *to : text[i];
        to += escape > 0 ? escape : 1;
    }
    *to++ = '"';
    return (size_t)(to - out);
}

/* Sizes about each step of the quick way; each in a block of that size. */
Test(tree, strings_are_written_as_byte_by_byte)
{
    static const size_t starts[] = {0, 1000, 2040};
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer out = {0};
    char *expected = malloc(3000 * TW_JSON_ESCAPE_SIZE);
    uint64_t state = 5;
    for (int round = 0; round < 20000; round++) {
        const size_t size = starts[kit_below(&state, round % 10 ? 1 : 3)] +
                            kit_below(&state, 70);
        char *text = malloc(size > 0 ? size : 1);
        char *padded = malloc(size + TW_TEXT_PADDING);
        const uint32_t rare = 1 + kit_below(&state, 40);
        for (size_t i = 0; i < size; i++) {
            text[i] = kit_below(&state, rare) == 0
                          ? "\"\\\n\x1F\x01 \x7F/\t"[kit_below(&state, 9)]
                          : 'a';
        }
        memcpy(padded, text, size);
        memset(padded + size, '"', TW_TEXT_PADDING);
        const size_t length = write_plainly(expected, text, size);
        out.size = 0;
        cr_assert(tw_json_write_padded(&out, &memory, padded, size));
        cr_assert_eq(out.size, length);
        cr_assert_arr_eq(out.data, expected, length);
        out.size = 0;
        cr_assert(tw_json_write_string(&out, &memory, text, size));
        cr_assert_eq(out.size, length);
        cr_assert_arr_eq(out.data, expected, length);
        free(text);
        free(padded);
    }
    free(expected);
    tw_buffer_free(&out, &memory);
}

Test(tree, ill_formed_bytes_in_a_string_are_replaced)
{
    static const char text[] = "a\xC3\xA9\xFF\"\xE4\xBD";
    static const char expected[] = "\"a\xC3\xA9\xEF\xBF\xBD\\\"\xEF\xBF\xBD\"";
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer out = {0};
    cr_assert(tw_json_write_string(&out, &memory, text, sizeof text - 1));
    cr_assert_eq(out.size, sizeof expected - 1);
    cr_assert_arr_eq(out.data, expected, out.size);
    tw_buffer_free(&out, &memory);
}

/* Much text, of which a byte is no UTF-8. */
Test(tree, raw_text_needs_memory)
{
    char text[3000];
    memset(text, 'a', sizeof text);
    text[1500] = (char)0xFF;
    for (size_t fail_at = 1;; fail_at++) {
        test_memory counted = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&counted);
        const tw_memory its = tw_memory_from(&allocator);
        tw_buffer out = {0};
        const bool written = tw_json_write_raw(&out, &its, text, sizeof text);
        cr_expect_eq(written, counted.count < fail_at);
        tw_buffer_free(&out, &its);
        cr_assert_eq(counted.live, 0);
        if (written) {
            break;
        }
    }
}
