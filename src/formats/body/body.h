/* SPDX-License-Identifier: MIT
 *
 * How arguments are written: what a frame asks of a body's codec, and what a
 * codec answers.
 */
#ifndef TOOLWIRE_FORMATS_BODY_BODY_H
#define TOOLWIRE_FORMATS_BODY_BODY_H

#include "formats/call.h"

/* How one step inside a body ended. */
typedef enum tw_body_end {
    TW_BODY_GOES_ON,
    TW_BODY_STARVED,
    TW_BODY_DONE,      /* the call is over and was handed on */
    TW_BODY_AT_MARKER, /* a marker may stand at the window */
    TW_BODY_BROKEN,    /* |reason| at |reason_at| */
    TW_BODY_CUT,       /* the input is over */
    TW_BODY_STOPPED    /* a stop marker stands at the window */
} tw_body_end;

#endif
