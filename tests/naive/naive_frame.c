/* SPDX-License-Identifier: MIT
 *
 * A whole output by its description: text, reasoning, stops.
 */
#include "naive_frame.h"

#include <string.h>

/* --- layout that is framing -------------------------------------------- */

/* Takes |layout| off the front of text[*begin, end), as far as it is there. */
static void strip_front(const frame_reader *reader, const char *layout,
                        size_t *begin, size_t end)
{
    for (; *layout && *begin < end; layout++) {
        size_t at = *begin;

        if (*layout == '\n' && reader->text[at] == '\r' && at + 1 < end)
            at++;
        if (reader->text[at] != *layout)
            return;
        *begin = at + 1;
    }
}

static void strip_back(const frame_reader *reader, const char *layout,
                       size_t begin, size_t *end)
{
    for (size_t n = strlen(layout); n > 0 && *end > begin; n--) {
        if (reader->text[*end - 1] != layout[n - 1])
            return;
        --*end;
        if (layout[n - 1] == '\n' && *end > begin &&
            reader->text[*end - 1] == '\r')
            --*end;
    }
}

static void trim(const frame_reader *reader, size_t *begin, size_t *end)
{
    size_t solid = *begin, last = *end;

    while (solid < *end && frame_is_blank(reader->text[solid]))
        solid++;
    while (last > solid && frame_is_blank(reader->text[last - 1]))
        last--;
    if (solid - *begin <= FRAME_LOOK)
        *begin = solid;
    if (*end - last <= FRAME_LOOK)
        *end = last;
}

/* --- text -------------------------------------------------------------- */

/* The policy and edges of visible text that no wrapper holds. */
static const frame_pattern *plain_text(const frame_description *format)
{
    for (size_t i = 0; i < format->text.count; i++)
        if (!frame_opener(&format->text.items[i]) &&
            !frame_closer(&format->text.items[i], 0))
            return &format->text.items[i];
    return NULL;
}

/* The white space that the template writes before the stop. */
static size_t end_layout(const frame_reader *reader, bool at_call,
                         naive_bytes *out)
{
    const frame_words *end = &reader->format->end;
    const char *word = at_call && end->count > 1 ? end->items[1]
                       : end->count              ? end->items[0]
                                                 : "";

    naive_add(out, word, strspn(word, " \t\r\n"));
    return out->size;
}

static frame_hole text_policy(const frame_description *format)
{
    for (size_t i = 0; i < format->text.count; i++) {
        const frame_pattern *text = &format->text.items[i];

        if (text->parts[text->hole].hole != HOLE_TEXT)
            return text->parts[text->hole].hole;
    }
    return HOLE_TEXT;
}

static void strip_wrapper(const frame_reader *reader, size_t *begin,
                          size_t *end)
{
    const frame_pattern *wrapper = reader->wrapper;

    strip_front(reader, frame_layout(wrapper, wrapper->hole - 1), begin,
                *end);
    if (frame_closer(wrapper, 0))
        strip_back(reader, frame_layout(wrapper, wrapper->hole + 1), *begin,
                   end);
}

/* White space that the template writes there, once under any policy (F8). */
static void strip_edges(const frame_reader *reader, size_t *begin,
                        size_t *end, bool at_call, bool at_stop)
{
    const frame_description *format = reader->format;
    const frame_pattern *plain = plain_text(format);
    naive_bytes layout = {0};
    const frame_pattern *first =
        format->calls.count ? &format->calls.items[0]
        : format->call.count ? &format->call.items[0] : NULL;
    const char *front = first ? frame_layout(first, 0) : "";
    bool line = text_policy(format) == HOLE_TEXT_LINE;

    if (plain && plain->hole > 0 && reader->fresh && *begin == 0)
        strip_front(reader, frame_layout(plain, 0), begin, *end);
    if (at_call)
        strip_back(reader, *format->gap   ? format->gap
                           : *front ? front
                           : line   ? "\n"
                                    : "",
                   *begin, end);
    if (reader->touches)
        strip_front(reader, line ? "\n" : "", begin, *end);
    naive_add(&layout, "", 0);
    if (at_stop && end_layout(reader, false, &layout))
        strip_back(reader, layout.data, *begin, end);
    naive_release(&layout);
}

