/* SPDX-License-Identifier: MIT
 *
 * Hermes as the registry knows it: the frame decodes, and transcripts of its
 * prompts are read here.
 */
#include "formats/frame/frame.h"
#include "formats/frame/message.h"
#include "formats/hermes/hermes.h"

static const char *const no_members[] = {NULL};

const tw_family tw_hermes_family = {
    .decoding = &tw_frame_decoding,
    .put_calls = TW_ENCODES(tw_frame_put_calls),
    .check_prompt = TW_ENCODES(tw_hermes_check_prompt),
    .read_transcript = TW_ENCODES(tw_hermes_read_transcript),
    .read_turn = TW_ENCODES(tw_hermes_read_turn),
    .put_results = TW_ENCODES(tw_hermes_put_results),
    .members = no_members,
};
