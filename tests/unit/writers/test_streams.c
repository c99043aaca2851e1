/* SPDX-License-Identifier: MIT
 *
 * The streams of three APIs say what the message says: the cases of all
 * formats, in pieces of every size.  Lines are read by JSON trees, and what
 * clients need of them is checked one by one: S1 to S17 of Responses, A1 to
 * A15 of Anthropic.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "each_format.h"
#include "json/dump.h"
#include "naive/naive.h"
#include "support/cases.h"

enum { CALLS = 64 };

/* What a client joins of a stream. */
typedef struct joined {
    naive_bytes content;
    naive_bytes reasoning;
    naive_bytes calls[CALLS]; /* "id name arguments" */
    size_t heads[CALLS];      /* how long the first two are */
    size_t count;
    naive_bytes last; /* the lines that end it, without their numbers */
    /* Where the stream is. */
    size_t lines;
    uint64_t parts; /* items or blocks that began, */
    bool open;      /* ... and the last one did not end */
    bool ended;
    naive_bytes done; /* of Responses: the items, as each was when it ended */
} joined;

static void free_joined(joined *self)
{
    free(self->content.data);
    free(self->reasoning.data);
    free(self->last.data);
    free(self->done.data);
    for (size_t i = 0; i < self->count; i++) {
        free(self->calls[i].data);
    }
    memset(self, 0, sizeof *self);
}

static bool same(const naive_bytes *left, const naive_bytes *right)
{
    return left->size == right->size &&
           (left->size == 0 ||
            memcmp(left->data, right->data, left->size) == 0);
}

static const tw_value *at(const tw_value *value, const char *path)
{
    return tw_value_at(value, path, strlen(path));
}

static void add_text(naive_bytes *to, const tw_value *text)
{
    cr_assert(text != NULL && text->kind == TW_VALUE_STRING);
    naive_add(to, text->text, text->size);
}

static void add_json(naive_bytes *to, const tw_value *value)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer out = {0};
    cr_assert(tw_value_dump(&out, &memory, value, &tw_dump_compact));
    naive_add(to, (const char *)out.data, out.size);
    tw_buffer_free(&out, &memory);
}

static void begin_call(joined *self, const tw_value *id, const tw_value *name)
{
    cr_assert_lt(self->count, CALLS);
    naive_bytes *call = &self->calls[self->count];
    add_text(call, id);
    naive_add(call, " ", 1);
    add_text(call, name);
    naive_add(call, " ", 1);
    self->heads[self->count++] = call->size;
}

static void go_on(joined *self, const tw_value *text)
{
    cr_assert_gt(self->count, 0);
    add_text(&self->calls[self->count - 1], text);
}

static bool is_number(const tw_value *value, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return value != NULL && value->kind == TW_VALUE_NUMBER &&
           value->size == strlen(text) &&
           memcmp(value->text, text, value->size) == 0;
}

/* ---- chat --------------------------------------------------------------- */

static void join_chunk(joined *self, const tw_value *line)
{
    const tw_value *choice = tw_value_member(line, "choices")->first;
    const tw_value *delta = tw_value_member(choice, "delta");
    const tw_value *content = tw_value_member(delta, "content");
    const tw_value *reasoning = tw_value_member(delta, "reasoning_content");
    const tw_value *calls = tw_value_member(delta, "tool_calls");
    self->ended =
        tw_value_member(choice, "finish_reason")->kind == TW_VALUE_STRING;
    if (content != NULL) {
        add_text(&self->content, content);
    }
    if (reasoning != NULL) {
        add_text(&self->reasoning, reasoning);
    }
    if (calls != NULL) {
        const tw_value *call = calls->first;
        if (tw_value_member(call, "id") != NULL) {
            begin_call(self, tw_value_member(call, "id"),
                       at(call, "function.name"));
        }
        cr_assert(is_number(tw_value_member(call, "index"), self->count - 1));
        go_on(self, at(call, "function.arguments"));
    }
    if (self->ended) {
        add_json(&self->last, line);
    }
}

/* ---- Responses ---------------------------------------------------------- */

static void begin_item(joined *self, const tw_value *line)
{
    const tw_value *item = tw_value_member(line, "item");
    cr_assert(!self->open);
    cr_assert(is_number(tw_value_member(line, "output_index"), self->parts));
    cr_assert_not_null(tw_value_member(item, "id"));
    self->parts++;
    self->open = true;
    if (tw_value_is(tw_value_member(item, "type"), "function_call")) {
        cr_assert(tw_value_is(tw_value_member(item, "arguments"), ""));
        begin_call(self, tw_value_member(item, "call_id"),
                   tw_value_member(item, "name"));
    }
}

static void end_item(joined *self, const tw_value *line)
{
    cr_assert(self->open);
    cr_assert(
        is_number(tw_value_member(line, "output_index"), self->parts - 1));
    self->open = false;
    naive_add(&self->done, ",", self->done.size > 0 ? 1 : 0);
    add_json(&self->done, tw_value_member(line, "item"));
}

