/* SPDX-License-Identifier: MIT
 *
 * Compares a parser's answer with the message a case was made of, and says
 * what of it differs: text, reasoning, calls, their names and arguments.
 */
#include "kit/judge.h"

#include <stdio.h>
#include <string.h>

#include "kit/values.h"

static const char *const names[KIT_VERDICTS] = {"fine",
                                                "refused",
                                                "hang",
                                                "crash",
                                                "split_variance",
                                                "lost_bytes",
                                                "forged_call",
                                                "wrong_arguments",
                                                "invalid_json",
                                                "protocol_error",
                                                "wrong_id",
                                                "wrong_finish",
                                                "slow"};

const char *kit_verdict_name(kit_verdict verdict)
{
    return names[verdict];
}

kit_verdict kit_verdict_find(const char *name, size_t size)
{
    int verdict = 0;
    while (verdict < KIT_VERDICTS &&
           (strlen(names[verdict]) != size ||
            memcmp(names[verdict], name, size) != 0)) {
        verdict++;
    }
    return (kit_verdict)verdict;
}

/* ---- findings ----------------------------------------------------------- */

bool kit_has_found(const kit_findings *findings, const kit_finding *one)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->all[i].verdict == one->verdict &&
            strcmp(findings->all[i].what, one->what) == 0) {
            return true;
        }
    }
    return false;
}

void kit_find(kit_findings *findings, kit_verdict verdict, const char *part,
              const char *what)
{
    kit_finding one = {.verdict = verdict};
    snprintf(one.what, sizeof one.what, "%s%s%s", part,
             part[0] != '\0' && what[0] != '\0' ? ": " : "", what);
    if (findings->count < KIT_FOUND && !kit_has_found(findings, &one)) {
        findings->all[findings->count++] = one;
    }
}

/* ---- messages ----------------------------------------------------------- */

static kit_span content_of(const tw_value *message)
{
    return kit_span_of(tw_value_member(message, "content"));
}

/* Servers have two names for it. */
static kit_span reasoning_of(const tw_value *message)
{
    const kit_span text =
        kit_span_of(tw_value_member(message, "reasoning_content"));
    return text.size > 0 ? text
                         : kit_span_of(tw_value_member(message, "reasoning"));
}

static size_t count_calls(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    return calls != NULL ? tw_value_length(calls) : 0;
}

static const tw_value *first_call(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    return tw_value_is_a(calls, TW_VALUE_ARRAY) ? calls->first : NULL;
}

static const tw_value *part(const tw_value *call, const char *key)
{
    const tw_value *function = tw_value_member(call, "function");
    const tw_value *custom = tw_value_member(call, "custom");
    return tw_value_member(function != NULL ? function
                           : custom != NULL ? custom
                                            : call,
                           key);
}

static bool same_name(const tw_value *a, const tw_value *b)
{
    const tw_value *x = part(a, "name");
    const tw_value *y = part(b, "name");
    return x != NULL && y != NULL && x->kind == TW_VALUE_STRING &&
           y->kind == TW_VALUE_STRING && x->size == y->size &&
           memcmp(x->text, y->text, x->size) == 0;
}

static bool is_made_by(const tw_value *call, const tw_value *first)
{
    for (; first != NULL; first = first->next) {
        if (same_name(call, first)) {
            return true;
        }
    }
    return false;
}

/* The arguments may be an object or its text, which judge_json() read before:
 * only memory may fail.  |*differ|: in words; empty: they are right. */
static bool compare_arguments(const tw_value *wanted, const tw_value *given,
                              const tw_memory *memory, char *differ,
                              size_t room)
{
    tw_tree tree;
    bool good = true;
    differ[0] = '\0';
    if (given == NULL) {
        snprintf(differ, room, "missing");
        return true;
    }
    tw_tree_init(&tree, memory);
    if (given->kind == TW_VALUE_STRING) {
        good = tw_tree_read(&tree, given->text, given->size, false) == TW_OK;
        given = tree.root;
    }
    if (good && !kit_same_value(wanted, given)) {
        kit_value_differs(wanted, given, differ, room);
    }
    tw_tree_free(&tree);
    return good;
}

