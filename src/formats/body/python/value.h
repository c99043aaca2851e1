/* SPDX-License-Identifier: MIT
 *
 * A Python literal, read step by step while it arrives and given on as JSON:
 * docs/rules.md P1 and P4.
 *
 * What an opening `(` or `{` is shows only behind its first element, so that
 * is held, up to TW_HOLD_VALUE bytes; open brackets are a stack of the
 * reader's own, up to a limit.  All else goes out as soon as it is known.
 */
#ifndef TOOLWIRE_FORMATS_BODY_PYTHON_VALUE_H
#define TOOLWIRE_FORMATS_BODY_PYTHON_VALUE_H

#include "formats/body/body.h"
#include "formats/markers.h"

typedef struct tw_python_string {
    uint8_t quote;
    bool raw;
    bool triple;
    bool key;    /* a `:` may follow */
    bool broken; /* a quote inside was data: only closers end it now */
    bool inner;  /* one that begins a quoted part, whose end is due */
    bool control_seen;
    uint32_t
        high; /* half of a surrogate pair that waits for the other, or 0 */
    uint64_t high_at;
    uint64_t behind; /* where the last step ended, ... */
    bool word;       /* ... behind a letter or a digit */
} tw_python_string;

typedef struct tw_python_value {
    const tw_memory *memory;
    tw_window *window;
    tw_open_call *call;    /* whose arguments it is; NULL: none, all is held */
    const tw_markers *marks; /* what may end it, or NULL */
    const tw_part *close;  /* so may this text, where it is that of a fence */
    size_t depth;          /* open brackets at most */
    uint8_t state;
    tw_buffer levels; /* of open brackets */
    size_t undecided; /* those of which the first element is not over */
    tw_buffer held;
    bool full; /* no more can be held */
    tw_buffer token;
    uint64_t token_at;
    bool minus;
    tw_python_string string;
    uint64_t end; /* of the last value */
    /* Once it is TW_BODY_BROKEN. */
    uint32_t reason;
    uint64_t reason_at;
    bool in_step; /* it is known where strings and brackets end */
} tw_python_value;

void tw_python_value_init(tw_python_value *value, const tw_memory *memory,
                          tw_window *window, tw_open_call *call,
                          const tw_markers *marks);
void tw_python_value_free(tw_python_value *value);
/* A value follows; |depth| brackets may be opened. */
void tw_python_value_start(tw_python_value *value, size_t depth);
/* GOES_ON, STARVED, CUT, BROKEN, or DONE: it is whole.  A marker behind a
 * value inside brackets closes them, and stands at the window then. */
tw_body_end tw_python_value_step(tw_python_value *value);
/* The fast way over a string; see tw_decoding. */
const uint8_t *tw_python_value_advance(tw_python_value *value,
                                       tw_advanced *advanced);

/* A whole text that is one literal, white space aside, as compact JSON behind
 * what is in |json|. */
typedef enum tw_python_literal_end {
    TW_PYTHON_IS_LITERAL,
    TW_PYTHON_IS_OTHER, /* nothing was appended */
    TW_PYTHON_NO_MEMORY
} tw_python_literal_end;

tw_python_literal_end tw_python_literal(tw_buffer *json,
                                        const tw_memory *memory,
                                        const char *text, size_t size,
                                        size_t depth);

#endif
