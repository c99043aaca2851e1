/* SPDX-License-Identifier: MIT */
#include "fragments.h"

#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *const gemma4_parts[] = {
    "<|tool_call>", "<tool_call|>", "<|channel>", "<channel|>", "<|\"|>",
    "<|\"|>", "<|\"|>", "<turn|>", "<eos>", "<|tool_response>", "<|tool_c",
    "<tool_call", "<|\"", "<", "<|", "call:f{", "call:f", "call:", "f{",
    ":g{", "call:a.b-c:d{", "call:f(", "thought\n", "thought", "a:", "b:",
    "key:", "k=", "full name:", "{", "}", "[", "]", "(", ")", ",", ",", ":",
    "=", "\"", "'", "`", "\\", "\\n", "\\u00e9", "\\ud83d\\ude00",
    "\\ud83d", "\\'", "\\\"", "1", "-2.5", "007", "true", "null", "None",
    "nil", "False", "x", "word two", " ", "\n", "\t", "\r\n", "  ",
    "\xC3\xA9", "\xC3", "\xA9", "\xE2\x82", "\xF0\x9F\x98\x80", "\xFF",
    "\xED\xA0\x80", "http://x", "// c", ".", "-", "_", "\x01",
    "<|turn>model\n", "<|turn>", "}}", "]]", "{{", "{\"a\":1}",
};

static const char *const gemma4_texts[] = {
    "<|tool_call>call:f{a:1}<tool_call|>",
    "<|tool_call>call:f{a:<|\"|>x, y<|\"|>,b:[1,2]}<tool_call|>",
    "<|tool_call>call:f{",
    "<|tool_call>call:f{a:",
    "<|tool_call>call:f{a:<|\"|>",
    "<|tool_call>call:f{a:[",
    "<|tool_call>call:g{m:{k:true,l:null},s:<|\"|>}]<|\"|>}<tool_call|>",
    "}<tool_call|>",
    "<|\"|>}<tool_call|>",
    "<|\"|>,b:<|\"|>",
    ",b:<|\"|>y<|\"|>",
    "<|channel>thought\nthinking <channel|>",
    "<|channel>thought\n",
    "Hello there. ",
    "call:f{a:1}",
    "<|tool_call>call:f{\"a\": \"b\", 'c': 'd', e:`f`}<tool_call|>",
    "<|tool_call>call:f(a:x y,b=2)<tool_call|>",
    "a:Lyon, France<|\"|>,b:5",
    "[red<|\"|>,<|\"|>blue<|\"|>]",
    "<|\"|>code }],path:<|\"|>f.txt<|\"|>",
    "<|tool_call>call:f{<|\"|>{\"a\":1}<|\"|>}<tool_call|>",
    "<|tool_call>call:f{null}<tool_call|>",
    "<|tool_call>call:f<tool_call|>",
    "<|tool_call>call:f{\"{\\\"a\\\": \\\"x\n\\d\\\"}\"}<tool_call|>",
    "<|tool_call>call:f{'{\"a\": 1}'}<tool_call|>",
    "<|tool_call>call:f{\"{\\\"a\\\":\n1}\"}<tool_call|>",
    "<|tool_call>call:f{a:\"x\" http://y, b=//z, c:/d}<tool_call|>",
    "<|tool_call>call:f{a:<|\"|>x<|\"|> see http://y, b: 1<tool_call|>",
};

static const char *const json_parts[] = {
    "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\\n", "\\\"", "\\'",
    "\\d", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\u12", "true", "false",
    "null", "True", "None", "NaN", "tru", "1", "-", "0", "12.5e-7", "007",
    "1.", " ", "\n", "\t", "\r\n", "\x0b", "\xC2\xA0", "\xEF\xBB\xBF",
    "\xE2\x80\x8B", "\xC3\xA9", "\xC3", "\xE2\x82", "\xFF",
    "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\x01", "\"a\"", "\"b\": 2",
    "\"a\": 1", "{\"a\": 1}", "{{", "}}", ",}", ",]", "x", "word ", "<",
    "<|", "{}", "[]", "\"\"", "\"{\\\"a\\\": 1}\"", "\"{\\\"a\\\": [1, ",
    "'k'", "// c",
};

