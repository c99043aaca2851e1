/* SPDX-License-Identifier: MIT
 *
 * Words of the command line find their rows in the table, and a command is
 * told which it does not take.
 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <string.h>

#include "cli/options/near.h"
#include "cli/options/options.h"
#include "cli/options/rules.h"
#include "cli/files/print.h"
#include "cli/options/take.h"

enum {
    STREAMERS = CLI_DECODE | CLI_STREAM | CLI_CHECK,
    READERS = STREAMERS | CLI_INSPECT,
    WRITERS = CLI_DECODE | CLI_STREAM,
    RECORDS = CLI_DECODE | CLI_CHECK,
    PROMPTS = CLI_ENCODE | CLI_EXTEND,
    KIT = CLI_GEN | CLI_TEST,
    LETTERLESS = 256 /* what getopt_long() gives for row i: this plus i */
};

#define MEMBER(name) offsetof(cli_options, name)

static const cli_option table[] = {
    {"format", 'f', "FORMAT",
     READERS | PROMPTS | CLI_CONVERT | KIT | CLI_GRAMMAR, cli_take_format, 0,
     "the format that the model writes or reads: a name of\n"
     "`toolwire formats`, a file that describes it, or a\n"
     "model's folder, whose template tells it"},
    {"template", 0, "FILE", READERS | PROMPTS | CLI_CONVERT | CLI_DETECT,
     cli_take_string, MEMBER(template_path),
     "a chat template: Jinja, JSON, or a model's folder;\n"
     "with -f auto it tells the format"},
    {"template-name", 0, "NAME", READERS | PROMPTS | CLI_CONVERT | CLI_DETECT,
     cli_take_string, MEMBER(template_name),
     "of several templates, this one (default)"},
    {"to", 't', "TO", CLI_CONVERT, cli_take_to, MEMBER(to),
     "a format or a shape of records (-f takes both, too);\n"
     "with --unit a name of both means the format"},
    {"unit", 0, "transcript|completion", CLI_CONVERT, cli_take_word,
     TW_OPTION_UNIT_COMPLETION,
     "a format's text is the whole conversation, or what\n"
     "the model wrote last (transcript)"},
    {"wire", 0, "FORMAT", CLI_CONVERT, cli_take_wire, 0,
     "assistants' text in records of a shape is what a\n"
     "model wrote in FORMAT; sharegpt is also written so"},
    {"arguments", 0, "text|object|string", CLI_CONVERT, cli_take_arguments, 0,
     "how arguments stand in openai records; string is text\n"
     "(text)"},
    {"rejects", 0, "FILE", CLI_CONVERT, cli_take_string, MEMBER(rejects),
     "write bad records to FILE as they are, instead of an\n"
     "{\"error\"} to the output"},
    {"jobs", 'j', "N", CLI_CONVERT, cli_take_size, MEMBER(jobs),
     "convert N records at a time, and keep the order (1)"},
    {"stats", 0, NULL, CLI_CONVERT, cli_take_flag, MEMBER(stats),
     "write one JSON object of counts to stderr at the end"},
    {"output", 'o', "FILE", CLI_ALL, cli_take_string, MEMBER(output),
     "write to FILE, which appears only when all is written\n"
     "and replaces one that is there"},
    {"jsonl", 0, NULL, RECORDS | PROMPTS | CLI_DETECT, cli_take_flag,
     MEMBER(jsonl),
     "each line is a record: a request (encode, extend), or\n"
     "a JSON string or an object with the text in a field;\n"
     "decode, encode and extend answer each by one line"},
    {"transcript", 0, NULL, RECORDS, cli_take_flag, MEMBER(transcript),
     "a text is a whole conversation; decode makes\n"
     "{\"messages\",\"tools\"} of each; with -f FOLDER or\n"
     "--template its turns are the template's"},
    {"field", 0, "NAME", RECORDS | CLI_CONVERT | CLI_DETECT, cli_take_string,
     MEMBER(field),
     "the field that holds the text (text); dots go into\n"
     "objects and, with a number, into lists"},
    {"prompt-field", 0, "NAME", RECORDS | CLI_CONVERT, cli_take_text,
     TW_TEXT_PROMPT_FIELD,
     "the field of a record's own prompt, or its end\n"
     "(prompt, if a turn of FORMAT begins in it)"},
    {"finish-field", 0, "NAME", RECORDS | CLI_CONVERT, cli_take_text,
     TW_TEXT_FINISH_FIELD,
     "the field that says why a record's text ended, as\n"
     "choices.0.finish_reason (finish_reason)"},
    {"messages", 0, "PATH", CLI_CONVERT, cli_take_text, TW_TEXT_MESSAGES,
     "where the messages of -f openai stand: a.0.b is the\n"
     "member b of the first element of a"},
    {"max-record", 0, "N", READERS | PROMPTS | CLI_CONVERT | CLI_DETECT,
     cli_take_size, MEMBER(max_record), "longer records are errors (64M)"},
    {"show", 0, "N", READERS | PROMPTS | CLI_CONVERT, cli_take_size,
     MEMBER(show), "so many lines of a code on stderr, then a count (20)"},
    {"tool-choice", 0, "none|auto|required|NAME", READERS | CLI_CONVERT,
     cli_take_text, TW_TEXT_TOOL_CHOICE,
     "the request's: with none calls stay text; a call that\n"
     "was asked for and is not there is told (auto)"},
    {"tools", 0, "FILE", READERS | CLI_CONVERT | CLI_EXPLAIN | CLI_GRAMMAR,
     cli_take_string, MEMBER(tools),
     "the tools that the request declared: a JSON list of\n"
     "tools of OpenAI or MCP, or what holds such a list\n"
     "as its `tools`"},
    {"start", 0, "reasoning|text|auto", READERS | CLI_CONVERT | CLI_GRAMMAR,
     cli_take_start, 0,
     "where the prompt ended; auto, of whole texts alone:\n"
     "each text tells"},
    {"prompt-tail", 0, "TEXT", READERS | CLI_CONVERT, cli_take_string,
     MEMBER(prompt_tail),
     "the end of the prompt, from its last turn on or more"},
    {"finish", 0, "unknown|stop|length", READERS | CLI_CONVERT,
     cli_take_finish, 0, "why the output ended (unknown)"},
    {"strict", 0, NULL, READERS | CLI_CONVERT, cli_take_on, TW_OPTION_STRICT,
     "the first deviation is an error"},
    {"recover-stripped", 0, NULL, READERS | CLI_CONVERT, cli_take_on,
     TW_OPTION_RECOVER_STRIPPED,
     "read output that lost its markers, if FORMAT can"},
    {"calls-in-reasoning", 0, "0|1", READERS | CLI_CONVERT, cli_take_word,
     TW_OPTION_CALLS_IN_REASONING,
     "1: a call in reasoning that is never closed counts;\n"
     "0: such a call is reasoning (1)"},
    {"untyped", 0, "string|json", READERS | CLI_CONVERT, cli_take_word,
     TW_OPTION_UNTYPED,
     "where the tools give no type, a value between tags is\n"
     "a string, or JSON if the value is JSON (string)"},
    {"validate", 0, "no|report|refuse|mend", READERS | CLI_CONVERT,
     cli_take_word, TW_OPTION_VALIDATE,
     "report calls that do not fit their tool's schema, of\n"
     "JSON Schema 2020-12, make errors of them, or mend\n"
     "what misses it by its type alone: \"5\" for 5 (no)"},
    {"limit", 0, "NAME=N", READERS | CLI_CONVERT, cli_take_limit, 0,
     "allow at most N; NAME is depth, name, arguments,\n"
     "calls or input"},
    {"chunk", 0, "N", STREAMERS | CLI_CONVERT, cli_take_size, MEMBER(chunk),
     "feed N bytes at a time"},
    {"call-id-prefix", 0, "TEXT", WRITERS | CLI_CONVERT, cli_take_text,
     TW_TEXT_CALL_ID_PREFIX,
     "ids that toolwire makes begin with TEXT (call_)"},
    {"first-call", 0, "N", WRITERS | CLI_CONVERT, cli_take_number,
     TW_OPTION_FIRST_CALL, "number these ids from N on (0)"},
    {"hold-calls", 0, NULL, WRITERS, cli_take_on, TW_OPTION_HOLD_CALLS,
     "send a call only when it is complete"},
    {"join", 0, NULL, CLI_STREAM, cli_take_flag, MEMBER(join),
     "make one chunk of adjacent pieces that came together"},
    {"custom", 0, "function|custom", WRITERS, cli_take_custom, 0,
     "write calls of tools that take free text as these\n"
     "(decode: custom, stream: function)"},
    {"reasoning-key", 0, "reasoning_content|reasoning", WRITERS,
     cli_take_text_word, TW_TEXT_REASONING_KEY,
     "the member that holds reasoning (reasoning_content)"},
    {"api", 0, CLI_APIS, CLI_STREAM, cli_take_api, 0,
     "write the stream of OpenAI's Chat Completions or\n"
     "Responses, or of Anthropic's Messages (chat; with\n"
     "--from-sse, the API that is read)"},
    {"reasoning", 0, "text|summary", CLI_STREAM, cli_take_word,
     TW_OPTION_REASONING_SUMMARY,
     "responses: write reasoning as such, or as a summary,\n"
     "which more clients show (text)"},
    {"sse", 0, NULL, CLI_STREAM, cli_take_flag, MEMBER(sse),
     "write server-sent events; chat ends with [DONE]"},
    {"from-sse", 0, NULL, CLI_STREAM, cli_take_flag, MEMBER(from_sse),
     "read a server's events, whose content is the model's\n"
     "text, and write them with calls split out"},
    {"events", 0, NULL, CLI_STREAM, cli_take_flag, MEMBER(events),
     "write toolwire's own events, one JSON object a line"},
    {"id", 0, "TEXT", CLI_STREAM, cli_take_text, TW_TEXT_ID,
     "the stream's \"id\" (chatcmpl-0, resp_0, msg_0)"},
    {"model", 0, "TEXT", CLI_STREAM, cli_take_text, TW_TEXT_MODEL,
     "the stream's \"model\" (toolwire)"},
    {"created", 0, "N", CLI_STREAM, cli_take_number, TW_OPTION_CREATED,
     "the stream's \"created\" or \"created_at\" (0)"},
    {"choice", 0, "N", CLI_STREAM, cli_take_number, TW_OPTION_CHOICE,
     "the chunks' choices[].index (0)"},
    {"system-fingerprint", 0, "TEXT", CLI_STREAM, cli_take_text,
     TW_TEXT_SYSTEM_FINGERPRINT, "the chunks' \"system_fingerprint\""},
    {"finish-reason", 0, "TEXT", CLI_STREAM, cli_take_text,
     TW_TEXT_FINISH_REASON,
     "why the output ended, in any API's words, if it was\n"
     "neither stop nor length (such as content_filter)"},
    {"stop-sequence", 0, "TEXT", CLI_STREAM, cli_take_text,
     TW_TEXT_STOP_SEQUENCE,
     "anthropic: the client's text at which the output\nended, if it did"},
    {"usage", 0, "JSON", CLI_STREAM, cli_take_text, TW_TEXT_USAGE,
     "the \"usage\", for one more chunk behind the last, or\n"
     "for the last event under the API's names"},
    {"generation-prompt", 0, NULL, CLI_ENCODE, cli_take_on,
     TW_OPTION_GENERATION_PROMPT,
     "end with the head of the assistant's turn, whatever\n"
     "the request's add_generation_prompt says"},
    {"now", 0, "TIME", PROMPTS | RECORDS, cli_take_text, TW_TEXT_NOW,
     "what it shows: 2026-11-25T12:00:00 (now, in UTC)"},
    {"set", 0, "KEY=VALUE", PROMPTS | RECORDS, cli_take_set, 0,
     "set a chat_template_kwarg; VALUE is JSON or text;\n"
     "of a --transcript, the one that it was made with"},
    {"control-text", 0, "reject|allow|break", PROMPTS | CLI_CONVERT,
     cli_take_word, TW_OPTION_CONTROL_TEXT,
     "refuse text that holds a marker, write the marker, or\n"
     "break it by U+200B (reject)"},
    {"python-numbers", 0, NULL, PROMPTS | CLI_CONVERT, cli_take_on,
     TW_OPTION_PYTHON_NUMBERS, "write numbers as Python does (1e3 as 1000.0)"},
    {"segments", 0, NULL, CLI_ENCODE, cli_take_flag, MEMBER(segments),
     "write [{\"control\",\"text\"}], for tokenizers"},
    {"spans", 0, NULL, CLI_ENCODE, cli_take_flag, MEMBER(spans),
     "whose each byte is, what is sampled"},
    {"sampled-last", 0, NULL, CLI_ENCODE, cli_take_on, TW_OPTION_SAMPLED_LAST,
     "of spans only the last turn is sampled"},
    {"sampled-no-reasoning", 0, NULL, CLI_ENCODE, cli_take_on,
     TW_OPTION_SAMPLED_NO_REASONING, "of spans no reasoning is sampled"},
    {"sampled-by-weight", 0, NULL, CLI_ENCODE, cli_take_on,
     TW_OPTION_SAMPLED_BY_WEIGHT,
     "of spans no message is sampled whose \"weight\" is 0"},
    {"report", 0, "FILE", PROMPTS | CLI_CONVERT, cli_take_string,
     MEMBER(report),
     "write losses, what deviates in a log, and broken\n"
     "templates to FILE anew, one JSON object a line"},
    {"loss", 0, "report|refuse|ignore", PROMPTS | CLI_CONVERT, cli_take_word,
     TW_OPTION_LOSS,
     "report losses, or refuse records that lose content or\n"
     "calls, or say nothing (report)"},
    {"ids", 0, "keep|map|make", CLI_ENCODE | CLI_CONVERT, cli_take_word,
     TW_OPTION_IDS,
     "ids of calls that the target cannot hold are refused,\n"
     "or they and those that repeat get others, or all do;\n"
     "results as their calls (keep)"},
    {"cmd", 0, "COMMAND", CLI_TEST, cli_take_string, MEMBER(cmd),
     "the parser to test, for sh -c"},
    {"grammar", 0, "COMMAND", CLI_TEST, cli_take_string, MEMBER(grammar),
     "the engine to test that holds models to grammars, for\n"
     "sh -c, in place of --cmd"},
    {"templates", 0, "COMMAND", CLI_TEST, cli_take_string, MEMBER(templates),
     "the engine of chat templates to test, for sh -c, in\n"
     "place of --cmd"},
    {"cases", 0, "FILE", CLI_TEST, cli_take_string, MEMBER(cases),
     "put the cases of FILE: what gen writes, lines as in\n"
     "tests/conformance, or NVIDIA Dynamo's YAML"},
    {"yaml", 0, NULL, CLI_GEN, cli_take_flag, MEMBER(yaml),
     "as NVIDIA Dynamo has fixtures: cases with one right\n"
     "answer"},
    {"count", 0, "N", KIT, cli_take_size, MEMBER(count),
     "how many cases (1000)"},
    {"seed", 0, "N", KIT, cli_take_size, MEMBER(seed),
     "the same seed makes the same cases (1)"},
    {"class", 0,
     "legal|rare|typo|truncated|injection|encoding|depth|long|reuse|"
     "interleaved",
     KIT, cli_take_choice, MEMBER(kind), "only these (all in turn)"},
    {"not", 0, "VERDICTS", CLI_TEST, cli_take_string, MEMBER(leave_out),
     "verdicts, with commas between, that do not count"},
    {"patience", 0, "N", CLI_TEST, cli_take_size, MEMBER(patience),
     "seconds without an answer are a hang (5)"},
    {"json", 0, NULL, CLI_FORMATS | CLI_DETECT | CLI_EXPLAIN, cli_take_flag,
     MEMBER(json),
     "JSON: formats, an object a line with the markers,\n"
     "and of a NAME its description; detect, one object\n"
     "with the evidence; explain, messages for the model"},
    {"for-model", 0, NULL, CLI_EXPLAIN, cli_take_flag, MEMBER(for_model),
     "of messages, a line each: what the model is told of\n"
     "calls that cannot be run"},
    {"html", 0, NULL, CLI_INSPECT, cli_take_flag, MEMBER(html),
     "a page for a browser, all in one file"},
    {"all", 0, NULL, CLI_EXPLAIN | CLI_TEST, cli_take_flag, MEMBER(all),
     "explain every code; test every format that the parser\n"
     "says it reads"},
    {"help", 'h', NULL, CLI_ALL, cli_take_flag, MEMBER(help),
     "print this and exit"},
};

