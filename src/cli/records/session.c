/* SPDX-License-Identifier: MIT
 *
 * Makes decoders, writers and converters as the options say, and reports their
 * errors.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>

#include "cli/files/print.h"
#include "cli/options/chat_settings.h"
#include "cli/options/template_file.h"
#include "cli/records/session.h"

/* What is set: a converter, or a decoder and a writer. */
typedef struct target {
    const cli_options *options;
    tw_converter *converter;
    tw_decoder *decoder;
    tw_writer *writer;
    const cli_tools *tools;
} target;

/* ---- reports ------------------------------------------------------------ */

void cli_report_to(cli_output *output, const char *file, uint64_t line,
                   uint64_t offset, uint32_t code, const char *format)
{
    const tw_diagnostic *diagnostic = tw_diagnostic_get(code);
    if (diagnostic != NULL) {
        cli_put_at(output, file, line, offset, diagnostic->name, format,
                   diagnostic->text);
    }
}

void cli_report_error_to(cli_output *output, const char *file, uint64_t line,
                         const tw_error *error)
{
    const char *name = tw_error_name(error->code);
    const tw_diagnostic *diagnostic =
        error->detail > 0 ? tw_diagnostic_get((uint32_t)error->detail) : NULL;
    char both[512];
    const char *detail = diagnostic != NULL ? diagnostic->name : error->path;
    if (diagnostic != NULL && error->path != NULL) {
        snprintf(both, sizeof both, "%s: %s", diagnostic->name, error->path);
        detail = both;
    }
    cli_put_at(output, file, line, error->offset,
               name != NULL ? name : "error", detail,
               diagnostic != NULL ? diagnostic->text : error->message);
}

static void report_error(const char *file, uint64_t line,
                         const tw_error *error)
{
    char buffer[512];
    cli_output output = cli_standard_error(buffer, sizeof buffer);
    cli_report_error_to(&output, file, line, error);
    cli_output_flush(&output);
}

static void put_member(cli_output *output, const char *before,
                       const char *value)
{
    cli_put_text(output, before);
    cli_put_string(output, value);
}

static void put_identity(cli_output *output, tw_converter *converter)
{
    const char *json = "";
    size_t size = 0;
    if (converter != NULL &&
        tw_converter_identity(converter, &json, &size) == TW_OK && size > 0) {
        cli_put(output, json, size);
        cli_put_text(output, ",");
    }
}

void cli_put_error(cli_output *output, tw_converter *converter,
                   const tw_error *error)
{
    const char *name = tw_error_name(error->code);
    const tw_diagnostic *diagnostic =
        error->detail > 0 ? tw_diagnostic_get((uint32_t)error->detail) : NULL;
    cli_put_text(output, "{");
    put_identity(output, converter);
    put_member(output, "\"error\":{\"code\":", name != NULL ? name : "");
    if (diagnostic != NULL) {
        put_member(output, ",\"diagnostic\":", diagnostic->name);
    }
    if (error->code == TW_ERROR_LOSS) {
        put_member(output,
                   ",\"loss\":", tw_loss_get((uint32_t)error->detail)->name);
    }
    cli_put_text(output, ",\"offset\":");
    cli_put_number(output, error->offset);
    if (error->path != NULL) {
        put_member(output, ",\"path\":", error->path);
    }
    put_member(output, ",\"message\":", error->message);
    cli_put_text(output, "}}\n");
}

/* What a line of a report begins and ends with. */
static void put_place(cli_output *output, const char *file, uint64_t line,
                      const char *kind)
{
    put_member(output, "{\"file\":", file);
    cli_put_text(output, ",\"line\":");
    cli_put_number(output, line);
    put_member(output, ",\"kind\":", kind);
}

static void put_message(cli_output *output, const char *path, uint64_t offset,
                        const char *message)
{
    put_member(output, ",\"path\":", path != NULL ? path : "");
    cli_put_text(output, ",\"offset\":");
    cli_put_number(output, offset);
    put_member(output, ",\"message\":", message);
    cli_put_text(output, "}\n");
}

void cli_put_report(cli_output *output, const char *file, uint64_t line,
                    const tw_error *report)
{
    static const char *const kinds[] = {"", "loss", "template_defect",
                                        "broken_marker", "change", "warning"};
    static const char *const severities[] = {"none", "detail", "call",
                                             "content"};
    const tw_loss *loss = tw_loss_get((uint32_t)report->detail);
    put_place(output, file, line, kinds[loss->kind]);
    put_member(output, ",\"code\":", loss->name);
    put_member(output, ",\"severity\":", severities[loss->severity]);
    put_message(output, report->path, report->offset, report->message);
}

