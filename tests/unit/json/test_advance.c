/* SPDX-License-Identifier: MIT
 *
 * The fast ways do what the plain ones do: wide skips against their
 * references, JSON in bulk against JSON step by step.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "json/machine_state.h"
#include "json/advance.h"
#include "json/tree.h"

static uint32_t random_state = 1;

static uint32_t below(uint32_t count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * count) >> 32);
}

/* ---- wide skips --------------------------------------------------------- */

static bool may_hold(uint8_t c, tw_plain kind)
{
    switch (kind) {
    case TW_PLAIN_STRING:
        return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
    case TW_PLAIN_QUOTED: return may_hold(c, TW_PLAIN_STRING) && c != '\'';
    case TW_PLAIN_TEXT: return c < 0x80 && c != '<';
    case TW_PLAIN_PROSE: return c < 0x80 && c != '<' && c != '[' && c != ']';
    case TW_PLAIN_ASCII: return c < 0x80;
    case TW_PLAIN_ESCAPED: return c > 0 && strchr("\"\\/bfnrt", c) != NULL;
    default: return may_hold(c, TW_PLAIN_STRING) && strchr("<,}])", c) == NULL;
    }
}

Test(advance, plain_kinds_are_what_they_say)
{
    for (unsigned c = 0; c < 256; c++) {
        for (unsigned kind = 1; kind <= TW_PLAIN_QUOTED; kind *= 2) {
            cr_assert_eq((tw_plain_kinds[c] & kind) != 0,
                         may_hold((uint8_t)c, (tw_plain)kind),
                         "byte %02X, kind %u", c, kind);
        }
    }
}

/* Every byte that may end a run, at every place of runs of every size up to
 * three times the width; each in a block of exactly its size. */
Test(advance, wide_skips_end_where_their_references_do)
{
    for (size_t size = 0; size <= 48; size++) {
        uint8_t *text = malloc(size > 0 ? size : 1);
        for (unsigned c = 0; c < 256; c++) {
            for (size_t at = 0; at < size; at++) {
                memset(text, 'a', size);
                text[at] = (uint8_t)c;
                const uint8_t *limit = text + size;
                cr_assert_eq(tw_skip_string(text, limit),
                             tw_skip_plain(text, limit, TW_PLAIN_STRING));
                uint8_t copy[16];
                const size_t copied = tw_copy_delimited(copy, text, limit);
                const uint8_t *end =
                    tw_skip_plain(text, limit, TW_PLAIN_DELIMITED);
                const size_t run = (size_t)(end - text);
                cr_assert_eq(copied, run < 16 ? run : 16);
                cr_assert_eq(memcmp(copy, text, copied), 0);
                const size_t whole =
                    (size_t)(tw_skip_plain(text, limit, TW_PLAIN_STRING) -
                             text);
                cr_assert_eq(tw_copy_string(copy, text, limit),
                             whole < 16 ? whole : 16);
            }
        }
        free(text);
    }
}

/* Where it ends, single steps over plain bytes and escapes come by; and it
 * ends where there is something else, or little. */
static void check_escaped(const uint8_t *text, const uint8_t *limit)
{
    const uint8_t *end = tw_skip_escaped(text, limit);
    const uint8_t *at = text;
    while (at < end) {
        const bool slash = *at == '\\';
        cr_assert(slash ? strchr("\"/bfnrt", at[1]) != NULL && at[1] != '\0'
                        : may_hold(*at, TW_PLAIN_STRING));
        at += slash ? 2 : 1;
    }
    cr_assert_eq(at, end);
#ifdef __SSE2__
    cr_assert(limit - end < 16 || !may_hold(*end, TW_PLAIN_STRING));
#endif
}

Test(advance, escapes_are_passed_whole)
{
    static const char letters[] = "\\\\\\\\\"nnutfrb/ax\x01\x80\n";
    for (int round = 0; round < 200000; round++) {
        const size_t size = below(70);
        const uint32_t rare = 2 + below(12);
        uint8_t *text = malloc(size > 0 ? size : 1);
        for (size_t i = 0; i < size; i++) {
            const uint32_t letter = below(sizeof letters - 1);
            text[i] = below(rare) == 0 ? (uint8_t)letters[letter]
                      : i > 0 && text[i - 1] == '\\' && below(rare) > 0 ? 'n'
                                                                        : 'a';
        }
        check_escaped(text, text + size);
        free(text);
    }
}