enum {
    ROWS = sizeof table / sizeof table[0],
    COUNT = ROWS + CLI_GRAMMAR_ROWS
};

const cli_option *cli_option_at(size_t i)
{
    return i < ROWS    ? &table[i]
           : i < COUNT ? &cli_grammar_rows[i - ROWS]
                       : NULL;
}

/* ---- getopt_long() ------------------------------------------------------ */

static void fill(struct option longs[COUNT + 1], char letters[2 * COUNT + 2])
{
    char *letter = letters;
    *letter++ = ':'; /* a missing value is not an unknown option */
    memset(longs, 0, sizeof(struct option) * (COUNT + 1));
    for (size_t i = 0; i < COUNT; i++) {
        const cli_option *row = cli_option_at(i);
        const bool value = row->argument != NULL;
        longs[i].name = row->name;
        longs[i].has_arg = value ? required_argument : no_argument;
        longs[i].val = LETTERLESS + (int)i;
        if (row->letter != 0) {
            *letter++ = row->letter;
            *letter = ':';
            letter += value ? 1 : 0;
        }
    }
    *letter = '\0';
}

/* Of rows with one name or letter the command's own. */
static const cli_option *row_of(const cli_options *options, int value)
{
    const cli_option *found = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        const cli_option *row = cli_option_at(i);
        const bool named = value == LETTERLESS + (int)i ||
                           (value == row->letter && value != 0) ||
                           (found != NULL && value >= LETTERLESS &&
                            strcmp(found->name, row->name) == 0);
        if (named && (found == NULL ||
                      (row->commands & options->command->bit) != 0)) {
            found = row;
        }
    }
    return found;
}

