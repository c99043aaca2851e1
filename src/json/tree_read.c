/* SPDX-License-Identifier: MIT
 *
 * A tree made of the machine's steps, from text that comes in pieces; whole
 * texts go to tree_quick.c first.
 */
#include "json/tree.h"

#include <string.h>

#include "core/utf8.h"
#include "json/blocks.h"
#include "json/machine_state.h"
#include "json/make.h"
#include "json/advance.h"
#include "json/tree_quick.h"
#include "json/write.h"

void tw_tree_init(tw_tree *tree, const tw_memory *memory)
{
    memset(tree, 0, sizeof *tree);
    tree->memory = memory;
    tw_json_init(&tree->json, memory, TW_TREE_DEPTH, false);
}

void tw_tree_free(tw_tree *tree)
{
    tw_tree_free_blocks(tree);
    tw_json_free(&tree->json);
    tw_buffer_free(&tree->hold, tree->memory);
    tw_buffer_free(&tree->text, tree->memory);
    tw_buffer_free(&tree->key, tree->memory);
}

/* What was read before stays. */
static void begin_more(tw_tree *tree, bool repairs)
{
    tw_json_reset(&tree->json, TW_TREE_DEPTH);
    tree->json.repairs = repairs;
    tree->hold.size = tree->text.size = 0;
    tree->root = tree->open = NULL;
    tree->offset = 0;
    tree->error = TW_OK;
}

void tw_tree_begin(tw_tree *tree, bool repairs)
{
    tw_tree_recycle_blocks(tree);
    begin_more(tree, repairs);
}

/* A new value, linked into the open container. */
static tw_value *add(tw_tree *tree, tw_value_kind kind)
{
    tw_value *value = tw_tree_allocate(tree, sizeof *value);
    if (value == NULL) {
        return NULL;
    }
    memset(value, 0, sizeof *value);
    value->kind = kind;
    if (tree->open == NULL) {
        tree->root = value;
        return value;
    }
    if (tree->open->kind == TW_VALUE_OBJECT) {
        value->key = tw_tree_keep(tree, tree->key.data, tree->key.size);
        value->key_size = tree->key.size;
        value->lone_key = tree->lone_key;
        if (value->key == NULL) {
            return NULL;
        }
    }
    tw_value_link(tree->open, value);
    return value;
}

static tw_value *add_plain(tw_tree *tree, tw_value_kind kind, const void *data,
                           size_t size)
{
    tw_value *value = add(tree, kind);
    if (value != NULL) {
        value->text = tw_tree_keep(tree, data, size);
        value->size = size;
    }
    return value;
}

static void add_text(tw_tree *tree, tw_value_kind kind)
{
    tw_value *value = add_plain(tree, kind, tree->text.data, tree->text.size);
    if (value != NULL) {
        value->lone = tree->lone_now;
    }
}

static void append(tw_tree *tree, const char *data, size_t size)
{
    if (!tw_buffer_append(&tree->text, tree->memory, data, size)) {
        tree->error = TW_ERROR_MEMORY;
    }
}

static void set_key(tw_tree *tree, const void *data, size_t size)
{
    tree->key.size = 0;
    if (!tw_buffer_append(&tree->key, tree->memory, data, size)) {
        tree->error = TW_ERROR_MEMORY;
    }
}

static void end_string(tw_tree *tree)
{
    if (!tree->json.in_key) {
        add_text(tree, TW_VALUE_STRING);
        return;
    }
    set_key(tree, tree->text.data, tree->text.size);
    tree->lone_key = tree->lone_now > 0;
}

/* |spelling| is `\u` and four digits. */
static void append_lone(tw_tree *tree, const char *spelling)
{
    char half[4];
    const size_t size = tw_point_put(
        half, tree->keeps_lone
                  ? tw_json_hex_value((const uint8_t *)spelling + 2)
                  : 0xFFFD);
    if (tree->lone_now == 0) {
        tree->lone_now = tree->text.size + 1;
    }
    append(tree, half, size);
}

static void take(tw_tree *tree, const tw_json_step *step, bool in_string,
                 bool in_number)
{
    tw_value *value;
    switch (step->kind) {
    case TW_JSON_STEP_PIECE:
        if (in_string && step->lone) {
            append_lone(tree, step->text);
        } else if (in_string) {
            append(tree, step->value, step->value_size);
        } else if (in_number) {
            append(tree, step->text, step->text_size);
        }
        break;
    case TW_JSON_STEP_OPEN:
        value =
            add(tree, step->text[0] == '{' ? TW_VALUE_OBJECT : TW_VALUE_ARRAY);
        tree->open = value != NULL ? value : tree->open;
        break;
    case TW_JSON_STEP_CLOSE:
        tree->open = tree->open != NULL ? tree->open->parent : NULL;
        break;
    case TW_JSON_STEP_STRING:
    case TW_JSON_STEP_NUMBER:
        tree->text.size = 0;
        tree->lone_now = 0;
        break;
    case TW_JSON_STEP_STRING_END: end_string(tree); break;
    case TW_JSON_STEP_NUMBER_END: add_text(tree, TW_VALUE_NUMBER); break;
    default:
        add(tree, step->text[0] == 't'   ? TW_VALUE_TRUE
                  : step->text[0] == 'f' ? TW_VALUE_FALSE
                                         : TW_VALUE_NULL);
        break;
    }
}

