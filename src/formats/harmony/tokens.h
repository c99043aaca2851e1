/* SPDX-License-Identifier: MIT
 *
 * Harmony's tokens as they are written.  grammar/harmony.re and the JSON of
 * family.c spell them once more; a test holds all together.
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_TOKENS_H
#define TOOLWIRE_FORMATS_HARMONY_TOKENS_H

#define TW_HARMONY_START_TEXT "<|start|>"
#define TW_HARMONY_CHANNEL_TEXT "<|channel|>"
#define TW_HARMONY_CONSTRAIN_TEXT "<|constrain|>"
#define TW_HARMONY_MESSAGE_TEXT "<|message|>"
#define TW_HARMONY_END_TEXT "<|end|>"
#define TW_HARMONY_CALL_TEXT "<|call|>"
#define TW_HARMONY_RETURN_TEXT "<|return|>"

/* How the model's messages begin. */
#define TW_HARMONY_TURN_TEXT TW_HARMONY_START_TEXT "assistant"

#endif
