/* SPDX-License-Identifier: MIT
 *
 * Section 7: every allocation failing in turn gives TW_ERROR_MEMORY or the
 * full result, events are a prefix of the full ones, reset gives the full
 * result, nothing leaks; a second message of the same shape allocates
 * nothing.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "support/decoding.h"

typedef struct rich {
    const char *format;
    bool reasoning; /* the prompt ended inside it */
    const char *prompt;
    const char *text;
} rich;

#define TAG(object) "<tool_call>\n" object "\n</tool_call>\n"
#define BLOCK(body) "<|tool_call>" body "<tool_call|>"
#define TO(name, body)                                           \
    "<|start|>assistant<|channel|>commentary to=functions." name \
    " <|constrain|>json<|message|>" body "<|call|>"
#define BLANKS                                                 \
    "                                                        " \
    "                                                        "

/* clang-format off */
static const rich texts[] = {
    {"hermes", false, NULL,
     "<think>\nhm <tool_call>\n</think>\n\nHi <b>\xC3\xA9\xFF " BLANKS "!\n"
     TAG("{\"name\": \"f\", \"arguments\": {\"a\": [1, 2.5e-7, \"x\\u00e9\"],"
         " \"b\": {\"c\": null}}}")
     TAG("{\"arguments\": {\"a\": \"long enough to be held for a while\"}, "
         "\"name\": \"late\", \"id\": \"c9\"}")
     TAG("{\"name\": \"g\", \"arguments\": \"{\\\"a\\\": [1, 2]}\"}")
     TAG("{'name': 'h', 'arguments': {'a': True, 'b': 'it\\'s',}}")
     TAG("{\"name\": \"i\", \"arguments\": {\"a\" 1}}")
     TAG("[{\"name\": \"j\", \"arguments\": {}}, 7]")
     TAG("<function=k>\n<parameter=a>\n1 & \"2\"\n</parameter>\n</function>")
     TAG("l\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>")
     TAG("Now: {\"name\": \"m\", \"arguments\": {\"a\": 1," BLANKS BLANKS
         BLANKS "\"b\": 2}} junk")
     TAG("{\"name\": \"" "\xC3\xA9" "\", \"arguments\": [1]}")
     "Bye <tool_call>\n{\"name\": \"n\", \"arguments\": {\"a\": \"x"},
    {"hermes", true, NULL,
     "hm " TAG("{\"name\": \"f\", \"arguments\": {\"a\": 1}}") "hm "
     TAG("{\"name\": \"g\", \"arguments\": {\"a\": [[[[1]]]]}}")},
    {"hermes", false, NULL,
     "{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>\nHi"},
    {"hermes", false, NULL,
     TAG("{\"arguments\": {\"a\": 1}, \"name\": \"f\"}")},
    {"hermes", false,
     "<|im_start|>assistant\n<tool_call>\n{\"name\": \"f\", \"arguments\": "
     "{\"a\": ",
     "1}}\n</tool_call>\nHi"},
    {"gemma4", false, NULL,
     "<|channel>thought\nhm<channel|>Hi \xFF" BLANKS "!"
     BLOCK("call:f{a:1,b:[<|\"|>x \"y\"\n<|\"|>,true],c:{d:{e:null}}}")
     BLOCK("call:g{a:Paris, France,b=2,\"c\":\"d\\n\",e:'f',g:`h`,}")
     BLOCK("call:h{a:<|\"|>x}, b:<|\"|>y<|\"|>,c:<|\"|>z}]<|\"|>}")
     BLOCK("call:i{a:<|\"|>never closed}") BLOCK("call:j(a:1)")
     BLOCK("call:k{a b}") BLOCK("l{}") BLOCK("call:m")
     BLOCK("call:t{\"{\\\"a\\\":1}\"}") BLOCK("call:n{<|\"|>{\"a\":1}<|\"|>}") BLOCK("call:o{a:1}call:p{}")
     BLOCK("call:q{} junk") BLOCK("call:r{a:[1,{b:2},[3,[4]]],007:NaN}")
     "Bye<|tool_call>call:s{key:<|\"|>x"},
    {"gemma4", true, NULL,
     "hm " BLOCK("call:f{a:<|\"|>x<|\"|>}") "hm " BLOCK("call:g{b:[1,2]}")},
    {"gemma4", false, NULL, "call:f{a:1}call:g{b:word}"},
    {"gemma4", false, NULL, BLOCK("call:f{a:[ [ [ [ [ [ 1 ] ] ] ] ] ]}")},
    {"gemma4", false, "<|turn>model\n<|tool_call>call:f{a:<|\"|>x",
     "y<|\"|>}<tool_call|>Hi"},
    {"harmony", false, NULL,
     "<|channel|>analysis<|message|>hm <|start|> \xFF<|end|>"
     TO("f", "{\"a\": [1, 2.5e-7, \"x\\u00e9\"], \"b\": {\"c\": null}}")
     " filler " TO("g", "\"{\\\"a\\\": [1, 2]}\"")
     TO("h", "{'a': True, 'b': 'it\\'s',}") TO("i", "{\"a\" 1}")
     TO("j", "{\"a\": \"x ") " tail\"}"
     "<|start|>assistant<|channel|>analysis to=python code<|message|>"
     "print(1)\nprint(2)<|call|>"
     "<|start|>user<|message|>a message of another author<|end|>"
     "<|start|>assistant<|channel|>commentary to=functions.k" BLANKS
     " json<|message|>{}<|call|>"
     "<|start|>assistant<|channel|>final<|message|>Bye" BLANKS "!<|end|>"
     "<|start|>assistant<|channel|>commentary to=functions.l<|message|>"
     "{\"a\": \"x"},
    {"harmony", false,
     "<|start|>assistant<|channel|>commentary to=functions.f json<|message|>"
     "{\"a\": ",
     "1}<|call|><|start|>assistant<|channel|>final<|message|>Hi<|return|>"},
};
/* clang-format on */

