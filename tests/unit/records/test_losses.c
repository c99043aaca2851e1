/* SPDX-License-Identifier: MIT
 *
 * What is lost is said: a record of a shape, converted to another shape or to
 * a format and back, differs in those paths that were reported, neither in
 * more nor in fewer.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "naive/naive.h"
#include "support/facts.h"
#include "support/random_record.h"

static tw_memory memory;

static void set_up(void)
{
    memory = tw_memory_from(NULL);
}

TestSuite(losses, .init = set_up);

/* ---- what is reported --------------------------------------------------- */

typedef struct reports {
    paths lost;     /* what should differ */
    paths dropped;  /* of these whole elements that are left out */
    paths merged;   /* and messages that are a part of the one before */
    paths spelling; /* of these what both may say alike */
    bool misread;   /* a refusal has become other text */
    paths moved;    /* what stands elsewhere, or answers another call */
} reports;

static void free_reports(reports *them)
{
    free_paths(&them->lost);
    free_paths(&them->dropped);
    free_paths(&them->merged);
    free_paths(&them->moved);
    free_paths(&them->spelling);
}

/* Losses after which elements behind the path move up. */
static bool drops(int32_t code)
{
    return code == TW_LOSS_PART_NOT_TEXT || code == TW_LOSS_TOOL_DROPPED ||
           code == TW_LOSS_MESSAGE_DROPPED ||
           code == TW_LOSS_REASONING_DROPPED ||
           code == TW_LOSS_OLD_REASONING || code == TW_LOSS_REFUSAL_DROPPED ||
           code == TW_LOSS_CALL_DROPPED;
}

/* Is what was lost of a spelling, so that both say the same?  Such losses are
 * counted by round_trip, which compares byte by byte. */
static bool is_spelling(int32_t code)
{
    return code == TW_LOSS_ARGUMENTS_SPELLING ||
           code == TW_LOSS_ARGUMENTS_ORDER || code == TW_LOSS_NO_ARGUMENTS ||
           code == TW_LOSS_EMPTY_TEXT || code == TW_LOSS_CALL_ID;
}

/* A result that answers nothing stays as it is: its report is a warning. */
static void list_reports(tw_converter *converter, reports *out)
{
    const tw_error *report;
    for (size_t i = 0; tw_converter_report(converter, i, &report) == 1; i++) {
        const char *path = report->path != NULL ? report->path : "";
        const uint32_t kind = tw_loss_get((uint32_t)report->detail)->kind;
        if (report->detail == TW_LOSS_RESULT_UNMATCHED ||
            (kind != TW_REPORT_LOSS && kind != TW_REPORT_CHANGE)) {
            continue;
        }
        add_path(&out->lost, path);
        if (is_spelling(report->detail)) {
            add_path(&out->spelling, path);
        }
        if (drops(report->detail)) {
            add_path(&out->dropped, path);
        }
        if (report->detail == TW_LOSS_MESSAGE_MERGED) {
            add_path(&out->merged, path);
        }
        out->misread |= report->detail == TW_LOSS_CONTENT_MISREAD;
        if (report->detail == TW_LOSS_CONTENT_MOVED ||
            report->detail == TW_LOSS_RESULT_MISPLACED) {
            add_path(&out->moved, path);
        }
    }
}

/* ---- one record --------------------------------------------------------- */

typedef struct counts {
    size_t equal;
    size_t different;
    size_t refused;
} counts;

typedef struct journey {
    const char *shape; /* of the record, and of what comes back */
    const char *by;    /* the other end */
    const char *json;
    size_t size;
    bool wire; /* |by| is a format */
} journey;

/* The end of a record that LLaMA-Factory wrote is OpenAI's. */
static const char *end_of(const char *shape)
{
    return strcmp(shape, "parted") == 0 ? "openai" : shape;
}

static tw_converter *new_converter(const char *from, const char *to)
{
    tw_converter *converter = tw_converter_new(from, to, NULL);
    cr_assert_not_null(converter, "%s to %s", from, to);
    return converter;
}

/* What a declaration shows of a tool has no places of its own: the path that
 * was reported is near. */
static bool is_tool(const char *path)
{
    return strncmp(path, "tool", 4) == 0;
}

/* Nothing is made up but ids of calls that have none; what was moved is where
 * nothing was. */
static bool may_be_added(const journey *way, const char *slot,
                         const reports *reported)
{
    return (way->wire && is_tool(slot)) ||
           (strstr(slot, "/part/") != NULL &&
            (reported->misread || reported->moved.count > 0)) ||
           (strstr(slot, "/answers") != NULL && reported->moved.count > 0) ||
           (strstr(slot, "/call/") != NULL &&
            strcmp(slot + strlen(slot) - 3, "/id") == 0);
}