static void check_well_formed(const uint8_t *text, const uint8_t *limit)
{
    static const tw_plain kinds[] = {TW_PLAIN_STRING, TW_PLAIN_TEXT,
                                     TW_PLAIN_DELIMITED, TW_PLAIN_QUOTED,
                                     TW_PLAIN_ASCII};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const uint8_t *end = tw_skip_well_formed(text, limit, kinds[i]);
        cr_assert_eq(end, tw_skip_well_formed_plain(text, limit, kinds[i]),
                     "kind %u, of %zu bytes, %02X %02X at %zu",
                     (unsigned)kinds[i], (size_t)(limit - text),
                     end < limit ? *end : 0, limit - end > 1 ? end[1] : 0,
                     (size_t)(end - text));
    }
    cr_assert_eq(tw_skip_well_formed(text, limit, TW_PLAIN_ASCII),
                 tw_utf8_valid(text, limit));
    cr_assert_eq(tw_skip_prose(text, limit), tw_skip_prose_plain(text, limit),
                 "prose of %zu bytes", (size_t)(limit - text));
}

/* Every byte, at every place of prose, behind each lead and before its end. */
Test(advance, prose_ends_where_the_reference_does)
{
    static const char before[] = "a<[";
    for (size_t size = 1; size <= 70; size++) {
        uint8_t *text = malloc(size);
        for (unsigned c = 0; c < 256 * 3; c++) {
            for (size_t at = 0; at < size; at++) {
                memset(text, 'a', size);
                text[at] = (uint8_t)(c / 3);
                text[at > 0 ? at - 1 : 0] =
                    at > 0 ? (uint8_t)before[c % 3] : text[0];
                cr_assert_eq(tw_skip_prose(text, text + size),
                             tw_skip_prose_plain(text, text + size));
            }
        }
        free(text);
    }
}

/* Every lead with every second byte, and what may follow them, at every place
 * of a block and across its end. */
Test(advance, every_code_point_is_judged_as_the_reference_does)
{
    static const uint8_t others[] = {0x7F, 0x80, 0xBF, 0xC0};
    enum { SIZE = 36, OTHERS = sizeof others };
    uint8_t *text = malloc(SIZE);
    for (size_t at = 0; at < 18; at++) {
        for (uint32_t two = 0x8000; two <= 0xFFFF; two++) {
            const uint32_t tail = two % (OTHERS * OTHERS);
            memset(text, 'a', SIZE);
            text[at] = (uint8_t)(two >> 8);
            text[at + 1] = (uint8_t)two;
            text[at + 2] = others[(tail + two / 64) % OTHERS];
            text[at + 3] = others[(tail / OTHERS + two / 1024) % OTHERS];
            check_well_formed(text, text + SIZE);
        }
    }
    free(text);
}

Test(advance, random_code_points_are_judged_as_the_reference_does)
{
    static const char *const points[] = {
        "a", " word", "\xC3\xA9", "\xD0\x94", "\xE4\xB8\xAD", "\xE0\xA4\x95",
        "\xED\x95\x9C", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF",
        "plain ascii run ",
        /* rarely, what ends a run */
        "<", "[", "<|", "[T", "\"", "\n", ",", "\x80", "\xC2", "\xE4\xB8",
        "\xF0\x9F", "\xFF", "\xED\xA0\x80", "\xE0\x80\x80",
        "\xF4\x90\x80\x80"};
    enum { POINTS = sizeof points / sizeof *points, GOOD = 10 };
    for (int round = 0; round < 60000; round++) {
        char bytes[128];
        size_t size = 0;
        const uint32_t rare = 2 + below(40);
        for (uint32_t left = below(24); left > 0 && size < 100; left--) {
            const char *point =
                points[below(rare) == 0 ? below(POINTS) : below(GOOD)];
            memcpy(bytes + size, point, strlen(point));
            size += strlen(point);
        }
        size -= size > 0 ? below(3) % size : 0;
        uint8_t *text = malloc(size > 0 ? size : 1);
        memcpy(text, bytes, size);
        check_well_formed(text, text + size);
        free(text);
    }
}

