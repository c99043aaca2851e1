/* SPDX-License-Identifier: MIT
 *
 * Gemma 4 as the registry knows it: the frame decodes by its description, a
 * template writes its prompts, and its transcripts are read here.
 */
#include "formats/frame/frame.h"
#include "formats/gemma4/calls.h"
#include "formats/gemma4/gemma4.h"
#include "formats/gemma4/transcript.h"

/* grammar/gemma4.json */
extern const tw_description tw_described_gemma4;
/* grammar/gemma4.jinja */
extern const tw_own_prompt tw_prompt_gemma4;

static const char *const roles[] = {"model", NULL};

static const tw_family family = {
    .decoding = &tw_frame_decoding,
    .put_calls = TW_ENCODES(tw_gemma4_put_calls),
    .read_transcript = TW_ENCODES(tw_gemma4_read_transcript),
    .tells_losses = true,
    .roles = roles,
};

/* Behind a tool's response the model's turn goes on. */
static const char *const turns[] = {TW_GEMMA4_MODEL, TW_GEMMA4_RESULT_END,
                                    NULL};

static const char *const heads[] = {TW_GEMMA4_CALL " " TW_GEMMA_CALL_WORD,
                                    NULL};

#define DIALECT(named, line, whose)                                    \
    {                                                                  \
        .name = named, .about = line, .models = whose "\0",            \
        .family = &family, .markers = tw_gemma4_markers,               \
        .marker_count = &tw_gemma4_marker_count, .turn_heads = turns,  \
        .call_heads = heads, .takes_parts = true, .text_behind = true, \
        .description = &tw_described_gemma4,                           \
        .prompt = TW_ENCODES(&tw_prompt_gemma4)                        \
    }

const tw_format tw_gemma4_formats[] = {
    DIALECT("gemma4", "a notation of its own, 31B template of 2026-07-09",
            "Gemma 4\0"
            "DiffusionGemma"),
    DIALECT("gemma4/e", "a notation of its own, template of the E-series",
            "Gemma 4 E2B\0"
            "Gemma 4 E4B"),
    DIALECT("gemma4/fork", "a notation of its own, the public fork P1 to P5",
            "Gemma 4 fork"),
    {.name = NULL},
};
