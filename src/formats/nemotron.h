/* SPDX-License-Identifier: MIT
 *
 * Nemotron: Hermes' calls in a list between tags of its own.
 */
#ifndef TOOLWIRE_FORMATS_NEMOTRON_H
#define TOOLWIRE_FORMATS_NEMOTRON_H

#include "formats/hermes_encode.h"

/* grammar/nemotron.re */
tw_hermes_tag tw_nemotron_scan_tag(const uint8_t *at, const uint8_t *limit,
                                   bool eof, size_t *size);

extern const tw_hermes_dialect tw_nemotron;
extern const tw_marker tw_nemotron_markers[];
extern const size_t tw_nemotron_marker_count;

#endif