Test(advance, digits_are_those_of_the_reference)
{
    uint8_t text[16];
    for (int i = 0; i < 100000; i++) {
        for (size_t k = 0; k < 16; k++) {
            text[k] = (uint8_t)(below(2) ? '0' + below(10) : below(256));
        }
        cr_assert_eq(tw_digits(text), tw_digits_plain(text));
    }
}

/* ---- JSON --------------------------------------------------------------- */

static const char *const fragments[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\"",
                                        "\"a\":",
                                        "\"k\": ",
                                        "\"text\"",
                                        "\"b\",",
                                        "1",
                                        "-1.5e+10",
                                        "0",
                                        "007",
                                        "12,",
                                        "-",
                                        "1.",
                                        "1e",
                                        "true",
                                        "false",
                                        "null",
                                        "True",
                                        "nul",
                                        " ",
                                        "\n",
                                        ", ",
                                        ",]",
                                        ", }",
                                        "\\n",
                                        "\\u00e9",
                                        "\\ud83d",
                                        "\\ude00",
                                        "\\u12",
                                        "\\",
                                        "'",
                                        "\xC3\xA9",
                                        "\xF0\x9F",
                                        "\xFF",
                                        "\x01",
                                        "\xC2\xA0",
                                        "[1,2,[3],4],",
                                        "[[[]],{}]",
                                        "1234567890123456789",
                                        "}}",
                                        "{{",
                                        "0.5,0.25,",
                                        "1e5,-2E-3,",
                                        "\"\\\"\\\\/\"",
                                        "abcdefghijklmnop"};

enum { FRAGMENTS = sizeof fragments / sizeof fragments[0] };

typedef struct read_json {
    char log[8192];
    size_t size;
    tw_json_kind last;
    size_t depth;
    size_t used;
} read_json;

static void note(read_json *to, const char *text, size_t size)
{
    cr_assert(to->size + size <= sizeof to->log);
    memcpy(to->log + to->size, text, size);
    to->size += size;
}

/* Reads [text, text + size) in pieces of up to |piece| bytes, each with what
 * was left of the one before; notes text and codes. */
static void read_text(read_json *to, tw_json *json, const char *text,
                      size_t size, size_t piece)
{
    size_t begin = 0;
    size_t end = 0;
    tw_json_step step;
    memset(to, 0, sizeof *to);
    do {
        end += size - end < piece ? size - end : piece;
        const bool eof = end == size;
        uint8_t *copy = malloc(end - begin + 1);
        memcpy(copy, text + begin, end - begin);
        tw_view view = {copy, copy + (end - begin), eof};
        do {
            tw_json_next(json, &view, &step);
            note(to, (const char *)step.before, step.before_size);
            if (step.kind >= TW_JSON_STEP_PIECE) {
                if (step.code != 0) {
                    char code = (char)(0x80 + step.code % 64);
                    note(to, &code, 1);
                }
                note(to, step.text, step.text_size);
            }
        } while (step.kind >= TW_JSON_STEP_PIECE && !tw_json_done(json));
        begin += (size_t)(view.at - copy);
        free(copy);
    } while (step.kind == TW_JSON_STEP_MORE && end < size);
    to->last = step.kind;
    to->depth = json->depth;
    to->used = begin;
}

