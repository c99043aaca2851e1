/* SPDX-License-Identifier: MIT */
#include "kit/trial.h"

#include <stdlib.h>
#include <string.h>

/* Byte by byte only what is no longer, and so many tries to make a case
 * smaller (few where each takes the whole patience). */
enum { BYTEWISE = 600, TRIES = 400, SLOW_TRIES = 6 };

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
}

/* ---- one question ------------------------------------------------------- */

static void jot_question(kit_trial *trial, const kit_case *one,
                         const size_t *cuts, size_t cut_count)
{
    tw_jotter *line = &trial->line;
    const char *format = tw_format_name(one->format);
    line->out.size = 0;
    tw_jot(line, "{\"id\":");
    tw_jot_string(line, one->id, strlen(one->id));
    tw_jot(line, ",\"format\":");
    tw_jot_string(line, format, strlen(format));
    tw_jot(line, ",\"chunks\":");
    kit_jot_chunks(line, &one->wire, cuts, cut_count);
    tw_jot(line, "}\n");
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
    switch (reply) {
    case KIT_TIMED_OUT: return KIT_HANG;
    case KIT_DIED: return KIT_CRASH;
    case KIT_ANSWERED: break;
    default: trial->failed = true; return KIT_FINE;
    }
    if (!tw_buffer_append(&trial->got, trial->memory, text, size)) {
        trial->failed = true;
        return KIT_FINE;
    }
    const int read = tw_tree_read(answer, text, size, false);
    trial->failed |= read == TW_ERROR_MEMORY;
    return read == TW_OK || trial->failed ? KIT_FINE : KIT_INVALID_JSON;
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
        trial->failed = true;
        return KIT_FINE;
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
    kit_verdict verdict = ask(trial, one, NULL, 0, &trial->first);
    if (verdict == KIT_FINE && !trial->failed) {
        verdict = kit_judge(one, trial->first.root, trial->memory);
        trial->failed |= verdict == KIT_VERDICTS;
    }
    if (verdict == KIT_FINE && !trial->failed && one->cut_count > 0) {
        verdict = ask_cut(trial, one, one->cuts, one->cut_count);
    }
    if (verdict == KIT_FINE && !trial->failed && one->wire.size <= BYTEWISE) {
        verdict = ask_bytes(trial, one);
    }
    return verdict;
}

/* ---- smaller messages --------------------------------------------------- */

/* Jots |value| without the part whose number |*left| counts down to: a call,
 * a member, an element, or half of a string. */
static void jot_without(tw_jotter *jotter, const tw_value *value, long *left)
{
    const bool object = value->kind == TW_VALUE_OBJECT;
    if (value->kind == TW_VALUE_STRING && value->size > 1 && (*left)-- == 0) {
        size_t half = value->size / 2;
        while (half < value->size &&
               ((uint8_t)value->text[half] & 0xC0) == 0x80) {
            half++;
        }
        tw_jot_string(jotter, value->text, half < value->size ? half : 0);
        return;
    }
    if (!object && value->kind != TW_VALUE_ARRAY) {
        tw_jot_value(jotter, value);
        return;
    }
    bool first = true;
    tw_jot(jotter, object ? "{" : "[");
    for (const tw_value *at = value->first; at != NULL; at = at->next) {
        if ((*left)-- == 0) {
            continue;
        }
        tw_jot(jotter, first ? "" : ",");
        first = false;
        if (object) {
            tw_jot_string(jotter, at->key, at->key_size);
            tw_jot(jotter, ":");
        }
        jot_without(jotter, at, left);
    }
    tw_jot(jotter, object ? "}" : "]");
}

static bool still(kit_trial *trial, kit_case *smaller, kit_verdict verdict)
{
    return kit_try(trial, smaller) == verdict && !trial->failed;
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
    tw_jotter jotter = {.memory = memory};
    kit_case smaller = *one;
    tw_tree tree;
    long left = number;
    memset(&smaller.wire, 0, sizeof smaller.wire);
    tw_tree_init(&tree, memory);
    *dropped = false;
    const bool read = tw_tree_read(&tree, (const char *)one->message.data,
                                   one->message.size, false) == TW_OK;
    if (read) {
        jot_without(&jotter, tree.root, &left);
    }
    smaller.message = jotter.out;
    smaller.cut_count = 0;
    if (!jotter.failed && left < 0 && kit_write(trial->maker, &smaller) &&
        still(trial, &smaller, verdict)) {
        swap_buffers(&one->message, &smaller.message);
        swap_buffers(&one->wire, &smaller.wire);
        one->cut_count = 0;
        *dropped = true;
    }
    trial->failed |= !read || jotter.failed || trial->maker->failed;
    kit_case_free(&smaller, memory);
    tw_tree_free(&tree);
    return left < 0;
}

static void shrink_message(kit_trial *trial, kit_case *one,
                           kit_verdict verdict)
{
    long number = 0;
    bool dropped;
    for (int tries = TRIES; tries > 0 && !trial->failed; tries--) {
        if (!drop_part(trial, one, verdict, number, &dropped)) {
            break;
        }
        number += dropped ? 0 : 1;
    }
}

/* ---- smaller wires ------------------------------------------------------ */

static bool drop_bytes(kit_trial *trial, kit_case *one, kit_verdict verdict,
                       size_t from, size_t count)
{
    kit_case smaller = *one;
    memset(&smaller.wire, 0, sizeof smaller.wire);
    smaller.cut_count = 0;
    const size_t to = from + count;
    const bool made =
        tw_buffer_append(&smaller.wire, trial->memory, one->wire.data, from) &&
        tw_buffer_append(&smaller.wire, trial->memory, one->wire.data + to,
                         one->wire.size - to);
    const bool good = made && still(trial, &smaller, verdict);
    trial->failed |= !made;
    if (good) {
        swap_buffers(&one->wire, &smaller.wire);
        one->cut_count = 0;
    }
    tw_buffer_free(&smaller.wire, trial->memory);
    return good;
}

static void shrink_wire(kit_trial *trial, kit_case *one, kit_verdict verdict)
{
    int tries = verdict == KIT_HANG ? SLOW_TRIES : TRIES;
    for (size_t count = one->wire.size / 2; count > 0; count /= 2) {
        for (size_t from = 0; from + count <= one->wire.size;) {
            if (tries-- == 0 || trial->failed) {
                return;
            }
            from += drop_bytes(trial, one, verdict, from, count) ? 0 : count;
        }
    }
}

void kit_shrink(kit_trial *trial, kit_case *one, kit_verdict verdict)
{
    /* These say nothing of what the wire means; any part of it may go. */
    const bool of_wire = verdict == KIT_HANG || verdict == KIT_CRASH ||
                         verdict == KIT_SPLIT_VARIANCE ||
                         verdict == KIT_INVALID_JSON;
    const bool as_written = one->kind == KIT_LEGAL || one->kind == KIT_RARE ||
                            one->kind == KIT_DEPTH;
    if (of_wire) {
        shrink_wire(trial, one, verdict);
    } else if (as_written) {
        shrink_message(trial, one, verdict);
    }
    if (!trial->failed) {
        kit_try(trial, one); /* |got| is the answer to what is left */
    }
}
