/* SPDX-License-Identifier: MIT
 *
 * The only way a format makes an event.  Behind it, once for all: UTF-8,
 * limits, ids, spans, merging of adjacent pieces, strict mode.
 *
 * Events are queued; their data lie in the window or in |scratch|, so that
 * neither may change before the queue is empty.  An error (no memory, strict
 * mode) sets |error|; from then on nothing is queued, and formats need not
 * look.
 */
#ifndef TOOLWIRE_EVENTS_SINK_H
#define TOOLWIRE_EVENTS_SINK_H

#include "core/memory.h"
#include "core/window.h"
#include "events/ids.h"
#include "events/tools.h"

/* What look-aheads may hold, in bytes. */
enum {
    TW_HOLD_HEAD = 1024,
    TW_HOLD_WS = 256,
    TW_HOLD_JUNK = 256,
    TW_HOLD_DELIMITER = 1024,
    TW_HOLD_VALUE = 64 * 1024,
    TW_HOLD_BLOCK = 64 * 1024
};

typedef struct tw_limits {
    size_t depth;
    size_t name;
    size_t arguments;
    size_t calls;
    uint64_t input;
} tw_limits;

typedef struct tw_sink {
    const tw_memory *memory;
    tw_window *window;
    tw_limits limits;
    bool strict;
    bool keep_raw;
    bool framing;
    uint64_t first_call;
    tw_buffer id_prefix;   /* without data: `call_` */
    const tw_tools *tools; /* those that were declared; NULL: none were */

    tw_buffer events;  /* tw_event and more; see sink.c */
    size_t next_event; /* where in |events| the next one to take begins */
    tw_buffer scratch;
    tw_error error;
    uint32_t segments; /* numbers given to text and reasoning */
    uint32_t calls;    /* calls begun */
    tw_ids ids;        /* of these, as the wire has them */
    bool call_open;
    uint64_t argument_bytes; /* delivered of the open call */
    bool overflow;           /* they passed the limit ... */
    uint64_t overflow_at; /* ... at this offset, from which nothing counts */
    bool quiet;           /* a look-ahead: nothing is queued, only counted */
    /* What a quiet sink has seen. */
    bool seen_visible; /* text, reasoning, unparsed blocks */
    bool seen_unparsed;
    bool seen_undeclared;
    bool seen_half; /* a marker that the end cuts */
    uint32_t seen_complete;
    uint32_t seen_unclosed; /* missing_call_close */
    /* Where reasoning was first opened, and where a marker closed some that
     * was not and is no text; UINT64_MAX: nowhere. */
    uint64_t reasoning_at;
    uint64_t orphan_at;
    /* A prompt is being read: only an open call is kept. */
    bool replaying;
    uint64_t prompt; /* the size of what is read of the prompt */
    tw_buffer prompt_name, prompt_id, prompt_arguments;
    uint32_t prompt_flags;
} tw_sink;

void tw_sink_init(tw_sink *sink, const tw_memory *memory, tw_window *window);
void tw_sink_free(tw_sink *sink);
/* Ready for the next message; keeps options and tools. */
void tw_sink_reset(tw_sink *sink);

static inline bool tw_sink_has_events(const tw_sink *sink)
{
    return sink->next_event < sink->events.size;
}
/* The next event; there is one. */
const tw_event *tw_sink_take(tw_sink *sink);

void tw_sink_fail(tw_sink *sink, int32_t code, uint64_t offset,
                  const char *message);

/* A new segment's number. */
uint32_t tw_sink_segment(tw_sink *sink);
/* |size| bytes at |data|, which lie in the window.  Where |open| (more of the
 * same run may follow), a code point that is cut off is left alone.  Returns
 * how many bytes were taken. */
size_t tw_sink_text(tw_sink *sink, tw_event_type type, uint32_t segment,
                    const uint8_t *data, size_t size, bool open);
/* May bytes go out without the sink's look at each?  It only counts them. */
static inline bool tw_sink_may_advance(const tw_sink *sink)
{
    return sink->error.code == TW_OK && !sink->quiet && !sink->replaying &&
           sink->window->offset >= sink->prompt;
}
/* How many bytes the limit leaves to the open call's arguments. */
static inline uint64_t tw_sink_arguments_left(const tw_sink *sink)
{
    return sink->limits.arguments - sink->argument_bytes;
}
/* |size| bytes at |data|, which stand for |span| at the window's |at|, went
 * out: they are this event. */
