/* SPDX-License-Identifier: MIT
 *
 * What may be wrong with the text and the JSON of a completion, and with its
 * calls in all formats.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_text[] = {
    {TW_DIAGNOSTIC_LONE_SURROGATE,
     "The model cut an emoji in half, or a log was cut inside an escape.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"\\\\ud83d\"}}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_RAW_CONTROL,
     "The model wrote a line feed or a tab into a string instead of its "
     "escape, as in code it had seen.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"1\\n2\"}}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_BAD_ESCAPE,
     "A path of Windows, a regular expression or LaTeX was written without "
     "doubling its backslashes.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"\\\\d+\"}}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_SINGLE_QUOTED,
     "The model wrote a dict of Python instead of JSON.",
     "printf "
     "'<tool_call>{'\\''name'\\'':'\\''f'\\'','\\''arguments'\\'':{}}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_PYTHON_LITERALS,
     "The model wrote a dict of Python instead of JSON.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":True}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_TRAILING_COMMA,
     "The model wrote the call as Python or JavaScript would take it.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_EXTRA_CLOSER,
     "The model lost count of its brackets, mostly in deep arguments.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":{}}}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_CLOSER,
     "The model lost count of its brackets, mostly in deep arguments.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":{}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_EMPTY_ARGUMENTS,
     "The tool takes no parameters, and the model wrote none.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":null}</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ODD_WHITESPACE,
     "The text went through a web page or an editor that makes other blanks "
     "of blanks.",
     "printf "
     "'<tool_call>\\302\\240{\"name\":\"f\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     "Look what stands between model and decoder: `toolwire inspect` shows "
     "the blank by its number."},
    {TW_DIAGNOSTIC_BOM, "A file with a byte order mark was put into the text.",
     "printf "
     "'<tool_call>\\357\\273\\277{\"name\":\"f\",\"arguments\":{}}</"
     "tool_call>' | toolwire check -f hermes",
     "Look what stands between model and decoder: it adds the mark."},
    {TW_DIAGNOSTIC_LITERAL_BACKSLASH_N,
     "The text was escaped once too often, or the model wrote escapes where "
     "line feeds belong.",
     "printf '<tool_call>{\"name\":\"f\",\\\\n\"arguments\":{}}</tool_call>' "
     "| toolwire check -f hermes",
     "If all of a log is so, take one level of escapes off before it is "
     "read."},
    {TW_DIAGNOSTIC_DOUBLED_BRACES,
     "The prompt showed the call in a template of Python, where braces are "
     "doubled.",
     "printf '<tool_call>{{\"name\":\"f\",\"arguments\":{{}}}}</tool_call>' | "
     "toolwire check -f hermes",
     "Look at the prompt: its example of a call has {{ and }}."},
    {TW_DIAGNOSTIC_INVALID_UTF8,
     "A character was cut between two tokens and each was made text by "
     "itself, or the text is in another encoding.",
     "printf 'a\\377b' | toolwire check -f hermes",
     "Have the server decode tokens together; convert the file to UTF-8 if it "
     "is another encoding."},
    {TW_DIAGNOSTIC_ARGUMENTS_STRING,
     "The model wrote the arguments as the API of OpenAI has them, a string.",
     "printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":\"{\\\\\"a\\\\\":1}\"}</"
     "tool_call>' | toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_REPAIR_GIVEN_UP,
     "A long text gave no sign within the look-ahead of whether a repair is "
     "due.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1,%070000s}}' "
     "'' | toolwire check -f hermes",
     "Look at the call before it runs: `toolwire inspect` shows what was "
     "read."},
    {TW_DIAGNOSTIC_UNDECLARED_TOOL,
     "The model made a name up, or the list of tools is not the one that it "
     "was given.",
     "echo '[\"g\"]' >tools.json; printf "
     "'<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>' | toolwire "
     "check -f hermes --tools tools.json",
     "Answer the call with an error that names the tools there are; compare "
     "--tools with the request."},
    {TW_DIAGNOSTIC_NAME_WHITESPACE,
     "The model wrote blanks into the quotes of the name.",
     "printf '<tool_call>{\"name\":\" f\",\"arguments\":{}}</tool_call>' | "
     "toolwire check -f hermes",
     "Compare names without the blanks around them."},
    {TW_DIAGNOSTIC_MISSING_CALL_OPEN,
     "The server dropped the special token, or the model forgot it.",
     "printf 'call:f{a:1}<tool_call|>' | toolwire check -f gemma4",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_CALL_CLOSE,
     "The server stopped at the marker and dropped it, or the model forgot "
     "it.",
     "printf '<|tool_call>call:f{a:1}' | toolwire check -f gemma4",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_CALL_IN_REASONING,
     "The model called while it thought, and never closed its reasoning.",
     "printf '[THINK]So:[TOOL_CALLS]f[ARGS]{}</s>' | toolwire check -f "
     "mistral/v11",
     "If such calls are not to run, give --calls-in-reasoning 0."},
    {TW_DIAGNOSTIC_JUNK_AFTER_OBJECT,
     "The model went on to talk before it closed the call.",
     "printf '<tool_call>{\"name\":\"f\",\"arguments\":{}} so</tool_call>' | "
     "toolwire check -f hermes",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_OUTPUT_AFTER_END,
     "The server did not stop at the marker that ends a message.",
     "printf 'Yes.<|im_end|>And' | toolwire check -f hermes",
     "Add the markers that end a message to the server's stop words: "
     "`toolwire formats FORMAT` names them."},
    {TW_DIAGNOSTIC_ORPHAN_REASONING_CLOSE,
     "The prompt ended inside reasoning, as templates do that open it for the "
     "model.",
     "printf 'Why?</think>Yes.' | toolwire check -f hermes",
     "Say so: --start reasoning, or the end of the prompt with "
     "--prompt-tail."},
    {TW_DIAGNOSTIC_DUPLICATE_ID, "The model wrote one id for two calls.",
     "printf '[TOOL_CALLS]f[CALL_ID]abcDEF123[ARGS]{}[TOOL_CALLS]g[CALL_ID]"
     "abcDEF123[ARGS]{}' | toolwire check -f mistral/v11",
     "Answer each call by the id that it left with."},
    {TW_DIAGNOSTIC_TOOL_CHOICE_UNMET,
     "The model answered in another way than the request's tool_choice asks.",
     "printf 'Hi.' | toolwire check -f hermes --tool-choice required",
     "Ask again, or have the server steer the model: nothing here does."},
    {TW_DIAGNOSTIC_CALL_LIKE_TEXT,
     "The model began a call and did not go on with one, the text shows how "
     "a call is written, or the server stripped the special tokens.",
     "printf '<tool_call>tide(Brest)</tool_call>' | toolwire check -f hermes",
     "Look at the text.  Declare the tools: a block with a tool's name is "
     "listed as unparsed.  Have the server keep special tokens."},
    {TW_DIAGNOSTIC_FOREIGN_MARKER,
     "The text was read as another format than the model writes.",
     "printf '<|tool_call>call:f{a:1}<tool_call|>' | toolwire check -f hermes",
     "`toolwire detect` looks which format it is; name that one with -f."},
    {TW_DIAGNOSTIC_NO_GENERATION_PROMPT,
     "The prompt was made without the head of the model's turn, or "
     "--prompt-tail is not its end.",
     "printf 'Yes.' | toolwire check -f hermes --prompt-tail 'Hi.<|im_end|>'",
     "Make the prompt with the generation prompt, and give its last bytes."},
    {0, NULL, NULL, NULL},
};
