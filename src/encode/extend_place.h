/* SPDX-License-Identifier: MIT
 *
 * Where a model's turn ends in the prompt that goes on behind it.
 */
#ifndef TOOLWIRE_ENCODE_EXTEND_PLACE_H
#define TOOLWIRE_ENCODE_EXTEND_PLACE_H

#include "encode/extend_put.h"

/* Sets |from|: where the turn, which the wanted text has up to byte |same|,
 * ends in it.  TW_OK or the error. */
int tw_extend_find_place(tw_extending *work, size_t same);

#endif
