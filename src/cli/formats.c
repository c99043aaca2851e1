/* SPDX-License-Identifier: MIT
 *
 * toolwire formats: what there is, for people and as JSON.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/options/take.h"

static void put_lines(cli_output *output)
{
    const tw_format *format;
    size_t width = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        const size_t size = strlen(tw_format_name(format));
        width = size > width ? size : width;
    }
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        cli_put_column(output, tw_format_name(format), width + 2);
        cli_put_text(output, tw_format_about(format));
        if (tw_format_alias(format) != NULL) {
            cli_put_texts(output, " (plain `", tw_format_alias(format),
                          "` means this)");
        }
        cli_put_text(output, "\n");
    }
}

static const char *role_name(uint32_t role)
{
    switch (role) {
    case TW_MARKER_CALL_OPEN: return "call_open";
    case TW_MARKER_CALL_CLOSE: return "call_close";
    case TW_MARKER_REASONING_OPEN: return "reasoning_open";
    case TW_MARKER_REASONING_CLOSE: return "reasoning_close";
    case TW_MARKER_STRING: return "string";
    case TW_MARKER_HEADER: return "header";
    case TW_MARKER_BODY: return "body";
    case TW_MARKER_END: return "end";
    case TW_MARKER_TURN: return "turn";
    default: return "other";
    }
}

static void put_truth(cli_output *output, const char *name, uint8_t value)
{
    cli_put_texts(output, ",\"", name, value != 0 ? "\":true" : "\":false");
}

static void put_marker(cli_output *output, const tw_marker *marker)
{
    cli_put_text(output, "{\"text\":");
    cli_put_json(output, marker->text, marker->size);
    cli_put_texts(output, ",\"role\":\"", role_name(marker->role), "\"");
    put_truth(output, "token", marker->token);
    put_truth(output, "literal", marker->literal);
    put_truth(output, "stop", marker->stop);
    put_truth(output, "decoded", marker->decoded);
    cli_put_text(output, "}");
}

static void put_settings_json(cli_output *output, const tw_format *format)
{
    const tw_setting *setting;
    cli_put_text(output, ",\"settings\":[");
    for (size_t i = 0; tw_format_setting(format, i, &setting) == 1; i++) {
        cli_put_text(output, i > 0 ? ",{\"name\":" : "{\"name\":");
        cli_put_string(output, setting->name);
        cli_put_text(output, ",\"type\":");
        cli_put_string(output, setting->type);
        cli_put_text(output, ",\"about\":");
        cli_put_string(output, setting->about);
        cli_put_text(output, "}");
    }
    cli_put_text(output, "]");
}

static void put_json(cli_output *output, const tw_format *format)
{
    const char *name = tw_format_name(format);
    const char *about = tw_format_about(format);
    const tw_marker *marker;
    const char *model;
    cli_put_text(output, "{\"name\":");
    cli_put_string(output, name);
    if (tw_format_alias(format) != NULL) {
        cli_put_text(output, ",\"alias\":");
        cli_put_string(output, tw_format_alias(format));
    }
    cli_put_text(output, ",\"about\":");
    cli_put_string(output, about);
    cli_put_text(output, ",\"models\":[");
    for (size_t i = 0; (model = tw_format_model(format, i)) != NULL; i++) {
        cli_put_text(output, i > 0 ? "," : "");
        cli_put_string(output, model);
    }
    cli_put_text(output, "]");
    put_settings_json(output, format);
    put_truth(output, "prompts", tw_format_has_prompts(format) == 1);
    put_truth(output, "transcripts", tw_format_reads_transcripts(format) == 1);
    cli_put_text(output, ",\"markers\":[");
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        cli_put_text(output, i > 0 ? "," : "");
        put_marker(output, marker);
    }
    cli_put_text(output, "]}\n");
}

/* ---- one format --------------------------------------------------------- */

/* Nothing, of a format without one. */
static int put_description(cli_output *output, const tw_format *format)
{
    const size_t size = tw_format_describe(format, NULL, 0);
    char *json = malloc(size + 1);
    if (json == NULL) {
        return cli_no_memory();
    }
    tw_format_describe(format, json, size);
    cli_put(output, json, size);
    free(json);
    return CLI_FINE;
}

static void put_markers(cli_output *output, const tw_format *format)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        cli_put_text(output, "  ");
        cli_put_column(output, role_name(marker->role), 17);
        cli_put_shown_json(output, marker->text, marker->size);
        cli_put_texts(output, marker->literal ? ", in any text" : "",
                      marker->stop ? ", generation ends" : "",
                      marker->decoded ? "" : ", in prompts only", "\n");
    }
}

/* Nothing, of a format without any. */
static void put_settings(cli_output *output, const tw_format *format)
{
    const tw_setting *setting;
    for (size_t i = 0; tw_format_setting(format, i, &setting) == 1; i++) {
        cli_put_texts(output,
                      i == 0 ? "\nSettings (chat_template_kwargs, or "
                               "encode --set NAME=VALUE):\n"
                             : "",
                      "  ");
        cli_put_column(output, setting->name, 19);
        cli_put_column(output, setting->type, 9);
        cli_put_texts(output, setting->about, "\n");
    }
}

static int put_page(cli_output *output, const tw_format *format)
{
    cli_put_shown(output, tw_format_name(format));
    cli_put_text(output, ": ");
    cli_put_shown(output, tw_format_about(format));
    cli_put_text(output, tw_format_reads_transcripts(format) == 1
                             ? "\n\nPrompts and completions.\n\nMarkers:\n"
                             : "\n\nCompletions only.\n\nMarkers:\n");
    put_markers(output, format);
    put_settings(output, format);
    if (tw_format_describe(format, NULL, 0) == 0) {
        return CLI_FINE;
    }
    cli_put_text(output, "\nDescription:\n");
    return put_description(output, format);
}

static int put_one(const cli_options *options, const tw_format *format)
{
    cli_output output;
    int result = CLI_FINE;
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    if (!options->json) {
        result = put_page(&output, format);
    } else if (tw_format_describe(format, NULL, 0) > 0) {
        result = put_description(&output, format);
    } else {
        put_json(&output, format);
    }
    const int closed = cli_output_close(&output, result == CLI_FINE);
    return closed > result ? closed : result;
}

static int put_all(const cli_options *options)
{
    cli_output output;
    const tw_format *format;
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    if (!options->json) {
        put_lines(&output);
    }
    for (size_t i = 0; options->json && (format = tw_format_at(i)) != NULL;
         i++) {
        put_json(&output, format);
    }
    return cli_output_close(&output, true);
}

int cli_formats(const cli_options *options)
{
    tw_format *loaded;
    const tw_format *format;
    if (options->operand_count == 0) {
        return put_all(options);
    }
    int result = cli_find_end(options, options->operands[0], &loaded, &format);
    if (result == CLI_FINE) {
        result = put_one(options, format);
        tw_format_free(loaded);
    }
    return result;
}