Test(advance, bulk_is_what_steps_are)
{
    static read_json steps, bulk;
    const tw_memory memory = tw_memory_from(NULL);
    tw_json one;
    tw_json many;
    tw_json_init(&one, &memory, 6, true);
    tw_json_init(&many, &memory, 6, true);
    size_t longest = 0;
    for (int i = 0; i < 200000; i++) {
        char text[512] = "{";
        const uint32_t count = 1 + below(16);
        const bool repairs = below(4) > 0;
        for (uint32_t k = 0; k < count; k++) {
            strcat(text, fragments[below(FRAGMENTS)]);
        }
        const size_t size = strlen(text);
        const size_t piece = below(2) ? size : 1 + below(30);
        one.repairs = many.repairs = repairs;
        tw_json_reset(&one, 6);
        tw_json_reset(&many, 6);
        many.floor = 1;
        read_text(&steps, &one, text, size, size);
        read_text(&bulk, &many, text, size, piece);
        cr_assert(steps.size == bulk.size &&
                      memcmp(steps.log, bulk.log, bulk.size) == 0 &&
                      steps.last == bulk.last && steps.depth == bulk.depth &&
                      steps.used == bulk.used,
                  "by %zu: %s\nsteps: %.*s\nbulk:  %.*s", piece, text,
                  (int)steps.size, steps.log, (int)bulk.size, bulk.log);
        longest = steps.size > longest ? steps.size : longest;
    }
    cr_assert_gt(longest, 40, "no text was read far");
    tw_json_free(&one);
    tw_json_free(&many);
}

/* A comma and the blanks behind it, of every size around what is held. */
Test(advance, bulk_holds_what_steps_hold)
{
    static read_json steps, bulk;
    static const char *const behind[] = {"\"b\": 2}", "}", "", "7}"};
    static const size_t pieces[] = {1, 100, 256, 257, 258, 1000};
    const tw_memory memory = tw_memory_from(NULL);
    tw_json one;
    tw_json many;
    tw_json_init(&one, &memory, 6, true);
    tw_json_init(&many, &memory, 6, true);
    for (int blanks = COMMA_HOLD - 4; blanks < COMMA_HOLD + 4; blanks++) {
        for (size_t i = 0; i < 4 * 6; i++) {
            char text[512];
            const int size = snprintf(text, sizeof text, "{\"a\": 1,%*s%s",
                                      blanks, "", behind[i / 6]);
            tw_json_reset(&one, 6);
            tw_json_reset(&many, 6);
            many.floor = 1;
            read_text(&steps, &one, text, (size_t)size, (size_t)size);
            read_text(&bulk, &many, text, (size_t)size, pieces[i % 6]);
            cr_expect(steps.size == bulk.size &&
                          memcmp(steps.log, bulk.log, bulk.size) == 0 &&
                          steps.last == bulk.last && steps.used == bulk.used,
                      "%d blanks by %zu: %s", blanks, pieces[i % 6],
                      behind[i / 6]);
        }
    }
    tw_json_free(&one);
    tw_json_free(&many);
}

/* Of half a lexeme steps tell nothing either. */
Test(advance, half_a_lexeme_waits)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json json;
    size_t halves = 0;
    size_t wholes = 0;
    tw_json_init(&json, &memory, 6, true);
    for (int i = 0; i < 50000; i++) {
        char text[512] = "{\"a\":";
        for (uint32_t count = 1 + below(8); count > 0; count--) {
            strcat(text, fragments[below(FRAGMENTS)]);
        }
        const size_t size = strlen(text);
        uint8_t *copy = malloc(size);
        memcpy(copy, text, size);
        tw_view view = {copy, copy + size, false};
        tw_json_step step;
        bool half;
        tw_json_reset(&json, 6);
        do {
            half = view.at < view.limit &&
                   tw_json_is_half(&json, view.at, view.limit);
            tw_json_next(&json, &view, &step);
            cr_assert(!half || step.kind == TW_JSON_STEP_MORE, "%s", text);
        } while (step.kind >= TW_JSON_STEP_PIECE && !tw_json_done(&json));
        halves += half;
        wholes += !half;
        free(copy);
    }
    cr_expect_gt(halves, 500);
    cr_expect_gt(wholes, 1000);
    tw_json_free(&json);
}

