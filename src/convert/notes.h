/* SPDX-License-Identifier: MIT
 *
 * The diagnostics of a record.
 */
#ifndef TOOLWIRE_CONVERT_NOTES_H
#define TOOLWIRE_CONVERT_NOTES_H

#include "core/diagnostics.h"
#include "json/dump.h"

typedef struct tw_note {
    uint64_t offset;
    uint64_t size;
    uint32_t code;
    bool has_subject; /* a format that is meant, or a path in a call ... */
    size_t subject;   /* ... which stands there, ended by NUL */
} tw_note;

/* {"diagnostics":[{"code","offset","size","format" or "path"}],
 * "more_diagnostics":{CODE:N}, "unparsed":N} */
void tw_json_put_notes(tw_json_out *json_out, const tw_note *notes,
                       size_t count, const tw_buffer *subjects,
                       const tw_tally *tally, size_t unparsed);

#endif
