/* SPDX-License-Identifier: MIT
 *
 * What may be wrong with arguments between tags and in Python.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_values[] = {
    {TW_DIAGNOSTIC_HALF_MARKER,
     "A token limit, or a stop, cut the output inside a marker.",
     "printf 'Hi.<|close|>resp' | toolwire check -f kimi-k3",
     "Look at the finish reason: nothing of the answer is lost."},
    {TW_DIAGNOSTIC_CLOSER_IN_VALUE,
     "A text between tags holds the tag that ends it, which the format cannot "
     "escape.",
     "printf "
     "'<tool_call>\\n<function=save>\\n<parameter=body>a\\n</"
     "parameter>\\nb\\n</function>\\nc\\n</tool_call>\\nd</parameter>\\n</"
     "function>\\n</tool_call><|im_end|>' | toolwire check -f mimo",
     "Look at the value before the call runs."},
    {TW_DIAGNOSTIC_MISSING_VALUE_OPEN,
     "The model forgot a marker, or the server dropped it.",
     "printf '<tool_call>save<arg_key>path</arg_key>how many "
     "days</arg_value></tool_call><|role_end|>' | toolwire check -f ling3",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_VALUE_CLOSE,
     "The model forgot a marker, or the server dropped it.",
     "printf "
     "'Sure.\\n<tool_call>\\n<function=tide>\\n<parameter=at>\\nBrest\\n</"
     "tool_call><|im_end|>' | toolwire check -f mimo",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_KEY_CLOSE,
     "The model forgot a marker, or the server dropped it.",
     "printf "
     "'<tool_call>save<arg_key>path<arg_value>/srv/x</arg_value></tool_call>' "
     "| toolwire check -f spark2.5",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_TAG_END, "The model forgot the > of a tag.",
     "printf "
     "'<tool_call>\\n<function=tide>\\n<parameter=at\\nBrest\\n</"
     "parameter>\\n</function>\\n</tool_call><|im_end|>' | toolwire check -f "
     "mimo",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ATTRIBUTE_QUOTES, "The model wrote a tag as HTML takes it.",
     "printf '<function name='\\''save'\\''><param "
     "name='\\''path'\\''>x</param></function>' | toolwire check -f minicpm5",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_LOOSE_MARKER,
     "The model wrote a marker nearly as it was trained.",
     "printf "
     "'<tool_call>\\n<function=tide>\\n<parameter=at>\\nBrest\\n</"
     "parameter_function>\\n</tool_call><|im_end|>' | toolwire check -f mimo",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_LOOSE_LITERAL,
     "The model wrote +5, 007, .5, TRUE or NULL where the tool declares no "
     "text.",
     "printf '<｜DSML｜tool_calls>\\n<｜DSML｜invoke "
     "name=\"move\">\\n<｜DSML｜parameter name=\"by\" string=\"false\">+5"
     "</｜DSML｜parameter>\\n</｜DSML｜invoke>\\n</"
     "｜DSML｜tool_calls><｜end▁of▁sentence｜>' | toolwire check -f "
     "deepseek/v4",
     "None is needed: the value is the one that was meant."},
    {TW_DIAGNOSTIC_TYPE_MISMATCH,
     "The model wrote a value that is not of the type that the tool declares.",
     "printf '<｜DSML｜tool_calls>\\n<｜DSML｜invoke "
     "name=\"save\">\\n<｜DSML｜parameter name=\"path\" string=\"false\">not "
     "json</｜DSML｜parameter>\\n</｜DSML｜invoke>\\n</"
     "｜DSML｜tool_calls><｜end▁of▁sentence｜>' | toolwire check -f "
     "deepseek/v4",
     "Have the tool refuse it with a message that names the type: the model "
     "tries again."},
    {TW_DIAGNOSTIC_BARE_QUOTE, "A text with quotes was not escaped.",
     "printf '[f(a=\"x \"y\" z\")]' | toolwire check -f gemma3",
     "Look at the value: where it ends was found by what follows."},
    {TW_DIAGNOSTIC_LEADING_ZEROS,
     "The model wrote a number as in a date or a code.",
     "printf '[f(a=07)]' | toolwire check -f gorilla",
     "Declare such a parameter as a string."},
    {TW_DIAGNOSTIC_SET_LITERAL, "The model wrote a set of Python.",
     "printf '[f(a={1, 2})]' | toolwire check -f gorilla", cli_remedy_safe},
    {TW_DIAGNOSTIC_KEY_NOT_STRING,
     "The model wrote a dict of Python with keys that JSON has not.",
     "printf '[f(a={1: 2})]' | toolwire check -f gorilla", cli_remedy_safe},
    {TW_DIAGNOSTIC_DUPLICATE_PARAMETER, "The model gave a parameter twice.",
     "printf '[f(a=1, a=2)]' | toolwire check -f gorilla",
     "Look which the tool would take: most readers of JSON keep the last."},
    {TW_DIAGNOSTIC_NO_LIST,
     "The model wrote a call without the list around it.",
     "printf 'f(a=1)' | toolwire check -f gorilla", cli_remedy_safe},
    {TW_DIAGNOSTIC_LIST_IN_LINES,
     "The model wrote a list where calls have lines of their own.",
     "printf '<function_calls>[f(a=1), g()]</function_calls>' | toolwire "
     "check -f olmo3",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_JSON_BODY, "The model was trained on more than one format.",
     "printf '[{\"name\": \"tide\", \"parameters\": {\"at\": \"Brest\"}}]' | "
     "toolwire check -f hyperclovax",
     cli_remedy_format},
    {TW_DIAGNOSTIC_ECHOED_CALL, "The model repeated its calls as text.",
     "printf "
     "'<|tool_call_start|>[f(a=1)]<|tool_call_end|>[f(a=1)]<|tool_call_end|>' "
     "| toolwire check -f lfm2",
     cli_remedy_safe},
    {0, NULL, NULL, NULL},
};