Test(advance, halves_are_known)
{
    static const char *const halves[] = {"\\",       "\\u",    "\\u0",
                                         "\\u00",    "\\u00e", "\xC3",
                                         "\xE6\x9D", "\xF0",   "\xF0\x9F\x98"};
    static const char *const wholes[] = {"\\n",   "\\x", "\\u00e9",
                                         "\\u0g", "a",   "\xFF"};
    const tw_memory memory = tw_memory_from(NULL);
    tw_json json;
    tw_json_init(&json, &memory, 6, true);
    json.state = STRING;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const uint8_t *at = (const uint8_t *)halves[i];
        cr_expect(tw_json_is_half(&json, at, at + strlen(halves[i])), "%zu",
                  i);
    }
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        const uint8_t *at = (const uint8_t *)wholes[i];
        cr_expect(!tw_json_is_half(&json, at, at + strlen(wholes[i])), "%s",
                  wholes[i]);
    }
    json.state = AFTER;
    for (int blanks = 0; blanks < COMMA_HOLD + 4; blanks++) {
        char text[512];
        const int size = snprintf(text, sizeof text, ",%*s", blanks, "");
        const uint8_t *at = (const uint8_t *)text;
        cr_expect_eq(tw_json_is_half(&json, at, at + size), size <= COMMA_HOLD,
                     "%d blanks", blanks);
        text[size] = '1';
        cr_expect(!tw_json_is_half(&json, at, at + size + 1));
    }
    json.repairs = false;
    const uint8_t comma = ',';
    cr_expect(!tw_json_is_half(&json, &comma, &comma + 1));
    tw_json_free(&json);
}

/* ---- trees -------------------------------------------------------------- */

static bool is_json(tw_json *json, const char *text, size_t size)
{
    const uint8_t *at = (const uint8_t *)text;
    tw_view view = {at, at + size, true};
    tw_json_step step;
    tw_json_reset(json, 1024);
    do {
        tw_json_next(json, &view, &step);
    } while (step.kind >= TW_JSON_STEP_PIECE && !tw_json_done(json));
    while (view.at < view.limit && strchr(" \t\r\n", *view.at) != NULL) {
        view.at++;
    }
    return (tw_json_done(json) || tw_json_at_number_end(json)) &&
           view.at == view.limit;
}

/* A text is changed in one place of a good one, so that it is all but JSON. */
Test(advance, a_tree_is_read_of_what_steps_take)
{
    static const char *const good[] = {
        "{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"d\\n\"}}",
        "[[], {}, [\"x\", {\"y\": [false]}], 0]", "{\"text\":\"\xC3\xA9\"}",
        "[1,2,[3,4]]"};
    const tw_memory memory = tw_memory_from(NULL);
    tw_json json;
    tw_tree tree;
    size_t taken = 0;
    tw_json_init(&json, &memory, 1024, false);
    tw_tree_init(&tree, &memory);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const size_t size = strlen(good[i]);
        for (size_t at = 0; at < size; at++) {
            for (unsigned c = 0; c < 256; c++) {
                char text[64];
                memcpy(text, good[i], size);
                text[at] = (char)c;
                const bool is = is_json(&json, text, size);
                cr_assert_eq(tw_tree_read(&tree, text, size, false) == TW_OK,
                             is, "%.*s", (int)size, text);
                taken += is;
            }
        }
    }
    cr_assert_gt(taken, 1000);
    tw_tree_free(&tree);
    tw_json_free(&json);
}

/* A tree is as deep as may be, and no deeper. */
Test(advance, a_tree_has_a_depth)
{
    enum { DEEPEST = 1024 };
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    for (size_t depth = DEEPEST - 2; depth <= DEEPEST + 2; depth++) {
        for (size_t kind = 0; kind < 4; kind++) {
            char text[8 * (DEEPEST + 3)];
            size_t size = 0;
            for (size_t i = 0; i < depth; i++) {
                const bool object = kind == 3 ? i % 2 == 0 : kind > 0;
                const char *open = !object         ? "["
                                   : i + 1 < depth ? "{\"a\":"
                                                   : "{";
                /* A tab takes the slow way. */
                size += (size_t)sprintf(text + size, "%s%s", open,
                                        kind == 2 ? "\t" : "");
            }
            for (size_t i = depth; i-- > 0;) {
                const bool object = kind == 3 ? i % 2 == 0 : kind > 0;
                text[size++] = object ? '}' : ']';
            }
            cr_expect_eq(tw_tree_read(&tree, text, size, false) == TW_OK,
                         depth <= DEEPEST, "%zu deep, %zu", depth, kind);
        }
    }
    tw_tree_free(&tree);
}