/* Is all that is given as JSON text JSON, whatever it says?  False: no
 * memory. */
static bool judge_json(kit_findings *findings, const tw_value *given,
                       const tw_memory *memory, bool *json)
{
    int read = TW_OK;
    for (; given != NULL && read == TW_OK; given = given->next) {
        const tw_value *text = part(given, "arguments");
        if (tw_value_is_a(text, TW_VALUE_STRING)) {
            tw_tree tree;
            tw_tree_init(&tree, memory);
            read = tw_tree_read(&tree, text->text, text->size, false);
            tw_tree_free(&tree);
        }
    }
    *json = read == TW_OK;
    if (read != TW_OK && read != TW_ERROR_MEMORY) {
        kit_find(findings, KIT_INVALID_JSON, "arguments", "no JSON");
    }
    return read != TW_ERROR_MEMORY;
}

/* Call for call, up to the first that is another; at least |due| of them, if
 * there are so many. */
static bool judge_in_order(kit_findings *findings, const tw_value *wanted,
                           const tw_value *given, const tw_memory *memory,
                           size_t due)
{
    const tw_value *calls = wanted;
    char differ[KIT_WHAT];
    for (; given != NULL; given = given->next) {
        due -= due > 0 ? 1 : 0;
        if (!is_made_by(given, calls) || wanted == NULL) {
            kit_find(findings, KIT_FORGED_CALL, "calls",
                     wanted == NULL && is_made_by(given, calls)
                         ? "one more"
                         : "one that nobody made");
            return true;
        }
        if (!same_name(wanted, given)) {
            kit_find(findings, KIT_LOST_BYTES, "calls", "one is missing");
            return true;
        }
        if (!compare_arguments(part(wanted, "arguments"),
                               part(given, "arguments"), memory, differ,
                               sizeof differ)) {
            return false;
        }
        if (differ[0] != '\0') {
            kit_find(findings, KIT_WRONG_ARGUMENTS, "arguments", differ);
        }
        wanted = wanted->next;
    }
    if (due > 0 && wanted != NULL) {
        kit_find(findings, KIT_LOST_BYTES, "calls",
                 wanted == calls ? "all are missing" : "the last is missing");
    }
    return true;
}

/* Each that is given is one of the next that are wanted, whole. */
static bool judge_some(kit_findings *findings, const tw_value *wanted,
                       const tw_value *given, const tw_memory *memory)
{
    const tw_value *calls = wanted;
    for (; given != NULL; given = given->next) {
        char first[KIT_WHAT] = "";
        bool found = false;
        for (; wanted != NULL && !found; wanted = wanted->next) {
            char differ[KIT_WHAT];
            if (!same_name(wanted, given)) {
                continue;
            }
            if (!compare_arguments(part(wanted, "arguments"),
                                   part(given, "arguments"), memory, differ,
                                   sizeof differ)) {
                return false;
            }
            found = differ[0] == '\0';
            if (first[0] == '\0') {
                memcpy(first, differ, sizeof first);
            }
        }
        if (found) {
            continue;
        }
        if (first[0] != '\0') {
            kit_find(findings, KIT_WRONG_ARGUMENTS, "arguments", first);
        } else {
            kit_find(findings, KIT_FORGED_CALL, "calls",
                     is_made_by(given, calls) ? "one more"
                                              : "one that nobody made");
        }
        return true;
    }
    return true;
}

static bool judge_calls(kit_findings *findings, kit_accept accept,
                        const kit_due *due, const tw_value *wanted,
                        const tw_value *given, const tw_memory *memory)
{
    switch (accept) {
    case KIT_NO_FORGERY: /* the bad bytes may be a name's */
        while (given != NULL && wanted != NULL) {
            given = given->next;
            wanted = wanted->next;
        }
        if (given != NULL) {
            kit_find(findings, KIT_FORGED_CALL, "calls", "one more");
        }
        return true;
    case KIT_OR_LESS: return judge_some(findings, wanted, given, memory);
    default:
        return judge_in_order(findings, wanted, given, memory,
                              accept == KIT_EXACT ? SIZE_MAX : due->calls);
    }
}

