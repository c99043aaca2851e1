/* SPDX-License-Identifier: MIT
 *
 * Each format reads all of a text; what it makes of it decides, never a marker
 * alone.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/records/detection.h"

#include <stdlib.h>
#include <string.h>

#include "cli/records/reading.h"

bool cli_detection_begin(cli_detection *found)
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

void cli_detection_drop(cli_detection *found)
{
    free(found->all);
}

/* ---- markers ------------------------------------------------------------ */

/* The i-th marker that structures a completion. */
const tw_marker *cli_detection_marker(const tw_format *format, size_t i)
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

/* Of all formats; one that several have counts for each, for all alike. */
static size_t count_markers(const cli_detection *found,
                            const cli_output *content)
{
    size_t left = 0;
    for (size_t i = 0; i < found->count && content->size > 0; i++) {
        const tw_marker *marker;
        const tw_format *format = found->all[i].format;
        for (size_t k = 0; (marker = cli_detection_marker(format, k)) != NULL;
             k++) {
            if (marker->size > 2) {
                left += count_marker(marker, content->buffer, content->size);
            }
        }
    }
    return left;
}

/* Most formats make the same content of a text: it is looked through once. */
static size_t count_left(const cli_detection *found, cli_candidate *one,
                         const cli_output *content)
{
    const cli_candidate *before = found->all;
    one->content = hash(0, content);
    while (before != one && before->content != one->content) {
        before++;
    }
    one->content_left =
        before != one ? before->content_left : count_markers(found, content);
    return one->content_left;
}

static void read_as(cli_detection *found, cli_candidate *one, const char *text,
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
    one->left += count_left(found, one, &reading.content);
    one->message = hash(one->message, &reading.calls);
    one->message = hash(one->message, &reading.content);
    one->message = hash(one->message, &reading.reasoning);
    for (size_t i = 0; (marker = cli_detection_marker(one->format, i)) != NULL;
         i++) {
        const size_t seen = count_marker(marker, text, size);
        const cli_output *content = &reading.content;
        if (seen > 0 && !marker->stop) {
            one->framed +=
                seen - count_marker(marker, content->buffer, content->size);
        }
        if (i < CLI_MARKERS_SEEN) {
            one->seen[i] += seen;
        }
    }
    cli_reading_drop(&reading);
}

void cli_detection_read(cli_detection *found, const char *text, size_t size)
{
    found->texts++;
    for (size_t i = 0; i < found->count; i++) {
        read_as(found, &found->all[i], text, size);
    }
}

/* ---- judging ------------------------------------------------------------ */

bool cli_candidate_has_evidence(const cli_candidate *one)
{
    return one->calls > 0 || one->thoughts > 0 || one->unparsed > 0 ||
           one->framed > 0;
}

static bool is_clean(const cli_candidate *one)
{
    return one->unparsed == 0 && one->deviations == 0 && one->misfits == 0;
}

/* By what is worst: the formats in front leave less unread. */
int cli_candidate_compare(const cli_candidate *one, const cli_candidate *other)
{
    const size_t keys[][2] = {
        {!cli_candidate_has_evidence(one), !cli_candidate_has_evidence(other)},
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
static void sort(cli_detection *found)
{
    for (size_t i = 1; i < found->count; i++) {
        const cli_candidate one = found->all[i];
        size_t at = i;
        for (; at > 0 && cli_candidate_compare(&one, &found->all[at - 1]) < 0;
             at--) {
            found->all[at] = found->all[at - 1];
        }
        found->all[at] = one;
    }
}

bool cli_candidate_is_alike(const cli_candidate *one,
                            const cli_candidate *other)
{
    return one->message == other->message &&
           cli_candidate_compare(one, other) == 0;
}

/* Is there a second reading that is as good? */
bool cli_detection_is_tied(const cli_detection *found)
{
    bool tied = false;
    for (size_t i = 1; i < found->count; i++) {
        tied |= cli_candidate_compare(&found->all[i], &found->all[0]) == 0 &&
                found->all[i].message != found->all[0].message;
    }
    return tied;
}

cli_verdict cli_detection_judge(cli_detection *found)
{
    sort(found);
    if (!cli_candidate_has_evidence(&found->all[0])) {
        return CLI_VERDICT_NONE;
    }
    if (!is_clean(&found->all[0])) {
        return CLI_VERDICT_NEAR;
    }
    return cli_detection_is_tied(found) ? CLI_VERDICT_TIED : CLI_VERDICT_ONE;
}
