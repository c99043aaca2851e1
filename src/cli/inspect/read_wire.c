/* SPDX-License-Identifier: MIT
 *
 * The wire is fed byte by byte: an event then tells of bytes between the last
 * event and the byte that was fed, and so where a name or an argument stands,
 * which no event says.
 */
#include "cli/inspect/wire.h"

#include <stdlib.h>
#include <string.h>

#include "cli/inspect/place.h"
#include "cli/files/print.h"

/* ---- lists -------------------------------------------------------------- */

/* Room for one more of |size| bytes; false: no memory. */
static bool grow(cli_wire *wire, void **list, size_t count, size_t *room,
                 size_t size)
{
    if (count < *room) {
        return true;
    }
    const size_t more = *room > 0 ? *room * 2 : 16;
    void *grown = realloc(*list, more * size);
    wire->failed |= grown == NULL;
    if (grown != NULL) {
        *list = grown;
        *room = more;
    }
    return grown != NULL;
}

static void add_note(cli_wire *wire, const cli_note *note)
{
    void *list = wire->notes;
    if (grow(wire, &list, wire->note_count, &wire->note_room, sizeof *note)) {
        wire->notes = list;
        wire->notes[wire->note_count] = *note;
        wire->notes[wire->note_count].number = wire->note_count;
        wire->note_count++;
    }
}

static cli_call *add_call(cli_wire *wire)
{
    void *list = wire->calls;
    if (!grow(wire, &list, wire->call_count, &wire->call_room,
              sizeof *wire->calls)) {
        return NULL;
    }
    wire->calls = list;
    return memset(&wire->calls[wire->call_count++], 0, sizeof *wire->calls);
}

/* By offset, then as they came. */
static int compare_notes(const void *left, const void *right)
{
    const cli_note *one = left, *other = right;
    if (one->offset != other->offset) {
        return one->offset < other->offset ? -1 : 1;
    }
    return one->number < other->number ? -1 : one->number > other->number;
}

/* ---- events ------------------------------------------------------------- */

static void paint(cli_wire *wire, const tw_event *event, cli_kind kind)
{
    memset(wire->kinds + event->offset, (int)kind, event->span);
}

static void begin_call(cli_wire *wire, const tw_event *event, size_t fed)
{
    cli_call *call = add_call(wire);
    if (call == NULL) {
        return;
    }
    call->offset = call->behind = event->offset;
    call->custom = (event->flags & TW_EVENT_CUSTOM) != 0;
    call->name = wire->texts.size;
    cli_put(&wire->texts, event->data, event->size);
    call->id = wire->texts.size;
    cli_put(&wire->texts, event->id, event->id_size);
    call->id_end = wire->texts.size;
    call->arguments = call->end = wire->arguments.size;
    cli_place_name(wire, event, fed);
}

static void add_arguments(cli_wire *wire, const tw_event *event, size_t fed)
{
    if (wire->call_count > 0) {
        cli_put(&wire->arguments, event->data, event->size);
        wire->calls[wire->call_count - 1].end = wire->arguments.size;
        cli_place_arguments(wire, event, fed);
    }
}

static void end_call(cli_wire *wire, const tw_event *event)
{
    if (wire->call_count > 0) {
        cli_call *call = &wire->calls[wire->call_count - 1];
        call->status = event->code;
        call->behind = event->offset + event->span;
        cli_place_rest(wire, event->offset, call->behind);
    }
}

static void add_unparsed(cli_wire *wire, const tw_event *event)
{
    wire->unparsed++;
    paint(wire, event, CLI_KIND_UNPARSED);
    if (event->index != TW_NO_INDEX && wire->call_count > 0) {
        wire->calls[wire->call_count - 1].behind = event->offset + event->span;
    }
}

static void add_diagnostic(cli_wire *wire, const tw_event *event)
{
    const tw_diagnostic *row = tw_diagnostic_get(event->code);
    const bool dropped = (event->flags & TW_EVENT_DROPPED) != 0;
    if (row != NULL) {
        const cli_note note = {.offset = event->offset,
                               .span = dropped ? event->span : 0,
                               .warning = row->warning != 0,
                               .name = row->name,
                               .text = row->text,
                               .code = row->code,
                               .detail = wire->texts.size,
                               .detail_size = event->id_size};
        if (event->id_size > 0) {
            cli_put(&wire->texts, event->id, event->id_size);
        }
        add_note(wire, &note);
    }
    if (dropped) {
        paint(wire, event, CLI_KIND_DROPPED);
    }
}

