/* SPDX-License-Identifier: MIT
 *
 * Runs a decoder over a workload, and checks that each way finds the same
 * calls.
 */
#include "decode.h"

#include <stdio.h>
#include <string.h>

const char *const target_names[TARGETS] = {"events", "message", "chunks"};
const size_t delta_sizes[DELTAS] = {0, 64, 4, 1};

decoding decoding_new(const workload *its, int target, size_t delta,
                      const tw_allocator *allocator)
{
    decoding fresh = {.its = its, .delta = delta};
    fresh.decoder = format_decoder(its->format, allocator);
    tw_decoder_set(fresh.decoder, TW_OPTION_KEEP_RAW, target == TO_MESSAGE);
    if (target != TO_EVENTS) {
        fresh.writer = need(tw_writer_new(
            target == TO_MESSAGE ? TW_SHAPE_MESSAGE : TW_SHAPE_CHUNKS,
            allocator));
    }
    return fresh;
}

void decoding_free(decoding *its)
{
    tw_decoder_free(its->decoder);
    tw_writer_free(its->writer);
}

static void drain(decoding *run)
{
    const tw_event *event;
    const char *line;
    size_t size;
    while (tw_decoder_next(run->decoder, &event) == 1) {
        run->calls += event->type == TW_EVENT_CALL_END &&
                      event->code == TW_CALL_COMPLETE;
        if (run->arguments != NULL && event->type == TW_EVENT_CALL_ARGUMENTS) {
            add(run->arguments, event->data, event->size);
        }
        if (run->writer == NULL) {
            run->out += event->size;
            continue;
        }
        tw_writer_event(run->writer, event);
        while (tw_writer_take(run->writer, &line, &size) == 1) {
            run->out += size;
        }
    }
}

void decoding_run(void *context)
{
    decoding *run = context;
    const workload *its = run->its;
    const char *at = its->bytes.data;
    run->calls = run->out = run->deltas = 0;
    for (size_t i = 0; i < its->count; i++) {
        const char *stop = its->bytes.data + its->messages[i].end;
        start_message(run->decoder, &its->messages[i]);
        if (run->writer != NULL) {
            tw_writer_reset(run->writer);
        }
        while (at < stop) {
            const size_t left = (size_t)(stop - at);
            const size_t size =
                run->delta == 0 || run->delta > left ? left : run->delta;
            tw_decoder_feed(run->decoder, at, size, TW_MARK_UNKNOWN);
            drain(run);
            run->deltas++;
            at += size;
        }
        tw_decoder_finish(run->decoder, TW_FINISH_STOP);
        drain(run);
    }
}

static int wrong(const decoding *run, int target, const char *what)
{
    fprintf(stderr, "WRONG: %s/%s/%s in deltas of %zu: %s\n",
            workload_names[run->its->kind], format_names[run->its->format],
            target_names[target], run->delta, what);
    return 1;
}

static int check_one(decoding *run, int target, size_t *message_size)
{
    text arguments = {0};
    const text *expected = &run->its->arguments;
    int bad = 0;
    run->arguments = &arguments;
    decoding_run(run);
    if (run->its->known && run->calls != run->its->calls) {
        bad += wrong(run, target, "not the calls there are");
    }
    if (expected->size > 0 &&
        (arguments.size != expected->size ||
         memcmp(arguments.data, expected->data, expected->size) != 0)) {
        bad += wrong(run, target, "not the arguments");
    }
    if (target == TO_MESSAGE && run->delta == 0) {
        *message_size = run->out;
    } else if (target == TO_MESSAGE && run->out != *message_size) {
        bad += wrong(run, target, "the message is not as long as whole");
    }
    text_free(&arguments);
    return bad;
}

int decoding_check(const workload *its)
{
    int bad = 0;
    size_t message_size = 0;
    for (int target = 0; target < TARGETS; target++) {
        for (int i = 0; i < DELTAS; i++) {
            decoding run = decoding_new(its, target, delta_sizes[i], NULL);
            bad += check_one(&run, target, &message_size);
            decoding_free(&run);
        }
    }
    return bad;
}
