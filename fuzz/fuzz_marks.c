/* SPDX-License-Identifier: MIT
 *
 * Property: what the caller says of fed bytes counts, and where they are cut
 * does not: pieces of the same marks give the same events; bytes marked
 * UNKNOWN are as if nothing was said; what a tokenizer never matches in
 * ordinary text makes no structure of text.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"

/* [from, to) has one mark. */
typedef struct stretch {
    size_t from, to;
    tw_mark mark;
} stretch;

enum { STRETCHES = 4 };

static void feed_stretch(tw_decoder *decoder, event_log *log,
                         const fuzz_input *input, const stretch *part,
                         size_t chunk)
{
    for (size_t at = part->from; at < part->to; at += chunk) {
        const size_t left = part->to - at;
        const size_t size = left < chunk ? left : chunk;
        char *copy = malloc(size);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, input->text + at, size);
        if (tw_decoder_feed(decoder, copy, size, part->mark) == TW_OK) {
            event_log_drain(log, decoder);
        }
        free(copy);
    }
}

static void run(event_log *log, tw_decoder *decoder, const fuzz_input *input,
                const stretch *parts, size_t chunk)
{
    event_log_clear(log);
    tw_decoder_reset(decoder);
    for (size_t i = 0; i < STRETCHES; i++) {
        if (parts[i].to > parts[i].from) {
            feed_stretch(decoder, log, input, &parts[i], chunk);
        }
    }
    if (tw_decoder_finish(decoder, TW_FINISH_STOP) == TW_OK) {
        event_log_drain(log, decoder);
    }
}

static void check_same(const event_log *a, const event_log *b,
                       const fuzz_input *input, const char *what)
{
    if (!event_log_same(a, b)) {
        event_log_print(a);
        event_log_print(b);
        fuzz_wrong(what, input->set->name, input->text, input->size, "", 0);
    }
}

static void check_text(const event_log *log, const fuzz_input *input)
{
    if (fragments_text_may_call(input->set)) {
        return;
    }
    for (size_t i = 0; i < log->count; i++) {
        if (log->events[i].type == TW_EVENT_CALL_BEGIN) {
            event_log_print(log);
            fuzz_wrong("text makes a call", input->set->name, input->text,
                       input->size, "", 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const tw_mark marks[] = {TW_MARK_UNKNOWN, TW_MARK_TEXT};
    fuzz_input input;
    if (!fuzz_read(&input, data, size)) {
        return 0;
    }
    const unsigned options = input.options & ~(unsigned)FUZZ_LIMIT_INPUT;
    tw_decoder *decoder = fuzz_decoder(&input, options);
    const size_t third =
        input.prefix > input.cuts[1] ? input.prefix : input.cuts[1];
    const size_t ends[] = {0, input.cuts[0], input.cuts[1], third, input.size};
    stretch parts[STRETCHES];
    stretch plain[STRETCHES] = {{0, input.size, TW_MARK_UNKNOWN}};
    stretch text[STRETCHES] = {{0, input.size, TW_MARK_TEXT}};
    for (size_t i = 0; i < STRETCHES; i++) {
        parts[i].from = ends[i];
        parts[i].to = ends[i + 1];
        parts[i].mark = marks[data[size - 1 - i % 2] >> (i + 4) & 1];
    }
    event_log whole = {0};
    event_log other = {0};
    run(&whole, decoder, &input, parts, input.size + 1);
    run(&other, decoder, &input, parts, input.chunk);
    check_same(&whole, &other, &input, "a cut changes marked text");
    for (size_t i = 0; i < STRETCHES; i++) {
        parts[i].mark = TW_MARK_UNKNOWN;
    }
    run(&whole, decoder, &input, plain, input.size + 1);
    run(&other, decoder, &input, parts, input.chunk);
    check_same(&whole, &other, &input, "UNKNOWN is not nothing");
    run(&whole, decoder, &input, text, input.chunk);
    check_text(&whole, &input);
    event_log_free(&whole);
    event_log_free(&other);
    tw_decoder_free(decoder);
    return 0;
}
