/* SPDX-License-Identifier: MIT
 *
 * Walks a record of any shape into facts, sorts them, and tells which stand in
 * one record alone.
 */
#include "facts.h"

#include "messages/segments.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/dump.h"

static tw_memory memory_of_facts(void)
{
    return tw_memory_from(NULL);
}

/* ---- lists -------------------------------------------------------------- */

static char *copy_of(const char *data, size_t size)
{
    char *copy = malloc(size + 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, data, size);
    copy[size] = 0;
    return copy;
}

static char *path_of(const tw_value *where)
{
    const tw_memory memory = memory_of_facts();
    tw_buffer path = {0};
    if (!tw_value_path(&path, &memory, where)) {
        abort();
    }
    char *copy =
        copy_of(path.size > 0 ? (const char *)path.data : "", path.size);
    tw_buffer_free(&path, &memory);
    return copy;
}

static void add(facts *to, const tw_value *where, const char *value,
                size_t size, const char *slot)
{
    if (to->count == to->capacity) {
        to->capacity = 2 * to->capacity + 64;
        to->all = realloc(to->all, to->capacity * sizeof *to->all);
        if (to->all == NULL) {
            abort();
        }
    }
    fact *added = &to->all[to->count++];
    added->slot = copy_of(slot, strlen(slot));
    added->value = copy_of(value, size);
    added->path = path_of(where);
}

void add_fact(facts *to, const tw_value *where, const char *value, size_t size,
              const char *slot, ...)
{
    char text[SLOT_SIZE];
    va_list list;
    va_start(list, slot);
    vsnprintf(text, sizeof text, slot, list);
    va_end(list);
    add(to, where, value, size, text);
}

/* ---- values ------------------------------------------------------------- */

bool is_void_value(const tw_value *value)
{
    return value == NULL || value->kind == TW_VALUE_NULL ||
           ((value->kind == TW_VALUE_STRING) && value->size == 0) ||
           ((value->kind == TW_VALUE_ARRAY ||
             value->kind == TW_VALUE_OBJECT) &&
            value->first == NULL);
}

static void add_leaf(facts *to, const tw_value *value, const char *slot)
{
    const tw_memory memory = memory_of_facts();
    tw_buffer text = {0};
    if (!tw_value_dump(&text, &memory, value, &tw_dump_compact)) {
        abort();
    }
    add(to, value, (const char *)text.data, text.size, slot);
    tw_buffer_free(&text, &memory);
}

/* Test records are not deep. */
static void add_below(facts *to, const tw_value *value, const char *slot)
{
    if (value->first == NULL) {
        add_leaf(to, value, slot);
    }
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        char inner[SLOT_SIZE];
        if (value->kind == TW_VALUE_OBJECT) {
            snprintf(inner, sizeof inner, "%s/%.*s", slot, (int)at->key_size,
                     at->key);
        } else {
            snprintf(inner, sizeof inner, "%s/%zu", slot, at->index);
        }
        add_below(to, at, inner);
    }
}

void add_leaves(facts *to, const tw_value *value, const char *slot, ...)
{
    char text[SLOT_SIZE];
    va_list list;
    va_start(list, slot);
    vsnprintf(text, sizeof text, slot, list);
    va_end(list);
    add_below(to, value, text);
}

void add_others(facts *to, const tw_value *object, const char *const *known,
                const char *slot, ...)
{
    char text[SLOT_SIZE - 64];
    va_list list;
    va_start(list, slot);
    vsnprintf(text, sizeof text, slot, list);
    va_end(list);
    for (const tw_value *at = object->first; at != NULL; at = at->next) {
        char inner[SLOT_SIZE];
        if (!tw_value_is_named(at, known) && !is_void_value(at)) {
            snprintf(inner, sizeof inner, "%s/%.*s", text, (int)at->key_size,
                     at->key);
            add_below(to, at, inner);
        }
    }
}

/* Is it one of |some|?  Then that is a fact. */
static bool is_among(facts *to, const paths *some, const tw_value *element,
                     const char *how)
{
    if (some == NULL) {
        return false;
    }
    char *path = path_of(element);
    const bool among = has_path(some, path);
    if (among) {
        add_fact(to, element, "", 0, "%s/%s", how, path);
    }
    free(path);
    return among;
}

