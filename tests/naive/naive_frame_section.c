/* SPDX-License-Identifier: MIT
 *
 * Sections and calls in the text: what opens them, what stands between the
 * calls, and what ends them.
 */
#include "naive_frame.h"

#include <stdio.h>
#include <string.h>

/* --- one call ---------------------------------------------------------- */

/* A call that is not one: its head was cut, or there is nothing in it. */
static void read_empty(frame_reader *reader, frame_head *head, size_t start)
{
    const char *reason = "truncated_call", *close;
    size_t at = head->body, list = 0;

    if (head->empty && at < reader->size && reader->text[at] == '[' &&
        !frame_stop_at(reader, at) && !frame_call_close_at(reader, at))
        at = frame_skip_python(reader, at + 1);
    if (head->empty && at < reader->size && reader->text[at] == ']' &&
        !frame_section_close_at(reader, at) && !frame_call_close_at(reader, at))
        at = frame_skip(reader, list = at + 1);
    for (at = head->empty ? at : head->match.end;
         !head->empty && at < reader->size && !frame_stop_at(reader, at);)
        at++;
    if (!head->empty)
        head->body = at;
    else if (!frame_stop_at(reader, at))
        reason = "empty_call";
    frame_diagnose(reader, reason,
                   strcmp(reason, "empty_call") == 0 ? start : at);
    close = head->call ? frame_call_close_at(reader, at)
                       : frame_section_close_at(reader, at);
    if (head->empty && close)
        at += frame_size(reader, at, close);
    /* A list with nothing in it ends by itself. */
    frame_unparsed(reader, start, list ? list : at, reason, NULL);
    reader->at = at;
}

static void say_head(frame_reader *reader, const frame_head *head)
{
    if (head->match.note)
        frame_diagnose(reader, head->match.note, head->noted);
    if (head->call->loose)
        frame_diagnose(reader, "loose_head", head->begin);
}

static void read_body(frame_reader *reader, frame_head *head, size_t start)
{
    say_head(reader, head);
    switch (frame_body(head->call)) {
    case HOLE_ARGUMENTS:
        if (frame_is_tagged(reader->format, head->call)) {
            frame_read_tagged(reader, head, start);
            break;
        }
        frame_read_arguments(reader, head, start);
        break;
    case HOLE_ARGUMENTS_JSON: frame_read_arguments(reader, head, start); break;
    case HOLE_PYTHON:
    case HOLE_PYTHON_LINES:
    case HOLE_PYTHON_CALL: frame_read_python(reader, head, start); break;
    case HOLE_RAW: frame_read_raw(reader, head, start); break;
    case HOLE_ELEMENTS: frame_read_elements(reader, head, start); break;
    default: frame_read_json(reader, head, start);
    }
}

static void read_call(frame_reader *reader, frame_head *head, size_t start)
{
    reader->fresh = false;
    reader->call = head->call;
    if (head->answer == FRAME_CUT)
        read_empty(reader, head, start);
    else
        read_body(reader, head, start);
    reader->call = NULL;
}

/* Where free text begins: white space is its own, but for the line end that
 * the pattern has in front of it. */
static size_t raw_begin(const frame_reader *reader, const frame_head *head,
                        size_t start)
{
    size_t at = head->body;

    while (at > start && frame_is_blank(reader->text[at - 1]))
        at--;
    if (head->call->hole > 0 &&
        strchr(frame_layout(head->call, head->call->hole - 1), '\n')) {
        at += at < reader->size && reader->text[at] == '\r';
        at += at < reader->size && reader->text[at] == '\n';
    }
    return at;
}

/* The last close of another call here, or NULL. */
static const char *other_close_at(const frame_reader *reader,
                                  const frame_pattern *call, size_t at)
{
    const frame_patterns *calls = &reader->format->call;
    const char *closer, *found = NULL;

    for (size_t i = 0; i < calls->count; i++) {
        const frame_pattern *other = &calls->items[i];

        for (size_t n = 0; (closer = frame_closer(other, n)); n++)
            if (other != call && !frame_closer(other, n + 1) &&
                !frame_is_plain(closer) && frame_starts(reader, at, closer))
                found = closer;
    }
    return found;
}

