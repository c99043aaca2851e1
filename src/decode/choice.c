/* SPDX-License-Identifier: MIT
 *
 * The bytes that were fed are kept from the last event on.  A call's are given
 * as text as soon as the format has released them, and so is the framing that
 * stands directly in front of a call or behind it.
 */
#include "decode/choice.h"

#include "core/bytes.h"
#include "core/utf8.h"

/* More framing than this is none of a call. */
enum { FRAME_MOST = 64 * 1024 };

static tw_choice_kind kind_of(const char *text, size_t size)
{
    return size == 0 || tw_bytes_are(text, size, "auto") ? TW_CHOICE_AUTO
           : tw_bytes_are(text, size, "none")            ? TW_CHOICE_NONE
           : tw_bytes_are(text, size, "required")        ? TW_CHOICE_REQUIRED
                                                         : TW_CHOICE_NAME;
}

tw_choice *tw_choice_new(const tw_memory *memory, const tw_marker *markers,
                         size_t marker_count, const char *text, size_t size,
                         bool *failed)
{
    const tw_choice_kind kind = kind_of(text, size);
    *failed = false;
    if (kind == TW_CHOICE_AUTO) {
        return NULL;
    }
    tw_choice *choice = tw_memory_new(memory, sizeof *choice);
    *failed = choice == NULL;
    if (choice != NULL) {
        choice->memory = memory;
        choice->markers = markers;
        choice->marker_count = marker_count;
        choice->kind = (uint8_t)kind;
        *failed = kind == TW_CHOICE_NAME &&
                  !tw_buffer_append(&choice->name, memory, text, size);
    }
    if (*failed) {
        tw_choice_free(choice);
        choice = NULL;
    }
    return choice;
}

void tw_choice_free(tw_choice *choice)
{
    if (choice != NULL) {
        const tw_memory *memory = choice->memory;
        tw_buffer_free(&choice->name, memory);
        tw_buffer_free(&choice->bytes, memory);
        tw_memory_free(memory, choice, sizeof *choice);
    }
}

void tw_choice_reset(tw_choice *choice)
{
    choice->other = choice->made = choice->told = false;
    choice->bytes.size = 0;
    choice->base = choice->seen = choice->sent = choice->due = 0;
    choice->frame_at = choice->frame_end = 0;
    choice->open = choice->joins = choice->text = false;
    choice->text_end = 0;
    choice->number = choice->theirs = 0;
    choice->first = choice->held = NULL;
}

/* ---- the bytes ---------------------------------------------------------- */

/* From here on the bytes are still needed. */
static uint64_t needed(const tw_choice *choice)
{
    const uint64_t at = choice->open || choice->sent < choice->due
                            ? choice->sent
                            : choice->seen;
    return choice->frame_at < choice->frame_end && choice->frame_at < at
               ? choice->frame_at
               : at;
}

bool tw_choice_feed(tw_choice *choice, const char *data, size_t size)
{
    if (choice->kind != TW_CHOICE_NONE) {
        return true;
    }
    const uint64_t from = needed(choice);
    const size_t old = from > choice->base ? (size_t)(from - choice->base) : 0;
    if (old > choice->bytes.size / 2) { /* each byte is moved once */
        tw_buffer_drop(&choice->bytes,
                       old < choice->bytes.size ? old : choice->bytes.size);
        choice->base += old;
    }
    return tw_buffer_append(&choice->bytes, choice->memory, data, size);
}

static const uint8_t *byte_at(const tw_choice *choice, uint64_t at)
{
    return choice->bytes.data + (size_t)(at - choice->base);
}

static tw_event *make(tw_event *event, tw_event_type type, uint64_t begin,
                      uint64_t end)
{
    memset(event, 0, sizeof *event);
    event->type = type;
    event->index = TW_NO_INDEX;
    event->offset = begin;
    event->span = end - begin;
    return event;
}

/* Well-formed bytes of what is due, or U+FFFD for those that are not; NULL:
 * nothing is due, or half a code point. */
