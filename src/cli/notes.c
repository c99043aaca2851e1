/* SPDX-License-Identifier: MIT
 *
 * What help says of each command.  The examples are run by tests/cli.sh as
 * they stand.
 */
#include "cli/notes.h"

#include "cli/options/options.h"

const char cli_help_examples[] =
    "Examples:\n"
    "  printf '<tool_call>{\"name\":\"tide\",\"arguments\":{\"at\":\"Brest\"}}"
    "</tool_call>' |\n"
    "    toolwire decode -f hermes\n"
    "  printf '<|tool_call>call:tide{at:<|\"|>Brest<|\"|>}<tool_call|>' |\n"
    "    toolwire stream -f gemma4\n"
    "  printf '<|channel|>analysis<|message|>Brest?<|end|>' |\n"
    "    toolwire stream -f harmony --events\n"
    "  printf '%s\\n' '{\"text\":\"First.\"}' '{\"text\":\"Then.\"}' |\n"
    "    toolwire decode -f hermes --jsonl\n"
    "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{},}</tool_call>' "
    "|\n"
    "    toolwire check -f hermes\n"
    "  echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}]}' |\n"
    "    toolwire encode -f hermes --generation-prompt\n"
    "  toolwire explain trailing_comma\n";

const char cli_help_end[] =
    "\n"
    "A FILE that is absent or - is stdin.  A byte order mark in front of it "
    "is\n"
    "skipped: offsets count from behind it.  Blank lines at the end of a "
    "file\n"
    "of records are no records; other blank lines are bad ones.\n"
    "Exit codes: 0 fine, 1 an error or something that could not be parsed,\n"
    "2 wrong usage, 3 a file could not be read or written.  Diagnostics are\n"
    "coloured on a terminal, unless NO_COLOR is set.\n";

