/* SPDX-License-Identifier: MIT
 *
 * Does a format write a message as a template does?
 */
#ifndef TOOLWIRE_DETECT_ALIKE_H
#define TOOLWIRE_DETECT_ALIKE_H

#include "core/memory.h"
#include "toolwire.h"

typedef struct tw_alike {
    size_t how;   /* 2: to the byte; 1: white space aside; 0: it does not */
    size_t bytes; /* that are the same, where it is to the byte */
    bool empties; /* the format begins with a block that holds no reasoning */
    bool failed;  /* there was no memory */
} tw_alike;

/* |message| in the format beside the |whole| text of the template's. */
tw_alike tw_alike_find(const tw_format *format, const tw_memory *memory,
                       const char *message, const tw_buffer *whole);

#endif
