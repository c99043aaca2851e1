/* SPDX-License-Identifier: MIT
 *
 * A call whose argument is free text, such as code: all up to a stop marker or
 * the end.  The format says its name.
 */
#ifndef TOOLWIRE_FORMATS_BODY_RAW_H
#define TOOLWIRE_FORMATS_BODY_RAW_H

#include "formats/body/body.h"

typedef struct tw_raw_body {
    tw_body common;
} tw_raw_body;

extern const tw_body_codec tw_raw_codec;

/* |common| has all that stays. */
void tw_raw_body_init(tw_raw_body *, const tw_body *common);

#endif
