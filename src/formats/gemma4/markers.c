/* SPDX-License-Identifier: MIT
 *
 * Gemma's markers, for whoever asks which there are.
 */
#include "formats/gemma4/gemma4.h"

#define MARKER(text, role, stop, decoded)               \
    {                                                   \
        TW_MARKER_TEXT(text), role, 1, 0, stop, decoded \
    }

const tw_marker tw_gemma4_markers[] = {
    MARKER("<|tool_call>", TW_MARKER_CALL_OPEN, 0, 1),
    MARKER("<tool_call|>", TW_MARKER_CALL_CLOSE, 0, 1),
    MARKER("<|channel>", TW_MARKER_REASONING_OPEN, 0, 1),
    MARKER("<channel|>", TW_MARKER_REASONING_CLOSE, 0, 1),
    MARKER("<|\"|>", TW_MARKER_STRING, 0, 1),
    MARKER("<turn|>", TW_MARKER_END, 1, 1),
    MARKER("<eos>", TW_MARKER_END, 1, 1),
    MARKER("<|tool_response>", TW_MARKER_RESULT, 1, 1),
    MARKER("<tool_response|>", TW_MARKER_RESULT, 0, 0),
    MARKER("<|turn>", TW_MARKER_TURN, 0, 0),
    MARKER("<bos>", TW_MARKER_TURN, 0, 0),
    MARKER("<|tool>", TW_MARKER_DECLARE, 0, 0),
    MARKER("<tool|>", TW_MARKER_DECLARE, 0, 0),
    MARKER("<|think|>", TW_MARKER_HEADER, 0, 0),
    MARKER("<|image|>", TW_MARKER_MEDIA, 0, 0),
    MARKER("<|audio|>", TW_MARKER_MEDIA, 0, 0),
    MARKER("<|video|>", TW_MARKER_MEDIA, 0, 0),
};
const size_t tw_gemma4_marker_count =
    sizeof tw_gemma4_markers / sizeof tw_gemma4_markers[0];
