/* SPDX-License-Identifier: MIT
 *
 * toolwire, the command: a word, its options and what they start.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options/near.h"
#include "cli/options/same_file.h"
#include "cli/files/print.h"

static int print_completion(const cli_options *options);
static int print_help(const cli_options *options);

static const cli_command commands[] = {
    {"decode", CLI_DECODE, cli_decode, 1, " -f FORMAT [options] [FILE]",
     "a completion, or a log of them, to OpenAI messages"},
    {"stream", CLI_STREAM, cli_stream, 1, " -f FORMAT [options] [FILE]",
     "a completion to OpenAI chunks, written as bytes arrive"},
    {"check", CLI_CHECK, cli_check, 1 << 20, " -f FORMAT [options] [FILE...]",
     "the deviations found in completions (--jsonl: in logs), counted"},
    {"inspect", CLI_INSPECT, cli_inspect, 1, " [-f FORMAT] [options] [FILE]",
     "a completion to look at: what each byte of it is"},
    {"encode", CLI_ENCODE, cli_encode, 1, " -f FORMAT [options] [FILE]",
     "an OpenAI request, or a file of them, to prompt text"},
    {"extend", CLI_EXTEND, cli_encode, 1, " -f FORMAT [options] [FILE]",
     "what to append to a prompt behind a turn that a model wrote"},
    {"grammar", CLI_GRAMMAR, cli_grammar, 0,
     " -f FORMAT --tools FILE [options]",
     "a grammar that holds a model to calls of the tools"},
    {"convert", CLI_CONVERT, cli_convert, 1 << 20,
     " -f FROM -t TO [options] [FILE...]",
     "logs (JSONL) from one shape or format to another"},
    {"detect", CLI_DETECT, cli_detect, 1, " [options] [FILE]",
     "which format a text, or which shape a log, may be"},
    {"formats", CLI_FORMATS, cli_formats, 1, " [--json] [FORMAT]",
     "what can be read and written, or the description of one"},
    {"check-format", CLI_CHECK_FORMAT, cli_check_format, 1, " FILE",
     "a description of a format: errors, doubts, a sample"},
    {"explain", CLI_EXPLAIN, cli_explain, 1,
     " CODE | --all | --for-model [FILE]",
     "what a diagnostic or an error means"},
    {"gen", CLI_GEN, cli_gen, 0, " -f FORMAT [options]",
     "cases for parsers: wire text, and what it means"},
    {"test", CLI_TEST, cli_test, 0, " -f FORMAT --cmd COMMAND [options]",
     "another parser, put to such cases"},
    {"completion", CLI_COMPLETION, print_completion, 1, " " CLI_SHELLS,
     "what makes a shell complete this command's options"},
    {"help", CLI_HELP, print_help, 1, " [COMMAND]",
     "this page, or a command's examples and options"},
    {NULL, 0, NULL, 0, NULL, NULL},
};

static int print_version(void)
{
    cli_output output;
    if (cli_output_open(&output, NULL) != CLI_FINE) {
        return CLI_IO;
    }
    cli_put_texts(&output, "toolwire ", tw_version(), "\n");
    return cli_output_close(&output, true);
}

static const cli_command *find(const char *name)
{
    for (size_t i = 0; commands[i].name != NULL; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    cli_near near;
    cli_near_init(&near, name, "");
    for (size_t i = 0; commands[i].name != NULL; i++) {
        cli_near_try(&near, commands[i].name, strlen(commands[i].name));
    }
    cli_near_try(&near, "--version", strlen("--version"));
    cli_say("unknown command '%s'%s (see `toolwire --help`)", name,
            cli_near_text(&near));
    return CLI_USAGE;
}

static int unknown_option(const char *argument)
{
    cli_near near;
    cli_near_init(&near, argument + strspn(argument, "-"), "--");
    cli_near_try(&near, "help", strlen("help"));
    cli_near_try(&near, "version", strlen("version"));
    cli_say("unknown option '%s'%s (a command comes first; see `toolwire "
            "--help`)",
            argument, cli_near_text(&near));
    return CLI_USAGE;
}

static int print_completion(const cli_options *options)
{
    return cli_completion(options, commands);
}

static int print_help(const cli_options *options)
{
    if (options->operand_count == 0) {
        return cli_help(commands, options->output);
    }
    const cli_command *command = find(options->operands[0]);
    return command != NULL ? cli_command_help(command, options->output)
                           : unknown_command(options->operands[0]);
}

static int run_read(const cli_command *command, const cli_options *options)
{
    if (options->help) {
        return cli_command_help(command, NULL);
    }
    const int result = cli_paths_check(options);
    return result == CLI_FINE ? command->run(options) : result;
}

static int run(const cli_command *command, int count, char **arguments)
{
    cli_options options;
    int result = cli_options_read(&options, command, count, arguments);
    if (result == CLI_FINE) {
        result = run_read(command, &options);
    }
    cli_options_drop(&options);
    return result;
}

static int run_all(int count, char **arguments)
{
    if (count < 2) {
        cli_say("a command is missing: `toolwire --help` lists them");
        return CLI_USAGE;
    }
    const char *first = arguments[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        return cli_help(commands, NULL);
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        return print_version();
    }
    if (first[0] == '-') {
        return unknown_option(first);
    }
    const cli_command *command = find(first);
    return command != NULL ? run(command, count - 1, arguments + 1)
                           : unknown_command(first);
}

int main(int count, char **arguments)
{
    static const int codes[] = {
        [CLI_FINE] = 0,    [CLI_BAD] = 1,   [CLI_PARTLY] = 1,
        [CLI_REFUSED] = 1, [CLI_USAGE] = 2, [CLI_STOPPED] = 3,
        [CLI_IO] = 3};
    cli_guard_standard_files();
    return codes[run_all(count, arguments)];
}
