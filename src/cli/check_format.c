/* SPDX-License-Identifier: MIT
 *
 * check-format: a description, what is doubtful in it, which formats that are
 * built in are near to it, and a sample that was written and read back.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/records/reading.h"
#include "cli/options/format_file.h"

#define THOUGHT "The tide at Brest is asked for."
#define TEXT "Let me look."
#define NAME "get_tide"
#define ARGUMENTS "{\\\"harbour\\\":\\\"Brest\\\",\\\"unit\\\":\\\"m\\\"}"

#define WORDS                                                  \
    "{\"role\":\"assistant\",\"reasoning_content\":\"" THOUGHT \
    "\",\"content\":\"" TEXT "\""

#define MESSAGE(id)                                                 \
    WORDS ",\"tool_calls\":[{\"id\":\"" id                          \
          "\",\"type\":\"function\",\"function\":{\"name\":\"" NAME \
          "\",\"arguments\":\"" ARGUMENTS "\"}}]}"

/* Formats that count ids, or write any, and those that write ids of nine. */
static const char *const messages[] = {MESSAGE("call_0"),
                                       MESSAGE("Br35tT1d3")};

/* How the call of it is read: its name and its arguments. */
static const char expected[] =
    NAME "\n{\"harbour\":\"Brest\",\"unit\":\"m\"}\n";

/* ---- the sample --------------------------------------------------------- */

typedef struct sample_text {
    tw_encoder *encoder; /* |text| is its own */
    const char *text;
    size_t size;
    bool no_text; /* the format has no place for it beside a call */
    bool no_reasoning;
    bool no_calls;
    cli_reading reading;
} sample_text;

static bool is_text(const cli_output *output, const char *text)
{
    return output->size == strlen(text) &&
           memcmp(output->buffer, text, output->size) == 0;
}

/* NULL, or what came back otherwise. */
static const char *differs(const sample_text *sample)
{
    const cli_reading *reading = &sample->reading;
    return !is_text(&reading->calls, sample->no_calls ? "" : expected)
               ? "its call comes back otherwise"
           : reading->first != NULL ? reading->first->text
           : !sample->no_text && !is_text(&reading->content, TEXT)
               ? "its text comes back otherwise"
           : !sample->no_reasoning && !is_text(&reading->reasoning, THOUGHT)
               ? "its reasoning comes back otherwise"
               : NULL;
}

static bool write_sample(sample_text *made, const char *message)
{
    return tw_encode_completion(made->encoder, message, strlen(message),
                                &made->text, &made->size) == TW_OK;
}

static bool opens_calls(const tw_format *format)
{
    const tw_marker *marker;
    bool found = false;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        found |= marker->role == TW_MARKER_CALL_OPEN;
    }
    return found;
}

/* A message without a call, where the format has none. */
static bool write_words(sample_text *made, const tw_format *format)
{
    made->no_calls = !opens_calls(format) && write_sample(made, WORDS "}");
    return made->no_calls;
}

/* False: it was said why there is none. */
static bool make_sample(sample_text *made, const char *file,
                        const tw_format *format)
{
    const tw_error *report;
    memset(made, 0, sizeof *made);
    made->encoder = tw_encoder_new(format, NULL);
    /* What does not read back is shown, not refused. */
    tw_encoder_set(made->encoder, TW_OPTION_CONTROL_TEXT,
                   TW_CONTROL_TEXT_ALLOW);
    if (made->encoder == NULL ||
        (!write_sample(made, messages[0]) &&
         !write_sample(made, messages[1]) && !write_words(made, format))) {
        cli_say("%s: a sample cannot be written: %s", file,
                made->encoder != NULL
                    ? tw_encoder_error(made->encoder)->message
                    : "no memory");
        tw_encoder_free(made->encoder);
        return false;
    }
    for (size_t i = 0; tw_encoder_report(made->encoder, i, &report) == 1;
         i++) {
        const tw_loss *loss = tw_loss_get((uint32_t)report->detail);
        const bool reasoning = report->detail == TW_LOSS_REASONING_DROPPED;
        made->no_reasoning |= reasoning;
        made->no_text |= loss->severity == TW_SEVERITY_CONTENT && !reasoning;
    }
    cli_reading_make(&made->reading, format, made->text, made->size);
    return true;
}

static int put_sample(cli_output *output, const sample_text *sample)
{
    const char *wrong = differs(sample);
    cli_put_text(output, wrong == NULL ? "sample, read back: "
                                       : "sample, not read back: ");
    cli_put_shown_json(output, sample->text, sample->size);
    cli_put_text(output, "\n");
    if (wrong != NULL) {
        cli_put_texts(output, "error: the sample does not read back: ", wrong,
                      "\n");
    } else if (sample->reading.started) {
        cli_put_text(output,
                     "warning: what it writes begins inside reasoning: "
                     "--start reasoning, or the end of the prompt\n");
    }
    cli_put_texts(
        output,
        sample->no_text ? "warning: the format has no place "
                          "for text beside a call\n"
                        : "",
        sample->no_reasoning ? "warning: the format has no place for "
                               "reasoning\n"
                             : "",
        sample->no_calls ? "warning: the format has no place for calls\n"
                         : "");
    return wrong == NULL ? CLI_FINE : CLI_BAD;
}