/* Free text to a stop or the end is a custom call (D9). */
void frame_read_raw(frame_reader *reader, frame_head *head, size_t start)
{
    naive_call *call;
    naive_bytes id = {0};
    const size_t begin = raw_begin(reader, head, start);
    const size_t blank = frame_skip(reader, head->body);
    size_t end = head->body;

    while (end < reader->size && !frame_stop_at(reader, end))
        end++;
    if (other_close_at(reader, head->call, blank)) { /* D15 */
        end = blank +
              frame_size(reader, blank,
                         other_close_at(reader, head->call, blank));
        frame_unparsed(reader, start, end, "empty_call", NULL);
        reader->at = end;
        return;
    }
    if (blank >= end && /* D15 */
        !frame_is_plain(frame_opener(head->call))) {
        frame_unparsed(reader, start, end,
                       end == reader->size ? "truncated_call" : "empty_call",
                       NULL);
        reader->at = end;
        return;
    }
    if (end == reader->size && reader->options->length) {
        naive_bytes name = {0};

        naive_add_text(&name, reader->format->raw_name);
        frame_unparsed(reader, start, end, "truncated_call", &name);
        naive_release(&name);
        reader->at = end;
        return;
    }
    frame_id_of(reader->format, head, &id);
    if (!id.size) {
        char made[40];

        snprintf(made, sizeof made, "call_%zu", reader->message->begun);
        naive_add_text(&id, made);
    }
    reader->message->begun++;
    call = naive_call_add(reader->message);
    call->id = id;
    call->custom = true;
    naive_add_text(&call->name, reader->format->raw_name);
    naive_add_utf8(&call->arguments, reader->text + begin, end - begin);
    reader->at = end;
}

/* Words between two closes of a call are dropped if they are few. */
static size_t skip_between(frame_reader *reader, size_t at, const char *closer)
{
    const char *inner = frame_closer(reader->call, 0);
    size_t end = at;

    while (end < reader->size && end - at <= FRAME_LOOK &&
           (!frame_marker_at(reader, end) ||
            (inner != closer && frame_starts(reader, end, inner))))
        end++;
    if (end - at > FRAME_LOOK || !frame_starts(reader, end, closer))
        return at;
    frame_drop(reader, "junk_after_object", at, end);
    return end;
}

/* Brackets between two closes of a call are too many. */
static size_t skip_brackets(frame_reader *reader, size_t at,
                            const char *closer)
{
    while (at < reader->size && frame_among("]}", reader->text[at]) &&
           !frame_starts(reader, at, closer)) {
        frame_diagnose(reader, "extra_closer", at);
        reader->at = at + 1;
        at = frame_skip_separators(reader, reader->at);
    }
    return at;
}

/* The markers behind a body that ended by itself; each may be missing. */
void frame_read_tail(frame_reader *reader, const frame_pattern *call)
{
    const char *closer;
    const bool open = !frame_closer(call, 0) && reader->format->calls.count == 0 &&
                      frame_is_tagged(reader->format, call);
    size_t end = frame_skip(reader, reader->at);
    bool closed = !open || end == reader->size ||
                  frame_message_end_at(reader, call, end);

    for (size_t n = 0; (closer = frame_closer(call, n)); n++) {
        size_t at = frame_skip(reader, reader->at);

        /* The end of a fence stands for itself, too. */
        if (frame_behind_fence(closer) > closer) {
            closer = frame_behind_fence(closer);
            if (frame_starts(reader, at, "```"))
                reader->at = at + 3;
            else if (frame_is_cut(reader, at, "```"))
                reader->at = reader->size;
            at = frame_skip(reader, reader->at);
        }
        if (!frame_starts(reader, at, closer) && !frame_closer(call, n + 1) &&
            other_close_at(reader, call, at))
            closer = other_close_at(reader, call, at);
        if (n > 0 && closed && !frame_is_tagged(reader->format, call)) {
            at = frame_skip_separators(reader, reader->at);
            at = skip_brackets(reader, at, closer);
            at = skip_between(reader, at, closer);
            reader->at = at == reader->size ? at : reader->at;
        }
        closed = frame_starts(reader, at, closer);
        if (closed)
            reader->at = at + frame_size(reader, at, closer);
        else if (frame_is_cut(reader, at, closer))
            reader->at = reader->size;
    }
    if (!closed)
        frame_diagnose(reader, "missing_call_close", reader->at);
}

/* --- sections ---------------------------------------------------------- */

/* A call, or the begin of one. */
static bool call_opens(frame_reader *reader, size_t at)
{
    frame_head head;
    bool opens;

    frame_read_head(reader, at, true, &head);
    opens = head.answer != FRAME_NO && frame_opener(head.call) &&
            (frame_starts(reader, at, frame_opener(head.call)) ||
             (head.answer == FRAME_CUT &&
              frame_begins_with_token(reader, head.call, at)));
    frame_head_release(&head);
    return opens;
}

/* Something that is no call: dropped if a call or the close follows within
 * 256 bytes (F5). */
