/* SPDX-License-Identifier: MIT
 *
 * Files of agents' sessions, which are one record each: what they become, also
 * where each allocation fails in turn.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"

#define FOLDER CONFORMANCE_FOLDER "/../sessions/"

enum { MOST = 1 << 16 };

/* The file's text, to be freed; its last line feed is cut off. */
static char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST);
    cr_assert(file != NULL && text != NULL, "%s", path);
    *size = fread(text, 1, MOST, file);
    cr_assert_lt(*size, MOST, "%s", path);
    *size -= *size > 0 && text[*size - 1] == '\n';
    cr_assert_eq(fclose(file), 0);
    return text;
}

typedef struct session {
    const char *path;
    char *text;
    size_t size;
    char *wanted;
    size_t wanted_size;
} session;

/* NAME.jsonl or NAME.json becomes NAME.openai.json. */
static session session_at(const char *path)
{
    char other[512];
    const char *end = strrchr(path, '.');
    session read = {.path = path};
    read.text = text_of(path, &read.size);
    snprintf(other, sizeof other, "%.*s.openai.json", (int)(end - path), path);
    read.wanted = text_of(other, &read.wanted_size);
    return read;
}

static void expect(const session *of, int result, const char *out, size_t size)
{
    cr_expect(result == TW_OK && size == of->wanted_size &&
                  memcmp(out, of->wanted, size) == 0,
              "%s: %d, %.*s", of->path, result, (int)size, out);
}

/* False: there are not so many allocations. */
static bool survives(const session *of, size_t fail_at, bool for_ever)
{
    test_memory state = {0};
    const tw_allocator allocator = test_allocator(&state);
    tw_converter *converter = tw_converter_new("auto", "openai", &allocator);
    const char *out = "";
    size_t size = 0;
    cr_assert_not_null(converter);
    state.for_ever = for_ever;
    state.fail_at = state.count + fail_at;
    const int result =
        tw_converter_record(converter, of->text, of->size, &out, &size);
    const bool failed = state.count >= state.fail_at;
    state.fail_at = 0;
    cr_expect(!failed || result == TW_ERROR_MEMORY, "%s, allocation %zu: %d",
              of->path, fail_at, result);
    const int again =
        tw_converter_record(converter, of->text, of->size, &out, &size);
    expect(of, again, out, size);
    tw_converter_free(converter);
    cr_expect_eq(state.live, 0, "%s, allocation %zu", of->path, fail_at);
    return failed;
}

Test(sessions, without_memory)
{
    glob_t files;
    cr_assert_eq(glob(FOLDER "*.jsonl", 0, NULL, &files), 0);
    cr_assert_eq(glob(FOLDER "atif.json", GLOB_APPEND, NULL, &files), 0);
    cr_assert_gt(files.gl_pathc, 5);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        session of = session_at(files.gl_pathv[i]);
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            size_t fail_at = 1 + (i + (size_t)for_ever) % TESTS_SHARE;
            while (survives(&of, fail_at, for_ever == 1)) {
                fail_at += TESTS_SHARE;
            }
            cr_expect_gt(fail_at, 2, "%s", of.path);
        }
        free(of.text);
        free(of.wanted);
    }
    globfree(&files);
}
