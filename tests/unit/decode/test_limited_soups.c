/* SPDX-License-Identifier: MIT
 *
 * Random texts of each format's fragments, some of them long runs, under low
 * limits, with allocations that fail: every cut gives the same events, spans
 * are a partition, limits hold, and a failed allocation is told as such.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "allocator.h"
#include "support/decoding.h"
#include "support/fragments.h"

/* Of a set, of some 170; where none has had a call, more of them. */
enum {
    SOUPS = TESTS_SHARE == 1   ? 200
            : TESTS_SHARE < 16 ? 50
                               : 25,
    MOST_SOUPS = 200,
    LONG_SOUPS = TESTS_SHARE < 16 ? 3 : 1,
    FAULTS = TESTS_SHARE < 16 ? 3 : 1 /* of a soup */
};

typedef struct kitchen {
    const fragments *set;
    uint64_t state;
    naive_bytes soup;
    int64_t depth, name, arguments, calls; /* 0: as they are */
} kitchen;

static uint32_t below(kitchen *its, uint32_t count)
{
    its->state = its->state * UINT64_C(6364136223846793005) +
                 UINT64_C(1442695040888963407);
    return (uint32_t)(its->state >> 33) % count;
}

static void add_run(kitchen *its, bool huge)
{
    static const char *const units[] = {" ", "\n", "x", "1", " x", "\t", "<"};
    static const size_t sizes[] = {33, 66, 257, 300, 1025, 1100, 2100};
    const char *unit = units[below(its, sizeof units / sizeof *units)];
    const size_t size = huge ? 66000 + below(its, 3000)
                             : sizes[below(its, sizeof sizes / sizeof *sizes)];
    for (size_t i = 0; i < size; i += strlen(unit)) {
        naive_add_text(&its->soup, unit);
    }
}

static void cook(kitchen *its, bool huge)
{
    const fragments *set = its->set;
    const uint32_t runs = huge ? 4 : 12;
    its->soup.size = 0;
    for (uint32_t left = 1 + below(its, 12); left > 0; left--) {
        if (below(its, runs) == 0) {
            add_run(its, huge && below(its, 2) == 0);
        } else if (below(its, 3) > 0) {
            naive_add_text(&its->soup,
                           set->parts[below(its, set->part_count)]);
        } else {
            /* A text, or its beginning. */
            const char *text = set->texts[below(its, set->text_count)];
            const size_t size = strlen(text);
            naive_add(&its->soup, text,
                      below(its, 2) == 0 ? size
                                         : below(its, (uint32_t)size + 1));
        }
    }
    its->depth = below(its, 4) == 0 ? 1 + below(its, 4) : 0;
    its->name = below(its, 4) == 0 ? 1 + below(its, 8) : 0;
    its->arguments = below(its, 2) == 0 ? 2 + below(its, 40) : 0;
    its->calls = below(its, 6) == 0 ? 1 + below(its, 2) : 0;
}

/* False: memory was missing. */
static bool set_options(tw_decoder *decoder, const kitchen *its)
{
    static const char tools[] = "[\"f\",\"g\"]";
    const struct {
        tw_option option;
        int64_t value;
    } rows[] = {
        {TW_OPTION_FRAMING, 1},
        {TW_OPTION_KEEP_RAW, 1},
        {TW_OPTION_START_REASONING, its->set->reasoning},
        {TW_OPTION_RECOVER_STRIPPED, its->set->stripped},
        {TW_OPTION_LIMIT_DEPTH, its->depth > 0 ? its->depth : 128},
        {TW_OPTION_LIMIT_NAME, its->name > 0 ? its->name : 256},
        {TW_OPTION_LIMIT_ARGUMENTS,
         its->arguments > 0 ? its->arguments : 16 << 20},
        {TW_OPTION_LIMIT_CALLS, its->calls > 0 ? its->calls : 1024},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool stripped = rows[i].option == TW_OPTION_RECOVER_STRIPPED;
        if (!stripped || rows[i].value != 0) {
            cr_assert_eq(
                tw_decoder_set(decoder, rows[i].option, rows[i].value), TW_OK);
        }
    }
    return tw_decoder_set_tools(decoder, tools, sizeof tools - 1) == TW_OK;
}

/* A byte many times is shown once, with how often: x{1000}. */
static void show(const kitchen *its, const char *wrong)
{
    naive_bytes text = {0};
    for (size_t i = 0, more; i < its->soup.size; i += more) {
        char shown[32];
        const unsigned char c = (unsigned char)its->soup.data[i];
        more = 1;
        while (i + more < its->soup.size &&
               (unsigned char)its->soup.data[i + more] == c) {
            more++;
        }
        more = more > 4 ? more : 1;
        snprintf(shown, sizeof shown, c < 32 || c > 126 ? "\\x%02x" : "%c", c);
        naive_add_text(&text, shown);
        if (more > 1) {
            snprintf(shown, sizeof shown, "{%zu}", more);
            naive_add_text(&text, shown);
        }
    }
    cr_expect(false, "%s (%d %d %d %d): %s: %s", its->set->name,
              (int)its->depth, (int)its->name, (int)its->arguments,
              (int)its->calls, wrong, text.data);
    naive_release(&text);
}

