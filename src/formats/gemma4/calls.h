/* SPDX-License-Identifier: MIT
 *
 * What of its calls a Gemma 4 prompt loses or cannot write.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_CALLS_H
#define TOOLWIRE_FORMATS_GEMMA4_CALLS_H

#include "formats/format.h"

void tw_gemma4_put_calls(const tw_format *, const tw_conversation *,
                         const tw_message *, tw_segments *);

#endif
