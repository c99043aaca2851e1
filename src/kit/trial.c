/* SPDX-License-Identifier: MIT
 *
 * Puts a case whole, cut and byte by byte; a failing one loses message parts,
 * bytes and cuts as long as it goes on failing.
 */
#include "kit/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Byte by byte only what is no longer, and so many tries to make a case
 * smaller, of which few may take the whole patience. */
enum { BYTEWISE = 600, TRIES = 400, HANGS = 6 };

/* What a shell ends with where it cannot run a command. */
enum { NOT_PERMITTED = 126, NOT_FOUND = 127 };

void kit_trial_init(kit_trial *trial, kit_maker *maker, kit_peer *peer,
                    const tw_memory *memory)
{
    memset(trial, 0, sizeof *trial);
    trial->maker = maker;
    trial->peer = peer;
    trial->memory = trial->line.memory = memory;
    tw_tree_init(&trial->first, memory);
    tw_tree_init(&trial->other, memory);
}

void kit_trial_free(kit_trial *trial)
{
    tw_tree_free(&trial->first);
    tw_tree_free(&trial->other);
    tw_buffer_free(&trial->line.out, trial->memory);
    tw_buffer_free(&trial->got, trial->memory);
    tw_buffer_free(&trial->whole, trial->memory);
    tw_buffer_free(&trial->evidence.line, trial->memory);
    tw_buffer_free(&trial->evidence.got, trial->memory);
    tw_buffer_free(&trial->evidence.whole, trial->memory);
}

/* ---- one question ------------------------------------------------------- */

/* The test cannot go on. */
static kit_verdict give_up(kit_trial *trial, const char *why)
{
    trial->failed = true;
    trial->why = trial->why != NULL ? trial->why : why;
    return KIT_FINE;
}

/* No two questions have the same id. */
static void jot_question(kit_trial *trial, const kit_case *one,
                         const size_t *cuts, size_t cut_count)
{
    tw_json_out *line = &trial->line;
    const char *format = tw_format_name(one->format);
    snprintf(trial->id, sizeof trial->id, "%s#%llu", one->id,
             ++trial->questions);
    line->out.size = 0;
    tw_json_put(line, "{\"id\":");
    tw_json_put_string(line, trial->id, strlen(trial->id));
    tw_json_put(line, ",\"format\":");
    tw_json_put_string(line, format, strlen(format));
    kit_jot_start(line, one);
    tw_json_put(line, ",\"chunks\":");
    kit_jot_chunks(line, &one->wire, cuts, cut_count);
    tw_json_put(line, "}\n");
}

static kit_verdict say_end(kit_trial *trial)
{
    const kit_peer *peer = trial->peer;
    const int status = peer->status;
    if (WIFEXITED(status)) {
        snprintf(trial->ended, sizeof trial->ended, "exit code %d",
                 WEXITSTATUS(status));
    } else {
        snprintf(trial->ended, sizeof trial->ended, "signal %d",
                 WTERMSIG(status));
    }
    return WIFEXITED(status) && !peer->answers &&
                   (WEXITSTATUS(status) == NOT_FOUND ||
                    WEXITSTATUS(status) == NOT_PERMITTED)
               ? give_up(trial, "the command cannot be run")
               : KIT_CRASH;
}

static kit_verdict read_answer(kit_trial *trial, const char *text, size_t size,
                               tw_tree *answer)
{
    const int read = tw_tree_read(answer, text, size, false);
    if (read == TW_ERROR_MEMORY) {
        return give_up(trial, "no memory");
    }
    if (read != TW_OK) {
        /* What else it says would be taken for the next answer. */
        kit_peer_restart(trial->peer);
        return KIT_INVALID_JSON;
    }
    const tw_value *id = tw_value_member(answer->root, "id");
    if (trial->peer->says_more ||
        (id != NULL && !tw_value_is(id, trial->id))) {
        return give_up(trial, "each question is answered by one line with "
                              "its id, and by nothing else");
    }
    return kit_is_answer(answer->root) ? KIT_FINE : KIT_PROTOCOL_ERROR;
}

static kit_verdict ask(kit_trial *trial, const kit_case *one,
                       const size_t *cuts, size_t cut_count, tw_tree *answer)
{
    const char *text;
    size_t size;
    jot_question(trial, one, cuts, cut_count);
    const kit_reply reply =
        trial->line.failed
            ? KIT_NO_MEMORY
            : kit_peer_ask(trial->peer, (const char *)trial->line.out.data,
                           trial->line.out.size, &text, &size);
    trial->got.size = 0;
    trial->ended[0] = '\0';
    switch (reply) {
    case KIT_TIMED_OUT: trial->hangs++; return KIT_HANG;
    case KIT_DIED: return say_end(trial);
    case KIT_CANNOT_START: return give_up(trial, "no process can be started");
    case KIT_ANSWERED: break;
    default: return give_up(trial, "no memory");
    }
    if (!tw_buffer_append(&trial->got, trial->memory, text, size)) {
        return give_up(trial, "no memory");
    }
    return read_answer(trial, text, size, answer);
}

