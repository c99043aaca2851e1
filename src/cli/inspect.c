/* SPDX-License-Identifier: MIT
 *
 * toolwire inspect: a completion as people look at it.
 */
#define _DEFAULT_SOURCE

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "cli/commands.h"
#include "cli/records/detection.h"
#include "cli/inspect/show.h"
#include "cli/files/print.h"
#include "cli/records/session.h"

/* Columns of a row of the wire: without a terminal, at least, at most. */
enum { USUAL = 60, NARROW = 20, WIDE = 160, GUTTER = 10 };

typedef struct inspect_state {
    cli_options options; /* as given, and what was found */
    char found[160];     /* how the format was; "": it was given */
    cli_wire wire;
} inspect_state;

/* ---- the format --------------------------------------------------------- */

static void start_in_reasoning(cli_options *options)
{
    options->settings[TW_OPTION_START_REASONING] = (cli_setting){1, "start"};
}

static int refuse(const char *why)
{
    cli_say("inspect: %s: name the format with -f (`toolwire formats` lists "
            "them)",
            why);
    return CLI_BAD;
}

/* The best of those that read it; never one of two. */
static int choose(inspect_state *inspection, cli_detection *found)
{
    const cli_verdict verdict = cli_detection_judge(found);
    const cli_candidate *best = &found->all[0];
    if (found->failed) {
        return cli_no_memory();
    }
    if (verdict == CLI_VERDICT_NONE) {
        return refuse("there is no call, no reasoning and no wrapper of a "
                      "format that is built in");
    }
    const bool tied = cli_detection_is_tied(found);
    if (verdict == CLI_VERDICT_TIED) {
        return refuse("two or more formats read it, differently (`toolwire "
                      "detect` tells which)");
    }
    inspection->options.format = best->format;
    inspection->options.format_name = tw_format_name(best->format);
    if (best->starts > 0) {
        start_in_reasoning(&inspection->options);
    }
    snprintf(inspection->found, sizeof inspection->found,
             "found: %s%s; -f names another",
             verdict == CLI_VERDICT_ONE ? "it reads all of this"
             : tied                     ? "others are as near"
                                        : "none is nearer",
             best->starts > 0 ? ", begun inside reasoning" : "");
    return CLI_FINE;
}

static int find_format(inspect_state *inspection, const char *text,
                       size_t size)
{
    cli_detection found;
    if (!cli_detection_begin(&found)) {
        return cli_no_memory();
    }
    cli_detection_read(&found, text, size);
    const int result = choose(inspection, &found);
    cli_detection_drop(&found);
    return result;
}

/* ---- reading ------------------------------------------------------------ */

static int read_wire(inspect_state *inspection, const char *text, size_t size)
{
    const cli_options *options = &inspection->options;
    cli_tools tools;
    tw_decoder *decoder;
    tw_writer *writer;
    int result = cli_tools_open(options, &tools);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_make_stream(options, &tools, &decoder, &writer);
    cli_tools_close(&tools);
    if (result != CLI_FINE) {
        return result;
    }
    cli_wire_read(&inspection->wire, options->format, decoder, options->finish,
                  text, size);
    tw_decoder_free(decoder);
    tw_writer_free(writer);
    if (inspection->wire.failed) {
        return cli_no_memory();
    }
    return CLI_FINE;
}

/* ---- showing ------------------------------------------------------------ */

/* Of the terminal that |file| is. */
static size_t columns_of(int file)
{
    struct winsize size = {0, 0, 0, 0};
    if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return USUAL;
    }
    const size_t columns = size.ws_col;
    return columns < NARROW + GUTTER ? NARROW
           : columns > WIDE + GUTTER ? WIDE
                                     : columns - GUTTER;
}

static int show(const inspect_state *inspection, const char *file)
{
    const cli_options *options = &inspection->options;
    const cli_page page = {file, tw_format_name(options->format),
                           inspection->found[0] != '\0' ? inspection->found
                                                        : NULL,
                           options->show};
    cli_output output;
    int result = cli_output_open(&output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    const bool colours = !options->html && cli_has_colours(output.file);
    cli_painter painter = {
        .brush = options->html ? &cli_brush_html : &cli_brush_terminal,
        .output = &output,
        .columns = colours ? columns_of(output.file) : USUAL,
        .colours = colours,
        .split = !options->html && !colours};
    painter.columns = options->html ? WIDE : painter.columns;
    cli_show(&painter, &page, &inspection->wire);
    result = cli_output_close(&output, true);
    return result == CLI_FINE && inspection->wire.unparsed > 0 ? CLI_BAD
                                                               : result;
}

static int inspect(inspect_state *inspection, const char *file,
                   const char *text, size_t size)
{
    int result = CLI_FINE;
    if (inspection->options.format == NULL) {
        result = find_format(inspection, text, size);
    }
    if (result == CLI_FINE) {
        result = read_wire(inspection, text, size);
        result = result == CLI_FINE ? show(inspection, file) : result;
        cli_wire_drop(&inspection->wire);
    }
    return result;
}

int cli_inspect(const cli_options *options)
{
    inspect_state inspection = {.options = *options};
    const char *const path = cli_operand(options);
    cli_input input;
    const char *text = "";
    size_t size = 0;
    inspection.options.events = true; /* framing, too, is accounted for */
    int result =
        cli_input_open(&input, path, CLI_INPUT_TEXT, options->max_record);
    if (result != CLI_FINE) {
        return result;
    }
    const cli_read got = cli_input_record(&input, NULL, &text, &size);
    if (got == CLI_READ_TOO_LONG) {
        cli_say("%s: longer than --max-record", input.name);
        result = CLI_BAD;
    } else if (got == CLI_READ_RECORD || got == CLI_READ_END) {
        result = inspect(&inspection, input.name, text, size);
    } else {
        result = cli_input_code(got);
    }
    cli_input_close(&input);
    return result;
}
