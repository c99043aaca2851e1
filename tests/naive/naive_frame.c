/* SPDX-License-Identifier: MIT
 *
 * A whole output by its description: text, reasoning, calls, a stop.
 */
#include "naive_frame_text.h"

#include <string.h>

/* --- text -------------------------------------------------------------- */

/* A close that nothing opened, or a framing marker: how long it is, or 0. */
static size_t orphan_at(frame_reader *reader, size_t at, bool first)
{
    const frame_pattern *text =
        frame_closed_by(reader, &reader->format->text, at);
    const char *words[] = {frame_section_close_at(reader, at),
                           frame_last_close_at(reader, at),
                           text ? frame_closer(text, 0) : NULL};
    const char *best = NULL;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] && (!best || strlen(words[i]) > strlen(best)))
            best = words[i];
    if (!best || reader->headless ||
        (!first && !frame_holds_token(reader->format, best)) ||
        frame_is_plain(best))
        return 0;
    return frame_size(reader, at, best);
}

/* Reasoning or a wrapper opens at |at|, its markers end at |end|. */
static void open_pattern(frame_reader *reader, const frame_pattern *pattern,
                         size_t at, size_t end)
{
    frame_end_segment(reader, at, false, false);
    if (pattern->loose)
        frame_diagnose(reader, "loose_marker", at);
    reader->begin = reader->at = end;
    reader->started = true; /* what the prompt has begun is read */
    reader->opened = true;
}

/* A text opens at |at| with a word that could be a call's name: the longer
 * marker wins (D3). */
static bool longer_text(const frame_reader *reader, size_t at, bool first)
{
    const frame_patterns *calls = &reader->format->call;
    size_t end;
    const frame_pattern *text =
        first || reader->wrapper || frame_longest_opener(reader, at)
            ? frame_opened_by(reader, &reader->format->text, at, &end)
            : NULL;
    bool longer = false;

    for (size_t i = 0; text && i < calls->count; i++) {
        const char *call = frame_opener(&calls->items[i]);

        longer |= call && strlen(frame_opener(text)) > strlen(call) &&
                  strncmp(frame_opener(text), call, strlen(call)) == 0;
    }
    return longer;
}

/* A marker that opens one of the patterns, with a token, stands at |at| (D14,
 * D18). */
static bool opens_anywhere(const frame_reader *reader,
                           const frame_patterns *patterns, size_t at)
{
    bool found = false;

    for (size_t i = 0; i < patterns->count; i++) {
        const char *opener = frame_opener(&patterns->items[i]);

        found |= opener && frame_is_token(reader->format, opener) &&
                 frame_starts(reader, at, opener);
    }
    return found;
}

/* What is neither text nor a call, up to |end|. */
static void list_stray(frame_reader *reader, size_t at, size_t end)
{
    frame_diagnose(reader, "unknown_head", at);
    frame_unparsed(reader, at, end, "unknown_head", NULL);
    reader->begin = reader->at = end;
    reader->fresh = false;
}

