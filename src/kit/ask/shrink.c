/* SPDX-License-Identifier: MIT
 *
 * The message loses parts and is written again, so that the case stays one of
 * its class; wires lose bytes only where nothing is said of their meaning.
 */
#define _POSIX_C_SOURCE 200809L

#include "kit/ask/shrink.h"

#include <string.h>
#include <time.h>

/* How many tries and seconds a smaller case is worth, and how many of the
 * tries may take the whole patience. */
enum { TRIES = 400, SECONDS = 20, HANGS = 6 };

typedef struct shrinker {
    kit_trial *trial;
    const kit_finding *wanted;
    int64_t end; /* when it is time to stop, seconds */
    int tries;
} shrinker;

/* ---- smaller messages --------------------------------------------------- */

/* Is this the part that is to go?  |*left| counts down to it. */
static bool goes(long *left)
{
    return (*left)-- == 0;
}

/* The first half of a string, or its second. */
static void jot_half(tw_json_out *json_out, const tw_value *string,
                     bool second)
{
    size_t half = string->size / 2;
    while (half < string->size &&
           ((uint8_t)string->text[half] & 0xC0) == 0x80) {
        half++;
    }
    half = half < string->size ? half : 0;
    tw_json_put_string(json_out, string->text + (second ? half : 0),
                       second ? string->size - half : half);
}

/* An argument's value without a member, an element, or half of a string. */
static void jot_without(tw_json_out *json_out, const tw_value *value,
                        long *left)
{
    const bool object = value->kind == TW_VALUE_OBJECT;
    if (value->kind == TW_VALUE_STRING && value->size > 1) {
        const bool first_half = goes(left);
        if (first_half || goes(left)) {
            jot_half(json_out, value, !first_half);
            return;
        }
    }
    if (!object && value->kind != TW_VALUE_ARRAY) {
        tw_json_put_value(json_out, value);
        return;
    }
    /* One level less. */
    if (!object && value->first != NULL && value->first->next == NULL &&
        value->first->kind == TW_VALUE_ARRAY && goes(left)) {
        jot_without(json_out, value->first, left);
        return;
    }
    bool first = true;
    tw_json_put(json_out, object ? "{" : "[");
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        if (goes(left)) {
            continue;
        }
        tw_json_put(json_out, first ? "" : ",");
        first = false;
        if (object) {
            tw_json_put_string(json_out, at->key, at->key_size);
            tw_json_put(json_out, ":");
        }
        jot_without(json_out, at, left);
    }
    tw_json_put(json_out, object ? "}" : "]");
}

/* Formats without ids carry those that count from 0. */
static void jot_call_without(tw_json_out *json_out, const tw_value *call,
                             uint64_t number, long *left)
{
    const tw_value *function = tw_value_member(call, "function");
    tw_json_put(json_out, "{\"id\":\"call_");
    tw_json_put_number(json_out, number);
    tw_json_put(json_out, "\",\"type\":\"function\",\"function\":{\"name\":");
    tw_json_put_value(json_out, tw_value_member(function, "name"));
    tw_json_put(json_out, ",\"arguments\":");
    jot_without(json_out, tw_value_member(function, "arguments"), left);
    tw_json_put(json_out, "}}");
}

/* One of kit_jot_message()'s without a part of a text, a call, or a part of
 * one's arguments: it stays a message. */
static void jot_message_without(tw_json_out *json_out, const tw_value *message,
                                long *left)
{
    const tw_value *content = tw_value_member(message, "content");
    const tw_value *reasoning = tw_value_member(message, "reasoning_content");
    const tw_value *calls = tw_value_member(message, "tool_calls");
    tw_json_put(json_out, "{\"role\":\"assistant\",\"content\":");
    if (content->kind == TW_VALUE_STRING && goes(left)) {
        tw_json_put(json_out, "null");
    } else {
        jot_without(json_out, content, left);
    }
    if (reasoning != NULL && !goes(left)) {
        tw_json_put(json_out, ",\"reasoning_content\":");
        jot_without(json_out, reasoning, left);
    }
    uint64_t count = 0;
    for (const tw_value *at = calls != NULL ? calls->first : NULL; at != NULL;
         at = at->next) {
        if (!goes(left)) {
            tw_json_put(json_out, count == 0 ? ",\"tool_calls\":[" : ",");
            jot_call_without(json_out, at, count++, left);
        }
    }
    tw_json_put(json_out, count == 0 ? "}" : "]}");
}

/* ---- trying ------------------------------------------------------------- */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec;
}

static bool may_go_on(const shrinker *its)
{
    return !its->trial->failed && its->trial->hangs < HANGS &&
           its->tries < TRIES && now() <= its->end;
}

static bool still(shrinker *its, kit_case *smaller)
{
    its->tries++;
    return kit_try(its->trial, smaller) && !its->trial->failed &&
           kit_has_found(&its->trial->findings, its->wanted);
}

static void swap_buffers(tw_buffer *a, tw_buffer *b)
{
    const tw_buffer kept = *a;
    *a = *b;
    *b = kept;
}

