/* SPDX-License-Identifier: MIT
 *
 * The diagnostics of a record.
 */
#ifndef TOOLWIRE_CONVERT_NOTES_H
#define TOOLWIRE_CONVERT_NOTES_H

#include "json/dump.h"

typedef struct tw_note {
    uint64_t offset;
    uint64_t size;
    uint32_t code;
    const char *format; /* constant: which one is meant, or NULL */
} tw_note;

/* {"diagnostics":[{"code","offset","size","format"}],"unparsed":N} */
void tw_json_put_notes(tw_json_out *, const tw_note *notes, size_t count,
                       size_t unparsed);

#endif
