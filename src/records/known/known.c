/* SPDX-License-Identifier: MIT
 *
 * The shapes that a record may be of: a row each.
 */
#include "records/shapes.h"

static const tw_record_shape *const shapes[] = {
    &tw_openai_shape,     &tw_huggingface_shape, &tw_chat_completion_shape,
    &tw_batch_shape,      &tw_responses_shape,   &tw_anthropic_shape,
    &tw_gemini_shape,     &tw_sharegpt_shape,    &tw_xlam_shape,
    &tw_glaive_shape,     &tw_alpaca_shape,      &tw_trajectory_shape,
    &tw_preference_shape, &tw_trl_shape,         &tw_claude_code_shape,
    &tw_codex_shape,      &tw_gemini_cli_shape,  &tw_qwen_code_shape,
    &tw_pi_shape,         &tw_messages_shape,    &tw_atif_shape,
    &tw_adp_shape,        &tw_langchain_shape,   &tw_verifiers_shape,
    &tw_parts_shape,      &tw_finetune_shape,
};

const tw_record_shape *tw_record_known_shape_at(size_t i)
{
    return i < sizeof shapes / sizeof *shapes ? shapes[i] : NULL;
}

const tw_record_shape *tw_record_detect(const tw_value *record,
                                        const tw_record_shape **other)
{
    const tw_record_shape *best = NULL;
    const tw_record_shape *shape;
    tw_fit most = TW_FIT_NONE;
    *other = NULL;
    for (size_t i = 0; (shape = tw_record_known_shape_at(i)) != NULL; i++) {
        const tw_fit fit =
            shape->fits != NULL ? shape->fits(record) : TW_FIT_NONE;
        if (fit > most) {
            best = shape;
            *other = NULL;
            most = fit;
        } else if (fit == most && fit > TW_FIT_NONE) {
            *other = shape;
        }
    }
    return best;
}
