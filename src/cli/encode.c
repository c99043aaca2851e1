/* SPDX-License-Identifier: MIT
 *
 * toolwire encode: each request becomes a prompt, as text or as segments.
 * toolwire extend: what follows a prompt and a completion.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/records/losses.h"
#include "cli/files/print.h"
#include "cli/options/chat_settings.h"
#include "cli/options/same_file.h"
#include "cli/options/template_file.h"
#include "cli/records/records.h"
#include "cli/records/session.h"

/* What is wrong with a setting, by its path. */
typedef struct told_setting {
    int32_t code;
    char path[80];
} told_setting;

typedef struct encode_state {
    const cli_options *options;
    told_setting told[CLI_SETS]; /* each once */
    size_t told_count;
    cli_output output;
    cli_output report;
    bool reports;
    cli_losses losses;
    bool jsonl;
    bool extends;
    bool segments;
    bool answered; /* there is something to be kept */
} encode_state;

/* ---- settings ----------------------------------------------------------- */

static int set_text(void *encoder, tw_text text, const char *data, size_t size)
{
    return tw_encoder_set_text(encoder, text, data, size);
}

static int apply(const cli_options *options, tw_encoder *encoder)
{
    for (size_t i = 0; i < CLI_SETTINGS; i++) {
        const cli_setting *each = &options->settings[i];
        if (each->name != NULL &&
            tw_encoder_set(encoder, (tw_option)i, each->value) != TW_OK) {
            cli_say("%s: --%s is not possible", options->command->name,
                    each->name);
            return CLI_USAGE;
        }
    }
    for (size_t i = 0; i < CLI_TEXTS; i++) {
        const cli_text *each = &options->texts[i];
        if (each->name != NULL &&
            tw_encoder_set_text(encoder, (tw_text)i, each->value,
                                strlen(each->value)) != TW_OK) {
            cli_say("%s: --%s: %s", options->command->name, each->name,
                    tw_encoder_error(encoder)->message);
            return CLI_USAGE;
        }
    }
    const cli_prompts prompts = {encoder, set_text};
    return cli_apply_sets(options, &prompts);
}

/* ---- answers ------------------------------------------------------------ */

static void put_segments(cli_output *output, tw_encoder *encoder)
{
    const tw_segment *segment;
    const char *before = "[";
    while (tw_encoder_next(encoder, &segment) == 1) {
        cli_put_texts(output, before,
                      segment->control != 0 ? "{\"control\":true,\"text\":"
                                            : "{\"control\":false,\"text\":");
        cli_put_json(output, segment->data, segment->size);
        cli_put_text(output, "}");
        before = ",";
    }
    cli_put_text(output, before[0] == '[' ? "[]\n" : "]\n");
}

static void put_spans(cli_output *output, tw_encoder *encoder,
                      const cli_record *record)
{
    const tw_span *span;
    const char *before = ",\"spans\":[";
    cli_put_text(output, "{\"text\":");
    cli_put_json(output, record->text, record->size);
    for (size_t i = 0; tw_encoder_span(encoder, i, &span) == 1; i++) {
        cli_put_texts(output, before, "{\"start\":");
        cli_put_number(output, span->start);
        cli_put_text(output, ",\"end\":");
        cli_put_number(output, span->end);
        cli_put_text(output, ",\"message\":");
        if (span->message < 0) {
            cli_put_text(output, "null");
        } else {
            cli_put_number(output, (uint64_t)span->message);
        }
        cli_put_texts(output, ",\"part\":\"", span->part,
                      span->sampled != 0 ? "\",\"sampled\":true}"
                                         : "\",\"sampled\":false}");
        before = ",";
    }
    cli_put_text(output, before[1] == 0 ? "]}\n" : ",\"spans\":[]}\n");
}

static void put_append(cli_output *output, const cli_record *record)
{
    cli_put_text(output, "{\"append\":");
    cli_put_json(output, record->text, record->size);
    cli_put_text(output, "}\n");
}

static void put_unstable(cli_output *output, const tw_error *error)
{
    cli_put_text(output, "{\"stable\":false,\"path\":");
    cli_put_json(output, error->path, strlen(error->path));
    cli_put_text(output, ",\"message\":");
    cli_put_json(output, error->message, strlen(error->message));
    cli_put_text(output, "}\n");
}

/* Is |report| of a setting, one of |--set| or the request's own? */
static bool is_of_setting(const cli_options *options, const tw_error *report)
{
    static const char own[] = "chat_template_kwargs.";
    const char *path = report->path;
    bool set = report->detail == TW_LOSS_SETTING_TYPE ||
               strncmp(path, own, sizeof own - 1) == 0 ||
               strcmp(path, "enable_thinking") == 0 ||
               strcmp(path, "preserve_thinking") == 0;
    for (size_t i = 0; i < options->set_count && !set; i++) {
        const size_t size = strcspn(options->sets[i], "=");
        set = strlen(path) == size && memcmp(path, options->sets[i], size) == 0;
    }
    return set;
}

/* Was it said?  If not, it is now. */
static bool was_told(encode_state *state, const tw_error *report)
{
    told_setting *at = state->told;
    const size_t most = sizeof at->path - 1;
    for (size_t i = 0; i < state->told_count; i++, at++) {
        if (at->code == report->detail &&
            strncmp(at->path, report->path, most) == 0) {
            return true;
        }
    }
    if (state->told_count == CLI_SETS) {
        return true;
    }
    state->told_count++;
    at->code = report->detail;
    strncpy(at->path, report->path, most);
    return false;
}

