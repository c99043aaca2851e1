/* SPDX-License-Identifier: MIT
 *
 * The dialects.  A dialect is a row.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/gemma4.h"
#include "formats/gemma4_encode.h"
#include "formats/harmony.h"
#include "formats/harmony_encode.h"
#include "formats/hermes_encode.h"
#include "formats/mistral.h"
#include "formats/nemotron.h"

/* Behind a tool's response the model's turn goes on. */
static const char *const gemma4_turns[] = {"<|turn>model\n",
                                           "<tool_response|>", NULL};

static const char *const gemma4_heads[] = {"<|tool_call> call:", NULL};

#define GEMMA4(name, about, row)                                        \
    {                                                                   \
        name, NULL, about, &tw_gemma4_family, tw_gemma4_markers,        \
            &tw_gemma4_marker_count, gemma4_turns, gemma4_heads, false, \
            false, true, false, &row                                    \
    }

static const char *const hermes_turns[] = {
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n", NULL};

static const char *const hermes_heads[] = {"<tool_call> {", "<tool_call> [",
                                           "<tool_call> <function=", NULL};

static const char *const nemotron_turns[] = {
    "<SPECIAL_11>Assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n", NULL};

static const char *const nemotron_heads[] = {"<TOOLCALL> {", "<TOOLCALL> [",
                                             NULL};

static const char *const mistral_turns[] = {"[/INST]", "[/TOOL_RESULTS]",
                                            NULL};

static const char *const mistral_heads[] = {"[TOOL_CALLS] *[ARGS]",
                                            "[TOOL_CALLS] *[CALL_ID]",
                                            "[TOOL_CALLS] *{", NULL};

static const char *const harmony_turns[] = {"<|start|>assistant", NULL};

/* Its messages, too: a call is one of them. */
static const char *const harmony_heads[] = {
    "<|channel|>* to=", "<|channel|>* <|constrain|>",
    "<|channel|>* <|message|>", NULL};

#define HARMONY(name, about, row)                                         \
    {                                                                     \
        name, NULL, about, &tw_harmony_family, tw_harmony_markers,        \
            &tw_harmony_marker_count, harmony_turns, harmony_heads, true, \
            false, true, false, &row                                      \
    }

#define HERMES(name, alias, about, keeps_feed, takes_parts, row)        \
    {                                                                   \
        name, alias, about, &tw_hermes_family, tw_hermes_markers,       \
            &tw_hermes_marker_count, hermes_turns, hermes_heads, false, \
            keeps_feed, takes_parts, false, &row                        \
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
    HERMES("hermes/qwen3", "hermes", "Qwen3", false, false, tw_hermes_qwen3),
    HERMES("hermes/qwen2.5", NULL, "Qwen2.5", false, false, tw_hermes_qwen25),
    HERMES("hermes/nous", NULL, "Hermes-2-Pro, tool_use", false, false,
           tw_hermes_nous),
    HERMES("hermes/rnj-1", NULL, "rnj-1", true, true, tw_hermes_rnj1),
    {"nemotron", NULL, "Nemotron Nano, completions only", &tw_hermes_family,
     tw_nemotron_markers, &tw_nemotron_marker_count, nemotron_turns,
     nemotron_heads, false, false, false, true, &tw_nemotron},
    {"mistral/v11", "mistral", "Mistral from version 11 on, completions only",
     &tw_mistral_family, tw_mistral_markers, &tw_mistral_marker_count,
     mistral_turns, mistral_heads, false, false, false, true, NULL},
};

enum { COUNT = sizeof table / sizeof table[0] };

const tw_format *tw_format_at(size_t i)
{
    return i < COUNT ? &table[i] : NULL;
}

const tw_format *tw_format_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < COUNT; i++) {
        const char *alias = table[i].alias;
        if (strcmp(table[i].name, name) == 0 ||
            (alias != NULL && strcmp(alias, name) == 0)) {
            return &table[i];
        }
    }
    return NULL;
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
