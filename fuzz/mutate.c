/* SPDX-License-Identifier: MIT
 *
 * The mutator of the targets here, whose inputs are fuzz.h's.
 */
#define TOOLWIRE_MUTATOR_LIBFUZZER
#define TOOLWIRE_MUTATOR_TAIL 8
#include "toolwire_mutator.h"
