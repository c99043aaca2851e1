/* SPDX-License-Identifier: MIT
 *
 * The door of Gemma 4's room.  The frame decodes it by grammar/gemma4.json, and
 * grammar/gemma4.jinja writes its prompts: what is left is to read these back.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H
#define TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H

#include "formats/format.h"
#include "formats/gemma4/tokens.h"

/* family.c: its dialects; the last one has no name. */
extern const tw_format tw_gemma4_formats[];
extern const tw_marker tw_gemma4_markers[];
extern const size_t tw_gemma4_marker_count;

#endif