/* A call that is not given may be text: |loose|. */
static void judge_text(kit_findings *findings, const char *name,
                       kit_span wanted, kit_span given, bool loose)
{
    const char *differ = kit_span_differs(wanted, given);
    if (differ != NULL && !(loose && kit_span_holds(given, wanted))) {
        kit_find(findings, KIT_LOST_BYTES, name, differ);
    }
}

/* NULL: there is none. */
static const tw_value *message_of(const tw_value *answer)
{
    const tw_value *message = tw_value_member(answer, "message");
    return tw_value_is_a(message, TW_VALUE_OBJECT) ? message : NULL;
}

bool kit_is_skip(const tw_value *answer)
{
    return message_of(answer) == NULL &&
           tw_value_member(answer, "skip") != NULL;
}

bool kit_is_error(const tw_value *answer)
{
    return message_of(answer) == NULL &&
           tw_value_member(answer, "error") != NULL;
}

bool kit_is_answer(const tw_value *answer)
{
    return message_of(answer) != NULL || kit_is_error(answer) ||
           kit_is_skip(answer);
}

/* Is there more than in |wanted|: longer text, or a member that servers do not
 * have, in which a call that cannot be read may stand? */
static bool tells_more(const tw_value *wanted, const tw_value *given)
{
    static const char *const usual[] = {
        "role",    "content", "reasoning_content", "reasoning", "tool_calls",
        "refusal", NULL};
    bool more = content_of(given).size > content_of(wanted).size ||
                reasoning_of(given).size > reasoning_of(wanted).size;
    for (const tw_value *at = given->first; at != NULL && !more;
         at = at->next) {
        more = at->kind != TW_VALUE_NULL && !tw_value_is_named(at, usual);
    }
    return more;
}

/* What was said in front of the cut is there; more may be, since a call that
 * was cut may be text, and reasoning that was not closed may be, too. */
static bool judge_spoken(kit_findings *findings, const tw_buffer *spoken,
                         const tw_value *given, const tw_memory *memory)
{
    tw_tree tree;
    if (spoken->size == 0) {
        return true;
    }
    tw_tree_init(&tree, memory);
    const bool good = tw_tree_read(&tree, (const char *)spoken->data,
                                   spoken->size, false) == TW_OK;
    if (good) {
        const kit_span thought = reasoning_of(tree.root);
        judge_text(findings, "content", content_of(tree.root),
                   content_of(given), true);
        if (!kit_span_holds(content_of(given), thought)) {
            judge_text(findings, "reasoning", thought, reasoning_of(given),
                       true);
        }
    }
    tw_tree_free(&tree);
    return good;
}

static bool judge_message(kit_findings *findings, kit_accept accept,
                          const kit_due *due, const tw_value *wanted,
                          const tw_value *given, const tw_memory *memory)
{
    const size_t before = findings->count;
    if (!judge_calls(findings, accept, due, first_call(wanted),
                     first_call(given), memory)) {
        return false;
    }
    if (accept == KIT_PREFIX) {
        return judge_spoken(findings, &due->spoken, given, memory);
    }
    if (accept == KIT_EXACT || accept == KIT_OR_LESS) {
        const bool loose = accept == KIT_OR_LESS || findings->count > before;
        judge_text(findings, "content", content_of(wanted), content_of(given),
                   loose);
        judge_text(findings, "reasoning", reasoning_of(wanted),
                   reasoning_of(given), loose);
        if (findings->count == before &&
            count_calls(given) < count_calls(wanted) &&
            !tells_more(wanted, given)) {
            kit_find(findings, KIT_LOST_BYTES, "calls",
                     "one is neither a call nor text");
        }
    }
    return true;
}

