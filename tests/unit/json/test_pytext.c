/* SPDX-License-Identifier: MIT
 *
 * What templates inherit from Python, as CPython 3.11 does it.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "kit/random.h"
#include "messages/conversation.h"
#include "messages/pytext.h"

static tw_memory memory;

static void set_up(void)
{
    memory = tw_memory_from(NULL);
}

TestSuite(pytext, .init = set_up);

static bool is(const tw_buffer *found, const char *wanted)
{
    return found->size == strlen(wanted) &&
           memcmp(found->data, wanted, found->size) == 0;
}

static const char *const numbers[][2] = {
    /* Integers keep all their digits. */
    {"0", "0"},
    {"-0", "0"},
    {"-12", "-12"},
    {"123456789012345678901234567890", "123456789012345678901234567890"},
    /* Floats are the shortest text that reads back. */
    {"-0.0", "-0.0"},
    {"0e7", "0.0"},
    {"1.0", "1.0"},
    {"1.10", "1.1"},
    {"1e3", "1000.0"},
    {"1E+05", "100000.0"},
    {"1e15", "1000000000000000.0"},
    {"1e16", "1e+16"},
    {"1e20", "1e+20"},
    {"123456789012345678.0", "1.2345678901234568e+17"},
    {"0.0001", "0.0001"},
    {"0.00001", "1e-05"},
    {"1.5e-7", "1.5e-07"},
    {"1e-100", "1e-100"},
    {"0.1000000000000000055511151231257827", "0.1"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"9007199254740993.0", "9007199254740992.0"},
    {"9007199254740993.1", "9007199254740994.0"},
    /* The ends of the range, and powers of two, whose neighbours are not
     * equally far. */
    {"1.7976931348623157e308", "1.7976931348623157e+308"},
    {"1.7976931348623159e308", "inf"},
    {"-1e400", "-inf"},
    {"1e-400", "0.0"},
    {"5e-324", "5e-324"},
    {"2.4703282292062327e-324", "0.0"},
    {"2.4703282292062328e-324", "5e-324"},
    {"2.2250738585072014e-308", "2.2250738585072014e-308"},
    {"5.684341886080801e-14", "5.684341886080801e-14"},
    {"9.671406556917033e24", "9.671406556917033e+24"},
    {"8.98846567431158e307", "8.98846567431158e+307"},
};

Test(pytext, numbers)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tw_buffer out = {0};
        const char *text = numbers[i][0];
        cr_assert(tw_python_number(&out, &memory, text, strlen(text)));
        cr_expect(is(&out, numbers[i][1]), "%s: %.*s, not %s", text,
                  (int)out.size, (const char *)out.data, numbers[i][1]);
        tw_buffer_free(&out, &memory);
    }
}

/* Behind 800 digits only matters whether one is not 0. */
Test(pytext, long_number)
{
    char text[1205] = "1.";
    memset(text + 2, '0', 1200);
    text[1202] = '1';
    tw_buffer out = {0};
    cr_assert(tw_python_number(&out, &memory, text, 1203));
    cr_expect(is(&out, "1.0"));
    out.size = 0;
    /* Half-way between two doubles, and a digit far behind. */
    const char half[] = "9007199254740993.";
    memcpy(text, half, sizeof half - 1);
    cr_assert(tw_python_number(&out, &memory, text, 1203));
    cr_expect(is(&out, "9007199254740994.0"), "%.*s", (int)out.size,
              (const char *)out.data);
    tw_buffer_free(&out, &memory);
}

/* ---- libc as another reader --------------------------------------------- */

static uint64_t state = 5;

static uint64_t draw(void)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* repr() of a finite double: the least digits that read back, and as Python
 * sets the point: exponents from 10^16 on and below 10^-4. */
