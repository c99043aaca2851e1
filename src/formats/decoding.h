/* SPDX-License-Identifier: MIT
 *
 * What a decoder asks of a format: one step, and shorter ways.
 */
#ifndef TOOLWIRE_FORMATS_DECODING_H
#define TOOLWIRE_FORMATS_DECODING_H

#include "core/window.h"
#include "events/sink.h"

typedef enum tw_step {
    TW_STEP_AGAIN, /* something was done; there may be events */
    TW_STEP_MORE,  /* not without more bytes; nothing was changed */
    TW_STEP_DONE   /* all input is released */
} tw_step;

typedef struct tw_decode_options {
    bool strict;
    bool start_reasoning;
    bool calls_in_reasoning;
    bool recover_stripped;
    bool untyped_json; /* TW_OPTION_UNTYPED */
    bool slow;         /* no fast ways: what they do, the steps must do, too */
} tw_decode_options;

/* What the bytes that a format passes are. */
typedef struct tw_advanced {
    tw_event_type type; /* TEXT, REASONING or CALL_ARGUMENTS */
    uint32_t index;
    const uint8_t *data; /* what they are in JSON; NULL: as they stand */
    size_t size;
    bool starved; /* behind them is half a lexeme: |step| would ask for more */
    /* Bytes of all these kinds (a sum of tw_plain), the last of which is
     * |run_lowest| at least, would be passed next, as they stand, and change
     * no state, as would JSON's escapes between them where |escapes|; 0: no
     * such promise. */
    uint8_t run_class;
    uint8_t run_lowest;
    bool escapes;
} tw_advanced;

/* Where a decoder stands behind what it read. */
typedef enum tw_stand {
    TW_STAND_INSIDE, /* in a call, reasoning, a header, a message's body */
    TW_STAND_TEXT,   /* in text, which needs no head of its own */
    TW_STAND_ENDED   /* behind the end of the model's turn, or in another's */
} tw_stand;

typedef struct tw_format tw_format;

/* The functions of a state. */
typedef struct tw_decoding {
    /* The state of one message; NULL: no memory.  It reads |window| and
     * makes events in |sink|, both of which outlive it. */
    void *(*create)(const tw_memory *, const tw_format *, tw_window *,
                    tw_sink *);
    void (*destroy)(void *state);
    /* Ready for the next message. */
    void (*reset)(void *state, const tw_decode_options *);
    tw_step (*step)(void *state);
    /* The fast way over content: moves the state over bytes of the window as
     * |step| would in one step or many, and returns their end, the window's
     * |at| where there are none, or where |step| waits at the window for more
     * to look at.  It is only called where nothing is quiet and no end is in
     * view, with |data| NULL and what stands below |size| 0; it releases
     * nothing and makes no event, but it may set the sink's error (no
     * memory). */
    const uint8_t *(*advance)(void *state, tw_advanced *);
    tw_stand (*stand)(const void *state);
    bool can_recover_stripped;
} tw_decoding;

#endif