/* The segment's text, without the closes in it that nothing opened. */
static void add_segment(frame_reader *reader, size_t begin, size_t end)
{
    naive_bytes text = {0};
    size_t pair[2];

    naive_add(&text, "", 0);
    for (size_t at = 0; at < reader->cuts.size; at += sizeof pair) {
        memcpy(pair, reader->cuts.data + at, sizeof pair);
        if (pair[0] < begin || pair[1] > end)
            continue;
        naive_add(&text, reader->text + begin, pair[0] - begin);
        begin = pair[1];
    }
    naive_add(&text, reader->text + begin, end - begin);
    naive_text_segment(reader->message, text.data, text.size);
    naive_release(&text);
    naive_release(&reader->cuts);
}

void frame_end_segment(frame_reader *reader, size_t end, bool at_call,
                       bool at_stop)
{
    size_t begin = reader->begin, solid;
    const size_t whole = end;

    if (reader->lead)
        strip_front(reader, reader->lead, &begin, end);
    if (reader->wrapper)
        strip_wrapper(reader, &begin, &end);
    else
        strip_edges(reader, &begin, &end, at_call, at_stop);
    if (text_policy(reader->format) == HOLE_TEXT_TRIM)
        trim(reader, &begin, &end);
    solid = frame_skip(reader, begin);
    if (solid < end || end - begin > FRAME_LOOK)
        naive_diagnose_utf8(reader->message, reader->text, begin, end);
    if (solid < end || end - begin > FRAME_LOOK)
        reader->fresh = false;
    add_segment(reader, begin, end);
    if (reader->wrapper && frame_closer(reader->wrapper, 0) &&
        solid < end && !frame_starts(reader, whole, frame_closer(reader->wrapper, 0)))
        frame_diagnose(reader, "missing_text_close", whole);
    reader->wrapper = NULL;
    reader->headless = false;
    reader->lead = NULL;
    reader->touches = at_call;
    reader->begin = whole;
    reader->started = true;
}

static void stop(frame_reader *reader, const char *word, size_t at)
{
    size_t rest = at + strlen(word);

    for (const char *more; rest < reader->size;) {
        rest = frame_skip(reader, rest);
        more = frame_stop_at(reader, rest);
        if (!more)
            break;
        rest += strlen(more);
    }
    frame_drop(reader, "output_after_end", rest, reader->size);
    reader->at = reader->size;
    reader->over = true;
}

/* --- what the prompt has written --------------------------------------- */

size_t frame_prompt_overlap(const frame_reader *reader, const char *opener)
{
    size_t best = 0;

    for (size_t i = 0; opener && !reader->started &&
                       i < reader->format->turn.count;
         i++) {
        const char *turn = reader->format->turn.items[i];
        size_t size = strlen(turn);

        while (size > 0 && frame_is_blank(turn[size - 1]))
            size--;
        for (size_t n = strlen(opener); n > best; n--)
            if (n <= size && memcmp(turn + size - n, opener, n) == 0)
                best = n;
    }
    return best;
}

/* --- wrappers and reasoning: what opens them --------------------------- */

static size_t overlap(const frame_reader *reader, const frame_pattern *pattern)
{
    const char *opener = frame_opener(pattern);
    size_t best = frame_prompt_overlap(reader, opener);

    /* Something must be left to read. */
    if (opener && best == strlen(opener) && pattern->hole <= 2) {
        for (size_t i = 1; i < pattern->hole; i++)
            if (pattern->parts[i].kind != FRAME_LAYOUT)
                return best;
        return 0;
    }
    return best;
}

/* The longest pattern that opens at |at|; |*end| is behind its markers. */
static const frame_pattern *opened_by(const frame_reader *reader,
                                      const frame_patterns *patterns,
                                      size_t at, size_t *end)
{
    const frame_pattern *best = NULL;

    *end = at;
    for (size_t i = 0; i < patterns->count; i++) {
        const frame_pattern *pattern = &patterns->items[i];
        size_t skips[2] = {0, overlap(reader, pattern)};

        for (int n = 0; n < 2 && frame_opener(pattern); n++) {
            frame_match match = {0};
            size_t hole = pattern->hole;

            if (n > 0 && skips[1] == 0)
                continue;
            while (hole > 0 && pattern->parts[hole - 1].kind == FRAME_LAYOUT)
                hole--;
            frame_match_parts(reader, pattern, 0, hole, skips[n], at, &match);
            if (match.answer == FRAME_YES && match.end > at &&
                (!best || match.end > *end ||
                 (match.end == *end && best->loose && !pattern->loose))) {
                best = pattern;
                *end = match.end;
            }
            frame_match_release(&match);
        }
    }
    return best;
}

