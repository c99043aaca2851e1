/* SPDX-License-Identifier: MIT
 *
 * The head of a Gemma call: `call:NAME{`, and the loose forms of it that
 * models also write.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_HEAD_H
#define TOOLWIRE_FORMATS_GEMMA4_HEAD_H

#include "formats/gemma4/gemma4.h"

typedef enum tw_gemma4_head_kind {
    TW_GEMMA4_HEAD_NONE, /* it is text */
    TW_GEMMA4_HEAD_FAR,  /* so it is: more bytes than are held */
    TW_GEMMA4_HEAD_MORE,
    TW_GEMMA4_HEAD_CUT,   /* the input or a stop marker cuts it off */
    TW_GEMMA4_HEAD_EMPTY, /* a block without a call */
    TW_GEMMA4_HEAD_LONG,  /* the name is beyond its limit */
    TW_GEMMA4_HEAD_CALL
} tw_gemma4_head_kind;

typedef struct tw_gemma4_head {
    tw_gemma4_head_kind kind;
    const uint8_t *from;
    const uint8_t *name;
    const uint8_t *name_end;
    const uint8_t *body;  /* behind the opening bracket */
    const uint8_t *reach; /* how far it is known */
    bool loose;           /* not exactly `call:NAME{` */
    bool paren;
    bool no_body; /* the close stands behind `call:NAME` */
} tw_gemma4_head;

typedef struct tw_gemma4_head_rules {
    const tw_window *window;
    size_t name_limit;
    bool strict;           /* loose forms are text */
    const tw_tools *tools; /* NULL: none were declared */
} tw_gemma4_head_rules;

/* The head at |from|, behind the opening marker or, |bare|, without it.  It
 * is held in TW_HOLD_HEAD bytes. */
tw_gemma4_head tw_gemma4_head_at(const tw_gemma4_head_rules *,
                                 const uint8_t *from, bool bare);

/* Is it the name of a declared tool, or one behind a namespace? */
bool tw_gemma4_is_declared(const tw_tools *, const tw_gemma4_head *);

#endif