static bool keep_bytes(kit_trial *trial, tw_buffer *to, const tw_buffer *from)
{
    to->size = 0;
    return tw_buffer_append(to, trial->memory, from->data, from->size);
}

static kit_verdict ask_whole(kit_trial *trial, const kit_case *one)
{
    const kit_verdict verdict = ask(trial, one, NULL, 0, &trial->first);
    return keep_bytes(trial, &trial->whole, &trial->got)
               ? verdict
               : give_up(trial, "no memory");
}

static kit_verdict ask_cut(kit_trial *trial, const kit_case *one,
                           const size_t *cuts, size_t cut_count)
{
    const kit_verdict verdict =
        ask(trial, one, cuts, cut_count, &trial->other);
    if (verdict != KIT_FINE || trial->failed) {
        return verdict;
    }
    return kit_same_answer(trial->first.root, trial->other.root)
               ? KIT_FINE
               : KIT_SPLIT_VARIANCE;
}

static kit_verdict ask_bytes(kit_trial *trial, const kit_case *one)
{
    const size_t count = one->wire.size > 0 ? one->wire.size - 1 : 0;
    size_t *cuts = malloc((count + 1) * sizeof *cuts);
    if (cuts == NULL) {
        return give_up(trial, "no memory");
    }
    for (size_t i = 0; i < count; i++) {
        cuts[i] = i + 1;
    }
    const kit_verdict verdict = ask_cut(trial, one, cuts, count);
    free(cuts);
    return verdict;
}

kit_verdict kit_try(kit_trial *trial, kit_case *one)
{
    kit_verdict verdict = ask_whole(trial, one);
    if (verdict == KIT_FINE && !trial->failed) {
        verdict = kit_judge(one, trial->first.root, trial->memory);
        if (verdict == KIT_VERDICTS) {
            return give_up(trial, "no memory");
        }
    }
    if (verdict != KIT_FINE || trial->failed) {
        return verdict;
    }
    if (one->cut_count > 0) {
        verdict = ask_cut(trial, one, one->cuts, one->cut_count);
    }
    if (verdict == KIT_FINE && !trial->failed && one->wire.size <= BYTEWISE) {
        verdict = ask_bytes(trial, one);
    }
    return verdict;
}

/* ---- smaller messages --------------------------------------------------- */

/* Is this the part that is to go?  |*left| counts down to it. */
static bool goes(long *left)
{
    return (*left)-- == 0;
}

static void jot_half(tw_json_out *json_out, const tw_value *string)
{
    size_t half = string->size / 2;
    while (half < string->size &&
           ((uint8_t)string->text[half] & 0xC0) == 0x80) {
        half++;
    }
    tw_json_put_string(json_out, string->text, half < string->size ? half : 0);
}

