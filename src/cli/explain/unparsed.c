/* SPDX-License-Identifier: MIT
 *
 * Why a block is no call.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_unparsed[] = {
    {TW_DIAGNOSTIC_TRUNCATED_CALL,
     "The token limit was reached, or the connection was cut.",
     "printf '<tool_call>{\"name\":\"f\",\"argu' | toolwire check -f hermes",
     cli_remedy_tokens},
    {TW_DIAGNOSTIC_EMPTY_CALL,
     "The model opened a call and thought better of it.",
     "printf '<tool_call></tool_call>' | toolwire check -f hermes",
     cli_remedy_none},
    {TW_DIAGNOSTIC_UNKNOWN_HEAD,
     "The model forgot how its calls begin, or wrote those of another format "
     "between its own markers.",
     "echo '[\"tide\"]' >tools.json; printf "
     "'<tool_call>tide(Brest)</tool_call>' | toolwire check -f hermes --tools "
     "tools.json",
     "Look at the raw text; tell the model how a call is written."},
    {TW_DIAGNOSTIC_NO_NAME, "The model forgot the name.",
     "printf '<tool_call>{\"arguments\":{}}</tool_call>' | toolwire check -f "
     "hermes",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_BAD_NAME,
     "A NUL stands in the name: broken weights, or an attack on readers in C.",
     "printf "
     "'<tool_call>{\"name\":\"a\\\\u0000b\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_SYNTAX_ERROR,
     "The model wrote something that no repair makes JSON of without a guess.",
     "printf '<tool_call>{\"name\":\"f\" \"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_ARGUMENTS_NOT_OBJECT,
     "The model wrote a list or a plain value where named arguments belong.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":[1]}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_DUPLICATE_CALL_KEY,
     "The model, or someone whose text it copied, wrote the arguments twice.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{},\"arguments\":{}}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_NOT_OBJECT, "The model put something else among its calls.",
     "printf '[TOOL_CALLS][7]</s>' | toolwire check -f mistral/v3",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_NO_KEY, "The model wrote a value without its key.",
     "printf '<|tool_call>call:f{1}<tool_call|>' | toolwire check -f gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_NO_VALUE, "The model wrote a key and no value.",
     "printf '[f(a=)]' | toolwire check -f gorilla", cli_remedy_retry},
    {TW_DIAGNOSTIC_NO_COMMA, "The model wrote two values side by side.",
     "printf '<|tool_call>call:f{a:{b:1}x y:2}<tool_call|>' | toolwire check "
     "-f gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_INNER_QUOTE,
     "A text with quotes was not escaped, and where it ends is a guess.",
     "printf '<|tool_call>call:f{a:\"x\"y\"}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_UNCLOSED_QUOTE,
     "The model did not end a text, or quoted a call in it so that its end is "
     "in doubt.",
     "printf '<|tool_call>call:f{a:\"x}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_UNBALANCED_TEXT,
     "The model wrote a text with brackets, without delimiters.",
     "printf '<|tool_call>call:f{a:x{y<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_STRAY_DELIMITER,
     "The server dropped a special token, or the model mixed two ways to "
     "quote.",
     "printf '<|tool_call>call:f{a:x<|\"|>y}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_ARGUMENTS_GO_ON,
     "The model closed the arguments too early.",
     "printf '<|tool_call>call:f{a:1},b:2}<tool_call|>' | toolwire check -f "
     "gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_PROSE_AFTER_BARE_CALL,
     "The model wrote of a call rather than calling.",
     "printf 'call:f{a:1} is what I would do.' | toolwire check -f gemma4",
     cli_remedy_none},
    {TW_DIAGNOSTIC_LIMIT_DEPTH,
     "The arguments are nested deeper than is allowed; mostly the model "
     "repeats itself.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":[[1]]}}</tool_call>' | "
     "toolwire check -f hermes --limit depth=2",
     "If such arguments are meant, raise --limit depth."},
    {TW_DIAGNOSTIC_LIMIT_NAME,
     "The name is longer than is allowed; mostly the model repeats itself.",
     "printf '<tool_call>{\"name\":\"tide\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes --limit name=2",
     "If such names are meant, raise --limit name."},
    {TW_DIAGNOSTIC_LIMIT_ARGUMENTS,
     "The arguments are longer than is allowed; mostly the model repeats "
     "itself.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"0123456789\"}}</"
     "tool_call>' | toolwire check -f hermes --limit arguments=9",
     "If such arguments are meant, raise --limit arguments."},
    {TW_DIAGNOSTIC_LIMIT_CALLS,
     "There are more calls than are allowed; mostly the model repeats itself.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{}}</"
     "tool_call><tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes --limit calls=1",
     "If so many are meant, raise --limit calls."},
    {TW_DIAGNOSTIC_LIMIT_LOOKAHEAD,
     "A key or a text without delimiters is so long that it is none; mostly "
     "the model repeats itself.",
     "printf '<|tool_call>call:f{%070000d:1}<tool_call|>' 0 | toolwire check "
     "-f gemma4",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_NOT_A_LITERAL,
     "The model wrote code that would have to be run to have a value.",
     "printf '[f(a=2*3)]' | toolwire check -f gorilla", cli_remedy_retry},
    {TW_DIAGNOSTIC_POSITIONAL_ARGUMENT,
     "The model wrote a value without the parameter's name.",
     "printf '[f(a=1, 3)]' | toolwire check -f gorilla", cli_remedy_retry},
    {TW_DIAGNOSTIC_UNPACKING,
     "The model wrote code that would have to be run to have arguments.",
     "printf '<|tool_call_start|>[f(**a)]<|tool_call_end|>' | toolwire check "
     "-f lfm2",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_COMMENT, "The model explained its call inside of it.",
     "printf '[f(a=1 # one\\n)]' | toolwire check -f gorilla",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_NAMED_ESCAPE,
     "The model wrote a character by its name, and the names are a table of "
     "their own.",
     "printf '[f(a='\\''\\\\N{BULLET}'\\'')]' | toolwire check -f gorilla",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_KEY_NOT_SCALAR,
     "The model wrote a dict of Python whose key JSON cannot have.",
     "printf '[f(a={(1, 2): 3})]' | toolwire check -f gorilla",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_LIMIT_NUMBER,
     "A number has more digits than can be converted without loss.",
     "printf '[f(a=0xfffffffffffffffff)]' | toolwire check -f gorilla",
     cli_remedy_retry},
    {TW_DIAGNOSTIC_MANY_KEYS,
     "The model wrote more into an object that is to have the tool's name "
     "alone.",
     "printf '<|tools_prefix|>[{\"f\": {}, \"g\": {}}]<|tools_suffix|>' | "
     "toolwire check -f apertus",
     cli_remedy_retry},
    {0, NULL, NULL, NULL},
};