static const tw_event *give_text(tw_choice *choice)
{
    if (choice->sent >= choice->due) {
        return NULL;
    }
    const uint8_t *at = byte_at(choice, choice->sent);
    const uint8_t *limit = byte_at(choice, choice->due);
    const uint8_t *good = tw_utf8_valid(at, limit);
    size_t size = (size_t)(good - at);
    const bool bad = size == 0;
    if (bad && tw_utf8_next(at, limit, &size) == TW_UTF8_INCOMPLETE &&
        choice->open) {
        return NULL;
    }
    tw_event *event =
        make(&choice->event, TW_EVENT_TEXT, choice->sent, choice->sent + size);
    event->index = choice->number - 1;
    event->data = bad ? TW_REPLACEMENT : (const char *)at;
    event->size = bad ? TW_REPLACEMENT_SIZE : size;
    choice->sent += size;
    return event;
}

const tw_event *tw_choice_take(tw_choice *choice)
{
    const tw_event *event = choice->first;
    choice->first = NULL;
    if (event == NULL) {
        event = give_text(choice);
    }
    if (event == NULL) {
        event = choice->held;
        choice->held = NULL;
    }
    return event;
}

/* ---- framing ------------------------------------------------------------ */

/* Does the marker stand around a whole message, or around reasoning? */
static bool is_outer(const tw_marker *marker)
{
    return marker->stop == 1 || marker->role == TW_MARKER_END ||
           marker->role == TW_MARKER_TURN ||
           marker->role == TW_MARKER_REASONING_OPEN ||
           marker->role == TW_MARKER_REASONING_CLOSE;
}

/* The size of such a marker at |at|, or 0. */
static size_t outer_size(const tw_choice *choice, uint64_t at, uint64_t end)
{
    size_t most = 0;
    for (size_t i = 0; i < choice->marker_count; i++) {
        const tw_marker *marker = &choice->markers[i];
        if (is_outer(marker) && marker->size > most &&
            marker->size <= end - at &&
            memcmp(byte_at(choice, at), marker->text, marker->size) == 0) {
            most = marker->size;
        }
    }
    return most;
}

/* Where the first of these begins in [at, end), or the last one ends. */
static uint64_t outer_from(const tw_choice *choice, uint64_t at, uint64_t end)
{
    while (at < end && outer_size(choice, at, end) == 0) {
        at++;
    }
    return at;
}

static uint64_t outer_to(const tw_choice *choice, uint64_t at, uint64_t end)
{
    uint64_t to = at;
    for (; at < end; at++) {
        const size_t size = outer_size(choice, at, end);
        to = size > 0 ? at + size : to;
        at += size > 0 ? size - 1 : 0;
    }
    return to;
}

/* Framing up to |to| is that of no call. */
static void pass_framing(tw_choice *choice, uint64_t to)
{
    if (choice->framing && choice->frame_at < to) {
        choice->first =
            make(&choice->frame, TW_EVENT_FRAMING, choice->frame_at, to);
    }
    choice->frame_at = to;
}

static void see_framing(tw_choice *choice, uint64_t at, uint64_t end)
{
    if (choice->joins && at == choice->due) {
        choice->due = outer_from(choice, at, end);
        choice->joins = choice->due == end;
        at = choice->due;
    }
    if (choice->frame_end != at || end - choice->frame_at > FRAME_MOST) {
        pass_framing(choice, choice->frame_end);
        choice->frame_at = at;
    }
    choice->frame_end = end;
    choice->seen = at;
}

/* ---- events ------------------------------------------------------------- */

/* A call begins at |at|: its text goes on what was given, or is a segment. */
static void open_call(tw_choice *choice, uint64_t at)
{
    uint64_t from = at;
    if (choice->frame_at < choice->frame_end && choice->frame_end == at) {
        from = outer_to(choice, choice->frame_at, at);
    }
    pass_framing(choice, from < choice->frame_end ? from : choice->frame_end);
    choice->frame_at = choice->frame_end = 0;
    if (!choice->joins && (!choice->text || choice->text_end != from)) {
        choice->number++;
    }
    choice->sent = choice->due = from;
    choice->joins = choice->text = choice->open = true;
}

