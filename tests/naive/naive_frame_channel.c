/* SPDX-License-Identifier: MIT
 *
 * Messages with a recipient (Muse): what one holds by whom it is for.
 */
#include "naive_frame_text.h"

#include <string.h>

/* Who the message is for whose header, |pattern|, stands at |at|; or NULL: a
 * message is over. */
void frame_address(frame_reader *reader, const frame_pattern *pattern,
                   size_t at)
{
    const size_t skip =
        pattern ? frame_prompt_overlap(reader, frame_opener(pattern)) : 0;
    const size_t skips[] = {0, skip};

    if (!reader->format->channels)
        return;
    reader->to_size = 0;
    reader->channel = pattern ? FRAME_TO_USER : FRAME_TO_NOBODY;
    for (size_t n = 0; pattern && n < 2; n++) {
        frame_match match = {0};

        if (n == 0 || skip)
            frame_match_parts(reader, pattern, 0, pattern->hole, skips[n], at,
                              &match);
        if (match.answer == FRAME_YES && match.has[HOLE_SKIP]) {
            naive_bytes *to = &match.holes[HOLE_SKIP];

            reader->channel = FRAME_TO_TOOL;
            reader->to_size = to->size;
            if (to->size)
                memcpy(reader->to, to->data, to->size);
        }
        frame_match_release(&match);
    }
}

bool frame_is_for_user(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;
    size_t end;
    const frame_pattern *text =
        frame_opened_by(reader, &format->text, at, &end);

    return format->channels &&
           ((text && !text->loose) ||
            frame_opened_by(reader, &format->reasoning, at, &end));
}

static bool same(const char *a, const char *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static bool is_end_of(const char *part, size_t size, const char *whole,
                      size_t whole_size)
{
    if (size >= whole_size)
        return size == whole_size && same(part, whole, size);
    return (same(part, whole, size) && whole[size] == '.') ||
           (same(part, whole + (whole_size - size), size) &&
            whole[whole_size - size - 1] == '.');
}

static bool is_to(const frame_reader *reader, const char *word)
{
    return reader->to_size == strlen(word) &&
           same(word, reader->to, reader->to_size);
}

/* No tool is named: the element around the calls is, or all tools. */
static bool is_for_all(frame_reader *reader)
{
    const naive_bytes to = {.data = reader->to, .size = reader->to_size};

    return is_to(reader, "atem:function_calls") ||
           (is_to(reader, "tools") && !frame_tool(reader, &to));
}

/* Is the call's name the one in its header, or either in the other's
 * namespace? */
bool frame_is_addressed(frame_reader *reader, const naive_bytes *name)
{
    const char *to = reader->to;
    const size_t size = reader->to_size;
    bool good = true;

    if (!reader->format->channels)
        return true;
    reader->channel = FRAME_TO_CALLED;
    if (size && !is_for_all(reader))
        good = is_end_of(to, size, name->data, name->size) ||
               is_end_of(name->data, name->size, to, size);
    for (size_t i = 0; i < size && reader->to_size == size; i++)
        if (to[i] == '.')
            reader->to_size = i;
    return good;
}

static bool is_token_opener(const frame_reader *reader,
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

/* A message ends here, or the next one begins. */
static bool ends_message(const frame_reader *reader, size_t at)
{
    const frame_description *format = reader->format;

    return frame_stop_at(reader, at) || frame_end_marker_at(reader, at) ||
           is_token_opener(reader, &format->calls, at) ||
           is_token_opener(reader, &format->reasoning, at) ||
           is_token_opener(reader, &format->text, at);
}

/* From |at| on the message holds calls of declared tools and nothing else. */
static bool is_whole(frame_reader *reader, size_t at)
{
    naive_message scratch = {0};
    frame_reader trial = *reader;
    bool good = frame_has_tools(reader);

    trial.message = &scratch;
    trial.cuts = (naive_bytes){0};
    trial.channel = FRAME_TO_CALLED;
    trial.to_size = 0;
    trial.begin = trial.at = at;
    trial.trial = true;
    for (trial.size = at; trial.size < reader->size; trial.size++)
        if (ends_message(reader, trial.size))
            break;
    while (good && frame_skip(&trial, trial.at) < trial.size) {
        const char *close;

        at = frame_skip(&trial, trial.at);
        close = frame_section_close_at(&trial, at);
        close = close ? close : frame_last_close_at(&trial, at);
        if (close)
            trial.at = at + strlen(close);
        else
            good = frame_try_block(&trial, at, true) &&
                   scratch.unparsed_count == 0;
        trial.begin = trial.at;
    }
    good = good && scratch.call_count > 0 && trial.at - reader->at <= FRAME_HELD;
    for (size_t i = 0; i < scratch.diagnostic_count; i++)
        good = good &&
               strcmp(scratch.diagnostics[i].code, "missing_call_close") &&
               strcmp(scratch.diagnostics[i].code, "undeclared_tool");
    naive_message_release(&scratch);
    naive_release(&trial.cuts);
    return good;
}

/* What opens a call or a section at |at| is quoted there. */
bool frame_is_quoted_call(frame_reader *reader, size_t at, bool first)
{
    const frame_description *format = reader->format;
    const frame_patterns *const all[] = {&format->call, &format->calls};
    bool opens = false;

    for (size_t k = 0; format->channels && k < 2; k++)
        for (size_t i = 0; i < all[k]->count; i++) {
            const char *opener = frame_opener(&all[k]->items[i]);

            opens |= opener && !frame_is_token(format, opener) &&
                     frame_starts(reader, at, opener);
        }
    if (!opens || reader->channel >= FRAME_TO_TOOL)
        return false;
    if (reader->reasoning)
        return true;
    if (reader->channel == FRAME_TO_NOBODY)
        return !first;
    if (first && is_whole(reader, at))
        reader->channel = FRAME_TO_CALLED;
    return reader->channel == FRAME_TO_USER;
}

/* Text at |at| in a message to a tool, in front of any call: where it ends. */
size_t frame_stray_end(frame_reader *reader, size_t at)
{
    for (at++; at < reader->size; at++)
        if (ends_message(reader, at) || frame_opens_call(reader, at))
            break;
    return at;
}

/* What |pattern| calls unread goes on at |at|: behind its close, or where
 * something else begins. */
size_t frame_unread_end(frame_reader *reader, const frame_pattern *pattern,
                        size_t at)
{
    const char *close = frame_closer(pattern, 0);

    while (at < reader->size) {
        if (frame_starts(reader, at, close))
            return at + frame_size(reader, at, close);
        if (ends_message(reader, at) || frame_opens_call(reader, at))
            break;
        at++;
    }
    return at;
}