static void end_response(joined *self, const tw_value *line)
{
    const tw_value *output = at(line, "response.output");
    naive_bytes items = {0};
    cr_assert(!self->open);
    for (const tw_value *item = output->first; item; item = item->next) {
        naive_add(&items, ",", items.size > 0 ? 1 : 0);
        add_json(&items, item);
    }
    cr_assert(same(&items, &self->done));
    free(items.data);
    self->ended = true;
    add_json(&self->last, tw_value_member(line, "response"));
    if (tw_value_member(line, "toolwire") != NULL) {
        add_json(&self->last, tw_value_member(line, "toolwire"));
    }
}

static void join_response(joined *self, const tw_value *line)
{
    const tw_value *type = tw_value_member(line, "type");
    const tw_value *delta = tw_value_member(line, "delta");
    const char *first = self->lines == 0   ? "response.created"
                        : self->lines == 1 ? "response.in_progress"
                                           : NULL;
    cr_assert(first == NULL || tw_value_is(type, first));
    cr_assert(
        is_number(tw_value_member(line, "sequence_number"), self->lines));
    if (tw_value_is(type, "response.output_item.added")) {
        begin_item(self, line);
    } else if (tw_value_is(type, "response.output_item.done")) {
        end_item(self, line);
    } else if (tw_value_is(type, "response.output_text.delta")) {
        add_text(&self->content, delta);
    } else if (tw_value_is(type, "response.reasoning_text.delta") ||
               tw_value_is(type, "response.reasoning_summary_text.delta")) {
        add_text(&self->reasoning, delta);
    } else if (tw_value_is(type, "response.function_call_arguments.delta")) {
        go_on(self, delta);
    } else if (tw_value_is(type, "response.completed") ||
               tw_value_is(type, "response.incomplete")) {
        end_response(self, line);
    }
}

/* ---- Anthropic ---------------------------------------------------------- */

static void begin_block(joined *self, const tw_value *line)
{
    const tw_value *block = tw_value_member(line, "content_block");
    cr_assert(!self->open);
    self->parts++;
    self->open = true;
    if (tw_value_is(tw_value_member(block, "type"), "tool_use")) {
        const tw_value *input = tw_value_member(block, "input");
        cr_assert(input->kind == TW_VALUE_OBJECT && input->first == NULL);
        begin_call(self, tw_value_member(block, "id"),
                   tw_value_member(block, "name"));
    }
}

static void join_delta(joined *self, const tw_value *delta)
{
    const tw_value *type = tw_value_member(delta, "type");
    cr_assert(self->open);
    if (tw_value_is(type, "text_delta")) {
        add_text(&self->content, tw_value_member(delta, "text"));
    } else if (tw_value_is(type, "thinking_delta")) {
        add_text(&self->reasoning, tw_value_member(delta, "thinking"));
    } else if (tw_value_is(type, "signature_delta")) {
        cr_assert(tw_value_is(tw_value_member(delta, "signature"), ""));
    } else {
        cr_assert(tw_value_is(type, "input_json_delta"));
        go_on(self, tw_value_member(delta, "partial_json"));
    }
}

static void join_message(joined *self, const tw_value *line)
{
    const tw_value *type = tw_value_member(line, "type");
    const tw_value *index = tw_value_member(line, "index");
    cr_assert_eq(tw_value_is(type, "message_start"), self->lines == 0);
    if (tw_value_is(type, "content_block_start")) {
        begin_block(self, line);
    } else if (tw_value_is(type, "content_block_delta")) {
        join_delta(self, tw_value_member(line, "delta"));
    } else if (tw_value_is(type, "content_block_stop")) {
        cr_assert(self->open);
        self->open = false;
    } else if (tw_value_is(type, "message_delta")) {
        cr_assert(!self->open);
        cr_assert_not_null(at(line, "usage.output_tokens"));
        add_json(&self->last, line);
    } else {
        self->ended = tw_value_is(type, "message_stop");
        cr_assert(self->ended || self->lines == 0);
    }
    cr_assert(index == NULL || is_number(index, self->parts - 1));
}

/* ---- each case ---------------------------------------------------------- */

typedef void join_line(joined *, const tw_value *);

typedef struct api {
    tw_shape shape;
    tw_option option; /* that is on, too; 0: none */
    join_line *join;
} api;

static const api apis[] = {
    {TW_SHAPE_CHUNKS, TW_OPTION_HOLD_CALLS, join_chunk},
    {TW_SHAPE_RESPONSES, TW_OPTION_HOLD_CALLS, join_response},
    {TW_SHAPE_ANTHROPIC, TW_OPTION_HOLD_CALLS, join_message},
    {TW_SHAPE_CHUNKS, TW_OPTION_JOIN_CHUNKS, join_chunk},
    {TW_SHAPE_RESPONSES, TW_OPTION_JOIN_CHUNKS, join_response},
    {TW_SHAPE_ANTHROPIC, TW_OPTION_JOIN_CHUNKS, join_message},
    {TW_SHAPE_CHUNKS, 0, join_chunk},
    {TW_SHAPE_RESPONSES, 0, join_response},
    {TW_SHAPE_RESPONSES, TW_OPTION_REASONING_SUMMARY, join_response},
    {TW_SHAPE_ANTHROPIC, 0, join_message},
};