static const char *const hermes_parts[] = {
    "<tool_call>", "<tool_call>", "</tool_call>", "</tool_call>", "<think>",
    "</think>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<tool_c",
    "</tool", "</th", "<|im_", "<function=", "<function=f>", "</function>",
    "<parameter=", "<parameter=a>", "</parameter>", "<arg_key>",
    "</arg_key>", "<arg_value>", "</arg_value>", "\"name\"",
    "\"name\": \"f\"", "\"name\": \"g\"", "\"name\": \"\"", "\"name\": 1",
    "\"arguments\"", "\"arguments\": {", "\"arguments\": {}",
    "\"arguments\": \"", "\"arguments\": null", "\"arguments\": [1]",
    "\"parameters\": {}", "\"function\": {", "\"function\": \"f\"",
    "\"id\": \"c9\"", "\"type\": \"function\"", "\"Name\": \"f\"",
    "\"x\": [1, {\"name\": \"no\"}]", "```json\n", "```", "\n```\n",
    "Calling: ", "f", "f\n", ">", "<x>",
};

static const char *const hermes_texts[] = {
    "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"
    "</tool_call>",
    "<tool_call>\n{\"arguments\": {\"a\": 1}, \"name\": \"f\"}\n"
    "</tool_call>",
    "<tool_call>\n{\"name\": \"f\", \"arguments\": {",
    "<tool_call>\n{\"name\": \"f\", \"arguments\": ",
    "<tool_call>\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}\n"
    "</tool_call>",
    "<tool_call>\n{'name': 'f', 'arguments': {'a': True}}\n</tool_call>",
    "<tool_call>\n{\"type\": \"function\", \"function\": {\"name\": \"f\", "
    "\"arguments\": {}}}\n</tool_call>",
    "<tool_call>\n[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", "
    "\"arguments\": {}}]\n</tool_call>",
    "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>"
    "\n</tool_call>",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n"
    "</tool_call>",
    "{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>",
    "{\"name\": \"f\", \"arguments\": {\"a\": 1}}",
    "\n</tool_call>",
    "}}\n</tool_call>",
    "}\n</tool_call>\n",
    "<think>\nhm\n</think>\n\n",
    "<think>\n",
    "Hello.\n",
    "<tool_call>\nCalling: {\"name\": \"f\"}\n</tool_call>",
    "<tool_call>\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```\n"
    "</tool_call>",
};

static const char *const nemotron_parts[] = {
    "<TOOLCALL>", "<TOOLCALL>", "</TOOLCALL>", "</TOOLCALL>", "<TOOLCALL>[",
    "]</TOOLCALL>", "<think>", "</think>", "<SPECIAL_12>", "<|eot_id|>",
    "<TOOLC", "</TOOL", "</th", "<SPECIAL_1", "<tool_call>", "</tool_call>",
    "<function=f>", "<arg_key>", "\"name\"", "\"name\": \"f\"",
    "\"name\": \"g\"", "\"arguments\"", "\"arguments\": {",
    "\"arguments\": {}", "\"arguments\": \"", "\"parameters\": {}",
    "\"id\": \"c9\"", "```json\n", "Calling: ", "f", "\n\n", ", ",
};

