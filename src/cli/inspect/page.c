/* SPDX-License-Identifier: MIT
 *
 * Cuts the wire into rows, and finds the columns of what is said of them.
 */
#include "cli/inspect/show.h"

#include <stdio.h>
#include <string.h>

#include "cli/explain/explanations.h"

typedef struct sheet_state {
    cli_painter *painter;
    const cli_page *page;
    const cli_wire *wire;
    size_t next;   /* the first note that was not looked at */
    size_t hidden; /* notes */
} sheet_state;

/* ---- rows --------------------------------------------------------------- */

/* A sign and its kind: that of its first byte. */
static size_t glyph_at(const cli_wire *wire, size_t at, cli_glyph *glyph)
{
    return cli_glyph_make(glyph, wire->data + at, wire->size - at);
}

/* The end of the row that begins at |begin|. */
static size_t row_end(const sheet_state *sheet, size_t begin)
{
    const cli_wire *wire = sheet->wire;
    size_t column = 0;
    size_t at = begin;
    cli_glyph glyph;
    while (at < wire->size) {
        const size_t size = glyph_at(wire, at, &glyph);
        column += glyph.width;
        if (at > begin && (column > sheet->painter->columns ||
                           (sheet->painter->split &&
                            wire->kinds[at] != wire->kinds[begin]))) {
            break;
        }
        at += size;
        if (wire->data[at - size] == '\n') {
            break;
        }
    }
    return at;
}

static size_t width_of(const cli_wire *wire, size_t from, size_t to)
{
    size_t width = 0;
    cli_glyph glyph;
    for (size_t at = from; at < to;) {
        at += glyph_at(wire, at, &glyph);
        width += at <= to ? glyph.width : 0;
    }
    return width;
}

static uint64_t note_end(const cli_note *note)
{
    return note->offset + (note->span > 0 ? note->span : 1);
}

/* Is one of the notes |first| to |last| of the byte at |at|? */
static bool is_place(const sheet_state *sheet, size_t first, size_t last,
                     size_t at)
{
    for (size_t i = first; i < last; i++) {
        const cli_note *note = &sheet->wire->notes[i];
        if (at >= note->offset && at < note_end(note)) {
            return true;
        }
    }
    return false;
}

/* A blank at an end of the row, where nobody sees it? */
static bool is_edge(const cli_wire *wire, size_t begin, size_t end, size_t at)
{
    return wire->data[at] == ' ' &&
           (at == begin || at + 1 == end || wire->data[at + 1] == '\n');
}

static void paint_row(const sheet_state *sheet, size_t begin, size_t end,
                      size_t last)
{
    cli_painter *painter = sheet->painter;
    const cli_wire *wire = sheet->wire;
    const cli_brush *brush = painter->brush;
    cli_kind kind = begin < end ? wire->kinds[begin] : CLI_KIND_STRUCTURE;
    bool place = false;
    cli_glyph glyph;
    brush->begin_row(painter, begin, kind);
    for (size_t at = begin, size; at < end; at += size) {
        const bool here = is_place(sheet, sheet->next, last, at);
        size = glyph_at(wire, at, &glyph);
        if (is_edge(wire, begin, end, at)) {
            cli_glyph_make_blank(&glyph);
        }
        if (at == begin || wire->kinds[at] != kind || here != place) {
            kind = wire->kinds[at];
            place = here;
            brush->run(painter, kind, place);
        }
        brush->glyph(painter, &glyph, wire->data + at, size);
    }
    brush->end_row(painter);
}

/* ---- notes -------------------------------------------------------------- */

/* How many notes of its code stand in front of the |i|-th, at most |most|. */
static size_t count_before(const cli_wire *wire, size_t i, size_t most)
{
    size_t count = 0;
    for (size_t k = i; k-- > 0 && count < most;) {
        count += wire->notes[k].code == wire->notes[i].code;
    }
    return count;
}

static void show_note(sheet_state *sheet, size_t i, size_t begin, size_t end)
{
    const cli_note *note = &sheet->wire->notes[i];
    const size_t from = note->offset < end ? note->offset : end;
    const size_t to = note_end(note) < end ? note_end(note) : end;
    const size_t width = width_of(sheet->wire, from, to);
    /* A strict decoder's error has the code of the deviation behind it. */
    const tw_diagnostic *row =
        note->code > 0 ? tw_diagnostic_get((uint32_t)note->code) : NULL;
    const cli_explanation *why =
        cli_explanation_get(row != NULL ? row->name : note->name);
    const cli_shown_note shown = {
        note, cli_wire_text(&sheet->wire->texts, note->detail), why->remedy,
        width_of(sheet->wire, begin, from), width > 0 ? width : 1};
    if (count_before(sheet->wire, i, sheet->page->most) < sheet->page->most) {
        sheet->painter->brush->note(sheet->painter, &shown);
    } else {
        sheet->hidden++;
    }
}

/* The notes of bytes in front of |end|; at the end of all, all. */
static size_t last_note(const sheet_state *sheet, size_t end)
{
    const cli_wire *wire = sheet->wire;
    size_t last = sheet->next;
    while (last < wire->note_count &&
           (end == wire->size || wire->notes[last].offset < end)) {
        last++;
    }
    return last;
}

static void show_wire(sheet_state *sheet)
{
    const cli_brush *brush = sheet->painter->brush;
    const cli_wire *wire = sheet->wire;
    size_t begin = 0;
    brush->begin_wire(sheet->painter);
    do {
        const size_t end = row_end(sheet, begin);
        const size_t last = last_note(sheet, end);
        paint_row(sheet, begin, end, last);
        for (; sheet->next < last; sheet->next++) {
            show_note(sheet, sheet->next, begin, end);
        }
        begin = end;
    } while (begin < wire->size);
    brush->end_wire(sheet->painter, sheet->hidden);
}

/* ---- the page ----------------------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void summarize(const cli_wire *wire, char text[200])
{
    unsigned long long deviations = 0;
    for (size_t i = 0; i < wire->note_count; i++) {
        deviations += !wire->notes[i].warning;
    }
    const unsigned long long warnings = wire->note_count - deviations;
    const unsigned long long calls = wire->call_count;
    const unsigned long long size = wire->size;
    snprintf(text, 200,
             "%llu byte%s, %llu call%s, %llu deviation%s, %llu warning%s",
             size, plural(size), calls, plural(calls), deviations,
             plural(deviations), warnings, plural(warnings));
}

void cli_show(cli_painter *painter, const cli_page *page, const cli_wire *wire)
{
    sheet_state sheet = {painter, page, wire, 0, 0};
    char summary[200];
    summarize(wire, summary);
    painter->brush->begin(painter, page, summary);
    show_wire(&sheet);
    if (wire->call_count > 0) {
        cli_show_calls(painter, wire);
    }
    painter->brush->end(painter);
}
