/* SPDX-License-Identifier: MIT
 *
 * A whole output through a decoder to a writer.
 */
#ifndef TOOLWIRE_DECODE_WHOLE_OUTPUT_H
#define TOOLWIRE_DECODE_WHOLE_OUTPUT_H

#include <stdbool.h>

#include "toolwire.h"

/* Each event is first shown to |take|, which is false where it has no memory;
 * then to the writer.  Either may be NULL. */
typedef struct tw_output {
    tw_decoder *decoder;
    tw_writer *writer;
    bool (*take)(void *context, const tw_event *);
    void *context;
} tw_output;

/* These return the error of whoever has one. */
int tw_output_drain(const tw_output *output);
/* All of a text, |chunk| bytes at a time; 0: at once. */
int tw_output_feed(const tw_output *output, const char *text, size_t size,
                   size_t chunk);
int tw_output_finish(const tw_output *output, tw_finish finish);

#endif
