/* SPDX-License-Identifier: MIT
 *
 * Hermes as the registry knows it: the frame decodes, and its dialects have
 * prompts of their own.
 */
#include "formats/frame/frame.h"
#include "formats/frame/message.h"
#include "formats/prompts/hermes.h"

/* grammar/NAME.json of each. */
extern const tw_description tw_described_hermes_qwen3;
extern const tw_description tw_described_hermes_qwen2_5;
extern const tw_description tw_described_hermes_nous;
extern const tw_description tw_described_hermes_rnj_1;
/* grammar/NAME.jinja of each. */
extern const tw_own_prompt tw_prompt_hermes_qwen3;
extern const tw_own_prompt tw_prompt_hermes_qwen2_5;
extern const tw_own_prompt tw_prompt_hermes_nous;
extern const tw_own_prompt tw_prompt_hermes_rnj_1;

static const char *const no_members[] = {NULL};

static const tw_family family = {
    .decoding = &tw_frame_decoding,
    .put_calls = TW_ENCODES(tw_frame_put_calls),
    .check_prompt = TW_ENCODES(tw_hermes_check_prompt),
    .read_transcript = TW_ENCODES(tw_hermes_read_transcript),
    .read_turn = TW_ENCODES(tw_hermes_read_turn),
    .put_results = TW_ENCODES(tw_hermes_put_results),
    .members = no_members,
};

static const char *const turns[] = {
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n", NULL};

static const char *const heads[] = {"<tool_call> {", "<tool_call> [",
                                    "<tool_call> <function=", NULL};

#define DIALECT(named, plain, line, parts, of, rest)                     \
    {                                                                    \
        .name = named, .alias = plain, .about = line, .family = &family, \
        .markers = tw_hermes_markers,                                    \
        .marker_count = &tw_hermes_marker_count, .turn_heads = turns,    \
        .call_heads = heads, .takes_parts = parts, .row = &of,           \
        .prompt = TW_ENCODES(&tw_prompt_##rest),                         \
        .description = &tw_described_##rest                              \
    }

const tw_format tw_hermes_formats[] = {
    DIALECT("hermes/qwen3", "hermes",
            "JSON objects between tags, Qwen3's template", false,
            tw_hermes_qwen3, hermes_qwen3),
    DIALECT("hermes/qwen2.5", NULL,
            "JSON objects between tags, Qwen2.5's template", false,
            tw_hermes_qwen25, hermes_qwen2_5),
    DIALECT("hermes/nous", NULL,
            "JSON objects between tags, Hermes-2-Pro's tool_use", false,
            tw_hermes_nous, hermes_nous),
    DIALECT("hermes/rnj-1", NULL,
            "JSON objects between tags, rnj-1's template", true,
            tw_hermes_rnj1, hermes_rnj_1),
    {.name = NULL},
};
