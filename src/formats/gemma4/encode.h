/* SPDX-License-Identifier: MIT
 *
 * The Gemma 4 encoder, and its dialects.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_ENCODE_H
#define TOOLWIRE_FORMATS_GEMMA4_ENCODE_H

#include "formats/gemma4/dialect.h"

extern const tw_gemma4_dialect tw_gemma4_official;
extern const tw_gemma4_dialect tw_gemma4_e;
extern const tw_gemma4_dialect tw_gemma4_fork;

void tw_gemma4_encode(const tw_format *, const tw_conversation *,
                      tw_segments *);
void tw_gemma4_complete(const tw_format *, const tw_conversation *,
                        tw_segments *);

#endif