static const char *const nemotron_texts[] = {
    "<TOOLCALL>[{\"name\": \"f\", \"arguments\": {\"a\": 1}}]</TOOLCALL>",
    ("<TOOLCALL>[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", "
     "\"arguments\": {\"b\": \"]\"}}]</TOOLCALL>"),
    "<TOOLCALL>[{\"name\": \"f\", \"arguments\": {",
    "<TOOLCALL>[{{\"name\": \"f\", \"arguments\": {}}}]</TOOLCALL>",
    "<TOOLCALL>{\"name\": \"f\", \"arguments\": {}}</TOOLCALL>",
    "<TOOLCALL>[]</TOOLCALL>",
    "<TOOLCALL>[{'name': 'f', 'arguments': {'a': True}}",
    "[{\"name\": \"f\", \"arguments\": {}}]</TOOLCALL>",
    "}]</TOOLCALL>\n<SPECIAL_12>\n",
    ", {\"name\": \"g\", \"arguments\": {}}]</TOOLCALL>",
    "<think>\nhm\n</think>\n\n",
    "<think>\n",
    "\n</think>\n\n",
    "Hello. \n\n",
    "\n<SPECIAL_12>\n",
};

static const char *const mistral_parts[] = {
    "[TOOL_CALLS]", "[TOOL_CALLS]", "[TOOL_CALLS]f", "[CALL_ID]",
    "[CALL_ID]abcDEF123", "[ARGS]", "[ARGS]", "[ARGS]{", "[THINK]",
    "[/THINK]", "</s>", "[TOOL_", "[ARG", "[/TH", "</", "[", "f", "g.h-i",
    "caf\xC3\xA9", "[INST]", "[/INST]", "<s>", "  ", "}", "]",
};

static const char *const mistral_texts[] = {
    "[TOOL_CALLS]f[ARGS]{\"a\": 1}",
    "[TOOL_CALLS]f[CALL_ID]abcDEF123[ARGS]{\"a\": [1, {}], \"b\": \"]\"}",
    "[TOOL_CALLS]f{\"a\": 1}",
    "[TOOL_CALLS]f[ARGS]{{\"a\": {}}}",
    "[TOOL_CALLS]f[ARGS]",
    "[TOOL_CALLS]f[ARGS]\"{\\\"a\\\": 1}\"",
    "[TOOL_CALLS]f[ARGS]{\"a\": \"",
    "[TOOL_CALLS]f[ARGS]{'a': True, 'b': [1, ",
    "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {}}]",
    "[THINK]hm[/THINK]",
    "[THINK]hm",
    "Hello. ",
    "</s>",
    "\"}[TOOL_CALLS]g[ARGS]{}",
};

static const char *const harmony_parts[] = {
    "<|start|>", "<|end|>", "<|message|>", "<|message|>", "<|channel|>",
    "<|constrain|>", "<|return|>", "<|call|>", "<|call|>", "<|sta", "<|c",
    "<|mess", "assistant", "user", "system", "tool", "python",
    "functions.f", "functions.", "functions", " to=", "to=functions.f",
    " to=functions.g ", " to=python", " to=assistant", " to=user", "to=f",
    "analysis", "commentary", "final", "Final", "comment", " json",
    " code", "json", "assistant to=functions.f", "<|start|>assistant",
    "<|start|>user<|message|>", "functions.f to=assistant",
    "<|channel|>final<|message|>", "<|channel|>analysis<|message|>", "  ",
    "Hi. ", " 364 ", "\xE2\x80\x8B", "??", ".", "assistantfinal",
    "assistantcommentary to=functions.fjson", "analysisHm.",
};

static const char *const harmony_texts[] = {
    "<|channel|>final<|message|>It is 9.<|return|>",
    "<|channel|>analysis<|message|>Hm.<|end|>",
    "<|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
    "<|start|>assistant<|channel|>commentary<|message|>Plan.<|end|>",
    "<|channel|>commentary to=functions.f <|constrain|>json<|message|>"
    "{\"a\": 1}<|call|>",
    "<|start|>assistant<|channel|>commentary to=functions.f "
    "<|constrain|>json<|message|>{\"a\": 1}<|call|>",
    "<|channel|>commentary to=functions.f <|constrain|>json<|message|>",
    " to=functions.f<|channel|>commentary json<|message|>{\"a\": [1, ",
    "<|channel|>analysis to=python code<|message|>print(1)<|call|>",
    "<|start|>functions.f to=assistant<|channel|>commentary<|message|>"
    "{}<|end|>",
    "<|channel|>commentary to=functions.f json<|message|>\"{\\\"a\\\": 1}\""
    "<|call|>",
    "{\"a\": 1}<|call|>",
    "{\"a\": \"x <",
    "<|end|><|start|>assistant",
    "<|message|>{",
    "analysisNeed it.assistantfinalYes.",
    "assistantcommentary to=functions.fjson{\"a\": 1}",
};

