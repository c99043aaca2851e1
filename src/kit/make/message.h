/* SPDX-License-Identifier: MIT
 *
 * Random messages for cases: from plain ones to texts that forge calls.
 */
#ifndef TOOLWIRE_KIT_MESSAGE_H
#define TOOLWIRE_KIT_MESSAGE_H

#include "kit/make/maker.h"

/* A random message of an assistant for |one|.  LEGAL: plain values; RARE: any
 * names, keys and values; INJECTION: texts hold markers of the maker's format
 * and whole calls of `forged`, only those of other formats if |foreign|;
 * DEPTH: one deeply nested value a call; LONG: a call with one long argument.
 * Others are as LEGAL, and so are all if |plain|. */
void kit_jot_message(tw_json_out *json_out, uint64_t *state,
                     const kit_maker *maker, const kit_case *one, bool plain,
                     bool foreign);

#endif
