/* SPDX-License-Identifier: MIT
 *
 * Each diagnostic by its name, with its place and the format it speaks of.
 */
#include "convert/notes.h"

void tw_json_put_notes(tw_json_out *json_out, const tw_note *notes,
                       size_t count, size_t unparsed)
{
    tw_json_put(json_out, "{\"diagnostics\":[");
    for (size_t i = 0; i < count; i++) {
        const tw_diagnostic *row = tw_diagnostic_get(notes[i].code);
        tw_json_put(json_out, i == 0 ? "{\"code\":\"" : ",{\"code\":\"");
        tw_json_put(json_out, row != NULL ? row->name : "unknown");
        tw_json_put(json_out, "\",\"offset\":");
        tw_json_put_number(json_out, notes[i].offset);
        tw_json_put(json_out, ",\"size\":");
        tw_json_put_number(json_out, notes[i].size);
        if (notes[i].format != NULL) {
            tw_json_put(json_out, ",\"format\":\"");
            tw_json_put(json_out, notes[i].format);
            tw_json_put(json_out, "\"");
        }
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "],\"unparsed\":");
    tw_json_put_number(json_out, unparsed);
    tw_json_put(json_out, "}");
}
