/* SPDX-License-Identifier: MIT
 *
 * The library's objects, set as the command line says, and its reports.
 */
#ifndef TOOLWIRE_CLI_SESSION_H
#define TOOLWIRE_CLI_SESSION_H

#include "cli/options.h"

/* Makes *converter from the format to "message" or "report". */
int cli_make_converter(const cli_options *, tw_endpoint to,
                       tw_converter **converter);
/* Makes *decoder and *writer (of chunks). */
int cli_make_stream(const cli_options *, tw_decoder **decoder,
                    tw_writer **writer);

/* A diagnostic's code, or an error: a line. */
void cli_report_to(cli_output *, const char *file, uint64_t line,
                   uint64_t offset, uint32_t code);
void cli_report_error_to(cli_output *, const char *file, uint64_t line,
                         const tw_error *);
/* The same on stderr. */
void cli_report(const char *file, uint64_t line, uint64_t offset,
                uint32_t code);
void cli_report_error(const char *file, uint64_t line, const tw_error *);
/* On |output|, in place of a record: {"error":{...}}, a line. */
void cli_put_error(cli_output *output, const tw_error *);
/* What was lost, or where a template is broken, as a line of JSON. */
void cli_put_report(cli_output *output, uint64_t line, const tw_error *report);

#endif
