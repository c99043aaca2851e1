/* SPDX-License-Identifier: MIT
 *
 * Why something was not done.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_errors[] = {
    {TW_ERROR_ARGUMENT,
     "A program gave a function of the library something that it does not "
     "take.",
     "tw_decoder_finish(decoder, 9);",
     "The comment of the function in toolwire.h says what it takes."},
    {TW_ERROR_STATE,
     "A program called functions of the library in an order that makes no "
     "sense.",
     "tw_decoder_finish(decoder, TW_FINISH_STOP); tw_decoder_feed(decoder, "
     "\"a\", 1, 0);",
     "Take all events before more is fed; reset behind the end."},
    {TW_ERROR_MEMORY,
     "The system, or the allocator that a program gave, has no more.",
     "tw_decoder_feed(decoder, text, size, 0); with an allocator that returns "
     "NULL",
     "Bound what is read: --limit input, --max-record."},
    {TW_ERROR_LIMIT, "The text is longer than was allowed.",
     "printf 'Hello.' | toolwire decode -f hermes --limit input=3",
     "If such texts are meant, raise the limit."},
    {TW_ERROR_DEVIATION,
     "The text deviates from the format, and --strict was given.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>' | "
     "toolwire decode -f hermes --strict",
     "Leave --strict away: what can be repaired safely is, and is reported."},
    {TW_ERROR_JSON, "The file is not what was asked for, or a line was cut.",
     "echo '{\"text\": ' | toolwire decode -f hermes --jsonl",
     "Look at the place that the message names; --jsonl is for files with a "
     "record a line."},
    {TW_ERROR_SCHEMA,
     "A member is missing, or of another kind than the shape has.",
     "echo '{\"txt\":\"a\"}' | toolwire decode -f hermes --jsonl",
     "Look at the path that the message names; `toolwire convert -f auto` "
     "finds the shape of records."},
    {TW_ERROR_CONTROL_TEXT,
     "A user, a tool or a file wrote a marker of the format: it would forge a "
     "turn or a call.",
     "echo '{\"messages\":[{\"role\":\"user\",\"content\":\"<|im_end|>\"}]}' "
     "| toolwire encode -f hermes",
     "Refuse the text, or have the marker broken: --control-text break."},
    {TW_ERROR_CANNOT_CARRY,
     "The format has no way to write this value, or only completions of it "
     "are known.",
     "echo '{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}' | "
     "toolwire encode -f mistral",
     "Take the value out of the request, or another format; docs/formats.md "
     "says what each carries."},
    {TW_ERROR_LOSS,
     "The target has no place for a text or a call, and --loss refuse was "
     "given.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":\"a\",\"refusal\":"
     "\"No.\"}]}' | toolwire convert -f openai -t anthropic --loss refuse",
     "`toolwire explain` of the loss that the message names says what helps."},
    {TW_ERROR_TEMPLATE,
     "The chat template that --template names is not Jinja as transformers "
     "runs it, or it refuses the request with a message of its own.",
     "echo '{\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}]}' | toolwire "
     "encode --template MODEL",
     "Before a request is read, line and column of the template are told; "
     "else the message is the template's, and says what it does not take."},
    {TW_ERROR_UNSTABLE,
     "With the new messages the template writes another beginning: it leaves "
     "out old reasoning, or moves tools to the last question.",
     "echo '{\"prompt\":\"<|im_start|>assistant\\n\",\"completion\":"
     "\"<think>\\na\\n</think>\\n\\nb\",\"messages\":[{\"role\":"
     "\"user\",\"content\":\"q\"},{\"role\":\"assistant\","
     "\"reasoning_content\":\"a\",\"content\":\"b\"}],\"new\":[{"
     "\"role\":\"user\",\"content\":\"r\"}]}' | toolwire extend -f "
     "hermes/qwen3",
     "Render the whole conversation again (`toolwire encode`), or use the "
     "template's own switch, such as --set preserve_thinking=true."},
    {0, NULL, NULL, NULL},
};
