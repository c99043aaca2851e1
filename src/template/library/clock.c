/* SPDX-License-Identifier: MIT
 *
 * Days and hours of a count of seconds, and Python's strftime() of them.
 */
#include "template/library/clock.h"

#include <string.h>

static const char *const days[] = {"Sunday",    "Monday",   "Tuesday",
                                   "Wednesday", "Thursday", "Friday",
                                   "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

typedef struct moment {
    int64_t time; /* in seconds */
    int64_t year;
    int month; /* from 0 */
    int day;   /* from 1 */
    int year_day;
    int week_day; /* 0: Sunday */
    int hour;
    int minute;
    int second;
} moment;

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int64_t year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30,
                                  31, 31, 30, 31, 30, 31};
    return lengths[month] + (month == 1 && is_leap(year));
}

static moment moment_of(int64_t now)
{
    const int64_t second = 86400;
    int64_t day = now / second;
    int64_t rest = now % second;
    if (rest < 0) {
        rest += second;
        day--;
    }
    moment at = {now,
                 1970,
                 0,
                 1,
                 0,
                 (int)(((day + 4) % 7 + 7) % 7),
                 (int)(rest / 3600),
                 (int)(rest / 60 % 60),
                 (int)(rest % 60)};
    /* 146097 days are 400 years. */
    const int64_t cycles = (day >= 0 ? day : day - 146096) / 146097;
    at.year += 400 * cycles;
    day -= 146097 * cycles;
    while (day >= 365 + is_leap(at.year)) {
        day -= 365 + is_leap(at.year);
        at.year++;
    }
    at.year_day = (int)day + 1;
    while (day >= days_in(at.year, at.month)) {
        day -= days_in(at.year, at.month);
        at.month++;
    }
    at.day = (int)day + 1;
    return at;
}

