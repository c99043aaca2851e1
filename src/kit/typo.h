/* SPDX-License-Identifier: MIT
 *
 * Slips of models that a parser is asked to forgive.
 */
#ifndef TOOLWIRE_KIT_TYPO_H
#define TOOLWIRE_KIT_TYPO_H

#include "kit/cases.h"

/* Makes a slip in |wire| that models are known for and that leaves no doubt
 * of what is meant.  False: no memory. */
bool kit_slip(tw_buffer *wire, const tw_memory *, uint64_t *state);

#endif
