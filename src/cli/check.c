/* SPDX-License-Identifier: MIT
 *
 * toolwire check: each line of a log is decoded, and every diagnostic that it
 * brings is counted by its name.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/records/records.h"
#include "cli/records/session.h"
#include "cli/shaped.h"

typedef struct tally {
    int64_t code; /* a diagnostic's, or (negative) an error's */
    const char *name;
    uint64_t count;
    uint64_t records; /* that have it, the last of them ... */
    uint64_t last;    /* ... this one */
} tally;

enum { MOST_ERRORS = 99 }; /* their codes have two digits */

typedef struct check_state {
    const cli_options *options;
    tally *rows;
    size_t count;
    uint64_t record;
    bool deviates;
} check_state;

static void add_row(check_state *state, int64_t code, const char *name)
{
    if (name != NULL) {
        const tally row = {code, name, 0, 0, 0};
        state->rows[state->count++] = row;
    }
}

/* A row for every code that there is. */
static bool make_rows(check_state *state)
{
    const tw_diagnostic *diagnostic;
    size_t count = 0;
    while (tw_diagnostic_at(count) != NULL) {
        count++;
    }
    state->rows = calloc(count + MOST_ERRORS, sizeof *state->rows);
    if (state->rows == NULL) {
        cli_say("no memory");
        return false;
    }
    for (size_t i = 0; (diagnostic = tw_diagnostic_at(i)) != NULL; i++) {
        add_row(state, diagnostic->code, diagnostic->name);
    }
    for (int32_t code = -MOST_ERRORS; code < 0; code++) {
        add_row(state, code, tw_error_name(code));
    }
    return true;
}

static void count(check_state *state, int64_t code, uint64_t times)
{
    size_t i = 0;
    while (i < state->count && state->rows[i].code != code) {
        i++;
    }
    if (i < state->count) {
        tally *row = &state->rows[i];
        row->count += times;
        row->records += row->last != state->record ? 1 : 0;
        row->last = state->record;
    }
}

static void tally_record(void *context, const cli_reader *reader,
                         const cli_source *source, const cli_record *record)
{
    check_state *state = context;
    uint32_t code;
    uint64_t offset;
    cli_shaped_say(state->options, source);
    state->record++;
    if (record->result != TW_OK) {
        const tw_error *error = record->error;
        count(state, error->detail > 0 ? error->detail : error->code, 1);
        return;
    }
    for (size_t i = 0;
         tw_converter_diagnostic(reader->converter, i, &code, &offset) == 1;
         i++) {
        const tw_diagnostic *diagnostic = tw_diagnostic_get(code);
        count(state, code, 1);
        if (diagnostic == NULL || diagnostic->warning == 0) {
            state->deviates = true;
        }
    }
    for (size_t i = 0;
         cli_record_more(reader->converter, &i, &code, &offset);) {
        count(state, code, offset);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const tally *)a)->name, ((const tally *)b)->name);
}

static void put_rows(cli_output *output, check_state *state)
{
    qsort(state->rows, state->count, sizeof *state->rows, by_name);
    for (size_t i = 0; i < state->count; i++) {
        const tally *row = &state->rows[i];
        if (row->count > 0) {
            cli_put_text(output, "{\"code\":");
            cli_put_string(output, row->name);
            cli_put_text(output, ",\"count\":");
            cli_put_number(output, row->count);
            cli_put_text(output, ",\"records\":");
            cli_put_number(output, row->records);
            cli_put_text(output, "}\n");
        }
    }
}

static int run(const cli_options *options, check_state *state,
               tw_converter *converter)
{
    const cli_reader reader = {converter, NULL};
    cli_output output;
    int result = cli_output_open(&output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_records(options, &reader, &output, tally_record, state);
    if (result != CLI_IO) {
        put_rows(&output, state);
    }
    const int closed = cli_output_close(&output, result < CLI_REFUSED);
    if (result == CLI_FINE && state->deviates) {
        result = CLI_BAD;
    }
    return closed > result ? closed : result;
}

int cli_check(const cli_options *options)
{
    check_state state = {options, NULL, 0, 0, false};
    tw_template *template_ = NULL;
    tw_converter *converter;
    int result = cli_make_converter(
        options, options->transcript ? "openai" : "report", &converter);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_use_template(options, converter, &template_);
    if (result == CLI_FINE) {
        result = make_rows(&state) ? run(options, &state, converter) : CLI_BAD;
    }
    free(state.rows);
    tw_converter_free(converter);
    tw_template_free(template_);
    return result;
}