/* Names and arguments are within their limits. */
static const char *limits_hold(const kitchen *its, const event_log *log)
{
    int64_t complete = 0;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        const int64_t size = (int64_t)event->size;
        if (event->type == TW_EVENT_CALL_BEGIN && its->name > 0 &&
            size > its->name) {
            return "a long name";
        }
        if (event->type == TW_EVENT_CALL_ARGUMENTS && its->arguments > 0 &&
            size > its->arguments) {
            return "long arguments";
        }
        complete += event->type == TW_EVENT_CALL_END &&
                    event->code == TW_CALL_COMPLETE;
    }
    return its->calls > 0 && complete > its->calls ? "too many calls" : NULL;
}

static void check(kitchen *its, tw_decoder *decoder, event_log *whole,
                  event_log *other)
{
    const char *text = its->soup.data;
    const size_t size = its->soup.size;
    tw_decoder_reset(decoder);
    set_options(decoder, its);
    decode(whole, decoder, text, size, 0);
    const char *wrong = event_log_check(whole, size);
    wrong = wrong != NULL ? wrong : limits_hold(its, whole);
    const size_t chunks[] = {size > 8000 ? 1000 : 1, 2 + below(its, 70)};
    for (size_t i = 0; i < 2 && wrong == NULL; i++) {
        decode(other, decoder, text, size, chunks[i]);
        wrong = event_log_same(whole, other) ? NULL : "a cut is seen";
    }
    if (wrong == NULL) {
        event_log_clear(other);
        tw_decoder_reset(decoder);
        tw_decoder_feed(decoder, text, below(its, (uint32_t)size + 1),
                        TW_MARK_UNKNOWN);
        event_log_drain(other, decoder);
        wrong = event_log_extends(other, whole) ? NULL : "it was retracted";
    }
    if (wrong != NULL) {
        show(its, wrong);
    }
}

/* One allocation fails, or all from it on. */
static void check_memory(kitchen *its, const event_log *whole,
                         event_log *other)
{
    test_memory memory = {.fail_at = 1 + below(its, 40),
                          .for_ever = below(its, 2) == 0};
    const tw_allocator allocator = test_allocator(&memory);
    tw_decoder *decoder = tw_decoder_new(its->set->format, &allocator);
    const size_t chunk = below(its, 2) == 0 ? 0 : 1 + below(its, 20);
    if (decoder != NULL && set_options(decoder, its)) {
        decode(other, decoder, its->soup.data, its->soup.size, chunk);
        if (other->error == 0 ? !event_log_same(other, whole)
                              : other->error != TW_ERROR_MEMORY ||
                                    !event_log_extends(other, whole)) {
            show(its, "a failed allocation is seen otherwise");
        }
        memory.fail_at = 0;
        decode(other, decoder, its->soup.data, its->soup.size, chunk);
        if (!event_log_same(other, whole)) {
            show(its, "a failed allocation is not forgotten");
        }
    }
    tw_decoder_free(decoder);
    cr_assert_eq(memory.live, 0);
}

static void check_set(const fragments *set, uint64_t seed)
{
    kitchen its = {.set = set, .state = seed};
    event_log whole = {0};
    event_log other = {0};
    size_t calls = 0;
    tw_decoder *decoder = fragments_decoder(set);
    for (size_t i = 0;
         i < LONG_SOUPS + SOUPS || (calls == 0 && i < LONG_SOUPS + MOST_SOUPS);
         i++) {
        cook(&its, i < LONG_SOUPS);
        check(&its, decoder, &whole, &other);
        for (size_t k = 0; k < whole.count; k++) {
            calls += whole.events[k].type == TW_EVENT_CALL_END;
        }
        for (int times = 0; times < FAULTS && i >= LONG_SOUPS; times++) {
            check_memory(&its, &whole, &other);
        }
    }
    /* Rows without a marker have calls only where a message begins. */
    cr_expect_gt(calls, 0, "%s", set->name);
    tw_decoder_free(decoder);
    event_log_free(&whole);
    event_log_free(&other);
    naive_release(&its.soup);
}

/* So many sets are one test: each is a process, which costs more than a set.
 */
enum { SETS = 8 };

static struct criterion_test_params each_sets(void)
{
    enum { MOST = 32 };
    static size_t firsts[MOST];
    size_t count = 0;
    while (fragments_at(count * SETS) != NULL) {
        cr_assert_lt(count, MOST);
        firsts[count] = count * SETS;
        count++;
    }
    return cr_make_param_array(size_t, firsts, count);
}

ParameterizedTestParameters(limited_soups, each_sets)
{
    return each_sets();
}

ParameterizedTest(const size_t *first, limited_soups, each_sets,
                  .timeout = 300)
{
    const fragments *set;
    for (size_t i = *first;
         i < *first + SETS && (set = fragments_at(i)) != NULL; i++) {
        check_set(set, 7);
    }
}
