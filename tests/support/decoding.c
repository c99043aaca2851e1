/* SPDX-License-Identifier: MIT
 *
 * Feeds texts and marked pieces to a decoder, and writes its events as one
 * line.
 */
#include "decoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tw_decoder *decoder_of(const char *format)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find(format), NULL);
    if (decoder == NULL ||
        tw_decoder_set(decoder, TW_OPTION_FRAMING, 1) != TW_OK ||
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1) != TW_OK) {
        abort();
    }
    return decoder;
}

void decode(event_log *log, tw_decoder *decoder, const char *text, size_t size,
            size_t chunk)
{
    const feeding how = {chunk, NULL, 0};
    event_log_run(log, decoder, text, size, &how, NULL, 0);
}

/* From a block of its exact size, which is gone afterwards. */
static void feed(event_log *log, tw_decoder *decoder, const char *data,
                 size_t size, tw_mark mark)
{
    char *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL || log->error != 0) {
        free(copy);
        return;
    }
    memcpy(copy, data, size);
    const int result = tw_decoder_feed(decoder, copy, size, mark);
    if (result < 0) {
        log->error = result;
        log->error_offset = tw_decoder_error(decoder)->offset;
    } else {
        event_log_drain(log, decoder);
    }
    free(copy);
}

void decode_marked(event_log *log, tw_decoder *decoder, const marked *pieces,
                   size_t count, size_t chunk)
{
    event_log_clear(log);
    tw_decoder_reset(decoder);
    for (size_t i = 0; i < count; i++) {
        const size_t size = strlen(pieces[i].text);
        const bool whole = chunk == 0 || pieces[i].mark == TW_MARK_CONTROL;
        size_t at = 0;
        do {
            const size_t left = size - at;
            const size_t next = whole || left < chunk ? left : chunk;
            feed(log, decoder, pieces[i].text + at, next, pieces[i].mark);
            at += next;
        } while (at < size);
    }
    if (log->error == 0) {
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        event_log_drain(log, decoder);
    }
}

/* ---- words -------------------------------------------------------------- */

static void add_data(naive_bytes *words, const char *word,
                     const event_log *log, const event_record *event)
{
    naive_add_text(words, word);
    naive_add(words, log->bytes + event->data, event->size);
    naive_add_text(words, "]");
}

static void add_place(naive_bytes *words, const char *word, const char *name,
                      const event_record *event)
{
    char text[128];
    snprintf(text, sizeof text, "%s%s@%llu", word, name,
             (unsigned long long)event->offset);
    naive_add_text(words, text);
    if (event->span > 0) {
        snprintf(text, sizeof text, "+%llu", (unsigned long long)event->span);
        naive_add_text(words, text);
    }
}

static bool ends_well(const event_log *log, uint32_t index)
{
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_CALL_END && event->index == index) {
            return event->code == TW_CALL_COMPLETE;
        }
    }
    return true;
}

static void add_event(naive_bytes *words, const event_log *log,
                      const event_record *event)
{
    static const char *const statuses[] = {"?", "complete", "incomplete",
                                           "malformed"};
    const tw_diagnostic *row = tw_diagnostic_get(event->code);
    if (event->type == TW_EVENT_TEXT) {
        add_data(words, "text[", log, event);
    } else if (event->type == TW_EVENT_REASONING) {
        add_data(words, "reasoning[", log, event);
    } else if (event->type == TW_EVENT_CALL_BEGIN) {
        add_data(words, "call[", log, event);
        words->data[words->size - 1] = ' ';
        naive_add(words, log->bytes + event->id, event->id_size);
        naive_add_text(words, "]");
    } else if (event->type == TW_EVENT_CALL_ARGUMENTS) {
        add_data(words, "args[", log, event);
    } else if (event->type == TW_EVENT_CALL_END) {
        naive_add_text(words, statuses[event->code]);
    } else if (event->type == TW_EVENT_DIAGNOSTIC) {
        add_place(words, event->flags & TW_EVENT_DROPPED ? "drop[" : "diag[",
                  row->name, event);
        naive_add_text(words, "]");
    } else {
        add_place(words, "unparsed[", row->name, event);
        naive_add_text(words, event->id_size > 0 ? " " : "");
        naive_add(words, log->bytes + event->id, event->id_size);
        naive_add_text(words, "]");
    }
}

naive_bytes log_words(const event_log *log)
{
    naive_bytes words = {0};
    naive_add(&words, "", 0);
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_FRAMING || event->type == TW_EVENT_END ||
            (event->type == TW_EVENT_CALL_ARGUMENTS &&
             !ends_well(log, event->index))) {
            continue;
        }
        naive_add_text(&words, words.size > 0 ? " " : "");
        add_event(&words, log, event);
    }
    if (log->error != 0) {
        char text[64];
        snprintf(text, sizeof text, "%serror[%d@%llu]",
                 words.size > 0 ? " " : "", log->error,
                 (unsigned long long)log->error_offset);
        naive_add_text(&words, text);
    }
    return words;
}

bool log_is(const event_log *log, const char *words)
{
    naive_bytes mine = log_words(log);
    const bool same = strcmp(mine.data, words) == 0;
    if (!same) {
        fprintf(stderr, "     got %s\nexpected %s\n", mine.data, words);
    }
    naive_release(&mine);
    return same;
}
