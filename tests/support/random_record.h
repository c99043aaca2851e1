/* SPDX-License-Identifier: MIT
 *
 * Random records of each shape, with all members that the shape has and some
 * that it has not.  random_seed() sets them off.
 */
#ifndef TOOLWIRE_TESTS_RANDOM_RECORD_H
#define TOOLWIRE_TESTS_RANDOM_RECORD_H

#include "random_request.h"

/* |shape|: "openai", "parted" (OpenAI's with LLaMA-Factory's parts),
 * "anthropic" or "sharegpt". */
void random_record(tw_json_out *out, const char *shape);

/* Of these shapes. */
void random_anthropic_record(tw_json_out *out);
void random_sharegpt_record(tw_json_out *out);

#endif
