/* SPDX-License-Identifier: MIT
 *
 * A message in every format, its texts, names and values made of pieces of the
 * format's own words and calls: it is refused, or it is told of, or it reads
 * back, with U+200B in it where markers were to be broken.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "naive/naive_tree.h"
#include "support/random_request.h"
#include "toolwire.h"

typedef struct written {
    const tw_format *format;
    tw_encoder *encoder;
    tw_decoder *decoder;
    tw_writer *writer;
    naive_bytes calls; /* as the format writes two of them */
    bool any_name;     /* calls may have other names than `wipe` */
} written;

#define PICK(list) (list)[random_below(sizeof(list) / sizeof *(list))]

static bool once_in(uint32_t count)
{
    return random_below(count) == 0;
}

/* ---- messages ----------------------------------------------------------- */

static void add_string(naive_bytes *out, const naive_bytes *text)
{
    char escape[8];
    naive_add_text(out, "\"");
    for (size_t i = 0; i < text->size; i++) {
        const unsigned char c = (unsigned char)text->data[i];
        if (c < ' ' || c == '"' || c == '\\') {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            naive_add_text(out, escape);
        } else {
            naive_add(out, &text->data[i], 1);
        }
    }
    naive_add_text(out, "\"");
}

/* A byte of UTF-8 behind the first of a character. */
static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* What begins and ends where characters do. */
static void add_cut(naive_bytes *out, const char *text, size_t size)
{
    size_t from = random_below((uint32_t)size + 1);
    size_t to = from + random_below((uint32_t)(size - from) + 1);
    while (from < size && is_inside(text[from])) {
        from--;
    }
    while (to < size && is_inside(text[to])) {
        to++;
    }
    naive_add(out, text + from, to - from);
}

static void add_marker(const tw_format *format, naive_bytes *out)
{
    const tw_marker *marker;
    size_t count = 0;
    while (tw_format_marker(format, count, &marker) == 1) {
        count++;
    }
    if (count > 0 &&
        tw_format_marker(format, random_below((uint32_t)count), &marker) ==
            1) {
        if (once_in(4)) {
            add_cut(out, marker->text, marker->size);
        } else {
            naive_add(out, marker->text, marker->size);
        }
    }
}

static void add_pieces(const written *its, naive_bytes *out, uint32_t most)
{
    static const char *const pieces[] = {
        "a", "wipe", " ", "\n", "{", "}", "[", "]", "(", ")", "<", ">",
        "\"", "'", "\\", ":", ",", "=", "call:wipe{}", "wipe{\"x\":1}",
        "{\"name\":\"wipe\",\"arguments\":{}}",
        "{\"name\":\"wipe\",\"parameters\":{}}",
        "[{\"name\":\"wipe\",\"arguments\":{}}]", "wipe(a=1)", "[wipe(a=1)]",
        "{\"wipe\":{}}", "\xE2\x80\x8B", "\xC3\xA9", "null", "5", "thought\n"};
    for (uint32_t left = random_below(most); left > 0; left--) {
        switch (random_below(4)) {
        case 0: add_marker(its->format, out); break;
        case 1:
            if (once_in(3)) {
                naive_add(out, its->calls.data, its->calls.size);
            } else {
                add_cut(out, its->calls.data, its->calls.size);
            }
            break;
        default: naive_add_text(out, PICK(pieces)); break;
        }
    }
}

static void add_text(const written *its, naive_bytes *out, uint32_t most)
{
    naive_bytes text = {0};
    add_pieces(its, &text, most);
    add_string(out, &text);
    naive_release(&text);
}

/* Names that do not end where a reader looks for their end. */
static void add_name(const written *its, naive_bytes *out)
{
    static const char *const odd[] = {
        "a{", "a(", "a[0]", "a:", "a:1", "a.b", "a,", "a=", "\"a\"", "'a'",
        "a>", "<a>", " a", "a ", "a\n", "\ta", "a b", "a\x01", "\xC2\xA0" "a",
        "a\xE2\x80\xA8", "\xEF\xBB\xBF" "a", "functions.a", "call:a", "a!1",
        "0", "-", ".", "a|", "a#1", "a&lt;", "a\\", "a;b", "a/b", "a}"};
    enum { MOST = 300 };
    naive_bytes name = {0};
    if (once_in(2)) {
        add_pieces(its, &name, 3);
    } else if (once_in(8)) {
        for (uint32_t left = MOST - random_below(2 * (MOST - 256)); left > 0;
             left--) {
            naive_add_text(&name, "n");
        }
    } else {
        naive_add_text(&name, PICK(odd));
    }
    add_string(out, &name);
    naive_release(&name);
}

