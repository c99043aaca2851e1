/* SPDX-License-Identifier: MIT
 *
 * What random texts of a described format are made of: its markers, what its
 * patterns give when their holes are filled, and words of its bodies.
 */
#ifndef TOOLWIRE_TESTS_DESCRIBED_H
#define TOOLWIRE_TESTS_DESCRIBED_H

#include "formats/description.h"

/* The tools that such texts call, as OpenAI has them, and their names. */
extern const char described_tools[];
extern const char *const described_tool_names[];
enum { DESCRIBED_TOOLS = 3 };

/* Adds a text to a list of the caller's. */
typedef void described_add(void *list, const char *text, size_t size);

/* Markers and words; longer texts that make sense, or nearly; a few of which
 * every short string is made. */
void described_parts(const tw_description *, described_add *, void *list);
void described_texts(const tw_description *, described_add *, void *list);
void described_alphabet(const tw_description *, described_add *, void *list);

#endif
