/* SPDX-License-Identifier: MIT
 *
 * toolwire detect: which formats a text, the texts of a log, or what
 * assistants say in records of a shape may be, for people and as JSON.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/detect_template.h"
#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/records/detection.h"
#include "cli/shaped.h"
#include "kit/record.h"

enum { MOST_RECORDS = 200, SHOWN = 3 };

static const char *field_of(const cli_options *options)
{
    return options->field != NULL ? options->field : "text";
}

/* Records of no shape, one a line, whose text stands in a usual field: they
 * are read as --jsonl would read them.  False: there are none. */
static bool read_lines(cli_detection *found, kit_record *record,
                       cli_options *options, const char *data, size_t size)
{
    const char *field = kit_record_field(record, data, size);
    const char *end = data + size;
    if (field == NULL) {
        return false;
    }
    options->jsonl = true;
    options->field = strcmp(field, "text") != 0 ? field : NULL;
    while (data < end && found->texts < MOST_RECORDS) {
        const char *feed = memchr(data, '\n', (size_t)(end - data));
        const char *stop = feed != NULL ? feed : end;
        const char *text;
        if (kit_record_read(record, data, (size_t)(stop - data), field, &text,
                            &size) == NULL) {
            cli_detection_read(found, text, size);
        }
        data = stop + (feed != NULL);
    }
    return true;
}

static bool holds(const char *data, size_t size, const char *word)
{
    const size_t length = strlen(word);
    const char *limit = data + size;
    while ((size_t)(limit - data) >= length) {
        const char *found = memchr(data, word[0], (size_t)(limit - data));
        if (found == NULL || (size_t)(limit - found) < length) {
            return false;
        }
        if (memcmp(found, word, length) == 0) {
            return true;
        }
        data = found + 1;
    }
    return false;
}

/* A chat template, or the file of a model that has one: the markers of many
 * formats may stand in its text. */
static bool is_template(const char *data, size_t size)
{
    return holds(data, size, "{%") && holds(data, size, "messages") &&
           (holds(data, size, "endfor") || holds(data, size, "endif"));
}

/* False: it was said what is wrong. */
static bool read_record(cli_detection *found, cli_shaped *shaped,
                        kit_record *record, cli_options *options,
                        const cli_input *input, const char *data, size_t size)
{
    const char *text = data;
    if (!options->jsonl && is_template(data, size)) {
        cli_say("%s: this is a chat template: `toolwire detect --template "
                "FILE` tells its format",
                input->name);
        return false;
    }
    if (!options->jsonl &&
        (cli_shaped_read(shaped, found, data, size, MOST_RECORDS) ||
         read_lines(found, record, options, data, size))) {
        return true;
    }
    if (!options->jsonl && cli_shaped_array(record, data, size)) {
        cli_say("%s: " CLI_SHAPED_ARRAY, input->name);
        return false;
    }
    const char *field = field_of(options);
    const char *wrong = NULL;
    if (options->jsonl) {
        wrong = kit_record_read(record, data, size, field, &text, &size);
    }
    if (wrong == kit_record_no_text) {
        cli_say(
            "%s:%llu: %s '%s': name its field (--field); conversations "
            "such as {\"messages\"} are read by `toolwire convert`, -f auto",
            input->name, (unsigned long long)input->line, wrong, field);
        return false;
    }
    if (wrong != NULL) {
        cli_say("%s:%llu: %s", input->name, (unsigned long long)input->line,
                wrong);
        return false;
    }
    cli_detection_read(found, text, size);
    return true;
}

