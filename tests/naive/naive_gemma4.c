/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: text, reasoning, and what frames the calls.
 */
#include "naive_gemma4.h"
#include "naive_json.h"

#include <stdio.h>
#include <string.h>

enum { CALL_LIMIT = 1024 };

/* ---- Segments ---- */

/* Cuts the blanks off both ends; a run that a stream cannot hold stays. */
static void trim(const char **data, size_t *size)
{
    size_t front = 0, back = 0;

    while (front < *size && gemma4_is_blank((*data)[front]))
        front++;
    if (front > GEMMA4_NEAR)
        front = 0;
    while (back < *size - front &&
           gemma4_is_blank((*data)[*size - 1 - back]))
        back++;
    if (back > GEMMA4_NEAR)
        back = 0;
    if (front > 0)
        *data += front;
    *size -= front + back;
}

static void add_text(gemma4_reader *reader, size_t end)
{
    naive_add_utf8(&reader->segment, reader->text + reader->at,
                   end - reader->at);
    naive_diagnose_utf8(reader->message, reader->text, reader->at, end);
    reader->at = end;
}

static bool is_text(const naive_bytes *segment)
{
    const char *data = segment->data;
    size_t size = segment->size;

    trim(&data, &size);
    return size > 0;
}

static void end_text(gemma4_reader *reader)
{
    const char *data = reader->segment.data;
    size_t size = reader->segment.size;

    trim(&data, &size);
    if (size > 0)
        naive_text_segment(reader->message, data, size);
    reader->headless = false;
    naive_release(&reader->segment);
}

static void end_reasoning(gemma4_reader *reader, size_t start, size_t end)
{
    const char *data = reader->text + start;
    size_t size = end - start;

    naive_diagnose_utf8(reader->message, reader->text, start, end);
    trim(&data, &size);
    if (size > 0)
        naive_reasoning_segment(reader->message, data, size);
}

/* ---- Calls ---- */

/* A call is over, from |start| to where the reader is, and it is none. */
static void report(gemma4_reader *reader, size_t start, const char *reason,
                   const gemma4_head *head)
{
    naive_unparsed *unparsed =
        naive_unparsed_add(reader->message, start, reader->at - start, reason);

    if (head->kind >= GEMMA4_HEAD_BODY)
        naive_add(&unparsed->name, reader->text + head->name_at,
                  head->name_size);
}

/* To the end of a block that is no call: its close marker, or where the next
 * one or a stop marker begins.  What stands in a string does not count. */
static void skip_block(gemma4_reader *reader)
{
    bool in_string = false;
    gemma4_marker marker;

    while (reader->at < reader->size) {
        if (!in_string && gemma4_quoted_end(reader, reader->at))
            reader->at = gemma4_quoted_end(reader, reader->at);
        marker = gemma4_body_marker_at(reader, reader->at);
        if (marker == GEMMA4_QUOTE)
            in_string = !in_string;
        else if (!in_string &&
                 (gemma4_is_stop(marker) || marker == GEMMA4_CHANNEL))
            return;
        else if (!in_string && marker == GEMMA4_CALL)
            return;
        reader->at += marker ? gemma4_marker_size(marker) : 1;
        if (!in_string && marker == GEMMA4_CALL_END)
            return;
    }
}

static void refuse_call(gemma4_reader *reader, size_t start,
                        const char *reason, size_t reason_at,
                        const gemma4_head *head)
{
    naive_diagnose(reader->message, reason, reason_at);
    reader->at = head->end;
    skip_block(reader);
    report(reader, start, reason, head);
}

static void add_call(gemma4_reader *reader, const gemma4_head *head,
                     size_t number)
{
    naive_call *call = naive_call_add(reader->message);
    char id[32];

    snprintf(id, sizeof(id), "call_%zu", number);
    naive_add_text(&call->id, id);
    naive_add(&call->name, reader->text + head->name_at, head->name_size);
    naive_add(&call->arguments, reader->arguments.data,
              reader->arguments.size);
}

/* Text behind the object: framing if the close marker is near, else text.
 * The reader stands behind the object, the text begins at |junk|. */
static void read_junk(gemma4_reader *reader, size_t junk)
{
    size_t i = junk;
    gemma4_marker marker = GEMMA4_NONE;

    while (i < reader->size && i - junk <= GEMMA4_NEAR && !marker) {
        marker = gemma4_text_marker_at(reader, i);
        if (marker == GEMMA4_CHANNEL_END)
            marker = GEMMA4_NONE; /* it closes nothing here */
        i += marker == GEMMA4_NONE;
    }
    if (marker == GEMMA4_CALL_END) {
        naive_drop(reader->message, "junk_after_object", junk, i - junk);
        reader->at = i + gemma4_marker_size(marker);
        return;
    }
    /* Prose that goes on is where the marker was missed. */
    naive_diagnose(reader->message, "missing_call_close",
                   i - junk > GEMMA4_NEAR ? junk : reader->at);
    reader->at = junk;
}

