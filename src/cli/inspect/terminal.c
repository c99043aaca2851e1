/* SPDX-License-Identifier: MIT
 *
 * The page as text: in colours, where the wire reads on, or without, where
 * each row names what it is.
 */
#include <stdio.h>
#include <string.h>

#include "cli/inspect/show.h"
#include "cli/files/print.h"

enum { OFFSET = 8, WORD = 11 };

static const char *const colours[CLI_KINDS] = {
    [CLI_KIND_UNREAD] = "7;31",    [CLI_KIND_STRUCTURE] = "2",
    [CLI_KIND_MARKER] = "35",      [CLI_KIND_TEXT] = "0",
    [CLI_KIND_REASONING] = "3;36", [CLI_KIND_NAME] = "1;33",
    [CLI_KIND_ARGUMENTS] = "32",   [CLI_KIND_DROPPED] = "9;31",
    [CLI_KIND_UNPARSED] = "31"};

static void close_run(cli_painter *painter)
{
    if (painter->open) {
        cli_put_text(painter->output, "\033[0m");
        painter->open = false;
    }
}

static void put_run(cli_painter *painter, cli_kind kind, bool place)
{
    close_run(painter);
    if (painter->colours) {
        cli_put_texts(painter->output, "\033[", colours[kind],
                      place ? ";4m" : "m");
        painter->open = true;
    }
}

static void put_glyph(cli_painter *painter, const cli_glyph *glyph,
                      const char *data, size_t size)
{
    (void)data;
    (void)size;
    cli_put(painter->output, glyph->text, glyph->size);
}

static void end_line(cli_painter *painter)
{
    close_run(painter);
    cli_put_text(painter->output, "\n");
}

/* Names come from the command line, and a terminal is to take them as text. */
static void put_harmless(cli_painter *painter, const char *text)
{
    cli_show_run(painter, CLI_KIND_TEXT, text, strlen(text), SIZE_MAX);
    close_run(painter);
}

static void put_legend(cli_painter *painter)
{
    cli_put_column(painter->output, "", OFFSET + 2);
    for (cli_kind kind = CLI_KIND_STRUCTURE; kind < CLI_KINDS; kind++) {
        put_run(painter, kind, false);
        cli_put_text(painter->output, cli_kind_name(kind));
        close_run(painter);
        cli_put_text(painter->output, " ");
    }
    end_line(painter);
}

static void begin(cli_painter *painter, const cli_page *page,
                  const char *summary)
{
    put_harmless(painter, page->file);
    cli_put_text(painter->output, ": ");
    put_harmless(painter, page->format);
    if (page->found != NULL) {
        cli_put_texts(painter->output, " (", page->found, ")");
    }
    cli_put_texts(painter->output, "\n", summary, "\n\n");
    if (painter->colours) {
        put_legend(painter);
    }
}

static size_t gutter(const cli_painter *painter)
{
    return OFFSET + 2 + (painter->split ? WORD : 0);
}

static void begin_row(cli_painter *painter, uint64_t offset, cli_kind first)
{
    cli_output *output = painter->output;
    uint64_t rest = offset;
    size_t digits = 1;
    while ((rest /= 10) > 0) {
        digits++;
    }
    cli_put_column(output, "", digits < OFFSET ? OFFSET - digits : 0);
    cli_put_text(output, painter->colours ? "\033[2m" : "");
    cli_put_number(output, offset);
    cli_put_text(output, painter->colours ? "\033[0m  " : "  ");
    if (painter->split) {
        cli_put_column(output, cli_kind_name(first), WORD);
    }
}

/* A line under a row, indented. */
static void begin_under(cli_painter *painter, size_t column)
{
    cli_put_column(painter->output, "", gutter(painter) + column);
}

/* Words that go on at |column| of a row, in rows of the painter's columns. */
static void put_words(cli_painter *painter, size_t column, const char *text)
{
    for (size_t size; *text != '\0'; text += size) {
        text += strspn(text, " ");
        size = strcspn(text, " ");
        if (column + 1 + size > painter->columns) {
            cli_put_text(painter->output, "\n");
            begin_under(painter, 0);
            column = 0;
        } else {
            cli_put_text(painter->output, " ");
            column++;
        }
        cli_put(painter->output, text, size);
        column += size;
    }
}

static void put_red(cli_painter *painter, bool red)
{
    const char *code = red ? "\033[1;31m" : "\033[0m";
    cli_put_text(painter->output, painter->colours ? code : "");
}

static void put_carets(cli_painter *painter, size_t column, size_t width)
{
    begin_under(painter, column);
    put_red(painter, true);
    for (size_t i = 0; i < width; i++) {
        cli_put_text(painter->output, "^");
    }
    put_red(painter, false);
    end_line(painter);
}

/* Puts a detail, and returns how many columns it takes. */
static size_t put_detail(cli_painter *painter, const char *text, size_t size)
{
    cli_glyph glyph;
    size_t width = 0;
    for (size_t at = 0, length; at < size; at += length) {
        length = cli_glyph_make(&glyph, text + at, size - at);
        cli_put(painter->output, glyph.text, glyph.size);
        width += glyph.width;
    }
    return width;
}

static void put_note(cli_painter *painter, const cli_shown_note *shown)
{
    const cli_note *note = shown->note;
    char place[40];
    put_carets(painter, shown->column, shown->width);
    begin_under(painter, 0);
    put_red(painter, true);
    cli_put_text(painter->output, note->name);
    put_red(painter, false);
    snprintf(place, sizeof place, " at %llu%s",
             (unsigned long long)note->offset,
             note->warning ? " (warning):" : ":");
    cli_put_text(painter->output, place);
    size_t column = strlen(note->name) + strlen(place);
    if (note->detail_size > 0) {
        cli_put_text(painter->output, " ");
        column += 2 + put_detail(painter, shown->detail, note->detail_size);
        cli_put_text(painter->output, ":");
    }
    put_words(painter, column, note->text);
    end_line(painter);
    begin_under(painter, 0);
    cli_put_text(painter->output, "remedy:");
    put_words(painter, strlen("remedy:"), shown->remedy);
    end_line(painter);
}

static void end_wire(cli_painter *painter, size_t hidden)
{
    if (hidden > 0) {
        cli_put_text(painter->output, "\n");
        cli_put_number(painter->output, hidden);
        cli_put_text(painter->output,
                     " more of these codes (--show N: N of each)\n");
    }
}

static void begin_calls(cli_painter *painter)
{
    cli_put_text(painter->output, "\ncalls\n");
}

static void begin_item(cli_painter *painter, size_t depth)
{
    cli_put_column(painter->output, "", 2 + 2 * depth);
}

static void do_nothing(cli_painter *painter)
{
    (void)painter;
}

const cli_brush cli_brush_terminal = {
    .begin = begin,
    .begin_wire = do_nothing,
    .begin_row = begin_row,
    .run = put_run,
    .glyph = put_glyph,
    .end_row = end_line,
    .note = put_note,
    .end_wire = end_wire,
    .begin_calls = begin_calls,
    .begin_item = begin_item,
    .end_item = end_line,
    .end_calls = do_nothing,
    .end = do_nothing,
};