/* An argument's value without a member, an element, or half of a string. */
static void jot_without(tw_json_out *json_out, const tw_value *value,
                        long *left)
{
    const bool object = value->kind == TW_VALUE_OBJECT;
    if (value->kind == TW_VALUE_STRING && value->size > 1 && goes(left)) {
        jot_half(json_out, value);
        return;
    }
    if (!object && value->kind != TW_VALUE_ARRAY) {
        tw_json_put_value(json_out, value);
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

static bool may_go_on(const kit_trial *trial)
{
    return !trial->failed && trial->hangs < HANGS;
}

/* What was found last is what is shown. */
static void keep(kit_trial *trial)
{
    kit_evidence *its = &trial->evidence;
    if (!keep_bytes(trial, &its->line, &trial->line.out) ||
        !keep_bytes(trial, &its->got, &trial->got) ||
        !keep_bytes(trial, &its->whole, &trial->whole)) {
        give_up(trial, "no memory");
    }
    memcpy(its->ended, trial->ended, sizeof its->ended);
}

static bool still(kit_trial *trial, kit_case *smaller, kit_verdict verdict)
{
    const bool same = kit_try(trial, smaller) == verdict && !trial->failed;
    if (same) {
        keep(trial);
    }
    return same;
}

static void swap_buffers(tw_buffer *a, tw_buffer *b)
{
    const tw_buffer kept = *a;
    *a = *b;
    *b = kept;
}

/* One part less, if what is wrong stays; false: there is no such part. */
static bool drop_part(kit_trial *trial, kit_case *one, kit_verdict verdict,
                      long number, bool *dropped)
{
    const tw_memory *memory = trial->memory;
    tw_json_out json_out = {.memory = memory};
    kit_case smaller = *one;
    tw_tree tree;
    long left = number;
    memset(&smaller.wire, 0, sizeof smaller.wire);
    tw_tree_init(&tree, memory);
    *dropped = false;
    const bool read = tw_tree_read(&tree, (const char *)one->message.data,
                                   one->message.size, false) == TW_OK;
    if (read) {
        jot_message_without(&json_out, tree.root, &left);
    }
    smaller.message = json_out.out;
    smaller.cut_count = 0;
    if (!json_out.failed && left < 0 && kit_write(trial->maker, &smaller) &&
        still(trial, &smaller, verdict)) {
        swap_buffers(&one->message, &smaller.message);
        swap_buffers(&one->wire, &smaller.wire);
        one->cut_count = 0;
        *dropped = true;
    }
    if (!read || json_out.failed || trial->maker->failed) {
        give_up(trial, "no memory");
    }
    kit_case_free(&smaller, memory);
    tw_tree_free(&tree);
    return left < 0;
}

static void shrink_message(kit_trial *trial, kit_case *one,
                           kit_verdict verdict)
{
    long number = 0;
    bool dropped;
    for (int tries = TRIES; tries > 0 && may_go_on(trial); tries--) {
        if (!drop_part(trial, one, verdict, number, &dropped)) {
            break;
        }
        number += dropped ? 0 : 1;
    }
}

/* ---- smaller wires ------------------------------------------------------ */

/* The cuts of |one| where they stand without [from, to). */
static void move_cuts(kit_case *smaller, const kit_case *one, size_t from,
                      size_t to)
{
    const size_t size = one->wire.size - (to - from);
    smaller->cut_count = 0;
    for (size_t i = 0; i < one->cut_count; i++) {
        const size_t at = one->cuts[i];
        const size_t its = at <= from ? at : at < to ? from : at - (to - from);
        const size_t last =
            smaller->cut_count > 0 ? smaller->cuts[smaller->cut_count - 1] : 0;
        if (its > last && its < size) {
            smaller->cuts[smaller->cut_count++] = its;
        }
    }
}

static bool drop_bytes(kit_trial *trial, kit_case *one, kit_verdict verdict,
                       size_t from, size_t count)
{
    const size_t to = from + count;
    kit_case smaller = *one;
    memset(&smaller.wire, 0, sizeof smaller.wire);
    smaller.message.size = 0; /* not of this wire */
    move_cuts(&smaller, one, from, to);
    const bool made =
        tw_buffer_append(&smaller.wire, trial->memory, one->wire.data, from) &&
        tw_buffer_append(&smaller.wire, trial->memory, one->wire.data + to,
                         one->wire.size - to);
    const bool good = made && still(trial, &smaller, verdict);
    if (!made) {
        give_up(trial, "no memory");
    }
    if (good) {
        swap_buffers(&one->wire, &smaller.wire);
        memcpy(one->cuts, smaller.cuts, sizeof one->cuts);
        one->cut_count = smaller.cut_count;
        one->message.size = 0;
    }
    tw_buffer_free(&smaller.wire, trial->memory);
    return good;
}

static void shrink_wire(kit_trial *trial, kit_case *one, kit_verdict verdict)
{
    int tries = TRIES;
    for (size_t count = one->wire.size / 2; count > 0; count /= 2) {
        for (size_t from = 0; from + count <= one->wire.size;) {
            if (tries-- == 0 || !may_go_on(trial)) {
                return;
            }
            from += drop_bytes(trial, one, verdict, from, count) ? 0 : count;
        }
    }
}

/* Is the cut at |at| enough?  Then it is the only one. */
static bool cut_once(kit_trial *trial, kit_case *one, size_t at)
{
    if (ask_whole(trial, one) != KIT_FINE || trial->failed ||
        ask_cut(trial, one, &at, 1) != KIT_SPLIT_VARIANCE) {
        return false;
    }
    keep(trial);
    one->cuts[0] = at;
    one->cut_count = 1;
    return true;
}

static void shrink_cuts(kit_trial *trial, kit_case *one)
{
    for (size_t i = 0; i < one->cut_count && may_go_on(trial); i++) {
        if (cut_once(trial, one, one->cuts[i])) {
            return;
        }
    }
    for (size_t at = 1; at < one->wire.size && at <= TRIES && may_go_on(trial);
         at++) {
        if (cut_once(trial, one, at)) {
            return;
        }
    }
}

void kit_shrink(kit_trial *trial, kit_case *one, kit_verdict verdict)
{
    /* These say nothing of what the wire means; any part of it may go. */
    const bool of_wire = verdict == KIT_HANG || verdict == KIT_CRASH ||
                         verdict == KIT_SPLIT_VARIANCE ||
                         verdict == KIT_INVALID_JSON ||
                         verdict == KIT_PROTOCOL_ERROR;
    keep(trial);
    trial->hangs = 0;
    trial->repeats = false;
    if (verdict == KIT_SPLIT_VARIANCE) {
        shrink_cuts(trial, one);
    }
    if (of_wire) {
        shrink_wire(trial, one, verdict);
    } else {
        shrink_message(trial, one, verdict);
    }
    if (verdict == KIT_SPLIT_VARIANCE && one->cut_count == 0) {
        shrink_cuts(trial, one); /* the cut has gone with its place */
    }
    if (!trial->failed) {
        trial->repeats = still(trial, one, verdict);
    }
}