static void plain_repr(double value, char *out, size_t room)
{
    char text[40];
    char digits[20] = "";
    int count = 0;
    do {
        snprintf(text, sizeof text, "%.*e", count, value);
    } while (strtod(text, NULL) != value && ++count < 17);
    const char *from = text + (text[0] == '-');
    const int exponent = atoi(strchr(from, 'e') + 1);
    digits[0] = from[0];
    memcpy(digits + 1, from + 2, (size_t)count);
    const char *sign = from > text ? "-" : "";
    if (exponent < -4 || exponent >= 16) {
        snprintf(out, room, "%s%c%s%se%c%02d", sign, digits[0],
                 count > 0 ? "." : "", digits + 1, exponent < 0 ? '-' : '+',
                 abs(exponent));
    } else {
        const int places = count > exponent ? count - exponent : 1;
        snprintf(out, room, "%.*f", places, value);
    }
}

static void expect_number(const char *text)
{
    char wanted[64];
    tw_buffer out = {0};
    const double value = strtod(text, NULL);
    if (isfinite(value)) {
        plain_repr(value, wanted, sizeof wanted);
    } else {
        snprintf(wanted, sizeof wanted, "%s", value < 0 ? "-inf" : "inf");
    }
    cr_assert(tw_python_number(&out, &memory, text, strlen(text)));
    cr_expect(is(&out, wanted), "%s: %.*s, not %s", text, (int)out.size,
              (const char *)out.data, wanted);
    tw_buffer_free(&out, &memory);
}

/* Doubles of all sizes, their neighbours, and decimals with many digits. */
Test(pytext, numbers_as_libc_reads_them)
{
    for (int i = 0; i < 3000; i++) {
        char text[64];
        double value;
        const uint64_t bits = draw();
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            snprintf(text, sizeof text, "%.*e", 16 + i % 8, value);
            expect_number(text);
        }
        snprintf(text, sizeof text, "%s%d.%0*llue%d", i % 2 == 0 ? "" : "-",
                 (int)(draw() % 10), (int)(1 + draw() % 19),
                 (unsigned long long)(draw() >> draw() % 64),
                 (int)(draw() % 60) - 30);
        expect_number(text);
        snprintf(text, sizeof text, "%.*f", 1 + i % 5,
                 (double)(draw() % 1000000) / 1000);
        expect_number(text);
    }
    for (int exponent = -330; exponent <= 310; exponent++) {
        static const char *const heads[] = {"1", "9.9999999999999995", "2.5",
                                            "4.9406564584124654"};
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            char text[64];
            snprintf(text, sizeof text, "%se%d", heads[i], exponent);
            expect_number(text);
        }
    }
}

static const char *const stripped[][2] = {
    {"", ""},
    {" \t\n\v\f\r\x1C\x1F", ""},
    {"  a b ", "a b"},
    {"\xC2\xA0\xE3\x80\x80x\xE2\x80\xA8\xC2\x85", "x"},
    {"\xE2\x80\x8Bx\xE2\x80\x8B", "\xE2\x80\x8Bx\xE2\x80\x8B"},
    {"\xF0\x9F\x98\x80 ", "\xF0\x9F\x98\x80"},
};

Test(pytext, strip)
{
    for (size_t i = 0; i < sizeof stripped / sizeof *stripped; i++) {
        const char *data = stripped[i][0];
        size_t size = strlen(data);
        tw_python_strip(&data, &size);
        cr_expect(size == strlen(stripped[i][1]) &&
                      memcmp(data, stripped[i][1], size) == 0,
                  "%zu", i);
    }
}

Test(pytext, json)
{
    static const char text[] =
        "{\"a\":[1,2.50,{}],\"b\":{\"c\":null,\"d\":[]},\"\\u00e9\\/\":"
        "\"q\\\"\\n\\u0001\\u007f\\u2028\",\"t\":[true,false]}";
    static const char wanted[] =
        "{\"a\": [1, 2.50, {}], \"b\": {\"c\": null, \"d\": []}, "
        "\"\xC3\xA9/\": \"q\\\"\\n\\u0001\x7F\xE2\x80\xA8\", "
        "\"t\": [true, false]}";
    tw_tree tree;
    tw_buffer out = {0};
    tw_tree_init(&tree, &memory);
    cr_assert_eq(tw_tree_read(&tree, text, sizeof text - 1, false), TW_OK);
    cr_assert(
        tw_python_dump(&out, &memory, tree.root, &tw_dump_spaced, false));
    cr_expect(is(&out, wanted), "%.*s", (int)out.size, (const char *)out.data);
    out.size = 0;
    cr_assert(tw_python_dump(&out, &memory, tree.root->first->first->next,
                             &tw_dump_spaced, true));
    cr_expect(is(&out, "2.5"));
    tw_buffer_free(&out, &memory);
    tw_tree_free(&tree);
}