static bool skip_junk(frame_reader *reader, size_t at, bool behind_open)
{
    for (size_t end = at; end < reader->size && end - at <= FRAME_LOOK;
         end++) {
        if (frame_section_close_at(reader, end)) {
            frame_drop(reader, "text_in_section", at, end);
            reader->at = end;
            return true;
        }
        if (frame_stop_at(reader, end) ||
            (end > at && !behind_open && frame_section_open_at(reader, end)))
            return false;
        if (call_opens(reader, end)) {
            frame_drop(reader, "text_in_section", at, end);
            reader->at = end;
            return true;
        }
        if (end == at && !behind_open && frame_section_open_at(reader, end))
            end += strlen(frame_section_open_at(reader, end)) - 1;
    }
    return false;
}

/* The output ends within what may be a section's close. */
static bool close_is_cut(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->calls;

    for (size_t i = 0; i < calls->count; i++)
        if (frame_is_cut(reader, at, frame_closer(&calls->items[i], 0)))
            return true;
    return false;
}

/* The output ends within what opens a call, but for text like any other. */
static bool opener_is_cut(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->call;

    for (size_t i = 0; i < calls->count; i++)
        if (frame_starts(reader, at, frame_opener(&calls->items[i])) ||
            frame_begins_with_token(reader, &calls->items[i], at))
            return false;
    for (size_t i = 0; i < calls->count; i++) {
        const char *opener = frame_opener(&calls->items[i]);

        if (opener && !frame_is_plain(opener) &&
            frame_is_cut(reader, at, opener))
            return true;
    }
    return false;
}

static bool stop_is_cut(const frame_reader *reader, size_t at)
{
    for (size_t i = 0; i < reader->format->stops.count; i++)
        if (frame_is_cut(reader, at, reader->format->stops.items[i]))
            return true;
    return false;
}

static void leave_section(frame_reader *reader, size_t at)
{
    frame_diagnose(reader, "missing_section_close", at);
    reader->at = at;
}

/* A call in it is bad, or not closed. */
static bool is_bad(const naive_message *message)
{
    bool bad = message->unparsed_count > 0;

    for (size_t i = 0; i < message->diagnostic_count; i++)
        bad |= strcmp(message->diagnostics[i].code, "missing_call_close") == 0;
    return bad;
}

/* From behind the open, or behind the first call of a section without one. */
static void read_section(frame_reader *reader)
{
    for (;;) {
        size_t at = frame_skip(reader, reader->at);
        const char *close = frame_section_close_at(reader, at);
        frame_head head;

        if (close) {
            reader->at = at + frame_size(reader, at, close);
            return;
        }
        if (close_is_cut(reader, at))
            at = reader->size;
        if (at == reader->size || frame_stop_at(reader, at) ||
            frame_outside_at(reader, at)) {
            leave_section(reader, at);
            return;
        }
        frame_read_head(reader, at, true, &head);
        if (head.answer == FRAME_NO && opener_is_cut(reader, at)) {
            frame_diagnose(reader, "truncated_call", reader->size);
            frame_unparsed(reader, at, reader->size, "truncated_call", NULL);
            leave_section(reader, reader->size);
            return;
        }
        if (head.answer == FRAME_NO && frame_unknown_call(reader, at)) {
            reader->at = frame_unknown_call(reader, at);
            frame_diagnose(reader, "unknown_head", at);
            frame_unparsed(reader, at, reader->at, "unknown_head", NULL);
            continue;
        }
        if (head.answer == FRAME_NO) {
            if (!skip_junk(reader, at, false)) {
                leave_section(reader, reader->at);
                return;
            }
            continue;
        }
        read_call(reader, &head, at);
        frame_head_release(&head);
        if (reader->trial && is_bad(reader->message))
            return;
    }
}

