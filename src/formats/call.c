/* SPDX-License-Identifier: MIT
 *
 * How a call begins, fails and ends.
 */
#include "formats/call.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "events/tools.h"

void tw_open_call_init(tw_open_call *call, const tw_memory *memory,
                       tw_window *window, tw_sink *sink)
{
    memset(call, 0, sizeof *call);
    call->memory = memory;
    call->window = window;
    call->sink = sink;
    tw_arguments_init(&call->arguments, memory, sink);
}

void tw_open_call_free(tw_open_call *call)
{
    tw_arguments_free(&call->arguments);
    tw_buffer_free(&call->name, call->memory);
    tw_buffer_free(&call->id, call->memory);
    tw_buffer_free(&call->expected, call->memory);
    tw_buffer_free(&call->given, call->memory);
}

void tw_open_call_start(tw_open_call *call, uint64_t begin)
{
    call->begin = begin;
    call->begun = call->has_name = false;
    call->name.size = call->id.size = 0;
    call->flags = call->fail = 0;
    tw_arguments_reset(&call->arguments);
}

void tw_open_call_name(tw_open_call *call, const uint8_t *name, size_t size)
{
    const uint8_t *end = size > 0 ? name + size : name; /* it may be NULL */
    bool kept = true;
    while (kept && name < end) {
        const uint8_t *good = tw_skip_well_formed(name, end, TW_PLAIN_ASCII);
        kept = tw_buffer_append(&call->name, call->memory, name,
                                (size_t)(good - name));
        name = good;
        if (kept && name < end) {
            size_t bad;
            tw_utf8_next(name, end, &bad);
            kept = tw_buffer_append(&call->name, call->memory, TW_REPLACEMENT,
                                    TW_REPLACEMENT_SIZE);
            name += bad;
        }
    }
    if (!kept) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                     "no memory");
    }
    call->has_name = call->name.size > 0;
}

/* A namespace that the model made up, or repeated. */
static void cut_name(tw_open_call *call)
{
    tw_buffer *name = &call->name;
    const size_t part =
        call->cuts_names && name->size > 0
            ? tw_tools_find_in(call->sink->tools, (const char *)name->data,
                               name->size)
            : 0;
    if (part > 0) {
        tw_sink_diagnostic(call->sink, TW_DIAGNOSTIC_NAME_REPAIRED,
                           call->begin);
        memmove(name->data, name->data + (name->size - part), part);
        name->size = part;
    }
}

void tw_open_call_begin(tw_open_call *call)
{
    tw_sink *sink = call->sink;
    const tw_buffer *expected = &call->expected;
    if (expected->size > 0 &&
        (expected->size != call->name.size ||
         memcmp(expected->data, call->name.data, expected->size) != 0)) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_DUPLICATE_CALL_KEY, call->begin);
        return;
    }
    cut_name(call);
    const uint32_t refused = tw_sink_call_refused(sink, call->name.size);
    if (refused != 0) {
        tw_open_call_fail(call, refused, call->begin);
        call->has_name &= refused != TW_DIAGNOSTIC_LIMIT_NAME;
        return;
    }
    const tw_buffer *id = call->id.size > 0 ? &call->id : &call->given;
    call->index = tw_sink_call_begin(
        sink, (const char *)call->name.data, call->name.size,
        id->size > 0 ? (const char *)id->data : NULL, id->size, call->flags,
        call->begin);
    call->begun = true;
    tw_arguments_begin(&call->arguments, call->index);
}

void tw_open_call_no_memory(const tw_open_call *call)
{
    tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                 "no memory");
}

void tw_open_call_fail(tw_open_call *call, uint32_t code, uint64_t offset)
{
    if (call->fail == 0) {
        call->fail = code;
        tw_sink_diagnostic(call->sink, code, offset);
    }
}

void tw_open_call_fail_arguments(tw_open_call *call)
{
    const tw_arguments *arguments = &call->arguments;
    if (arguments->fail != 0) {
        tw_open_call_fail(call, arguments->fail, arguments->fail_at);
    }
}

size_t tw_open_call_text(tw_open_call *call, const uint8_t *data, size_t size,
                         bool open)
{
    if (call->fail != 0) {
        return size;
    }
    const size_t taken =
        tw_sink_arguments_text(call->sink, call->index, data, size, open);
    if (call->sink->overflow) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_LIMIT_ARGUMENTS,
                          call->sink->overflow_at);
    }
    return taken;
}

void tw_open_call_end(tw_open_call *call)
{
    if (call->fail == 0 && call->flags == 0) {
        tw_arguments_finish(&call->arguments);
        tw_open_call_fail_arguments(call);
    }
    if (call->fail != 0) {
        tw_open_call_reject(call, TW_CALL_MALFORMED);
    } else {
        tw_sink_call_end(call->sink, call->index, TW_CALL_COMPLETE,
                         call->begin, call->window->offset);
    }
}

void tw_open_call_abandon(tw_open_call *call, tw_call_status status)
{
    if (call->begun) {
        tw_sink_call_end(call->sink, call->index, status, call->begin,
                         call->begin);
    }
}

void tw_open_call_list(tw_open_call *call)
{
    const uint64_t end = call->window->offset;
    const size_t size = (size_t)(end - call->begin);
    if (!call->begun && call->has_name) {
        cut_name(call);
    }
    tw_sink_unparsed(
        call->sink, call->begun ? call->index : TW_NO_INDEX, call->fail,
        call->begin, end, tw_sink_recorded(call->sink, size), size,
        (const char *)call->name.data, call->has_name ? call->name.size : 0);
}

void tw_open_call_reject(tw_open_call *call, tw_call_status status)
{
    tw_open_call_abandon(call, status);
    tw_open_call_list(call);
}

void tw_list_block(tw_sink *sink, uint32_t code, uint64_t begin)
{
    const uint64_t end = sink->window->offset;
    const size_t size = (size_t)(end - begin);
    tw_sink_unparsed(sink, TW_NO_INDEX, code, begin, end,
                     tw_sink_recorded(sink, size), size, NULL, 0);
}
