/* SPDX-License-Identifier: MIT
 *
 * The scanners of JSON by themselves: a beginning, and words that belong to
 * Python; a tree that is fed in pieces.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "json/dump.h"
#include "json/scan.h"
#include "json/tree.h"

static const uint8_t *bytes(const char *text)
{
    return (const uint8_t *)text;
}

/* Half a word, or half a code point: more is needed, or there is nothing. */
Test(scanners, json_beginnings)
{
    static const char *const rows[] = {"",     "t",        "fals",     "Non",
                                       "\xEF", "\xEF\xBB", "\xE2\x80", "\\"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int eof = 0; eof < 2; eof++) {
            const uint8_t *at = bytes(rows[i]);
            const uint8_t *begin = at;
            cr_expect_eq(tw_json_scan(&at, at + strlen(rows[i]), eof == 1),
                         eof == 1 ? TW_JSON_NOTHING : TW_JSON_MORE, "%s, %d",
                         rows[i], eof);
            cr_expect_eq(at, begin, "%s", rows[i]);
        }
    }
}

/* ---- a tree in pieces --------------------------------------------------- */

static int read_by(tw_tree *tree, const char *text, size_t chunk)
{
    const size_t size = strlen(text);
    int result = TW_OK;
    tw_tree_begin(tree, false);
    for (size_t at = 0; at < size && result == TW_OK; at += chunk) {
        result = tw_tree_feed(tree, text + at,
                              size - at < chunk ? size - at : chunk);
    }
    return result == TW_OK ? tw_tree_end(tree) : result;
}

Test(scanners, tree_in_pieces)
{
    static const char text[] =
        "{\"a\": [1.5e3, \"x\\u00e9\\ud83d\\ude00\", true, null], \"b\": "
        "{\"\\n\": false}, \"c\": -0, \"d\": \"\xE2\x82\xAC and some more "
        "text, so that half of it is more than a buffer has at first, which "
        "is 64 bytes, and the half of that, too\", \"e\": [[], {}]}";
    for (size_t chunk = 1; chunk < sizeof text; chunk++) {
        for (size_t fail_at = 1;; fail_at++) {
            test_memory state = {.fail_at = fail_at};
            const tw_allocator allocator = test_allocator(&state);
            const tw_memory memory = tw_memory_from(&allocator);
            tw_tree tree;
            tw_tree_init(&tree, &memory);
            int result = read_by(&tree, text, chunk);
            const bool failed = state.count >= fail_at;
            cr_expect_eq(result, failed ? TW_ERROR_MEMORY : TW_OK,
                         "by %zu, allocation %zu: %d", chunk, fail_at, result);
            state.fail_at = 0;
            result = read_by(&tree, text, chunk);
            cr_assert_eq(result, TW_OK);
            const tw_value *list = tw_value_member(tree.root, "a");
            cr_expect_str_eq(list->first->text, "1.5e3");
            cr_expect_str_eq(list->first->next->text,
                             "x\xC3\xA9\xF0\x9F\x98\x80");
            cr_expect_str_eq(tw_value_member(tree.root, "c")->text, "-0");
            tw_tree_free(&tree);
            cr_assert_eq(state.live, 0);
            if (!failed) {
                break;
            }
        }
    }
}

/* A tab makes the tree go step by step: tokens without one, which are read the
 * fast way, are JSON where they are JSON with it. */
Test(scanners, tree_of_short_texts)
{
    static const char *const tokens[] = {"[", "]",     "{", "}", ",",
                                         ":", "\"a\"", "1", "x"};
    enum { TOKENS = sizeof tokens / sizeof *tokens, MOST = 6 };
    const tw_memory memory = tw_memory_from(NULL);
    size_t good = 0;
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    for (size_t number = 0; number < 531441; number++) { /* 9 to the 6th */
        char plain[64] = "";
        char tabbed[64] = "";
        size_t rest = number;
        for (size_t i = 0; i < MOST && rest > 0; i++, rest /= TOKENS) {
            strcat(strcat(tabbed, "\t"), tokens[rest % TOKENS]);
            strcat(plain, tokens[rest % TOKENS]);
        }
        if (strstr(plain, "11") != NULL) {
            continue; /* one token */
        }
        const int result = tw_tree_read(&tree, plain, strlen(plain), false);
        good += result == TW_OK;
        cr_expect_eq(result,
                     tw_tree_read(&tree, tabbed, strlen(tabbed), false), "%s",
                     plain);
    }
    cr_expect_eq(good, 28); /* so many of them are JSON */
    tw_tree_free(&tree);
}

/* ---- buffers ------------------------------------------------------------ */

Test(scanners, buffer_without_end)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer buffer = {0};
    cr_assert(tw_buffer_append(&buffer, &memory, "abc", 3));
    cr_expect_not(tw_buffer_reserve(&buffer, &memory, SIZE_MAX));
    cr_expect_not(tw_buffer_reserve(&buffer, &memory, SIZE_MAX / 2 - 2));
    cr_expect_eq(buffer.size, 3);
    tw_buffer_free(&buffer, &memory);
}

/* A failed allocation in a number, or in what stands for a bad byte, is kept
 * in mind like any other. */
Test(scanners, json_out_without_memory)
{
    for (size_t size = 0; size <= 64; size++) {
        for (int string = 0; string < 2; string++) {
            test_memory state = {.fail_at = size == 0 ? 1 : 2};
            const tw_allocator allocator = test_allocator(&state);
            const tw_memory memory = tw_memory_from(&allocator);
            const size_t more = string == 1 ? 5 : 10;
            /* For a string there is room for the longest escapes, and for a
             * step of 16 bytes. */
            const size_t room = string == 1 ? 1 * 6 + 18 : more;
            tw_json_out json_out = {.memory = &memory};
            for (size_t i = 0; i < size; i++) {
                tw_json_put(&json_out, "x");
            }
            if (string == 1) {
                tw_json_put_string(&json_out, "\xFF", 1);
            } else {
                tw_json_put_number(&json_out, 1234567890);
            }
            cr_expect_eq(json_out.failed, size == 0 || size + room > 64, "%zu",
                         size);
            cr_expect(json_out.failed || json_out.out.size == size + more,
                      "%zu", size);
            tw_buffer_free(&json_out.out, &memory);
            cr_assert_eq(state.live, 0);
        }
    }
}