void cli_put_diagnostic(cli_output *output, const char *file, uint64_t line,
                        uint64_t offset, uint32_t code, const char *about)
{
    const tw_diagnostic *row = tw_diagnostic_get(code);
    const bool other = code == TW_DIAGNOSTIC_FOREIGN_MARKER && about != NULL;
    put_place(output, file, line, "diagnostic");
    put_member(output, ",\"code\":", row->name);
    put_member(output,
               ",\"severity\":", row->warning != 0 ? "warning" : "deviation");
    if (other) {
        put_member(output, ",\"format\":", about);
    }
    put_message(output, other ? NULL : about, offset, row->text);
}

void cli_put_more(cli_output *output, const char *file, uint64_t line,
                  uint32_t code, uint64_t more)
{
    const tw_diagnostic *row = tw_diagnostic_get(code);
    put_place(output, file, line, "diagnostic");
    put_member(output, ",\"code\":", row->name);
    put_member(output,
               ",\"severity\":", row->warning != 0 ? "warning" : "deviation");
    cli_put_text(output, ",\"more\":");
    cli_put_number(output, more);
    put_message(output, NULL, 0, row->text);
}

/* ---- options and texts -------------------------------------------------- */

static bool is_for_writers(tw_option option)
{
    return option >= TW_OPTION_HOLD_CALLS;
}

static int set(const target *to, tw_option option, int64_t value)
{
    if (to->converter != NULL) {
        return tw_converter_set(to->converter, option, value);
    }
    return is_for_writers(option) ? tw_writer_set(to->writer, option, value)
                                  : tw_decoder_set(to->decoder, option, value);
}

static int set_text(const target *to, tw_text text, const char *value)
{
    const size_t size = strlen(value);
    if (to->converter != NULL) {
        return tw_converter_set_text(to->converter, text, value, size);
    }
    return text == TW_TEXT_CALL_ID_PREFIX || text == TW_TEXT_TOOL_CHOICE
               ? tw_decoder_set_text(to->decoder, text, value, size)
               : tw_writer_set_text(to->writer, text, value, size);
}

static const tw_error *error_of(const target *to)
{
    return to->converter != NULL ? tw_converter_error(to->converter)
                                 : tw_decoder_error(to->decoder);
}

/* Not every API has a place for it. */
static void say_beside(const cli_options *options, const char *name)
{
    static const char *const names[] = {"chat", "responses", "anthropic"};
    cli_say("%s: --%s does not go with --api %s", options->command->name, name,
            names[options->api - TW_SHAPE_CHUNKS]);
}

/* Each option of a decoder takes 1, and each of a writer 0: where these fail,
 * it is not for the value. */
static bool takes(const target *to, tw_option option)
{
    const bool writers = to->writer != NULL && is_for_writers(option);
    return set(to, option, writers ? 0 : 1) == TW_OK;
}

static int apply_settings(const target *to)
{
    const cli_options *options = to->options;
    const char *command = options->command->name;
    for (size_t i = 0; i < CLI_SETTINGS; i++) {
        const cli_setting *each = &options->settings[i];
        const tw_option option = (tw_option)i;
        if (each->name == NULL || set(to, option, each->value) == TW_OK) {
            continue;
        }
        const bool beside = !takes(to, option);
        if (beside && to->writer != NULL && is_for_writers(option)) {
            say_beside(options, each->name);
        } else if (beside && options->to != NULL) {
            cli_say("%s: --%s does not go with -f %s -t %s", command,
                    each->name, options->format_name, options->to);
        } else if (beside) {
            cli_say("%s: --%s does not go with %s", command, each->name,
                    options->format_name);
        } else {
            cli_say("%s: --%s: %lld is out of range", command, each->name,
                    (long long)each->value);
        }
        return CLI_USAGE;
    }
    return CLI_FINE;
}

/* What an API has no place for is no fault of the text's. */
static bool is_beside(const target *to, tw_text text)
{
    const tw_shape api = to->options->api;
    return text == TW_TEXT_STOP_SEQUENCE
               ? api != TW_SHAPE_ANTHROPIC
               : api != TW_SHAPE_CHUNKS &&
                     (text == TW_TEXT_REASONING_KEY ||
                      text == TW_TEXT_SYSTEM_FINGERPRINT);
}