bool is_dropped(facts *to, const tw_value *element)
{
    return is_among(to, to->dropped, element, "dropped");
}

bool is_merged(facts *to, const tw_value *message)
{
    return is_among(to, to->merged, message, "merged");
}

typedef struct inner_text {
    tw_tree tree;
    struct inner_text *next;
} inner_text;

const tw_value *json_of(facts *to, const tw_value *value, bool *repaired)
{
    static tw_memory memory;
    if (value == NULL || value->kind != TW_VALUE_STRING) {
        return value;
    }
    memory = memory_of_facts();
    inner_text *text = malloc(sizeof *text);
    if (text == NULL) {
        abort();
    }
    text->next = to->texts;
    to->texts = text;
    tw_tree_init(&text->tree, &memory);
    text->tree.keeps_lone = true;
    tw_tree_begin(&text->tree, false);
    const int result =
        tw_tree_read_inner(&text->tree, value, repaired != NULL, repaired);
    return result == TW_OK ? text->tree.root : NULL;
}

void free_facts(facts *them)
{
    for (size_t i = 0; i < them->count; i++) {
        free(them->all[i].slot);
        free(them->all[i].value);
        free(them->all[i].path);
    }
    free(them->all);
    while (them->texts != NULL) {
        inner_text *next = them->texts->next;
        tw_tree_free(&them->texts->tree);
        free(them->texts);
        them->texts = next;
    }
    memset(them, 0, sizeof *them);
}

/* ---- comparing ---------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const fact *a = left;
    const fact *b = right;
    const int order = strcmp(a->slot, b->slot);
    return order != 0 ? order : strcmp(a->value, b->value);
}

static void sort(const facts *them)
{
    if (them->count > 0) {
        qsort(them->all, them->count, sizeof *them->all, compare);
    }
}

/* Walks through both, which are sorted: reports what only |left| has. */
static void subtract(const facts *left, const facts *right, bool slots,
                     paths *out)
{
    size_t other = 0;
    sort(left);
    sort(right);
    for (size_t i = 0; i < left->count; i++) {
        const fact *at = &left->all[i];
        int order = 1;
        while (other < right->count) {
            const fact *its = &right->all[other];
            order = slots ? strcmp(at->slot, its->slot) : compare(at, its);
            if (order <= 0) {
                break;
            }
            other++;
        }
        if (other == right->count || order != 0) {
            add_path(out, slots ? at->slot : at->path);
        } else {
            other += slots ? 0 : 1;
        }
    }
}

void differing_facts(const facts *left, const facts *right, paths *out)
{
    subtract(left, right, false, out);
}

void added_slots(const facts *left, const facts *right, paths *out)
{
    subtract(right, left, true, out);
}

/* ---- calls -------------------------------------------------------------- */

/* Is it `call_N`, N this number? */
static bool is_counted(const tw_value *id, size_t number)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "call_%zu", number);
    return id->kind == TW_VALUE_STRING && id->size == (size_t)size &&
           memcmp(id->text, text, id->size) == 0;
}

void begin_calls(said *so_far)
{
    so_far->turn = so_far->calls;
}

void call_facts(facts *to, said *so_far, size_t unit, size_t number,
                const tw_value *name, const tw_value *id,
                const tw_value *arguments)
{
    const tw_value *object = json_of(to, arguments, NULL);
    add_fact(to, name, name->text, name->size, "%zu/call/%zu/name", unit,
             number);
    if (!is_void_value(id) && !is_counted(id, number) &&
        !is_counted(id, so_far->calls)) {
        add_leaves(to, id, "%zu/call/%zu/id", unit, number);
    }
    if (!is_void_value(object)) {
        add_leaves(to, object, "%zu/call/%zu/arguments", unit, number);
    }
    so_far->call[so_far->calls] = (passage){
        .id = !is_void_value(id) && id->kind == TW_VALUE_STRING ? id : NULL,
        .name = name};
    so_far->calls++;
}

/* ---- results ------------------------------------------------------------ */

const tw_value *id_fact(const tw_value *object, const char *key)
{
    tw_value *id = (tw_value *)(uintptr_t)tw_value_member(object, key);
    if (tw_value_is_a(id, TW_VALUE_NUMBER)) {
        id->kind = TW_VALUE_STRING;
    }
    return id;
}

