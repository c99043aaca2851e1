/* SPDX-License-Identifier: MIT
 *
 * What is said of the last record.
 */
#include "convert/notes.h"
#include "convert/state.h"

static size_t note_count(const tw_converter *converter)
{
    return converter->notes.size / sizeof(tw_note);
}

static const tw_note *notes_of(const tw_converter *converter)
{
    return (const tw_note *)(const void *)converter->notes.data;
}

bool tw_converter_make_report(tw_converter *converter)
{
    tw_json_out json_out = {converter->report, &converter->memory, false};
    tw_json_put_notes(&json_out, notes_of(converter), note_count(converter),
                      &converter->subjects, &converter->tally,
                      converter->unparsed);
    converter->report = json_out.out;
    return !json_out.failed;
}

int tw_converter_report(tw_converter *converter, size_t i,
                        const tw_error **report)
{
    return converter != NULL && converter->recode != NULL && report != NULL
               ? tw_recode_report(converter->recode, i, report)
               : 0;
}

size_t tw_converter_unparsed(const tw_converter *converter)
{
    return converter != NULL ? converter->unparsed : 0;
}

int tw_converter_diagnostic(const tw_converter *converter, size_t i,
                            uint32_t *code, uint64_t *offset)
{
    if (converter == NULL || code == NULL || offset == NULL ||
        i >= note_count(converter)) {
        return 0;
    }
    *code = notes_of(converter)[i].code;
    *offset = notes_of(converter)[i].offset;
    return 1;
}

uint64_t tw_converter_diagnostic_count(const tw_converter *converter,
                                       uint32_t code)
{
    return converter != NULL && code < TW_DIAGNOSTIC_CODES
               ? converter->tally.of[code]
               : 0;
}

const char *tw_converter_diagnostic_format(const tw_converter *converter,
                                           size_t i)
{
    const tw_note *note = converter != NULL && i < note_count(converter)
                              ? notes_of(converter) + i
                              : NULL;
    return note != NULL && note->has_subject
               ? (const char *)converter->subjects.data + note->subject
               : NULL;
}