static int apply_texts(const target *to)
{
    const cli_options *options = to->options;
    for (size_t i = 0; i < CLI_TEXTS; i++) {
        const cli_text *each = &options->texts[i];
        const tw_text text = (tw_text)i;
        if (each->name == NULL || text == TW_TEXT_NOW) { /* see below */
            continue;
        }
        const int result = set_text(to, text, each->value);
        if (result == TW_ERROR_MEMORY) {
            return cli_no_memory();
        }
        if (result == TW_ERROR_ARGUMENT && is_beside(to, text)) {
            say_beside(options, each->name);
            return CLI_USAGE;
        }
        if (result != TW_OK) {
            cli_say("%s: --%s takes %s, not '%s'", options->command->name,
                    each->name,
                    text == TW_TEXT_USAGE ? "a JSON object"
                    : text == TW_TEXT_TOOL_CHOICE
                        ? "auto, none, required or the name of a tool"
                        : "UTF-8 text",
                    each->value);
            return CLI_USAGE;
        }
    }
    return CLI_FINE;
}

/* ---- tools and prompt --------------------------------------------------- */

static int give_tools(const target *to, const char *path, const char *json,
                      size_t size)
{
    const int result = to->converter != NULL
                           ? tw_converter_set_tools(to->converter, json, size)
                           : tw_decoder_set_tools(to->decoder, json, size);
    if (result == TW_OK) {
        return CLI_FINE;
    }
    report_error(path, 1, error_of(to));
    return CLI_BAD;
}

/* JSON, where the name of its file was asked for? */
static bool is_json(const char *path)
{
    return (*path == '[' || *path == '{') && strchr(path, '"') != NULL;
}

int cli_json_open(const cli_options *options, const char *path,
                  const char *what, cli_tools *tools)
{
    cli_input *input = &tools->input;
    memset(tools, 0, sizeof *tools);
    if (path == NULL) {
        return CLI_FINE;
    }
    if (is_json(path)) {
        cli_say("%s: %s are read from a file, and this is JSON: - in its "
                "place reads standard input",
                options->command->name, what);
        return CLI_USAGE;
    }
    const int result =
        cli_input_open(input, path, CLI_INPUT_JSON, options->max_record);
    if (result != CLI_FINE) {
        return result;
    }
    const cli_read got =
        cli_input_record(input, NULL, &tools->json, &tools->size);
    if (got == CLI_READ_RECORD) {
        return CLI_FINE;
    }
    if (got == CLI_READ_TOO_LONG) {
        cli_say("%s: %s are longer than --max-record", input->name, what);
    }
    cli_tools_close(tools);
    const int code = cli_input_code(got);
    return code != CLI_FINE ? code : CLI_BAD;
}

int cli_tools_open(const cli_options *options, cli_tools *tools)
{
    return cli_json_open(options, options->tools, "the tools", tools);
}

void cli_tools_close(cli_tools *tools)
{
    cli_input_close(&tools->input);
}

static int apply_tools(const target *to)
{
    const cli_tools *tools = to->tools;
    return tools->json == NULL
               ? CLI_FINE
               : give_tools(to, tools->input.name, tools->json, tools->size);
}

static int apply_prompt(const target *to)
{
    const char *tail = to->options->prompt_tail;
    if (tail == NULL) {
        return CLI_FINE;
    }
    const int result =
        to->converter != NULL
            ? tw_converter_set_prompt(to->converter, tail, strlen(tail))
            : tw_decoder_set_prompt(to->decoder, tail, strlen(tail));
    if (result == TW_OK) {
        return CLI_FINE;
    }
    report_error("--prompt-tail", 1, error_of(to));
    return CLI_BAD;
}

/* First: other options are those of its decoder, too. */
static int apply_wire(const target *to)
{
    const cli_options *options = to->options;
    const int result =
        options->wire != NULL
            ? tw_converter_set_wire(to->converter, options->wire)
            : TW_OK;
    if (result == TW_ERROR_MEMORY) {
        return cli_no_memory();
    }
    if (result != TW_OK) {
        cli_say("%s: --wire: %s", options->command->name,
                error_of(to)->message);
        return CLI_USAGE;
    }
    return CLI_FINE;
}