/* What is found out about the input is set in |options|. */
static int read_input(cli_detection *found, cli_shaped *shaped,
                      cli_options *options)
{
    cli_input input;
    kit_record record;
    const char *data;
    size_t size;
    cli_read got = CLI_READ_END;
    int result =
        cli_input_open(&input, cli_operand(options),
                       options->jsonl ? CLI_INPUT_RECORDS : CLI_INPUT_TEXT,
                       options->max_record);
    if (result != CLI_FINE) {
        return result;
    }
    kit_record_init(&record);
    while (found->texts < MOST_RECORDS &&
           (got = cli_input_record(&input, NULL, &data, &size)) > 0) {
        if (got == CLI_READ_TOO_LONG) {
            cli_say("%s: longer than --max-record", input.name);
        }
        if (got == CLI_READ_TOO_LONG ||
            !read_record(found, shaped, &record, options, &input, data,
                         size)) {
            result = CLI_BAD;
            break;
        }
    }
    kit_record_free(&record);
    cli_input_close(&input);
    const int code = cli_input_code(got);
    return code > result ? code : result;
}

/* ---- what is said ------------------------------------------------------- */

static void put_count(cli_output *output, size_t count, const char *one,
                      const char *many)
{
    cli_put_number(output, count);
    cli_put_text(output, count == 1 ? one : many);
}

/* How often each marker was seen; the parts stand in front of the first, of
 * each other one, and of its number.  False: none was. */
static bool put_seen(cli_output *output, const cli_candidate *one,
                     const char *first, const char *next, const char *number)
{
    const char *before = first;
    for (size_t i = 0; i < CLI_MARKERS_SEEN; i++) {
        if (one->seen[i] > 0) {
            const tw_marker *marker = cli_detection_marker(one->format, i);
            cli_put_text(output, before);
            cli_put_json(output, marker->text, marker->size);
            cli_put_text(output, number);
            cli_put_number(output, one->seen[i]);
            before = next;
        }
    }
    return before == next;
}

static void put_candidate(cli_output *output, const cli_detection *found,
                          const cli_candidate *one)
{
    cli_put_texts(output, tw_format_name(one->format), ": ");
    put_count(output, one->calls, " call in ", " calls in ");
    put_count(output, found->texts, " text", " texts");
    cli_put_text(output, one->thoughts > 0 ? ", reasoning, " : ", ");
    if (one->unparsed > 0) {
        put_count(output, one->unparsed, " call that cannot be read, ",
                  " calls that cannot be read, ");
    }
    put_count(output, one->deviations, " deviation", " deviations");
    if (one->first != NULL) {
        cli_put_texts(output, ", first: ", one->first->name);
    }
    cli_put_text(output, "\n");
    if (put_seen(output, one, "  markers seen: ", ", ", " ")) {
        cli_put_text(output, "\n");
    }
}

/* The formats behind the |i|-th that read all texts as it does. */
static size_t put_alike(cli_output *output, const cli_detection *found,
                        size_t i)
{
    const cli_candidate *one = &found->all[i];
    size_t alike = 0;
    for (size_t k = 0; k < found->count; k++) {
        if (k != i && cli_candidate_is_alike(&found->all[k], one)) {
            cli_put_texts(output, alike++ == 0 ? "  read alike by " : ", ",
                          tw_format_name(found->all[k].format));
        }
    }
    cli_put_text(output, alike > 0 ? "\n" : "");
    return alike;
}

static void put_file(cli_output *output, const cli_options *options)
{
    if (options->operand_count > 0) {
        cli_put_texts(output, " ", options->operands[0]);
    }
    cli_put_text(output, "\n");
}

static void put_command(cli_output *output, const cli_options *options,
                        const cli_detection *found, const cli_candidate *one)
{
    cli_put_texts(output, "go on with: toolwire decode -f ",
                  tw_format_name(one->format),
                  options->jsonl ? " --jsonl" : "");
    if (options->field != NULL) {
        cli_put_texts(output, " --field ", options->field);
    }
    cli_put_text(output, one->starts > 0 && one->starts == found->texts
                             ? " --start reasoning"
                             : "");
    put_file(output, options);
}

/* |format|: that of what assistants say; NULL: none of them. */
static void put_convert(cli_output *output, const cli_options *options,
                        const cli_shaped *shaped, const char *format)
{
    cli_put_texts(output, "go on with: toolwire convert -f ",
                  shaped->other != NULL ? "auto" : shaped->shape);
    if (format != NULL) {
        cli_put_texts(output, " --wire ", format);
    }
    cli_put_text(output, " -t openai");
    put_file(output, options);
}