static void take(cli_wire *wire, const tw_event *event, size_t fed)
{
    switch (event->type) {
    case TW_EVENT_TEXT: paint(wire, event, CLI_KIND_TEXT); break;
    case TW_EVENT_REASONING: paint(wire, event, CLI_KIND_REASONING); break;
    case TW_EVENT_CALL_BEGIN: begin_call(wire, event, fed); break;
    case TW_EVENT_CALL_ARGUMENTS: add_arguments(wire, event, fed); break;
    case TW_EVENT_CALL_END: end_call(wire, event); break;
    case TW_EVENT_UNPARSED: add_unparsed(wire, event); break;
    case TW_EVENT_DIAGNOSTIC: add_diagnostic(wire, event); break;
    case TW_EVENT_FRAMING: paint(wire, event, CLI_KIND_STRUCTURE); break;
    default: break;
    }
}

static void add_error(cli_wire *wire, const tw_error *error)
{
    const char *name = tw_error_name(error->code);
    const tw_diagnostic *row =
        error->detail > 0 ? tw_diagnostic_get((uint32_t)error->detail) : NULL;
    const char *detail = row != NULL ? row->name : "";
    const cli_note note = {.offset = error->offset,
                           .name = name != NULL ? name : "error",
                           .text = row != NULL ? row->text : error->message,
                           .code =
                               row != NULL ? (int64_t)row->code : error->code,
                           .detail = wire->texts.size,
                           .detail_size = strlen(detail)};
    cli_put(&wire->texts, detail, note.detail_size);
    wire->failed |= error->code == TW_ERROR_MEMORY;
    add_note(wire, &note);
}

/* False: an error, which was noted. */
static bool drain(cli_wire *wire, tw_decoder *decoder, size_t fed)
{
    const tw_event *event;
    int next;
    while ((next = tw_decoder_next(decoder, &event)) == 1) {
        take(wire, event, fed);
    }
    if (next < 0) {
        add_error(wire, tw_decoder_error(decoder));
    }
    return next == 0;
}

static void feed(cli_wire *wire, tw_decoder *decoder, tw_finish finish)
{
    for (size_t fed = 0; fed < wire->size;) {
        /* An error of the feed comes from the drain, behind the events. */
        (void)tw_decoder_feed(decoder, wire->data + fed, 1, TW_MARK_UNKNOWN);
        fed++;
        if (!drain(wire, decoder, fed)) {
            return;
        }
    }
    (void)tw_decoder_finish(decoder, finish);
    drain(wire, decoder, wire->size);
}

/* ---- all of it ---------------------------------------------------------- */

void cli_wire_read(cli_wire *wire, const tw_format *format,
                   tw_decoder *decoder, tw_finish finish, const char *data,
                   size_t size)
{
    memset(wire, 0, sizeof *wire);
    wire->data = data;
    wire->size = size;
    wire->kinds = calloc(size > 0 ? size : 1, 1);
    cli_output_collect(&wire->texts);
    cli_output_collect(&wire->arguments);
    wire->failed = wire->kinds == NULL;
    if (wire->failed) {
        return;
    }
    feed(wire, decoder, finish);
    cli_place_markers(wire, format);
    wire->failed |= wire->texts.failed || wire->arguments.failed;
    if (wire->note_count > 1) {
        qsort(wire->notes, wire->note_count, sizeof *wire->notes,
              compare_notes);
    }
}

/* An output that nothing was put into has no buffer. */
const char *cli_wire_text(const cli_output *output, size_t at)
{
    return output->buffer != NULL ? output->buffer + at : "";
}

void cli_wire_drop(cli_wire *wire)
{
    free(wire->kinds);
    free(wire->notes);
    free(wire->calls);
    cli_output_drop(&wire->texts);
    cli_output_drop(&wire->arguments);
}
