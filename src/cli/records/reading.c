/* SPDX-License-Identifier: MIT
 *
 * Runs a decoder over a text, and keeps its events as words and what they say
 * against the format.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/files/print.h"
#include "cli/records/reading.h"

/* ---- events ------------------------------------------------------------- */

/* JSON without the white space between its lexemes; |inside| a string it
 * stays, and the state goes from piece to piece. */
typedef struct squeezer {
    bool inside;
    bool escaped;
} squeezer;

static void squeeze(squeezer *state, cli_output *output, const char *json,
                    size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = json[i];
        if (state->inside || memchr(" \t\n\r", c, 4) == NULL) {
            cli_put(output, &c, 1);
        }
        const bool quote = c == '"' && !state->escaped;
        state->escaped = state->inside && c == '\\' && !state->escaped;
        state->inside ^= quote;
    }
}

static void take_diagnostic(cli_reading *reading, const tw_event *event)
{
    const tw_diagnostic *found = tw_diagnostic_get(event->code);
    const bool orphan = event->code == TW_DIAGNOSTIC_ORPHAN_REASONING_CLOSE;
    const bool misfit = event->code == TW_DIAGNOSTIC_FOREIGN_MARKER || orphan;
    reading->misfits |= misfit;
    reading->orphaned |= orphan;
    if (found == NULL || (found->warning != 0 && !misfit)) {
        return;
    }
    reading->deviations += found->warning == 0;
    if (reading->first == NULL) {
        reading->first = found;
    }
}

static void take(cli_reading *reading, squeezer *json, const tw_event *event)
{
    switch (event->type) {
    case TW_EVENT_TEXT:
        cli_put(&reading->content, event->data, event->size);
        break;
    case TW_EVENT_REASONING:
        cli_put(&reading->reasoning, event->data, event->size);
        break;
    case TW_EVENT_CALL_BEGIN:
        json->inside = json->escaped = false;
        cli_put(&reading->calls, event->data, event->size);
        cli_put_text(&reading->calls, "\n");
        break;
    case TW_EVENT_CALL_ARGUMENTS:
        squeeze(json, &reading->calls, event->data, event->size);
        break;
    case TW_EVENT_CALL_END:
        cli_put_text(&reading->calls, "\n");
        reading->call_count += event->code == TW_CALL_COMPLETE;
        break;
    case TW_EVENT_UNPARSED: reading->unparsed++; break;
    case TW_EVENT_DIAGNOSTIC: take_diagnostic(reading, event); break;
    default: break;
    }
}

static void drain(cli_reading *reading, squeezer *json, tw_decoder *decoder)
{
    const tw_event *event;
    int result;
    while ((result = tw_decoder_next(decoder, &event)) == 1) {
        take(reading, json, event);
    }
    reading->failed |= result < 0;
}

static void make(cli_reading *reading, const tw_format *format,
                 const char *text, size_t size, bool started)
{
    squeezer json = {false, false};
    memset(reading, 0, sizeof *reading);
    cli_output_collect(&reading->content);
    cli_output_collect(&reading->reasoning);
    cli_output_collect(&reading->calls);
    reading->started = started;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    reading->failed =
        decoder == NULL ||
        tw_decoder_set(decoder, TW_OPTION_START_REASONING, started) != TW_OK ||
        tw_decoder_feed(decoder, text, size, TW_MARK_UNKNOWN) != TW_OK;
    if (!reading->failed) {
        drain(reading, &json, decoder);
        reading->failed |= tw_decoder_finish(decoder, TW_FINISH_STOP) != TW_OK;
        drain(reading, &json, decoder);
    }
    tw_decoder_free(decoder);
    reading->failed |= reading->content.failed || reading->reasoning.failed ||
                       reading->calls.failed;
}

void cli_reading_make(cli_reading *reading, const tw_format *format,
                      const char *text, size_t size)
{
    make(reading, format, text, size, false);
    if (reading->orphaned) {
        cli_reading_drop(reading);
        make(reading, format, text, size, true);
    }
}

void cli_reading_drop(cli_reading *reading)
{
    cli_output_drop(&reading->content);
    cli_output_drop(&reading->reasoning);
    cli_output_drop(&reading->calls);
}

/* ---- comparing ---------------------------------------------------------- */

static bool same_trimmed(const cli_output *one, const cli_output *other)
{
    const cli_output *const both[] = {one, other};
    const char *begin[2];
    size_t size[2];
    for (size_t i = 0; i < 2; i++) {
        begin[i] = both[i]->buffer;
        size[i] = both[i]->size;
        while (size[i] > 0 && cli_is_blank(begin[i][0])) {
            begin[i]++;
            size[i]--;
        }
        while (size[i] > 0 && cli_is_blank(begin[i][size[i] - 1])) {
            size[i]--;
        }
    }
    return size[0] == size[1] &&
           (size[0] == 0 || memcmp(begin[0], begin[1], size[0]) == 0);
}

bool cli_reading_same(const cli_reading *one, const cli_reading *other)
{
    return same_trimmed(&one->calls, &other->calls) &&
           same_trimmed(&one->content, &other->content) &&
           same_trimmed(&one->reasoning, &other->reasoning);
}

bool cli_reading_is_clean(const cli_reading *reading)
{
    return reading->deviations == 0 && reading->unparsed == 0 &&
           !reading->misfits && !reading->failed;
}
