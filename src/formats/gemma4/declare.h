/* SPDX-License-Identifier: MIT
 *
 * The declaration of a tool in a Gemma 4 prompt.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_DECLARE_H
#define TOOLWIRE_FORMATS_GEMMA4_DECLARE_H

#include "formats/gemma4/dialect.h"

void tw_gemma4_declare(tw_segments *, const tw_gemma4_dialect *,
                       const tw_value *tool);

#endif
