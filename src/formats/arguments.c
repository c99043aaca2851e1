/* SPDX-License-Identifier: MIT
 *
 * Arguments on their way to the sink: what comes before the name is held, and
 * the closing brace until the call is whole.  Arguments in a string are read
 * by a JSON machine of their own, with a map from decoded bytes to places on
 * the wire.
 */
#include "formats/arguments.h"

#include <string.h>

void tw_arguments_init(tw_arguments *arguments, const tw_memory *memory,
                       tw_sink *sink)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->memory = memory;
    arguments->sink = sink;
    tw_json_init(&arguments->inner, memory, 1, true);
}

void tw_arguments_free(tw_arguments *arguments)
{
    tw_json_free(&arguments->inner);
    tw_buffer_free(&arguments->early, arguments->memory);
    tw_buffer_free(&arguments->hold, arguments->memory);
    tw_buffer_free(&arguments->map, arguments->memory);
}

void tw_arguments_reset(tw_arguments *arguments)
{
    arguments->begun = arguments->closed = false;
    arguments->early.size = 0;
    arguments->fail = 0;
    arguments->may_begin = false;
}

static void no_memory(tw_arguments *arguments, uint64_t offset)
{
    tw_sink_fail(arguments->sink, TW_ERROR_MEMORY, offset, "no memory");
}

static void too_long(tw_arguments *arguments, uint64_t offset)
{
    if (arguments->fail == 0) {
        arguments->fail = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        arguments->fail_at = offset;
    }
}

static void deliver(tw_arguments *arguments, const void *data, size_t size,
                    uint64_t offset, bool copied)
{
    tw_sink *sink = arguments->sink;
    if (copied) {
        tw_sink_arguments_copy(sink, arguments->index, data, size, offset);
    } else {
        tw_sink_arguments(sink, arguments->index, data, size, offset);
    }
    if (sink->overflow) {
        too_long(arguments, sink->overflow_at);
    }
}

void tw_arguments_begin(tw_arguments *arguments, uint32_t index)
{
    arguments->begun = true;
    arguments->index = index;
    deliver(arguments, arguments->early.data, arguments->early.size,
            arguments->early_at, true);
    arguments->early.size = 0;
}

void tw_arguments_text(tw_arguments *arguments, const char *data, size_t size,
                       uint64_t offset, bool copied)
{
    if (size == 0 || arguments->fail != 0) {
        return;
    }
    if (arguments->begun) {
        deliver(arguments, data, size, offset, copied);
        return;
    }
    if (arguments->early.size == 0) {
        arguments->early_at = offset;
    }
    const size_t left =
        arguments->sink->limits.arguments - arguments->early.size;
    if (size > left) {
        /* As many whole code points as the sink would have let out. */
        size_t fits = copied ? 0 : left;
        while (fits > 0 && ((uint8_t)data[fits] & 0xC0) == 0x80) {
            fits--;
        }
        too_long(arguments, offset + fits);
    } else if (!tw_buffer_append(&arguments->early, arguments->memory, data,
                                 size)) {
        no_memory(arguments, offset);
    }
}

void tw_arguments_close(tw_arguments *arguments, uint64_t offset)
{
    arguments->closed = true;
    arguments->closed_at = offset;
}

void tw_arguments_finish(tw_arguments *arguments)
{
    if (arguments->closed) {
        tw_arguments_text(arguments, "}", 1, arguments->closed_at, false);
    }
}

/* ---- arguments in a string ---------------------------------------------- */

void tw_arguments_string(tw_arguments *arguments)
{
    tw_json_reset(&arguments->inner, arguments->sink->limits.depth);
    arguments->hold.size = arguments->map.size = 0;
    arguments->seen = arguments->whole = arguments->bad = false;
}

/* Where the decoded byte |i| of |hold| stands on the wire. */
static uint64_t where(const tw_arguments *arguments, size_t i)
{
    uint64_t offset;
    memcpy(&offset, arguments->map.data + i * sizeof offset, sizeof offset);
    return offset;
}

/* A byte behind the whole object, or blank in front of it. */
static void outer_byte(tw_arguments *arguments, uint8_t c, uint64_t offset)
{
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    const bool swallowed = arguments->inner.swallow && c == '}';
    arguments->inner.swallow = false;
    if (blank || swallowed) {
        return;
    }
    if (arguments->whole && (c == '}' || c == ']')) {
        tw_sink_diagnostic(arguments->sink, TW_DIAGNOSTIC_EXTRA_CLOSER,
                           offset);
    } else {
        arguments->bad = true;
    }
}

/* Text of the inner object that lies in |hold|, |size| bytes from |at| on: as
 * many code points of it as the limit leaves. */
