/* SPDX-License-Identifier: MIT
 *
 * tw_format_describe(): a description that is printed and loaded is the same
 * format, in what is printed of it again and in each case.
 */
#include <dirent.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/loaded.h"

enum { FOLDER_FORMATS = 256 };

typedef struct shown {
    const tw_format *format;
    tw_format *loaded;
} shown;

static shown all[FOLDER_FORMATS];
static size_t count;

/* The caller's. */
static char *describe(const tw_format *format, size_t *size)
{
    *size = tw_format_describe(format, NULL, 0);
    char *json = malloc(*size + 1);
    cr_assert_not_null(json);
    cr_assert_eq(tw_format_describe(format, json, *size), *size);
    return json;
}

/* What is printed of it, loaded. */
static tw_format *load(const char *name, const tw_format *format)
{
    tw_format *loaded;
    tw_format_error error;
    size_t size;
    char *json = describe(format, &size);
    cr_assert_eq(tw_format_load(json, size, NULL, &loaded, &error), TW_OK,
                 "%s: %s: %.*s", name, error.message, (int)size, json);
    free(json);
    return loaded;
}

static const tw_format *loaded_of(const tw_format *format)
{
    size_t i = 0;
    while (i < count && all[i].format != format) {
        i++;
    }
    if (i == count) {
        cr_assert_lt(count, FOLDER_FORMATS);
        all[i].format = format;
        all[i].loaded = load(tw_format_name(format), format);
        count++;
    }
    return all[i].loaded;
}

static void is_same(const char *name, const tw_format *one,
                    const tw_format *other)
{
    size_t sizes[2];
    char *texts[] = {describe(one, &sizes[0]), describe(other, &sizes[1])};
    cr_expect_eq(sizes[0], sizes[1], "%s", name);
    cr_expect_eq(memcmp(texts[0], texts[1], sizes[0]), 0, "%s:\n%.*s\n%.*s",
                 name, (int)sizes[0], texts[0], (int)sizes[1], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

static void has_same_markers(const tw_format *one, const tw_format *other)
{
    const tw_marker *a, *b;
    size_t i = 0;
    for (; tw_format_marker(one, i, &a) == 1; i++) {
        cr_assert_eq(tw_format_marker(other, i, &b), 1);
        cr_expect_str_eq(a->text, b->text);
        cr_expect(a->role == b->role && a->token == b->token &&
                      a->literal == b->literal && a->stop == b->stop &&
                      a->decoded == b->decoded,
                  "%s: %s", tw_format_name(one), a->text);
    }
    cr_expect_eq(tw_format_marker(other, i, &b), 0);
}

/* Formats with prompts have further markers. */
Test(shown, of_all_formats_loads_back)
{
    const tw_format *format;
    size_t framed = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        if (tw_format_describe(format, NULL, 0) == 0) {
            continue;
        }
        tw_format *loaded = load(tw_format_name(format), format);
        framed++;
        cr_expect_str_eq(tw_format_name(loaded), tw_format_name(format));
        cr_expect_str_eq(tw_format_about(loaded), tw_format_about(format));
        is_same(tw_format_name(format), format, loaded);
        if (!tw_format_has_prompts(format)) {
            has_same_markers(format, loaded);
        }
        tw_format_free(loaded);
    }
    cr_expect_geq(framed, 6);
}

/* The first format that has a description, or has none. */
static const tw_format *first_format(bool described)
{
    size_t i = 0;
    while ((tw_format_describe(tw_format_at(i), NULL, 0) > 0) != described) {
        i++;
    }
    return tw_format_at(i);
}

Test(shown, fits_into_any_room)
{
    const tw_format *format = first_format(true);
    size_t size;
    char *json = describe(format, &size);
    char *part = malloc(size + 1);
    for (size_t room = 0; room <= size; room++) {
        memset(part, '#', size + 1);
        cr_assert_eq(tw_format_describe(format, part, room), size);
        cr_assert_eq(memcmp(part, json, room), 0);
        cr_assert_eq(part[room], '#');
    }
    free(part);
    free(json);
    cr_expect_eq(tw_format_describe(NULL, NULL, 0), 0);
    cr_expect_eq(tw_format_describe(first_format(false), NULL, 0), 0);
}

/* ---- cases -------------------------------------------------------------- */

static void decodes(event_log *log, const conformance_case *one,
                    const tw_format *format)
{
    static const feeding whole = {0, NULL, 0};
    conformance_case same = *one;
    same.format = format;
    tw_decoder *decoder = case_decoder(&same, false);
    event_log_run(log, decoder, one->text, one->size, &whole, NULL, 0);
    tw_decoder_free(decoder);
}

static void is_read_alike(const conformance_case *one)
{
    event_log log = {0}, other = {0};
    if (one->message != NULL || one->format == NULL ||
        tw_format_describe(one->format, NULL, 0) == 0) {
        return;
    }
    decodes(&log, one, one->format);
    decodes(&other, one, loaded_of(one->format));
    if (!event_log_same(&log, &other)) {
        event_log_print(&log);
        event_log_print(&other);
        cr_expect(false, "%s", one->id);
    }
    event_log_free(&log);
    event_log_free(&other);
}

static bool ends_in(const char *text, const char *end)
{
    const size_t size = strlen(text);
    return size > strlen(end) && strcmp(text + size - strlen(end), end) == 0;
}

/* The file's path, or NULL behind the last. */
static const char *next_file(DIR *folder, const char *name, const char *end)
{
    static char path[4096];
    struct dirent *entry;
    do {
        entry = readdir(folder);
    } while (entry != NULL && !ends_in(entry->d_name, end));
    if (entry != NULL) {
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
    }
    return entry != NULL ? path : NULL;
}

static size_t read_folder(const char *name)
{
    DIR *folder = opendir(name);
    const char *path;
    size_t cases = 0;
    cr_assert_not_null(folder);
    while ((path = next_file(folder, name, ".jsonl")) != NULL) {
        if (strstr(path, "/decode-") == NULL &&
            strstr(path, "/formats/") == NULL) {
            continue;
        }
        conformance file = conformance_read_file(path, tw_format_find);
        for (size_t i = 0; i < file.count; i++) {
            is_read_alike(&file.cases[i]);
            cases++;
        }
        conformance_free(&file);
    }
    closedir(folder);
    return cases;
}

Test(shown, reads_each_case_alike, .timeout = 1200)
{
    cr_expect_gt(read_folder(CONFORMANCE_FOLDER), 100);
    cr_expect_gt(read_folder(CONFORMANCE_FOLDER "/formats"), 100);
    cr_expect_geq(count, 3);
    while (count > 0) {
        tw_format_free(all[--count].loaded);
    }
}
