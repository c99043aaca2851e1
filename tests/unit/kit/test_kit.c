/* SPDX-License-Identifier: MIT
 *
 * The kit where memory fails: each allocation of a case that is made, put to a
 * parser with a flaw, judged and made smaller: what is found is the same, or
 * it is told.  How small it gets is not compared, which is by the clock.  And
 * what the kit makes of calls with free text.
 */
#include <criterion/criterion.h>

#include "allocator.h"
#include "kit/ask/shrink.h"
#include "kit/judge.h"

typedef struct bench {
    tw_memory memory;
    kit_maker maker;
    kit_peer peer;
    kit_trial trial;
    kit_case one;
} bench;

/* Longer than any machine stands still; milliseconds. */
enum { PATIENCE = 10 * 60 * 1000 };

/* Is the case of |kind| wrong with such a parser?  It is made smaller, too. */
static bool is_wrong(bench *its, kit_class kind)
{
    size_t number;
    if (!kit_make(&its->maker, &its->one, kind, 2)) {
        return false;
    }
    if (kind == KIT_LONG) { /* by the clock: whatever it finds */
        kit_try_times(&its->trial, 1);
        return false;
    }
    if (!kit_try(&its->trial, &its->one)) {
        return false;
    }
    const kit_finding finding = its->trial.findings.all[0];
    kit_shrink(&its->trial, &its->one, &finding, &number);
    return true;
}

/* False: it was told that memory failed. */
static bool run(test_memory *memory, const char *flaw, kit_class kind,
                bool *wrong)
{
    const tw_allocator allocator = test_allocator(memory);
    const tw_format *format = tw_format_find("hermes");
    bench its = {.memory = tw_memory_from(&allocator)};
    *wrong = false;
    kit_peer_init(&its.peer, flaw, PATIENCE, &its.memory);
    kit_case_init(&its.one);
    bool good = kit_maker_init(&its.maker, &its.memory, format, 1);
    kit_trial_init(&its.trial, &its.maker, &its.peer, &its.memory);
    if (good) {
        *wrong = is_wrong(&its, kind);
        good = !its.maker.failed && !its.trial.failed;
    }
    cr_assert(!its.trial.failed || strcmp(its.trial.why, "no memory") == 0);
    kit_case_free(&its.one, &its.memory);
    kit_trial_free(&its.trial);
    kit_peer_free(&its.peer);
    kit_maker_free(&its.maker);
    cr_assert_eq(memory->live, 0);
    return good;
}

/* Of more allocations than these, one in so many fails. */
enum { EACH = 200 / TESTS_SHARE };

static void fail_in_turn(const char *flaw, kit_class kind)
{
    test_memory memory = {0};
    bool wrong;
    cr_assert(run(&memory, flaw, kind, &wrong));
    cr_expect(wrong || kind == KIT_LONG, "%s %s", flaw, kit_class_name(kind));
    const size_t step = memory.count / EACH + 1;
    for (size_t at = 1; at <= memory.count; at += step) {
        test_memory failing = {.fail_at = at, .for_ever = at / step % 2 == 0};
        bool still;
        if (run(&failing, flaw, kind, &still)) {
            cr_expect(still == wrong, "%s %s: %zu", flaw, kit_class_name(kind),
                      at);
        }
    }
}

Test(kit, memory_that_fails)
{
    for (int kind = 0; kind < KIT_CLASSES; kind++) {
        fail_in_turn("cuts", (kit_class)kind);
        fail_in_turn("ends", (kit_class)kind);
    }
}

/* ---- calls with free text ----------------------------------------------- */

#define FUNCTION \
    "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":"
#define CODE(text)                                                    \
    "{\"message\":{\"tool_calls\":[{\"type\":\"custom\",\"custom\":{" \
    "\"name\":\"code\",\"input\":\"" text "\"}}]}}"

static kit_verdict found_in(const kit_findings *findings)
{
    return findings->count > 0 ? findings->all[0].verdict : KIT_FINE;
}

/* Free text is no JSON, and nobody's who made no such call; where a call's
 * name is damaged a format may say that all is free text. */
Test(kit, free_text)
{
    static const char made[] = "{\"tool_calls\":[" FUNCTION "{}}}]}";
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree code, other, function;
    tw_buffer message = {0};
    const kit_due due = {0};
    kit_findings none = {0}, forged = {0}, broken = {0}, cut = {0};
    tw_tree *const trees[] = {&code, &other, &function};
    const char *const texts[] = {CODE("1+"), CODE("1-"),
                                 "{\"message\":{\"tool_calls\":[" FUNCTION
                                 "\"1+\"}}]}}"};
    for (size_t i = 0; i < 3; i++) {
        tw_tree_init(trees[i], &memory);
        cr_assert_eq(tw_tree_read(trees[i], texts[i], strlen(texts[i]), false),
                     TW_OK);
    }
    cr_assert(tw_buffer_append(&message, &memory, made, sizeof made - 1));
    cr_assert(
        kit_judge(&none, KIT_NO_FORGERY, &due, &message, code.root, &memory));
    cr_expect_eq(found_in(&none), KIT_FINE);
    cr_assert(
        kit_judge(&forged, KIT_EXACT, &due, &message, code.root, &memory));
    cr_expect_eq(found_in(&forged), KIT_FORGED_CALL);
    cr_assert(kit_judge(&broken, KIT_NO_FORGERY, &due, &message, function.root,
                        &memory));
    cr_expect_eq(found_in(&broken), KIT_INVALID_JSON);
    kit_compare(&cut, code.root, other.root);
    cr_expect_eq(found_in(&cut), KIT_SPLIT_VARIANCE);
    tw_buffer_free(&message, &memory);
    for (size_t i = 0; i < 3; i++) {
        tw_tree_free(trees[i]);
    }
}
