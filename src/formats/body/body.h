/* SPDX-License-Identifier: MIT
 *
 * How a call's arguments are written: what the frame asks of a body's codec.
 *
 * The frame reads what stands around bodies (markers, names in front of them,
 * brackets and commas between the calls of one block), a codec reads one body:
 * the arguments behind a name, a JSON object with name and arguments, or
 * NAME(...).  Which codec reads a pattern's body, tw_frame_body_of()
 * (frame/state.c) says, by the kind of the pattern's hole.
 *
 * A new codec: a struct whose first member is a tw_body, a const table of
 * these functions, and a case for its holes in tw_frame_codec_of().  The frame
 * has JSON's; it makes another one when a body of it begins first.
 */
#ifndef TOOLWIRE_FORMATS_BODY_BODY_H
#define TOOLWIRE_FORMATS_BODY_BODY_H

#include "formats/body/opening.h"
#include "formats/call.h"
#include "formats/format.h"
#include "formats/description.h"

/* How one step inside a body ended. */
typedef enum tw_body_end {
    TW_BODY_GOES_ON,
    TW_BODY_STARVED,
    TW_BODY_DONE,      /* the call is over and was handed on */
    TW_BODY_AT_MARKER, /* a marker may stand at the window */
    TW_BODY_BROKEN,    /* |reason| at |reason_at| */
    TW_BODY_REFUSED, /* broken for |reason|, and the body is over: text follows
                      */
    TW_BODY_CUT,     /* the input is over */
    TW_BODY_STOPPED  /* a stop marker stands at the window */
} tw_body_end;

/* What a body that is not over is cut off by. */
typedef enum tw_body_cut {
    TW_CUT_CLOSE,       /* its own close marker */
    TW_CUT_CALL,        /* the open marker of a call or of a section */
    TW_CUT_SECTION_END, /* the close marker of a section */
    TW_CUT_STOP,        /* a stop marker */
    TW_CUT_STRIPPED,    /* the output is over: the model stopped by itself */
    TW_CUT_UNKNOWN,     /* the output is over: nobody says why */
    TW_CUT_LENGTH       /* the output is over: a token limit */
} tw_body_cut;

/* Does a body begin here? */
typedef enum tw_body_opens {
    TW_BODY_IS_NONE,
    TW_BODY_IS_MORE, /* not decided before the window's end */
    TW_BODY_IS_CUT,  /* the input ends in what is a body up to there */
    TW_BODY_IS_HERE
} tw_body_opens;

static inline tw_body_opens tw_body_opens_of(tw_match found)
{
    return found == TW_MATCH_WHOLE  ? TW_BODY_IS_HERE
           : found == TW_MATCH_MORE ? TW_BODY_IS_MORE
           : found == TW_MATCH_CUT  ? TW_BODY_IS_CUT
                                    : TW_BODY_IS_NONE;
}

/* How much of a body must be there before it is one. */
typedef enum tw_body_proof {
    TW_PROOF_NONE,  /* behind a marker that only stands in front of calls */
    TW_PROOF_BEGIN, /* behind plain text: it begins as calls do */
    TW_PROOF_HEAD   /* behind nothing: a whole head */
} tw_body_proof;

/* What is known in front of a body that may begin. */
typedef struct tw_body_head {
    const tw_pattern *pattern;
    const uint8_t *name; /* the name that the pattern has in front of the body;
                            NULL: none */
    size_t name_size;
    tw_body_proof proof;
} tw_body_head;

typedef struct tw_body_codec tw_body_codec;

/* May a call open at the marker of |size| bytes at |at|?  The frame knows.
 * WHOLE: *behind stands behind its head. */
typedef tw_match tw_body_call_at(void *frame, const uint8_t *at, size_t size,
                                 const uint8_t **behind);

/* What the states of all codecs begin with. */
typedef struct tw_body {
    const tw_body_codec *codec;
    struct tw_body *next; /* the next body that the frame has made, or NULL */
    tw_body_call_at *call_at;
    void *frame;
    tw_open_call *call; /* where all that is read goes; its window is read,
                           its sink knows the declared tools */
    const tw_markers *marks;
    const tw_description *format;
    const tw_pattern *pattern; /* the pattern of the body under way */
    bool slow;                 /* no fast ways */
    bool untyped_json;         /* TW_OPTION_UNTYPED */
    uint32_t reason;           /* why the body is broken */
    uint64_t reason_at;
} tw_body;

/* Keeps why the body is broken, and where. */
static inline tw_body_end tw_body_break(tw_body *body, uint32_t reason,
                                        uint64_t offset)
{
    body->reason = reason;
    body->reason_at = offset;
    return TW_BODY_BROKEN;
}

struct tw_body_codec {
    /* Of its state, which |init| is given with the tw_body in front filled and
     * all else 0, and |clear| with what it has of buffers; both may be NULL.
     */
    size_t size;
    void (*init)(tw_body *);
    void (*clear)(tw_body *);
    /* May the body behind |head| begin at |at|, behind white space?  That may
     * be the window's end.  Silent, and linear: it looks at no more than
     * TW_HOLD_HEAD bytes.  It is given the JSON body, as its own may not be
     * there yet. */
    tw_body_opens (*opens)(const tw_body *json, const tw_body_head *head,
                           const uint8_t *at);
    /* A body begins at the window: |pattern| is set, |call| was started, and
     * has its name if the pattern has one in front of the body. */
    void (*start)(tw_body *);
    tw_body_end (*step)(tw_body *);
    /* The fast way over a body, see tw_decoding; NULL: there is none. */
    const uint8_t *(*advance)(tw_body *, tw_advanced *);
    /* The body is cut off, and is no call; NULL: nothing to do. */
    void (*cut)(tw_body *);
    /* The body was cut off behind what was read: may what is missing be added?
     * NULL: never. */
    bool (*closable)(const tw_body *, tw_body_cut);
    /* Adds what is missing, and hands the call on; |closable| was true. */
    void (*close)(tw_body *);
};

#endif
