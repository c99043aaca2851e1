/* SPDX-License-Identifier: MIT
 *
 * An assistant message as a description writes it.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_FRAME_EMIT_H
#define TOOLWIRE_TESTS_NAIVE_FRAME_EMIT_H

#include "naive_frame.h"

/* |message| is OpenAI's; what the format cannot carry is left out. */
void naive_frame_emit(const frame_description *, const naive_tree *message,
                      naive_bytes *out);

#endif
