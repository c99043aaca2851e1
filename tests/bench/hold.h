/* SPDX-License-Identifier: MIT
 *
 * What is counted, not timed: allocations, memory, copies, and what is held
 * back.
 */
#ifndef TOOLWIRE_TESTS_BENCH_HOLD_H
#define TOOLWIRE_TESTS_BENCH_HOLD_H

#include "workloads.h"

/* "allocations/WORKLOAD/FORMAT/TARGET" in 4-byte deltas, behind a warm-up, in
 * sum; "memory/WORKLOAD/FORMAT" at its peak, to events, in bytes, 4-byte
 * deltas and whole; "copied/WORKLOAD/FORMAT", bytes for each byte fed, 4 KiB
 * at a time: an event whose data does not lie in what was fed was copied. */
void hold_count(const workload *);
/* "memory/prose-1KB/FORMAT" and -100MB: the peak of prose to events. */
void hold_count_prose(int format);
/* "held/WORKLOAD/FORMAT", the most bytes of arguments that were fed and not
 * delivered behind any prefix, without the closing brace, which waits for the
 * end of the call; "first/WORKLOAD/FORMAT": how many were fed when the first
 * was delivered.  Of W2, W2d and W3. */
void hold_count_held(int kind, int format);

#endif
