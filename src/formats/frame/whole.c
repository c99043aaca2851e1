/* SPDX-License-Identifier: MIT
 *
 * A block that is one short call in an object, as templates write it, read in
 * one look.
 */
#include <string.h>

#include "events/tools.h"
#include "formats/frame/block.h"
#include "json/whole.h"

/* Where the parts of the block end or begin. */
typedef struct whole_block {
    tw_canonical_head head;
    const uint8_t *arguments_end;
    const uint8_t *call_end;
    const uint8_t *tag; /* the close marker */
} whole_block;

static bool is_plain_name(const tw_sink *sink, tw_name name)
{
    return name.size > 0 && name.data[0] != ' ' &&
           name.data[name.size - 1] != ' ' &&
           tw_tools_find_in(sink->tools, name.data, name.size) == 0 &&
           tw_sink_call_refused(sink, name.size) == 0;
}

/* Another call's marker may begin as that of objects does. */
static bool is_open_marker(const tw_frame *state, const uint8_t *at,
                           size_t size)
{
    const tw_part *open = tw_pattern_open(state->objects);
    return size == open->size && memcmp(at, open->text, size) == 0;
}

/* What stands behind the open marker at |at|, with a line feed on both sides
 * of the object or without. */
static bool find_parts(const tw_frame *state, const uint8_t *at,
                       whole_block *block)
{
    const tw_sink *sink = state->sink;
    const uint8_t *limit = state->window->limit;
    const tw_part *close = tw_pattern_close(state->objects);
    at += at < limit && *at == '\n';
    if (at == limit || *at != '{' ||
        !tw_find_canonical_head(&state->json.keys, at, limit, &block->head) ||
        !is_plain_name(sink, block->head.name)) {
        return false;
    }
    at = tw_json_whole_object(block->head.body, limit, sink->limits.depth);
    if (at == NULL || at == limit || *at != '}' ||
        (size_t)(at - block->head.body) > sink->limits.arguments) {
        return false;
    }
    block->arguments_end = at++;
    block->call_end = at;
    at += at < limit && *at == '\n';
    block->tag = at;
    return (size_t)(limit - at) >= close->size &&
           memcmp(at, close->text, close->size) == 0;
}

bool tw_frame_read_whole(tw_frame *state, const uint8_t *open, size_t size)
{
    tw_window *window = state->window;
    tw_sink *sink = state->sink;
    whole_block block;
    const bool lone =
        !state->in_section && state->description->calls.count > 0;
    const bool echo = (state->description->quirks & TW_QUIRK_ECHO) != 0;
    if (!state->simple || lone || echo || state->options.slow ||
        tw_window_is_marked(window) || !is_open_marker(state, open, size) ||
        !find_parts(state, open + size, &block)) {
        return false;
    }
    const tw_name name = block.head.name;
    const uint8_t *body = block.head.body;
    tw_frame_end_segment(state, TW_EDGE_CALL);
    tw_frame_start_block(state, state->objects);
    const uint32_t index = tw_sink_call_begin(sink, name.data, name.size, NULL,
                                              0, 0, window->offset);
    tw_sink_arguments(sink, index, body, (size_t)(block.arguments_end - body),
                      tw_window_offset(window, body));
    tw_window_skip(window, (size_t)(block.call_end - window->at));
    tw_sink_call_end(sink, index, TW_CALL_COMPLETE, state->block,
                     window->offset);
    state->elements = 1;
    tw_block_leave(state, (size_t)(block.tag - window->at) +
                              tw_pattern_close(state->objects)->size);
    return true;
}
