/* SPDX-License-Identifier: MIT
 *
 * The scanners by themselves: nothing at all, a beginning, and words that
 * belong to Python; a tree that is fed in pieces.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "formats/gemma4.h"
#include "formats/harmony.h"
#include "formats/hermes.h"
#include "formats/hermes_keys.h"
#include "formats/mistral.h"
#include "json/dump.h"
#include "json/scan.h"
#include "json/tree.h"

static const uint8_t *bytes(const char *text)
{
    return (const uint8_t *)text;
}

/* Of nothing a scanner wants more, if there is more to come. */
Test(scanners, nothing)
{
    const uint8_t *at = bytes("");
    size_t size = 9;
    cr_expect_eq(tw_gemma4_scan_marker(at, at, false, &size), TW_GEMMA4_MORE);
    cr_expect_eq(tw_harmony_scan_marker(at, at, false, &size),
                 TW_HARMONY_MORE);
    cr_expect_eq(tw_hermes_scan_tag(at, at, false, &size), TW_HERMES_MORE);
    cr_expect_eq(tw_nemotron_scan_tag(at, at, false, &size), TW_HERMES_MORE);
    cr_expect_eq(tw_mistral_scan_marker(at, at, false, &size),
                 TW_MISTRAL_MORE);
    cr_expect_eq(tw_hermes_scan_odd(at, at, false, &size), TW_HERMES_ODD_MORE);
    cr_expect_eq(size, 9);
    cr_expect_eq(tw_gemma4_scan_marker(at, at, true, &size), TW_GEMMA4_NONE);
    cr_expect_eq(size, 0);
    cr_expect_eq(tw_harmony_scan_marker(at, at, true, &size), TW_HARMONY_NONE);
    cr_expect_eq(tw_hermes_scan_tag(at, at, true, &size), TW_HERMES_NONE);
    cr_expect_eq(tw_nemotron_scan_tag(at, at, true, &size), TW_HERMES_NONE);
    cr_expect_eq(tw_mistral_scan_marker(at, at, true, &size), TW_MISTRAL_NONE);
    cr_expect_eq(tw_hermes_scan_odd(at, at, true, &size), TW_HERMES_NOT_ODD);
    cr_expect_eq(tw_gemma4_scan_scalar(at, at), TW_GEMMA4_NO_SCALAR);
}

Test(scanners, scalars)
{
    static const struct {
        const char *text;
        tw_gemma4_scalar scalar;
    } rows[] = {
        {"0", TW_GEMMA4_NUMBER},         {"-1.5e+3", TW_GEMMA4_NUMBER},
        {"007", TW_GEMMA4_NO_SCALAR},    {"true", TW_GEMMA4_TRUE},
        {"false", TW_GEMMA4_FALSE},      {"null", TW_GEMMA4_NULL},
        {"True", TW_GEMMA4_PYTHON_TRUE}, {"False", TW_GEMMA4_PYTHON_FALSE},
        {"None", TW_GEMMA4_PYTHON_NULL}, {"nil", TW_GEMMA4_PYTHON_NULL},
        {"NULL", TW_GEMMA4_PYTHON_NULL}, {"Truer", TW_GEMMA4_NO_SCALAR},
        {"Tru", TW_GEMMA4_NO_SCALAR},    {"x", TW_GEMMA4_NO_SCALAR},
        {"1.", TW_GEMMA4_NO_SCALAR},     {"-", TW_GEMMA4_NO_SCALAR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint8_t *at = bytes(rows[i].text);
        cr_expect_eq(tw_gemma4_scan_scalar(at, at + strlen(rows[i].text)),
                     rows[i].scalar, "%s", rows[i].text);
    }
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
Test(scanners, jotter_without_memory)
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
            tw_jotter jotter = {.memory = &memory};
            for (size_t i = 0; i < size; i++) {
                tw_jot(&jotter, "x");
            }
            if (string == 1) {
                tw_jot_string(&jotter, "\xFF", 1);
            } else {
                tw_jot_number(&jotter, 1234567890);
            }
            cr_expect_eq(jotter.failed, size == 0 || size + room > 64, "%zu",
                         size);
            cr_expect(jotter.failed || jotter.out.size == size + more, "%zu",
                      size);
            tw_buffer_free(&jotter.out, &memory);
            cr_assert_eq(state.live, 0);
        }
    }
}

