/* SPDX-License-Identifier: MIT
 *
 * Events are checked, merged and queued here, and limits are counted.
 */
#include "events/sink.h"

#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"
#include "json/write.h"

/* A queued event whose data lie in |scratch| has an offset into it in place
 * of a pointer, since |scratch| may move. */
typedef struct queued {
    tw_event event;
    bool data_in_scratch;
    bool id_in_scratch;
    size_t data_at;
    size_t id_at;
} queued;

void tw_sink_init(tw_sink *sink, const tw_memory *memory, tw_window *window)
{
    memset(sink, 0, sizeof *sink);
    sink->memory = memory;
    sink->window = window;
    sink->error.message = "no error";
}

void tw_sink_free(tw_sink *sink)
{
    tw_buffer_free(&sink->id_prefix, sink->memory);
    tw_buffer_free(&sink->events, sink->memory);
    tw_buffer_free(&sink->scratch, sink->memory);
    tw_buffer_free(&sink->ids.table, sink->memory);
    tw_buffer_free(&sink->prompt_name, sink->memory);
    tw_buffer_free(&sink->prompt_id, sink->memory);
    tw_buffer_free(&sink->prompt_arguments, sink->memory);
}

void tw_sink_reset(tw_sink *sink)
{
    sink->events.size = sink->scratch.size = 0;
    sink->next_event = 0;
    sink->segments = sink->calls = 0;
    sink->ids.table.size = sink->ids.count = 0;
    sink->prompt = 0;
    sink->call_open = sink->quiet = sink->replaying = false;
    sink->seen_visible = sink->seen_unparsed = false;
    sink->seen_undeclared = sink->seen_half = false;
    sink->seen_complete = sink->seen_unclosed = 0;
    sink->reasoning_at = sink->orphan_at = UINT64_MAX;
    memset(&sink->error, 0, sizeof sink->error);
    sink->error.message = "no error";
}

const tw_event *tw_sink_take(tw_sink *sink)
{
    queued *item = (queued *)(void *)(sink->events.data + sink->next_event);
    sink->next_event += sizeof *item;
    if (item->data_in_scratch) {
        item->event.data = (const char *)sink->scratch.data + item->data_at;
    }
    if (item->id_in_scratch) {
        item->event.id = (const char *)sink->scratch.data + item->id_at;
    }
    return &item->event;
}

/* Inside, offsets count from the prompt's first byte; what lies in the prompt
 * is said to be at 0. */
static uint64_t outside(const tw_sink *sink, uint64_t offset)
{
    return offset > sink->prompt ? offset - sink->prompt : 0;
}

void tw_sink_fail(tw_sink *sink, int32_t code, uint64_t offset,
                  const char *message)
{
    if (sink->error.code == TW_OK) {
        sink->error.code = code;
        sink->error.offset = outside(sink, offset);
        sink->error.message = message;
    }
}

static void no_memory(tw_sink *sink)
{
    tw_sink_fail(sink, TW_ERROR_MEMORY, sink->window->offset, "no memory");
}

/* ---- the queue ---------------------------------------------------------- */

static bool is_silent(const tw_sink *sink)
{
    return sink->quiet || sink->replaying || sink->error.code != TW_OK;
}

/* All queued events were taken: the room is free again. */
static void recycle(tw_sink *sink)
{
    if (!tw_sink_has_events(sink)) {
        sink->events.size = sink->scratch.size = 0;
        sink->next_event = 0;
    }
}

/* The caller has called recycle(), before it copied anything. */
static queued *push(tw_sink *sink, tw_event_type type, uint64_t begin,
                    uint64_t end)
{
    if (!tw_buffer_reserve(&sink->events, sink->memory, sizeof(queued))) {
        no_memory(sink);
        return NULL;
    }
    queued *item = (queued *)(void *)(sink->events.data + sink->events.size);
    sink->events.size += sizeof(queued);
    memset(item, 0, sizeof *item);
    item->event.type = type;
    item->event.index = TW_NO_INDEX;
    item->event.offset = outside(sink, begin);
    item->event.span = outside(sink, end) - outside(sink, begin);
    return item;
}

static queued *last(tw_sink *sink)
{
    if (!tw_sink_has_events(sink)) {
        return NULL;
    }
    return (queued *)(void *)(sink->events.data + sink->events.size) - 1;
}

