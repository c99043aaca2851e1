/* SPDX-License-Identifier: MIT
 *
 * The events of one decoding, with adjacent pieces joined: what must be the
 * same however the input is cut.
 */
#ifndef TOOLWIRE_TESTS_EVENTS_H
#define TOOLWIRE_TESTS_EVENTS_H

#include <stdbool.h>

#include "toolwire.h"

typedef struct event_record {
    uint32_t type, index, code, flags;
    uint64_t offset, span;
    size_t data, size; /* in |bytes| */
    size_t id, id_size;
} event_record;

typedef struct event_log {
    event_record *events;
    size_t count, capacity;
    char *bytes;
    size_t size, room;
    int error; /* what the decoder returned at last */
    uint64_t error_offset;
} event_log;

/* How the input is fed. */
typedef struct feeding {
    size_t chunk;        /* 0: by |cuts| */
    const size_t *cuts;  /* ascending offsets */
    size_t cut_count;
} feeding;

void event_log_free(event_log *);
/* Resets the decoder and decodes |text| in the given pieces, each of them
 * copied to a block of its exact size. */
void event_log_run(event_log *, tw_decoder *, const char *text, size_t size,
                   const feeding *, const char *prompt, size_t prompt_size);
/* The same without a prompt, but the output was stopped by |finish|. */
void event_log_run_to(event_log *, tw_decoder *, const char *text, size_t size,
                      const feeding *, tw_finish);
/* Takes what the decoder has. */
void event_log_drain(event_log *, tw_decoder *);
void event_log_clear(event_log *);
bool event_log_same(const event_log *, const event_log *);
void event_log_print(const event_log *);
/* NULL, or what is wrong: spans that are no partition, text that is not
 * UTF-8, arguments of a complete call that are no JSON object, or of another
 * that are one. */
const char *event_log_check(const event_log *, size_t input_size);
/* |prefix| without its END and what only the end of input tells is a
 * beginning of |whole|: nothing was retracted. */
bool event_log_extends(const event_log *prefix, const event_log *whole);

/* A strict reader of its own: one JSON object and nothing else. */
bool is_json_object(const char *text, size_t size);

#endif
