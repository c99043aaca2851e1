/* SPDX-License-Identifier: MIT
 *
 * What --help prints: a command's examples and text, and the options under
 * headings.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/help.h"
#include "cli/notes.h"
#include "cli/files/print.h"

/* |MANY| options have headings. */
enum { INDENT = 2, COLUMN = 27, SHAPE_COLUMN = 19, MANY = 9, WIDTH = 80 };

/* An option's value, which begins at |column|: a list of words goes on in the
 * next line where it is too long for one.  Returns the column behind it. */
static size_t put_value(cli_output *output, const char *value, size_t column)
{
    for (size_t size; *value != '\0'; value += size) {
        size = strcspn(value, "|");
        size += value[size] == '|';
        if (column + size >= WIDTH) {
            cli_put_text(output, "\n");
            cli_put_column(output, "", column = COLUMN);
        }
        cli_put(output, value, size);
        column += size;
    }
    return column;
}

static size_t put_head(cli_output *output, const cli_option *option)
{
    const char letter[] = {'-', option->letter, '\0'};
    cli_put_column(output, "", INDENT);
    cli_put_texts(output, option->letter != 0 ? letter : "  ",
                  option->letter != 0 ? ", --" : "  --", option->name);
    size_t width = INDENT + 6 + strlen(option->name);
    if (option->argument != NULL) {
        cli_put_text(output, " ");
        width = put_value(output, option->argument, width + 1);
    }
    return width;
}

static void put_option(cli_output *output, const cli_option *option)
{
    const size_t width = put_head(output, option);
    if (width + INDENT > COLUMN) {
        cli_put_text(output, "\n");
        cli_put_column(output, "", COLUMN);
    } else {
        cli_put_column(output, "", COLUMN - width);
    }
    for (const char *line = option->about; *line != '\0';) {
        const size_t size = strcspn(line, "\n");
        if (line != option->about) {
            cli_put_column(output, "", COLUMN);
        }
        cli_put(output, line, size);
        cli_put_text(output, "\n");
        line += size + (line[size] == '\n' ? 1 : 0);
    }
}

/* A heading, and the first row of a table that stands under it. */
typedef struct heading {
    const char *first;
    const char *text;
} heading;

static const heading command_headings[] = {
    {"decode", "What models write"},      {"encode", "Prompts and logs"},
    {"detect", "Formats and codes"},      {"gen", "Tests of parsers"},
    {"completion", "The command itself"}, {NULL, NULL}};

static const heading option_headings[] = {
    {"format", "Formats and shapes"},
    {"rejects", "Files and logs"},
    {"tools", "How it is read"},
    {"call-id-prefix", "What is written"},
    {"id", "Members of chunks"},
    {"generation-prompt", "Prompts"},
    {"report", "Losses"},
    {"cmd", "Cases for parsers"},
    {"json", "Lists and pages"},
    {"target", "Grammars"},
    {NULL, NULL}};

/* The heading that begins at the row |name|, else |now|. */
static const heading *heading_of(const heading *headings, const heading *now,
                                 const char *name)
{
    while (headings->first != NULL && strcmp(headings->first, name) != 0) {
        headings++;
    }
    return headings->first != NULL ? headings : now;
}

static void put_heading(cli_output *output, const heading *to)
{
    cli_put_texts(output, " ", to->text, ":\n");
}

static size_t count_options(unsigned commands)
{
    const cli_option *option;
    size_t count = 0;
    for (size_t i = 0; (option = cli_option_at(i)) != NULL; i++) {
        count += (option->commands & commands) != 0;
    }
    return count;
}

static void put_options(cli_output *output, unsigned commands)
{
    const cli_option *option;
    const heading *put = NULL, *now = NULL;
    const bool many = count_options(commands) >= MANY;
    cli_put_text(output, "\nOptions:\n");
    for (size_t i = 0; (option = cli_option_at(i)) != NULL; i++) {
        now = heading_of(option_headings, now, option->name);
        if ((option->commands & commands) == 0) {
            continue;
        }
        if (many && now != put) {
            put_heading(output, now);
            put = now;
        }
        put_option(output, option);
    }
}

static void put_shapes(cli_output *output)
{
    const tw_record_shape *shape;
    cli_put_text(output, "\nShapes of records:\n");
    for (size_t i = 0; (shape = tw_record_shape_at(i)) != NULL; i++) {
        const char *name = tw_record_shape_name(shape);
        cli_put_column(output, "", INDENT);
        cli_put_text(output, name);
        cli_put_column(output, "", SHAPE_COLUMN - INDENT - strlen(name));
        cli_put_texts(output, tw_record_shape_about(shape), "\n");
    }
}

static void put_use(cli_output *output, const cli_command *command)
{
    cli_put_texts(output, "toolwire ", command->name, command->operands);
}

int cli_help(const cli_command *commands, const char *path)
{
    cli_output output;
    if (cli_output_open(&output, path) != CLI_FINE) {
        return CLI_IO;
    }
    cli_put_texts(&output, cli_help_examples, "\nCommands:\n");
    const heading *now = NULL;
    for (; commands->name != NULL; commands++) {
        const heading *const before = now;
        now = heading_of(command_headings, now, commands->name);
        if (now != before) {
            put_heading(&output, now);
        }
        cli_put_column(&output, "", INDENT);
        put_use(&output, commands);
        cli_put_text(&output, "\n");
        cli_put_column(&output, "", 2 * INDENT + 4);
        cli_put_texts(&output, commands->about, "\n");
    }
    cli_put_text(&output, "  toolwire --version\n");
    put_options(&output, CLI_ALL);
    cli_put_text(&output, cli_help_end);
    return cli_output_close(&output, true);
}

int cli_command_help(const cli_command *command, const char *path)
{
    cli_output output;
    const cli_note_text *found = cli_help_notes;
    while (found->command != command->bit) {
        found++;
    }
    if (cli_output_open(&output, path) != CLI_FINE) {
        return CLI_IO;
    }
    cli_put_texts(&output, "Examples:\n", found->examples, "\nUse: ");
    put_use(&output, command);
    cli_put_texts(&output, "\n", found->text);
    if (command->bit == CLI_CONVERT) {
        put_shapes(&output);
    }
    put_options(&output, command->bit);
    cli_put_text(&output, cli_help_end);
    return cli_output_close(&output, true);
}
