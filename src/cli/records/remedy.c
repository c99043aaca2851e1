/* SPDX-License-Identifier: MIT
 *
 * Mistakes that many make: a request of another API, a file of records read as
 * one, a text read as records, a marker in what a user wrote.
 */
#include "cli/records/remedy.h"

#include <stdio.h>
#include <string.h>

/* Does the error stand behind the first of several lines, which is whole? */
static bool is_second_line(const cli_outcome *its, uint64_t offset)
{
    const char *stop =
        its->size > 0 ? memchr(its->data, '\n', its->size) : NULL;
    return stop != NULL && offset == (uint64_t)(stop - its->data) + 1;
}

/* Does the record begin as no text, list or object in JSON does? */
static bool is_prose(const cli_outcome *its)
{
    return its->size > 0 && memchr("{[\"", its->data[0], 3) == NULL &&
           its->line == 1;
}

static const char *of_json(const cli_options *options, const cli_outcome *its)
{
    const bool records = options->jsonl;
    if (its->encoder != NULL) {
        return !records && is_second_line(its, its->error->offset)
                   ? "a file of requests, one a line, is read by --jsonl"
               : is_prose(its)
                   ? "a request is an object such as {\"messages\":[...]}"
                   : NULL;
    }
    return !is_prose(its) ? NULL
           : options->command->bit == CLI_CONVERT
               ? "records are JSON, one a line; a model's text alone is read "
                 "by decode"
           : records ? "a file that is one text is read without --jsonl"
                     : NULL;
}

/* Did the prompt lose content or calls, as those of another API are? */
static bool lost_content(tw_encoder *encoder)
{
    const tw_error *report;
    bool lost = false;
    for (size_t i = 0; !lost && tw_encoder_report(encoder, i, &report) == 1;
         i++) {
        const tw_loss *loss = tw_loss_get((uint32_t)report->detail);
        lost = loss != NULL && (loss->severity == TW_SEVERITY_CONTENT ||
                                loss->severity == TW_SEVERITY_CALL);
    }
    return lost;
}

/* The request's shape, if that is another than OpenAI's. */
static const char *other_shape(const cli_outcome *its)
{
    const char *out;
    size_t out_size;
    const char *shape = NULL;
    tw_converter *converter = tw_converter_new("auto", "openai", NULL);
    if (converter != NULL &&
        tw_converter_record(converter, its->data, its->size, &out,
                            &out_size) == TW_OK) {
        shape = tw_converter_shape(converter);
    }
    tw_converter_free(converter);
    return shape != NULL && strcmp(shape, "openai") != 0 ? shape : NULL;
}

static void refuse_shape(cli_remedy *remedy, const char *shape)
{
    snprintf(remedy->message, sizeof remedy->message,
             "the request is of the shape %s: `toolwire convert -f %s -t "
             "openai` makes one of OpenAI's of it",
             shape, shape);
    remedy->error = (tw_error){TW_ERROR_SCHEMA, 0, 0, remedy->message, NULL};
}

static void add(cli_remedy *remedy, const tw_error *error, const char *what)
{
    snprintf(remedy->message, sizeof remedy->message, "%s; %s",
             error->message != NULL ? error->message : "", what);
    remedy->error = *error;
    remedy->error.message = remedy->message;
}

const tw_error *cli_remedy_find(cli_remedy *remedy, const cli_options *options,
                                const cli_outcome *its)
{
    const bool prompt = options->command->bit == CLI_ENCODE;
    const char *what = NULL;
    const char *shape = NULL;
    if (its->result == TW_ERROR_CONTROL_TEXT) {
        what = "--control-text break writes it broken, allow as it is";
    } else if (its->result == TW_ERROR_JSON) {
        what = of_json(options, its);
    } else if (prompt &&
               (its->result == TW_ERROR_SCHEMA ||
                (its->result == TW_OK && lost_content(its->encoder)))) {
        shape = other_shape(its);
    }
    if (shape != NULL) {
        refuse_shape(remedy, shape);
    } else if (what != NULL) {
        add(remedy, its->error, what);
    }
    return shape != NULL || what != NULL ? &remedy->error : NULL;
}
