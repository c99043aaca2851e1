/* SPDX-License-Identifier: MIT
 *
 * Encoding requests; beside it json-c, which merely reads them.
 */
#ifndef TOOLWIRE_TESTS_BENCH_ENCODE_H
#define TOOLWIRE_TESTS_BENCH_ENCODE_H

/* Adds the tasks "encode/SET/FORMAT" and "encode/SET/json-c"; SET is "made",
 * and "real" where TOOLWIRE_DATA is. */
void encode_add(void);
/* Behind the last run: in how many sets and formats requests were refused
 * that should not have been; of real ones, one in a hundred may be. */
int encode_end(void);

#endif
