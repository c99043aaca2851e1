/* SPDX-License-Identifier: MIT
 *
 * What a message is warned of at its end, found again by plain search in the
 * text that was delivered.
 */
#ifndef TOOLWIRE_TESTS_WARNED_H
#define TOOLWIRE_TESTS_WARNED_H

#include "events.h"

/* NULL, or what is wrong with `orphan_reasoning_close` and `foreign_marker` in
 * the log of |text|, decoded as |format| with framing. */
const char *warnings_differ(const event_log *, const char *format,
                            const char *text, bool start_reasoning);

#endif