static void close_call(tw_choice *choice, uint64_t end)
{
    choice->due = end > choice->due ? end : choice->due;
    choice->seen = choice->text_end = choice->due;
    choice->open = false;
}

/* Text and reasoning, in segments of the numbers that are given here. */
static void see_piece(tw_choice *choice, const tw_event *event)
{
    const bool text = event->type == TW_EVENT_TEXT;
    const bool on = text && choice->joins && choice->due == event->offset;
    if (!on && (choice->joins || choice->number == 0 || choice->text != text ||
                choice->theirs != event->index)) {
        choice->number++;
    }
    choice->joins = false;
    choice->text = text;
    choice->theirs = event->index;
    choice->event = *event;
    choice->event.index = choice->number - 1;
    choice->held = &choice->event;
    choice->seen = choice->text_end = event->offset + event->span;
    pass_framing(choice, choice->frame_end);
}

static void see_call(tw_choice *choice, const tw_event *event)
{
    if (event->type == TW_EVENT_CALL_BEGIN) {
        open_call(choice, event->offset);
    } else if (event->type == TW_EVENT_UNPARSED && !choice->open) {
        open_call(choice, event->offset);
        close_call(choice, event->offset + event->span);
    } else if (event->type != TW_EVENT_CALL_ARGUMENTS && event->span > 0) {
        close_call(choice, event->offset + event->span);
    }
}

static void see_none(tw_choice *choice, const tw_event *event,
                     uint64_t released)
{
    switch (event != NULL ? event->type : 0) {
    case 0:
        if (choice->open && released > choice->due) {
            choice->due = released;
        }
        break;
    case TW_EVENT_TEXT:
    case TW_EVENT_REASONING: see_piece(choice, event); break;
    case TW_EVENT_CALL_BEGIN:
    case TW_EVENT_CALL_ARGUMENTS:
    case TW_EVENT_CALL_END:
    case TW_EVENT_UNPARSED: see_call(choice, event); break;
    case TW_EVENT_FRAMING:
        see_framing(choice, event->offset, event->offset + event->span);
        break;
    case TW_EVENT_DIAGNOSTIC: /* what is odd in a call is odd in no text */
        if (!choice->open && event->code < TW_DIAGNOSTIC_TRUNCATED_CALL) {
            choice->held = event;
        }
        break;
    default: pass_framing(choice, choice->frame_end); choice->held = event;
    }
}

static void see_wanted(tw_choice *choice, const tw_event *event)
{
    if (event->type == TW_EVENT_CALL_BEGIN && choice->kind == TW_CHOICE_NAME) {
        choice->other |= choice->name.size != event->size ||
                         memcmp(choice->name.data, event->data, event->size);
    }
    choice->made |=
        event->type == TW_EVENT_CALL_END && event->code == TW_CALL_COMPLETE;
    choice->held = event;
}

/* In front of the end: what was asked for is not there. */
static void tell(tw_choice *choice, const tw_event *end)
{
    const tw_diagnostic *row =
        tw_diagnostic_get(TW_DIAGNOSTIC_TOOL_CHOICE_UNMET);
    tw_event *event =
        make(&choice->frame, TW_EVENT_DIAGNOSTIC, end->offset, end->offset);
    event->code = row->code;
    event->flags = TW_EVENT_WARNING;
    event->data = row->name;
    event->size = strlen(row->name);
    choice->first = event;
    choice->told = true;
}

void tw_choice_see(tw_choice *choice, const tw_event *event, uint64_t released)
{
    if (choice->kind == TW_CHOICE_NONE) {
        see_none(choice, event, released);
    } else if (event != NULL) {
        see_wanted(choice, event);
        if (event->type == TW_EVENT_END && !choice->told &&
            (choice->other || !choice->made)) {
            tell(choice, event);
        }
    }
}