/* |--set KEY=VALUE|, if |path| is of one; else the path itself. */
static void name_setting(const cli_options *options, const char *path,
                         char *name, size_t room)
{
    for (size_t i = options->set_count; i > 0; i--) {
        const char *set = options->sets[i - 1];
        const size_t size = strcspn(set, "=");
        if (strlen(path) == size && memcmp(path, set, size) == 0) {
            snprintf(name, room, "--set %s", set);
            return;
        }
    }
    snprintf(name, room, "%s", path);
}

/* Says once which setting the |report| is of. */
static void say_setting(encode_state *state, const tw_error *report)
{
    const cli_options *options = state->options;
    char name[200];
    if ((report->detail != TW_LOSS_MEMBER_DROPPED &&
         report->detail != TW_LOSS_SETTING_TYPE) ||
        report->path == NULL || !is_of_setting(options, report) ||
        was_told(state, report)) {
        return;
    }
    if (strchr(report->message, '`') != NULL) { /* beside the messages */
        cli_say("%s: warning: %s: %s", options->command->name, report->path,
                report->message);
        return;
    }
    name_setting(options, report->path, name, sizeof name);
    if (report->detail == TW_LOSS_SETTING_TYPE) {
        cli_say("%s: warning: %s: %s", options->command->name, name,
                report->message);
        return;
    }
    cli_say("%s: warning: %s: the template of %s reads no setting of this "
            "name%s%s%s",
            options->command->name, name,
            options->template_path != NULL ? options->template_path
                                           : options->format_name,
            options->template_path != NULL ? "" : " (`toolwire formats ",
            options->template_path != NULL ? "" : options->format_name,
            options->template_path != NULL ? "" : "` lists its settings)");
}

static void answer(void *context, const cli_reader *reader,
                   const cli_source *source, const cli_record *record)
{
    encode_state *state = context;
    cli_output *output = &state->output;
    const tw_error *report;
    if (record->result == TW_ERROR_UNSTABLE) {
        state->answered = true;
        put_unstable(output, record->error);
        return;
    }
    if (record->result != TW_OK) {
        if (state->jsonl) {
            cli_put_error(output, NULL, record->error);
        }
        return;
    }
    state->answered = true;
    if (state->extends) {
        put_append(output, record);
    } else if (state->options->spans) {
        put_spans(output, reader->encoder, record);
    } else if (state->segments) {
        put_segments(output, reader->encoder);
    } else if (state->jsonl) {
        cli_put_text(output, "{\"text\":");
        cli_put_json(output, record->text, record->size);
        cli_put_text(output, "}\n");
    } else {
        cli_put(output, record->text, record->size);
    }
    for (size_t i = 0; tw_encoder_report(reader->encoder, i, &report) == 1;
         i++) {
        cli_losses_add(&state->losses, state->reports ? &state->report : NULL,
                       source->name, source->line, report);
        say_setting(state, report);
    }
}

/* ---- the command -------------------------------------------------------- */

static int run(const cli_options *options, encode_state *state,
               tw_encoder *encoder)
{
    const cli_reader reader = {NULL, encoder};
    int result = cli_output_open(&state->output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    if (state->reports) {
        result = cli_output_open(&state->report, options->report);
    }
    int closed = CLI_FINE;
    if (result == CLI_FINE) {
        result = cli_records(options, &reader, &state->output, answer, state);
        cli_losses_say(&state->losses, options);
        /* Each file is kept only if both can be written. */
        bool fine = cli_output_flush(&state->output);
        fine &= !state->reports || cli_output_flush(&state->report);
        result = fine ? result : CLI_IO;
        if (state->reports) {
            closed = cli_output_close(&state->report, result < CLI_REFUSED);
            result = closed > result ? closed : result;
        }
    }
    closed = cli_output_close(
        &state->output, state->answered && cli_may_replace(options, result));
    return closed > result ? closed : result;
}

/* Does the encoder keep spans? */
static int check_spans(const cli_options *options, tw_encoder *encoder)
{
    const tw_span *span;
    if (tw_encoder_span(encoder, 0, &span) == 0) {
        return CLI_FINE;
    }
    cli_say("encode: --spans takes --template FILE, or a format with prompts; "
            "%s has none",
            options->format_name);
    return CLI_USAGE;
}

int cli_encode(const cli_options *options)
{
    encode_state state = {.options = options,
                          .reports = options->report != NULL,
                          .jsonl = options->jsonl,
                          .extends = options->command->bit == CLI_EXTEND,
                          .segments = options->segments,
                          .answered = options->jsonl};
    tw_template *template_ = NULL;
    if (options->spans && state.segments) {
        cli_say("encode: --spans and --segments exclude each other");
        return CLI_USAGE;
    }
    int result = options->template_path != NULL
                     ? cli_template_load(options->template_path,
                                         options->template_name, &template_)
                     : CLI_FINE;
    if (result != CLI_FINE) {
        return result;
    }
    tw_encoder *encoder =
        template_ != NULL
            ? tw_encoder_new_template(template_, options->format, NULL)
            : tw_encoder_new(options->format, NULL);
    result = encoder == NULL   ? cli_no_memory()
             : !options->spans ? CLI_FINE
                               : check_spans(options, encoder);
    if (result == CLI_FINE) {
        result = apply(options, encoder);
    }
    if (result == CLI_FINE) {
        result = run(options, &state, encoder);
    }
    tw_encoder_free(encoder);
    tw_template_free(template_);
    return result;
}
