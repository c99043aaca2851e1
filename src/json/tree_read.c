/* SPDX-License-Identifier: MIT
 *
 * A tree made of the machine's steps, from text that comes in pieces; whole
 * texts go to tree_quick.c first.
 */
#include "json/tree.h"

#include <string.h>

#include "core/ascii.h"
#include "core/sort.h"
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
    const size_t size = tw_json_utf8(
        tree->keeps_lone ? tw_json_hex_value((const uint8_t *)spelling + 2)
                         : 0xFFFD,
        half);
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

const tw_value *tw_value_find(const tw_value *object, uint64_t mark,
                              const char *key, size_t key_size)
{
    if (object == NULL || (object->marks & mark) == 0) {
        return NULL;
    }
    const tw_value *found = NULL;
    const char first = key_size > 0 ? key[0] : 0;
    for (const tw_value *member = object->first; member != NULL;
         member = member->next) {
        if (member->key_size == key_size && member->key[0] == first &&
            memcmp(member->key, key, key_size) == 0) {
            found = member;
        }
    }
    return found;
}

/* ---- order -------------------------------------------------------------- */

static bool is_before(const void *context, const void *left, const void *right)
{
    const tw_value *const *one = left;
    const tw_value *const *other = right;
    const size_t size = (*one)->key_size;
    const size_t other_size = (*other)->key_size;
    const size_t least = size < other_size ? size : other_size;
    const int order =
        least > 0 ? memcmp((*one)->key, (*other)->key, least) : 0;
    (void)context;
    return order < 0 || (order == 0 && size < other_size);
}

static bool is_sorted(const tw_value *object)
{
    const tw_value *at = object->first;
    while (at->next != NULL && !is_before(NULL, &at->next, &at)) {
        at = at->next;
    }
    return at->next == NULL;
}

/* |members| has room for them twice. */
static void link_sorted(tw_value *object, tw_value **members, size_t count)
{
    tw_sort_items(members, members + count, count, sizeof *members, is_before,
                  NULL);
    for (size_t i = 0; i < count; i++) {
        members[i]->next = i + 1 < count ? members[i + 1] : NULL;
    }
    object->first = members[0];
    object->last = members[count - 1];
}

static bool sort_members(tw_value *object, const tw_memory *memory)
{
    tw_buffer members = {0};
    bool good = true;
    for (tw_value *at = object->first; at != NULL && good; at = at->next) {
        good = tw_buffer_append(&members, memory, &at, sizeof at);
    }
    good = good && tw_buffer_reserve(&members, memory, members.size);
    if (good) {
        link_sorted(object, (tw_value **)(void *)members.data,
                    members.size / sizeof(tw_value *));
    }
    tw_buffer_free(&members, memory);
    return good;
}

bool tw_value_sort(const tw_value *value, const tw_memory *memory, bool *moved)
{
    const tw_value *at = value;
    *moved = false;
    for (;;) {
        if (at->kind == TW_VALUE_OBJECT && at->first != NULL &&
            !is_sorted(at)) {
            *moved = true;
            if (!sort_members(at->first->parent, memory)) {
                return false;
            }
        }
        if (at->first != NULL) {
            at = at->first;
            continue;
        }
        while (at != value && at->next == NULL) {
            at = at->parent;
        }
        if (at == value) {
            return true;
        }
        at = at->next;
    }
}

const tw_value *tw_value_at(const tw_value *value, const char *path,
                            size_t size)
{
    while (value != NULL) {
        const char *dot = memchr(path, '.', size);
        const size_t part = dot != NULL ? (size_t)(dot - path) : size;
        value = tw_value_member_sized(value, path, part);
        if (dot == NULL) {
            break;
        }
        path += part + 1;
        size -= part + 1;
    }
    return value;
}

/* The element of a list whose number |part| is; NULL: there is none. */
static const tw_value *element(const tw_value *list, const char *part,
                               size_t size)
{
    const tw_value *at = size > 0 && size < 10 ? list->first : NULL;
    size_t number = 0;
    for (size_t i = 0; i < size && at != NULL; i++) {
        at = tw_is_digit(part[i]) ? at : NULL;
        number = 10 * number + (size_t)(part[i] - '0');
    }
    while (at != NULL && at->index < number) {
        at = at->next;
    }
    return at;
}

const tw_value *tw_value_part(const tw_value *value, const char *part,
                              size_t size)
{
    return value->kind == TW_VALUE_ARRAY
               ? element(value, part, size)
               : tw_value_member_sized(value, part, size);
}

const tw_value *tw_value_reach(const tw_value *value, const char *path,
                               const tw_value **deepest)
{
    const tw_value *last = value;
    for (bool more = true; more && value != NULL;) {
        const size_t size = strcspn(path, ".");
        last = value;
        value = tw_value_part(value, path, size);
        more = path[size] != '\0';
        path += size + (more ? 1 : 0);
    }
    if (deepest != NULL) {
        *deepest = value != NULL ? value : last;
    }
    return value;
}
