/* SPDX-License-Identifier: MIT
 *
 * Small conversations that a template is asked to write.
 */
#ifndef TOOLWIRE_DETECT_PROBES_H
#define TOOLWIRE_DETECT_PROBES_H

#include "core/memory.h"

#define TW_PROBE_TOOLS                                             \
    "[{\"type\":\"function\",\"function\":{\"name\":\"get_tide\"," \
    "\"description\":\"Tells the tide.\","                         \
    "\"parameters\":{\"type\":\"object\",\"properties\":{"         \
    "\"harbour\":{\"type\":\"string\",\"description\":\"It.\"},"   \
    "\"days\":{\"type\":\"integer\",\"description\":\"It.\"},"     \
    "\"dry\":{\"type\":\"boolean\",\"description\":\"It.\"}},"     \
    "\"required\":[\"harbour\"]}}}]"
#define TW_PROBE_QUESTION "When is high tide?"
#define TW_PROBE_USER \
    "{\"role\":\"user\",\"content\":\"" TW_PROBE_QUESTION "\"}"

#define TW_PROBE_THOUGHT "Brest is asked for."

/* A call's id begins with it, and ends with the call's number, from 0. */
#define TW_PROBE_ID "call0000"

typedef struct tw_probe {
    const char *name;
    const char *message; /* the assistant's */
    const char *text;    /* ... of it, without white space around */
    const char *calls;   /* their arguments, without white space */
    size_t count;        /* of calls */
    bool needed;         /* else a template may not write it */
} tw_probe;

enum { TW_PROBES = 6 };
extern const tw_probe tw_probes[TW_PROBES];

/* By which templates begin a turn with reasoning or without. */
typedef struct tw_probe_setting {
    const char *said; /* as --set takes it */
    const char *json;
} tw_probe_setting;

enum { TW_PROBE_SETTINGS = 6 };
extern const tw_probe_setting tw_probe_settings[TW_PROBE_SETTINGS];

/* The user's question, and what follows. */
typedef struct tw_probe_request {
    const char *message; /* or NULL */
    bool generation;
    bool ids_say_names;              /* as Kimi's do */
    const tw_probe_setting *setting; /* or NULL */
} tw_probe_request;

/* The request as JSON; false: no memory. */
bool tw_probe_ask(tw_buffer *out, const tw_memory *memory,
                  const tw_probe_request *asked);

/* Is |given| the text |wanted|, with white space around? */
bool tw_probe_is_text(const tw_buffer *given, const char *wanted);
/* Does |part| stand in |all|, white space aside where |loosely|? */
bool tw_probe_stands_in(const tw_buffer *all, const char *part, size_t size,
                        bool loosely);
/* Does |all| end with these? */
bool tw_probe_ends(const tw_buffer *all, const uint8_t *end, size_t size);

#endif
