/* SPDX-License-Identifier: MIT
 *
 * What is said of a record: its losses and diagnostics, and why it failed.
 */
#include "convert/notes.h"
#include "convert/state.h"

static void report_loss(tw_converter *converter, uint32_t code,
                        const tw_event *event, const char *message)
{
    if (converter->recode != NULL) {
        tw_losses_add(&converter->recode->recoder.losses, code,
                      converter->text, converter->base + event->offset,
                      message);
    }
}

/* A message has one content and one reasoning: where calls or the other stood
 * between two texts is lost. */
static void judge_text(tw_converter *converter, const tw_event *event)
{
    uint32_t *last = &converter->segments[event->type == TW_EVENT_TEXT];
    if (*last != 0 && *last != event->index + 1) {
        report_loss(converter, TW_LOSS_PARTS_JOINED, event, NULL);
    }
    *last = event->index + 1;
}

bool tw_converter_note(void *context, const tw_event *event)
{
    tw_converter *converter = context;
    if (event->type == TW_EVENT_TEXT || event->type == TW_EVENT_REASONING) {
        judge_text(converter, event);
    }
    if (event->type == TW_EVENT_UNPARSED) {
        converter->unparsed++;
        report_loss(converter, TW_LOSS_UNPARSED_CALL, event,
                    tw_diagnostic_get(event->code)->text);
    }
    if (event->type != TW_EVENT_DIAGNOSTIC ||
        !tw_tally_keeps(&converter->tally, event->code)) {
        return true;
    }
    const tw_note fresh = {converter->base + event->offset, event->span,
                           event->code, event->id != NULL,
                           converter->subjects.size};
    return (event->id == NULL ||
            (tw_buffer_append(&converter->subjects, &converter->memory,
                              event->id, event->id_size) &&
             tw_buffer_append(&converter->subjects, &converter->memory, "",
                              1))) &&
           tw_buffer_append(&converter->notes, &converter->memory, &fresh,
                            sizeof fresh);
}

/* ---- errors ------------------------------------------------------------- */

int tw_converter_fail(tw_converter *converter, int32_t code, uint64_t offset,
                      const char *message)
{
    if (converter != NULL) {
        const tw_error error = {code, 0, offset, message, NULL};
        converter->error = error;
    }
    return code;
}

int tw_converter_no_memory(tw_converter *converter)
{
    return tw_converter_fail(converter, TW_ERROR_MEMORY, 0, "no memory");
}

int tw_converter_decoder_failed(tw_converter *converter, int result)
{
    const tw_error *error = tw_decoder_error(converter->decoder);
    if (error->code == result) {
        converter->error = *error;
    } else if (result == TW_ERROR_MEMORY) {
        tw_converter_no_memory(converter);
    } else {
        tw_converter_fail(converter, result, 0, "the events are out of order");
    }
    tw_decoder_reset(converter->decoder);
    return result;
}