/* Is |path| inside another one, which covers it? */
static bool is_inside(const char *path, const paths *others)
{
    for (size_t i = 0; i < others->count; i++) {
        if (strcmp(others->all[i], path) != 0 &&
            path_holds(others->all[i], path)) {
            return true;
        }
    }
    return false;
}

static bool is_reported(const journey *way, const char *path,
                        const reports *reported)
{
    return has_path_around(&reported->lost, path) ||
           (way->wire && is_tool(path) && has_path_in(&reported->lost, path));
}

/* What was moved may leave its place to what looks the same. */
static bool does_differ(const journey *way, const char *path,
                        const reports *reported, const paths *found,
                        const paths *added)
{
    return has_path_in(found, path) || is_inside(path, &reported->lost) ||
           (added->count + found->count > 0 &&
            has_path(&reported->moved, path)) ||
           (way->wire && has_path(&reported->spelling, path)) ||
           (way->wire && is_tool(path) &&
            (added->count > 0 || has_path_around(found, path)));
}

static void compare(const journey *way, const tw_value *record,
                    const tw_value *back, const reports *reported,
                    counts *tally)
{
    facts left = {.dropped = &reported->dropped,
                  .merged = way->wire ? NULL : &reported->merged};
    facts right = {.dropped = NULL};
    paths found = {.count = 0};
    paths added = {.count = 0};
    facts_of(&left, end_of(way->shape), record);
    facts_of(&right, end_of(way->shape), back);
    differing_facts(&left, &right, &found);
    added_slots(&left, &right, &added);
    for (size_t i = 0; i < found.count; i++) {
        cr_expect(is_reported(way, found.all[i], reported),
                  "%s by %s: %s differs and is not reported: %.*s", way->shape,
                  way->by, found.all[i], (int)way->size, way->json);
    }
    for (size_t i = 0; i < reported->lost.count; i++) {
        cr_expect(
            does_differ(way, reported->lost.all[i], reported, &found, &added),
            "%s by %s: %s is reported and does not differ: %.*s", way->shape,
            way->by, reported->lost.all[i], (int)way->size, way->json);
    }
    for (size_t i = 0; i < added.count; i++) {
        cr_expect(may_be_added(way, added.all[i], reported),
                  "%s by %s: %s is made up: %.*s", way->shape, way->by,
                  added.all[i], (int)way->size, way->json);
    }
    tally->equal += found.count == 0;
    tally->different += found.count > 0;
    free_facts(&left);
    free_facts(&right);
    free_paths(&found);
    free_paths(&added);
}

/* What came is no more than what was said to be lost.  That turns become one
 * message was said on the way there, too. */
static void come_back(const journey *way, const tw_value *record,
                      const char *there, size_t size, const reports *reported,
                      counts *tally)
{
    tw_converter *converter = new_converter(way->by, end_of(way->shape));
    const char *out = "";
    size_t out_size = 0;
    reports also = {.lost = {.count = 0}};
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    tree.keeps_lone = true;
    const int result =
        tw_converter_record(converter, there, size, &out, &out_size);
    cr_assert_eq(result, TW_OK, "%s by %s: %s at %s: %.*s", way->shape,
                 way->by, tw_converter_error(converter)->message,
                 tw_converter_error(converter)->path, (int)size, there);
    list_reports(converter, &also);
    const bool known = also.lost.count == also.merged.count &&
                      also.merged.count <= reported->merged.count;
    cr_expect(known, "%s by %s: back, %s is lost: %.*s", way->shape, way->by,
              also.lost.count > 0 ? also.lost.all[0] : "", (int)way->size,
              way->json);
    cr_assert_eq(tw_tree_read(&tree, out, out_size, false), TW_OK);
    compare(way, record, tree.root, reported, tally);
    tw_tree_free(&tree);
    free_reports(&also);
    tw_converter_free(converter);
}

static void check(const journey *way, counts *tally)
{
    tw_converter *converter = new_converter(end_of(way->shape), way->by);
    const char *out = "";
    size_t size = 0;
    reports reported = {.lost = {.count = 0}};
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    tree.keeps_lone = true;
    cr_assert_eq(tw_tree_read(&tree, way->json, way->size, false), TW_OK,
                 "%.*s", (int)way->size, way->json);
    const int result =
        tw_converter_record(converter, way->json, way->size, &out, &size);
    if (result == TW_OK) {
        list_reports(converter, &reported);
        come_back(way, tree.root, out, size, &reported, tally);
    } else {
        tally->refused++;
        cr_expect_not_null(tw_converter_error(converter)->path,
                           "%s by %s: %s: %.*s", way->shape, way->by,
                           tw_converter_error(converter)->message,
                           (int)way->size, way->json);
    }
    free_reports(&reported);
    tw_tree_free(&tree);
    tw_converter_free(converter);
}