static void put_shape(cli_output *output, const cli_shaped *shaped)
{
    cli_put_texts(output, shaped->other != NULL ? "shapes " : "shape ",
                  shaped->shape);
    if (shaped->other != NULL) {
        cli_put_texts(output, ", ", shaped->other);
    }
    cli_put_text(output, ": ");
    put_count(output, shaped->records, " record", " records");
    if (shaped->refused > 0) {
        cli_put_text(output, ", ");
        put_count(output, shaped->refused, " that convert refuses",
                  " that convert refuses");
    }
    if (shaped->other == NULL) {
        const tw_record_shape *shape = tw_record_shape_find(shaped->shape);
        cli_put_texts(output, ", ", tw_record_shape_about(shape));
    }
    cli_put_text(output, "\n");
}

/* Is the |i|-th one the first of those that read all texts as it does? */
static bool is_new(const cli_detection *found, size_t i)
{
    const cli_candidate *one = &found->all[i];
    bool result = cli_candidate_has_evidence(one);
    for (size_t k = 0; k < i && result; k++) {
        result = !cli_candidate_is_alike(one, &found->all[k]);
    }
    return result;
}

/* The first formats, each with another reading; |tied|: as good as the best.
 */
static void put_first(cli_output *output, const cli_detection *found,
                      bool tied)
{
    size_t put = 0;
    for (size_t i = 0; i < found->count && put < SHOWN; i++) {
        if (is_new(found, i) &&
            (!tied ||
             cli_candidate_compare(&found->all[i], &found->all[0]) == 0)) {
            put_candidate(output, found, &found->all[i]);
            put_alike(output, found, i);
            put++;
        }
    }
}

static void put_one(cli_output *output, const cli_options *options,
                    const cli_detection *found, const cli_shaped *shaped)
{
    put_candidate(output, found, &found->all[0]);
    if (put_alike(output, found, 0) > 0) {
        cli_put_text(output, "  nothing here tells these apart: for others of "
                             "its texts the model's name must\n");
    }
    if (shaped->shape != NULL) {
        put_convert(output, options, shaped,
                    tw_format_name(found->all[0].format));
    } else {
        put_command(output, options, found, &found->all[0]);
    }
}

static void put_none(cli_output *output, const cli_options *options,
                     const cli_shaped *shaped)
{
    if (shaped->shape != NULL) {
        put_convert(output, options, shaped, NULL);
        return;
    }
    cli_put_text(output, "no format: there is no call, no reasoning and no "
                         "wrapper of a format that is built in\n");
}

static void put_result(cli_output *output, const cli_options *options,
                       const cli_detection *found, const cli_shaped *shaped,
                       cli_verdict verdict)
{
    if (shaped->shape != NULL) {
        put_shape(output, shaped);
    }
    if (found->texts == MOST_RECORDS) {
        cli_put_text(output, "of the first ");
        put_count(output, found->texts, " text:\n", " texts:\n");
    }
    switch (verdict) {
    case CLI_VERDICT_NONE: put_none(output, options, shaped); break;
    case CLI_VERDICT_NEAR:
        cli_put_text(output, "no format reads it without a deviation; the "
                             "nearest are\n");
        put_first(output, found, false);
        break;
    case CLI_VERDICT_TIED:
        cli_put_text(output,
                     "two or more formats fit and read it differently: the "
                     "model's name must tell\n");
        put_first(output, found, true);
        break;
    case CLI_VERDICT_ONE: put_one(output, options, found, shaped); break;
    }
    if (shaped->shape != NULL &&
        (verdict == CLI_VERDICT_TIED || verdict == CLI_VERDICT_NEAR)) {
        put_convert(output, options, shaped, "FORMAT");
    }
}

/* ---- the same as JSON --------------------------------------------------- */

static void put_member(cli_output *output, const char *before, size_t number)
{
    cli_put_text(output, before);
    cli_put_number(output, number);
}

