/* SPDX-License-Identifier: MIT
 *
 * detect: which formats a text, or the texts of a log, may be.  Each format
 * reads all of it; what they make of it decides, never a marker alone.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/records/reading.h"
#include "kit/record.h"

enum { MOST_RECORDS = 200, MOST_MARKERS = 12, SHOWN = 3 };

/* What a format made of all texts. */
typedef struct candidate {
    const tw_format *format;
    uint64_t message; /* of all that was read */
    size_t calls;
    size_t thoughts; /* texts with reasoning */
    size_t starts;   /* texts that begin inside it */
    size_t unparsed;
    size_t deviations;
    size_t misfits;
    size_t framed; /* markers of its own that are no text, and no stops */
    size_t left;   /* markers of any format that are text */
    const tw_diagnostic *first;
    size_t seen[MOST_MARKERS]; /* of its own markers */
} candidate;

typedef struct detection {
    candidate *all;
    size_t count;
    size_t texts;
    bool more;
    bool failed;
} detection;

/* ---- markers ------------------------------------------------------------ */

/* The i-th marker that structures a completion. */
static const tw_marker *marker_at(const tw_format *format, size_t i)
{
    const tw_marker *marker;
    for (size_t k = 0; tw_format_marker(format, k, &marker) == 1; k++) {
        if (marker->decoded && i-- == 0) {
            return marker;
        }
    }
    return NULL;
}

static size_t count_marker(const tw_marker *marker, const char *text,
                           size_t size)
{
    size_t count = 0;
    const char *end = text + size;
    while (marker->size <= (size_t)(end - text)) {
        text = memchr(text, marker->text[0],
                      (size_t)(end - text) - marker->size + 1);
        if (text == NULL) {
            break;
        }
        const bool found = memcmp(text, marker->text, marker->size) == 0;
        count += found;
        text += found ? marker->size : 1;
    }
    return count;
}

/* Of all formats; one that several have counts for each, for all alike. */
static size_t count_left(const detection *found, const cli_output *content)
{
    size_t left = 0;
    for (size_t i = 0; i < found->count && content->size > 0; i++) {
        const tw_marker *marker;
        const tw_format *format = found->all[i].format;
        for (size_t k = 0; (marker = marker_at(format, k)) != NULL; k++) {
            if (marker->size > 2) {
                left += count_marker(marker, content->buffer, content->size);
            }
        }
    }
    return left;
}

/* ---- reading ------------------------------------------------------------ */

static uint64_t hash(uint64_t value, const cli_output *output)
{
    size_t from = 0, to = output->size;
    while (from < to && strchr(" \t\r\n", output->buffer[from]) != NULL) {
        from++;
    }
    while (to > from && strchr(" \t\r\n", output->buffer[to - 1]) != NULL) {
        to--;
    }
    for (; from < to; from++) {
        value = (value ^ (uint8_t)output->buffer[from]) * 0x100000001B3;
    }
    return (value ^ 0x100) * 0x100000001B3;
}

static void read_as(detection *found, candidate *one, const char *text,
                    size_t size)
{
    cli_reading reading;
    const tw_marker *marker;
    cli_reading_make(&reading, one->format, text, size);
    found->failed |= reading.failed;
    one->calls += reading.call_count;
    one->thoughts += reading.reasoning.size > 0;
    one->starts += reading.started;
    one->unparsed += reading.unparsed;
    one->deviations += reading.deviations;
    one->misfits += reading.misfits;
    one->first = one->first != NULL ? one->first : reading.first;
    one->left += count_left(found, &reading.content);
    one->message = hash(one->message, &reading.calls);
    one->message = hash(one->message, &reading.content);
    one->message = hash(one->message, &reading.reasoning);
    for (size_t i = 0; (marker = marker_at(one->format, i)) != NULL; i++) {
        const size_t seen = count_marker(marker, text, size);
        const cli_output *content = &reading.content;
        if (seen > 0 && !marker->stop) {
            one->framed +=
                seen - count_marker(marker, content->buffer, content->size);
        }
        if (i < MOST_MARKERS) {
            one->seen[i] += seen;
        }
    }
    cli_reading_drop(&reading);
}

static void read_text(detection *found, const char *text, size_t size)
{
    found->texts++;
    for (size_t i = 0; i < found->count; i++) {
        read_as(found, &found->all[i], text, size);
    }
}

