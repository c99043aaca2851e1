/* SPDX-License-Identifier: MIT
 *
 * Numbers between two bounds, digit by digit.  The numbers of a range have no
 * exponents.
 *
 *     3 to 12:   [3-9] | 1 [0-2]
 */
#include "core/ascii.h"
#include "grammars/make.h"
#include "schema/decimal.h"

enum { DIGITS_MOST = 20, FRACTION_MOST = 40 };

/* A number without its sign: an integer, and the digits behind the point,
 * which do not end with a zero. */
typedef struct bound {
    uint64_t whole;
    char fraction[FRACTION_MOST];
    size_t count;
    bool open;    /* the bound itself is none of the range */
    bool endless; /* there is no bound */
} bound;

/* ---- parts -------------------------------------------------------------- */

static uint32_t digit(tw_grammar_maker *maker, char least, char most)
{
    const tw_rule_range range = {(uint8_t)least, (uint8_t)most};
    return least > most ? 0 : tw_rule_set(&maker->rules, &range, 1, false);
}

static uint32_t some_digits(tw_grammar_maker *maker, size_t least, size_t most)
{
    return most == 0 ? 0
                     : tw_rule_repeat(&maker->rules, digit(maker, '0', '9'),
                                      (uint32_t)least, (uint32_t)most);
}

static uint32_t endless_digits(tw_grammar_maker *maker, uint32_t least)
{
    return tw_rule_repeat(&maker->rules, digit(maker, '0', '9'), least,
                          TW_RULE_ENDLESS);
}

/* `prefix`, one digit of a range, and |rest|; nothing where there is no such
 * digit. */
static void add_branch(tw_grammar_maker *maker, uint32_t choice,
                       const char *prefix, size_t size, uint32_t one,
                       uint32_t rest)
{
    if (one != 0) {
        tw_rule_add(
            &maker->rules, choice,
            tw_rule_sequence(&maker->rules,
                             tw_rule_sized(&maker->rules, prefix, size), one,
                             rest, 0));
    }
}

/* ---- integers ----------------------------------------------------------- */

static size_t spell(uint64_t number, char digits[DIGITS_MOST + 2])
{
    char back[TW_DIGITS];
    const char *first = tw_spell(back + sizeof back, number);
    const size_t size = (size_t)(back + sizeof back - first);
    memcpy(digits, first, size);
    return size;
}

/* Of two numbers of |size| digits, all between. */
static void add_same_size(tw_grammar_maker *maker, uint32_t choice,
                          const char *least, const char *most, size_t size)
{
    size_t same = 0;
    while (same < size && least[same] == most[same]) {
        same++;
    }
    if (same == size) {
        tw_rule_add(&maker->rules, choice,
                    tw_rule_sized(&maker->rules, least, size));
        return;
    }
    add_branch(maker, choice, least, same,
               digit(maker, (char)(least[same] + 1), (char)(most[same] - 1)),
               some_digits(maker, size - same - 1, size - same - 1));
    for (size_t i = same + 1; i < size; i++) {
        add_branch(maker, choice, least, i,
                   digit(maker, (char)(least[i] + 1), '9'),
                   some_digits(maker, size - i - 1, size - i - 1));
        add_branch(maker, choice, most, i,
                   digit(maker, '0', (char)(most[i] - 1)),
                   some_digits(maker, size - i - 1, size - i - 1));
    }
    tw_rule_add(&maker->rules, choice,
                tw_rule_sized(&maker->rules, least, size));
    tw_rule_add(&maker->rules, choice,
                tw_rule_sized(&maker->rules, most, size));
}

