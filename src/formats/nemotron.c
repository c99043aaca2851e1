/* SPDX-License-Identifier: MIT
 *
 * Nemotron's tags, and what an encoder writes behind a message.
 */
#include "formats/nemotron.h"

static const tw_hermes_wire wire = {
    .scan_tag = tw_nemotron_scan_tag,
    .open = "<TOOLCALL>",
    .close = "</TOOLCALL>",
    .stops = {"<SPECIAL_12>", "<|eot_id|>"},
    .holds_list = true,
    .trims = true,
};

const tw_hermes_dialect tw_nemotron = {
    .wire = &wire,
    .turn_end = "\n<SPECIAL_12>\n",
};

#define MARKER(text, role, literal, stop, decoded)            \
    {                                                         \
        TW_MARKER_TEXT(text), role, 1, literal, stop, decoded \
    }

const tw_marker tw_nemotron_markers[] = {
    MARKER("<TOOLCALL>", TW_MARKER_CALL_OPEN, 1, 0, 1),
    MARKER("</TOOLCALL>", TW_MARKER_CALL_CLOSE, 1, 0, 1),
    MARKER("<think>", TW_MARKER_REASONING_OPEN, 1, 0, 1),
    MARKER("</think>", TW_MARKER_REASONING_CLOSE, 1, 0, 1),
    MARKER("<SPECIAL_12>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|eot_id|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<SPECIAL_10>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<SPECIAL_11>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<TOOL_RESPONSE>", TW_MARKER_RESULT, 1, 0, 0),
    MARKER("</TOOL_RESPONSE>", TW_MARKER_RESULT, 1, 0, 0),
};
const size_t tw_nemotron_marker_count =
    sizeof tw_nemotron_markers / sizeof tw_nemotron_markers[0];
