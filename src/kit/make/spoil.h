/* SPDX-License-Identifier: MIT
 *
 * What is done to a wire as its case's class says.
 */
#ifndef TOOLWIRE_KIT_SPOIL_H
#define TOOLWIRE_KIT_SPOIL_H

#include "kit/make/maker.h"

/* False: no memory, or there is no slip for it. */
bool kit_spoil(kit_maker *maker, kit_case *one);
/* The slip |which| in the wire of |one|, of which the maker's own decoder
 * makes the message again: there is no doubt of what is meant.  False: no
 * memory, or there is none. */
bool kit_slip_into(kit_maker *maker, const kit_case *one, size_t which,
                   kit_wire *to);
/* Where a wire ends early: models stop behind a token; others may cut
 * anywhere. */
size_t kit_cut_at(const kit_turn *turn, uint64_t *state);
void kit_cut_off(kit_turn *turn, size_t end);

#endif