/* All of [least, most]; |endless|: there is no |most|. */
static uint32_t integers(tw_grammar_maker *maker, uint64_t least,
                         uint64_t most, bool endless)
{
    static const char nines[] = "99999999999999999999";
    static const char ones[] = "10000000000000000000";
    char first[DIGITS_MOST + 2];
    char last[DIGITS_MOST + 2];
    tw_rules *rules = &maker->rules;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const size_t size = spell(least, first);
    const size_t end = endless ? size + 1 : spell(most, last);
    if (size == end) {
        add_same_size(maker, choice, first, last, size);
        return choice;
    }
    add_same_size(maker, choice, first, nines, size);
    if (endless) {
        tw_rule_add(rules, choice,
                    tw_rule_sequence(rules, digit(maker, '1', '9'),
                                     endless_digits(maker, (uint32_t)size), 0,
                                     0));
        return choice;
    }
    if (end > size + 1) {
        tw_rule_add(rules, choice,
                    tw_rule_sequence(rules, digit(maker, '1', '9'),
                                     some_digits(maker, size, end - 2), 0, 0));
    }
    add_same_size(maker, choice, ones, last, end);
    return choice;
}

/* ---- fractions ---------------------------------------------------------- */

/* `0*[1-9][0-9]*` */
static uint32_t more_than_nothing(tw_grammar_maker *maker)
{
    return tw_rule_sequence(
        &maker->rules,
        tw_rule_repeat(&maker->rules, digit(maker, '0', '0'), 0,
                       TW_RULE_ENDLESS),
        digit(maker, '1', '9'), endless_digits(maker, 0), 0);
}

/* `(\.[0-9]+)?` */
static uint32_t any_fraction(tw_grammar_maker *maker)
{
    tw_rules *rules = &maker->rules;
    return tw_rule_maybe(rules,
                         tw_rule_sequence(rules, tw_rule_words(rules, "."),
                                          endless_digits(maker, 1), 0, 0));
}

static uint32_t behind_point(tw_grammar_maker *maker, uint32_t choice)
{
    return tw_rule_sequence(&maker->rules, tw_rule_words(&maker->rules, "."),
                            choice, 0, 0);
}

/* Digits from |from| on that make a fraction of |bound| or more. */
static void add_more(tw_grammar_maker *maker, uint32_t choice,
                     const bound *least, size_t from)
{
    for (size_t i = from; i < least->count; i++) {
        add_branch(maker, choice, least->fraction, i,
                   digit(maker, (char)(least->fraction[i] + 1), '9'),
                   endless_digits(maker, 0));
    }
    tw_rule_add(
        &maker->rules, choice,
        tw_rule_sequence(
            &maker->rules,
            tw_rule_sized(&maker->rules, least->fraction, least->count),
            least->open ? more_than_nothing(maker) : endless_digits(maker, 0),
            0, 0));
}

/* ... or less; what has some of its digits alone is less, too, unless zeros
 * alone are left. */
static void add_less(tw_grammar_maker *maker, uint32_t choice,
                     const bound *most, size_t from)
{
    for (size_t i = from; i < most->count; i++) {
        add_branch(maker, choice, most->fraction, i,
                   digit(maker, '0', (char)(most->fraction[i] - 1)),
                   endless_digits(maker, 0));
        bool less = !most->open;
        for (size_t k = i; k < most->count; k++) {
            less |= most->fraction[k] != '0';
        }
        if (i > 0 && less) {
            tw_rule_add(&maker->rules, choice,
                        tw_rule_sized(&maker->rules, most->fraction, i));
        }
    }
    if (!most->open) {
        tw_rule_add(
            &maker->rules, choice,
            tw_rule_sequence(
                &maker->rules,
                tw_rule_sized(&maker->rules, most->fraction, most->count),
                tw_rule_repeat(&maker->rules, digit(maker, '0', '0'),
                               most->count > 0 ? 0 : 1, TW_RULE_ENDLESS),
                0, 0));
    }
}

/* A fraction of |least| or more. */
static uint32_t fraction_from(tw_grammar_maker *maker, const bound *least)
{
    const uint32_t choice =
        tw_rule_put(&maker->rules, TW_RULE_CHOICE, 0, 0, 0);
    if (least->count == 0 && !least->open) {
        return any_fraction(maker);
    }
    add_more(maker, choice, least, 0);
    return behind_point(maker, choice);
}

