/* SPDX-License-Identifier: MIT
 *
 * Looking up code points in the tables.
 */
#include "template/values/unicode.h"

#include "core/ascii.h"
#include "core/sort.h"
#include "template/values/unicode_cases.h"
#include "template/values/unicode_sets.h"

typedef struct set {
    const set_row *rows;
    size_t count;
} set;

#define ROWS(rows)                       \
    {                                    \
        rows, sizeof rows / sizeof *rows \
    }

static const set sets[] = {
    [TW_UNPRINTABLE] = ROWS(unprintable_rows),
    [TW_ALPHA] = ROWS(alpha_rows),
    [TW_DECIMAL] = ROWS(decimal_rows),
    [TW_DIGIT] = ROWS(digit_rows),
    [TW_NUMERIC] = ROWS(numeric_rows),
    [TW_UPPER] = ROWS(upper_rows),
    [TW_LOWER] = ROWS(lower_rows),
};

bool tw_point_has(uint32_t point, tw_property property)
{
    const set *of = &sets[property];
    tw_halves halves = {.high = of->count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves,
                       (of->rows[halves.middle][1] & ~BY_TWO) < point);
    }
    const uint32_t *row = of->rows[halves.low];
    return halves.low < of->count && point >= row[0] &&
           ((row[1] & BY_TWO) == 0 || (point - row[0]) % 2 == 0);
}

bool tw_point_is_word(uint32_t point)
{
    if (point < 0x80) {
        return tw_is_digit((int)point) ||
               ((point | 0x20) >= 'a' && (point | 0x20) <= 'z');
    }
    return tw_point_has(point, TW_ALPHA) || tw_point_has(point, TW_DECIMAL) ||
           tw_point_has(point, TW_DIGIT) || tw_point_has(point, TW_NUMERIC);
}

static uint32_t simple_upper(uint32_t point)
{
    return tw_case_of(upper_case, sizeof upper_case / sizeof *upper_case,
                      point);
}

/* Those that become several code points; NULL: it does not. */
static const special_row *special_of(uint32_t point)
{
    const size_t count = sizeof special_case / sizeof *special_case;
    tw_halves halves = {.high = count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, special_case[halves.middle].point < point);
    }
    const special_row *row = &special_case[halves.low];
    return halves.low < count && row->point == point ? row : NULL;
}

static size_t change_case(uint32_t point, bool title, uint32_t out[3])
{
    const special_row *row = point >= 0x80 ? special_of(point) : NULL;
    size_t count = 0;
    if (row == NULL) {
        out[0] = point < 0x80
                     ? point - (point >= 'a' && point <= 'z' ? 'a' - 'A' : 0)
                     : simple_upper(point);
        return 1;
    }
    const uint16_t *points = title ? row->title : row->upper;
    while (count < 3 && points[count] != 0) {
        out[count] = points[count];
        count++;
    }
    return count;
}

size_t tw_point_upper(uint32_t point, uint32_t out[3])
{
    return change_case(point, false, out);
}

size_t tw_point_title(uint32_t point, uint32_t out[3])
{
    return change_case(point, true, out);
}
