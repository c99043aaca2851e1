/* SPDX-License-Identifier: MIT
 *
 * repr() of the number that Python reads in a JSON text: exact, without
 * floating point and without the locale.
 */
#include <string.h>

#include "core/ascii.h"
#include "messages/pytext.h"

enum {
    LIMBS = 160,  /* 10 to the 1200, 64 bits further */
    KEPT = 800,   /* digits; of more only matters whether they are 0 */
    FAR = 100000, /* an exponent that nothing can make up for */
    REPR = 16,    /* so many digits repr() writes in front of a point */
    SURE = 15,    /* so many digits always read back as they were */
    MOST = 17     /* so many tell every double from its neighbours */
};

/* ---- integers ----------------------------------------------------------- */

typedef struct big {
    uint32_t limb[LIMBS]; /* the lowest first */
    size_t size;
} big;

static void multiply(big *number, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (size_t i = 0; i < number->size; i++) {
        carry += (uint64_t)number->limb[i] * factor;
        number->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0 && number->size < LIMBS) {
        number->limb[number->size++] = (uint32_t)carry;
    }
}

static void set(big *number, uint64_t value)
{
    number->limb[0] = (uint32_t)value;
    number->limb[1] = (uint32_t)(value >> 32);
    number->size = number->limb[1] != 0 ? 2 : number->limb[0] != 0 ? 1 : 0;
}

static void times_power_of_ten(big *number, int exponent)
{
    for (; exponent >= 9; exponent -= 9) {
        multiply(number, 1000000000, 0);
    }
    for (; exponent > 0; exponent--) {
        multiply(number, 10, 0);
    }
}

static int bits_of(const big *number)
{
    if (number->size == 0) {
        return 0;
    }
    int bits = 32 * ((int)number->size - 1);
    for (uint32_t top = number->limb[number->size - 1]; top > 0; top >>= 1) {
        bits++;
    }
    return bits;
}

static void shift_left(big *number, int bits)
{
    const size_t limbs = (size_t)bits / 32;
    if (number->size == 0 || bits <= 0 || number->size + limbs >= LIMBS) {
        return;
    }
    memmove(number->limb + limbs, number->limb,
            number->size * sizeof number->limb[0]);
    memset(number->limb, 0, limbs * sizeof number->limb[0]);
    number->size += limbs;
    multiply(number, UINT32_C(1) << (bits % 32), 0);
}

