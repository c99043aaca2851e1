/* SPDX-License-Identifier: MIT
 *
 * The writer of assistants' messages, for any description.
 */
#ifndef TOOLWIRE_FORMATS_FRAME_MESSAGE_H
#define TOOLWIRE_FORMATS_FRAME_MESSAGE_H

#include "formats/format.h"

/* Writes what the model would have written behind its turn's head, and
 * reports what is lost. */
void tw_frame_put_message(const tw_description *, const tw_conversation *,
                          const tw_message *, tw_segments *);

/* The same for a request that is nothing but that message. */
void tw_frame_encode(const tw_format *, const tw_conversation *,
                     tw_segments *);

/* Does the prompt end inside reasoning, as the description has it? */
bool tw_frame_starts_inside(const tw_description *);

#endif
