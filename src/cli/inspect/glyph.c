/* SPDX-License-Identifier: MIT
 *
 * Tables of Unicode, as far as signs in columns need them.
 */
#include "cli/inspect/glyph.h"

#include <string.h>

#include "cli/files/print.h"

typedef struct range {
    uint32_t first, last;
} range;

/* Not to be seen, or changing how others are: formats, blanks that are not the
 * blank, separators, what joins another sign, private use, no characters; and
 * the signs that are made here. */
static const range hidden[] = {
    {0x80, 0xA0},        {0xAD, 0xAD},       {0xB7, 0xB7},
    {0x300, 0x36F},      {0x483, 0x489},     {0x591, 0x5BD},
    {0x600, 0x605},      {0x61C, 0x61C},     {0x64B, 0x65F},
    {0x6DD, 0x6DD},      {0x70F, 0x70F},     {0x8E2, 0x8E2},
    {0x115F, 0x1160},    {0x1680, 0x1680},   {0x17B4, 0x17B5},
    {0x180B, 0x180F},    {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF},
    {0x2000, 0x200F},    {0x2028, 0x202F},   {0x205F, 0x206F},
    {0x20D0, 0x20FF},    {0x21B5, 0x21B5},   {0x27E8, 0x27E9},
    {0x3000, 0x3000},    {0x3164, 0x3164},   {0xE000, 0xF8FF},
    {0xFDD0, 0xFDEF},    {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F},
    {0xFEFF, 0xFEFF},    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
    {0xFFFE, 0xFFFF},    {0x110BD, 0x110BD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3},  {0x1D173, 0x1D17A}, {0x1FFFE, 0x1FFFF},
    {0xE0000, 0x10FFFF},
};

/* Two columns wide (UAX 11: W and F). */
static const range wide[] = {
    {0x1100, 0x115E},   {0x231A, 0x231B},   {0x2329, 0x232A},
    {0x23E9, 0x23EC},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x26BD, 0x26BE},
    {0x26C4, 0x26C5},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x2753, 0x2755},
    {0x2795, 0x2797},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF},
    {0x1B000, 0x1B2FF}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool is_in(const range *ranges, size_t count, uint32_t point)
{
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (point < ranges[middle].first) {
            count = middle;
        } else if (point > ranges[middle].last) {
            low = middle + 1;
        } else {
            return true;
        }
    }
    return false;
}

/* The number of a well-formed code point. */
static uint32_t number_of(const unsigned char *at, size_t size)
{
    uint32_t point = size == 1 ? at[0] : at[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        point = point << 6 | (at[i] & 0x3Fu);
    }
    return point;
}

/* |text| in angle brackets. */
static void put_name(cli_glyph *glyph, const char *text, size_t size)
{
    memcpy(glyph->room, "\xE2\x9F\xA8", 3);
    memcpy(glyph->room + 3, text, size);
    memcpy(glyph->room + 3 + size, "\xE2\x9F\xA9", 3);
    glyph->made = true;
    glyph->text = glyph->room;
    glyph->size = size + 6;
    glyph->width = size + 2;
}

static void put_number(cli_glyph *glyph, const char *before, uint32_t number,
                       size_t digits)
{
    static const char hex[] = "0123456789ABCDEF";
    char text[8];
    size_t size = strlen(before);
    memcpy(text, before, size);
    while (digits < 6 && number >> (4 * digits) != 0) {
        digits++;
    }
    while (digits-- > 0) {
        text[size++] = hex[number >> 4 * digits & 15];
    }
    put_name(glyph, text, size);
}

static void put_sign(cli_glyph *glyph, const char *sign)
{
    glyph->made = true;
    glyph->text = sign;
    glyph->size = strlen(sign);
    glyph->width = 1;
}

void cli_glyph_make_blank(cli_glyph *glyph)
{
    put_sign(glyph, "\xC2\xB7");
}

static void put_control(cli_glyph *glyph, uint32_t control)
{
    static const char names[] = "NULSOHSTXETXEOTENQACKBELBS TABLF VT FF CR SO "
                                "SI DLEDC1DC2DC3DC4NAKSYNETBCANEM SUBESCFS GS "
                                "RS US DEL";
    const char *name = names + 3 * (control == 0x7F ? 0x20 : control);
    if (control == '\n') {
        put_sign(glyph, "\xE2\x86\xB5");
    } else {
        put_name(glyph, name, name[2] == ' ' ? 2 : 3);
    }
}

size_t cli_glyph_make(cli_glyph *glyph, const char *data, size_t size)
{
    bool whole;
    const unsigned char *at = (const unsigned char *)data;
    const size_t length = cli_code_point(at, size, &whole);
    if (!whole) {
        put_number(glyph, "x", at[0], 2);
        return 1;
    }
    const uint32_t point = number_of(at, length);
    if (point < 0x20 || point == 0x7F) {
        put_control(glyph, point);
    } else if (is_in(hidden, sizeof hidden / sizeof hidden[0], point)) {
        put_number(glyph, "U+", point, 4);
    } else {
        glyph->made = false;
        glyph->text = data;
        glyph->size = length;
        glyph->width =
            is_in(wide, sizeof wide / sizeof wide[0], point) ? 2 : 1;
    }
    return length;
}
