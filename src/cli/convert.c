/* SPDX-License-Identifier: MIT
 *
 * toolwire convert: records from one shape or format to another, with what
 * they lose and how many they were.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/commands.h"
#include "cli/records/convert.h"
#include "cli/files/print.h"
#include "cli/files/signals.h"
#include "cli/options/same_file.h"
#include "cli/records/session.h"

/* ---- statistics --------------------------------------------------------- */

static void put_count(cli_output *output, const char *name, uint64_t number)
{
    cli_put_text(output, name);
    cli_put_number(output, number);
}

static void put_counts(cli_output *output, const reason *list, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *text = list[i].text;
        cli_put_text(output, i > 0 ? "," : "");
        cli_put_string(output, text);
        put_count(output, ":", list[i].count);
    }
}

static void put_stats(convert_state *state)
{
    char buffer[512];
    cli_output output = cli_standard_error(buffer, sizeof buffer);
    put_count(&output, "{\"records\":", state->progress.records);
    put_count(&output, ",\"written\":", state->written);
    put_count(&output,
              ",\"rejected\":", state->progress.records - state->written);
    put_count(&output, ",\"unparsed\":", state->unparsed);
    put_count(&output, ",\"losses\":{\"content\":",
              state->losses.counts[TW_SEVERITY_CONTENT]);
    put_count(&output, ",\"call\":", state->losses.counts[TW_SEVERITY_CALL]);
    put_count(&output,
              ",\"detail\":", state->losses.counts[TW_SEVERITY_DETAIL]);
    cli_put_text(&output, "},\"reasons\":{");
    put_counts(&output, state->reasons, state->reason_count);
    if (state->shape_count > 0) {
        cli_put_text(&output, "},\"shapes\":{");
        put_counts(&output, state->shapes, state->shape_count);
    }
    cli_put_text(&output, "}}\n");
    cli_output_flush(&output);
}

/* ---- the command -------------------------------------------------------- */

static int close_one(cli_output *output, bool keep, int result)
{
    const int closed = cli_output_close(output, keep);
    return closed > result ? closed : result;
}

/* What was rejected and reported stays as far as the output does, and the
 * output only if they could be written. */
static int close_all(const cli_options *options, convert_state *state,
                     int result)
{
    bool fine = cli_output_flush(&state->output);
    fine &= !state->has_rejects || cli_output_flush(&state->rejects);
    fine &= !state->has_report || cli_output_flush(&state->report);
    result = fine ? result : CLI_IO;
    const bool stopped =
        result == CLI_STOPPED && state->output.temporary == NULL;
    if (state->has_rejects) {
        result = close_one(&state->rejects, result < CLI_REFUSED || stopped,
                           result);
    }
    if (state->has_report) {
        result = close_one(&state->report, result < CLI_REFUSED || stopped,
                           result);
    }
    return close_one(&state->output, cli_may_replace(options, result), result);
}

static int open_others(const cli_options *options, convert_state *state)
{
    int result = CLI_FINE;
    if (options->rejects != NULL) {
        result = cli_output_open(&state->rejects, options->rejects);
        state->has_rejects = result == CLI_FINE;
    }
    if (result == CLI_FINE && options->report != NULL) {
        result = cli_output_open(&state->report, options->report);
        state->has_report = result == CLI_FINE;
    }
    return result;
}

static int run(const cli_options *options, tw_converter *converter)
{
    const cli_reader reader = {converter, NULL};
    static convert_state state;
    cli_progress_begin(&state.progress, options);
    int result = cli_output_open(&state.output, options->output);
    if (result == CLI_FINE) {
        result = open_others(options, &state);
        if (result == CLI_FINE) {
            result = options->jobs > 1
                         ? cli_convert_jobs(options, converter, &state)
                         : cli_records(options, &reader, &state.output,
                                       cli_convert_answer, &state);
        }
        cli_progress_end(&state.progress, result < CLI_REFUSED);
        cli_losses_say(&state.losses, options);
        result = close_all(options, &state, result);
    }
    if (options->stats) {
        put_stats(&state);
    }
    return result;
}

int cli_convert(const cli_options *options)
{
    tw_converter *converter;
    int result = cli_make_converter(options, options->to, &converter);
    if (result == CLI_FINE) {
        cli_signals_hold();
        result = run(options, converter);
        tw_converter_free(converter);
        cli_signals_end();
    }
    return result;
}
