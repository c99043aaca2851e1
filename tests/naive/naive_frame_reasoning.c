/* SPDX-License-Identifier: MIT
 *
 * Reasoning, and the calls in it (D8, D14).
 */
#include "naive_frame_text.h"

#include <string.h>

/* --- edges ------------------------------------------------------------- */

/* Layout behind the last marker; of all patterns the widest (D6). */
static const char *widest_tail(const frame_patterns *patterns,
                               const char *closer)
{
    const char *best = "";

    for (size_t i = 0; i < patterns->count; i++) {
        const frame_pattern *pattern = &patterns->items[i];
        const char *other = frame_closer(pattern, 0);
        const char *tail = frame_layout(pattern, pattern->count - 1);

        if (other && strcmp(other, closer) == 0 &&
            pattern->count - 1 > pattern->hole && strlen(tail) > strlen(best))
            best = tail;
    }
    return best;
}

static const char *widest_side(const frame_patterns *patterns, bool front)
{
    const char *best = "";

    for (size_t i = 0; i < patterns->count; i++) {
        const frame_pattern *pattern = &patterns->items[i];
        const char *side = front ? frame_layout(pattern, pattern->hole - 1)
                                 : frame_layout(pattern, pattern->hole + 1);

        if ((!front || pattern->hole > 0) && strlen(side) > strlen(best))
            best = side;
    }
    return best;
}

/* --- reasoning --------------------------------------------------------- */

static void end_reasoning(frame_reader *reader, size_t end, bool closed)
{
    const frame_patterns *patterns = &reader->format->reasoning;
    size_t begin = reader->begin;
    frame_hole policy =
        patterns->count
            ? patterns->items[0].parts[patterns->items[0].hole].hole
            : HOLE_TEXT;

    if (policy == HOLE_TEXT_TRIM) {
        frame_trim(reader, &begin, &end);
    } else {
        frame_strip_front(reader, widest_side(patterns, true), &begin, end);
        if (closed)
            frame_strip_back(reader, widest_side(patterns, false), begin,
                             &end);
    }
    naive_diagnose_utf8(reader->message, reader->text, begin, end);
    naive_reasoning_segment(reader->message, reader->text + begin,
                            end - begin);
    reader->reasoning = false;
    reader->thought = true;
    reader->started = true;
}

/* White space, closes that nothing opened, and what the template writes
 * before its stop. */
static size_t skip_framing(frame_reader *reader, size_t at)
{
    size_t begin;

    do {
        const char *close;

        begin = at;
        at = frame_skip(reader, at);
        at += frame_end_marker_at(reader, at);
        close = frame_section_close_at(reader, at);
        close = close ? close : frame_last_close_at(reader, at);
        close = close && frame_is_plain(close) ? NULL : close;
        at += frame_size(reader, at, close);
    } while (at > begin);
    return at;
}

/* Where the reasoning is closed, not before |at|: the size if nowhere. */
static size_t find_close(const frame_reader *reader, size_t at)
{
    while (at < reader->size &&
           !frame_closed_by(reader, &reader->format->reasoning, at))
        at++;
    return at;
}

/* A token opens a call or a section at |at|. */
static bool opens_with_token(frame_reader *reader, size_t at)
{
    const char *opener = frame_section_open_at(reader, at);

    opener = opener ? opener : frame_call_open_at(reader, at);
    return opener && frame_holds_token(reader->format, opener);
}

/* A block in open reasoning, read as if the text ended at |size|. */
typedef struct frame_trial {
    frame_reader reader;
    bool good, closed;
} frame_trial;

