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
     "Writes one OpenAI assistant message on one line for each completion.\n"
     "A deviation from the format is repaired where that is safe, and\n"
     "reported on stderr as file:line: offset: code: text.  With --jsonl a\n"
     "bad line is answered by {\"error\"}, which holds \"code\",\n"
     "\"offset\", \"message\" and, where there is one, \"path\".\n"},
    {CLI_STREAM,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire stream -f hermes --sse --model my-model\n"
     "  printf 'Hello.' | toolwire stream -f hermes --events\n"
     "  printf 'data: {\"choices\":[{\"delta\":{\"content\":\"Hi.\"}}]}\\n\\n"
     "data: [DONE]\\n\\n' |\n"
     "    toolwire stream -f hermes --from-sse\n",
     "Writes the stream of an API, one JSON object a line, as bytes\n"
     "arrive: chat.completion.chunk objects, or the events of --api\n"
     "responses and anthropic.  --sse gives events their names.  A call\n"
     "that is cut off is sent so far and never closed, but some clients\n"
     "run it all the same: --hold-calls sends calls only when they are\n"
     "complete.\n"
     "--finish-reason replaces stop, length and tool_calls.  The word stop\n"
     "changes nothing, nor does tool_calls where a call was cut off.\n"
     "After an error (--strict, --limit input) the stream breaks off with\n"
     "the error event of its API.\n"
     "--from-sse reads a server's stream whose content is what the model\n"
     "wrote, and splits reasoning and calls out of each choice.  All else\n"
     "stays as it came.  Lines may end in CRLF, LF or CR, and one JSON\n"
     "text may stand in several lines of data.  Two halves of a surrogate\n"
     "pair in two contents become one character; a half alone becomes\n"
     "U+FFFD, and is reported.  Data that cannot be read are answered by\n"
     "an event {\"error\"}.  From there on everything is passed on as it\n"
     "is, since a call may have lost a part.\n"
     "Streams of Responses and Messages are read, too, and --api makes one\n"
     "API's stream of another's.  Only from chat to chat the events stay.\n"
     "Between APIs the stream is written anew: id, model, time, usage and\n"
     "the reason to stop are the server's, and other members of its events\n"
     "are not passed on.  Bad data, a call that the server split out\n"
     "itself and a second choice end such a stream with the API's error\n"
     "event.\n"},
    {CLI_ENCODE,
     "  echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}]}' |\n"
     "    toolwire encode -f hermes --generation-prompt\n"
     "  echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}]}' |\n"
     "    toolwire encode -f hermes --jsonl --set enable_thinking=false\n",
     "Writes the exact text that the model's template makes of a request:\n"
     "{\"messages\", \"tools\", \"add_generation_prompt\",\n"
     "\"chat_template_kwargs\"}.  With --jsonl each request becomes a line\n"
     "{\"text\"}, and a bad line is answered by {\"error\"}.  Text that\n"
     "would put a marker of the format on the wire is an error that names\n"
     "its place.\n"},
    {CLI_EXTEND,
     "  echo '{\"completion\":\"Hello.\",\"messages\":[{\"role\":\"user\","
     "\"content\":\n"
     "    \"Hi.\"},{\"role\":\"assistant\",\"content\":\"Hello.\"}],\n"
     "    \"new\":[{\"role\":\"user\",\"content\":\"Bye.\"}]}' |\n"
     "    toolwire extend -f hermes/qwen2.5\n",
     "Of a record {\"prompt\", \"completion\", \"messages\", \"new\",\n"
     "\"tools\", ...} writes {\"append\"}: prompt, completion and append\n"
     "together are the prompt of all messages with the generation prompt.\n"
     "\"prompt\" was made for the messages without the last one, an\n"
     "assistant's, which is what \"completion\" says, as it was sampled,\n"
     "with its stop or without; \"new\" are the messages that follow.\n"
     "Where the template would write what stands before otherwise, the\n"
     "answer is {\"stable\":false, \"path\", \"message\"}: path is the\n"
     "message with which it does.\n"},
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
     "Reads one JSON record a line and writes one a line.  A record of a\n"
     "format is {\"text\"}; --field names another member.  With --unit\n"
     "completion the text is what the model wrote behind the record's own\n"
     "\"messages\".  A record of a shape has that shape's members.  Other\n"
     "members pass through.\n"},
    {CLI_CHECK,
     "  printf '<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>' |\n"
     "    toolwire check -f hermes\n",
     "Counts what deviates from the format, one\n"
     "{\"code\",\"count\",\"records\"} a line, and says on stderr where.\n"
     "Exit code 1: there was a deviation, a block that could not be\n"
     "parsed, or a bad record.\n"},
    {CLI_FORMATS,
     "  toolwire formats\n"
     "  toolwire formats --json\n"
     "  toolwire formats mistral --json\n",
     "Lists the formats.  Of one format, a name or a file that describes\n"
     "it, prints what its markers are for and its description.  With\n"
     "--json the description stands alone, and -f takes it as a file\n"
     "(docs/describing.md).  Harmony has no description; --json prints\n"
     "Harmony's line of the list.\n"},
    {CLI_DETECT,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire detect\n",
     "Lets each format that is built in read a text, or the first 200\n"
     "texts of a log (--jsonl), and says which format reads all of it,\n"
     "with calls, reasoning, the markers that were seen and the command to\n"
     "go on with.  Formats that read the text alike are listed.  If two\n"
     "formats fit and read the text differently, none is chosen.\n"
     "Of records of a shape, one a line, it names the shape, and the\n"
     "format that assistants wrote in their texts (convert --wire).\n"
     "Exit code 1: no format fits without a deviation, or two do.\n"},
    {CLI_INSPECT,
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{},}</tool_call>' "
     "|\n"
     "    toolwire inspect -f hermes\n"
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>' "
     "|\n"
     "    toolwire inspect --html -o now.html\n",
     "Shows what a model wrote, with the offset of each piece and what it\n"
     "is: text, reasoning, a marker or other structure, a name, arguments,\n"
     "dropped or not parsed.  Each diagnostic stands under its place, with\n"
     "a remedy.  The calls follow as a tree.  A terminal shows colours;\n"
     "elsewhere each row names what it is.  Signs stand for control\n"
     "characters and bytes that are not UTF-8.  Without -f the format is\n"
     "found as `toolwire detect` finds it, and named.\n"
     "Exit code 1: a call could not be parsed, or no format was found.\n"},
    {CLI_CHECK_FORMAT,
     "  toolwire formats hermes --json >mine.json\n"
     "  toolwire check-format mine.json\n",
     "Loads a description (docs/describing.md), and prints what it\n"
     "describes, what is doubtful in it, a sample that was written and\n"
     "read back, and the built-in formats that are near.\n"
     "Exit code 1: the description does not load (stderr names the place),\n"
     "or the sample does not read back.\n"},
    {CLI_GRAMMAR,
     "  echo '[{\"name\": \"tide\", \"parameters\": {\"type\": \"object\",\n"
     "    \"properties\": {\"at\": {\"type\": \"string\"}},\n"
     "    \"required\": [\"at\"]}}]' >tools.json\n"
     "  toolwire grammar -f hermes --tools tools.json\n"
     "  toolwire grammar -f glm/4.7 --tools tools.json -t structural-tag \\\n"
     "      --choice required --parallel 0\n",
     "Writes the grammar of all that the format's model may write: "
     "reasoning,\n"
     "text that holds no opener, calls of these tools, the end.  Arguments\n"
     "follow the tools' schemas.  A model that is held to it writes nothing\n"
     "that needs a repair.  docs/grammars.md has recipes for each server.\n"
     "Exit code 1: the target cannot say a keyword (stderr names its place);\n"
     "--wider leaves it out.\n"},
    {CLI_EXPLAIN,
     "  toolwire explain trailing_comma\n"
     "  toolwire explain --all\n"
     "  printf '<tool_call>{\"name\":\"now\",\"arguments\":{,' |\n"
     "    toolwire decode -f hermes 2>/dev/null | toolwire explain "
     "--for-model\n",
     "Explains a code, given by name or number: what it means, the usual\n"
     "cause, an example and a remedy.\n"
     "--for-model reads what decode writes, or any OpenAI message, and "
     "writes\n"
     "what an agent gives back to the model for each call that is unparsed "
     "or\n"
     "does not fit its tool: what was wrong, where, and what was expected.\n"},
    {CLI_GEN,
     "  toolwire gen -f gemma4 --count 5\n"
     "  toolwire gen -f hermes --class injection --seed 7 --count 3\n",
     "Makes cases for parsers, one JSON object a line; docs/kit.md says\n"
     "more:\n"
     "  wire        what a model writes in a turn; wire_b64: its bytes\n"
     "  start       \"reasoning\" where the wire goes on inside the "
     "reasoning\n"
     "              that its prompt began, else absent\n"
     "  tools       that were declared\n"
     "  stop        where the marker that ends generation stands, if any "
     "does\n"
     "  special     [from, to] of each special token\n"
     "  before, beside   another output, of the classes reuse, interleaved\n"
     "  slip        of the class typo: which\n"
     "  cuts        offsets where it may be cut\n"
     "  message     what it means; \"arguments\" are objects; of a truncated\n"
     "              wire, what it would have become\n"
     "  accept      which other answers are fine: \"exact\": no other;\n"
     "              \"or_less\": fewer calls, those given are right, and the\n"
     "              rest is text; \"prefix\": fewer calls, none but the "
     "first\n"
     "              ones, the text in front of the cut and any behind it;\n"
     "              \"no_forgery\": no more calls than there are\n"
     "  due, spoken   of \"prefix\": so many calls, and this text\n"
     "  must_not    what `toolwire test` would call wrong\n"
     "One of a hundred has a long argument, unless --class says otherwise.\n"
     "--yaml writes one document, as NVIDIA Dynamo has fixtures.\n"},
    {CLI_TEST,
     "  toolwire test -f hermes --count 20 \\\n"
     "      --cmd 'sed -u \"s/.*/{\\\"error\\\":1}/\"' || echo found\n",
     "Puts cases (`toolwire gen`) to another parser, whole, cut behind "
     "tokens,\n"
     "anywhere, and byte by byte.  COMMAND reads lines\n"
     "  {\"id\": ..., \"format\": \"hermes/qwen3\", \"tools\": [...],\n"
     "   \"chunks\": [base64, ...], ...}\n"
     "and answers each by one line, flushed at once, and nothing else:\n"
     "  {\"id\": the same, \"message\": an OpenAI message},\n"
     "  {\"id\": the same, \"error\": any}, or \"skip\": it does not count\n"
     "(docs/kit.md has the other members).  One process is asked all, "
     "one\n"
     "question after the other, first something plain, for which it has ten\n"
     "times --patience; another is started behind a hang, a crash or a line\n"
     "that is no JSON.  What hangs is asked twice.\n"
     "Judged are content and reasoning_content (or reasoning) but for white\n"
     "space around them, and each call's name and arguments (text or an\n"
     "object).  What is wrong is shown once, as it was found and then\n"
     "\"small\": \"what\" differs, \"sent\" is the question to put again,\n"
     "\"got\" the line that came.  The last line counts the cases:\n"
     "  refused          an error, where \"accept\" is \"exact\"\n"
     "  hang             no line within --patience, though it lives\n"
     "  crash            the process ended; \"ended\" says how\n"
     "  split_variance   not the same as \"got_whole\", the uncut wire's\n"
     "  lost_bytes       text or calls are not those of the message\n"
     "  forged_call      a call that the message does not have\n"
     "  wrong_arguments  they are not what the message says, to the digit\n"
     "  invalid_json     a line, or a call's arguments\n"
     "  protocol_error   a line with neither \"message\" nor \"error\"\n"
     "  wrong_id         two calls have one id, or it is empty\n"
     "  wrong_finish     a \"finish_reason\" beside the message is another\n"
     "  slow             time grows with the square of the bytes\n"
     "  fine_but_refused an error that was fine; depth_reached: the deepest\n"
     "                   value that was read; groups: what differs, by class\n"
     "--all asks {\"id\": ..., \"ask\": \"formats\"} first and tests each "
     "that\n"
     "\"formats\" of the answer lists.\n"
     "--cases puts those of a file, each as it stands there: without -f it "
     "says\n"
     "which format it is (docs/kit.md).\n"
     "--grammar tests an engine that holds models to grammars: its lines are\n"
     "  {\"id\": ..., \"target\": ..., \"grammar\": ..., \"text\": ...}\n"
     "and it answers {\"id\": the same, \"accepted\": true or false}\n"
     "(docs/kit.md says which texts there are).\n"
     "--templates tests an engine of chat templates: its lines are\n"
     "  {\"id\": ..., \"template\": ..., \"request\": {\"messages\": ...}}\n"
     "and it answers {\"id\": the same, \"text\": ...} or \"error\".\n"},
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
