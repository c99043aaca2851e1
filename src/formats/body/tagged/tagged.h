/* SPDX-License-Identifier: MIT
 *
 * Arguments written as text between tags, a tag for each, as the |argument|
 * patterns of a description say.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_TAGGED_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_TAGGED_H

#include "formats/body/body.h"
#include "formats/body/given.h"
#include "formats/body/opening.h"
#include "formats/body/tagged/typed.h"
#include "formats/name_bytes.h"

/* Openings in a value are counted down to this depth (docs/rules.md D4). */
enum { TW_TAGGED_NEST = 128 };
/* No word of some roles stands in front of |offset|; |role|: a word of this
 * role stands there. */
typedef struct tw_tagged_ahead {
    uint64_t offset;
    uint8_t role; /* tw_tagged_role */
} tw_tagged_ahead;

/* What was seen in front of a string that a value, a container, has open. */
typedef struct tw_tagged_string {
    uint64_t seen; /* how far the string was looked at: up to this offset */
    bool escaped;  /* a backslash stands in front of |seen| */
    bool closed;   /* the string's end was seen, ... */
    bool known;    /* ... and what follows the end, too, */
    bool quoted;   /* ... and a string may be followed by that */
} tw_tagged_string;

typedef struct tw_tagged_body {
    tw_body common;
    /* The call. */
    uint8_t state;
    bool any;            /* the call had a parameter */
    bool closed;         /* the last parameter was closed */
    bool passes;         /* the call is bad: its values say nothing */
    const tw_tool *tool; /* the tool as it was declared; NULL: it was not */
    tw_buffer given; /* a bit for each parameter of the tool that was given */
    tw_given others; /* the first keys that were not declared */
    /* The value being read. */
    const tw_pattern *argument;
    bool cdata;
    bool unopened;  /* no marker opened the value */
    bool line;      /* the next byte is the first of a line, or of the value */
    tw_buffer key;  /* the key of the parameter */
    tw_buffer text; /* the key, or a part of the value, as JSON */
    tw_typed value;
    size_t depth;
    uint8_t nest[TW_TAGGED_NEST]; /* the tw_tagged_role that closes each tag */
    uint64_t due;  /* where a parameter of a quoted call opens, or
                      UINT64_MAX */
    size_t opened; /* tags of this format that the value mentions, and does not
                      close */
    bool doubt; /* a word that ends a call or a message stands in the value */
    tw_tagged_ahead next_close;
    tw_tagged_ahead next_end;
    tw_tagged_string string;
} tw_tagged_body;

extern const tw_body_codec tw_tagged_codec;

/* Is a value open, which may hold any text? */
bool tw_tagged_in_value(const tw_body *common);

/* The opening of a parameter of a bad call at the window: WHOLE, and the value
 * is read, to where it ends, since what it quotes is no call. */
tw_match tw_tagged_pass_value(tw_body *common);

/* pass.c.  The codec's |advance| in a value. */
const uint8_t *tw_tagged_pass(tw_tagged_body *body, tw_advanced *advanced);

/* opens.c.  Does a body begin at |at|? */
tw_body_opens tw_tagged_opens(const tw_body *common, const tw_body_head *head,
                              const uint8_t *at);
/* One of the closes of the call at |at|, which is in view. */
tw_match tw_tagged_close_at(const tw_body *common, const tw_pattern *call,
                            const uint8_t *at);
/* A marker of a parameter, or the close of the call, at |at|. */
tw_match tw_tagged_part_at(const tw_body *common, const tw_pattern *call,
                           const uint8_t *at);
/* A marker of a parameter, the close of the call or of its section, at |at|.
 */
tw_match tw_tagged_part_or_end_at(const tw_body *common,
                                  const tw_pattern *call, const uint8_t *at);

#endif
