/* SPDX-License-Identifier: MIT
 *
 * Where a whole text begins that nobody told of (TW_START_FIND): rule D1 is
 * for streams, which cannot be read twice.
 */
#include "convert/state.h"
#include "decode/whole_output.h"
#include "decode/state.h"

/* Does each head of the format's turns open reasoning?  False without one. */
static bool always_inside(const tw_format *format)
{
    const tw_description *description = format->description;
    const char *const *head = format->turn_heads;
    while (description != NULL && *head != NULL &&
           tw_frame_opens_reasoning(description, *head) > 0) {
        head++;
    }
    return head != format->turn_heads && *head == NULL;
}

static bool look(void *context, const tw_event *event)
{
    bool *inside = context;
    *inside |= event->type == TW_EVENT_DIAGNOSTIC &&
               event->code == TW_DIAGNOSTIC_ORPHAN_REASONING_CLOSE;
    return true;
}

static bool begins_inside(tw_converter *converter, const char *text,
                          size_t size)
{
    tw_decoder *decoder = converter->decoder;
    bool inside = always_inside(decoder->format);
    const tw_output probe = {decoder, NULL, look, &inside};
    if (inside) {
        return true;
    }
    /* An error comes again when the text is read. */
    if (tw_output_feed(&probe, text, size, 0) == TW_OK) {
        (void)tw_output_finish(&probe, converter->own_finish);
    }
    tw_decoder_reset(decoder);
    return inside;
}

int tw_converter_find_start(tw_converter *converter, const char *text,
                            size_t size)
{
    tw_decoder *decoder = converter->decoder;
    int result = tw_decoder_set(decoder, TW_OPTION_START_REASONING, 0);
    if (result == TW_OK && begins_inside(converter, text, size)) {
        result = tw_decoder_set(decoder, TW_OPTION_START_REASONING, 1);
    }
    return result;
}
