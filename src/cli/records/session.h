/* SPDX-License-Identifier: MIT
 *
 * The library's objects, set as the command line says, and its reports.
 */
#ifndef TOOLWIRE_CLI_RECORDS_SESSION_H
#define TOOLWIRE_CLI_RECORDS_SESSION_H

#include "cli/options/options.h"

/* The tools that were declared: their file is read once, for any number of
 * decoders. */
typedef struct cli_tools {
    cli_input input;
    const char *json; /* NULL: none were */
    size_t size;
} cli_tools;

int cli_tools_open(const cli_options *options, cli_tools *tools);
/* Another file of JSON, likewise; |path| NULL: there is none.  |what| it is is
 * said where it is too long. */
int cli_json_open(const cli_options *options, const char *path,
                  const char *what, cli_tools *tools);
void cli_tools_close(cli_tools *tools);

/* Makes *converter from the format to "message" or "report". */
int cli_make_converter(const cli_options *options, tw_endpoint to,
                       tw_converter **converter);
/* Transcripts have the turns of the template, if there is one:
 * *template_, which must outlive the converter. */
int cli_use_template(const cli_options *options, tw_converter *converter,
                     tw_template **template_);
/* Makes *decoder and the *writer of the API. */
int cli_make_stream(const cli_options *options, const cli_tools *tools,
                    tw_decoder **decoder, tw_writer **writer);

/* A diagnostic's code, with the format that is meant or NULL, or an error: a
 * line. */
void cli_report_to(cli_output *output, const char *file, uint64_t line,
                   uint64_t offset, uint32_t code, const char *format);
void cli_report_error_to(cli_output *output, const char *file, uint64_t line,
                         const tw_error *error);
/* On |output|, in place of a record: {"error":{...}}, a line; in front of it
 * what tells the last record of the converter, unless that is NULL. */
void cli_put_error(cli_output *output, tw_converter *converter,
                   const tw_error *error);
/* What was lost, or where a template is broken, as a line of JSON. */
void cli_put_report(cli_output *output, const char *file, uint64_t line,
                    const tw_error *report);
/* ... what deviates, of the format or the path that is meant, or NULL. */
void cli_put_diagnostic(cli_output *output, const char *file, uint64_t line,
                        uint64_t offset, uint32_t code, const char *about);
/* |more| deviations of a code, which are only counted. */
void cli_put_more(cli_output *output, const char *file, uint64_t line,
                  uint32_t code, uint64_t more);

#endif
