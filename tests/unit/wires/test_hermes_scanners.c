/* SPDX-License-Identifier: MIT
 *
 * Hermes: its scanners by themselves.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/body/keys.h"

/* ---- keys of a call ----------------------------------------------------- */

static const char *const name_keys[] = {"name", NULL};
static const char *const argument_keys[] = {"arguments", NULL};
static const tw_call_keys keys = {name_keys, argument_keys, name_keys + 1, 4,
                                  9};

/* In all its spellings with capitals a key is that key. */
Test(scanners, hermes_keys_of_calls)
{
    static const struct {
        const char *name;
        tw_call_key key;
    } rows[] = {{"name", TW_KEY_NAME},
                {"function", TW_KEY_FUNCTION},
                {"arguments", TW_KEY_ARGUMENTS},
                {"parameters", TW_KEY_PARAMETERS},
                {"id", TW_KEY_CALL_ID},
                {"type", TW_KEY_TYPE},
                {"azAZ", TW_KEY_OTHER},
                {"names", TW_KEY_OTHER},
                {"nam", TW_KEY_OTHER},
                {"", TW_KEY_OTHER}};
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
            cr_assert_eq(tw_call_key_of(&keys, word, size, &capitals), rows[i].key,
                         "%.*s", (int)size, word);
            cr_assert_eq(capitals,
                         spelling > 0 && rows[i].key != TW_KEY_OTHER,
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
    tw_canonical_head head;
    const bool found = tw_find_canonical_head(&keys, copy, copy + size, &head);
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
Test(scanners, hermes_heads_that_templates_write)
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
