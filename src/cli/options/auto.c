/* SPDX-License-Identifier: MIT
 *
 * A format that is told by a chat template: -f auto, -f FOLDER.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/options/auto.h"

#include <string.h>

#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/options/template_file.h"

bool cli_is_template(const char *value)
{
    static const char end[] = ".jinja";
    const size_t size = strlen(value);
    return tw_format_find(value) == NULL &&
           ((size > sizeof end - 1 &&
             strcmp(value + size - (sizeof end - 1), end) == 0) ||
            cli_path_is_folder(value));
}

/* Was it said otherwise where the completions begin? */
static bool says_start(const cli_options *options)
{
    return options->prompt_tail != NULL ||
           options->settings[TW_OPTION_START_REASONING].name != NULL ||
           options->texts[TW_TEXT_PROMPT_FIELD].name != NULL;
}

/* Prompts are written by the template itself. */
static bool writes_prompts(const cli_options *options)
{
    return (options->command->bit & (CLI_ENCODE | CLI_EXTEND)) != 0;
}

static int take(cli_options *options, const char *path,
                const tw_template *template_)
{
    tw_detection *found = tw_template_detect(template_, NULL);
    const tw_format *format = tw_detection_format(found);
    int result = CLI_FINE;
    if (found == NULL) {
        return cli_no_memory();
    }
    if (format == NULL) {
        cli_say("%s: no format that is built in reads what the template of %s "
                "writes (`toolwire detect --template` says what it does)",
                options->command->name, path);
        result = CLI_BAD;
    } else {
        options->told_by_template = true;
        options->format = format;
        options->format_name = tw_format_name(format);
        /* Of a transcript each turn begins as its prompt ends. */
        if (tw_detection_starts_in_reasoning(found) == 1 &&
            !options->transcript && !says_start(options)) {
            options->settings[TW_OPTION_START_REASONING] =
                (cli_setting){1, "start"};
        }
    }
    tw_detection_free(found);
    return result;
}

int cli_options_auto(cli_options *options)
{
    const char *name = options->format_name;
    const bool automatic = (name == NULL || strcmp(name, "auto") == 0) &&
                           options->template_path != NULL;
    const char *path =
        automatic ? options->template_path
        : options->format == NULL && name != NULL && cli_is_template(name)
            ? name
            : NULL;
    tw_template *template_ = NULL;
    if (path == NULL || options->command->bit == CLI_DETECT) {
        return CLI_FINE;
    }
    options->template_path = path;
    if (writes_prompts(options)) {
        return CLI_FINE;
    }
    int result = cli_template_load(path, options->template_name, &template_);
    if (result == CLI_FINE) {
        result = take(options, path, template_);
    }
    tw_template_free(template_);
    return result;
}
