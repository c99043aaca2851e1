/* SPDX-License-Identifier: MIT
 *
 * The word that the fewest slips of a finger would make of what was typed, or
 * that stands here for what others call by another name.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/options/near.h"
#include "core/near.h"

/* What others say, and what stands for that here. */
static const char *const others[][2] = {
    /* options */
    {"chat-template", "template"},
    {"tool-call-parser", "format"},
    {"reasoning-parser", "format"},
    {"parser", "format"},
    {"input-format", "format"},
    {"output-format", "to"},
    {"shape", "to"},
    {"output-dir", "output"},
    {"threads", "jobs"},
    {"workers", "jobs"},
    {"column", "field"},
    {"schema", "tools"},
    {"functions", "tools"},
    {"messages-path", "messages"},
    {"errors", "rejects"},
    {"kwargs", "set"},
    {"settings", "set"},
    {"join-chunks", "join"},
    {"custom-function", "custom"},
    {"reasoning-summary", "reasoning"},
    {"unit-completion", "unit"},
    {"arguments-object", "arguments"},
    {"start-reasoning", "start"},
    {"limit-depth", "limit"},
    {"limit-name", "limit"},
    {"limit-arguments", "limit"},
    {"limit-calls", "limit"},
    {"limit-input", "limit"},
    {"parallel-tool-calls", "parallel"},
    {"add-generation-prompt", "generation-prompt"},
    {"chat-template-kwargs", "set"},
    {"enable-thinking", "set"},
    {"reasoning-effort", "set"},
    {"finish-reason", "finish"},
    /* commands */
    {"parse", "decode"},
    {"extract", "decode"},
    {"render", "encode"},
    {"template", "encode"},
    {"mask", "encode"},
    {"fuzz", "test"},
    {"prompt", "encode"},
    {"apply", "encode"},
    {"lint", "check"},
    {"validate", "check"},
    {"verify", "check"},
    {"transform", "convert"},
    {"translate", "convert"},
    {"generate", "gen"},
    {"identify", "detect"},
    {"list", "formats"},
    {"ls", "formats"},
    {"list-formats", "formats"},
    {"schema", "grammar"},
    {"serve", "stream"},
    {"version", "--version"},
    /* formats, and shapes of records */
    {"chatml", "openai"},
    {"message", "openai"},
    {"messages", "openai"},
    {"chatgpt", "openai"},
    {"gpt", "openai"},
    {"oai", "openai"},
    {"inspect", "openai"},
    {"hf", "huggingface"},
    {"transformers", "huggingface"},
    {"genai", "gemini"},
    {"google", "gemini"},
    {"vertex", "gemini"},
    {"swift", "sharegpt"},
    {"ms-swift", "sharegpt"},
    {"llamafactory", "sharegpt"},
    {"llama-factory", "sharegpt"},
    {"langsmith", "langchain"},
    {"langgraph", "langchain"},
    {"dpo", "preference"},
    {"dpo", "trl"},
    {"fine-tune", "openai/finetune"},
    {"harbor", "atif"},
    {"openai-responses", "responses"},
    {"ai-sdk", "parts"},
    {"vercel", "parts"},
    {"bedrock", "parts"},
    {"converse", "parts"},
    {"opentelemetry", "parts"},
    {"otel", "parts"},
    {"haystack", "parts"},
    {"litellm", "exchange"},
    {"langfuse", "exchange"},
    /* values */
    {"openai", "chat"},
    {"completions", "chat"},
    {"messages", "anthropic"},
    {"eos", "stop"},
    {"end_turn", "stop"},
    {"tool_calls", "stop"},
    {"tool_use", "stop"},
    {"max_tokens", "length"},
    {"think", "reasoning"},
    {"thinking", "reasoning"},
    {"guidance", "lark"},
    {"ebnf", "gbnf"},
    {"llguidance", "lark"},
    {"xgrammar", "structural-tag"},
    {"fix", "mend"},
    {"repair", "mend"},
    {"coerce", "mend"},
    {"drop", "ignore"},
    {"warn", "report"},
    {"error", "refuse"},
    {"fail", "refuse"},
    {"strict", "refuse"},
    {"new", "make"},
    {"replace", "make"},
    {"escape", "break"},
};

static bool is_meant(const char *asked, const char *word, size_t size)
{
    size_t i = 0;
    while (i < sizeof others / sizeof *others &&
           (strcasecmp(others[i][0], asked) != 0 ||
            strlen(others[i][1]) != size ||
            memcmp(others[i][1], word, size) != 0)) {
        i++;
    }
    return i < sizeof others / sizeof *others;
}

void cli_near_init(cli_near *near, const char *word, const char *before)
{
    near->word = word;
    near->before = before;
    near->count = 0;
    near->meant = false;
    near->text[0] = '\0';
}

static void add(cli_near *near, const char *word, size_t size)
{
    const size_t used = strlen(near->text);
    if (used + size + 20 < sizeof near->text) {
        snprintf(near->text + used, sizeof near->text - used, "%s%s%.*s",
                 near->count == 0 ? "; did you mean " : ", ", near->before,
                 (int)size, word);
        near->count++;
    }
}

void cli_near_try(cli_near *near, const char *word, size_t size)
{
    const bool meant = is_meant(near->word, word, size);
    if (meant || tw_is_near(near->word, word, size)) {
        add(near, word, size);
    }
    near->meant |= meant;
}

void cli_near_add(cli_near *near, const char *word)
{
    add(near, word, strlen(word));
}

const char *cli_near_text(cli_near *near)
{
    const size_t used = strlen(near->text);
    if (near->count > 0) {
        snprintf(near->text + used, sizeof near->text - used, "?");
    }
    return near->text;
}
