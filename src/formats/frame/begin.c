/* SPDX-License-Identifier: MIT
 *
 * A block begins: the call of its head, or what the head is without one.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/frame/block.h"

/* The output ends inside the head, or the close marker follows it. */
static void list_head(tw_frame *state, const tw_head *head)
{
    tw_window *window = state->window;
    const bool cut = head->kind == TW_HEAD_CUT;
    const uint32_t code =
        cut ? TW_DIAGNOSTIC_TRUNCATED_CALL : TW_DIAGNOSTIC_EMPTY_CALL;
    if (cut && head->pattern != NULL) {
        tw_block_report_body(state, head->pattern);
    }
    tw_frame_diagnose(state, code, cut ? head->body : window->at);
    tw_window_skip(window, (size_t)(head->body - window->at));
    tw_block_list(state, code);
    tw_frame_leave_call(state);
}

static void keep(tw_frame *state, tw_buffer *buffer, const uint8_t *data,
                 size_t size)
{
    if (size > 0 &&
        !tw_buffer_append(buffer, state->call.memory, data, size)) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->block, "no memory");
    }
}

/* The id that stands in the head, or that is made of what stands there. */
static void keep_id(tw_frame *state, const tw_head *head, tw_buffer *id)
{
    keep(state, id, head->id, head->id_size);
    if (head->id_size == 0 && !tw_frame_make_id(state, head, id)) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->block, "no memory");
    }
}

static bool is_number(const uint8_t *name, size_t size)
{
    size_t digits = 0;
    while (digits < size && tw_is_digit(name[digits])) {
        digits++;
    }
    return size > 0 && digits == size;
}

static void name_call(tw_frame *state, const tw_head *head)
{
    tw_open_call *call = &state->call;
    const tw_piece name = state->indexed && head->name != NULL
                              ? tw_frame_name_in(state, head)
                              : (tw_piece){head->name, head->name_size};
    tw_open_call_start(call, state->block);
    if (state->indexed && name.size != head->name_size) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_NAME_REPAIRED, head->name);
    }
    tw_frame_name_call(state, head, name);
    tw_frame_decode_name(state, &call->name);
    keep_id(state, head, &call->id);
    tw_frame_check_recipient(state);
    if ((state->indexed && is_number(head->name, head->name_size)) ||
        (head->name != NULL && !call->has_name)) {
        tw_open_call_fail(call, TW_DIAGNOSTIC_NO_NAME, state->block);
        call->has_name = false;
    }
}

/* What stands in front of a marker is the name, which the object repeats. */
static void expect_name(tw_frame *state, const tw_head *head)
{
    if ((state->description->quirks & TW_QUIRK_HEADER_NAME) != 0) {
        keep(state, &state->call.expected, head->skipped, head->skipped_size);
    }
}

/* Is the rest of a call that its head spoils passed by plain search?  Not
 * where its values stand between tags: they end as a good call's do, so that
 * what they quote is no call either. */
static bool is_skipped(const tw_frame *state)
{
    const tw_body_codec *codec = state->body->codec;
    const uint32_t fail = state->call.fail;
    return fail == TW_DIAGNOSTIC_NO_NAME ||
           (fail != 0 && codec != &tw_tagged_codec &&
            codec != &tw_elements_codec);
}

/* The arguments follow; the call's name, if it stands in front of them, was
 * read. */
void tw_block_begin_body(tw_frame *state, const tw_head *head)
{
    tw_window *window = state->window;
    tw_body *body = tw_frame_body_of(state, head->pattern);
    state->fence = head->fence;
    tw_block_report_body(state, head->pattern);
    if (tw_pattern_hole(head->pattern)->kind <= TW_PATTERN_KEYED ||
        tw_frame_has_callees(head->pattern)) {
        expect_name(state, head);
        keep_id(state, head, &state->call.given);
        tw_window_skip(window, (size_t)(head->body - window->at));
        return;
    }
    name_call(state, head);
    tw_window_skip(window, (size_t)(head->body - window->at));
    state->elements = 1;
    if (head->name != NULL && body->codec != &tw_tagged_codec &&
        state->call.fail == 0) {
        tw_open_call_begin(&state->call);
    }
    tw_frame_start_body(state, body);
    state->mode = is_skipped(state) ? TW_FRAME_SKIP : TW_FRAME_BODY;
    if (head->closed) {
        tw_block_end_closed(state);
    }
}

/* May the marker of a call that words begin have been stripped?  Not where the
 * caller says what the bytes are, nor in front of a tool that is not
 * declared. */
static bool was_stripped(const tw_frame *state, const tw_head *head)
{
    const tw_window *window = state->window;
    const tw_tools *tools = state->sink->tools;
    const bool whole = head->kind == TW_HEAD_WHOLE;
    return !tw_window_is_known(window,
                               whole ? head->body + 1 : window->limit) &&
           (!whole || tw_tools_count(tools) == 0 ||
            tw_tools_find(tools, (const char *)head->name, head->name_size) !=
                NULL);
}

tw_step tw_frame_begin_block(tw_frame *state, const uint8_t *open, size_t size,
                             tw_head_place place, const tw_head *known)
{
    const tw_window *window = state->window;
    const bool strict = state->options.strict;
    const bool marked = place == TW_PLACE_MARKER;
    const bool in_place =
        state->in_section || state->description->calls.count == 0;
    if (marked && in_place && tw_frame_read_whole(state, open, size)) {
        return TW_STEP_AGAIN;
    }
    tw_head head = known != NULL
                       ? *known
                       : tw_frame_head_at(state, open, size, place, NULL);
    if (head.kind == TW_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind == TW_HEAD_FAR && !strict && marked) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, open);
        state->plain_until = tw_window_offset(window, head.body);
        state->headless = true;
        return tw_frame_text_run(state, open);
    }
    if (head.kind == TW_HEAD_NONE && head.last != NULL) {
        /* No call stands behind the openers in between; the last of them may
         * open one by itself. */
        state->plain_until = tw_window_offset(window, head.last - size);
    }
    if (tw_frame_is_no_head(state, open, place, &head)) {
        return TW_STEP_DONE;
    }
    if (place == TW_PLACE_EDGE && !was_stripped(state, &head)) {
        return TW_STEP_DONE;
    }
    const tw_match alone = tw_frame_may_stand_alone(state, open, &head);
    if (alone != TW_MATCH_WHOLE) {
        return alone == TW_MATCH_MORE ? TW_STEP_MORE : TW_STEP_DONE;
    }
    tw_frame_leave_text(state, place);
    if (!in_place) {
        tw_frame_diagnose(state, TW_DIAGNOSTIC_MISSING_SECTION_OPEN,
                          window->at);
    }
    tw_frame_start_block(state, head.pattern);
    if (head.told || window->at != open) {
        head = tw_frame_head_at(state, window->at, size, place, state->sink);
    }
    if (head.kind == TW_HEAD_WHOLE) {
        tw_frame_part_name(state, &head);
        tw_block_begin_body(state, &head);
    } else {
        list_head(state, &head);
    }
    return TW_STEP_AGAIN;
}
