/* SPDX-License-Identifier: MIT
 *
 * What of its calls a Gemma 4 prompt loses or cannot write.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_CALLS_H
#define TOOLWIRE_FORMATS_GEMMA4_CALLS_H

#include "formats/format.h"

void tw_gemma4_put_calls(const tw_format *format,
                         const tw_conversation *conversation,
                         const tw_message *message, tw_segments *out);

#endif
