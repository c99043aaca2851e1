/* SPDX-License-Identifier: MIT
 *
 * Gemma 4 as the registry knows it: the frame decodes by its description, a
 * template writes its prompts, and its transcripts are read here.
 */
#include "formats/frame/frame.h"
#include "formats/gemma4/gemma4.h"

static const char *const roles[] = {"model", NULL};

const tw_family tw_gemma4_family = {
    .decoding = &tw_frame_decoding,
    .put_calls = TW_ENCODES(tw_gemma4_put_calls),
    .read_transcript = TW_ENCODES(tw_gemma4_read_transcript),
    .tells_losses = true,
    .text_behind = true,
    .roles = roles,
};
