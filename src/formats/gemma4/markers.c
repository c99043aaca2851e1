/* SPDX-License-Identifier: MIT
 *
 * Gemma's markers, those of prompts among them.
 */
#include "formats/gemma4/gemma4.h"

#define MARKER(text, role, stop, decoded)               \
    {                                                   \
        TW_MARKER_TEXT(text), role, 1, 0, stop, decoded \
    }

const tw_marker tw_gemma4_markers[] = {
    MARKER(TW_GEMMA4_CALL, TW_MARKER_CALL_OPEN, 0, 1),
    MARKER(TW_GEMMA4_CALL_END, TW_MARKER_CALL_CLOSE, 0, 1),
    MARKER(TW_GEMMA4_CHANNEL, TW_MARKER_REASONING_OPEN, 0, 1),
    MARKER(TW_GEMMA4_CHANNEL_END, TW_MARKER_REASONING_CLOSE, 0, 1),
    MARKER(TW_GEMMA4_QUOTE, TW_MARKER_STRING, 0, 1),
    MARKER(TW_GEMMA4_TURN_END, TW_MARKER_END, 1, 1),
    MARKER(TW_GEMMA4_EOS, TW_MARKER_END, 1, 1),
    MARKER(TW_GEMMA4_RESULT, TW_MARKER_RESULT, 1, 1),
    MARKER(TW_GEMMA4_RESULT_END, TW_MARKER_RESULT, 0, 0),
    MARKER(TW_GEMMA4_TURN, TW_MARKER_TURN, 0, 0),
    MARKER(TW_GEMMA4_BOS, TW_MARKER_TURN, 0, 0),
    MARKER(TW_GEMMA4_TOOL, TW_MARKER_DECLARE, 0, 0),
    MARKER(TW_GEMMA4_TOOL_END, TW_MARKER_DECLARE, 0, 0),
    MARKER(TW_GEMMA4_THINK, TW_MARKER_HEADER, 0, 0),
    MARKER(TW_GEMMA4_IMAGE, TW_MARKER_MEDIA, 0, 0),
    MARKER(TW_GEMMA4_AUDIO, TW_MARKER_MEDIA, 0, 0),
    MARKER(TW_GEMMA4_VIDEO, TW_MARKER_MEDIA, 0, 0),
};
const size_t tw_gemma4_marker_count =
    sizeof tw_gemma4_markers / sizeof tw_gemma4_markers[0];
