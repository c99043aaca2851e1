/* SPDX-License-Identifier: MIT
 *
 * Property: any order of calls, any of whose allocations fail, is answered as
 * the manual says: no crash, no leak, no error that it does not name, nothing
 * delivered behind an error; and after a reset, with memory, the same text
 * gives what a new decoder gives.
 *
 * The input is a list of actions.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"

/* ---- memory that fails -------------------------------------------------- */

typedef struct failing {
    size_t countdown; /* to the allocation that fails; 0: none */
    bool for_ever;
    size_t live;
} failing;

static void *resize(void *context, void *pointer, size_t old_size,
                    size_t new_size)
{
    failing *memory = context;
    if (new_size == 0) {
        memory->live -= pointer != NULL;
        free(pointer);
        return NULL;
    }
    if (memory->countdown > 0 && --memory->countdown == 0) {
        memory->countdown = memory->for_ever ? 1 : 0;
        return NULL;
    }
    /* Always another block of the exact size. */
    void *fresh = malloc(new_size);
    if (fresh == NULL) {
        abort();
    }
    if (pointer != NULL) {
        memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
        free(pointer);
    } else {
        memory->live++;
    }
    return fresh;
}

/* ---- actions ------------------------------------------------------------ */

typedef struct actor {
    fuzz_choices choices;
    failing memory;
    const tw_format *format;
    tw_decoder *decoder;
    tw_writer *writer;
    tw_encoder *encoder;
    tw_converter *converter;
    int sticky; /* the decoder's error */
} actor;

static void expect(bool good, const char *what)
{
    if (!good) {
        fuzz_wrong(what, "", "", 0, "", 0);
    }
}

static void expect_result(int result, int one, int other, int third)
{
    expect(result >= TW_OK || result == one || result == other ||
               result == third,
           "an error that the manual does not name");
}

static void act_feed(actor *its)
{
    static const tw_mark marks[] = {TW_MARK_UNKNOWN, TW_MARK_UNKNOWN,
                                    TW_MARK_TEXT, TW_MARK_CONTROL};
    const tw_mark mark = marks[fuzz_choose(&its->choices, 4)];
    size_t size = fuzz_choose(&its->choices, 32);
    const size_t left = (size_t)(its->choices.end - its->choices.at);
    size = size < left ? size : left;
    char *copy = malloc(size > 0 ? size : 1);
    expect(copy != NULL, "no memory for the test");
    if (size > 0) {
        memcpy(copy, its->choices.at, size);
    }
    its->choices.at += size;
    const int result = tw_decoder_feed(its->decoder, copy, size, mark);
    if (its->sticky != TW_OK) {
        expect(result == its->sticky || result == TW_ERROR_STATE ||
                   result == TW_ERROR_ARGUMENT,
               "an error does not stick");
    } else if (result != TW_ERROR_STATE && result != TW_ERROR_ARGUMENT) {
        expect_result(result, TW_ERROR_LIMIT, TW_ERROR_MEMORY, TW_OK);
        its->sticky = result < 0 ? result : TW_OK;
    }
    /* What was fed may go when all of it is drained. */
    const tw_event *event;
    int next;
    while ((next = tw_decoder_next(its->decoder, &event)) == 1) {
        expect(its->sticky == TW_OK, "events behind an error");
        if (its->writer != NULL &&
            tw_writer_event(its->writer, event) == TW_ERROR_MEMORY) {
            tw_writer_reset(its->writer);
        }
    }
    if (next < 0 && its->sticky == TW_OK) {
        expect_result(next, TW_ERROR_MEMORY, TW_ERROR_LIMIT,
                      TW_ERROR_DEVIATION);
        its->sticky = next;
    }
    expect(next == 0 || next == its->sticky, "another error");
    free(copy);
}

static void act_finish(actor *its)
{
    const tw_event *event;
    int next = TW_OK;
    const int result = tw_decoder_finish(its->decoder, TW_FINISH_LENGTH);
    expect_result(result, TW_ERROR_STATE,
                  its->sticky != TW_OK ? its->sticky : TW_ERROR_STATE,
                  TW_ERROR_MEMORY);
    while ((next = tw_decoder_next(its->decoder, &event)) == 1) {
    }
    if (next < 0 && its->sticky == TW_OK) {
        its->sticky = next;
    }
}