enum { TEXTS = sizeof texts / sizeof *texts };

static const char tools[] = "[\"f\", {\"name\": \"get_weather\"}]";

/* Options, texts and tools; whether no memory was missing. */
static bool equip(tw_decoder *decoder, const rich *row)
{
    const int results[] = {
        tw_decoder_set(decoder, TW_OPTION_FRAMING, 1),
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1),
        tw_decoder_set(decoder, TW_OPTION_START_REASONING, row->reasoning),
        tw_decoder_set_text(decoder, TW_TEXT_CALL_ID_PREFIX,
                            "a prefix that is not short ", 27),
        tw_decoder_set_tools(decoder, tools, sizeof tools - 1)};
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
                      size_t chunk)
{
    const tw_allocator allocator = test_allocator(memory);
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(row->format), &allocator);
    cr_assert(equip(decoder, row));
    run(log, decoder, row, chunk);
    cr_assert_eq(log->error, 0);
    tw_decoder_free(decoder);
    cr_assert_eq(memory->live, 0);
}

/* Allocation |fail_at| fails.  False if there are not so many. */
static bool run_faulty(const rich *row, size_t number, size_t chunk,
                       const event_log *full, size_t fail_at, bool for_ever)
{
    test_memory memory = {.fail_at = fail_at, .for_ever = for_ever};
    const tw_allocator allocator = test_allocator(&memory);
    event_log log = {0};
    tw_decoder *decoder =
        tw_decoder_new(tw_format_find(row->format), &allocator);
    if (decoder != NULL) {
        const bool equipped = equip(decoder, row);
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
        cr_expect(equip(decoder, row), "text %zu, allocation %zu", number,
                  fail_at);
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

static void check_faults(const char *format, bool for_ever)
{
    static const size_t chunks[] = {0, 1, 5};
    for (size_t i = 0; i < TEXTS; i++) {
        for (size_t c = 0; c < 3 && strcmp(texts[i].format, format) == 0;
             c++) {
            test_memory memory = {0};
            event_log full = {0};
            run_fully(&full, &memory, &texts[i], chunks[c]);
            cr_assert_null(event_log_check(&full, strlen(texts[i].text)));
            size_t fail_at = 1;
            while (run_faulty(&texts[i], i, chunks[c], &full, fail_at,
                              for_ever)) {
                fail_at++;
            }
            cr_assert_gt(fail_at, 10);
            event_log_free(&full);
        }
    }
}

#define EACH_FORMAT(format)                        \
    Test(faults, format##_once, .timeout = 60)     \
    {                                              \
        check_faults(#format, false);              \
    }                                              \
    Test(faults, format##_for_ever, .timeout = 60) \
    {                                              \
        check_faults(#format, true);               \
    }

EACH_FORMAT(gemma4)
EACH_FORMAT(harmony)
EACH_FORMAT(hermes)

/* ---- tools in error ----------------------------------------------------- */

/* Without memory for its path, an error has none. */
Test(faults, a_path)
{
    size_t paths = 0;
    for (size_t n = 1; paths == 0; n++) {
        test_memory memory = {0};
        const tw_allocator allocator = test_allocator(&memory);
        tw_decoder *decoder =
            tw_decoder_new(tw_format_find("hermes"), &allocator);
        memory.fail_at = memory.count + n;
        const int result = tw_decoder_set_tools(decoder, "[1]", 3);
        const tw_error *error = tw_decoder_error(decoder);
        cr_assert(result == TW_ERROR_MEMORY || result == TW_ERROR_SCHEMA);
        cr_assert_eq(error->code, result);
        if (error->path != NULL) {
            cr_assert_str_eq(error->path, "tools[0]");
            cr_assert_lt(memory.count, memory.fail_at);
            paths++;
        }
        tw_decoder_free(decoder);
        cr_assert_eq(memory.live, 0);
    }
}

/* ---- the second message ------------------------------------------------- */

Test(faults, second_message_allocates_nothing)
{
    static const size_t chunks[] = {0, 1, 5, 64};
    for (size_t i = 0; i < TEXTS; i++) {
        for (size_t c = 0; c < 4; c++) {
            test_memory memory = {0};
            const tw_allocator allocator = test_allocator(&memory);
            event_log logs[2] = {0};
            tw_decoder *decoder =
                tw_decoder_new(tw_format_find(texts[i].format), &allocator);
            cr_assert(equip(decoder, &texts[i]));
            run(&logs[0], decoder, &texts[i], chunks[c]);
            const size_t count = memory.count;
            run(&logs[1], decoder, &texts[i], chunks[c]);
            cr_expect_eq(memory.count, count,
                         "text %zu by %zu: %zu allocations", i, chunks[c],
                         memory.count - count);
            cr_assert(event_log_same(&logs[0], &logs[1]));
            tw_decoder_free(decoder);
            cr_assert_eq(memory.live, 0);
            event_log_free(&logs[0]);
            event_log_free(&logs[1]);
        }
    }
}
