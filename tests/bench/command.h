/* SPDX-License-Identifier: MIT
 *
 * The command on logs, beside `jq -c .` and filter.py: processor time of the
 * whole process, its start included.
 */
#ifndef TOOLWIRE_TESTS_BENCH_COMMAND_H
#define TOOLWIRE_TESTS_BENCH_COMMAND_H

/* Sets the figures "command/SET/FORMAT/WHAT" (MB/s of the log): WHAT is
 * decode, convert (to openai), jq, python, and decode-2, with two threads by
 * the clock on the wall ("wall" beside it is one); and
 * "command/SET/requests/WHAT": the formats, jq.
 * How many processes failed. */
int command_run(int runs);

#endif
