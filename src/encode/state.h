/* SPDX-License-Identifier: MIT
 *
 * What recode.c asks an encoder beside what everybody may: where in its
 * request a report or an error is.
 */
#ifndef TOOLWIRE_ENCODE_STATE_H
#define TOOLWIRE_ENCODE_STATE_H

#include "messages/losses.h"

/* The i-th report from 0, as tw_encoder_report() has them; NULL behind the
 * last. */
const tw_lost *tw_encoder_lost(const tw_encoder *encoder, size_t i);
/* Of the last error; NULL: nowhere. */
const tw_value *tw_encoder_where(const tw_encoder *encoder);

/* As tw_encode() and tw_encode_completion(), of trees that the caller keeps
 * until the next call.  |tools|, or NULL: what its readers are told of. */
int tw_encode_value(tw_encoder *encoder, const tw_value *request,
                    const char **text, size_t *text_size);
int tw_encode_message(tw_encoder *encoder, const tw_value *message,
                      const tw_value *tools, const char **text,
                      size_t *text_size);
/* Results as their turn holds them, of a family that puts them. */
int tw_encode_results(tw_encoder *encoder, const tw_value *request,
                      const char **text, size_t *text_size);

#endif