static void inner_text(tw_arguments *arguments, size_t at, size_t size)
{
    const uint8_t *data = arguments->hold.data + at;
    const uint64_t used = arguments->begun ? arguments->sink->argument_bytes
                                           : arguments->early.size;
    const uint64_t left = arguments->sink->limits.arguments - used;
    size_t fits = size < left ? size : (size_t)left;
    while (fits > 0 && fits < size && (data[fits] & 0xC0) == 0x80) {
        fits--;
    }
    tw_arguments_text(arguments, (const char *)data, fits,
                      where(arguments, at), true);
    if (fits < size) {
        too_long(arguments, where(arguments, at + fits));
    }
}

/* The inner scanner's step; its source bytes lie in |hold|. */
static void inner_step(tw_arguments *arguments, const tw_json_step *step)
{
    if (step->kind == TW_JSON_STEP_ERROR || step->kind == TW_JSON_STEP_LT) {
        if (step->kind == TW_JSON_STEP_ERROR &&
            step->code == TW_DIAGNOSTIC_NONE) {
            no_memory(arguments, arguments->sink->window->offset);
        }
        if (step->code == TW_DIAGNOSTIC_LIMIT_DEPTH) {
            arguments->fail = TW_DIAGNOSTIC_LIMIT_DEPTH;
            arguments->fail_at =
                where(arguments, (size_t)(step->from - arguments->hold.data));
        }
        arguments->bad = true;
        return;
    }
    const size_t at = (size_t)(step->from - arguments->hold.data);
    const uint64_t offset = at * sizeof(uint64_t) < arguments->map.size
                                ? where(arguments, at)
                                : where(arguments, at - 1);
    if (step->code != 0) {
        tw_sink_diagnostic(arguments->sink, step->code, offset);
    }
    if (tw_json_done(&arguments->inner)) {
        arguments->whole = true;
        tw_arguments_close(arguments, offset);
    } else if (step->text == (const char *)step->from) {
        inner_text(arguments, at, step->text_size);
    } else {
        tw_arguments_text(arguments, step->text, step->text_size, offset,
                          true);
    }
}

/* Reads what is in |hold|, up to what makes the arguments fail: how much more
 * came with that is a matter of cuts. */
static void read_inner(tw_arguments *arguments, bool eof)
{
    tw_buffer *hold = &arguments->hold;
    if (hold->size == 0) {
        return;
    }
    tw_view view = {hold->data, hold->data + hold->size, eof};
    while (!arguments->bad && arguments->fail == 0 && view.at < view.limit &&
           (arguments->begun || !arguments->may_begin ||
            arguments->early.size == 0)) {
        const size_t at = (size_t)(view.at - hold->data);
        if (arguments->whole || (!arguments->seen && *view.at != '{')) {
            outer_byte(arguments, *view.at, where(arguments, at));
            view.at++;
            continue;
        }
        tw_json_step step;
        arguments->seen = true;
        tw_json_next(&arguments->inner, &view, &step);
        if (step.kind == TW_JSON_STEP_MORE || step.kind == TW_JSON_STEP_END) {
            break;
        }
        inner_step(arguments, &step);
    }
    const size_t used = (size_t)(view.at - hold->data);
    tw_buffer_drop(hold, used);
    tw_buffer_drop(&arguments->map, used * sizeof(uint64_t));
}

void tw_arguments_string_piece(tw_arguments *arguments,
                               const tw_json_step *step, uint64_t offset)
{
    const bool run = step->value == (const char *)step->from;
    if (arguments->bad) {
        return;
    }
    for (size_t i = 0; i < step->value_size; i++) {
        const uint64_t at = run ? offset + i : offset;
        if (!tw_buffer_append(&arguments->map, arguments->memory, &at,
                              sizeof at)) {
            no_memory(arguments, offset);
            return;
        }
    }
    if (!tw_buffer_append(&arguments->hold, arguments->memory, step->value,
                          step->value_size)) {
        no_memory(arguments, offset);
        return;
    }
    read_inner(arguments, false);
}

void tw_arguments_string_cut(tw_arguments *arguments)
{
    read_inner(arguments, true);
}

tw_unwrapped tw_arguments_string_end(tw_arguments *arguments, uint64_t offset)
{
    tw_json *inner = &arguments->inner;
    read_inner(arguments, true);
    if (!arguments->seen && !arguments->bad) {
        return TW_UNWRAPPED_NOTHING;
    }
    if (arguments->bad ||
        (!arguments->whole &&
         (!tw_json_closable(inner, true) || arguments->hold.size > 0))) {
        return TW_UNWRAPPED_OTHER;
    }
    if (!arguments->whole) {
        tw_sink_diagnostic(arguments->sink, TW_DIAGNOSTIC_MISSING_CLOSER,
                           offset);
        while (inner->depth > 1) {
            tw_arguments_text(arguments, tw_json_add_closer(inner), 1, offset,
                              false);
        }
        tw_arguments_close(arguments, offset);
    }
    return TW_UNWRAPPED_OBJECT;
}
