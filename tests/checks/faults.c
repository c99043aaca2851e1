/* SPDX-License-Identifier: MIT
 *
 * An allocator that fails at the n-th request, for every n.
 */
#include "faults.h"

#include <string.h>

#include "allocator.h"
#include "support/decoding.h"

static const char two_tools[] = "[\"f\", {\"name\": \"get_weather\"}]";

/* Options, texts and tools; whether no memory was missing. */
static bool equip(tw_decoder *decoder, const rich *row, const char *tools)
{
    const int results[] = {
        tw_decoder_set(decoder, TW_OPTION_FRAMING, 1),
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1),
        tw_decoder_set(decoder, TW_OPTION_START_REASONING, row->reasoning),
        tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX,
                            "a prefix that is not short ", 27),
        tw_decoder_set_tools(decoder, tools, strlen(tools))};
    bool good = true;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        cr_assert(results[i] == TW_OK || results[i] == TW_ERROR_MEMORY, "%d",
                  results[i]);
        good = good && results[i] == TW_OK;
    }
    return good;
}

static void run(event_log *log, tw_decoder *decoder, const rich *row,
                size_t chunk)
{
    const feeding how = {chunk, NULL, 0};
    event_log_run(log, decoder, row->text, strlen(row->text), &how,
                  row->prompt, row->prompt != NULL ? strlen(row->prompt) : 0);
}

/* The full result, with memory for all. */
static void run_fully(event_log *log, test_memory *memory, const rich *row,
                      const char *tools, size_t chunk)
{
    const tw_allocator allocator = test_allocator(memory);
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(row->format), &allocator);
    cr_assert(equip(decoder, row, tools));
    run(log, decoder, row, chunk);
    cr_assert_eq(log->error, 0);
    tw_decoder_free(decoder);
    cr_assert_eq(memory->live, 0);
}

/* Allocation |fail_at| fails.  False if there are not so many. */
static bool run_faulty(const rich *row, const char *tools, size_t number,
                       size_t chunk, const event_log *full, size_t fail_at,
                       bool for_ever)
{
    test_memory memory = {.fail_at = fail_at, .for_ever = for_ever};
    const tw_allocator allocator = test_allocator(&memory);
    event_log log = {0};
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(row->format), &allocator);
    if (decoder != NULL) {
        const bool equipped = equip(decoder, row, tools);
        if (equipped) {
            run(&log, decoder, row, chunk);
            cr_expect(log.error == 0 ? event_log_same(&log, full)
                                     : event_log_extends(&log, full),
                      "text %zu by %zu, allocation %zu: other events", number,
                      chunk, fail_at);
            cr_expect(log.error == 0 || log.error == TW_ERROR_MEMORY,
                      "text %zu by %zu, allocation %zu: error %d", number,
                      chunk, fail_at, log.error);
        }
        const bool failed = memory.count >= fail_at;
        memory.fail_at = 0;
        tw_decoder_reset(decoder);
        cr_expect(equip(decoder, row, tools), "text %zu, allocation %zu",
                  number, fail_at);
        run(&log, decoder, row, chunk);
        cr_expect(event_log_same(&log, full),
                  "text %zu by %zu, allocation %zu: others after reset",
                  number, chunk, fail_at);
        tw_decoder_free(decoder);
        cr_assert_eq(memory.live, 0);
        event_log_free(&log);
        return failed;
    }
    cr_assert_eq(memory.live, 0);
    return true;
}

static void check_text(const rich *row, size_t number, const char *tools,
                       bool for_ever)
{
    static const size_t chunks[] = {0, 1, 5};
    for (size_t c = 0; c < 3; c++) {
        test_memory memory = {0};
        event_log full = {0};
        run_fully(&full, &memory, row, tools, chunks[c]);
        cr_assert_null(event_log_check(&full, strlen(row->text)));
        size_t fail_at = 1;
        while (run_faulty(row, tools, number, chunks[c], &full, fail_at,
                          for_ever)) {
            fail_at++;
        }
        cr_assert_gt(fail_at, 5);
        event_log_free(&full);
    }
}

void check_faults(const rich *texts, size_t count, bool for_ever)
{
    for (size_t i = 0; i < count; i++) {
        check_text(&texts[i], i, two_tools, for_ever);
    }
}

void check_faults_with(const rich *text, const char *tools)
{
    check_text(text, 0, tools != NULL ? tools : two_tools, false);
}

/* ---- the second message ------------------------------------------------- */

void check_second_messages(const rich *texts, size_t count)
{
    static const size_t chunks[] = {0, 1, 5, 64};
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < 4; c++) {
            test_memory memory = {0};
            const tw_allocator allocator = test_allocator(&memory);
            event_log logs[2] = {0};
            tw_decoder *decoder =
                tw_decoder_new(tw_format_find(texts[i].format), &allocator);
            cr_assert(equip(decoder, &texts[i], two_tools));
            run(&logs[0], decoder, &texts[i], chunks[c]);
            const size_t allocated = memory.count;
            run(&logs[1], decoder, &texts[i], chunks[c]);
            cr_expect_eq(memory.count, allocated,
                         "text %zu by %zu: %zu allocations", i, chunks[c],
                         memory.count - allocated);
            cr_assert(event_log_same(&logs[0], &logs[1]));
            tw_decoder_free(decoder);
            cr_assert_eq(memory.live, 0);
            event_log_free(&logs[0]);
            event_log_free(&logs[1]);
        }
    }
}
