/* SPDX-License-Identifier: MIT
 *
 * Compares values: numbers to the digit, objects in any order of their keys;
 * and says in words how two of them differ.
 */
#include "kit/values.h"

#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "core/bytes.h"

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
        if (tw_is_digit(c)) {
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
           tw_bytes_same(x.digits, x.size, y.digits, y.size);
}

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
        if (other == NULL || !(keys_only || kit_same_value(at, other))) {
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
           tw_bytes_same(x->key, x->key_size, y->key, y->key_size);
         x = x->next, y = y->next) {
        if (!kit_same_value(x, y)) {
            return false;
        }
    }
    return count_from(x) == count_from(y) && has_from(b, x, false) &&
           has_from(a, y, true);
}

/* The nesting is that of the cases: limited. */
bool kit_same_value(const tw_value *a, const tw_value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case TW_VALUE_NUMBER: return same_number(a, b);
    case TW_VALUE_STRING:
        return tw_bytes_same(a->text, a->size, b->text, b->size);
    case TW_VALUE_OBJECT: return same_object(a, b);
    case TW_VALUE_ARRAY: {
        const tw_value *x = a->first;
        const tw_value *y = b->first;
        while (x != NULL && y != NULL && kit_same_value(x, y)) {
            x = x->next;
            y = y->next;
        }
        return x == NULL && y == NULL;
    }
    default: return true;
    }
}

/* ---- how they differ ---------------------------------------------------- */

/* A blank of Unicode, as Python's strip() takes them away: its size; 0: what
 * stands at |text| is none. */
static size_t blank_at(const char *text, size_t size)
{
    static const char *const wide[] = {
        "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
    const uint8_t first = size > 0 ? (uint8_t)text[0] : 0;
    if (first == ' ' || (first >= '\t' && first <= '\r') ||
        (first >= 0x1C && first <= 0x1F)) {
        return 1;
    }
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        const size_t length = strlen(wide[i]);
        if (size >= length && memcmp(text, wide[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

kit_span kit_span_of(const tw_value *value)
{
    kit_span span = {"", 0};
    if (tw_value_is_a(value, TW_VALUE_STRING)) {
        span = (kit_span){value->text, value->size};
    }
    for (size_t blank; (blank = blank_at(span.text, span.size)) > 0;) {
        span.text += blank;
        span.size -= blank;
    }
    for (size_t back = 1; back <= 3 && back <= span.size;) {
        if (blank_at(span.text + span.size - back, back) == back) {
            span.size -= back;
            back = 1;
        } else {
            back++;
        }
    }
    return span;
}

bool kit_span_holds(kit_span whole, kit_span part)
{
    bool found = part.size == 0;
    for (size_t at = 0; at + part.size <= whole.size && !found; at++) {
        found = memcmp(whole.text + at, part.text, part.size) == 0;
    }
    return found;
}

static bool begins(kit_span whole, kit_span part)
{
    return part.size <= whole.size &&
           memcmp(whole.text, part.text, part.size) == 0;
}

static bool ends(kit_span whole, kit_span part)
{
    return part.size <= whole.size &&
           memcmp(whole.text + whole.size - part.size, part.text, part.size) ==
               0;
}

const char *kit_span_differs(kit_span wanted, kit_span given)
{
    if (tw_bytes_same(wanted.text, wanted.size, given.text, given.size)) {
        return NULL;
    }
    return given.size == 0         ? "missing"
           : wanted.size == 0      ? "added"
           : begins(wanted, given) ? "cut at its end"
           : ends(wanted, given)   ? "cut at its beginning"
           : begins(given, wanted) ? "more at its end"
           : ends(given, wanted)   ? "more at its beginning"
                                   : "changed";
}

/* The member of |b| with the key of |a|'s member |at|, or its element. */
static const tw_value *partner(const tw_value *a, const tw_value *at,
                               const tw_value *b)
{
    if (a->kind == TW_VALUE_OBJECT) {
        return tw_value_member_sized(b, at->key, at->key_size);
    }
    const tw_value *other = b->first;
    while (other != NULL && other->index != at->index) {
        other = other->next;
    }
    return other;
}

static const char *parts_differ(const tw_value *a, const tw_value *b)
{
    const size_t wanted = count_from(a->first);
    const size_t given = count_from(b->first);
    const bool keys = a->kind == TW_VALUE_OBJECT;
    return given < wanted   ? (keys ? "a key is missing" : "an element less")
           : given > wanted ? (keys ? "a key is added" : "an element more")
                            : "another key";
}

static const char *const kinds[] = {"null",     "a boolean", "a boolean",
                                    "a number", "a string",  "an array",
                                    "an object"};

void kit_value_differs(const tw_value *a, const tw_value *b, char *what,
                       size_t room)
{
    const tw_value *at = a;
    while (at != NULL && a->kind == b->kind &&
           (a->kind == TW_VALUE_OBJECT || a->kind == TW_VALUE_ARRAY)) {
        const tw_value *other = NULL;
        for (at = a->first; at != NULL; at = at->next) {
            other = partner(a, at, b);
            if (other == NULL || !kit_same_value(at, other)) {
                break;
            }
        }
        if (at == NULL || other == NULL) {
            snprintf(what, room, "%s", parts_differ(a, b));
            return;
        }
        a = at;
        b = other;
    }
    if (strcmp(kinds[a->kind], kinds[b->kind]) != 0) {
        snprintf(what, room, "%s became %s", kinds[a->kind], kinds[b->kind]);
    } else if (a->kind == TW_VALUE_STRING) {
        const kit_span x = {a->text, a->size};
        const kit_span y = {b->text, b->size};
        const char *how = kit_span_differs(x, y);
        snprintf(what, room, "a string: %s", how != NULL ? how : "changed");
    } else {
        snprintf(what, room, "%s changed", kinds[a->kind]);
    }
}
