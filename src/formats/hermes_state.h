/* SPDX-License-Identifier: MIT
 *
 * The state of one Hermes message, shared by hermes_decode.c (text and
 * reasoning), hermes_block.c and hermes_ahead.c.
 */
#ifndef TOOLWIRE_FORMATS_HERMES_STATE_H
#define TOOLWIRE_FORMATS_HERMES_STATE_H

#include "formats/hermes.h"
#include "formats/passage.h"

enum tw_hermes_mode {
    TW_HERMES_TEXT,
    TW_HERMES_REASONING,
    TW_HERMES_BETWEEN, /* inside a block, between objects */
    TW_HERMES_OBJECT,
    TW_HERMES_TAGS,         /* inside a body of tags */
    TW_HERMES_SKIP,         /* a malformed call, to the next tag */
    TW_HERMES_ENDED_MESSAGE /* behind a stop token */
};

enum tw_hermes_array {
    TW_HERMES_NO_ARRAY,
    TW_HERMES_IN_ARRAY,
    TW_HERMES_ARRAY_CLOSED
};

typedef struct tw_hermes {
    tw_memory memory;
    const tw_format *format;
    const tw_hermes_wire *wire;
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    uint8_t mode;
    bool may_be_bare; /* nothing but blanks came yet: the open tag of a
                         call may have been stripped */
    bool may_think;   /* a repeated `<think>` is framing here */
    bool bare;        /* the block has no open tag */
    tw_passage segment;
    uint64_t plain_until; /* no tag counts in front of this offset */
    /* The block. */
    uint64_t block;
    bool fence;   /* its object stands in a code fence */
    bool many;    /* many_objects_in_tag was said */
    bool swallow; /* half of a doubled brace may follow */
    uint8_t array;
    uint32_t elements;
    tw_hermes_call call;
    uint64_t dropped;
    /* A look-ahead: another decoder reads on without making events. */
    struct tw_hermes_child *child; /* NULL: none was needed yet */
    bool looking;
    uint64_t look_from; /* where it began */
    size_t look_size;   /* bytes it has seen */
} tw_hermes;

typedef struct tw_hermes_child {
    tw_hermes *state;
    tw_window window;
    tw_sink sink;
} tw_hermes_child;

void *tw_hermes_create(const tw_memory *, const tw_format *, tw_window *,
                       tw_sink *);
tw_step tw_hermes_step(void *state);

void tw_hermes_diagnose(tw_hermes *, uint32_t code, const uint8_t *at);
/* Releases |size| bytes as framing. */
void tw_hermes_framing(tw_hermes *, size_t size);
/* Text begins, of which |strips| line feeds in front are framing. */
void tw_hermes_enter_text(tw_hermes *, uint8_t strips);
void tw_hermes_end_segment(tw_hermes *, bool touches_call);
/* Text, from |from| on to where something else may stand. */
tw_step tw_hermes_text_run(tw_hermes *, const uint8_t *from);

/* hermes_block.c: `<tool_call>`, |size| bytes at |open|; a block without a
 * tag begins at the window. */
tw_step tw_hermes_begin_block(tw_hermes *, const uint8_t *open, size_t size);
void tw_hermes_start_block(tw_hermes *);
tw_step tw_hermes_read_between(tw_hermes *);
tw_step tw_hermes_read_call(tw_hermes *);
tw_step tw_hermes_read_skip(tw_hermes *);

/* hermes_whole.c: the same of a block that is one call as the templates write
 * it, short and whole in view; does what all its steps would.  False: they
 * must. */
bool tw_hermes_read_whole_block(tw_hermes *, const uint8_t *open, size_t size);

/* hermes_ahead.c: a block at |at| in open reasoning; an object at |at| with
 * which the output begins. */
tw_step tw_hermes_reasoning_call(tw_hermes *, const uint8_t *at);
tw_step tw_hermes_bare_call(tw_hermes *, const uint8_t *at);

#endif
