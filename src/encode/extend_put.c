/* SPDX-License-Identifier: MIT
 *
 * Prompts of the first messages of a conversation, and the message with which
 * a template begins to write what stands before it otherwise.
 */
#include "encode/extend_put.h"

int tw_extend_put_first(const tw_extending *work, size_t count,
                        bool generation)
{
    tw_encoder *encoder = work->encoder;
    tw_conversation *conversation = &encoder->conversation;
    const size_t all = conversation->messages.size;
    tw_encoder_reset(encoder);
    if (!tw_buffer_append(&encoder->segments.losses.list, &encoder->memory,
                          work->taken.data, work->taken.size)) {
        return tw_encoder_fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    conversation->messages.size = count * sizeof(tw_message);
    conversation->generation_prompt = generation;
    const int result = tw_encoder_put(encoder);
    conversation->messages.size = all;
    const tw_segments *segments = &encoder->segments;
    if (result == TW_OK && segments->code != TW_OK) {
        return tw_encoder_fail(encoder, segments->code, segments->where,
                               segments->offset, segments->message);
    }
    return result;
}

int tw_extend_unstable(const tw_extending *work, const tw_value *where,
                       const char *message)
{
    return tw_encoder_fail(work->encoder, TW_ERROR_UNSTABLE, where, 0,
                           message);
}

const tw_value *tw_extend_message(const tw_extending *work, size_t number)
{
    return tw_message_at(&work->encoder->conversation, number - 1)->value;
}

/* Does the text that was written begin as the turn's does, |same| bytes? */
static bool goes_on(const tw_extending *work, size_t same)
{
    const tw_buffer *text = &work->encoder->segments.text;
    return tw_extend_begins(text->data, text->size, work->encoder->turn.data,
                            same);
}

int tw_extend_break_at(const tw_extending *work, size_t same)
{
    size_t low = work->own; /* with so many messages it stands */
    size_t high = work->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const int result = tw_extend_put_first(work, middle, false);
        if (result == TW_ERROR_MEMORY) {
            return result;
        }
        if (result == TW_OK && !goes_on(work, same)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    tw_encoder_reset(work->encoder);
    return tw_extend_unstable(
        work, tw_extend_message(work, high),
        "with this message the template writes what stands "
        "before it otherwise");
}