/* Copies to |scratch|; SIZE_MAX: no memory. */
static size_t copy(tw_sink *sink, const void *data, size_t size)
{
    const size_t at = sink->scratch.size;
    if (!tw_buffer_append(&sink->scratch, sink->memory, data, size)) {
        no_memory(sink);
        return SIZE_MAX;
    }
    return at;
}

/* Adds a piece to the last event where it goes on from it, in the window or
 * in |scratch|; else queues it. */
static void piece(tw_sink *sink, tw_event_type type, uint32_t index,
                  uint32_t flags, const void *data, size_t size,
                  uint64_t begin, uint64_t end, bool copied)
{
    if (is_silent(sink) || size == 0) {
        return;
    }
    recycle(sink);
    queued *item = last(sink);
    const bool same = item != NULL && item->event.type == (uint32_t)type &&
                      item->event.index == index &&
                      item->data_in_scratch == copied;
    const bool joins =
        same &&
        (copied ? item->data_at + item->event.size == sink->scratch.size
                : item->event.data + item->event.size == data);
    if (joins && copied && copy(sink, data, size) == SIZE_MAX) {
        return;
    }
    if (joins) {
        item->event.size += size;
        item->event.span += outside(sink, end) - outside(sink, begin);
        return;
    }
    const size_t at = copied ? copy(sink, data, size) : 0;
    if (at == SIZE_MAX) {
        return;
    }
    item = push(sink, type, begin, end);
    if (item != NULL) {
        item->event.index = index;
        item->event.flags = flags;
        item->event.data = data;
        item->event.size = size;
        item->data_in_scratch = copied;
        item->data_at = at;
    }
}

/* ---- text --------------------------------------------------------------- */

uint32_t tw_sink_segment(tw_sink *sink)
{
    return sink->segments++;
}

/* The size of the bad or cut-off bytes at |at|; 0: cut off, and more may
 * follow. */
static size_t bad_bytes(const uint8_t *at, const uint8_t *limit, bool open)
{
    size_t size;
    const tw_utf8 found = tw_utf8_next(at, limit, &size);
    return found == TW_UTF8_INCOMPLETE && open ? 0 : size;
}

size_t tw_sink_text(tw_sink *sink, tw_event_type type, uint32_t segment,
                    const uint8_t *data, size_t size, bool open)
{
    const uint8_t *at = data;
    const uint8_t *limit = data + size;
    const uint64_t begin = tw_window_offset(sink->window, at);
    if (begin < sink->prompt) { /* of the prompt: not said again */
        const uint64_t old = sink->prompt - begin;
        at += old < size ? (size_t)old : size;
    }
    while (at < limit) {
        const uint8_t *good = tw_skip_well_formed(at, limit, TW_PLAIN_ASCII);
        const uint64_t offset = tw_window_offset(sink->window, at);
        piece(sink, type, segment, 0, at, (size_t)(good - at), offset,
              offset + (uint64_t)(good - at), false);
        at = good;
        if (at == limit) {
            break;
        }
        const size_t bad = bad_bytes(at, limit, open);
        if (bad == 0) {
            break;
        }
        const uint64_t where = tw_window_offset(sink->window, at);
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_INVALID_UTF8, where);
        piece(sink, type, segment, 0, TW_REPLACEMENT, TW_REPLACEMENT_SIZE,
              where, where + bad, true);
        at += bad;
    }
    sink->seen_visible |= at > data;
    return (size_t)(at - data);
}

void tw_sink_meant(tw_sink *sink, tw_event_type type, uint32_t segment,
                   const void *data, size_t size, uint64_t begin,
                   uint64_t end)
{
    if (begin >= sink->prompt) {
        piece(sink, type, segment, 0, data, size, begin, end, true);
    }
    sink->seen_visible = true;
}

void tw_sink_framing(tw_sink *sink, uint64_t offset, size_t size)
{
    if (size == 0 || !sink->framing || is_silent(sink)) {
        return;
    }
    recycle(sink);
    queued *item = last(sink);
    if (item != NULL && item->event.type == TW_EVENT_FRAMING) {
        item->event.span +=
            outside(sink, offset + size) - outside(sink, offset);
        return;
    }
    push(sink, TW_EVENT_FRAMING, offset, offset + size);
}

