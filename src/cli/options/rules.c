/* SPDX-License-Identifier: MIT
 *
 * What must be said on a command line, and what excludes what.
 */
#include "cli/options/rules.h"

#include <string.h>

#include "cli/files/print.h"
#include "cli/options/auto.h"

/* Commands that do nothing without a format or what tells it. */
enum {
    NEEDS_FORMAT = CLI_DECODE | CLI_STREAM | CLI_CHECK | CLI_ENCODE |
                   CLI_EXTEND | CLI_GEN | CLI_TEST | CLI_GRAMMAR,
    WRITES_PROMPTS = CLI_ENCODE | CLI_EXTEND
};

static bool is_stdin(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static bool reads_stdin(const cli_options *options)
{
    int count = options->operand_count == 0 && options->command->most > 0;
    for (int i = 0; i < options->operand_count; i++) {
        count += is_stdin(options->operands[i]);
    }
    return count > 0;
}

static const char *given_text(const cli_options *options, tw_text text)
{
    return options->texts[text].name;
}

static const char *given_setting(const cli_options *options, tw_option option)
{
    return options->settings[option].name;
}

/* What is said of spans. */
static bool given_sampled(const cli_options *options)
{
    return given_setting(options, TW_OPTION_SAMPLED_LAST) != NULL ||
           given_setting(options, TW_OPTION_SAMPLED_NO_REASONING) != NULL ||
           given_setting(options, TW_OPTION_SAMPLED_BY_WEIGHT) != NULL;
}

/* Of a unit only the one that is not the default asks for something. */
static const char *given_unit(const cli_options *options)
{
    const cli_setting *unit = &options->settings[TW_OPTION_UNIT_COMPLETION];
    return unit->value == 1 ? unit->name : NULL;
}

/* What a server's stream says by itself; NULL: it is not said twice. */
static const char *said_twice(const cli_options *options)
{
    const char *const names[] = {
        given_text(options, TW_TEXT_ID),
        given_text(options, TW_TEXT_MODEL),
        given_setting(options, TW_OPTION_CREATED),
        given_setting(options, TW_OPTION_CHOICE),
        given_text(options, TW_TEXT_SYSTEM_FINGERPRINT),
        given_text(options, TW_TEXT_FINISH_REASON),
        given_text(options, TW_TEXT_USAGE),
        given_text(options, TW_TEXT_STOP_SEQUENCE),
        options->events ? "events" : NULL,
        options->chunk > 0 ? "chunk" : NULL,
        options->finish != TW_FINISH_UNKNOWN ? "finish" : NULL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i] != NULL) {
            return names[i];
        }
    }
    return NULL;
}

static int refuse_surplus(const cli_options *options)
{
    const cli_command *command = options->command;
    if (command->most == 0) {
        cli_say("%s: '%s' is surplus: %s takes options only%s", command->name,
                options->operands[0], command->name,
                command->bit == CLI_GRAMMAR ? ", and --tools names the tools"
                                            : "");
    } else {
        cli_say("%s: '%s' is surplus: %s takes one operand, and that is '%s'",
                command->name, options->operands[1], command->name,
                options->operands[0]);
    }
    return CLI_USAGE;
}

static bool is_auto(const cli_options *options)
{
    return options->format_name != NULL &&
           strcmp(options->format_name, "auto") == 0 &&
           options->template_path == NULL;
}

/* What has to be otherwise, and how to mend that. */
typedef struct rule {
    bool broken;
    const char *says;
} rule;

/* What the first broken rule says; NULL: none is. */
static const char *first_broken(const rule *rules, size_t count)
{
    size_t i = 0;
    while (i < count && !rules[i].broken) {
        i++;
    }
    return i < count ? rules[i].says : NULL;
}

