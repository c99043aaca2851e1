/* SPDX-License-Identifier: MIT
 *
 * R10: every case, its beginning given as the prompt's end.  What a decoder
 * says of the rest does not depend on who wrote the beginning of the turn.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "formats/format.h"
#include "support/cases.h"
#include "support/decoding.h"

static void decode_behind(event_log *log, tw_decoder *decoder,
                          const naive_bytes *prompt, const char *text,
                          size_t size, size_t chunk)
{
    const feeding how = {chunk, NULL, 0};
    event_log_run(log, decoder, text, size, &how, prompt->data, prompt->size);
}

static bool is_end(const naive_bytes *end, const naive_bytes *whole)
{
    return end->size <= whole->size &&
           memcmp(end->data, whole->data + whole->size - end->size,
                  end->size) == 0;
}

/* The text is the end of what the whole output says. */
static bool says_the_rest(const event_log *log, const event_log *whole,
                          uint32_t type)
{
    naive_bytes rest = log_text(log, type);
    naive_bytes all = log_text(whole, type);
    const bool good = is_end(&rest, &all);
    naive_release(&rest);
    naive_release(&all);
    return good;
}

/* Names and arguments of complete calls that end behind |from|. */
static naive_bytes calls_behind(const event_log *log, size_t from)
{
    naive_bytes words = {0};
    naive_add(&words, "", 0);
    for (size_t end = 0; end < log->count; end++) {
        const event_record *last = &log->events[end];
        if (last->type != TW_EVENT_CALL_END ||
            last->code != TW_CALL_COMPLETE ||
            last->offset + last->span <= from) {
            continue;
        }
        for (size_t i = 0; i < end; i++) {
            const event_record *event = &log->events[i];
            if (event->index == last->index &&
                (event->type == TW_EVENT_CALL_BEGIN ||
                 event->type == TW_EVENT_CALL_ARGUMENTS)) {
                naive_add(&words, log->bytes + event->data, event->size);
            }
        }
        naive_add_text(&words, "\n");
    }
    return words;
}

/* NULL, or what differs. */
static const char *cut_differs(const conformance_case *one,
                               const event_log *whole, const event_log *log,
                               size_t cut)
{
    const char *wrong = event_log_check(log, one->size - cut);
    if (wrong == NULL && !says_the_rest(log, whole, TW_EVENT_TEXT)) {
        wrong = "the text";
    }
    if (wrong == NULL && !says_the_rest(log, whole, TW_EVENT_REASONING)) {
        wrong = "the reasoning";
    }
    naive_bytes mine = calls_behind(log, 0);
    naive_bytes calls = calls_behind(whole, cut);
    if (wrong == NULL && strcmp(mine.data, calls.data) != 0) {
        wrong = "the calls";
    }
    naive_release(&mine);
    naive_release(&calls);
    return wrong;
}

static bool begins_anew(const event_log *log)
{
    return log->count > 0 && log->events[0].type == TW_EVENT_DIAGNOSTIC &&
           log->events[0].code == TW_DIAGNOSTIC_NO_GENERATION_PROMPT;
}

/* Where the beginning ended the turn, the rest is read as an answer by
 * itself, but for that diagnostic. */
static const char *anew_differs(tw_decoder *decoder, const event_log *log,
                                const char *text, size_t size)
{
    event_log fresh = {0};
    decode(&fresh, decoder, text, size, 0);
    event_log behind = *log;
    behind.events++;
    behind.count--;
    const char *wrong =
        event_log_same(&behind, &fresh) ? NULL : "an answer by itself";
    event_log_free(&fresh);
    return wrong;
}

static bool check_cut(const conformance_case *one, tw_decoder *decoder,
                      const event_log *whole, const char *head, size_t cut)
{
    const size_t size = one->size - cut;
    event_log log = {0};
    event_log bytes = {0};
    naive_bytes prompt = {0};
    naive_add_text(&prompt, head);
    naive_add(&prompt, one->text, cut);
    decode_behind(&log, decoder, &prompt, one->text + cut, size, 0);
    decode_behind(&bytes, decoder, &prompt, one->text + cut, size, 1);
    const char *wrong =
        !event_log_same(&log, &bytes) ? "a chunking"
        : begins_anew(&log)
            ? anew_differs(decoder, &log, one->text + cut, size)
            : cut_differs(one, whole, &log, cut);
    cr_expect_null(wrong, "%s behind a prompt of %zu bytes: %s", one->id, cut,
                   wrong);
    naive_release(&prompt);
    event_log_free(&log);
    event_log_free(&bytes);
    return wrong == NULL;
}

/* What stands in a prompt in front of what is decoded. */
static const char *head_of(const tw_format *format)
{
    return format->family->reads_turn_head ? "" : format->turn_heads[0];
}

static void check_cases(const char *format)
{
    conformance file = conformance_read(CONFORMANCE_FOLDER, format);
    for (size_t i = 0; i < file.count; i++) {
        const conformance_case *one = &file.cases[i];
        if (one->options.start_reasoning) {
            continue;
        }
        tw_decoder *decoder = case_decoder(one, false);
        tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 0);
        event_log whole = {0};
        decode(&whole, decoder, one->text, one->size, 0);
        size_t cut = 0;
        while (cut <= one->size &&
               check_cut(one, decoder, &whole, head_of(one->format), cut)) {
            cut++;
        }
        event_log_free(&whole);
        tw_decoder_free(decoder);
    }
    conformance_free(&file);
}

EachFormat(prompt_cases, every_beginning, "decode")
{
    check_cases(format->text);
}
