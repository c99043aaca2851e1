/* SPDX-License-Identifier: MIT
 *
 * What the request's tool_choice makes of a decoder's events: calls that were
 * not asked for are the text that the model wrote, and a call that was asked
 * for and is not there is told.
 */
#ifndef TOOLWIRE_DECODE_CHOICE_H
#define TOOLWIRE_DECODE_CHOICE_H

#include "core/memory.h"
#include "formats/markers.h"

typedef enum tw_choice_kind {
    TW_CHOICE_AUTO,
    TW_CHOICE_NONE,
    TW_CHOICE_REQUIRED,
    TW_CHOICE_NAME
} tw_choice_kind;

typedef struct tw_choice {
    const tw_memory *memory;
    const tw_marker *markers;
    size_t marker_count;
    uint8_t kind; /* tw_choice_kind */
    bool framing; /* the caller wants FRAMING events */
    tw_buffer name;
    /* REQUIRED and NAME. */
    bool other; /* a call of another tool came */
    bool made;  /* a complete one of it */
    bool told;
    /* NONE.  Places count from the output's first byte. */
    tw_buffer bytes; /* what was fed, from |base| on */
    uint64_t base;
    uint64_t seen;      /* all before is accounted for */
    uint64_t sent;      /* how far the open call's text was given, */
    uint64_t due;       /* and how far that text may be */
    uint64_t frame_at;  /* framing that may be a call's begins here */
    uint64_t frame_end; /* and ends here; equal places: there is none */
    bool open;          /* in a call */
    bool joins;         /* a call's text is what was given last */
    bool text;          /* text was given last, which ends at |text_end| */
    uint64_t text_end;
    uint32_t number;       /* of the segment that was given last, plus 1 */
    uint32_t theirs;       /* the format's number of it */
    const tw_event *first; /* the event in front of what is due, */
    const tw_event *held;  /* and the event behind that */
    tw_event event;
    tw_event frame;
} tw_choice;

/* |text| is "none", "required" or a tool's name; with "auto", or without
 * memory
 * (*failed), there is none: NULL. */
tw_choice *tw_choice_new(const tw_memory *memory, const tw_marker *markers,
                         size_t marker_count, const char *text, size_t size,
                         bool *failed);
/* The choice may be NULL. */
void tw_choice_free(tw_choice *choice);
/* Ready for the next message. */
void tw_choice_reset(tw_choice *choice);
/* Bytes of the output; false: no memory. */
bool tw_choice_feed(tw_choice *choice, const char *data, size_t size);
/* What is to be given before another event is asked for; NULL: nothing. */
const tw_event *tw_choice_take(tw_choice *choice);
/* The decoder's next event, which is NULL where there is none now and
 * |released| bytes of the output were spoken of. */
void tw_choice_see(tw_choice *choice, const tw_event *event,
                   uint64_t released);

#endif
