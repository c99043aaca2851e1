/* SPDX-License-Identifier: MIT
 *
 * Lines of three APIs, read to the same parts.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "naive/naive_json.h"
#include "support/events.h"

void fuzz_wrong_line(const char *what, const char *line, size_t size)
{
    fuzz_wrong(what, "", line, size, "", 0);
}

static void expect(bool good, const char *what, const tw_value *at)
{
    if (!good) {
        fuzz_wrong_line(what, at != NULL ? at->text : "",
                        at != NULL ? at->size : 0);
    }
}

bool fuzz_is_text(const naive_bytes *bytes, const tw_value *text)
{
    const bool some = text != NULL && text->kind == TW_VALUE_STRING;
    const size_t size = some ? text->size : 0;
    return bytes->size == size &&
           (size == 0 || memcmp(bytes->data, text->text, size) == 0);
}

static bool is_same(const naive_bytes *a, const naive_bytes *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static void add(naive_bytes *to, const tw_value *text)
{
    if (text != NULL && text->kind == TW_VALUE_STRING) {
        naive_add(to, text->text, text->size);
    }
}

const tw_value *fuzz_member(const tw_value *object, const char *key)
{
    return object != NULL ? tw_value_member(object, key) : NULL;
}

static bool is(const tw_value *text, const char *word)
{
    return text != NULL && tw_value_is(text, word);
}

static bool is_number(const tw_value *number, size_t expected)
{
    return number != NULL && number->kind == TW_VALUE_NUMBER &&
           strtoul(number->text, NULL, 10) == expected;
}

static fuzz_part *open_part(fuzz_client *its, fuzz_kind kind)
{
    its->parts = naive_grow(its->parts, (its->count + 1) * sizeof(fuzz_part));
    its->parts[its->count] = (fuzz_part){.kind = kind};
    return &its->parts[its->count++];
}

static fuzz_part *last_part(const fuzz_client *its)
{
    return its->count > 0 ? &its->parts[its->count - 1] : NULL;
}

/* Parts of Responses and Messages are closed before the next. */
static fuzz_part *open_next(fuzz_client *its, fuzz_kind kind,
                            const tw_value *index)
{
    const fuzz_part *last = last_part(its);
    expect(last == NULL || last->closed, "two parts are open", index);
    expect(is_number(index, its->count), "an index out of order", index);
    return open_part(its, kind);
}

static fuzz_part *open_one(const fuzz_client *its, const tw_value *index)
{
    fuzz_part *last = last_part(its);
    expect(last != NULL && !last->closed && is_number(index, its->count - 1),
           "of a part that is not open", index);
    return last;
}

static size_t count_calls(const fuzz_client *its)
{
    size_t calls = 0;
    for (size_t i = 0; i < its->count; i++) {
        calls += its->parts[i].kind == FUZZ_CALL;
    }
    return calls;
}

void fuzz_free_client(fuzz_client *its)
{
    for (size_t i = 0; i < its->count; i++) {
        naive_release(&its->parts[i].id);
        naive_release(&its->parts[i].name);
        naive_release(&its->parts[i].text);
    }
    free(its->parts);
    naive_release(&its->reason);
}

/* ---- chat completions --------------------------------------------------- */

static void read_chat_text(fuzz_client *its, fuzz_kind kind,
                           const tw_value *text)
{
    if (text == NULL) {
        return;
    }
    fuzz_part *last = last_part(its);
    if (last == NULL || last->kind != kind) {
        last = open_part(its, kind);
    }
    add(&last->text, text);
}

static void read_chat_call(fuzz_client *its, const tw_value *call)
{
    const tw_value *function = fuzz_member(call, "function");
    const tw_value *index = fuzz_member(call, "index");
    fuzz_part *its_call = last_part(its);
    if (fuzz_member(call, "id") != NULL) {
        expect(is_number(index, count_calls(its)), "a call's index", index);
        its_call = open_part(its, FUZZ_CALL);
        add(&its_call->id, fuzz_member(call, "id"));
        add(&its_call->name, fuzz_member(function, "name"));
    }
    expect(its_call != NULL && its_call->kind == FUZZ_CALL &&
               is_number(index, count_calls(its) - 1),
           "a piece of no open call", index);
    add(&its_call->text, fuzz_member(function, "arguments"));
}

static void read_chat(fuzz_client *its, const tw_value *root)
{
    const tw_value *choices = fuzz_member(root, "choices");
    const tw_value *choice = choices != NULL ? choices->first : NULL;
    const tw_value *delta = fuzz_member(choice, "delta");
    const tw_value *calls = fuzz_member(delta, "tool_calls");
    const tw_value *reason = fuzz_member(choice, "finish_reason");
    if (fuzz_member(root, "error") != NULL) {
        its->failed = its->ended = true;
        return;
    }
    expect((its->lines == 0) == (fuzz_member(delta, "role") != NULL),
           "the role stands once", NULL);
    read_chat_text(its, FUZZ_TEXT, fuzz_member(delta, "content"));
    read_chat_text(its, FUZZ_REASONING,
                   fuzz_member(delta, "reasoning_content"));
    if (calls != NULL) {
        read_chat_call(its, calls->first);
    }
    if (reason != NULL && reason->kind == TW_VALUE_STRING) {
        add(&its->reason, reason);
        its->ended = true;
    }
}