/* One part less, if what is wrong stays; false: there is no such part. */
static bool drop_part(shrinker *its, kit_case *one, long number, bool *dropped)
{
    kit_trial *trial = its->trial;
    const tw_memory *memory = trial->memory;
    tw_json_out json_out = {.memory = memory};
    kit_case smaller = *one;
    tw_tree tree;
    long left = number;
    memset(&smaller.its.wire, 0, sizeof smaller.its.wire);
    memset(&smaller.its.due, 0, sizeof smaller.its.due);
    tw_tree_init(&tree, memory);
    *dropped = false;
    const bool read = tw_tree_read(&tree, (const char *)one->its.message.data,
                                   one->its.message.size, false) == TW_OK;
    if (read) {
        jot_message_without(&json_out, tree.root, &left);
    }
    smaller.its.message = json_out.out;
    smaller.cut_count = 0;
    if (!json_out.failed && left < 0 && kit_write(trial->maker, &smaller) &&
        still(its, &smaller)) {
        swap_buffers(&one->its.message, &smaller.its.message);
        kit_wire_swap(&one->its.wire, &smaller.its.wire);
        const kit_due due = one->its.due;
        one->its.due = smaller.its.due;
        smaller.its.due = due;
        one->its.inside = smaller.its.inside;
        one->cut_count = 0;
        *dropped = true;
    }
    if (!read || json_out.failed || trial->maker->failed) {
        kit_give_up(trial, "no memory");
    }
    tw_buffer_free(&smaller.its.message, memory);
    tw_buffer_free(&smaller.its.due.spoken, memory);
    kit_wire_free(&smaller.its.wire, memory);
    tw_tree_free(&tree);
    return left < 0;
}

static void shrink_message(shrinker *its, kit_case *one)
{
    long number = 0;
    bool dropped;
    while (may_go_on(its) && drop_part(its, one, number, &dropped)) {
        number += dropped ? 0 : 1;
    }
}

/* Without the slip, or another output beside it, it is a case of another
 * class: then that is not the cause. */
static void shrink_class(shrinker *its, kit_case *one)
{
    kit_case smaller = *one;
    memset(&smaller.its.wire, 0, sizeof smaller.its.wire);
    smaller.kind = KIT_LEGAL;
    smaller.slip = NULL;
    smaller.cut_count = 0;
    if ((one->kind == KIT_REUSE || one->kind == KIT_INTERLEAVED ||
         one->kind == KIT_TYPO) &&
        kit_write(its->trial->maker, &smaller) && still(its, &smaller)) {
        kit_wire_swap(&one->its.wire, &smaller.its.wire);
        one->its.inside = smaller.its.inside;
        one->kind = KIT_LEGAL;
        one->slip = NULL;
        one->cut_count = 0;
    }
    kit_wire_free(&smaller.its.wire, its->trial->memory);
}

/* ---- smaller wires ------------------------------------------------------ */

static bool drop_bytes(shrinker *its, kit_case *one, size_t from, size_t count)
{
    const tw_memory *memory = its->trial->memory;
    kit_case smaller = *one;
    memset(&smaller.its.wire, 0, sizeof smaller.its.wire);
    smaller.its.message.size = 0; /* not of this wire */
    smaller.cut_count = 0;
    const bool made =
        kit_wire_append_part(&smaller.its.wire, memory, &one->its.wire, 0,
                             from) &&
        kit_wire_append_part(&smaller.its.wire, memory, &one->its.wire,
                             from + count, one->its.wire.bytes.size);
    const bool good = made && still(its, &smaller);
    if (!made) {
        kit_give_up(its->trial, "no memory");
    }
    if (good) {
        kit_wire_swap(&one->its.wire, &smaller.its.wire);
        one->cut_count = 0;
        one->its.message.size = 0;
    }
    kit_wire_free(&smaller.its.wire, memory);
    return good;
}

static void shrink_wire(shrinker *its, kit_case *one)
{
    its->tries = 0;
    for (size_t count = one->its.wire.bytes.size; count > 0; count /= 2) {
        for (size_t from = 0; from + count <= one->its.wire.bytes.size;) {
            if (!may_go_on(its)) {
                return;
            }
            from += drop_bytes(its, one, from, count) ? 0 : count;
        }
    }
}

/* One cut that is enough is the only one. */
static void shrink_cuts(shrinker *its, kit_case *one)
{
    its->tries = 0;
    for (size_t at = 1; at < one->its.wire.bytes.size && may_go_on(its);
         at++) {
        its->tries++;
        if (kit_try_cut(its->trial, one, at) &&
            kit_has_found(&its->trial->findings, its->wanted)) {
            one->cuts[0] = at;
            one->cut_count = 1;
            return;
        }
    }
}

/* ---- all of it ---------------------------------------------------------- */

static bool find_again(kit_trial *trial, const kit_finding *wanted,
                       size_t *number)
{
    size_t i = 0;
    while (i < trial->findings.count &&
           (trial->findings.all[i].verdict != wanted->verdict ||
            strcmp(trial->findings.all[i].what, wanted->what) != 0)) {
        i++;
    }
    *number = i;
    return i < trial->findings.count && !trial->failed;
}

bool kit_shrink(kit_trial *trial, kit_case *one, const kit_finding *finding,
                size_t *number)
{
    /* The trial's findings change. */
    const kit_finding wanted = *finding;
    shrinker its = {trial, &wanted, now() + SECONDS, 0};
    const bool no_answer = wanted.verdict == KIT_HANG ||
                           wanted.verdict == KIT_CRASH ||
                           wanted.verdict == KIT_PROTOCOL_ERROR ||
                           (wanted.verdict == KIT_INVALID_JSON &&
                            strcmp(wanted.what, "the line") == 0);
    trial->hangs = 0;
    trial->hasty = true;
    shrink_class(&its, one);
    if (one->its.message.size > 0) {
        shrink_message(&its, one);
    }
    if (no_answer) {
        shrink_wire(&its, one);
    }
    trial->hasty = false;
    /* What is shown is what happened last. */
    if (wanted.verdict == KIT_SPLIT_VARIANCE && !trial->failed) {
        shrink_cuts(&its, one);
        if (one->cut_count == 1 && find_again(trial, &wanted, number)) {
            return true;
        }
    }
    if (!trial->failed) {
        kit_try(trial, one);
    }
    return find_again(trial, &wanted, number);
}
