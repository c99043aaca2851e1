/* SPDX-License-Identifier: MIT
 *
 * The body of a Harmony message while it arrives.
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_BODY_H
#define TOOLWIRE_FORMATS_HARMONY_BODY_H

#include "formats/body/json/json.h"
#include "formats/harmony/harmony.h"

typedef enum tw_harmony_kind {
    TW_BODY_TEXT,
    TW_BODY_REASONING,
    TW_BODY_CALL,    /* JSON arguments */
    TW_BODY_CUSTOM,  /* free text for a tool */
    TW_BODY_FOREIGN, /* of another author: dropped */
    TW_BODY_JUNK     /* of a call without a head: reported */
} tw_harmony_kind;

typedef struct tw_harmony_body {
    tw_window *window;
    tw_sink *sink;
    tw_harmony_kind kind;
    bool empty; /* nothing of it came yet */
    bool numbered;
    uint32_t segment;
    uint64_t begin; /* its first byte */
    /* A call: its bytes begin with its header. */
    tw_open_call call;
    tw_json_body json;
    bool whole;  /* its arguments are complete */
    size_t junk; /* bytes behind these, from the first on that may not stand
                    there ... */
    uint64_t junk_at; /* ... at this offset */
    bool pauses; /* stop taking data when they are: what follows may be no
                    data */
} tw_harmony_body;

void tw_harmony_body_init(tw_harmony_body *body, const tw_memory *memory,
                          tw_window *window, tw_sink *sink);
void tw_harmony_body_free(tw_harmony_body *body);

/* A body begins at |begin|. */
void tw_harmony_body_open(tw_harmony_body *body, tw_harmony_kind kind,
                          uint64_t begin);
/* A call's, CALL or CUSTOM, whose header stands at the window and ends at
 * |to|: its name and limits are checked, and it begins. */
void tw_harmony_body_open_call(tw_harmony_body *body, tw_harmony_kind kind,
                               tw_slice name, const uint8_t *to);
/* A block without a head begins at the window: it is listed for |code|, under
 * |name|, which may be empty. */
void tw_harmony_body_open_junk(tw_harmony_body *body, tw_slice name,
                               uint32_t code);
/* Takes data up to |to| off the window, as far as it can be told what they
 * are; |last|: the body ends there, so all of it goes. */
void tw_harmony_body_data(tw_harmony_body *body, const uint8_t *to, bool last);

/* The fast way over text and reasoning, up to what may be a marker; see
 * tw_decoding. */
const uint8_t *tw_harmony_body_advance(tw_harmony_body *body,
                                       tw_advanced *advanced);

/* What ended it. */
typedef enum tw_harmony_close {
    TW_CLOSE_MARKER,     /* <|call|> */
    TW_CLOSE_ODD_MARKER, /* <|end|> or <|return|> */
    TW_CLOSE_IMPLIED,    /* the header of the next message */
    TW_CLOSE_STOP,       /* a marker that was stripped: the model stopped */
    TW_CLOSE_OUTPUT      /* the end of output, in the middle */
} tw_harmony_close;

/* The body ends at |to|; what stands before it is released.  Returns true if
 * the call is unusable and its block goes on behind the marker: a string was
 * open (hx-open-string-stop). */
bool tw_harmony_body_close(tw_harmony_body *body, tw_harmony_close close,
                           const uint8_t *to);
/* Lists the block of an unusable call, up to the window. */
void tw_harmony_body_list(tw_harmony_body *body);
/* Inside a JSON string? */
bool tw_harmony_body_in_string(const tw_harmony_body *body);

#endif