static int unknown(const cli_options *options, const char *argument)
{
    cli_near near;
    const char *name = argument + strspn(argument, "-");
    const size_t size = strcspn(name, "=");
    char word[64] = "";
    for (size_t i = 0; i < size && size < sizeof word; i++) {
        word[i] = (char)(name[i] == '_' ? '-' : name[i]);
    }
    cli_near_init(&near, word, "--");
    for (size_t i = 0; i < COUNT; i++) {
        const cli_option *row = cli_option_at(i);
        if ((row->commands & options->command->bit) != 0) {
            cli_near_try(&near, row->name, strlen(row->name));
        }
    }
    cli_say("%s: unknown option '%s'%s (`toolwire %s --help` lists them)",
            options->command->name, argument, cli_near_text(&near),
            options->command->name);
    return CLI_USAGE;
}

/* getopt_long() returned ':' or '?'. */
static int complain(const cli_options *options, int got, char **arguments)
{
    const cli_option *row = row_of(options, optopt);
    const char *command = options->command->name;
    if (got == ':' && row != NULL) {
        cli_say("%s: --%s needs %s behind it", command, row->name,
                row->argument);
    } else if (row != NULL && optopt >= LETTERLESS) {
        cli_say("%s: --%s takes no value", command, row->name);
    } else if (optopt != 0) {
        const char letter[] = {'-', (char)optopt, '\0'};
        return unknown(options, letter);
    } else {
        return unknown(options, arguments[optind - 1]);
    }
    return CLI_USAGE;
}

