/* SPDX-License-Identifier: MIT
 *
 * The shapes that records have, for the lists of them: each is a file of its
 * own.
 */
#ifndef TOOLWIRE_RECORDS_SHAPES_H
#define TOOLWIRE_RECORDS_SHAPES_H

#include "records/records.h"

extern const tw_record_shape tw_huggingface_shape;
extern const tw_record_shape tw_finetune_shape;
extern const tw_record_shape tw_chat_completion_shape;
extern const tw_record_shape tw_batch_shape;
extern const tw_record_shape tw_responses_shape;
extern const tw_record_shape tw_anthropic_shape;
extern const tw_record_shape tw_gemini_shape;
extern const tw_record_shape tw_sharegpt_shape;
extern const tw_record_shape tw_xlam_shape;
extern const tw_record_shape tw_glaive_shape;
extern const tw_record_shape tw_alpaca_shape;
extern const tw_record_shape tw_trajectory_shape;
extern const tw_record_shape tw_preference_shape;
extern const tw_record_shape tw_trl_shape;
extern const tw_record_shape tw_claude_code_shape;
extern const tw_record_shape tw_codex_shape;
extern const tw_record_shape tw_gemini_cli_shape;
extern const tw_record_shape tw_qwen_code_shape;
extern const tw_record_shape tw_pi_shape;
extern const tw_record_shape tw_messages_shape;
extern const tw_record_shape tw_langchain_shape;
extern const tw_record_shape tw_parts_shape;
extern const tw_record_shape tw_atif_shape;
extern const tw_record_shape tw_verifiers_shape;
extern const tw_record_shape tw_adp_shape;
extern const tw_record_shape tw_exchange_shape;
extern const tw_record_shape tw_auto_shape;

#endif