/* Only blanks may stand behind the value. */
static void read_behind(tw_tree *tree, tw_view *view)
{
    while (view->at < view->limit && tree->error == TW_OK) {
        if (strchr(" \t\r\n", *view->at) == NULL || *view->at == 0) {
            tree->error = TW_ERROR_JSON;
            return;
        }
        view->at++;
    }
}

/* ---- step by step ------------------------------------------------------- */

static void read_view(tw_tree *tree, tw_view *view)
{
    tw_json_step step;
    while (tree->error == TW_OK) {
        if (tw_json_done(&tree->json)) {
            read_behind(tree, view);
            return;
        }
        const bool in_string = tw_json_in_string(&tree->json);
        const bool in_number = tw_json_in_number(&tree->json);
        if (in_string &&
            !tw_json_advance_meaning(&tree->json, view, &tree->text)) {
            tree->error = TW_ERROR_MEMORY;
            return;
        }
        tw_json_next(&tree->json, view, &step);
        if (step.kind == TW_JSON_STEP_MORE || step.kind == TW_JSON_STEP_END) {
            return;
        }
        if (step.kind == TW_JSON_STEP_ERROR || step.kind == TW_JSON_STEP_LT) {
            tree->error = step.kind == TW_JSON_STEP_ERROR && step.code == 0
                              ? TW_ERROR_MEMORY
                              : TW_ERROR_JSON;
            return;
        }
        take(tree, &step, in_string, in_number);
    }
}

int tw_tree_feed(tw_tree *tree, const char *data, size_t size)
{
    const bool held = tree->hold.size > 0;
    if (tree->error == TW_OK && held &&
        !tw_buffer_append(&tree->hold, tree->memory, data, size)) {
        tree->error = TW_ERROR_MEMORY;
    }
    const uint8_t *begin = held ? tree->hold.data : (const uint8_t *)data;
    const size_t all = held ? tree->hold.size : size;
    if (tree->error != TW_OK || all == 0) {
        return tree->error;
    }
    tw_view view = {begin, begin + all, false};
    read_view(tree, &view);
    const size_t used = (size_t)(view.at - begin);
    tree->offset += used;
    if (held) {
        tw_buffer_drop(&tree->hold, used);
    } else if (!tw_buffer_append(&tree->hold, tree->memory, view.at,
                                 all - used)) {
        tree->error = TW_ERROR_MEMORY;
    }
    return tree->error;
}

int tw_tree_end(tw_tree *tree)
{
    static const uint8_t nothing[1] = {0};
    const uint8_t *begin = tree->hold.size > 0 ? tree->hold.data : nothing;
    tw_view view = {begin, begin + tree->hold.size, true};
    read_view(tree, &view);
    tree->offset += (uint64_t)(view.at - begin);
    if (tree->error == TW_OK && tw_json_at_number_end(&tree->json)) {
        add_text(tree, TW_VALUE_NUMBER);
    } else if (tree->error == TW_OK && !tw_json_done(&tree->json)) {
        tree->error = TW_ERROR_JSON;
    }
    return tree->error;
}

int tw_tree_read_plainly(tw_tree *tree, const char *data, size_t size,
                         bool repairs)
{
    begin_more(tree, repairs);
    tw_tree_feed(tree, data, size);
    return tw_tree_end(tree);
}

static int read_text(tw_tree *tree, const char *data, size_t size,
                     bool repairs)
{
    if (tw_tree_read_quickly(tree, data, size) || tree->error != TW_OK) {
        return tree->error;
    }
    return tw_tree_read_plainly(tree, data, size, repairs);
}

int tw_tree_read(tw_tree *tree, const char *data, size_t size, bool repairs)
{
    tw_tree_begin(tree, repairs);
    return read_text(tree, data, size, repairs);
}

int tw_tree_read_more(tw_tree *tree, const char *data, size_t size)
{
    begin_more(tree, false);
    return read_text(tree, data, size, false);
}

int tw_tree_read_inner(tw_tree *tree, const tw_value *string, bool repairs,
                       bool *repaired)
{
    tw_buffer escaped = {0};
    const char *text = string->text;
    size_t size = string->size;
    if (string->lone > 0) { /* halves of surrogate pairs are no UTF-8 */
        if (!tw_json_escape_halves(&escaped, tree->memory, text, size,
                                   false)) {
            tw_buffer_free(&escaped, tree->memory);
            return TW_ERROR_MEMORY;
        }
        text = (const char *)escaped.data;
        size = escaped.size;
    }
    int result = tw_tree_read_more(tree, text, size);
    const bool again = result == TW_ERROR_JSON && repairs;
    if (again) {
        result = tw_tree_read_plainly(tree, text, size, true);
    }
    if (repaired != NULL) {
        *repaired = again;
    }
    tw_buffer_free(&escaped, tree->memory);
    if (result == TW_OK) {
        tree->root->parent = (tw_value *)(uintptr_t)string;
    }
    return result;
}
