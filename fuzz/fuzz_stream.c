/* SPDX-License-Identifier: MIT
 *
 * Property: for any bytes, the stream of each API is what a client can read:
 * each line is JSON in its frame, parts are opened and closed in
 * order, and the joined deltas are the message.  A call that was cut off is
 * never closed: its arguments are no JSON, and nothing says that they are
 * done.  How the bytes are cut changes the pieces, and nothing else.
 *
 * The first byte behind the text chooses the API and the options.
 */
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "fuzz.h"
#include "message.h"
#include "naive/naive_json.h"

enum { APIS = 3, CALLS = 64 };
enum { HOLD = 1, JOIN = 2, SSE = 4, SUMMARY = 8, LENGTH = 16, API = 32 };

static const tw_shape shapes[APIS] = {TW_SHAPE_CHUNKS, TW_SHAPE_RESPONSES,
                                      TW_SHAPE_ANTHROPIC};

/* ---- one run ------------------------------------------------------------ */

typedef struct run {
    unsigned options;
    fuzz_client client;
    tw_writer *writer;
    tw_writer *message;
    uint32_t ends[CALLS]; /* of each call that was begun; 0: none */
    size_t calls;
    bool good; /* the decoder took all */
} run;

static void start(run *its, unsigned options)
{
    const tw_shape shape = shapes[options / API % APIS];
    tw_writer *writer = tw_writer_new(shape, NULL);
    *its = (run){.options = options,
                 .client = {.shape = shape},
                 .writer = writer,
                 .message = tw_writer_new(TW_SHAPE_MESSAGE, NULL)};
    tw_writer_set(its->message, TW_OPTION_CUSTOM_FUNCTION, 1);
    tw_writer_set(writer, TW_OPTION_HOLD_CALLS, (options & HOLD) != 0);
    tw_writer_set(writer, TW_OPTION_JOIN_CHUNKS, (options & JOIN) != 0);
    tw_writer_set(writer, TW_OPTION_SSE, (options & SSE) != 0);
    if (shape == TW_SHAPE_RESPONSES) {
        tw_writer_set(writer, TW_OPTION_REASONING_SUMMARY,
                      (options & SUMMARY) != 0);
    }
}

static void free_run(run *its)
{
    fuzz_free_client(&its->client);
    tw_writer_free(its->writer);
    tw_writer_free(its->message);
}

static void take_lines(run *its)
{
    const char *line;
    size_t size;
    while (tw_writer_take(its->writer, &line, &size) == 1) {
        fuzz_read_line(&its->client, line, size, (its->options & SSE) != 0);
    }
}

static void give(run *its, const tw_event *event)
{
    if (event->type == TW_EVENT_CALL_BEGIN) {
        its->calls++;
    } else if (event->type == TW_EVENT_CALL_END) {
        its->ends[its->calls - 1] = event->code;
    }
    if (tw_writer_event(its->writer, event) != TW_OK ||
        tw_writer_event(its->message, event) != TW_OK) {
        fuzz_wrong_line("an event is refused", "", 0);
    }
    if ((its->options & JOIN) == 0) {
        take_lines(its);
    }
}

static void drain(run *its, tw_decoder *decoder)
{
    const tw_event *event;
    int next;
    while ((next = tw_decoder_next(decoder, &event)) == 1) {
        give(its, event);
    }
    its->good = next == 0;
    take_lines(its);
}

static void break_off(run *its, tw_decoder *decoder)
{
    if (tw_writer_fail(its->writer, tw_decoder_error(decoder)) != TW_OK) {
        fuzz_wrong_line("a stream takes no error", "", 0);
    }
    take_lines(its);
}

/* Each piece is a heap block of its exact size. */
static void decode(run *its, tw_decoder *decoder, const fuzz_input *input,
                   size_t piece)
{
    its->good = true;
    for (size_t at = 0; its->good && at < input->size;) {
        const size_t left = input->size - at;
        const size_t next = left < piece ? left : piece;
        char *copy = naive_grow(NULL, next);
        memcpy(copy, input->text + at, next);
        tw_decoder_feed(decoder, copy, next, TW_MARK_UNKNOWN);
        drain(its, decoder);
        at += next;
        free(copy);
    }
    if (its->good) {
        tw_decoder_finish(decoder, (its->options & LENGTH) != 0
                                       ? TW_FINISH_LENGTH
                                       : TW_FINISH_UNKNOWN);
        drain(its, decoder);
    }
    if (!its->good) {
        break_off(its, decoder);
    }
}

/* ---- what must hold ----------------------------------------------------- */

static void check_end(const run *its)
{
    const fuzz_client *client = &its->client;
    const bool needs_done = client->shape == TW_SHAPE_CHUNKS && its->good &&
                            (its->options & SSE) != 0;
    if (!client->ended || client->failed == its->good ||
        client->done != needs_done) {
        fuzz_wrong_line("the stream does not end", "", 0);
    }
    for (size_t i = 0; i < client->count; i++) {
        if (its->good && !client->parts[i].closed &&
            client->shape != TW_SHAPE_CHUNKS) {
            fuzz_wrong_line("a part is not closed", "", 0);
        }
    }
}

