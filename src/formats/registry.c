/* SPDX-License-Identifier: MIT
 *
 * The dialects.  A dialect is a row.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/frame/frame.h"
#include "formats/gemma4/gemma4.h"
#include "formats/gemma4/encode.h"
#include "formats/harmony/harmony.h"
#include "formats/harmony/encode.h"
#include "formats/prompts/hermes.h"

/* Behind a tool's response the model's turn goes on. */
static const char *const gemma4_turns[] = {"<|turn>model\n",
                                           "<tool_response|>", NULL};

static const char *const gemma4_heads[] = {"<|tool_call> call:", NULL};

#define GEMMA4(named, line, of)                                              \
    {                                                                        \
        .name = named, .about = line, .family = &tw_gemma4_family,           \
        .markers = tw_gemma4_markers,                                        \
        .marker_count = &tw_gemma4_marker_count, .turn_heads = gemma4_turns, \
        .call_heads = gemma4_heads, .takes_parts = true, .row = &of          \
    }

static const char *const hermes_turns[] = {
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n", NULL};

static const char *const harmony_turns[] = {"<|start|>assistant", NULL};

static const char *const hermes_heads[] = {"<tool_call> {", "<tool_call> [",
                                           "<tool_call> <function=", NULL};

/* Its messages, too: a call is one of them. */
static const char *const harmony_heads[] = {
    "<|channel|>* to=", "<|channel|>* <|constrain|>",
    "<|channel|>* <|message|>", NULL};

#define HARMONY(named, line, of)                                    \
    {                                                               \
        .name = named, .about = line, .family = &tw_harmony_family, \
        .markers = tw_harmony_markers,                              \
        .marker_count = &tw_harmony_marker_count,                   \
        .turn_heads = harmony_turns, .call_heads = harmony_heads,   \
        .reads_turn_head = true, .takes_parts = true, .row = &of    \
    }

static const char *const no_members[] = {NULL};

/* The frame, with prompts of its own. */
static const tw_family hermes_family = {
    .create = tw_frame_create,
    .destroy = tw_frame_destroy,
    .reset = tw_frame_reset,
    .step = tw_frame_step,
    .advance = tw_frame_advance,
    .stand = tw_frame_stand,
    .encode = tw_hermes_encode,
    .read_transcript = tw_hermes_read_transcript,
    .members = no_members,
};

#define HERMES(named, plain, line, parts, of)                                \
    {                                                                        \
        .name = named, .alias = plain, .about = line,                        \
        .family = &hermes_family, .markers = tw_hermes_markers,              \
        .marker_count = &tw_hermes_marker_count, .turn_heads = hermes_turns, \
        .call_heads = hermes_heads, .takes_parts = parts, .row = &of,        \
        .scan = tw_hermes_scan                                               \
    }

static const tw_format table[] = {
    GEMMA4("gemma4", "Gemma 4, 31B family, template of 2026-07-09",
           tw_gemma4_official),
    GEMMA4("gemma4/e", "Gemma 4, E-series", tw_gemma4_e),
    GEMMA4("gemma4/fork", "Gemma 4, the public fork P1 to P5", tw_gemma4_fork),
    HARMONY("harmony", "OpenAI Harmony, as openai/harmony renders it",
            tw_harmony_rust),
    HARMONY("harmony/jinja", "OpenAI Harmony, the gpt-oss chat template",
            tw_harmony_jinja),
    HARMONY("harmony/pyronet", "OpenAI Harmony, the PyroNet template",
            tw_harmony_pyronet),
    HERMES("hermes/qwen3", "hermes", "Qwen3", false, tw_hermes_qwen3),
    HERMES("hermes/qwen2.5", NULL, "Qwen2.5", false, tw_hermes_qwen25),
    HERMES("hermes/nous", NULL, "Hermes-2-Pro, tool_use", false,
           tw_hermes_nous),
    HERMES("hermes/rnj-1", NULL, "rnj-1", true, tw_hermes_rnj1),
};

enum { COUNT = sizeof table / sizeof table[0] };

static const tw_format *row_named(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* Those with prompts come first; of the others their descriptions are all. */
const tw_format *tw_format_at(size_t i)
{
    if (i < COUNT) {
        return &table[i];
    }
    size_t left = i - COUNT;
    for (const tw_format *at = tw_framed_formats; at->name != NULL; at++) {
        if (row_named(at->name) == NULL && left-- == 0) {
            return at;
        }
    }
    return NULL;
}

const tw_format *tw_format_find(const char *name)
{
    const tw_format *format = NULL;
    for (size_t i = 0; name != NULL && (format = tw_format_at(i)) != NULL;
         i++) {
        if (strcmp(format->name, name) == 0 ||
            (format->alias != NULL && strcmp(format->alias, name) == 0)) {
            break;
        }
    }
    return format;
}

const tw_description *tw_format_description(const tw_format *format)
{
    const tw_format *at = tw_framed_formats;
    if (format->description != NULL) {
        return format->description;
    }
    while (at->name != NULL && strcmp(at->name, format->name) != 0) {
        at++;
    }
    return at->description;
}

const char *tw_format_name(const tw_format *format)
{
    return format != NULL ? format->name : NULL;
}

const char *tw_format_about(const tw_format *format)
{
    return format != NULL ? format->about : NULL;
}

int tw_format_has_prompts(const tw_format *format)
{
    return format != NULL && !format->completions_only;
}

int tw_format_marker(const tw_format *format, size_t i,
                     const tw_marker **marker)
{
    if (format == NULL || marker == NULL || i >= *format->marker_count) {
        return 0;
    }
    *marker = &format->markers[i];
    return 1;
}
