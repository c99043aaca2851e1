/* SPDX-License-Identifier: MIT */
#include "notes.h"

void tw_jot_notes(tw_jotter *jotter, const tw_note *notes, size_t count,
                  size_t unparsed)
{
    tw_jot(jotter, "{\"diagnostics\":[");
    for (size_t i = 0; i < count; i++) {
        const tw_diagnostic *row = tw_diagnostic_get(notes[i].code);
        tw_jot(jotter, i == 0 ? "{\"code\":\"" : ",{\"code\":\"");
        tw_jot(jotter, row != NULL ? row->name : "unknown");
        tw_jot(jotter, "\",\"offset\":");
        tw_jot_number(jotter, notes[i].offset);
        tw_jot(jotter, ",\"size\":");
        tw_jot_number(jotter, notes[i].size);
        if (notes[i].format != NULL) {
            tw_jot(jotter, ",\"format\":\"");
            tw_jot(jotter, notes[i].format);
            tw_jot(jotter, "\"");
        }
        tw_jot(jotter, "}");
    }
    tw_jot(jotter, "],\"unparsed\":");
    tw_jot_number(jotter, unparsed);
    tw_jot(jotter, "}");
}
