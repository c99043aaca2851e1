/* SPDX-License-Identifier: MIT
 *
 * An encoder's prompt as a template writes it, what is lost in that, and whose
 * its bytes are.
 */
#include <time.h>

#include "encode/inside.h"

static const char *find_marker(const void *context, const char *from,
                               const char *limit, size_t *size)
{
    return tw_segments_marker(context, from, limit, size);
}

/* What the template says in refusing, ended by a NUL. */
static int refuse(tw_encoder *encoder, int code)
{
    const tw_string *message = encoder->rendering.machine.message;
    tw_buffer *text = &encoder->message;
    text->size = 0;
    if (code == TW_ERROR_LIMIT) {
        return tw_encoder_fail(encoder, code, NULL, 0,
                               "the template takes too many steps or bytes");
    }
    if (code == TW_ERROR_MEMORY || message == NULL ||
        !tw_buffer_append(text, &encoder->memory, message->data,
                          message->size) ||
        !tw_buffer_append(text, &encoder->memory, "", 1)) {
        return tw_encoder_fail(encoder, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    const tw_machine *machine = &encoder->rendering.machine;
    return machine->refused != NULL
               ? tw_encoder_fail(encoder, TW_ERROR_CANNOT_CARRY,
                                 machine->refused, 0, (const char *)text->data)
               : tw_encoder_fail(encoder, code, NULL, machine->line,
                                 (const char *)text->data);
}

static tw_report_for report_for(const tw_encoder *encoder)
{
    const tw_description *description =
        encoder->own != NULL ? encoder->format->description : NULL;
    return encoder->own == NULL                    ? TW_REPORT_ANY
           : encoder->format->family->tells_losses ? TW_REPORT_CALLS
           : description != NULL && description->id.count > 0
               ? TW_REPORT_OWN_IDS
               : TW_REPORT_OWN;
}

static int64_t now_of(const tw_encoder *encoder)
{
    return encoder->now == INT64_MIN ? (int64_t)time(NULL) : encoder->now;
}

/* Of the losses from the |kept|-th on: halves of surrogate pairs are told
 * where the template writes them, too. */
static void drop_halves(tw_losses *losses, size_t kept)
{
    const size_t count = tw_losses_count(losses);
    for (size_t i = kept; i < count; i++) {
        if (tw_losses_at(losses, i)->code != TW_LOSS_LONE_SURROGATE_LOST) {
            *tw_losses_at(losses, kept++) = *tw_losses_at(losses, i);
        }
    }
    losses->list.size = kept * sizeof(tw_lost);
}

/* A template of ours writes calls as its format's description does: what that
 * loses or refuses is known before. */
static void report_calls(tw_encoder *encoder)
{
    const tw_conversation *conversation = &encoder->conversation;
    const tw_format *format = encoder->format;
    tw_segments *segments = &encoder->segments;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        tw_place place = tw_segments_place(segments);
        if (message->call_count > 0 && format->family->put_calls != NULL) {
            format->family->put_calls(format, conversation, message, segments);
            drop_halves(&segments->losses, place.reports / sizeof(tw_lost));
            place.reports = tw_segments_place(segments).reports;
            tw_segments_back(segments, place);
        }
    }
}

/* Which message |at| is a part of, from 1; 0: none. */
static size_t message_of(const tw_conversation *conversation,
                         const tw_value *at)
{
    const tw_value *all = tw_message_at(conversation, 0)->value->parent;
    while (at != NULL && at->parent != all) {
        at = at->parent != NULL ? at->parent : at->origin;
    }
    return at != NULL ? at->index + 1 : 0;
}

/* Losses [from, behind) are of calls, the template told those that follow:
 * all of them get the order of the messages. */
static void order_losses(tw_encoder *encoder, size_t from, size_t behind)
{
    const tw_conversation *conversation = &encoder->conversation;
    tw_losses *losses = &encoder->segments.losses;
    const size_t count = tw_losses_count(losses);
    tw_buffer calls = {0};
    size_t next = from;
    if (from == behind) {
        return;
    }
    if (!tw_buffer_append(&calls, &encoder->memory, tw_losses_at(losses, from),
                          (behind - from) * sizeof(tw_lost))) {
        losses->failed = true;
        return;
    }
    const tw_lost *call = (const tw_lost *)(const void *)calls.data;
    const tw_lost *end = call + (behind - from);
    for (size_t i = behind; i < count; i++) {
        const tw_lost told = *tw_losses_at(losses, i);
        const size_t message = message_of(conversation, told.where);
        while (call < end && message_of(conversation, call->where) < message) {
            *tw_losses_at(losses, next++) = *call++;
        }
        *tw_losses_at(losses, next++) = told;
    }
    while (call < end) {
        *tw_losses_at(losses, next++) = *call++;
    }
    tw_buffer_free(&calls, &encoder->memory);
}

int tw_encoder_render(tw_encoder *encoder)
{
    tw_conversation *conversation = &encoder->conversation;
    tw_segments *segments = &encoder->segments;
    tw_rendering *rendering = &encoder->rendering;
    const bool own = encoder->own != NULL;
    const size_t known = tw_losses_count(&segments->losses);
    if (own) {
        report_calls(encoder);
    }
    const size_t of_calls = tw_losses_count(&segments->losses);
    if (segments->code != TW_OK) {
        return TW_OK; /* the end tells */
    }
    tw_rendering_begin(rendering);
    rendering->machine.now = now_of(encoder);
    rendering->machine.format =
        encoder->format != NULL ? encoder->format->name : NULL;
    rendering->machine.losses = &segments->losses;
    rendering->machine.numbers = !own ? TW_NUMBERS_PYTHON
                                 : segments->python_numbers
                                     ? TW_NUMBERS_PYTHON_JSON
                                     : TW_NUMBERS_SPELLED;
    const bool guards = segments->control_text != TW_CONTROL_TEXT_ALLOW;
    rendering->machine.guard = guards ? find_marker : NULL;
    rendering->machine.guard_context = segments;
    tw_template_give(encoder->template_, rendering, conversation);
    const int code = tw_rendering_run(rendering);
    if (code != TW_OK) {
        return refuse(encoder, code);
    }
    const tw_builder *text = &rendering->text;
    tw_out_runs(segments, text->text.data, text->text.size,
                (const tw_run *)(const void *)text->runs.data,
                text->runs.size / sizeof(tw_run));
    order_losses(encoder, known, of_calls);
    tw_template_report(encoder->template_, rendering, conversation,
                       report_for(encoder), &segments->losses);
    if (!own) {
        tw_template_report_settings(encoder->template_, conversation,
                                    &segments->losses);
    } else if (encoder->format->family->check_prompt != NULL) {
        encoder->format->family->check_prompt(encoder->format, conversation,
                                              segments);
    }
    return TW_OK;
}

int tw_encoder_span(tw_encoder *encoder, size_t i, const tw_span **span)
{
    if (encoder == NULL || encoder->template_ == NULL || encoder->completes ||
        span == NULL) {
        return tw_encoder_fail(
            encoder, TW_ERROR_ARGUMENT, NULL, 0,
            "spans are of a template's prompt, and this is none");
    }
    if (encoder->ready && !encoder->has_spans) {
        const tw_machine *machine = &encoder->rendering.machine;
        const tw_prompt prompt = {
            .template_ = encoder->template_,
            .conversation = &encoder->conversation,
            .segments = &encoder->segments,
            .text = &encoder->rendering.text.text,
            .runs = &encoder->rendering.text.runs,
            .turns = &machine->turns,
            .generated = &machine->generated,
            .sampling = encoder->sampling,
            .now = machine->now,
            .format = machine->format,
            .numbers = machine->numbers,
        };
        const int code = tw_spans_make(&encoder->spans, &prompt);
        if (code != TW_OK) {
            return tw_encoder_fail(
                encoder, code, NULL, 0,
                code == TW_ERROR_MEMORY
                    ? "no memory"
                    : "the template takes too many steps or bytes");
        }
        encoder->has_spans = true;
    }
    const tw_buffer *list = &encoder->spans.list;
    if (!encoder->ready || i >= list->size / sizeof **span) {
        return 0;
    }
    *span = (const tw_span *)(const void *)list->data + i;
    return 1;
}
