/* SPDX-License-Identifier: MIT
 *
 * The writer of assistants' messages, for any description.
 */
#ifndef TOOLWIRE_FORMATS_FRAME_MESSAGE_H
#define TOOLWIRE_FORMATS_FRAME_MESSAGE_H

#include "formats/format.h"

/* The calls of a message alone. */
void tw_frame_put_calls(const tw_format *format,
                        const tw_conversation *conversation,
                        const tw_message *message, tw_segments *out);

/* The whole message, for a request that is nothing but that message. */
void tw_frame_encode(const tw_format *format,
                     const tw_conversation *conversation, tw_segments *out);

#endif
