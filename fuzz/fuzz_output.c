/* SPDX-License-Identifier: MIT
 *
 * Property: for any bytes, what both writers give is JSON and well-formed
 * UTF-8, a line each, and the chunks add up to the message, joined or not.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"
#include "naive/naive_json.h"

enum { CALLS = 64 };

/* What a client that merges deltas has. */
typedef struct merged {
    naive_bytes content, reasoning, names[CALLS], arguments[CALLS];
    size_t calls;
} merged;

static void check_line(const char *line, size_t size)
{
    size_t length;
    for (size_t at = 0; at < size; at += length) {
        if (naive_utf8(line + at, size - at, &length) != NAIVE_WELL_FORMED) {
            fuzz_wrong("bad UTF-8", "", line, size, "", 0);
        }
    }
    if (memchr(line, '\n', size) != NULL || !is_json_object(line, size)) {
        fuzz_wrong("not one line of JSON", "", line, size, "", 0);
    }
}

static void add(naive_bytes *to, const tw_value *object, const char *key)
{
    const tw_value *text =
        object != NULL ? tw_value_member(object, key) : NULL;
    if (text != NULL && text->kind == TW_VALUE_STRING) {
        naive_add(to, text->text, text->size);
    }
}

static void merge(merged *all, const char *line, size_t size)
{
    tw_tree tree;
    fuzz_parse(&tree, line, size);
    const tw_value *choices = tw_value_member(tree.root, "choices");
    const tw_value *delta = choices != NULL && choices->first != NULL
                                ? tw_value_member(choices->first, "delta")
                                : NULL;
    add(&all->content, delta, "content");
    add(&all->reasoning, delta, "reasoning_content");
    const tw_value *calls =
        delta != NULL ? tw_value_member(delta, "tool_calls") : NULL;
    for (const tw_value *at = calls != NULL ? calls->first : NULL; at != NULL;
         at = at->next) {
        const size_t index =
            strtoul(tw_value_member(at, "index")->text, NULL, 10);
        if (index >= CALLS || index > all->calls) {
            fuzz_wrong("an index out of order", "", line, size, "", 0);
        }
        all->calls += index == all->calls;
        add(&all->names[index], tw_value_member(at, "function"), "name");
        add(&all->arguments[index], tw_value_member(at, "function"),
            "arguments");
    }
    tw_tree_free(&tree);
}

static void take(tw_writer *writer, merged *all, tw_tree *message)
{
    const char *line;
    size_t size;
    while (tw_writer_take(writer, &line, &size) == 1) {
        check_line(line, size);
        if (message != NULL) {
            fuzz_parse(message, line, size);
        } else {
            merge(all, line, size);
        }
    }
}

static bool is_text(const naive_bytes *bytes, const tw_value *text)
{
    const bool some = text != NULL && text->kind == TW_VALUE_STRING;
    const size_t size = some ? text->size : 0;
    return bytes->size == size &&
           (size == 0 || memcmp(bytes->data, text->text, size) == 0);
}

/* Calls that were held until they were complete. */
static bool is_message(const merged *all, const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    const tw_value *at = calls != NULL ? calls->first : NULL;
    size_t i = 0;
    for (; at != NULL && i < all->calls; at = at->next, i++) {
        const tw_value *function = tw_value_member(at, "function");
        if (!is_text(&all->names[i], tw_value_member(function, "name")) ||
            !is_text(&all->arguments[i],
                     tw_value_member(function, "arguments"))) {
            return false;
        }
    }
    return at == NULL && i == all->calls &&
           is_text(&all->content, tw_value_member(message, "content")) &&
           is_text(&all->reasoning,
                   tw_value_member(message, "reasoning_content"));
}

static void free_merged(merged *all)
{
    naive_release(&all->content);
    naive_release(&all->reasoning);
    for (size_t i = 0; i < CALLS; i++) {
        naive_release(&all->names[i]);
        naive_release(&all->arguments[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    if (!fuzz_read(&input, data, size)) {
        return 0;
    }
    tw_decoder *decoder =
        fuzz_decoder(&input, input.options & ~(unsigned)FUZZ_STRICT);
    tw_writer *message = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    tw_writer *chunks = tw_writer_new(TW_SHAPE_CHUNKS, NULL);
    const tw_event *event;
    merged all = {0};
    tw_tree tree = {0};
    size_t at = 0;
    bool good = true;
    const bool join = input.size % 2 == 1;
    tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, CALLS);
    tw_writer_set(chunks, TW_OPTION_JOIN_CHUNKS, join);
    tw_writer_set(message, TW_OPTION_CUSTOM_FUNCTION, 1);
    tw_writer_set(chunks, TW_OPTION_HOLD_CALLS, 1);
    for (bool over = false; good && !over;) {
        const size_t left = input.size - at;
        const size_t piece = input.chunk * 4;
        const size_t next = left < piece ? left : piece;
        over = left == 0;
        char *copy = malloc(next > 0 ? next : 1);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, input.text + at, next);
        good = (over ? tw_decoder_finish(decoder, TW_FINISH_STOP)
                     : tw_decoder_feed(decoder, copy, next,
                                       TW_MARK_UNKNOWN)) == TW_OK;
        at += next;
        while (good && tw_decoder_next(decoder, &event) == 1) {
            if (tw_writer_event(message, event) != TW_OK ||
                tw_writer_event(chunks, event) != TW_OK) {
                abort();
            }
            if (!join) {
                take(chunks, &all, NULL);
            }
        }
        take(chunks, &all, NULL);
        free(copy);
    }
    if (good) {
        take(message, &all, &tree);
        if (tree.root == NULL || !is_message(&all, tree.root)) {
            fuzz_wrong("the chunks are another message", input.set->name,
                       input.text, input.size, "", 0);
        }
        tw_tree_free(&tree);
    }
    free_merged(&all);
    tw_writer_free(chunks);
    tw_writer_free(message);
    tw_decoder_free(decoder);
    return 0;
}
