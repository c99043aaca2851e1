/* SPDX-License-Identifier: MIT
 *
 * The page as one file of HTML, which loads nothing and runs nothing.  Bytes
 * of the wire stand in <code class="wire">; a sign that stands for other bytes
 * has these in its data-bytes.
 */
#include <string.h>

#include "cli/inspect/show.h"
#include "cli/files/print.h"

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'\">\n";

static const char style[] =
    "<style>\n"
    ":root {\n"
    "  --paper: #fdfdfb; --ink: #1d2126; --quiet: #6a727c; --line: #e0e2e5;\n"
    "  --panel: #f4f5f6; --marker: #8a1f8e; --reasoning: #0b6a75;\n"
    "  --name: #8a5300; --arguments: #1c6b2c; --wrong: #b3202c;\n"
    "  --note: #fdeeee; --warning: #fdf6e0;\n"
    "}\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root {\n"
    "    --paper: #15181c; --ink: #dfe3e8; --quiet: #8e97a3; "
    "--line: #2c3238;\n"
    "    --panel: #1c2025; --marker: #da8fe0; --reasoning: #6cc7d3;\n"
    "    --name: #e8b863; --arguments: #8fd19e; --wrong: #ff8a8f;\n"
    "    --note: #33201f; --warning: #2f2a18;\n"
    "  }\n"
    "}\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; padding: 1.5rem; max-width: 80rem;\n"
    "  color: var(--ink); background: var(--paper);\n"
    "  font: 1rem/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1rem; margin: 2rem 0 .5rem; }\n"
    "p { margin: .2rem 0; }\n"
    "ul, ol { list-style: none; margin: 0; padding: 0; }\n"
    "code, .offset { font: .875rem/1.6 ui-monospace, monospace; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem;\n"
    "  margin-bottom: .75rem; }\n"
    ".rows { border: 1px solid var(--line); border-radius: .375rem;\n"
    "  background: var(--panel); padding: .5rem 0; }\n"
    ".row { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr);\n"
    "  gap: .75rem; padding: 0 .75rem; }\n"
    ".offset { color: var(--quiet); text-align: right; user-select: none; }\n"
    ".wire { white-space: pre-wrap; overflow-wrap: anywhere; }\n"
    ".note { margin: .75rem .75rem .75rem 6rem; padding: .5rem .75rem;\n"
    "  border-left: .2rem solid var(--wrong); background: var(--note);\n"
    "  border-radius: 0 .375rem .375rem 0; }\n"
    ".note.warning { border-color: var(--name); background: "
    "var(--warning); }\n"
    ".structure, .quiet { color: var(--quiet); }\n"
    ".marker { color: var(--marker); }\n"
    ".text { color: var(--ink); }\n"
    ".reasoning { color: var(--reasoning); font-style: italic; }\n"
    ".name { color: var(--name); font-weight: 700; }\n"
    ".arguments { color: var(--arguments); }\n"
    ".dropped { color: var(--wrong); text-decoration: line-through; }\n"
    ".unparsed { color: var(--wrong); }\n"
    ".unread { color: var(--paper); background: var(--wrong); }\n"
    ".place { position: relative; display: inline-block; text-indent: 0;\n"
    "  border-bottom: 2px solid var(--wrong); margin-bottom: .9rem; }\n"
    ".place::after { content: \"^\"; position: absolute; left: 0; "
    "top: 1.35rem;\n"
    "  color: var(--wrong); font-weight: 700; font-style: normal; }\n"
    ".byte { opacity: .75; font-style: normal; }\n"
    ".calls { overflow-wrap: anywhere; }\n"
    ".calls ul { margin-left: .4rem; padding-left: 1rem;\n"
    "  border-left: 1px solid var(--line); }\n"
    "@media (max-width: 40rem) {\n"
    "  body { padding: .75rem; }\n"
    "  .row { grid-template-columns: 3rem minmax(0, 1fr); gap: .5rem;\n"
    "    padding: 0 .5rem; }\n"
    "  .note { margin-left: .5rem; margin-right: .5rem; }\n"
    "}\n"
    "</style>\n";

static void put(cli_painter *painter, const char *text)
{
    cli_put_text(painter->output, text);
}

static void put_escaped(cli_painter *painter, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        switch (text[i]) {
        case '&': put(painter, "&amp;"); break;
        case '<': put(painter, "&lt;"); break;
        case '>': put(painter, "&gt;"); break;
        case '"': put(painter, "&quot;"); break;
        case '\'': put(painter, "&#39;"); break;
        default: cli_put(painter->output, &text[i], 1);
        }
    }
}

static void put_text(cli_painter *painter, const char *text)
{
    put_escaped(painter, text, strlen(text));
}

/* ---- runs --------------------------------------------------------------- */

static void close_run(cli_painter *painter)
{
    put(painter, painter->open ? "</span>" : "");
    painter->open = false;
}

static void put_run(cli_painter *painter, cli_kind kind, bool place)
{
    close_run(painter);
    put(painter, "<span class=\"");
    put(painter, cli_kind_name(kind));
    put(painter, place ? " place\">" : "\">");
    painter->open = true;
}