/* What Python cannot hold keeps its spelling: `inf` is no JSON. */
Test(pytext, json_has_no_infinity)
{
    static const char given[] = "[1e999,-1e400,1e3]";
    static const char wanted[] = "[1e999, -1e400, 1000.0]";
    const tw_memory libc = tw_memory_from(NULL);
    tw_tree tree;
    tw_buffer out = {0};
    tw_tree_init(&tree, &libc);
    cr_assert_eq(tw_tree_read(&tree, given, sizeof given - 1, false), TW_OK);
    cr_assert(tw_python_dump(&out, &libc, tree.root, &tw_dump_spaced, true));
    cr_expect_eq(out.size, sizeof wanted - 1);
    cr_expect_arr_eq(out.data, wanted, sizeof wanted - 1);
    tw_buffer_free(&out, &libc);
    tw_tree_free(&tree);
}

/* Where a number has no room, the text ends in front of it. */
Test(pytext, json_without_memory)
{
    static const char given[] =
        "[1234567890123456789,1234567890123456789,1234567890123456789,"
        "1234567890123456789,1234567890123456789,1234567890123456789]";
    const tw_memory libc = tw_memory_from(NULL);
    tw_tree tree;
    bool good = false;
    tw_tree_init(&tree, &libc);
    cr_assert_eq(tw_tree_read(&tree, given, sizeof given - 1, false), TW_OK);
    for (size_t fail_at = 1; !good; fail_at++) {
        test_memory failures = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&failures);
        const tw_memory failing = tw_memory_from(&allocator);
        tw_buffer out = {0};
        good =
            tw_python_dump(&out, &failing, tree.root, &tw_dump_compact, true);
        cr_expect_eq(good, failures.count < fail_at);
        cr_expect(out.size == sizeof given - 1 ||
                  (!good && out.size < sizeof given - 1));
        cr_expect_arr_eq(out.data, given, out.size);
        tw_buffer_free(&out, &failing);
        cr_assert_eq(failures.live, 0);
    }
    tw_tree_free(&tree);
}

/* bool() of what Python reads: 0 in any spelling is false, and so is what is
 * empty. */
Test(pytext, truth)
{
    static const char *const trues[] = {
        "true", "1",   "11",    "-1",     "0.1",      "1e-5", "9",
        "5.0",  "[0]", "\"0\"", "[null]", "{\"\":0}", "1E400"};
    static const char *const falses[] = {"false", "null", "0",    "-0",
                                         "0.0",   "0e1",  "0E99", "-0.00e+1",
                                         "\"\"",  "[]",   "{}"};
    const size_t true_count = sizeof trues / sizeof *trues;
    const size_t count = true_count + sizeof falses / sizeof *falses;
    for (size_t i = 0; i < count; i++) {
        const char *text = i < true_count ? trues[i] : falses[i - true_count];
        tw_tree tree;
        tw_tree_init(&tree, &memory);
        cr_assert_eq(tw_tree_read(&tree, text, strlen(text), false), TW_OK);
        cr_expect_eq(tw_value_is_true(tree.root), i < true_count, "%s", text);
        tw_tree_free(&tree);
    }
    cr_expect_not(tw_value_is_true(NULL));
}

