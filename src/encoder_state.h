/* SPDX-License-Identifier: MIT
 *
 * What recode.c asks an encoder beside what everybody may: where in its
 * request a report or an error is.
 */
#ifndef TOOLWIRE_ENCODER_STATE_H
#define TOOLWIRE_ENCODER_STATE_H

#include "losses.h"

/* The i-th report from 0, as tw_encoder_report() has them; NULL behind the
 * last. */
const tw_lost *tw_encoder_lost(const tw_encoder *, size_t i);
/* Of the last error; NULL: nowhere. */
const tw_value *tw_encoder_where(const tw_encoder *);

#endif