static void check_many(const char *shape, const char *by, size_t count,
                       counts *all)
{
    random_seed(count);
    for (size_t i = 0; i < count; i++) {
        tw_json_out record = {.memory = &memory};
        random_record(&record, shape);
        cr_assert_not(record.failed);
        const journey way = {shape, by, (const char *)record.out.data,
                             record.out.size, false};
        check(&way, all);
        tw_buffer_free(&record.out, &memory);
    }
}

/* ---- all shapes --------------------------------------------------------- */

static const char *const shapes[] = {"openai", "parted", "anthropic",
                                     "sharegpt"};

Test(losses, of_shapes)
{
    enum { RECORDS = 400 };
    static const char *const ends[] = {"openai", "anthropic", "sharegpt"};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 3; j++) {
            counts all = {0, 0, 0};
            check_many(shapes[i], ends[j], RECORDS, &all);
            cr_expect_gt(all.equal, 0, "%s by %s", shapes[i], ends[j]);
            cr_expect_lt(all.refused, RECORDS / 2, "%s by %s: %zu", shapes[i],
                         ends[j], all.refused);
        }
    }
}

/* ---- all formats -------------------------------------------------------- */

/* What is put behind the first text in a record of |shape|, at times. */
static const struct {
    const char *shape;
    const char *behind;
    const char *member;
} additions[] = {
    {"openai", "\"role\":\"user\"", ",\"name\":\"bob\""},
    {"openai", "\"role\":\"user\"", ",\"odd\":{\"a\":[]}"},
    {"openai", "\"role\":\"assistant\"", ",\"weight\":0"},
    {"openai", "\"role\":\"assistant\"", ",\"refusal\":\"No, thanks.\""},
    {"openai", "\"role\":\"assistant\"",
     ",\"annotations\":[{\"type\":\"x\"}]"},
    {"openai", "\"type\":\"function\"", ",\"odd\":true"},
    {"anthropic", "\"role\":\"user\"", ",\"odd\":1"},
    {"anthropic", "\"type\":\"tool_use\"", ",\"caller\":{\"type\":\"x\"}"},
    {"anthropic", "\"type\":\"thinking\"", ",\"signature\":\"c2ln\""},
    {"anthropic", "\"type\":\"tool_result\"", ",\"is_error\":true"},
    {"anthropic", "\"type\":\"text\"", ",\"cache_control\":{\"type\":\"x\"}"},
    {"sharegpt", "\"from\":\"gpt\"", ",\"weight\":0"},
    {"sharegpt", "\"from\":\"function_call\"", ",\"odd\":[0]"}};

enum { ADDITIONS = sizeof additions / sizeof *additions };

/* Behind one in four of the places where a member may be put there is one. */
static void decorate(naive_bytes *out, const char *shape, const char *json,
                     size_t size)
{
    size_t from = 0;
    while (from < size) {
        const size_t kind = random_below(ADDITIONS);
        const size_t length = strlen(additions[kind].behind);
        const bool here =
            strcmp(additions[kind].shape, shape) == 0 &&
            size - from > length &&
            memcmp(json + from, additions[kind].behind, length) == 0;
        naive_add(out, json + from, here ? length : 1);
        from += here ? length : 1;
        if (here) {
            naive_add(out, additions[kind].member,
                      strlen(additions[kind].member));
        }
    }
}

/* A request as the library writes it, in another shape. */
static void plain_record(naive_bytes *out, const char *shape)
{
    tw_json_out request = {.memory = &memory};
    tw_converter *converter = new_converter("openai", shape);
    const char *record = "";
    size_t size = 0;
    random_plain_request(&request);
    cr_assert_eq(tw_converter_record(converter, (const char *)request.out.data,
                                     request.out.size, &record, &size),
                 TW_OK);
    decorate(out, shape, record, size);
    tw_buffer_free(&request.out, &memory);
    tw_converter_free(converter);
}

/* Each path leads on from the record itself, whatever shape it is of. */
Test(losses, of_formats)
{
    enum { RECORDS = TESTS_SHARE > 4 ? 30 : 100 };
    static const char *const from[] = {"openai", "anthropic", "sharegpt"};
    const tw_format *format;
    for (size_t f = 0; (format = tw_format_at(f)) != NULL; f++) {
        for (size_t i = 0; i < 3 && tw_format_reads_transcripts(format); i++) {
            counts all = {0, 0, 0};
            random_seed(i);
            for (size_t n = 0; n < RECORDS; n++) {
                naive_bytes record = {0};
                plain_record(&record, from[i]);
                const journey way = {from[i], tw_format_name(format),
                                     record.data, record.size, true};
                check(&way, &all);
                naive_release(&record);
            }
            cr_expect_eq(all.refused, 0);
            cr_expect_gt(all.equal, 0, "%s by %s", from[i],
                         tw_format_name(format));
        }
    }
}
