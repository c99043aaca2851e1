/* SPDX-License-Identifier: MIT */
#ifndef TOOLWIRE_FORMATS_HERMES_HEAD_H
#define TOOLWIRE_FORMATS_HERMES_HEAD_H

#include "formats/hermes.h"

typedef enum tw_hermes_head_kind {
    TW_HERMES_HEAD_NONE, /* no head: the tag is text */
    TW_HERMES_HEAD_FAR,  /* so it is: more bytes than are held, to |body| */
    TW_HERMES_HEAD_MORE,
    TW_HERMES_HEAD_CUT,   /* the output ends behind the tag */
    TW_HERMES_HEAD_EMPTY, /* the close tag follows */
    TW_HERMES_HEAD_JSON,
    TW_HERMES_HEAD_CODER,
    TW_HERMES_HEAD_GLM
} tw_hermes_head_kind;

/* What follows `<tool_call>` (DESIGN, "head"). */
typedef struct tw_hermes_head {
    tw_hermes_head_kind kind;
    const uint8_t *body; /* JSON: its bracket; EMPTY: behind the close tag;
                            else behind the tag that tells the family */
    const uint8_t *name; /* GLM */
    size_t name_size;
    const uint8_t *last; /* behind the last of several tags, or NULL */
    const uint8_t *junk; /* prose in front of the object, or NULL */
    bool fence;          /* ... is a code fence */
    bool loose;          /* not just blanks in front of the object */
} tw_hermes_head;

/* |at| is behind the tag.  With |sink|, says what is odd about it. */
tw_hermes_head tw_hermes_head_at(const tw_hermes_wire *, const tw_window *,
                                 const uint8_t *at, tw_sink *sink);

#endif