static void diagnose(tw_sink *sink, uint32_t code, uint64_t begin,
                     uint64_t end, uint32_t flags, const char *id)
{
    if (code == TW_DIAGNOSTIC_MISSING_CALL_CLOSE) {
        sink->seen_unclosed++;
    }
    sink->seen_undeclared |= code == TW_DIAGNOSTIC_UNDECLARED_TOOL;
    if (is_silent(sink) || (begin < sink->prompt && end <= sink->prompt)) {
        return;
    }
    const tw_diagnostic *row = tw_diagnostic_get(code);
    if (sink->strict && row->warning == 0) {
        tw_sink_fail(sink, TW_ERROR_DEVIATION, begin, row->text);
        sink->error.detail = (int32_t)code;
        return;
    }
    recycle(sink);
    queued *item = push(sink, TW_EVENT_DIAGNOSTIC, begin, end);
    if (item != NULL) {
        item->event.code = code;
        item->event.flags = flags | (row->warning != 0 ? TW_EVENT_WARNING : 0);
        item->event.data = row->name;
        item->event.size = strlen(row->name);
        item->event.id = id;
        item->event.id_size = id != NULL ? strlen(id) : 0;
    }
}

void tw_sink_diagnostic(tw_sink *sink, uint32_t code, uint64_t offset)
{
    diagnose(sink, code, offset, offset, 0, NULL);
}

void tw_sink_named(tw_sink *sink, uint32_t code, uint64_t offset,
                   const char *id)
{
    diagnose(sink, code, offset, offset, 0, id);
}

void tw_sink_dropped(tw_sink *sink, uint32_t code, uint64_t offset,
                     uint64_t size)
{
    sink->seen_half |= code == TW_DIAGNOSTIC_HALF_MARKER;
    diagnose(sink, code, offset, offset + size, TW_EVENT_DROPPED, NULL);
}

/* ---- calls -------------------------------------------------------------- */

uint32_t tw_sink_call_refused(const tw_sink *sink, size_t name_size)
{
    if (name_size > sink->limits.name) {
        return TW_DIAGNOSTIC_LIMIT_NAME;
    }
    if (sink->calls >= sink->limits.calls) {
        return TW_DIAGNOSTIC_LIMIT_CALLS;
    }
    return 0;
}

static uint8_t *append(uint8_t *out, const void *data, size_t size)
{
    if (size > 0) {
        memcpy(out, data, size);
    }
    return out + size;
}

static void queue_begin(tw_sink *sink, uint32_t index, tw_name name,
                        tw_name id, uint32_t flags, uint64_t offset)
{
    static const char call[] = "call_";
    char digits[20];
    char *const end = digits + sizeof digits;
    tw_buffer *scratch = &sink->scratch;
    const tw_name prefix = sink->id_prefix.data != NULL
                               ? (tw_name){(const char *)sink->id_prefix.data,
                                           sink->id_prefix.size}
                               : (tw_name){call, sizeof call - 1};
    recycle(sink);
    if (!tw_buffer_reserve(scratch, sink->memory,
                           name.size + id.size + prefix.size +
                               sizeof digits)) {
        no_memory(sink);
        return;
    }
    queued *item = push(sink, TW_EVENT_CALL_BEGIN, offset, offset);
    if (item == NULL) {
        return;
    }
    item->event.index = index;
    item->event.flags = flags;
    item->event.size = name.size;
    item->data_in_scratch = item->id_in_scratch = true;
    item->data_at = scratch->size;
    item->id_at = scratch->size + name.size;
    uint8_t *out = append(scratch->data + scratch->size, name.data, name.size);
    uint8_t *const its_id = out;
    if (id.data != NULL) {
        out = append(out, id.data, id.size);
    } else {
        const char *number = tw_spell(end, sink->first_call + index);
        out = append(out, prefix.data, prefix.size);
        out = append(out, number, (size_t)(end - number));
    }
    item->event.id_size = (size_t)(out - its_id);
    scratch->size = (size_t)(out - scratch->data);
}

/* In a prompt only the last call may still be open: it is kept aside. */
static void prime_begin(tw_sink *sink, tw_name name, tw_name id,
                        uint32_t flags)
{
    sink->prompt_name.size = sink->prompt_id.size = 0;
    sink->prompt_arguments.size = 0;
    sink->prompt_flags = flags;
    if (!tw_buffer_append(&sink->prompt_name, sink->memory, name.data,
                          name.size) ||
        !tw_buffer_append(&sink->prompt_id, sink->memory, id.data, id.size)) {
        no_memory(sink);
    }
}

