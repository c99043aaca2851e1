/* SPDX-License-Identifier: MIT
 *
 * Completions for shells, made from the table of options, so that they know
 * each of them.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"

/* What stands behind an option or a command. */
typedef enum operand {
    NOTHING,
    FILES,
    WORDS,
    FORMATS,
    ENDPOINTS,
    COMMANDS,
    CODES
} operand;

static operand option_operand(const cli_option *option,
                              const cli_command *command)
{
    const char *argument = option->argument;
    if (argument == NULL) {
        return NOTHING;
    }
    if (strcmp(argument, "FORMAT") == 0 || strcmp(argument, "TO") == 0) {
        return command->bit == CLI_CONVERT ? ENDPOINTS : FORMATS;
    }
    if (strcmp(argument, "FILE") == 0) {
        return FILES;
    }
    /* Capitals say what kind of value it is. */
    return argument[0] >= 'A' && argument[0] <= 'Z' ? NOTHING : WORDS;
}

static operand command_operand(const cli_command *command)
{
    return command->bit == CLI_EXPLAIN      ? CODES
           : command->bit == CLI_COMPLETION ? WORDS
           : command->bit == CLI_HELP       ? COMMANDS
           : command->bit == CLI_FORMATS    ? FORMATS
           : command->most > 0              ? FILES
                                            : NOTHING;
}

static void put_formats(cli_output *output)
{
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        cli_put_texts(output, i > 0 ? " " : "", tw_format_name(format));
        if (tw_format_alias(format) != NULL) {
            cli_put_texts(output, " ", tw_format_alias(format));
        }
    }
}

static void put_shapes(cli_output *output)
{
    const tw_record_shape *shape;
    for (size_t i = 0; (shape = tw_record_shape_at(i)) != NULL; i++) {
        cli_put_texts(output, " ", tw_record_shape_name(shape));
    }
}

/* With one blank between them; |words| as "a|b". */
static void put_words(cli_output *output, const cli_command *commands,
                      operand kind, const char *words)
{
    const tw_diagnostic *diagnostic;
    const cli_command *command;
    switch (kind) {
    case NOTHING:
    case FILES: break;
    case WORDS:
        for (; *words != '\0'; words++) {
            cli_put(output, *words == '|' ? " " : words, 1);
        }
        break;
    case FORMATS: put_formats(output); break;
    case ENDPOINTS:
        put_formats(output);
        put_shapes(output);
        break;
    case COMMANDS:
        for (command = commands; command->name != NULL; command++) {
            cli_put_texts(output, command > commands ? " " : "",
                          command->name);
        }
        break;
    case CODES:
        for (size_t i = 0; (diagnostic = tw_diagnostic_at(i)) != NULL; i++) {
            cli_put_texts(output, i > 0 ? " " : "", diagnostic->name);
        }
    }
}

/* One line in apostrophes; a backslash before each byte of |escape|. */
static void put_quoted(cli_output *output, const char *text,
                       const char *escape)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            cli_put_text(output, " ");
        } else if (*text == '\'') {
            cli_put_text(output, "'\\''");
        } else {
            cli_put_text(output, strchr(escape, *text) != NULL ? "\\" : "");
            cli_put(output, text, 1);
        }
    }
}

static bool takes(const cli_command *command, const cli_option *option)
{
    return (option->commands & command->bit) != 0;
}

static const char *operand_words(const cli_command *command)
{
    return command->bit == CLI_COMPLETION ? CLI_SHELLS : "";
}

/* ---- bash --------------------------------------------------------------- */