/* False: it was said what is wrong. */
static bool read_record(detection *found, kit_record *record,
                        const cli_options *options, const cli_input *input,
                        const char *data, size_t size)
{
    const char *text = data;
    const char *field = options->field != NULL ? options->field : "text";
    const char *wrong = NULL;
    if (options->jsonl) {
        wrong = kit_record_read(record, data, size, field, &text, &size);
    }
    if (wrong != NULL) {
        cli_say("%s:%llu: %s", input->name, (unsigned long long)input->line,
                wrong);
        return false;
    }
    read_text(found, text, size);
    return true;
}

static int read_input(detection *found, const cli_options *options)
{
    cli_input input;
    kit_record record;
    const char *data;
    size_t size;
    cli_read got = CLI_READ_END;
    int result = cli_input_open(
        &input, options->operand_count > 0 ? options->operands[0] : NULL,
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
            !read_record(found, &record, options, &input, data, size)) {
            result = CLI_BAD;
            break;
        }
    }
    found->more = found->texts == MOST_RECORDS;
    kit_record_free(&record);
    cli_input_close(&input);
    const int code = cli_input_code(got);
    return code > result ? code : result;
}

/* ---- judging ------------------------------------------------------------ */

static bool has_evidence(const candidate *one)
{
    return one->calls > 0 || one->thoughts > 0 || one->unparsed > 0 ||
           one->framed > 0;
}

static bool is_clean(const candidate *one)
{
    return one->unparsed == 0 && one->deviations == 0 && one->misfits == 0;
}

