/* SPDX-License-Identifier: MIT
 *
 * Compares a parser's answer with the message a case was made of: numbers by
 * value, arguments as JSON.
 */
#include "kit/judge.h"

#include <string.h>

#include "core/skip.h"

const char *kit_verdict_name(kit_verdict verdict)
{
    static const char *const names[KIT_VERDICTS] = {
        "fine",           "refused",       "hang",        "crash",
        "split_variance", "lost_bytes",    "forged_call", "wrong_arguments",
        "invalid_json",   "protocol_error"};
    return names[verdict];
}

/* ---- values ------------------------------------------------------------- */

static bool same_bytes(const char *a, size_t a_size, const char *b,
                       size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

/* A number's digits without leading and trailing zeros, and the power of ten
 * of the last of them. */
typedef struct decimal {
    char digits[64];
    size_t size;
    long power;
    bool negative;
} decimal;

static decimal decimal_of(const tw_value *number)
{
    decimal found = {{0}, 0, 0, false};
    bool point = false;
    size_t i = 0;
    for (; i < number->size; i++) {
        const char c = number->text[i];
        if (c == 'e' || c == 'E') {
            break;
        }
        found.negative |= c == '-';
        point |= c == '.';
        if (c >= '0' && c <= '9') {
            found.power -= point ? 1 : 0;
            if ((c != '0' || found.size > 0) &&
                found.size < sizeof found.digits) {
                found.digits[found.size++] = c;
            }
        }
    }
    long exponent = 0;
    bool below = false;
    for (i += i < number->size; i < number->size; i++) {
        const char c = number->text[i];
        below |= c == '-';
        if (c >= '0' && c <= '9' && exponent < 100000) {
            exponent = exponent * 10 + (c - '0');
        }
    }
    found.power += below ? -exponent : exponent;
    while (found.size > 0 && found.digits[found.size - 1] == '0') {
        found.size--;
        found.power++;
    }
    if (found.size == 0) {
        found.power = 0;
        found.negative = false;
    }
    return found;
}

static bool same_number(const tw_value *a, const tw_value *b)
{
    const decimal x = decimal_of(a);
    const decimal y = decimal_of(b);
    return x.negative == y.negative && x.power == y.power &&
           same_bytes(x.digits, x.size, y.digits, y.size);
}

static bool same_value(const tw_value *a, const tw_value *b);

static size_t count_from(const tw_value *at)
{
    size_t count = 0;
    for (; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

/* Has |object| the keys, and but for |keys_only| the values, from |at| on? */
static bool has_from(const tw_value *object, const tw_value *at,
                     bool keys_only)
{
    for (; at != NULL; at = at->next) {
        const tw_value *other =
            tw_value_member_sized(object, at->key, at->key_size);
        if (other == NULL || !(keys_only || same_value(at, other))) {
            return false;
        }
    }
    return true;
}

/* No value is compared twice, or nesting would double the time.  In the same
 * order, as is usual, it is one pass. */
static bool same_object(const tw_value *a, const tw_value *b)
{
    const tw_value *x = a->first;
    const tw_value *y = b->first;
    for (; x != NULL && y != NULL &&
           same_bytes(x->key, x->key_size, y->key, y->key_size);
         x = x->next, y = y->next) {
        if (!same_value(x, y)) {
            return false;
        }
    }
    return count_from(x) == count_from(y) && has_from(b, x, false) &&
           has_from(a, y, true);
}

/* The nesting is that of the cases: limited. */
static bool same_value(const tw_value *a, const tw_value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case TW_VALUE_NUMBER: return same_number(a, b);
    case TW_VALUE_STRING:
        return same_bytes(a->text, a->size, b->text, b->size);
    case TW_VALUE_OBJECT: return same_object(a, b);
    case TW_VALUE_ARRAY: {
        const tw_value *x = a->first;
        const tw_value *y = b->first;
        while (x != NULL && y != NULL && same_value(x, y)) {
            x = x->next;
            y = y->next;
        }
        return x == NULL && y == NULL;
    }
    default: return true;
    }
}

/* ---- messages ----------------------------------------------------------- */

typedef struct span {
    const char *text;
    size_t size;
} span;

/* Without the blanks around it: formats differ in what of them is text. */
static span text_of(const tw_value *message, const char *key)
{
    const tw_value *value = tw_value_member(message, key);
    span text = {"", 0};
    if (value != NULL && value->kind == TW_VALUE_STRING) {
        text = (span){value->text, value->size};
    }
    while (text.size > 0 && tw_is_ws(text.text[0])) {
        text.text++;
        text.size--;
    }
    while (text.size > 0 && tw_is_ws(text.text[text.size - 1])) {
        text.size--;
    }
    return text;
}

/* By either of its two names. */
static span reasoning_of(const tw_value *message)
{
    const span text = text_of(message, "reasoning_content");
    return text.size > 0 ? text : text_of(message, "reasoning");
}

static bool same_span(span a, span b)
{
    return same_bytes(a.text, a.size, b.text, b.size);
}

static const tw_value *first_call(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    return calls != NULL && calls->kind == TW_VALUE_ARRAY ? calls->first
                                                          : NULL;
}

static const tw_value *part(const tw_value *call, const char *key)
{
    const tw_value *function = tw_value_member(call, "function");
    return tw_value_member(function != NULL ? function : call, key);
}

static bool same_name(const tw_value *a, const tw_value *b)
{
    const tw_value *x = part(a, "name");
    const tw_value *y = part(b, "name");
    return x != NULL && y != NULL && x->kind == TW_VALUE_STRING &&
           y->kind == TW_VALUE_STRING &&
           same_bytes(x->text, x->size, y->text, y->size);
}

/* The arguments may be an object or its text. */
static kit_verdict judge_arguments(const tw_value *wanted,
                                   const tw_value *given,
                                   const tw_memory *memory)
{
    if (given == NULL || given->kind != TW_VALUE_STRING) {
        return given != NULL && same_value(wanted, given)
                   ? KIT_FINE
                   : KIT_WRONG_ARGUMENTS;
    }
    tw_tree tree;
    tw_tree_init(&tree, memory);
    kit_verdict verdict = KIT_FINE;
    /* judge_json() read it before: only memory may fail. */
    if (tw_tree_read(&tree, given->text, given->size, false) != TW_OK) {
        verdict = KIT_VERDICTS;
    } else if (!same_value(wanted, tree.root)) {
        verdict = KIT_WRONG_ARGUMENTS;
    }
    tw_tree_free(&tree);
    return verdict;
}

/* Is all that is given as JSON text JSON, whatever it says? */
static kit_verdict judge_json(const tw_value *given, const tw_memory *memory)
{
    int read = TW_OK;
    for (; given != NULL && read == TW_OK; given = given->next) {
        const tw_value *text = part(given, "arguments");
        if (text != NULL && text->kind == TW_VALUE_STRING) {
            tw_tree tree;
            tw_tree_init(&tree, memory);
            read = tw_tree_read(&tree, text->text, text->size, false);
            tw_tree_free(&tree);
        }
    }
    return read == TW_OK             ? KIT_FINE
           : read == TW_ERROR_MEMORY ? KIT_VERDICTS
                                     : KIT_INVALID_JSON;
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

/* Finds |given| from |*wanted| on and goes behind it: it is the next call, or,
 * where fewer are fine, the next that is the same in all. */
static kit_verdict judge_call(kit_accept accept, const tw_value **wanted,
                              const tw_value *given, const tw_memory *memory)
{
    kit_verdict verdict = KIT_FORGED_CALL; /* all of that name are behind */
    for (const tw_value *at = *wanted; at != NULL; at = at->next) {
        const bool named = same_name(at, given);
        const kit_verdict its =
            !named ? KIT_LOST_BYTES /* a call of before is not there */
                   : judge_arguments(part(at, "arguments"),
                                     part(given, "arguments"), memory);
        if (its == KIT_FINE || its == KIT_VERDICTS || accept != KIT_OR_LESS) {
            *wanted = at->next;
            return its;
        }
        verdict = named && verdict == KIT_FORGED_CALL ? its : verdict;
    }
    return verdict;
}

static kit_verdict judge_calls(const kit_case *one, const tw_value *wanted,
                               const tw_value *given, const tw_memory *memory)
{
    const tw_value *calls = wanted;
    for (; given != NULL; given = given->next) {
        if (one->accept ==
            KIT_NO_FORGERY) { /* the bad bytes may be a name's */
            if (wanted == NULL) {
                return KIT_FORGED_CALL;
            }
            wanted = wanted->next;
            continue;
        }
        const kit_verdict verdict =
            is_made_by(given, calls)
                ? judge_call(one->accept, &wanted, given, memory)
                : KIT_FORGED_CALL;
        if (verdict != KIT_FINE) {
            return verdict;
        }
    }
    return one->accept == KIT_EXACT && wanted != NULL ? KIT_LOST_BYTES
                                                      : KIT_FINE;
}

static kit_verdict judge_text(const kit_case *one, const tw_value *wanted,
                              const tw_value *given)
{
    const span whole = text_of(wanted, "content");
    span text = text_of(given, "content");
    if (one->accept != KIT_EXACT && one->accept != KIT_OR_LESS) {
        return KIT_FINE;
    }
    if (one->accept == KIT_OR_LESS && text.size > whole.size) {
        text.size = whole.size; /* what is no call may be text */
    }
    return same_span(whole, text) &&
                   same_span(reasoning_of(wanted), reasoning_of(given))
               ? KIT_FINE
               : KIT_LOST_BYTES;
}

/* NULL: there is none. */
static const tw_value *message_of(const tw_value *answer)
{
    const tw_value *message = tw_value_member(answer, "message");
    return message != NULL && message->kind == TW_VALUE_OBJECT ? message
                                                               : NULL;
}

bool kit_is_answer(const tw_value *answer)
{
    return message_of(answer) != NULL ||
           tw_value_member(answer, "error") != NULL;
}

kit_verdict kit_judge(const kit_case *one, const tw_value *answer,
                      const tw_memory *memory)
{
    const tw_value *message = message_of(answer);
    tw_tree tree;
    if (message == NULL) {
        return one->accept == KIT_EXACT ? KIT_REFUSED : KIT_FINE;
    }
    kit_verdict verdict = judge_json(first_call(message), memory);
    if (verdict != KIT_FINE || one->message.size == 0) {
        return verdict;
    }
    tw_tree_init(&tree, memory);
    verdict = KIT_VERDICTS;
    if (tw_tree_read(&tree, (const char *)one->message.data, one->message.size,
                     false) == TW_OK) {
        verdict = judge_calls(one, first_call(tree.root), first_call(message),
                              memory);
        verdict = verdict != KIT_FINE ? verdict
                                      : judge_text(one, tree.root, message);
    }
    tw_tree_free(&tree);
    return verdict;
}

static bool same_part(const tw_value *a, const tw_value *b, const char *key)
{
    const tw_value *x = part(a, key);
    const tw_value *y = part(b, key);
    return x == NULL || y == NULL ? x == y : same_value(x, y);
}

bool kit_same_answer(const tw_value *a, const tw_value *b)
{
    const tw_value *x = message_of(a);
    const tw_value *y = message_of(b);
    if (x == NULL || y == NULL) {
        return x == y;
    }
    if (!same_span(text_of(x, "content"), text_of(y, "content")) ||
        !same_span(reasoning_of(x), reasoning_of(y))) {
        return false;
    }
    const tw_value *left = first_call(x);
    const tw_value *right = first_call(y);
    while (left != NULL && right != NULL && same_part(left, right, "name") &&
           same_part(left, right, "arguments")) {
        left = left->next;
        right = right->next;
    }
    return left == NULL && right == NULL;
}
