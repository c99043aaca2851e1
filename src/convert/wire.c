/* SPDX-License-Identifier: MIT
 *
 * Records of a shape whose text is a format's: the converter decodes that,
 * too.
 */
#include "convert/state.h"

/* Its calls are counted through the record. */
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

static bool make_decoder(tw_converter *converter, const tw_format *wire)
{
    const tw_memory *memory = &converter->memory;
    converter->decoder = tw_decoder_new(wire, memory);
    converter->writer = tw_writer_new(TW_SHAPE_MESSAGE, memory);
    return converter->decoder != NULL && converter->writer != NULL &&
           tw_decoder_set(converter->decoder, TW_OPTION_KEEP_RAW, 1) == TW_OK;
}

int tw_converter_set_wire(tw_converter *converter, const tw_format *wire)
{
    if (converter == NULL || wire == NULL || converter->recode == NULL) {
        return tw_converter_fail(
            converter, TW_ERROR_ARGUMENT, 0,
            "no format, or no record that holds its text");
    }
    const bool reads = converter->transcript.format == NULL;
    const int result =
        tw_recode_set_wire(converter->recode, wire, decode, converter);
    if (result == TW_ERROR_ARGUMENT) {
        return tw_converter_fail(converter, result, 0,
                                 "text of a format is read of records of a "
                                 "shape, and written to \"sharegpt\"");
    }
    return result == TW_OK && (!reads || make_decoder(converter, wire))
               ? TW_OK
               : tw_converter_no_memory(converter);
}
