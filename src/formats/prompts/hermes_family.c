/* SPDX-License-Identifier: MIT
 *
 * Hermes as the registry knows it: the frame decodes, and its dialects have
 * prompts of their own.
 */
#include "formats/frame/frame.h"
#include "formats/prompts/hermes.h"

/* grammar/NAME.json of each. */
extern const tw_description tw_described_hermes_qwen3;
extern const tw_description tw_described_hermes_qwen2_5;
extern const tw_description tw_described_hermes_nous;
extern const tw_description tw_described_hermes_rnj_1;

static const char *const no_members[] = {NULL};

static const tw_family family = {
    .create = tw_frame_create,
    .destroy = tw_frame_destroy,
    .reset = tw_frame_reset,
    .step = tw_frame_step,
    .advance = tw_frame_advance,
    .stand = tw_frame_stand,
    .encode = tw_hermes_encode,
    .complete = tw_hermes_complete,
    .read_transcript = tw_hermes_read_transcript,
    .read_turn = tw_hermes_read_turn,
    .put_results = tw_hermes_put_results,
    .members = no_members,
};

static const char *const turns[] = {
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n", NULL};

static const char *const heads[] = {"<tool_call> {", "<tool_call> [",
                                    "<tool_call> <function=", NULL};

static const tw_setting thinking[] = {
    {"enable_thinking", "boolean",
     "false: the model is kept from thinking (true)"},
    {NULL, NULL, NULL}};

#define DIALECT(named, plain, line, parts, reads, of, d)                 \
    {                                                                    \
        .name = named, .alias = plain, .about = line, .family = &family, \
        .markers = tw_hermes_markers,                                    \
        .marker_count = &tw_hermes_marker_count, .turn_heads = turns,    \
        .call_heads = heads, .takes_parts = parts, .settings = reads,    \
        .row = &of, .scan = tw_hermes_scan, .description = &d            \
    }

const tw_format tw_hermes_formats[] = {
    DIALECT("hermes/qwen3", "hermes", "Qwen3", false, thinking,
            tw_hermes_qwen3, tw_described_hermes_qwen3),
    DIALECT("hermes/qwen2.5", NULL, "Qwen2.5", false, NULL, tw_hermes_qwen25,
            tw_described_hermes_qwen2_5),
    DIALECT("hermes/nous", NULL, "Hermes-2-Pro, tool_use", false, NULL,
            tw_hermes_nous, tw_described_hermes_nous),
    DIALECT("hermes/rnj-1", NULL, "rnj-1", true, NULL, tw_hermes_rnj1,
            tw_described_hermes_rnj_1),
    {.name = NULL},
};