/* ---- responses ---------------------------------------------------------- */

static const tw_value *item_text(const tw_value *item)
{
    const tw_value *summary = fuzz_member(item, "summary");
    const tw_value *content = fuzz_member(item, "content");
    if (is(fuzz_member(item, "type"), "function_call")) {
        return fuzz_member(item, "arguments");
    }
    const tw_value *first = content != NULL ? content->first : NULL;
    if (first == NULL && summary != NULL) {
        first = summary->first;
    }
    return fuzz_member(first, "text");
}

static void open_item(fuzz_client *its, const tw_value *root)
{
    const tw_value *item = fuzz_member(root, "item");
    const tw_value *type = fuzz_member(item, "type");
    fuzz_part *opened = open_next(its,
                                  is(type, "function_call") ? FUZZ_CALL
                                  : is(type, "reasoning")   ? FUZZ_REASONING
                                                            : FUZZ_TEXT,
                                  fuzz_member(root, "output_index"));
    add(&opened->id, fuzz_member(item, "call_id"));
    add(&opened->name, fuzz_member(item, "name"));
    expect(item_text(item) == NULL || item_text(item)->size == 0,
           "a new item has content", NULL);
}

static void close_item(fuzz_client *its, const tw_value *root)
{
    const tw_value *item = fuzz_member(root, "item");
    fuzz_part *open = open_one(its, fuzz_member(root, "output_index"));
    const bool completed = is(fuzz_member(item, "status"), "completed");
    expect(fuzz_is_text(&open->text, item_text(item)),
           "an item is not its deltas", item_text(item));
    expect(open->kind != FUZZ_CALL || open->done == completed,
           "a call's status is not what its events said", NULL);
    open->closed = true;
    open->done = completed;
}

static void read_whole(fuzz_client *its, const tw_value *root, const char *key)
{
    fuzz_part *open = open_one(its, fuzz_member(root, "output_index"));
    expect(fuzz_is_text(&open->text, fuzz_member(root, key)),
           "deltas are not the whole", fuzz_member(root, key));
    open->done = true;
}

static void end_response(fuzz_client *its, const tw_value *root)
{
    const tw_value *response = fuzz_member(root, "response");
    const tw_value *output = fuzz_member(response, "output");
    const tw_value *item = output != NULL ? output->first : NULL;
    size_t i = 0;
    for (; item != NULL && i < its->count; item = item->next, i++) {
        expect(
            fuzz_is_text(&its->parts[i].text, item_text(item)) &&
                fuzz_is_text(&its->parts[i].name, fuzz_member(item, "name")),
            "the output is not its items", item_text(item));
    }
    expect(item == NULL && i == its->count, "the output lacks an item", NULL);
    add(&its->reason, fuzz_member(response, "status"));
    its->ended = true;
    its->failed = is(fuzz_member(root, "type"), "response.failed");
}

static void read_response(fuzz_client *its, const tw_value *root)
{
    const tw_value *type = fuzz_member(root, "type");
    expect(is_number(fuzz_member(root, "sequence_number"), its->lines),
           "a number out of order", type);
    expect((its->lines == 0) == is(type, "response.created") &&
               (its->lines == 1) == is(type, "response.in_progress"),
           "the stream's first events", type);
    if (is(type, "response.output_item.added")) {
        open_item(its, root);
    } else if (is(type, "response.output_item.done")) {
        close_item(its, root);
    } else if (is(type, "response.function_call_arguments.done")) {
        read_whole(its, root, "arguments");
    } else if (is(type, "response.output_text.done") ||
               is(type, "response.reasoning_text.done") ||
               is(type, "response.reasoning_summary_text.done")) {
        read_whole(its, root, "text");
    } else if (fuzz_member(root, "delta") != NULL) {
        add(&open_one(its, fuzz_member(root, "output_index"))->text,
            fuzz_member(root, "delta"));
    } else if (is(type, "response.completed") ||
               is(type, "response.incomplete") ||
               is(type, "response.failed")) {
        end_response(its, root);
    }
}

/* ---- messages ----------------------------------------------------------- */

static void open_block(fuzz_client *its, const tw_value *root)
{
    const tw_value *block = fuzz_member(root, "content_block");
    const tw_value *type = fuzz_member(block, "type");
    fuzz_part *opened = open_next(its,
                                  is(type, "tool_use")   ? FUZZ_CALL
                                  : is(type, "thinking") ? FUZZ_REASONING
                                                         : FUZZ_TEXT,
                                  fuzz_member(root, "index"));
    add(&opened->id, fuzz_member(block, "id"));
    add(&opened->name, fuzz_member(block, "name"));
}