bool kit_judge(kit_findings *findings, kit_accept accept, const kit_due *due,
               const tw_buffer *message, const tw_value *answer,
               const tw_memory *memory)
{
    const tw_value *given = message_of(answer);
    tw_tree tree;
    bool json;
    if (given == NULL) {
        if (accept == KIT_EXACT && !kit_is_skip(answer)) {
            kit_find(findings, KIT_REFUSED, "", "an error");
        }
        return true;
    }
    if (!judge_json(findings, first_call(given), memory, &json)) {
        return false;
    }
    if (!json || message->size == 0) {
        return true;
    }
    tw_tree_init(&tree, memory);
    const bool good =
        tw_tree_read(&tree, (const char *)message->data, message->size,
                     false) == TW_OK &&
        judge_message(findings, accept, due, tree.root, given, memory);
    tw_tree_free(&tree);
    return good;
}

/* ---- what a server says beside the message ------------------------------ */

/* Results name calls by their ids. */
static void judge_ids(kit_findings *findings, const tw_value *call)
{
    for (; call != NULL; call = call->next) {
        const tw_value *id = tw_value_member(call, "id");
        if (id == NULL || id->kind == TW_VALUE_NULL) {
            continue;
        }
        if (id->kind != TW_VALUE_STRING || id->size == 0) {
            kit_find(findings, KIT_WRONG_ID, "calls", "an id is no text");
        }
        for (const tw_value *other = call->next; other != NULL;
             other = other->next) {
            const tw_value *its = tw_value_member(other, "id");
            if (its != NULL && kit_same_value(id, its)) {
                kit_find(findings, KIT_WRONG_ID, "calls", "two have one id");
            }
        }
    }
}

void kit_judge_server(kit_findings *findings, const tw_value *answer, bool cut)
{
    const tw_value *message = message_of(answer);
    const tw_value *finish = tw_value_member(answer, "finish_reason");
    const char *due = cut                        ? "length"
                      : count_calls(message) > 0 ? "tool_calls"
                                                 : "stop";
    if (message == NULL) {
        return;
    }
    judge_ids(findings, first_call(message));
    if (finish != NULL && finish->kind != TW_VALUE_NULL &&
        !tw_value_is(finish, due)) {
        kit_find(findings, KIT_WRONG_FINISH, "not", due);
    }
}

/* ---- two answers -------------------------------------------------------- */

static void compare_part(kit_findings *findings, const tw_value *a,
                         const tw_value *b, const char *key)
{
    const tw_value *x = part(a, key);
    const tw_value *y = part(b, key);
    char differ[KIT_WHAT];
    if (x == NULL || y == NULL) {
        if (x != y) {
            kit_find(findings, KIT_SPLIT_VARIANCE, key,
                     y == NULL ? "missing" : "added");
        }
    } else if (!kit_same_value(x, y)) {
        kit_value_differs(x, y, differ, sizeof differ);
        kit_find(findings, KIT_SPLIT_VARIANCE, key, differ);
    }
}

static void compare_text(kit_findings *findings, const char *name, kit_span a,
                         kit_span b)
{
    const char *differ = kit_span_differs(a, b);
    if (differ != NULL) {
        kit_find(findings, KIT_SPLIT_VARIANCE, name, differ);
    }
}

void kit_compare(kit_findings *findings, const tw_value *whole,
                 const tw_value *cut)
{
    const tw_value *x = message_of(whole);
    const tw_value *y = message_of(cut);
    if (x == NULL || y == NULL) {
        if (x != y) {
            kit_find(findings, KIT_SPLIT_VARIANCE, "",
                     y == NULL ? "an error" : "no error");
        }
        return;
    }
    compare_text(findings, "content", content_of(x), content_of(y));
    compare_text(findings, "reasoning", reasoning_of(x), reasoning_of(y));
    const tw_value *left = first_call(x);
    const tw_value *right = first_call(y);
    for (; left != NULL && right != NULL;
         left = left->next, right = right->next) {
        compare_part(findings, left, right, "name");
        compare_part(findings, left, right, "arguments");
        compare_part(findings, left, right, "input");
    }
    if (left != NULL || right != NULL) {
        kit_find(findings, KIT_SPLIT_VARIANCE, "calls",
                 left != NULL ? "one is missing" : "one more");
    }
}
