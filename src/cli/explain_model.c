/* SPDX-License-Identifier: MIT
 *
 * toolwire explain --for-model: what an agent gives back to the model for each
 * call that cannot be run.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/records/session.h"

typedef struct telling {
    const cli_options *options;
    cli_tools tools;
    cli_input input;
    cli_output output;
    char *text;
    size_t room;
} telling;

static int ask(telling *told, const char *json, size_t size, size_t *needed)
{
    return tw_words_for_model(json, size, told->tools.json, told->tools.size,
                              told->options->json ? TW_WORDS_MESSAGES
                                                  : TW_WORDS_TEXT,
                              NULL, told->text, told->room, needed);
}

static int tell(telling *told, const char *json, size_t size)
{
    size_t needed;
    int result = ask(told, json, size, &needed);
    if (result == TW_OK && needed > told->room) {
        char *grown = realloc(told->text, needed);
        if (grown == NULL) {
            return cli_no_memory();
        }
        told->text = grown;
        told->room = needed;
        result = ask(told, json, size, &needed);
    }
    if (result == TW_ERROR_MEMORY) {
        return cli_no_memory();
    }
    if (result != TW_OK) {
        cli_say("explain: %s:%llu: %s", told->input.name,
                (unsigned long long)told->input.line,
                result == TW_ERROR_JSON
                    ? "the message or the list of tools is not JSON"
                    : "the line is no message, or --tools has no list of "
                      "tools");
        return CLI_BAD;
    }
    cli_put(&told->output, told->text, needed);
    cli_put_text(&told->output, told->options->json ? "\n" : "");
    return CLI_FINE;
}

static int tell_all(telling *told)
{
    const char *json;
    size_t size;
    cli_read got;
    int worst = CLI_FINE;
    while ((got = cli_input_record(&told->input, &told->output, &json,
                                   &size)) == CLI_READ_RECORD) {
        const int result = tell(told, json, size);
        worst = result > worst ? result : worst;
    }
    if (got == CLI_READ_TOO_LONG) {
        cli_say("explain: %s:%llu: the message is longer than 64M",
                told->input.name, (unsigned long long)told->input.line);
        return CLI_BAD;
    }
    const int code = cli_input_code(got);
    return code > worst ? code : worst;
}

int cli_explain_for_model(const cli_options *options)
{
    telling told = {.options = options};
    int result = cli_tools_open(options, &told.tools);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_input_open(&told.input, cli_operand(options),
                            CLI_INPUT_RECORDS, options->max_record);
    if (result == CLI_FINE) {
        result = cli_output_open(&told.output, options->output);
        if (result == CLI_FINE) {
            result = tell_all(&told);
            const int closed =
                cli_output_close(&told.output, result == CLI_FINE);
            result = closed > result ? closed : result;
        }
        cli_input_close(&told.input);
    }
    cli_tools_close(&told.tools);
    free(told.text);
    return result;
}