const cli_note_text cli_help_notes[] = {
    {CLI_DECODE,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire decode -f hermes\n"
     "  printf '%s\\n' '{\"raw\":{\"out\":\"Hello.\"}}' '\"Bye.\"' |\n"
     "    toolwire decode -f hermes --jsonl --field raw.out\n",
     "Writes one OpenAI assistant message a completion, on one line.  What\n"
     "deviates from the format is repaired where that is safe, and reported\n"
     "on stderr as file:line: offset: code: text.  With --jsonl a bad line\n"
     "is answered by {\"error\":{\"code\",\"offset\",\"message\"}}, where it\n"
     "can with \"path\".\n"},
    {CLI_STREAM,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire stream -f hermes --sse --model my-model\n"
     "  printf 'Hello.' | toolwire stream -f hermes --events\n"
     "  printf 'data: {\"choices\":[{\"delta\":{\"content\":\"Hi.\"}}]}\\n\\n"
     "data: [DONE]\\n\\n' |\n"
     "    toolwire stream -f hermes --from-sse\n",
     "Writes the stream of an API, one JSON object a line, as bytes arrive:\n"
     "chat.completion.chunk objects, or the events of --api responses and\n"
     "anthropic, which --sse names as clients want them.  Of a call that is\n"
     "cut off its pieces are sent and never closed, but some clients run it\n"
     "all the same: --hold-calls sends calls only when they are complete.\n"
     "The reason to finish that --finish-reason gives stands in place of\n"
     "stop, length and tool_calls, but stop changes nothing, nor does\n"
     "tool_calls where a call was cut off.\n"
     "After an error (--strict, --limit input) the stream breaks off with "
     "the\n"
     "error event of its API.\n"
     "With --from-sse it reads a server's stream of such chunks, whose "
     "content\n"
     "is what the model wrote, and writes it with reasoning and calls split\n"
     "out: each choice by itself, all else as it came.  Lines may end in\n"
     "CRLF, LF or CR, and one JSON text may stand in several lines of data.\n"
     "Halves of a surrogate pair in two contents of a choice are a "
     "character;\n"
     "one alone becomes U+FFFD, and is reported.  Data that cannot be read\n"
     "are answered by an event {\"error\"}, and from there on all goes\n"
     "through as it is, since a call could be another one without them.\n"
     "A server's stream of Responses or Messages is read, too, and with --api\n"
     "the stream of any API is made of that of any other.  But for chat to\n"
     "chat it is written anew: id, model, time, usage and reason to stop are\n"
     "the server's, other members of its events are not passed on, and bad\n"
     "data, a call that the server has split out itself or a second choice\n"
     "end it with the error event of the API.\n"},
    {CLI_ENCODE,
     "  echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}]}' |\n"
     "    toolwire encode -f hermes --generation-prompt\n"
     "  echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}]}' |\n"
     "    toolwire encode -f hermes --jsonl --set enable_thinking=false\n",
     "Writes the exact text that the model's template makes of a request:\n"
     "{\"messages\", \"tools\", \"add_generation_prompt\",\n"
     "\"chat_template_kwargs\"}.  With --jsonl, one {\"text\"} a line, and a\n"
     "bad line is answered by {\"error\"}.  Text that would put a marker of\n"
     "the format on the wire is an error that names its place.\n"},
    {CLI_CONVERT,
     "  echo "
     "'{\"text\":\"<tool_call>{\\\"name\\\":\\\"now\\\",\\\"arguments\\\":"
     "{}}</tool_call>\"}' |\n"
     "    toolwire convert -f hermes -t openai --unit completion\n"
     "  echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}]}' |\n"
     "    toolwire convert -f openai -t hermes\n"
     "  echo '{\"conversations\":[{\"from\":\"human\",\"value\":\"Hi.\"}]}' "
     "|\n"
     "    toolwire convert -f sharegpt -t openai --stats\n",
     "Reads one JSON record a line and writes one a line.  A record is of a\n"
     "format, {\"text\"}: its text, which --field may name otherwise; with\n"
     "--unit completion it is what the model wrote behind the record's own\n"
     "\"messages\".  Or it is of a shape; other members pass through.\n"},
    {CLI_CHECK,
     "  printf '<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>' |\n"
     "    toolwire check -f hermes\n",
     "Writes what deviates from the format, one\n"
     "{\"code\",\"count\",\"records\"} a line, and on stderr where.\n"
     "Exit code 1: there was a deviation, a block that could not be parsed,\n"
     "or a bad record.\n"},
    {CLI_FORMATS,
     "  toolwire formats\n"
     "  toolwire formats --json\n"
     "  toolwire formats mistral --json\n",
     "Lists the formats.  Of one, by its name or by a file that describes "
     "it,\n"
     "it says what its markers are for, and the description: with --json "
     "that\n"
     "alone, which -f takes as a file (docs/describing.md).  Gemma and "
     "Harmony\n"
     "have none: of them --json gives the line that it gives in the list.\n"},
    {CLI_DETECT,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire detect\n",
     "Has each format that is built in read a text, or the first 200 of a "
     "log\n"
     "(--jsonl), and says which reads all of it: calls, reasoning, markers\n"
     "that were seen, the command to go on with.  Where formats read it\n"
     "alike, they are listed; where two fit and read it differently, none is\n"
     "chosen.\n"
     "Exit code 1: no format fits without a deviation, or two do.\n"},
    {CLI_INSPECT,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{},}</tool_call>' "
     "|\n"
     "    toolwire inspect -f hermes\n"
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire inspect --html -o now.html\n",
     "Shows what a model wrote with what each byte of it is, and offsets: "
     "text,\n"
     "reasoning, markers and what else is structure, names, arguments, what\n"
     "was dropped or not parsed.  Each diagnostic stands under its place, "
     "with\n"
     "what helps; the calls follow as a tree.  On a terminal in colours, "
     "else\n"
     "each row names what it is.  Control characters and bytes that are not\n"
     "UTF-8 are shown by signs.  Without -f the format is looked for as\n"
     "`toolwire detect` does, and named.\n"
     "Exit code 1: a call could not be parsed, or no format was found.\n"},
    {CLI_CHECK_FORMAT,
     "  toolwire formats hermes --json >mine.json\n"
     "  toolwire check-format mine.json\n",
     "Loads a description (docs/describing.md) and says what it is, what is\n"
     "doubtful in it, a sample that was written by it and read back, and\n"
     "which formats that are built in are near to it.\n"
     "Exit code 1: it does not load, which is said on stderr with the place,\n"
     "or the sample does not read back.\n"},
    {CLI_EXPLAIN,
     "  toolwire explain trailing_comma\n"
     "  toolwire explain --all\n",
     "Says what a code means, by its name or its number: what usually is the\n"
     "cause, an example that gives it, what helps.\n"},
    {CLI_GEN,
     "  toolwire gen -f gemma4 --count 5\n"
     "  toolwire gen -f hermes --class injection --seed 7 --count 3\n",
     "Makes cases for parsers, one JSON object a line:\n"
     "  wire        a turn of the model's as its template keeps it, so that\n"
     "              messages may follow a stop marker; wire_b64: its bytes\n"
     "  start       \"reasoning\" where the wire goes on inside the reasoning\n"
     "              that its prompt began, else absent\n"
     "  cuts        offsets where it may be cut\n"
     "  message     what it means; \"arguments\" are objects; of a truncated\n"
     "              wire, what it would have become\n"
     "  accept      which other answers are fine: \"exact\": no other;\n"
     "              \"or_less\": fewer calls, those given are right, and the\n"
     "              rest is text; \"prefix\": fewer calls, none but the "
     "first\n"
     "              ones, any text; \"no_forgery\": no more calls than there "
     "are\n"
     "  must_not    what `toolwire test` would call wrong\n"},
    {CLI_TEST,
     "  toolwire test -f hermes --count 20 \\\n"
     "      --cmd 'sed -u \"s/.*/{\\\"error\\\":1}/\"' || echo found\n",
     "Puts cases (`toolwire gen`) to another parser, whole, cut, and byte by\n"
     "byte.  COMMAND reads lines\n"
     "  {\"id\": ..., \"format\": \"hermes/qwen3\", \"chunks\": [base64, "
     "...]}\n"
     "(with \"start\": \"reasoning\" as in a case) and answers each by one "
     "line,\n"
     "flushed at once, and nothing else:\n"
     "  {\"id\": the same, \"message\": an OpenAI message}, or\n"
     "  {\"id\": the same, \"error\": any}\n"
     "One process is asked all, one question after the other; it is started\n"
     "anew behind a hang, a crash or a line that is no JSON.  Judged are\n"
     "content and reasoning_content (or reasoning) but for spaces, tabs and\n"
     "line ends around them, and each call's name and arguments (text or an\n"
     "object).  What is wrong comes out as it is found, three of a kind and\n"
     "class, made small: \"sent\" is the question to put again, \"got\" the\n"
     "line that came.  Where any part of a wire could go, \"message\" is "
     "null.\n"
     "The last line counts:\n"
     "  refused          an error, where \"accept\" is \"exact\"\n"
     "  hang             no line within --patience, though it lives\n"
     "  crash            the process ended; \"ended\" says how\n"
     "  split_variance   not the same as \"got_whole\", the uncut wire's\n"
     "  lost_bytes       text or calls are not those of the message\n"
     "  forged_call      a call that the message does not have\n"
     "  wrong_arguments  they are not what the message says, to the digit\n"
     "  invalid_json     a line, or a call's arguments\n"
     "  protocol_error   a line with neither \"message\" nor \"error\"\n"},
    {CLI_COMPLETION,
     "  toolwire completion bash\n"
     "  toolwire completion fish\n",
     "Writes a script for the shell; an installed toolwire has it already.\n"
     "For bash, `source <(toolwire completion bash)` is enough; for zsh it\n"
     "is the file _toolwire in a folder of $fpath, for fish toolwire.fish\n"
     "in ~/.config/fish/completions.\n"},
    {CLI_HELP,
     "  toolwire help\n"
     "  toolwire help decode\n",
     "Writes what --help writes.\n"},
};
