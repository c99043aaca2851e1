/* SPDX-License-Identifier: MIT
 *
 * Feeding, draining, finishing; and an output as one message.
 */
#include "decode/whole_output.h"

#include "writers/writer.h"

int tw_output_drain(const tw_output *output)
{
    const tw_event *event;
    int result;
    while ((result = tw_decoder_next(output->decoder, &event)) == 1) {
        if (output->take != NULL && !output->take(output->context, event)) {
            return TW_ERROR_MEMORY;
        }
        const int written = output->writer != NULL
                                ? tw_writer_event(output->writer, event)
                                : TW_OK;
        if (written != TW_OK) {
            return written;
        }
    }
    return result;
}

int tw_output_feed(const tw_output *output, const char *text, size_t size,
                   size_t chunk)
{
    for (size_t at = 0; at < size;) {
        const size_t left = size - at;
        const size_t count = chunk == 0 || chunk > left ? left : chunk;
        int result = tw_decoder_feed(output->decoder, text + at, count,
                                     TW_MARK_UNKNOWN);
        if (result == TW_OK) {
            result = tw_output_drain(output);
        }
        if (result != TW_OK) {
            return result;
        }
        at += count;
    }
    return TW_OK;
}

int tw_output_finish(const tw_output *output, tw_finish finish)
{
    const int result = tw_decoder_finish(output->decoder, finish);
    return result == TW_OK ? tw_output_drain(output) : result;
}

/* Of the text, which events that nobody took point into.  The decoder's own
 * error stays. */
static void let_go(tw_decoder *decoder)
{
    const tw_event *event;
    if (tw_decoder_error(decoder)->code == TW_OK) {
        tw_decoder_reset(decoder);
    }
    while (tw_decoder_next(decoder, &event) == 1) {
    }
}

int tw_decode_message(tw_decoder *decoder, tw_writer *writer, const char *text,
                      size_t size, const char **line, size_t *line_size)
{
    const tw_output output = {decoder, writer, NULL, NULL};
    if (decoder == NULL || writer == NULL || line == NULL ||
        line_size == NULL || (text == NULL && size > 0) ||
        writer->shape != &tw_message_shape) {
        return TW_ERROR_ARGUMENT;
    }
    *line = NULL;
    *line_size = 0;
    tw_decoder_reset(decoder);
    tw_writer_reset(writer);
    int result = tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1);
    if (result == TW_OK) {
        result = tw_output_feed(&output, text, size, 0);
    }
    if (result == TW_OK) {
        result = tw_output_finish(&output, TW_FINISH_UNKNOWN);
    }
    if (result == TW_OK) {
        tw_writer_take(writer, line, line_size);
    } else {
        let_go(decoder);
    }
    return result;
}
