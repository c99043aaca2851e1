/* SPDX-License-Identifier: MIT
 *
 * R10: set_prompt says that the prompt ended inside reasoning, inside a
 * header, or inside a forced call.  Nothing of the prompt's text is
 * delivered, offsets count from the completion, and its spans add up.
 */
#ifndef TESTS_CHECKS_PROMPT_H
#define TESTS_CHECKS_PROMPT_H

#include <criterion/criterion.h>

#include "support/decoding.h"

typedef struct primed {
    const char *format;
    const char *prompt;
    const char *text;
    const char *words;
} primed;

void check_prompts(const primed *rows, size_t count);
/* The completion fed as ordinary tokens. */
void check_marks_behind(const primed *rows, size_t count);

/* What is raw of a block is left out: it has the prompt's part, too. */
tw_decoder *prompt_decoder(const char *format);
void decode_behind(event_log *, tw_decoder *, const char *prompt,
                   size_t prompt_size, const char *text, size_t size,
                   size_t chunk);

#endif
