/* SPDX-License-Identifier: MIT
 *
 * The door of Gemma 4's room.  grammar/gemma4.re opens with the grammar of a
 * completion; a call is, for example,
 *
 *     <|tool_call>call:wx{city:<|"|>Oslo<|"|>,days:3}<tool_call|>
 *
 * decode.c reads the turn, head.c and block.c find its calls, body/gemma reads
 * what stands in them; grammar/gemma4.jinja writes prompts.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H
#define TOOLWIRE_FORMATS_GEMMA4_GEMMA4_H

#include "formats/body/gemma/value.h"
#include "formats/gemma4/tokens.h"

tw_gemma_marker tw_gemma4_scan_marker(const uint8_t *at, const uint8_t *limit,
                                      bool eof, size_t *size);

/* The marker at |at|, TW_GEMMA_NONE where the caller said that it is text.
 * |*size| is its size. */
tw_gemma_marker tw_gemma4_marker_at(const tw_window *, const uint8_t *at,
                                    size_t *size);

/* A close marker that the end of input cuts in two. */
bool tw_gemma4_is_cut_close(const tw_window *, const uint8_t *at);

extern const tw_gemma_wire tw_gemma4_wire;

/* family.c: its dialects; the last one has no name. */
extern const tw_format tw_gemma4_formats[];
extern const tw_marker tw_gemma4_markers[];
extern const size_t tw_gemma4_marker_count;

#endif