/* Where a command has under another name, or elsewhere, what an option says.
 */
static const char *instead(unsigned bit, const char *name)
{
    static const struct {
        unsigned commands;
        const char *name;
        const char *what;
    } rows[] = {
        {PROMPTS, "tools", "the request's `tools` are taken"},
        {PROMPTS, "to", "a chat template stands behind --template"},
        {CLI_GRAMMAR, "tool-choice", "--choice says which calls there may be"},
        {CLI_STREAM, "jsonl", "`toolwire decode --jsonl` reads a log"},
        {CLI_DECODE, "sse", "`toolwire stream` writes streams"},
        {CLI_DECODE, "api", "`toolwire stream` writes streams"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((rows[i].commands & bit) != 0 && strcmp(rows[i].name, name) == 0) {
            return rows[i].what;
        }
    }
    return NULL;
}

static int take(cli_options *options, const cli_option *row, const char *value)
{
    /* getopt_long() takes --from for its beginning. */
    if (options->command->bit == CLI_CONVERT &&
        strcmp(row->name, "from-sse") == 0) {
        cli_say("convert: what is read is named by -f FROM, what is written "
                "by -t TO");
        return CLI_USAGE;
    }
    if ((row->commands & options->command->bit) == 0) {
        const char *what = instead(options->command->bit, row->name);
        if (what != NULL) {
            cli_say("%s: takes no --%s: %s", options->command->name, row->name,
                    what);
            return CLI_USAGE;
        }
        cli_say("%s: takes no --%s (`toolwire %s --help` lists what it takes)",
                options->command->name, row->name, options->command->name);
        return CLI_USAGE;
    }
    return row->take(options, row, value);
}

int cli_options_read(cli_options *options, const cli_command *command,
                     int count, char **arguments)
{
    struct option longs[COUNT + 1];
    char letters[2 * COUNT + 2];
    int got;
    memset(options, 0, sizeof *options);
    options->command = command;
    options->jsonl = command->bit == CLI_CONVERT;
    options->finish = TW_FINISH_UNKNOWN;
    options->api = TW_SHAPE_CHUNKS;
    options->max_record = CLI_MAX_RECORD;
    options->show = 20;
    options->count = 1000;
    options->seed = 1;
    options->patience = 5;
    fill(longs, letters);
    const int seen = cli_set_numbers_aside(command, count, arguments);
    opterr = 0; /* its messages take more than a line and name no command */
    while ((got = getopt_long(seen, arguments, letters, longs, NULL)) >= 0) {
        const cli_option *row = row_of(options, got);
        const int result = row == NULL ? complain(options, got, arguments)
                                       : take(options, row, optarg);
        if (result != CLI_FINE || options->help) {
            return result;
        }
    }
    options->operands = arguments + optind;
    options->operand_count = count - optind;
    return cli_options_check(options);
}

const char *cli_operand(const cli_options *options)
{
    return options->operand_count > 0 ? options->operands[0] : NULL;
}

void cli_options_drop(cli_options *options)
{
    for (size_t i = 0; i < CLI_LOADED; i++) {
        tw_format_free(options->loaded[i]);
    }
}