static frame_trial read_trial(const frame_reader *reader, size_t at,
                              size_t size)
{
    naive_message scratch = {0};
    frame_trial trial = {*reader, false, true};

    scratch.begun = reader->message->begun;
    trial.reader.message = &scratch;
    trial.reader.trial = true;
    trial.reader.reasoning = trial.reader.fresh = trial.reader.over = false;
    trial.reader.in_value = false;
    trial.reader.begin = trial.reader.at = at;
    trial.reader.started = true;
    trial.reader.cuts = (naive_bytes){0};
    trial.reader.size = size;
    trial.good = frame_try_block(&trial.reader, at, false) &&
                 scratch.call_count > 0 && scratch.unparsed_count == 0;
    for (size_t i = 0; i < scratch.diagnostic_count; i++)
        if (strcmp(scratch.diagnostics[i].code, "missing_call_close") == 0)
            trial.closed = false;
    naive_message_release(&scratch);
    naive_release(&trial.reader.cuts);
    trial.reader.message = reader->message;
    return trial;
}

/* The answer begins at |at|, with a token. */
static bool answer_begins(const frame_reader *reader, size_t at)
{
    size_t end;

    return frame_opened_by(reader, &reader->format->text, at, &end) &&
           frame_is_token(reader->format, reader->text + at);
}

/* The marker at |close| is that of the call that the trial read, too: what the
 * trial reads with it. */
static void close_trial(const frame_reader *reader, frame_trial *trial,
                        size_t at, size_t close)
{
    const char *closer = frame_last_close_at(reader, close);

    if (!trial->good || trial->closed || !closer)
        return;
    *trial = read_trial(reader, at, close + frame_size(reader, close, closer));
    trial->reader.size = find_close(reader, trial->reader.at);
}

/* A block in open reasoning: a call only if complete calls and white space
 * are all that follows, up to a stop, the answer or the end; the reasoning's
 * close must not come first (D8), but for one in a value.  If a |token| opened
 * the first, a close of a call may be missing.  |*next| is behind what the
 * trial has read. */
static bool try_trial(frame_reader *reader, size_t at, bool token,
                      size_t *next)
{
    const size_t first = find_close(reader, at);
    size_t close = first;
    frame_trial trial;
    bool good, limited;

    for (;; close = find_close(reader, close + 1)) {
        limited = close - at > FRAME_HELD;
        trial = read_trial(reader, at, limited ? at + FRAME_HELD : close);
        if (!limited)
            close_trial(reader, &trial, at, close);
        good = trial.good && (trial.closed || token);
        if (good || !trial.reader.in_value || limited ||
            close == reader->size || close - first > FRAME_HEAD)
            break;
    }
    good =
        good && (close == first || trial.reader.at - first <= FRAME_HEAD + 1);
    *next = good ? trial.reader.at : at + 1;
    if (!good)
        return false;
    *next = skip_framing(&trial.reader, trial.reader.at);
    if (*next == trial.reader.size && limited)
        frame_diagnose(reader, "repair_given_up", at);
    if (*next == trial.reader.size)
        return *next == reader->size;
    return frame_stop_at(reader, *next) || answer_begins(reader, *next) ||
           try_trial(reader, *next, token, next);
}

/* Calls at |*at| in open reasoning: they are read, or |*at| goes on. */
static bool read_calls(frame_reader *reader, size_t *at)
{
    frame_reader trial;
    naive_message scratch = {0};
    size_t next;

    if (reader->format->calls_in_reasoning) {
        bool opens;

        trial = *reader;
        trial.message = &scratch;
        trial.reasoning = false;
        trial.begin = *at;
        trial.cuts = (naive_bytes){0};
        opens = frame_try_block(&trial, *at, false);
        naive_message_release(&scratch);
        if (!opens) {
            ++*at;
            return false;
        }
    } else if (!try_trial(reader, *at, opens_with_token(reader, *at), &next)) {
        *at = next > *at ? next : *at + 1;
        reader->message->unsure = true;
        return false;
    } else {
        frame_diagnose(reader, "call_in_reasoning", *at);
    }
    end_reasoning(reader, *at, true);
    reader->begin = reader->at = *at;
    reader->touches = true;
    return true;
}