/* A fraction of |most| or less; 0: there is none. */
static uint32_t fraction_to(tw_grammar_maker *maker, const bound *most)
{
    const uint32_t choice =
        tw_rule_put(&maker->rules, TW_RULE_CHOICE, 0, 0, 0);
    if (most->count == 0 && most->open) {
        return 0;
    }
    add_less(maker, choice, most, 0);
    return tw_rule_maybe(&maker->rules, behind_point(maker, choice));
}

/* A fraction between both; 0: there is none. */
static uint32_t fraction_between(tw_grammar_maker *maker, const bound *least,
                                 const bound *most)
{
    if (least->count == 0 && !least->open) {
        return fraction_to(maker, most);
    }
    bound low = *least;
    bound high = *most;
    tw_rules *rules = &maker->rules;
    const size_t count = low.count > high.count ? low.count : high.count;
    for (bound *at = &low;; at = &high) {
        while (at->count < count) {
            at->fraction[at->count++] = '0';
        }
        if (at == &high) {
            break;
        }
    }
    size_t same = 0;
    while (same < count && low.fraction[same] == high.fraction[same]) {
        same++;
    }
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    if (same == count || low.fraction[same] > high.fraction[same]) {
        if (same < count || low.open || high.open) {
            return 0;
        }
        tw_rule_add(
            rules, choice,
            tw_rule_sequence(rules,
                             tw_rule_sized(rules, low.fraction, least->count),
                             tw_rule_repeat(rules, digit(maker, '0', '0'), 0,
                                            TW_RULE_ENDLESS),
                             0, 0));
        return behind_point(maker, choice);
    }
    add_branch(maker, choice, low.fraction, same,
               digit(maker, (char)(low.fraction[same] + 1),
                     (char)(high.fraction[same] - 1)),
               endless_digits(maker, 0));
    add_more(maker, choice, &low, same + 1);
    for (size_t i = least->count; i < count && !least->open; i++) {
        tw_rule_add(rules, choice, tw_rule_sized(rules, low.fraction, i));
    }
    add_less(maker, choice, &high, same + 1);
    return behind_point(maker, choice);
}

/* ---- numbers without a sign --------------------------------------------- */

static void add_whole(tw_grammar_maker *maker, uint32_t choice, uint64_t whole,
                      uint32_t fraction)
{
    char digits[DIGITS_MOST + 2];
    const size_t size = spell(whole, digits);
    if (fraction != 0) {
        tw_rule_add(
            &maker->rules, choice,
            tw_rule_sequence(&maker->rules,
                             tw_rule_sized(&maker->rules, digits, size),
                             fraction, 0, 0));
    }
}

/* Is there any number between both? */
static bool is_range(const bound *least, const bound *most)
{
    if (most->endless || least->whole != most->whole) {
        return most->endless || least->whole < most->whole;
    }
    for (size_t i = 0; i < FRACTION_MOST; i++) {
        const char low = i < least->count ? least->fraction[i] : '0';
        const char high = i < most->count ? most->fraction[i] : '0';
        if (low != high) {
            return low < high;
        }
    }
    return !least->open && !most->open;
}

static void add_decimals(tw_grammar_maker *maker, uint32_t choice,
                         const bound *least, const bound *most)
{
    tw_rules *rules = &maker->rules;
    if (!most->endless && least->whole == most->whole) {
        add_whole(maker, choice, least->whole,
                  fraction_between(maker, least, most));
        return;
    }
    add_whole(maker, choice, least->whole, fraction_from(maker, least));
    if (most->endless || most->whole > least->whole + 1) {
        tw_rule_add(rules, choice,
                    tw_rule_sequence(rules,
                                     integers(maker, least->whole + 1,
                                              most->whole - !most->endless,
                                              most->endless),
                                     any_fraction(maker), 0, 0));
    }
    if (!most->endless) {
        const uint32_t fraction = fraction_to(maker, most);
        add_whole(maker, choice, most->whole, fraction);
    }
}