/* The longest close of any of the patterns that stands at |at|. */
static const frame_pattern *closed_by(const frame_reader *reader,
                                      const frame_patterns *patterns,
                                      size_t at)
{
    const frame_pattern *best = NULL;

    for (size_t i = 0; i < patterns->count; i++) {
        const char *closer = frame_closer(&patterns->items[i], 0);

        if (frame_starts(reader, at, closer) &&
            (!best || strlen(closer) > strlen(frame_closer(best, 0))))
            best = &patterns->items[i];
    }
    return best;
}

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
            pattern->count - 1 > pattern->hole &&
            strlen(tail) > strlen(best))
            best = tail;
    }
    return best;
}

static const char *widest_side(const frame_patterns *patterns, bool front)
{
    const char *best = "";

    for (size_t i = 0; i < patterns->count; i++) {
        const frame_pattern *pattern = &patterns->items[i];
        const char *side = front
                               ? frame_layout(pattern, pattern->hole - 1)
                               : frame_layout(pattern, pattern->hole + 1);

        if ((!front || pattern->hole > 0) && strlen(side) > strlen(best))
            best = side;
    }
    return best;
}

/* Where the first stop stands in |word|, or its size. */
static size_t stop_in(const frame_description *format, const char *word)
{
    size_t first = strlen(word);

    for (size_t i = 0; i < format->stops.count; i++) {
        const char *found = strstr(word, format->stops.items[i]);

        if (found && (size_t)(found - word) < first)
            first = (size_t)(found - word);
    }
    return first;
}

/* Markers that the template writes before its stop: how long they are. */
static size_t end_marker_at(const frame_reader *reader, size_t at)
{
    for (size_t i = 0; i < reader->format->end.count; i++) {
        const char *word = reader->format->end.items[i];
        size_t size;

        word += strspn(word, " \t\r\n");
        size = stop_in(reader->format, word);
        if (size > 0 && reader->size - at >= size &&
            memcmp(reader->text + at, word, size) == 0)
            return size;
    }
    return 0;
}

/* --- reasoning --------------------------------------------------------- */

static void end_reasoning(frame_reader *reader, size_t end, bool closed)
{
    const frame_patterns *patterns = &reader->format->reasoning;
    size_t begin = reader->begin;
    frame_hole policy = patterns->count
                            ? patterns->items[0]
                                  .parts[patterns->items[0].hole].hole
                            : HOLE_TEXT;

    if (policy == HOLE_TEXT_TRIM) {
        trim(reader, &begin, &end);
    } else {
        strip_front(reader, widest_side(patterns, true), &begin, end);
        if (closed)
            strip_back(reader, widest_side(patterns, false), begin, &end);
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
        at += end_marker_at(reader, at);
        close = frame_section_close_at(reader, at);
        close = close ? close : frame_call_close_at(reader, at);
        at += close ? strlen(close) : 0;
    } while (at > begin);
    return at;
}

/* Where the reasoning is closed, not before |at|: the size if nowhere. */
static size_t find_close(const frame_reader *reader, size_t at)
{
    while (at < reader->size &&
           !closed_by(reader, &reader->format->reasoning, at))
        at++;
    return at;
}

/* A block in open reasoning: a call only if complete calls and white space
 * are all that follows, up to a stop or the end; the reasoning's close must
 * not come first (D8).  |*next| is behind what the trial has read. */