/* The marker at |at| in text.  True: the segment is over. */
static bool read_text_marker(frame_reader *reader, size_t at, bool first)
{
    const frame_description *format = reader->format;
    const frame_pattern *pattern;
    const char *word;
    size_t end;
    bool framing;

    if (!longer_text(reader, at, first) &&
        frame_try_block(reader, at, first)) {
        reader->begin = reader->at;
        return true;
    }
    word = frame_stop_at(reader, at);
    if (word) {
        frame_end_segment(reader, at, false, true);
        frame_end_message(reader, word, at);
        return true;
    }
    if (reader->wrapper && frame_closer(reader->wrapper, 0) &&
        frame_starts(reader, at, frame_closer(reader->wrapper, 0))) {
        const char *close = frame_closer(reader->wrapper, 0);

        frame_end_segment(reader, at, false, false);
        frame_address(reader, NULL, at);
        reader->begin = reader->at = at + frame_size(reader, at, close);
        return true;
    }
    pattern = !reader->trial
                  ? frame_opened_by(reader, &format->reasoning, at, &end)
                  : NULL;
    if (pattern && (first || opens_anywhere(reader, &format->reasoning, at))) {
        open_pattern(reader, pattern, at, end);
        frame_address(reader, NULL, at);
        reader->reasoning = reader->opened = true;
        return true;
    }
    pattern = frame_opened_by(reader, &format->text, at, &end);
    if (pattern && (first || reader->wrapper ||
                    opens_anywhere(reader, &format->text, at))) {
        if (pattern->parts[pattern->hole].hole == HOLE_UNREAD) {
            frame_end_segment(reader, at, false, false);
            list_stray(reader, at, frame_unread_end(reader, pattern, end));
            return true;
        }
        frame_address(reader, pattern, at);
        open_pattern(reader, pattern, at, end);
        if (pattern->parts[pattern->hole].hole == HOLE_TEXT_JSON)
            frame_read_string(reader);
        else
            reader->wrapper = pattern;
        return true;
    }
    end = frame_unknown_block(reader, at);
    if (end) {
        frame_end_segment(reader, at, true, false);
        frame_diagnose(reader, "unknown_head", at);
        frame_unparsed(reader, at, end, "unknown_head", NULL);
        reader->fresh = false;
        reader->begin = reader->at = end;
        reader->fresh = false;
        return true;
    }
    end = frame_end_marker_at(reader, at);
    framing = end > 0;
    pattern = end ? NULL : frame_closed_by(reader, &format->reasoning, at);
    if (pattern && first && (reader->fresh || reader->thought) &&
        !reader->trial) {
        if (reader->thought)
            frame_diagnose(reader, "stray_marker", at);
        frame_close_reasoning(reader, at, pattern);
        return true;
    }
    if (pattern && !orphan_at(reader, at, first)) {
        if (!reader->headless)
            frame_diagnose(reader, "orphan_reasoning_close", at);
        return false;
    }
    if (!end && (end = orphan_at(reader, at, first)) > 0 &&
        (first || !frame_closed_by(reader, &format->text, at)))
        frame_diagnose(reader, "orphan_close_tag", at);
    if (end && !framing && orphan_at(reader, at, first))
        reader->orphaned = true;
    if (!end)
        return false;
    if (!first && !framing && orphan_at(reader, at, first)) {
        const size_t pair[2] = {at, at + end};

        naive_add(&reader->cuts, (const char *)pair, sizeof pair);
        return false;
    }
    frame_end_segment(reader, at, false, false);
    if (framing)
        frame_address(reader, NULL, at);
    reader->begin = reader->at = at + end;
    return true;
}

static void read_text(frame_reader *reader)
{
    size_t end;

    for (size_t at = reader->at; at < reader->size; at++) {
        /* White space that is too much is text. */
        bool first = frame_skip(reader, reader->begin) >= at &&
                     at - reader->begin <= FRAME_LOOK;
        const size_t cuts = reader->cuts.size;

        if (first && !reader->wrapper && !reader->trial &&
            (end = frame_foreign_tag(reader, at)) > 0) {
            frame_end_segment(reader, at, false, false);
            frame_diagnose(reader, "loose_marker", at);
            reader->begin = reader->at = at + end;
            return;
        }
        if (frame_is_quoted_call(reader, at, first))
            continue;
        if (read_text_marker(reader, at, first))
            return;
        if (frame_half_marker_at(reader, at)) {
            frame_end_segment(reader, at, false, true);
            frame_drop(reader, "half_marker", at, reader->size);
            reader->over = true;
            return;
        }
        if (reader->cuts.size > cuts)
            at += orphan_at(reader, at, first) - 1;
        else if (frame_opens_call(reader, at) ||
                 frame_open_token_at(reader, at) ||
                 (frame_longest_opener(reader, at) > 0 &&
                  frame_opened_by(reader, &reader->format->reasoning, at,
                                  &end)))
            reader->headless = true;
        if (reader->channel == FRAME_TO_TOOL && !frame_is_blank(reader->text[at])) {
            end = frame_stray_end(reader, at); /* no call is in front */
            frame_end_segment(reader, at, true, false);
            list_stray(reader, at, end);
            return;
        }
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
        bool whole =
            opener && text->hole <= 2 && text->parts[0].kind == FRAME_MARKER;

        if (whole && text->hole == 2)
            whole = text->parts[1].kind == FRAME_LAYOUT;
        if (whole && frame_prompt_overlap(reader, opener) == strlen(opener))
            return text;
    }
    return NULL;
}

void naive_frame(const frame_description *format, const frame_options *options,
                 const char *text, size_t size, naive_message *out)
{
    naive_bytes copy = {0};
    frame_reader reader = {.format = format,
                           .options = options,
                           .message = out,
                           .size = size,
                           .fresh = true,
                           .started = options->start_reasoning,
                           .repeats = options->start_reasoning,
                           .reasoning = options->start_reasoning};

    if (frame_read_suffixed(format, options, text, size, out))
        return;
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
            frame_read_reasoning(&reader);
        else
            read_text(&reader);
        if (reader.at >= reader.size && !reader.reasoning)
            reader.over = true;
    }
    naive_release(&reader.cuts);
    naive_release(&copy);
}