static void put_number(tw_builder *out, int64_t number, int width, char fill)
{
    char digits[24];
    int size = 0;
    tw_build_words(out, "-", number < 0);
    number = number < 0 ? -number : number;
    do {
        digits[sizeof digits - 1 - (size_t)size++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (size < width) {
        digits[sizeof digits - 1 - (size_t)size++] = fill;
    }
    tw_build_words(out, digits + sizeof digits - size, (size_t)size);
}

/* ISO 8601: the week that has the year's first Thursday is the first. */
static int iso_week(const moment *at, int64_t *year)
{
    const int monday = (at->week_day + 6) % 7;
    int week = (at->year_day - monday + 9) / 7;
    *year = at->year;
    if (week == 0) {
        const int last = at->year_day + 365 + is_leap(at->year - 1);
        *year = at->year - 1;
        return (last - monday + 9) / 7;
    }
    const int length = 365 + is_leap(at->year);
    if (week == 53 && at->year_day - monday + 3 > length) {
        *year = at->year + 1;
        week = 1;
    }
    return week;
}

/* What stands between `%` and the letter says how: what fills a number up to
 * its digits ('-': nothing; 0: what its letter has), and case. */
typedef struct manner {
    char fill;
    bool capitals;
    bool other_case;
} manner;

static void print(tw_builder *, const moment *, const char *, manner);

static void put_filled(tw_builder *out, int64_t number, int digits, char fill,
                       manner how)
{
    fill = how.fill != 0 ? how.fill : fill;
    put_number(out, number, fill == '-' ? 1 : digits, fill);
}

static void put_name(tw_builder *out, const char *name, size_t size,
                     bool capitals)
{
    for (size_t i = 0; i < size; i++) {
        const bool small = name[i] >= 'a' && name[i] <= 'z';
        const char c = (char)(capitals && small ? name[i] - 0x20 : name[i]);
        tw_build_words(out, &c, 1);
    }
}

/* A directive that is a number; false: it is none. */
static bool put_count(tw_builder *out, const moment *at, char letter,
                      manner how)
{
    const int hour = (at->hour + 11) % 12 + 1;
    const int monday = (at->week_day + 6) % 7;
    int64_t number;
    int64_t year;
    int digits = 2;
    char fill = '0';
    switch (letter) {
    case 'e':
        fill = ' ';
        number = at->day;
        break;
    case 'd': number = at->day; break;
    case 'm': number = at->month + 1; break;
    case 'y': number = at->year % 100; break;
    case 'Y': number = at->year; break;
    case 'C': number = at->year / 100; break;
    case 'G':
    case 'g':
        iso_week(at, &year);
        number = letter == 'G' ? year : year % 100;
        break;
    case 'V': number = iso_week(at, &year); break;
    case 'k':
        fill = ' ';
        number = at->hour;
        break;
    case 'H': number = at->hour; break;
    case 'l':
        fill = ' ';
        number = hour;
        break;
    case 'I': number = hour; break;
    case 'M': number = at->minute; break;
    case 'S': number = at->second; break;
    case 's': number = at->time; break;
    case 'j': number = at->year_day; break;
    case 'u': number = monday + 1; break;
    case 'w': number = at->week_day; break;
    case 'U': number = (at->year_day + 6 - at->week_day) / 7; break;
    case 'W': number = (at->year_day + 6 - monday) / 7; break;
    default: return false;
    }
    digits = letter == 'j' ? 3 : strchr("uwYGs", letter) != NULL ? 1 : digits;
    put_filled(out, number, digits, fill, how);
    return true;
}

static void put(tw_builder *out, const moment *at, char letter, manner how)
{
    const bool capitals = how.capitals || how.other_case;
    const bool small = letter == 'P' || how.other_case;
    const manner whole = {.capitals = how.capitals};
    switch (letter) {
    case 'a': put_name(out, days[at->week_day], 3, capitals); break;
    case 'A':
        put_name(out, days[at->week_day], strlen(days[at->week_day]),
                 capitals);
        break;
    case 'b':
    case 'h': put_name(out, months[at->month], 3, capitals); break;
    case 'B':
        put_name(out, months[at->month], strlen(months[at->month]), capitals);
        break;
    case 'f': tw_build(out, "000000"); break;
    case 'p':
    case 'P':
        tw_build(out, at->hour < 12 ? small ? "am" : "AM"
                      : small       ? "pm"
                                    : "PM");
        break;
    case 'D':
    case 'x': print(out, at, "%m/%d/%y", whole); break;
    case 'F': print(out, at, "%Y-%m-%d", whole); break;
    case 'T':
    case 'X': print(out, at, "%H:%M:%S", whole); break;
    case 'R': print(out, at, "%H:%M", whole); break;
    case 'r': print(out, at, "%I:%M:%S %p", whole); break;
    case 'c': print(out, at, "%a %b %e %H:%M:%S %Y", whole); break;
    case 'n': tw_build(out, "\n"); break;
    case 't': tw_build(out, "\t"); break;
    case 'z': /* a time without a zone */
    case 'Z': break;
    case '%': tw_build(out, "%"); break;
    default: /* as libc: what it does not know stays */
        tw_build(out, "%");
        tw_build_words(out, &letter, 1);
        break;
    }
}

static bool is_flag(char c)
{
    return c == '-' || c == '_' || c == '0' || c == '^' || c == '#';
}

static size_t put_directive(tw_builder *out, const moment *at,
                            const char *format, size_t size, manner how)
{
    size_t i = 0;
    for (; i + 1 < size && is_flag(format[i]); i++) {
        how.capitals |= format[i] == '^';
        how.other_case |= format[i] == '#';
        how.fill = format[i] == '^' || format[i] == '#' ? how.fill
                   : format[i] == '_'                   ? ' '
                                                        : format[i];
    }
    if (!put_count(out, at, format[i], how)) {
        put(out, at, format[i], how);
    }
    return i + 1;
}

static void print_all(tw_builder *out, const moment *at, const char *format,
                      size_t size, manner how)
{
    for (size_t i = 0; i < size;) {
        if (format[i] != '%' || i + 1 == size) {
            tw_build_words(out, format + i, 1);
            i++;
        } else {
            i += 1 + put_directive(out, at, format + i + 1, size - i - 1, how);
        }
    }
}

static void print(tw_builder *out, const moment *at, const char *format,
                  manner how)
{
    print_all(out, at, format, strlen(format), how);
}

void tw_clock_print(tw_builder *out, const tw_string *format, int64_t now)
{
    const moment at = moment_of(now);
    const manner plain = {0, false, false};
    print_all(out, &at, format->data, format->size, plain);
}

/* |size| digits at |at|; false: they are none. */
static bool digits(const char *at, size_t size, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < size; i++) {
        if (at[i] < '0' || at[i] > '9') {
            return false;
        }
        *out = *out * 10 + (at[i] - '0');
    }
    return true;
}

bool tw_clock_read(const char *text, size_t size, int64_t *now)
{
    static const char pattern[] = "0000-00-00T00:00:00";
    int64_t part[6];
    for (size_t i = 0; i < sizeof pattern - 1; i++) {
        if (size != sizeof pattern - 1 ||
            (pattern[i] != '0' && pattern[i] != text[i])) {
            return false;
        }
    }
    if (!digits(text, 4, &part[0])) {
        return false;
    }
    for (size_t i = 1; i < 6; i++) {
        if (!digits(text + 2 + 3 * i, 2, &part[i])) {
            return false;
        }
    }
    if (part[1] < 1 || part[1] > 12 || part[2] < 1 ||
        part[2] > days_in(part[0], (int)part[1] - 1) || part[3] > 23 ||
        part[4] > 59 || part[5] > 59) {
        return false;
    }
    int64_t day = part[2] - 1;
    for (int month = 0; month < (int)part[1] - 1; month++) {
        day += days_in(part[0], month);
    }
    const int64_t year = part[0] - 1;
    day += 365 * year + year / 4 - year / 100 + year / 400 - 719162;
    *now = ((day * 24 + part[3]) * 60 + part[4]) * 60 + part[5];
    return true;
}