/* By lower case, then as they stood. */
Test(pytext, dictsort)
{
    static const char text[] =
        "{\"b\":0,\"B\":1,\"_\":2,\"Z\":3,\"a\":4,\"A1\":5,\"\xC3\x89\":6,"
        "\"\xC3\xA9\":7,\"1\":8,\"\":9,\"\xCE\xA3\":10,\"\xCF\x83\":11,"
        "\"\xC4\xB0\":12,\"i\xCC\x87\":13,\"aa\":14}";
    static const char *const wanted[] = {"9",  "8", "2", "4",  "5",
                                         "14", "0", "1", "12", "13",
                                         "3",  "6", "7", "10", "11"};
    tw_tree tree;
    const tw_value **members;
    size_t count;
    tw_tree_init(&tree, &memory);
    cr_assert_eq(tw_tree_read(&tree, text, sizeof text - 1, false), TW_OK);
    cr_assert(tw_python_dictsort(tree.root, &memory, &members, &count));
    cr_assert_eq(count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        cr_expect(members[i]->size == strlen(wanted[i]) &&
                      memcmp(members[i]->text, wanted[i], members[i]->size) ==
                          0,
                  "%zu: %.*s, not %s", i, (int)members[i]->size,
                  members[i]->text, wanted[i]);
    }
    tw_python_dictsort_free(&memory, members, count);
    tw_tree_free(&tree);
}

static const uint32_t lower[][2] = {
    {'A', 'a'},         {'[', '['},          {0xC0, 0xE0},
    {0xD7, 0xD7},       {0x178, 0xFF},       {0x1E9E, 0xDF},
    {0x2126, 0x3C9},    {0x212A, 'k'},       {0x10A0, 0x2D00},
    {0x13A0, 0xAB70},   {0xFF21, 0xFF41},    {0x10400, 0x10428},
    {0x1E900, 0x1E922}, {0x10FFFF, 0x10FFFF}};

Test(pytext, lower)
{
    for (size_t i = 0; i < sizeof lower / sizeof *lower; i++) {
        uint32_t out[2];
        cr_expect_eq(tw_python_lower(lower[i][0], out), 1);
        cr_expect_eq(out[0], lower[i][1], "%x: %x", lower[i][0], out[0]);
    }
}

/* str.lower() of every code point by itself, as a sum over what CPython
 * 3.11.7 says (Unicode 14): 1433 change, and one becomes two. */
Test(pytext, lower_of_all)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    size_t changed = 0;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint32_t out[2] = {0, 0};
        if (code >= 0xD800 && code <= 0xDFFF) {
            continue;
        }
        const size_t count = tw_python_lower(code, out);
        changed += count != 1 || out[0] != code;
        sum = (sum ^ count) * UINT64_C(0x100000001B3);
        for (size_t i = 0; i < count; i++) {
            sum = (sum ^ out[i]) * UINT64_C(0x100000001B3);
        }
    }
    cr_expect_eq(changed, 1433);
    cr_expect_eq(sum, UINT64_C(0x410D3D64117C0777));
}

/* Each object of a few members is sorted the quick way, and again with so many
 * more behind all others that only the other way will do. */
Test(pytext, dictsort_of_few_and_of_many)
{
    static const char letters[] = "aAbB_1";
    uint64_t seed = 3;
    size_t few = 0;
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    for (int round = 0; round < 5000; round++) {
        char text[2048] = "{";
        const uint32_t count = 1 + kit_below(&seed, 16);
        for (uint32_t i = 0; i < count + 16; i++) {
            char key[8] = "zzz";
            for (uint32_t at = 0; i < count && at < 3; at++) {
                key[at] = letters[kit_below(&seed, 6)];
            }
            key[i < count ? kit_below(&seed, 4) : 3] = 0;
            sprintf(text + strlen(text), "%s\"%s\":%u", i > 0 ? "," : "", key,
                    i);
        }
        strcat(text, "}");
        const tw_value *quick[16];
        const tw_value **members;
        size_t all;
        cr_assert_eq(tw_tree_read(&tree, text, strlen(text), false), TW_OK);
        cr_assert(tw_python_dictsort(tree.root, &memory, &members, &all));
        cr_assert_eq(all, count + 16);
        cr_assert_not(tw_python_sort_few(tree.root, all, members));
        few += tw_python_sort_few(tree.root, count, quick);
        cr_assert_arr_eq(quick, members, count * sizeof *quick, "%s", text);
        tw_python_dictsort_free(&memory, members, all);
    }
    cr_assert_eq(few, 5000);
    tw_tree_free(&tree);
}