static void act_set(actor *its)
{
    static const tw_option options[] = {
        TW_OPTION_FRAMING,         TW_OPTION_KEEP_RAW,
        TW_OPTION_STRICT,          TW_OPTION_START_REASONING,
        TW_OPTION_LIMIT_DEPTH,     TW_OPTION_LIMIT_NAME,
        TW_OPTION_LIMIT_INPUT,     TW_OPTION_LIMIT_CALLS,
        TW_OPTION_CONTROL_TEXT,    TW_OPTION_HOLD_CALLS,
        TW_OPTION_LIMIT_ARGUMENTS, (tw_option)9999};
    const tw_option option = options[fuzz_choose(
        &its->choices, sizeof options / sizeof options[0])];
    const int64_t value = (int64_t)fuzz_choose(&its->choices, 40) - 2;
    expect_result(tw_decoder_set(its->decoder, option, value),
                  TW_ERROR_ARGUMENT, TW_ERROR_STATE, TW_OK);
    if (its->encoder != NULL) {
        expect_result(tw_encoder_set(its->encoder, option, value),
                      TW_ERROR_ARGUMENT, TW_OK, TW_OK);
    }
    if (its->writer != NULL) {
        expect_result(tw_writer_set(its->writer, option, value),
                      TW_ERROR_ARGUMENT, TW_ERROR_STATE, TW_OK);
    }
}

static void act_prompt(actor *its)
{
    static const char *const tails[] = {
        "<|turn>model\n<|channel>thought\n",
        "<|im_start|>assistant\n<think>\n",
        "<|start|>assistant<|channel|>commentary to=functions.f",
        "<|im_start|>assistant\n<tool_call>\n{\"name\": \"f\", "};
    const char *tail = tails[fuzz_choose(&its->choices, 4)];
    const int result = tw_decoder_set_prompt(its->decoder, tail, strlen(tail));
    expect_result(result, TW_ERROR_STATE, TW_ERROR_MEMORY,
                  its->sticky != TW_OK ? its->sticky : TW_ERROR_LIMIT);
    if (result == TW_ERROR_MEMORY || result == TW_ERROR_LIMIT) {
        its->sticky = result;
    }
}

static void act_tools(actor *its)
{
    static const char *const tools[] = {"[\"f\", \"g\"]", "[{\"name\":\"f\"}]",
                                        "{", "[1]", "[]"};
    const char *list = tools[fuzz_choose(&its->choices, 5)];
    const int result = tw_decoder_set_tools(its->decoder, list, strlen(list));
    expect(result == TW_OK || result == TW_ERROR_STATE ||
               result == TW_ERROR_JSON || result == TW_ERROR_SCHEMA ||
               result == TW_ERROR_MEMORY,
           "an error of tools");
}

static void act_writer(actor *its)
{
    const char *line;
    size_t size;
    if (its->writer == NULL) {
        const tw_allocator allocator = {resize, &its->memory};
        its->writer =
            tw_writer_new(fuzz_choose(&its->choices, 2) == 0 ? TW_SHAPE_MESSAGE
                                                             : TW_SHAPE_CHUNKS,
                          &allocator);
        return;
    }
    while (tw_writer_take(its->writer, &line, &size) == 1) {
    }
    if (fuzz_choose(&its->choices, 2) == 1) {
        tw_writer_free(its->writer);
        its->writer = NULL;
    }
}

static void act_encode(actor *its)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json_out request = {.memory = &memory};
    const char *text;
    size_t size;
    if (its->encoder == NULL) {
        const tw_allocator allocator = {resize, &its->memory};
        its->encoder = tw_encoder_new(its->format, &allocator);
        return;
    }
    fuzz_jot_request(&request, &its->choices);
    const int result = tw_encode(its->encoder, (const char *)request.out.data,
                                 request.out.size, &text, &size);
    /* What a template refuses it refuses by its own message. */
    if (result != TW_ERROR_TEMPLATE) {
        expect_result(result, TW_ERROR_MEMORY, TW_ERROR_CONTROL_TEXT,
                      TW_ERROR_CANNOT_CARRY);
    }
    tw_buffer_free(&request.out, &memory);
}

