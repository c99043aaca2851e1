/* SPDX-License-Identifier: MIT
 *
 * Small conversations that a template is asked to write.
 */
#ifndef TOOLWIRE_CONVERT_PROBES_H
#define TOOLWIRE_CONVERT_PROBES_H

#include <stdbool.h>
#include <stddef.h>

#define TW_PROBE_PARAMETER(name, type) \
    "\"" name "\":{\"type\":\"" type "\",\"description\":\"It.\"}"
#define TW_PROBE_TOOLS                                                                 \
    "[{\"type\":\"function\",\"function\":{\"name\":\"get_tide\","                     \
    "\"description\":\"Tells the "                                                     \
    "tide.\",\"parameters\":{\"type\":\"object\","                                     \
    "\"properties\":{" TW_PROBE_PARAMETER("harbour", "string") "," TW_PROBE_PARAMETER( \
        "days",                                                                        \
        "integer") "," TW_PROBE_PARAMETER("dry",                                       \
                                          "boolean") "},"                              \
                                                     "\"required\":["                  \
                                                     "\"harbour\"]}}}]"
#define TW_PROBE_QUESTION "When is high tide?"
#define TW_PROBE_USER \
    "{\"role\":\"user\",\"content\":\"" TW_PROBE_QUESTION "\"}"

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

#endif