/* ---- the nearest formats ------------------------------------------------ */

enum { NEAREST = 3 };

typedef struct neighbour {
    const tw_format *format;
    bool alike;    /* reads the sample as the format does */
    size_t shared; /* markers */
} neighbour;

static bool has_marker(const tw_format *format, const tw_marker *wanted)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->decoded && marker->role <= TW_MARKER_BODY &&
            marker->size == wanted->size &&
            memcmp(marker->text, wanted->text, wanted->size) == 0) {
            return true;
        }
    }
    return false;
}

static size_t count_shared(const tw_format *one, const tw_format *other)
{
    const tw_marker *marker;
    size_t count = 0;
    for (size_t i = 0; tw_format_marker(one, i, &marker) == 1; i++) {
        count += marker->decoded && marker->role <= TW_MARKER_BODY &&
                 has_marker(other, marker);
    }
    return count;
}

static bool is_nearer(const neighbour *one, const neighbour *other)
{
    return one->alike != other->alike ? one->alike
                                      : one->shared > other->shared;
}

static size_t find_nearest(neighbour found[NEAREST + 1],
                           const tw_format *format, const sample_text *sample)
{
    size_t count = 0;
    neighbour one;
    for (size_t i = 0; (one.format = tw_format_at(i)) != NULL; i++) {
        cli_reading reading;
        cli_reading_make(&reading, one.format, sample->text, sample->size);
        one.alike = differs(sample) == NULL &&
                    cli_reading_is_clean(&reading) &&
                    cli_reading_same(&reading, &sample->reading);
        one.shared = count_shared(format, one.format);
        cli_reading_drop(&reading);
        size_t at = count;
        for (; at > 0 && is_nearer(&one, &found[at - 1]); at--) {
            found[at] = found[at - 1];
        }
        found[at] = one;
        count += one.alike || one.shared > 0;
        count = count < NEAREST ? count : NEAREST;
    }
    return count;
}

static void put_nearest(cli_output *output, const tw_format *format,
                        const sample_text *sample)
{
    neighbour found[NEAREST + 1];
    const size_t count = find_nearest(found, format, sample);
    for (size_t i = 0; i < count; i++) {
        cli_put_texts(output, "near: ", tw_format_name(found[i].format),
                      found[i].alike ? " reads the sample alike, "
                                     : " does not read the sample, ");
        cli_put_number(output, found[i].shared);
        cli_put_text(output, found[i].shared == 1 ? " marker is the same\n"
                                                  : " markers are the same\n");
    }
    if (count == 0) {
        cli_put_text(output, "near: no format that is built in shares a "
                             "marker\n");
    }
}

/* ---- all of it ---------------------------------------------------------- */

static void put_warnings(cli_output *output, const tw_format *format)
{
    const char *warning;
    for (size_t i = 0; (warning = tw_format_warning(format, i)) != NULL; i++) {
        cli_put_text(output, "warning: ");
        cli_put_shown(output, warning);
        cli_put_text(output, "\n");
    }
    if (tw_format_find(tw_format_name(format)) != NULL) {
        cli_put_text(output, "warning: name: a format that is built in has "
                             "it, and -f takes that one for the name\n");
    }
}

static int put_all(const cli_options *options, const tw_format *format)
{
    cli_output output;
    sample_text sample;
    if (!make_sample(&sample, options->operands[0], format)) {
        return CLI_BAD;
    }
    int result = cli_output_open(&output, options->output);
    if (result == CLI_FINE) {
        cli_put_text(&output, "loads: ");
        cli_put_shown(&output, tw_format_name(format));
        cli_put_text(&output, tw_format_about(format)[0] != '\0' ? ": " : "");
        cli_put_shown(&output, tw_format_about(format));
        cli_put_text(&output, "\n");
        put_warnings(&output, format);
        result = put_sample(&output, &sample);
        put_nearest(&output, format, &sample);
        const int closed = cli_output_close(&output, true);
        result = closed > result ? closed : result;
    }
    cli_reading_drop(&sample.reading);
    tw_encoder_free(sample.encoder);
    return result;
}

int cli_check_format(const cli_options *options)
{
    tw_format *format;
    int result = cli_format_load(options->operands[0], &format);
    if (result == CLI_FINE) {
        result = put_all(options, format);
        tw_format_free(format);
    }
    return result;
}