static void take_lines(tw_writer *writer, tw_tree *tree, const api *of,
                       joined *self)
{
    const char *line;
    size_t size;
    while (tw_writer_take(writer, &line, &size) == 1) {
        cr_assert_eq(tw_tree_read(tree, line, size, false), TW_OK);
        cr_assert(!self->ended, "a line behind the last: %s", line);
        of->join(self, tree->root);
        self->lines++;
    }
}

static void drain(tw_decoder *decoder, tw_writer *writer)
{
    const tw_event *event;
    while (tw_decoder_next(decoder, &event) == 1) {
        cr_assert_eq(tw_writer_event(writer, event), TW_OK);
    }
}

/* |chunk| bytes at a time. */
static void join_case(const conformance_case *one, tw_decoder *decoder,
                      const api *of, size_t chunk, joined *self)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_writer *writer = tw_writer_new(of->shape, NULL);
    tw_tree_init(&tree, &memory);
    tree.keeps_lone = true;
    cr_assert(of->option == 0 ||
              tw_writer_set(writer, of->option, 1) == TW_OK);
    tw_decoder_reset(decoder);
    for (size_t from = 0; from < one->size; from += chunk) {
        const size_t left = one->size - from;
        tw_decoder_feed(decoder, one->text + from, left < chunk ? left : chunk,
                        TW_MARK_UNKNOWN);
        drain(decoder, writer);
        take_lines(writer, &tree, of, self);
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    drain(decoder, writer);
    take_lines(writer, &tree, of, self);
    cr_assert(self->ended, "%s", one->id);
    tw_tree_free(&tree);
    tw_writer_free(writer);
}

/* The calls that are whole. */
static void expect_calls(const conformance_case *one, const joined *self,
                         const tw_value *calls, bool held)
{
    const tw_value *call = calls != NULL ? calls->first : NULL;
    for (size_t i = 0; i < self->count; i++) {
        const naive_bytes *got = &self->calls[i];
        naive_bytes want = {0};
        if (!is_json_object(got->data + self->heads[i],
                            got->size - self->heads[i])) {
            cr_assert(!held, "%s: a call that was cut off was sent", one->id);
            continue;
        }
        cr_assert_not_null(call, "%s: %s", one->id, got->data);
        add_text(&want, tw_value_member(call, "id"));
        naive_add(&want, " ", 1);
        add_text(&want, at(call, "function.name"));
        naive_add(&want, " ", 1);
        add_text(&want, at(call, "function.arguments"));
        cr_assert(same(&want, got), "%s: %s", one->id, got->data);
        free(want.data);
        call = call->next;
    }
    cr_assert_null(call, "%s: a call is not in the stream", one->id);
}

static void expect_text(const conformance_case *one, const naive_bytes *got,
                        const tw_value *want)
{
    const bool none = want == NULL || want->kind == TW_VALUE_NULL;
    cr_assert(none ? got->size == 0
                   : got->size == want->size &&
                         memcmp(got->data, want->text, got->size) == 0,
              "%s: %s", one->id, got->data);
}

static void check_api(const conformance_case *one, tw_decoder *decoder,
                      const api *of, const tw_value *message)
{
    static const size_t chunks[] = {1, 3, 7, SIZE_MAX / 2};
    joined first = {0};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        joined other = {0};
        join_case(one, decoder, of, chunks[i], &other);
        expect_text(one, &other.content, tw_value_member(message, "content"));
        expect_text(one, &other.reasoning,
                    tw_value_member(message, "reasoning_content"));
        expect_calls(one, &other, tw_value_member(message, "tool_calls"),
                     of->option == TW_OPTION_HOLD_CALLS);
        cr_assert(i == 0 || same(&first.last, &other.last),
                  "%s: it ends otherwise in other chunks", one->id);
        if (i == 0) {
            first = other;
        } else {
            free_joined(&other);
        }
    }
    free_joined(&first);
}

static void check_case(const conformance_case *one)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_decoder *decoder = case_decoder(one, false);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    tw_tree message;
    const char *line;
    size_t size;
    tw_tree_init(&message, &memory);
    message.keeps_lone = true;
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1), TW_OK);
    tw_decoder_feed(decoder, one->text, one->size, TW_MARK_UNKNOWN);
    drain(decoder, writer);
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    drain(decoder, writer);
    cr_assert_eq(tw_writer_take(writer, &line, &size), 1);
    cr_assert_eq(tw_tree_read(&message, line, size, false), TW_OK);
    for (size_t i = 0; i < sizeof apis / sizeof *apis; i++) {
        check_api(one, decoder, &apis[i], message.root);
    }
    tw_tree_free(&message);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
}

EachFormat(streams, say_what_the_message_says, "decode")
{
    conformance_each(CONFORMANCE_FOLDER, format->text, check_case);
}
