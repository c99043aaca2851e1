/* SPDX-License-Identifier: MIT
 *
 * Allocators that count, and a decoder that is fed a byte at a time to see how
 * late its events come.
 */
#include "hold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "measure.h"

typedef struct counting {
    size_t allocations, bytes, peak;
} counting;

static void *count_resize(void *context, void *pointer, size_t old_size,
                          size_t new_size)
{
    counting *sum = context;
    if (new_size == 0) {
        sum->bytes -= old_size;
        free(pointer);
        return NULL;
    }
    void *fresh = realloc(pointer, new_size);
    if (fresh != NULL) {
        sum->allocations++;
        sum->bytes += new_size - old_size;
        sum->peak = sum->bytes > sum->peak ? sum->bytes : sum->peak;
    }
    return fresh;
}

/* ---- allocations and memory --------------------------------------------- */

static void count_allocations(const workload *its, int target)
{
    counting sum = {0};
    const tw_allocator allocator = {count_resize, &sum};
    decoding run = decoding_new(its, target, 4, &allocator);
    decoding_run(&run);
    const size_t before = sum.allocations;
    decoding_run(&run);
    figure_set((double)(sum.allocations - before), "allocations",
               "allocations/%s/%s/%s", workload_names[its->kind],
               format_names[its->format], target_names[target]);
    decoding_free(&run);
}

static size_t peak_of(const workload *its, size_t delta)
{
    counting sum = {0};
    const tw_allocator allocator = {count_resize, &sum};
    decoding run = decoding_new(its, TO_EVENTS, delta, &allocator);
    decoding_run(&run);
    decoding_free(&run);
    return sum.peak;
}

static void count_memory(const workload *its)
{
    const size_t whole = peak_of(its, 0);
    const size_t pieces = peak_of(its, 4);
    figure_set((double)(whole > pieces ? whole : pieces), "bytes",
               "memory/%s/%s", workload_names[its->kind],
               format_names[its->format]);
}

/* ---- copies ------------------------------------------------------------- */

static bool is_payload(const tw_event *event)
{
    return event->type == TW_EVENT_TEXT || event->type == TW_EVENT_REASONING ||
           event->type == TW_EVENT_CALL_ARGUMENTS;
}

static size_t copied_bytes(tw_decoder *decoder, const char *data, size_t size)
{
    const uintptr_t begin = (uintptr_t)data;
    const tw_event *event;
    size_t sum = 0;
    while (tw_decoder_next(decoder, &event) == 1) {
        const uintptr_t at = (uintptr_t)event->data;
        if (is_payload(event) &&
            (at < begin || at + event->size > begin + size)) {
            sum += event->size;
        }
    }
    return sum;
}

static void count_copies(const workload *its)
{
    enum { CHUNK = 4096 };
    tw_decoder *decoder = format_decoder(its->format, NULL);
    size_t at = 0;
    size_t sum = 0;
    for (size_t i = 0; i < its->count; i++) {
        const size_t end = its->messages[i].end;
        start_message(decoder, &its->messages[i]);
        while (at < end) {
            const char *data = its->bytes.data + at;
            const size_t size = end - at < CHUNK ? end - at : CHUNK;
            tw_decoder_feed(decoder, data, size, TW_MARK_UNKNOWN);
            sum += copied_bytes(decoder, data, size);
            at += size;
        }
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        sum += copied_bytes(decoder, NULL, 0);
    }
    tw_decoder_free(decoder);
    figure_set((double)sum / (double)its->bytes.size, "bytes/byte",
               "copied/%s/%s", workload_names[its->kind],
               format_names[its->format]);
}

void hold_count(const workload *its)
{
    for (int target = 0; target < TARGETS; target++) {
        count_allocations(its, target);
    }
    count_memory(its);
    count_copies(its);
}

/* ---- long prose --------------------------------------------------------- */

static size_t drain(tw_decoder *decoder)
{
    const tw_event *event;
    size_t size = 0;
    while (tw_decoder_next(decoder, &event) == 1) {
        size += event->type == TW_EVENT_CALL_ARGUMENTS ? event->size : 0;
    }
    return size;
}

static size_t prose_peak(int format, size_t size)
{
    static const char *const heads[FORMATS] = {
        "", "<|start|>assistant<|channel|>final<|message|>", ""};
    enum { CHUNK = 4096 };
    counting sum = {0};
    const tw_allocator allocator = {count_resize, &sum};
    tw_decoder *decoder = format_decoder(format, &allocator);
    text prose = {0};
    random_start(1);
    put_prose(&prose, CHUNK, true);
    tw_decoder_feed(decoder, heads[format], strlen(heads[format]),
                    TW_MARK_UNKNOWN);
    drain(decoder);
    for (size_t at = 0; at < size; at += prose.size) {
        const size_t left = size - at;
        tw_decoder_feed(decoder, prose.data,
                        left < prose.size ? left : prose.size,
                        TW_MARK_UNKNOWN);
        drain(decoder);
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    drain(decoder);
    tw_decoder_free(decoder);
    text_free(&prose);
    return sum.peak;
}

void hold_count_prose(int format)
{
    figure_set((double)prose_peak(format, 1000), "bytes",
               "memory/prose-1KB/%s", format_names[format]);
    figure_set((double)prose_peak(format, 100 * (size_t)MEGABYTE), "bytes",
               "memory/prose-100MB/%s", format_names[format]);
}

/* ---- what is held back -------------------------------------------------- */

/* How many bytes of JSON a byte of the wire makes: of Gemma, a key gets quotes
 * and a string its escapes. */
static size_t makes(const workload *its, size_t at)
{
    static const char key[] = "{a:<|\"|>"; /* in JSON {"a":" */
    const size_t behind = at - its->begin;
    const char c = its->bytes.data[at];
    if (its->format != GEMMA4) {
        return 1;
    }
    if (its->kind == W3) {
        return behind == 1 ? 3 : 1;
    }
    if (behind < strlen(key)) {
        return behind < strlen("{\"a\":\"");
    }
    return c == '\n' || c == '"' || c == '\\' ? 2 : 1;
}

void hold_count_held(int kind, int format)
{
    enum { SIZE = 20000 };
    workload its;
    make_workload(&its, kind, format, SIZE);
    tw_decoder *decoder = format_decoder(format, NULL);
    size_t delivered = 0;
    size_t reached = its.begin; /* on the wire, by what was delivered */
    size_t passed = 0;          /* ... in JSON */
    size_t fed = 0;             /* in JSON */
    size_t worst = 0;
    size_t first = 0;
    tw_decoder_feed(decoder, its.bytes.data, its.begin, TW_MARK_UNKNOWN);
    drain(decoder);
    /* The closing brace is left out: it waits for the end of the call. */
    for (size_t at = its.begin; fed + 1 < its.arguments.size; at++) {
        fed += makes(&its, at);
        tw_decoder_feed(decoder, its.bytes.data + at, 1, TW_MARK_UNKNOWN);
        delivered += drain(decoder);
        while (reached <= at && passed + makes(&its, reached) <= delivered) {
            passed += makes(&its, reached++);
        }
        const size_t held = at + 1 - reached;
        worst = held > worst ? held : worst;
        if (first == 0 && delivered > 0) {
            first = at + 1 - its.begin;
        }
    }
    figure_set((double)worst, "bytes", "held/%s/%s", workload_names[kind],
               format_names[format]);
    figure_set((double)first, "bytes", "first/%s/%s", workload_names[kind],
               format_names[format]);
    tw_decoder_free(decoder);
    workload_free(&its);
}
