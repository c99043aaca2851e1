/* SPDX-License-Identifier: MIT
 *
 * toolwire decode: each output becomes one message.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/options/same_file.h"
#include "cli/records/records.h"
#include "cli/records/session.h"
#include "cli/shaped.h"

typedef struct decode_state {
    const cli_options *options;
    cli_output output;
    bool jsonl;
    bool answered; /* there is something to be kept */
} decode_state;

static void answer(void *context, const cli_reader *reader,
                   const cli_source *source, const cli_record *record)
{
    decode_state *state = context;
    (void)reader;
    cli_shaped_say(state->options, source);
    if (record->result == TW_OK) {
        cli_put(&state->output, record->text, record->size);
        cli_put_text(&state->output, "\n");
        state->answered = true;
    } else if (state->jsonl) {
        cli_put_error(&state->output, NULL, record->error);
    }
}

int cli_decode(const cli_options *options)
{
    decode_state state = {.options = options,
                          .jsonl = options->jsonl,
                          .answered = options->jsonl};
    tw_template *template_ = NULL;
    tw_converter *converter;
    int result = cli_make_converter(
        options, options->transcript ? "openai" : "message", &converter);
    if (result != CLI_FINE) {
        return result;
    }
    const cli_reader reader = {converter, NULL};
    result = cli_use_template(options, converter, &template_);
    if (result == CLI_FINE) {
        result = cli_output_open(&state.output, options->output);
    }
    if (result == CLI_FINE) {
        result = cli_records(options, &reader, &state.output, answer, &state);
        const bool keep = state.answered && cli_may_replace(options, result);
        const int closed = cli_output_close(&state.output, keep);
        result = closed > result ? closed : result;
    }
    tw_converter_free(converter);
    tw_template_free(template_);
    return result;
}