static void put_bash_options(cli_output *output, const cli_command *commands,
                             const cli_command *command)
{
    const cli_option *option;
    cli_put_text(output, "        options='");
    for (size_t i = 0; (option = cli_option_at(i)) != NULL; i++) {
        if (takes(command, option)) {
            cli_put_texts(output, "--", option->name, " ");
        }
    }
    cli_put_text(output, "'\n        case $before in\n");
    for (size_t i = 0; (option = cli_option_at(i)) != NULL; i++) {
        const operand kind = option_operand(option, command);
        if (!takes(command, option) || option->argument == NULL) {
            continue;
        }
        const char letter[] = {option->letter, '\0'};
        cli_put_texts(output, "        --", option->name,
                      option->letter != 0 ? " | -" : "", letter,
                      kind == FILES ? ") files=yes value=yes"
                                    : ") value=yes words='");
        if (kind != FILES) {
            put_words(output, commands, kind, option->argument);
            cli_put_text(output, "'");
        }
        cli_put_text(output, " ;;\n");
    }
    cli_put_text(output, "        *) ");
    if (command_operand(command) == FILES) {
        cli_put_text(output, "files=yes");
    } else {
        cli_put_text(output, "words='");
        put_words(output, commands, command_operand(command),
                  operand_words(command));
        cli_put_text(output, "'");
    }
    cli_put_text(output, " ;;\n        esac\n");
}

static void put_bash(cli_output *output, const cli_command *commands)
{
    const cli_command *command;
    cli_put_text(output, "# bash completion for toolwire\n"
                         "_toolwire()\n"
                         "{\n"
                         "    local current=${COMP_WORDS[COMP_CWORD]}\n"
                         "    local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                         "    local options= words= files= value=\n"
                         "    COMPREPLY=()\n"
                         "    # --option=value is three words here\n"
                         "    if [[ $current == '=' ]]; then\n"
                         "        current=\n"
                         "    elif [[ $before == '=' ]]; then\n"
                         "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                         "    fi\n"
                         "    if ((COMP_CWORD == 1)); then\n"
                         "        options='--help --version'\n"
                         "        words='");
    put_words(output, commands, COMMANDS, "");
    cli_put_text(output, "'\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (command = commands; command->name != NULL; command++) {
        cli_put_texts(output, "    ", command->name,
                      ")\n        ((COMP_CWORD > 1)) || return 0\n");
        put_bash_options(output, commands, command);
        cli_put_text(output, "        ;;\n");
    }
    cli_put_text(
        output,
        "    esac\n"
        "    if [[ $current == -* && -z $value ]]; then\n"
        "        words=$options files=\n"
        "    fi\n"
        "    if [[ -n $files ]]; then\n"
        "        compopt -o filenames 2>/dev/null\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
        "    else\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
        "\"$current\")\n"
        "    fi\n"
        "}\n"
        "complete -F _toolwire toolwire\n");
}

/* ---- zsh ---------------------------------------------------------------- */

static void put_zsh_value(cli_output *output, const cli_command *commands,
                          const char *name, operand kind, const char *words)
{
    cli_put_texts(output, ":", name, ":");
    if (kind == FILES) {
        cli_put_text(output, "_files");
    } else if (kind == NOTHING) {
        cli_put_text(output, " ");
    } else {
        cli_put_text(output, "(");
        put_words(output, commands, kind, words);
        cli_put_text(output, ")");
    }
}

static void put_zsh_option(cli_output *output, const cli_command *commands,
                           const cli_option *option,
                           const cli_command *command)
{
    const char letter[] = {option->letter, '\0'};
    cli_put_text(output, "            ");
    if (option->letter != 0) {
        cli_put_texts(output, "'(-", letter, " --", option->name, ")'{-",
                      letter, ",--", option->name,
                      option->argument != NULL ? "=}'[" : "}'[");
    } else {
        cli_put_texts(output, "'--", option->name,
                      option->argument != NULL ? "=[" : "[");
    }
    put_quoted(output, option->about, "[]\\");
    cli_put_text(output, "]");
    if (option->argument != NULL) {
        put_zsh_value(output, commands, option->name,
                      option_operand(option, command), option->argument);
    }
    cli_put_text(output, "' \\\n");
}

