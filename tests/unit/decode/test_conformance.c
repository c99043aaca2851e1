/* SPDX-License-Identifier: MIT
 *
 * Every line of conformance/decode-*.jsonl, cut in every way, and every
 * beginning of it.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "each_format.h"
#include "support/agree.h"
#include "support/cases.h"
#include "support/fragments.h"
#include "support/warned.h"

enum { DOUBLE_CUT_SIZE = 200 };

static const feeding all = {0, NULL, 0};

/* A case being decoded. */
typedef struct case_trial {
    const conformance_case *one;
    tw_decoder *decoder;
    naive_options options;
    event_log whole, other;
} case_trial;

typedef void case_check(case_trial *);

static void run_to(case_trial *trial, event_log *log, size_t size,
                   const feeding *how, tw_finish finish)
{
    event_log_run_to(log, trial->decoder, trial->one->text, size, how, finish);
}

static void run(case_trial *trial, event_log *log, size_t size,
                const feeding *how)
{
    run_to(trial, log, size, how,
           trial->options.length ? TW_FINISH_LENGTH : TW_FINISH_STOP);
}

/* Says once what is wrong with a case; |number| tells which run. */
static void expect(const case_trial *trial, bool good, const char *what,
                   size_t number)
{
    if (!good) {
        event_log_print(&trial->whole);
        event_log_print(&trial->other);
    }
    cr_assert(good, "%s: %s (%zu)", trial->one->id, what, number);
}

static void expect_none(const case_trial *trial, const char *wrong,
                        size_t number)
{
    expect(trial, wrong == NULL, wrong != NULL ? wrong : "", number);
}

static void each_case(const char *format, case_check *check)
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    cr_assert_gt(file.count, 0);
    for (size_t i = 0; i < file.count; i++) {
        case_trial trial = {.one = &file.cases[i],
                            .options = file.cases[i].options};
        trial.decoder = case_decoder(trial.one, false);
        run(&trial, &trial.whole, trial.one->size, &all);
        check(&trial);
        event_log_free(&trial.whole);
        event_log_free(&trial.other);
        tw_decoder_free(trial.decoder);
    }
    conformance_free(&file);
}

#define EACH_FORMAT(name)                   \
    EachFormat(conformance, name, "decode") \
    {                                       \
        each_case(format->text, name);      \
    }

/* ---- files -------------------------------------------------------------- */

/* The files in |folder| whose names begin with |front|. */
static size_t each_file(const char *folder, const char *front,
                        void (*take)(const char *path))
{
    DIR *files = opendir(folder);
    size_t count = 0;
    cr_assert_not_null(files);
    for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' &&
            strncmp(entry->d_name, front, strlen(front)) == 0) {
            if (take != NULL) {
                take(path);
            }
            count++;
        }
    }
    closedir(files);
    return count;
}

static size_t count_formats(const char *kind)
{
    format_name name;
    size_t count = 0;
    while (format_with_cases(&name, CONFORMANCE_FOLDER, kind, count)) {
        count++;
    }
    return count;
}

/* The wires that have cases. */
enum { WIRES_MOST = 256 };
static const tw_format *wires[WIRES_MOST];
static size_t wire_count;

static bool has_cases(const tw_format *wire)
{
    size_t i = 0;
    while (i < wire_count && wires[i] != wire) {
        i++;
    }
    return i < wire_count;
}

static void take_wires(const char *path)
{
    conformance file = conformance_read_file(path, tw_format_find);
    for (size_t i = 0; i < file.count; i++) {
        const tw_format *format = file.cases[i].format;
        if (format != NULL && !has_cases(wire_of(format))) {
            cr_assert_lt(wire_count, WIRES_MOST);
            wires[wire_count++] = wire_of(format);
        }
    }
    conformance_free(&file);
}

/* No file is left out because its name is no format's, and no wire is left out
 * because nothing is a case of it.  Those in formats/ are put to the library
 * by format_cases. */
Test(conformance, each_wire_has_cases)
{
    const tw_format *wire;
    cr_expect_eq(each_file(CONFORMANCE_FOLDER, "decode-", take_wires),
                 count_formats("decode"));
    cr_expect_eq(each_file(CONFORMANCE_FOLDER, "encode-", NULL),
                 count_formats("encode"));
    each_file(CONFORMANCE_FOLDER "/formats", "", take_wires);
    for (size_t i = 0; (wire = wire_at(i)) != NULL; i++) {
        cr_expect(has_cases(wire), "%s", tw_format_name(wire));
    }
}

/* ---- what is expected --------------------------------------------------- */

/* R3: what the canonical grammar accepts is never repaired, and repairs have
 * names.  R5, R6: what is a call, and what is listed as none. */
