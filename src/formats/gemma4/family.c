/* SPDX-License-Identifier: MIT
 *
 * Gemma 4 as the registry knows it: how its family decodes and encodes, and
 * its dialects.
 */
#include "formats/gemma4/encode.h"
#include "formats/gemma4/gemma4.h"
#include "formats/gemma4/state.h"
#include "formats/gemma4/transcript.h"

static const char *const roles[] = {"model", NULL};

static const tw_family family = {
    .create = tw_gemma4_create,
    .destroy = tw_gemma4_destroy,
    .reset = tw_gemma4_reset,
    .step = tw_gemma4_step,
    .advance = tw_gemma4_advance,
    .stand = tw_gemma4_stand,
    .encode = tw_gemma4_encode,
    .complete = tw_gemma4_complete,
    .read_transcript = tw_gemma4_read_transcript,
    .roles = roles,
};

/* Behind a tool's response the model's turn goes on. */
static const char *const turns[] = {"<|turn>model\n", "<tool_response|>",
                                    NULL};

static const char *const heads[] = {"<|tool_call> call:", NULL};

static const tw_setting settings[] = {
    {"enable_thinking", "boolean",
     "true: the model is asked to think (false)"},
    {"preserve_thinking", "boolean",
     "true: thoughts of earlier turns stay (false)"},
    {NULL, NULL, NULL}};

/* What is written, for grammars. */
static const char canonical[] =
    "{\"format\":1,"
    "\"call\":\"<|tool_call>call:{name}{gemma:<|\\\"|>}" TW_GEMMA4_CLOSE "\","
    "\"reasoning\":\"<|channel>thought\\n{text}\\n<channel|>\","
    "\"text\":\"{text}\",\"turn\":\"<|turn>model\\n\","
    "\"stops\":[\"<turn|>\",\"<|tool_response>\"],"
    "\"end\":[\"<turn|>\\n\",\"<|tool_response>\"],"
    "\"tokens\":[\"<|tool_call>\",\"" TW_GEMMA4_CLOSE "\",\"<|channel>\","
    "\"<channel|>\",\"<turn|>\",\"<|tool_response>\",\"<|turn>\","
    "\"<|\\\"|>\"]}";

#define DIALECT(named, line, whose, of)                                 \
    {                                                                   \
        .name = named, .about = line, .models = whose "\0",             \
        .family = &family,                                              \
        .markers = tw_gemma4_markers,                                   \
        .marker_count = &tw_gemma4_marker_count, .turn_heads = turns,   \
        .call_heads = heads, .takes_parts = true, .settings = settings, \
        .canonical = canonical, .text_behind = true, .row = &of                                                      \
    }

const tw_format tw_gemma4_formats[] = {
    DIALECT("gemma4", "Gemma 4, 31B family, template of 2026-07-09",
            "Gemma 4",
            tw_gemma4_official),
    DIALECT("gemma4/e", "Gemma 4, E-series", "Gemma 4 E2B\0" "Gemma 4 E4B",
            tw_gemma4_e),
    DIALECT("gemma4/fork", "Gemma 4, the public fork P1 to P5",
            "Gemma 4 fork",
            tw_gemma4_fork),
    {.name = NULL},
};