/* Words that are text like any other open none in reasoning. */
static bool opens_call(frame_reader *reader, size_t at)
{
    const char *opener = frame_call_open_at(reader, at);

    return frame_section_open_at(reader, at) ||
           frame_open_token_at(reader, at) ||
           (opener && !frame_is_plain(opener) &&
            (reader->format->calls.count == 0 ||
             frame_holds_token(reader->format, opener)));
}

/* |opener| is the longest marker at |at| (D3). */
static bool is_longest(frame_reader *reader, size_t at, const char *opener)
{
    const char *call = frame_call_open_at(reader, at);

    return frame_starts(reader, at, opener) &&
           strlen(opener) == frame_longest_opener(reader, at) &&
           !(call && strlen(call) > strlen(opener));
}

/* A token with which a header of text begins, and that is a marker by itself
 * or with the header's words: no reasoning goes on behind it. */
static bool header_begins(frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    bool found = false;

    for (size_t i = 0; i < format->text.count; i++)
        for (size_t k = 0; k < format->tokens.count; k++) {
            const char *opener = frame_opener(&format->text.items[i]);
            const char *token = format->tokens.items[k];

            found |= opener && strncmp(opener, token, strlen(token)) == 0 &&
                     (frame_is_shared(format, token)
                          ? is_longest(reader, at, opener)
                          : frame_starts(reader, at, token));
        }
    return found;
}

void frame_close_reasoning(frame_reader *reader, size_t at,
                           const frame_pattern *pattern)
{
    const char *closer = frame_closer(pattern, 0);

    end_reasoning(reader, at, true);
    reader->lead = widest_tail(&reader->format->reasoning, closer);
    reader->at = reader->begin = at + frame_size(reader, at, closer);
    reader->touches = false;
    reader->wrapper = NULL;
}

/* The message ends in reasoning, which one format never closes. */
static void say_unclosed(frame_reader *reader, size_t at)
{
    if (!reader->format->calls_in_reasoning)
        frame_diagnose(reader, "unclosed_reasoning", at);
}

void frame_read_reasoning(frame_reader *reader)
{
    const frame_patterns *patterns = &reader->format->reasoning;
    const frame_patterns *texts = &reader->format->text;
    const frame_pattern *pattern;
    size_t at = reader->begin, end;

    while (reader->repeats &&
           frame_opened_by(reader, patterns, frame_skip(reader, at), &end))
        at = reader->begin = end;
    reader->repeats = false;
    for (at = reader->begin; at < reader->size;) {
        const char *word = frame_stop_at(reader, at);

        pattern = frame_closed_by(reader, patterns, at);
        if (pattern) {
            frame_close_reasoning(reader, at, pattern);
            return;
        }
        if (header_begins(reader, at)) {
            frame_diagnose(reader, "missing_reasoning_close", at);
            end_reasoning(reader, at, true);
            reader->at = reader->begin = at;
            return;
        }
        if (!frame_is_quoted_call(reader, at, false) && opens_call(reader, at)) {
            if (read_calls(reader, &at))
                return;
            continue;
        }
        if (word) {
            end_reasoning(reader, at, false);
            say_unclosed(reader, at);
            frame_end_message(reader, word, at);
            return;
        }
        if (frame_half_marker_at(reader, at)) {
            end_reasoning(reader, at, false);
            frame_drop(reader, "half_marker", at, reader->size);
            reader->over = true;
            return;
        }
        if (frame_opened_by(reader, texts, at, &end) &&
            frame_is_token(reader->format, reader->text + at)) {
            frame_diagnose(reader, "missing_reasoning_close", at);
            end_reasoning(reader, at, true);
            reader->at = reader->begin = at;
            return;
        }
        if (frame_closed_by(reader, texts, at) &&
            frame_is_token(reader->format, reader->text + at)) {
            frame_diagnose(reader, "missing_reasoning_close", at);
            end_reasoning(reader, at, true);
            reader->at = reader->begin = at;
            return;
        }
        at++;
    }
    end_reasoning(reader, reader->size, false);
    if (!reader->options->length)
        say_unclosed(reader, reader->size);
    reader->over = true;
}