static void add_integers(tw_grammar_maker *maker, uint32_t choice,
                         const bound *least, const bound *most)
{
    const uint64_t from =
        least->whole + (least->count > 0 || least->open ? 1 : 0);
    const bool drops = most->open && most->count == 0;
    if (most->endless) {
        tw_rule_add(&maker->rules, choice, integers(maker, from, 0, true));
    } else if ((most->whole > 0 || !drops) && from <= most->whole - drops) {
        tw_rule_add(&maker->rules, choice,
                    integers(maker, from, most->whole - drops, false));
    }
}

/* ---- both sides of zero ------------------------------------------------- */

/* False: it has too many digits. */
static bool read_bound(bound *out, const tw_value *number, bool *negative)
{
    const tw_decimal decimal = tw_decimal_of(number);
    char digits[DIGITS_MOST + FRACTION_MOST];
    size_t count = 0;
    *negative = decimal.negative;
    if (decimal.count > sizeof digits) {
        return false;
    }
    for (size_t i = 0; count < decimal.count; i++) {
        if (decimal.digits[i] != '.') { /* which may stand among them */
            digits[count++] = decimal.digits[i];
        }
    }
    const int64_t size = (int64_t)count + decimal.exponent; /* of the whole */
    if (size > DIGITS_MOST || decimal.exponent < -FRACTION_MOST ||
        decimal.exponent > DIGITS_MOST) {
        return false;
    }
    for (int64_t i = 0; i < size; i++) {
        const uint64_t next =
            i < (int64_t)count ? (uint64_t)(digits[i] - '0') : 0;
        if (out->whole > (UINT64_MAX - next) / 10) {
            return false;
        }
        out->whole = out->whole * 10 + next;
    }
    for (int64_t i = size; i < (int64_t)count; i++) {
        out->fraction[out->count++] = i < 0 ? '0' : digits[i];
    }
    while (out->count > 0 && out->fraction[out->count - 1] == '0') {
        out->count--; /* of 0.0 */
    }
    return true;
}

uint32_t tw_grammar_between_numbers(tw_grammar_maker *maker,
                                    const tw_value *least, bool above,
                                    const tw_value *most, bool below,
                                    bool integer)
{
    static const bound nothing = {0};
    tw_rules *rules = &maker->rules;
    bound low = {0};
    bound high = {0};
    bound above_zero = {0};
    bool low_negative = least == NULL;
    bool high_negative = false;
    low.open = above;
    high.open = below;
    low.endless = least == NULL;
    high.endless = most == NULL;
    above_zero.open = true;
    const bool is_read =
        (least == NULL || read_bound(&low, least, &low_negative)) &&
        (most == NULL || read_bound(&high, most, &high_negative));
    /* The nearer one of zero is counted from. */
    if (!is_read || (!low_negative && low.whole == UINT64_MAX) ||
        (high_negative && high.whole == UINT64_MAX)) {
        tw_grammar_cannot(maker, least != NULL ? least : most,
                          "no grammar says a bound of so many digits");
        low_negative = low.endless = high.endless = true;
        high_negative = low.open = high.open = false;
        low.count = high.count = 0;
    }
    void (*const add)(tw_grammar_maker *, uint32_t, const bound *,
                      const bound *) = integer ? add_integers : add_decimals;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const bound *from = low_negative ? &nothing : &low;
    if (!high_negative && is_range(from, &high)) {
        add(maker, choice, from, &high);
    }
    const bound *to = high_negative ? &high : &above_zero;
    if (low_negative && is_range(to, &low)) {
        const uint32_t below_zero =
            tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
        add(maker, below_zero, to, &low);
        if (rules->code == TW_OK &&
            tw_rule_node_at(rules, below_zero)->first != 0) {
            tw_rule_add(rules, choice,
                        tw_rule_sequence(rules, tw_rule_words(rules, "-"),
                                         below_zero, 0, 0));
        }
    }
    if (rules->code == TW_OK && tw_rule_node_at(rules, choice)->first == 0) {
        return tw_grammar_nothing(maker, least != NULL ? least : most);
    }
    return choice;
}
