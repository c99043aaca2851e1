/* SPDX-License-Identifier: MIT
 *
 * toolwire explain: what a word in a report means.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explain/explanations.h"
#include "cli/options/near.h"
#include "cli/files/print.h"

/* What stands in error records and messages beside diagnostics. */
static const struct {
    int32_t code;
    const char *text;
} errors[] = {
    {TW_ERROR_ARGUMENT, "A value that the library cannot take."},
    {TW_ERROR_STATE, "Something was done out of order."},
    {TW_ERROR_MEMORY, "There is no memory left."},
    {TW_ERROR_LIMIT,
     "The text is longer than --limit input, or a record than --max-record."},
    {TW_ERROR_DEVIATION, "The first deviation, refused because of --strict."},
    {TW_ERROR_JSON, "A record or a tool list is not JSON."},
    {TW_ERROR_SCHEMA,
     "A record or a tool list is JSON, but not of the shape asked for."},
    {TW_ERROR_CONTROL_TEXT,
     "Text to be encoded holds a marker of the format: see --control-text."},
    {TW_ERROR_CANNOT_CARRY,
     "The format has no place for a value, or only completions of it are "
     "known."},
    {TW_ERROR_LOSS,
     "Content or a call would be lost, refused because of --loss refuse."},
    {TW_ERROR_TEMPLATE,
     "A chat template cannot be compiled, or refuses the request."},
    {TW_ERROR_UNSTABLE,
     "The template changes what stands before a new message."},
};

enum { ERROR_COUNT = sizeof errors / sizeof errors[0] };

typedef struct entry {
    const char *name;
    const char *kind;
    const char *text;
    int64_t number;
} entry;

static size_t diagnostic_count(void)
{
    size_t count = 0;
    while (tw_diagnostic_at(count) != NULL) {
        count++;
    }
    return count;
}

static size_t loss_count(void)
{
    size_t count = 0;
    while (tw_loss_at(count) != NULL) {
        count++;
    }
    return count;
}

static const char *loss_kind(const tw_loss *loss)
{
    static const char *const kinds[] = {"report", "loss: detail", "loss: call",
                                        "loss: content"};
    return kinds[loss->severity];
}

/* The i-th code of all. */
static bool entry_at(size_t i, entry *found)
{
    const tw_diagnostic *diagnostic = tw_diagnostic_at(i);
    if (diagnostic != NULL) {
        found->name = diagnostic->name;
        found->kind = diagnostic->warning != 0 ? "warning" : "deviation";
        found->text = diagnostic->text;
        found->number = diagnostic->code;
        return true;
    }
    i -= diagnostic_count();
    const tw_loss *loss = tw_loss_at(i);
    if (loss != NULL) {
        found->name = loss->name;
        found->kind = loss_kind(loss);
        found->text = loss->text;
        found->number = loss->code;
        return true;
    }
    const size_t error = i - loss_count();
    if (error >= ERROR_COUNT) {
        return false;
    }
    found->name = tw_error_name(errors[error].code);
    found->kind = "error";
    found->text = errors[error].text;
    found->number = errors[error].code;
    return true;
}

static void put_all(cli_output *output)
{
    entry each;
    char number[24];
    size_t width = 0;
    for (size_t i = 0; entry_at(i, &each); i++) {
        width = strlen(each.name) > width ? strlen(each.name) : width;
    }
    for (size_t i = 0; entry_at(i, &each); i++) {
        snprintf(number, sizeof number, "%" PRId64, each.number);
        cli_put_column(output, each.name, width + 1);
        cli_put_column(output, number, 4);
        cli_put_column(output, each.kind, 14);
        cli_put_texts(output, each.text, "\n");
    }
}

static bool find(const char *code, entry *found)
{
    char number[24];
    for (size_t i = 0; entry_at(i, found); i++) {
        snprintf(number, sizeof number, "%" PRId64, found->number);
        if (strcmp(found->name, code) == 0 || strcmp(number, code) == 0) {
            return true;
        }
    }
    return false;
}

static int unknown(const char *code)
{
    cli_near near;
    entry each;
    cli_near_init(&near, code, "");
    for (size_t i = 0; entry_at(i, &each); i++) {
        cli_near_try(&near, each.name, strlen(each.name));
    }
    cli_say("explain: unknown code '%s'%s (`toolwire explain --all` lists "
            "them)",
            code, cli_near_text(&near));
    return CLI_USAGE;
}

/* A line of its own behind its word. */
static void put_part(cli_output *output, const char *word, const char *text)
{
    cli_put_column(output, word, 9);
    cli_put_texts(output, text, "\n");
}

static void put_one(cli_output *output, const entry *found)
{
    const cli_explanation *why = cli_explanation_get(found->name);
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, found->number);
    cli_put_texts(output, found->name, " (", number, ", ", found->kind, ")\n",
                  found->text, "\n");
    put_part(output, "cause:", why->cause);
    put_part(output, "example:", why->example);
    put_part(output, "remedy:", why->remedy);
}

int cli_explain(const cli_options *options)
{
    cli_output output;
    entry found = {NULL, NULL, NULL, 0};
    if (options->for_model) {
        return cli_explain_for_model(options);
    }
    if (!options->all && !find(options->operands[0], &found)) {
        return unknown(options->operands[0]);
    }
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    if (options->all) {
        put_all(&output);
    } else {
        put_one(&output, &found);
    }
    return cli_output_close(&output, true);
}
