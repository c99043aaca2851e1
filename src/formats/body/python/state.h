/* SPDX-License-Identifier: MIT
 *
 * What the files that read Python (literal.c, string.c,
 * number.c, moves.c, skip.c) know of each other, and
 * nobody else.
 */
#ifndef TOOLWIRE_FORMATS_BODY_PYTHON_STATE_H
#define TOOLWIRE_FORMATS_BODY_PYTHON_STATE_H

#include "formats/body/python/scan.h"
#include "formats/body/python/value.h"

/* What of the frame ends a call that goes on. */
enum {
    TW_PYTHON_ENDS = TW_AT_CALL | TW_AT_CALL_END | TW_AT_SECTION |
                     TW_AT_SECTION_END | TW_AT_STOP
};

/* No word that matters is longer; one that is read as far is none. */
enum { TW_PYTHON_WORD = 1024 };

/* In |held|: a byte that JSON has nowhere, where one may be put later. */
enum { TW_PYTHON_PLACE = 1 };

/* What an open bracket is.  PARENTHESES and BRACES are not decided: their
 * first element tells. */
enum tw_python_kind {
    TW_PYTHON_LIST,
    TW_PYTHON_PARENTHESES,
    TW_PYTHON_TUPLE,
    TW_PYTHON_BRACES,
    TW_PYTHON_SET,
    TW_PYTHON_DICT
};

enum tw_python_element {
    TW_PYTHON_SCALAR,
    TW_PYTHON_TEXT,
    TW_PYTHON_CONTAINER
};

typedef struct tw_python_level {
    uint8_t kind;
    uint8_t element; /* what its key, or its first element, is */
    bool any;        /* an element began */
    bool value;      /* of a DICT: a value, not a key, is under way */
    /* Places in |held| where a byte may be put later. */
    size_t opener;
    size_t quote_before;
    size_t quote_behind;
} tw_python_level;

enum tw_python_state {
    TW_PYTHON_AT_VALUE,
    TW_PYTHON_AT_SIGN, /* a number is due behind it */
    TW_PYTHON_IN_NUMBER,
    TW_PYTHON_IN_STRING,
    TW_PYTHON_BEHIND_STRING, /* another one may follow, which is part of it */
    TW_PYTHON_BEHIND_VALUE   /* in brackets */
};

/* ---- moves.c ------------------------------------------------------------- */

tw_python_level *tw_python_top(const tw_python_value *value);
uint8_t tw_python_closer(const tw_python_level *level);
/* An open bracket; false: no memory. */
bool tw_python_push(tw_python_value *value, uint8_t kind);
void tw_python_pop(tw_python_value *value);
tw_body_end tw_python_fail(tw_python_value *value, uint32_t reason,
                           uint64_t offset, bool in_step);
void tw_python_diagnose(tw_python_value *value, uint32_t code,
                        const uint8_t *at);
void tw_python_no_memory(tw_python_value *value);
/* JSON text: a constant or a copy, or |run| as it stands in the window. */
void tw_python_put(tw_python_value *value, const char *json, size_t size);
void tw_python_put_run(tw_python_value *value, const uint8_t *run,
                       size_t size);
void tw_python_put_byte(tw_python_value *value, char c);
/* Room for a byte that is known later: where it is. */
size_t tw_python_put_place(tw_python_value *value);
/* Takes such bytes out, from |from| on, that were not needed. */
void tw_python_drop_places(tw_buffer *held, size_t from);
/* What the bracket of |level| is, is known now. */
void tw_python_decide(tw_python_value *value, tw_python_level *level,
                      uint8_t kind, uint8_t opener);
/* How much may be put. */
size_t tw_python_room(const tw_python_value *value);
/* An element or key begins: its comma. */
void tw_python_begin_element(tw_python_value *value, uint8_t element);
/* A number or a constant begins: its comma.  Is it a key, which JSON quotes?
 */
bool tw_python_begin_scalar(tw_python_value *value);
void tw_python_end_scalar(tw_python_value *value, bool key);
/* A value ended; |end| is where. */
tw_body_end tw_python_end_value(tw_python_value *value, uint64_t end);
/* The window's end is the value's, too. */
bool tw_python_may_end(const tw_python_value *value);
/* The output ends inside a token. */
tw_body_end tw_python_cut(const tw_python_value *value);
/* The bytes that a word takes, TW_PYTHON_WORD + 1 at most; |*more|: the window
 * ends there. */
size_t tw_python_word(const tw_python_value *value, const uint8_t *at,
                      bool *more);
bool tw_python_is_word_byte(uint8_t c);
bool tw_python_is_word(const char *word, const uint8_t *at, size_t size);

/* A marker that ends a call, or an operator's word, stands at |at|. */
tw_match tw_python_marker_at(const tw_python_value *value, const uint8_t *at);
/* What stands at |at| between tokens, where a marker is an error: AT_MARKER,
 * STARVED, CUT (half of one ends the output), or GOES_ON: there is none. */
tw_body_end tw_python_stop_at(tw_python_value *value, const uint8_t *at);
tw_match tw_python_operator_at(const tw_python_value *value,
                               const uint8_t *at);

/* ---- literal.c ---------------------------------------------------------- */

/* What stands at the window behind a value: white space, which is skipped
 * (GOES_ON), a marker that ends the call (AT_MARKER), or the byte |*c|, a
 * comma, colon or closer (DONE). */
tw_body_end tw_python_read_separator(tw_python_value *value, uint8_t *c);

/* ---- string.c ------------------------------------------------------------ */

/* The string, or the next one of it, that begins at the window; |size| bytes
 * are its prefix and quotes. */
void tw_python_open_string(tw_python_value *value, size_t size, bool triple);
tw_body_end tw_python_read_string(tw_python_value *value);
tw_body_end tw_python_read_behind_string(tw_python_value *value);
/* How many of three quotes stand at the window; |*more|: it ends there. */
size_t tw_python_quotes_at(const tw_window *window, uint8_t quote, bool *more);
/* Does the quote in front of |at| end its string? */
tw_match tw_python_quote_ends(const tw_python_value *value, const uint8_t *at,
                              bool key, bool broken);

/* ---- number.c ------------------------------------------------------------ */

tw_body_end tw_python_read_sign(tw_python_value *value);
tw_body_end tw_python_read_number(tw_python_value *value);

#endif
