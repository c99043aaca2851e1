/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/records.h"
#include "cli/session.h"

typedef struct decode_state {
    cli_output output;
    bool jsonl;
    bool answered; /* there is something to be kept */
} decode_state;

static void put_member(cli_output *output, const char *before,
                       const char *value)
{
    cli_put_text(output, before);
    cli_put_json(output, value, strlen(value));
}

static void put_error(cli_output *output, const tw_error *error)
{
    const char *name = tw_error_name(error->code);
    const tw_diagnostic *diagnostic =
        error->detail > 0 ? tw_diagnostic_get((uint32_t)error->detail) : NULL;
    put_member(output, "{\"error\":{\"code\":", name != NULL ? name : "");
    if (diagnostic != NULL) {
        put_member(output, ",\"diagnostic\":", diagnostic->name);
    }
    cli_put_text(output, ",\"offset\":");
    cli_put_number(output, error->offset);
    if (error->path != NULL) {
        put_member(output, ",\"path\":", error->path);
    }
    put_member(output, ",\"message\":", error->message);
    cli_put_text(output, "}}\n");
}

static void answer(void *context, tw_converter *converter,
                   const cli_record *record)
{
    decode_state *state = context;
    (void)converter;
    if (record->result == TW_OK) {
        cli_put(&state->output, record->json, record->size);
        cli_put_text(&state->output, "\n");
        state->answered = true;
    } else if (state->jsonl) {
        put_error(&state->output, record->error);
    }
}

int cli_decode(const cli_options *options)
{
    decode_state state = {.jsonl = options->jsonl, .answered = options->jsonl};
    tw_converter *converter;
    int result = cli_make_converter(options, "message", &converter);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_output_open(&state.output, options->output);
    if (result == CLI_FINE) {
        result =
            cli_records(options, converter, &state.output, answer, &state);
        const bool keep = state.answered && result != CLI_IO;
        const int closed = cli_output_close(&state.output, keep);
        result = closed > result ? closed : result;
    }
    tw_converter_free(converter);
    return result;
}
