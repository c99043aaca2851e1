/* SPDX-License-Identifier: MIT
 *
 * Days and hours of a count of seconds, and Python's strftime() of them.
 */
#include "template/library/clock.h"

static const char *const days[] = {"Sunday",    "Monday",   "Tuesday",
                                   "Wednesday", "Thursday", "Friday",
                                   "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

typedef struct moment {
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
    moment at = {1970,
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
    do {
        digits[sizeof digits - 1 - (size_t)size++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (size < width) {
        digits[sizeof digits - 1 - (size_t)size++] = fill;
    }
    tw_build_words(out, digits + sizeof digits - size, (size_t)size);
}

static void put_hour(tw_builder *out, const moment *at, char fill)
{
    const int hour = at->hour % 12 == 0 ? 12 : at->hour % 12;
    put_number(out, hour, fill != 0 ? 2 : 1, fill);
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

static void print(tw_builder *, const moment *, const char *, size_t);

/* One directive; |plain|: without padding (`%-d`). */
static void put(tw_builder *out, const moment *at, char letter, bool plain)
{
    const char zero = '0';
    const int two = plain ? 1 : 2;
    int64_t year;
    switch (letter) {
    case 'a': tw_build_words(out, days[at->week_day], 3); break;
    case 'A': tw_build(out, days[at->week_day]); break;
    case 'b':
    case 'h': tw_build_words(out, months[at->month], 3); break;
    case 'B': tw_build(out, months[at->month]); break;
    case 'd': put_number(out, at->day, two, zero); break;
    case 'e': put_number(out, at->day, two, ' '); break;
    case 'm': put_number(out, at->month + 1, two, zero); break;
    case 'y': put_number(out, at->year % 100, two, zero); break;
    case 'Y': put_number(out, at->year, 1, zero); break;
    case 'C': put_number(out, at->year / 100, two, zero); break;
    case 'G':
        iso_week(at, &year);
        put_number(out, year, 1, zero);
        break;
    case 'V': put_number(out, iso_week(at, &year), two, zero); break;
    case 'H': put_number(out, at->hour, two, zero); break;
    case 'I': put_hour(out, at, plain ? 0 : zero); break;
    case 'M': put_number(out, at->minute, two, zero); break;
    case 'S': put_number(out, at->second, two, zero); break;
    case 'f': tw_build(out, "000000"); break;
    case 'p': tw_build(out, at->hour < 12 ? "AM" : "PM"); break;
    case 'P': tw_build(out, at->hour < 12 ? "am" : "pm"); break;
    case 'j': put_number(out, at->year_day, plain ? 1 : 3, zero); break;
    case 'u':
        put_number(out, at->week_day == 0 ? 7 : at->week_day, 1, zero);
        break;
    case 'w': put_number(out, at->week_day, 1, zero); break;
    case 'U':
        put_number(out, (at->year_day + 6 - at->week_day) / 7, two, zero);
        break;
    case 'W':
        put_number(out, (at->year_day + 6 - (at->week_day + 6) % 7) / 7, two,
                   zero);
        break;
    case 'D':
    case 'x': print(out, at, "%m/%d/%y", 8); break;
    case 'F': print(out, at, "%Y-%m-%d", 8); break;
    case 'T':
    case 'X': print(out, at, "%H:%M:%S", 8); break;
    case 'R': print(out, at, "%H:%M", 5); break;
    case 'r': print(out, at, "%I:%M:%S %p", 11); break;
    case 'c': print(out, at, "%a %b %e %H:%M:%S %Y", 20); break;
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

static void print(tw_builder *out, const moment *at, const char *format,
                  size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (format[i] != '%' || i + 1 == size) {
            tw_build_words(out, format + i, 1);
            continue;
        }
        i++;
        const bool plain = format[i] == '-' && i + 1 < size;
        i += plain;
        put(out, at, format[i], plain);
    }
}

void tw_clock_print(tw_builder *out, const tw_string *format, int64_t now)
{
    const moment at = moment_of(now);
    print(out, &at, format->data, format->size);
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
