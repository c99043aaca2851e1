/* SPDX-License-Identifier: MIT
 *
 * Each diagnostic by its name, with its place and the format it speaks of.
 */
#include "convert/notes.h"

static void put_more(tw_json_out *json_out, const tw_tally *tally)
{
    bool some = false;
    for (uint32_t code = 0; code < TW_DIAGNOSTIC_CODES; code++) {
        const tw_diagnostic *row = tw_diagnostic_get(code);
        if (tw_tally_more(tally, code) > 0 && row != NULL) {
            tw_json_put(json_out, some ? ",\"" : ",\"more_diagnostics\":{\"");
            tw_json_put(json_out, row->name);
            tw_json_put(json_out, "\":");
            tw_json_put_number(json_out, tw_tally_more(tally, code));
            some = true;
        }
    }
    tw_json_put(json_out, some ? "}" : "");
}

void tw_json_put_notes(tw_json_out *json_out, const tw_note *notes,
                       size_t count, const tw_buffer *subjects,
                       const tw_tally *tally, size_t unparsed)
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
        if (notes[i].has_subject) {
            const char *subject =
                (const char *)subjects->data + notes[i].subject;
            tw_json_put(json_out, ",\"");
            tw_json_put(json_out, tw_diagnostic_subject(notes[i].code));
            tw_json_put(json_out, "\":");
            tw_json_put_string(json_out, subject, strlen(subject));
        }
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "]");
    put_more(json_out, tally);
    tw_json_put(json_out, ",\"unparsed\":");
    tw_json_put_number(json_out, unparsed);
    tw_json_put(json_out, "}");
}
