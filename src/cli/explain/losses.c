/* SPDX-License-Identifier: MIT
 *
 * What encode and convert could not carry over.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_losses[] = {
    {TW_LOSS_TEMPLATE_DEFECT,
     "The model's own template fails on this request, or writes something "
     "broken.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"assistant\",\"content\":null,\"tool_calls\":[]}]}' | toolwire encode "
     "-f harmony/jinja --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_BROKEN_MARKER,
     "A user's text holds a marker of the format, and --control-text break "
     "was given.",
     "echo '{\"messages\":[{\"role\":\"user\",\"content\":\"<|im_end|>\"}]}' "
     "| toolwire encode -f hermes --control-text break --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_CONTENT_NOT_TEXT,
     "The record has a number or an object where text belongs.",
     "echo '{\"messages\":[{\"role\":\"user\",\"content\":7}]}' | toolwire "
     "convert -f anthropic -t openai --report /dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_PART_NOT_TEXT, "The message has an image, a sound or a file.",
     "echo "
     "'{\"system\":[{\"type\":\"image\",\"source\":{\"type\":\"url\",\"url\":"
     "\"u\"}}],\"messages\":[]}' | toolwire convert -f anthropic -t openai "
     "--report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_CONTENT_DROPPED,
     "The format has no place for text beside calls, or the shape none in "
     "this message.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"assistant\",\"content\":\"a\"}]}' | toolwire convert -f openai -t "
     "xlam --report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_MESSAGE_DROPPED,
     "The target holds fewer messages, or other roles.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"system\",\"content\":\"s\"}]}' | toolwire encode -f harmony/jinja "
     "--report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_REASONING_DROPPED, "The target keeps no reasoning.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"assistant\",\"content\":\"a\",\"reasoning_content\":\"r\"}]}' | "
     "toolwire convert -f openai -t sharegpt --report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_OLD_REASONING,
     "The model is trained to see the reasoning of its last turn only.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":\"b\",\"reasoning_"
     "content\":\"r\"},{\"role\":\"user\",\"content\":\"q\"}]}' | toolwire "
     "encode -f hermes --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_REFUSAL_DROPPED, "The target has no member for a refusal.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":\"a\",\"refusal\":"
     "\"No.\"}]}' | toolwire encode -f hermes --report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_CONTENT_MISREAD,
     "The text looks like structure of the target: it would be read as that.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"refusal\":"
     "\"Never.\"}]}' | toolwire convert -f openai -t anthropic --report "
     "/dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_LONE_SURROGATE_LOST,
     "The record holds half of an emoji; wire text is UTF-8, which has none.",
     "printf '%s' "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"\\ud83d\"}]}' | "
     "toolwire encode -f hermes --report /dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_MEMBER_REPLACED,
     "The record has a member of its own named as a result of the conversion.",
     "printf '%s' "
     "'{\"text\":\"<|im_start|>user\\nq<|im_end|>\\n\",\"messages\":1}' | "
     "toolwire convert -f hermes -t openai --report /dev/stderr",
     "Rename the member before the conversion."},
    {TW_LOSS_CONTENT_MOVED,
     "The target has results of tools in front of a user's text, or messages "
     "of their own.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
     "\"text\":\"t\"},{\"type\":\"tool_result\",\"tool_use_id\":\"x\","
     "\"content\":\"1\"}]}]}' | toolwire convert -f anthropic -t openai "
     "--report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_MESSAGE_MERGED,
     "The format writes two messages of one author as one.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"assistant\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":"
     "\"b\"}]}' | toolwire encode -f gemma4 --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_PARTS_JOINED, "The format has one text in a message.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
     "\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}]}' | toolwire "
     "encode -f hermes --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_TEXTS_JOINED,
     "The other shape has several texts where this one has a single place: "
     "blocks of reasoning, or an instruction and its input.",
     "echo '{\"instruction\":\"Add.\",\"input\":\"1, 2\",\"output\":\"3\"}' "
     "| toolwire convert -f alpaca -t openai --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_OUTER_WHITESPACE, "The template trims this text.",
     "echo '{\"messages\":[{\"role\":\"user\",\"content\":\" q \"}]}' | "
     "toolwire encode -f gemma4 --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_EMPTY_TEXT,
     "The target has one spelling for an empty text and for none.",
     "echo "
     "'{\"messages\":[{\"role\":\"system\",\"content\":\"\"},{\"role\":"
     "\"user\",\"content\":\"q\"}]}' | toolwire encode -f harmony/jinja "
     "--report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_UNPARSED_CALL,
     "The model's text had a block that is no call, and the target has no "
     "place for raw blocks.",
     "printf '%s' "
     "'{\"text\":\"<|im_start|>assistant\\n<tool_call>{\\\"arguments\\\":{}}</"
     "tool_call><|im_end|>\\n\"}' | toolwire convert -f hermes -t openai "
     "--report /dev/stderr",
     "Keep the text of such records beside: `toolwire check --jsonl` names "
     "them."},
    {TW_LOSS_CALL_DROPPED,
     "The call is of a kind that the target does not know.",
     "echo '{\"input\":[{\"type\":\"teleport\",\"x\":1}]}' | toolwire convert "
     "-f responses -t openai --report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_TOOL_DROPPED,
     "The tool is of a kind that the target does not know, such as one that a "
     "server runs itself.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"tools\":[{"
     "\"type\":\"web_search_20250305\",\"name\":\"w\"}]}' | toolwire convert "
     "-f anthropic -t openai --report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_RESULT_UNMATCHED,
     "The record has a result whose call is missing, or with another id.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"tool\",\"content\":\"1\"}]}' | toolwire convert -f openai -t openai "
     "--report /dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_RESULT_ERROR_FLAG,
     "Only shapes of Anthropic mark results as errors.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_"
     "result\",\"tool_use_id\":\"x\",\"content\":\"no\",\"is_error\":true}]}]}"
     "' | toolwire convert -f anthropic -t openai --report /dev/stderr",
     "Say so in the text of the result before the conversion."},
    {TW_LOSS_CALL_ID, "The wire has no ids: the model never saw them.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"x9\",\"type\":\"function\",\"function\":{\"name\":\"f\","
     "\"arguments\":\"{}\"}}]}]}' | toolwire encode -f hermes --report "
     "/dev/stderr",
     cli_remedy_same},
    {TW_LOSS_RESULT_NAME, "The target ties results to calls by ids alone.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":"
     "[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\","
     "\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"a\","
     "\"content\":\"1\",\"name\":\"f\"}]}' | toolwire convert -f openai -t "
     "anthropic --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_CALL_FORM,
     "The target has no calls with free text, or no legacy ones.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"c\",\"type\":\"custom\",\"custom\":{\"name\":\"py\","
     "\"input\":\"x\"}}]}]}' | toolwire convert -f openai -t anthropic "
     "--report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_ARGUMENTS_SPELLING,
     "Blanks, escapes or numbers are written as the template writes them.",
     "printf '%s' "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\","
     "\"arguments\":\"{\\\"a\\\":  1}\"}}]}]}' | toolwire encode -f hermes "
     "--report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_ARGUMENTS_ORDER, "The template sorts keys.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":"
     "\"function\",\"function\":{\"name\":\"f\",\"arguments\":{\"b\":1,\"a\":"
     "2}}}]}]}' | toolwire encode -f gemma4 --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_NO_ARGUMENTS,
     "The call has no arguments, which the wire cannot tell from empty ones.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
     "\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":"
     "\"function\",\"function\":{\"name\":\"f\"}}]}]}' | toolwire encode -f "
     "gemma4 --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_TOOL_PART,
     "The template leaves this part of a tool's schema out: the model never "
     "saw it.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"tools\":[{"
     "\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":"
     "\"d\",\"response\":7}}]}' | toolwire encode -f gemma4 --report "
     "/dev/stderr",
     cli_remedy_same},
    {TW_LOSS_CALL_ORDER, "The target has all text in front of all calls.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_"
     "use\",\"id\":\"x\",\"name\":\"f\",\"input\":{}},{\"type\":\"text\","
     "\"text\":\"t\"}]}]}' | toolwire convert -f anthropic -t openai --report "
     "/dev/stderr",
     cli_remedy_same},
    {TW_LOSS_RESULT_MISPLACED,
     "The target ties results to calls by their order, and here they have "
     "another.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"function\":{"
     "\"name\":\"g\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"name\":"
     "\"g\",\"content\":\"2\"}]}' | toolwire convert -f openai -t sharegpt "
     "--report /dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_ARGUMENT_TYPE,
     "The format writes values without their types, and the declared tools do "
     "not say which it is.",
     "printf '%s' "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\","
     "\"arguments\":\"{\\\"a\\\":1}\"}}]}]}' | toolwire encode -f qwen3-coder "
     "--report /dev/stderr",
     "Declare the parameter's type in the request's tools."},
    {TW_LOSS_ID_REPLACED,
     "A model or a server gave two calls the same id, or --ids asked for "
     "others.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"a\",\"function\":{\"name\":\"f\"}},{\"id\":\"a\","
     "\"function\":{\"name\":\"g\"}}]}]}' | toolwire convert -f openai -t "
     "anthropic --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_REPEATED_ID,
     "The ids of calls are counted from the start in each turn.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"a\",\"function\":{\"name\":\"f\"}}]},{\"role\":\"tool\","
     "\"tool_call_id\":\"a\",\"content\":\"1\"},{\"role\":\"assistant\","
     "\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":"
     "\"g\"}}]}]}' | toolwire convert -f openai -t anthropic --report "
     "/dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_CALL_UNANSWERED,
     "The tool never came back, or the log lacks its result.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"a\",\"function\":{\"name\":\"f\"}}]},{\"role\":\"user\","
     "\"content\":\"Well?\"}]}' | toolwire convert -f openai -t anthropic "
     "--report /dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_RESULT_SPLIT,
     "One turn has the results of several calls, as a list.",
     "echo "
     "'{\"conversations\":[{\"from\":\"function_call\",\"value\":\"[{"
     "\\\"name\\\":\\\"a\\\"},{\\\"name\\\":\\\"b\\\"}]\"},{\"from\":"
     "\"observation\",\"value\":\"[1,2]\"}]}' | toolwire convert -f sharegpt "
     "-t openai --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_RESULT_OUT_OF_PLACE,
     "Something was said between the call and its result.",
     "echo "
     "'{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
     "[{\"id\":\"a\",\"function\":{\"name\":\"f\"}}]},{\"role\":\"user\","
     "\"content\":\"Well?\"},{\"role\":\"tool\",\"tool_call_id\":\"a\","
     "\"content\":\"1\"}]}' | toolwire convert -f openai -t anthropic "
     "--report /dev/stderr",
     cli_remedy_mend},
    {TW_LOSS_ROLE_CHANGED, "The target has fewer roles.",
     "echo '{\"messages\":[{\"role\":\"developer\",\"content\":\"d\"}]}' | "
     "toolwire convert -f openai -t anthropic --report /dev/stderr",
     cli_remedy_same},
    {TW_LOSS_MEMBER_DROPPED,
     "The target has no such member, or none of this value.",
     "echo '{\"messages\":[],\"tool_choice\":{\"type\":\"later\"}}' | "
     "toolwire convert -f anthropic -t openai --report /dev/stderr",
     cli_remedy_shape},
    {TW_LOSS_SETTING_TYPE,
     "A setting has a value of another type, such as the text False.",
     "echo '{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}' | "
     "toolwire encode -f hermes --set enable_thinking=False",
     "Write true and false as JSON does; `toolwire formats FORMAT` lists what "
     "its settings take."},
    {TW_LOSS_AUTHOR_NAME,
     "The target does not keep who of several users wrote.",
     "echo "
     "'{\"messages\":[{\"role\":\"user\",\"content\":\"q\",\"name\":\"bob\"}]}"
     "' | toolwire convert -f openai -t sharegpt --report /dev/stderr",
     cli_remedy_same},
    {0, NULL, NULL, NULL},
};