/* ---- keys of a call ------------------------------------------------------
 */

/* In all its spellings with capitals a key is that key. */
Test(scanners, keys_of_calls)
{
    static const struct {
        const char *name;
        tw_hermes_key key;
    } rows[] = {{"name", TW_HERMES_KEY_NAME},
                {"function", TW_HERMES_KEY_FUNCTION},
                {"arguments", TW_HERMES_KEY_ARGUMENTS},
                {"parameters", TW_HERMES_KEY_PARAMETERS},
                {"id", TW_HERMES_KEY_ID},
                {"type", TW_HERMES_KEY_TYPE},
                {"azAZ", TW_HERMES_KEY_OTHER},
                {"names", TW_HERMES_KEY_OTHER},
                {"nam", TW_HERMES_KEY_OTHER},
                {"", TW_HERMES_KEY_OTHER}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t size = strlen(rows[i].name);
        for (unsigned spelling = 0; spelling < 1u << size; spelling++) {
            char word[16];
            bool capitals;
            for (size_t k = 0; k < size; k++) {
                const char c = rows[i].name[k];
                const bool capital = (spelling >> k & 1) != 0 && c >= 'a';
                word[k] = (char)(capital ? c - 'a' + 'A' : c);
            }
            cr_assert_eq(tw_hermes_key_of(word, size, &capitals), rows[i].key,
                         "%.*s", (int)size, word);
            cr_assert_eq(capitals,
                         spelling > 0 && rows[i].key != TW_HERMES_KEY_OTHER,
                         "%.*s", (int)size, word);
        }
    }
}

/* All of |text| is in view, in a block of exactly its size. */
static bool find_head(const char *text, size_t size, size_t *name,
                      size_t *name_size, size_t *body)
{
    uint8_t *copy = malloc(size);
    cr_assert_not_null(copy);
    memcpy(copy, text, size);
    tw_hermes_canonical_head head;
    const bool found = tw_hermes_find_canonical_head(copy, copy + size, &head);
    if (found) {
        *name = (size_t)((const uint8_t *)head.name.data - copy);
        *name_size = head.name.size;
        *body = (size_t)(head.body - copy);
    }
    free(copy);
    return found;
}

/* The head that the templates write is found, with or without blanks, once it
 * is in view; no other one is. */
Test(scanners, heads_that_templates_write)
{
    static const char *const others[] = {
        "{ \"name\": \"f\", \"arguments\": {",
        "{\"name\":  \"f\", \"arguments\": {",
        "{\"name\": \"f\",  \"arguments\": {",
        "{\"name\" : \"f\", \"arguments\": {",
        "{\"name\": \"f\" , \"arguments\": {",
        "{\"name\": \"f\", \"arguments\":  {",
        "{\"name\": \"f\", \"arguments\": [{",
        "{\"name\": \"\\u0066\", \"arguments\": {",
        "{\"name\": 7, \"arguments\": {",
        "{\"name\": \"f\", \"id\": 7, \"arguments\": {",
        "{\"Name\": \"f\", \"arguments\": {",
        "{\"name\": \"f\", \"parameters\": {",
        "{\"arguments\": {}, \"name\": {"};
    static const char *const names[] = {"", "f", "get_weather_in"};
    size_t name, name_size, body;
    for (unsigned blanks = 0; blanks < 8; blanks++) {
        for (size_t i = 0; i < 3; i++) {
            char text[64];
            const size_t size = (size_t)sprintf(
                text, "{\"name\":%s\"%s\",%s\"arguments\":%s{",
                (blanks & 1) != 0 ? " " : "", names[i],
                (blanks & 2) != 0 ? " " : "", (blanks & 4) != 0 ? " " : "");
            for (size_t part = 1; part < size; part++) {
                cr_assert(!find_head(text, part, &name, &name_size, &body),
                          "%.*s", (int)part, text);
            }
            cr_assert(find_head(text, size, &name, &name_size, &body), "%s",
                      text);
            cr_expect_eq(name, (blanks & 1) != 0 ? 10 : 9, "%s", text);
            cr_expect_eq(name_size, strlen(names[i]), "%s", text);
            cr_expect_eq(body, size - 1, "%s", text);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_expect(
            !find_head(others[i], strlen(others[i]), &name, &name_size, &body),
            "%s", others[i]);
    }
}
