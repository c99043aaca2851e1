/* SPDX-License-Identifier: MIT
 *
 * Slips of models that a parser is asked to forgive, and other spellings that
 * are none.
 */
#ifndef TOOLWIRE_KIT_TYPO_H
#define TOOLWIRE_KIT_TYPO_H

#include "kit/wire.h"

enum { KIT_SLIPS_MOST = 64, KIT_SPELL_POINTS = 2, KIT_SPELLINGS };
/* How many slips there are, and their names. */
size_t kit_slip_count(void);
const char *kit_slip_name(size_t slip);
/* Does the wire stay, and what it calls is not declared? */
bool kit_slip_undeclares(size_t slip);
/* Makes the slip at the place |number| of those that |wire| has for it into
 * |to|.  1; 0: there are fewer places; -1: no memory. */
int kit_slip_at(kit_wire *to, const kit_wire *wire, const tw_format *format,
                const tw_memory *memory, size_t slip, size_t number);
/* Writes |wire| as models do where templates do not, if there is such a way:
 * of KIT_SPELLINGS the one with the |number|.  As above. */
int kit_respell(kit_wire *to, const kit_wire *wire, const tw_format *format,
                const tw_memory *memory, size_t number);

#endif