/* What a command cannot do without; NULL: all of that is there. */
static const char *missing(const cli_options *options)
{
    const bool no_operand = options->operand_count == 0;
    const unsigned bit = options->command->bit;
    const bool all =
        bit == CLI_TEST &&
        (options->all || options->cases != NULL || options->templates != NULL);
    const bool needs = (bit & NEEDS_FORMAT) != 0;
    const bool told =
        options->template_path != NULL && (bit & WRITES_PROMPTS) != 0;
    const bool no_from = bit == CLI_CONVERT && options->format_name == NULL;
    const bool no_to = bit == CLI_CONVERT && options->to == NULL;
    const rule rules[] = {
        {needs && is_auto(options),
         "-f auto goes with --template FILE: name the model's template or its "
         "folder"},
        {needs && !all && options->format == NULL && !told && !no_operand &&
             tw_format_find(options->operands[0]) != NULL,
         "-f FORMAT is missing: the name of a format stands behind -f"},
        {needs && options->format == NULL && !told &&
             (bit & WRITES_PROMPTS) != 0,
         "-f FORMAT or --template FILE is missing: name a format (`toolwire "
         "formats` lists them), or a chat template or its folder"},
        {needs && !all && options->format == NULL && !told,
         "-f FORMAT is missing: name the format (`toolwire formats` lists "
         "them)"},
        {no_from && no_to,
         "-f FROM and -t TO are missing: name a format or a shape of records "
         "for each (`toolwire convert --help` lists the shapes)"},
        {no_from, "-f FROM is missing: name the format or the shape of the "
                  "records that are read (`toolwire convert --help` lists the "
                  "shapes)"},
        {no_to, "-t TO is missing: name the format or the shape of the "
                "records to be written (`toolwire convert --help` lists the "
                "shapes)"},
        {bit == CLI_TEST && options->cmd == NULL && options->grammar == NULL &&
             options->templates == NULL,
         "--cmd COMMAND is missing: name the parser to be tested"},
        {bit == CLI_EXPLAIN && no_operand && !options->all &&
             !options->for_model,
         "CODE is missing: name one, or give --all, which lists them"},
        {bit == CLI_CHECK_FORMAT && no_operand,
         "FILE is missing: name the description"},
        {bit == CLI_COMPLETION && no_operand,
         "SHELL is missing: name one (" CLI_SHELLS ")"}};
    return first_broken(rules, sizeof rules / sizeof *rules);
}

/* What names a field that is said of a text; NULL: none is given. */
static const char *given_own(const cli_options *options)
{
    const char *prompt = given_text(options, TW_TEXT_PROMPT_FIELD);
    return prompt != NULL ? prompt : given_text(options, TW_TEXT_FINISH_FIELD);
}

/* What says how text is read, where none is: records of a shape become records
 * of another.  NULL: nothing is misplaced so. */
static const char *without_text(const cli_options *options)
{
    const bool reads = options->format != NULL || options->wire != NULL;
    const char *const names[] = {
        options->tools != NULL &&
                given_setting(options, TW_OPTION_VALIDATE) == NULL
            ? "tools"
            : NULL,
        options->prompt_tail != NULL ? "prompt-tail" : NULL,
        options->finish != TW_FINISH_UNKNOWN ? "finish" : NULL,
        options->chunk > 0 ? "chunk" : NULL,
        options->field != NULL && options->to_format == NULL ? "field" : NULL,
        given_own(options),
        options->to_format == NULL ? given_unit(options) : NULL};
    for (size_t i = 0; !reads && i < sizeof names / sizeof names[0]; i++) {
        if (names[i] != NULL) {
            return names[i];
        }
    }
    return NULL;
}

static bool has_empty_path(const cli_options *options)
{
    const cli_text *path = &options->texts[TW_TEXT_MESSAGES];
    return path->name != NULL && *path->value == '\0';
}

/* No record of such a log can be converted: that is said once. */
static const char *promptless(const cli_options *options)
{
    const tw_format *from = options->format, *to = options->to_format;
    if (options->command->bit != CLI_CONVERT || given_unit(options) != NULL) {
        return NULL;
    }
    if (to != NULL && tw_format_has_prompts(to) == 0) {
        return "of the format of -t only completions are written: --unit "
               "completion takes the last message of each record";
    }
    return from != NULL && tw_format_has_prompts(from) == 0
               ? "of the format of -f only completions are read: --unit "
                 "completion says that a text is one"
               : NULL;
}

/* Are transcripts read that a template wrote? */
static bool reads_by_template(const cli_options *options)
{
    const tw_format *format = options->format;
    return options->transcript && (options->template_path != NULL ||
                                   (tw_format_has_prompts(format) == 1 &&
                                    tw_format_reads_transcripts(format) == 0));
}

/* Options of `test` that exclude each other; NULL: none do. */
static const char *misplaced_in_test(const cli_options *options)
{
    const bool choice = options->all || options->kind != NULL;
    const bool others =
        options->cmd != NULL || choice || options->leave_out != NULL;
    const rule rules[] = {
        {options->all && options->format != NULL,
         "-f FORMAT and --all exclude each other: give one of them"},
        {options->cases != NULL && (choice || options->grammar != NULL),
         "--cases excludes --all, --class and --grammar: leave them out"},
        {options->grammar != NULL && others,
         "--grammar excludes --cmd, --all, --class and --not: leave them out"},
        {options->templates != NULL &&
             (others || options->format != NULL || options->grammar != NULL ||
              options->cases != NULL),
         "--templates goes with --count, --seed, --patience and -o alone: "
         "leave the others out"},
        {options->grammar == NULL && options->target != NULL,
         "--target has no effect without --grammar"}};
    return options->command->bit == CLI_TEST
               ? first_broken(rules, sizeof rules / sizeof *rules)
               : NULL;
}

