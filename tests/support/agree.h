/* SPDX-License-Identifier: MIT
 *
 * Does the library say what the naive decoder says?
 */
#ifndef TOOLWIRE_TESTS_AGREE_H
#define TOOLWIRE_TESTS_AGREE_H

#include "../naive/naive.h"
#include "events.h"

/* NULL, or what differs: content, reasoning, calls, unparsed blocks or
 * diagnostics. */
const char *disagreement(const event_log *, const naive_message *);
void naive_message_print(const naive_message *);

#endif
