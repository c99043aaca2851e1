/* SPDX-License-Identifier: MIT
 *
 * Text of a format inside records of another shape: what the assistants of a
 * conversation wrote is decoded, and turns are written as such text.
 */
#ifndef TOOLWIRE_WIRE_TEXT_H
#define TOOLWIRE_WIRE_TEXT_H

#include "formats/format.h"
#include "records/records.h"

/* Decodes one text of an assistant's into the recoder, behind |calls| calls
 * of the record, which declares |tools|, or NULL.  TW_OK, or what went
 * wrong. */
typedef int tw_wire_decode(void *context, const tw_value *text, size_t calls,
                           const tw_value *tools);

typedef struct tw_wire_text {
    const tw_format *format; /* NULL: no text is of a format */
    const tw_memory *memory;
    tw_recoder *recoder;
    tw_wire_decode *decode;
    void *context;
    tw_transcript_reader reader;
    const tw_value *tools; /* that the record declares, or NULL */
    size_t calls;          /* in the list of messages, so far */
    size_t last_calls;     /* ... of the last assistant */
    tw_encoder *encoder;   /* NULL: none is written */
    tw_wire_writer writer;
} tw_wire_text;

void tw_wire_text_init(tw_wire_text *wire, tw_recoder *recoder,
                       const tw_memory *memory);
void tw_wire_text_free(tw_wire_text *wire);
/* False: no memory.  |writes|: the recoder's target has a place for it. */
bool tw_wire_text_set(tw_wire_text *wire, const tw_format *format,
                      bool writes);

/* What a record was read to, with the calls that its texts hold; NULL where
 * *result is an error of the decoder's, or there is no memory, which the
 * recoder's tree knows. */
const tw_value *tw_wire_text_read(tw_wire_text *wire, const tw_value *request,
                                  int *result);

#endif