/* Closers that close nothing; one of a doubled pair is expected. */
static void read_extra_closers(gemma4_reader *reader)
{
    size_t i = gemma4_skip_blanks(reader, reader->at);
    int byte;

    while ((byte = gemma4_byte(reader, i)) == '}' || byte == ']' ||
           byte == ')') {
        if (reader->doubled)
            reader->doubled = false;
        else
            naive_diagnose(reader->message, "extra_closer", i);
        reader->at = i + 1;
        i = gemma4_skip_blanks(reader, reader->at);
    }
}

/* Nothing but half of what begins the next call or message. */
static bool is_next_cut_at(const gemma4_reader *reader, size_t at)
{
    static const char *const next[] = {"<|tool_call>", "<|tool_response>",
                                       "<turn|>", "<eos>"};
    const size_t left = reader->size - at;
    bool cut = false;

    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        cut |= left < strlen(next[i]) &&
               memcmp(reader->text + at, next[i], left) == 0;
    return cut;
}

/* No blanks stand in the head that begins at |at|. */
static bool is_tight(const gemma4_reader *reader, size_t at,
                     const gemma4_head *head)
{
    const size_t word = gemma4_starts(reader, at, "call:") ? 5 : 0;

    return head->name_at == at + word &&
           head->end == head->name_at + head->name_size + 1;
}

/* From behind the object to behind its block.  False if the object turns out
 * not to be the whole arguments.  |next| becomes the head of a call that
 * follows in the same block. */
static bool read_call_end(gemma4_reader *reader, bool bare, gemma4_head *next)
{
    static const gemma4_head none = {0};
    size_t i, start;
    gemma4_marker marker;
    int byte;

    read_extra_closers(reader);
    i = gemma4_skip_blanks(reader, reader->at);
    marker = gemma4_text_marker_at(reader, i);
    byte = gemma4_byte(reader, i);
    if (marker == GEMMA4_CALL_END) {
        reader->at = i + gemma4_marker_size(marker);
        return true;
    }
    if (byte == GEMMA4_END || gemma4_close_marker_cut_at(reader, i) ||
        (!bare && is_next_cut_at(reader, i)) ||
        (!marker && gemma4_value_marker_at(reader, i) == GEMMA4_RESPONSE)) {
        naive_diagnose(reader->message, "missing_call_close", reader->at);
        reader->at = reader->size;
        return true;
    }
    if (marker) {
        naive_diagnose(reader->message, "missing_call_close", reader->at);
        return true;
    }
    start = byte == ',' ? gemma4_skip_blanks(reader, i + 1) : i;
    *next = start - i > GEMMA4_NEAR || byte == ':' || byte == '=' ? none
            : bare                  ? gemma4_read_bare_head(reader, start)
                                    : gemma4_next_head(reader, start);
    if (byte == ',' && !bare && !is_tight(reader, start, next))
        next->kind = GEMMA4_HEAD_NONE; /* arguments could go on */
    if (next->kind != GEMMA4_HEAD_NONE) {
        if (byte == ',')
            naive_diagnose(reader->message, "extra_comma", i);
        reader->at = start;
        return true;
    }
    reader->reason_at = i;
    if (bare)
        reader->reason = "prose_after_bare_call";
    else if (byte == ',' || byte == ':' || byte == '=')
        reader->reason = "arguments_go_on";
    else
        read_junk(reader, i);
    return !reader->reason;
}

/* The call's arguments and what follows them, from behind its head. */
static void read_call_body(gemma4_reader *reader, size_t start, bool bare,
                           const gemma4_head *head, gemma4_head *next)
{
    size_t number = reader->message->begun++;

    reader->at = head->end;
    reader->round = head->round;
    reader->doubled = false;
    reader->truncated = false;
    reader->unwinding = false;
    reader->reason = NULL;
    naive_add_text(&reader->arguments, "{");
    if (gemma4_read_arguments(reader) && read_call_end(reader, bare, next)) {
        add_call(reader, head, number);
    } else if (reader->truncated) {
        naive_diagnose(reader->message, reader->reason, reader->at);
        if (gemma4_quoted_end(reader, reader->at))
            skip_block(reader);
        report(reader, start, reader->reason, head);
    } else {
        naive_diagnose(reader->message, reader->reason, reader->reason_at);
        if (strcmp(reader->reason, "prose_after_bare_call") != 0)
            skip_block(reader);
        report(reader, start, reader->reason, head);
    }
    naive_release(&reader->arguments);
}

