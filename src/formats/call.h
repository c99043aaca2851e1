/* SPDX-License-Identifier: MIT
 *
 * One call's life on the way to the sink, whatever its arguments are written
 * in: it is refused or begins, the first failure counts, and it ends complete
 * or is listed as unparsed.
 */
#ifndef TOOLWIRE_FORMATS_CALL_H
#define TOOLWIRE_FORMATS_CALL_H

#include "formats/arguments.h"

/* Ids beyond this are not kept. */
enum { TW_ID_LIMIT = 1024 };

typedef struct tw_open_call {
    const tw_memory *memory;
    tw_window *window;
    tw_sink *sink;
    uint64_t begin; /* where the call's bytes begin */
    bool begun;     /* there was a call_begin */
    bool has_name;
    uint32_t index;
    tw_buffer name;
    tw_buffer id;
    tw_buffer expected; /* the name that a header has given; empty: none */
    tw_buffer given;    /* the id that stands in front of the object */
    uint32_t flags;     /* of its call_begin: 0, or TW_EVENT_CUSTOM */
    bool cuts_names;    /* what stands in front of a declared name is left out
                         */
    uint32_t fail; /* the first thing that makes it unusable; 0: nothing */
    tw_arguments arguments;
} tw_open_call;

void tw_open_call_init(tw_open_call *call, const tw_memory *memory,
                       tw_window *window, tw_sink *sink);
void tw_open_call_free(tw_open_call *call);
/* The next call, whose bytes begin at |begin|; without |flags|. */
void tw_open_call_start(tw_open_call *call, uint64_t begin);
/* |size| bytes are its name, made valid UTF-8. */
void tw_open_call_name(tw_open_call *call, const uint8_t *name, size_t size);
/* Begins the call if its limits allow; else |fail| is set. */
void tw_open_call_begin(tw_open_call *call);
/* The first failure counts, and only it is diagnosed. */
void tw_open_call_fail(tw_open_call *call, uint32_t code, uint64_t offset);

/* Did it fail before it began: at its head? */
static inline bool tw_open_call_is_spoiled(const tw_open_call *call)
{
    return call->fail != 0 && !call->begun;
}

/* The error that sticks, at the window. */
void tw_open_call_no_memory(const tw_open_call *call);
/* The call fails at what its arguments failed at, if they did. */
void tw_open_call_fail_arguments(tw_open_call *call);
/* Free text for a custom call, |size| bytes at |data| in the window.  Where
 * |open| (more may follow), a code point that is cut off is left alone.
 * Returns how many bytes were taken. */
size_t tw_open_call_text(tw_open_call *call, const uint8_t *data, size_t size,
                         bool open);
/* The call's arguments are whole: it becomes a call, or is listed as unparsed.
 */
void tw_open_call_end(tw_open_call *call);
/* The call is not usable: its bytes end where the window is. */
void tw_open_call_reject(tw_open_call *call, tw_call_status status);
/* tw_open_call_reject() in two halves: the call is over, and later its bytes
 * are. */
void tw_open_call_abandon(tw_open_call *call, tw_call_status status);
void tw_open_call_list(tw_open_call *call);

/* No call, but what looked like one: unparsed, from |begin| to the window. */
void tw_list_block(tw_sink *sink, uint32_t code, uint64_t begin);

#endif
