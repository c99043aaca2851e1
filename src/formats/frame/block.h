/* SPDX-License-Identifier: MIT
 *
 * The moves in a block, which block.c has, and what those who read blocks ask
 * of each other: begin.c (its first call), between.c (what stands between
 * bodies), block_call.c (the bodies) and list.c (calls that name themselves,
 * between brackets or on lines).
 */
#ifndef TOOLWIRE_FORMATS_FRAME_BLOCK_H
#define TOOLWIRE_FORMATS_FRAME_BLOCK_H

#include "formats/frame/frame.h"

/* What ends a call that goes on. */
enum {
    TW_ENDS_CALL = TW_AT_CALL | TW_AT_CALL_END | TW_AT_SECTION |
                   TW_AT_SECTION_END | TW_AT_STOP
};

/* The marker at |at|.  One that is text like any other closes a call of its
 * pattern, opens one if a head with a name goes on, and is none elsewhere. */
tw_found tw_block_marker_at(tw_frame *state, const uint8_t *at);
/* The marker at |at| between bodies, where no string can hold the next call.
 */
tw_found tw_block_marker_between(tw_frame *state, const uint8_t *at);
/* Does the output end within a marker at |at| that ends the call?  Half of one
 * that is text like any other is none but in a call that it closes. */
bool tw_block_is_cut(const tw_frame *state, const uint8_t *at);
/* The pattern has a close marker. */
bool tw_block_is_closed(const tw_frame *state);
/* Leaves the block: a close marker is framing, anything else stays where it is
 * and is read as what comes behind. */
void tw_block_leave(tw_frame *state, size_t close_size);
/* A block that holds no call: all of it, up to the window. */
void tw_block_list(tw_frame *state, uint32_t code);
/* The block ends at the window: |by_marker| of |size| bytes, or without. */
void tw_block_close(tw_frame *state, bool by_marker, size_t size);
/* The call is bad, for |reason|, and is skipped. */
void tw_block_break(tw_frame *state, uint32_t reason, uint64_t offset);
/* The next call of the block begins at the window. */
void tw_block_begin_element(tw_frame *state);
/* How much white space, with commas behind an object, stands at the window; no
 * more than is held. */
size_t tw_block_separators(const tw_frame *state);
/* White space that JSON does not know, at |at|. */
tw_match tw_block_odd_at(const tw_frame *state, const uint8_t *at,
                         uint32_t *code, size_t *size);
/* Bytes between calls. */
void tw_block_skip(tw_frame *state, size_t size);
/* The list is empty, and the window stands at its closer. */
void tw_block_empty_list(tw_frame *state);
/* A marker may stand between calls.  DONE: there is none. */
tw_step tw_block_read_marker(tw_frame *state);
/* What the pattern has between body and close marker, such as the end of a
 * code fence, of |*size| bytes at |at|. */
tw_match tw_block_inner_at(const tw_frame *state, const uint8_t *at,
                           size_t *size);
/* Reads such a part at the window, where one is due.  DONE: there is none. */
tw_step tw_block_read_inner(tw_frame *state);
/* The output ends between calls. */
void tw_block_end(tw_frame *state);

/* begin.c.  The arguments follow; the call's name, if it stands in front of
 * them, was read. */
void tw_block_begin_body(tw_frame *state, const tw_head *head);

/* block_call.c.  Says that the call is written as other formats do. */
void tw_block_report_body(tw_frame *state, const tw_pattern *pattern);
/* The tag of the call, which has begun, closed itself: there are no arguments.
 */
void tw_block_end_closed(tw_frame *state);

/* list.c.  What stands between calls that name themselves. */
tw_step tw_frame_read_list(tw_frame *state);
/* Behind the close marker: is the list there once more? */
tw_step tw_frame_read_echo(tw_frame *state);
/* A call may begin at |at| without an open marker.  DONE: there is none. */
tw_step tw_frame_unmarked_call(tw_frame *state, const uint8_t *at);

#endif