static void read_call_without_body(gemma4_reader *reader,
                                   const gemma4_head *head)
{
    size_t number = reader->message->begun++;

    naive_diagnose(reader->message, "empty_arguments", head->end);
    naive_add_text(&reader->arguments, "{}");
    add_call(reader, head, number);
    naive_release(&reader->arguments);
    reader->at = head->end + gemma4_marker_size(GEMMA4_CALL_END);
}

/* One call; |next| as in read_call_end(). */
static void read_call(gemma4_reader *reader, size_t start, bool bare,
                      gemma4_head *head, gemma4_head *next)
{
    size_t at = head->name_at;
    size_t size = gemma4_declared_name(reader, head);

    if (head->kind == GEMMA4_HEAD_LONG) {
        refuse_call(reader, start, "limit_name", head->name_at, head);
        return;
    }
    if (reader->message->begun == CALL_LIMIT) {
        refuse_call(reader, start, "limit_calls", start, head);
        return;
    }
    if (head->loose)
        naive_diagnose(reader->message, "loose_head", start);
    if (size > 0 && size < head->name_size) {
        naive_diagnose(reader->message, "name_repaired", at);
        head->name_at += head->name_size - size;
        head->name_size = size;
    }
    if (head->kind == GEMMA4_HEAD_NO_BODY) {
        read_call_without_body(reader, head);
        return;
    }
    if (head->round)
        naive_diagnose(reader->message, "paren_args", head->end - 1);
    read_call_body(reader, start, bare, head, next);
}

/* A call, and the calls that share its block. */
static void read_calls(gemma4_reader *reader, bool bare, gemma4_head head)
{
    size_t start = reader->at;
    gemma4_head next = {0};

    end_text(reader);
    if (bare && head.kind == GEMMA4_HEAD_BODY)
        naive_diagnose(reader->message, "missing_call_open", start);
    for (;;) {
        read_call(reader, start, bare, &head, &next);
        if (next.kind == GEMMA4_HEAD_NONE)
            break;
        start = reader->at;
        head = next;
        next.kind = GEMMA4_HEAD_NONE;
        if (head.kind >= GEMMA4_HEAD_BODY)
            naive_diagnose(reader->message, "calls_share_block", start);
    }
    reader->boundary = true;
}

/* A block that is cut off before its head is whole, or empty. */
static void read_headless_block(gemma4_reader *reader, gemma4_head head)
{
    size_t start = reader->at;
    bool empty = head.kind == GEMMA4_HEAD_EMPTY;
    const char *reason = empty ? "empty_call" : "truncated_call";

    end_text(reader);
    reader->at = head.end;
    if (empty)
        reader->at += gemma4_marker_size(GEMMA4_CALL_END);
    else if (!gemma4_is_stop(gemma4_marker_at(reader, head.end)))
        reader->at = reader->size;
    naive_diagnose(reader->message, reason, empty ? start : reader->at);
    report(reader, start, reason, &head);
    reader->boundary = true;
}

/* A tag around a call, where a text begins, is framing. */
static bool drops_foreign_tag(gemma4_reader *reader)
{
    size_t name, size = gemma4_foreign_tag(reader, false, &name);
    size_t behind = gemma4_skip_blanks(reader, reader->at + size);

    if (is_text(&reader->segment) || size == 0 ||
        gemma4_marker_at(reader, behind) != GEMMA4_CALL ||
        (gemma4_head_behind(reader, behind).kind < GEMMA4_HEAD_BODY &&
         !(reader->frame && frame_object_begins(reader->frame, behind))))
        return false;
    reader->at += size;
    return true;
}

/* ---- Reasoning ---- */

/* Behind a channel's marker: `thought` and a line feed, or what is there. */
static void skip_channel_header(gemma4_reader *reader)
{
    static const char header[] = "thought\n";
    size_t same = 0;
    size_t i = gemma4_skip_blanks(reader, reader->at);

    while (header[same] && gemma4_byte(reader, i) == header[same]) {
        same++;
        i++;
    }
    if (!header[same] || (header[same] == '\n' &&
                          !gemma4_is_word_byte(gemma4_byte(reader, i)) &&
                          !gemma4_is_one_of(gemma4_byte(reader, i), ":/")))
        reader->at = i;
}

