/* SPDX-License-Identifier: MIT
 *
 * What callgrind counts: the goals that hold in instructions, not in time.
 */
#ifndef TOOLWIRE_TESTS_BENCH_INSTRUCTIONS_H
#define TOOLWIRE_TESTS_BENCH_INSTRUCTIONS_H

/* "instructions/WORKLOAD/FORMAT/10000" and "/1000000": of deltas of 4 bytes
 * behind that many bytes of a message; "hostile/FORMAT/DELTA": the most that
 * a pattern of hostile.txt takes for a byte, as times those of W3, whole (0)
 * and in 1-byte deltas (1).  Says on stderr where that cannot be counted. */
void instructions_run(void);
/* The pattern that took the most. */
const char *instructions_worst(int format, int delta);

#endif