static int compare(const big *left, const big *right)
{
    if (left->size != right->size) {
        return left->size < right->size ? -1 : 1;
    }
    for (size_t i = left->size; i-- > 0;) {
        if (left->limb[i] != right->limb[i]) {
            return left->limb[i] < right->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* |left| is not less than |right|. */
static void subtract(big *left, const big *right)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < left->size; i++) {
        const uint64_t take = (i < right->size ? right->limb[i] : 0) + borrow;
        borrow = left->limb[i] < take ? 1 : 0;
        left->limb[i] = (uint32_t)(left->limb[i] - take);
    }
    while (left->size > 0 && left->limb[left->size - 1] == 0) {
        left->size--;
    }
}

/* The quotient, which is less than 2 to the 63; |left| becomes the rest. */
static uint64_t divide(big *left, const big *right)
{
    uint64_t quotient = 0;
    const int bits = bits_of(left) - bits_of(right);
    for (int i = bits; i >= 0; i--) {
        big shifted = *right;
        shift_left(&shifted, i);
        quotient <<= 1;
        if (compare(left, &shifted) >= 0) {
            subtract(left, &shifted);
            quotient |= 1;
        }
    }
    return quotient;
}

/* ---- decimal to double and back ----------------------------------------- */

/* |digits| read as one integer, times 10 to the |exponent|. */
typedef struct decimal {
    char digits[KEPT + 1];
    size_t size; /* 0: the number is 0 */
    int exponent;
} decimal;

/* |mantissa| times 2 to the |exponent|; 0 and infinite ones apart. */
typedef struct binary {
    uint64_t mantissa;
    int exponent;
    bool infinite;
} binary;

/* |number| is the ratio of two integers. */
static void ratio_of(const decimal *number, big *above, big *below)
{
    set(above, 0);
    for (size_t i = 0; i < number->size; i++) {
        if (above->size == 0) {
            set(above, (uint64_t)(number->digits[i] - '0'));
        } else {
            multiply(above, 10, (uint32_t)(number->digits[i] - '0'));
        }
    }
    set(below, 1);
    times_power_of_ten(number->exponent > 0 ? above : below,
                       number->exponent > 0 ? number->exponent
                                            : -number->exponent);
}

/* The nearest double, of two the one with an even mantissa. */
static binary nearest(const decimal *number)
{
    binary result = {0, 0, false};
    const int magnitude = (int)number->size + number->exponent;
    if (number->size == 0 || magnitude < -330) {
        return result;
    }
    if (magnitude > 310) {
        result.infinite = true;
        return result;
    }
    big above;
    big below;
    ratio_of(number, &above, &below);
    /* 53 or 54 bits in front of the point, fewer near 0. */
    int shift = 53 - (bits_of(&above) - bits_of(&below));
    shift = shift > 1074 ? 1074 : shift;
    shift_left(shift > 0 ? &above : &below, shift > 0 ? shift : -shift);
    uint64_t mantissa = divide(&above, &below);
    bool half = false;
    bool rest = above.size > 0;
    if (mantissa >> 53 != 0) {
        half = (mantissa & 1) != 0;
        mantissa >>= 1;
        shift--;
    } else {
        shift_left(&above, 1);
        const int order = compare(&above, &below);
        half = order >= 0;
        rest = order != 0 && above.size > 0;
    }
    mantissa += half && (rest || (mantissa & 1) != 0);
    if (mantissa >> 53 != 0) {
        mantissa >>= 1;
        shift--;
    }
    result.mantissa = mantissa;
    result.exponent = -shift;
    result.infinite = mantissa >> 52 != 0 && -shift > 971;
    return result;
}

static void set_digits(decimal *number, uint64_t value, int exponent)
{
    char text[20];
    size_t at = sizeof text;
    while (value > 0) {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    }
    number->size = sizeof text - at;
    memcpy(number->digits, text + at, number->size);
    number->exponent = exponent;
    while (number->size > 0 && number->digits[number->size - 1] == '0') {
        number->size--;
        number->exponent++;
    }
}

static bool reads_as(const decimal *number, const binary *wanted)
{
    const binary found = nearest(number);
    return !found.infinite && found.mantissa == wanted->mantissa &&
           found.exponent == wanted->exponent;
}

/* The best text of |value| with its last digit at 10 to the |exponent|.
 * false: none reads back. */
static bool try_digits(const binary *value, int exponent, decimal *best)
{
    big above;
    big below;
    set(&above, value->mantissa);
    set(&below, 1);
    times_power_of_ten(exponent > 0 ? &below : &above,
                       exponent > 0 ? exponent : -exponent);
    shift_left(value->exponent > 0 ? &above : &below,
               value->exponent > 0 ? value->exponent : -value->exponent);
    const uint64_t low = divide(&above, &below);
    shift_left(&above, 1);
    const int order = compare(&above, &below);
    const bool up = order > 0 || (order == 0 && (low & 1) != 0);
    set_digits(best, low + (up ? 1 : 0), exponent);
    if (reads_as(best, value)) {
        return true;
    }
    set_digits(best, low + (up ? 0 : 1), exponent);
    return reads_as(best, value);
}

/* The fewest digits that read back as the double that |number| is. */
static void shorten(decimal *number, const binary *value)
{
    const int magnitude = (int)number->size + number->exponent;
    for (int count = 1; count < MOST; count++) {
        decimal best;
        if (try_digits(value, magnitude - count, &best)) {
            *number = best;
            return;
        }
    }
    decimal best;
    if (try_digits(value, magnitude - MOST, &best)) {
        *number = best;
    }
}

/* ---- text --------------------------------------------------------------- */

static void add_digit(decimal *number, char digit, bool behind_point)
{
    number->exponent -= behind_point;
    if (number->size == 0 && digit == '0') {
        return;
    }
    if (number->size < KEPT) {
        number->digits[number->size++] = digit;
        return;
    }
    number->exponent += number->exponent < FAR;
    if (digit != '0') {
        number->digits[KEPT - 1] |= 1; /* it is not exactly what is kept */
    }
}

static decimal read_text(const char *text, size_t size)
{
    decimal number = {.size = 0, .exponent = 0};
    bool point = false;
    size_t at = 0;
    for (; at < size && text[at] != 'e' && text[at] != 'E'; at++) {
        if (tw_is_digit(text[at])) {
            add_digit(&number, text[at], point);
        }
        point |= text[at] == '.';
    }
    int exponent = 0;
    bool negative = false;
    for (; at < size; at++) {
        negative |= text[at] == '-';
        if (tw_is_digit(text[at]) && exponent < FAR) {
            exponent = exponent * 10 + (text[at] - '0');
        }
    }
    number.exponent += negative ? -exponent : exponent;
    while (number.size > 0 && number.digits[number.size - 1] == '0') {
        number.size--;
        number.exponent++;
    }
    return number;
}

typedef struct text {
    char data[40];
    size_t size;
} text;

static void add(text *out, const char *data, size_t size)
{
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

static void add_zeros(text *out, int count)
{
    for (; count > 0; count--) {
        add(out, "0", 1);
    }
}

static void write_exponent(text *out, const decimal *number, int exponent)
{
    add(out, number->digits, 1);
    if (number->size > 1) {
        add(out, ".", 1);
        add(out, number->digits + 1, number->size - 1);
    }
    add(out, exponent < 0 ? "e-" : "e+", 2);
    const int size = exponent < 0 ? -exponent : exponent;
    const char digits[3] = {(char)('0' + size / 100),
                            (char)('0' + size / 10 % 10),
                            (char)('0' + size % 10)};
    add(out, digits + (size < 100), size < 100 ? 2 : 3);
}

/* As float.__repr__() lays the digits out, of which |most| stand in front of
 * the point. */
static void write_float(text *out, const decimal *number, int most)
{
    const int point = (int)number->size + number->exponent;
    if (number->size == 0) {
        add(out, "0.0", 3);
    } else if (point <= -4 || point > most) {
        write_exponent(out, number, point - 1);
    } else if (point <= 0) {
        add(out, "0.", 2);
        add_zeros(out, -point);
        add(out, number->digits, number->size);
    } else if (number->exponent >= 0) {
        add(out, number->digits, number->size);
        add_zeros(out, number->exponent);
        add(out, ".0", 2);
    } else {
        add(out, number->digits, (size_t)point);
        add(out, ".", 1);
        add(out, number->digits + point, number->size - (size_t)point);
    }
}

static bool is_float(const char *data, size_t size)
{
    return memchr(data, '.', size) != NULL ||
           memchr(data, 'e', size) != NULL || memchr(data, 'E', size) != NULL;
}

bool tw_python_number(tw_buffer *out, const tw_memory *memory,
                      const char *data, size_t size)
{
    if (!is_float(data, size)) {
        return size == 2 && memcmp(data, "-0", 2) == 0
                   ? tw_buffer_append(out, memory, "0", 1)
                   : tw_buffer_append(out, memory, data, size);
    }
    decimal number = read_text(data, size);
    const int magnitude = (int)number.size + number.exponent;
    text result = {.size = 0};
    if (data[0] == '-') {
        add(&result, "-", 1);
    }
    if (number.size > SURE || magnitude > 300 || magnitude < -290) {
        const binary value = nearest(&number);
        if (value.infinite) {
            add(&result, "inf", 3);
            return tw_buffer_append(out, memory, result.data, result.size);
        }
        if (value.mantissa == 0) {
            number.size = 0;
        } else {
            shorten(&number, &value);
        }
    }
    write_float(&result, &number, REPR);
    return tw_buffer_append(out, memory, result.data, result.size);
}

/* ---- doubles ------------------------------------------------------------ */

static uint64_t bits_of_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double double_of(const binary *value, bool negative)
{
    uint64_t bits = value->mantissa;
    int exponent = value->exponent;
    if (value->infinite) {
        bits = UINT64_C(0x7FF) << 52;
    } else if (bits != 0) {
        while (bits >> 52 == 0 && exponent > -1074) {
            bits <<= 1;
            exponent--;
        }
        if (bits >> 52 != 0) {
            bits = (bits & ~(UINT64_C(1) << 52)) |
                   (uint64_t)(exponent + 1075) << 52;
        }
    }
    bits |= (uint64_t)negative << 63;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* |number| is finite. */
static binary binary_of(double number)
{
    const uint64_t bits = bits_of_double(number);
    const int exponent = (int)(bits >> 52 & 0x7FF);
    binary value = {bits & ((UINT64_C(1) << 52) - 1), -1074, false};
    if (exponent > 0) {
        value.mantissa |= UINT64_C(1) << 52;
        value.exponent = exponent - 1075;
    }
    return value;
}

double tw_python_double(const char *data, size_t size)
{
    const bool negative = size > 0 && data[0] == '-';
    const decimal number = read_text(data, size);
    if (number.size <= SURE && number.exponent >= -22 &&
        number.exponent <= 22) { /* both are exact, and so is their quotient */
        double value = 0;
        double power = 1;
        for (size_t i = 0; i < number.size; i++) {
            value = value * 10 + (number.digits[i] - '0');
        }
        for (int i = number.exponent; i != 0; i += i < 0 ? 1 : -1) {
            power *= 10;
        }
        value = number.exponent < 0 ? value / power : value * power;
        return negative ? -value : value;
    }
    const binary value = nearest(&number);
    return double_of(&value, negative);
}

/* above / below = |value|. */
static void ratio_of_binary(const binary *value, big *above, big *below)
{
    set(above, value->mantissa);
    set(below, 1);
    shift_left(value->exponent > 0 ? above : below,
               value->exponent > 0 ? value->exponent : -value->exponent);
}

/* m, where 10 to the m is the lowest power of ten above |value|. */
static int magnitude_of(const binary *value)
{
    big above;
    big below;
    ratio_of_binary(value, &above, &below);
    /* log10(2) is 1233 / 4096 and a little. */
    const int bits = bits_of(&above) - bits_of(&below);
    int magnitude = bits * 1233 / 4096 - 2;
    times_power_of_ten(magnitude > 0 ? &below : &above,
                       magnitude > 0 ? magnitude : -magnitude);
    while (compare(&above, &below) >= 0) {
        multiply(&below, 10, 0);
        magnitude++;
    }
    return magnitude;
}

/* The words of what is not finite; NULL: it is. */
static const char *word_of(double number)
{
    const uint64_t bits = bits_of_double(number);
    if ((bits >> 52 & 0x7FF) != 0x7FF) {
        return NULL;
    }
    return bits << 12 != 0 ? "nan" : bits >> 63 != 0 ? "-inf" : "inf";
}

/* The digits of a short number, which at most fifteen make up; false: there
 * are more. */
static bool short_digits(double number, decimal *out)
{
    double scaled = number < 0 ? -number : number;
    if (scaled >= 1e15) {
        return false;
    }
    double power = 1;
    for (int places = 0; places <= 6; places++, power *= 10) {
        const double shifted = scaled * power;
        if (shifted >= 1e15) {
            return false;
        }
        const uint64_t whole = (uint64_t)(shifted + 0.5);
        if ((double)whole / power == scaled) {
            set_digits(out, whole, -places);
            return true;
        }
    }
    return false;
}

static bool put_float(tw_buffer *out, const tw_memory *memory, double number,
                      const decimal *digits, int most)
{
    text result = {.size = 0};
    if (bits_of_double(number) >> 63 != 0) {
        add(&result, "-", 1);
    }
    write_float(&result, digits, most);
    return tw_buffer_append(out, memory, result.data, result.size);
}

bool tw_python_float(tw_buffer *out, const tw_memory *memory, double number)
{
    const char *word = word_of(number);
    if (word != NULL) {
        return tw_buffer_append(out, memory, word, strlen(word));
    }
    decimal digits = {.size = 0, .exponent = 0};
    if (number != 0 && !short_digits(number, &digits)) {
        const binary value = binary_of(number);
        digits.size = 0;
        digits.exponent = magnitude_of(&value);
        shorten(&digits, &value);
    }
    return put_float(out, memory, number, &digits, REPR);
}

/* |number|'s digits, lowest first; it is nothing then. */
static size_t big_digits(big *number, char *out, size_t room)
{
    size_t size = 0;
    while (number->size > 0 && size < room) {
        uint64_t rest = 0;
        for (size_t i = number->size; i-- > 0;) {
            rest = rest << 32 | number->limb[i];
            number->limb[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        while (number->size > 0 && number->limb[number->size - 1] == 0) {
            number->size--;
        }
        out[size++] = (char)('0' + rest);
    }
    return size;
}

enum { FIXED_DIGITS = 330 };

bool tw_python_fixed(tw_buffer *out, const tw_memory *memory, double number,
                     unsigned places)
{
    const char *word = word_of(number);
    if (word != NULL) {
        return tw_buffer_append(out, memory, word, strlen(word));
    }
    const binary value = binary_of(number);
    big above;
    big below;
    char digits[FIXED_DIGITS + TW_PYTHON_PLACES];
    ratio_of_binary(&value, &above, &below);
    places = places > TW_PYTHON_PLACES ? TW_PYTHON_PLACES : places;
    times_power_of_ten(&above, (int)places);
    /* The quotient, bit by bit: it may be of any size. */
    big quotient;
    set(&quotient, 0);
    for (int i = bits_of(&above) - bits_of(&below); i >= 0; i--) {
        big shifted = below;
        shift_left(&shifted, i);
        const bool bit = compare(&above, &shifted) >= 0;
        if (bit) {
            subtract(&above, &shifted);
        }
        multiply(&quotient, 2, bit);
    }
    multiply(&above, 2, 0);
    const int order = compare(&above, &below);
    const bool odd = quotient.size > 0 && (quotient.limb[0] & 1) != 0;
    if (order > 0 || (order == 0 && odd)) {
        multiply(&quotient, 1, 1);
    }
    size_t size = big_digits(&quotient, digits, sizeof digits);
    while (size <= places) {
        digits[size++] = '0';
    }
    bool good = bits_of_double(number) >> 63 == 0 ||
                tw_buffer_append(out, memory, "-", 1);
    for (size_t i = size; i-- > 0 && good;) {
        good = tw_buffer_append(out, memory, &digits[i], 1) &&
               (i != places || places == 0 ||
                tw_buffer_append(out, memory, ".", 1));
    }
    return good;
}

bool tw_python_rounded(tw_buffer *out, const tw_memory *memory, double number,
                       int count)
{
    if (word_of(number) != NULL) {
        return tw_python_float(out, memory, number);
    }
    const binary value = binary_of(number);
    decimal digits = {.digits = "0", .size = 1, .exponent = 0};
    if (number != 0) {
        big above;
        big below;
        const int scale = count - magnitude_of(&value);
        ratio_of_binary(&value, &above, &below);
        times_power_of_ten(&above, scale);
        times_power_of_ten(&below, -scale);
        const uint64_t whole = divide(&above, &below);
        multiply(&above, 2, 0);
        const int order = compare(&above, &below);
        const bool up = order > 0 || (order == 0 && whole % 2 == 1);
        set_digits(&digits, whole + up, -scale);
    }
    return put_float(out, memory, number, &digits, count - 1);
}