/* The call's marker at |at| stands in open reasoning: it is a call's if only
 * calls follow, all of them whole (D8).  Else reasoning goes on at |*behind|:
 * where something else stands, or the first marker in what is not whole. */
static bool only_calls_follow(const gemma4_reader *reader, size_t at,
                              size_t *behind)
{
    naive_message seen = {0};
    gemma4_reader ahead = {.options = reader->options,
                           .frame = reader->frame,
                           .message = &seen,
                           .text = reader->text,
                           .size = reader->size,
                           .at = at};
    gemma4_marker marker = GEMMA4_CALL;
    bool only = true;

    while (only && ahead.at < ahead.size && !gemma4_is_stop(marker)) {
        const bool bare = marker != GEMMA4_CALL && ahead.at > at;
        gemma4_head head = bare ? gemma4_read_bare_head(&ahead, ahead.at)
                                : gemma4_head_behind(&ahead, ahead.at);

        only = head.kind >= GEMMA4_HEAD_BODY;
        if (only)
            read_calls(&ahead, bare, head);
        only = only && seen.unparsed_count == 0 && ahead.at - at <= GEMMA4_FAR;
        ahead.at = gemma4_skip_blanks(&ahead, ahead.at);
        if (drops_foreign_tag(&ahead))
            ahead.at = gemma4_skip_blanks(&ahead, ahead.at);
        marker = gemma4_text_marker_at(&ahead, ahead.at);
        while (only && marker == GEMMA4_CALL_END) { /* it closes nothing */
            ahead.at += gemma4_marker_size(marker);
            ahead.at = gemma4_skip_blanks(&ahead, ahead.at);
            marker = gemma4_text_marker_at(&ahead, ahead.at);
        }
    }
    only = only && !gemma4_closes_reasoning(reader, at, ahead.at);
    *behind = at + gemma4_marker_size(GEMMA4_CALL);
    for (bool found = false; !found && *behind < ahead.at;) {
        marker = gemma4_marker_at(reader, *behind);
        found = marker == GEMMA4_CHANNEL_END || gemma4_is_stop(marker);
        *behind += !found;
    }
    naive_release(&ahead.segment);
    naive_message_release(&seen);
    return only;
}

/* The marker that ends the reasoning, from |*at| on, and where it stands. */
static gemma4_marker find_reasoning_end(const gemma4_reader *reader,
                                        size_t *at)
{
    size_t i = *at;
    gemma4_marker marker = GEMMA4_NONE;
    gemma4_head head;
    size_t behind;

    for (; i < reader->size; i += marker ? gemma4_marker_size(marker) : 1) {
        marker = gemma4_text_marker_at(reader, i);
        *at = i;
        if (marker == GEMMA4_CHANNEL || marker == GEMMA4_CHANNEL_END ||
            gemma4_is_stop(marker))
            return marker;
        if (marker != GEMMA4_CALL)
            continue;
        head = gemma4_head_behind(reader, i);
        if (head.kind == GEMMA4_HEAD_GIVEN_UP)
            naive_diagnose(reader->message, "repair_given_up", i);
        if (!gemma4_is_head(head) || head.kind == GEMMA4_HEAD_EMPTY) {
            reader->message->unsure = true;
            continue;
        }
        if (only_calls_follow(reader, i, &behind))
            return GEMMA4_CALL;
        reader->message->unsure = true; /* how far was that read? */
        i = behind - 1; /* which is no marker's */
        marker = GEMMA4_NONE;
    }
    *at = reader->size;
    return GEMMA4_NONE;
}

/* From inside the channel to behind its end. */
static void read_reasoning(gemma4_reader *reader)
{
    gemma4_marker marker;
    size_t end;

    do {
        end = reader->at;
        marker = find_reasoning_end(reader, &end);
        end_reasoning(reader, reader->at, end);
        reader->at = end;
        if (marker == GEMMA4_CALL) {
            naive_diagnose(reader->message, "call_in_reasoning", end);
            break; /* the call is read as one in the text */
        }
        reader->at += gemma4_marker_size(marker);
        if (marker == GEMMA4_CHANNEL) {
            naive_diagnose(reader->message, "stray_marker", end);
            skip_channel_header(reader);
        }
    } while (marker == GEMMA4_CHANNEL);
    if (gemma4_is_stop(marker) || (!marker && !reader->options->length)) {
        naive_diagnose(reader->message, "unclosed_reasoning", end);
        reader->stopped = true;
    }
    reader->boundary = true;
}

/* ---- The message ---- */

