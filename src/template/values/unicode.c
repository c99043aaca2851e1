/* SPDX-License-Identifier: MIT
 *
 * Looking up code points in the tables.
 */
#include "template/values/unicode.h"

#include "core/ascii.h"
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
    size_t low = 0;
    size_t high = sets[property].count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint32_t first = sets[property].rows[middle][0];
        const uint32_t last = sets[property].rows[middle][1];
        if (point > (last & ~BY_TWO)) {
            low = middle + 1;
        } else if (point < first) {
            high = middle;
        } else {
            return (last & BY_TWO) == 0 || (point - first) % 2 == 0;
        }
    }
    return false;
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
    size_t low = 0;
    size_t high = sizeof upper_case / sizeof *upper_case;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const case_row *row = &upper_case[middle];
        if (point > row->last) {
            low = middle + 1;
        } else if (point < row->first) {
            high = middle;
        } else {
            const bool in = (point - row->first) % (uint32_t)row->step == 0;
            return in ? (uint32_t)((int32_t)point + row->delta) : point;
        }
    }
    return point;
}

static size_t change_case(uint32_t point, bool title, uint32_t out[3])
{
    size_t low = 0;
    size_t high = sizeof special_case / sizeof *special_case;
    while (point >= 0x80 && low < high) {
        const size_t middle = low + (high - low) / 2;
        const special_row *row = &special_case[middle];
        if (point > row->point) {
            low = middle + 1;
        } else if (point < row->point) {
            high = middle;
        } else {
            const uint16_t *points = title ? row->title : row->upper;
            size_t count = 0;
            while (count < 3 && points[count] != 0) {
                out[count] = points[count];
                count++;
            }
            return count;
        }
    }
    out[0] = point < 0x80
                 ? point - (point >= 'a' && point <= 'z' ? 'a' - 'A' : 0)
                 : simple_upper(point);
    return 1;
}

size_t tw_point_upper(uint32_t point, uint32_t out[3])
{
    return change_case(point, false, out);
}

size_t tw_point_title(uint32_t point, uint32_t out[3])
{
    return change_case(point, true, out);
}
