/* SPDX-License-Identifier: MIT
 *
 * "did you mean ...?"
 */
#ifndef TOOLWIRE_CLI_OPTIONS_NEAR_H
#define TOOLWIRE_CLI_OPTIONS_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Collects words that are near |word|, as text for a message. */
typedef struct cli_near {
    const char *word;
    const char *before; /* stands before each word in the text */
    size_t count;
    bool meant;     /* a word stands for what others call so */
    char text[240]; /* "; did you mean a or b?", or "" */
} cli_near;

void cli_near_init(cli_near *near, const char *word, const char *before);
/* |word| of |size| bytes: near if a typing slip or two away, if the word asked
 * for is a part of it, or if that is what others call it. */
void cli_near_try(cli_near *near, const char *word, size_t size);
/* |word| is known to be near. */
void cli_near_add(cli_near *near, const char *word);
/* The text, complete now. */
const char *cli_near_text(cli_near *near);

#endif
