/* SPDX-License-Identifier: MIT
 *
 * What becomes of a converted record: where it is written, and what is counted
 * of it.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/records/convert.h"

#include <string.h>

#include "cli/files/print.h"
#include "cli/records/session.h"

static void count_in(reason *list, size_t *size, size_t most, const char *text,
                     uint64_t times)
{
    size_t i = 0;
    while (i < *size && strcmp(list[i].text, text) != 0) {
        i++;
    }
    if (i == most) {
        return;
    }
    if (i == *size) {
        list[i].text = text;
        list[i].count = 0;
        ++*size;
    }
    list[i].count += times;
}

static void count_times(convert_state *state, const char *text, uint64_t times)
{
    count_in(state->reasons, &state->reason_count, REASONS, text, times);
}

static void count(convert_state *state, const char *text)
{
    count_times(state, text, 1);
}

static void count_shape(convert_state *state, const char *shape,
                        uint64_t times)
{
    count_in(state->shapes, &state->shape_count, SHAPES, shape, times);
}

void cli_convert_add(convert_state *all, convert_state *part)
{
    cli_output_pour(&all->output, &part->output);
    if (all->has_rejects) {
        cli_output_pour(&all->rejects, &part->rejects);
    }
    if (all->has_report) {
        cli_output_pour(&all->report, &part->report);
    }
    cli_progress_add(&all->progress, part->progress.records,
                     part->progress.done);
    part->progress.records = part->progress.done = 0;
    all->written += part->written;
    all->unparsed += part->unparsed;
    for (size_t i = 0; i < part->reason_count; i++) {
        count_times(all, part->reasons[i].text, part->reasons[i].count);
    }
    for (size_t i = 0; i < part->shape_count; i++) {
        count_shape(all, part->shapes[i].text, part->shapes[i].count);
    }
    cli_losses_pour(&all->losses, &part->losses);
    memset(&part->losses, 0, sizeof part->losses);
    part->written = part->unparsed = 0;
    part->reason_count = part->shape_count = 0;
}

static void count_reports(convert_state *state, tw_converter *converter,
                          const cli_source *source)
{
    const tw_error *report;
    uint32_t code;
    uint64_t offset;
    for (size_t i = 0; tw_converter_report(converter, i, &report) == 1; i++) {
        count(state, tw_loss_get((uint32_t)report->detail)->name);
        cli_losses_add(&state->losses,
                       state->has_report ? &state->report : NULL, source->name,
                       source->line, report);
    }
    for (size_t i = 0;
         tw_converter_diagnostic(converter, i, &code, &offset) == 1; i++) {
        const tw_diagnostic *diagnostic = tw_diagnostic_get(code);
        count(state, diagnostic != NULL ? diagnostic->name : "");
        if (state->has_report && diagnostic != NULL) {
            cli_put_diagnostic(&state->report, source->name, source->line,
                               offset, code,
                               tw_converter_diagnostic_format(converter, i));
        }
    }
    for (size_t i = 0; cli_record_more(converter, &i, &code, &offset);) {
        count_times(state, tw_diagnostic_get(code)->name, offset);
        if (state->has_report) {
            cli_put_more(&state->report, source->name, source->line, code,
                         offset);
        }
    }
    state->unparsed += tw_converter_unparsed(converter);
}

/* Tells how many bytes more than |source| has were read. */
static uint64_t reject(convert_state *state, tw_converter *converter,
                       const cli_source *source, const tw_error *error)
{
    const char *name = tw_error_name(error->code);
    cli_output *rejects = state->has_rejects ? &state->rejects : NULL;
    uint64_t rest = 0;
    count(state, name != NULL ? name : "");
    if (rejects != NULL) {
        cli_put(rejects, source->data, source->size);
    } else {
        cli_put_error(&state->output,
                      source->longer == NULL ? converter : NULL, error);
    }
    if (source->longer != NULL) {
        rest = cli_input_rest(source->longer, &state->output, rejects);
    }
    if (rejects != NULL) {
        cli_put_text(rejects, "\n");
    }
    return rest;
}

void cli_convert_answer(void *context, const cli_reader *reader,
                        const cli_source *source, const cli_record *record)
{
    convert_state *state = context;
    uint64_t rest = 0;
    const char *shape =
        source->longer == NULL ? tw_converter_shape(reader->converter) : NULL;
    if (shape != NULL) {
        count_shape(state, shape, 1);
    }
    if (record->result == TW_OK) {
        cli_put(&state->output, record->text, record->size);
        cli_put_text(&state->output, "\n");
        state->written++;
        count_reports(state, reader->converter, source);
    } else {
        rest = reject(state, reader->converter, source, record->error);
    }
    cli_progress_add(&state->progress, 1, source->size + rest + 1);
}
