/* SPDX-License-Identifier: MIT
 *
 * Bytes of one kind, as the brush puts them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/inspect/show.h"

const char *cli_kind_name(cli_kind kind)
{
    static const char *const names[CLI_KINDS] = {
        [CLI_KIND_UNREAD] = "unread",       [CLI_KIND_STRUCTURE] = "structure",
        [CLI_KIND_MARKER] = "marker",       [CLI_KIND_TEXT] = "text",
        [CLI_KIND_REASONING] = "reasoning", [CLI_KIND_NAME] = "name",
        [CLI_KIND_ARGUMENTS] = "arguments", [CLI_KIND_DROPPED] = "dropped",
        [CLI_KIND_UNPARSED] = "unparsed"};
    return names[kind];
}

void cli_show_run(cli_painter *painter, cli_kind kind, const char *data,
                  size_t size, size_t most)
{
    cli_glyph glyph;
    size_t at = 0;
    painter->brush->run(painter, kind, false);
    for (size_t length; at < size && most > 0; at += length, most--) {
        length = cli_glyph_make(&glyph, data + at, size - at);
        painter->brush->glyph(painter, &glyph, data + at, length);
    }
    if (at < size) {
        char text[48];
        snprintf(text, sizeof text, " ... (%llu bytes)",
                 (unsigned long long)size);
        cli_show_run(painter, CLI_KIND_STRUCTURE, text, strlen(text),
                     sizeof text);
    }
}