/* In this order: a decoder that has seen a prompt takes no option. */
static int apply(const target *to)
{
    int result = apply_settings(to);
    if (result == CLI_FINE) {
        result = apply_texts(to);
    }
    if (result == CLI_FINE) {
        result = apply_tools(to);
    }
    if (result == CLI_FINE) {
        result = apply_prompt(to);
    }
    return result;
}

/* ---- made --------------------------------------------------------------- */

static int make_converter(const cli_options *options, tw_endpoint to,
                          const cli_tools *tools, tw_converter **converter)
{
    const tw_format *to_format = to == options->to ? options->to_format : NULL;
    *converter = tw_converter_between(options->format, options->format_name,
                                      to_format, to, NULL);
    if (*converter == NULL) {
        return cli_no_memory();
    }
    const target made = {options, *converter, NULL, NULL, tools};
    const char *field = options->field;
    tw_converter_set_finish(*converter, options->finish);
    tw_converter_set_chunk(*converter, options->chunk);
    int result = apply_wire(&made);
    if (result == CLI_FINE) {
        result = apply(&made);
    }
    if (result == CLI_FINE && field != NULL &&
        tw_converter_set_text(*converter, TW_TEXT_FIELD, field,
                              strlen(field)) != TW_OK) {
        cli_say("%s: --field takes UTF-8 text, not '%s'",
                options->command->name, field);
        result = CLI_USAGE;
    }
    if (result != CLI_FINE) {
        tw_converter_free(*converter);
    }
    return result;
}

int cli_make_converter(const cli_options *options, tw_endpoint to,
                       tw_converter **converter)
{
    cli_tools tools;
    int result = cli_tools_open(options, &tools);
    if (result == CLI_FINE) {
        result = make_converter(options, to, &tools, converter);
        cli_tools_close(&tools);
    }
    return result;
}

static int set_prompts(void *converter, tw_text text, const char *data,
                       size_t size)
{
    return tw_converter_set_text(converter, text, data, size);
}

/* What the transcript's prompts show. */
static int apply_prompts(const cli_options *options, tw_converter *converter)
{
    const cli_prompts prompts = {converter, set_prompts};
    const cli_text *now = &options->texts[TW_TEXT_NOW];
    if (now->name != NULL &&
        tw_converter_set_text(converter, TW_TEXT_NOW, now->value,
                              strlen(now->value)) != TW_OK) {
        cli_say("%s: --%s: %s", options->command->name, now->name,
                tw_converter_error(converter)->message);
        return CLI_USAGE;
    }
    return cli_apply_sets(options, &prompts);
}

int cli_use_template(const cli_options *options, tw_converter *converter,
                     tw_template **template_)
{
    *template_ = NULL;
    if (!options->transcript) {
        return CLI_FINE;
    }
    int result = CLI_FINE;
    if (options->template_path != NULL) {
        result = cli_template_load(options->template_path,
                                   options->template_name, template_);
        if (result == CLI_FINE &&
            tw_converter_set_template(converter, *template_) != TW_OK) {
            result = cli_no_memory();
        }
    }
    return result == CLI_FINE ? apply_prompts(options, converter) : result;
}

int cli_make_stream(const cli_options *options, const cli_tools *tools,
                    tw_decoder **decoder, tw_writer **writer)
{
    *decoder = tw_decoder_new(options->format, NULL);
    *writer = tw_writer_new(options->api, NULL);
    const target made = {options, NULL, *decoder, *writer, tools};
    int result =
        *decoder != NULL && *writer != NULL ? CLI_FINE : cli_no_memory();
    if (result == CLI_FINE &&
        (tw_decoder_set(*decoder, TW_OPTION_KEEP_RAW, 1) != TW_OK ||
         tw_decoder_set(*decoder, TW_OPTION_FRAMING, options->events) !=
             TW_OK ||
         tw_writer_set(*writer, TW_OPTION_JOIN_CHUNKS, options->join) !=
             TW_OK ||
         tw_writer_set(*writer, TW_OPTION_SSE,
                       options->sse && !options->from_sse) != TW_OK)) {
        result = cli_no_memory();
    }
    if (result == CLI_FINE) {
        result = apply(&made);
    }
    if (result != CLI_FINE) {
        tw_decoder_free(*decoder);
        tw_writer_free(*writer);
    }
    return result;
}