/* The section's open at |at|: what follows makes it one, or it is text. */
static bool try_section(frame_reader *reader, const frame_pattern *pattern,
                        size_t skip, size_t at)
{
    const char *opener = frame_opener(pattern);
    frame_match match = {0};
    frame_head head = {0};
    const size_t start = skip ? reader->begin : at;
    size_t inside;
    bool found = false, doubled = false;

    frame_match_parts(reader, pattern, 0, pattern->hole, skip, at, &match);
    inside = frame_skip(reader, match.end);
    while (match.end > at && frame_is_blank(reader->text[match.end - 1]))
        match.end--;
    while (match.answer == FRAME_YES && !frame_is_plain(opener) && !skip &&
           frame_starts(reader, inside, opener)) {
        doubled = true;
        match.end = inside + frame_size(reader, inside, opener);
        inside = frame_skip(reader, match.end);
    }
    if (match.answer == FRAME_YES && inside < reader->size) {
        frame_read_head(reader, inside, true, &head);
        found = head.answer != FRAME_NO;
        if (close_is_cut(reader, inside) || stop_is_cut(reader, inside) ||
            opener_is_cut(reader, inside)) {
            frame_head_release(&head);
            found = true;
            head.answer = FRAME_CUT;
            head.body = reader->size;
            head.match.end = match.end;
        } else if (head.answer != FRAME_YES &&
                   (frame_section_close_at(reader, inside) ||
                    frame_stop_at(reader, inside))) {
            frame_head_release(&head);
            found = head.empty = true;
            head.answer = FRAME_CUT;
            head.body = inside;
        } else if (!found && (frame_is_token(reader->format, opener) ||
                              frame_bad_call_at(reader, inside))) {
            frame_reader trial = *reader;
            naive_message scratch = {0};

            trial.message = &scratch;
            found = skip_junk(&trial, inside, true) &&
                    !frame_section_close_at(reader, trial.at);
            naive_message_release(&scratch);
            head.call = NULL;
        }
    } else if (match.answer == FRAME_YES) {
        found = true;
        head.answer = FRAME_CUT;
        head.match.end = match.end;
    }
    if (found) {
        if (match.has[HOLE_SKIP])
            frame_address(reader, pattern, at);
        frame_end_segment(reader, at, true, false);
        if (pattern->loose)
            frame_diagnose(reader, "loose_marker", at);
        if (doubled)
            frame_diagnose(reader, "doubled_open_tag", at);
        reader->at = match.end;
        reader->fresh = false;
        if (head.answer == FRAME_CUT && !head.call) {
            read_empty(reader, &head, start);
        } else {
            reader->in_section = true;
            read_section(reader);
            reader->in_section = false;
        }
    }
    frame_head_release(&head);
    frame_match_release(&match);
    return found;
}

/* --- calls in the text ------------------------------------------------- */

static bool at_line_begin(const frame_reader *reader, size_t at)
{
    return at == 0 || reader->text[at - 1] == '\n' ||
           frame_skip(reader, reader->begin) == at;
}

/* No line feed in the argument's pattern: the format is written in one. */
static bool is_inline(const frame_description *format)
{
    const char *closer = frame_closer(&format->call.items[0], 0);

    for (size_t i = 0; i < format->argument.items[0].count; i++) {
        const frame_part *part = &format->argument.items[0].parts[i];

        if (part->kind == FRAME_LAYOUT && strchr(part->text.data, '\n'))
            return false;
    }
    return closer != NULL;
}

/* The output ends within a marker of parameters, or what closes the call. */
static bool parameter_is_cut(const frame_reader *reader,
                             const frame_head *head, size_t at)
{
    return frame_is_cut(reader, at, frame_closer(head->call, 0)) ||
           frame_parameter_is_cut(reader, at, false);
}

/* A tagged call without its section. */
static bool may_stand_alone(frame_reader *reader, size_t at,
                            const frame_head *head)
{
    const frame_description *format = reader->format;
    const char *opener = frame_opener(head->call);
    bool lone = format->calls.count == 0 && at_line_begin(reader, at);
    bool follows;
    size_t behind = frame_skip(reader, head->body);

    if (!opener || head->answer != FRAME_YES)
        return opener && (format->argument.count == 0 ||
                          frame_holds_token(format, opener) ||
                          frame_begins_with_token(reader, head->call, at) ||
                          (lone && !head->empty &&
                           frame_skip(reader,
                                      at + frame_size(reader, at, opener)) <
                               reader->size)); /* an attribute has begun */
    if (frame_holds_token(format, opener))
        return true; /* F3 */
    if (!frame_is_tagged(format, head->call))
        return format->argument.count == 0;
    follows = frame_is_parameter_marker(reader, behind) ||
              frame_own_close_at(reader, head->call, behind);
    follows = head->match.closed
                  ? frame_has_tools(reader)
                  : follows ||
                        (format->calls.count == 0 && frame_has_tools(reader));
    follows = follows || (lone && !head->match.closed &&
                          (behind == reader->size ||
                           parameter_is_cut(reader, head, behind)));
    return (at_line_begin(reader, at) || is_inline(format)) && follows &&
           (!frame_has_tools(reader) || reader->channel == FRAME_TO_TOOL ||
            frame_tool(reader, &head->match.holes[HOLE_NAME]));
}

/* A tagged call of a format without sections, MiniCPM5: the same for text
 * markers that prose could hold. */