static void check_call(const run *its, const fuzz_part *call, uint32_t end)
{
    const bool complete = end == TW_CALL_COMPLETE;
    if (complete != (call->text.size > 0 &&
                     is_json_object(call->text.data, call->text.size)) ||
        (its->client.shape == TW_SHAPE_RESPONSES && complete != call->done)) {
        fuzz_wrong_line(complete ? "a call is not closed"
                                 : "a cut call is closed",
                        call->text.data, call->text.size);
    }
    if (!complete && (its->options & HOLD) != 0) {
        fuzz_wrong_line("a cut call was not held", call->text.data,
                        call->text.size);
    }
}

/* The calls that the client has, in order, against how they ended. */
static void check_calls(const run *its)
{
    const fuzz_client *client = &its->client;
    size_t next = 0;
    for (size_t i = 0; i < client->count; i++) {
        if (client->parts[i].kind != FUZZ_CALL) {
            continue;
        }
        while ((its->options & HOLD) != 0 && next < its->calls &&
               its->ends[next] != TW_CALL_COMPLETE) {
            next++;
        }
        if (next == its->calls) {
            fuzz_wrong_line("a call too many", "", 0);
        }
        check_call(its, &client->parts[i], its->ends[next++]);
    }
    for (; (its->options & HOLD) != 0 && next < its->calls; next++) {
        if (its->ends[next] == TW_CALL_COMPLETE) {
            fuzz_wrong_line("a call is missing", "", 0);
        }
    }
    if ((its->options & HOLD) == 0 && next != its->calls) {
        fuzz_wrong_line("a call too few", "", 0);
    }
}

static bool is_all_text(const fuzz_client *client, fuzz_kind kind,
                        const tw_value *text)
{
    naive_bytes all = {0};
    for (size_t i = 0; i < client->count; i++) {
        if (client->parts[i].kind == kind) {
            naive_add(&all, client->parts[i].text.data,
                      client->parts[i].text.size);
        }
    }
    const bool same = fuzz_is_text(&all, text);
    naive_release(&all);
    return same;
}

/* Its calls are those of the stream that ended complete. */
static bool is_message(const run *its, const tw_value *message)
{
    const fuzz_client *client = &its->client;
    const tw_value *calls = fuzz_member(message, "tool_calls");
    const tw_value *at = calls != NULL ? calls->first : NULL;
    size_t next = 0;
    bool same = true;
    for (size_t i = 0; same && i < client->count; i++) {
        const fuzz_part *part = &client->parts[i];
        if (part->kind != FUZZ_CALL ||
            ((its->options & HOLD) == 0 &&
             its->ends[next++] != TW_CALL_COMPLETE)) {
            continue;
        }
        const tw_value *function = fuzz_member(at, "function");
        same = at != NULL && fuzz_is_text(&part->id, fuzz_member(at, "id")) &&
               fuzz_is_text(&part->name, fuzz_member(function, "name")) &&
               fuzz_is_text(&part->text, fuzz_member(function, "arguments"));
        at = at != NULL ? at->next : NULL;
    }
    return same && at == NULL &&
           is_all_text(client, FUZZ_TEXT, fuzz_member(message, "content")) &&
           is_all_text(client, FUZZ_REASONING,
                       fuzz_member(message, "reasoning_content"));
}

static void check_message(const run *its, tw_decoder *decoder,
                          const fuzz_input *input)
{
    tw_tree tree;
    const char *line;
    size_t size;
    const char *again;
    size_t again_size;
    if (tw_writer_take(its->message, &line, &size) != 1) {
        fuzz_wrong_line("there is no message", "", 0);
    }
    fuzz_parse(&tree, line, size);
    if (!is_message(its, tree.root)) {
        fuzz_wrong("the stream is another message", input->set->name,
                   input->text, input->size, line, size);
    }
    tw_tree_free(&tree);
    if ((its->options & LENGTH) == 0) {
        tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
        tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1);
        if (tw_decode_message(decoder, writer, input->text, input->size,
                              &again, &again_size) != TW_OK ||
            again_size != size || memcmp(again, line, size) != 0) {
            fuzz_wrong_line("one shot gives another message", line, size);
        }
        tw_writer_free(writer);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    run whole;
    run cut;
    if (!fuzz_read(&input, data, size)) {
        return 0;
    }
    const unsigned options = data[input.size] ^ (unsigned)input.size;
    tw_decoder *decoder = fuzz_decoder(&input, input.options);
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1);
    if ((input.options & FUZZ_SMALL_LIMITS) == 0) {
        tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, CALLS);
    }
    start(&whole, options);
    start(&cut, options);
    decode(&whole, decoder, &input, input.size);
    tw_decoder_reset(decoder);
    decode(&cut, decoder, &input, input.chunk);
    check_end(&whole);
    check_calls(&whole);
    if (!fuzz_same_stream(&whole.client, &cut.client)) {
        fuzz_wrong("a cut changes the stream", input.set->name, input.text,
                   input.size, "", 0);
    }
    if (whole.good) {
        check_message(&whole, decoder, &input);
    }
    free_run(&whole);
    free_run(&cut);
    tw_decoder_free(decoder);
    return 0;
}
