/* SPDX-License-Identifier: MIT
 *
 * What a schema says of a value, as one line of words.
 */
#ifndef TESTS_CHECKS_SCHEMA_H
#define TESTS_CHECKS_SCHEMA_H

#include "naive/naive.h"

/* The faults of |value|, `CODE@MEMBER` or `CODE:WHAT IS MISSING` each, and
 * `fits` behind them when it fits.  Both texts are JSON.  Give the bytes to
 * naive_release(). */
naive_bytes schema_faults(const char *schema, const char *value);

#endif
