/* SPDX-License-Identifier: MIT
 *
 * Text in front of calls, behind them and between them, whatever a template
 * does.
 */
#ifndef TOOLWIRE_KIT_ORDER_H
#define TOOLWIRE_KIT_ORDER_H

#include "kit/make/maker.h"

/* Writes the turn's message, whose wire is the template's, in an order that
 * models write.  Where the message has not both, or the maker's own decoder
 * does not read the same from it, the wire stays.  False: no memory. */
bool kit_put_in_order(kit_maker *maker, kit_turn *turn, kit_order order);

#endif
