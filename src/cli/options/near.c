/* SPDX-License-Identifier: MIT
 *
 * The word that the fewest slips of a finger would make of what was typed.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>

#include "cli/options/near.h"
#include "core/near.h"

void cli_near_init(cli_near *near, const char *word, const char *before)
{
    near->word = word;
    near->before = before;
    near->count = 0;
    near->text[0] = '\0';
}

static void add(cli_near *near, const char *word, size_t size)
{
    const size_t used = strlen(near->text);
    if (used + size + 20 < sizeof near->text) {
        snprintf(near->text + used, sizeof near->text - used, "%s%s%.*s",
                 near->count == 0 ? "; did you mean " : ", ", near->before,
                 (int)size, word);
        near->count++;
    }
}

void cli_near_try(cli_near *near, const char *word, size_t size)
{
    if (tw_is_near(near->word, word, size)) {
        add(near, word, size);
    }
}

void cli_near_add(cli_near *near, const char *word)
{
    add(near, word, strlen(word));
}

const char *cli_near_text(cli_near *near)
{
    const size_t used = strlen(near->text);
    if (near->count > 0) {
        snprintf(near->text + used, sizeof near->text - used, "?");
    }
    return near->text;
}