static void act_convert(actor *its)
{
    static const char record[] =
        "{\"text\":\"a <tool_call>{\\\"name\\\": \\\"f\\\"}</tool_call>\"}";
    const char *out;
    size_t size;
    if (its->converter == NULL) {
        const tw_allocator allocator = {resize, &its->memory};
        its->converter = tw_converter_new(tw_format_name(its->format),
                                          "message", &allocator);
        return;
    }
    expect_result(tw_converter_record(its->converter, record,
                                      sizeof record - 1, &out, &size),
                  TW_ERROR_MEMORY, TW_OK, TW_OK);
}

static void act_reset(actor *its)
{
    tw_decoder_reset(its->decoder);
    its->sticky = TW_OK;
    if (its->writer != NULL) {
        tw_writer_reset(its->writer);
    }
    if (its->encoder != NULL) {
        tw_encoder_reset(its->encoder);
    }
}

static void act_fail(actor *its)
{
    its->memory.countdown = fuzz_choose(&its->choices, 24);
    its->memory.for_ever = fuzz_choose(&its->choices, 2) == 1;
}

/* ---- what a used decoder does ------------------------------------------- */

static void check_reset(actor *its)
{
    static const char text[] =
        "Hi <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": [1, ";
    const feeding threes = {3, NULL, 0};
    event_log used = {0};
    event_log fresh = {0};
    its->memory.countdown = 0;
    tw_decoder_reset(its->decoder);
    tw_decoder *decoder = tw_decoder_new(its->format, NULL);
    static const tw_option kept[] = {TW_OPTION_FRAMING, TW_OPTION_KEEP_RAW,
                                     TW_OPTION_STRICT,
                                     TW_OPTION_START_REASONING};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        tw_decoder_set(decoder, kept[i], 0);
        tw_decoder_set(its->decoder, kept[i], 0);
    }
    static const tw_option limits[] = {
        TW_OPTION_LIMIT_DEPTH, TW_OPTION_LIMIT_NAME, TW_OPTION_LIMIT_ARGUMENTS,
        TW_OPTION_LIMIT_CALLS, TW_OPTION_LIMIT_INPUT};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        tw_decoder_set(decoder, limits[i], 100);
        tw_decoder_set(its->decoder, limits[i], 100);
    }
    tw_decoder_set_tools(its->decoder, NULL, 0);
    event_log_run(&used, its->decoder, text, sizeof text - 1, &threes, NULL,
                  0);
    event_log_run(&fresh, decoder, text, sizeof text - 1, &threes, NULL, 0);
    if (!event_log_same(&used, &fresh)) {
        event_log_print(&used);
        event_log_print(&fresh);
        fuzz_wrong("a reset decoder is not as new",
                   tw_format_name(its->format), "", 0, "", 0);
    }
    event_log_free(&used);
    event_log_free(&fresh);
    tw_decoder_free(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const actions[])(actor *) = {
        act_feed,   act_feed,  act_feed,   act_finish, act_set,
        act_prompt, act_tools, act_writer, act_encode, act_convert,
        act_reset,  act_fail,  act_feed,   act_encode};
    actor its = {.choices = {data, data + size}};
    const tw_allocator allocator = {resize, &its.memory};
    its.format = fuzz_format(&its.choices);
    its.decoder = tw_decoder_new(its.format, &allocator);
    expect(its.decoder != NULL, "there was memory");
    while (its.choices.at < its.choices.end) {
        actions[fuzz_choose(&its.choices, sizeof actions / sizeof actions[0])](
            &its);
    }
    check_reset(&its);
    tw_converter_free(its.converter);
    tw_encoder_free(its.encoder);
    tw_writer_free(its.writer);
    tw_decoder_free(its.decoder);
    expect(its.memory.live == 0, "a leak");
    return 0;
}
