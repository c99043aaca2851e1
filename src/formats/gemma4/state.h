/* SPDX-License-Identifier: MIT
 *
 * The state of one Gemma message, and the parts of its decoder: each reads
 * what may stand at the window, by the moves that all share.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_STATE_H
#define TOOLWIRE_FORMATS_GEMMA4_STATE_H

#include "formats/gemma4/ahead.h"
#include "formats/gemma4/head.h"
#include "formats/content.h"

enum tw_gemma4_mode {
    TW_GEMMA4_TURN_HEAD, /* at the very start */
    TW_GEMMA4_TEXT,
    TW_GEMMA4_CHANNEL_HEAD, /* behind `<|channel>` */
    TW_GEMMA4_REASONING,
    TW_GEMMA4_IN_CALL,
    TW_GEMMA4_AFTER_CALL,   /* behind the closed object */
    TW_GEMMA4_SKIP,         /* a malformed call, to its end */
    TW_GEMMA4_ENDED_MESSAGE /* behind a stop marker */
};

typedef struct tw_gemma4 {
    tw_memory memory;
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    uint8_t mode;
    bool boundary;       /* nothing visible since the start, a channel or a
                            call: a call may begin without its marker */
    bool boundary_ahead; /* the same, behind what is held */
    bool headless; /* an open marker in the segment is text: so are closes */
    tw_content segment;
    uint64_t plain_until; /* reasoning up to here, whatever it looks like */
    uint64_t judged;      /* the block at this offset has a head; + 1 */
    uint64_t unclosed;    /* no marker stands up to here: not searched again */
    tw_gemma4_ahead ahead;
    tw_gemma_call call;
    uint64_t block; /* where the call's block begins */
    tw_buffer name;
    bool begun; /* there was a call_begin */
    bool bare;  /* without its marker */
    bool skip_in_string;
    uint64_t dropped; /* behind a stop marker: where text begins, + 1 */
} tw_gemma4;

/* ---- state.c: the moves of all parts ------------------------------------ */

void tw_gemma4_diagnose(tw_gemma4 *, uint32_t code, const uint8_t *at);
/* Releases |size| bytes as framing. */
void tw_gemma4_framing(tw_gemma4 *, size_t size);
tw_gemma4_head tw_gemma4_head_in(const tw_gemma4 *, const uint8_t *from,
                                 bool bare);
/* The same without a marker in front, which was not stripped where the caller
 * says what the bytes are. */
tw_gemma4_head tw_gemma4_bare_head(const tw_gemma4 *, const uint8_t *from);
/* Text or reasoning begins. */
void tw_gemma4_enter(tw_gemma4 *, enum tw_gemma4_mode);
/* Text may begin, at a boundary. */
void tw_gemma4_enter_text(tw_gemma4 *);
/* A block begins at the window; it ends there. */
void tw_gemma4_open_block(tw_gemma4 *);
void tw_gemma4_close_block(tw_gemma4 *);
/* The block is no call: its bytes are released. */
void tw_gemma4_list_unparsed(tw_gemma4 *, uint32_t code);
/* The call ended badly; its bytes are released. */
void tw_gemma4_fail_call(tw_gemma4 *);
/* The call is malformed: it goes on to its end. */
void tw_gemma4_begin_skip(tw_gemma4 *, uint32_t reason, uint64_t offset);

/* ---- what may stand at the window --------------------------------------- */

/* block.c */
/* A call begins; |bare|: its block has no marker in front. */
tw_step tw_gemma4_begin_call(tw_gemma4 *, const tw_gemma4_head *, bool bare);
/* A block without a head, empty or cut; its marker stands at the window with
 * nothing held before it. */
tw_step tw_gemma4_read_no_call(tw_gemma4 *, size_t marker_size,
                               tw_gemma4_head_kind);

/* A block that has no head behind its marker: is it listed (D21), and not text?  DONE:
 * it is text; AGAIN: its close stands in the window. */
tw_step tw_gemma4_find_unknown(tw_gemma4 *, const uint8_t *inside);

/* whole.c: the whole call behind its head, |body| being what stands in
 * its braces, if that is as short and plain as most are.  False: its steps
 * must read it. */
bool tw_gemma4_read_whole_call(tw_gemma4 *, const uint8_t *body,
                               uint32_t index);

/* decode.c: what tw_family asks of a decoder. */
void *tw_gemma4_create(const tw_memory *, const tw_format *, tw_window *,
                       tw_sink *);
void tw_gemma4_destroy(void *state);
void tw_gemma4_reset(void *state, const tw_decode_options *);
tw_step tw_gemma4_step(void *state);
const uint8_t *tw_gemma4_advance(void *state, tw_advanced *);
tw_stand tw_gemma4_stand(const void *state);

/* call_end.c */
tw_step tw_gemma4_read_after_call(tw_gemma4 *);
tw_step tw_gemma4_read_skip(tw_gemma4 *);

#endif
