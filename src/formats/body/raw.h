/* SPDX-License-Identifier: MIT
 *
 * A call whose argument is free text, such as code: all up to a stop marker or
 * the end.  The format says its name.
 */
#ifndef TOOLWIRE_FORMATS_BODY_RAW_H
#define TOOLWIRE_FORMATS_BODY_RAW_H

#include "formats/body/body.h"

extern const tw_body_codec tw_raw_codec;

#endif
