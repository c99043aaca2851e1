/* SPDX-License-Identifier: MIT
 *
 * Harmony as the registry knows it: how its family decodes and encodes, and
 * its dialects.
 */
#include "formats/harmony/prompt.h"
#include "formats/harmony/state.h"
#include "formats/harmony/tokens.h"

/* grammar/harmony.jinja */
extern const tw_own_prompt tw_prompt_harmony;

static const char *const members[] = {"name", "content_type", NULL};

static const tw_family family = {
    .decoding = &tw_harmony_decoding,
    .put_calls = TW_ENCODES(tw_harmony_put_calls),
    .check_prompt = TW_ENCODES(tw_harmony_check_prompt),
    .read_transcript = TW_ENCODES(tw_harmony_read_transcript),
    .tells_losses = true,
    .writes_free_text = true,
    .reads_turn_head = true,
    .members = members,
};

static const char *const turns[] = {TW_HARMONY_TURN_TEXT, NULL};

/* The heads of messages, too: a call is one of them. */
static const char *const heads[] = {
    TW_HARMONY_CHANNEL_TEXT "* to=",
    TW_HARMONY_CHANNEL_TEXT "* " TW_HARMONY_CONSTRAIN_TEXT,
    TW_HARMONY_CHANNEL_TEXT "* " TW_HARMONY_MESSAGE_TEXT, NULL};

#define SETTINGS                                                              \
    {"reasoning_effort", "string",                                            \
     "low, medium or high (medium); also beside `messages`"},                 \
        {"model_identity", "string", "the first line of the system message"}, \
        {"builtin_tools", "array", "\"browser\", \"python\" or both (none)"},  \
        {"date", "string", "today's date, as 2025-06-28 (none)"},             \
        {"keep_reasoning", "boolean",                                      \
         "toolwire's own; true: the thoughts of all turns stay (false)"}

static const tw_setting settings[] = {SETTINGS, {NULL, NULL, NULL}};

/* The renderer has a way of its own to end texts for training. */
static const tw_setting renderer_settings[] = {
    SETTINGS,
    {"training", "boolean",
     "true: the text ends as one for training does (false)"},
    {NULL, NULL, NULL}};

/* What is written, for grammars; JSON spells the tokens once more. */
static const char renders[] =
    "{\"format\":1,\"call\":[\"<|start|>assistant<|channel|>commentary "
    "to=functions.{name} <|constrain|>json<|message|>{arguments}<|call|"
    ">\",\"<|start|>assistant to=functions.{name}<|channel|>commentary "
    "<|constrain|>json<|message|>{arguments}<|call|>\"],\"reasoning\":"
    "\"<|start|>assistant<|channel|>analysis<|message|>{text}<|end|>\","
    "\"text\":[\"<|start|>assistant<|channel|>final<|message|>{text}<|r"
    "eturn|>\",\"<|start|>assistant<|channel|>commentary<|message|>{tex"
    "t}<|end|>\",\"<|start|>assistant<|channel|>final<|message|>{text}<"
    "|end|>\"],\"turn\":\"<|start|>assistant\",\"stops\":[\"<|return|>"
    "\",\"<|call|>\"],\"tokens\":[\"<|start|>\",\"<|channel|>\",\"<|mes"
    "sage|>\",\"<|constrain|>\",\"<|end|>\",\"<|return|>\",\"<|call|>\""
    "]}";
static const char templates[] =
    "{\"format\":1,\"call\":[\"<|start|>assistant<|channel|>commentary "
    "to=functions.{name} json<|message|>{arguments}<|call|>\",\"<|start"
    "|>assistant to=functions.{name}<|channel|>commentary json<|message"
    "|>{arguments}<|call|>\"],\"reasoning\":\"<|start|>assistant<|chann"
    "el|>analysis<|message|>{text}<|end|>\",\"text\":[\"<|start|>assist"
    "ant<|channel|>final<|message|>{text}<|return|>\",\"<|start|>assist"
    "ant<|channel|>commentary<|message|>{text}<|end|>\",\"<|start|>assi"
    "stant<|channel|>final<|message|>{text}<|end|>\"],\"turn\":\"<|star"
    "t|>assistant\",\"stops\":[\"<|return|>\",\"<|call|>\"],\"tokens\":"
    "[\"<|start|>\",\"<|channel|>\",\"<|message|>\",\"<|constrain|>\","
    "\"<|end|>\",\"<|return|>\",\"<|call|>\"]}";

#define DIALECT(named, line, whose, reads, writes)                     \
    {                                                                  \
        .name = named, .about = line, .models = whose "\0",            \
        .family = &family, .prompt = TW_ENCODES(&tw_prompt_harmony),   \
        .markers = tw_harmony_markers,                                 \
        .marker_count = &tw_harmony_marker_count, .turn_heads = turns, \
        .call_heads = heads, .settings = TW_ENCODES(reads),            \
        .canonical = TW_ENCODES(writes)                                \
    }

const tw_format tw_harmony_formats[] = {
    DIALECT("harmony", "a message with a header, as openai/harmony renders it",
            "gpt-oss", renderer_settings, renders),
    DIALECT("harmony/jinja",
            "a message with a header, the gpt-oss chat template",
            "gpt-oss Jinja", settings, templates),
    DIALECT("harmony/pyronet", "a message with a header, the PyroNet template",
            "PyroNet", NULL, templates),
    {.name = NULL},
};
