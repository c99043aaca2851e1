/* SPDX-License-Identifier: MIT
 *
 * A message that was read is written, and read again.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_FRAME_BACK_H
#define TOOLWIRE_TESTS_NAIVE_FRAME_BACK_H

#include "naive_frame.h"

/* The prompt has written the reasoning's opener. */
bool frame_starts_inside(const frame_description *);

/* NULL, or what is not the same. */
const char *frame_compare_back(const frame_description *,
                               const frame_options *, const naive_message *);

#endif