static bool try_trial(frame_reader *reader, size_t at, size_t *next)
{
    naive_message scratch = {0};
    frame_reader trial = *reader;
    bool good;

    scratch.begun = reader->message->begun;
    trial.message = &scratch;
    trial.trial = true;
    trial.reasoning = trial.fresh = trial.over = false;
    trial.begin = trial.at = at;
    trial.started = true;
    trial.cuts = (naive_bytes){0};
    trial.size = find_close(reader, at);
    good = frame_try_block(&trial, at, false);
    *next = good ? trial.at : at + 1;
    good = good && scratch.call_count > 0 && scratch.unparsed_count == 0;
    for (size_t i = 0; i < scratch.diagnostic_count; i++)
        if (strcmp(scratch.diagnostics[i].code, "missing_call_close") == 0)
            good = false;
    naive_message_release(&scratch);
    naive_release(&trial.cuts);
    if (!good)
        return false;
    *next = skip_framing(&trial, trial.at);
    if (*next == trial.size)
        return *next == reader->size;
    return frame_stop_at(reader, *next) || try_trial(reader, *next, next);
}

static bool is_call_opener(frame_reader *reader, size_t at)
{
    return frame_section_open_at(reader, at) ||
           frame_call_open_at(reader, at);
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
    } else if (!try_trial(reader, *at, &next)) {
        *at = next > *at ? next : *at + 1;
        return false;
    } else {
        frame_diagnose(reader, "call_in_reasoning", *at);
    }
    end_reasoning(reader, *at, true);
    reader->begin = reader->at = *at;
    reader->touches = true;
    return true;
}

static void close_reasoning(frame_reader *reader, size_t at,
                            const frame_pattern *pattern)
{
    const char *closer = frame_closer(pattern, 0);

    end_reasoning(reader, at, true);
    reader->lead = widest_tail(&reader->format->reasoning, closer);
    reader->at = reader->begin = at + strlen(closer);
    reader->touches = false;
}

static void read_reasoning(frame_reader *reader)
{
    const frame_patterns *patterns = &reader->format->reasoning;
    const frame_patterns *texts = &reader->format->text;
    const frame_pattern *pattern;
    size_t at = reader->begin, end;

    while (reader->repeats &&
           opened_by(reader, patterns, frame_skip(reader, at), &end))
        at = reader->begin = end;
    reader->repeats = false;
    for (at = reader->begin; at < reader->size;) {
        const char *word = frame_stop_at(reader, at);

        pattern = closed_by(reader, patterns, at);
        if (pattern) {
            close_reasoning(reader, at, pattern);
            return;
        }
        if (is_call_opener(reader, at)) {
            if (read_calls(reader, &at))
                return;
            continue;
        }
        if (word) {
            end_reasoning(reader, at, false);
            stop(reader, word, at);
            return;
        }
        if (opened_by(reader, texts, at, &end) &&
            frame_is_token(reader->format, reader->text + at)) {
            frame_diagnose(reader, "missing_reasoning_close", at);
            end_reasoning(reader, at, true);
            reader->at = reader->begin = at;
            return;
        }
        if (closed_by(reader, texts, at) &&
            frame_is_token(reader->format, reader->text + at)) {
            frame_diagnose(reader, "missing_reasoning_close", at);
            end_reasoning(reader, at, true);
            reader->at = reader->begin = at;
            return;
        }
        at++;
    }
    end_reasoning(reader, reader->size, false);
    reader->over = true;
}

/* --- text -------------------------------------------------------------- */

/* A close that nothing opened, or a framing marker: how long it is, or 0. */
static size_t orphan_at(frame_reader *reader, size_t at, bool first)
{
    const frame_pattern *text = closed_by(reader, &reader->format->text, at);
    const char *words[] = {frame_section_close_at(reader, at),
                           frame_call_close_at(reader, at),
                           text ? frame_closer(text, 0) : NULL};
    const char *best = NULL;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] && (!best || strlen(words[i]) > strlen(best)))
            best = words[i];
    if (!best || reader->headless || (!first && !frame_is_token(reader->format, best)) ||
        frame_is_plain(best))
        return 0;
    return strlen(best);
}