void add_result(said *so_far, size_t unit, const tw_value *where,
                const tw_value *id, const tw_value *name)
{
    so_far->result[so_far->results++] =
        (passage){where, id, name, unit, so_far->turn, so_far->calls};
}

static bool is_same(const tw_value *left, const tw_value *right)
{
    return left != NULL && right != NULL && left->kind == TW_VALUE_STRING &&
           right->kind == TW_VALUE_STRING && left->size == right->size &&
           memcmp(left->text, right->text, left->size) == 0;
}

enum { NO_CALL = PASSAGES };

static size_t named_call(const said *all, const passage *result)
{
    for (size_t i = result->calls; i > 0; i--) {
        if (is_same(all->call[i - 1].id, result->id)) {
            return i - 1;
        }
    }
    return NO_CALL;
}

static size_t open_call(const said *all, const passage *result,
                        const tw_value *name, const bool *closed)
{
    for (size_t i = result->turn; i < result->calls; i++) {
        if (!closed[i] && (name == NULL || is_same(all->call[i].name, name))) {
            return i;
        }
    }
    return NO_CALL;
}

void answer_facts(facts *to, const said *all)
{
    bool closed[PASSAGES + 1] = {false};
    for (size_t i = 0; i < all->results; i++) {
        const passage *result = &all->result[i];
        const size_t call = named_call(all, result);
        closed[call] =
            closed[call] || (call != NO_CALL && call >= result->turn);
    }
    for (size_t i = 0; i < all->results; i++) {
        const passage *result = &all->result[i];
        char text[32];
        size_t call = named_call(all, result);
        if (result->id == NULL && !is_void_value(result->name)) {
            call = open_call(all, result, result->name, closed);
        }
        if (result->id == NULL && call == NO_CALL) {
            call = open_call(all, result, NULL, closed);
        }
        closed[call] = call != NO_CALL;
        if (call != NO_CALL) {
            snprintf(text, sizeof text, "%zu", call);
            add_fact(to, result->id != NULL ? result->id : result->where, text,
                     strlen(text), "%zu/answers", result->unit);
        } else if (result->id != NULL) {
            add_leaves(to, result->id, "%zu/answers", result->unit);
        } else {
            add_fact(to, result->where, "", 0, "%zu/answers", result->unit);
        }
    }
}

/* ---- tools -------------------------------------------------------------- */

/* A schema of no properties is none. */
static bool is_no_schema(const tw_value *schema)
{
    const tw_value *properties = tw_value_member(schema, "properties");
    return is_void_value(schema) ||
           (tw_value_is(tw_value_member(schema, "type"), "object") &&
            properties != NULL && properties->first == NULL &&
            schema->last->index == 1);
}

void function_facts(facts *to, size_t number, const tw_value *function,
                    const char *schema, bool strict)
{
    const char *const known[] = {"type", schema, NULL};
    const tw_value *parameters = tw_value_member(function, schema);
    if (!is_no_schema(parameters)) {
        add_leaves(to, parameters, "tool/%zu/parameters", number);
    }
    add_others(to, function, known, "tool/%zu", number);
    const tw_value *at = strict ? function->first : NULL;
    for (; at != NULL; at = at->next) {
        if (!tw_value_is_named(at, known) && is_void_value(at)) {
            add_leaves(to, at, "tool/%zu/%.*s", number, (int)at->key_size,
                       at->key);
        }
    }
}

void tool_facts(facts *to, const tw_value *tools)
{
    static const char *const wrapper[] = {"type", "function", NULL};
    size_t number = 0;
    if (is_void_value(tools) || tools->kind != TW_VALUE_ARRAY) {
        return;
    }
    for (const tw_value *at = tools->first; at != NULL; at = at->next) {
        const tw_value *function = tw_value_member(at, "function");
        if (is_dropped(to, at)) {
            continue;
        }
        function_facts(to, number, function != NULL ? function : at,
                       "parameters", true);
        if (function != NULL) {
            add_others(to, at, wrapper, "tool/%zu/wrapper", number);
        }
        number++;
    }
}

void facts_of(facts *to, const char *shape, const tw_value *record)
{
    if (strcmp(shape, "openai") == 0) {
        openai_facts(to, record);
    } else if (strcmp(shape, "anthropic") == 0) {
        anthropic_facts(to, record);
    } else {
        sharegpt_facts(to, record);
    }
}