/* A marker of the call at |at|; without a head it is text. */
static void read_block(gemma4_reader *reader)
{
    gemma4_head head = gemma4_head_behind(reader, reader->at);
    const size_t start = reader->at;
    const bool object = head.kind == GEMMA4_HEAD_NONE && reader->frame &&
                        frame_object_begins(reader->frame, start);
    const size_t unknown = head.kind == GEMMA4_HEAD_NONE
                               ? gemma4_unknown_block(reader, start)
                               : 0;

    if (object) {
        end_text(reader);
        reader->at = frame_read_block(reader->frame, start);
        reader->boundary = true;
    } else if (unknown > 0) {
        end_text(reader);
        reader->at = unknown;
        naive_diagnose(reader->message, "unknown_head", start);
        report(reader, start, "unknown_head", &head);
        reader->boundary = true;
    } else if (head.kind == GEMMA4_HEAD_CUT ||
               head.kind == GEMMA4_HEAD_EMPTY) {
        read_headless_block(reader, head);
    } else if (gemma4_is_head(head)) {
        read_calls(reader, false, head);
    } else {
        if (head.kind == GEMMA4_HEAD_GIVEN_UP)
            naive_diagnose(reader->message, "repair_given_up", reader->at);
        reader->boundary = false;
        reader->headless = true;
        add_text(reader, reader->at + gemma4_marker_size(GEMMA4_CALL));
    }
}

static void read_text_byte(gemma4_reader *reader)
{
    int byte = gemma4_byte(reader, reader->at);
    size_t end = reader->at + 1;
    gemma4_head head;

    if (drops_foreign_tag(reader))
        return;
    if (reader->boundary && !reader->options->framed) {
        head = gemma4_read_bare_head(reader, reader->at);
        if (head.kind != GEMMA4_HEAD_NONE) {
            read_calls(reader, true, head);
            return;
        }
    }
    reader->boundary = reader->boundary && gemma4_is_blank(byte);
    /* A sequence of UTF-8 must not be added in pieces. */
    while (byte >= 0x80) {
        byte = gemma4_byte(reader, end);
        end += byte >= 0x80;
    }
    add_text(reader, end);
}

static void read_marker(gemma4_reader *reader, gemma4_marker marker)
{
    size_t behind = reader->at + gemma4_marker_size(marker);

    if (gemma4_is_stop(marker)) {
        end_text(reader);
        reader->at = behind;
        reader->stopped = true;
    } else if (marker == GEMMA4_CHANNEL) {
        end_text(reader);
        reader->at = behind;
        skip_channel_header(reader);
        read_reasoning(reader);
    } else if (marker == GEMMA4_CHANNEL_END ||
               (!reader->headless &&
                (reader->boundary || !reader->options->framed))) {
        /* A repeated end: it goes, and the text around it stays one. */
        bool orphan = marker == GEMMA4_CALL_END && is_text(&reader->segment);

        naive_diagnose(reader->message,
                       orphan ? "orphan_close_tag" : "stray_marker",
                       reader->at);
        reader->at = behind;
        reader->boundary |= marker == GEMMA4_CHANNEL_END;
    } else {
        add_text(reader, behind);
    }
}

static void drop_rest(gemma4_reader *reader)
{
    size_t rest = gemma4_skip_blanks(reader, reader->at);

    if (rest < reader->size)
        naive_drop(reader->message, "output_after_end", rest,
                   reader->size - rest);
}

static void read_message(gemma4_reader *reader)
{
    gemma4_marker marker;

    reader->boundary = true;
    if (reader->options->start_reasoning)
        read_reasoning(reader);
    for (bool turn = !reader->options->start_reasoning; turn;) {
        const char *const turns[] = {"<|turn>model\n", "<tool_response|>"};

        turn = false;
        for (size_t i = 0; i < 2 && !turn; i++) {
            turn = gemma4_starts(reader, reader->at, turns[i]);
            reader->at += turn ? strlen(turns[i]) : 0;
        }
    }
    while (reader->at < reader->size && !reader->stopped) {
        marker = gemma4_text_marker_at(reader, reader->at);
        if (marker == GEMMA4_CALL)
            read_block(reader);
        else if (marker)
            read_marker(reader, marker);
        else
            read_text_byte(reader);
    }
    end_text(reader);
    if (reader->stopped)
        drop_rest(reader);
}

void naive_gemma4(const naive_options *options, const char *text, size_t size,
                  struct frame_reader *frame, naive_message *out)
{
    gemma4_reader reader = {.options = options,
                            .message = out,
                            .text = text,
                            .size = size,
                            .frame = frame};

    read_message(&reader);
}
