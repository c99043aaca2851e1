/* SPDX-License-Identifier: MIT
 *
 * toolwire detect --template: what the library finds, said.
 */
#include "cli/detect_template.h"

#include "cli/files/print.h"
#include "cli/options/template_file.h"

static void put_draft(cli_output *output, const tw_detection *found)
{
    size_t size;
    const char *draft = tw_detection_draft(found, &size);
    if (draft != NULL) {
        cli_put_text(output, "  a draft of a description, which reads what "
                             "was tried (save it, and look at it):\n");
        cli_put(output, draft, size);
        cli_put_text(output, "\n");
    }
}

static void put_result(cli_output *output, const tw_detection *found)
{
    const tw_format *format = tw_detection_format(found);
    const tw_format *other;
    const char *setting;
    if (format == NULL) {
        cli_put_text(output, "no format that is built in reads what the "
                             "template writes\n");
        put_draft(output, found);
        return;
    }
    cli_put_texts(output, tw_format_name(format),
                  ": reads back the turns that the template writes\n",
                  tw_detection_starts_in_reasoning(found) == 1
                      ? "  its prompt ends inside reasoning\n"
                      : "  its prompt ends outside of reasoning\n");
    for (size_t i = 0; (setting = tw_detection_otherwise(found, i)) != NULL;
         i++) {
        cli_put_texts(output, i == 0 ? "  and otherwise with " : ", ",
                      setting);
    }
    cli_put_text(output, tw_detection_otherwise(found, 0) != NULL ? "\n" : "");
    for (size_t i = 0; (other = tw_detection_other(found, i)) != NULL; i++) {
        cli_put_texts(output, i == 0 ? "  also read by: " : ", ",
                      tw_format_name(other));
    }
    cli_put_text(output, tw_detection_other(found, 0) != NULL ? "\n" : "");
}

static int answer(const cli_options *options, const tw_detection *found)
{
    cli_output output;
    int result = cli_output_open(&output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    if (options->json) {
        size_t size;
        const char *json = tw_detection_json(found, &size);
        cli_put(&output, json, size);
        cli_put_text(&output, "\n");
    } else {
        put_result(&output, found);
    }
    result = tw_detection_format(found) != NULL ? CLI_FINE : CLI_BAD;
    const int closed = cli_output_close(&output, true);
    return closed > result ? closed : result;
}

int cli_detect_template(const cli_options *options)
{
    tw_template *template_ = NULL;
    int result = cli_template_load(options->template_path,
                                   options->template_name, &template_);
    if (result == CLI_FINE) {
        tw_detection *found = tw_template_detect(template_, NULL);
        result = found != NULL ? answer(options, found) : cli_no_memory();
        tw_detection_free(found);
    }
    tw_template_free(template_);
    return result;
}