enum {
    JSON_COUNT = COUNT(json_parts),
    HERMES_COUNT = COUNT(hermes_parts),
    NEMOTRON_COUNT = COUNT(nemotron_parts),
    MISTRAL_COUNT = COUNT(mistral_parts),
    HARMONY_COUNT = COUNT(harmony_parts)
};

/* A format's own parts, and those of JSON. */
static const char *hermes_all[HERMES_COUNT + JSON_COUNT];
static const char *nemotron_all[NEMOTRON_COUNT + JSON_COUNT];
static const char *mistral_all[MISTRAL_COUNT + JSON_COUNT];
static const char *harmony_all[HARMONY_COUNT + JSON_COUNT];

static const fragments sets[] = {
    {"gemma4", "gemma4", false, false, naive_gemma4, gemma4_parts,
     COUNT(gemma4_parts), gemma4_texts, COUNT(gemma4_texts)},
    {"gemma4-reasoning", "gemma4", false, true, naive_gemma4, gemma4_parts,
     COUNT(gemma4_parts), gemma4_texts, COUNT(gemma4_texts)},
    {"hermes", "hermes", false, false, naive_hermes, hermes_all,
     COUNT(hermes_all), hermes_texts, COUNT(hermes_texts)},
    {"hermes-reasoning", "hermes", false, true, naive_hermes, hermes_all,
     COUNT(hermes_all), hermes_texts, COUNT(hermes_texts)},
    {"nemotron", "nemotron", false, false, naive_nemotron, nemotron_all,
     COUNT(nemotron_all), nemotron_texts, COUNT(nemotron_texts)},
    {"nemotron-reasoning", "nemotron", false, true, naive_nemotron,
     nemotron_all, COUNT(nemotron_all), nemotron_texts,
     COUNT(nemotron_texts)},
    {"mistral", "mistral", false, false, naive_mistral, mistral_all,
     COUNT(mistral_all), mistral_texts, COUNT(mistral_texts)},
    {"mistral-reasoning", "mistral", false, true, naive_mistral, mistral_all,
     COUNT(mistral_all), mistral_texts, COUNT(mistral_texts)},
    {"harmony", "harmony", false, false, naive_harmony, harmony_all,
     COUNT(harmony_all), harmony_texts, COUNT(harmony_texts)},
    {"harmony-stripped", "harmony", true, false, naive_harmony, harmony_all,
     COUNT(harmony_all), harmony_texts, COUNT(harmony_texts)},
};

const fragments *fragments_of(const char *format)
{
    memcpy(hermes_all, hermes_parts, sizeof hermes_parts);
    memcpy(hermes_all + HERMES_COUNT, json_parts, sizeof json_parts);
    memcpy(nemotron_all, nemotron_parts, sizeof nemotron_parts);
    memcpy(nemotron_all + NEMOTRON_COUNT, json_parts, sizeof json_parts);
    memcpy(mistral_all, mistral_parts, sizeof mistral_parts);
    memcpy(mistral_all + MISTRAL_COUNT, json_parts, sizeof json_parts);
    memcpy(harmony_all, harmony_parts, sizeof harmony_parts);
    memcpy(harmony_all + HARMONY_COUNT, json_parts, sizeof json_parts);
    for (size_t i = 0; i < COUNT(sets); i++) {
        if (strcmp(sets[i].format, format) == 0) {
            return &sets[i];
        }
    }
    return NULL;
}