static bool may_open(frame_reader *reader, size_t at, const frame_head *head)
{
    const frame_description *format = reader->format;

    if (frame_is_tagged(format, head->call) && format->calls.count == 0 &&
        head->call->parts[0].kind == FRAME_TAG &&
        frame_opener(head->call) == head->call->parts[0].text.data)
        return may_stand_alone(reader, at, head);
    return format->calls.count == 0 || may_stand_alone(reader, at, head);
}

bool frame_call_begins(frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->calls;
    frame_head head = {0};
    bool found;

    frame_read_head(reader, at, false, &head);
    /* A bracket begins a list, an empty one, too. */
    found = (head.answer == FRAME_YES ||
             (head.empty && head.body < reader->size &&
              reader->text[head.body] == '[' &&
              !frame_call_close_at(reader, head.body))) &&
            may_open(reader, at, &head);
    frame_head_release(&head);
    for (size_t i = 0; i < calls->count && !found; i++) {
        const frame_pattern *section = &calls->items[i];
        frame_match match = {0};

        if (!frame_starts(reader, at, frame_opener(section)))
            continue;
        frame_match_parts(reader, section, 0, section->hole, 0, at, &match);
        if (match.answer == FRAME_YES) {
            frame_read_head(reader, frame_skip(reader, match.end), true,
                            &head);
            found = head.answer == FRAME_YES;
            frame_head_release(&head);
        }
        frame_match_release(&match);
    }
    return found;
}

/* Where the opener was lost, the whole call and its close must be there. */
static bool is_whole(const frame_reader *reader, frame_head *head, size_t at)
{
    frame_reader trial = *reader;
    naive_message scratch = {0};
    bool whole;

    if (frame_opener(head->call) || !frame_closer(head->call, 0))
        return true;
    if (frame_body(head->call) == HOLE_PYTHON) {
        const size_t close = frame_next_marker((frame_reader *)&trial, at);

        return close - at <= FRAME_HELD && frame_call_close_at(reader, close);
    }
    trial.message = &scratch;
    trial.cuts = (naive_bytes){0};
    read_call(&trial, head, at);
    whole = scratch.call_count > 0 && scratch.unparsed_count == 0 &&
            !trial.foreign_key && trial.at - at <= FRAME_HELD;
    for (size_t i = 0; i < scratch.diagnostic_count; i++)
        whole = whole &&
                strcmp(scratch.diagnostics[i].code, "missing_call_close") &&
                strcmp(scratch.diagnostics[i].code, "junk_after_object");
    naive_message_release(&scratch);
    return whole;
}

static bool try_call(frame_reader *reader, size_t at, bool first)
{
    frame_head head;
    bool unmarked;

    frame_read_head(reader, at, false, &head);
    if (head.answer != FRAME_NO && !may_open(reader, at, &head))
        frame_head_release(&head);
    unmarked = head.answer == FRAME_NO && first && reader->fresh;
    if (unmarked)
        frame_read_unmarked(reader, at, false, &head);
    if (head.answer == FRAME_YES && head.bare && !is_whole(reader, &head, at))
        frame_head_release(&head);
    if (head.answer == FRAME_NO ||
        (head.answer == FRAME_CUT && frame_stop_at(reader, at))) {
        frame_head_release(&head);
        return false;
    }
    frame_end_segment(reader, at, true, false);
    if (reader->format->calls.count && head.answer == FRAME_YES)
        frame_diagnose(reader, "missing_section_open", at);
    read_call(reader, &head, at);
    if (reader->format->calls.count && head.answer == FRAME_YES &&
        !reader->over) {
        size_t next = frame_skip(reader, reader->at);
        const char *close = frame_section_close_at(reader, next);

        if (close && !frame_stop_at(reader, next)) {
            frame_diagnose(reader, "orphan_close_tag", next);
            reader->at = next + frame_size(reader, next, close);
        }
    }
    frame_head_release(&head);
    return true;
}

bool frame_try_block(frame_reader *reader, size_t at, bool first)
{
    const frame_patterns *calls = &reader->format->calls;

    for (size_t i = 0; i < calls->count; i++) {
        const char *opener = frame_opener(&calls->items[i]);
        size_t overlap = first ? frame_prompt_overlap(reader, opener) : 0;

        if (frame_starts(reader, at, opener) &&
            strlen(opener) >= frame_longest_opener(reader, at) &&
            try_section(reader, &calls->items[i], 0, at))
            return true;
        if (overlap && !frame_is_for_user(reader, at) &&
            try_section(reader, &calls->items[i], overlap, at))
            return true;
    }
    return try_call(reader, at, first);
}