static void put_glyph(cli_painter *painter, const cli_glyph *glyph,
                      const char *data, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    if (!glyph->made) {
        put_escaped(painter, glyph->text, glyph->size);
        return;
    }
    put(painter, "<span class=\"byte\" data-bytes=\"");
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)data[i];
        const char digits[] = {hex[byte >> 4], hex[byte & 15], '\0'};
        put(painter, digits);
    }
    put(painter, "\">");
    cli_put(painter->output, glyph->text, glyph->size);
    put(painter, "</span>");
}

/* A name, which may hold anything. */
static void put_name(cli_painter *painter, const char *text, size_t size)
{
    cli_glyph glyph;
    for (size_t at = 0, length; at < size; at += length) {
        length = cli_glyph_make(&glyph, text + at, size - at);
        put_escaped(painter, glyph.text, glyph.size);
    }
}

/* ---- the page ----------------------------------------------------------- */

static void begin(cli_painter *painter, const cli_page *page,
                  const char *summary)
{
    put(painter, head);
    put(painter, "<title>");
    put_name(painter, page->file, strlen(page->file));
    put(painter, "</title>\n");
    put(painter, style);
    put(painter, "</head>\n<body>\n<header>\n<h1>");
    put_name(painter, page->file, strlen(page->file));
    put(painter, "</h1>\n<p>");
    put_name(painter, page->format, strlen(page->format));
    if (page->found != NULL) {
        put(painter, " <span class=\"quiet\">(");
        put_text(painter, page->found);
        put(painter, ")</span>");
    }
    put(painter, "</p>\n<p class=\"quiet\">");
    put_text(painter, summary);
    put(painter, "</p>\n</header>\n<main>\n");
}

static void begin_wire(cli_painter *painter)
{
    put(painter, "<section>\n<h2>Wire</h2>\n<ul class=\"legend\">\n");
    for (cli_kind kind = CLI_KIND_STRUCTURE; kind < CLI_KINDS; kind++) {
        put(painter, "<li>");
        put_run(painter, kind, false);
        put(painter, cli_kind_name(kind));
        close_run(painter);
        put(painter, "</li>\n");
    }
    put(painter, "</ul>\n<ol class=\"rows\">\n");
}

static void begin_row(cli_painter *painter, uint64_t offset, cli_kind first)
{
    (void)first;
    put(painter, "<li class=\"row\"><span class=\"offset\">");
    cli_put_number(painter->output, offset);
    put(painter, "</span><code class=\"wire\">");
}

static void end_row(cli_painter *painter)
{
    close_run(painter);
    put(painter, "</code></li>\n");
}

static void put_note(cli_painter *painter, const cli_shown_note *shown)
{
    const cli_note *note = shown->note;
    put(painter, note->warning ? "<li class=\"note warning\">\n<p><code>"
                               : "<li class=\"note\">\n<p><code>");
    put_text(painter, note->name);
    put(painter, "</code> at ");
    cli_put_number(painter->output, note->offset);
    if (note->detail_size > 0) {
        put(painter, ": ");
        put_name(painter, shown->detail, note->detail_size);
    }
    put(painter, note->warning ? " (warning)</p>\n<p>" : "</p>\n<p>");
    put_text(painter, note->text);
    put(painter, "</p>\n<p><b>Remedy:</b> ");
    put_text(painter, shown->remedy);
    put(painter, "</p>\n</li>\n");
}

static void end_wire(cli_painter *painter, size_t hidden)
{
    put(painter, "</ol>\n");
    if (hidden > 0) {
        put(painter, "<p class=\"quiet\">");
        cli_put_number(painter->output, hidden);
        put(painter, " more of these codes (--show N: N of each)</p>\n");
    }
    put(painter, "</section>\n");
}

/* ---- calls -------------------------------------------------------------- */

static void begin_calls(cli_painter *painter)
{
    put(painter, "<section>\n<h2>Calls</h2>\n<ul class=\"calls\">\n");
    painter->depth = 0;
}

/* Ends what is open down to |depth|. */
static void climb(cli_painter *painter, size_t depth)
{
    for (; painter->depth > depth; painter->depth--) {
        put(painter, "</li>\n</ul>");
    }
}

/* |depth| of the painter: 1 more than that of the item that is open. */
static void begin_item(cli_painter *painter, size_t depth)
{
    if (depth < painter->depth) {
        climb(painter, depth + 1);
        put(painter, "</li>\n");
    } else if (depth > 0) {
        put(painter, "\n<ul>\n");
    }
    painter->depth = depth + 1;
    put(painter, "<li><code>");
}

static void end_item(cli_painter *painter)
{
    close_run(painter);
    put(painter, "</code>");
}

static void end_calls(cli_painter *painter)
{
    climb(painter, 1);
    put(painter, "</li>\n</ul>\n</section>\n");
}

static void end(cli_painter *painter)
{
    put(painter, "</main>\n</body>\n</html>\n");
}

const cli_brush cli_brush_html = {
    .begin = begin,
    .begin_wire = begin_wire,
    .begin_row = begin_row,
    .run = put_run,
    .glyph = put_glyph,
    .end_row = end_row,
    .note = put_note,
    .end_wire = end_wire,
    .begin_calls = begin_calls,
    .begin_item = begin_item,
    .end_item = end_item,
    .end_calls = end_calls,
    .end = end,
};
