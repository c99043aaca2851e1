/* SPDX-License-Identifier: MIT
 *
 * What may be wrong with blocks of calls, their strings and their keys.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_blocks[] = {
    {TW_DIAGNOSTIC_LOOSE_HEAD,
     "The model wrote the head of the call from memory of other formats.",
     "printf '<|tool_call>f{a:1}<tool_call|>' | toolwire check -f gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_PAREN_ARGS,
     "The model wrote the call as code, with round brackets.",
     "printf '<|tool_call>call:f(a:1)<tool_call|>' | toolwire check -f gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_CALLS_SHARE_BLOCK,
     "The model left out the markers between two calls.",
     "printf '<|tool_call>call:f{a:1}call:g{b:2}<tool_call|>' | toolwire "
     "check -f gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_STRAY_MARKER,
     "The model wrote a marker once too often, or the prompt ended inside "
     "reasoning.",
     "printf 'Yes.<channel|>No.' | toolwire check -f gemma4",
     "If the prompt ended inside reasoning, say so: --start reasoning."},
    {TW_DIAGNOSTIC_UNCLOSED_REASONING,
     "The output ended while the model was thinking.",
     "printf '<|channel>thought\\nHm' | toolwire check -f gemma4",
     cli_remedy_tokens},
    {TW_DIAGNOSTIC_MISSING_STRING_OPEN,
     "The server dropped a special token, or the model forgot it.",
     "printf '<|tool_call>call:f{a:01234<|\"|>}<tool_call|>' | toolwire check "
     "-f gemma4",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_STRING_CLOSE,
     "The server dropped a special token, or the model forgot it.",
     "printf '<|tool_call>call:f{a:<|\"|>ls}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_INTERIOR_DELIMITER,
     "A string of the model's holds the marker that ends strings, which the "
     "format cannot escape.",
     "printf '<|tool_call>call:f{a:<|\"|>x<|\"|>y<|\"|>}<tool_call|>' | "
     "toolwire check -f gemma4",
     "Look at the value: what it says of the marker is a guess."},
    {TW_DIAGNOSTIC_DANGLING_DELIMITER,
     "The model closed a string in two ways.",
     "printf '<|tool_call>call:f{a:\"x\"<|\"|>}<tool_call|>' | toolwire check "
     "-f gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_COMMA,
     "The model left out a comma, mostly behind a nested value.",
     "printf '<|tool_call>call:f{a:{b:1}c:2}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_EXTRA_COMMA, "The model wrote a comma twice.",
     "printf '<|tool_call>call:f{a:1,,b:2}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_EMPTY_VALUE,
     "The model wrote a key and had nothing to say.",
     "printf '<|tool_call>call:f{a:,b:2}<tool_call|>' | toolwire check -f "
     "gemma4",
     "Look whether the tool takes an empty text there."},
    {TW_DIAGNOSTIC_EQUALS_SEPARATOR, "The model wrote the arguments as code.",
     "printf '<|tool_call>call:f{a=1}<tool_call|>' | toolwire check -f gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_QUOTED_KEY, "The model quoted a key as it quotes strings.",
     "printf '<|tool_call>call:f{<|\"|>a<|\"|>:1}<tool_call|>' | toolwire "
     "check -f gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_JSON_KEY,
     "The model wrote JSON where the format has its own notation.",
     "printf '<|tool_call>call:f{\"a\":1}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_JSON_STRING,
     "The model wrote JSON where the format has its own notation.",
     "printf '<|tool_call>call:f{a:\"x\"}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_BACKTICK_STRING,
     "The model quoted code as in Markdown or JavaScript.",
     "printf '<|tool_call>call:f{a:`x`}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_BARE_STRING,
     "The model forgot the delimiters around a text.",
     "printf '<|tool_call>call:f{a:Brest}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_DOUBLED_OPEN_TAG,
     "The model repeated the tag, often because the prompt had opened the "
     "call.",
     "printf "
     "'<tool_call><tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     "If the prompt ends with the tag, give its end with --prompt-tail."},
    {TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG,
     "The model wrote a close tag too many, or the tag that opens was "
     "dropped.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call></tool_call>' "
     "| toolwire check -f hermes",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_KEY_PARAMETERS,
     "The model wrote the keys of another format's calls: Llama's have "
     "`parameters`, most others `arguments`.",
     "printf '<tool_call>{\"name\":\"f\",\"parameters\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_KEY_FUNCTION,
     "The model wrote the keys of another format's calls.",
     "printf '<tool_call>{\"function\":\"f\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_KEY_CASE, "The model wrote a key with a capital.",
     "printf '<tool_call>{\"Name\":\"f\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_BOTH_ARGUMENT_KEYS,
     "The model wrote the arguments under two keys.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{},\"parameters\":{}}</"
     "tool_call>' | toolwire check -f hermes",
     "Look whether both say the same: `arguments` counts."},
    {TW_DIAGNOSTIC_DUPLICATE_KEY, "The model wrote the name twice.",
     "printf "
     "'<tool_call>{\"name\":\"g\",\"name\":\"f\",\"arguments\":{}}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_OPENAI_WRAPPED,
     "The model wrote a call as the API of OpenAI has it.",
     "printf "
     "'<tool_call>{\"type\":\"function\",\"function\":{\"name\":\"f\","
     "\"arguments\":{}}}</tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_CODE_FENCE,
     "The model wrote the call as a block of code in Markdown.",
     "printf "
     "'<tool_call>\\n```{\"name\":\"f\",\"arguments\":{}}```\\n</tool_call>' "
     "| toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_JUNK_BEFORE_OBJECT,
     "The model talked before it wrote the call.",
     "printf '<tool_call>\\nSo: "
     "{\"name\":\"f\",\"arguments\":{}}</tool_call>' | toolwire check -f "
     "hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MANY_OBJECTS_IN_TAG,
     "The model wrote several calls between one pair of tags.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{}}\\n{\"name\":\"g\","
     "\"arguments\":{}}</tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ARRAY_IN_TAG, "The model wrote several calls as a list.",
     "printf '<tool_call>[{\"name\":\"f\",\"arguments\":{}}]</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_QWEN3_CODER_BODY,
     "The model was trained on more than one format.",
     "printf "
     "'<tool_call>\\n<function=f>\\n<parameter=a>\\n1\\n</parameter>\\n</"
     "function>\\n</tool_call>' | toolwire check -f hermes",
     cli_remedy_format},
    {TW_DIAGNOSTIC_GLM_BODY, "The model was trained on more than one format.",
     "printf "
     "'<tool_call>f\\n<arg_key>a</arg_key>\\n<arg_value>1</arg_value>\\n</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_format},
    {TW_DIAGNOSTIC_NO_LIST_IN_TAG,
     "The model wrote one call without the list around it.",
     "printf '[TOOL_CALLS]{\"name\":\"f\",\"arguments\":{}}</s>' | toolwire "
     "check -f mistral/v3",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_ARGS_MARKER,
     "The server dropped a special token, or the model forgot it.",
     "printf '[TOOL_CALLS]f{\"a\":1}</s>' | toolwire check -f mistral/v11",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_SECTION_OPEN,
     "The server dropped a special token, or the model forgot it.",
     "printf '<invoke name=\"f\">\\n<parameter "
     "name=\"a\">1</parameter>\\n</invoke>\\n' | toolwire check -f "
     "claude-legacy",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_SECTION_CLOSE,
     "The output ended between two calls, or the server dropped the marker.",
     "printf '<minimax:tool_call>\\n<invoke name=\"f\">\\n<parameter "
     "name=\"a\">1</parameter>\\n</invoke>\\n' | toolwire check -f minimax/m2",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_TEXT_IN_SECTION, "The model talked between two calls.",
     "printf "
     "'<tool_call>\\n<function=tide>\\n<parameter=at>Brest</parameter>\\n</"
     "function>\\n</function>\\n</tool_call><|im_end|>' | toolwire check -f "
     "mimo",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_TEXT_CLOSE,
     "The output ended inside the answer's wrapper.",
     "printf 'R\\n</think>\\n\\n<response>\\nNine.<|im_end|>' | toolwire "
     "check -f ernie-4.5 --start reasoning",
     cli_remedy_tokens},
    {TW_DIAGNOSTIC_MISSING_REASONING_CLOSE,
     "The model began its answer without ending its reasoning.",
     "printf "
     "'<|content_thinking|>Which?<|content_text|>Nine.<|end_message|><|"
     "content_model_end_sampling|>' | toolwire check -f inkling",
     cli_remedy_safe},
    {0, NULL, NULL, NULL},
};