/* The marker at |at| in text.  True: the segment is over. */
static bool read_text_marker(frame_reader *reader, size_t at, bool first)
{
    const frame_description *format = reader->format;
    const frame_pattern *pattern;
    const char *word;
    size_t end;

    if (frame_try_block(reader, at, first)) {
        reader->begin = reader->at;
        return true;
    }
    word = frame_stop_at(reader, at);
    if (word) {
        frame_end_segment(reader, at, false, true);
        stop(reader, word, at);
        return true;
    }
    if (reader->wrapper && frame_closer(reader->wrapper, 0) &&
        frame_starts(reader, at, frame_closer(reader->wrapper, 0))) {
        const char *close = frame_closer(reader->wrapper, 0);

        frame_end_segment(reader, at, false, false);
        reader->begin = reader->at = at + strlen(close);
        return true;
    }
    if (first && !reader->trial && opened_by(reader, &format->reasoning, at,
                                             &end)) {
        frame_end_segment(reader, at, false, false);
        reader->begin = reader->at = end;
        reader->reasoning = true;
        return true;
    }
    if ((first || reader->wrapper) &&
        (pattern = opened_by(reader, &format->text, at, &end)) != NULL) {
        frame_end_segment(reader, at, false, false);
        reader->begin = reader->at = end;
        reader->wrapper = pattern;
        return true;
    }
    pattern = closed_by(reader, &format->reasoning, at);
    if (pattern && first && reader->fresh && !reader->trial &&
        !reader->thought) {
        close_reasoning(reader, at, pattern);
        return true;
    }
    if (pattern && !orphan_at(reader, at, first)) {
        if (!reader->headless)
            frame_diagnose(reader, "orphan_reasoning_close", at);
        return false;
    }
    end = end_marker_at(reader, at);
    if (!end && (end = orphan_at(reader, at, first)) > 0 &&
        (first || !closed_by(reader, &format->text, at)))
        frame_diagnose(reader, "orphan_close_tag", at);
    if (!end)
        return false;
    if (!first && orphan_at(reader, at, first)) {
        const size_t pair[2] = {at, at + end};

        naive_add(&reader->cuts, (const char *)pair, sizeof pair);
        return false;
    }
    frame_end_segment(reader, at, false, false);
    reader->begin = reader->at = at + end;
    return true;
}

static void read_text(frame_reader *reader)
{
    size_t end;

    for (size_t at = reader->at; at < reader->size; at++) {
        bool first = frame_skip(reader, reader->begin) >= at;
        const size_t cuts = reader->cuts.size;

        if (read_text_marker(reader, at, first))
            return;
        if (reader->cuts.size > cuts)
            at += orphan_at(reader, at, first) - 1;
        else if (is_call_opener(reader, at) ||
            opened_by(reader, &reader->format->reasoning, at, &end))
            reader->headless = true;
    }
    frame_end_segment(reader, reader->size, false, true);
    reader->over = true;
}

/* The text whose opener the prompt has written, all of it (D1). */
static const frame_pattern *open_text(const frame_reader *reader)
{
    const frame_patterns *texts = &reader->format->text;

    for (size_t i = 0; i < texts->count; i++) {
        const frame_pattern *text = &texts->items[i];
        const char *opener = frame_opener(text);
        bool whole = opener && text->hole <= 2 &&
                     text->parts[0].kind == FRAME_MARKER;

        if (whole && text->hole == 2)
            whole = text->parts[1].kind == FRAME_LAYOUT;
        if (whole && frame_prompt_overlap(reader, opener) == strlen(opener))
            return text;
    }
    return NULL;
}

void naive_frame(const frame_description *format,
                 const frame_options *options, const char *text, size_t size,
                 naive_message *out)
{
    naive_bytes copy = {0};
    frame_reader reader = {.format = format,
                           .options = options,
                           .message = out,
                           .size = size,
                           .fresh = true,
                           .repeats = options->start_reasoning,
                           .reasoning = options->start_reasoning};

    naive_add(&copy, text, size); /* ends with a NUL */
    reader.text = copy.data;
    if (format->call.count &&
        frame_body(&format->call.items[0]) == HOLE_GEMMA) {
        frame_read_gemma(&reader, NULL, 0);
        reader.over = true;
    }
    if (!reader.reasoning)
        reader.wrapper = open_text(&reader);
    while (!reader.over) {
        if (reader.reasoning)
            read_reasoning(&reader);
        else
            read_text(&reader);
        if (reader.at >= reader.size && !reader.reasoning)
            reader.over = true;
    }
    naive_release(&reader.cuts);
    naive_release(&copy);
}
