/* SPDX-License-Identifier: MIT
 *
 * Records of a shape whose text is a format's: the converter decodes that,
 * too.
 */
#include "convert/state.h"

/* Decodes one text of a record, through which calls are counted. */
static int decode(void *context, const tw_value *text, size_t calls,
                  const tw_value *tools)
{
    tw_converter *converter = context;
    int result = tw_decoder_set(converter->decoder, TW_OPTION_FIRST_CALL,
                                converter->first_call + (int64_t)calls);
    if (!tw_validity_declare(&converter->validity, converter->decoder,
                             tools)) {
        result = tw_converter_no_memory(converter);
    }
    converter->text = text;
    tw_converter_mend(converter, text);
    if (result == TW_OK) {
        result =
            tw_converter_read_message(converter, 0, text->text, text->size);
    }
    if (result != TW_OK) {
        tw_recode_fail(converter->recode, &converter->error, text);
    }
    return result;
}

typedef struct reader_parts {
    tw_decoder *decoder;
    tw_writer *writer;
} reader_parts;

static bool make_parts(reader_parts *made, const tw_format *wire,
                       const tw_memory *memory)
{
    made->decoder = tw_decoder_new(wire, memory);
    made->writer = tw_writer_new(TW_SHAPE_MESSAGE, memory);
    return made->decoder != NULL && made->writer != NULL &&
           tw_decoder_set(made->decoder, TW_OPTION_KEEP_RAW, 1) == TW_OK;
}

/* All of it, or the converter stays as it was. */
static int set_wire(tw_converter *converter, const tw_format *wire, bool reads)
{
    reader_parts made = {NULL, NULL};
    int result = TW_ERROR_MEMORY;
    if (!reads || make_parts(&made, wire, &converter->memory)) {
        result =
            tw_recode_set_wire(converter->recode, wire, decode, converter);
    }
    if (result != TW_OK) {
        tw_decoder_free(made.decoder);
        tw_writer_free(made.writer);
    } else if (reads) {
        converter->decoder = made.decoder;
        converter->writer = made.writer;
    }
    return result;
}

int tw_converter_set_wire(tw_converter *converter, const tw_format *wire)
{
    if (converter == NULL || wire == NULL || converter->recode == NULL) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "no format, or no record that holds its text");
    }
    const bool reads = converter->transcript.format == NULL;
    const int result = set_wire(converter, wire, reads);
    if (result == TW_ERROR_ARGUMENT) {
        return tw_converter_fail(converter, result, 0,
                                 "text of a format is read of records of a "
                                 "shape, and written to \"sharegpt\"");
    }
    return result == TW_OK ? TW_OK : tw_converter_no_memory(converter);
}
