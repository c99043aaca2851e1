/* SPDX-License-Identifier: MIT
 *
 * A Gemma transcript back to turns.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_TRANSCRIPT_H
#define TOOLWIRE_FORMATS_GEMMA4_TRANSCRIPT_H

#include "formats/format.h"

void tw_gemma4_read_transcript(const tw_format *format,
                               tw_transcript_reader *reader, const char *text,
                               size_t size);

#endif