static inline void tw_sink_advanced(tw_sink *sink, tw_event *event,
                                    tw_event_type type, uint32_t index,
                                    const uint8_t *data, size_t size,
                                    size_t span)
{
    const bool call = type == TW_EVENT_CALL_ARGUMENTS;
    sink->argument_bytes += call ? size : 0;
    event->type = type;
    event->index = index;
    event->data = (const char *)data;
    event->size = size;
    event->offset = sink->window->offset - sink->prompt;
    event->span = call ? 0 : span;
}
/* What [begin, end) of the input means, where that is not what stands there:
 * UTF-8, copied. */
void tw_sink_meant(tw_sink *sink, tw_event_type type, uint32_t segment,
                   const void *data, size_t size, uint64_t begin,
                   uint64_t end);
/* |size| bytes of the wire from |offset| on are framing. */
void tw_sink_framing(tw_sink *sink, uint64_t offset, size_t size);
void tw_sink_diagnostic(tw_sink *sink, uint32_t code, uint64_t offset);
void tw_sink_dropped(tw_sink *sink, uint32_t code, uint64_t offset,
                     uint64_t size);
/* A diagnostic with a constant |id|. */
void tw_sink_named(tw_sink *sink, uint32_t code, uint64_t offset,
                   const char *id);

/* Reasoning begins at the window. */
static inline void tw_sink_opens_reasoning(tw_sink *sink)
{
    if (sink->window->offset < sink->reasoning_at) {
        sink->reasoning_at = sink->window->offset;
    }
}
/* The marker at |offset|, which is no text, closes none. */
static inline void tw_sink_closes_none(tw_sink *sink, uint64_t offset)
{
    if (offset < sink->orphan_at) {
        sink->orphan_at = offset;
    }
}

/* May a call of this name begin?  0, or the limit that forbids it. */
uint32_t tw_sink_call_refused(const tw_sink *sink, size_t name_size);
/* |id| may be NULL: one is made.  Returns the call's index. */
uint32_t tw_sink_call_begin(tw_sink *sink, const char *name, size_t name_size,
                            const char *id, size_t id_size, uint32_t flags,
                            uint64_t offset);
/* JSON text that is valid UTF-8: in the window, or constant.  What would pass
 * the limit is not delivered: |overflow| is set then. */
void tw_sink_arguments(tw_sink *sink, uint32_t index, const void *data,
                       size_t size, uint64_t offset);
/* tw_sink_arguments() of text that is copied. */
void tw_sink_arguments_copy(tw_sink *sink, uint32_t index, const void *data,
                            size_t size, uint64_t offset);
/* Raw bytes of a string: made UTF-8 and escaped.  Returns what was taken,
 * as tw_sink_text(). */
size_t tw_sink_arguments_raw(tw_sink *sink, uint32_t index,
                             const uint8_t *data, size_t size, bool open);
/* tw_sink_arguments_raw() without escapes, for tools that take free text. */
size_t tw_sink_arguments_text(tw_sink *sink, uint32_t index,
                              const uint8_t *data, size_t size, bool open);
/* [begin, end) are the bytes of a complete call. */
void tw_sink_call_end(tw_sink *sink, uint32_t index, tw_call_status status,
                      uint64_t begin, uint64_t end);
/* Is this call's end queued, complete, and no more of its arguments? */
bool tw_sink_ends_complete(const tw_sink *sink, uint32_t index);
/* The call whose end is queued is refused: the error takes the place of all
 * that is queued.  |path| lives as long as the error. */
void tw_sink_refuse_call(tw_sink *sink, uint32_t code, uint64_t offset,
                         const char *path);
/* [begin, end) are no usable call.  |raw| may be NULL, |index| TW_NO_INDEX.*/
void tw_sink_unparsed(tw_sink *sink, uint32_t index, uint32_t code,
                      uint64_t begin, uint64_t end, const void *raw,
                      size_t raw_size, const char *name, size_t name_size);

/* The prompt is read: a call that it left open is queued. */
void tw_sink_end_replay(tw_sink *sink);

/* A block begins at the window: with TW_OPTION_KEEP_RAW its bytes are
 * recorded from here on. */
void tw_sink_record(tw_sink *sink);
/* The |size| bytes recorded since, or NULL if not all of them are kept. */
const uint8_t *tw_sink_recorded(tw_sink *sink, size_t size);

#endif
