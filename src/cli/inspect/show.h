/* SPDX-License-Identifier: MIT
 *
 * A completion as people look at it: rows of the wire, what was said under its
 * place, the calls.  What a page is made of is decided once; a brush puts it
 * on a terminal or into HTML.
 */
#ifndef TOOLWIRE_CLI_INSPECT_SHOW_H
#define TOOLWIRE_CLI_INSPECT_SHOW_H

#include "cli/inspect/glyph.h"
#include "cli/inspect/wire.h"

/* What the page says in front of the wire. */
typedef struct cli_page {
    const char *file;
    const char *format;
    const char *found; /* how the format was found; NULL: it was given */
    size_t most;       /* notes of one code */
} cli_page;

typedef struct cli_brush cli_brush;

typedef struct cli_painter {
    const cli_brush *brush;
    cli_output *output;
    size_t columns; /* of a row of the wire */
    bool colours;
    bool split; /* a row is of one kind, which it names */
    /* What a brush remembers. */
    bool open; /* a run is */
    size_t depth;
} cli_painter;

/* A row under the one in which its place is. */
typedef struct cli_shown_note {
    const cli_note *note;
    const char *detail; /* any bytes */
    const char *remedy;
    size_t column, width;
} cli_shown_note;

struct cli_brush {
    /* The page's head; |summary| is one line. */
    void (*begin)(cli_painter *, const cli_page *, const char *summary);
    void (*begin_wire)(cli_painter *);
    void (*begin_row)(cli_painter *, uint64_t offset, cli_kind first);
    /* From here on signs are of that kind; |place|: something is said of
     * them. */
    void (*run)(cli_painter *, cli_kind, bool place);
    /* |data| are the |size| bytes that it stands for. */
    void (*glyph)(cli_painter *, const cli_glyph *, const char *data,
                  size_t size);
    void (*end_row)(cli_painter *);
    void (*note)(cli_painter *, const cli_shown_note *);
    /* |hidden| notes were not shown. */
    void (*end_wire)(cli_painter *, size_t hidden);
    void (*begin_calls)(cli_painter *);
    /* A row of the tree: its head and what it says are put as runs between
     * these.  Depths grow by 1. */
    void (*begin_item)(cli_painter *, size_t depth);
    void (*end_item)(cli_painter *);
    void (*end_calls)(cli_painter *);
    void (*end)(cli_painter *);
};

/* A kind's word. */
const char *cli_kind_name(cli_kind kind);

/* The whole page. */
void cli_show(cli_painter *painter, const cli_page *page,
              const cli_wire *wire);
/* |data| in a run of a kind; what is longer than |most| signs is counted. */
void cli_show_run(cli_painter *painter, cli_kind kind, const char *data,
                  size_t size, size_t most);
/* The calls as a tree. */
void cli_show_calls(cli_painter *painter, const cli_wire *wire);

extern const cli_brush cli_brush_terminal;
extern const cli_brush cli_brush_html;

#endif