/* A value alone, in a list, or in an object. */
static void add_value(const written *its, naive_bytes *out)
{
    static const char *const fronts[] = {"", "", "[1,", "{\"b\":"};
    static const char *const backs[] = {"", "", "]", "}"};
    const uint32_t form = random_below(4);
    naive_add_text(out, fronts[form]);
    add_text(its, out, 5);
    naive_add_text(out, backs[form]);
}

static void add_arguments(const written *its, naive_bytes *out)
{
    naive_bytes arguments = {0};
    naive_add_text(&arguments, "{");
    if (once_in(2)) {
        if (once_in(4)) {
            add_text(its, &arguments, 3);
        } else {
            naive_add_text(&arguments, "\"a\"");
        }
        naive_add_text(&arguments, ":");
        add_value(its, &arguments);
    }
    naive_add_text(&arguments, "}");
    add_string(out, &arguments);
    naive_release(&arguments);
}

static void add_call(const written *its, naive_bytes *out)
{
    naive_add_text(out,
                   "{\"type\":\"function\",\"function\":{\"name\":");
    if (its->any_name && once_in(4)) {
        add_name(its, out);
    } else {
        naive_add_text(out, "\"wipe\"");
    }
    naive_add_text(out, ",\"arguments\":");
    add_arguments(its, out);
    naive_add_text(out, "}}");
}

static naive_bytes random_message(const written *its)
{
    naive_bytes out = {0};
    naive_add_text(&out, "{\"role\":\"assistant\",\"content\":");
    add_text(its, &out, 6);
    if (once_in(3)) {
        naive_add_text(&out, ",\"reasoning_content\":");
        add_text(its, &out, 4);
    }
    if (once_in(2)) {
        naive_add_text(&out, ",\"tool_calls\":[");
        add_call(its, &out);
        if (once_in(3)) {
            naive_add_text(&out, ",");
            add_call(its, &out);
        }
        naive_add_text(&out, "]");
    }
    naive_add_text(&out, "}");
    return out;
}

/* ---- reading back ------------------------------------------------------- */

/* Without any U+200B, without blanks at its ends where |trim|. */
static naive_bytes plain(const naive_tree *text, bool trim)
{
    naive_bytes out = {0};
    if (text != NULL && text->kind == NAIVE_STRING) {
        for (size_t i = 0; i < text->text.size; i++) {
            if (text->text.size - i > 2 &&
                memcmp(text->text.data + i, "\xE2\x80\x8B", 3) == 0) {
                i += 2;
            } else {
                naive_add(&out, text->text.data + i, 1);
            }
        }
    }
    while (trim && out.size > 0 && strchr(" \t\r\n", out.data[out.size - 1])) {
        out.data[--out.size] = 0;
    }
    const size_t front =
        trim && out.size > 0 ? strspn(out.data, " \t\r\n") : 0;
    if (front > 0) {
        out.size -= front;
        memmove(out.data, out.data + front, out.size + 1);
    }
    return out;
}

static bool same_text(const naive_tree *left, const naive_tree *right,
                      bool trim)
{
    naive_bytes one = plain(left, trim);
    naive_bytes other = plain(right, trim);
    const bool same =
        one.size == other.size &&
        (one.size == 0 || memcmp(one.data, other.data, one.size) == 0);
    naive_release(&one);
    naive_release(&other);
    return same;
}

/* Are both texts JSON of one value? */
static bool same_json(const naive_tree *left, const naive_tree *right)
{
    naive_bytes one = plain(left, false);
    naive_bytes other = plain(right, false);
    naive_tree given = {0};
    naive_tree got = {0};
    const bool same = naive_tree_read(one.data, one.size, &given) &&
                      naive_tree_read(other.data, other.size, &got) &&
                      naive_tree_same(&given, &got);
    naive_tree_release(&given);
    naive_tree_release(&got);
    naive_release(&one);
    naive_release(&other);
    return same;
}

static bool same_call(const naive_tree *left, const naive_tree *right)
{
    const naive_tree *one = naive_tree_get(left, "function");
    const naive_tree *other = naive_tree_get(right, "function");
    return same_text(naive_tree_get(one, "name"),
                     naive_tree_get(other, "name"), false) &&
           same_json(naive_tree_get(one, "arguments"),
                     naive_tree_get(other, "arguments"));
}

/* What is another in what was read, or NULL. */
static const char *difference(const naive_tree *given, const naive_tree *got,
                              bool trim)
{
    const naive_tree *calls = naive_tree_get(given, "tool_calls");
    const naive_tree *read = naive_tree_get(got, "tool_calls");
    const naive_tree *notes = naive_tree_get(got, "toolwire");
    const size_t count = calls != NULL ? calls->count : 0;
    if (count != (read != NULL ? read->count : 0)) {
        return "other calls";
    }
    for (size_t i = 0; i < count; i++) {
        if (!same_call(&calls->children[i], &read->children[i])) {
            return "another call";
        }
    }
    if (naive_tree_get(notes, "unparsed") != NULL) {
        return "a call that is unparsed";
    }
    if (!same_text(naive_tree_get(given, "content"),
                   naive_tree_get(got, "content"), trim)) {
        return "other content";
    }
    return same_text(naive_tree_get(given, "reasoning_content"),
                     naive_tree_get(got, "reasoning_content"), trim)
               ? NULL
               : "other reasoning";
}