uint32_t tw_sink_call_begin(tw_sink *sink, const char *name, size_t name_size,
                            const char *id, size_t id_size, uint32_t flags,
                            uint64_t offset)
{
    const tw_name its_name = {name, name_size};
    tw_name its_id = {id, id != NULL ? id_size : 0};
    if (sink->tools != NULL &&
        tw_tools_find(sink->tools, name, name_size) == NULL) {
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_UNDECLARED_TOOL, offset);
    }
    bool had = false;
    if (its_id.size > 0 && !is_silent(sink) &&
        !tw_ids_put(&sink->ids, sink->memory, its_id, &had)) {
        no_memory(sink);
    }
    if (had) {
        tw_sink_diagnostic(sink, TW_DIAGNOSTIC_DUPLICATE_ID, offset);
        its_id = (tw_name){NULL, 0};
    }
    const uint32_t index = sink->calls++;
    sink->call_open = true;
    sink->argument_bytes = 0;
    sink->overflow = false;
    if (sink->replaying && !sink->quiet) {
        prime_begin(sink, its_name, its_id, flags);
    } else if (!is_silent(sink)) {
        queue_begin(sink, index, its_name, its_id, flags, offset);
    }
    return index;
}

/* How much of |data| the limit leaves: all of a copied piece or nothing, of
 * the wire's own bytes as many code points as fit. */
static size_t within_limit(tw_sink *sink, const uint8_t *data, size_t size,
                           uint64_t offset, bool copied)
{
    const uint64_t left = sink->limits.arguments - sink->argument_bytes;
    if (sink->overflow || size <= left) {
        return sink->overflow ? 0 : size;
    }
    size_t fits = copied ? 0 : (size_t)left;
    while (fits > 0 && (data[fits] & 0xC0) == 0x80) {
        fits--;
    }
    sink->overflow = true;
    sink->overflow_at = offset + fits;
    return fits;
}

static void arguments(tw_sink *sink, uint32_t index, const void *data,
                      size_t size, uint64_t offset, bool copied)
{
    size = within_limit(sink, data, size, offset, copied);
    sink->argument_bytes += size;
    if (sink->replaying && !sink->quiet &&
        !tw_buffer_append(&sink->prompt_arguments, sink->memory, data, size)) {
        no_memory(sink);
    }
    piece(sink, TW_EVENT_CALL_ARGUMENTS, index, 0, data, size, offset, offset,
          copied);
}

void tw_sink_arguments(tw_sink *sink, uint32_t index, const void *data,
                       size_t size, uint64_t offset)
{
    arguments(sink, index, data, size, offset, false);
}

void tw_sink_arguments_copy(tw_sink *sink, uint32_t index, const void *data,
                            size_t size, uint64_t offset)
{
    arguments(sink, index, data, size, offset, true);
}

/* Well-formed bytes, with escapes where |raw|. */
static void good_bytes(tw_sink *sink, uint32_t index, const uint8_t *at,
                       const uint8_t *limit, bool raw)
{
    const uint8_t *run = at;
    for (; raw && at < limit; at++) {
        char text[TW_JSON_ESCAPE_SIZE];
        const size_t size = tw_json_escape(*at, text);
        if (size > 0) {
            tw_sink_arguments(sink, index, run, (size_t)(at - run),
                              tw_window_offset(sink->window, run));
            tw_sink_arguments_copy(sink, index, text, size,
                                   tw_window_offset(sink->window, at));
            run = at + 1;
        }
    }
    tw_sink_arguments(sink, index, run, (size_t)(limit - run),
                      tw_window_offset(sink->window, run));
}

static size_t string_bytes(tw_sink *sink, uint32_t index, const uint8_t *data,
                           size_t size, bool open, bool raw)
{
    const uint8_t *at = data;
    const uint8_t *limit = data + size;
    while (at < limit) {
        const uint8_t *good = tw_skip_well_formed(at, limit, TW_PLAIN_ASCII);
        good_bytes(sink, index, at, good, raw);
        at = good;
        const size_t bad = at < limit ? bad_bytes(at, limit, open) : 0;
        if (bad == 0) {
            break;
        }
        const uint64_t where = tw_window_offset(sink->window, at);
        if (!sink->overflow) {
            tw_sink_diagnostic(sink, TW_DIAGNOSTIC_INVALID_UTF8, where);
        }
        tw_sink_arguments_copy(sink, index, TW_REPLACEMENT,
                               TW_REPLACEMENT_SIZE, where);
        at += bad;
    }
    return (size_t)(at - data);
}

