/* SPDX-License-Identifier: MIT
 *
 * JSON with the repairs of R14, read from a whole text by recursion.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_JSON_H
#define TOOLWIRE_TESTS_NAIVE_JSON_H

#include "naive.h"

typedef enum naive_outcome {
    NAIVE_WHOLE,   /* a complete value; |end| is behind it */
    NAIVE_STOPPED, /* `<` between tokens, or |limit|, came first; |end| is it */
    NAIVE_BROKEN   /* |reason| at |end| */
} naive_outcome;

typedef struct naive_json {
    naive_outcome outcome;
    size_t end;
    const char *reason;
    bool closable;  /* STOPPED directly behind a value: only closers miss */
    bool in_string; /* STOPPED by |limit| inside a string ... */
    bool in_container; /* ... which stands in a container ... */
    char quote;        /* ... and begins with this byte */
    bool nothing;   /* STOPPED before the first byte of the value */
    naive_bytes text; /* the repaired text of the value; with the missing
                         closers if |closable| */
} naive_json;

/* Reads the call arguments at text[at], blanks in front skipped: one object,
 * or a string that holds one (R11), or null.  |text| of the result is a JSON
 * object when the outcome is WHOLE.  Diagnostics of repairs go to |message|,
 * but not missing_closer, which the caller adds when it closes. */
void naive_arguments(naive_message *message, const char *text, size_t at,
                     size_t limit, naive_json *result);

/* The same of a body that is nothing but arguments: repairs behind the byte
 * that makes them unusable do not count, but those of a string do: only its
 * end tells. */
void naive_body_arguments(naive_message *message, const char *text, size_t at,
                          size_t limit, naive_json *result);

/* Blanks that JSON does not know, NULL-ended; the first is the only `bom`. */
extern const char *const naive_odd_blanks[];
/* Is text[at, end) one of these that |end| cuts? */
bool naive_is_half_blank(const char *text, size_t at, size_t end);
/* Of the blanks text[at, end), is the last one whole? */
bool naive_ends_whole(const char *text, size_t at, size_t end);

/* --- the reader itself ------------------------------------------------- */

typedef enum naive_unit {
    NAIVE_WELL_FORMED,
    NAIVE_ILL_FORMED, /* a maximal subpart */
    NAIVE_CUT         /* well-formed so far, but the data ends */
} naive_unit;

/* Judges the code point at |data|; |*length| is that of the unit. */
naive_unit naive_utf8(const char *data, size_t size, size_t *length);
/* Diagnoses each ill-formed subpart of text[at .. end). */
void naive_diagnose_utf8(naive_message *message, const char *text, size_t at,
                         size_t end);
/* text[at .. end) ends inside a string: perhaps inside a sequence, too. */
void naive_diagnose_half(naive_message *message, const char *text, size_t at,
                         size_t end);
/* realloc that cannot fail. */
void *naive_grow(void *memory, size_t size);

/* A decoded string.  offsets[i] is where byte i stands on the wire, with one
 * more for what stands behind the last. */
typedef struct naive_decoded {
    naive_bytes bytes;
    size_t *offsets;
    size_t capacity;
    bool spell_lone; /* lone surrogates stay escapes; else they are U+FFFD */
} naive_decoded;

void naive_decoded_release(naive_decoded *);

typedef struct naive_reader {
    naive_message *message;
    const char *text;
    const size_t *offsets; /* of each byte on the wire; NULL: its index */
    size_t at, limit;
    size_t depth;          /* containers around |at|; 128 are allowed */
    bool python;           /* Python's spelling is no fault */
    naive_bytes *out;      /* takes the repaired text; NULL: nobody wants it */

    /* Once a function returned false, which was at |at|: */
    naive_outcome outcome; /* STOPPED or BROKEN */
    const char *reason;    /* if BROKEN */
    bool closable, in_string;
    bool in_container; /* if in_string: there is one around it ... */
    char quote;        /* ... which begins with this byte */

    size_t container_end;  /* behind the container that was closed last */
    size_t number_end;     /* behind the number that was read last */
    bool over;             /* |out| outgrew the arguments limit at |over_at| */
    size_t over_at;
} naive_reader;

/* All of these begin at the first byte of what they read and end behind it.
 * They return false if the text ends or breaks before. */
bool naive_read_value(naive_reader *);
bool naive_read_string(naive_reader *, naive_decoded *decoded);

/* Reads the value of a member. */
typedef bool naive_member(naive_reader *, const naive_bytes *key, size_t key_at,
                          void *context);
bool naive_read_object(naive_reader *, naive_member *member, void *context);

/* Marks the text as broken at |at|; false. */
bool naive_break(naive_reader *, const char *reason, size_t at);

/* For naive_json_string.c: where text[at] is on the wire; a repair there; the
 * repaired text; a token that the limit cuts (false). */
size_t naive_wire(const naive_reader *, size_t at);
void naive_say(naive_reader *, const char *code, size_t at);
void naive_put(naive_reader *, const char *data, size_t size);
bool naive_cut(naive_reader *);

/* The value behind an arguments key. */
typedef struct naive_argument_value {
    bool begun;         /* the object's first byte was seen */
    bool empty;         /* null, or a blank string: |text| is `{}` */
    const char *reason; /* why this is no arguments object; NULL: it is one */
    size_t reason_at;
    naive_bytes text;
} naive_argument_value;

/* |value| starts zeroed.  True: a value was read, even if it is of no use. */
bool naive_read_arguments(naive_reader *, naive_argument_value *value);

#endif
