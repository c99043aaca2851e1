/* SPDX-License-Identifier: MIT
 *
 * Bytes as signs that can be looked at: none of them moves a cursor, hides or
 * turns round what stands beside it.
 */
#ifndef TOOLWIRE_CLI_INSPECT_GLYPH_H
#define TOOLWIRE_CLI_INSPECT_GLYPH_H

#include "cli/files/io.h"

typedef struct cli_glyph {
    const char *text; /* the bytes themselves, or |made| */
    size_t size;
    size_t width; /* in columns of a terminal */
    bool made;    /* the text stands for the bytes */
    char room[16];
} cli_glyph;

/* The sign for what stands at |data| (|size| > 0), and of how many bytes it
 * is.  A line feed is an arrow; in angle brackets stand the name of another
 * control character, the number of a character that cannot be seen, and x and
 * two digits for a byte that is not UTF-8.  What looks like these is a number
 * itself: the bytes can be told from their signs. */
size_t cli_glyph_make(cli_glyph *glyph, const char *data, size_t size);
/* The sign for a blank that nothing stands beside: a middle dot. */
void cli_glyph_make_blank(cli_glyph *glyph);

#endif
