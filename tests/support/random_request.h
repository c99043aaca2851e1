/* SPDX-License-Identifier: MIT
 *
 * Random requests, with schemas, contents and calls of all forms: the same
 * ones from the same seed.
 */
#ifndef TOOLWIRE_TESTS_RANDOM_REQUEST_H
#define TOOLWIRE_TESTS_RANDOM_REQUEST_H

#include <stdint.h>

#include "json/dump.h"

void random_seed(uint64_t seed);
uint32_t random_below(uint32_t count);
/* Adds one to |out|. */
void random_request(tw_json_out *out);
/* One as the library itself writes them, but for texts and schemas. */
void random_plain_request(tw_json_out *out);

#endif
