/* SPDX-License-Identifier: MIT
 *
 * Cases at random.  Everything follows from a seed.
 */
#ifndef TOOLWIRE_KIT_CASES_H
#define TOOLWIRE_KIT_CASES_H

#include "kit/make/maker.h"

/* The |number|-th case of a class; the same for the same seed, whatever was
 * made before.  TYPO has each slip of the format in turn.  False: no memory,
 * or the format carries no message of the kind, if the maker has not |failed|.
 */
bool kit_make(kit_maker *maker, kit_case *one, kit_class kind,
              uint64_t number);
/* kit_make() of LONG, with a part of |size| bytes, which begins as those of
 * other sizes do. */
bool kit_make_sized(kit_maker *maker, kit_case *one, kit_class kind,
                    uint64_t number, uint64_t size);
/* Writes the wire of |one| again, whose message was changed, and spoils it as
 * its class does.  False: the format does not carry it whole. */
bool kit_write(kit_maker *maker, kit_case *one);
#endif