/* By what is worst: the formats in front leave less unread. */
static int compare(const candidate *one, const candidate *other)
{
    const size_t keys[][2] = {
        {!has_evidence(one), !has_evidence(other)},
        {one->unparsed + one->misfits, other->unparsed + other->misfits},
        {one->deviations, other->deviations},
        {one->left, other->left},
        {other->calls, one->calls},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/* Keeps the order of those that are alike. */
static void sort(detection *found)
{
    for (size_t i = 1; i < found->count; i++) {
        const candidate one = found->all[i];
        size_t at = i;
        for (; at > 0 && compare(&one, &found->all[at - 1]) < 0; at--) {
            found->all[at] = found->all[at - 1];
        }
        found->all[at] = one;
    }
}

static bool is_alike(const candidate *one, const candidate *other)
{
    return one->message == other->message && compare(one, other) == 0;
}

/* ---- what is said ------------------------------------------------------- */

static void put_count(cli_output *output, size_t count, const char *one,
                      const char *many)
{
    cli_put_number(output, count);
    cli_put_text(output, count == 1 ? one : many);
}

static void put_markers(cli_output *output, const candidate *one)
{
    const char *before = "  markers seen: ";
    for (size_t i = 0; i < MOST_MARKERS; i++) {
        if (one->seen[i] > 0) {
            const tw_marker *marker = marker_at(one->format, i);
            cli_put_text(output, before);
            cli_put_json(output, marker->text, marker->size);
            cli_put_text(output, " ");
            cli_put_number(output, one->seen[i]);
            before = ", ";
        }
    }
    cli_put_text(output, before[0] == ',' ? "\n" : "");
}

static void put_candidate(cli_output *output, const detection *found,
                          const candidate *one)
{
    cli_put_text(output, tw_format_name(one->format));
    cli_put_text(output, ": ");
    put_count(output, one->calls, " call in ", " calls in ");
    put_count(output, found->texts, " text", " texts");
    cli_put_text(output, one->thoughts > 0 ? ", reasoning, " : ", ");
    if (one->unparsed > 0) {
        put_count(output, one->unparsed, " call that cannot be read, ",
                  " calls that cannot be read, ");
    }
    put_count(output, one->deviations, " deviation", " deviations");
    if (one->first != NULL) {
        cli_put_text(output, ", first: ");
        cli_put_text(output, one->first->name);
    }
    cli_put_text(output, "\n");
    put_markers(output, one);
}

/* The formats behind the |i|-th that read all texts as it does. */
static size_t put_alike(cli_output *output, const detection *found, size_t i)
{
    const candidate *one = &found->all[i];
    size_t alike = 0;
    for (size_t k = 0; k < found->count; k++) {
        if (k != i && is_alike(&found->all[k], one)) {
            cli_put_text(output, alike++ == 0 ? "  read alike by " : ", ");
            cli_put_text(output, tw_format_name(found->all[k].format));
        }
    }
    cli_put_text(output, alike > 0 ? "\n" : "");
    return alike;
}

static void put_command(cli_output *output, const cli_options *options,
                        const detection *found, const candidate *one)
{
    cli_put_text(output, "go on with: toolwire decode -f ");
    cli_put_text(output, tw_format_name(one->format));
    cli_put_text(output, options->jsonl ? " --jsonl" : "");
    if (options->field != NULL) {
        cli_put_text(output, " --field ");
        cli_put_text(output, options->field);
    }
    cli_put_text(output, one->starts > 0 && one->starts == found->texts
                             ? " --start reasoning"
                             : "");
    if (options->operand_count > 0) {
        cli_put_text(output, " ");
        cli_put_text(output, options->operands[0]);
    }
    cli_put_text(output, "\n");
}

/* The first formats, each with another reading. */
static void put_first(cli_output *output, const detection *found, bool clean)
{
    size_t put = 0;
    for (size_t i = 0; i < found->count && put < SHOWN; i++) {
        const candidate *one = &found->all[i];
        bool is_new = has_evidence(one) && (!clean || is_clean(one));
        for (size_t k = 0; k < i && is_new; k++) {
            is_new = !is_alike(one, &found->all[k]);
        }
        if (is_new && (!clean || compare(one, &found->all[0]) == 0)) {
            put_candidate(output, found, one);
            put_alike(output, found, i);
            put++;
        }
    }
}

/* Is there a second reading that is as good? */
static bool is_tied(const detection *found)
{
    bool tied = false;
    for (size_t i = 1; i < found->count; i++) {
        tied |= compare(&found->all[i], &found->all[0]) == 0 &&
                found->all[i].message != found->all[0].message;
    }
    return tied;
}

static int put_result(cli_output *output, const cli_options *options,
                      const detection *found)
{
    const candidate *best = &found->all[0];
    if (found->more) {
        cli_put_text(output, "of the first ");
        put_count(output, found->texts, " text:\n", " texts:\n");
    }
    if (!has_evidence(best)) {
        cli_put_text(output,
                     "no format: there is no call, no reasoning and no "
                     "wrapper of a format that is built in\n");
        return CLI_BAD;
    }
    if (!is_clean(best)) {
        cli_put_text(output, "no format reads it without a deviation; the "
                             "nearest are\n");
        put_first(output, found, false);
        return CLI_BAD;
    }
    if (is_tied(found)) {
        cli_put_text(output,
                     "two or more formats fit and read it differently: the "
                     "model's name must tell\n");
        put_first(output, found, true);
        return CLI_BAD;
    }
    put_candidate(output, found, best);
    if (put_alike(output, found, 0) > 0) {
        cli_put_text(output, "  nothing here tells these apart: for others of "
                             "its texts the model's name must\n");
    }
    put_command(output, options, found, best);
    return CLI_FINE;
}

/* ---- all of it ---------------------------------------------------------- */

static bool make(detection *found)
{
    const tw_format *format;
    memset(found, 0, sizeof *found);
    while (tw_format_at(found->count) != NULL) {
        found->count++;
    }
    found->all = calloc(found->count, sizeof *found->all);
    for (size_t i = 0;
         found->all != NULL && (format = tw_format_at(i)) != NULL; i++) {
        found->all[i].format = format;
    }
    return found->all != NULL;
}

static int run(detection *found, const cli_options *options)
{
    cli_output output;
    int result = read_input(found, options);
    if (result != CLI_FINE) {
        return result;
    }
    if (found->failed) {
        cli_say("no memory");
        return CLI_BAD;
    }
    result = cli_output_open(&output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    sort(found);
    result = put_result(&output, options, found);
    const int closed = cli_output_close(&output, true);
    return closed > result ? closed : result;
}

int cli_detect(const cli_options *options)
{
    detection found;
    if (!make(&found)) {
        cli_say("no memory");
        return CLI_BAD;
    }
    const int result = run(&found, options);
    free(found.all);
    return result;
}