static void read_block_delta(fuzz_client *its, const tw_value *root)
{
    static const char *const keys[] = {"text", "thinking", "partial_json"};
    const tw_value *delta = fuzz_member(root, "delta");
    fuzz_part *open = open_one(its, fuzz_member(root, "index"));
    const tw_value *signature = fuzz_member(delta, "signature");
    if (signature != NULL) { /* an empty one ends what was thought */
        expect(open->kind == FUZZ_REASONING && signature->size == 0,
               "a signature that nobody signed", signature);
        return;
    }
    const tw_value *text = fuzz_member(delta, keys[open->kind]);
    expect(text != NULL, "a delta of another kind",
           fuzz_member(delta, "type"));
    add(&open->text, text);
}

static void read_messages(fuzz_client *its, const tw_value *root)
{
    const tw_value *type = fuzz_member(root, "type");
    expect((its->lines == 0) == is(type, "message_start"),
           "the stream's first event", type);
    expect(its->reason.size == 0 || is(type, "message_stop"),
           "an event behind the message's delta", type);
    if (is(type, "content_block_start")) {
        open_block(its, root);
    } else if (is(type, "content_block_delta")) {
        read_block_delta(its, root);
    } else if (is(type, "content_block_stop")) {
        open_one(its, fuzz_member(root, "index"))->closed = true;
    } else if (is(type, "message_delta")) {
        add(&its->reason,
            fuzz_member(fuzz_member(root, "delta"), "stop_reason"));
    } else if (is(type, "message_stop") || is(type, "error")) {
        its->ended = true;
        its->failed = is(type, "error");
    }
}

/* ---- lines -------------------------------------------------------------- */

static bool cut_prefix(const char **line, size_t *size, const char *prefix)
{
    const size_t length = strlen(prefix);
    if (*size < length || memcmp(*line, prefix, length) != 0) {
        return false;
    }
    *line += length;
    *size -= length;
    return true;
}

/* Takes the frame of a server-sent event away; |*name| is what it is called,
 * up to a line feed. */
static void unframe(const fuzz_client *its, const char **line, size_t *size,
                    const char **name)
{
    const char *all = *line;
    const size_t all_size = *size;
    *name = NULL;
    if (cut_prefix(line, size, "event: ")) {
        const char *end = memchr(*line, '\n', *size);
        *name = *line;
        *size -= end != NULL ? (size_t)(end + 1 - *line) : *size;
        *line = end != NULL ? end + 1 : *line;
    }
    if ((*name != NULL) != (its->shape != TW_SHAPE_CHUNKS) ||
        !cut_prefix(line, size, "data: ") || *size < 2 ||
        memcmp(*line + *size - 2, "\n\n", 2) != 0) {
        fuzz_wrong_line("no server-sent event", all, all_size);
    }
    *size -= 2;
}

static void check_bytes(const char *line, size_t size)
{
    size_t length;
    for (size_t at = 0; at < size; at += length) {
        if (naive_utf8(line + at, size - at, &length) != NAIVE_WELL_FORMED) {
            fuzz_wrong_line("bad UTF-8", line, size);
        }
    }
    if (memchr(line, '\n', size) != NULL || !is_json_object(line, size)) {
        fuzz_wrong_line("not one line of JSON", line, size);
    }
}

void fuzz_read_line(fuzz_client *its, const char *line, size_t size, bool sse)
{
    const char *name = NULL;
    tw_tree tree;
    if (sse) {
        unframe(its, &line, &size, &name);
    }
    if (its->done || (its->ended && !cut_prefix(&line, &size, "[DONE]"))) {
        fuzz_wrong_line("a line behind the last", line, size);
    }
    its->done = its->ended;
    if (its->done) {
        return;
    }
    check_bytes(line, size);
    fuzz_parse(&tree, line, size);
    const tw_value *type = fuzz_member(tree.root, "type");
    if (name != NULL && (type == NULL || name[type->size] != '\n' ||
                         memcmp(name, type->text, type->size) != 0)) {
        fuzz_wrong_line("an event of another name", line, size);
    }
    switch (its->shape) {
    case TW_SHAPE_CHUNKS: read_chat(its, tree.root); break;
    case TW_SHAPE_RESPONSES: read_response(its, tree.root); break;
    default: read_messages(its, tree.root); break;
    }
    its->lines++;
    tw_tree_free(&tree);
}

bool fuzz_same_stream(const fuzz_client *a, const fuzz_client *b)
{
    bool same = a->count == b->count && a->failed == b->failed &&
                is_same(&a->reason, &b->reason);
    for (size_t i = 0; same && i < a->count; i++) {
        const fuzz_part *x = &a->parts[i];
        const fuzz_part *y = &b->parts[i];
        same = x->kind == y->kind && x->closed == y->closed &&
               x->done == y->done && is_same(&x->id, &y->id) &&
               is_same(&x->name, &y->name) && is_same(&x->text, &y->text);
    }
    return same;
}
