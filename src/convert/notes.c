/* SPDX-License-Identifier: MIT
 *
 * Each diagnostic by its name, with its place and the format it speaks of.
 */
#include "convert/notes.h"

#include "json/fault.h"


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

const char *tw_no_json(tw_tree *tree, const char *record, size_t size)
{
    const uint64_t offset = tree->offset;
    const tw_json_slip slip = tw_json_find_slip(record, size, (size_t)offset);
    const bool whole =
        slip == TW_SLIP_OTHER &&
        tw_tree_read(tree, record, (size_t)offset, false) == TW_OK;
    tree->offset = offset;
    if (whole) {
        return "the record is not JSON: text stands behind its value";
    }
    static const char *const texts[] = {
        [TW_SLIP_OTHER] = "the record is not JSON",
        [TW_SLIP_UTF8] = "the record is not JSON: its bytes are not UTF-8",
        [TW_SLIP_QUOTE] = "the record is not JSON: strings stand in double "
                          "quotes, not in apostrophes",
        [TW_SLIP_WORD] = "the record is not JSON, which has null, true and "
                         "false, and no NaN and Infinity",
        [TW_SLIP_COMMA] =
            "the record is not JSON, which has no comma in front "
            "of a closing bracket",
        [TW_SLIP_CONTROL] = "the record is not JSON: a control character is "
                            "to be escaped, such as \\n and \\u0000",
        [TW_SLIP_CUT] = "the record is not JSON: it ends too early"};
    return texts[slip];
}
