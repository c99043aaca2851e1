/* SPDX-License-Identifier: MIT
 *
 * Gemma 4's tokens, each of which is one of the vocabulary.  They are spelled
 * here, and those that an output has in grammar/gemma4.json once more; a test
 * holds both together.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_TOKENS_H
#define TOOLWIRE_FORMATS_GEMMA4_TOKENS_H

#define TW_GEMMA4_CALL "<|tool_call>"
#define TW_GEMMA4_CALL_END "<tool_call|>"
#define TW_GEMMA4_CHANNEL "<|channel>"
#define TW_GEMMA4_CHANNEL_END "<channel|>"
#define TW_GEMMA4_TURN "<|turn>"
#define TW_GEMMA4_TURN_END "<turn|>"
#define TW_GEMMA4_RESULT "<|tool_response>"
#define TW_GEMMA4_RESULT_END "<tool_response|>"
#define TW_GEMMA4_TOOL "<|tool>"
#define TW_GEMMA4_TOOL_END "<tool|>"
#define TW_GEMMA4_THINK "<|think|>"
#define TW_GEMMA4_BOS "<bos>"
#define TW_GEMMA4_IMAGE "<|image|>"
#define TW_GEMMA4_AUDIO "<|audio|>"
#define TW_GEMMA4_VIDEO "<|video|>"

/* What stands around strings. */
#define TW_GEMMA4_QUOTE "<|\"|>"

/* How a thought and a turn of the model begin. */
#define TW_GEMMA4_THOUGHT TW_GEMMA4_CHANNEL "thought\n"
#define TW_GEMMA4_MODEL TW_GEMMA4_TURN "model\n"

/* The size of a token in bytes. */
#define TW_GEMMA4_SIZE(token) (sizeof(token) - 1)

#endif