size_t tw_sink_arguments_raw(tw_sink *sink, uint32_t index,
                             const uint8_t *data, size_t size, bool open)
{
    return string_bytes(sink, index, data, size, open, true);
}

size_t tw_sink_arguments_text(tw_sink *sink, uint32_t index,
                              const uint8_t *data, size_t size, bool open)
{
    return string_bytes(sink, index, data, size, open, false);
}

void tw_sink_call_end(tw_sink *sink, uint32_t index, tw_call_status status,
                      uint64_t begin, uint64_t end)
{
    const bool complete = status == TW_CALL_COMPLETE;
    sink->call_open = false;
    sink->seen_complete += complete;
    if (is_silent(sink)) {
        return;
    }
    recycle(sink);
    queued *item =
        push(sink, TW_EVENT_CALL_END, begin, complete ? end : begin);
    if (item != NULL) {
        item->event.index = index;
        item->event.code = status;
    }
}

bool tw_sink_ends_complete(const tw_sink *sink, uint32_t index)
{
    for (size_t at = sink->next_event; at < sink->events.size;
         at += sizeof(queued)) {
        const tw_event *event =
            &((const queued *)(const void *)(sink->events.data + at))->event;
        if (event->index == index && event->type == TW_EVENT_CALL_END) {
            return event->code == TW_CALL_COMPLETE;
        }
        if (event->index == index && event->type == TW_EVENT_CALL_ARGUMENTS) {
            return false;
        }
    }
    return false;
}

void tw_sink_refuse_call(tw_sink *sink, uint32_t code, uint64_t offset,
                         const char *path)
{
    sink->next_event = sink->events.size;
    if (sink->error.code == TW_OK) {
        const tw_error error = {TW_ERROR_DEVIATION, (int32_t)code, offset,
                                tw_diagnostic_get(code)->text, path};
        sink->error = error;
    }
}

void tw_sink_unparsed(tw_sink *sink, uint32_t index, uint32_t code,
                      uint64_t begin, uint64_t end, const void *raw,
                      size_t raw_size, const char *name, size_t name_size)
{
    sink->seen_visible = sink->seen_unparsed = true;
    if (is_silent(sink)) {
        return;
    }
    recycle(sink);
    const size_t raw_at = raw != NULL ? copy(sink, raw, raw_size) : 0;
    const size_t name_at = copy(sink, name, name_size);
    if (raw_at == SIZE_MAX || name_at == SIZE_MAX) {
        return;
    }
    queued *item = push(sink, TW_EVENT_UNPARSED, begin, end);
    if (item != NULL) {
        item->event.index = index;
        item->event.code = code;
        item->data_in_scratch = raw != NULL;
        item->data_at = raw_at;
        item->event.size = raw != NULL ? raw_size : 0;
        item->id_in_scratch = name_size > 0;
        item->id_at = name_at;
        item->event.id_size = name_size;
    }
}

void tw_sink_record(tw_sink *sink)
{
    if (sink->keep_raw && !sink->quiet) {
        tw_window_record(sink->window, sink->limits.arguments);
    }
}

const uint8_t *tw_sink_recorded(tw_sink *sink, size_t size)
{
    const tw_window *window = sink->window;
    if (window->record_failed) {
        no_memory(sink);
    }
    if (!sink->keep_raw || !window->recording || window->record_full ||
        size > window->record.size) {
        return NULL;
    }
    return window->record.data;
}

void tw_sink_end_replay(tw_sink *sink)
{
    sink->replaying = false;
    if (!sink->call_open || sink->error.code != TW_OK) {
        return;
    }
    const uint32_t index = sink->calls - 1;
    const tw_name name = {(const char *)sink->prompt_name.data,
                          sink->prompt_name.size};
    const tw_name id = {
        sink->prompt_id.size > 0 ? (const char *)sink->prompt_id.data : NULL,
        sink->prompt_id.size};
    queue_begin(sink, index, name, id, sink->prompt_flags, 0);
    piece(sink, TW_EVENT_CALL_ARGUMENTS, index, 0, sink->prompt_arguments.data,
          sink->prompt_arguments.size, 0, 0, true);
}
