/* SPDX-License-Identifier: MIT
 *
 * A JSON value, read step by step while it arrives, with the repairs that are
 * safe (or without).  What leaves is JSON text: the source's own bytes
 * wherever no repair is needed.
 */
#ifndef TOOLWIRE_JSON_MACHINE_H
#define TOOLWIRE_JSON_MACHINE_H

#include "core/memory.h"
#include "json/scan.h"

/* The bytes that a machine may look at; |at| moves. */
typedef struct tw_view {
    const uint8_t *at;
    const uint8_t *limit;
    bool eof;
} tw_view;

typedef enum tw_json_kind {
    TW_JSON_STEP_MORE,   /* more bytes are needed */
    TW_JSON_STEP_END,    /* |eof|, and the value is not complete */
    TW_JSON_STEP_LT,     /* `<` between tokens, not moved over */
    TW_JSON_STEP_ERROR,  /* |code| at |from|, not moved over */
    TW_JSON_STEP_PIECE,  /* blanks, commas, part of a string, ... */
    TW_JSON_STEP_OPEN,   /* a container begins; depth counts it already */
    TW_JSON_STEP_CLOSE,  /* a container ends; depth does not count it */
    TW_JSON_STEP_STRING, /* a string or a key begins */
    TW_JSON_STEP_STRING_END,
    TW_JSON_STEP_NUMBER, /* a number begins; nothing is moved over yet */
    TW_JSON_STEP_NUMBER_END,
    TW_JSON_STEP_LITERAL /* a whole true, false or null */
} tw_json_kind;

typedef struct tw_json_step {
    tw_json_kind kind;
    const uint8_t *before; /* text that was skipped over in bulk */
    size_t before_size;
    const uint8_t *from; /* the source bytes of this step */
    size_t from_size;
    const char *text; /* what they are in JSON; may be empty */
    size_t text_size;
    const char *value; /* inside a string: what they mean */
    size_t value_size;
    uint32_t code; /* a diagnostic, or the error's */
    bool lone;     /* |value| is the spelling of half a pair */
} tw_json_step;

typedef struct tw_json {
    uint8_t state;
    uint8_t number;
    uint8_t quote; /* of the string; behind a value: 0, it is none */
    bool in_key;   /* the string being read is a key */
    bool swallow;  /* the second half of a doubled closer may follow */
    bool doubled;  /* a brace was */
    bool raw_seen; /* raw_control was reported for this string */
    bool repairs;
    bool python;   /* strings, words and escapes of Python are no fault */
    size_t look;      /* bytes behind a comma that are known to be blank */
    size_t depth;     /* open containers */
    size_t limit;     /* how many there may be */
    size_t floor;     /* content at this depth or deeper is read in bulk;
                         0: none is */
    tw_buffer levels; /* a byte for each open container */
    const tw_memory *memory;
    char spelling[8]; /* of a repaired lexeme */
} tw_json;

void tw_json_init(tw_json *json, const tw_memory *memory, size_t depth_limit,
                  bool repairs);
void tw_json_free(tw_json *json);
/* Ready for the next value. */
void tw_json_reset(tw_json *json, size_t depth_limit);

/* One step.  TW_JSON_STEP_ERROR with code 0 means: no memory. */
void tw_json_next(tw_json *json, tw_view *view, tw_json_step *step);

/* The top value is complete. */
bool tw_json_done(const tw_json *json);
/* A value has just ended, blanks aside: at a real terminator (which also ends
 * a number), closers may be added. */
bool tw_json_closable(const tw_json *json, bool terminator);
/* Adds one closer: which one, as text; the container on top is gone then. */
const char *tw_json_add_closer(tw_json *json);
bool tw_json_in_string(const tw_json *json);
bool tw_json_in_number(const tw_json *json);
/* The top value is a number, which only the end of input ends. */
bool tw_json_at_number_end(const tw_json *json);

#endif