static void expected(case_trial *trial)
{
    run_to(trial, &trial->whole, trial->one->size, &all, TW_FINISH_UNKNOWN);
    expect_none(trial, case_differs(trial->one, &trial->whole), 0);
    expect_none(trial, case_diagnosis_differs(trial->one, &trial->whole), 0);
}
EACH_FORMAT(expected)

/* The naive decoder was written from the same rules by itself. */
static void agree(case_trial *trial, event_log *log, size_t size)
{
    const naive_oracle *naive = case_naive(trial->one);
    naive_message message = {0};
    if (naive == NULL) {
        return;
    }
    naive_decode(naive, &trial->options, trial->one->text, size, &message);
    const char *wrong = disagreement(log, &message);
    if (wrong != NULL) {
        naive_message_print(&message);
    } else {
        wrong =
            warnings_differ(log, tw_format_name(trial->one->format),
                            trial->one->text, trial->options.start_reasoning);
    }
    naive_message_release(&message);
    expect_none(trial, wrong, size);
}

static void agreed(case_trial *trial)
{
    agree(trial, &trial->whole, trial->one->size);
}
EACH_FORMAT(agreed)

/* ---- cuts --------------------------------------------------------------- */

static void expect_same(case_trial *trial, const feeding *how, size_t number)
{
    run(trial, &trial->other, trial->one->size, how);
    expect(trial, event_log_same(&trial->whole, &trial->other),
           "a cut changes the events", number);
}

/* R1: any chunking gives the same events.  R4: spans partition the input. */
static void chunks(case_trial *trial)
{
    expect_none(trial, event_log_check(&trial->whole, trial->one->size), 0);
    for (size_t size = 1; size <= trial->one->size; size++) {
        const feeding how = {size, NULL, 0};
        expect_same(trial, &how, size);
    }
}
EACH_FORMAT(chunks)

/* R1, at each place, and at each two places. */
static void cuts(case_trial *trial)
{
    enum { STEP = TESTS_SHARE > 4 ? 3 : 1 }; /* under sanitizers some */
    const size_t size = trial->one->size;
    for (size_t first = 0; first <= size; first++) {
        size_t places[] = {first, first};
        const feeding one = {0, places, 1};
        const feeding two = {0, places, 2};
        expect_same(trial, &one, first);
        for (; size <= DOUBLE_CUT_SIZE && places[1] <= size;
             places[1] += STEP) {
            expect_same(trial, &two, first * 1000 + places[1]);
        }
    }
}
EACH_FORMAT(cuts)

/* ---- beginnings --------------------------------------------------------- */

/* R2: what was delivered of a beginning stays true. */
static void not_retracted(case_trial *trial)
{
    for (size_t size = 0; size <= trial->one->size; size++) {
        event_log_clear(&trial->other);
        tw_decoder_reset(trial->decoder);
        cr_assert_eq(tw_decoder_feed(trial->decoder, trial->one->text, size,
                                     TW_MARK_UNKNOWN),
                     TW_OK);
        event_log_drain(&trial->other, trial->decoder);
        expect(trial, event_log_extends(&trial->other, &trial->whole),
               "something was retracted", size);
    }
}
EACH_FORMAT(not_retracted)

/* Where nobody says why an output ended, it says what it says at one of the
 * reasons. */
static void unknown(case_trial *trial, size_t size)
{
    event_log *one = &trial->other;
    run_to(trial, &trial->whole, size, &all, TW_FINISH_UNKNOWN);
    bool same = false;
    for (int finish = TW_FINISH_STOP; finish <= TW_FINISH_LENGTH; finish++) {
        run_to(trial, one, size, &all, (tw_finish)finish);
        one->events[one->count - 1].code = TW_FINISH_UNKNOWN;
        same |= event_log_same(&trial->whole, one);
    }
    expect(trial, same, "it ends for no reason", size);
}

/* R4, R6: an output that ends anywhere, by itself or by a token limit, is as
 * sound as any other, whole and byte by byte, and the naive decoder says the
 * same of it. */
static void cut_off(case_trial *trial)
{
    enum { STEP = TESTS_SHARE > 4 ? 3 : 1 }; /* under sanitizers some */
    const feeding bytes = {1, NULL, 0};
    for (size_t i = 0; i <= 2 * trial->one->size + 1; i += STEP) {
        const size_t size = i / 2;
        trial->options.length = i % 2 == 1;
        run(trial, &trial->whole, size, &all);
        run(trial, &trial->other, size, &bytes);
        expect_none(trial, event_log_check(&trial->whole, size), size);
        expect(trial, event_log_same(&trial->whole, &trial->other),
               "a cut changes the events of a beginning", size);
        agree(trial, &trial->whole, size);
        unknown(trial, size);
    }
}
EACH_FORMAT(cut_off)
