/* SPDX-License-Identifier: MIT
 *
 * A client of the streams of all three APIs, which merges deltas and aborts
 * where a line is none that a client can read.
 */
#ifndef TOOLWIRE_FUZZ_CLIENT_H
#define TOOLWIRE_FUZZ_CLIENT_H

#include <stdbool.h>

#include "json/tree.h"
#include "naive/naive.h"
#include "toolwire.h"

typedef enum fuzz_kind { FUZZ_TEXT, FUZZ_REASONING, FUZZ_CALL } fuzz_kind;

typedef struct fuzz_part {
    fuzz_kind kind;
    naive_bytes id, name, text;
    bool closed;
    bool done; /* something said that the text is whole */
} fuzz_part;

typedef struct fuzz_client {
    tw_shape shape;
    fuzz_part *parts;
    size_t count;
    naive_bytes reason; /* why the message ended */
    uint64_t lines;
    bool ended;  /* no more lines but [DONE] */
    bool done;   /* ... and none at all */
    bool failed; /* an error ended the stream */
} fuzz_client;

/* Reads the next line; |sse|: it is a server-sent event. */
void fuzz_read_line(fuzz_client *, const char *line, size_t size, bool sse);
/* Has one what the other has, but for the pieces in which it came? */
bool fuzz_same_stream(const fuzz_client *, const fuzz_client *);
void fuzz_free_client(fuzz_client *);

/* Is a text the string |text|?  NULL, and what is no string, is empty. */
bool fuzz_is_text(const naive_bytes *, const tw_value *text);
/* NULL where the object is. */
const tw_value *fuzz_member(const tw_value *object, const char *key);
/* Prints and aborts. */
void fuzz_wrong_line(const char *what, const char *line, size_t size);

#endif