static void put_names(cli_output *output, const cli_detection *found, size_t i)
{
    const char *before = "";
    cli_put_text(output, ",\"alike\":[");
    for (size_t k = 0; k < found->count; k++) {
        if (k != i && cli_candidate_is_alike(&found->all[k], &found->all[i])) {
            const char *name = tw_format_name(found->all[k].format);
            cli_put_text(output, before);
            cli_put_string(output, name);
            before = ",";
        }
    }
    cli_put_text(output, "]}");
}

static void put_json_candidate(cli_output *output, const cli_detection *found,
                               size_t i)
{
    const cli_candidate *one = &found->all[i];
    const char *name = tw_format_name(one->format);
    cli_put_text(output, "{\"format\":");
    cli_put_string(output, name);
    put_member(output, ",\"calls\":", one->calls);
    put_member(output, ",\"reasoning\":", one->thoughts);
    put_member(output, ",\"starts_in_reasoning\":", one->starts);
    put_member(output, ",\"unparsed\":", one->unparsed);
    put_member(output, ",\"deviations\":", one->deviations);
    cli_put_text(output, ",\"first\":");
    if (one->first != NULL) {
        cli_put_string(output, one->first->name);
    } else {
        cli_put_text(output, "null");
    }
    cli_put_text(output, ",\"markers\":{");
    put_seen(output, one, "", ",", ":");
    cli_put_text(output, "}");
    put_names(output, found, i);
}

/* All readings that have something of a format, the best in front. */
static void put_json_result(cli_output *output, const cli_detection *found,
                            const cli_shaped *shaped, cli_verdict verdict)
{
    static const char *const names[] = {[CLI_VERDICT_NONE] = "none",
                                        [CLI_VERDICT_NEAR] = "near",
                                        [CLI_VERDICT_TIED] = "tied",
                                        [CLI_VERDICT_ONE] = "one"};
    const char *before = "";
    cli_put_texts(output, "{\"verdict\":\"", names[verdict], "\"");
    if (shaped->shape != NULL) {
        cli_put_text(output, ",\"shape\":");
        cli_put_string(output, shaped->other != NULL ? "auto" : shaped->shape);
        put_member(output, ",\"records\":", shaped->records);
    }
    put_member(output, ",\"texts\":", found->texts);
    cli_put_text(output, ",\"readings\":[");
    for (size_t i = 0; i < found->count; i++) {
        if (is_new(found, i)) {
            cli_put_text(output, before);
            put_json_candidate(output, found, i);
            before = ",";
        }
    }
    cli_put_text(output, "]}\n");
}

/* ---- all of it ---------------------------------------------------------- */

static int run(cli_detection *found, cli_options *options)
{
    cli_output output;
    cli_shaped shaped = {NULL, NULL, 0, 0};
    int result = read_input(found, &shaped, options);
    if (result != CLI_FINE) {
        return result;
    }
    if (found->failed) {
        return cli_no_memory();
    }
    result = cli_output_open(&output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    const cli_verdict verdict = cli_detection_judge(found);
    if (options->json) {
        put_json_result(&output, found, &shaped, verdict);
    } else {
        put_result(&output, options, found, &shaped, verdict);
    }
    const bool plain = shaped.shape != NULL && verdict == CLI_VERDICT_NONE;
    result = verdict == CLI_VERDICT_ONE || plain ? CLI_FINE : CLI_BAD;
    const int closed = cli_output_close(&output, true);
    return closed > result ? closed : result;
}

int cli_detect(const cli_options *options)
{
    cli_detection found;
    cli_options its = *options;
    const char *path = cli_operand(options);
    if (options->template_path != NULL) {
        return cli_detect_template(options);
    }
    if (path != NULL && cli_path_is_folder(path)) {
        cli_say("%s: this is a folder: `toolwire detect --template %s` tells "
                "the format of the model in it",
                path, path);
        return CLI_IO;
    }
    if (!cli_detection_begin(&found)) {
        return cli_no_memory();
    }
    const int result = run(&found, &its);
    cli_detection_drop(&found);
    return result;
}