/* Are messages said to stand in records that have no place for that? */
static bool has_foreign_path(const cli_options *options)
{
    return given_text(options, TW_TEXT_MESSAGES) != NULL &&
           strcmp(options->format_name, "openai") != 0 &&
           strcmp(options->format_name, "huggingface") != 0;
}

/* What has no effect without another option, or excludes it; NULL: nothing. */
static const char *misplaced(const cli_options *options)
{
    const unsigned bit = options->command->bit;
    const bool own = given_own(options) != NULL;
    const bool texts = !options->jsonl && bit != CLI_CONVERT;
    const bool sets =
        options->set_count > 0 || given_text(options, TW_TEXT_NOW) != NULL;
    const rule rules[] = {
        {options->field != NULL && texts,
         "--field has no effect without --jsonl: give both, or none"},
        {own && texts, "--prompt-field and --finish-field have no effect "
                       "without --jsonl"},
        {own && options->wire != NULL,
         "--prompt-field and --finish-field do not go with --wire: a record "
         "has many texts"},
        {has_foreign_path(options),
         "--messages goes with -f openai alone: other shapes say where their "
         "messages are"},
        {has_empty_path(options),
         "--messages takes a path, such as a.0.b, not ''"},
        {bit == CLI_STREAM && !options->from_sse &&
             options->max_record != CLI_MAX_RECORD,
         "--max-record has no effect without --from-sse: text has no records"},
        {options->events && options->api_name != NULL,
         "--api has no effect with --events: give one of them"},
        {is_stdin(options->tools) && reads_stdin(options),
         "stdin cannot be both the tools and the input: name a file for one "
         "of them"},
        {bit == CLI_EXPLAIN && options->all && options->operand_count > 0,
         "CODE and --all exclude each other: give one of them"},
        {options->template_path != NULL &&
             (bit & (WRITES_PROMPTS | CLI_DETECT)) == 0 &&
             !options->told_by_template && !options->transcript,
         "--template has no effect with a format that is named: -f auto lets "
         "it tell the format"},
        {sets && (bit & WRITES_PROMPTS) == 0 && !reads_by_template(options),
         "--set and --now are of templates: they go with --transcript, and "
         "--template or a format that has no reader of its own"},
        {given_sampled(options) && !options->spans,
         "--sampled-last and its like have no effect without --spans"}};
    const char *wrong = first_broken(rules, sizeof rules / sizeof *rules);
    wrong = wrong != NULL ? wrong : misplaced_in_test(options);
    return wrong != NULL ? wrong : promptless(options);
}

/* A name that a format and a shape of records have is the shape's, unless
 * --unit says what a format's text is. */
static void choose_ends(cli_options *options)
{
    const bool unit =
        options->command->bit != CLI_CONVERT ||
        given_setting(options, TW_OPTION_UNIT_COMPLETION) != NULL;
    if (!unit && options->loaded[0] == NULL &&
        tw_record_shape_find(options->format_name) != NULL) {
        options->format = NULL;
    }
    if (!unit && options->loaded[1] == NULL &&
        tw_record_shape_find(options->to) != NULL) {
        options->to_format = NULL;
    }
}

int cli_options_check(cli_options *options)
{
    const cli_command *command = options->command;
    const char *twice = options->from_sse ? said_twice(options) : NULL;
    if (twice != NULL) {
        cli_say("%s: --%s does not go with --from-sse", command->name, twice);
        return CLI_USAGE;
    }
    const int found = cli_options_auto(options);
    if (found != CLI_FINE) {
        return found;
    }
    choose_ends(options);
    const char *wrong = missing(options);
    if (wrong == NULL && options->operand_count > command->most) {
        return refuse_surplus(options);
    }
    const char *textless = wrong == NULL && command->bit == CLI_CONVERT
                               ? without_text(options)
                               : NULL;
    if (textless != NULL) {
        cli_say("%s: --%s has no effect with -f %s -t %s: no text of a model "
                "is read there",
                command->name, textless, options->format_name, options->to);
        return CLI_USAGE;
    }
    wrong = wrong != NULL ? wrong : misplaced(options);
    if (wrong == NULL) {
        return CLI_FINE;
    }
    cli_say("%s: %s", command->name, wrong);
    return CLI_USAGE;
}