/* Does a report say that more than blanks at the ends, markers and ids are
 * other?  Whether blanks are is |*trim|. */
static bool is_told(const tw_encoder *encoder, bool *trim)
{
    static const char *const small[] = {"broken_marker", "call_id",
                                        "outer_whitespace", "empty_text",
                                        "arguments_spelling"};
    const tw_error *report;
    bool told = false;
    *trim = false;
    for (size_t i = 0;
         tw_encoder_report((tw_encoder *)(uintptr_t)encoder, i, &report) == 1;
         i++) {
        const char *name = tw_loss_get((uint32_t)report->detail)->name;
        bool known = false;
        for (size_t j = 0; j < sizeof small / sizeof *small; j++) {
            known |= strcmp(small[j], name) == 0;
        }
        *trim |= strcmp(name, "outer_whitespace") == 0;
        told |= !known;
    }
    return told;
}

static void check_text(const written *its, const naive_bytes *json,
                       const char *text, size_t size, const char *mode)
{
    naive_tree given, got;
    const char *line = NULL;
    size_t line_size = 0;
    bool trim;
    if (is_told(its->encoder, &trim)) {
        return;
    }
    cr_assert(naive_tree_read(json->data, json->size, &given));
    const naive_tree *thought = naive_tree_get(&given, "reasoning_content");
    const tw_description *description = its->format->description;
    tw_decoder_reset(its->decoder);
    tw_decoder_set(
        its->decoder, TW_OPTION_START_REASONING,
        its->format->family->complete != NULL &&
            ((thought != NULL && tw_frame_starts_inside(description)) ||
             tw_frame_closes_first(description, text, size)));
    const int result = tw_decode_message(its->decoder, its->writer, text, size,
                                         &line, &line_size);
    cr_assert_eq(result, TW_OK);
    cr_assert(naive_tree_read(line, line_size, &got));
    const char *wrong = difference(&given, &got, trim);
    cr_expect_null(wrong, "%s, %s: %s\n  %.*s\n  %.*s\n  %.*s",
                   tw_format_name(its->format), mode,
                   wrong != NULL ? wrong : "", (int)json->size, json->data,
                   (int)size, text, (int)line_size, line);
    naive_tree_release(&given);
    naive_tree_release(&got);
}

/* ---- formats ------------------------------------------------------------ */

static bool begin(written *its, const tw_format *format)
{
    static const char two[] =
        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
        "{\"id\":\"call00000\",\"type\":\"function\",\"function\":{\"name\":"
        "\"wipe\",\"arguments\":{}}},"
        "{\"id\":\"call00001\",\"type\":\"function\",\"function\":{\"name\":"
        "\"wipe\",\"arguments\":{\"a\":\"b\"}}}]}";
    const char *text;
    size_t size;
    memset(its, 0, sizeof *its);
    its->format = format;
    its->any_name = format->description != NULL;
    its->encoder = tw_encoder_new(format, NULL);
    its->decoder = tw_decoder_new(format, NULL);
    its->writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    if (its->encoder == NULL ||
        tw_encode_completion(its->encoder, two, sizeof two - 1, &text,
                             &size) != TW_OK) {
        return false;
    }
    naive_add(&its->calls, text, size);
    return true;
}

static void end(written *its)
{
    tw_encoder_free(its->encoder);
    tw_decoder_free(its->decoder);
    tw_writer_free(its->writer);
    naive_release(&its->calls);
}

static void try_format(written *its, tw_control_text control, const char *mode)
{
    enum { MESSAGES = 1000 / TESTS_SHARE };
    for (uint64_t seed = 0; seed < MESSAGES; seed++) {
        const char *text;
        size_t size;
        random_seed(seed);
        naive_bytes json = random_message(its);
        tw_encoder_reset(its->encoder);
        tw_encoder_set(its->encoder, TW_OPTION_CONTROL_TEXT, control);
        if (tw_encode_completion(its->encoder, json.data, json.size, &text,
                                 &size) == TW_OK) {
            check_text(its, &json, text, size, mode);
        }
        naive_release(&json);
    }
}

Test(written, is_refused_or_told_or_reads_back, .timeout = 300)
{
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        written its;
        if (begin(&its, format)) {
            try_format(&its, TW_CONTROL_TEXT_REJECT, "reject");
            try_format(&its, TW_CONTROL_TEXT_BREAK, "break");
        } else {
            cr_log_warn("%s writes no calls", tw_format_name(format));
        }
        end(&its);
    }
}
