/* SPDX-License-Identifier: MIT
 *
 * A command's records, file by file: each is read, answered and, if it is bad,
 * said.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/files/signals.h"
#include "cli/records/progress.h"
#include "cli/records/records.h"
#include "cli/records/remedy.h"
#include "cli/records/session.h"

static void read_record(const cli_options *options, const cli_reader *reader,
                        const char *data, size_t size, cli_record *record)
{
    if (reader->encoder != NULL) {
        record->result =
            (options->command->bit == CLI_EXTEND ? tw_encoder_extend
                                                 : tw_encode)(
                reader->encoder, data, size, &record->text, &record->size);
        const tw_span *span;
        if (record->result == TW_OK && options->spans &&
            tw_encoder_span(reader->encoder, 0, &span) < 0) {
            record->result = tw_encoder_error(reader->encoder)->code;
        }
        record->error = tw_encoder_error(reader->encoder);
        return;
    }
    tw_converter *converter = reader->converter;
    record->result = options->jsonl
                         ? tw_converter_record(converter, data, size,
                                               &record->text, &record->size)
                         : tw_converter_text(converter, data, size,
                                             &record->text, &record->size);
    record->error = tw_converter_error(converter);
}

bool cli_record_more(const tw_converter *converter, size_t *i, uint32_t *code,
                     uint64_t *more)
{
    uint64_t offset;
    const tw_diagnostic *row;
    if (tw_converter_diagnostic(converter, TW_DIAGNOSTICS_KEPT - 1, code,
                                &offset) == 0) {
        return false; /* all are kept */
    }
    while ((row = tw_diagnostic_at((*i)++)) != NULL) {
        const uint64_t count =
            tw_converter_diagnostic_count(converter, row->code);
        if (count > TW_DIAGNOSTICS_KEPT) {
            *code = row->code;
            *more = count - TW_DIAGNOSTICS_KEPT;
            return true;
        }
    }
    return false;
}

/* Is the record bad, or has it parts that are? */
static bool report(const cli_source *source, const cli_reader *reader,
                   const cli_record *record, cli_messages *messages)
{
    uint32_t code;
    uint64_t offset;
    if (record->result == TW_ERROR_UNSTABLE) {
        return false; /* that is an answer */
    }
    if (record->result != TW_OK) {
        cli_messages_error(messages, source->name, source->line,
                           record->error);
        return true;
    }
    if (reader->converter == NULL) {
        return false;
    }
    for (size_t i = 0;
         tw_converter_diagnostic(reader->converter, i, &code, &offset) == 1;
         i++) {
        cli_messages_diagnostic(
            messages, source->name, source->line, offset, code,
            tw_converter_diagnostic_format(reader->converter, i));
    }
    for (size_t i = 0;
         cli_record_more(reader->converter, &i, &code, &offset);) {
        cli_messages_more(messages, code, offset);
    }
    return tw_converter_unparsed(reader->converter) > 0;
}

/* Is the record an array, though valid? */
static bool is_array(const cli_options *options, const cli_source *source)
{
    size_t at = 0;
    while (at < source->size &&
           (source->data[at] == ' ' || source->data[at] == '\t')) {
        at++;
    }
    return options->jsonl && at < source->size && source->data[at] == '[';
}

bool cli_record_run(const cli_options *options, const cli_reader *reader,
                    const cli_source *source, cli_messages *messages,
                    cli_record_handler *handler, void *context)
{
    const tw_error too_long = {TW_ERROR_LIMIT, 0, options->max_record,
                               "the record is longer than --max-record", NULL};
    static const tw_error array = {
        TW_ERROR_SCHEMA, 0, 0,
        "the record is an array; if it lists records, `jq -c '.[]'` makes a "
        "line of each, if messages, `jq -c '{messages: .}'` makes a record "
        "(jq before 1.7 rounds numbers)",
        NULL};
    const tw_error long_array = {
        TW_ERROR_LIMIT, 0, options->max_record,
        "the record is longer than --max-record, and an array; if it lists "
        "records, `jq -c '.[]'` makes a line of each (jq before 1.7 rounds "
        "numbers)",
        NULL};
    const bool is_list = is_array(options, source);
    cli_remedy remedy;
    cli_record record = {.result = TW_ERROR_LIMIT,
                         .error = is_list ? &long_array : &too_long};
    if (source->longer == NULL) {
        read_record(options, reader, source->data, source->size, &record);
        const cli_outcome its = {record.result, record.error, reader->encoder,
                                 source->data,  source->size, source->line};
        const tw_error *better = cli_remedy_find(&remedy, options, &its);
        record.result = better != NULL ? better->code : record.result;
        record.error = better != NULL ? better : record.error;
    }
    if (record.result == TW_ERROR_SCHEMA && is_list) {
        record.error = &array;
    }
    const bool bad = report(source, reader, &record, messages);
    handler(context, reader, source, &record);
    return bad;
}