static void put_zsh(cli_output *output, const cli_command *commands)
{
    const cli_command *command;
    const cli_option *option;
    cli_put_text(output, "#compdef toolwire\n"
                         "local -a commands\n"
                         "commands=(\n");
    for (command = commands; command->name != NULL; command++) {
        cli_put_texts(output, "    '", command->name, ":");
        put_quoted(output, command->about, ":\\");
        cli_put_text(output, "'\n");
    }
    cli_put_text(output, ")\n"
                         "if ((CURRENT == 2)); then\n"
                         "    _describe command commands\n"
                         "    return\n"
                         "fi\n"
                         "shift words\n"
                         "((CURRENT--))\n"
                         "case $words[1] in\n");
    for (command = commands; command->name != NULL; command++) {
        cli_put_texts(output, "    ", command->name,
                      ")\n        _arguments -s \\\n");
        for (size_t k = 0; (option = cli_option_at(k)) != NULL; k++) {
            if (takes(command, option)) {
                put_zsh_option(output, commands, option, command);
            }
        }
        cli_put_text(output, "            '*");
        put_zsh_value(output, commands, "operand", command_operand(command),
                      operand_words(command));
        cli_put_text(output, "'\n        ;;\n");
    }
    cli_put_text(output, "esac\n");
}

/* ---- fish --------------------------------------------------------------- */

static void put_fish_option(cli_output *output, const cli_command *commands,
                            const cli_option *option,
                            const cli_command *command)
{
    const operand kind = option_operand(option, command);
    const char letter[] = {option->letter, '\0'};
    cli_put_texts(output,
                  "complete -c toolwire -n '__fish_seen_subcommand_from ",
                  command->name, "' -l ", option->name,
                  option->letter != 0 ? " -s " : "", letter);
    if (kind == FILES) {
        cli_put_text(output, " -r -F");
    } else if (option->argument != NULL) {
        cli_put_text(output, " -x -a '");
        put_words(output, commands, kind, option->argument);
        cli_put_text(output, "'");
    }
    cli_put_text(output, " -d '");
    /* Between apostrophes fish knows \\ and \'. */
    for (const char *at = option->about; *at != '\0'; at++) {
        cli_put_text(output, *at == '\'' || *at == '\\' ? "\\" : "");
        cli_put(output, *at == '\n' ? " " : at, 1);
    }
    cli_put_text(output, "'\n");
}

static void put_fish(cli_output *output, const cli_command *commands)
{
    const cli_command *command;
    const cli_option *option;
    cli_put_text(output, "# fish completion for toolwire\n"
                         "complete -c toolwire -f\n");
    for (command = commands; command->name != NULL; command++) {
        cli_put_texts(output,
                      "complete -c toolwire -n __fish_use_subcommand -a ",
                      command->name, " -d '");
        put_quoted(output, command->about, "\\");
        cli_put_text(output, "'\n");
    }
    cli_put_text(output, "complete -c toolwire -n __fish_use_subcommand -l "
                         "help -s h -d 'print help'\n"
                         "complete -c toolwire -n __fish_use_subcommand -l "
                         "version -s V -d 'print the version'\n");
    for (command = commands; command->name != NULL; command++) {
        const operand kind = command_operand(command);
        for (size_t k = 0; (option = cli_option_at(k)) != NULL; k++) {
            if (takes(command, option)) {
                put_fish_option(output, commands, option, command);
            }
        }
        if (kind == NOTHING) {
            continue;
        }
        cli_put_texts(output,
                      "complete -c toolwire -n '__fish_seen_subcommand_from ",
                      command->name, kind == FILES ? "' -F\n" : "' -a '");
        if (kind != FILES) {
            put_words(output, commands, kind, operand_words(command));
            cli_put_text(output, "'\n");
        }
    }
}

int cli_completion(const cli_options *options, const cli_command *commands)
{
    static const struct {
        const char *name;
        void (*put)(cli_output *, const cli_command *commands);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    enum { COUNT = sizeof shells / sizeof shells[0] };
    cli_output output;
    size_t i = 0;
    while (i < COUNT && strcmp(shells[i].name, options->operands[0]) != 0) {
        i++;
    }
    if (i == COUNT) {
        cli_say("completion: unknown shell '%s': name one (" CLI_SHELLS ")",
                options->operands[0]);
        return CLI_USAGE;
    }
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    shells[i].put(&output, commands);
    return cli_output_close(&output, true);
}