const tw_record_shape *cli_record_shape(const cli_options *options)
{
    return options->command->bit == CLI_CONVERT && options->format == NULL
               ? tw_record_shape_find(options->format_name)
               : NULL;
}

static cli_input_kind kind_of(const cli_options *options)
{
    const bool prompts =
        (options->command->bit & (CLI_ENCODE | CLI_EXTEND)) != 0;
    return options->jsonl ? CLI_INPUT_RECORDS
           : prompts      ? CLI_INPUT_JSON
                          : CLI_INPUT_TEXT;
}

static int read_file(const cli_options *options, const char *path,
                     const cli_reader *reader, cli_output *output,
                     cli_messages *messages, cli_progress *progress,
                     cli_record_handler *handler, void *context)
{
    cli_input input;
    cli_read got;
    cli_source source;
    int worst =
        cli_input_open(&input, path, kind_of(options), options->max_record);
    if (worst != CLI_FINE) {
        return worst;
    }
    input.shape = cli_record_shape(options);
    while ((got = cli_input_record(&input, output, &source.data,
                                   &source.size)) > 0) {
        source.name = input.name;
        source.line = input.line;
        source.longer = got == CLI_READ_TOO_LONG ? &input : NULL;
        if (cli_record_run(options, reader, &source, messages, handler,
                           context)) {
            worst = CLI_BAD;
        }
        cli_progress_add(progress, 1, source.size + 1);
        if (output->failed) {
            break;
        }
    }
    cli_records_left(options, &input, got);
    cli_input_close(&input);
    const int result = output->failed ? CLI_IO : cli_input_code(got);
    return result > worst ? result : worst;
}

void cli_records_left(const cli_options *options, const cli_input *input,
                      cli_read got)
{
    const char *command = options->command->name;
    const char *signal = cli_signals_name();
    const unsigned long long line = input->line;
    const bool standard = cli_path_is_standard(input->name);
    if (got != CLI_READ_STOPPED) {
        return;
    }
    if (options->output != NULL && !cli_path_is_standard(options->output)) {
        cli_say("%s: %s: stopped behind line %llu of %s; what was written was "
                "discarded",
                command, signal, line, input->name);
    } else if (standard || input->packed != NULL) {
        cli_say("%s: %s: stopped behind line %llu of %s; go on at its line "
                "%llu (`tail -n +%llu`)",
                command, signal, line, input->name, line + 1, line + 1);
    } else {
        cli_say("%s: %s: stopped behind line %llu of %s; go on with `tail -n "
                "+%llu %s`",
                command, signal, line, input->name, line + 1, input->name);
    }
}

void cli_files_add(cli_files *files, const cli_options *options, int result,
                   const cli_output *output)
{
    const int next = ++files->count;
    files->read |= result < CLI_REFUSED;
    files->worst = result > files->worst ? result : files->worst;
    files->over = output->failed || result == CLI_STOPPED;
    if (files->over && next < options->operand_count) {
        cli_say("%s: stopped here; %s and what follows was not read",
                options->command->name, options->operands[next]);
    }
}

int cli_files_result(const cli_files *files)
{
    return files->worst == CLI_REFUSED && files->read ? CLI_PARTLY
                                                      : files->worst;
}

int cli_records(const cli_options *options, const cli_reader *reader,
                cli_output *output, cli_record_handler *handler, void *context)
{
    cli_messages messages;
    cli_progress progress = {.on = false};
    cli_files files = {.worst = CLI_FINE};
    const int count = options->operand_count;
    /* convert counts by itself: what its threads did is added up. */
    if (options->jsonl && options->command->bit != CLI_CONVERT) {
        cli_progress_begin(&progress, options);
    }
    cli_messages_init(&messages, options);
    while (files.count < (count > 0 ? count : 1) && !files.over) {
        const char *path = count > 0 ? options->operands[files.count] : NULL;
        cli_files_add(&files, options,
                      read_file(options, path, reader, output, &messages,
                                &progress, handler, context),
                      output);
    }
    const int result = cli_files_result(&files);
    cli_progress_end(&progress, result < CLI_REFUSED);
    cli_messages_end(&messages);
    return result;
}
